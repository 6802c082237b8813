//! Stalling: every slot is held by a run below which work is queued, and nothing moves (S6). Owns when that is told: once,
//! until something moves again.

use std::collections::BTreeSet;

use crate::model::effect::Effect;
use crate::model::rejection::Rejection;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::{Permit, Phase};
use crate::state::runs::timers::finite;
use crate::step::Step;

/// When nothing will have moved for long enough to look whether anything can.
pub(crate) fn due(step: &Step<'_>) -> Option<u64> {
    let state = &step.state;
    let is_full = u64::from(state.held) >= state.limits.max_concurrent;
    let may_stall = is_full && !state.queue.is_empty() && step.log.looked != step.log.count;
    if may_stall { finite(state.now, state.limits.stall_ms) } else { None }
}

/// Tells the host that nothing moves, where no run that holds a slot can be what the others wait for.
pub(crate) fn check(step: &mut Step<'_>) {
    if due(step).is_none_or(|at| at > step.now) {
        return;
    }
    step.log.looked = step.log.count;
    if let Some(holders) = stuck(&step.state) {
        let task_ids = holders.into_iter().map(|task| step.state.id_of(step.state.key(task))).collect();
        step.effect(Effect::Report(Rejection::Stalled { task_ids, limit: step.state.limits.max_concurrent }));
    }
}

/// The tasks whose runs hold the slots, where each of them has queued work below it.
fn stuck(state: &State) -> Option<Vec<u32>> {
    // What waits for the program needs no slot yet (X6).
    let queued = state.queue.in_order().map(|run| state.runs.at(run)).filter(|run| !run.awaits_program).map(|run| run.task);
    let above: BTreeSet<u32> = queued.flat_map(|task| ledger::path(&state.tree, state.node(task).parent)).collect();
    let mut holders = Vec::new();
    for run in state.runs.indices().map(|index| state.runs.at(index)).filter(|run| run.permit == Permit::Held) {
        // One that has ended gives its slot up by itself.
        if run.phase != Phase::Open || !above.contains(&run.task) {
            return None;
        }
        holders.push(run.task);
    }
    Some(holders)
}
