//! Admission: who may be spawned, and in which order work is queued (D1–D4, B5).

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::admitted::{First, KeyUse};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Answers, Reply, Spawn};
use crate::model::rejection::Rejection;
use crate::model::status::WaitingFor;
use crate::rules::admit::{dispatching, keys, names, priorities, queueing, rates, tools};
use crate::rules::life::asking;
use crate::rules::money::budget;
use crate::rules::{notices, settings};
use crate::state::node::Kind;
use crate::state::{State, ledger, queue};
use crate::step::Step;

/// Admits a sub-agent and queues its first run, if it has a text.
pub(crate) fn spawn(step: &mut Step<'_>, actor: Actor, spawn: Spawn, once: Option<Box<KeyUse>>) -> Result<Reply, Rejection> {
    check_caller(step.state, actor, spawn.background)?;
    let (parent, parent_run) = check(step, actor)?;
    let by_model = spawn.answers != Answers::Yes;
    if by_model || step.state.node(parent).is_task() {
        check_width(step.state, parent)?;
    }
    if let Some(text) = &spawn.text
        && text.trim().is_empty()
    {
        return Err(Rejection::InvalidArgument { argument: Some("instructions"), what: "`instructions` must not be empty".into() });
    }
    let wanted = cap_of(step.state, &spawn);
    settings::check_cap(wanted)?;
    let (unspent, available) = ledger::room_below(&step.state.tree, &step.state.runs, parent);
    let nanos_given = spawn.nanos.is_some() || spawn.wishes.nanos.is_some();
    let given = [spawn.tokens.is_some(), nanos_given, spawn.turns.is_some()];
    let cap = budget::allocate(wanted, given, unspent);
    let estimate = step.state.turn_estimate(cap, parent, spawn.spec.as_ref().and_then(|spec| spec.turn_estimate));
    budget::check_new(step.state, parent, unspent, wanted, given, estimate)?;
    let mut first = None;
    if spawn.text.is_some() {
        let own = spawn.spec.as_ref().and_then(|spec| spec.priority).unwrap_or(0);
        let priority = priorities::below(step.state, parent, spawn.background, own);
        let key = spawn.spec.as_ref().and_then(|spec| spec.rate_limit_key.as_deref());
        let ready_at = rates::ready_at(step.state, step.now, key);
        let newcomer = Newcomer { parent, priority, payer: parent, available, estimate, ready_at };
        check_queue(step.state, step.now, actor, &newcomer)?;
        let place = (queue::rank(step.now, priority, step.state.limits.ageing_ms), next_round(step.state, parent));
        let cools = !step.state.rates.cooldowns.is_empty() && rates::cools(step.state, key.unwrap_or_default());
        let waiting_for = queueing::newcomer_waits_for(step.state, step.now, &newcomer, cools, place);
        first = Some(First { rank: place.0, round: place.1, waiting_for });
    }
    if spawn.background {
        notices::check_room(step.state)?;
    }
    if let Some(nickname) = spawn.spec.as_ref().and_then(|spec| spec.nickname.as_deref()) {
        names::check(step.state, parent, nickname)?;
    }
    let requested = spawn.spec.as_ref().and_then(|spec| spec.tools.as_deref());
    let disallowed = spawn.spec.as_ref().and_then(|spec| spec.disallowed_tools.as_deref()).unwrap_or_default();
    let tools = tools::filter(step.state, parent, requested, disallowed)?;
    make_room(step)?;
    if let Some(once) = &once {
        keys::make_room(step, step.state.key(parent), &once.key);
    }

    let task = step.state.tree.next_key();
    let Spawn { text, background, mut spec, answers, wishes, .. } = spawn;
    if let Some(wished) = wishes.turns {
        let allowed = spec.as_ref().and_then(|spec| spec.max_turns).unwrap_or(step.state.limits.max_turns);
        spec.get_or_insert_default().max_turns = Some(wished.min(allowed));
    }
    if tools.is_some() {
        spec.get_or_insert_default().tools = tools;
    }
    let inherited = step.state.node(parent).spec().and_then(|spec| spec.model_id.as_ref());
    if let Some(model_id) = inherited
        && spec.as_ref().is_none_or(|spec| spec.model_id.is_none())
    {
        spec.get_or_insert_default().model_id = Some(model_id.clone());
    }
    let barred = asking::is_barred(step.state, parent, answers);
    let parent = step.state.key(parent);
    let text = text.unwrap_or_default();
    let manual = false;
    step.record(Fact::TaskAdmitted { task, parent, parent_run, background, manual, by_model, cap, text, spec, barred, first, once });
    Ok(Reply::Node(task))
}

/// A run that was told to stop starts nothing that would end with it (D9).
pub(crate) fn check_caller(state: &State, actor: Actor, background: bool) -> Result<(), Rejection> {
    let (place, _) = state.place_of(actor)?;
    if background || !matches!(actor, Actor::Run(..)) {
        return Ok(());
    }
    let stops = state.run_of(place).stop.is_some() || state.is_sealed(place);
    if stops { Err(Rejection::Aborted) } else { Ok(()) }
}

/// What every way in asks first: a living caller, no drain, depth (D1).
pub(crate) fn check(step: &Step<'_>, actor: Actor) -> Result<(u32, u32), Rejection> {
    let (parent, parent_run) = step.state.place_of(actor)?;
    if step.state.is_sealed(parent) {
        return Err(Rejection::ActorEnded);
    }
    if step.state.draining.is_some() {
        return Err(Rejection::Draining);
    }
    let limits = &step.state.limits;
    let node = step.state.node(parent);
    if u64::from(node.depth) >= limits.max_depth {
        return Err(Rejection::DepthLimit { limit: limits.max_depth });
    }
    Ok((parent, parent_run))
}

/// The same for a child that exists: what the program itself started under a session isn't counted (D1).
pub(crate) fn check_width_for(state: &State, slot: u32) -> Result<(), Rejection> {
    let node = state.node(slot);
    if node.is_counted() { check_width(state, node.parent) } else { Ok(()) }
}

/// Whether one more child of `parent` that is counted may have an open or queued run (D1).
pub(crate) fn check_width(state: &State, parent: u32) -> Result<(), Rejection> {
    let limit = state.limits.max_children;
    if u64::from(state.node(parent).family().open_children) >= limit { Err(Rejection::ChildrenLimit { limit }) } else { Ok(()) }
}

/// The cap of a task that is about to be spawned.
pub(crate) fn cap_of(state: &State, spawn: &Spawn) -> Amounts {
    let nanos = spawn.nanos.unwrap_or(state.task_cap.nanos);
    Amounts {
        tokens: spawn.tokens.unwrap_or(state.task_cap.tokens),
        nanos: spawn.wishes.nanos.map_or(nanos, |wished| wished.min(nanos)),
        turns: spawn.turns.unwrap_or(state.task_cap.turns),
    }
}

/// A run that is about to be queued.
pub(crate) struct Newcomer {
    /// The node whose child it is: rounds are counted there.
    pub(crate) parent: u32,
    pub(crate) priority: i64,
    /// The lowest node on the path that pays for it.
    pub(crate) payer: u32,
    /// What could be set aside for it.
    pub(crate) available: Amounts,
    /// What one turn of it is expected to need.
    pub(crate) estimate: Amounts,
    /// When the rates let it start, where that is later than now (X1).
    pub(crate) ready_at: Option<u64>,
}

/// Whether a new run could wait for its slot, or start at once where nothing may wait (D2).
pub(crate) fn check_queue(state: &State, now: u64, actor: Actor, newcomer: &Newcomer) -> Result<(), Rejection> {
    if starts_at_once(state, now, actor, newcomer) {
        return Ok(());
    }
    if state.reject {
        let Newcomer { payer, available, estimate, ready_at, .. } = newcomer;
        return Err(match available.lacks(*estimate) {
            _ if let Some(at) = ready_at => Rejection::RateLimited { retry_after_ms: at.saturating_sub(now) },
            _ if let Some(limit) = too_many_abandoned(state) => Rejection::AbandonedLimit { limit },
            Some(lacking) => budget::exhausted(state, *payer, available.of(lacking), (lacking, *estimate), true),
            None => Rejection::ConcurrencyLimit { active: u64::from(state.held), limit: state.limits.max_concurrent },
        });
    }
    if state.queued() >= state.limits.max_queued {
        // A longer queue would not help where nothing leaves it.
        return Err(match too_many_abandoned(state) {
            Some(limit) => Rejection::AbandonedLimit { limit },
            None => Rejection::QueueFull { limit: state.limits.max_queued },
        });
    }
    Ok(())
}

/// `maxAbandoned`, where so many host functions were abandoned that nothing starts (S4).
pub(crate) fn too_many_abandoned(state: &State) -> Option<u64> {
    let limit = state.limits.max_abandoned;
    (u64::from(state.abandoned) >= limit).then_some(limit)
}

/// Whether a slot and a turn's budget are there for it, and nobody who could use them comes before it. The
/// slot that its caller gives up when it waits counts as free.
fn starts_at_once(state: &State, now: u64, actor: Actor, newcomer: &Newcomer) -> bool {
    let gives_up = match actor {
        Actor::Run(task, _) => u32::from(state.holds_slot(state.node(task.slot).run)),
        Actor::Program | Actor::Session(_) => 0,
    };
    let free = u64::from(state.held.saturating_sub(gives_up)) < state.limits.max_concurrent;
    let blocked = too_many_abandoned(state).is_some();
    if !free || blocked || newcomer.ready_at.is_some() || newcomer.available.lacks(newcomer.estimate).is_some() {
        return false;
    }
    let place = (queue::rank(now, newcomer.priority, state.limits.ageing_ms), next_round(state, newcomer.parent));
    !dispatching::is_contested(state, |run| (run.rank, run.round) <= place)
}

/// See [`Manager::can_spawn`](crate::Manager::can_spawn).
pub(crate) fn can_spawn(state: &State, now: u64, actor: Actor) -> bool {
    let Ok((parent, _)) = state.place_of(actor) else { return false };
    let node = state.node(parent);
    let allowed = u64::from(node.depth) < state.limits.max_depth
        && (!node.is_task() || check_width(state, parent).is_ok())
        && state.draining.is_none()
        && !state.is_sealed(parent)
        && check_caller(state, actor, false).is_ok();
    let priority = priorities::below(state, parent, false, 0);
    // A default cap that holds no turn lets nothing start, whatever is available.
    let (_, available) = ledger::room_below(&state.tree, &state.runs, parent);
    let estimate = state.turn_estimate(state.task_cap, parent, None);
    let available = available.least(state.task_cap);
    let ready_at = rates::ready_at(state, now, None);
    allowed && starts_at_once(state, now, actor, &Newcomer { parent, priority, payer: parent, available, estimate, ready_at })
}

/// Forgets the oldest tasks that may go where `maxTasks` is reached (D1, L8): first those whose end has reached whom
/// it is for, then foreground work that was never awaited. More than one only after the limit was lowered.
pub(crate) fn make_room(step: &mut Step<'_>) -> Result<(), Rejection> {
    let limit = step.state.limits.max_tasks;
    let surplus = u64::from(step.state.tasks()).saturating_add(1).saturating_sub(limit);
    let uncollected = step.state.uncollected.count;
    if surplus > u64::from(step.state.retained.count).saturating_add(u64::from(uncollected)) {
        return Err(Rejection::TasksLimit { limit });
    }
    for _ in 0..surplus {
        let State { retained, uncollected, .. } = &step.state;
        let first = if retained.count > 0 { retained.oldest } else { uncollected.oldest };
        let task = step.state.key(first);
        step.record(Fact::TaskForgotten { task });
    }
    Ok(())
}

/// Puts the next run of a task in the queue; `dispatch` starts it when its turn comes.
pub(crate) fn enqueue(step: &mut Step<'_>, task: Key, message: Option<Text>) {
    let (rank, round) = place_of(step, task.slot);
    let run = step.state.node(task.slot).runs.saturating_add(1);
    let waiting_for = queueing::about_to_wait_for(step.state, step.now, task.slot, (rank, round));
    // A run that is queued after this one may take the slot that is free now.
    let waiting_for = waiting_for.or(step.reopening.then_some(WaitingFor::Slot));
    step.record(Fact::RunQueued { task, run, rank, round, message, waiting_for });
}

/// Rank and round of a task's run that is queued now.
pub(crate) fn place_of(step: &Step<'_>, slot: u32) -> (i64, u64) {
    let state = &step.state;
    let rank = queue::rank(step.now, priorities::of(state, slot), state.limits.ageing_ms);
    (rank, next_round(state, state.node(slot).parent))
}

/// The round in which the next run below a node is queued.
fn next_round(state: &State, parent: u32) -> u64 {
    state.queue.round_after(state.node(parent).family().round)
}

/// Whether a node is driven by the manual calls (B10).
pub(crate) fn is_manual(state: &State, slot: u32) -> bool {
    state.node(slot).kind == Kind::Manual
}
