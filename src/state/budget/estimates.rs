//! Exhaustion: what one more turn is expected to need, which cap on a path leaves too little for it, and which option
//! raises that (B1, B5). Owns this reckoning; computes from the state and keeps nothing.

use crate::base::amounts::{Amounts, Dimension, Estimate, UNCAPPED};
use crate::model::rejection::{Rejection, Whose};
use crate::model::spec::Spec;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Account;
use crate::state::budget::prices::Price;
use crate::state::tree::node::{Kind, Node};

/// What a task's turns need, as far as its spawn said so.
pub(crate) fn given_to(node: &Node) -> Estimate {
    node.spec().map_or_else(Estimate::default, Spec::turn_needs)
}

impl State {
    /// What one turn of a task with this account, below `parent`, is expected to need: at least something of each capped
    /// dimension.
    #[must_use]
    pub fn turn_estimate(&self, account: &Account, parent: u32, given: Estimate) -> Amounts {
        self.turn_needs(account, parent, given, None).0
    }

    /// The same where the path up from `parent` is known.
    pub(crate) fn turn_estimate_below(&self, below: &ledger::Below, account: &Account, parent: u32, given: Estimate) -> Amounts {
        self.turn_needs_below((below.least_cap, below.unspent.nanos), account, parent, given, None).0
    }

    /// The same, with what is known of its price. `dearest`: what the dearest turn of its run has cost, or 0; absent where
    /// that is yet to start.
    fn turn_needs(&self, account: &Account, parent: u32, given: Estimate, dearest: Option<u64>) -> (Amounts, Price) {
        self.turn_needs_below(ledger::least_cap_and_dollars(&self.tree, parent), account, parent, given, dearest)
    }

    /// The same with the least cap up from `parent` and the dollars that are left there.
    fn turn_needs_below(
        &self,
        (above, left): (Amounts, u64),
        account: &Account,
        parent: u32,
        given: Estimate,
        dearest: Option<u64>,
    ) -> (Amounts, Price) {
        let usual = || self.usual_estimate(if account.cap.tokens == UNCAPPED { above.tokens } else { account.cap.tokens });
        let tokens = given.tokens.unwrap_or_else(usual).max(1);
        let dollars = (above.nanos.min(account.cap.nanos), left.min(account.unspent().nanos));
        let price = self.price(dollars, parent, given.nanos, dearest);
        (Amounts { tokens, nanos: price.nanos(), turns: 1 }, price)
    }

    /// How many tokens a turn under this cap is expected to need where its spawn doesn't say; more under a higher one.
    pub(crate) fn usual_estimate(&self, cap: u64) -> u64 {
        if self.estimate_given {
            return self.limits.turn_estimate;
        }
        let fifth = if cap == UNCAPPED { UNCAPPED } else { cap.checked_div(5).unwrap_or(0).max(1) };
        self.limits.turn_estimate.min(fifth)
    }

    /// The estimate of a task that exists, for its next run.
    #[must_use]
    pub fn estimate_of(&self, index: u32) -> Amounts {
        let node = self.node(index);
        self.turn_estimate(&node.account, node.parent, given_to(node))
    }

    /// What the next turn of an open run is expected to need, and what is known of its price. `given`: what its host says.
    pub(crate) fn next_turn(&self, run: u32, given: Estimate) -> (Amounts, Price) {
        let run = self.runs.at(run);
        let node = self.node(run.task);
        self.turn_needs(&node.account, node.parent, given.or(given_to(node)), Some(run.dearest))
    }

    /// Refuses where a cap on the path leaves less than one turn beside what was spent (B5).
    pub(crate) fn check_unspent(&self, index: u32, estimate: Amounts) -> Result<(), Rejection> {
        let unspent = ledger::unspent(&self.tree, index);
        match unspent.lacks(estimate) {
            Some(dimension) => Err(self.exhausted(index, unspent.of(dimension), (dimension, estimate), false)),
            None => Ok(()),
        }
    }

    /// Says whose cap on the path leaves too little, and which option raises that. `held`: what is set aside counts
    /// as well.
    #[cold]
    pub(crate) fn exhausted(&self, index: u32, remaining: u64, needed: (Dimension, Amounts), held: bool) -> Rejection {
        let (dimension, estimate) = needed;
        let at = ledger::tightest(&self.tree, &self.runs, index, dimension, held);
        let node = self.node(at);
        let (whose, option) = match node.kind {
            Kind::Manager => (Whose::Manager, dimension.option()),
            Kind::Session => (Whose::Session, dimension.option()),
            // A cap that is the default is most likely the default.
            Kind::Task if node.account.cap.of(dimension) == self.task_cap.of(dimension) => {
                (Whose::Task(self.key(at)), dimension.task_option())
            }
            Kind::Task => (Whose::Task(self.key(at)), dimension.option()),
        };
        Rejection::BudgetExhausted { dimension, remaining, needed: estimate.of(dimension), whose, option }
    }

    /// The option that raises the cap which a task has come to the end of (B1).
    pub(crate) fn budget_raised_by(&self, index: u32) -> Option<&'static str> {
        let node = self.node(index);
        let unspent = ledger::unspent(&self.tree, index);
        let (estimate, price) = self.turn_needs(&node.account, node.parent, given_to(node), Some(self.run_of(index).dearest));
        let reserve = self.wrap_up_reserve(index, price);
        let capped = || Dimension::ALL.into_iter().find(|dimension| unspent.of(*dimension) != UNCAPPED);
        let dimension = unspent.lacks(estimate).or_else(|| unspent.lacks(estimate.plus(reserve))).or_else(capped)?;
        self.exhausted(index, unspent.of(dimension), (dimension, estimate), false).raised_by()
    }

    /// The part of a task's cap that is kept for its wrap-up turn: none where it had it. Without a cap it counts for
    /// nothing. In dollars that is a turn's price, once one is known.
    pub(crate) fn wrap_up_reserve(&self, index: u32, price: Price) -> Amounts {
        let node = self.node(index);
        if node.wrapped_up {
            return Amounts::ZERO;
        }
        let Amounts { tokens, nanos, .. } = node.account.cap.zip(Amounts::ZERO, |cap, _| cap.checked_div(10).unwrap_or(0));
        let nanos = match price {
            Price::Given(price) | Price::Own(price) => nanos.min(price),
            Price::Near(_) | Price::Guess(_) => 0,
        };
        Amounts { tokens: tokens.min(self.limits.wrap_up_tokens), nanos, turns: 0 }
    }
}
