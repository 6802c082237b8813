//! Scheduling: slots, the queue, rates.

pub(crate) mod capacity;
pub mod cooldowns;
pub mod idempotency;
pub(crate) mod key_rates;
pub mod queue;
pub(crate) mod slots;
pub(crate) mod waiting_for;
