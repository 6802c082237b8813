//! Owns the making of `host.js`, the functions that the glue imports: `ts/entries/glue.ts` and what it needs in
//! one file, so that `pkg/` works alone. The package itself uses the same source, not this copy.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const ENTRY: &str = "ts/entries/glue.ts";

/// The bytes of `host.js`.
pub fn host(root: &Path) -> Result<Vec<u8>> {
    let script = root.join("node_modules/esbuild/bin/esbuild");
    ensure!(script.is_file(), "esbuild is not installed; run `npm ci` first");
    let output = Command::new(script)
        .args([ENTRY, "--bundle", "--format=esm", "--target=es2022", "--charset=utf8", "--log-level=warning"])
        // Short, since the copy is not there to be read; names are kept for stack traces and for those who print an object.
        .args(["--minify", "--keep-names", "--line-limit=120", "--legal-comments=none"])
        .current_dir(root)
        .output()
        .context("esbuild could not be started")?;
    ensure!(output.status.success(), "esbuild failed on {ENTRY}:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
