//! Orders and reports to the host after an input. Owns the effects; the boundary carries them out.

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

/// How a run ended, for those who waited for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The task.
    pub task: Key,
    /// The run's number.
    pub run: u32,
    /// Its status.
    pub status: Status,
    /// Its stop reason.
    pub reason: StopReason,
    /// The output is unfinished: the run was stopped or broke off.
    pub partial: bool,
    /// Its host function is still running.
    pub host_open: bool,
    /// The output was cut at `maxResultBytes`.
    pub cut: bool,
    /// Its spending.
    pub usage: Amounts,
    /// Its tokens by kind, if any were reported.
    pub kinds: Option<Box<Kinds>>,
    /// Dimensions that the host did not report.
    pub usage_unknown: u8,
    /// Dimensions whose report was invalid.
    pub usage_invalid: u8,
    /// When it started; `None` if it never did.
    pub started_at: Option<u64>,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The output, if it differs from that of the host function.
    pub output: Option<Text>,
    /// Whether the policy that ended it removed the host's value, and the host's artifacts.
    pub without: (bool, bool),
    /// The option that raises the limit at which it ended. It is here because the step may forget the task.
    pub raised_by: Option<&'static str>,
}

row! {
    /// The end of a run, as JavaScript reads it.
    pub struct EndRow {
        /// The place of its task.
        pub index,
        /// The generation of its task.
        pub generation,
        /// The number of the run.
        pub run,
        /// The number of its status.
        pub status,
        /// The number of its stop reason.
        pub reason,
        /// Flags, and from `END_UNKNOWN_AT` on those of each dimension.
        pub flags,
        /// Spent tokens.
        pub tokens,
        /// Nano-dollars.
        pub nanos,
        /// Turns.
        pub turns,
        /// How long it took, in milliseconds.
        pub duration_ms,
        /// The place of its tokens by kind, in the users' order; 0 if none was reported. An unreported kind is `READING_MISSING`.
        pub kinds_at,
        /// The place of its output.
        pub output_at,
        /// The length of its output, in bytes.
        pub output_length,
        /// The place of the name of the option that raises the limit which ended it.
        pub option_at,
        /// The length of that name, in bytes; 0 if no limit ended it.
        pub option_length,
    }
}

named! {
    /// The state of a target of a wait at the end of the step that ended the wait (W2).
    pub enum TargetState {
        /// Its run continues.
        Pending = 0 "pending",
        /// Its run has ended; the waiting actor gets that end.
        Ended = 1 "ended",
        /// It asks a question, which ended the wait; it continues once it gets a message.
        Asks = 2 "asks",
        /// It was moved to the background, which ended the wait (X3).
        Moved = 3 "moved",
    }
}

record! {
    /// A wait's answer about one target.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct WaitedFor {
        /// Its status.
        pub state: TargetState,
        /// Its question, if it asks one.
        pub question: Option<Text>,
    }
}

records! {
    /// An order or a report to the host.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Effect unless (Effect::DrainDone { timed_out: false }) {
        by_numbers {
            /// A run ended.
            RunEnded(Ended),
            /// The host can ask again for a delayed turn.
            TurnReady {
                /// The task.
                task: Key,
                /// The run's number.
                run: u32,
            },
            /// A wait is over.
            WaitDone {
                /// The wait.
                wait: Key,
                /// Whether its time ran out.
                timed_out: bool,
            },
            /// A task was forgotten. Sent if [`Manager::notify_forgotten`](crate::Manager::notify_forgotten) was called.
            TaskForgotten(Key),
            /// A task was closed. Sent on the same condition.
            TaskClosed(Key),
            /// Call the host function.
            StartRun {
                /// The task.
                task: Key,
                /// The run's number.
                run: u32,
            },
            /// Fire the abort signal of a run.
            AbortRun {
                /// The task.
                task: Key,
                /// The run's number.
                run: u32,
                /// Its stop reason.
                reason: StopReason,
            },
            /// Send a tick at this time, unless an input comes first.
            WakeAt(u64),
            /// Report this to `onError`; no call was refused.
            Report(Rejection),
            /// The drain is over.
            DrainDone {
                /// Whether its time ran out.
                timed_out: bool,
            },
        }

        /// A run ended badly and is retried under the next number.
        RunRetried {
            /// The task.
            task: Key,
            /// The number of the ended run.
            run: u32,
            /// Its stop reason.
            reason: StopReason,
        } = 0,
        /// A wait for a list of targets is over.
        WaitOver {
            /// The wait.
            wait: Key,
            /// Whether its time ran out.
            timed_out: bool,
            /// The state of each target, in their order.
            targets: Vec<WaitedFor>,
        } = 1,
        /// A question is over.
        AskDone {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
            /// The answer, if any.
            answer: Option<Text>,
            /// Whether its time ran out.
            timed_out: bool,
        } = 2,
        /// A run's time is over: ask the policies (T1).
        TimedOut {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
            /// `timeout` or `idle_timeout`.
            reason: StopReason,
        } = 3,
        /// A policy took too long to answer.
        ApprovalOver {
            /// The task.
            task: Key,
            /// The run's number.
            run: u32,
        } = 4,
        /// Notify an idle session of waiting notices (N3).
        Wake(
            /// The session.
            session: Key
        ) = 5,
    }
}
