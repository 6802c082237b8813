//! Dispatch: which runs get a free slot: re-entries first, then the queue in its order (D2, S2, S4, B5). Owns that
//! order, and when a run fails because no slot would help it; `deadlock.rs` finds the runs that starve.

use crate::base::amounts::Amounts;
use crate::base::run_key::RunKey;
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::status::{Parked, Status, StopReason};
use crate::rules::budget::reserving;
use crate::rules::runs::ending;
use crate::rules::scheduling::eligibility::{Ready, has_free_slot};
use crate::rules::scheduling::{deadlock, eligibility, parking, rates};
use crate::search::{Blocked, Search};
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;
use crate::state::{ROOT, State};
use crate::step::Step;

/// Up to this many queued runs are checked again rather than remembered.
const FEW: usize = 32;

/// Whether no run waits for a slot, or for its rate.
#[inline]
pub(crate) fn has_none(state: &State) -> bool {
    state.queue.is_empty() && state.reentry.is_empty() && state.key_rates.parked == 0
}

/// Gives free slots to returning runs first, then to the queue in its order.
pub(crate) fn dispatch(step: &mut Step<'_>) {
    while !has_none(&step.state) && step.state.next_start(step.now).is_none() {
        let progress =
            reenter(step) || rates::release(step) || start_next(step) || fail_spent(step) || fail_starved(step) || break_deadlock(step);
        if !progress {
            return;
        }
    }
}

/// Lets the first returning run that can use a slot take it (S2).
fn reenter(step: &mut Step<'_>) -> bool {
    if step.state.reentry.is_empty() || !has_free_slot(&step.state) {
        return false;
    }
    let Some(index) = step.state.reentry.iter().copied().find(|index| eligibility::may_reenter(&step.state, *index)) else { return false };
    let run = step.state.runs.at(index);
    let (task, number, turn_waiting) = (step.state.key(run.task), run.number, run.waiting_turn.is_some());
    let reservation = reserving::next_turn_reservation(&step.state, index);
    step.record(parking::reentered(&step.state, index, false, reservation));
    if turn_waiting {
        step.effect(Effect::TurnReady { task, run: number });
    }
    true
}

/// Starts the first run in the queue that can start.
fn start_next(step: &mut Step<'_>) -> bool {
    let state = &step.state;
    let blocked = state.too_many_abandoned().is_some();
    if state.queue.is_empty() || !has_free_slot(state) || blocked {
        return false;
    }
    let known = step.search.is_done();
    let found = if known { search_changed(step) } else { search_all(step) };
    if let Some((run, ready)) = &found {
        start(step, *run, ready);
    }
    found.is_some()
}

/// The first queued run that can start. If there is none, the search remembers that.
fn search_all(step: &mut Step<'_>) -> Option<(u32, Ready)> {
    let mut search = Search::default();
    let state = &*step.state;
    let mut line = state.queue.line().iter();
    let mut passed: usize = 0;
    while let Some((place, run)) = line.next() {
        match ask(state, step.now, run) {
            Ok(ready) => {
                // If more were passed over than are left, it costs less to remember them than to check them again.
                if passed > FEW && state.queue.len().saturating_sub(passed) <= passed {
                    search.leave(place, run);
                    line.for_each(|(place, run)| search.leave(place, run));
                    search.end();
                    *step.search = search;
                }
                return Some((run, ready));
            }
            Err(over) => search.pass_over(place, over),
        }
        passed = passed.saturating_add(1);
    }
    search.end();
    *step.search = search;
    None
}

/// The same, among the queued runs that may have become able to start.
fn search_changed(step: &mut Step<'_>) -> Option<(u32, Ready)> {
    let state = &*step.state;
    let now = step.now;
    step.search.first(state, |key| state.start_by_rate(now, key).is_none(), |run| ask(state, now, run))
}

/// Whether a run can start, or why it can't.
fn ask(state: &State, now: u64, run: u32) -> Result<Ready, Blocked> {
    eligibility::may_start(state, now, run).map_err(|obstacle| {
        let task = state.runs.at(run).task;
        let (unspent, estimate) = (ledger::unspent(&state.tree, task), state.estimate_of(task));
        // A run that waits for its session or another process may get a larger cap there, so it doesn't count as spent (D8, J3).
        // Nor does a run whose turn is paid for.
        let spare = if eligibility::has_to_wait(state, task) || !state.runs.at(run).reserved.is_zero() {
            Some(Amounts::UNCAPPED)
        } else {
            unspent.lacks(estimate).is_none().then(|| unspent.minus(estimate))
        };
        Blocked { run: state.runs.key(run), obstacle, spare }
    })
}

/// Starts a queued run that can start.
pub(crate) fn start(step: &mut Step<'_>, index: u32, ready: &Ready) {
    let RunKey { task, run } = step.state.run_key(index);
    let max_turns = step.state.max_turns_of(task.index);
    let (timeout_ms, idle_timeout_ms) = step.state.timeouts_of(task.index);
    let (reserved, loans) = reserving::reserve_whole_run(&step.state, task, ready.free, ready.estimate);
    step.record(Fact::RunStarted { task, run, max_turns, timeout_ms, idle_timeout_ms, reserved, loans });
    step.effect(Effect::StartRun { task, run });
}

/// If no run can use a free slot, fails the first queued run whose path has too little left after spending. No release would ever
/// be enough (B5). Other runs may continue, in other sessions or under other caps, so this doesn't wait for their end.
fn fail_spent(step: &mut Step<'_>) -> bool {
    if !has_free_slot(&step.state) {
        return false;
    }
    while let Some(run) = step.search.take_spent() {
        let is_queued = step.state.runs.contains(run) && step.state.runs.at(run.index).phase == Phase::Queued;
        // An end since the search may have left the run to the next process, which may have more to spend (D8).
        let task = step.state.runs.at(run.index).task;
        if is_queued && !eligibility::has_to_wait(&step.state, task) {
            // Turns may take less now than at the first check (B13).
            if ledger::unspent(&step.state.tree, task).lacks(step.state.estimate_of(task)).is_none() {
                step.search.ask_again(step.state.runs.at(run.index).place, run.index);
                return true;
            }
            let lost = step.state.runs.at(run.index).previous.as_ref().is_some_and(|previous| previous.reason.is_lost());
            let task = step.state.key(step.state.runs.at(run.index).task);
            // Its process died, and no budget is left to continue (J3).
            let reason = if lost { StopReason::HostLost } else { StopReason::BudgetExhausted };
            ending::end_unstarted(step, task, Status::Failed, reason);
            return true;
        }
    }
    false
}

/// If no run can use a free slot, fails a queued run whose budget no other run would ever release (B5).
fn fail_starved(step: &mut Step<'_>) -> bool {
    let clogged = step.state.too_many_abandoned().is_some();
    if clogged || !has_free_slot(&step.state) {
        return false;
    }
    if !step.search.lacks_budget() {
        return false;
    }
    let Some(run) = deadlock::first_starved(step.context()) else { return false };
    let task = step.state.key(step.state.runs.at(run).task);
    ending::end_unstarted(step, task, Status::Failed, StopReason::BudgetExhausted);
    true
}

/// Breaks a deadlock in which no run would ever release budget (B5). The first run that re-enters for a turn wraps up; else the
/// first queued run fails, if only waiting parents hold budget. A run that asks will continue by itself.
fn break_deadlock(step: &mut Step<'_>) -> bool {
    let state = &step.state;
    // Cheap checks come first: each of the others looks through all runs.
    if state.taken_slots > 0 || state.retrying > 0 || state.too_many_abandoned().is_some() || state.awaits_rates(step.now) {
        return false;
    }
    let asks = |index: u32| state.runs.at(index).is_parked(Parked::Input);
    if state.runs.indices().any(asks) {
        return false;
    }
    // A run that waits only for a time or a policy continues by itself, and may then release the budget. So may an ended run,
    // once its host function has returned or is abandoned (S4). So may a run that waits for a run which the program may end (X6).
    let gives_back = |index: u32| {
        let run = state.runs.at(index);
        (run.lingers() && !run.reserved.is_zero()) || (run.awaits_program && step.waits.is_awaited_by_run(index))
    };
    if state.awaits_approval() || state.runs.indices().any(gives_back) {
        return false;
    }
    if let Some(index) = state.reentry.front().copied().filter(|index| state.runs.at(*index).waiting_turn.is_some()) {
        let RunKey { task, run } = state.run_key(index);
        step.record(Fact::WrapUpRequested { task, run, stop_reason: StopReason::BudgetExhausted, until: None });
        step.record(parking::reentered(&step.state, index, false, None));
        step.effect(Effect::TurnReady { task, run });
        return true;
    }
    if !held_by_waiting_parents_only(state) {
        return false;
    }
    let waits_for_host = |task: u32| state.lingers(task) || eligibility::has_to_wait(state, task);
    let Some(index) = state.queue.in_order().find(|run| !waits_for_host(state.runs.at(*run).task)) else { return false };
    let task = state.key(state.runs.at(index).task);
    ending::end_unstarted(step, task, Status::Failed, StopReason::BudgetExhausted);
    true
}

/// Whether runs that wait for sub-agents hold all reservations: no other run can release any.
fn held_by_waiting_parents_only(state: &State) -> bool {
    let mut rest = state.node(ROOT).account.reserved;
    for index in state.runs.indices() {
        let run = state.runs.at(index);
        if run.parked() == Some(Parked::Children) {
            rest = rest.zip(run.reserved, u64::saturating_sub);
        }
    }
    rest.is_zero()
}
