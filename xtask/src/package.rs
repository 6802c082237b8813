//! Owns what `pkg/` consists of and the order of the steps that make it, and its test build.
//! The steps themselves are in the modules beside this one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bindings::bind;
use crate::compile::{Build, compile};
use crate::factory::factory;
use crate::host::host;
use crate::optimize::optimize;
use crate::outputs::{self, OutputFile};
use crate::toolchain::ensure_wasm_target;

/// The published folder; every file in it is made here.
const FOLDER: &str = "pkg";

/// The types of `host.js`, for those who use `pkg/` alone.
const HOST_TYPES: &str = "src/wasm/host.d.ts";

/// The test build, which opens managers from facts. Never published, never committed.
const JOURNAL_FOLDER: &str = "target/journal/pkg";

/// Makes `pkg/` from the crate.
pub fn build(root: &Path) -> Result<()> {
    write(root, &make(root, FOLDER, &[], Build::Published)?)
}

/// Makes `pkg/` in seconds, unoptimised: to try a change, not to be committed.
pub fn build_quick(root: &Path) -> Result<()> {
    write(root, &make(root, FOLDER, &[], Build::Quick)?)
}

/// Makes the test build with the feature `journal`.
pub fn build_journal(root: &Path) -> Result<()> {
    write(root, &make(root, JOURNAL_FOLDER, &["journal"], Build::Published)?)
}

fn write(root: &Path, files: &[OutputFile]) -> Result<()> {
    let changed = outputs::write(root, files)?;
    for file in files {
        let mark = if changed.contains(&file) { "written" } else { "as it was" };
        println!("{:<20} {:>7} bytes, {mark}", file.path.display(), file.content.len());
    }
    Ok(())
}

/// Makes the files once more and fails where `pkg/` holds others.
pub fn check(root: &Path) -> Result<()> {
    // Also where nothing is compared: the checks that follow this one build for the target.
    ensure_wasm_target(root)?;
    // Cargo mixes proc macros that were built for the host into the names of
    // the wasm code, so other hosts come to other bytes by right.
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("the byte check of {FOLDER}/ belongs to Linux x64; nothing was compared");
        return Ok(());
    }
    let files = make(root, FOLDER, &[], Build::Published)?;
    let mut findings: Vec<String> = outputs::differing(root, &files)?
        .into_iter()
        .map(|file| format!("{} differs from what the sources make", file.path.display()))
        .collect();
    for path in strangers(root, &files)? {
        findings.push(format!("{} is not made by the build", path.display()));
    }
    if !findings.is_empty() {
        bail!("{}\nrun `cargo xtask build` and commit {FOLDER}/", findings.join("\n"));
    }
    println!("{FOLDER}/ is what the sources make, byte for byte");
    Ok(())
}

fn make(root: &Path, folder: &str, features: &[&str], build: Build) -> Result<Vec<OutputFile>> {
    let raw_wasm = compile(root, features, build)?;
    let bindings = bind(&raw_wasm, &raw_wasm.with_extension("bindings"))?;
    let made = factory(&bindings.glue, &bindings.types)
        .context("wasm-bindgen's glue can't be wrapped; xtask/src/factory.rs knows the shape it expects")?;
    let wasm = match build {
        Build::Published => optimize(root, &bindings.wasm)?,
        Build::Quick => fs::read(&bindings.wasm).with_context(|| format!("{} cannot be read", bindings.wasm.display()))?,
    };
    let types = fs::read(root.join(HOST_TYPES)).with_context(|| format!("{HOST_TYPES} cannot be read"))?;
    let packaged = |name: &str, content: Vec<u8>| OutputFile { path: Path::new(folder).join(name), content };
    Ok(vec![
        packaged("subagents.js", made.glue.into_bytes()),
        packaged("subagents.d.ts", made.types.into_bytes()),
        packaged("subagents.wasm", wasm),
        packaged("host.js", host(root)?),
        packaged("host.d.ts", types),
    ])
}

/// What lies in `pkg/` though no step makes it, as after a file was renamed.
fn strangers(root: &Path, files: &[OutputFile]) -> Result<Vec<PathBuf>> {
    let folder = root.join(FOLDER);
    let mut strangers = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(&folder).context("pkg/ cannot be read")? {
            let path = Path::new(FOLDER).join(entry.context("pkg/ cannot be read")?.file_name());
            if files.iter().all(|file| file.path != path) {
                strangers.push(path);
            }
        }
    }
    strangers.sort();
    Ok(strangers)
}
