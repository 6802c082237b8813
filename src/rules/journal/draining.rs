//! Draining: no new work, let running work end, then cancel the rest (D8). Owns the choice of the work to cancel, and when a
//! drain is over. With a store, queued work is left to the next process.

use crate::base::slab::NONE;
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::rejection::Rejection;
use crate::model::status::{Parked, Status, StopReason};
use crate::rules::runs::{cancelling, ending, retrying, stopping};
use crate::rules::scheduling::dispatching;
use crate::state::runs::run::Phase;
use crate::state::{ROOT, State};
use crate::step::Step;
use crate::waits::Waits;

/// Begins a drain; a second one joins it and may only shorten it.
pub(crate) fn drain(step: &mut Step<'_>, timeout_ms: u64) -> Result<Reply, Rejection> {
    let asked = step.now.saturating_add(timeout_ms);
    match step.state.draining {
        Some(drain) if drain.until <= asked || drain.over => {}
        Some(_) | None => step.record(Fact::DrainStarted { until: asked, leaves_queued: step.log.stored }),
    }
    Ok(Reply::Done)
}

/// Whether a drain that leaves its queue to another process is past its deadline, and has stopped nothing for that yet.
pub(crate) fn is_overdue(step: &Step<'_>) -> bool {
    step.state.draining.is_some_and(|drain| drain.leaves_queued && !drain.over && !drain.overran && step.now >= drain.until)
}

/// Continues a drain: cancels queued work that no run waits for and, at its deadline, all that still runs.
#[inline(never)]
pub(crate) fn check(step: &mut Step<'_>) {
    let Some(drain) = step.state.draining.filter(|drain| !drain.over) else { return };
    // Each end may free a slot, and the run that takes it may no longer wait for queued work.
    while let Some(run) = unawaited(&step.state, step.waits) {
        let task = step.state.key(step.state.runs.at(run).task);
        ending::end_unstarted(step, task, Status::Cancelled, StopReason::Drained);
        dispatching::dispatch(step);
    }
    if step.now >= drain.until && !drain.overran {
        step.record(Fact::DrainOverran {});
        if drain.leaves_queued {
            cancelling::stop_hosts(step, ROOT, Status::Cancelled, StopReason::Drained);
        } else {
            let tops: Vec<u32> = step.state.children(ROOT).collect();
            for top in tops {
                stopping::stop_subtree(step, top, Status::Cancelled, StopReason::Drained, None);
            }
        }
        dispatching::dispatch(step);
    }
    if works(&step.state) == 0 {
        let timed_out = step.state.draining.is_some_and(|drain| drain.overran);
        step.record(Fact::DrainEnded { timed_out });
        step.effect(Effect::DrainDone { timed_out });
    }
}

fn unawaited(state: &State, waits: &Waits) -> Option<u32> {
    if state.draining.is_some_and(|drain| drain.leaves_queued) {
        return None;
    }
    // A drain retries nothing, even if someone waits for it: the time of the attempt may be far off (X5).
    retrying::waits(state).or_else(|| state.queue.in_order().find(|run| !is_awaited(state, waits, *run)))
}

/// Whether a run waits for this queued run, or called for it and will wait.
fn is_awaited(state: &State, waits: &Waits, run: u32) -> bool {
    let task = state.runs.at(run).task;
    let parent = state.node(task).parent;
    let above_waits = state.run_of(parent).is_parked(Parked::Children) && state.node(parent).run != NONE;
    above_waits || state.is_called_for(task) || waits.is_awaited_by_run(run)
}

/// Runs that a drain waits for: open ones, parked ones included, and queued ones that are not left to another process.
pub(crate) fn works(state: &State) -> u64 {
    let leaves = state.draining.is_some_and(|drain| drain.leaves_queued);
    let overran = state.draining.is_some_and(|drain| drain.overran);
    // Once nothing more starts, a returned run may wait for work that is left to another process.
    let works = |index: &u32| state.runs.at(*index).phase == Phase::Open && !(overran && state.runs.at(*index).returned.is_some());
    if leaves {
        let open = state.runs.indices().filter(works);
        u64::try_from(open.count()).unwrap_or(u64::MAX)
    } else {
        u64::from(state.node(ROOT).open_runs).saturating_add(state.queued())
    }
}
