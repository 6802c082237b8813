//! Turns: whether the model may be called again, and the usage of the call (B3, B6, L4, T1). Owns the answer to a request for a
//! turn, and the record of reports.

use crate::base::amounts::{Amounts, Estimate, Nanos};
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::kinds::ReportedTokens;
use crate::model::outcome::Usage;
use crate::model::rejection::Rejection;
use crate::model::status::{Parked, StopReason, WaitingFor};
use crate::model::usage::{Dimensions, Loans};
use crate::rules::budget::billing;
use crate::rules::budget::billing::{Bill, Reported};
use crate::rules::budget::pricing;
use crate::rules::budget::reserving;
use crate::rules::budget::reserving::Turn;
use crate::rules::messages::mailbox;
use crate::rules::messages::mailbox::Injected;
use crate::rules::notices::delivery;
use crate::rules::waiting;
use crate::state::runs::run::Slot;
use crate::step::Step;

fn speaker(actor: Actor) -> Result<RunKey, Rejection> {
    match actor {
        Actor::Run(task, run) => Ok(RunKey { task, run }),
        Actor::Program | Actor::Session(_) => Err(Rejection::InvalidArgument { argument: None, what: "only a run takes turns".into() }),
    }
}

/// Whether the run may call its model again. `whole`: the budget of the whole run stays reserved (B14).
pub(crate) fn begin(step: &mut Step<'_>, actor: Actor, estimate: Estimate, whole: bool) -> Result<Reply, Rejection> {
    let of = speaker(actor)?;
    let task = of.task;
    step.state.place_of(actor)?;
    let index = step.state.node(task.index).run;
    waiting::continue_beside_waits(step, index);
    if step.state.has_notices(task.index) {
        delivery::ack_turn(step, task.index);
    }
    let run = step.state.runs.at(index);
    if run.stop.is_none() && step.state.is_sealed(task.index) {
        return Ok(Reply::Stop(StopReason::AncestorCancelled));
    }
    if let Some(reason) = run.no_turn_left() {
        let is_stopped = run.stop.is_some();
        return Ok(Reply::Stop(if is_stopped { reason } else { request_wrap_up(step, of, reason) }));
    }
    // A run that returned over the limit is within it once others have ended (S2).
    let over_limit = run.over_limit && u64::from(step.state.taken_slots) > step.state.limits.max_concurrent;
    let has_slot = run.slot == Slot::Taken && !over_limit;
    let is_late = step.state.is_cooling(task.index) || step.state.is_turn_over_rate(step.now, index, estimate);
    if has_slot && is_late && reserving::judge_turn(&step.state, index, estimate) == Turn::Exhausted {
        return Ok(Reply::Stop(request_wrap_up(step, of, StopReason::BudgetExhausted)));
    }
    if !has_slot || is_late {
        return Ok(delay(step, of, (estimate, whole), WaitingFor::Slot, None));
    }
    let timed_out = run.wrap_up_reason == Some(StopReason::Timeout);
    match reserving::judge_turn(&step.state, index, estimate) {
        Turn::Ordinary(reserved) => {
            let reserved = if whole { reserving::reserve_whole_turn(&step.state, index, estimate, reserved) } else { reserved };
            Ok(start(step, task, (reserved, whole), timed_out.then_some(StopReason::Timeout), false))
        }
        Turn::WrapUp(reserved) => {
            let reason = run.wrap_up_reason.unwrap_or(StopReason::BudgetExhausted);
            Ok(start(step, task, (reserved, false), Some(reason), true))
        }
        Turn::Exhausted => Ok(Reply::Stop(request_wrap_up(step, of, StopReason::BudgetExhausted))),
        Turn::Waiting => {
            let back = reserving::give_dollars_back(&step.state, index);
            Ok(delay(step, of, (estimate, whole), WaitingFor::Budget, back))
        }
    }
}

/// Saves a checkpoint of a run's work (J3).
pub(crate) fn checkpoint(step: &mut Step<'_>, actor: Actor, data: Text) -> Result<Reply, Rejection> {
    let RunKey { task, run } = speaker(actor)?;
    step.state.place_of(actor)?;
    step.record(Fact::CheckpointSaved { task, run, data });
    Ok(Reply::Done)
}

/// Saves the data that later runs of a task need (J6).
pub(crate) fn save(step: &mut Step<'_>, actor: Actor, data: Text) -> Result<Reply, Rejection> {
    let RunKey { task, run } = speaker(actor)?;
    step.state.place_of(actor)?;
    step.record(Fact::DataSaved { task, run, data });
    Ok(Reply::Done)
}

/// Asks a run to wrap up. If it was asked before, the first reason stays (L4).
fn request_wrap_up(step: &mut Step<'_>, RunKey { task, run }: RunKey, reason: StopReason) -> StopReason {
    if let Some(before) = step.state.run_of(task.index).wrap_up_reason {
        return before;
    }
    step.record(Fact::WrapUpRequested { task, run, stop_reason: reason, until: None });
    reason
}

/// Parks the run until it has a slot and its turn's budget, its rate limit has cooled down, and its rate allows the turn. The
/// host asks again when notified. `lacking`: the reason, unless it is the rate.
fn delay(
    step: &mut Step<'_>,
    RunKey { task, run }: RunKey,
    (estimate, whole): (Estimate, bool),
    lacking: WaitingFor,
    back: Option<(Amounts, Option<Box<Loans>>)>,
) -> Reply {
    let record = step.state.run_of(task.index);
    let (parked, in_line) = (record.parks != 0, record.is_parked(Parked::Reentry));
    let index = step.state.node(task.index).run;
    let late = if step.state.is_cooling(task.index) {
        Some((WaitingFor::Cooldown, Parked::Cooldown))
    } else if step.state.is_turn_over_rate(step.now, index, estimate) {
        Some((WaitingFor::Rate, Parked::Rate))
    } else {
        None
    };
    let Estimate { tokens, nanos } = estimate;
    let (reserved, loans) = back.map_or((None, None), |(reserved, loans)| (Some(reserved), loans));
    let waiting_for = Some(late.map_or(lacking, |(why, _)| why));
    let parks = match (late, parked) {
        (Some((_, why)), _) if in_line || !parked => Some(why),
        (None, false) => Some(Parked::Reentry),
        _ => None,
    };
    step.record(Fact::TurnDelayed {
        task,
        run,
        estimate: tokens,
        estimate_usd: nanos.map(Nanos),
        reserved,
        loans,
        waiting_for,
        parks,
        whole,
    });
    Reply::Later
}

fn start(step: &mut Step<'_>, task: Key, (reserved, whole): (Amounts, bool), wrap_up: Option<StopReason>, spends_wrap_up: bool) -> Reply {
    let index = step.state.node(task.index).run;
    let record = step.state.runs.at(index);
    let (run, turn) = (record.number, record.turns.saturating_add(1));
    let wrap_up_reason = wrap_up.filter(|_| record.wrap_up_reason.is_none());
    let (reserved, loans) = reserving::bill_turn(&step.state, index, reserved);
    let Injected { inject, steers, questions } = mailbox::to_inject(&step.state, task.index);
    let is_last = wrap_up.is_some();
    // If nothing is capped, nothing is reserved.
    let whole = whole && !reserved.is_zero();
    step.record(Fact::TurnStarted {
        task,
        run,
        turn,
        wrap_up: is_last,
        wrap_up_reason,
        spends_wrap_up,
        reserved,
        loans,
        steers,
        questions,
        whole,
    });
    if step.state.has_notices(task.index) {
        delivery::lease_to_turn(step, task.index);
    }
    Reply::Go { turn, wrap_up, inject }
}

/// Records a report. Reports are never refused: a report after the end is booked, too.
pub(crate) fn report(
    step: &mut Step<'_>,
    actor: Actor,
    (usage, tokens): (Usage, Option<Box<ReportedTokens>>),
    context_tokens: Option<u64>,
    message: Option<Text>,
) -> Result<Reply, Rejection> {
    let Actor::Run(task, number) = actor else {
        return crate::rules::policies::main_agent::report(step, actor, (usage, tokens), context_tokens, message);
    };
    let of = RunKey { task, run: number };
    let Some(index) = step.state.find(of).filter(|_| step.state.tree.contains(task)) else { return Ok(Reply::Done) };
    let mut usage = usage;
    if pricing::concerns(&step.state, of, tokens.as_deref()) {
        pricing::price_report(step, of, &mut usage, tokens.as_deref());
    }
    let Reported { usage, reported, invalid, reserved, loans } = billing::bill_report(&step.state, index, usage);
    // The report of an earlier run says nothing about the present one (L2).
    let is_last = step.state.node(task.index).runs == number;
    let (context_tokens, message) = if is_last { (context_tokens, message) } else { (None, None) };
    step.record(Fact::RunReported { task, run: number, usage, reported, invalid, reserved, loans, context_tokens, message });
    waiting::continue_beside_waits(step, index);
    Ok(Reply::Done)
}

/// Another host continues an open run: turns that the earlier host had begun and not reported are booked (J3).
pub(crate) fn replace_host(step: &mut Step<'_>, actor: Actor, resumes: bool) -> Result<Reply, Rejection> {
    let RunKey { task, run } = speaker(actor)?;
    step.state.place_of(actor)?;
    settle_open(step, step.state.node(task.index).run, false);
    mailbox::steer_again(step, task, run, resumes, 0);
    Ok(Reply::Done)
}

/// Books the reservation of a lost host as used, before its run ends. The amount of the end itself would count as the need of a
/// turn (B13). Returns the bill of that end.
#[inline(never)]
pub(crate) fn book_assumed(step: &mut Step<'_>, index: u32, bill: Bill) -> Bill {
    let run = step.state.runs.at(index);
    if bill.usage == run.booked {
        return bill;
    }
    let RunKey { task, run } = step.state.run_key(index);
    let Bill { usage, unknown, invalid, loans } = bill;
    let (reported, reserved) = (Dimensions::NONE, Amounts::ZERO);
    let fact = Fact::RunReported { task, run, usage, reported, invalid, reserved, loans, context_tokens: None, message: None };
    step.record(fact);
    Bill { usage, unknown, invalid, loans: None }
}

/// Books the turns that a lost host had begun and not reported. If a surviving host continues (`goes_on`), they stay reserved
/// while the run waits: otherwise other runs would spend that budget.
#[inline(never)]
pub(crate) fn settle_open(step: &mut Step<'_>, index: u32, goes_on: bool) {
    let RunKey { task, run } = step.state.run_key(index);
    let Reported { usage, reported, invalid, reserved, loans } = billing::bill_replaced(&step.state, index, goes_on);
    step.record(Fact::RunReported { task, run, usage, reported, invalid, reserved, loans, context_tokens: None, message: None });
}
