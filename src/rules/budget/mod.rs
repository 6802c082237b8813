//! The budget: reservations, loans, bills and repayments on the path to the root.

pub(crate) mod billing;
pub(crate) mod loans;
pub(crate) mod pricing;
pub(crate) mod reserving;
