//! Numbers as JavaScript reads them: dollars, `Infinity` for no cap, epoch milliseconds. Owns the conversion.

use serde::{Serialize, Serializer};

use crate::base::amounts::UNCAPPED;

/// A number for JavaScript; an absent cap is `Infinity`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON, which only tests make, has no such number.
        #[cfg(not(target_arch = "wasm32"))]
        if self.0 == f64::INFINITY {
            return serializer.serialize_str("Infinity");
        }
        serializer.serialize_f64(self.0)
    }
}

#[expect(clippy::as_conversions, reason = "JavaScript has no other numbers; beyond 2^53 they round")]
pub(crate) fn number(value: u64) -> Number {
    Number(if value == UNCAPPED { f64::INFINITY } else { value as f64 })
}

pub(crate) fn dollars(nanos: u64) -> Number {
    Number(number(nanos).0 / 1e9)
}

/// A number that is mostly `Infinity`.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bound(pub Number);

/// A number that is mostly 0.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sum(pub Number);

/// Epoch milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Instant(pub u64);

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(self.0).serialize(serializer)
    }
}

pub(crate) fn instant(at: u64) -> Option<Instant> {
    (at != 0).then_some(Instant(at))
}
