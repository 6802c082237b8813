//! Numbers that cross the boundary and stand for something else: answers, flags, and how two numbers are packed into one. Owns
//! the numbers; `cargo xtask generate` makes the constants of TypeScript from them, so that neither side says one by hand.

#[cfg(not(target_arch = "wasm32"))]
use crate::base::codes::Codes;
use crate::base::codes::codes;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::outcome::Returned;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::spawn::Answers;

codes! {
    /// What a call answers with a number that is never below 0 otherwise.
    f64 {
        /// It is refused, and `refusal` says why.
        REFUSED = -1.0;
    }

    /// Flags of a spawn.
    u32 {
        /// It is in the background.
        SPAWN_IN_BACKGROUND = 1;
        /// It has no text.
        SPAWN_WITHOUT_TEXT = 2;
        /// There are options that were staged for it.
        SPAWN_STAGED = 4;
        /// It is a manual task.
        SPAWN_MANUAL = 8;
        /// Where the flags say who could answer its questions.
        SPAWN_ANSWERS = 48;
        /// It is made once for the key that was staged.
        SPAWN_ONCE = 64;
    }

    /// What a spawn answers beside the place of its task.
    f64 {
        /// The key stands for another task: this, less the place of that one.
        SPAWN_REPEATED = -2.0;
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
    [constants(), vec![Answers::codes(), Returned::codes()]].concat()
}
