//! Sessions: opening a session, closing it and its subtree (D1, C4). Owns what is sealed and when it is freed. A closed session
//! stays sealed until its host functions have returned, then it is removed with all its tasks.

use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::rules::messages::mailbox;
use crate::rules::notices::delivery;
use crate::rules::runs::cancelling;
use crate::rules::waiting;
use crate::state::tree::node::Kind;
use crate::state::{DEFAULT_SESSION, ROOT};
use crate::step::Step;

/// Opens a session, or finds a restored one with this name that isn't registered again yet; closed ones that are still retained
/// don't count.
pub(crate) fn open(step: &mut Step<'_>, name: Text) -> Result<Reply, Rejection> {
    if let Some(index) = step.state.absent.iter().find(|index| step.state.node(**index).text == name) {
        return Ok(Reply::Node(step.state.key(*index)));
    }
    let limit = step.state.limits.max_sessions;
    if step.state.sessions() >= limit {
        return Err(Rejection::SessionsLimit { limit });
    }
    let task = step.state.tree.next_key();
    step.record(Fact::SessionOpened { task, name });
    Ok(Reply::Node(task))
}

/// Registers a restored session: its work continues (J3).
pub(crate) fn register(step: &mut Step<'_>, session: Key) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.absent.contains(&index) {
        step.record(Fact::SessionRegistered { task: session });
    }
    Ok(Reply::Done)
}

/// Sets the model of a session.
pub(crate) fn set_model(step: &mut Step<'_>, session: Key, model_id: Option<Text>) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.is_closed_session(index) {
        return Err(Rejection::ActorEnded);
    }
    let tools = step.state.node(index).spec().and_then(|spec| spec.tools.clone());
    step.record(Fact::MainAgentSet { task: session, tools, model_id });
    Ok(Reply::Done)
}

/// Cancels the work under a session and closes it: from now on its calls are refused. Answers once nothing runs there.
pub(crate) fn close(
    step: &mut Step<'_>,
    actor: Actor,
    session: Key,
    reason: StopReason,
    grace_ms: Option<u64>,
) -> Result<Reply, Rejection> {
    if actor != Actor::Program && actor != Actor::Session(session) {
        return Err(Rejection::NotReachable);
    }
    let index = step.state.living(session)?;
    if index == DEFAULT_SESSION || step.state.node(index).kind != Kind::Session {
        let what = "only a session with a key can be closed; `cancelAll` cancels every sub-agent, `dispose` ends the manager".into();
        return Err(Rejection::InvalidArgument { argument: None, what });
    }
    if !step.state.node(index).cancelling {
        let by = step.state.key(ROOT);
        step.record(Fact::CancelRequested { task: session, by, close: false, interrupt: false, claimed: Vec::new(), caller_reads: None });
    }
    if !step.state.is_closed_session(index) {
        step.record(Fact::SessionClosed { task: session });
    }
    step.note_over(index);
    cancelling::stop_sealed(step, index, Status::Cancelled, reason, grace_ms);
    if step.state.node(index).open_runs == 0 {
        return Ok(Reply::Done);
    }
    Ok(Reply::Waiting(waiting::wait_for_subtree(step, Actor::Program, session)))
}

/// Frees closed sessions whose runs have ended, with every task that no host function still works for. Once a step, at its end:
/// the step may not remove anything that it still works on.
#[inline(never)]
pub(crate) fn sweep(step: &mut Step<'_>) {
    for session in std::mem::take(&mut step.log.closed) {
        if step.state.node(session).open_runs > 0 {
            continue;
        }
        // Children come after their parents, so from the back each is a leaf when its turn comes.
        let all: Vec<u32> = step.state.below(session).collect();
        for index in all.into_iter().rev() {
            let node = step.state.node(index);
            if node.run == NONE && node.lingering == NONE && node.first_child() == NONE {
                delivery::ack_all_about(step, index);
                let task = step.state.key(index);
                mailbox::drop_all(step, task);
                step.record(Fact::TaskForgotten { task });
            }
        }
        if step.state.node(session).first_child() == NONE {
            // The remaining notices are about tasks that were forgotten before.
            delivery::ack_all_for(step, session);
            let task = step.state.key(session);
            step.record(Fact::SessionFreed { task });
        }
    }
}
