//! Messages to a task, and its questions.

pub(crate) mod asking;
pub(crate) mod mailbox;
pub(crate) mod sending;
