//! Commands, replies and effects as bytes: each row reads back as it was written, and any bytes are read or refused.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use proptest::prelude::*;
use proptest::sample::Index;
use subagents::{Effect, Input, Reader, RecordShape, Reply};

#[path = "common/drawn.rs"]
#[allow(dead_code, reason = "it draws facts, too")]
mod drawn;
use drawn::Draws;

fn row(shapes: &[RecordShape], which: Index, seed: u64) -> Vec<u8> {
    Draws::new(seed).row(&shapes[which.index(shapes.len())]).0
}

/// Reads the bytes as a row, and writes that again.
fn there_and_back<T>(bytes: &[u8], take: fn(&mut Reader<'_>) -> T, put: fn(&T, &mut Vec<u8>) -> bool) {
    let mut reader = Reader::new(bytes);
    let row = take(&mut reader);
    assert!(!reader.has_failed() && reader.is_done(), "a row must read as its shape says");
    let mut again = Vec::new();
    assert!(put(&row, &mut again), "what was read is a row");
    assert_eq!(again, bytes);
    for cut in 0..bytes.len() {
        let mut torn = Reader::new(&bytes[..cut]);
        take(&mut torn);
        assert!(torn.has_failed(), "a torn row must not read");
    }
}

#[test]
fn no_two_rows_have_one_number() {
    for shapes in [Input::shapes(), Reply::shapes(), Effect::shapes()] {
        let numbers: std::collections::BTreeSet<u8> = shapes.iter().map(|shape| shape.number).collect();
        assert_eq!(numbers.len(), shapes.len());
    }
}

proptest! {
    #[test]
    fn every_command_reads_back_and_no_torn_one_does(which: Index, seed: u64) {
        there_and_back(&row(&Input::shapes(), which, seed), Input::take, Input::put);
    }

    #[test]
    fn every_reply_reads_back_and_no_torn_one_does(which: Index, seed: u64) {
        there_and_back(&row(&Reply::shapes(), which, seed), Reply::take, Reply::put);
    }

    #[test]
    fn every_effect_reads_back_and_no_torn_one_does(which: Index, seed: u64) {
        there_and_back(&row(&Effect::shapes(), which, seed), Effect::take, Effect::put);
    }

    #[test]
    fn any_bytes_are_a_command_or_refused(bytes: Vec<u8>) {
        let mut reader = Reader::new(&bytes);
        let input = Input::take(&mut reader);
        if !reader.has_failed() {
            prop_assert!(input.put(&mut Vec::new()));
        }
    }
}
