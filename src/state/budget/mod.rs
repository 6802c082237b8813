//! The ledger, and usage.

pub(crate) mod account;
pub(crate) mod estimates;
pub mod ledger;
mod measuring;
pub(crate) mod prices;
pub(crate) mod recent;
pub(crate) mod reservations;
pub(crate) mod spending;
pub(crate) mod tally;
pub(crate) mod turn_usage;
