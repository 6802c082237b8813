//! Policies: the effects of their answers on a run, the calls they count, and how long they may take (P1, P3, T1). The host's
//! list decides which policy answers first.

use crate::base::amounts::Estimate;
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::policy::{Point, Ruling};
use crate::model::rejection::Rejection;
use crate::model::status::{Parked, WaitingFor};
use crate::rules::budget::reserving;
use crate::rules::budget::reserving::Turn;
use crate::rules::messages::mailbox;
use crate::rules::messages::mailbox::Injected;
use crate::rules::results;
use crate::rules::scheduling::parking;
use crate::state::State;
use crate::step::Step;

/// Records an answer other than "continue". An answer that ends the run asks it to wrap up: its host function has the grace to
/// return. A run that is already stopping keeps its first reason (L4).
pub(crate) fn rule(step: &mut Step<'_>, actor: Actor, ruling: Ruling) -> Result<Reply, Rejection> {
    let Ruling { point, answer, reason, policy, text } = ruling;
    let (index, run) = match actor {
        // Without grace the run is over before a policy could report on it.
        Actor::Run(key, run) if point == Point::OnTimeout && step.state.tree.contains(key) && step.state.node(key.index).runs == run => {
            (key.index, run)
        }
        Actor::Program | Actor::Session(_) | Actor::Run(..) => step.state.place_of(actor)?,
    };
    let current = step.state.run_of(index);
    let first = current.wrap_up_reason.is_none() && current.stop.is_none();
    let ends = run != 0 && answer.ends_at(point) && first;
    let waited = ends && current.waiting_turn.is_some();
    let until = ends.then(|| step.now.saturating_add(step.state.limits.grace_ms));
    let (task, text) = (step.state.key(index), results::cut(step, text).0);
    step.record(Fact::PolicyAnswered { task, run, point, answer, stop_reason: reason, policy, text, until });
    if waited {
        step.effect(Effect::TurnReady { task, run });
    }
    Ok(Reply::Done)
}

/// A policy needs time: the run releases its slot until the answer comes (T1).
pub(crate) fn await_approval(step: &mut Step<'_>, actor: Actor) -> Result<Reply, Rejection> {
    let (index, run) = step.state.place_of(actor)?;
    if run != 0 && !step.state.run_of(index).is_parked(Parked::Approval) {
        let task = step.state.key(index);
        step.record(Fact::RunParked { task, run, why: Parked::Approval, waits_for: Vec::new() });
    }
    Ok(Reply::Done)
}

/// The answer has come. `starting`: the run's host function has not been called yet, and will be once the run has a slot.
pub(crate) fn approved(step: &mut Step<'_>, actor: Actor, starting: bool) -> Result<Reply, Rejection> {
    let (index, run) = step.state.place_of(actor)?;
    if run == 0 || !step.state.run_of(index).is_parked(Parked::Approval) {
        return Ok(Reply::Done);
    }
    let task = step.state.key(index);
    if starting {
        // The run has had its reservation since it left the queue.
        let waiting_for = Some(WaitingFor::Slot);
        let (estimate, estimate_usd, reserved, loans, parks, whole) = (Some(0), None, None, None, None, false);
        step.record(Fact::TurnDelayed { task, run, estimate, estimate_usd, reserved, loans, waiting_for, parks, whole });
    }
    parking::unpark(step, step.state.node(index).run, Parked::Approval);
    Ok(if starting { Reply::Later } else { Reply::Done })
}

/// The policy took too long: the run continues, and the gate that asked gets no answer.
pub(crate) fn approval_overdue(step: &mut Step<'_>, index: u32) {
    let RunKey { task, run } = step.state.run_key(index);
    parking::unpark(step, index, Parked::Approval);
    step.effect(Effect::ApprovalOver { task, run });
}

/// Counts a call for a policy, up to its limit. With `todos` it counts only if to-dos are open and the run could take another
/// turn for them.
pub(crate) fn count(step: &mut Step<'_>, actor: Actor, policy: Text, limit: u64, todos: bool) -> Result<Reply, Rejection> {
    let (index, run) = step.state.place_of(actor)?;
    let (open, before) = step.state.policing(index).map_or((0, 0), |policing| (policing.open_todos, policing.count(&policy)));
    if todos && (open == 0 || !may_continue(&step.state, index, run)) {
        return Ok(Reply::Counted { count: 0, limit });
    }
    if before >= limit {
        return Ok(Reply::Exhausted);
    }
    let task = step.state.key(index);
    step.record(Fact::CallCounted { task, run, policy });
    Ok(Reply::Counted { count: before.saturating_add(1), limit })
}

fn may_continue(state: &State, index: u32, run: u32) -> bool {
    let current = state.run_of(index);
    run == 0 || (current.wrap_up_reason.is_none() && current.no_turn_left().is_none())
}

/// Records a to-do list. Like every report it is never refused; a late one is dropped.
pub(crate) fn todos(step: &mut Step<'_>, actor: Actor, open: u64, todos: Text) -> Result<Reply, Rejection> {
    if let Ok((index, run)) = step.state.place_of(actor) {
        let task = step.state.key(index);
        step.record(Fact::TodosReported { task, run, open, todos });
    }
    Ok(Reply::Done)
}

/// A tool is about to be used. Silence doesn't count until it is over (T2). A run uses only tools that it was given (P2).
pub(crate) fn begin_tool(step: &mut Step<'_>, actor: Actor, name: Text) -> Result<Reply, Rejection> {
    let (index, run) = step.state.place_of(actor)?;
    if run != 0 {
        crate::rules::policies::tools::may_use(&step.state, index, &name)?;
        let task = step.state.key(index);
        step.record(Fact::ToolBegan { task, run, tool: name });
    }
    Ok(Reply::Done)
}

/// Whether the run of a task may get a further turn.
fn may_turn(state: &State, index: u32) -> bool {
    let run = state.node(index).run;
    let has_budget = || !matches!(reserving::judge_turn(state, run, Estimate::default()), Turn::Exhausted);
    state.runs.at(run).no_turn_left().is_none() && has_budget()
}

/// A tool was used: messages that steer the run are delivered, if its agent can still read them (M1).
pub(crate) fn end_tool(step: &mut Step<'_>, actor: Actor, listens: bool) -> Result<Reply, Rejection> {
    let Ok((index, run)) = step.state.place_of(actor) else { return Ok(Reply::Done) };
    if run == 0 {
        return Ok(Reply::Done);
    }
    let (task, current) = (step.state.key(index), step.state.run_of(index));
    let (uses, stopped) = (current.tools > 0, current.stop.is_some());
    let mut injected = if stopped { Injected::default() } else { mailbox::to_inject(&step.state, index) };
    if !listens && !injected.inject.is_empty() && !may_turn(&step.state, index) {
        injected = Injected::default();
    }
    let Injected { inject, steers, questions } = injected;
    if uses || !inject.is_empty() || !questions.is_empty() {
        step.record(Fact::ToolEnded { task, run, steers, questions });
    }
    Ok(if stopped { Reply::Done } else { Reply::Steered(inject) })
}
