//! Interrupting: the run and its foreground children end; its background children and the task live on (M4, C1). Owns which runs
//! an interrupt stops, and when it pauses the queue.

use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::rules::notices::delivery;
use crate::rules::runs::{ending, stopping};
use crate::rules::waiting;
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Stops the run of a task and pauses its queue until the next send. Answers once the stopped runs have ended. A second call
/// joins the first and may only shorten its grace (C2).
pub(crate) fn interrupt(step: &mut Step<'_>, actor: Actor, task: Key, grace_ms: Option<u64>) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if node.run == NONE {
        return Ok(Reply::Done);
    }
    // Pauses the queue if messages wait, or if the interrupted run's message was not delivered. It was not if the run was queued,
    // or its host function was not called yet, and no attempt came before it (M2, X5).
    let run = step.state.run_of(index);
    let waits = node.undelivered_messages() > 0 || (step.is_uncalled(index) && run.previous.is_none());
    let (number, began) = (run.number, run.phase == Phase::Open);
    if waits && !node.is_paused() {
        step.record(Fact::QueuePaused { task, paused: true });
    }
    let children = foreground_children(&step.state, index, number);
    delivery::claim_interrupted(step, actor, index, &children);
    let stopped = stop(step, index, grace_ms);
    // A returned run ends at once; its end is collected for the caller.
    if began && step.state.run_of(index).number != number {
        waiting::collect(step, delivery::inbox_of(actor), &[RunKey { task, run: number }]);
    }
    let is_open = |of: &RunKey| step.state.run_of(of.task.index).number == of.run;
    let open: Vec<RunKey> = stopped.into_iter().filter(is_open).collect();
    Ok(waiting::wait_for_runs(step, actor, &open).map_or(Reply::Done, Reply::Waiting))
}

/// Stops the queued or open run of a task and the foreground children that work for it, leaves first, with one grace for all.
/// Returns the runs that have to end.
pub(crate) fn stop(step: &mut Step<'_>, index: u32, grace_ms: Option<u64>) -> Vec<RunKey> {
    let state = &step.state;
    let task = state.key(index);
    let (number, phase) = (state.run_of(index).number, state.run_of(index).phase);
    let children = foreground_children(state, index, number);
    let mut runs = vec![RunKey { task, run: number }];
    for child in &children {
        let works = |at: &u32| state.run_of(*at).phase == Phase::Open;
        let below = std::iter::once(*child).chain(state.below(*child)).filter(works);
        runs.extend(below.map(|at| state.run_key(state.node(at).run)));
    }
    for child in children {
        stopping::stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, grace_ms);
    }
    let until = step.now.saturating_add(grace_ms.unwrap_or(step.state.limits.grace_ms));
    match phase {
        Phase::Queued | Phase::Backoff { .. } => ending::end_unstarted(step, task, Status::Interrupted, StopReason::Interrupted),
        Phase::Open => stopping::stop_run(step, task, Status::Interrupted, StopReason::Interrupted, until),
        Phase::Lingering { .. } | Phase::Abandoned => {}
    }
    runs
}

/// Aborts an open run whose time is over. First aborts the foreground children that work for it: the run gets their results while
/// there is time to use them (C3, L5).
pub(crate) fn abort(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason, until: u64) {
    for child in foreground_children(&step.state, task.index, step.state.run_of(task.index).number) {
        stopping::stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, None);
    }
    stopping::stop_run(step, task, status, reason, until);
}

fn foreground_children(state: &State, index: u32, number: u32) -> Vec<u32> {
    let works = |child: &u32| {
        let node = state.node(*child);
        let lives_on = node.background;
        node.status.is_open() && !lives_on && node.parent_run == number
    };
    state.children(index).filter(works).collect()
}
