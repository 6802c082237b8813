//! The life of a run between its start and its record: ending, cancelling, closing, interrupting, waiting, asking, messages,
//! sessions. These call each other; nothing below imports them.

pub(crate) mod asking;
pub(crate) mod background;
pub(crate) mod cancelling;
pub(crate) mod closing;
pub(crate) mod ending;
pub(crate) mod forgetting;
pub(crate) mod interrupting;
pub(crate) mod messages;
pub(crate) mod retrying;
pub(crate) mod returning;
pub(crate) mod sessions;
pub(crate) mod waiting;
