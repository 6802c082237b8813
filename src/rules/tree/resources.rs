//! Resources that tasks acquire outside of the manager, and their release (J7). Owns which reports of the host become facts: late
//! reports don't.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::rejection::Rejection;
use crate::model::status::Status;
use crate::state::State;
use crate::step::Step;

/// `acquire` is about to be called for a task, or has returned `data`.
pub(crate) fn acquire(step: &mut Step<'_>, task: Key, data: Option<Text>) -> Result<Reply, Rejection> {
    if may_acquire(&step.state, task, data.is_some()) {
        step.record(Fact::ResourceAcquired { task, data });
    }
    Ok(Reply::Done)
}

/// Whether a report of `acquire` counts. Before the call: none was noted, and the task isn't closed. After it (`is_given`): the
/// call was noted, and its data is missing.
pub(crate) fn may_acquire(state: &State, task: Key, is_given: bool) -> bool {
    if !state.tree.contains(task) || !state.node(task.index).is_task() {
        return false;
    }
    let acquired = state.node(task.index).rare.as_ref().and_then(|rare| rare.acquired.as_ref());
    match acquired {
        Some(acquired) => is_given && acquired.data.is_none(),
        None => !is_given && state.node(task.index).status != Status::Closed,
    }
}

/// `release` has been called.
pub(crate) fn released(step: &mut Step<'_>, serial: u64) -> Result<Reply, Rejection> {
    if let Some(owner) = step.state.release_numbered(serial).map(|release| release.owner.clone()) {
        step.record(Fact::ResourceReleased { serial, owner });
    }
    Ok(Reply::Done)
}
