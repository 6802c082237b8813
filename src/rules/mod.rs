//! The rules: every decision, a room each. They read the state, record facts, ask for effects.
//! Never: change the state in another way, or know JavaScript.

pub(crate) mod admission;
pub(crate) mod asking;
pub(crate) mod background;
pub(crate) mod budget;
pub(crate) mod cancelling;
pub(crate) mod clock;
pub(crate) mod closing;
pub(crate) mod dispatching;
pub(crate) mod draining;
pub(crate) mod ending;
pub(crate) mod interrupting;
pub(crate) mod keys;
pub(crate) mod main_agent;
pub(crate) mod manual;
pub(crate) mod messages;
pub(crate) mod names;
pub(crate) mod notices;
pub(crate) mod policies;
pub(crate) mod priorities;
pub(crate) mod queueing;
pub(crate) mod rates;
pub(crate) mod reopening;
pub(crate) mod results;
pub(crate) mod retrying;
pub(crate) mod returning;
pub(crate) mod sessions;
pub(crate) mod settings;
pub(crate) mod tools;
pub(crate) mod turns;
pub(crate) mod waiting;
