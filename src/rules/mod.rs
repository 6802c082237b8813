//! The rules: every decision, a room each. They read the state, record facts, ask for effects.
//! Never: change the state in another way, or know JavaScript.

pub(crate) mod admission;
pub(crate) mod budget;
pub(crate) mod cancelling;
pub(crate) mod clock;
pub(crate) mod draining;
pub(crate) mod ending;
pub(crate) mod manual;
pub(crate) mod messages;
pub(crate) mod settings;
pub(crate) mod tools;
pub(crate) mod turns;
pub(crate) mod waiting;
