//! Owns the list of files that are made from the crate's own tables, such as
//! the table of defaults. The tables stay in the crate.

use std::path::Path;

use anyhow::{Result, bail};

use crate::outputs::{self, OutputFile};

/// Every generated file with its content.
pub fn files() -> Vec<OutputFile> {
    Vec::new()
}

/// Writes the generated files; with `check` it changes nothing and fails where
/// one is not as the tables make it.
pub fn generate(root: &Path, files: &[OutputFile], check: bool) -> Result<()> {
    if check {
        let differing = outputs::differing(root, files)?;
        if !differing.is_empty() {
            let names: Vec<_> = differing.iter().map(|file| file.path.display().to_string()).collect();
            bail!("not as the tables make them: {}\nrun `cargo xtask generate`", names.join(", "));
        }
    } else {
        for file in outputs::write(root, files)? {
            println!("wrote {}", file.path.display());
        }
    }
    Ok(())
}
