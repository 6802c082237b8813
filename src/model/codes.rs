//! Numbers that cross the boundary and stand for something else: answers, flags, and how two numbers are packed into one. Owns
//! the numbers; `cargo xtask generate` makes the constants of TypeScript from them, so that neither side says one by hand.

#[cfg(not(target_arch = "wasm32"))]
use crate::base::codes::Codes;
use crate::base::codes::codes;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::outcome::Returned;

codes! {
    /// What a call answers with a number that is never below 0 otherwise.
    f64 {
        /// It is refused, and `refusal` says why.
        REFUSED = -1.0;
    }

    /// What stands among the figures of a host for one that it did not give.
    f64 {
        /// There is no figure.
        READING_MISSING = -1.0;
    }
}

/// All numbers that TypeScript gets as constants, by subject.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn all() -> Vec<Codes> {
    let mut all = constants();
    all.push(Returned::codes());
    all
}
