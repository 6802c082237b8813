//! Numbers between JavaScript and the core. Owns the conversions, which values are invalid, and the only casts.

#![expect(clippy::as_conversions, reason = "conversions between f64 and integers are what this file is for")]

use crate::base::amounts::UNCAPPED;
use crate::base::slab::Key;
use crate::model::codes::READING_MISSING;
use crate::model::outcome::Reading;

/// The largest integer that a JavaScript number holds exactly.
const LARGEST: f64 = 9_007_199_254_740_991.0;

/// The nearest whole number. From 2^52 on every number is whole, and adding a half could change it.
fn whole(value: f64) -> f64 {
    if value < 4_503_599_627_370_496.0 { (value + 0.5).floor() } else { value }
}

/// Milliseconds, from a clock that may be fractional.
pub(super) fn instant(ms: f64) -> u64 {
    ms as u64
}

/// A reading: `READING_MISSING` means that none was given; negative, fractional beyond use, or not finite is invalid.
pub(super) fn reading(value: f64, scale: f64) -> Reading {
    if value == READING_MISSING {
        return Reading::Missing;
    }
    let scaled = whole(value * scale);
    if (0.0..=LARGEST).contains(&scaled) { Reading::Is(scaled as u64) } else { Reading::Invalid }
}

/// An option: `NaN` means that none was given, `Infinity` that there is no limit.
pub(super) fn option(value: f64, scale: f64) -> Option<u64> {
    if value.is_nan() {
        return None;
    }
    let scaled = whole(value * scale);
    Some(if scaled > LARGEST { UNCAPPED } else { scaled.max(0.0) as u64 })
}

/// Nano-dollars in a dollar.
pub(super) const NANOS: f64 = 1e9;

/// A number for JavaScript.
pub(super) fn float(value: u64) -> f64 {
    if value == UNCAPPED { f64::INFINITY } else { value as f64 }
}

/// Index and generation in one number, exactly: a generation has 21 bits.
pub(super) fn pack(key: Key) -> f64 {
    f64::from(key.generation) * 4_294_967_296.0 + f64::from(key.index)
}

/// An index from a number of JavaScript's.
pub(super) fn wide(value: u32) -> usize {
    value as usize
}

/// The address of a buffer in the linear memory.
pub(super) fn address(pointer: *const u8) -> u32 {
    pointer as usize as u32
}

/// A length for JavaScript.
pub(super) fn narrow(value: usize) -> u32 {
    value as u32
}

/// A count from a number of JavaScript's.
pub(super) fn narrow_number(value: f64) -> u32 {
    value as u32
}

/// A whole number that may be negative.
pub(super) fn signed(value: f64) -> i64 {
    value as i64
}
