//! Prices: the costs of turns so far, in nano-dollars. No host reports a turn's cost in advance, so the dearest reported one is
//! expected next (B3). Owns the prices learned from reports, and who uses them: a run uses its own turns, else the nearest ones
//! up the tree. Never: decides whether a turn may begin.

use crate::base::amounts::{Dimension, UNCAPPED};
use crate::model::status::StopReason;
use crate::model::usage::Dimensions;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::Run;

/// The minimum price: that of hosts that report usage without a cost.
const UNSAID: u64 = 1;

/// The expected cost of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Price {
    /// A host or an option gives it.
    Given(u64),
    /// The dearest turn of the run itself.
    Own(u64),
    /// The dearest of the nearest turns.
    Near(u64),
    /// Nothing is known yet.
    Guess(u64),
}

impl Price {
    pub(crate) const fn nanos(self) -> u64 {
        match self {
            Self::Given(nanos) | Self::Own(nanos) | Self::Near(nanos) | Self::Guess(nanos) => nanos,
        }
    }
}

impl Run {
    /// Whether it reports usage without a cost.
    const fn is_silent(&self) -> bool {
        !self.reports.valid.is_empty() && !self.reports.valid.has(Dimension::Cost)
    }
}

impl State {
    /// The cost of one more turn of a task below `parent`. `least`: the smallest cap in dollars on its path; `left`: the rest of
    /// its caps after spending. `own`: the cost of its run's dearest turn, or 0; absent if the run has not started.
    pub(crate) fn price(&self, (least, left): (u64, u64), parent: u32, given: Option<u64>, own: Option<u64>) -> Price {
        if let Some(nanos) = given {
            return Price::Given(nanos.max(1));
        }
        if self.price_given {
            return Price::Given(self.limits.turn_estimate_nanos);
        }
        if least == UNCAPPED {
            return Price::Near(UNSAID);
        }
        if let Some(nanos) = own.filter(|nanos| *nanos > UNSAID) {
            return Price::Own(nanos);
        }
        match self.price_below(parent) {
            // A host that takes no turns gets its share for the whole run (B3).
            0 if own.is_none() && !self.takes_turns => Price::Guess(1),
            0 => Price::Guess(self.limits.turn_estimate_nanos.min(least.checked_div(5).unwrap_or(0)).min(left).max(1)),
            near => Price::Near(near.min(left).max(1)),
        }
    }

    /// The dearest turn below the nearest node that has one; 0 if none has.
    pub(crate) fn price_below(&self, parent: u32) -> u64 {
        ledger::path(&self.tree, parent).map(|at| self.node(at).family().dearest).find(|nanos| *nanos > 0).unwrap_or(0)
    }

    /// A turn begins. If the run has reported usage without a cost, it won't report one for this turn either.
    pub(in crate::state) fn price_turn(&mut self, index: u32) {
        self.runs.at_mut(index).turn_costs.begin();
        if self.runs.at(index).is_silent() {
            self.learn_price(self.runs.at(index).task, UNSAID);
        }
    }

    /// A run reported this further cost: the turns begun since its last report share it equally.
    pub(in crate::state) fn price_reported(&mut self, index: u32, nanos: u64) {
        if nanos == 0 {
            return;
        }
        let run = self.runs.at_mut(index);
        let (task, each) = (run.task, run.turn_costs.add(nanos));
        self.learn_price(task, each);
    }

    /// The end of a run gives its total usage. Amounts booked because a report was invalid or the host was lost are no price.
    #[inline]
    pub(in crate::state) fn price_ended(&mut self, index: u32, nanos: u64, doubts: (Dimensions, Dimensions), reason: Option<StopReason>) {
        let (unknown, invalid) = doubts;
        if invalid.has(Dimension::Cost) || reason.is_some_and(StopReason::is_lost) {
            return;
        }
        if !unknown.has(Dimension::Cost) {
            self.price_reported(index, nanos.saturating_sub(self.runs.at(index).booked.nanos));
        } else if reason == Some(StopReason::Finished) {
            self.learn_price(self.runs.at(index).task, UNSAID);
        }
    }

    /// Every node above remembers the dearest turn.
    fn learn_price(&mut self, task: u32, nanos: u64) {
        let mut at = self.node(task).parent;
        while at != crate::base::slab::NONE {
            let node = self.tree.at_mut(at);
            let family = node.family_mut();
            if family.dearest >= nanos {
                return;
            }
            family.dearest = nanos;
            at = node.parent;
        }
    }
}
