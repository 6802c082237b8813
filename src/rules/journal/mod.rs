//! A manager that stops, and one that opens again.

pub(crate) mod draining;
pub(crate) mod reopening;
