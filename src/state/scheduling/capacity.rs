//! Room: whether one more child or one more background run fits under the limits (D1, N2). Owns these checks; computes
//! from the state and keeps nothing.

use crate::model::rejection::Rejection;
use crate::state::State;

impl State {
    /// Refuses one more child of `parent` with an open or queued run, of those that `maxChildren` counts (D1).
    pub(crate) fn check_width(&self, parent: u32) -> Result<(), Rejection> {
        let limit = self.limits.max_children;
        if u64::from(self.node(parent).family().open_children) >= limit { Err(Rejection::ChildrenLimit { limit }) } else { Ok(()) }
    }

    /// The same for a child that exists: what the program itself started under a session isn't counted (D1).
    pub(crate) fn check_width_for(&self, index: u32) -> Result<(), Rejection> {
        let node = self.node(index);
        if node.is_counted() { self.check_width(node.parent) } else { Ok(()) }
    }

    /// Refuses background work where no notice of its end could be kept (N2).
    pub(crate) fn check_notice_room(&self) -> Result<(), Rejection> {
        let limit = self.limits.max_notices;
        if u64::from(self.notices.len()) >= limit { Err(Rejection::NoticesLimit { limit }) } else { Ok(()) }
    }
}
