//! Deadlocks, of budget and of slots. Owns the choice of these runs; changes nothing.
//!
//! Queued work starves if its budget is reserved only by runs that wait for such work (B5). None would release it, so a queued
//! run fails. Slots stall if each is taken by a run below which work is queued, and nothing moves (S6). The host is notified
//! once, until something moves again.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::base::amounts::{Amounts, Dimension};
use crate::base::slab::NONE;
use crate::model::effect::Effect;
use crate::model::rejection::Rejection;
use crate::model::status::Parked;
use crate::rules::scheduling::eligibility;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::{Phase, Slot};
use crate::state::runs::timers::finite;
use crate::step::{Context, Step};

/// The reservations of the stuck runs at each node, with those below it.
type DeadlockedReservations = BTreeMap<u32, Amounts>;

/// The first queued run that starves. Prefers a run that another waits for: once it has ended, the waiting run continues.
pub(in crate::rules) fn first_starved(context: Context<'_>) -> Option<u32> {
    let Context { state, waits, now, .. } = context;
    if state.parked == 0 {
        return None;
    }
    let stuck = reserved_by(state, &stuck_runs(context));
    if stuck.values().all(|reserved| reserved.is_zero()) {
        return None;
    }
    let starves = |run: &u32| is_starved(state, now, *run, &stuck);
    let awaited = |run: &u32| waits.is_awaited_by_run(*run);
    state.queue.in_order().filter(awaited).find(starves).or_else(|| state.queue.in_order().find(starves))
}

/// The runs that wait only for starving queued work and for each other. Each counts as stuck until one of the runs that it waits
/// for can continue.
fn stuck_runs(context: Context<'_>) -> Vec<u32> {
    let Context { state, waits, .. } = context;
    let waiting: BinaryHeap<u32> = waits.indices().map(|wait| waits.at(wait).run).filter(|run| *run != NONE).collect();
    let mut stuck = waiting.into_sorted_vec();
    stuck.dedup();
    stuck.retain(|run| state.runs.at(*run).parked() == Some(Parked::Children));
    loop {
        let reserved = reserved_by(state, &stuck);
        let stays: Vec<u32> = stuck.iter().copied().filter(|run| is_stuck(context, *run, &stuck, &reserved)).collect();
        if stays.len() == stuck.len() {
            return stays;
        }
        stuck = stays;
    }
}

fn is_stuck(Context { state, waits, now, .. }: Context<'_>, run: u32, stuck: &[u32], reserved: &DeadlockedReservations) -> bool {
    waits.own(run).iter().all(|wait| {
        let wait = waits.at(*wait);
        !wait.subtree
            && wait.targets().all(|target| match state.node(target.task.index).run {
                NONE => true,
                at if state.runs.at(at).phase == Phase::Queued => is_starved(state, now, at, reserved),
                at => stuck.binary_search(&at).is_ok(),
            })
    })
}

/// The reservations of these runs, at each node of their paths.
fn reserved_by(state: &State, runs: &[u32]) -> DeadlockedReservations {
    let mut reserved = DeadlockedReservations::new();
    for run in runs.iter().map(|run| state.runs.at(*run)).filter(|run| !run.reserved.is_zero()) {
        for at in ledger::path(&state.tree, run.task) {
            let sum = reserved.entry(at).or_default();
            *sum = sum.plus(run.reserved);
        }
    }
    reserved
}

/// Whether a queued run lacks budget, and wherever it does, only stuck runs have reservations.
fn is_starved(state: &State, now: u64, run: u32, stuck: &DeadlockedReservations) -> bool {
    let record = state.runs.at(run);
    let task = record.task;
    // The program may end a run that waits for it (X6).
    if record.awaits_program
        || state.lingers(task)
        || state.is_cooling(task)
        || state.is_over_rate(now, task)
        || eligibility::has_to_wait(state, task)
        || !record.reserved.is_zero()
    {
        return false;
    }
    let estimate = state.estimate_of(task);
    let mut lacks =
        ledger::rooms(&state.tree, &state.runs, task, Amounts::ZERO).zip(ledger::path(&state.tree, task)).flat_map(|(room, at)| {
            let lacking = Dimension::ALL.into_iter().filter(move |it| room.of(*it) < estimate.of(*it));
            lacking.map(move |dimension| (at, dimension))
        });
    let mut any = false;
    let all = lacks.all(|(at, dimension)| {
        any = true;
        let by_stuck = stuck.get(&at).map_or(0, |reserved| reserved.of(dimension));
        state.node(at).account.reserved.of(dimension) == by_stuck
    });
    any && all
}

/// The time at which to check for a stall. `None` if a slot is free, nothing is queued, or nothing moved since the last check.
pub(crate) fn stall_due(step: &Step<'_>) -> Option<u64> {
    let state = &step.state;
    let is_full = u64::from(state.taken_slots) >= state.limits.max_concurrent;
    let may_stall = is_full && !state.queue.is_empty() && step.log.looked != step.log.count;
    if may_stall { finite(state.now, state.limits.stall_ms) } else { None }
}

/// Notifies the host that nothing moves, if each run that holds a slot has queued work below it.
pub(crate) fn report_stall(step: &mut Step<'_>) {
    if stall_due(step).is_none_or(|at| at > step.now) {
        return;
    }
    step.log.looked = step.log.count;
    if let Some(holders) = stalled(&step.state) {
        let task_ids = holders.into_iter().map(|task| step.state.id_of(step.state.key(task))).collect();
        step.effect(Effect::Report(Rejection::Stalled { task_ids, limit: step.state.limits.max_concurrent }));
    }
}

/// The tasks whose runs hold the slots, if each of them has queued work below it.
fn stalled(state: &State) -> Option<Vec<u32>> {
    // A run that waits for the program needs no slot yet (X6).
    let queued = state.queue.in_order().map(|run| state.runs.at(run)).filter(|run| !run.awaits_program).map(|run| run.task);
    let above: BTreeSet<u32> = queued.flat_map(|task| ledger::path(&state.tree, state.node(task).parent)).collect();
    let mut holders = Vec::new();
    for run in state.runs.indices().map(|index| state.runs.at(index)).filter(|run| run.slot == Slot::Taken) {
        // A run that has ended releases its slot by itself.
        if run.phase != Phase::Open || !above.contains(&run.task) {
            return None;
        }
        holders.push(run.task);
    }
    Some(holders)
}
