//! Walks over the tree: nodes below and above a node. Owns the orders; stores nothing.

use crate::base::intrusive_list;
use crate::base::slab::NONE;
use crate::state::State;
use crate::state::budget::ledger;

impl State {
    /// Whether `index` is `top` or below it.
    #[must_use]
    pub fn is_within(&self, index: u32, top: u32) -> bool {
        ledger::path(&self.tree, index).any(|at| at == top)
    }

    /// Whether a cancel of the node, or of one above it, is in progress (C1). A caller requested it, or the run was stopped
    /// because its parent's run or a drain ended (C3, D8).
    #[must_use]
    #[inline]
    pub fn is_sealed(&self, index: u32) -> bool {
        let mut at = index;
        while at != NONE {
            let node = self.node(at);
            if node.cancelling {
                return true;
            }
            if node.run != NONE && self.runs.at(node.run).is_being_cancelled() {
                return true;
            }
            at = node.parent;
        }
        false
    }

    /// The children of a node, oldest first.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        intrusive_list::walk(&self.tree, self.node(index).first_child(), |node| node.next)
    }

    /// The node after `index` in the subtree of `top`: parents first, siblings in order of age.
    #[must_use]
    pub fn next_within(&self, index: u32, top: u32) -> Option<u32> {
        let node = self.node(index);
        if node.first_child() != NONE {
            return Some(node.first_child());
        }
        let mut at = index;
        while at != top && at != NONE {
            let node = self.node(at);
            if node.next != NONE {
                return Some(node.next);
            }
            at = node.parent;
        }
        None
    }

    /// All nodes below `top`: parents first, siblings in order of age.
    pub fn below(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.next_within(top, top), move |at| self.next_within(*at, top))
    }

    /// Whether a node receives notices: a session always, a task while it has a run or a message that will start one (N1).
    #[must_use]
    pub fn receives_notices(&self, index: u32) -> bool {
        let node = self.node(index);
        !node.is_task() || node.run != NONE || (node.queued_messages() > 0 && !node.is_paused())
    }

    /// The background work below a task that receives no notices: they pass it and go to the next node above (N1, W6).
    pub fn left_behind(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        let children = |of: u32| {
            let mut all: Vec<u32> = self.children(of).filter(|child| self.node(*child).is_task()).collect();
            all.reverse();
            all
        };
        let mut stack = children(top);
        let all = std::iter::from_fn(move || {
            let next = stack.pop()?;
            if !self.receives_notices(next) {
                stack.extend(children(next));
            }
            Some(next)
        });
        all.filter(|index| self.node(*index).background && self.node(*index).run != NONE)
    }
}
