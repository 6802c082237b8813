//! Rates: shared cooldowns after a rate limit, and the distance between starts (X1). Owns who has to wait
//! for the time, and when that is over; never for a slot or for budget.
//!
//! Work whose limit cools down stays queued, and others pass it. A run that is under way goes on until it
//! asks for its next turn; then it parks.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::Parked;
use crate::rules::clock;
use crate::rules::life::waiting;
use crate::state::State;
use crate::state::run::{Phase, Run};
use crate::step::Step;

/// The key of a task's rate limit. Those that were given none share one.
fn key_of(state: &State, task: u32) -> &str {
    state.node(task).spec().and_then(|spec| spec.rate_limit_key.as_deref()).unwrap_or_default()
}

/// Whether the rate limit of a task cools down.
pub(crate) fn is_cooling(state: &State, task: u32) -> bool {
    !state.rates.cooldowns.is_empty() && cools(state, key_of(state, task))
}

/// Whether the rate limit with this key does.
pub(crate) fn cools(state: &State, key: &str) -> bool {
    state.rates.until(key).is_some()
}

/// When the next start may be, where that is later than now.
pub(crate) fn next_start(state: &State, now: u64) -> Option<u64> {
    let next = state.rates.last_start.map(|last| last.saturating_add(state.limits.stagger_ms));
    next.filter(|at| *at > now)
}

/// When new work with this key may start, where that is later than now.
pub(crate) fn ready_at(state: &State, now: u64, key: Option<&str>) -> Option<u64> {
    let cooled = if state.rates.cooldowns.is_empty() { None } else { state.rates.until(key.unwrap_or_default()) };
    cooled.filter(|until| *until > now).max(next_start(state, now))
}

/// The same for a task that exists.
pub(crate) fn task_ready_at(state: &State, now: u64, task: u32) -> Option<u64> {
    ready_at(state, now, Some(key_of(state, task)))
}

/// Whether anything waits for a cooldown alone: then nobody is stuck, whatever else is missing.
pub(crate) fn anyone_waits(state: &State) -> bool {
    let cools = |run: &Run| match run.phase {
        Phase::Queued => is_cooling(state, run.task),
        Phase::Open => run.is_parked(Parked::Cooldown),
        Phase::Backoff | Phase::Lingering | Phase::Abandoned => false,
    };
    state.runs.slots().any(|slot| cools(state.runs.at(slot)))
}

/// Opens a cooldown for all work with the speaker's key, or lengthens it. A run that has ended opens none: whoever
/// keeps it could stop the work of everybody else (A1).
pub(crate) fn report(step: &mut Step<'_>, actor: Actor, retry_after_ms: u64) -> Result<Reply, Rejection> {
    let Actor::Run(task, _) = actor else {
        return Err(Rejection::InvalidArgument { argument: None, what: "only a run reports a rate limit".into() });
    };
    step.state.place_of(actor)?;
    if !step.state.tree.contains(task) || retry_after_ms == 0 {
        return Ok(Reply::Done);
    }
    let key: Text = key_of(step.state, task.slot).into();
    let until = step.now.saturating_add(retry_after_ms.min(step.state.limits.max_cooldown_ms));
    if step.state.rates.until(&key).is_some_and(|before| before >= until) {
        return Ok(Reply::Done);
    }
    make_room(step, &key);
    step.record(Fact::CooldownSet { key: key.clone(), until });
    // Whoever stands in line for a turn would only take a slot to give it up again.
    let in_line: Vec<u32> = step.state.reentry.iter().copied().filter(|run| step.state.runs.at(*run).turn_waiting).collect();
    for slot in in_line {
        let run = step.state.runs.at(slot);
        if key_of(step.state, run.task) == &*key {
            let (task, run) = (step.state.key(run.task), run.number);
            step.record(Fact::RunParked { task, run, why: Parked::Cooldown });
        }
    }
    Ok(Reply::Done)
}

/// Ends the cooldown that would end first where there are too many.
fn make_room(step: &mut Step<'_>, key: &str) {
    let most = usize::try_from(step.state.limits.max_cooldowns).unwrap_or(usize::MAX);
    if step.state.rates.until(key).is_some() {
        return;
    }
    while step.state.rates.cooldowns.len() >= most {
        let Some(first) = step.state.rates.cooldowns.iter().min_by_key(|cooldown| cooldown.until) else { return };
        let key = first.key.clone();
        end(step, key);
    }
}

/// When something that waits for the time alone can go on.
pub(crate) fn next(state: &State, now: u64) -> Option<u64> {
    let cooled = state.rates.cooldowns.iter().map(|cooldown| cooldown.until).filter(|until| *until < u64::MAX).min();
    let waits = !(state.queue.is_empty() && state.reentry.is_empty());
    let start = next_start(state, now).filter(|at| waits && *at < u64::MAX);
    clock::earlier(cooled, start)
}

/// Ends the cooldowns whose time has come.
pub(crate) fn fire_due(step: &mut Step<'_>) {
    while let Some(due) = step.state.rates.cooldowns.iter().find(|cooldown| cooldown.until <= step.now) {
        let key = due.key.clone();
        end(step, key);
    }
}

/// Ends a cooldown: those that parked for it go on, in the order in which they once started.
fn end(step: &mut Step<'_>, key: Text) {
    step.record(Fact::CooldownOver { key: key.clone() });
    let state = &step.state;
    let waits = |slot: &u32| {
        let run = state.runs.at(*slot);
        run.phase == Phase::Open && run.is_parked(Parked::Cooldown) && key_of(state, run.task) == &*key
    };
    let place = |slot: u32| (state.runs.at(slot).started_at, state.runs.at(slot).ticket);
    // Put in their order one by one: a sort is kilobytes of code, and there are few.
    let mut parked: Vec<u32> = Vec::new();
    for slot in state.runs.slots().filter(waits) {
        parked.insert(parked.partition_point(|other| place(*other) < place(slot)), slot);
    }
    for slot in parked {
        let run = step.state.runs.at(slot);
        let (task, number): (Key, u32) = (step.state.key(run.task), run.number);
        step.record(Fact::RunUnparked { task, run: number, why: Parked::Cooldown });
        waiting::go_on(step, slot);
    }
}
