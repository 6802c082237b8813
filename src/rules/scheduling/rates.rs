//! Rates: shared cooldowns after a rate limit, the rates of keys, and the distance between starts (X1, B11). Owns which runs wait
//! for a time, and until when; not the waits for a slot or for budget.
//!
//! If a limit cools down or a rate is used up, its work stays queued, and other work passes it. A running run continues
//! until it asks for its next turn; then it parks.

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rate::KeyRate;
use crate::model::rejection::Rejection;
use crate::model::status::Parked;
use crate::rules::scheduling::eligibility::has_free_slot;
use crate::rules::scheduling::parking;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Replaces the rates of all keys.
pub(crate) fn set(step: &mut Step<'_>, rates: Vec<KeyRate>) -> Result<Reply, Rejection> {
    for KeyRate { key, requests_per_minute, tokens_per_minute } in &rates {
        if [requests_per_minute, tokens_per_minute].contains(&&Some(0)) {
            let what = format!("the rate of `{key}` must be at least 1 a minute");
            return Err(Rejection::InvalidArgument { argument: Some("rates"), what });
        }
    }
    if step.state.key_rates.rates != rates {
        step.record(Fact::RatesSet { rates });
    }
    Ok(Reply::Done)
}

/// Of the turns that may begin, continues the one that has waited longest for its rate. It counts from now, and takes its slot in
/// this step: without a free slot, no rate is given away.
pub(crate) fn release(step: &mut Step<'_>) -> bool {
    let Some(index) = step.state.first_within_rate(step.now).filter(|_| has_free_slot(&step.state)) else { return false };
    parking::unpark(step, index, Parked::Rate);
    true
}

/// When a turn or a start that waits only for its rate may begin.
pub(crate) fn next(step: &Step<'_>) -> Option<u64> {
    let starts = step.search.keys().filter_map(|key| step.state.start_alone_by_rate(step.now, key));
    starts.chain(step.state.next_turn_by_rate(step.now)).min()
}

/// Opens or lengthens a cooldown for all work with this run's key. A run that has ended opens none: its host could otherwise stop
/// all other work (A1).
/// `left`: the requests and tokens that are left, according to the provider.
pub(crate) fn report(step: &mut Step<'_>, actor: Actor, retry_after_ms: u64, left: (Option<u64>, Option<u64>)) -> Result<Reply, Rejection> {
    let Actor::Run(task, _) = actor else {
        return Err(Rejection::InvalidArgument { argument: None, what: "only a run reports a rate limit".into() });
    };
    step.state.place_of(actor)?;
    if !step.state.tree.contains(task) {
        return Ok(Reply::Done);
    }
    let key: Text = step.state.rate_limit_key(task.index).into();
    let (requests, tokens) = left;
    if (requests.is_some() || tokens.is_some()) && step.state.key_rates.of(&key).is_some() {
        step.record(Fact::RateLeft { key: key.clone(), requests, tokens });
    }
    if retry_after_ms == 0 {
        return Ok(Reply::Done);
    }
    let until = step.now.saturating_add(retry_after_ms.min(step.state.limits.max_cooldown_ms));
    if step.state.rates.until(&key).is_some_and(|before| before >= until) {
        return Ok(Reply::Done);
    }
    end_surplus(step, &key);
    step.record(Fact::CooldownSet { key: key.clone(), until });
    // A run that queues for a turn would take a slot only to release it again.
    let in_line: Vec<u32> = step.state.reentry.iter().copied().filter(|run| step.state.runs.at(*run).waiting_turn.is_some()).collect();
    for index in in_line {
        let RunKey { task, run } = step.state.run_key(index);
        if step.state.rate_limit_key(task.index) == &*key {
            step.record(Fact::RunParked { task, run, why: Parked::Cooldown, waits_for: Vec::new() });
        }
    }
    Ok(Reply::Done)
}

/// If there are too many cooldowns, ends those with the earliest end.
fn end_surplus(step: &mut Step<'_>, key: &str) {
    let most = usize::try_from(step.state.limits.max_cooldowns).unwrap_or(usize::MAX);
    if step.state.rates.until(key).is_some() {
        return;
    }
    while step.state.rates.cooldowns.len() >= most {
        end_first(step);
    }
}

/// Ends the cooldowns whose time has come.
pub(crate) fn end_due(step: &mut Step<'_>) {
    while step.state.rates.first().is_some_and(|cooldown| cooldown.until <= step.now) {
        end_first(step);
    }
}

/// Ends the cooldown with the earliest end: runs parked for it continue, in the order in which they started.
pub(crate) fn end_first(step: &mut Step<'_>) {
    let Some(key) = step.state.rates.first().map(|cooldown| cooldown.key.clone()) else { return };
    step.record(Fact::CooldownOver { key: key.clone() });
    let state = &step.state;
    let waits = |index: &u32| {
        let run = state.runs.at(*index);
        run.phase == Phase::Open && run.is_parked(Parked::Cooldown) && state.rate_limit_key(run.task) == &*key
    };
    let place = |index: u32| (state.runs.at(index).started_at, state.runs.at(index).place.ticket);
    // Inserted in order one by one: a sort is kilobytes of code, and the runs are few.
    let mut parked: Vec<u32> = Vec::new();
    for index in state.runs.indices().filter(waits) {
        parked.insert(parked.partition_point(|other| place(*other) < place(index)), index);
    }
    for index in parked {
        parking::unpark(step, index, Parked::Cooldown);
    }
}
