//! Messages: what a task is to do next (M1, L6, L7).

use crate::amounts::Amounts;
use crate::codec::Text;
use crate::fact::Fact;
use crate::input::{Actor, Reply};
use crate::rejection::Rejection;
use crate::rules::admission::Newcomer;
use crate::rules::{admission, budget};
use crate::slab::{Key, NONE};
use crate::state::ledger;
use crate::status::Status;
use crate::step::Step;

/// Queues a message: it starts a run at once where none is queued or open.
pub(crate) fn send(step: &mut Step<'_>, actor: Actor, task: Key, text: Text) -> Result<Reply, Rejection> {
    let slot = step.state.reach(actor, task)?;
    let node = step.state.node(slot);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if admission::is_manual(step.state, slot) {
        return Err(Rejection::WrongStyle { manual: true, action: "`send`" });
    }
    if text.trim().is_empty() {
        return Err(Rejection::InvalidArgument { what: "`message` must not be empty".into() });
    }
    if node.status == Status::Closed || step.state.is_sealed(slot) {
        return Err(Rejection::WrongStatus { status: node.status, action: "take messages" });
    }
    if step.state.draining.is_some() {
        return Err(Rejection::Draining);
    }
    if node.run != NONE {
        let limit = step.state.limits.max_messages;
        if u64::try_from(node.queued_messages()).unwrap_or(u64::MAX) >= limit {
            return Err(Rejection::MessagesLimit { limit });
        }
        step.record(Fact::MessageQueued { task, ahead: false, text });
        return Ok(Reply::Sent { started: false });
    }
    admission::check_width(step.state, node.parent)?;
    budget::check_unspent(step.state, slot, node.account.cap, step.state.estimate_of(slot))?;
    let priority = admission::priority_of(step.state, slot);
    let available = ledger::available(&step.state.tree, &step.state.runs, slot, Amounts::ZERO);
    let newcomer = Newcomer { parent: node.parent, priority, available, estimate: step.state.estimate_of(slot) };
    admission::check_queue(step.state, step.now, actor, &newcomer)?;
    admission::enqueue(step, task, Some(text));
    Ok(Reply::Sent { started: true })
}
