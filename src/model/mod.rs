//! The tables of the core: inputs, effects, facts, limits, refusals and states. TypeScript is generated from them. Decides
//! nothing, stores nothing.

pub(crate) mod admitted;
pub mod codes;
pub(crate) mod details;
pub(crate) mod effect;
pub(crate) mod ended;
pub(crate) mod fact;
pub(crate) mod input;
pub(crate) mod kinds;
pub(crate) mod limits;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod policy;
pub(crate) mod rate;
pub(crate) mod refusal;
pub(crate) mod rejection;
pub(crate) mod retry;
pub(crate) mod run_output;
pub(crate) mod spawn;
pub(crate) mod spec;
pub(crate) mod status;
pub(crate) mod tool_list;
pub(crate) mod tools;
pub(crate) mod usage;
