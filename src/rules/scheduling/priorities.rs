//! Priorities: a run has its task's priority, or the highest of those who wait for it (D2). Those are the caller of foreground
//! work, and each run with an open wait. Owns that computation. A new wait raises queued runs; the end of a wait lowers none,
//! because a place never gets worse.

use crate::base::slab::NONE;
use crate::model::fact::Fact;
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::state::scheduling::queue;
use crate::step::{Context, Step};

/// The priority of a task that exists.
pub(crate) fn of(context: Context<'_>, index: u32) -> i64 {
    let mut waiters = Vec::new();
    add_waiters(context, index, &mut waiters);
    at_least(context, context.state.node(index).parent, waiters, own(context.state, index))
}

/// The priority of a child of `parent` that is about to be spawned.
#[inline(always)]
pub(crate) fn below(context: Context<'_>, parent: u32, background: bool, own: i64) -> i64 {
    if background || !context.state.node(parent).is_task() { own } else { at_least_as(context, parent, own) }
}

/// The priority of work for which a task waits.
#[inline(never)]
fn at_least_as(context: Context<'_>, waiter: u32, own: i64) -> i64 {
    at_least(context, waiter, vec![waiter], own)
}

fn own(state: &State, index: u32) -> i64 {
    state.node(index).spec().and_then(|spec| spec.priority).unwrap_or(0)
}

/// The priority of work that these tasks wait for, which are all at `at` or further up. It is at least theirs, and at least that
/// of the tasks that wait for them in turn.
fn at_least(context: Context<'_>, mut at: u32, mut waiters: Vec<u32>, mut priority: i64) -> i64 {
    let state = context.state;
    if *state.prioritised == 0 && priority >= 0 {
        return priority;
    }
    while !waiters.is_empty() && at != NONE {
        if waiters.contains(&at) {
            waiters.retain(|waiter| *waiter != at);
            priority = priority.max(own(state, at));
            add_waiters(context, at, &mut waiters);
        }
        at = state.node(at).parent;
    }
    priority
}

fn add_waiter(state: &State, index: u32, waiters: &mut Vec<u32>) {
    if state.node(index).is_task() {
        waiters.push(index);
    }
}

/// Whether foreground work was, or is about to be, queued for its parent's active run. Once that run is over, the parent no
/// longer waits for the work.
fn works_for_parent(state: &State, index: u32) -> bool {
    let node = state.node(index);
    let above = state.speaking_run(node.parent);
    !node.background && above != 0 && (node.run == NONE || node.parent_run == above)
}

/// Adds the tasks whose runs wait for this one.
fn add_waiters(Context { state, waits, .. }: Context<'_>, index: u32, waiters: &mut Vec<u32>) {
    let node = state.node(index);
    if works_for_parent(state, index) {
        add_waiter(state, node.parent, waiters);
    }
    let between_runs = waits.idling.iter().filter(|(task, _)| *task == index).map(|(_, wait)| wait);
    for wait in waits.waiters(node.run).iter().chain(between_runs) {
        let run = waits.at(*wait).run;
        if run != NONE {
            add_waiter(state, state.runs.at(run).task, waiters);
        }
    }
}

/// A run has begun to wait for these tasks: raises their queued runs, and the queued runs that these wait for in turn.
pub(crate) fn raise(step: &mut Step<'_>, targets: impl Iterator<Item = u32>) {
    if step.state.queue.is_empty() {
        return;
    }
    for top in targets {
        let is_queued = |index: &u32| step.state.node(*index).run != NONE && step.state.run_of(*index).phase == Phase::Queued;
        let queued: Vec<u32> = std::iter::once(top).chain(step.state.below(top)).filter(is_queued).collect();
        for index in queued {
            let run = step.state.run_of(index);
            let (task, number) = (step.state.key(index), run.number);
            // The rank plus the old priority is the time at which the work came. Adding first keeps the sums small, however high
            // or low a priority is.
            let rank = queue::behind_begun(run.place.rank.saturating_add(run.priority).saturating_sub(of(step.context(), index)));
            if rank < run.place.rank {
                step.record(Fact::RunRaised { task, run: number, rank });
            }
        }
    }
}
