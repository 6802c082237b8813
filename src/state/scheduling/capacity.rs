//! Capacity: whether one more child, spawn or background run fits under the limits (D1, D10, N2). Owns these checks;
//! changes nothing.

use crate::model::limits::UNLIMITED;
use crate::model::rejection::Rejection;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::tree::node::Kind;

impl State {
    /// Refuses one more child of `parent` that `maxChildren` counts: one with an open or queued run (D1).
    pub(crate) fn check_width(&self, parent: u32) -> Result<(), Rejection> {
        let limit = self.limits.max_children;
        if u64::from(self.node(parent).family().open_children) >= limit { Err(Rejection::ChildrenLimit { limit }) } else { Ok(()) }
    }

    /// The same for an existing child. Children that the program itself started under a session don't count (D1).
    pub(crate) fn check_width_for(&self, index: u32) -> Result<(), Rejection> {
        let node = self.node(index);
        if node.is_counted() { self.check_width(node.parent) } else { Ok(()) }
    }

    /// Refuses one more spawn below `parent` if that node, or one above it, has reached its maximum (D10).
    pub(crate) fn check_spawns(&self, parent: u32) -> Result<(), Rejection> {
        for at in ledger::path(&self.tree, parent) {
            let node = self.node(at);
            let (limit, task) = match node.kind {
                Kind::Manager => continue,
                Kind::Session => (self.limits.max_spawns, None),
                Kind::Task => (node.spec().and_then(|spec| spec.max_spawns).unwrap_or(UNLIMITED), Some(at)),
            };
            if node.family().spawned >= limit {
                return Err(Rejection::SpawnsLimit { limit, task: task.map(|at| self.key(at)) });
            }
        }
        Ok(())
    }

    /// Refuses background work if no further notice can be retained (N2).
    pub(crate) fn check_notice_capacity(&self) -> Result<(), Rejection> {
        let limit = self.limits.max_notices;
        if u64::from(self.notices.len()) >= limit { Err(Rejection::NoticesLimit { limit }) } else { Ok(()) }
    }
}
