//! Retention: the links of the tree, and the lists of evictable ended tasks, by age. Owns both kinds of links; a task leaves them
//! together.

use crate::base::intrusive_list;
use crate::base::slab::{Key, NONE, Slab};
use crate::base::stored::stored;
use crate::state::State;
use crate::state::tree::node::{Kind, Node, Retention};

/// The ends of a list of evictable tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Retained {
    /// The first task to be forgotten.
    pub oldest: u32,
    /// The last task to be forgotten.
    pub newest: u32,
    /// The number of tasks.
    pub count: u32,
}

stored!(Retained { oldest, newest, count } from Self::EMPTY);

impl Retained {
    pub(in crate::state) const EMPTY: Self = Self { oldest: NONE, newest: NONE, count: 0 };
}

const fn siblings(node: &mut Node) -> (&mut u32, &mut u32) {
    (&mut node.previous, &mut node.next)
}

const fn of_age(node: &mut Node) -> (&mut u32, &mut u32) {
    (&mut node.older, &mut node.newer)
}

impl State {
    const fn list_of(&mut self, kept: Retention) -> Option<(&mut Retained, &mut Slab<Node>)> {
        let Self { tree, retained, keyed, uncollected, .. } = self;
        match kept {
            Retention::No => None,
            Retention::Collected => Some((retained, tree)),
            Retention::Keyed => Some((keyed, tree)),
            Retention::Uncollected => Some((uncollected, tree)),
        }
    }

    /// Drops a key, so that `retain` may evict its task.
    pub(in crate::state) fn key_dropped(&mut self, scope: Key, key: &str) {
        let task = self.keys.find(scope, key).map(|entry| entry.task).filter(|task| self.tree.contains(*task));
        self.keys.drop(scope, key);
        let Some(task) = task else { return };
        let rare = self.tree.at_mut(task.index).rare_mut();
        (rare.once.serial, rare.attempted) = (0, None);
        self.retain(task.index);
    }

    #[inline]
    pub(in crate::state) fn link_child(&mut self, index: u32) {
        let parent = self.node(index).parent;
        let children = self.node(parent).family().children();
        let (first, last) = intrusive_list::append(&mut self.tree, children, index, siblings);
        let family = self.tree.at_mut(parent).family_mut();
        (family.first_child, family.last_child) = (first, last);
        if first == index {
            self.unretain(parent);
        }
    }

    /// Counts a spawn at its parent and all above it, up to the session (D10).
    pub(in crate::state) fn count_spawn(&mut self, parent: u32) {
        let mut at = parent;
        while at != NONE && self.node(at).kind != Kind::Manager {
            let node = self.tree.at_mut(at);
            let family = node.family_mut();
            family.spawned = family.spawned.saturating_add(1);
            at = node.parent;
        }
    }

    /// Lists a task if it is evictable, and removes it from its earlier list.
    pub(in crate::state) fn retain(&mut self, index: u32) {
        let node = self.node(index);
        let (before, kept) = (node.kept, node.may_go());
        if before == kept {
            return;
        }
        if before != Retention::No {
            self.unretain(index);
        }
        let Some((list, tree)) = self.list_of(kept) else { return };
        (list.oldest, list.newest) = intrusive_list::append(tree, (list.oldest, list.newest), index, of_age);
        list.count = list.count.saturating_add(1);
        tree.at_mut(index).kept = kept;
    }

    pub(in crate::state) fn unretain(&mut self, index: u32) {
        let kept = std::mem::take(&mut self.tree.at_mut(index).kept);
        let Some((list, tree)) = self.list_of(kept) else { return };
        (list.oldest, list.newest) = intrusive_list::take_out(tree, (list.oldest, list.newest), index, of_age);
        list.count = list.count.saturating_sub(1);
    }

    pub(in crate::state) fn forget(&mut self, index: u32) {
        let node = self.node(index);
        if node.rare.is_some() || node.notice != NONE {
            self.forget_rare(index);
        }
        if !self.tree.holds(index) {
            return;
        }
        self.unretain(index);
        // Abandoned host functions: their late results belong to no task (S4).
        while self.node(index).lingering != NONE {
            let run = self.node(index).lingering;
            self.unlink_lingering(index, run);
            self.free_run(run);
        }
        let node = self.node(index);
        let (is_task, status, parent) = (node.is_task(), node.status, node.parent);
        let children = self.node(parent).family().children();
        let (first, last) = intrusive_list::take_out(&mut self.tree, children, index, siblings);
        self.tree.remove(index);
        if is_task {
            self.count_out(status);
        }
        let family = self.tree.at_mut(parent).family_mut();
        (family.first_child, family.last_child) = (first, last);
        if first == NONE {
            self.retain(parent);
        }
    }

    /// Forgets the parts that most tasks don't have: notices, names, a key.
    #[inline(never)]
    fn forget_rare(&mut self, index: u32) {
        self.drop_notices(index);
        self.drop_name(index);
        self.drop_host_ids(index);
        self.leave_data(index);
        let node = self.node(index);
        let (paused_with_messages, prioritised) = (u32::from(node.is_paused_with_messages()), u32::from(node.is_prioritised()));
        *self.paused_with_messages = self.paused_with_messages.saturating_sub(paused_with_messages);
        *self.prioritised = self.prioritised.saturating_sub(prioritised);
        let node = self.node(index);
        let (once, status) = (node.rare.as_ref().map_or(0, |rare| rare.once.serial), node.status);
        if once != 0 {
            self.keys.task_forgotten(once, status);
        }
    }
}
