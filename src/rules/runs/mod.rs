//! A run from its start to its end: turns, deadlines, cancelling, retrying.

pub(crate) mod background;
pub(crate) mod cancelling;
pub(crate) mod closing;
pub(crate) mod ending;
pub(crate) mod host_ends;
pub(crate) mod interrupting;
pub(crate) mod retrying;
pub(crate) mod settling;
pub(crate) mod stopping;
pub(crate) mod turns;
