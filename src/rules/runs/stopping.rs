//! Stopping: everything in a subtree, leaves first, with one grace for all (C1, L5). Owns how a run is stopped, and the work that
//! ends with it. Cancels, closes, interrupts and drains use it. It recurses with `ending.rs`: the end of a run stops the work for
//! it.

use crate::base::slab::{Key, NONE};
use crate::model::effect::Effect;
use crate::model::ended::End;
use crate::model::fact::Fact;
use crate::model::status::{OnParentEnd, Status, StopReason};
use crate::rules::messages::{asking, mailbox};
use crate::rules::notices::delivery;
use crate::rules::runs::ending;
use crate::state::runs::run::Phase;
use crate::state::tree::node::Kind;
use crate::step::Step;

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

fn stop_task(step: &mut Step<'_>, index: u32, status: Status, reason: StopReason, until: u64) {
    let task = step.state.key(index);
    drop_messages(step, index);
    let node = step.state.node(index);
    if node.run == NONE {
        // Its messages kept the task working, and its inbox with it (N1).
        if step.state.has_notices(index) {
            delivery::release_inbox(step, task, status);
        }
        let node = step.state.node(index);
        if node.status == Status::Idle || (status == Status::Closed && node.status != Status::Closed) {
            step.record(Fact::TaskEnded { task, status, stop_reason: reason });
        }
        return;
    }
    let run = step.state.runs.at(node.run);
    match run.phase {
        Phase::Queued | Phase::Backoff { .. } => ending::end_unstarted(step, task, status, reason),
        Phase::Open => stop_run(step, task, status, reason, until),
        Phase::Lingering { .. } | Phase::Abandoned => {}
    }
}

/// Aborts an open run and gives it until `until` to return. A run that was aborted before keeps its reason; its time may only get
/// shorter.
pub(crate) fn stop_run(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason, until: u64) {
    let run = step.state.run_of(task.index);
    let (number, turn_waiting) = (run.number, run.waiting_turn.is_some());
    if run.returned.is_some() {
        // No host function is left that could return.
        return ending::end_returned(step, task.index, End { status, reason, partial: true, host_open: false });
    }
    match run.stop {
        None => {
            step.record(Fact::StopRequested { task, run: number, stop_reason: reason, status, until });
            step.effect(Effect::AbortRun { task, run: number, reason });
            if turn_waiting {
                step.effect(Effect::TurnReady { task, run: number });
            }
            if step.state.node(task.index).question().is_some() {
                asking::close(step, task, None, false);
            }
        }
        // A cancel goes further than an interrupt: the task ends, not only the run. If it was cancelled while a drain stopped it,
        // or ended with its caller, the next process doesn't continue it either (D8, C3).
        Some((before, _)) if overtakes(step, before, status, reason) => {
            let until = run.timers.grace_until.map_or(until, |before| before.min(until));
            step.record(Fact::StopRequested { task, run: number, stop_reason: reason, status, until });
        }
        Some((reason, status)) if run.timers.grace_until.is_none_or(|before| until < before) => {
            step.record(Fact::StopRequested { task, run: number, stop_reason: reason, status, until });
        }
        Some(_) => {}
    }
}

/// Whether a new stop reason replaces the first one, which would let the task continue.
fn overtakes(step: &Step<'_>, before: StopReason, status: Status, reason: StopReason) -> bool {
    (before == StopReason::Interrupted && status != Status::Interrupted)
        || (before == StopReason::Drained
            && reason != StopReason::Drained
            && status != Status::Interrupted
            && step.state.draining.is_some_and(|drain| drain.leaves_queued))
}

/// Drops a task's messages, unless its run is queued, or its host function is still to be called. That run's own message is
/// dropped first, and the others when it has ended.
fn drop_messages(step: &mut Step<'_>, index: u32) {
    if !step.state.node(index).is_task() {
        return;
    }
    if !step.is_uncalled(index) || step.state.node(index).run == NONE {
        mailbox::drop_all(step, step.state.key(index));
    }
}

/// The reason for a task below the named one.
const fn below(reason: StopReason) -> StopReason {
    if reason.is_cancel_or_close() { StopReason::AncestorCancelled } else { reason }
}

/// Ends the children that work for a run that ends. Background children survive a good end, unless they were spawned to end with
/// it (C3), and an interrupt (M4). Children of an earlier run have outlived that run, and the end of a later run doesn't affect
/// them.
#[inline(never)]
pub(crate) fn end_children(step: &mut Step<'_>, index: u32, number: u32, status: Status) {
    let good = status == Status::Completed || status == Status::Interrupted;
    let ending: Vec<u32> = step
        .state
        .children(index)
        .filter(|child| {
            let node = step.state.node(*child);
            let works = node.status.is_open() && node.parent_run == number;
            let ends_along = || step.state.on_parent_end(*child) == OnParentEnd::Cancel;
            let lives_on = good && node.background && !ends_along();
            works && !lives_on
        })
        .collect();
    for child in ending {
        stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, None);
    }
}

/// A run is over and will never ask for the ends of foreground work that it did not wait for. Collects them: otherwise they would
/// be retained for ever (L8).
#[inline(never)]
pub(crate) fn collect_below(step: &mut Step<'_>, index: u32, number: u32) {
    let left = |child: &u32| {
        let node = step.state.node(*child);
        // A cancel or close already reports the ends that it causes.
        let uncollected = node.run == NONE && !node.collected && !node.reason.is_cancel_or_close();
        let asked_for = node.kind == Kind::Task && !node.background && node.parent_run == number;
        asked_for && uncollected
    };
    let tasks: Vec<Key> = step.state.children(index).filter(left).map(|child| step.state.key(child)).collect();
    if !tasks.is_empty() {
        step.record(Fact::EndsCollected { tasks });
    }
}
