//! Exhaustion: what one more turn is expected to need, which cap on a path leaves too little for it, and which option
//! raises that (B1, B5). Computes
//! from the state and keeps nothing.

use super::node::Kind;
use super::{State, ledger};
use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::model::rejection::{Rejection, Whose};

impl State {
    /// What one turn of a task with this cap, below `parent`, is expected to need: at least something of each capped
    /// dimension.
    #[must_use]
    pub fn turn_estimate(&self, cap: Amounts, parent: u32, given: Option<u64>) -> Amounts {
        let usual = || {
            if self.estimate_given {
                return self.limits.turn_estimate;
            }
            let cap = if cap.tokens == UNCAPPED { ledger::least_cap(&self.tree, parent).tokens } else { cap.tokens };
            let fifth = if cap == UNCAPPED { UNCAPPED } else { cap.checked_div(5).unwrap_or(0).max(1) };
            self.limits.turn_estimate.min(fifth)
        };
        let tokens = given.unwrap_or_else(usual);
        Amounts { tokens: tokens.max(1), nanos: 1, turns: 1 }
    }

    /// The estimate of a task that exists.
    #[must_use]
    pub fn estimate_of(&self, slot: u32) -> Amounts {
        let node = self.node(slot);
        self.turn_estimate(node.account.cap, node.parent, node.spec().and_then(|spec| spec.turn_estimate))
    }

    /// Refuses where a cap on the path leaves less than one turn beside what was spent (B5).
    pub(crate) fn check_unspent(&self, slot: u32, estimate: Amounts) -> Result<(), Rejection> {
        let unspent = ledger::unspent(&self.tree, slot);
        match unspent.lacks(estimate) {
            Some(dimension) => Err(self.exhausted(slot, unspent.of(dimension), (dimension, estimate), false)),
            None => Ok(()),
        }
    }

    /// Says whose cap on the path leaves too little, and which option raises that. `held`: what is set aside counts
    /// as well.
    #[cold]
    pub(crate) fn exhausted(&self, slot: u32, remaining: u64, needed: (Dimension, Amounts), held: bool) -> Rejection {
        let (dimension, estimate) = needed;
        let at = ledger::tightest(&self.tree, &self.runs, slot, dimension, held);
        let node = self.node(at);
        let (whose, option) = match node.kind {
            Kind::Manager => (Whose::Manager, dimension.option()),
            Kind::Session => (Whose::Session, dimension.option()),
            // A cap that is the default is most likely the default.
            Kind::Task | Kind::Manual if node.account.cap.of(dimension) == self.task_cap.of(dimension) => {
                (Whose::Task(self.key(at)), dimension.task_option())
            }
            Kind::Task | Kind::Manual => (Whose::Task(self.key(at)), dimension.option()),
        };
        Rejection::BudgetExhausted { dimension, remaining, needed: estimate.of(dimension), whose, option }
    }

    /// The option that raises the cap which a task has come to the end of (B1).
    pub(crate) fn budget_raised_by(&self, slot: u32) -> Option<&'static str> {
        let reserve = Amounts { tokens: self.wrap_up_tokens(slot), ..Amounts::ZERO };
        let unspent = ledger::unspent(&self.tree, slot);
        let estimate = self.estimate_of(slot);
        let capped = || Dimension::ALL.into_iter().find(|dimension| unspent.of(*dimension) != UNCAPPED);
        let dimension = unspent.lacks(estimate).or_else(|| unspent.lacks(estimate.plus(reserve))).or_else(capped)?;
        self.exhausted(slot, unspent.of(dimension), (dimension, estimate), false).raised_by()
    }

    /// The part of a task's cap that is kept for its wrap-up turn: none where it had it. Without a cap it counts for
    /// nothing.
    pub(crate) fn wrap_up_tokens(&self, slot: u32) -> u64 {
        let node = self.node(slot);
        if node.wrapped_up {
            return 0;
        }
        self.limits.wrap_up_tokens.min(node.account.cap.tokens.checked_div(10).unwrap_or(0))
    }
}
