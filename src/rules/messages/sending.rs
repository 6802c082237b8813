//! Messages: their delivery to a task (M1, M2, L6, L7). Owns which messages are accepted, their places, and when one starts a
//! run; `state/mailbox.rs` stores the messages.
//!
//! ```text
//!  queue ──────────────────────▶ ┌──────────────────────────────────────────┐
//!  steer ──▶ running run ─missed▶ │ interrupting · missed steers · queued    │ ──▶ the next run
//!  interrupt ── aborts the run ─▶ └──────────────────────────────────────────┘
//! ```

use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Mode, Receipt, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{MessagePlace, Status};
use crate::rules::messages::{asking, mailbox};
use crate::rules::runs::interrupting;
use crate::rules::scheduling::queueing;
use crate::rules::scheduling::queueing::Newcomer;
use crate::state::budget::ledger;
use crate::state::runs::run::{Phase, Run};
use crate::step::Step;

/// Accepts a message. If the task asks, the message is the answer. If the task has no queued or open run, the message is for the
/// next run. Otherwise its mode decides.
pub(crate) fn send(step: &mut Step<'_>, actor: Actor, task: Key, mode: Mode, text: Text) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if text.trim().is_empty() {
        return Err(Rejection::InvalidArgument { argument: Some("message"), what: "`message` must not be empty".into() });
    }
    if node.status == Status::Closed || step.state.is_sealed(index) {
        return Err(Rejection::wrong_status(node.status, "take messages"));
    }
    if !step.state.may_revive(actor, index) {
        return Err(Rejection::wrong_status(node.status, "take messages, except from the actor that cancelled it or one above"));
    }
    // An actor that reaches a task is its requester, or one above (A1). An answer is no new work.
    if node.question().is_some() {
        asking::close(step, task, Some(text), false);
        return Ok(Reply::Sent(Receipt::Delivered));
    }
    if step.state.is_refused_by_drain(actor, node.background) {
        return Err(Rejection::Draining);
    }
    if node.background {
        step.state.check_notice_capacity()?;
    }
    let (run, limit) = (node.run, step.state.limits.max_messages);
    let waiting = node.undelivered_messages();
    if u64::try_from(waiting).unwrap_or(u64::MAX) >= limit {
        return Err(Rejection::MessagesLimit { limit });
    }
    if run == NONE {
        check_start(step, actor, index)?;
        if waiting == 0 {
            queueing::enqueue(step, task, Some(text), None);
            return Ok(Reply::Sent(Receipt::Started));
        }
    }
    // An interrupt ends a queued or returned run at once, so budget for this message must be available now. A surviving host's
    // open turn comes on top: the end of that run books it.
    if mode == Mode::Interrupt && run != NONE && ends_at_once(step.state.runs.at(run)) {
        let needed = step.state.estimate_of(index).plus(step.state.runs.at(run).left_open());
        step.state.check_unspent(index, needed)?;
    }
    let receipt = if is_next(step, index, mode) { Receipt::Started } else { Receipt::Queued };
    keep(step, task, mode, text);
    if step.state.node(index).is_paused() {
        step.record(Fact::QueuePaused { task, paused: false });
    }
    if run == NONE {
        mailbox::start_next(step, task, None);
        return Ok(Reply::Sent(receipt));
    }
    let starts = mode == Mode::Interrupt && interrupt_for(step, index);
    Ok(Reply::Sent(if starts { receipt } else { Receipt::Queued }))
}

/// Whether an interrupt ends this run in the same step: its host function is not open.
fn ends_at_once(run: &Run) -> bool {
    matches!(run.phase, Phase::Queued | Phase::Backoff { .. }) || run.returned.is_some()
}

/// Whether a message of this mode would start the next run.
fn is_next(step: &Step<'_>, index: u32, mode: Mode) -> bool {
    let node = step.state.node(index);
    let (interrupting, missed) = node.messages_ahead();
    match mode {
        Mode::Queue => node.undelivered_messages() == 0,
        Mode::Steer => interrupting == 0 && missed == 0,
        Mode::Interrupt => interrupting == 0,
    }
}

fn keep(step: &mut Step<'_>, task: Key, mode: Mode, text: Text) {
    let node = step.state.node(task.index);
    let place = match mode {
        Mode::Queue => MessagePlace::Queue,
        // There is no run to which it could be delivered.
        Mode::Steer if node.run == NONE => MessagePlace::Missed,
        Mode::Steer => MessagePlace::Steer,
        Mode::Interrupt => MessagePlace::Interrupt,
    };
    let run = node.runs;
    step.record(Fact::MessageQueued { task, run, place, text });
}

/// Aborts the queued or open run. Returns whether the next run was queued at once.
fn interrupt_for(step: &mut Step<'_>, index: u32) -> bool {
    let before = step.state.node(index).runs;
    interrupting::stop(step, index, None);
    step.state.node(index).runs > before
}

/// The checks of a message that starts a run (D1, D2, B5).
fn check_start(step: &Step<'_>, actor: Actor, index: u32) -> Result<(), Rejection> {
    step.state.check_width_for(index)?;
    let estimate = step.state.estimate_of(index);
    step.state.check_unspent(index, estimate)?;
    let place = queueing::place_of(step, index);
    let available = ledger::available(&step.state.tree, &step.state.runs, index, crate::base::amounts::Amounts::ZERO);
    let ready_at = step.state.task_ready_at(step.now, index);
    let newcomer = Newcomer { place, payer: index, available, estimate, ready_at, lacks: step.state.lacks_for(index) };
    queueing::check_queue(step.context(), actor, &newcomer).map(|_| ())
}
