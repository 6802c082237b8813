//! The tree: sessions, names, resources, and which tasks are forgotten.

pub(crate) mod forgetting;
pub(crate) mod names;
pub(crate) mod resources;
pub(crate) mod sessions;
