//! The rules: every decision, in one file for each subject. They read the state, record facts, ask for effects. Never:
//! change the state in another way, or know JavaScript.

pub(crate) mod admit;
pub(crate) mod clock;
pub(crate) mod draining;
pub(crate) mod life;
pub(crate) mod main_agent;
pub(crate) mod manual;
pub(crate) mod money;
pub(crate) mod moving;
pub(crate) mod notices;
pub(crate) mod policies;
pub(crate) mod reopening;
pub(crate) mod results;
pub(crate) mod settings;
pub(crate) mod stalling;
pub(crate) mod turns;
pub(crate) mod waking;
