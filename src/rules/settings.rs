//! Settings: limits, caps, sessions, randomness. They are facts like any other and bind new work only.

use crate::amounts::{Amounts, Dimension};
use crate::codec::Text;
use crate::fact::Fact;
use crate::input::Reply;
use crate::limits::TABLE;
use crate::rejection::Rejection;
use crate::state::ROOT;
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
            return Err(Rejection::InvalidArgument { what: format!("there is no limit called `{name}`") });
        };
        let least = row.unit.least();
        if *value < least {
            return Err(Rejection::InvalidArgument { what: format!("`{name}` must be at least {least}, got {value}") });
        }
    }
    for (limit, value) in limits {
        step.record(Fact::LimitSet { limit, value });
    }
    Ok(Reply::Done)
}

/// A cap has to leave room for something.
pub(crate) fn check_cap(cap: Amounts) -> Result<(), Rejection> {
    match Dimension::ALL.into_iter().find(|dimension| cap.of(*dimension) == 0) {
        Some(dimension) => Err(Rejection::InvalidArgument { what: format!("`{}` must be above 0", dimension.option()) }),
        None => Ok(()),
    }
}

pub(crate) fn budget(step: &mut Step<'_>, cap: Amounts) -> Result<Reply, Rejection> {
    check_cap(cap)?;
    let task = step.state.key(ROOT);
    step.record(Fact::CapSet { task, cap });
    Ok(Reply::Done)
}

pub(crate) fn task_cap(step: &mut Step<'_>, cap: Amounts) -> Result<Reply, Rejection> {
    check_cap(cap)?;
    step.record(Fact::TaskCapSet { cap });
    Ok(Reply::Done)
}

pub(crate) fn reject(step: &mut Step<'_>, reject: bool) -> Result<Reply, Rejection> {
    step.record(Fact::AdmissionSet { reject });
    Ok(Reply::Done)
}

pub(crate) fn open_session(step: &mut Step<'_>, name: Text) -> Result<Reply, Rejection> {
    let limit = step.state.limits.max_sessions;
    let sessions = step.state.children(ROOT).count();
    if u64::try_from(sessions).unwrap_or(u64::MAX) >= limit {
        return Err(Rejection::SessionsLimit { limit });
    }
    let task = step.state.tree.next_key();
    step.record(Fact::SessionOpened { task, name });
    Ok(Reply::Node(task))
}
