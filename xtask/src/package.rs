//! Owns the files of `pkg/` and the order of the steps that make it. The steps are in the other modules.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::bindings::{Bindings, bind};
use crate::compile::{Build, compile};
use crate::factory::factory;
use crate::host::host;
use crate::optimize::optimize;
use crate::outputs::{self, OutputFile};
use crate::short_names::shorten;
use crate::toolchain::ensure_wasm_target;

/// The published folder; every file in it is made here.
const FOLDER: &str = "pkg";

/// The types of `host.js`, for those who use only `pkg/`.
const HOST_TYPES: &str = "src/wasm/host.d.ts";

/// Makes `pkg/` from the crate.
pub fn build(root: &Path) -> Result<()> {
    write(root, &make(root, Build::Published)?)
}

/// Makes a `pkg/` for a trial or an inspection, not to be committed.
pub fn build_to_try(root: &Path, build: Build) -> Result<()> {
    write(root, &make(root, build)?)
}

fn write(root: &Path, files: &[OutputFile]) -> Result<()> {
    let changed = outputs::write(root, files)?;
    for file in files {
        let mark = if changed.contains(&file) { "written" } else { "as it was" };
        println!("{:<20} {:>7} bytes, {mark}", file.path.display(), file.content.len());
    }
    Ok(())
}

/// Makes the files again and fails if `pkg/` has others.
pub fn check(root: &Path) -> Result<()> {
    // Even if nothing is compared: the checks that follow this one build for the target.
    ensure_wasm_target(root)?;
    // Cargo mixes proc macros that were built for the host into the names of the wasm code. So other hosts rightly get other
    // bytes.
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("the byte check of {FOLDER}/ belongs to Linux x64; nothing was compared");
        return Ok(());
    }
    let files = make(root, Build::Published)?;
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

fn make(root: &Path, build: Build) -> Result<Vec<OutputFile>> {
    let module = module(root, build)?;
    let made = factory(&module.bindings.glue, &module.bindings.types)
        .context("wasm-bindgen's glue can't be wrapped; xtask/src/factory.rs knows the shape it expects")?;
    // The counters are read by the names of their exports.
    let (wasm, glue) =
        if build == Build::Counting { (module.wasm, made.glue) } else { shorten(&module.wasm, &made.glue).context("the names")? };
    let types = fs::read(root.join(HOST_TYPES)).with_context(|| format!("{HOST_TYPES} cannot be read"))?;
    let packaged = |name: &str, content: Vec<u8>| OutputFile { path: Path::new(FOLDER).join(name), content };
    Ok(vec![
        packaged("subagents.js", glue.into_bytes()),
        packaged("subagents.d.ts", made.types.into_bytes()),
        packaged("subagents.wasm", wasm),
        packaged("host.js", host(root)?),
        packaged("host.d.ts", types),
    ])
}

/// A module, and wasm-bindgen's output for it.
struct Module {
    bindings: Bindings,
    wasm: Vec<u8>,
}

fn module(root: &Path, build: Build) -> Result<Module> {
    let raw_wasm = compile(root, build)?;
    let bindings = bind(&raw_wasm, &raw_wasm.with_extension("bindings"), build)?;
    let wasm = match build {
        Build::Published | Build::Named | Build::Counting => optimize(root, &bindings.wasm, build)?,
        Build::Quick => fs::read(&bindings.wasm).with_context(|| format!("{} cannot be read", bindings.wasm.display()))?,
    };
    Ok(Module { bindings, wasm })
}

/// Files in `pkg/` that no step makes, such as after a file was renamed.
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
