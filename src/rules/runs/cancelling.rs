//! Cancelling: a whole subtree in one step (C1–C3, W5). Owns the commands that cancel, and how a drain or a closed
//! session stops its subtree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::rules::notices::delivery;
use crate::rules::runs::{retrying, settling, stopping};
use crate::rules::waiting;
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Cancels a task and its subtree; for a session or the root, all work under it. Answers once nothing runs there. A second cancel
/// joins the first and may only shorten its grace (C2).
pub(crate) fn cancel(step: &mut Step<'_>, actor: Actor, task: Key, reason: StopReason, grace_ms: Option<u64>) -> Result<Reply, Rejection> {
    cancel_for(step, actor, task, reason, grace_ms, None)
}

/// The same; `caller_reads`: see the fact's field.
fn cancel_for(
    step: &mut Step<'_>,
    actor: Actor,
    task: Key,
    reason: StopReason,
    grace_ms: Option<u64>,
    caller_reads: Option<bool>,
) -> Result<Reply, Rejection> {
    // A session may cancel all its own work (C4).
    let index = if actor == Actor::Session(task) { step.state.place_of(actor)?.0 } else { step.state.reach(actor, task)? };
    let by = step.state.key(State::node_of(actor));
    let is_aborted = caller_reads.is_some() || step.state.caller_reads(index).is_some();
    let own = !is_aborted && (reason == StopReason::SignalAborted || delivery::gets_end(&step.state, actor, index));
    let claimed = delivery::claim_ends(step, index, own);
    if !step.state.node(index).cancelling || !claimed.is_empty() || caller_reads.is_some() {
        step.record(Fact::CancelRequested { task, by, close: false, interrupt: false, claimed, caller_reads });
    }
    stop_sealed(step, index, Status::Cancelled, reason, grace_ms);
    if step.state.node(index).open_runs == 0 {
        settling::finish(step, index);
        return Ok(Reply::Done);
    }
    Ok(Reply::Waiting(waiting::wait_for_subtree(step, actor, task)))
}

/// A tool's call was aborted by its own caller. The work that it started is cancelled, and its wait delivers the end to no caller
/// (W5). The session gets a notice of the end if it reads its inbox.
pub(crate) fn abort_call(step: &mut Step<'_>, task: Key, wait: Option<Key>, reads: bool) -> Result<Reply, Rejection> {
    let index = step.state.reach(Actor::Program, task)?;
    if let Some(wait) = wait.filter(|wait| step.waits.open.contains(*wait)) {
        delivery::release_awaited(step, wait.index);
        step.waits.open.at_mut(wait.index).by = NONE;
    }
    if step.state.node(index).run == NONE || step.state.caller_reads(index).is_some() {
        return Ok(Reply::Done);
    }
    cancel_for(step, Actor::Program, task, StopReason::SignalAborted, None, Some(reads))
}

/// Stops a sealed subtree. Ends during the stop finish no cancel: the seal stays until the whole subtree was asked to stop (C1).
pub(crate) fn stop_sealed(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason, grace_ms: Option<u64>) {
    step.cancelling = true;
    stopping::stop_subtree(step, top, status, reason, grace_ms);
    step.cancelling = false;
    settling::finish_above(step, step.state.node(top).parent);
}

/// Stops the host functions under a node, and leaves queued work and messages to another process, including those of tasks whose
/// run ends here. A run whose host function has returned continues to wait for its sub-agents, in that process if need be (C3). A
/// run that is wrapping up ends for its reason, as it would if its process were lost (L4, J3).
pub(crate) fn stop_hosts(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason) {
    let all = leaves_first(&step.state, step.state.below(top).collect());
    let until = step.now.saturating_add(step.state.limits.grace_ms);
    for index in all {
        let (node, run) = (step.state.node(index), step.state.run_of(index));
        if !node.is_task() || node.run == NONE || run.phase != Phase::Open || run.returned.is_some() {
            continue;
        }
        let wrapping_up = run.wrap_up_reason.map(|reason| (step.state.wrap_up_status(index, reason), reason));
        // A sub-agent whose caller will begin again, or ends, is cancelled with the caller.
        let alone = !retrying::ends_with_caller(step, index, step.log.lost, false);
        let drained = if alone { (status, reason) } else { (Status::Cancelled, StopReason::ParentEnded) };
        let (status, reason) = wrapping_up.unwrap_or(drained);
        let number = run.number;
        stopping::stop_run(step, step.state.key(index), status, reason, until);
        if !step.log.leaves_runs(&step.state) {
            end_queued_below(step, index, number);
        }
    }
}

/// Ends the queued foreground work of a run that ends for good: no caller will ask for it, and the run may be waiting.
fn end_queued_below(step: &mut Step<'_>, index: u32, number: u32) {
    let works = |child: &u32| {
        let (node, run) = (step.state.node(*child), step.state.run_of(*child));
        let is_queued = node.run != NONE && matches!(run.phase, Phase::Queued | Phase::Backoff { .. });
        is_queued && !node.background && node.parent_run == number
    };
    let queued: Vec<u32> = step.state.children(index).filter(works).collect();
    for child in queued {
        stopping::stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, None);
    }
}

/// These nodes, leaves first; nodes of one depth in the order in which they came (D2).
pub(crate) fn leaves_first(state: &State, indices: Vec<u32>) -> Vec<u32> {
    let place = |(at, index): (usize, u32)| (Reverse(state.node(index).depth), state.run_of(index).started_at, at, index);
    // The standard library's sort is five times the code, for every type that it sorts.
    let heap: BinaryHeap<_> = indices.into_iter().enumerate().map(place).collect();
    heap.into_sorted_vec().into_iter().map(|(.., index)| index).collect()
}
