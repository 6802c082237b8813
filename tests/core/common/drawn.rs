//! Draws values for the fields of rows, by their shapes: how each is stored, and what TypeScript makes of it. Owns which values
//! a kind has.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "the numbers that are drawn are small, and a test may fail loudly"
)]

use serde_json::{Map, Value, json};
use subagents::{
    AbandonAt, Answer, Bounds, Delivery, Dimension, Dimensions, Fact, Field, FieldShape, First, Key, KeyRate, KeyUse, Kinds, Loan, Loans,
    MessagePlace, Mode, ModelPrice, NewNotice, OnParentEnd, Parked, Point, Reader, Receipt, RecordShape, Retry, Ruling, Spec, Status,
    StopReason, TargetState, Text, WaitedFor, WaitingFor,
};

#[path = "../simulation/rng.rs"]
#[allow(dead_code, reason = "the simulation uses all of it")]
mod rng;
use rng::Rng;

/// Fields that are counted in 32 bits.
const NARROW: [&str; 7] = ["attempt", "count", "indices", "missed", "parent_run", "run", "steers"];

/// Texts that are JSON.
const JSON: [&str; 5] = ["artifacts", "metadata", "must_have", "receipts", "value"];

/// Values by chance.
pub(crate) struct Draws {
    rng: Rng,
    /// Events name tasks by their ids, and have null in the place of what is absent.
    is_event: bool,
    /// JavaScript has every number exactly.
    is_exact: bool,
}

impl Draws {
    /// Values for commands, replies and effects.
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Rng::new(seed), is_event: false, is_exact: true }
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.rng.index(count)
    }

    /// Now and then, something that JavaScript need not have.
    fn is_odd(&mut self) -> bool {
        !self.is_exact && self.below(4) == 0
    }

    /// A number that JavaScript has exactly, or no bound.
    pub(crate) fn number(&mut self) -> u64 {
        if self.is_odd() {
            return self.rng.next();
        }
        let size = self.rng.pick(&[0_u32, 1, 3, 7, 7, 14, 32, 50, 64]);
        self.rng.next().checked_shr(64 - size).map_or(0, |drawn| if size == 64 { u64::MAX } else { drawn })
    }

    fn text(&mut self) -> String {
        if self.is_odd() {
            return ["\0", "\u{feff}\u{202e}", "\u{10ffff}\u{d7ff}", "\"\\\r\u{2028}"][self.below(4)].repeat(self.below(300));
        }
        let times = self.rng.pick(&[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 12]);
        ["work", "naïve 𝄞", "a\nb", "x"][self.below(4)].repeat(times)
    }

    fn put<T: Field>(value: &T, shown: Value, out: &mut Vec<u8>) -> Value {
        value.put(out);
        shown
    }

    fn one_of<T: Field + serde::Serialize>(&mut self, all: &[T], out: &mut Vec<u8>) -> Value {
        let value = &all[self.below(all.len())];
        Self::put(value, json!(value), out)
    }

    fn amount(&mut self, out: &mut Vec<u8>) -> Value {
        let number = self.number();
        Self::put(&number, amount(number), out)
    }

    fn dollars(&mut self, out: &mut Vec<u8>) -> Value {
        let nanos = self.number();
        Self::put(&nanos, if nanos == u64::MAX { amount(nanos) } else { json!(nanos as f64 / 1e9) }, out)
    }

    /// Appends some value of this kind, and gives what TypeScript reads.
    fn value(&mut self, name: &str, kind: &str, out: &mut Vec<u8>) -> Value {
        if let Some(inner) = kind.strip_suffix('?') {
            let is_there = self.below(2) == 1;
            is_there.put(out);
            return if is_there { self.value(name, inner, out) } else { Value::Null };
        }
        if let Some(inner) = kind.strip_suffix("[]") {
            let count = self.below(4);
            (count as u64).put(out);
            return (0..count).map(|_| self.value(name, inner, out)).collect();
        }
        match kind {
            "number" if NARROW.contains(&name) => {
                let number = self.number() as u32;
                Self::put(&number, json!(number), out)
            }
            "number" => self.amount(out),
            "signed" => {
                let number = match self.is_odd() {
                    true => [i64::MIN, i64::MAX, self.rng.next() as i64][self.below(3)],
                    false => self.number().min(1 << 50) as i64 - (1 << 20),
                };
                Self::put(&number, json!(number), out)
            }
            "dollars" => self.dollars(out),
            "instant" => {
                let number = self.number();
                Self::put(&AbandonAt(number), if number == 0 { Value::Null } else { amount(number) }, out)
            }
            "boolean" => self.one_of(&[false, true], out),
            "text" if JSON.contains(&name) => {
                let value = json!({ "n": self.below(9), "text": self.text() });
                let is_value = self.is_event && name == "metadata";
                Self::put(&Text::from(value.to_string()), if is_value { value.clone() } else { json!(value.to_string()) }, out)
            }
            "text" => {
                let text = self.text();
                Self::put(&Text::from(&*text), json!(text), out)
            }
            "task" => {
                let index = if self.below(8) == 0 { self.number() as u32 } else { self.below(10) as u32 };
                let generation = if self.below(8) == 0 { self.number() as u32 } else { 1 };
                Key { index, generation }.put(out);
                match self.is_event {
                    false => json!({ "index": index, "generation": generation }),
                    true if index < 2 => Value::Null,
                    true => json!(format!("{index}/{generation}")),
                }
            }
            "amounts" => json!({ "tokens": self.amount(out), "costUsd": self.dollars(out), "turns": self.amount(out) }),
            "dimensions" => {
                let bits = Dimensions(self.below(8) as u8);
                let names = Dimension::ALL.into_iter().filter(|dimension| bits.has(*dimension)).map(Dimension::name);
                Self::put(&bits, names.collect(), out)
            }
            "Answer" => self.one_of(Answer::ALL, out),
            "Delivery" => self.one_of(Delivery::ALL, out),
            "MessagePlace" => self.one_of(MessagePlace::ALL, out),
            "Mode" => self.one_of(Mode::ALL, out),
            "OnParentEnd" => self.one_of(OnParentEnd::ALL, out),
            "Parked" => self.one_of(Parked::ALL, out),
            "Point" => self.one_of(Point::ALL, out),
            "Receipt" => self.one_of(Receipt::ALL, out),
            "Status" => self.one_of(Status::ALL, out),
            "StopReason" => self.one_of(StopReason::ALL, out),
            "TargetState" => self.one_of(TargetState::ALL, out),
            "WaitingFor" => self.one_of(WaitingFor::ALL, out),
            "Bounds" => self.fields(&Bounds::shape(), out),
            "First" => self.fields(&First::shape(), out),
            "KeyRate" => self.fields(&KeyRate::shape(), out),
            "KeyUse" => self.fields(&KeyUse::shape(), out),
            "Kinds" => self.fields(&Kinds::shape(), out),
            "Loan" => self.fields(&Loan::shape(), out),
            "Loans" => self.fields(&Loans::shape(), out),
            "ModelPrice" => self.fields(&ModelPrice::shape(), out),
            "NewNotice" => self.fields(&NewNotice::shape(), out),
            "Retry" => self.fields(&Retry::shape(), out),
            "Ruling" => self.fields(&Ruling::shape(), out),
            "Spec" => self.fields(&Spec::shape(), out),
            "WaitedFor" => self.fields(&WaitedFor::shape(), out),
            other => panic!("the kind `{other}` is new; say what values it has"),
        }
    }

    /// Appends some value of each field.
    fn fields(&mut self, fields: &[FieldShape], out: &mut Vec<u8>) -> Value {
        let mut object = Map::new();
        for FieldShape { name, kind, .. } in fields {
            let value = self.value(name, kind, out);
            if self.is_event || !(kind.ends_with('?') && value.is_null()) {
                object.insert(self.name_of(name), value);
            }
        }
        object.into()
    }

    fn name_of(&self, name: &str) -> String {
        match name {
            "task" if self.is_event => "taskId".into(),
            "parent" if self.is_event => "parentId".into(),
            other => camel(other),
        }
    }

    /// Some value of a type whose fields these are.
    pub(crate) fn record<T: Field>(&mut self, fields: &[FieldShape]) -> T {
        let mut bytes = Vec::new();
        self.fields(fields, &mut bytes);
        T::take(&mut Reader::new(&bytes))
    }

    /// A row of such a list: its bytes, and what TypeScript has of it.
    pub(crate) fn row(&mut self, RecordShape { name, number, fields, .. }: &RecordShape) -> (Vec<u8>, Value) {
        let mut bytes = vec![*number];
        let mut value = self.fields(fields, &mut bytes);
        value["type"] = json!(snake(name));
        (bytes, value)
    }
}

/// A fact of this kind, without its time. JavaScript has all of an exact one.
pub(crate) fn fact(seed: u64, which: usize, is_exact: bool) -> (Vec<u8>, Value) {
    let shapes = Fact::shapes();
    let shape = &shapes[which % shapes.len()];
    let mut bytes = vec![shape.number];
    let mut value = Draws { rng: Rng::new(seed), is_event: true, is_exact }.fields(&shape.fields, &mut bytes);
    value["type"] = json!(snake(shape.name));
    (bytes, value)
}

/// A number as TypeScript has it; JSON has no word for what is unbounded.
fn amount(number: u64) -> Value {
    if number == u64::MAX { json!("Infinity") } else { json!(number) }
}

/// The name of a field in TypeScript.
pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
}

/// The type of a row in TypeScript.
fn snake(name: &str) -> String {
    let lower = |letter: char| if letter.is_uppercase() { format!("_{}", letter.to_lowercase()) } else { letter.into() };
    name.chars().map(lower).collect::<String>().trim_start_matches('_').to_owned()
}
