//! A host's report of a run: its figures, and how its function ended. Owns these records; `input.rs` says when they come.

use crate::base::codes::numbered;
use crate::model::kinds::ReportedTokens;
use crate::model::run_output::RunOutput;

/// A number as the host gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reading {
    /// The host gave none.
    #[default]
    Missing,
    /// The value is no amount: negative, not a number, or not finite.
    Invalid,
    /// The number.
    Is(u64),
}

impl Reading {
    /// The number, if valid.
    #[must_use]
    pub const fn known(self) -> Option<u64> {
        match self {
            Self::Is(number) => Some(number),
            Self::Missing | Self::Invalid => None,
        }
    }
}

/// Usage as the host gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens.
    pub tokens: Reading,
    /// Nano-dollars.
    pub nanos: Reading,
    /// Turns.
    pub turns: Reading,
    /// Nano-dollars that prices had booked and this report replaces.
    pub instead: u64,
    /// Whether the nano-dollars come from prices instead of the host.
    pub priced: bool,
}

numbered! {
    /// How a host function ended.
    pub enum Returned {
        /// With a result whose status means success.
        Completed = 0,
        /// With a result whose status means failure.
        Failed = 1,
        /// With a result whose status means that it was cancelled.
        Cancelled = 2,
        /// With a result whose status means that its time ran out.
        TimedOut = 3,
        /// It threw, or its promise was rejected.
        Threw = 4,
        /// With a value that is no result.
        Invalid = 5,
        /// The process that carried out the run for it is lost, and no other takes over.
        Lost = 6,
        /// With a result whose status means that it stopped early: its output is partial.
        Incomplete = 7,
    }
}

/// The result of a host function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub returned: Returned,
    /// The run's total usage.
    pub usage: Usage,
    /// Its output and details.
    pub output: RunOutput,
    /// Details of its tokens, besides their number.
    pub tokens: Option<Box<ReportedTokens>>,
}

impl Default for Outcome {
    fn default() -> Self {
        Self { returned: Returned::Completed, usage: Usage::default(), output: RunOutput::default(), tokens: None }
    }
}
