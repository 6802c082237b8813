//! Owns the order of the functions in a module: those that resemble each other stand together, since gzip finds what
//! repeats only within 32 kB. It changes nothing that a function does.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection};
use wasmparser::{CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef};

/// Numbers below this one take a byte in a call: they stay with the functions that are called most, which wasm-opt puts first.
const SHORT_NUMBERS: usize = 128;
/// Functions resemble each other by the sequences of so many bytes that both have. Which of these is best, and which of the two
/// below, changes with every byte of a module: all are tried.
const SEQUENCES: [usize; 2] = [6, 7];
/// So many functions before are compared with: about as far as gzip looks back.
const BEFORE: [usize; 2] = [16, 40];
/// Added to the length that what is shared is divided by: else the shortest would always be the most alike.
const SHORT: [f64; 3] = [200.0, 400.0, 800.0];

/// The module with its functions in another order: the one that gzip makes the least of.
pub fn order(wasm: &[u8]) -> Result<Vec<u8>> {
    let (imported, bodies) = functions(wasm)?;
    let first = SHORT_NUMBERS.saturating_sub(imported);
    let mut best: Option<(usize, Vec<u8>)> = None;
    for sequences in SEQUENCES.map(|length| numbered(&bodies, length)) {
        for (before, short) in BEFORE.iter().flat_map(|before| SHORT.map(|short| (*before, short))) {
            let ordered = in_order(wasm, imported, by_resemblance(&bodies, &sequences, first, before, short))?;
            let size = compressed(&ordered)?;
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, ordered));
            }
        }
    }
    best.map(|(_, ordered)| ordered).context("no order was tried")
}

/// How many bytes gzip makes of it.
fn compressed(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

/// The module with its functions in this order.
fn in_order(wasm: &[u8], imported: usize, order: Vec<usize>) -> Result<Vec<u8>> {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    for (new, old) in order.iter().enumerate() {
        numbers.insert(u32::try_from(imported + old)?, u32::try_from(imported + new)?);
    }
    let mut module = wasm_encoder::Module::new();
    Reordered { order, numbers }.parse_core_module(&mut module, Parser::new(0), wasm).context("the module can't be written anew")?;
    Ok(module.finish())
}

/// How many functions are imported, and the bytes of each of the others.
fn functions(wasm: &[u8]) -> Result<(usize, Vec<&[u8]>)> {
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    ensure!(!bodies.is_empty(), "the module has no functions");
    Ok((imported, bodies))
}

/// The first ones as they are, then each time the one that has most in common with those before it.
fn by_resemblance(bodies: &[&[u8]], sequences: &[Vec<usize>], first: usize, before: usize, short: f64) -> Vec<usize> {
    let count = sequences.iter().flatten().max().map_or(0, |last| last + 1);
    let mut order: Vec<usize> = (0..first.min(bodies.len())).collect();
    let mut left: Vec<usize> = (order.len()..bodies.len()).collect();
    while !left.is_empty() {
        let mut near = vec![false; count];
        for at in order.iter().rev().take(before) {
            sequences[*at].iter().for_each(|sequence| near[*sequence] = true);
        }
        let alike = |at: usize| sequences[at].iter().filter(|sequence| near[**sequence]).count() as f64 / (bodies[at].len() as f64 + short);
        let mut best = (0, f64::NEG_INFINITY);
        for (place, at) in left.iter().enumerate() {
            let alike = alike(*at);
            if alike > best.1 {
                best = (place, alike);
            }
        }
        order.push(left.remove(best.0));
    }
    order
}

/// The sequences of so many bytes of each body, each once and by a number of its own.
fn numbered<'a>(bodies: &[&'a [u8]], length: usize) -> Vec<Vec<usize>> {
    let mut numbers: BTreeMap<&'a [u8], usize> = BTreeMap::new();
    let each = bodies.iter().map(|body| {
        let sequences: BTreeSet<&'a [u8]> = body.windows(length).collect();
        sequences.into_iter().map(|sequence| next_or_known(&mut numbers, sequence)).collect()
    });
    each.collect()
}

fn next_or_known<'a>(numbers: &mut BTreeMap<&'a [u8], usize>, sequence: &'a [u8]) -> usize {
    let next = numbers.len();
    *numbers.entry(sequence).or_insert(next)
}

/// Writes a module anew, with the functions in this order and their new numbers.
struct Reordered {
    order: Vec<usize>,
    numbers: BTreeMap<u32, u32>,
}

impl Reencode for Reordered {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(self.numbers.get(&function).copied().unwrap_or(function))
    }

    fn parse_function_section(&mut self, section: &mut FunctionSection, read: FunctionSectionReader<'_>) -> Result<(), Error> {
        let types: Vec<u32> = read.into_iter().collect::<Result<_, _>>()?;
        for at in &self.order {
            section.function(types[*at]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, section: &mut CodeSection, read: CodeSectionReader<'_>) -> Result<(), Error> {
        let bodies: Vec<FunctionBody<'_>> = read.into_iter().collect::<Result<_, _>>()?;
        for at in self.order.clone() {
            utils::parse_function_body(self, section, bodies[at].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of three functions that return a number each: the first calls the second, the third is exported.
    fn module() -> Vec<u8> {
        use wasm_encoder::{ExportKind, ExportSection, Function, FunctionSection, Module, TypeSection, ValType};
        let (mut types, mut functions, mut exports, mut code) =
            (TypeSection::new(), FunctionSection::new(), ExportSection::new(), CodeSection::new());
        types.ty().function([], [ValType::I32]);
        types.ty().function([], [ValType::F64]);
        for (at, result) in [0, 0, 1].into_iter().enumerate() {
            functions.function(result);
            let mut body = Function::new([]);
            match at {
                0 => body.instructions().call(1).end(),
                1 => body.instructions().i32_const(7).end(),
                _ => body.instructions().f64_const(8.0.into()).end(),
            };
            code.function(&body);
        }
        exports.export("eight", ExportKind::Func, 2);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    fn written(order: &[usize]) -> Vec<u8> {
        let numbers = order.iter().zip(0..).map(|(old, new)| (u32::try_from(*old).unwrap(), new)).collect();
        let mut module = wasm_encoder::Module::new();
        Reordered { order: order.to_vec(), numbers }.parse_core_module(&mut module, Parser::new(0), &self::module()).unwrap();
        module.finish()
    }

    #[test]
    fn calls_exports_and_types_follow_their_functions() {
        assert_eq!(written(&[0, 1, 2]), module());
        let moved = written(&[2, 1, 0]);
        let (_, bodies) = functions(&moved).unwrap();
        let original = module();
        let (_, before) = functions(&original).unwrap();
        assert_eq!((bodies[0], bodies[1]), (before[2], before[1]));
        assert_eq!(bodies[2], before[0], "the call of the one in the middle");
        let mut exported = None;
        let mut types = Vec::new();
        for payload in Parser::new(0).parse_all(&moved) {
            match payload.unwrap() {
                Payload::ExportSection(section) => exported = section.into_iter().next().map(|export| export.unwrap().index),
                Payload::FunctionSection(section) => types = section.into_iter().map(|number| number.unwrap()).collect(),
                _ => {}
            }
        }
        assert_eq!((exported, types), (Some(0), vec![1, 0, 0]));
        assert_ne!(written(&[1, 0, 2]), module(), "the call has another number");
    }

    #[test]
    fn those_that_resemble_each_other_stand_together() {
        let bodies: [&[u8]; 4] = [b"abcdefghijkl", b"0123456789--", b"abcdefghijxx", b"0123456789++"];
        assert_eq!(by_resemblance(&bodies, &numbered(&bodies, 6), 1, 6, 60.0), [0, 2, 1, 3]);
        assert_eq!(by_resemblance(&bodies, &numbered(&bodies, 6), 3, 6, 60.0), [0, 1, 2, 3]);
    }
}
