//! Encodes facts for listeners in this process: a float for each number, as in JavaScript, and the texts apart. Stored facts are
//! small (`codec.rs`); these are fast to read.
//!
//! Owns this form of each field type. Fields come in stored order. A flag precedes an optional field, a length a text or list. So
//! one list of fields serves readers of both forms.

#![expect(clippy::as_conversions, reason = "numbers of JavaScript are floats")]

use super::amounts::{Amounts, Nanos};
use super::slab::Key;

/// Numbers from here on mean "no bound", for readers of the stored form too.
const UNBOUNDED: u64 = u64::MAX - 2047;

/// Facts, one after the other.
#[derive(Clone, Debug, Default)]
pub struct EventBuffer {
    /// Everything but the texts.
    pub numbers: Vec<f64>,
    /// The texts, in UTF-8.
    pub texts: Vec<u8>,
}

impl EventBuffer {
    /// Drops the facts. Keeps their memory, up to this many bytes of each sort.
    pub fn clear(&mut self, room: usize) {
        self.numbers.clear();
        self.numbers.shrink_to(room / 8);
        self.texts.clear();
        self.texts.shrink_to(room);
    }
}

/// A type that facts may hold.
pub(crate) trait EncodeEvent {
    /// Appends the value.
    fn encode_event(&self, out: &mut EventBuffer);
}

/// A number as JavaScript has it.
const fn float(value: u64) -> f64 {
    if value >= UNBOUNDED { f64::INFINITY } else { value as f64 }
}

impl EncodeEvent for u64 {
    /// Out of line, like the others: every fact is made of them.
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(float(*self));
    }
}

impl EncodeEvent for u32 {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(f64::from(*self));
    }
}

impl EncodeEvent for u8 {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(f64::from(*self));
    }
}

impl EncodeEvent for i64 {
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(*self as f64);
    }
}

impl EncodeEvent for bool {
    fn encode_event(&self, out: &mut EventBuffer) {
        u8::from(*self).encode_event(out);
    }
}

impl EncodeEvent for Box<str> {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(self.len() as f64);
        out.texts.extend_from_slice(self.as_bytes());
    }
}

impl EncodeEvent for Key {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.extend_from_slice(&[f64::from(self.index), f64::from(self.generation)]);
    }
}

impl EncodeEvent for Amounts {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.extend_from_slice(&[float(self.tokens), float(self.nanos), float(self.turns)]);
    }
}

impl EncodeEvent for Nanos {
    fn encode_event(&self, out: &mut EventBuffer) {
        self.0.encode_event(out);
    }
}

impl<T: EncodeEvent> EncodeEvent for Option<T> {
    fn encode_event(&self, out: &mut EventBuffer) {
        self.is_some().encode_event(out);
        if let Some(value) = self {
            value.encode_event(out);
        }
    }
}

impl<T: EncodeEvent> EncodeEvent for Vec<T> {
    #[inline(never)]
    fn encode_event(&self, out: &mut EventBuffer) {
        out.numbers.push(self.len() as f64);
        for value in self {
            value.encode_event(out);
        }
    }
}

impl<T: EncodeEvent> EncodeEvent for Box<T> {
    fn encode_event(&self, out: &mut EventBuffer) {
        self.as_ref().encode_event(out);
    }
}
