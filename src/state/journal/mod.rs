//! The state from stored facts, and its snapshots.

pub(crate) mod missing_definitions;
pub(crate) mod replay;
pub(crate) mod snapshot;
