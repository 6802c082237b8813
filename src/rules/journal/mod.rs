//! A manager that stops and one that is opened again.

pub(crate) mod draining;
pub(crate) mod reopening;
