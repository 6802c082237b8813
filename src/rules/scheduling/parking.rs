//! Parking: why a run parks, and how it gets a slot again (S1, S2). Owns the facts of both.

use crate::base::amounts::Amounts;
use crate::base::run_key::RunKey;
use crate::model::fact::Fact;
use crate::model::status::Parked;
use crate::model::usage::Loans;
use crate::state::State;
use crate::step::Step;

/// One reason to park is over: the run re-enters, unless others remain.
pub(crate) fn unpark(step: &mut Step<'_>, index: u32, why: Parked) {
    let RunKey { task, run } = step.state.run_key(index);
    let parks = next_park(&step.state, index, why);
    step.record(Fact::RunUnparked { task, run, why, parks });
    resume(step, index);
}

/// The next reason to park after `over`; `None` if other reasons remain, or the run re-enters now.
pub(crate) fn next_park(state: &State, index: u32, over: Parked) -> Option<Parked> {
    let run = state.runs.at(index);
    if !run.is_parked_only(over) || (run.turns == 0 && run.waiting_turn.is_none()) {
        return None;
    }
    if run.waiting_turn.is_some() && state.is_cooling(run.task) {
        return Some(Parked::Cooldown);
    }
    let is_over = over != Parked::Rate && run.waiting_turn.is_some_and(|turn| state.is_turn_over_rate(state.now, index, turn.estimate));
    Some(if is_over { Parked::Rate } else { Parked::Reentry })
}

/// Lets a run without a reason to park continue: its host reports no turns.
pub(crate) fn resume(step: &mut Step<'_>, index: u32) {
    if step.state.runs.at(index).parks == 0 {
        let over_limit = u64::from(step.state.taken_slots) >= step.state.limits.max_concurrent;
        step.record(reentered(&step.state, index, over_limit, None));
    }
}

/// The fact that a run has a slot again, with its new reservation.
pub(crate) fn reentered(state: &State, index: u32, over_limit: bool, reservation: Option<(Amounts, Option<Box<Loans>>)>) -> Fact {
    let run = state.runs.at(index);
    let (reserved, loans) = reservation.map_or((None, None), |(reserved, loans)| (Some(reserved), loans));
    Fact::RunReentered { task: state.key(run.task), run: run.number, over_limit, reserved, loans }
}
