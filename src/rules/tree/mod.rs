//! The tree: sessions, names, and what is forgotten.

pub(crate) mod forgetting;
pub(crate) mod names;
pub(crate) mod resources;
pub(crate) mod sessions;
