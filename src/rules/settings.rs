//! Settings: limits, caps, options for new work, randomness. Owns which are refused. They are facts like any other and
//! bind new work only.

use crate::base::amounts::{Amounts, Caps, Dimension};
use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Defaults, Reply};
use crate::model::limits::TABLE;
use crate::model::rejection::Rejection;
use crate::state::ROOT;
use crate::state::tree::node::Kind;
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
        // A value that is the default may still be given for the first time, and then counts as given.
        let is_first = match &*limit {
            "turnEstimate" => !step.state.estimate_given,
            "turnEstimateUsd" => !step.state.price_given,
            "staggerMs" => !step.state.stagger_given,
            _ => false,
        };
        if is_first || step.state.limits.get(&limit) != Some(value) {
            step.record(Fact::LimitSet { limit, value });
        }
    }
    Ok(Reply::Done)
}

/// A cap must be above zero.
pub(crate) fn check_cap(cap: Amounts) -> Result<(), Rejection> {
    if cap.tokens == 0 || cap.nanos == 0 || cap.turns == 0 { refuse_cap(cap) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn refuse_cap(cap: Amounts) -> Result<(), Rejection> {
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
    Ok(Reply::Done)
}

/// Sets the cap of a session: it limits the spending of all its sub-agents together (B1).
pub(crate) fn session_budget(step: &mut Step<'_>, session: Key, cap: Amounts) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.node(index).kind != Kind::Session {
        return Err(Rejection::UnknownTask);
    }
    check_cap(cap)?;
    step.record(Fact::CapSet { task: session, cap });
    Ok(Reply::Done)
}

/// Sets the defaults for new work; absent settings stay as they are.
pub(crate) fn defaults(step: &mut Step<'_>, wanted: Defaults) -> Result<Reply, Rejection> {
    let Defaults { task_cap: caps, retry, reject, on_parent_end } = wanted;
    let state = &step.state;
    let task_cap = caps.over(state.task_cap);
    check_cap(task_cap)?;
    let (reject, on_parent_end) = (reject.unwrap_or(state.reject), on_parent_end.or(state.on_parent_end));
    if retry.is_some() || (task_cap, reject, on_parent_end) != (state.task_cap, state.reject, state.on_parent_end) {
        let retry = retry.or_else(|| state.retry.clone());
        step.record(Fact::DefaultsSet { task_cap, retry, reject, on_parent_end });
    }
    Ok(Reply::Done)
}
