//! Settings: limits, caps, sessions, randomness. They are facts like any other and bind new work only.

use crate::base::amounts::{Amounts, Caps, Dimension, UNCAPPED};
use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::limits::TABLE;
use crate::model::rejection::Rejection;
use crate::model::retry::Retry;
use crate::state::ROOT;
use crate::state::node::Kind;
use crate::state::pool::Pool;
use crate::step::Step;

pub(crate) fn seed(step: &mut Step<'_>, high: u64, low: u64) -> Result<Reply, Rejection> {
    if step.state.seed.is_none() {
        step.record(Fact::Seeded { high, low });
    }
    Ok(Reply::Done)
}

pub(crate) fn limits(step: &mut Step<'_>, limits: Vec<(Text, u64)>) -> Result<Reply, Rejection> {
    for (name, value) in &limits {
        let Some(row) = TABLE.iter().find(|row| *row.name == **name) else {
            return Err(Rejection::InvalidArgument { argument: None, what: format!("there is no limit called `{name}`") });
        };
        let least = row.unit.least();
        if *value < least {
            return Err(Rejection::InvalidArgument {
                argument: Some(row.name),
                what: format!("`{name}` must be at least {least}, got {value}"),
            });
        }
    }
    for (limit, value) in limits {
        // A value that is the default may still be given for the first time, and then counts as it stands.
        let is_first = match &*limit {
            "turnEstimate" => !step.state.estimate_given,
            "turnEstimateUsd" => !step.state.price_given,
            "maxTurns" => !step.state.turns_given,
            _ => false,
        };
        if is_first || step.state.limits.get(&limit) != Some(value) {
            step.record(Fact::LimitSet { limit, value });
        }
    }
    Ok(Reply::Done)
}

/// A cap has to leave room for something.
pub(crate) fn check_cap(cap: Amounts) -> Result<(), Rejection> {
    match Dimension::ALL.into_iter().find(|dimension| cap.of(*dimension) == 0) {
        Some(dimension) => {
            let argument = dimension.option();
            let least = if dimension == Dimension::Cost { "0.000000001" } else { "1" };
            Err(Rejection::InvalidArgument { argument: Some(argument), what: format!("`{argument}` must be at least {least}") })
        }
        None => Ok(()),
    }
}

pub(crate) fn budget(step: &mut Step<'_>, caps: Caps) -> Result<Reply, Rejection> {
    let cap = caps.over(step.state.node(ROOT).account.cap);
    check_cap(cap)?;
    if caps != Caps::default() {
        let task = step.state.key(ROOT);
        step.record(Fact::CapSet { task, cap });
    }
    if caps.tokens == Some(UNCAPPED) {
        set_pool(step, UNCAPPED, step.state.pool.task_tokens);
    }
    Ok(Reply::Done)
}

/// Sets what the manual style's pool has, and what a task gets of it, where that is a change (B10).
pub(crate) fn set_pool(step: &mut Step<'_>, tokens: u64, task_tokens: u64) {
    let Pool { tokens: before, task_tokens: task_before, .. } = step.state.pool;
    if (before, task_before) != (tokens, task_tokens) {
        step.record(Fact::PoolSet { tokens, task_tokens });
    }
}

/// Sets the cap of a session: it bounds what all its sub-agents together may spend (B1).
pub(crate) fn session_budget(step: &mut Step<'_>, session: Key, cap: Amounts) -> Result<Reply, Rejection> {
    let slot = step.state.living(session)?;
    if step.state.node(slot).kind != Kind::Session {
        return Err(Rejection::UnknownTask);
    }
    check_cap(cap)?;
    step.record(Fact::CapSet { task: session, cap });
    Ok(Reply::Done)
}

pub(crate) fn task_cap(step: &mut Step<'_>, caps: Caps) -> Result<Reply, Rejection> {
    let cap = caps.over(step.state.task_cap);
    check_cap(cap)?;
    if caps != Caps::default() {
        step.record(Fact::TaskCapSet { cap });
    }
    if caps.tokens == Some(UNCAPPED) {
        set_pool(step, step.state.pool.tokens, UNCAPPED);
    }
    Ok(Reply::Done)
}

/// Sets how runs are tried again where their spawn doesn't say (X5).
pub(crate) fn retry(step: &mut Step<'_>, retry: Option<Box<Retry>>) -> Result<Reply, Rejection> {
    step.record(Fact::RetrySet { retry });
    Ok(Reply::Done)
}

pub(crate) fn reject(step: &mut Step<'_>, reject: bool) -> Result<Reply, Rejection> {
    step.record(Fact::AdmissionSet { reject });
    Ok(Reply::Done)
}
