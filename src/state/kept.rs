//! What is kept: the links of the tree, and the list of ended tasks that may be forgotten, by age. Owns
//! both kinds of links; a task leaves them together.

use super::State;
use crate::slab::NONE;

impl State {
    pub(super) fn link_child(&mut self, slot: u32) {
        let parent = self.node(slot).parent;
        let youngest = self.node(parent).family().last_child;
        self.tree.at_mut(slot).previous = youngest;
        if youngest == NONE {
            self.tree.at_mut(parent).family_mut().first_child = slot;
            self.unretain(parent);
        } else {
            self.tree.at_mut(youngest).next = slot;
        }
        self.tree.at_mut(parent).family_mut().last_child = slot;
    }

    /// Lists a task among those that may be forgotten, if it may.
    pub(super) fn retain(&mut self, slot: u32) {
        let listed = self.retained.oldest == slot || self.node(slot).older != NONE;
        if listed || !self.node(slot).may_go() {
            return;
        }
        let newest = std::mem::replace(&mut self.retained.newest, slot);
        self.tree.at_mut(slot).older = newest;
        if newest == NONE {
            self.retained.oldest = slot;
        } else {
            self.tree.at_mut(newest).newer = slot;
        }
        self.retained.count = self.retained.count.saturating_add(1);
    }

    pub(super) fn unretain(&mut self, slot: u32) {
        let (older, newer) = (self.node(slot).older, self.node(slot).newer);
        if older == NONE && self.retained.oldest != slot {
            return;
        }
        match older {
            NONE => self.retained.oldest = newer,
            older => self.tree.at_mut(older).newer = newer,
        }
        match newer {
            NONE => self.retained.newest = older,
            newer => self.tree.at_mut(newer).older = older,
        }
        let node = self.tree.at_mut(slot);
        (node.older, node.newer) = (NONE, NONE);
        self.retained.count = self.retained.count.saturating_sub(1);
    }

    pub(super) fn forget(&mut self, slot: u32) {
        self.drop_notices(slot);
        self.unretain(slot);
        self.drop_name(slot);
        let node = self.node(slot);
        let is_task = node.is_task();
        let (status, parent, previous, next) = (node.status, node.parent, node.previous, node.next);
        let once = node.rare.as_ref().map_or(0, |rare| rare.once);
        if once != 0 {
            self.keys.task_forgotten(once, status);
        }
        if !self.tree.remove(slot) {
            return;
        }
        if is_task {
            self.count_out(status);
        }
        match previous {
            NONE => self.tree.at_mut(parent).family_mut().first_child = next,
            previous => self.tree.at_mut(previous).next = next,
        }
        match next {
            NONE => self.tree.at_mut(parent).family_mut().last_child = previous,
            next => self.tree.at_mut(next).previous = previous,
        }
        self.retain(parent);
    }
}
