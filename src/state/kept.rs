//! What is kept: the links of the tree, and the lists of ended tasks that may be forgotten, by age. Owns
//! both kinds of links; a task leaves them together.

use super::node::Kept;
use super::{Retained, State};
use crate::base::slab::NONE;

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

    /// Lists a task among those that may be forgotten, if it may, and takes it from where it stood.
    pub(super) fn retain(&mut self, slot: u32) {
        let kept = self.node(slot).may_go();
        if self.node(slot).kept == kept {
            return;
        }
        self.unretain(slot);
        let Some(list) = self.list_mut(kept) else { return };
        let newest = std::mem::replace(&mut list.newest, slot);
        list.count = list.count.saturating_add(1);
        if newest == NONE {
            list.oldest = slot;
        } else {
            self.tree.at_mut(newest).newer = slot;
        }
        let node = self.tree.at_mut(slot);
        (node.kept, node.older) = (kept, newest);
    }

    pub(super) fn unretain(&mut self, slot: u32) {
        let (kept, older, newer) = (self.node(slot).kept, self.node(slot).older, self.node(slot).newer);
        let Some(list) = self.list_mut(kept) else { return };
        list.count = list.count.saturating_sub(1);
        if older == NONE {
            list.oldest = newer;
        }
        if newer == NONE {
            list.newest = older;
        }
        if older != NONE {
            self.tree.at_mut(older).newer = newer;
        }
        if newer != NONE {
            self.tree.at_mut(newer).older = older;
        }
        let node = self.tree.at_mut(slot);
        (node.kept, node.older, node.newer) = (Kept::No, NONE, NONE);
    }

    const fn list_mut(&mut self, kept: Kept) -> Option<&mut Retained> {
        match kept {
            Kept::No => None,
            Kept::Collected => Some(&mut self.retained),
            Kept::Uncollected => Some(&mut self.uncollected),
        }
    }

    pub(super) fn forget(&mut self, slot: u32) {
        self.drop_notices(slot);
        self.unretain(slot);
        self.drop_name(slot);
        self.drop_host_ids(slot);
        let node = self.node(slot);
        let is_task = node.is_task();
        let (status, parent, previous, next) = (node.status, node.parent, node.previous, node.next);
        let once = node.cold.as_ref().map_or(0, |cold| cold.once);
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
