//! Makes `host.js`, the functions that the glue imports: `scripts/host.mjs` bundles them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const SCRIPT: &str = "scripts/host.mjs";

/// The bytes of `host.js`.
pub fn host(root: &Path) -> Result<Vec<u8>> {
    ensure!(root.join("node_modules/rolldown").is_dir(), "rolldown is not installed; run `npm ci` first");
    let output = Command::new("node").arg(SCRIPT).current_dir(root).output().context("node could not be started")?;
    ensure!(output.status.success(), "{SCRIPT} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
