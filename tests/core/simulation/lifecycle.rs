//! Closing, reopening, closing sessions: what is said, and what must have come of it. Owns both for these
//! three; the model checks the facts.

use subagents::{Actor, DEFAULT_SESSION, Input, Key, ROOT, Rejection, Reply, Status, StopReason};

use super::model::NodeFacts;
use super::world::World;

impl World {
    /// Closes a task, and checks the answer: where it stood, and that all under it is closed or asked to close.
    pub(crate) fn close_and_check(&mut self, actor: Actor, task: Key) {
        // What is due now may end it before it is closed.
        self.say_now(Input::Tick);
        if !self.state().tree.contains(task) {
            return;
        }
        if self.rng.chance(15) {
            let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None });
        }
        if !self.state().tree.contains(task) {
            return;
        }
        let (before, cancelling, closing) =
            (self.state().node(task.index).status, self.state().node(task.index).cancelling, self.state().is_closing(task.index));
        let grace_ms = self.rng.pick(&[None, Some(0), Some(30), Some(5_000)]);
        let reply = self.say(actor, Input::Close { task, grace_ms });
        let Ok(Reply::Closing { previous, .. }) = reply else {
            assert!(reply.is_err(), "C1: {reply:?} is no answer to a close");
            return;
        };
        if self.state().tree.contains(task) && self.state().node(task.index).open_runs == 0 {
            let mut all = std::iter::once(task.index).chain(self.state().below(task.index));
            let other = all.find(|index| self.state().node(*index).status != Status::Closed);
            assert!(other.is_none(), "C1: {other:?} is not closed, though the close of {task:?} is over");
        }
        assert_eq!(previous, before, "S3.14: the status before the close of {task:?}");
        self.counts.note(
            "closes",
            match before {
                Status::Running => "of a running one",
                Status::Pending => "of a queued one",
                Status::Closed => "of a closed one",
                _ => "of an ended one",
            },
        );
        if cancelling && !closing && before != Status::Closed {
            self.counts.note("closes", "while a cancel is under way");
        }
        if self.state().tree.contains(task) && self.state().is_closing(task.index) && self.state().node(task.index).status == Status::Closed
        {
            let reopened = self.say(Actor::Program, Input::Resume(task));
            assert!(reopened.is_err(), "L7: {task:?} was reopened while it is being closed");
        }
        if self.rng.chance(30) && self.state().tree.contains(task) && self.state().is_closing(task.index) {
            self.counts.note("cancels", "while a close is under way");
            let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(1) });
        }
    }

    /// Reopens a task, and checks that nothing else was.
    pub(crate) fn resume_and_check(&mut self, actor: Actor, task: Key) {
        self.say_now(Input::Tick);
        if !self.state().tree.contains(task) {
            return;
        }
        let before = self.state().node(task.index).status;
        let closed = self.state().count(Status::Closed);
        let may = self.model.may_revive(actor, task);
        let reply = self.say(actor, Input::Resume(task));
        if reply.is_err() {
            return;
        }
        if before == Status::Closed {
            self.counts.note("resumes", "of a closed one");
            assert!(may, "L7: {actor:?} reopened {task:?}, which somebody above had closed");
            assert_eq!(self.state().node(task.index).status, Status::Idle, "L7: {task:?} was reopened");
            assert_eq!(self.state().count(Status::Closed) + 1, closed, "L7: only that one is reopened");
        } else {
            self.counts.note("resumes", "of another");
            assert_eq!(self.state().node(task.index).status, before, "S3.17: {task:?} was not closed");
        }
    }

    /// Nothing is reopened while draining (L7); the model says so.
    pub(crate) fn resume_while_draining(&mut self) {
        let closed = |node: &&NodeFacts| node.closed && !node.forgotten && !self.model.is_cancelled(node.key);
        let Some(task) = self.model.nodes.iter().find(closed).map(|node| node.key) else { return };
        let reply = self.say(Actor::Program, Input::Resume(task));
        assert!(reply.is_err(), "L7: {task:?} was reopened while draining");
    }

    /// Cancels a task whose host function has returned while its run waits for sub-agents: it ends at once.
    pub(crate) fn cancel_a_parent_that_waits(&mut self) {
        let waits = |node: &&NodeFacts| node.runs.values().any(|run| run.returned && !run.ended);
        let Some(task) = self.model.nodes.iter().find(waits).map(|node| node.key) else { return };
        let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None });
        let ended = self.model.nodes.iter().find(|node| node.key == task).is_none_or(|node| node.runs.values().all(|run| run.ended));
        assert!(ended, "C3: {task:?} has nothing that could still return, and did not end");
    }

    /// Closes a session, seldom the default one, which can't be.
    pub(crate) fn close_session(&mut self) {
        let sessions: Vec<Key> = self.state().children(ROOT).map(|index| self.state().key(index)).collect();
        let session = sessions[self.rng.index(sessions.len())];
        let by_itself = self.rng.chance(30);
        let was_closed = self.state().is_closed_session(session.index);
        let runs = self.state().node(session.index).open_runs;
        let (reason, grace_ms) =
            (self.rng.pick(&[StopReason::Closed, StopReason::SignalAborted]), self.rng.pick(&[None, Some(0), Some(30)]));
        let actor = if by_itself { Actor::Session(session) } else { Actor::Program };
        let reply = self.say(actor, Input::CloseSession { session, reason, grace_ms });
        if session.index == DEFAULT_SESSION {
            assert!(matches!(reply, Err(Rejection::InvalidArgument { .. })), "C4: the default session was closed");
            return;
        }
        assert!(matches!(reply, Ok(Reply::Done | Reply::Waiting(_))), "C4: {session:?} can't be closed: {reply:?}");
        let said = self.say(Actor::Session(session), Input::Spawn(subagents::Spawn { text: Some("more".into()), ..Default::default() }));
        assert_eq!(said, Err(Rejection::ActorEnded), "C4: a closed session spoke");
        let count = Input::Count { policy: "c".into(), limit: 1, todos: false };
        assert_eq!(self.say(Actor::Session(session), count), Err(Rejection::ActorEnded), "C4: a closed session spoke");
        if !was_closed {
            self.counts.note("sessions", if runs == 0 { "closed with nothing running" } else { "closed with runs" });
            if self.state().tree.contains(session) {
                self.counts.note("sessions", "freed later");
            }
        }
    }

    /// Counts what a message to a cancelled task would show; the model says whether it may be taken.
    pub(crate) fn say_what_revives(&mut self, actor: Actor, task: Key) {
        let stopped = self.model.stopped_by(task);
        if self.state().tree.contains(task) && self.state().node(task.index).status == Status::Cancelled && stopped.is_some() {
            let may = self.model.may_revive(actor, task);
            self.counts.note("revived", if may { "by the actor that cancelled it, or one above" } else { "not by one below" });
        }
    }
}
