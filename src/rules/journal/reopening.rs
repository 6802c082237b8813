//! Reopening: what continues when a manager opens from its facts (J3). The process that called the host functions is lost, and so
//! are all waits; queued work continues. Owns what happens to each run that was in flight.
//!
//! A run in flight is queued again, or ends: for the reason for which it was stopping or wrapping up, else with `host_lost`. A
//! run whose host function had returned has lost nothing: it continues to wait for its sub-agents (C3).

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::model::ended::End;
use crate::model::fact::Fact;
use crate::model::input::OnHostLost;
use crate::model::outcome::Outcome;
use crate::model::status::{Status, StopReason};
use crate::rules::budget::billing;
use crate::rules::clock;
use crate::rules::notices::wake;
use crate::rules::runs::{cancelling, ending, host_ends, retrying, turns};
use crate::rules::scheduling::rates;
use crate::state::ROOT;
use crate::state::notices::Delivery;
use crate::state::runs::run::{Phase, Slot};
use crate::step::Step;

/// The last process is lost. The settings of this one come next: they decide what happens to the restored work.
pub(crate) fn begin(step: &mut Step<'_>, salt: u64, known: Option<(Vec<Text>, Vec<Text>)>) {
    step.record(Fact::Reopened { salt });
    if let Some((agents, profiles)) = known {
        step.record(Fact::DefinitionsKnown { agents, profiles });
    }
}

/// Ends the runs in flight, and lets the rest continue.
pub(crate) fn resume_all(step: &mut Step<'_>, lost: OnHostLost) {
    // Ends overdue cooldowns first, so that runs parked for them return before newly queued ones.
    rates::end_due(step);
    release_hosts(step);
    // A host that is found again continues its work: nothing starts over.
    let is_found = step.log.outlives && lost == OnHostLost::Requeue;
    let lost = if is_found { OnHostLost::Resume } else { lost };
    step.reopening = true;
    end_lost(step, lost);
    step.reopening = false;
    return_leases(step);
    // No caller is left to receive ends, aborts or answers.
    step.effects.clear();
    step.log.woken.clear();
    wake_sessions(step);
    clock::fire_due(step);
}

/// The host functions of ended runs will never return: their reservation is booked (S4). So is a queued run's reservation for an
/// open turn, unless a surviving host may still report that turn.
fn release_hosts(step: &mut Step<'_>) {
    let over = |index: &u32| {
        let run = step.state.runs.at(*index);
        match run.phase {
            Phase::Lingering { .. } | Phase::Abandoned => true,
            Phase::Queued => !step.log.outlives && run.has_left_open(),
            Phase::Open | Phase::Backoff { .. } => false,
        }
    };
    let all: Vec<u32> = step.state.runs.indices().filter(over).collect();
    for index in all {
        if step.state.runs.at(index).phase == Phase::Queued {
            turns::settle_open(step, index, false);
        } else {
            host_ends::release_host(step, index);
        }
    }
}

/// Ends the runs whose host functions are lost, or queues their messages again. Leaves come first, so that each ends for its own
/// reason and not for its parent's. Siblings follow in the order in which they began, so that the first to come is the first
/// again (D2).
///
/// Runs that held a slot get it again before all others. A surviving host may still work on the turn of that run, so another run
/// in its slot would be one too many (D1). Then come the runs that had released their slot.
fn end_lost(step: &mut Step<'_>, lost: OnHostLost) {
    let in_flight = |index: &u32| {
        let run = step.state.run_of(*index);
        run.phase == Phase::Open && run.returned.is_none()
    };
    // Runs lost before the last process, and runs that only waited, held no slot in it: they rank behind runs that did.
    let parked_rank = step.state.queue.rank_of_begun().saturating_sub(1);
    let holder_rank = parked_rank.saturating_sub(1);
    for index in cancelling::leaves_first(&step.state, step.state.below(ROOT).filter(in_flight).collect()) {
        let run = step.state.run_of(index);
        // The end of a run below may have ended this one.
        if run.phase != Phase::Open || run.returned.is_some() {
            continue;
        }
        let number = run.number;
        let rank = if run.slot == Slot::Taken { holder_rank } else { parked_rank };
        let wrapping_up = run.wrap_up_reason.map(|reason| (reason, step.state.wrap_up_status(index, reason)));
        let alone = || (StopReason::HostLost, Status::Failed);
        let with_caller = || retrying::ends_with_caller(step, index, lost, true).then_some((StopReason::ParentEnded, Status::Cancelled));
        let (reason, status) = run.stop.or(wrapping_up).or_else(with_caller).unwrap_or_else(alone);
        let task = step.state.key(index);
        let mut outcome = Outcome::default();
        if reason == StopReason::Policy {
            outcome.output = step.state.output_of_policy(index, std::mem::take(&mut outcome.output));
        }
        let end = End { status, reason, partial: status != Status::Completed, host_open: false };
        if ending::requeue(step, task, &end, lost) {
            // Queues it again at `rank`: work that a later run's end queues comes after it.
            let run = step.state.node(index).run;
            retrying::requeue_attempt(step, run, rank);
            if step.state.runs.at(run).has_left_open() {
                turns::settle_open(step, run, true);
            }
            continue;
        }
        let run = step.state.node(index).run;
        let unfinished = billing::bill_unfinished(&step.state, run);
        match retrying::due_after(step, run, &end, retrying::beyond(&step.state, run, &unfinished)) {
            Some(until) => ending::retry(step, RunKey { task, run: number }, &end, outcome, unfinished, until),
            None => {
                let bill = billing::bill_lost(&step.state, run);
                let bill = turns::book_assumed(step, run, bill);
                ending::end_with(step, task, end, outcome, bill, None);
            }
        }
    }
}

/// The reader of a leased notice may not have read it: it is delivered again, within the limit of deliveries (N2). Notices leased
/// to a turn were returned with its run. If that run's host function returned, they were delivered, and its good end confirms
/// that (N3).
fn return_leases(step: &mut Step<'_>) {
    let state = &step.state;
    let with_run = |index: u32| state.notices.at(index).until.is_none() && state.node(state.notices.at(index).owner).is_task();
    let leased = |index: &u32| state.notices.at(*index).delivery == Delivery::Leased && !with_run(*index);
    let all: Vec<u32> = state.notices.indices().filter(leased).collect();
    for index in all {
        wake::return_notice(step, index);
    }
}

/// Wakes the sessions with pending notices: they begin again, and know of none (N3).
fn wake_sessions(step: &mut Step<'_>) {
    let sessions: Vec<u32> = step.state.children(ROOT).collect();
    for session in sessions {
        // The listener that was woken before no longer exists; the time since doesn't count as a missed delivery (N2).
        wake::begin_waking_anew(step, session);
        if step.state.inbox(session).any(|index| step.state.notices.at(index).delivery == Delivery::Pending) {
            wake::wake(step, session);
        }
    }
}
