//! The pool of the manual style: what manual tasks and `allocateBudget` may set aside where the manager itself has no
//! cap on tokens (B10). Owns its sums. Never: decides who gets how much.

use crate::base::amounts::{Amounts, UNCAPPED};
use crate::base::stored::stored;
use crate::model::limits::{MANUAL_POOL_TOKENS, MANUAL_TASK_TOKENS, MANUAL_TURNS, UNLIMITED};
use crate::state::{ROOT, State};

/// See the module's documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// How many tokens it has, or [`UNCAPPED`].
    pub tokens: u64,
    /// What a manual task gets of it that names no number of its own.
    pub task_tokens: u64,
    /// What is set aside: for manual tasks, and for the program.
    pub reserved: u64,
    /// What manual tasks have spent.
    pub spent: u64,
}

stored!(Pool { tokens, task_tokens, reserved, spent });

impl Default for Pool {
    fn default() -> Self {
        Self { tokens: MANUAL_POOL_TOKENS, task_tokens: MANUAL_TASK_TOKENS, reserved: 0, spent: 0 }
    }
}

impl State {
    /// How many tokens the manual style may still set aside: what its pool has left, or the whole manager where that
    /// has a cap.
    #[must_use]
    pub fn pool_left(&self) -> u64 {
        let account = self.node(ROOT).account;
        if account.cap.tokens != UNCAPPED {
            return account.available().tokens;
        }
        let Pool { tokens, reserved, spent, .. } = self.pool;
        if tokens == UNCAPPED { UNCAPPED } else { tokens.saturating_sub(spent).saturating_sub(reserved) }
    }

    /// What a manual task gets that names no number of tokens of its own.
    #[must_use]
    pub const fn manual_tokens(&self) -> u64 {
        if self.task_cap.tokens == UNCAPPED { self.pool.task_tokens } else { self.task_cap.tokens }
    }

    /// How many turns a run of a task may take.
    #[must_use]
    pub fn max_turns_of(&self, index: u32) -> u64 {
        let node = self.node(index);
        let usual =
            if node.kind == crate::state::tree::node::Kind::Manual && !self.turns_given { MANUAL_TURNS } else { self.limits.max_turns };
        node.spec().and_then(|spec| spec.max_turns).unwrap_or(usual)
    }

    /// How long a run of a task may take, and be silent. A program has only the deadlines that it gives itself (X6, B10).
    #[must_use]
    pub fn timeouts_of(&self, index: u32) -> (u64, u64) {
        let node = self.node(index);
        let is_by_hand = node.is_driven() || node.is_manual();
        let usual = if is_by_hand { (UNLIMITED, UNLIMITED) } else { (self.limits.timeout_ms, self.limits.idle_timeout_ms) };
        let spec = node.spec();
        let own = spec.map_or((None, None), |spec| (spec.timeout_ms, spec.idle_timeout_ms));
        (own.0.unwrap_or(usual.0), own.1.unwrap_or(usual.1))
    }

    /// A reserve of the manual style changed.
    pub(in crate::state) const fn pool_reserved(&mut self, before: Amounts, tokens: u64) {
        self.pool.reserved = self.pool.reserved.saturating_sub(before.tokens).saturating_add(tokens);
    }
}
