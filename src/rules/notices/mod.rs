//! Notices: who gets one, its record, and when a session is woken.

pub(crate) mod delivery;
pub(crate) mod record;
pub(crate) mod wake;
