//! Owns the call of wasm-bindgen: raw wasm in; glue, types and wasm out. `factory.rs` changes them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::compile::Build;

/// Features that the standard library was compiled with, and wasm-bindgen would use. Each exported function that takes objects or
/// returns texts would get a reference or several values. V8 compiles code for each such form of function when an instance is
/// made, a tenth of a start. For functions of single numbers it already has the code.
const UNUSED_FEATURES: [&[u8]; 2] = [b"+\x0freference-types", b"+\x0amultivalue"];

/// The output of wasm-bindgen for the crate.
pub struct Bindings {
    pub glue: String,
    pub types: String,
    pub wasm: PathBuf,
}

/// Writes wasm-bindgen's own files into `directory` and reads them back: only the written text has the indentation of the command
/// line tool.
///
/// The target is `web`: its glue names its imports, and its types are flat. `no_modules` names no imports and nests the types.
pub fn bind(raw_wasm: &Path, directory: &Path, build: Build) -> Result<Bindings> {
    let wasm = fs::read(raw_wasm).with_context(|| format!("{} cannot be read", raw_wasm.display()))?;
    Bindgen::new()
        .input_bytes("subagents", without_features(wasm)?)
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

/// The module with these features marked as unused.
fn without_features(mut wasm: Vec<u8>) -> Result<Vec<u8>> {
    for feature in UNUSED_FEATURES {
        let mut places = wasm.windows(feature.len()).enumerate().filter(|(_, bytes)| *bytes == feature).map(|(place, _)| place);
        let place = places.next().with_context(|| format!("the module doesn't name {}", feature.escape_ascii()))?;
        ensure!(places.next().is_none(), "the module names {} more than once", feature.escape_ascii());
        wasm[place] = b'-';
    }
    Ok(wasm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_named_as_unused_and_has_to_be_there_once() {
        let named = b"\x03+\x0amultivalue+\x0freference-types+\x08sign-ext".to_vec();
        let without = without_features(named.clone()).expect("both are there");
        assert_eq!(without, b"\x03-\x0amultivalue-\x0freference-types+\x08sign-ext");
        assert!(without_features(without).is_err());
        assert!(without_features([named.clone(), named].concat()).is_err());
    }
}
