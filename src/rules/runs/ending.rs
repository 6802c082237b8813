//! Endings: a run ends once, and the first end wins (L2–L6, C3, S4). Owns the record of the end of a run or an attempt, and the
//! order of its consequences.
//!
//! A retry is a new run of the same message. The waits, the place and the notice move to the new run, which waits for its time
//! without a slot.

use crate::base::amounts::{Dimension, UNCAPPED};
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::effect::{Effect, Ended};
use crate::model::ended::{AbandonAt, End};
use crate::model::fact::Fact;
use crate::model::input::OnHostLost;
use crate::model::kinds::Kinds;
use crate::model::outcome::{Outcome, Returned};
use crate::model::rejection::Rejection;
use crate::model::run_output::ResultDetails;
use crate::model::status::{OnParentEnd, Status, StopReason};
use crate::model::usage::Dimensions;
use crate::read::view;
use crate::rules::budget::billing;
use crate::rules::budget::billing::Bill;
use crate::rules::messages::{asking, mailbox};
use crate::rules::notices::delivery;
use crate::rules::runs::{retrying, settling, stopping, turns};
use crate::rules::{results, waiting};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::{Phase, Run};
use crate::state::runs::timers::finite;
use crate::state::scheduling::queue;
use crate::step::Step;
use crate::waits::Waits;

/// Ends the open or queued run of a task, with all consequences.
pub(crate) fn end_run(step: &mut Step<'_>, task: Key, end: End, outcome: Outcome) {
    if requeue_drained(step, task, &end, &outcome) {
        return;
    }
    let index = step.state.node(task.index).run;
    let run = step.state.runs.at(index);
    let is_reported = !end.host_open && run.returned.is_none() && run.phase == Phase::Open;
    let bill = if outcome.returned == Returned::Lost {
        let bill = billing::bill_lost(&step.state, index);
        turns::book_assumed(step, index, bill)
    } else if is_reported {
        billing::bill_total(&step.state, index, outcome.usage)
    } else {
        billing::bill_as_it_is(&step.state, index)
    };
    end_with(step, task, end, outcome, bill, None);
}

/// The same with a given bill; `undelivered`: see the fact's field `message_requeued`.
pub(crate) fn end_with(step: &mut Step<'_>, task: Key, end: End, outcome: Outcome, bill: Bill, undelivered: Option<bool>) {
    let index = step.state.node(task.index).run;
    let run = step.state.runs.at(index);
    let of = RunKey { task, run: run.number };
    let (phase, started_at, tried) = (run.phase, run.started_at, run.previous.is_some());
    // A policy finished it, even if its end came later, for another reason.
    let by_policy = end.reason == StopReason::Policy || (run.returned.is_some() && run.wrap_up_reason == Some(StopReason::Policy));
    let place = place_left(run).filter(|_| end.status == Status::Interrupted);
    let undelivered = undelivered.or_else(|| undelivered_at_start(step, of, &end));
    let plan = delivery::plan_notice(&step.state, step.waits, index);
    let collected = plan.as_ref().map_or_else(|| is_collected(&step.state, step.waits, index, end.reason), |plan| plan.is_collected);
    let mut output = outcome.output;
    let duration_ms = output.details().duration_ms;
    waiting::detach_waits_of(step, index);
    if step.state.node(task.index).question().is_some() {
        asking::give_up(step, task);
    }

    let from_host = !output.text.is_empty();
    if end.partial && !from_host {
        output.text = left_behind(&step.state, task.index);
    }
    let was_cut = results::cut_in_place(step, &mut output.text);
    let shown = (was_cut || (!from_host && !output.text.is_empty()) || by_policy).then(|| output.text.clone());
    let details = output.details();
    let without = if by_policy { (details.value.is_none(), details.artifacts.is_none()) } else { (false, false) };
    let abandon_at = AbandonAt(if end.host_open { finite(step.now, step.state.limits.abandon_ms).unwrap_or_default() } else { 0 });
    let unknown = bill.unknown;
    step.record(Fact::RunEnded {
        task,
        run: of.run,
        status: end.status,
        stop_reason: end.reason,
        partial: end.partial,
        host_open: end.host_open,
        cut: was_cut,
        collected,
        usage: bill.usage,
        unknown,
        invalid: bill.invalid,
        loans: bill.loans,
        output,
        abandon_at,
        message_requeued: undelivered,
        notice: plan.as_ref().map(|plan| plan.notice),
    });
    if let Some(plan) = plan {
        delivery::announce_new(step, of, &plan);
    }
    report_missing_cost(step, of, end.status, unknown);
    let ran = phase == Phase::Open;
    // A run that never started took no time, however long it was queued.
    let measured = if ran { step.now.saturating_sub(started_at) } else { 0 };
    let node = step.state.node(task.index);
    let has_children = node.first_child() != NONE;
    let ended = Ended {
        task,
        run: of.run,
        status: end.status,
        reason: end.reason,
        partial: end.partial,
        host_open: end.host_open,
        cut: was_cut,
        usage: node.last_usage,
        kinds: Some(node.kinds()).filter(|kinds| *kinds != Kinds::NONE).map(Box::new),
        usage_unknown: node.usage_unknown(),
        usage_invalid: node.usage_invalid(),
        started_at: (ran || tried).then_some(started_at),
        duration_ms: duration_ms.unwrap_or(measured),
        raised_by: view::raised_by(&step.state, task.index, end.reason),
        output: shown,
        without,
    };
    step.effect(Effect::RunEnded(ended));
    follow_end(step, of, end.status, has_children, place);
}

/// Reports once that a dollar cap can't hold: a run has completed, and its cost is unknown (B7). For a model without a price,
/// that was reported before (B11).
#[inline(never)]
fn report_missing_cost(step: &mut Step<'_>, RunKey { task, run }: RunKey, status: Status, unknown: Dimensions) {
    if !unknown.has(Dimension::Cost) || status != Status::Completed || step.log.missed_cost {
        return;
    }
    let is_capped = ledger::least_cap(&step.state.tree, task.index).nanos != UNCAPPED;
    if is_capped && !step.state.is_unpriced(task.index, run) {
        step.log.missed_cost = true;
        step.effect(Effect::Report(Rejection::CostUnknown { task }));
    }
}

/// Ends a queued run that will not start. Its message waits again if only the run was stopped; otherwise it is never delivered
/// (M2). A message that was tried before has been delivered, and its end has the error of that attempt (X5).
pub(crate) fn end_unstarted(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason) {
    let run = step.state.run_of(task.index);
    let undelivered = run.previous.is_none().then_some(status == Status::Interrupted);
    let index = step.state.node(task.index).run;
    let outcome = retrying::last_error(&step.state, index);
    let bill = billing::bill_as_it_is(&step.state, index);
    end_with(step, task, End { status, reason, partial: false, host_open: false }, outcome, bill, undelivered);
}

/// The consequences of an end: for work that the run began or that waited for it, for its task's next run, and above it.
#[inline]
fn follow_end(step: &mut Step<'_>, RunKey { task, run: number }: RunKey, status: Status, has_children: bool, place: Option<(i64, u64)>) {
    if has_children {
        stopping::end_children(step, task.index, number, status);
        stopping::collect_below(step, task.index, number);
    }
    waiting::close_ready(step);
    settling::finish_above(step, task.index);
    step.note_over(task.index);
    // A task with messages or notices has rare fields.
    if step.state.node(task.index).rare.is_some() {
        next_run(step, task, place);
        if step.state.has_notices(task.index) {
            delivery::release_inbox(step, task, status);
        }
    }
    if step.state.returned > 0 {
        parent_of_settled(step, task.index);
    }
}

/// Whether the caller of a foreground run already has its end, or no caller is left. A wait for a list has the end only when the
/// wait is over: until then its caller may abandon it (W2).
fn is_collected(state: &State, waits: &Waits, index: u32, reason: StopReason) -> bool {
    let run = state.runs.at(index);
    let node = state.node(run.task);
    // A cancel or close already reports the ends that it causes.
    let over = node.parent_run != 0 && !state.has_caller(run.task) && !reason.is_cancel_or_close();
    let no_caller = reason.is_by_caller() || over;
    no_caller
        || waits.waiters(index).iter().any(|wait| {
            let record = waits.at(*wait);
            !record.listed && record.inbox() == node.parent
        })
        || is_last_of_several(state, waits, index, reason)
}

/// Whether a wait for a list, or a cancel or close, is over with this end: its caller then has the end.
#[inline(never)]
fn is_last_of_several(state: &State, waits: &Waits, index: u32, reason: StopReason) -> bool {
    let node = state.node(state.runs.at(index).task);
    let ends = |wait: &u32| waits.at(*wait).inbox() == node.parent && waiting::is_over_with(state, waits, index, *wait);
    let reports = state.caller_reads(state.runs.at(index).task).is_none();
    waits.waiters(index).iter().any(ends)
        || (reports && (node.cancelling || reason.is_cancel_or_close()) && settling::is_over_with(state, index))
}

/// Whether the message of a run that is stopped before its host function was called waits again. `None` if the message was
/// delivered or tried before (M2). A policy that ends the run answers for the message.
#[inline]
fn undelivered_at_start(step: &mut Step<'_>, of: RunKey, end: &End) -> Option<bool> {
    if step.log.uncalled.is_empty() || !step.log.is_uncalled(of) {
        return None;
    }
    step.log.uncalled.retain(|noted| *noted != of);
    let is_first = step.state.run_of(of.task.index).previous.is_none();
    let is_stopped = end.reason != StopReason::Policy && end.status != Status::Completed;
    (is_first && is_stopped).then_some(end.status == Status::Interrupted)
}

/// The output of a run that was stopped before it returned one: the report that a policy made, or else its last progress.
#[inline(never)]
fn left_behind(state: &State, index: u32) -> Text {
    let Some(rare) = state.node(index).rare.as_ref() else { return Text::default() };
    if !state.may_show_progress(index) {
        return Text::default();
    }
    let report = rare.policing.as_ref().and_then(|policing| policing.report.clone());
    let left = report.or_else(|| rare.progress.clone()).unwrap_or_default();
    // A text of only white space is no output (L3).
    if left.trim().is_empty() { Text::default() } else { left }
}

/// Starts the next message, at `place` if it has one. Drops the queue if the task is over or sealed, or if a drain doesn't need
/// it (D8). A drain that leaves work to another process drops none. A paused queue waits (M4); any other is dropped if the budget
/// is spent (L6).
fn next_run(step: &mut Step<'_>, task: Key, place: Option<(i64, u64)>) {
    let node = step.state.node(task.index);
    let waiting = node.queued_messages();
    if waiting == 0 || node.run != NONE {
        return;
    }
    let is_called_for = step.state.would_be_called_for(task.index);
    let drains = step.state.draining.is_some_and(|drain| !drain.leaves_queued && (drain.overran || !is_called_for));
    let is_over = node.status == Status::Closed || (node.status == Status::Cancelled && node.reason != StopReason::Drained);
    let goes_on = !drains && !is_over && !step.state.is_sealed(task.index);
    // The budget of a restored session is unknown until it is registered, so it isn't checked (J3).
    let is_unknown = step.state.lacks_here(task.index, node.spec()).is_some();
    let paid = is_unknown || step.state.check_unspent(task.index, step.state.estimate_of(task.index)).is_ok();
    let paused = node.is_paused();
    if !goes_on || !(paid || paused) {
        mailbox::drop_all(step, task);
    } else if !paused {
        mailbox::start_next(step, task, place);
    }
}

/// Whether a sub-agent works for a run that must end after it (C3, `onParentEnd: 'wait'`).
pub(crate) fn works_for_it(state: &State, index: u32) -> bool {
    let number = state.run_of(index).number;
    state.children(index).any(|child| {
        let node = state.node(child);
        node.background && node.parent_run == number && node.status.is_open() && state.on_parent_end(child) == OnParentEnd::Wait
    })
}

/// Ends the run above a settled sub-agent, if it waited for nothing else.
#[inline(never)]
fn parent_of_settled(step: &mut Step<'_>, index: u32) {
    let parent = step.state.node(index).parent;
    end_if_settled(step, parent);
}

/// Ends a run whose host function returned before, if no sub-agent that it waits for still works.
pub(crate) fn end_if_settled(step: &mut Step<'_>, index: u32) {
    let run = step.state.run_of(index);
    if run.returned.is_some() && !works_for_it(&step.state, index) {
        let reason = run.wrap_up_reason.filter(|reason| *reason == StopReason::Policy).unwrap_or(StopReason::Finished);
        end_returned(step, index, End { status: Status::Completed, reason, partial: false, host_open: false });
    }
}

/// Ends a run whose host function returned before, with its result.
pub(crate) fn end_returned(step: &mut Step<'_>, index: u32, end: End) {
    let task = step.state.key(index);
    let Some(output) = step.state.run_of(index).returned.clone() else { return };
    end_run(step, task, end, Outcome { output: *output, ..Outcome::default() });
}

/// Requeues the message of a run that was in flight when its process was lost, if `lost` and the limits allow it (J3). Returns
/// whether it did. Uses up no attempt of `retry`.
pub(crate) fn requeue(step: &mut Step<'_>, task: Key, end: &End, lost: OnHostLost) -> bool {
    let index = step.state.node(task.index).run;
    if lost == OnHostLost::Fail || !end.reason.is_lost() || !retrying::may_be_lost(step, index) {
        return false;
    }
    let bill = retrying::bill_of_lost(step, index);
    requeue_run(step, task, end, bill, lost);
    true
}

/// Requeues the message of a run that a drain has stopped, for the process that opens the store next. It does so if `onHostLost`
/// requests it and budget is left (D8). The run's last checkpoint is retained, its result is not.
fn requeue_drained(step: &mut Step<'_>, task: Key, end: &End, outcome: &Outcome) -> bool {
    let index = step.state.node(task.index).run;
    let run = step.state.runs.at(index);
    let has_host = run.phase == Phase::Open && run.returned.is_none();
    if end.reason != StopReason::Drained || !has_host || !step.log.leaves_runs(&step.state) {
        return false;
    }
    let lost = step.log.lost;
    let bill =
        if end.host_open { billing::bill_unfinished(&step.state, index) } else { billing::bill_returned(&step.state, index, outcome) };
    if !retrying::has_budget(&step.state, index, retrying::beyond(&step.state, index, &bill)) {
        return false;
    }
    if end.host_open {
        let run = step.state.run_of(task.index).number;
        step.log.left_open.push(RunKey { task, run });
    }
    let bill = if end.host_open { turns::book_assumed(step, index, bill) } else { bill };
    requeue_run(step, task, end, bill, lost);
    true
}

fn requeue_run(step: &mut Step<'_>, task: Key, end: &End, bill: Bill, lost: OnHostLost) {
    let run = step.state.run_of(task.index);
    let (number, attempt) = (run.number, run.attempt);
    let checkpoint = step.state.node(task.index).rare.as_ref().and_then(|rare| rare.checkpoint.clone());
    let now = step.now;
    let next = number.saturating_add(1);
    let resumes = lost == OnHostLost::Resume;
    // At that time its sub-agents work for the next run.
    let without = (!resumes).then_some(next);
    end_attempt(step, RunKey { task, run: number }, end, Outcome::default(), bill, &Next { attempt, until: now, without, resumes });
    if let Some(data) = checkpoint.filter(|_| resumes) {
        step.record(Fact::CheckpointSaved { task, run: next, data });
    }
}

/// Ends an attempt; its message waits for the next one.
#[inline(never)]
pub(crate) fn retry(step: &mut Step<'_>, of: RunKey, end: &End, outcome: Outcome, bill: Bill, until: u64) {
    let attempt = step.state.run_of(of.task.index).attempt.saturating_add(1);
    end_attempt(step, of, end, outcome, bill, &Next { attempt, until, without: Some(of.run), resumes: false });
}

/// The next attempt.
struct Next {
    /// The number of attempts before it.
    attempt: u32,
    /// The earliest time at which it may begin.
    until: u64,
    /// The run whose sub-agents end before it, if any.
    without: Option<u32>,
    /// It continues from the last checkpoint.
    resumes: bool,
}

fn end_attempt(step: &mut Step<'_>, RunKey { task, run: number }: RunKey, end: &End, outcome: Outcome, bill: Bill, next: &Next) {
    let index = step.state.node(task.index).run;
    let steers = step.state.node(task.index).steers();
    waiting::detach_waits_of(step, index);
    if step.state.node(task.index).question().is_some() {
        asking::give_up(step, task);
    }
    let (_, ResultDetails { error, host_status, .. }) = outcome.output.into_parts();
    let error = error.map(|error| results::cut(step, error).0);
    let Bill { usage, unknown, invalid, loans, .. } = bill;
    step.record(Fact::RunRetried {
        task,
        run: number,
        attempt: next.attempt,
        stop_reason: end.reason,
        error,
        host_status,
        usage,
        unknown,
        invalid,
        loans,
        until: next.until,
    });
    mailbox::steer_again(step, task, number.saturating_add(1), next.resumes, steers);
    step.effect(Effect::RunRetried { task, run: number, reason: end.reason });
    if let Some(run) = next.without.filter(|_| step.state.node(task.index).first_child() != NONE) {
        stopping::end_children(step, task.index, run, end.status);
        stopping::collect_below(step, task.index, run);
    }
    waiting::close_ready(step);
    if step.state.has_notices(task.index) {
        delivery::release_inbox(step, task, end.status);
    }
}

/// The rank and the round for the next message after an interrupt. If the run had begun, the message goes before all waiting
/// work, in no round, since its parent has had that turn. If the run was queued, the message gets its place (M1).
const fn place_left(run: &Run) -> Option<(i64, u64)> {
    match run.phase {
        Phase::Open => Some((queue::BEGUN, 0)),
        Phase::Queued => Some((run.place.rank, run.place.round)),
        Phase::Backoff { .. } | Phase::Lingering { .. } | Phase::Abandoned => None,
    }
}
