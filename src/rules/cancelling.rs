//! Cancelling: a whole subtree in one step, leaves first, with one grace for all (C1–C3, L5).

use crate::effect::Effect;
use crate::fact::Fact;
use crate::input::{Actor, Outcome, Reply};
use crate::rejection::Rejection;
use crate::rules::ending::{self, End};
use crate::rules::{admission, waiting};
use crate::slab::{Key, NONE};
use crate::state::ROOT;
use crate::state::run::Phase;
use crate::status::{Status, StopReason};
use crate::step::Step;

/// Cancels a task and all under it; for a session or the root, all under it. The answer comes when
/// nothing runs there any more. A second cancel joins the first and may only shorten its grace (C2).
pub(crate) fn cancel(step: &mut Step<'_>, actor: Actor, task: Key, reason: StopReason, grace_ms: Option<u64>) -> Result<Reply, Rejection> {
    let slot = step.state.reach(actor, task)?;
    if !step.state.node(slot).cancelling {
        step.record(Fact::CancelRequested { task });
    }
    stop_subtree(step, slot, Status::Cancelled, reason, grace_ms);
    if step.state.open_runs_within(slot) == 0 {
        if step.state.node(slot).cancelling {
            step.record(Fact::CancelSettled { task });
        }
        return Ok(Reply::Done);
    }
    // A run that cancels what it waits for must not be parked by the cancel as well: the program waits.
    let waiter = if slot == ROOT { Actor::Program } else { actor };
    Ok(Reply::Waiting(waiting::wait_for_subtree(step, waiter, task)))
}

/// Stops everything in a subtree, leaves first. Queued work ends at once; what runs gets an abort and
/// the grace.
pub(crate) fn stop_subtree(step: &mut Step<'_>, top: u32, status: Status, reason: StopReason, grace_ms: Option<u64>) {
    let mut all: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).collect();
    let grace = grace_ms.unwrap_or(step.state.limits.grace_ms);
    let until = step.now.saturating_add(grace);
    while let Some(slot) = all.pop() {
        let why = if slot == top { reason } else { below(reason) };
        if step.state.node(slot).is_task() {
            stop_task(step, slot, status, why, until);
        }
    }
}

/// Settles the cancels above a run that ended, where nobody waits for them any more: the wait that would
/// do it was ended by its caller, or with its run (C1, W3).
pub(crate) fn settle_above(step: &mut Step<'_>, slot: u32) {
    let mut at = slot;
    while at != NONE {
        let state = &step.state;
        let (up, cancelling) = (state.node(at).parent, state.node(at).cancelling);
        if cancelling && !waiting::is_settling(state, at) && state.open_runs_within(at) == 0 {
            let task = step.state.key(at);
            step.record(Fact::CancelSettled { task });
        }
        at = up;
    }
}

/// The reason for a task below the one that was named.
const fn below(reason: StopReason) -> StopReason {
    if matches!(reason, StopReason::Cancelled | StopReason::Closed) { StopReason::AncestorCancelled } else { reason }
}

fn stop_task(step: &mut Step<'_>, slot: u32, status: Status, reason: StopReason, until: u64) {
    let task = step.state.key(slot);
    let waiting = step.state.node(slot).queued_messages();
    if waiting > 0 {
        step.record(Fact::MessagesDropped { task, count: u32::try_from(waiting).unwrap_or(u32::MAX) });
    }
    let node = step.state.node(slot);
    if node.run == NONE {
        if node.status == Status::Idle || node.status == Status::Pending {
            release_reserve(step, task);
            step.record(Fact::TaskEnded { task, status, reason });
        }
        return;
    }
    let run = step.state.runs.at(node.run);
    match run.phase {
        Phase::Queued => ending::end_unstarted(step, task, status, reason),
        Phase::Open if admission::is_manual(step.state, slot) => {
            let end = End { status, reason, partial: false, host_open: false };
            ending::end_run(step, task, end, Outcome::default());
        }
        Phase::Open => stop_run(step, task, status, reason, until),
        Phase::Lingering | Phase::Abandoned => {}
    }
}

/// Aborts an open run and gives it until `until` to return. One that was told already keeps its
/// reason and may only get less time.
pub(crate) fn stop_run(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason, until: u64) {
    let run = step.state.run_of(task.slot);
    let (number, turn_waiting) = (run.number, run.turn_waiting);
    match run.stop {
        None => {
            step.record(Fact::StopRequested { task, run: number, reason, status, until });
            step.effect(Effect::AbortRun { task, run: number, reason });
            if turn_waiting {
                step.effect(Effect::TurnReady { task, run: number });
            }
        }
        Some((reason, status)) if run.until.is_none_or(|before| until < before) => {
            step.record(Fact::StopRequested { task, run: number, reason, status, until });
        }
        Some(_) => {}
    }
}

/// Gives back what a manual task had set aside (B10).
pub(crate) fn release_reserve(step: &mut Step<'_>, task: Key) {
    if step.state.node(task.slot).reserve() > 0 {
        step.record(Fact::ReserveChanged { task, tokens: 0 });
    }
}
