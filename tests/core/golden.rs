//! Golden transcripts: what is said to the manager, a line, and what comes of it. `golden/README.md`
//! says how they are read; the TypeScript tests replay the same files against the package.
//!
//! `UPDATE_GOLDEN=1 cargo test --test golden` writes the results anew; look at the difference.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

mod golden {
    pub(crate) mod command;
    pub(crate) mod render;
    pub(crate) mod stage;
}

use std::fs;
use std::path::{Path, PathBuf};

use golden::stage::Stage;

/// Replays one transcript and compares, or writes what came.
fn check(file: &Path) -> Result<(), String> {
    let expected = fs::read_to_string(file).expect("a transcript can be read");
    let actual = replay(&expected).map_err(|error| format!("{}: {error}", file.display()))?;
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(file, actual).expect("a transcript can be written");
        return Ok(());
    }
    if actual == expected {
        return Ok(());
    }
    let differing = expected.lines().zip(actual.lines()).position(|(expected, actual)| expected != actual);
    let line = differing.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_owned();
    Err(format!("{}:{}\n  expected: {}\n  got:      {}", file.display(), line + 1, at(&expected), at(&actual)))
}

/// The transcript with its results made anew. A block is commands, `----`, results, an empty line.
fn replay(transcript: &str) -> Result<String, String> {
    let mut stage = Stage::new();
    let mut out = String::new();
    let mut in_results = false;
    for line in transcript.lines() {
        match line {
            "----" => {
                out.push_str("----\n");
                for result in stage.take_results() {
                    out.push_str(&result);
                    out.push('\n');
                }
                in_results = true;
            }
            "" => {
                out.push('\n');
                in_results = false;
            }
            _ if in_results => {}
            _ => {
                out.push_str(line);
                out.push('\n');
                if !line.starts_with('#') {
                    stage.perform(line).map_err(|error| format!("`{line}`: {error}"))?;
                }
            }
        }
    }
    Ok(out)
}

fn transcripts() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert!(files.len() >= 12, "transcripts are missing");
    files
}

#[test]
fn every_transcript_plays_as_written() {
    let failures: Vec<String> = transcripts().iter().filter_map(|file| check(file).err()).collect();
    assert!(failures.is_empty(), "{}\n\nIf that is meant, write them anew with UPDATE_GOLDEN=1.", failures.join("\n"));
}
