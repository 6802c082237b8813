//! A spawn request. Owns its records; the optional fields of a task are in `spec.rs`.

use crate::base::codec::Text;
use crate::base::codes::numbered;
use crate::model::spec::Spec;
use crate::model::status::{Status, StopReason};

/// The limits that a model requests: they lower the limits in force, and never raise them (D6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelLimits {
    /// Turns that each run may take.
    pub turns: Option<u64>,
    /// Its cap in nano-dollars.
    pub nanos: Option<u64>,
}

/// The spawn of one sub-agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spawn {
    /// Its instructions; absent for a task that starts idle.
    pub text: Option<Text>,
    /// No caller waits for it: a notice delivers its end.
    pub background: bool,
    /// Its cap in tokens; absent: the default.
    pub tokens: Option<u64>,
    /// Its cap in nano-dollars.
    pub nanos: Option<u64>,
    /// Its cap in turns over its life.
    pub turns: Option<u64>,
    /// Whether its questions could be answered.
    pub answers: Answers,
    /// The limits that the calling model requests.
    pub limits: ModelLimits,
    /// Its other options.
    pub spec: Option<Box<Spec>>,
}

/// A spawn that is made once, however often it is requested (D7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Once {
    /// The spawn.
    pub spawn: Spawn,
    /// Its idempotency key, in the scope of the calling task or session.
    pub key: Text,
    /// The parameters as one canonical text; other parameters under the same key are a conflict.
    pub parameters: Text,
    /// The same without the budget.
    pub work: Text,
    /// The bad ends after which the key's sub-agent makes a further attempt; absent: none.
    pub retry_ended: Option<RetryEnded>,
}

/// The ends after which a repeated spawn makes a further attempt (D7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetryEnded {
    /// Every bad end that no caller requested.
    Bad,
    /// Ends with these reasons.
    On(Vec<StopReason>),
}

impl RetryEnded {
    /// Whether an end is among them.
    #[must_use]
    pub fn has(&self, status: Status, reason: StopReason) -> bool {
        match self {
            _ if matches!(status, Status::Completed | Status::Closed) || status.is_open() || status == Status::Idle => false,
            Self::Bad => !reason.is_cancel_or_close() && reason != StopReason::Interrupted,
            Self::On(reasons) => reasons.contains(&reason),
        }
    }
}

numbered! {
    /// Who could answer a sub-agent's questions (M5), as flags of its spawn.
    #[derive(Default)]
    pub enum Answers {
        /// The program: it can always send.
        #[default]
        Yes = 0,
        /// A model: if its tools are known, one must be able to send.
        WithTool = 16,
        /// A model without a tool that sends.
        No = 32,
        /// A model with a tool that sends.
        Sends = 48,
    }
}
