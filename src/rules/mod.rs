//! The rules: every decision, by subject. They read the state, record facts, ask for effects. They must never change the state in
//! another way, or know JavaScript.

pub(crate) mod budget;
pub(crate) mod clock;
pub(crate) mod journal;
pub(crate) mod messages;
pub(crate) mod notices;
pub(crate) mod policies;
pub(crate) mod results;
pub(crate) mod runs;
pub(crate) mod scheduling;
pub(crate) mod settings;
pub(crate) mod tree;
pub(crate) mod waiting;
