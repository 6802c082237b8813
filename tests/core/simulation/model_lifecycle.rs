//! The independent account of closing, reopening, returning and closed sessions, made from the facts alone.

use subagents::{Actor, Amounts, Fact, Key, OnParentEnd, Status, StopReason, Text};

use super::model::{Model, NodeFacts, Place, RunFacts};
use super::parts::Part;

impl Model {
    pub(super) fn take_close(&mut self, part: &Part<'_>) -> Result<(), String> {
        match part {
            Part::CloseRequested { task, by } => {
                self.asked_by = Some(*by);
                let at = self.at(*task)?;
                ensure!(self.nodes[at].sealed, "C1: {task:?} is being closed, but isn't sealed");
            }
            Part::TaskClosed { task, .. } => {
                let at = self.at(*task)?;
                let open = self.nodes[at].runs.values().any(|run| !run.ended);
                ensure!(!open && !self.nodes[at].closed, "C1: {task:?} was closed, but runs or was closed before");
                self.nodes[at].closed = true;
                self.leave_data(at);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn take_lifecycle(&mut self, fact: &Fact) -> Result<(), String> {
        match fact {
            Fact::TaskEnded { task, status, stop_reason: reason } => {
                self.note_stopped(*task, *reason)?;
                let at = self.at(*task)?;
                self.nodes[at].ended_with_parent = *reason == StopReason::ParentEnded && *status == Status::Cancelled;
                let open = self.nodes[at].runs.values().any(|run| !run.ended);
                ensure!(!open, "L2: {task:?} ended without its open run");
                if *status == Status::Closed {
                    self.nodes[at].closed = true;
                    self.leave_data(at);
                }
            }
            Fact::TaskResumed { task } => {
                let at = self.at(*task)?;
                let (node, depth, draining) = (&self.nodes[at], self.limits.max_depth, self.draining);
                ensure!(node.closed, "L7: {task:?} was reopened, but isn't closed");
                let above = node.parent.is_some_and(|parent| self.nodes[parent].closed);
                ensure!(!above && !self.is_sealed(at), "L7: {task:?} was reopened below a closed one");
                ensure!(node.depth <= depth && !draining, "L7: {task:?} was reopened, but would not be admitted");
                self.nodes[at].closed = false;
                self.nodes[at].stopped_by = None;
                self.nodes[at].ended_with_parent = false;
                if let (Some(parent), Some(nickname)) = (self.nodes[at].parent, self.nodes[at].nickname.clone()) {
                    self.take_nickname(parent, *task, &nickname)?;
                }
            }
            Fact::RunReturned { task, run, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Held | Place::Parked), "C3: a run returned that was {:?}", record.place);
                ensure!(record.reserved == Amounts::ZERO, "C3: a returned run still holds {:?}", record.reserved);
                ensure!(!record.returned && record.stop_until.is_none(), "C3: a run returned twice, or after it was told to stop");
                (record.returned, record.place) = (true, Place::Parked);
                // It has no deadline; what it waits for has.
                record.endless = false;
                let at = self.at(*task)?;
                self.nodes[at].talk.end();
            }
            Fact::SessionClosed { task } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].sealed && !self.nodes[at].session_closed, "C4: {task:?} was closed twice, or isn't sealed");
                self.nodes[at].session_closed = true;
            }
            Fact::SessionFreed { task } => {
                let at = self.at(*task)?;
                let kept = self.nodes.iter().find(|node| node.parent == Some(at) && !node.forgotten);
                ensure!(self.nodes[at].session_closed && kept.is_none(), "C4: {task:?} went before {kept:?}");
                self.nodes[at].forgotten = true;
            }
            _ => {}
        }
        Ok(())
    }

    /// A nickname is no id, and an open task keeps its own among the children of its parent (A4).
    pub(super) fn take_nickname(&mut self, parent: usize, task: Key, nickname: &Text) -> Result<(), String> {
        ensure!(!nickname.starts_with("sub_"), "A4: {task:?} is called `{nickname}`, which looks like an id");
        let before = self.bearers.insert((parent, nickname.clone()), task);
        let node = before.filter(|before| *before != task).and_then(|before| self.by_key.get(&before)).map(|at| &self.nodes[*at]);
        let open = node.is_some_and(|node| !node.forgotten && node.runs.values().any(|run| !run.ended));
        ensure!(!open, "A4: {task:?} is called `{nickname}`, as {before:?} is, which is open");
        Ok(())
    }

    /// An id of a caller's is none that the manager makes, and one task that is kept has it (A9).
    pub(super) fn take_id(&mut self, task: Key, id: &Text) -> Result<(), String> {
        ensure!(!id.starts_with("sub_"), "A9: {task:?} has the id `{id}`, which looks like one of the manager's");
        let before = self.own_ids.insert(id.clone(), task);
        let node = before.and_then(|before| self.by_key.get(&before)).map(|at| &self.nodes[*at]);
        ensure!(node.is_none_or(|node| node.forgotten), "A9: {task:?} has the id `{id}`, as {before:?} has, which is kept");
        Ok(())
    }

    /// What is under a closed session was asked to stop, and once no host function works there it goes (C4).
    pub(super) fn check_sessions(&self) -> Result<(), String> {
        for (session, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.session_closed && !node.forgotten) {
            let below = self.nodes.iter().enumerate().filter(|(at, _)| self.path(*at).any(|at| at == session));
            let mut runs = below.flat_map(|(_, node)| node.runs.values()).filter(|run| run.place != Place::Gone).peekable();
            ensure!(runs.peek().is_some(), "C4: nothing works under {:?}, which is closed and stays", node.key);
            let told = |run: &RunFacts| run.ended || run.stop_until.is_some();
            let goes_on = runs.find(|run| !told(run));
            ensure!(goes_on.is_none(), "C4: {goes_on:?} goes on under {:?}, which is closed", node.key);
        }
        Ok(())
    }

    /// A run ends well only after the background children that its end waits for (C3).
    pub(super) fn check_waited_for(&self, parent: usize, run: u32) -> Result<(), String> {
        let works = |node: &&NodeFacts| {
            node.parent == Some(parent)
                && node.parent_run == run
                && node.background
                && node.on_parent_end == OnParentEnd::Wait
                && node.runs.values().any(|run| !run.ended)
        };
        let child = self.nodes.iter().find(works);
        ensure!(child.is_none(), "C3: {:?} ended well before {child:?}, which it has to wait for", self.nodes[parent].key);
        Ok(())
    }

    /// Notes who stops a task, where it is somebody's wish; the first one stands.
    pub(super) fn note_stopped(&mut self, task: Key, reason: StopReason) -> Result<(), String> {
        let at = self.at(task)?;
        let wish = reason.is_cancel_or_close();
        // Nobody asked for anything in a step that only shortens a grace.
        if let (true, Some(by)) = (wish, self.asked_by) {
            self.nodes[at].stopped_by.get_or_insert(by);
        }
        if !wish {
            self.nodes[at].stopped_by = None;
        }
        Ok(())
    }

    /// Whether a run waits for sub-agents after its host function returned.
    pub(crate) fn has_returned(&self, task: Key, run: u32) -> bool {
        self.by_key.get(&task).and_then(|at| self.nodes[*at].runs.get(&run)).is_some_and(|run| run.returned)
    }

    pub(crate) fn is_in_closed_session(&self, task: Key) -> bool {
        self.by_key.get(&task).is_some_and(|at| self.path(*at).any(|at| self.nodes[at].session_closed))
    }

    pub(crate) fn is_closed_session(&self, session: Key) -> bool {
        self.by_key.get(&session).is_some_and(|at| self.nodes[*at].session_closed)
    }

    /// Who wished the last end of a task, if it was somebody's wish.
    pub(crate) fn stopped_by(&self, task: Key) -> Option<Key> {
        self.by_key.get(&task).and_then(|at| self.nodes[*at].stopped_by)
    }

    /// Whether an actor may give a task work again (L7): they who stopped it, or whoever stands above them.
    pub(crate) fn may_revive(&self, actor: Actor, task: Key) -> bool {
        let (Some(by), Actor::Session(me) | Actor::Run(me, _)) = (self.stopped_by(task), actor) else { return true };
        by == me || self.is_below(by, me)
    }
}
