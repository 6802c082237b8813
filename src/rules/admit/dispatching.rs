//! Dispatch: who gets a free slot: whoever comes back first, then the queue in its order (D2, S2, S4, B5).

use crate::base::amounts::Amounts;
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::status::{Parked, Status, StopReason};
use crate::model::usage::Loans;
use crate::rules::admit::{admission, rates, starving};
use crate::rules::life::ending;
use crate::rules::money::budget;
use crate::rules::policies;
use crate::state::run::{Phase, Run};
use crate::state::search::{Obstacle, PassedOver, Search};
use crate::state::{ROOT, State, ledger};
use crate::step::Step;

/// Gives free slots away: to those who come back first, then to the queue in its order.
pub(crate) fn dispatch(step: &mut Step<'_>) {
    while !(step.state.queue.is_empty() && step.state.reentry.is_empty()) && rates::next_start(step.state, step.now).is_none() {
        let progress = reenter(step) || start_next(step) || fail_spent(step) || fail_starved(step) || break_deadlock(step);
        if !progress {
            return;
        }
    }
}

fn has_free_slot(state: &State) -> bool {
    u64::from(state.held) < state.limits.max_concurrent
}

/// Lets the first of those who come back take a slot (S2).
fn reenter(step: &mut Step<'_>) -> bool {
    if step.state.reentry.is_empty() || !has_free_slot(step.state) {
        return false;
    }
    let Some(slot) = step.state.reentry.iter().copied().find(|slot| may_reenter(step.state, *slot)) else { return false };
    let run = step.state.runs.at(slot);
    let (task, number, turn_waiting) = (step.state.key(run.task), run.number, run.turn_waiting);
    let aside = budget::turn_to_set_aside(step.state, slot);
    step.record(come_back(step.state, slot, false, aside));
    if turn_waiting {
        step.effect(Effect::TurnReady { task, run: number });
    }
    true
}

/// A run has a slot again, and what is set aside for it then.
pub(in crate::rules) fn come_back(state: &State, slot: u32, over_limit: bool, aside: Option<(Amounts, Option<Box<Loans>>)>) -> Fact {
    let run = state.runs.at(slot);
    let sets_aside = aside.is_some();
    let (hold, loans) = aside.unwrap_or_default();
    Fact::RunReentered { task: state.key(run.task), run: run.number, over_limit, sets_aside, hold, loans }
}

/// Whether a run that comes back could use a slot: its turn's budget is there, if it waits for a turn.
fn may_reenter(state: &State, slot: u32) -> bool {
    let run = state.runs.at(slot);
    !run.turn_waiting || budget::turn_fits(state, slot, run.waiting_estimate)
}

/// Starts the first run in the queue that can start.
fn start_next(step: &mut Step<'_>) -> bool {
    let state = &step.state;
    let blocked = admission::too_many_abandoned(state).is_some();
    if state.queue.is_empty() || !has_free_slot(state) || blocked {
        return false;
    }
    let known = state.search.candidates(&state.tree).is_some();
    let found = if known { look_among(step.state) } else { look_through(step.state) };
    if let Some((run, ready)) = &found {
        start(step, *run, ready);
    }
    found.is_some()
}

/// The first in the queue that can start. That there is none is remembered.
fn look_through(state: &mut State) -> Option<(u32, Ready)> {
    let mut search = Search::default();
    for (place, run) in state.queue.line().iter() {
        match ask(state, run) {
            Ok(ready) => return Some((run, ready)),
            Err(over) => search.pass_over(place, over),
        }
    }
    search.end();
    state.search = search;
    None
}

/// The same where only some can have come to be able to.
fn look_among(state: &mut State) -> Option<(u32, Ready)> {
    let mut search = std::mem::take(&mut state.search);
    let first = search.first(&state.tree, |run| ask(state, run));
    state.search = search;
    first
}

/// Whether a run can start, or why it can't.
fn ask(state: &State, run: u32) -> Result<Ready, PassedOver> {
    may_start(state, run).map_err(|obstacle| {
        let task = state.runs.at(run).task;
        let (unspent, estimate) = (ledger::unspent(&state.tree, task), state.estimate_of(task));
        let spare = unspent.lacks(estimate).is_none().then(|| unspent.minus(estimate));
        PassedOver { run: state.runs.key(run), obstacle, spare }
    })
}

/// The budget of a run that could start.
pub(in crate::rules) struct Ready {
    /// What could be set aside for it.
    free: Amounts,
    /// What one turn of it is expected to need.
    estimate: Amounts,
}

/// Whether a queued run could start if there were a slot, and with what: its task's last host function has
/// returned (L6), its rate limit doesn't cool down (X1), and a turn's budget is there.
fn may_start(state: &State, run: u32) -> Result<Ready, Obstacle> {
    let task = state.runs.at(run).task;
    if state.lingers(task) || rates::is_cooling(state, task) {
        return Err(Obstacle::Other);
    }
    let free = ledger::available(&state.tree, &state.runs, task, Amounts::ZERO);
    let estimate = state.estimate_of(task);
    if free.lacks(estimate).is_some() {
        return Err(ledger::shortage(&state.tree, &state.runs, task, estimate).map_or(Obstacle::OnLoan, Obstacle::Short));
    }
    Ok(Ready { free, estimate })
}

/// Whether anybody who is `ahead` of a newcomer, or comes back, could use a free slot (D3).
pub(in crate::rules) fn is_contested(state: &State, ahead: impl Fn(&Run) -> bool) -> bool {
    let could_start = |run: &u32| may_start(state, *run).is_ok();
    let is_ahead = |run: &u32| ahead(state.runs.at(*run));
    state.reentry.iter().any(|run| may_reenter(state, *run))
        || match state.search.candidates(&state.tree) {
            Some(mut lines) => lines.any(|line| line.iter().map(|(_, run)| run).take_while(is_ahead).any(|run| could_start(&run))),
            None => state.queue.in_order().take_while(is_ahead).any(|run| could_start(&run)),
        }
}

fn start(step: &mut Step<'_>, slot: u32, ready: &Ready) {
    let run = step.state.runs.at(slot);
    let (task, number) = (step.state.key(run.task), run.number);
    let node = step.state.node(task.slot);
    let limits = &step.state.limits;
    let spec = node.spec();
    let max_turns = step.state.max_turns_of(task.slot);
    let timeout_ms = spec.and_then(|spec| spec.timeout_ms).unwrap_or(limits.timeout_ms);
    let idle_timeout_ms = spec.and_then(|spec| spec.idle_timeout_ms).unwrap_or(limits.idle_timeout_ms);
    let (hold, loans) = budget::hold_whole_run(step.state, task, ready.free, ready.estimate);
    step.record(Fact::RunStarted { task, run: number, max_turns, timeout_ms, idle_timeout_ms, hold, loans });
    step.effect(Effect::StartRun { task, run: number });
}

/// Where there is a slot that nobody can use, the first run in the queue fails whose path has too little left
/// beside what was spent: whatever comes free, it will never be enough (B5). Others may go on meanwhile, in
/// other sessions or under other caps, so that this doesn't wait for their end.
fn fail_spent(step: &mut Step<'_>) -> bool {
    if !has_free_slot(step.state) {
        return false;
    }
    while let Some(run) = step.state.search.take_spent() {
        if step.state.runs.contains(run) && step.state.runs.at(run.slot).phase == Phase::Queued {
            let task = step.state.key(step.state.runs.at(run.slot).task);
            ending::end_unstarted(step, task, Status::Failed, StopReason::BudgetExhausted);
            return true;
        }
    }
    false
}

/// Where there is a slot that nobody can use, one fails whose budget nobody would ever give back (B5).
fn fail_starved(step: &mut Step<'_>) -> bool {
    let clogged = admission::too_many_abandoned(step.state).is_some();
    if clogged || !has_free_slot(step.state) {
        return false;
    }
    let Some(run) = starving::first_starved(step.state) else { return false };
    let task = step.state.key(step.state.runs.at(run).task);
    ending::end_unstarted(step, task, Status::Failed, StopReason::BudgetExhausted);
    true
}

/// Where budget is held only by runs that are parked on queued work, nobody would ever give it
/// back: the first queued run in that place fails instead (B5). A run that asks will go on by itself.
fn break_deadlock(step: &mut Step<'_>) -> bool {
    let state = &step.state;
    let asks = |slot: u32| state.runs.at(slot).is_parked(Parked::Input);
    if state.held > 0 || state.runs.slots().any(asks) || admission::too_many_abandoned(state).is_some() {
        return false;
    }
    // Whoever only waits for the time or for a policy comes back, and may free what the others need; so does what an
    // ended run holds, once its host function has returned or is given up (S4).
    let gives_back = |slot: u32| state.runs.at(slot).phase == Phase::Lingering && !state.runs.at(slot).hold.is_zero();
    if rates::anyone_waits(state) || policies::awaits_somebody(state) || state.runs.slots().any(gives_back) {
        return false;
    }
    if let Some(slot) = state.reentry.front().copied().filter(|slot| state.runs.at(*slot).turn_waiting) {
        let run = state.runs.at(slot);
        let (task, number) = (state.key(run.task), run.number);
        step.record(Fact::WrapUpTold { task, run: number, reason: StopReason::BudgetExhausted, until: None });
        step.record(come_back(step.state, slot, false, None));
        step.effect(Effect::TurnReady { task, run: number });
        return true;
    }
    if !held_by_waiting_parents_only(state) {
        return false;
    }
    let Some(slot) = state.queue.in_order().find(|run| !state.lingers(state.runs.at(*run).task)) else { return false };
    let task = state.key(state.runs.at(slot).task);
    ending::end_unstarted(step, task, Status::Failed, StopReason::BudgetExhausted);
    true
}

/// Whether all that is held belongs to runs that wait for sub-agents: nobody else can give any back.
fn held_by_waiting_parents_only(state: &State) -> bool {
    let mut rest = state.node(ROOT).account.held;
    for slot in state.runs.slots() {
        let run = state.runs.at(slot);
        if run.parked() == Some(Parked::Children) {
            rest = rest.zip(run.hold, u64::saturating_sub);
        }
    }
    rest.is_zero()
}
