//! Closing and reopening a task (C1, C2, L7). A close is a cancel after which the task and its subtree are `closed`: ended tasks
//! at once, running ones at their end. Owns the checks of both, and the effects of a close beyond a cancel.

use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::rules::notices::delivery;
use crate::rules::runs::{cancelling, settling};
use crate::rules::tree::names;
use crate::rules::waiting;
use crate::state::State;
use crate::step::Step;

/// Closes a task and its subtree. A second close only waits. A close during a cancel joins it and may only shorten its grace
/// (C2).
pub(crate) fn close(step: &mut Step<'_>, actor: Actor, task: Key, grace_ms: Option<u64>) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    let previous = node.status;
    if previous == Status::Closed && step.state.node(index).open_runs == 0 {
        return Ok(Reply::Closing { previous, wait: None });
    }
    let by = step.state.key(State::node_of(actor));
    let own = delivery::gets_end(&step.state, actor, index);
    let claimed = delivery::claim_ends(step, index, own);
    if !step.state.is_closing(index) || !claimed.is_empty() {
        step.record(Fact::CancelRequested { task, by, close: true, interrupt: false, claimed, caller_reads: None });
    }
    cancelling::stop_sealed(step, index, Status::Closed, StopReason::Closed, grace_ms);
    if step.state.node(index).open_runs == 0 {
        settling::finish(step, index);
        return Ok(Reply::Closing { previous, wait: None });
    }
    Ok(Reply::Closing { previous, wait: Some(waiting::wait_for_subtree(step, actor, task)) })
}

/// Reopens a closed task, but nothing under it: it is admitted again. A task that isn't closed stays as it is.
pub(crate) fn resume(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let state = &step.state;
    let index = state.reach(actor, task)?;
    let node = state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    let refused = |action: &'static str| Err(Rejection::wrong_status(node.status, action));
    if state.is_sealed(index) {
        return refused("be resumed while a close or cancel of it is under way");
    }
    if node.status != Status::Closed {
        return Ok(Reply::Done);
    }
    if state.node(node.parent).status == Status::Closed {
        return refused("be resumed before the one that it works for");
    }
    if !state.may_revive(actor, index) {
        return refused("be resumed, except by the actor that closed it or one above");
    }
    if state.draining.is_some() {
        return Err(Rejection::Draining);
    }
    if u64::from(node.depth) > state.limits.max_depth {
        return Err(Rejection::DepthLimit { limit: state.limits.max_depth });
    }
    names::check_resumed(state, index)?;
    state.check_width_for(index)?;
    state.check_unspent(index, state.estimate_of(index))?;
    step.record(Fact::TaskResumed { task });
    Ok(Reply::Done)
}
