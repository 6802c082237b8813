//! Settling: a cancel or close is over once nothing under its node runs (C1, N4). Owns when it is over, and the ends that it
//! collects; it stops nothing.

use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::status::{Status, StopReason};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Finishes the cancels above an ended run that no wait will finish (C1, W3): the caller ended that wait, or the caller's run
/// ended.
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

/// Ends the cancel or close of a node once nothing runs below it. A closed session stays sealed.
#[inline(never)]
pub(crate) fn finish(step: &mut Step<'_>, index: u32) {
    if !step.state.node(index).cancelling || step.state.is_closed_session(index) {
        return;
    }
    let (task, closing) = (step.state.key(index), step.state.is_closing(index));
    let reported = step.state.caller_reads(index).is_none();
    step.record(Fact::CancelSettled { task });
    if closing {
        close_ended(step, index);
    }
    collect(step, index, reported);
}

/// Whether the end of this run ends a cancel or close, which then reports the run's end (N4).
pub(crate) fn is_over_with(state: &State, run: u32) -> bool {
    let (task, phase) = (state.runs.at(run).task, state.runs.at(run).phase);
    let is_last = |at: u32| {
        let node = state.node(at);
        node.cancelling && node.open_runs == u32::from(phase == Phase::Open) && !state.is_closed_session(at)
    };
    ledger::path(&state.tree, task).any(is_last)
}

/// A cancel or close reports the ends that it causes, so no wait for them is needed (N4). Collects the ends before the last one.
/// `reported`: the named task's end is among them.
fn collect(step: &mut Step<'_>, top: u32, reported: bool) {
    let all: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).collect();
    let is_left = |index: &u32| {
        let node = step.state.node(*index);
        // If an end has a notice, its acknowledgement collects the end.
        let has_no_notice = step.state.notices_about(*index).next().is_none();
        node.is_task()
            && node.run == NONE
            && !node.collected
            && has_no_notice
            && ((*index == top && reported) || node.reason.is_cancel_or_close())
    };
    let tasks: Vec<Key> = all.into_iter().filter(is_left).map(|index| step.state.key(index)).collect();
    if !tasks.is_empty() {
        step.record(Fact::EndsCollected { tasks });
    }
}

/// Closes the tasks that an earlier cancel ended during the close.
fn close_ended(step: &mut Step<'_>, top: u32) {
    let all: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).collect();
    for index in all {
        let node = step.state.node(index);
        // A task that still has a run is being stopped right now, and ends closed.
        if node.status != Status::Closed && node.run == NONE {
            let (task, reason) = (step.state.key(index), if index == top { StopReason::Closed } else { StopReason::AncestorCancelled });
            step.record(Fact::TaskEnded { task, status: Status::Closed, stop_reason: reason });
        }
    }
}
