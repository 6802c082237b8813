//! Ends of host functions (L2–L5, C3, X4). Owns how a host's result is judged, when its run stays open for its sub-agents
//! (`onParentEnd: 'wait'`), and the bookings of a late result. Also owns whether a host is still to be called or runs elsewhere.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::ended::End;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::outcome::{Outcome, Returned};
use crate::model::rejection::Rejection;
use crate::model::run_output::RunOutput;
use crate::model::status::{Status, StopReason};
use crate::model::usage::Dimensions;
use crate::rules::budget::billing::Bill;
use crate::rules::budget::{billing, pricing};
use crate::rules::messages::asking;
use crate::rules::runs::{ending, retrying, stopping, turns};
use crate::rules::{results, waiting};
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Accepts the end of a host function. The host's report is always accepted (L2).
pub(crate) fn host_returned(step: &mut Step<'_>, of: RunKey, outcome: Outcome) {
    let task = of.task;
    if !step.state.tree.contains(task) {
        return;
    }
    let mut outcome = outcome;
    let Some(index) = step.state.find(of) else {
        return take_again(step, of, outcome);
    };
    let run = step.state.runs.at(index);
    if !matches!(run.phase, Phase::Queued | Phase::Backoff { .. })
        && run.returned.is_none()
        && pricing::concerns(&step.state, of, outcome.tokens.as_deref())
    {
        pricing::price_total(step, of, &mut outcome);
    }
    match step.state.runs.at(index).phase {
        Phase::Queued | Phase::Backoff { .. } => {}
        // A host function returns once.
        Phase::Open if step.state.runs.at(index).returned.is_some() => {}
        Phase::Open => {
            let end = judge(step, index, &outcome);
            if end.reason == StopReason::Policy {
                outcome.output = step.state.output_of_policy(task.index, std::mem::take(&mut outcome.output));
            }
            let lost = (outcome.returned == Returned::Lost).then(|| billing::bill_unfinished(&step.state, index));
            let more = lost.as_ref().map_or(Amounts::ZERO, |bill| retrying::beyond(&step.state, index, bill));
            if let Some(until) = retrying::due_after(step, index, &end, more) {
                let bill = lost.unwrap_or_else(|| billing::bill_total(&step.state, index, outcome.usage));
                ending::retry(step, of, &end, outcome, bill, until);
            } else if step.state.node(task.index).first_child() != NONE && has_to_wait(&step.state, task.index, &end) {
                leave_open(step, of, outcome);
            } else {
                ending::end_run(step, task, end, outcome);
            }
        }
        Phase::Lingering { .. } | Phase::Abandoned => returned_late(step, index, task, outcome),
    }
}

/// The end of a run: the reason for which it was asked to stop counts more than the host's status (L3–L5).
#[inline(always)]
fn judge(step: &Step<'_>, index: u32, outcome: &Outcome) -> End {
    let run = step.state.runs.at(index);
    let wrapping_up = run.wrap_up_reason.map(|reason| (reason, step.state.wrap_up_status(run.task, reason)));
    if let Some((reason, status)) = run.stop.or(wrapping_up) {
        return End { status, reason, partial: status != Status::Completed, host_open: false };
    }
    let (status, reason) = match outcome.returned {
        Returned::Completed => (Status::Completed, StopReason::Finished),
        Returned::Failed | Returned::Incomplete => (Status::Failed, StopReason::HostFailed),
        Returned::Cancelled => (Status::Cancelled, StopReason::HostCancelled),
        Returned::TimedOut => (Status::TimedOut, StopReason::HostTimedOut),
        Returned::Threw => (Status::Failed, StopReason::HostThrew),
        Returned::Invalid => (Status::Failed, StopReason::InvalidResult),
        Returned::Lost => (Status::Failed, StopReason::HostLost),
    };
    let partial = matches!(outcome.returned, Returned::Incomplete | Returned::Lost);
    End { status, reason, partial, host_open: false }
}

/// Whether a run with this end must wait for a sub-agent first. A run that a policy asked to stop has only its grace.
#[inline(never)]
pub(crate) fn has_to_wait(state: &State, index: u32, end: &End) -> bool {
    end.status == Status::Completed && state.run_of(index).stop.is_none() && ending::works_for_it(state, index)
}

/// Records the result and leaves the run open. Sub-agents that end with a good end of the run end now.
#[inline(never)]
pub(crate) fn leave_open(step: &mut Step<'_>, RunKey { task, run }: RunKey, outcome: Outcome) {
    let index = step.state.node(task.index).run;
    let Bill { usage, unknown, invalid, loans, .. } = billing::bill_total(&step.state, index, outcome.usage);
    waiting::detach_waits_of(step, index);
    if step.state.node(task.index).question().is_some() {
        asking::give_up(step, task);
    }
    step.record(Fact::RunReturned { task, run, usage, unknown, invalid, loans, output: outcome.output });
    stopping::end_children(step, task.index, run, Status::Completed);
    ending::end_if_settled(step, task.index);
}

/// Records the end of a host function whose run has already ended.
#[inline(never)]
fn returned_late(step: &mut Step<'_>, index: u32, task: Key, outcome: Outcome) {
    let run = step.state.runs.at(index).number;
    let Bill { usage, unknown, invalid, loans, .. } = billing::bill_returned(&step.state, index, &outcome);
    let late_result = late_text(step, outcome.output);
    step.record(Fact::HostReturned { task, run, usage: Some(usage), unknown, invalid, loans, late_result });
    step.note_over(task.index);
}

/// Records a late result: the run has ended, and its host function is over (X4).
#[inline(never)]
fn take_again(step: &mut Step<'_>, of: RunKey, mut outcome: Outcome) {
    let RunKey { task, run } = of;
    step.log.left_open.retain(|left| *left != of);
    let node = step.state.node(task.index);
    if run == 0 || run > node.runs {
        return;
    }
    pricing::price_total(step, of, &mut outcome);
    let node = step.state.node(task.index);
    let (before, doubts) = (node.last_usage, node.usage_doubts);
    let again = billing::bill_again(&step.state, task.index, run, outcome.usage);
    let is_changed = again.is_some_and(|(usage, unknown, invalid)| usage != before || Dimensions::doubts(unknown, invalid) != doubts);
    let late_result = late_text(step, outcome.output);
    if is_changed || late_result.is_some() {
        let usage = again.map(|(usage, ..)| usage);
        let (unknown, invalid) = again.map_or((Dimensions::NONE, Dimensions::NONE), |(_, unknown, invalid)| (unknown, invalid));
        step.record(Fact::HostReturned { task, run, usage, unknown, invalid, loans: None, late_result });
    }
}

/// Stops waiting for a host function of which nothing is left: its reservation counts as used (S4).
pub(crate) fn release_host(step: &mut Step<'_>, index: u32) {
    let RunKey { task, run } = step.state.run_key(index);
    let (unknown, invalid) = Dimensions::doubted(step.state.node(task.index).usage_doubts);
    let bill = Bill { usage: billing::with_reservation(&step.state, index), unknown, invalid, loans: None };
    let usage = Some(turns::book_assumed(step, index, bill).usage);
    step.record(Fact::HostReturned { task, run, usage, unknown, invalid, loans: None, late_result: None });
    step.note_over(task.index);
}

/// The host's text after the end: its output, or else its error.
fn late_text(step: &Step<'_>, output: RunOutput) -> Option<Text> {
    let (output, details) = output.into_parts();
    let late = details.error.filter(|_| output.is_empty()).unwrap_or(output);
    (!late.is_empty()).then(|| results::cut(step, late).0)
}

/// Notes whether the host function of a run has been called (M2).
pub(crate) fn note_host(step: &mut Step<'_>, of: RunKey, called: bool) -> Result<Reply, Rejection> {
    if called {
        step.log.uncalled.retain(|noted| *noted != of);
    } else if step.state.tree.contains(of.task) && step.state.find(of).is_some() {
        step.log.uncalled.push(of);
    }
    Ok(Reply::Done)
}

/// Notes that no host function is open for a run: it ends by a report, a cancel or its deadline (X4).
pub(crate) fn started_elsewhere(step: &mut Step<'_>, task: Key, run: u32) -> Result<Reply, Rejection> {
    let found = step.state.find_run(task.index, run).filter(|_| step.state.tree.contains(task));
    if found.is_some_and(|index| !step.state.is_elsewhere(step.state.runs.at(index))) {
        step.record(Fact::RunElsewhere { task, run, host_task_id: None });
    }
    Ok(Reply::Done)
}

/// Retains the host's id of a task's last run, even if the run has already ended. Work that was cancelled here may have to be
/// stopped there (X4).
pub(crate) fn named_elsewhere(step: &mut Step<'_>, task: Key, run: u32, host_task_id: Text) -> Result<Reply, Rejection> {
    if step.state.tree.contains(task) && run > 0 && step.state.node(task.index).runs == run {
        step.record(Fact::RunElsewhere { task, run, host_task_id: Some(host_task_id) });
    }
    Ok(Reply::Done)
}
