//! What the host must do or know after an input. Owns the effects; the boundary carries them out.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::codes::row;
use crate::base::named::named;
use crate::base::record::record;
use crate::base::records::records;
use crate::base::slab::Key;
use crate::model::kinds::Kinds;
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};

/// How a run ended, as those who waited for it get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Whose.
    pub task: Key,
    /// Which run.
    pub run: u32,
    /// How.
    pub status: Status,
    /// Why.
    pub reason: StopReason,
    /// The output is what had been done when it was stopped.
    pub partial: bool,
    /// Its host function is still running.
    pub host_open: bool,
    /// The output was cut at `maxResultBytes`.
    pub cut: bool,
    /// Its spending.
    pub usage: Amounts,
    /// The same by kinds of tokens, if any were reported.
    pub kinds: Option<Box<Kinds>>,
    /// Dimensions that the host did not report.
    pub usage_unknown: u8,
    /// Dimensions whose report was invalid.
    pub usage_invalid: u8,
    /// When it started; `None` if it never did.
    pub started_at: Option<u64>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The output, if it isn't exactly what the host function just returned.
    pub output: Option<Text>,
    /// Whether the policy that ended it left it no value, and no artifacts, whatever the host function returned.
    pub without: (bool, bool),
    /// The option that raises the limit at which it ended. It is said here because the task may be forgotten in the
    /// step of its end.
    pub raised_by: Option<&'static str>,
}

row! {
    /// The end of a run, as JavaScript reads it.
    pub struct EndRow {
        /// The place of its task.
        pub index,
        /// The generation of that.
        pub generation,
        /// The number of the run.
        pub run,
        /// The number of its status.
        pub status,
        /// The number of the reason.
        pub reason,
        /// Flags, and from `END_UNKNOWN_AT` on what they say of each dimension.
        pub flags,
        /// Tokens that it spent.
        pub tokens,
        /// Nano-dollars.
        pub nanos,
        /// Turns.
        pub turns,
        /// How long it took, in milliseconds.
        pub duration_ms,
        /// The place of its tokens by kind, in the order in which users read them, each `READING_MISSING` if it wasn't reported;
        /// 0 if none was.
        pub kinds_at,
        /// The place of its output.
        pub output_at,
        /// The length of that, in bytes.
        pub output_length,
        /// The place of the name of the option that raises the limit at which it ended.
        pub option_at,
        /// The length of that, in bytes; 0 if it ended at none.
        pub option_length,
    }
}

named! {
    /// The state of a target of a wait at the end of the step that ended the wait (W2).
    pub enum TargetState {
        /// Its run continues.
        Pending = 0 "pending",
        /// Its run has ended; the actor that waited has that end now.
        Ended = 1 "ended",
        /// It asks, which is why the wait is over; it continues once it gets a message.
        Asks = 2 "asks",
        /// It was moved to the background, which is why the wait is over (X3).
        Moved = 3 "moved",
    }
}

record! {
    /// The answer of a wait about one of its targets.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct WaitedFor {
        /// Its status.
        pub state: TargetState,
        /// Its question, if it asks one.
        pub question: Option<Text>,
    }
}

records! {
    /// What the host has to do or to know.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Effect unless (Effect::DrainDone { timed_out: false }) {
        by_numbers {
            /// A run ended.
            RunEnded(Ended),
            /// A turn that had to wait can be asked for again.
            TurnReady {
                /// Whose.
                task: Key,
                /// Which run.
                run: u32,
            },
            /// A wait is over.
            WaitDone {
                /// Which.
                wait: Key,
                /// Whether its time ran out.
                timed_out: bool,
            },
            /// A task was forgotten. Sent if [`Manager::notify_forgotten`](crate::Manager::notify_forgotten) was called.
            TaskForgotten(Key),
            /// A task was closed; asked for by the same.
            TaskClosed(Key),
            /// Call the host function.
            StartRun {
                /// Of which task.
                task: Key,
                /// For which run.
                run: u32,
            },
            /// Fire the abort signal of a run.
            AbortRun {
                /// Whose.
                task: Key,
                /// Which run.
                run: u32,
                /// Why.
                reason: StopReason,
            },
            /// Come back at this time, if nothing else happens before.
            WakeAt(u64),
            /// Report this to `onError`: no call was refused for it.
            Report(Rejection),
            /// The drain is over.
            DrainDone {
                /// Whether its time ran out.
                timed_out: bool,
            },
        }

        /// A run ended badly and is tried again under the next number.
        RunRetried {
            /// Whose.
            task: Key,
            /// Which run ended.
            run: u32,
            /// Why.
            reason: StopReason,
        } = 0,
        /// A wait for a list of targets is over.
        WaitOver {
            /// Which.
            wait: Key,
            /// Whether its time ran out.
            timed_out: bool,
            /// The state of each of its targets, in their order.
            targets: Vec<WaitedFor>,
        } = 1,
        /// A question is over.
        AskDone {
            /// Whose.
            task: Key,
            /// Which run.
            run: u32,
            /// The answer, if there was one.
            answer: Option<Text>,
            /// Whether its time ran out.
            timed_out: bool,
        } = 2,
        /// The time of a run is over: policies are asked (T1).
        TimedOut {
            /// Whose.
            task: Key,
            /// Which run.
            run: u32,
            /// Its time, or its silence.
            reason: StopReason,
        } = 3,
        /// A policy took too long to answer.
        ApprovalOver {
            /// About whom.
            task: Key,
            /// About which run.
            run: u32,
        } = 4,
        /// Notify an idle session that notices wait for it (N3).
        Wake(
            /// Which.
            session: Key
        ) = 5,
    }
}
