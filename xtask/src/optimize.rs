//! Owns the call of wasm-opt, which comes with npm's `binaryen`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::compile::Build;

/// For size; then the features that rustc uses, by name: `--all-features` makes a module that
/// Node 20 refuses.
const FLAGS: [&str; 9] = [
    "-Os",
    "-Oz",
    "--converge",
    // A function with one caller is not inlined, unless it is small. A runtime compiles a function at its first call, and would
    // compile all rules with the first one.
    "--one-caller-inline-max-function-size=20",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-simd",
];

/// Shrinks the wasm file and returns the published bytes.
pub fn optimize(root: &Path, wasm: &Path, build: Build) -> Result<Vec<u8>> {
    // The script that node_modules/.bin links to, named directly since the
    // links are of another kind on Windows.
    let script = root.join("node_modules/binaryen/bin/wasm-opt");
    ensure!(script.is_file(), "wasm-opt is not installed; run `npm ci` first");
    let optimized = wasm.with_extension("opt.wasm");
    let names = (build == Build::Named).then_some("--debuginfo");
    let status = Command::new("node")
        .arg(script)
        .args(FLAGS)
        .args(names)
        .arg(wasm)
        .arg("-o")
        .arg(&optimized)
        .status()
        .context("node could not be started")?;
    ensure!(status.success(), "wasm-opt failed");
    fs::read(&optimized).with_context(|| format!("{} cannot be read", optimized.display()))
}
