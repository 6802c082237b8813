//! Numbers with a special meaning at the boundary: refusals, flags, packed pairs. Owns the numbers; `cargo xtask
//! generate` makes the constants of TypeScript from them.

#[cfg(not(target_arch = "wasm32"))]
use crate::base::codes::Codes;
use crate::base::codes::codes;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::effect::EndRow;
use crate::model::input::OnHostLost;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::outcome::Returned;
#[cfg(not(target_arch = "wasm32"))]
use crate::model::spawn::Answers;

codes! {
    /// The answers of a call whose result is otherwise never below 0.
    f64 {
        /// The call is refused; `refusal` says why.
        REFUSED = -1.0;
    }

    /// Flags of a spawn.
    u32 {
        /// It runs in the background.
        SPAWN_IN_BACKGROUND = 1;
        /// It has no text.
        SPAWN_WITHOUT_TEXT = 2;
        /// It has staged options.
        SPAWN_STAGED = 4;
        /// The mask of the flags that say who could answer its questions.
        SPAWN_ANSWERS = 48;
        /// It is made once for the staged key.
        SPAWN_ONCE = 64;
    }

    /// The answers of a spawn besides its task's key.
    f64 {
        /// The idempotency key names another task: this, less that task's key.
        SPAWN_REPEATED = -2.0;
    }

    /// The answers of a wait that isn't opened, and of a call that waits for the work it stops.
    f64 {
        /// There is nothing to wait for.
        WAIT_NOTHING_OPEN = -2.0;
        /// A target asks a question and waits for the answer.
        WAIT_NEEDS_INPUT = -3.0;
        /// It only looked, and the work continues.
        WAIT_NOT_YET = -4.0;
    }

    /// The answers to a request for a turn that is not granted.
    f64 {
        /// The turn may begin later: `turnReady` says when to ask again.
        TURN_LATER = 0.0;
        /// No further turn: this, less the reason's number.
        TURN_STOPPED = -2.0;
    }

    /// How a turn that may begin is packed into one number.
    f64 {
        /// Added if texts go into the conversation. The rest is the reason why the turn is the last one, as its number plus 1, or
        /// 0.
        TURN_INJECTS = 512.0;
        /// The factor of the turn's number.
        ONE_TURN = 1024.0;
    }

    /// Added to the number that says what happens to runs in flight.
    u32 {
        /// Hosts outlive the process.
        HOSTS_OUTLIVE = 4;
    }

    /// Flags of the end of a run.
    u32 {
        /// The output is unfinished: the run was stopped or broke off.
        END_PARTIAL = 1;
        /// Its host function is still running.
        END_HOST_OPEN = 2;
        /// Its output was cut.
        END_CUT = 4;
        /// Its output differs from that of the host function, and comes with the end.
        END_HAS_TEXT = 8;
        /// It never started.
        END_NEVER_STARTED = 16;
        /// The policy that ended it left it no value.
        END_WITHOUT_VALUE = 32;
        /// The policy that ended it left it no artifacts.
        END_WITHOUT_ARTIFACTS = 64;
    }

    /// The first bits of further flags of an end: eight bits each, with one bit for each dimension of usage.
    u32 {
        /// The dimensions that the host did not report.
        END_UNKNOWN_AT = 8;
        /// The dimensions whose report was invalid.
        END_INVALID_AT = 16;
    }

    /// The length of an absent text in the scratch.
    i32 {
        /// There is no text.
        NO_TEXT = -1;
    }

    /// The value of an absent figure of a host.
    f64 {
        /// There is no figure.
        READING_MISSING = -1.0;
    }
}

// It is added to the number of an `OnHostLost`, so it must be none of them.
const _: () = assert!(OnHostLost::from_number(HOSTS_OUTLIVE).is_none(), "`HOSTS_OUTLIVE` is the number of something else");

/// All numbers that TypeScript gets as constants, by subject.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn all() -> Vec<Codes> {
    [constants(), vec![Answers::codes(), Returned::codes(), EndRow::codes(), OnHostLost::codes()]].concat()
}
