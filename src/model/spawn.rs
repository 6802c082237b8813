//! The request of a spawn. Owns its records; the optional fields of a task are in `spec.rs`.

use crate::base::codec::Text;
use crate::base::codes::numbered;
use crate::model::spec::Spec;
use crate::model::status::{Status, StopReason};

/// What a model asks for: its limits lower those that would apply, and never raise them (D6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelLimits {
    /// Turns that each run may take.
    pub turns: Option<u64>,
    /// Its cap in nano-dollars.
    pub nanos: Option<u64>,
}

/// What to spawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spawn {
    /// What it is asked to do; absent for a task that starts idle.
    pub text: Option<Text>,
    /// No caller waits for it: a notice delivers its end.
    pub background: bool,
    /// Its cap, if it isn't the default one.
    pub tokens: Option<u64>,
    /// Its cap in nano-dollars.
    pub nanos: Option<u64>,
    /// Its cap in turns over its life.
    pub turns: Option<u64>,
    /// Whether its questions could be answered.
    pub answers: Answers,
    /// What the model that calls asks for.
    pub limits: ModelLimits,
    /// The rest.
    pub spec: Option<Box<Spec>>,
}

/// A spawn that is made once, however often it is asked for (D7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Once {
    /// What to spawn.
    pub spawn: Spawn,
    /// The key that names it, in the scope of the task or session that speaks.
    pub key: Text,
    /// The parameters as one text that is the same for the same parameters; others with the same key are a conflict.
    pub parameters: Text,
    /// The same without the budget.
    pub work: Text,
    /// Whether a sub-agent that the key names, and that ended badly, makes a further attempt.
    pub retry_ended: Option<RetryEnded>,
}

/// The ends after which a repeated spawn makes a further attempt (D7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetryEnded {
    /// Every bad one that no caller asked for.
    Bad,
    /// These.
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
    /// Who could answer the questions of a sub-agent (M5), as the flags of its spawn say it.
    #[derive(Default)]
    pub enum Answers {
        /// The program: it can always send.
        #[default]
        Yes = 0,
        /// A model: if its tools are known, one of them has to send.
        WithTool = 16,
        /// A model that has no tool to send with.
        No = 32,
        /// A model that has such a tool.
        Sends = 48,
    }
}
