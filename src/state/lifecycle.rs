//! Closing, reopening, returning: what the facts about a task's life beyond its runs change. Owns which actor may give
//! a stopped task work again and who stopped it, how a run whose host function has returned stays open, and the list of
//! closed sessions that are still kept.

use super::State;
use super::node::Kind;
use super::run::Permit;
use crate::base::slab::{Key, NONE};
use crate::model::input::Actor;
use crate::model::product::Product;
use crate::model::status::{OnParentEnd, Parked, Status, StopReason};

impl State {
    /// The node that stands for an actor, living or not.
    #[must_use]
    pub const fn node_of(actor: Actor) -> u32 {
        match actor {
            Actor::Program => super::ROOT,
            Actor::Session(key) | Actor::Run(key, _) => key.slot,
        }
    }

    /// Whether an actor may give a task work again: a task that an actor cancelled or closed takes it from that actor, or
    /// one above it (L7).
    #[must_use]
    pub fn may_revive(&self, actor: Actor, slot: u32) -> bool {
        let node = self.node(slot);
        // A task that was being stopped for another reason when an actor cancelled it is that actor's as well (C2).
        let joined = matches!(node.reason, StopReason::ParentEnded | StopReason::Drained);
        let was_stopped = !node.status.is_open() && (node.reason.is_wish() || joined);
        !was_stopped || node.stopped_by == NONE || self.is_within(node.stopped_by, Self::node_of(actor))
    }

    /// Notes who stops a subtree, for each task that this stops: what was stopped before keeps who did it.
    pub(super) fn note_stopped(&mut self, top: u32, by: Key, closes: bool) {
        let mut next = Some(top);
        while let Some(at) = next {
            let told = self.run_of(at).stop.is_some_and(|(reason, _)| reason.is_wish());
            let node = self.tree.at_mut(at);
            let ended = !node.status.is_open() && node.status != Status::Idle;
            let stopped = told || (ended && node.reason.is_wish());
            // A cancel changes nothing for what had ended, a close does.
            if node.is_task() && (closes || !ended) && !(stopped && node.stopped_by != NONE) {
                node.stopped_by = by.slot;
            }
            next = self.next_within(at, top);
        }
    }

    /// Whether a close of the node is under way.
    #[must_use]
    pub fn is_closing(&self, slot: u32) -> bool {
        self.node(slot).cold.as_ref().is_some_and(|cold| cold.closing)
    }

    /// Whether the node is a session that was closed.
    #[must_use]
    pub fn is_closed_session(&self, slot: u32) -> bool {
        self.node(slot).kind == Kind::Session && self.node(slot).status == Status::Closed
    }

    /// What becomes of a background task when its parent's run ends well (C3).
    #[must_use]
    pub fn on_parent_end(&self, slot: u32) -> OnParentEnd {
        self.node(slot).spec().and_then(|spec| spec.on_parent_end).unwrap_or(OnParentEnd::Adopt)
    }

    /// A host function returned well, and its run stays open without a slot.
    pub(super) fn run_returned(&mut self, now: u64, task: u32, number: u32, product: Product) {
        let Some(slot) = self.find_run(task, number) else { return };
        self.leave_reentry(now, slot);
        let run = self.runs.at_mut(slot);
        run.returned = Some(Box::new(product));
        run.stop_waiting();
        // Other reasons to be parked matter no more: the host asks for nothing.
        for why in Parked::ALL.iter().copied() {
            run.unpark(why, now);
        }
        run.park(Parked::Children, now);
        if run.permit == Permit::Held {
            run.permit = Permit::Parked;
            self.held = self.held.saturating_sub(1);
            self.parked = self.parked.saturating_add(1);
        }
        self.returned = self.returned.saturating_add(1);
        self.arm(slot);
    }

    pub(super) fn session_closed(&mut self, slot: u32) {
        self.tree.at_mut(slot).status = Status::Closed;
        self.closed_sessions.push(slot);
    }

    pub(super) fn session_freed(&mut self, slot: u32) {
        self.closed_sessions.retain(|other| *other != slot);
        self.absent.retain(|other| *other != slot);
        self.forget(slot);
    }
}
