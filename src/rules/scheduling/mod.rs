//! Who may start, and when: the checks of a spawn, the queue, slots, rates, and a stalled manager.

pub(crate) mod admission;
pub(crate) mod deadlock;
pub(crate) mod dispatching;
pub(crate) mod driving;
pub(crate) mod eligibility;
pub(crate) mod idempotency;
pub(crate) mod parking;
pub(crate) mod priorities;
pub(crate) mod queueing;
pub(crate) mod rates;
pub(crate) mod retry_ended;
