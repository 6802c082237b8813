//! The closed lists of a task's status and of the reasons for its end. Owns the names; never a decision.
//!
//! ```text
//!              spawn without text                    message
//!            ┌────────────────────▶ idle ─────────────────────────┐
//!            │                       ▲ resume                     ▼
//!   spawn ───┤                    closed ◀── close (any)      pending ──▶ running ⇄ parked
//!            │                                                  ▲ │          │
//!            └──────────────────────────────────────────────────┘ │          │ the run ends
//!                 ▲                                               ▼          ▼
//!                 │ message             completed · failed · timed_out · cancelled · interrupted
//!                 └──────────────────────────────────┘
//!
//!   parked: children · input · approval · cooldown · rate · reentry
//! ```
//! `pending` means that a run is queued, `running` that one is open. A parked run holds no slot and is still `running`
//! ([`Parked`] says what it waits for). The five ends describe the last run. After such an end, a task may take another
//! message and run again. It may not if it was closed, or cancelled by an actor above the sender (rule L7).

use crate::base::named::named;
use crate::base::stored::stored_as_fields;

named! {
    /// The status of a task (rule L1).
    pub enum Status {
        /// A run is queued.
        Pending = 0 "pending",
        /// A run is open.
        Running = 1 "running",
        /// No run yet, or reopened.
        Idle = 2 "idle",
        /// The last run ended well.
        Completed = 3 "completed",
        /// The last run ended badly.
        Failed = 4 "failed",
        /// The last run met its deadline.
        TimedOut = 5 "timed_out",
        /// The task was cancelled.
        Cancelled = 6 "cancelled",
        /// The last run was stopped; the task lives on.
        Interrupted = 7 "interrupted",
        /// The task was closed.
        Closed = 8 "closed",
    }
}

impl Status {
    /// Whether work is queued or in progress.
    #[must_use]
    pub const fn is_open(self) -> bool {
        match self {
            Self::Pending | Self::Running => true,
            Self::Idle | Self::Completed | Self::Failed | Self::TimedOut | Self::Cancelled | Self::Interrupted | Self::Closed => false,
        }
    }
}

named! {
    /// Why a run, or a task without one, ended.
    pub enum StopReason {
        /// The host function returned a result.
        Finished = 0 "finished",
        /// The host function reported a failure.
        HostFailed = 1 "host_failed",
        /// The host function threw or rejected.
        HostThrew = 2 "host_threw",
        /// The host function returned a value that is no result.
        InvalidResult = 3 "invalid_result",
        /// The host function reported that it was cancelled.
        HostCancelled = 4 "host_cancelled",
        /// The host function reported that it ran out of time.
        HostTimedOut = 5 "host_timed_out",
        /// The run's time was over.
        Timeout = 6 "timeout",
        /// The run was silent for too long.
        IdleTimeout = 7 "idle_timeout",
        /// The run used all its turns.
        MaxTurns = 8 "max_turns",
        /// The budget was used up.
        BudgetExhausted = 9 "budget_exhausted",
        /// `cancel` named the task.
        Cancelled = 10 "cancelled",
        /// `cancel`, `close` or a signal named a sub-agent, session or manager above the task.
        AncestorCancelled = 11 "ancestor_cancelled",
        /// The run that the task worked for ended.
        ParentEnded = 12 "parent_ended",
        /// `interrupt` named the task.
        Interrupted = 13 "interrupted",
        /// `close` named the task.
        Closed = 14 "closed",
        /// The caller's abort signal fired.
        SignalAborted = 15 "signal_aborted",
        /// A drain ended.
        Drained = 16 "drained",
        /// A policy finished or blocked the run.
        Policy = 17 "policy",
        /// The run's process is lost.
        HostLost = 18 "host_lost",
        /// A background result was never reported.
        NeverReported = 19 "never_reported",
    }
}

/// The cause of an end. Rules that treat several reasons alike use it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// The host function returned a result, perhaps because it got no further turn.
    Result,
    /// The host function ended without a result.
    HostFailure,
    /// The process is lost: the usage of the last turn is unknown, and the next run continues the work.
    LostHost,
    /// An actor cancelled or closed the task, or a node above it.
    CancelOrClose,
    /// The run that the task worked for has ended, or begins again.
    Caller,
    /// A drain: the next process continues the work.
    Drain,
    /// Another cause stopped the run; its host function may continue.
    Stop,
}

impl StopReason {
    const fn cause(self) -> Cause {
        match self {
            Self::Finished | Self::MaxTurns | Self::BudgetExhausted => Cause::Result,
            Self::HostFailed | Self::HostThrew | Self::InvalidResult | Self::HostCancelled | Self::HostTimedOut => Cause::HostFailure,
            Self::HostLost => Cause::LostHost,
            Self::Cancelled | Self::AncestorCancelled | Self::Closed => Cause::CancelOrClose,
            Self::ParentEnded => Cause::Caller,
            Self::Drained => Cause::Drain,
            Self::Timeout | Self::IdleTimeout | Self::Interrupted | Self::SignalAborted | Self::Policy | Self::NeverReported => Cause::Stop,
        }
    }

    /// Whether the host function returned or threw: its own word says more.
    #[must_use]
    pub const fn is_by_host(self) -> bool {
        matches!(self.cause(), Cause::Result | Cause::HostFailure)
    }

    /// Whether the process that ran it is lost: the usage of its last turn is unknown.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        matches!(self.cause(), Cause::LostHost)
    }

    /// Whether `retry` may name it: no host function still runs, so another can be called.
    #[must_use]
    pub const fn may_be_retried(self) -> bool {
        matches!(self.cause(), Cause::HostFailure | Cause::LostHost)
    }

    /// Whether the next run continues the work of this one (J3, D8).
    #[must_use]
    pub const fn is_continued(self) -> bool {
        matches!(self.cause(), Cause::LostHost | Cause::Drain)
    }

    /// Whether an actor cancelled or closed the task, or a node above it.
    #[must_use]
    pub const fn is_cancel_or_close(self) -> bool {
        matches!(self.cause(), Cause::CancelOrClose)
    }

    /// Whether the run that the task worked for has ended, or begins again.
    #[must_use]
    pub const fn is_by_caller(self) -> bool {
        matches!(self.cause(), Cause::Caller)
    }

    /// Whether an actor may have cancelled or closed the task. If a task is already stopping for its caller's end or a drain, a
    /// later cancel keeps that reason (C2).
    #[must_use]
    pub const fn may_be_by_actor(self) -> bool {
        matches!(self.cause(), Cause::CancelOrClose | Cause::Caller | Cause::Drain)
    }
}

named! {
    /// Why a running task holds no slot (rule S1).
    pub enum Parked {
        /// It waits for sub-agents.
        Children = 0 "children",
        /// It asked a question and waits for the answer.
        Input = 1 "input",
        /// It waits for a policy's decision.
        Approval = 2 "approval",
        /// A rate limit cools down.
        Cooldown = 3 "cooldown",
        /// It can continue, and waits for a slot or for the budget of its next turn.
        Reentry = 4 "reentry",
        /// The rate of its key doesn't allow its turn yet.
        Rate = 5 "rate",
    }
}

named! {
    /// Why work that has not begun waits (rule D4). If several reasons apply, the first in this order is shown. Later additions
    /// have the last numbers: `session`, `definition` and `program` rank before `cooldown`, and `rate` after it.
    /// `state/scheduling/waiting_for.rs` decides.
    pub enum WaitingFor {
        /// Too many host functions were abandoned; nothing starts until one returns.
        Abandoned = 0 "abandoned",
        /// The host function of its last run has not returned.
        Host = 1 "host",
        /// An interrupt paused its messages until the next one is sent.
        Held = 2 "held",
        /// The next attempt is not due yet.
        Retry = 3 "retry",
        /// A rate limit cools down.
        Cooldown = 4 "cooldown",
        /// The minimum time between two starts has not passed.
        Stagger = 5 "stagger",
        /// Others have reserved the budget that its turn needs.
        Budget = 6 "budget",
        /// All slots are taken.
        Slot = 7 "slot",
        /// Its session is from before a restart and not registered again.
        Session = 8 "session",
        /// Its agent's definition or profile existed before a restart, and doesn't now.
        Definition = 9 "definition",
        /// The rate of its key doesn't allow a start yet.
        Rate = 10 "rate",
        /// The program drives it, and has not called `start()` for this run.
        Program = 11 "program",
    }
}

named! {
    /// The state of a notice's delivery (rule N2).
    pub enum Delivery {
        /// It waits for its delivery.
        Pending = 0 "pending",
        /// An open wait of its receiver will deliver it.
        Awaited = 1 "awaited",
        /// It was delivered, and returns unless acknowledged.
        Leased = 2 "leased",
        /// It was delivered too often; it stays readable.
        Undelivered = 3 "undelivered",
        /// It was acknowledged, and the manager has dropped it.
        Acked = 4 "acked",
    }
}

named! {
    /// Where a message waits (rule M1).
    pub enum MessagePlace {
        /// At the end of the queue.
        Queue = 0 "queue",
        /// For the next boundary of the open run.
        Steer = 1 "steer",
        /// Ahead of the queue: it was to steer a run and missed it.
        Missed = 2 "missed",
        /// Ahead of the queue, after earlier interrupts.
        Interrupt = 3 "interrupt",
    }
}

named! {
    /// Which deadline of a run comes next (rule T3).
    pub enum Deadline {
        /// `timeoutMs`: ask it to wrap up.
        Soft = 0 "timeout",
        /// `graceMs` after the soft one, or after an abort: end it.
        Grace = 1 "grace",
        /// `idleTimeoutMs`: it has been silent.
        Silence = 2 "idle_timeout",
        /// `abandonMs`: stop waiting for its host function.
        Abandon = 3 "abandon",
        /// `askTimeoutMs`: its question stays without an answer.
        Answer = 4 "answer",
        /// `approvalTimeoutMs`: stop waiting for a policy's answer.
        Approval = 5 "approval_timeout",
        /// The backoff before the next attempt is over.
        Retry = 6 "retry",
    }
}

named! {
    /// What happens to a background task when its parent's run ends well (rule C3).
    pub enum OnParentEnd {
        /// It lives on.
        Adopt = 0 "adopt",
        /// The parent's run ends only once the task has settled.
        Wait = 1 "wait",
        /// It is cancelled.
        Cancel = 2 "cancel",
    }
}
stored_as_fields! {
    Status = Self::Idle;
    StopReason = Self::Finished;
    Delivery = Self::Pending;
    OnParentEnd = Self::Adopt;
}
