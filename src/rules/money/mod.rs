//! The budget: what is set aside, lent, spent and given back along the way to the root.

pub(crate) mod billing;
pub(crate) mod budget;
pub(crate) mod loans;
pub(crate) mod pricing;
