//! Queueing: the checks before a run is queued, its place, and its reason to wait (D1, D2, D4). Owns these checks, and a queued
//! run's rank and round.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::model::status::WaitingFor;
use crate::rules::scheduling::{eligibility, idempotency, priorities};
use crate::state::State;
use crate::state::scheduling::queue;
use crate::step::{Context, Step};

/// A run that is about to be queued.
pub(crate) struct Newcomer {
    /// Its rank and its round in the queue.
    pub(crate) place: (i64, u64),
    /// The lowest node on the path that pays for it.
    pub(crate) payer: u32,
    /// The budget that can be reserved for it.
    pub(crate) available: Amounts,
    /// The expected need of one of its turns.
    pub(crate) estimate: Amounts,
    /// When the rates let it start, if that is later than now (X1).
    pub(crate) ready_at: Option<u64>,
    /// The reason to wait if this process lacks something for it (J3).
    pub(crate) lacks: Option<WaitingFor>,
}

/// Whether a new run starts at once. Refuses a run that neither starts nor may wait for its slot (D2).
#[inline]
pub(crate) fn check_queue(context: Context<'_>, actor: Actor, newcomer: &Newcomer) -> Result<bool, Rejection> {
    let Context { state, now, .. } = context;
    if starts_at_once(context, actor, newcomer) {
        return Ok(true);
    }
    // No limit here applies to work that waits for its session or its definition.
    if state.reject && newcomer.lacks.is_none() {
        let Newcomer { payer, available, estimate, ready_at, .. } = newcomer;
        // The first of several reasons counts (D4).
        return Err(match available.lacks(*estimate) {
            _ if let Some(limit) = state.too_many_abandoned() => Rejection::AbandonedLimit { limit },
            _ if let Some(at) = ready_at => Rejection::RateLimited { retry_after_ms: at.saturating_sub(now) },
            Some(lacking) => state.exhausted(*payer, available.of(lacking), (lacking, *estimate), true),
            None => Rejection::ConcurrencyLimit { active: u64::from(state.taken_slots), limit: state.limits.max_concurrent },
        });
    }
    if state.queued() >= state.limits.max_queued {
        // A longer queue would not help if nothing leaves it.
        return Err(match state.too_many_abandoned() {
            Some(limit) => Rejection::AbandonedLimit { limit },
            None => Rejection::QueueFull { limit: state.limits.max_queued },
        });
    }
    Ok(false)
}

/// Whether a slot and a turn's budget are available for a newcomer, and no run that could use them comes before it. The slot that
/// its caller gives up when it waits counts as free.
#[inline]
pub(crate) fn starts_at_once(context: Context<'_>, actor: Actor, newcomer: &Newcomer) -> bool {
    let state = context.state;
    let gives_up = match actor {
        Actor::Run(task, _) => u32::from(state.holds_slot(state.node(task.index).run)),
        Actor::Program | Actor::Session(_) => 0,
    };
    let free = u64::from(state.taken_slots.saturating_sub(gives_up)) < state.limits.max_concurrent;
    let blocked = state.too_many_abandoned().is_some();
    let lacks = newcomer.lacks.is_some() || newcomer.available.lacks(newcomer.estimate).is_some();
    if !free || blocked || lacks || newcomer.ready_at.is_some() {
        return false;
    }
    !eligibility::is_contested(context, newcomer.place)
}

/// The reason for which a newcomer with this key will wait in the queue; `None` if it starts in this step.
pub(crate) fn newcomer_waits_for(context: Context<'_>, newcomer: &Newcomer, key: &str) -> Option<WaitingFor> {
    let Context { state, now, .. } = context;
    let lacks_budget = newcomer.available.lacks(newcomer.estimate).is_some();
    let lacks = newcomer.lacks.filter(|_| state.too_many_abandoned().is_none());
    let passing = lacks.or_else(|| state.passing_obstacle(now, false, key));
    passing.or_else(|| lacks_budget.then_some(WaitingFor::Budget)).or_else(|| waits_for_slot(context, newcomer.place))
}

fn waits_for_slot(context: Context<'_>, place: (i64, u64)) -> Option<WaitingFor> {
    let contested = || eligibility::is_contested(context, place);
    (!eligibility::has_free_slot(context.state) || contested()).then_some(WaitingFor::Slot)
}

/// Puts the next run of a task in the queue, at this rank and round if it already has them. `dispatch` starts it when its turn
/// comes.
pub(crate) fn enqueue(step: &mut Step<'_>, task: Key, message: Option<Text>, place: Option<(i64, u64)>) {
    idempotency::drop_key_of(step, task.index);
    let place = place.unwrap_or_else(|| place_of(step, task.index));
    let run = step.state.node(task.index).runs.saturating_add(1);
    let others_follow = step.reopening || step.state.is_left(task.index);
    record_queued(step, RunKey { task, run }, place, (message, false), others_follow);
}

/// Queues a further attempt at the message of a task's last run, which has ended badly (D7).
pub(crate) fn enqueue_repeat(step: &mut Step<'_>, task: Key) {
    let place = place_of(step, task.index);
    let run = step.state.node(task.index).runs.saturating_add(1);
    let message = step.state.attempted(task.index).message.map(|message| message.text);
    record_queued(step, RunKey { task, run }, place, (message, true), step.state.is_left(task.index));
}

/// Queues the next attempt of a run whose time has come.
pub(crate) fn enqueue_attempt(step: &mut Step<'_>, task: Key, place: (i64, u64)) {
    let run = step.state.node(task.index).runs;
    record_queued(step, RunKey { task, run }, place, (None, false), true);
}

/// `others_follow`: a run that is queued after this one may take the slot that is free now.
fn record_queued(
    step: &mut Step<'_>,
    RunKey { task, run }: RunKey,
    (rank, round): (i64, u64),
    (message, again): (Option<Text>, bool),
    others_follow: bool,
) {
    let waiting_for = step.state.obstacle(step.now, task.index).or_else(|| waits_for_slot(step.context(), (rank, round)));
    let waiting_for = waiting_for.or(others_follow.then_some(WaitingFor::Slot));
    step.record(Fact::RunQueued { task, run, rank, round, message, waiting_for, again });
}

/// Rank and round of a task's run that is queued now.
pub(crate) fn place_of(step: &Step<'_>, index: u32) -> (i64, u64) {
    let state = &step.state;
    let rank = queue::rank(step.now, priorities::of(step.context(), index), state.limits.ageing_ms);
    (rank, next_round(state, state.node(index).parent))
}

/// The round in which the next run below a node is queued.
pub(crate) fn next_round(state: &State, parent: u32) -> u64 {
    state.queue.round_after(state.node(parent).family().round_before_next())
}
