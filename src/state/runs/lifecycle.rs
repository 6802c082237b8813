//! Cancelling, closing, reopening, returning: the facts of a task beyond those of its runs. Owns who stopped a task and who may
//! revive it (L7), and how a run stays open after its host function returned. Also owns the rest of a released result, and the
//! list of closed sessions.

use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::model::input::Actor;
use crate::model::run_output::RunOutput;
use crate::model::status::{OnParentEnd, Parked, Status, StopReason};
use crate::state::State;
use crate::state::runs::run::Slot;
use crate::state::tree::node::Kind;

impl State {
    /// The node that represents an actor, living or not.
    #[must_use]
    pub const fn node_of(actor: Actor) -> u32 {
        match actor {
            Actor::Program => crate::state::ROOT,
            Actor::Session(key) | Actor::Run(key, _) => key.index,
        }
    }

    /// Whether an actor may give a task work again. After a cancel or close, only the actor that stopped it, or one above, may
    /// (L7).
    #[must_use]
    pub fn may_revive(&self, actor: Actor, index: u32) -> bool {
        let node = self.node(index);
        let was_stopped = !node.status.is_open() && node.reason.may_be_by_actor();
        !was_stopped || node.stopped_by == NONE || self.is_within(node.stopped_by, Self::node_of(actor))
    }

    /// Notes who stops a subtree, for each task that this stops. A task that was stopped before keeps who did it.
    pub(in crate::state) fn note_stopped(&mut self, top: u32, by: Key, closes: bool) {
        let mut next = Some(top);
        while let Some(at) = next {
            let stopping = self.run_of(at).stop.is_some();
            let node = self.tree.at_mut(at);
            let ended = !node.status.is_open() && node.status != Status::Idle;
            let stopped = stopping || (ended && node.reason.may_be_by_actor());
            // A cancel doesn't affect ended tasks, a close does.
            if node.is_task() && (closes || !ended) && !(stopped && node.stopped_by != NONE) {
                node.stopped_by = by.index;
            }
            next = self.next_within(at, top);
        }
    }

    /// Whether a close of the node is in progress.
    #[must_use]
    pub fn is_closing(&self, index: u32) -> bool {
        self.node(index).rare.as_ref().is_some_and(|rare| rare.closing)
    }

    /// If a caller aborted the tool call that waits for the node: whether that caller reads its inbox (W5).
    #[must_use]
    pub fn caller_reads(&self, index: u32) -> Option<bool> {
        self.node(index).rare.as_ref().and_then(|rare| rare.caller_reads)
    }

    /// Whether the node is a session that was closed.
    #[must_use]
    pub fn is_closed_session(&self, index: u32) -> bool {
        self.node(index).kind == Kind::Session && self.node(index).status == Status::Closed
    }

    /// What happens to a background task when its parent's run ends well (C3).
    #[must_use]
    pub fn on_parent_end(&self, index: u32) -> OnParentEnd {
        let own = self.node(index).spec().and_then(|spec| spec.on_parent_end);
        own.or(self.on_parent_end).unwrap_or(OnParentEnd::Adopt)
    }

    /// A host function completed, and its run stays open without a slot.
    pub(in crate::state) fn run_returned(&mut self, now: u64, task: u32, number: u32, output: RunOutput) {
        let Some(index) = self.find_run(task, number) else { return };
        self.leave_reentry(now, index);
        self.leave_rate_queue(index);
        let run = self.runs.at_mut(index);
        run.returned = Some(Box::new(output));
        run.waiting_turn = None;
        // Other reasons to be parked no longer matter: the host asks for nothing.
        for why in Parked::ALL.iter().copied() {
            run.unpark(why, now);
        }
        run.park(Parked::Children, now);
        if run.slot == Slot::Taken {
            run.slot = Slot::Parked;
            self.taken_slots = self.taken_slots.saturating_sub(1);
            self.parked = self.parked.saturating_add(1);
        }
        self.returned = self.returned.saturating_add(1);
        self.arm(index);
    }

    /// A request stopped a task and all below it: a cancel, a close, or an interrupt of only its run.
    pub(in crate::state) fn cancel_requested(
        &mut self,
        task: Key,
        by: Key,
        (close, interrupt): (bool, bool),
        claimed: &[Key],
        caller_reads: Option<bool>,
    ) {
        if !interrupt && !self.node(task.index).cancelling {
            self.tree.at_mut(task.index).cancelling = true;
            self.note_stopped(task.index, by, false);
        }
        if close && !self.is_closing(task.index) {
            self.tree.at_mut(task.index).rare_mut().closing = true;
            self.note_stopped(task.index, by, true);
        }
        if caller_reads.is_some() {
            self.tree.at_mut(task.index).rare_mut().caller_reads = caller_reads;
        }
        self.claim(claimed);
    }

    pub(in crate::state) fn cancel_settled(&mut self, index: u32) {
        let node = self.tree.at_mut(index);
        node.cancelling = false;
        if let Some(rare) = &mut node.rare {
            (rare.closing, rare.caller_reads) = (false, None);
        }
        self.retain(index);
    }

    /// A task ended while it had no run.
    pub(in crate::state) fn task_ended(&mut self, now: u64, index: u32, status: Status, reason: StopReason) {
        let node = self.tree.at_mut(index);
        node.reason = reason;
        // A task that ran or ended before keeps its end time.
        if node.runs == 0 && matches!(node.status, Status::Idle | Status::Pending) {
            node.ended_at = now;
        }
        self.set_status(now, index, status);
    }

    pub(in crate::state) fn task_resumed(&mut self, now: u64, index: u32) {
        self.tree.at_mut(index).stopped_by = NONE;
        self.take_name(index);
        self.set_status(now, index, Status::Idle);
    }

    pub(in crate::state) fn result_released(&mut self, now: u64, index: u32) {
        if self.node(index).notice != NONE {
            self.keep_end(index);
        }
        let node = self.tree.at_mut(index);
        node.output = Text::default();
        node.updated_at = now;
        let rare = node.rare_mut();
        rare.details.release_json();
        (rare.late_result, rare.progress) = (None, None);
        rare.released = true;
    }

    pub(in crate::state) fn session_closed(&mut self, index: u32) {
        self.tree.at_mut(index).status = Status::Closed;
        self.closed_sessions.push(index);
    }

    pub(in crate::state) fn session_freed(&mut self, index: u32) {
        self.closed_sessions.retain(|other| *other != index);
        self.absent.retain(|other| *other != index);
        self.forget(index);
    }
}
