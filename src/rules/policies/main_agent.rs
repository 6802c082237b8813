//! The main agent: the turns, context and time of a session's own agent. Owns the answer to its request for a turn, and
//! the record of its reports. The host's loop sends its limits with each request. It holds no slot and no budget, and
//! is never aborted.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Bounds, Reply};
use crate::model::kinds::ReportedTokens;
use crate::model::outcome::Usage;
use crate::model::rejection::Rejection;
use crate::model::status::StopReason;
use crate::rules::budget::billing;
use crate::rules::budget::billing::Spent;
use crate::rules::budget::pricing;
use crate::rules::notices::{delivery, wake};
use crate::step::Step;

fn session(step: &Step<'_>, actor: Actor) -> Result<u32, Rejection> {
    match actor {
        Actor::Program | Actor::Session(_) => step.state.place_of(actor).map(|(index, _)| index),
        Actor::Run(..) => Err(Rejection::InvalidArgument { argument: None, what: "a run is no main agent".into() }),
    }
}

/// Whether a main agent may call its model again. When its time is over, it gets one turn to sum up. A turn gets the pending
/// notices; the next turn, or the answer, acknowledges them (N3).
pub(crate) fn begin_turn(step: &mut Step<'_>, actor: Actor, bounds: Bounds) -> Result<Reply, Rejection> {
    let index = session(step, actor)?;
    delivery::ack_turn(step, index);
    let (turns, since, wrapped_up) = step.state.policing(index).map_or((0, 0, false), |it| (it.turns, it.since, it.wrapped_up));
    let context = step.state.node(index).rare.as_ref().and_then(|rare| rare.context_tokens).unwrap_or(0);
    if turns >= bounds.turns {
        return Ok(Reply::Stop(StopReason::MaxTurns));
    }
    if context >= bounds.context_tokens {
        return Ok(Reply::Stop(StopReason::Policy));
    }
    let late = turns > 0 && step.now.saturating_sub(since) >= bounds.ms;
    if late && wrapped_up {
        return Ok(Reply::Stop(StopReason::Timeout));
    }
    let turn = turns.saturating_add(1);
    let task = step.state.key(index);
    step.record(Fact::TurnStarted {
        task,
        run: 0,
        turn,
        wrap_up: late,
        wrap_up_reason: None,
        spends_wrap_up: false,
        reserved: Amounts::ZERO,
        loans: None,
        steers: 0,
        questions: Vec::new(),
        whole: false,
    });
    delivery::lease_to_turn(step, index);
    Ok(Reply::Go { turn, wrap_up: late.then_some(StopReason::Timeout), inject: Vec::new() })
}

/// The main agent has answered: turns, time and counts begin again with its next turn.
pub(crate) fn end(step: &mut Step<'_>, actor: Actor) -> Result<Reply, Rejection> {
    let index = session(step, actor)?;
    delivery::ack_turn(step, index);
    if step.state.policing(index).is_some() {
        let task = step.state.key(index);
        step.record(Fact::MainEnded { task });
    }
    wake::wake_idle(step, index);
    Ok(Reply::Done)
}

/// Records a main agent's usage since its last report, and its progress. The usage is booked on its session, even past the cap
/// (B6, B12).
pub(crate) fn report(
    step: &mut Step<'_>,
    actor: Actor,
    (mut usage, tokens): (Usage, Option<Box<ReportedTokens>>),
    context_tokens: Option<u64>,
    message: Option<Text>,
) -> Result<Reply, Rejection> {
    let payer = step.state.payer_of_main(actor);
    // A report after the session was closed says nothing about its main agent's progress.
    let (context_tokens, message) = if session(step, actor).is_ok() { (context_tokens, message) } else { (None, None) };
    let of = RunKey { task: step.state.key(payer), run: 0 };
    if pricing::concerns(&step.state, of, tokens.as_deref()) {
        pricing::price_report(step, of, &mut usage, tokens.as_deref());
    }
    let Spent { usage, reported, invalid } = billing::bill_main(&step.state, payer, usage);
    if !reported.is_empty() || !invalid.is_empty() || context_tokens.is_some() || message.is_some() {
        let (RunKey { task, run }, reserved, loans) = (of, Amounts::ZERO, None);
        step.record(Fact::RunReported { task, run, usage, reported, invalid, reserved, loans, context_tokens, message });
    }
    Ok(Reply::Done)
}
