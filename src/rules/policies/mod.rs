//! Policies' answers, the tools of a run, and the limits of the main agent.

pub(crate) mod answers;
pub(crate) mod main_agent;
pub(crate) mod tools;
