//! The tree of sessions and tasks.

pub(crate) mod ids;
pub(crate) mod names;
pub mod node;
pub(crate) mod rare_fields;
pub(crate) mod reach;
pub(crate) mod resources;
pub(crate) mod retention;
pub(crate) mod walk;
