//! Retrying: a run that ended badly runs again with the same message (X5). Owns which ends are retried and when;
//! `ending.rs` records them.
//!
//! A run that was lost with its process, or stopped by a drain, has not failed. With `onHostLost`, its message is
//! queued again, before work that only waited (J3, D8). With `resume`, it continues from its checkpoint, and its
//! sub-agents continue too. With `requeue`, it starts from nothing and would spawn them again, so they end.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::id;
use crate::model::ended::End;
use crate::model::input::OnHostLost;
use crate::model::outcome::{Outcome, Usage};
use crate::model::retry::Retry;
use crate::model::run_output::{ResultDetails, RunOutput};
use crate::model::status::StopReason;
use crate::rules::budget::billing;
use crate::rules::budget::billing::Bill;
use crate::rules::scheduling::queueing;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;
use crate::state::runs::timers::finite;
use crate::step::Step;

/// The retry policy of a task's runs, if any: its spawn's, or else the manager's.
#[inline]
fn retry_of(state: &State, task: u32) -> Option<&Retry> {
    let own = state.node(task).spec().and_then(|spec| spec.retry.as_deref());
    own.or(state.retry.as_deref())
}

/// The time of the next attempt of a run that is about to end, if there is one. There is none if the run was asked to end, if
/// work is being ended, or if no budget is left for it. `more`: the amount that its end books without a report.
#[inline(always)]
pub(crate) fn due_after(step: &Step<'_>, index: u32, end: &End, more: Amounts) -> Option<u64> {
    let retry = retry_of(&step.state, step.state.runs.at(index).task)?;
    due_by(step, index, end, more, retry)
}

#[inline(never)]
fn due_by(step: &Step<'_>, index: u32, end: &End, more: Amounts, retry: &Retry) -> Option<u64> {
    let state = &step.state;
    let run = state.runs.at(index);
    let attempts = run.attempt.saturating_add(1);
    let wanted = retry.on.contains(&end.reason) && u64::from(attempts) <= retry.max;
    if !wanted || !may_retry(state, index, more) {
        return None;
    }
    let draw = id::draw(state.seed.unwrap_or_default(), state.key(run.task), run.number);
    finite(step.now, retry.backoff_after(attempts, draw))
}

/// The amount that the end of a run books beyond earlier bookings.
pub(crate) fn beyond(state: &State, index: u32, bill: &Bill) -> Amounts {
    bill.usage.minus(state.runs.at(index).booked)
}

/// Whether the message of a run may have another attempt, once `more` is booked for this one.
fn may_retry(state: &State, index: u32, more: Amounts) -> bool {
    let run = state.runs.at(index);
    let is_allowed = run.stop.is_none()
        && run.wrap_up_reason.is_none()
        && !run.claimed
        && state.draining.is_none_or(|drain| drain.leaves_queued)
        && !state.is_sealed(run.task);
    is_allowed && has_budget(state, index, more)
}

/// Whether budget is left to call the host again for this run. The budget of a restored session is unknown until it is
/// registered.
pub(crate) fn has_budget(state: &State, index: u32, more: Amounts) -> bool {
    let task = state.runs.at(index).task;
    let left = || ledger::unspent(&state.tree, task).minus(more);
    state.lacks_here(task, state.node(task).spec()).is_some() || left().lacks(state.estimate_of(task)).is_none()
}

/// Whether the message of a lost run may be queued again.
#[inline(never)]
pub(crate) fn may_be_lost(step: &Step<'_>, index: u32) -> bool {
    let state = &step.state;
    // If hosts outlive the process, the run can't have crashed it: `maxLost` doesn't apply.
    let too_often = !step.log.outlives && u64::from(state.losses_with_this(index)) > state.limits.max_lost;
    !too_often && may_retry(state, index, beyond(state, index, &bill_of_lost(step, index)))
}

/// The bill of a lost run that is queued again. A host that continues will itself report the turns that it has begun.
#[inline(never)]
pub(crate) fn bill_of_lost(step: &Step<'_>, index: u32) -> Bill {
    if step.log.outlives { billing::bill_total(&step.state, index, Usage::default()) } else { billing::bill_unfinished(&step.state, index) }
}

/// Whether a lost run ends with its lost caller instead of being requeued: the caller would start it again, or ends (C3). `lost`:
/// both are lost with their process; otherwise a drain stops them.
pub(crate) fn ends_with_caller(step: &Step<'_>, task: u32, on_lost: OnHostLost, lost: bool) -> bool {
    let state = &step.state;
    let node = state.node(task);
    let above = state.run_of(node.parent);
    if on_lost == OnHostLost::Fail || !state.has_caller(task) || above.phase != Phase::Open {
        return false;
    }
    if above.stop.is_some() || above.wrap_up_reason.is_some() {
        // Its caller is ending; background work may outlive the caller.
        return !node.background;
    }
    let goes_on = || {
        let index = state.node(node.parent).run;
        may_be_lost(step, index) && !ends_with_caller(step, node.parent, on_lost, lost)
    };
    on_lost == OnHostLost::Requeue || (lost && !goes_on())
}

/// The time of the next attempt has come: it waits for a slot like any other work. A run that a drain has stopped continues
/// before work that only waited.
pub(crate) fn fire(step: &mut Step<'_>, index: u32) {
    let run = step.state.runs.at(index);
    let drained = run.previous.as_ref().is_some_and(|previous| previous.reason == StopReason::Drained);
    if drained {
        let rank = step.state.queue.rank_of_begun();
        return requeue_attempt(step, index, rank);
    }
    let task = step.state.key(run.task);
    let place = queueing::place_of(step, task.index);
    queueing::enqueue_attempt(step, task, place);
}

/// A run that had begun waits for a slot again. It is in no round, since its parent has already had that turn. Runs of one rank
/// go in the order in which they came.
pub(crate) fn requeue_attempt(step: &mut Step<'_>, index: u32, rank: i64) {
    let task = step.state.key(step.state.runs.at(index).task);
    queueing::enqueue_attempt(step, task, (rank, 0));
}

/// The last error of a message that is no longer retried: its requester gets it along with the reason of the end.
pub(crate) fn last_error(state: &State, index: u32) -> Outcome {
    let error = state.runs.at(index).previous.as_ref().and_then(|previous| previous.error.clone());
    Outcome { output: RunOutput::new(Text::default(), ResultDetails { error, ..ResultDetails::default() }), ..Outcome::default() }
}

/// A run that waits for the time of its next attempt.
pub(crate) fn waits(state: &State) -> Option<u32> {
    if state.retrying == 0 {
        return None;
    }
    state.runs.indices().find(|index| matches!(state.runs.at(*index).phase, Phase::Backoff { .. }))
}
