//! Eligibility: which queued or re-entering runs could use a free slot (D2, S2, L6, X1). Owns these conditions; changes
//! nothing.

use crate::base::amounts::{Amounts, Dimension};
use crate::base::slab::NONE;
use crate::rules::budget::reserving;
use crate::search::Obstacle;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Shortage;
use crate::state::runs::run::Run;
use crate::step::Context;

/// The budget of a run that could start.
pub(crate) struct Ready {
    /// The budget that can be reserved for it.
    pub(crate) free: Amounts,
    /// The expected need of one of its turns.
    pub(crate) estimate: Amounts,
}

pub(crate) fn has_free_slot(state: &State) -> bool {
    u64::from(state.taken_slots) < state.limits.max_concurrent
}

/// Whether a returning run could use a slot. If it waits for a turn, that turn's budget must be available.
pub(crate) fn may_reenter(state: &State, index: u32) -> bool {
    let run = state.runs.at(index);
    run.waiting_turn.is_none_or(|turn| reserving::turn_fits(state, index, turn.estimate))
}

/// Whether a queued run could start in a free slot, and with which budget. Its task's last host function must have returned (L6).
/// Its rate limit must not be cooling down (X1), and its rate must not be used up (B11). A turn's budget must be available. If a
/// surviving host works on one of its turns, the run continues with that turn's reservation alone (J3).
pub(crate) fn may_start(state: &State, now: u64, run: u32) -> Result<Ready, Obstacle> {
    let task = state.runs.at(run).task;
    if state.lingers(task) || state.is_cooling(task) || has_to_wait(state, task) {
        return Err(Obstacle::Other);
    }
    if state.is_over_rate(now, task) {
        return Err(Obstacle::Rate(state.rate_limit_key(task).into()));
    }
    if !state.runs.at(run).reserved.is_zero() {
        return Ok(Ready { free: Amounts::ZERO, estimate: Amounts::ZERO });
    }
    if !state.is_capped {
        return Ok(Ready { free: Amounts::UNCAPPED, estimate: Amounts::ZERO });
    }
    let free = ledger::available(&state.tree, &state.runs, task, Amounts::ZERO);
    let estimate = state.estimate_of(task);
    if free.lacks(estimate).is_some() {
        return Err(short_of(state, task, estimate));
    }
    Ok(Ready { free, estimate })
}

/// The shortage of a run with too little budget. Unless its need of tokens is given, a usual turn's tokens count.
fn short_of(state: &State, task: u32, estimate: Amounts) -> Obstacle {
    let Some(short) = ledger::shortage(&state.tree, &state.runs, task, estimate) else { return Obstacle::OnLoan };
    if short.dimension != Dimension::Tokens {
        return Obstacle::Short(short);
    }
    match state.learns_from(task) {
        (NONE, _) => Obstacle::Short(short),
        (learner, needed) => Obstacle::Short(Shortage { needed, learner, ..short }),
    }
}

/// Whether queued work waits for another process, or for something that this process lacks (D8, J3).
pub(crate) fn has_to_wait(state: &State, task: u32) -> bool {
    state.is_left(task) || state.lacks_for(task).is_some()
}

/// Whether another run could use a free slot (D3): one before this place, one returning, or one whose rate now allows its turn.
#[inline]
pub(crate) fn is_contested(context: Context<'_>, place: (i64, u64)) -> bool {
    let state = context.state;
    let is_free = state.queue.is_empty() && state.reentry.is_empty() && state.key_rates.parked == 0;
    !is_free && is_one_ahead(context, place)
}

#[inline(never)]
fn is_one_ahead(Context { state, search, now, .. }: Context<'_>, place: (i64, u64)) -> bool {
    let ahead = |run: &Run| (run.place.rank, run.place.round) <= place;
    let could_start = |run: &u32| may_start(state, now, *run).is_ok();
    let is_ahead = |run: &u32| ahead(state.runs.at(*run));
    state.reentry.iter().any(|run| may_reenter(state, *run))
        || state.first_within_rate(now).is_some()
        || match search.candidates(state, |key| state.start_by_rate(now, key).is_none()) {
            Some(mut lines) => lines.any(|line| line.iter().map(|(_, run)| run).take_while(is_ahead).any(|run| could_start(&run))),
            None => state.queue.in_order().take_while(is_ahead).any(|run| could_start(&run)),
        }
}
