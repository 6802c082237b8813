//! What work that has not begun waits for (D4). Owns the order of the reasons; asks the rooms that know, and keeps
//! nothing.

use crate::base::amounts::Amounts;
use crate::base::slab::NONE;
use crate::model::status::WaitingFor;
use crate::rules::admit::admission::{self, Newcomer};
use crate::rules::admit::{dispatching, rates};
use crate::state::ledger::{self, Account};
use crate::state::run::Phase;
use crate::state::{ROOT, State};

/// What a task waits for: with a run that is queued or is to be tried again, or with messages that an interrupt holds
/// back. Nothing where it has started, or has nothing to run.
pub(crate) fn waits_for(state: &State, now: u64, task: u32) -> Option<WaitingFor> {
    let node = state.node(task);
    let run = state.run_of(task);
    let why = match (node.run, run.phase) {
        (NONE, _) if node.is_held() && node.queued_messages() > 0 => WaitingFor::Held,
        (NONE, _) => return None,
        (_, Phase::Backoff) => WaitingFor::Retry,
        (_, Phase::Queued) => return Some(obstacle(state, now, task).unwrap_or(WaitingFor::Slot)),
        (_, Phase::Open | Phase::Lingering | Phase::Abandoned) => return None,
    };
    Some(if is_blocked(state) { WaitingFor::Abandoned } else { why })
}

/// What a run will wait for that is about to stand at this place in the queue; nothing where it starts in this step.
pub(crate) fn about_to_wait_for(state: &State, now: u64, task: u32, place: (i64, u64)) -> Option<WaitingFor> {
    obstacle(state, now, task).or_else(|| waits_for_slot(state, place))
}

/// The same for the first run of a task that is about to be admitted.
pub(crate) fn newcomer_waits_for(state: &State, now: u64, newcomer: &Newcomer, cools: bool, place: (i64, u64)) -> Option<WaitingFor> {
    let lacks_budget = newcomer.available.lacks(newcomer.estimate).is_some();
    passing(state, now, false, cools).or_else(|| lacks_budget.then_some(WaitingFor::Budget)).or_else(|| waits_for_slot(state, place))
}

fn waits_for_slot(state: &State, place: (i64, u64)) -> Option<WaitingFor> {
    let free = u64::from(state.held) < state.limits.max_concurrent;
    let contested = || dispatching::is_contested(state, |run| (run.rank, run.round) <= place);
    (!free || contested()).then_some(WaitingFor::Slot)
}

fn is_blocked(state: &State) -> bool {
    admission::too_many_abandoned(state).is_some()
}

/// What keeps a run from starting even if a slot were free.
fn obstacle(state: &State, now: u64, task: u32) -> Option<WaitingFor> {
    passing_of(state, now, task).or_else(|| lacks_budget(state, task).then_some(WaitingFor::Budget))
}

/// The same, budget aside.
fn passing_of(state: &State, now: u64, task: u32) -> Option<WaitingFor> {
    passing(state, now, state.lingers(task), rates::is_cooling(state, task))
}

fn passing(state: &State, now: u64, lingers: bool, cools: bool) -> Option<WaitingFor> {
    if is_blocked(state) {
        Some(WaitingFor::Abandoned)
    } else if lingers {
        Some(WaitingFor::Host)
    } else if cools {
        Some(WaitingFor::Cooldown)
    } else {
        rates::next_start(state, now).map(|_| WaitingFor::Stagger)
    }
}

fn lacks_budget(state: &State, task: u32) -> bool {
    let available = ledger::available(&state.tree, &state.runs, task, Amounts::ZERO);
    available.lacks(state.estimate_of(task)).is_some()
}

/// How many wait for each thing, as each one's snapshot says of itself.
pub(crate) fn count(state: &State, now: u64) -> [u32; WaitingFor::ALL.len()] {
    let mut counts = [0_u32; WaitingFor::ALL.len()];
    let mut note = |why: WaitingFor, more: u32| {
        if let Some(count) = counts.get_mut(usize::from(why.number())) {
            *count = count.saturating_add(more);
        }
    };
    let held = state.below(ROOT).filter(|task| state.node(*task).is_held() && state.node(*task).run == NONE);
    let held = u32::try_from(held.filter(|task| state.node(*task).queued_messages() > 0).count()).unwrap_or(u32::MAX);
    if is_blocked(state) {
        note(WaitingFor::Abandoned, u32::try_from(state.queued()).unwrap_or(u32::MAX).saturating_add(held));
        return counts;
    }
    note(WaitingFor::Held, held);
    note(WaitingFor::Retry, state.retrying);
    // Most that wait have the same parent and cap, and nothing spent: what holds for one of them holds for the next.
    let mut last: Option<(u32, Account, Option<u64>, bool)> = None;
    for run in state.queue.in_order() {
        let task = state.runs.at(run).task;
        let node = state.node(task);
        let why = passing_of(state, now, task).unwrap_or_else(|| {
            let like = (node.parent, node.account, node.spec().and_then(|spec| spec.turn_estimate));
            let lacks = match last {
                Some((parent, account, estimate, lacks)) if (parent, account, estimate) == like => lacks,
                _ => lacks_budget(state, task),
            };
            last = Some((like.0, like.1, like.2, lacks));
            if lacks { WaitingFor::Budget } else { WaitingFor::Slot }
        });
        note(why, 1);
    }
    counts
}
