//! What a task is sent, and what it asks.

pub(crate) mod asking;
pub(crate) mod mailbox;
pub(crate) mod sending;
