//! Admission: which sub-agents may be spawned (D1–D3, D10, B5). Owns the order of a spawn's checks, the record of an admitted
//! sub-agent, and which tasks are forgotten for it at `maxTasks`.

use crate::base::amounts::{Amounts, Estimate};
use crate::base::slab::Key;
use crate::model::admitted::{First, KeyUse};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::spawn::{Answers, Once, Spawn};
use crate::model::spec::Spec;
use crate::model::status::WaitingFor;
use crate::model::tool_list::ToolList;
use crate::rules::budget::reserving;
use crate::rules::messages::asking;
use crate::rules::policies::tools;
use crate::rules::scheduling::eligibility::Ready;
use crate::rules::scheduling::idempotency::Used;
use crate::rules::scheduling::queueing::Newcomer;
use crate::rules::scheduling::{dispatching, idempotency, priorities, queueing, retry_ended};
use crate::rules::settings;
use crate::rules::tree::names;
use crate::state::State;
use crate::state::budget::ledger::Account;
use crate::state::scheduling::queue;
use crate::step::{Context, Step};

/// Admits a sub-agent, or returns the task that already used its key. A refused spawn leaves the key unused.
pub(crate) fn spawn_once(step: &mut Step<'_>, actor: Actor, once: Once) -> Result<Reply, Rejection> {
    check_caller(&step.state, actor, once.spawn.background)?;
    match idempotency::look_up(step, actor, &once)? {
        Used::Before(task) => {
            retry_ended::attempt(step, actor, task, &once)?;
            Ok(Reply::Again(task))
        }
        Used::Now(key) => spawn(step, actor, once.spawn, Some(key)).map(Reply::Node),
    }
}

/// Admits a sub-agent and queues its first run, if it has a text.
pub(crate) fn spawn(step: &mut Step<'_>, actor: Actor, spawn: Spawn, once: Option<Box<KeyUse>>) -> Result<Key, Rejection> {
    let (parent, parent_run) = step.state.place_of(actor)?;
    check_not_stopped(&step.state, actor, parent, spawn.background)?;
    check_place(&step.state, actor, parent, spawn.background)?;
    let by_model = spawn.answers != Answers::Yes;
    if by_model || step.state.node(parent).is_task() {
        step.state.check_width(parent)?;
    }
    step.state.check_spawns(parent)?;
    if let Some(text) = &spawn.text
        && text.chars().all(char::is_whitespace)
    {
        return Err(Rejection::InvalidArgument { argument: Some("instructions"), what: "`instructions` must not be empty".into() });
    }
    let wanted = reserving::cap_of(&step.state, &spawn);
    settings::check_cap(wanted)?;
    let below = step.state.room_below(parent);
    let (unspent, available) = (below.unspent, below.available);
    let nanos_given = spawn.nanos.is_some() || spawn.limits.nanos.is_some();
    let given = [spawn.tokens.is_some(), nanos_given, spawn.turns.is_some()];
    let cap = reserving::allocate(wanted, given, unspent);
    let account = Account { cap, ..Account::default() };
    // If nothing is capped, nothing is compared with it.
    let mut estimate = Amounts::ZERO;
    if below.least_cap != Amounts::UNCAPPED || wanted != Amounts::UNCAPPED {
        let said = spawn.spec.as_ref().map_or_else(Estimate::default, |spec| spec.turn_needs());
        estimate = step.state.turn_estimate_below(&below, &account, parent, said);
        reserving::check_new(&step.state, parent, unspent, wanted, given, estimate)?;
    }
    let first = if spawn.text.is_some() { Some(first_run(step.context(), actor, parent, &spawn, (available, estimate))?) } else { None };
    if spawn.background {
        step.state.check_notice_capacity()?;
    }
    if let Some(spec) = &spawn.spec {
        names::check(&step.state, parent, spec)?;
    }
    let requested = spawn.spec.as_ref().and_then(|spec| spec.tools.as_deref());
    let disallowed = spawn.spec.as_ref().and_then(|spec| spec.disallowed_tools.as_deref()).unwrap_or_default();
    let tools = tools::filter(&step.state, parent, requested, disallowed)?;
    forget_if_full(step)?;
    if let Some(once) = &once {
        idempotency::drop_keys(step, step.state.key(parent), &once.key);
    }

    let task = step.state.tree.next_key();
    let Spawn { text, background, spec, answers, limits, .. } = spawn;
    let spec = spec_below(&step.state, parent, spec, limits.turns, tools);
    let unanswerable = asking::is_barred(&step.state, parent, answers);
    let parent = step.state.key(parent);
    let text = text.unwrap_or_default();
    step.record(Fact::TaskAdmitted { task, parent, parent_run, background, by_model, cap, text, spec, unanswerable, first, once });
    // Nothing comes before this run, unless the end of a wait lets another one continue: then `dispatch` looks again.
    if first.is_some_and(|first| first.waiting_for.is_none()) && step.waits.ready.is_empty() {
        let run = step.state.node(task.index).run;
        dispatching::start(step, run, &Ready { free: available.least(cap), estimate });
    }
    Ok(task)
}

/// The queue place of a sub-agent's first run, and its reason to wait there. Refuses a run that may not wait.
fn first_run(
    context: Context<'_>,
    actor: Actor,
    parent: u32,
    spawn: &Spawn,
    (available, estimate): (Amounts, Amounts),
) -> Result<First, Rejection> {
    let Context { state, now, .. } = context;
    let own = spawn.spec.as_ref().and_then(|spec| spec.priority).unwrap_or(0);
    let priority = priorities::below(context, parent, spawn.background, own);
    let key = spawn.spec.as_ref().and_then(|spec| spec.rate_limit_key.as_deref());
    let ready_at = state.ready_at(now, key);
    let lacks = state.lacks_below(parent, spawn.spec.as_deref());
    let place = (queue::rank(now, priority, state.limits.ageing_ms), queueing::next_round(state, parent));
    let newcomer = Newcomer { place, payer: parent, available, estimate, ready_at, lacks };
    let starts = queueing::check_queue(context, actor, &newcomer)?;
    // The slot that a run gives up once it waits is not free yet.
    let waiting_for = if starts && !matches!(actor, Actor::Run(..)) {
        None
    } else {
        // A drain leaves background work to the next process.
        let left = state.draining.is_some() && spawn.background;
        let waits = queueing::newcomer_waits_for(context, &newcomer, key.unwrap_or_default());
        waits.or(left.then_some(WaitingFor::Slot))
    };
    Ok(First { rank: place.0, round: place.1, waiting_for })
}

/// The spec that a sub-agent gets. It has no more turns than the program allows, the tools that were filtered for it, and its
/// parent's model unless it names one (P2).
#[inline]
fn spec_below(state: &State, parent: u32, spec: Option<Box<Spec>>, limit: Option<u64>, tools: Option<ToolList>) -> Option<Box<Spec>> {
    let mut spec = spec;
    if let Some(limit) = limit {
        let allowed = spec.as_ref().and_then(|spec| spec.max_turns).unwrap_or(state.limits.max_turns);
        spec.get_or_insert_default().max_turns = Some(limit.min(allowed));
    }
    if tools.is_some() {
        spec.get_or_insert_default().tools = tools;
    }
    let inherited = state.node(parent).spec().and_then(|spec| spec.model_id.as_ref());
    if let Some(model_id) = inherited
        && spec.as_ref().is_none_or(|spec| spec.model_id.is_none())
    {
        spec.get_or_insert_default().model_id = Some(model_id.clone());
    }
    spec
}

/// A run that was asked to stop starts nothing that would end with it (D9).
pub(crate) fn check_caller(state: &State, actor: Actor, background: bool) -> Result<(), Rejection> {
    let (place, _) = state.place_of(actor)?;
    check_not_stopped(state, actor, place, background)
}

#[inline]
fn check_not_stopped(state: &State, actor: Actor, place: u32, background: bool) -> Result<(), Rejection> {
    if background || !matches!(actor, Actor::Run(..)) {
        return Ok(());
    }
    let stops = state.run_of(place).stop.is_some() || state.is_sealed(place);
    if stops { Err(Rejection::Aborted) } else { Ok(()) }
}

/// The checks that every spawn begins with: a living caller, no drain, depth (D1).
#[inline]
fn check_place(state: &State, actor: Actor, parent: u32, background: bool) -> Result<(), Rejection> {
    if state.is_sealed(parent) {
        return Err(Rejection::ActorEnded);
    }
    if state.is_refused_by_drain(actor, background) {
        return Err(Rejection::Draining);
    }
    let limit = state.limits.max_depth;
    if u64::from(state.node(parent).depth) >= limit { Err(Rejection::DepthLimit { limit }) } else { Ok(()) }
}

/// See [`Manager::can_spawn`](crate::Manager::can_spawn).
pub(crate) fn can_spawn(context: Context<'_>, actor: Actor) -> bool {
    let Context { state, now, .. } = context;
    let Ok((parent, _)) = state.place_of(actor) else { return false };
    let node = state.node(parent);
    let allowed = u64::from(node.depth) < state.limits.max_depth
        && (!node.is_task() || state.check_width(parent).is_ok())
        && state.check_spawns(parent).is_ok()
        && !state.is_refused_by_drain(actor, false)
        && !state.is_sealed(parent)
        && check_caller(state, actor, false).is_ok();
    let priority = priorities::below(context, parent, false, 0);
    // If the default cap is less than a turn needs, nothing starts, whatever is available.
    let below = state.room_below(parent);
    let account = Account { cap: state.task_cap, ..Account::default() };
    let estimate = state.turn_estimate_below(&below, &account, parent, Estimate::default());
    let available = below.available.least(state.task_cap);
    let ready_at = state.ready_at(now, None);
    let place = (queue::rank(now, priority, state.limits.ageing_ms), queueing::next_round(state, parent));
    let newcomer = Newcomer { place, payer: parent, available, estimate, ready_at, lacks: state.lacks_below(parent, None) };
    allowed && queueing::starts_at_once(context, actor, &newcomer)
}

/// If `maxTasks` is reached, forgets the oldest tasks that may be forgotten (D1, L8). First go tasks whose end has reached its
/// receiver, then those of them that a key names, then foreground work that was never awaited. It forgets more than one task only
/// after the limit was lowered.
#[inline]
pub(crate) fn forget_if_full(step: &mut Step<'_>) -> Result<(), Rejection> {
    // The tree counts sessions, too.
    if u64::from(step.state.tree.len()) <= step.state.limits.max_tasks { Ok(()) } else { forget_surplus(step) }
}

#[inline(never)]
fn forget_surplus(step: &mut Step<'_>) -> Result<(), Rejection> {
    let limit = step.state.limits.max_tasks;
    let surplus = u64::from(step.state.tasks()).saturating_add(1).saturating_sub(limit);
    let lists = |state: &State| [state.retained, state.keyed, state.uncollected];
    if surplus > lists(&step.state).iter().map(|list| u64::from(list.count)).sum() {
        return Err(Rejection::TasksLimit { limit });
    }
    for _ in 0..surplus {
        let Some(list) = lists(&step.state).into_iter().find(|list| list.count > 0) else { break };
        let task = step.state.key(list.oldest);
        step.record(Fact::TaskForgotten { task });
    }
    Ok(())
}
