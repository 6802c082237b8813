//! Runs, and their deadlines.

pub(crate) mod apply;
pub mod deadlines;
pub(crate) mod host_ids;
pub(crate) mod lifecycle;
pub mod run;
pub(crate) mod standstill;
pub(crate) mod timers;
pub(crate) mod transitions;
pub(crate) mod turns;
