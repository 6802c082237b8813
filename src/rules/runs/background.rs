//! Moving foreground work to the background (X3): its caller continues, and its end makes a notice. Owns which tasks
//! may be moved, and which waits that answers.

use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::Parked;
use crate::rules::waiting;
use crate::step::Step;

/// Lets a task continue in the background. Slot, budget and deadlines stay as they are.
pub(crate) fn move_task(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_task() {
        return Err(Rejection::UnknownTask);
    }
    if node.background {
        return Ok(Reply::Done);
    }
    if node.run == NONE {
        return Err(Rejection::wrong_status(node.status, "be moved to the background"));
    }
    // A run that asks continues without its caller (M5). That is no new work, and whoever could answer must get the question.
    if !step.state.run_of(index).is_parked(Parked::Input) {
        step.state.check_notice_capacity()?;
    }
    detach(step, task);
    Ok(Reply::Done)
}

/// Detaches the open run of a task from its caller: the waits for it on the caller's side are answered now.
pub(crate) fn detach(step: &mut Step<'_>, task: Key) {
    if !step.state.node(task.index).background {
        step.record(Fact::TaskBackgrounded { task });
    }
    let caller = step.state.node(task.index).parent;
    let state = &step.state;
    // A run that is being stopped ends soon, and the actor that stops it gets its outcome only then (C1).
    if state.run_of(task.index).stop.is_some() {
        return;
    }
    let mut waits: Vec<Key> = Vec::new();
    for wait in step.waits.waiters(state.node(task.index).run).iter() {
        let record = step.waits.at(*wait);
        let key = step.waits.key(*wait);
        if record.inbox() == caller && !waits.contains(&key) {
            waits.push(key);
        }
    }
    for wait in waits {
        waiting::close_for_moved(step, wait, task);
    }
}
