//! The clock: what each deadline leads to (T1–T3, L5, S4). Owns when something is due next.

use crate::model::effect::Effect;
use crate::model::ended::End;
use crate::model::fact::Fact;
use crate::model::outcome::Outcome;
use crate::model::rejection::Rejection;
use crate::model::run_output::RunOutput;
use crate::model::status::{Deadline, Status, StopReason};
use crate::rules::budget::billing;
use crate::rules::messages::asking;
use crate::rules::notices::wake;
use crate::rules::policies::answers;
use crate::rules::runs::{ending, host_ends, interrupting, retrying};
use crate::rules::scheduling::{deadlock, dispatching, rates};
use crate::rules::waiting;
use crate::state::State;
use crate::state::runs::deadlines::Owner;
use crate::step::Step;
use crate::waits::Waits;

/// A timer that fires at its time.
enum Timer {
    /// The deadline of a run, a wait or a notice.
    Deadline(Owner),
    /// The end of the cooldown that is over first.
    Cooldown,
}

/// No deadline is due before this time. The first deadline may have been removed since the last search.
pub(crate) fn not_before(state: &State, waits: &Waits) -> u64 {
    state.deadlines.not_before().min(waits.deadlines.not_before())
}

/// Whether a step may be due for another reason than a deadline: a cooldown, the end of a drain, the next start.
pub(crate) fn has_other_times(state: &State) -> bool {
    state.draining.is_some() || !(state.rates.cooldowns.is_empty() && dispatching::has_none(state))
}

/// Whether anything may fire.
#[inline]
pub(crate) fn is_due(state: &State, waits: &Waits, now: u64) -> bool {
    not_before(state, waits) <= now || !state.rates.cooldowns.is_empty()
}

/// When the next step is due. Drains, starts and stalls are rechecked at the end of every step, so only deadlines and cooldowns
/// are timers. The work that a drain cancels at its end is known once the runs that can start have started (D8).
pub(crate) fn next(step: &mut Step<'_>) -> Option<u64> {
    let fires = next_due(step).map(|(at, _)| at);
    let drain = step.state.draining.filter(|drain| !drain.over && !drain.overran).map(|drain| drain.until);
    let waits = !dispatching::has_none(&step.state);
    let start = if waits { step.state.next_start(step.now).or_else(|| rates::next(step)) } else { None };
    [fires, drain, start, deadlock::stall_due(step)].into_iter().flatten().filter(|at| *at < u64::MAX).min()
}

/// The timer that fires first, and when. If several are due at the same time, the end of a wait comes after the deadlines of the
/// state: its outcome includes their results. The end of a cooldown comes last.
fn next_due(step: &mut Step<'_>) -> Option<(u64, Timer)> {
    let deadlines = [step.state.next_deadline(), step.waits.deadlines.find_first()];
    let cooled = step.state.rates.first().map(|cooldown| (cooldown.until, Timer::Cooldown));
    let armed = deadlines.into_iter().flatten().map(|(at, owner)| (at, Timer::Deadline(owner)));
    armed.chain(cooled).min_by_key(|(at, _)| *at)
}

/// Fires due timers in the order of their times. Each timer fires once, however far the time has jumped: later times are computed
/// from now.
#[inline(never)]
pub(crate) fn fire_due(step: &mut Step<'_>) {
    while let Some((_, timer)) = next_due(step).filter(|(at, _)| *at <= step.now) {
        match timer {
            Timer::Deadline(Owner::Wait(index)) => waiting::close(step, step.waits.key(index), true),
            Timer::Deadline(Owner::Run(index)) => fire_run(step, index),
            Timer::Deadline(Owner::Notice(index)) => wake::time_is_over(step, index),
            Timer::Cooldown => rates::end_first(step),
        }
    }
}

fn fire_run(step: &mut Step<'_>, index: u32) {
    let run = step.state.runs.at(index);
    let (task, number, stop) = (step.state.key(run.task), run.number, run.stop);
    let grace = step.now.saturating_add(step.state.limits.grace_ms);
    let Some((_, deadline)) = run.next_deadline() else { return };
    let elsewhere = step.state.is_elsewhere(run);
    match (deadline, stop) {
        (Deadline::Answer, _) => asking::close(step, task, None, true),
        // No host function is open here that could be asked to wrap up.
        (Deadline::Soft | Deadline::Silence, _) if elsewhere => {
            let end = End { status: Status::TimedOut, reason: StopReason::NeverReported, partial: true, host_open: true };
            ending::end_run(step, task, end, Outcome::default());
        }
        (Deadline::Soft, _) => {
            let waiting = run.waiting_turn.is_some();
            step.record(Fact::WrapUpRequested { task, run: number, stop_reason: StopReason::Timeout, until: Some(grace) });
            step.effect(Effect::TimedOut { task, run: number, reason: StopReason::Timeout });
            if waiting {
                step.effect(Effect::TurnReady { task, run: number });
            }
        }
        (Deadline::Retry, _) => retrying::fire(step, index),
        (Deadline::Approval, _) => answers::approval_overdue(step, index),
        (Deadline::Silence, _) => {
            step.effect(Effect::TimedOut { task, run: number, reason: StopReason::IdleTimeout });
            interrupting::abort(step, task, Status::TimedOut, StopReason::IdleTimeout, grace);
        }
        (Deadline::Grace, None) => {
            let reason = run.wrap_up_reason.unwrap_or(StopReason::Timeout);
            let status = step.state.wrap_up_status(task.index, reason);
            interrupting::abort(step, task, status, reason, grace);
        }
        (Deadline::Grace, Some((reason, status))) => {
            let end = End { status, reason, partial: status != Status::Completed, host_open: true };
            let by_policy = |output| if reason == StopReason::Policy { step.state.output_of_policy(task.index, output) } else { output };
            let output = by_policy(RunOutput::default());
            ending::end_run(step, task, end, Outcome { output, ..Outcome::default() });
        }
        (Deadline::Abandon, _) => {
            // If no host function is open here, nothing is left that could count as abandoned (X4, X6).
            if elsewhere || step.state.node(task.index).is_driven() {
                return host_ends::release_host(step, index);
            }
            let usage = billing::with_reservation(&step.state, index);
            step.record(Fact::HostAbandoned { task, run: number, usage });
            if step.state.too_many_abandoned() == Some(u64::from(step.state.abandoned)) {
                step.effect(Effect::Report(Rejection::AbandonedLimit { limit: step.state.limits.max_abandoned }));
            }
        }
    }
}
