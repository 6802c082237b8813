//! What a host tells of a run: figures as it gave them, and how its function ended. Owns these records; `input.rs` says when
//! they come.

use crate::model::product::Product;

/// A number as the host gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reading {
    /// It gave none.
    #[default]
    Missing,
    /// It gave something that is no amount: negative, not a number, not finite.
    Invalid,
    /// It gave this.
    Is(u64),
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
}

/// How a host function ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// With a result whose status means success.
    Completed,
    /// With a result whose status means failure.
    Failed,
    /// With a result whose status means that it was cancelled.
    Cancelled,
    /// With a result whose status means that its time ran out.
    TimedOut,
    /// It threw, or its promise was rejected.
    Threw,
    /// With something that is no result.
    Invalid,
    /// The process that carried the run out for it is gone, and no other takes the run over.
    Lost,
}

/// What a host function left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub returned: Returned,
    /// The run's own total.
    pub usage: Usage,
    /// What it produced, and what came with that.
    pub product: Product,
}

impl Default for Outcome {
    fn default() -> Self {
        Self { returned: Returned::Completed, usage: Usage::default(), product: Product::default() }
    }
}
