//! Owns the cargo call that turns the crate into a raw wasm file.
//! It never touches `pkg/`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::toolchain::{WASM_TARGET, encoded_flags, ensure_wasm_target};

/// How the module is made: as it is published; the same with the names of its functions; or in seconds, to try a change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    Published,
    Named,
    Quick,
}

/// Builds the crate of `root` with these features and gives the path of its wasm file.
pub fn compile(root: &Path, features: &[&str], build: Build) -> Result<PathBuf> {
    ensure_wasm_target(root)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--lib", "--locked", "--target", WASM_TARGET])
        .args(["--profile", if build == Build::Quick { "quick" } else { "release" }])
        .args(["--package", "subagents"])
        .args(features.iter().flat_map(|feature| ["--features", *feature]))
        // Cargo itself says where the file is, wherever the target directory lies.
        .arg("--message-format=json-render-diagnostics")
        .envs((build == Build::Named).then_some(("CARGO_PROFILE_RELEASE_STRIP", "none")))
        .env("CARGO_ENCODED_RUSTFLAGS", encoded_flags(root)?)
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cargo could not be started")?;
    ensure!(output.status.success(), "cargo could not build the crate for {WASM_TARGET}");
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not UTF-8")?;
    wasm_file(&messages).context("cargo named no subagents.wasm; is `cdylib` a crate-type?")
}

fn wasm_file(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .find(|path| path.ends_with("subagents.wasm"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wasm_file_is_the_one_that_cargo_names() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","filenames":["/t/libother.rlib"]}"#,
            "\n",
            r#"{"reason":"compiler-artifact","filenames":["/t/libsubagents.rlib","/t/subagents.wasm"]}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(wasm_file(messages), Some(PathBuf::from("/t/subagents.wasm")));
        assert_eq!(wasm_file(""), None);
    }
}
