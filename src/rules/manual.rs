//! The manual style: tasks that the program drives itself, and tokens that it sets aside (B10). Owns how many tokens
//! such a task gets, and the checks of its start and its end.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::outcome::{Outcome, Returned};
use crate::model::rejection::{Rejection, Whose};
use crate::model::spawn::Spawn;
use crate::model::status::{Status, StopReason};
use crate::rules::runs::ending;
use crate::rules::runs::ending::End;
use crate::rules::scheduling::{admission, queueing};
use crate::rules::tree::names;
use crate::state::budget::ledger;
use crate::state::{DEFAULT_SESSION, State};
use crate::step::Step;

/// Makes a task; its tokens are set aside until it ends. An empty pool gives it none.
pub(crate) fn create(step: &mut Step<'_>, actor: Actor, spawn: Spawn) -> Result<Reply, Rejection> {
    let (parent, parent_run) = admission::check(step, actor, false)?;
    let text = spawn.text.clone().unwrap_or_default();
    if text.trim().is_empty() {
        return Err(Rejection::InvalidArgument { argument: Some("goal"), what: "`goal` must not be empty".into() });
    }
    if let Some(spec) = &spawn.spec {
        names::check(&step.state, parent, spec)?;
    }
    admission::make_room(step)?;
    let wanted = spawn.tokens.unwrap_or_else(|| step.state.manual_tokens());
    let tokens = grant(&step.state, parent, wanted);
    let cap = Amounts { tokens, ..Amounts::UNCAPPED };
    let task = step.state.tree.next_key();
    let parent = step.state.key(parent);
    step.record(Fact::TaskAdmitted {
        task,
        parent,
        parent_run,
        background: false,
        manual: true,
        by_model: false,
        cap,
        text,
        spec: spawn.spec,
        barred: false,
        first: None,
        once: None,
    });
    set_reserve(step, task, tokens);
    Ok(Reply::Node(task))
}

/// As many of the wanted tokens as are available on the path and in the pool; [`UNCAPPED`] where nothing caps them.
fn grant(state: &State, parent: u32, wanted: u64) -> u64 {
    let available = ledger::available(&state.tree, &state.runs, parent, Amounts::ZERO).tokens.min(state.pool_left());
    wanted.min(available)
}

/// The refusal where nothing is left to set aside, with the option that gives more: the pool is the manager's (B10).
fn nothing_left(state: &State, parent: u32) -> Rejection {
    let needed = Amounts { tokens: 1, ..Amounts::ZERO };
    if state.pool_left() > 0 {
        return state.exhausted(parent, 0, (Dimension::Tokens, needed), true);
    }
    let (dimension, whose) = (Dimension::Tokens, Whose::Manager);
    Rejection::BudgetExhausted { dimension, remaining: 0, needed: needed.tokens, whose, option: dimension.option() }
}

/// Sets tokens aside; none where nothing caps them.
fn set_reserve(step: &mut Step<'_>, task: Key, granted: u64) {
    let tokens = if granted == UNCAPPED { 0 } else { granted };
    if step.state.node(task.index).reserve() != tokens {
        step.record(Fact::ReserveChanged { task, tokens });
    }
}

/// The index of a manual task that has not ended.
fn open_task(step: &Step<'_>, actor: Actor, task: Key, action: &'static str) -> Result<u32, Rejection> {
    let index = step.state.reach(actor, task)?;
    if !step.state.node(index).is_manual() {
        return Err(Rejection::WrongStyle { manual: false, action });
    }
    let status = step.state.node(index).status;
    if status.is_open() { Ok(index) } else { Err(Rejection::wrong_status(status, action)) }
}

/// A manual task takes a slot. One that got no tokens asks the pool again.
pub(crate) fn mark_running(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let index = open_task(step, actor, task, "be marked as running")?;
    let status = step.state.node(index).status;
    if status != Status::Pending {
        return Err(Rejection::wrong_status(status, "be marked as running"));
    }
    let (active, limit) = (u64::from(step.state.held), step.state.limits.max_concurrent);
    if active >= limit {
        return Err(Rejection::ConcurrencyLimit { active, limit });
    }
    if step.state.node(index).account.cap.tokens == 0 {
        let tokens = grant(&step.state, step.state.node(index).parent, step.state.manual_tokens());
        if tokens == 0 {
            return Err(nothing_left(&step.state, step.state.node(index).parent));
        }
        step.record(Fact::CapSet { task, cap: Amounts { tokens, ..Amounts::UNCAPPED } });
        set_reserve(step, task, tokens);
    }
    queueing::enqueue(step, task, None, None);
    let run = step.state.run_of(index).number;
    let max_turns = step.state.max_turns_of(index);
    let (timeout_ms, idle_timeout_ms) = step.state.timeouts_of(index);
    let hold = Amounts::ZERO;
    step.record(Fact::RunStarted { task, run, max_turns, timeout_ms, idle_timeout_ms, hold, loans: None });
    Ok(Reply::Done)
}

/// A manual task ends with a result or a failure.
pub(crate) fn mark_ended(step: &mut Step<'_>, actor: Actor, task: Key, outcome: Outcome) -> Result<Reply, Rejection> {
    let index = open_task(step, actor, task, "be marked as ended")?;
    if step.state.node(index).run == NONE {
        queueing::enqueue(step, task, None, None);
    }
    let (status, reason) = match outcome.returned {
        Returned::Completed => (Status::Completed, StopReason::Finished),
        Returned::Cancelled => (Status::Cancelled, StopReason::Cancelled),
        Returned::TimedOut => (Status::TimedOut, StopReason::HostTimedOut),
        Returned::Failed | Returned::Threw | Returned::Invalid | Returned::Lost | Returned::Incomplete => {
            (Status::Failed, StopReason::MarkedFailed)
        }
    };
    ending::end_run(step, task, End { status, reason, partial: false, host_open: false }, outcome);
    Ok(Reply::Done)
}

/// Sets tokens aside for the program: as many as are there.
pub(crate) fn allocate(step: &mut Step<'_>, tokens: u64) -> Result<Reply, Rejection> {
    let task = step.state.key(DEFAULT_SESSION);
    let granted = grant(&step.state, DEFAULT_SESSION, tokens);
    if granted != UNCAPPED {
        let sum = step.state.node(DEFAULT_SESSION).reserve().saturating_add(granted);
        set_reserve(step, task, sum);
    }
    Ok(Reply::Tokens(granted))
}

/// Gives back tokens that were set aside for the program.
pub(crate) fn release(step: &mut Step<'_>, tokens: u64) -> Result<Reply, Rejection> {
    let task = step.state.key(DEFAULT_SESSION);
    let allocated = step.state.node(DEFAULT_SESSION).reserve();
    let Some(rest) = allocated.checked_sub(tokens) else {
        return Err(Rejection::NotAllocated { released: tokens, allocated });
    };
    set_reserve(step, task, rest);
    Ok(Reply::Tokens(rest))
}
