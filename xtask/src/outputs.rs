//! Writes generated files, or compares them with what is committed. Knows nothing of their content.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// A made file, its path relative to the root of the checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    pub path: PathBuf,
    pub content: Vec<u8>,
}

/// The files that are missing under `root` or hold other bytes.
pub fn differing<'a>(root: &Path, files: &'a [OutputFile]) -> Result<Vec<&'a OutputFile>> {
    let mut differing = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        match fs::read(&path) {
            Ok(content) if content == file.content => {}
            Ok(_) => differing.push(file),
            Err(error) if error.kind() == ErrorKind::NotFound => differing.push(file),
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be read", path.display()));
            }
        }
    }
    Ok(differing)
}

/// Writes the files that differ and returns them; the others keep their dates, so that nothing is built again for them.
pub fn write<'a>(root: &Path, files: &'a [OutputFile]) -> Result<Vec<&'a OutputFile>> {
    let changed = differing(root, files)?;
    for file in &changed {
        let path = root.join(&file.path);
        let written = match path.parent() {
            Some(directory) => fs::create_dir_all(directory),
            None => Ok(()),
        }
        .and_then(|()| fs::write(&path, &file.content));
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty directory of one test, removed when the test ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(test: &str) -> Self {
            let name = format!("xtask-{test}-{}", std::process::id());
            let directory = std::env::temp_dir().join(name);
            fs::create_dir_all(&directory).expect("the scratch directory can be made");
            Self(directory)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            // A directory left behind harms no later run.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn file(path: &str, content: &str) -> OutputFile {
        OutputFile { path: PathBuf::from(path), content: content.into() }
    }

    #[test]
    fn missing_and_changed_files_differ_and_equal_ones_do_not() {
        let scratch = Scratch::new("differ");
        fs::write(scratch.0.join("equal"), "same").expect("the file can be written");
        fs::write(scratch.0.join("changed"), "old").expect("the file can be written");
        let files = [file("equal", "same"), file("changed", "new"), file("missing", "new")];
        let differing = differing(&scratch.0, &files).expect("the directory can be read");
        assert_eq!(differing, [&files[1], &files[2]]);
    }

    #[test]
    fn writing_makes_directories_and_leaves_no_difference() {
        let scratch = Scratch::new("write");
        let files = [file("deep/er/one", "1"), file("two", "2")];
        assert_eq!(write(&scratch.0, &files).expect("the files can be written").len(), 2);
        assert!(differing(&scratch.0, &files).expect("the files can be read").is_empty());
        assert!(write(&scratch.0, &files).expect("nothing is to be written").is_empty());
    }
}
