//! How facts reach listeners in the same process: a float for each number, as JavaScript has them, and texts beside these. What
//! is stored is small (`codec.rs`); what is read at once had better be read without a look at each byte.
//!
//! Owns this form of each field type. Fields lie in the order in which they are stored, and each is what it is there: what may
//! be absent has a flag before it, a text and a list have their length. So one list of fields serves readers of both forms.

#![expect(clippy::as_conversions, reason = "numbers of JavaScript are floats")]

use super::amounts::{Amounts, Nanos};
use super::slab::Key;

/// From here on a number means that there is no bound, for readers of the stored form as well.
const UNBOUNDED: u64 = u64::MAX - 2047;

/// Facts, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Wide {
    /// Everything but the texts.
    pub numbers: Vec<f64>,
    /// The texts, in UTF-8.
    pub texts: Vec<u8>,
}

impl Wide {
    /// Without facts, and with the room that they took, up to so many bytes of each sort.
    pub fn clear(&mut self, room: usize) {
        self.numbers.clear();
        self.numbers.shrink_to(room / 8);
        self.texts.clear();
        self.texts.shrink_to(room);
    }
}

/// A type that facts may hold.
pub(crate) trait Widen {
    /// Appends the value.
    fn widen(&self, out: &mut Wide);
}

/// A number as JavaScript has it.
const fn float(value: u64) -> f64 {
    if value >= UNBOUNDED { f64::INFINITY } else { value as f64 }
}

impl Widen for u64 {
    /// Out of line, as all of these: every fact is made of them.
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(float(*self));
    }
}

impl Widen for u32 {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(f64::from(*self));
    }
}

impl Widen for u8 {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(f64::from(*self));
    }
}

impl Widen for i64 {
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(*self as f64);
    }
}

impl Widen for bool {
    fn widen(&self, out: &mut Wide) {
        u8::from(*self).widen(out);
    }
}

impl Widen for Box<str> {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(self.len() as f64);
        out.texts.extend_from_slice(self.as_bytes());
    }
}

impl Widen for Key {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.extend_from_slice(&[f64::from(self.index), f64::from(self.generation)]);
    }
}

impl Widen for Amounts {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.extend_from_slice(&[float(self.tokens), float(self.nanos), float(self.turns)]);
    }
}

impl Widen for Nanos {
    fn widen(&self, out: &mut Wide) {
        self.0.widen(out);
    }
}

impl<T: Widen> Widen for Option<T> {
    fn widen(&self, out: &mut Wide) {
        self.is_some().widen(out);
        if let Some(value) = self {
            value.widen(out);
        }
    }
}

impl<T: Widen> Widen for Vec<T> {
    #[inline(never)]
    fn widen(&self, out: &mut Wide) {
        out.numbers.push(self.len() as f64);
        for value in self {
            value.widen(out);
        }
    }
}

impl<T: Widen> Widen for Box<T> {
    fn widen(&self, out: &mut Wide) {
        self.as_ref().widen(out);
    }
}
