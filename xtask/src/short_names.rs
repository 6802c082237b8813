//! Owns the names by which the module and its glue know each other. wasm-bindgen's are long, and most end in a hash; nobody reads
//! them, and with short ones the module and the glue are 3 kB smaller (gzip). What the glue exports keeps its name.

use anyhow::{Context, Result, bail, ensure};

/// The bytes before the first section: magic number and version.
const HEADER: usize = 8;
const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;
/// A function, as the kind of an import.
const FUNCTION: u8 = 0;

const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Gives all that the module imports and exports a short name, in the module and in its glue.
pub fn shorten(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut from = Reader { bytes: wasm };
    let mut short = from.take(HEADER)?.to_vec();
    let mut glue = glue.to_owned();
    while !from.bytes.is_empty() {
        let section = from.byte()?;
        let length = from.number()?;
        let content = from.take(length)?;
        let renamed = match section {
            IMPORTS => renamed(content, true, &mut |long, name| {
                put_once(&mut glue, &format!("\n        {long}: "), &format!("\n        {name}: "))
            })?,
            EXPORTS => renamed(content, false, &mut |long, name| {
                glue = replaced(&glue, &format!("wasm.{long}"), &format!("wasm.{name}"));
                Ok(())
            })?,
            _ => content.to_vec(),
        };
        short.push(section);
        put_bytes(&mut short, &renamed);
    }
    Ok((short, glue))
}

/// A section with short names; `rename` hears of each.
fn renamed(section: &[u8], is_import: bool, rename: &mut dyn FnMut(&str, &str) -> Result<()>) -> Result<Vec<u8>> {
    let mut from = Reader { bytes: section };
    let count = from.number()?;
    let mut to = Vec::with_capacity(section.len());
    put_number(&mut to, count);
    for place in 0..count {
        if is_import {
            put_bytes(&mut to, from.name()?.as_bytes());
        }
        let long = from.name()?;
        let name = short_name(place);
        rename(long, &name)?;
        put_bytes(&mut to, name.as_bytes());
        let kind = from.byte()?;
        ensure!(!is_import || kind == FUNCTION, "the module imports {long}, which is no function");
        to.push(kind);
        put_number(&mut to, from.number()?);
    }
    ensure!(from.bytes.is_empty(), "a section of names goes on behind its last one");
    Ok(to)
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

/// Replaces what has to stand in a text once.
fn put_once(text: &mut String, old: &str, new: &str) -> Result<()> {
    let found = text.matches(old).count();
    ensure!(found == 1, "{:?} stands in the glue {found} times instead of once", old.trim());
    *text = text.replacen(old, new, 1);
    Ok(())
}

/// Replaces a name wherever it stands as no part of a longer one.
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

fn put_number(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fn put_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    put_number(to, bytes.len());
    to.extend_from_slice(bytes);
}

/// What is left of a part of a module.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count).context("the module ends too soon")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// A number in LEB128, of at most 32 bits.
    fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        bail!("the module has a number of more than 32 bits")
    }

    fn name(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        Ok(std::str::from_utf8(self.take(length)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    return wasm.memory;
";

    /// A module that imports functions and exports functions, of no types and without bodies.
    fn module(imports: &[&str], exports: &[&str]) -> Vec<u8> {
        let mut import = vec![imports.len() as u8];
        for name in imports {
            put_bytes(&mut import, b"./glue.js");
            put_bytes(&mut import, name.as_bytes());
            import.extend([FUNCTION, 0]);
        }
        let mut export = vec![exports.len() as u8];
        for name in exports {
            put_bytes(&mut export, name.as_bytes());
            export.extend([FUNCTION, 0x81, 0x01]);
        }
        let mut made = b"\0asm\x01\0\0\0".to_vec();
        for (section, content) in [(IMPORTS, import), (EXPORTS, export), (11, vec![9; 300])] {
            made.push(section);
            put_bytes(&mut made, &content);
        }
        made
    }

    #[test]
    fn both_sides_get_the_same_short_names() {
        let (wasm, glue) =
            shorten(&module(&["__wbg_startRun_0a"], &["core_begin", "core_begin_more", "memory"]), GLUE).expect("they are well formed");
        assert_eq!(wasm, module(&["a"], &["a", "b", "c"]));
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
        let good = module(&["__wbg_startRun_0a"], &[]);
        assert!(shorten(&good, "").is_err(), "an import that the glue doesn't have");
        assert!(shorten(&good[..20], GLUE).is_err(), "a module that is cut");
        let kind = good.iter().rposition(|byte| *byte == b'a').expect("the end of the import's name") + 1;
        let mut memory = good;
        memory[kind] = 2;
        assert!(shorten(&memory, GLUE).is_err(), "an import that is no function");
    }
}
