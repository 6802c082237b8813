//! The clock: what happens when a deadline is reached (T1–T3, L5, S4). Owns when something is due next, and what each
//! deadline of a run leads to.

use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::outcome::Outcome;
use crate::model::product::Product;
use crate::model::status::{Deadline, Status, StopReason};
use crate::rules::admit::rates;
use crate::rules::life::ending::{self, End};
use crate::rules::life::{asking, interrupting, retrying, waiting};
use crate::rules::money::billing;
use crate::rules::{policies, waking};
use crate::state::State;
use crate::state::deadlines::Owner;
use crate::step::Step;
use crate::waits::Waits;

/// Before this time no deadline and no end of a wait is due.
pub(crate) fn not_before(state: &State, waits: &Waits) -> u64 {
    state.deadlines.not_before().min(waits.deadlines.not_before())
}

/// Whether something else than deadlines and waits may be due at a time.
pub(crate) fn has_other_times(state: &State) -> bool {
    state.draining.is_some() || state.has_next_ready()
}

/// When something is due next. `deadline`, `expiry`: when the first deadline is, and the first end of a wait.
pub(crate) fn next(state: &State, deadline: Option<u64>, expiry: Option<u64>, now: u64) -> Option<u64> {
    let earlier = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    let drain = state.draining.filter(|drain| !drain.over && !drain.overran && drain.until < u64::MAX).map(|drain| drain.until);
    earlier(earlier(drain, deadline), earlier(expiry, state.next_ready(now)))
}

/// Whether anything may be due.
#[inline]
pub(crate) fn is_due(state: &State, waits: &Waits, now: u64) -> bool {
    not_before(state, waits) <= now || !state.rates.cooldowns.is_empty()
}

/// Fires what is due. Each deadline fires once, however far the time has jumped: what follows from it
/// is reckoned from now. What is due at the same time as the end of a wait comes first, so that the wait can tell it.
#[inline(never)]
pub(crate) fn fire_due(step: &mut Step<'_>) {
    if not_before(&step.state, step.waits) <= step.now {
        fire(step);
    }
    if !step.state.rates.cooldowns.is_empty() {
        rates::fire_due(step);
    }
}

#[inline(never)]
fn fire(step: &mut Step<'_>) {
    while let Some((_, owner)) = next_due(step).filter(|(at, _)| *at <= step.now) {
        match owner {
            Owner::Wait(slot) => waiting::close(step, step.waits.key(slot), true),
            Owner::Run(slot) => fire_run(step, slot),
            Owner::Notice(slot) => waking::time_is_over(step, slot),
        }
    }
}

fn next_due(step: &mut Step<'_>) -> Option<(u64, Owner)> {
    match (step.state.next_deadline(), step.waits.deadlines.find_first()) {
        (Some(deadline), Some(expiry)) => Some(if expiry.0 < deadline.0 { expiry } else { deadline }),
        (deadline, expiry) => deadline.or(expiry),
    }
}

fn fire_run(step: &mut Step<'_>, slot: u32) {
    let run = step.state.runs.at(slot);
    let (task, number, stop) = (step.state.key(run.task), run.number, run.stop);
    let grace = step.now.saturating_add(step.state.limits.grace_ms);
    let Some((_, deadline)) = run.next_deadline() else { return };
    let elsewhere = run.elsewhere;
    match (deadline, stop) {
        (Deadline::Answer, _) => asking::close(step, task, None, true),
        // No host function is open here that could be told to wrap up.
        (Deadline::Soft | Deadline::Silence, _) if elsewhere => {
            let end = End { status: Status::TimedOut, reason: StopReason::NeverReported, partial: true, host_open: true };
            ending::end_run(step, task, end, Outcome::default());
        }
        (Deadline::Soft, _) => {
            let waiting = run.turn_waiting;
            step.record(Fact::WrapUpTold { task, run: number, reason: StopReason::Timeout, until: Some(grace) });
            step.effect(Effect::TimedOut { task, run: number, reason: StopReason::Timeout });
            if waiting {
                step.effect(Effect::TurnReady { task, run: number });
            }
        }
        (Deadline::Retry, _) => retrying::fire(step, slot),
        (Deadline::Approval, _) => policies::approval_overdue(step, slot),
        (Deadline::Silence, _) => {
            step.effect(Effect::TimedOut { task, run: number, reason: StopReason::IdleTimeout });
            interrupting::abort(step, task, Status::TimedOut, StopReason::IdleTimeout, grace);
        }
        (Deadline::Grace, None) => {
            let reason = run.told.unwrap_or(StopReason::Timeout);
            let status = step.state.status_told(task.slot, reason);
            interrupting::abort(step, task, status, reason, grace);
        }
        (Deadline::Grace, Some((reason, status))) => {
            // A manual task has no host function that could still return.
            let host_open = !step.state.node(task.slot).is_manual();
            let end = End { status, reason, partial: status != Status::Completed, host_open };
            let by_policy = |product| if reason == StopReason::Policy { step.state.product_of_policy(task.slot, product) } else { product };
            let product = by_policy(Product::default());
            ending::end_run(step, task, end, Outcome { product, ..Outcome::default() });
        }
        (Deadline::Abandon, _) => {
            // Where no host function is open here, nothing is left behind that could count as abandoned.
            if elsewhere {
                return ending::release_host(step, slot);
            }
            let usage = billing::with_hold(&step.state, slot);
            step.record(Fact::HostAbandoned { task, run: number, usage });
            if step.state.too_many_abandoned() == Some(u64::from(step.state.abandoned)) {
                step.effect(Effect::StartsStopped { limit: step.state.limits.max_abandoned });
            }
        }
    }
}
