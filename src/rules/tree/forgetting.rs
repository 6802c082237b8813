//! Forgetting: an ended task is removed, on request or because there are too many (L8). Owns which tasks may be forgotten, and
//! what is removed with them. The spending of a forgotten task stays with its ancestors.

use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::Status;
use crate::rules::messages::mailbox;
use crate::rules::notices::delivery;
use crate::rules::scheduling::idempotency;
use crate::state::State;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// Whether there are more ended tasks than `retain` allows, or a task's key has expired (D7, L8).
#[inline]
pub(crate) fn has_too_many(state: &State, now: u64) -> bool {
    u64::from(state.retained.count) > state.limits.retain
        || (state.keyed.count > 0 && idempotency::over_key(state, now, state.keyed.oldest).is_some())
}

/// Drops expired keys, and forgets the oldest ended tasks beyond `retain` (L8). Runs once, at the end of a step: the step may not
/// remove anything that it still works on.
#[inline]
pub(crate) fn trim(step: &mut Step<'_>) {
    while let Some((scope, key)) = idempotency::over_key(&step.state, step.now, step.state.keyed.oldest) {
        step.record(Fact::KeyDropped { scope, key });
    }
    while u64::from(step.state.retained.count) > step.state.limits.retain {
        let task = step.state.key(step.state.retained.oldest);
        step.record(Fact::TaskForgotten { task });
    }
}

/// Forgets an ended task, and all below it (L8).
pub(crate) fn forget(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let state = &step.state;
    let mut all: Vec<u32> = std::iter::once(index).chain(state.below(index)).collect();
    for at in &all {
        let node = state.node(*at);
        if !node.is_task() || node.run != NONE || node.status == Status::Pending || node.cancelling {
            let action =
                if *at == index { "be forgotten: cancel it first" } else { "be forgotten, nor the one above it: cancel that first" };
            // The status of the task that prevents it.
            return Err(Rejection::wrong_status(node.status, action));
        }
    }
    // An abandoned host function needs no wait: its reservation is booked, and it holds no slot (S4).
    let abandon_at = |run: u32| match state.runs.at(run).phase {
        Phase::Lingering { abandon_at } => Some((abandon_at.unwrap_or(u64::MAX), run)),
        Phase::Queued | Phase::Open | Phase::Backoff { .. } | Phase::Abandoned => None,
    };
    if let Some((at, last)) = all.iter().flat_map(|at| state.lingering(*at)).filter_map(abandon_at).max_by_key(|(at, _)| *at) {
        let last = state.runs.at(last);
        let ends = Some(at).filter(|at| *at < u64::MAX);
        return Err(Rejection::WrongStatus {
            status: state.node(last.task).status,
            action: "be forgotten before its host function has returned, as it has to once `run.signal` fires, or `abandonMs` is \
                     over; of one elsewhere, `reportSettled` says so",
            retry_after_ms: ends.map(|until| until.saturating_sub(step.now)),
        });
    }
    // A closed session may still have waited for its host (C4).
    step.note_over(index);
    // Children come after their parents, so from the back each is a leaf when its turn comes.
    while let Some(at) = all.pop() {
        // Acknowledges only the notices about the forgotten task; those about tasks below stay deliverable (N1, N2).
        if at == index {
            delivery::ack_all_about(step, at);
        }
        let task = step.state.key(at);
        mailbox::drop_all(step, task);
        if step.state.has_notices(at) {
            delivery::release_inbox(step, task, Status::Closed);
        }
        step.record(Fact::TaskForgotten { task });
    }
    Ok(Reply::Done)
}
