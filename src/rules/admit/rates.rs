//! Rates: shared cooldowns after a rate limit, and the distance between starts (X1). Owns who has to wait
//! for the time, and when that is over; never for a slot or for budget.
//!
//! Work whose limit cools down stays queued, and others pass it. A run that is under way goes on until it
//! asks for its next turn; then it parks.

use crate::base::codec::Text;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::Parked;
use crate::rules::life::waiting;
use crate::state::run::Phase;
use crate::step::Step;

/// Opens a cooldown for all work with the speaker's key, or lengthens it. A run that has ended opens none: its
/// host could otherwise stop the work of all others (A1).
pub(crate) fn report(step: &mut Step<'_>, actor: Actor, retry_after_ms: u64) -> Result<Reply, Rejection> {
    let Actor::Run(task, _) = actor else {
        return Err(Rejection::InvalidArgument { argument: None, what: "only a run reports a rate limit".into() });
    };
    step.state.place_of(actor)?;
    if !step.state.tree.contains(task) || retry_after_ms == 0 {
        return Ok(Reply::Done);
    }
    let key: Text = step.state.rate_limit_key(task.index).into();
    let until = step.now.saturating_add(retry_after_ms.min(step.state.limits.max_cooldown_ms));
    if step.state.rates.until(&key).is_some_and(|before| before >= until) {
        return Ok(Reply::Done);
    }
    make_room(step, &key);
    step.record(Fact::CooldownSet { key: key.clone(), until });
    // A run that stands in line for a turn would only take a slot to give it up again.
    let in_line: Vec<u32> = step.state.reentry.iter().copied().filter(|run| step.state.runs.at(*run).turn_waiting).collect();
    for index in in_line {
        let run = step.state.runs.at(index);
        if step.state.rate_limit_key(run.task) == &*key {
            let (task, run) = (step.state.key(run.task), run.number);
            step.record(Fact::RunParked { task, run, why: Parked::Cooldown, waits_for: Vec::new() });
        }
    }
    Ok(Reply::Done)
}

/// Ends cooldowns, the one that is over first before the others, where there are too many.
fn make_room(step: &mut Step<'_>, key: &str) {
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

/// Ends the cooldown that is over first: those that parked for it go on, in the order in which they once started.
pub(crate) fn end_first(step: &mut Step<'_>) {
    let Some(key) = step.state.rates.first().map(|cooldown| cooldown.key.clone()) else { return };
    step.record(Fact::CooldownOver { key: key.clone() });
    let state = &step.state;
    let waits = |index: &u32| {
        let run = state.runs.at(*index);
        run.phase == Phase::Open && run.is_parked(Parked::Cooldown) && state.rate_limit_key(run.task) == &*key
    };
    let place = |index: u32| (state.runs.at(index).started_at, state.runs.at(index).ticket);
    // Put in their order one by one: a sort is kilobytes of code, and there are few.
    let mut parked: Vec<u32> = Vec::new();
    for index in state.runs.indices().filter(waits) {
        parked.insert(parked.partition_point(|other| place(*other) < place(index)), index);
    }
    for index in parked {
        waiting::unpark(step, index, Parked::Cooldown);
    }
}
