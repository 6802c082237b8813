//! Owns the cargo call that turns the crate into a raw wasm file. Never touches `pkg/`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::profile;
use crate::toolchain::{WASM_TARGET, encoded, ensure_wasm_target, wasm_flags};

/// How the module is made: as published, with the names of its functions, in seconds for a trial, or with counters of code paths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    Published,
    Named,
    Quick,
    Counting,
}

/// Builds the crate of `root` and returns the path of its wasm file.
pub fn compile(root: &Path, build: Build) -> Result<PathBuf> {
    ensure_wasm_target(root)?;
    let mut of_all = wasm_flags(root)?;
    if matches!(build, Build::Published | Build::Named) {
        of_all.extend(profile::flags(root)?);
    }
    if build == Build::Named {
        of_all.push("-Cstrip=none".to_owned());
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["rustc", "--lib", "--locked", "--target", WASM_TARGET, "--package", "subagents"])
        .args(["--profile", if build == Build::Quick { "quick" } else { "release" }])
        // Cargo itself reports the path of the file, wherever the target directory is.
        .arg("--message-format=json-render-diagnostics")
        .env("CARGO_ENCODED_RUSTFLAGS", encoded(&of_all));
    if build == Build::Counting {
        // Only the nightly rustc can leave out the code that writes a file at the end: the counters are read from the memory.
        // Only the crate counts: counted code stays in the module, and most code of other crates isn't used.
        command.env("RUSTC_BOOTSTRAP", "1").arg("--target-dir").arg(root.join("target/counting")).arg("--").args(profile::counting());
    }
    if matches!(build, Build::Published | Build::Named) {
        command.arg("--").arg(profile::flag_of_crate(root)?);
    }
    let output = command.current_dir(root).stderr(Stdio::inherit()).output().context("cargo could not be started")?;
    ensure!(output.status.success(), "cargo could not build the crate for {WASM_TARGET}");
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not UTF-8")?;
    let wasm = wasm_file(&messages).context("cargo named no subagents.wasm; is `cdylib` a crate-type?")?;
    if matches!(build, Build::Published | Build::Named) {
        profile::expect_fitting(root, &wasm)?;
    }
    Ok(wasm)
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
