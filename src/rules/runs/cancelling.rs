//! Cancelling: a whole subtree in one step, leaves first, with one grace for all (C1–C3, L5). Owns how runs are told to
//! stop and when a cancel is over; closes, interrupts and drains stop runs by its functions.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::base::slab::{Key, NONE};
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::rules::messages::{asking, sending};
use crate::rules::notices::delivery;
use crate::rules::runs::ending;
use crate::rules::runs::ending::End;
use crate::rules::runs::{closing, retrying, returning};
use crate::rules::waiting;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;
use crate::state::{ROOT, State};
use crate::step::Step;

/// Cancels a task and all under it; for a session or the root, all under it. The answer comes when
/// nothing runs there any more. A second cancel joins the first and may only shorten its grace (C2).
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
    // A session may cancel all that is its own (C4).
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
        finish(step, index);
        return Ok(Reply::Done);
    }
    // A run that cancels what it waits for must not be parked by the cancel as well: the program waits.
    let waiter = if index == ROOT { Actor::Program } else { actor };
    Ok(Reply::Waiting(waiting::wait_for_subtree(step, waiter, task)))
}

/// A tool's call was aborted by its own caller: what it started is cancelled, and its wait delivers the end to no caller (W5). The
/// session gets a notice of it where it reads its inbox.
pub(crate) fn abort_call(step: &mut Step<'_>, task: Key, wait: Option<Key>, reads: bool) -> Result<Reply, Rejection> {
    let index = step.state.reach(Actor::Program, task)?;
    if let Some(wait) = wait.filter(|wait| step.waits.open.contains(*wait)) {
        delivery::let_go(step, wait.index);
        step.waits.open.at_mut(wait.index).by = NONE;
    }
    if step.state.node(index).run == NONE || step.state.caller_reads(index).is_some() {
        return Ok(Reply::Done);
    }
    cancel_for(step, Actor::Program, task, StopReason::SignalAborted, None, Some(reads))
}

/// Stops a subtree that is sealed. Ends on the way finish no cancel: the seal stays until all of the subtree was told
/// to stop (C1).
pub(crate) fn stop_sealed(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason, grace_ms: Option<u64>) {
    step.cancelling = true;
    stop_subtree(step, top, status, reason, grace_ms);
    step.cancelling = false;
    finish_above(step, step.state.node(top).parent);
}

/// Stops everything in a subtree, leaves first. Queued work ends at once; open runs get an abort and the grace.
pub(crate) fn stop_subtree(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason, grace_ms: Option<u64>) {
    let mut all: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).collect();
    let grace = grace_ms.unwrap_or(step.state.limits.grace_ms);
    let until = step.now.saturating_add(grace);
    // Messages go first: a leaf's end may end a returned run above, which must not start its next message.
    for index in &all {
        drop_messages(step, *index);
    }
    while let Some(index) = all.pop() {
        let why = if index == top { reason } else { below(reason) };
        if step.state.node(index).is_task() {
            stop_task(step, index, status, why, until);
        }
    }
}

/// Stops the host functions under a node, and leaves queued work and messages to another process, also those of tasks whose
/// run ends here. A run whose host function has returned waits on for its sub-agents, in that process if need be (C3). A run
/// that was told to wrap up ends for that reason, as it would where its process is lost (L4, J3).
pub(crate) fn stop_hosts(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason) {
    let all = leaves_first(&step.state, step.state.below(top).collect());
    let until = step.now.saturating_add(step.state.limits.grace_ms);
    for index in all {
        let (node, run) = (step.state.node(index), step.state.run_of(index));
        if !node.is_task() || node.run == NONE || run.phase != Phase::Open || run.returned.is_some() {
            continue;
        }
        let told = run.told.map(|reason| (step.state.status_told(index, reason), reason));
        // A sub-agent whose caller will begin anew, or ends, is cancelled with it.
        let alone = !retrying::ends_with_caller(step, index, step.log.lost, false);
        let drained = if alone { (status, reason) } else { (Status::Cancelled, StopReason::ParentEnded) };
        let (status, reason) = told.unwrap_or(drained);
        let number = run.number;
        stop_run(step, step.state.key(index), status, reason, until);
        if !step.log.leaves_runs(&step.state) {
            end_queued_below(step, index, number);
        }
    }
}

/// Ends the queued foreground work of a run that ends for good: no caller will ask for it, and the run may be waiting.
fn end_queued_below(step: &mut Step<'_>, index: u32, number: u32) {
    let works = |child: &u32| {
        let (node, run) = (step.state.node(*child), step.state.run_of(*child));
        let is_queued = node.run != NONE && matches!(run.phase, Phase::Queued | Phase::Backoff);
        is_queued && !node.background && node.parent_run == number
    };
    let queued: Vec<u32> = step.state.children(index).filter(works).collect();
    for child in queued {
        stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, None);
    }
}

/// These nodes, leaves first, and those of one depth in the order in which they came (D2).
pub(crate) fn leaves_first(state: &State, indices: Vec<u32>) -> Vec<u32> {
    let place = |(at, index): (usize, u32)| (Reverse(state.node(index).depth), state.run_of(index).started_at, at, index);
    // The standard library's sort is five times the code, for every type that it sorts.
    let heap: BinaryHeap<_> = indices.into_iter().enumerate().map(place).collect();
    heap.into_sorted_vec().into_iter().map(|(.., index)| index).collect()
}

/// Finishes the cancels above a run that ended, where no wait for them is left: the wait that would
/// do it was ended by its caller, or with its run (C1, W3).
pub(crate) fn finish_above(step: &mut Step<'_>, index: u32) {
    let mut at = if step.cancelling { NONE } else { index };
    while at != NONE {
        let node = step.state.node(at);
        let (up, over) = (node.parent, node.cancelling && node.open_runs == 0);
        if over {
            finish(step, at);
        }
        at = up;
    }
}

/// Ends the cancel or close of a node under which nothing runs any more. A closed session stays sealed.
#[inline(never)]
pub(crate) fn finish(step: &mut Step<'_>, index: u32) {
    if !step.state.node(index).cancelling || step.state.is_closed_session(index) {
        return;
    }
    let (task, closing) = (step.state.key(index), step.state.is_closing(index));
    let reported = step.state.caller_reads(index).is_none();
    step.record(Fact::CancelSettled { task });
    if closing {
        closing::finish(step, index);
    }
    collect(step, index, reported);
}

/// Whether a cancel or close is over with the end of this run, which it has caused or names, and reports that (N4).
pub(crate) fn is_over_with(state: &State, run: u32) -> bool {
    let (task, phase) = (state.runs.at(run).task, state.runs.at(run).phase);
    let is_last = |at: u32| {
        let node = state.node(at);
        node.cancelling && node.open_runs == u32::from(phase == Phase::Open) && !state.is_closed_session(at)
    };
    ledger::path(&state.tree, task).any(is_last)
}

/// A cancel or close reports the ends that it causes, so no wait for them is needed (N4): here those before the last one.
/// `reported`: the one that was named among them.
fn collect(step: &mut Step<'_>, top: u32, reported: bool) {
    let all: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).collect();
    let is_left = |index: &u32| {
        let node = step.state.node(*index);
        // An end of which a notice is out is collected by its acknowledgement.
        let is_told = step.state.notices_about(*index).next().is_none();
        node.is_task() && node.run == NONE && !node.collected && is_told && ((*index == top && reported) || node.reason.is_wish())
    };
    let tasks: Vec<Key> = all.into_iter().filter(is_left).map(|index| step.state.key(index)).collect();
    if !tasks.is_empty() {
        step.record(Fact::EndsCollected { tasks });
    }
}

/// The reason for a task below the one that was named.
const fn below(reason: StopReason) -> StopReason {
    if matches!(reason, StopReason::Cancelled | StopReason::Closed) { StopReason::AncestorCancelled } else { reason }
}

/// Drops a task's messages, unless its run is queued, or its host function still to be called: that run's own message goes
/// first, and the others when it has ended.
fn drop_messages(step: &mut Step<'_>, index: u32) {
    if !step.state.node(index).is_task() {
        return;
    }
    let (task, run) = (step.state.key(index), step.state.run_of(index));
    let is_unheard = run.phase == Phase::Queued || step.log.is_uncalled(task, run.number);
    if !is_unheard || step.state.node(index).run == NONE {
        sending::drop_all(step, task);
    }
}

fn stop_task(step: &mut Step<'_>, index: u32, status: Status, reason: StopReason, until: u64) {
    let task = step.state.key(index);
    drop_messages(step, index);
    let node = step.state.node(index);
    if node.run == NONE {
        // Messages kept it at work, and its inbox with it (N1).
        if step.state.has_notices(index) {
            delivery::leave_inbox(step, task, status);
        }
        let node = step.state.node(index);
        if node.status == Status::Idle || (status == Status::Closed && node.status != Status::Closed) {
            step.record(Fact::TaskEnded { task, status, reason });
        }
        return;
    }
    let run = step.state.runs.at(node.run);
    match run.phase {
        Phase::Queued | Phase::Backoff => ending::end_unstarted(step, task, status, reason),
        Phase::Open => stop_run(step, task, status, reason, until),
        Phase::Lingering | Phase::Abandoned => {}
    }
}

/// Aborts an open run and gives it until `until` to return. A run that was told before keeps its reason and may only get
/// less time.
pub(crate) fn stop_run(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason, until: u64) {
    let run = step.state.run_of(task.index);
    let (number, turn_waiting) = (run.number, run.turn_waiting);
    if run.returned.is_some() {
        // There is no host function that could still return.
        return returning::end(step, task.index, End { status, reason, partial: true, host_open: false });
    }
    match run.stop {
        None => {
            step.record(Fact::StopRequested { task, run: number, reason, status, until });
            step.effect(Effect::AbortRun { task, run: number, reason });
            if turn_waiting {
                step.effect(Effect::TurnReady { task, run: number });
            }
            if step.state.node(task.index).question().is_some() {
                asking::close(step, task, None, false);
            }
        }
        // A cancel asks for more than an interrupt: the task ends, not the run alone. Nor does the next process go on with what
        // was cancelled while a drain stopped it, or ended with its caller (D8, C3).
        Some((before, _)) if overtakes(step, before, status, reason) => {
            let until = run.until.map_or(until, |before| before.min(until));
            step.record(Fact::StopRequested { task, run: number, reason, status, until });
        }
        Some((reason, status)) if run.until.is_none_or(|before| until < before) => {
            step.record(Fact::StopRequested { task, run: number, reason, status, until });
        }
        Some(_) => {}
    }
}

/// Whether a run that was told to stop is told so once more, for another reason: the first one would let its task go on.
fn overtakes(step: &Step<'_>, before: StopReason, status: Status, reason: StopReason) -> bool {
    (before == StopReason::Interrupted && status != Status::Interrupted)
        || (before == StopReason::Drained
            && reason != StopReason::Drained
            && status != Status::Interrupted
            && step.state.draining.is_some_and(|drain| drain.leaves_queued))
}
