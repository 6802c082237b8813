//! Who may start, and when: the checks of a spawn, its tools, names and key, the line of waiting work, and what slows it down.

pub(crate) mod admission;
pub(crate) mod again;
pub(crate) mod dispatching;
pub(crate) mod driving;
pub(crate) mod eligibility;
pub(crate) mod keys;
pub(crate) mod names;
pub(crate) mod priorities;
pub(crate) mod queueing;
pub(crate) mod rates;
pub(crate) mod starving;
pub(crate) mod tools;
