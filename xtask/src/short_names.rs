//! Shortens the names that the module and its glue share. wasm-bindgen's are long, and most end in a hash. Short ones make both 3
//! kB smaller (gzip). Exports of the glue keep their names.
//!
//! The module imports its functions from a name that its bytes give it, so the engine refuses a module with the glue of another
//! build.

use anyhow::{Context, Result, ensure};
use flate2::Crc;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ExportSection, ImportSection, Module, RawSection};
use wasmparser::{Parser, Payload, TypeRef};

/// wasm-bindgen's name for the imports of the module.
const GLUE_MODULE: &str = "\"./subagents_bg.js\": ";
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Gives every import and export of the module a short name, in the module and in its glue.
pub fn shorten(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut short = Module::new();
    let mut glue = glue.to_owned();
    let build = name_of_build(wasm);
    put_once(&mut glue, GLUE_MODULE, &format!("\"{build}\": "))?;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                let mut imports = ImportSection::new();
                for (place, import) in section.into_imports().enumerate() {
                    let (import, name) = (import?, short_name(place));
                    ensure!(matches!(import.ty, TypeRef::Func(_)), "the module imports {}, which is no function", import.name);
                    put_once(&mut glue, &format!("\n        {}: ", import.name), &format!("\n        {name}: "))?;
                    imports.import(&build, &name, RoundtripReencoder.entity_type(import.ty)?);
                }
                short.section(&imports);
            }
            Payload::ExportSection(section) => {
                let mut exports = ExportSection::new();
                for (place, export) in section.into_iter().enumerate() {
                    let (export, name) = (export?, short_name(place));
                    glue = replaced(&glue, &format!("wasm.{}", export.name), &format!("wasm.{name}"));
                    exports.export(&name, RoundtripReencoder.export_kind(export.kind)?, export.index);
                }
                short.section(&exports);
            }
            other => {
                if let Some((id, range)) = other.as_section() {
                    short.section(&RawSection { id, data: wasm.get(range).context("a section lies outside of the module")? });
                }
            }
        }
    }
    Ok((short.finish(), glue))
}

fn name_of_build(wasm: &[u8]) -> String {
    let mut sum = Crc::new();
    sum.update(wasm);
    format!("{:08x}", sum.sum())
}

fn short_name(mut place: usize) -> String {
    let mut name = String::new();
    loop {
        name.push(char::from(LETTERS[place % LETTERS.len()]));
        place /= LETTERS.len();
        if place == 0 {
            return name;
        }
        place -= 1;
    }
}

/// Replaces a string that must occur in a text once.
fn put_once(text: &mut String, old: &str, new: &str) -> Result<()> {
    let found = text.matches(old).count();
    ensure!(found == 1, "{:?} stands in the glue {found} times instead of once", old.trim());
    *text = text.replacen(old, new, 1);
    Ok(())
}

/// Replaces a name wherever it is no part of a longer one.
fn replaced(text: &str, old: &str, new: &str) -> String {
    let mut parts = text.split(old);
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_' || next == '$');
        made.push_str(if goes_on { old } else { new });
        made.push_str(part);
    }
    made
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{CustomSection, EntityType, ExportKind, GlobalType, ValType};

    use super::*;

    const FUNCTION: EntityType = EntityType::Function(0);
    const GLUE: &str = "\
    begin(now) {
        wasm.core_begin(now, wasm.core_begin_more);
        wasm.core_begin_more(now);
    }
    const import0 = {
        __wbg_startRun_0a: function(arg0) {
            startRun(arg0);
        },
    };
    const imports = { \"./subagents_bg.js\": import0 };
    return wasm.memory;
";

    /// A module that imports functions and exports them.
    fn module(from: &str, imports: &[&str], exports: &[&str], ty: EntityType) -> Vec<u8> {
        let (mut import, mut export) = (ImportSection::new(), ExportSection::new());
        for name in imports {
            import.import(from, name, ty);
        }
        for name in exports {
            export.export(name, ExportKind::Func, 129);
        }
        let mut made = Module::new();
        made.section(&import).section(&export).section(&CustomSection { name: "kept".into(), data: (&[9; 300]).into() });
        made.finish()
    }

    #[test]
    fn both_sides_get_the_same_short_names() {
        let long = module("./subagents_bg.js", &["__wbg_startRun_0a"], &["core_begin", "core_begin_more", "memory"], FUNCTION);
        let (wasm, glue) = shorten(&long, GLUE).expect("they are well formed");
        let build = name_of_build(&long);
        assert_eq!(wasm, module(&build, &["a"], &["a", "b", "c"], FUNCTION));
        let glue = glue.replace(&build, "./subagents_bg.js");
        let named = GLUE.replace("wasm.core_begin_more", "wasm.b").replace("wasm.core_begin", "wasm.a").replace("wasm.memory", "wasm.c");
        assert_eq!(glue, named.replace("__wbg_startRun_0a", "a"));
    }

    #[test]
    fn no_two_have_one_name() {
        let names: Vec<_> = (0..6_000).map(short_name).collect();
        assert_eq!((&*names[51], &*names[52], &*names[53]), ("Z", "aa", "ba"));
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn what_is_not_as_it_was_is_refused() {
        let good = module("./subagents_bg.js", &["__wbg_startRun_0a"], &[], FUNCTION);
        assert!(shorten(&good, "").is_err(), "an import that the glue doesn't have");
        assert!(shorten(&good[..20], GLUE).is_err(), "a module that is cut");
        let global = EntityType::Global(GlobalType { val_type: ValType::I32, mutable: false, shared: false });
        assert!(shorten(&module("./subagents_bg.js", &["__wbg_startRun_0a"], &[], global), GLUE).is_err(), "an import that is no function");
    }
}
