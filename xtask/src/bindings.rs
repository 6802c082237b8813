//! Owns the call of wasm-bindgen: raw wasm in, glue, types and wasm out.
//! It changes none of them; `factory.rs` does.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::compile::Build;

/// What wasm-bindgen made of the crate.
pub struct Bindings {
    pub glue: String,
    pub types: String,
    pub wasm: PathBuf,
}

/// Writes wasm-bindgen's own files into `directory` and reads them back: only
/// the written text is indented as the command line tool does it.
///
/// The target is `web` since its glue names what it imports and its types are
/// flat; `no_modules` leaves out the first and nests the second.
pub fn bind(raw_wasm: &Path, directory: &Path, build: Build) -> Result<Bindings> {
    Bindgen::new()
        .input_path(raw_wasm)
        .out_name("subagents")
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(build != Build::Named)
        .remove_producers_section(true)
        .generate(directory)
        .context("wasm-bindgen refused the crate")?;
    let read = |name: &str| {
        let path = directory.join(name);
        fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
    };
    Ok(Bindings { glue: read("subagents.js")?, types: read("subagents.d.ts")?, wasm: directory.join("subagents_bg.wasm") })
}
