//! Endings: a run ends once, and the first end wins (L2–L6, C3, S4). Owns how the end of a host function is judged, the
//! record of a run's end, and the order of what follows from it.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::base::text::cut_to_bytes;
use crate::model::effect::{Effect, Ended};
use crate::model::ended::AbandonAt;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::kinds::Kinds;
use crate::model::outcome::{Outcome, Returned};
use crate::model::rejection::Rejection;
use crate::model::run_output::RunOutput;
use crate::model::status::{OnParentEnd, Status, StopReason};
use crate::model::usage::Dimensions;
use crate::read::view;
use crate::rules::budget::billing;
use crate::rules::budget::billing::Bill;
use crate::rules::budget::pricing;
use crate::rules::messages::{asking, sending};
use crate::rules::notices::delivery;
use crate::rules::runs::{cancelling, interrupting, retrying, returning};
use crate::rules::tree::sessions;
use crate::rules::waiting;
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::state::runs::timers::finite;
use crate::state::tree::node::Kind;
use crate::step::Step;
use crate::waits::Waits;

/// How a run ended.
pub(crate) struct End {
    pub(crate) status: Status,
    pub(crate) reason: StopReason,
    /// The output is what had been done when it was stopped.
    pub(crate) partial: bool,
    /// The host function is still running.
    pub(crate) host_open: bool,
}

/// Takes the end of a host function. What the host reports is always taken (L2).
pub(crate) fn host_returned(step: &mut Step<'_>, task: Key, number: u32, outcome: Outcome) {
    if !step.state.tree.contains(task) {
        return;
    }
    let mut outcome = outcome;
    let Some(index) = step.state.find_run(task.index, number) else {
        return take_again(step, task, number, outcome);
    };
    let run = step.state.runs.at(index);
    if !matches!(run.phase, Phase::Queued | Phase::Backoff)
        && run.returned.is_none()
        && pricing::concerns(&step.state, task.index, &outcome)
    {
        pricing::price_total(step, (task, number), &mut outcome);
    }
    match step.state.runs.at(index).phase {
        Phase::Queued | Phase::Backoff => {}
        // A host function returns once.
        Phase::Open if step.state.runs.at(index).returned.is_some() => {}
        Phase::Open => {
            let end = judge(step, index, &outcome);
            if end.reason == StopReason::Policy {
                outcome.product = step.state.product_of_policy(task.index, std::mem::take(&mut outcome.product));
            }
            let lost = (outcome.returned == Returned::Lost).then(|| billing::bill_unfinished(&step.state, index));
            let more = lost.as_ref().map_or(Amounts::ZERO, |bill| retrying::beyond(&step.state, index, bill));
            if let Some(until) = retrying::due_after(step, index, &end, more) {
                let bill = lost.unwrap_or_else(|| billing::bill_total(&step.state, index, outcome.usage));
                retrying::again(step, task, number, &end, outcome, bill, until);
            } else if step.state.node(task.index).first_child() != NONE && returning::has_to_wait(&step.state, task.index, &end) {
                returning::leave_open(step, task, number, outcome);
            } else {
                end_run(step, task, end, outcome);
            }
        }
        Phase::Lingering | Phase::Abandoned => returned_late(step, index, task, outcome),
    }
}

/// Takes the end of a host function whose run has ended before.
#[inline(never)]
fn returned_late(step: &mut Step<'_>, index: u32, task: Key, outcome: Outcome) {
    let run = step.state.runs.at(index).number;
    let Bill { usage, unknown, invalid, loans, .. } = billing::bill_returned(&step.state, index, &outcome);
    let late_result = late_text(step, outcome.product);
    step.record(Fact::HostReturned { task, run, usage: Some(usage), unknown, invalid, loans, late_result });
    sessions::note(step, task.index);
}

/// Takes a late result: the run has ended, and its host function is over (X4).
#[inline(never)]
fn take_again(step: &mut Step<'_>, task: Key, number: u32, mut outcome: Outcome) {
    step.log.left_open.retain(|left| *left != (task, number));
    let node = step.state.node(task.index);
    if number == 0 || number > node.runs {
        return;
    }
    pricing::price_total(step, (task, number), &mut outcome);
    let node = step.state.node(task.index);
    let (before, doubts) = (node.last_usage, node.usage_doubts);
    let again = billing::bill_again(&step.state, task.index, number, outcome.usage);
    let news = again.is_some_and(|(usage, unknown, invalid)| usage != before || Dimensions::doubts(unknown, invalid) != doubts);
    let late_result = late_text(step, outcome.product);
    if news || late_result.is_some() {
        let usage = again.map(|(usage, ..)| usage);
        let (unknown, invalid) = again.map_or((Dimensions::NONE, Dimensions::NONE), |(_, unknown, invalid)| (unknown, invalid));
        step.record(Fact::HostReturned { task, run: number, usage, unknown, invalid, loans: None, late_result });
    }
}

/// A host function is not waited for any more, and nothing of it is left behind: what it holds counts as used (S4).
pub(crate) fn release_host(step: &mut Step<'_>, index: u32) {
    let run = step.state.runs.at(index);
    let (task, run) = (step.state.key(run.task), run.number);
    let usage = Some(billing::with_hold(&step.state, index));
    let (unknown, invalid) = Dimensions::doubted(step.state.node(task.index).usage_doubts);
    step.record(Fact::HostReturned { task, run, usage, unknown, invalid, loans: None, late_result: None });
    sessions::note(step, task.index);
}

/// What a host says after the end: its output, or else what went wrong.
fn late_text(step: &Step<'_>, product: RunOutput) -> Option<Text> {
    let (output, extras) = product.into_parts();
    let late = extras.error.filter(|_| output.is_empty()).unwrap_or(output);
    (!late.is_empty()).then(|| cut(step, late).0)
}

/// Notes whether the host function of a run is called by now (M2).
pub(crate) fn note_host(step: &mut Step<'_>, task: Key, run: u32, called: bool) -> Result<Reply, Rejection> {
    if called {
        step.log.uncalled.retain(|noted| *noted != (task, run));
    } else if step.state.tree.contains(task) && step.state.find_run(task.index, run).is_some() {
        step.log.uncalled.push((task, run));
    }
    Ok(Reply::Done)
}

/// Notes that no host function is open for a run: it ends by report, by cancel or by its deadline (X4).
pub(crate) fn started_elsewhere(step: &mut Step<'_>, task: Key, run: u32) -> Result<Reply, Rejection> {
    if step.state.tree.contains(task) && step.state.find_run(task.index, run).is_some() {
        step.record(Fact::RunElsewhere { task, run, host_task_id: None });
    }
    Ok(Reply::Done)
}

/// Keeps the host's id of a task's last run, also where that has ended meanwhile: what was cancelled here may have to
/// be stopped there (X4).
pub(crate) fn named_elsewhere(step: &mut Step<'_>, task: Key, run: u32, host_task_id: Text) -> Result<Reply, Rejection> {
    if step.state.tree.contains(task) && run > 0 && step.state.node(task.index).runs == run {
        step.record(Fact::RunElsewhere { task, run, host_task_id: Some(host_task_id) });
    }
    Ok(Reply::Done)
}

/// How a run ends: a reason that it was told before counts more than what the host says (L3–L5).
#[inline(always)]
fn judge(step: &Step<'_>, index: u32, outcome: &Outcome) -> End {
    let run = step.state.runs.at(index);
    let told = run.told.map(|reason| (reason, step.state.status_told(run.task, reason)));
    if let Some((reason, status)) = run.stop.or(told) {
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

/// Ends the open or queued run of a task, and does what follows.
pub(crate) fn end_run(step: &mut Step<'_>, task: Key, end: End, outcome: Outcome) {
    if retrying::leave(step, task, &end, &outcome) {
        return;
    }
    let index = step.state.node(task.index).run;
    let run = step.state.runs.at(index);
    let is_told = !end.host_open && run.returned.is_none() && run.phase == Phase::Open;
    let bill = if outcome.returned == Returned::Lost {
        billing::bill_lost(&step.state, index)
    } else if is_told {
        billing::bill_total(&step.state, index, outcome.usage)
    } else {
        billing::bill_as_it_is(&step.state, index)
    };
    end_with(step, task, end, outcome, bill, None);
}

/// The same with a given bill; `unheard`: see the fact's field.
pub(crate) fn end_with(step: &mut Step<'_>, task: Key, end: End, outcome: Outcome, bill: Bill, unheard: Option<bool>) {
    let index = step.state.node(task.index).run;
    let run = step.state.runs.at(index);
    let (number, phase, started_at, tried) = (run.number, run.phase, run.started_at, run.previous.is_some());
    let place = interrupting::place_left(run).filter(|_| end.status == Status::Interrupted);
    let unheard = unheard.or_else(|| unheard_at_start(step, task, number, &end));
    let plan = delivery::plan_notice(&step.state, step.waits, index);
    let collected = plan.as_ref().map_or_else(|| is_collected(&step.state, step.waits, index, end.reason), |plan| plan.is_collected);
    let mut product = outcome.product;
    let duration_ms = product.extras().duration_ms;
    waiting::leave_waits_of(step, index);
    if step.state.node(task.index).question().is_some() {
        asking::give_up(step, task);
    }

    let from_host = !product.output.is_empty();
    if end.partial && !from_host {
        product.output = left_behind(&step.state, task.index);
    }
    let was_cut = cut_in_place(step, &mut product.output);
    let told = (was_cut || (!from_host && !product.output.is_empty()) || end.reason == StopReason::Policy).then(|| product.output.clone());
    let extras = product.extras();
    let without = if end.reason == StopReason::Policy { (extras.value.is_none(), extras.artifacts.is_none()) } else { (false, false) };
    let abandon_at = AbandonAt(if end.host_open { finite(step.now, step.state.limits.abandon_ms).unwrap_or_default() } else { 0 });
    step.record(Fact::RunEnded {
        task,
        run: number,
        status: end.status,
        reason: end.reason,
        partial: end.partial,
        host_open: end.host_open,
        cut: was_cut,
        collected,
        usage: bill.usage,
        unknown: bill.unknown,
        invalid: bill.invalid,
        loans: bill.loans,
        product,
        abandon_at,
        unheard,
        notice: plan.as_ref().map(|plan| plan.birth),
    });
    if let Some(plan) = plan {
        delivery::announce_born(step, task, number, &plan);
    }
    let ran = phase == Phase::Open;
    // A run that never started took no time, however long it was queued.
    let measured = if ran { step.now.saturating_sub(started_at) } else { 0 };
    let node = step.state.node(task.index);
    let has_children = node.first_child() != NONE;
    let ended = Ended {
        task,
        run: number,
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
        output: told,
        without,
    };
    step.effect(Effect::RunEnded(ended));
    follow_end(step, (task, number), end.status, has_children, place);
}

/// What an end leads to: for what the run began and what waited for it, for the next run of its task, and above it.
#[inline]
fn follow_end(step: &mut Step<'_>, (task, number): (Key, u32), status: Status, has_children: bool, place: Option<(i64, u64)>) {
    if has_children {
        end_children(step, task.index, number, status);
        collect_below(step, task.index, number);
    }
    waiting::close_ready(step);
    cancelling::finish_above(step, task.index);
    sessions::note(step, task.index);
    // Messages and notices stand there.
    if step.state.node(task.index).rare.is_some() {
        next_run(step, task, place);
        if step.state.has_notices(task.index) {
            delivery::leave_inbox(step, task, status);
        }
    }
    if step.state.returned > 0 {
        returning::parent_of_settled(step, task.index);
    }
}

/// Whether the caller of a foreground run has its end already, or no caller is left. A wait for a list has the end only
/// when the wait is over: until then its caller may give it up (W2).
fn is_collected(state: &State, waits: &Waits, index: u32, reason: StopReason) -> bool {
    let run = state.runs.at(index);
    let node = state.node(run.task);
    // A cancel or close already reports the ends that it causes.
    let over = node.parent_run != 0 && !state.has_caller(run.task) && !reason.is_wish();
    let no_caller = reason == StopReason::ParentEnded || over;
    no_caller
        || waits.waiters(index).iter().any(|wait| {
            let record = waits.at(*wait);
            !record.listed && record.inbox() == node.parent
        })
        || is_last_of_several(state, waits, index, reason)
}

/// Whether a wait for a list, or a cancel or close, is over with this end: its caller has it then.
#[inline(never)]
fn is_last_of_several(state: &State, waits: &Waits, index: u32, reason: StopReason) -> bool {
    let node = state.node(state.runs.at(index).task);
    let ends = |wait: &u32| waits.at(*wait).inbox() == node.parent && waiting::is_over_with(state, waits, index, *wait);
    let reports = state.caller_reads(state.runs.at(index).task).is_none();
    waits.waiters(index).iter().any(ends) || (reports && (node.cancelling || reason.is_wish()) && cancelling::is_over_with(state, index))
}

/// A run is over: its caller will never ask for ends of foreground work that it did not wait for, and they would be kept
/// for ever (L8).
#[inline(never)]
pub(crate) fn collect_below(step: &mut Step<'_>, index: u32, number: u32) {
    let left = |child: &u32| {
        let node = step.state.node(*child);
        // A cancel or close already reports the ends that it causes.
        let uncollected = node.run == NONE && !node.collected && !node.reason.is_wish();
        let asked_for = node.kind == Kind::Task && !node.background && node.parent_run == number;
        asked_for && uncollected
    };
    let tasks: Vec<Key> = step.state.children(index).filter(left).map(|child| step.state.key(child)).collect();
    if !tasks.is_empty() {
        step.record(Fact::EndsCollected { tasks });
    }
}

/// Whether the message of a run that is stopped before its host function was called waits again, where none has heard it (M2). A
/// policy that ends it answers for the message, and one that was tried before has been heard.
#[inline]
fn unheard_at_start(step: &mut Step<'_>, task: Key, number: u32, end: &End) -> Option<bool> {
    if step.log.uncalled.is_empty() || !step.log.is_uncalled(task, number) {
        return None;
    }
    step.log.uncalled.retain(|noted| *noted != (task, number));
    let is_first = step.state.run_of(task.index).previous.is_none();
    let is_stopped = end.reason != StopReason::Policy && end.status != Status::Completed;
    (is_first && is_stopped).then_some(end.status == Status::Interrupted)
}

/// Stands for the output of a run that was stopped before it returned one: the report that a policy made of it, else what
/// it last said.
#[inline(never)]
fn left_behind(state: &State, index: u32) -> Text {
    let Some(rare) = state.node(index).rare.as_ref() else { return Text::default() };
    if !state.may_show_progress(index) {
        return Text::default();
    }
    let report = rare.policing.as_ref().and_then(|policing| policing.report.clone());
    let left = report.or_else(|| rare.progress.clone()).unwrap_or_default();
    // A text of white space alone is no output (L3).
    if left.trim().is_empty() { Text::default() } else { left }
}

/// Ends a run that was queued and will not start. Its message waits again where the run alone was stopped; else it will
/// never be heard (M2). A message that was tried before has been heard, and its end tells what went wrong then (X5).
pub(crate) fn end_unstarted(step: &mut Step<'_>, task: Key, status: Status, reason: StopReason) {
    let run = step.state.run_of(task.index);
    let is_unheard = run.previous.is_none();
    let unheard = is_unheard.then_some(status == Status::Interrupted);
    let index = step.state.node(task.index).run;
    let outcome = retrying::last_error(&step.state, index);
    let bill = billing::bill_as_it_is(&step.state, index);
    end_with(step, task, End { status, reason, partial: false, host_open: false }, outcome, bill, unheard);
}

/// Children that work for a run end with it; background ones live on after a good end, unless they were spawned to end with
/// it (C3), and after an interrupt (M4). Children that an earlier run left have outlived that run, and the end of a later
/// one changes nothing for them.
#[inline(never)]
pub(crate) fn end_children(step: &mut Step<'_>, index: u32, number: u32, status: Status) {
    let good = status == Status::Completed || status == Status::Interrupted;
    let ending: Vec<u32> = step
        .state
        .children(index)
        .filter(|child| {
            let node = step.state.node(*child);
            let works = node.status.is_open() && node.parent_run == number;
            let ends_along = || step.state.on_parent_end(*child) == OnParentEnd::Cancel;
            let lives_on = good && node.background && !ends_along();
            works && !lives_on
        })
        .collect();
    for child in ending {
        cancelling::stop_subtree(step, child, Status::Cancelled, StopReason::ParentEnded, None);
    }
}

/// Starts on the next message, at this place where it has one, unless the queue is held (M4); where nothing is left to spend,
/// all of them are dropped (L6), and in a drain that leaves nothing queued, where no run has called for what they start (D8).
/// A drain that leaves work to another process cancels runs, not what waits behind them.
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
    let held = node.is_held();
    if !goes_on || !(paid || held) {
        sending::drop_all(step, task);
    } else if !held {
        sending::start_next(step, task, place);
    }
}

/// Cuts a text at `maxResultBytes` and says whether it had to (R1).
pub(crate) fn cut(step: &Step<'_>, text: Text) -> (Text, bool) {
    let mut text = text;
    let was_cut = cut_in_place(step, &mut text);
    (text, was_cut)
}

#[inline]
fn cut_in_place(step: &Step<'_>, text: &mut Text) -> bool {
    let most = usize::try_from(step.state.limits.max_result_bytes).unwrap_or(usize::MAX);
    let is_over = text.len() > most;
    if is_over {
        *text = cut_to_bytes(text, most).into();
    }
    is_over
}
