//! Estimates: the expected need of one more turn, the cap on its path with too little left, and the option that raises it (B1,
//! B5). Owns these sums; changes nothing.

use crate::base::amounts::{Amounts, Dimension, Estimate, UNCAPPED};
use crate::base::slab::NONE;
use crate::model::rejection::{Rejection, Whose};
use crate::model::spec::Spec;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Account;
use crate::state::budget::prices::Price;
use crate::state::budget::recent::Lately;
use crate::state::runs::run::{Phase, Run};
use crate::state::tree::node::{Kind, Node};

/// The need of a task's turns, if its spawn gives it.
pub(crate) fn given_to(node: &Node) -> Estimate {
    node.spec().map_or_else(Estimate::default, Spec::turn_needs)
}

/// The maximum share of a cap for an estimate that is not given.
pub(crate) fn fifth(cap: u64) -> u64 {
    if cap == UNCAPPED { UNCAPPED } else { cap.checked_div(5).unwrap_or(0).max(1) }
}

impl State {
    /// The expected need of one turn of a task with this account, below `parent`; never 0 in any dimension.
    #[must_use]
    pub fn turn_estimate(&self, account: &Account, parent: u32, given: Estimate) -> Amounts {
        self.turn_needs(account, parent, given, None).0
    }

    /// The rest on the path up from a node, for a new child to which the node's run would lend.
    #[inline]
    pub(crate) fn room_below(&self, node: u32) -> ledger::Below {
        if self.is_capped { ledger::room_below(&self.tree, &self.runs, node) } else { ledger::Below::UNCAPPED }
    }

    /// The same estimate, if the path up from `parent` is known.
    pub(crate) fn turn_estimate_below(&self, below: &ledger::Below, account: &Account, parent: u32, given: Estimate) -> Amounts {
        self.turn_needs_below((below.least_cap, below.unspent.nanos), account, parent, given, None).0
    }

    /// The estimate and the price. `run`: the run that takes the turn; absent if it has not started.
    fn turn_needs(&self, account: &Account, parent: u32, given: Estimate, run: Option<&Run>) -> (Amounts, Price) {
        let below = if self.is_capped { ledger::least_cap_and_dollars(&self.tree, parent) } else { (Amounts::UNCAPPED, UNCAPPED) };
        self.turn_needs_below(below, account, parent, given, run)
    }

    /// The same, given the smallest cap up from `parent` and the dollars left there.
    fn turn_needs_below(
        &self,
        (above, left): (Amounts, u64),
        account: &Account,
        parent: u32,
        given: Estimate,
        run: Option<&Run>,
    ) -> (Amounts, Price) {
        let is_own = account.cap.tokens != UNCAPPED;
        let cap = if is_own { account.cap.tokens } else { above.tokens };
        let usual = || self.usual_estimate(cap, self.expected(parent, cap, is_own, run));
        let tokens = given.tokens.unwrap_or_else(usual).max(1);
        let dollars = (above.nanos.min(account.cap.nanos), left.min(account.unspent().nanos));
        let price = self.price(dollars, parent, given.nanos, run.map(|run| run.turn_costs.dearest));
        (Amounts { tokens, nanos: price.nanos(), turns: 1 }, price)
    }

    /// The expected usage of a turn, from earlier turns. These are the run's own if its task has a cap of its own. Otherwise they
    /// are the turns below the nearest cap, else those under the same rate. A turn reserves one and a half times the mean; an
    /// admission needs only the mean (B13).
    fn expected(&self, parent: u32, cap: u64, is_own: bool, run: Option<&Run>) -> Option<u64> {
        if self.estimate_given {
            return None;
        }
        let latest = run.and_then(|run| run.turn_tokens.latest());
        let own = run.filter(|_| is_own).and_then(|run| run.turn_tokens.mean());
        let capped = || if cap == UNCAPPED { None } else { self.learned(parent, latest) };
        let under_rate = || run.and_then(|run| self.key_rates.mean(self.rate_limit_key(run.task), latest));
        let mean = own.or_else(capped).or_else(under_rate)?;
        Some(if run.is_some() { mean.saturating_add(mean.div_ceil(2)) } else { mean })
    }

    /// The expected tokens of a turn under this cap, if its spawn gives none; more under a higher cap. `expected`: the need by
    /// earlier turns.
    pub(crate) fn usual_estimate(&self, cap: u64, expected: Option<u64>) -> u64 {
        if self.estimate_given {
            return self.limits.turn_estimate;
        }
        expected.unwrap_or(self.limits.turn_estimate).min(fifth(cap))
    }

    /// The node whose turns determine the need of this task's queued run, or [`NONE`], and the bound of that need.
    pub(crate) fn learns_from(&self, task: u32) -> (u32, u64) {
        let node = self.node(task);
        if self.estimate_given || given_to(node).tokens.is_some() {
            return (NONE, 0);
        }
        let own = node.account.cap.tokens;
        let cap = if own == UNCAPPED { ledger::least_cap(&self.tree, node.parent).tokens } else { own };
        (self.learner(node.parent), fifth(cap))
    }

    /// The estimate for the next run of an existing task.
    #[must_use]
    pub fn estimate_of(&self, index: u32) -> Amounts {
        let node = self.node(index);
        self.turn_estimate(&node.account, node.parent, given_to(node))
    }

    /// The expected need of an open run's next turn, and its price. `given`: the host's figures.
    pub(crate) fn next_turn(&self, run: u32, given: Estimate) -> (Amounts, Price) {
        let run = self.runs.at(run);
        let node = self.node(run.task);
        self.turn_needs(&node.account, node.parent, given.or(given_to(node)), Some(run))
    }

    /// Refuses if a cap on the path leaves less than one turn after spending (B5).
    pub(crate) fn check_unspent(&self, index: u32, estimate: Amounts) -> Result<(), Rejection> {
        let unspent = ledger::unspent(&self.tree, index);
        match unspent.lacks(estimate) {
            Some(dimension) => Err(self.exhausted(index, unspent.of(dimension), (dimension, estimate), false)),
            None => Ok(()),
        }
    }

    /// Returns the node whose cap on the path leaves too little, and the option that raises it. `with_reserved`: reservations
    /// count as well.
    #[cold]
    pub(crate) fn exhausted(&self, index: u32, remaining: u64, needed: (Dimension, Amounts), with_reserved: bool) -> Rejection {
        let (dimension, estimate) = needed;
        let at = ledger::tightest(&self.tree, &self.runs, index, dimension, with_reserved);
        let node = self.node(at);
        let (whose, option) = match node.kind {
            Kind::Manager => (Whose::Manager, dimension.option()),
            Kind::Session => (Whose::Session, dimension.option()),
            // A cap that equals the default is most likely the default.
            Kind::Task if node.account.cap.of(dimension) == self.task_cap.of(dimension) => {
                (Whose::Task(self.key(at)), dimension.task_option())
            }
            Kind::Task => (Whose::Task(self.key(at)), dimension.option()),
        };
        Rejection::BudgetExhausted { dimension, remaining, needed: estimate.of(dimension), whose, option }
    }

    /// The option that raises the cap that a task has used up (B1).
    pub(crate) fn budget_raised_by(&self, index: u32) -> Option<&'static str> {
        let node = self.node(index);
        let unspent = ledger::unspent(&self.tree, index);
        let (estimate, price) = self.turn_needs(&node.account, node.parent, given_to(node), Some(self.run_of(index)));
        let reserve = self.wrap_up_reserve(index, price);
        let capped = || Dimension::ALL.into_iter().find(|dimension| unspent.of(*dimension) != UNCAPPED);
        let dimension = unspent.lacks(estimate).or_else(|| unspent.lacks(estimate.plus(reserve))).or_else(capped)?;
        self.exhausted(index, unspent.of(dimension), (dimension, estimate), false).raised_by()
    }

    /// The part of a task's cap reserved for its wrap-up turn: none after that turn. Without a cap it has no effect. In dollars,
    /// it is at most a turn's price, once known.
    pub(crate) fn wrap_up_reserve(&self, index: u32, price: Price) -> Amounts {
        let node = self.node(index);
        if node.wrapped_up { Amounts::ZERO } else { self.reserve_of(node.account.cap, 1, price) }
    }

    /// The reserve that a shared cap withholds from turns that are neither the first nor the last of their run (B13). Zero if
    /// `room` covers the expected use of all runs. `begun`: `room` includes their open turns, so their use counts too.
    pub(crate) fn shared_reserve(
        &self,
        asks: u32,
        index: u32,
        (room, begun): (Amounts, bool),
        (needed, price): (Amounts, Price),
    ) -> Amounts {
        let reserve = self.reserve_below(index, price);
        let binds = !reserve.is_zero() && room.minus(reserve).lacks(needed).is_some();
        if binds && self.is_enough_for_all(asks, index, (room, begun), (needed, price)) { Amounts::ZERO } else { reserve }
    }

    /// The reserve of a shared cap for the last turns of the open runs under it.
    pub(crate) fn reserve_below(&self, index: u32, price: Price) -> Amounts {
        let node = self.node(index);
        self.reserve_of(node.account.cap, u64::from(node.open_runs), price)
    }

    /// Whether all open runs are expected to finish within the cap. Each is assumed to take the turns of the longest earlier run,
    /// or, once it asks for more, its maximum. Each turn is assumed to take the mean of earlier turns.
    #[inline(never)]
    fn is_enough_for_all(&self, asks: u32, index: u32, (room, begun): (Amounts, bool), (needed, price): (Amounts, Price)) -> bool {
        let node = self.node(index);
        let lately = node.family().lately.as_deref();
        let longest = lately.and_then(Lately::longest);
        let to_come = |run: &Run| {
            let asked = run.turns.saturating_add(u64::from(run.waiting_turn.is_some() || run.task == asks));
            let most = longest.filter(|longest| asked <= *longest).unwrap_or(run.max_turns).min(run.max_turns);
            if run.wrapped_up || run.returned.is_some() { 0 } else { most.saturating_sub(run.turns) }
        };
        let each = lately.and_then(|lately| lately.mean(None)).unwrap_or(needed.tokens);
        let (mut tokens, mut nanos) = (0_u64, 0_u64);
        let at_work = std::iter::once(index).chain(self.below(index)).map(|at| self.run_of(at));
        // Ended runs are older, and queued ones younger: the search stops at the last open run.
        let open = usize::try_from(node.open_runs).unwrap_or(usize::MAX);
        for run in at_work.filter(|run| run.phase == Phase::Open).take(open) {
            let turns = |open: u32| to_come(run).saturating_add(if begun { u64::from(open) } else { 0 });
            tokens = tokens.saturating_add(each.saturating_mul(turns(run.turn_tokens.open())));
            nanos = nanos.saturating_add(price.nanos().saturating_mul(turns(run.turn_costs.open())));
        }
        tokens <= room.tokens && nanos <= room.nanos
    }

    /// A last turn's share of this cap: all of its task's own cap, an equal share of a shared one (B13). In dollars it may take
    /// its cost at a known price, if available. So a turn at its expected cost never exceeds the cap.
    pub(crate) fn share_of_last_turn(&self, task: u32, at: u32, room: Amounts, (nanos, price): (u64, Price)) -> Amounts {
        let runs = u64::from(self.awaiting_last_turn(at).max(1));
        let share = |left: u64| if left == UNCAPPED || at == task { left } else { left.checked_div(runs).unwrap_or(left) };
        let cost = if matches!(price, Price::Given(_) | Price::Own(_)) { nanos.min(room.nanos) } else { 0 };
        Amounts { tokens: share(room.tokens), nanos: share(room.nanos).max(cost), turns: room.turns }
    }

    /// The reserve of a cap for the last turns of this many runs.
    fn reserve_of(&self, cap: Amounts, runs: u64, price: Price) -> Amounts {
        let Amounts { tokens, nanos, .. } = cap.zip(Amounts::ZERO, |cap, _| cap.checked_div(10).unwrap_or(0));
        let nanos = match price {
            Price::Given(price) | Price::Own(price) => nanos.min(price.saturating_mul(runs)),
            Price::Near(_) | Price::Guess(_) => 0,
        };
        Amounts { tokens: tokens.min(self.limits.wrap_up_tokens.saturating_mul(runs)), nanos, turns: 0 }
    }
}
