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
use subagents::{
    Answer, Bounds, Effect, Field, FieldShape, Input, Mode, Point, Reader, Receipt, RecordShape, Reply, Ruling, Status, StopReason,
    TargetState, WaitedFor,
};

/// Numbers for the fields of a row, one after the other.
struct Draws<'a>(std::slice::Iter<'a, u64>);

impl Draws<'_> {
    fn next(&mut self) -> u64 {
        self.0.next().copied().unwrap_or(7)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count).unwrap()).unwrap()
    }

    fn named<T: Copy + Field>(&mut self, all: &[T], out: &mut Vec<u8>) {
        all[self.below(all.len())].put(out);
    }

    /// Appends some value of this kind, as its shape says that it lies.
    fn value(&mut self, name: &str, kind: &str, out: &mut Vec<u8>) {
        if let Some(inner) = kind.strip_suffix('?') {
            let is_there = self.below(2) == 1;
            is_there.put(out);
            return if is_there {
                self.value(name, inner, out)
            };
        }
        if let Some(inner) = kind.strip_suffix("[]") {
            let count = self.below(4);
            u64::try_from(count).unwrap().put(out);
            return (0..count).for_each(|_| self.value(name, inner, out));
        }
        match kind {
            // These are counted in 32 bits.
            "number" if ["run", "indices"].contains(&name) => u32::try_from(self.next() >> 32).unwrap().put(out),
            "number" => self.next().put(out),
            "boolean" => (self.below(2) == 1).put(out),
            "text" => subagents::Text::from("naïve 𝄞".repeat(self.below(30))).put(out),
            "task" => [(); 2].map(|()| u32::try_from(self.next() >> 32).unwrap()).iter().for_each(|half| half.put(out)),
            "amounts" => (0..3).for_each(|_| self.next().put(out)),
            "Mode" => self.named(Mode::ALL, out),
            "Receipt" => self.named(Receipt::ALL, out),
            "Point" => self.named(Point::ALL, out),
            "Answer" => self.named(Answer::ALL, out),
            "Status" => self.named(Status::ALL, out),
            "StopReason" => self.named(StopReason::ALL, out),
            "TargetState" => self.named(TargetState::ALL, out),
            "WaitedFor" => self.fields(&WaitedFor::shape(), out),
            "Bounds" => self.fields(&Bounds::shape(), out),
            "Ruling" => self.fields(&Ruling::shape(), out),
            other => panic!("the form `{other}` has no value here"),
        }
    }

    fn fields(&mut self, fields: &[FieldShape], out: &mut Vec<u8>) {
        for field in fields {
            self.value(field.name, &field.kind, out);
        }
    }
}

fn row(shapes: &[RecordShape], which: Index, draws: &[u64]) -> Vec<u8> {
    let shape = &shapes[which.index(shapes.len())];
    let mut bytes = vec![shape.number];
    Draws(draws.iter()).fields(&shape.fields, &mut bytes);
    bytes
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
    fn every_command_reads_back_and_no_torn_one_does(which: Index, draws: Vec<u64>) {
        there_and_back(&row(&Input::shapes(), which, &draws), Input::take, Input::put);
    }

    #[test]
    fn every_reply_reads_back_and_no_torn_one_does(which: Index, draws: Vec<u64>) {
        there_and_back(&row(&Reply::shapes(), which, &draws), Reply::take, Reply::put);
    }

    #[test]
    fn every_effect_reads_back_and_no_torn_one_does(which: Index, draws: Vec<u64>) {
        there_and_back(&row(&Effect::shapes(), which, &draws), Effect::take, Effect::put);
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
