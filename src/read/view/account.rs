//! Amounts as users read them: caps, spent and reserved. Owns the public units (dollars, `Infinity`, epoch
//! milliseconds); changes nothing.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::base::number::{Bound, Number, Sum, dollars, number};
use crate::base::view::ViewField;
use crate::base::view_record::{Part, view};
use crate::model::kinds::{Kinds, KindsView};
use crate::model::usage::Dimensions;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Account;
use crate::state::runs::run::Phase;

view! {
    /// One dimension of a budget.
    pub struct DimensionView "BudgetDimension" {
        /// The cap; `Infinity` if there is none.
        pub cap: Bound,
        /// Its spending, with that of its sub-agents.
        pub spent: Sum,
        /// The reservation for work in flight.
        pub reserved: Sum,
        /// The rest that may be spent, within the caps above it too.
        pub available: Bound,
        /// By how much the spent and reserved budget exceeds the cap: the manager books every report.
        pub overspent: Sum,
    }
}

view! {
    /// A budget: its cap, its spending, and its reservations.
    pub struct BudgetView "BudgetAccount" {
        /// In tokens.
        pub tokens: DimensionView,
        /// In US dollars.
        pub cost_usd: DimensionView,
        /// In turns.
        pub turns: DimensionView,
    }
}

/// The account of a node.
#[must_use]
pub fn budget(state: &State, index: u32) -> BudgetView {
    let account: Account = state.node(index).account;
    let available = ledger::available(&state.tree, &state.runs, index, Amounts::ZERO);
    let over = account.overspent();
    let view = |convert: fn(u64) -> Number, pick: fn(Amounts) -> u64| DimensionView {
        cap: Bound(convert(pick(account.cap))),
        spent: Sum(convert(pick(account.spent))),
        reserved: Sum(convert(pick(account.reserved))),
        available: Bound(convert(pick(available))),
        overspent: Sum(convert(pick(over))),
    };
    BudgetView {
        tokens: view(number, |amounts| amounts.tokens),
        cost_usd: view(dollars, |amounts| amounts.nanos),
        turns: view(number, |amounts| amounts.turns),
    }
}

view! {
    /// The spending of a run.
    pub struct UsageView "RunUsage" {
        /// Tokens, input and output together.
        pub tokens: Sum,
        /// US dollars.
        pub cost_usd: Sum,
        /// Turns that it took.
        pub turns: Sum,
        /// Its tokens by kind.
        #[serde(flatten)]
        pub kinds: Part<KindsView>,
        /// Dimensions that the host did not report.
        pub unknown: Doubted,
        /// Dimensions whose report was invalid: their reservation is booked.
        pub invalid: Doubted,
    }
}

/// Dimensions, a bit each; users read their names.
#[derive(Clone, Copy, Debug)]
pub struct Doubted(u8);

impl serde::Serialize for Doubted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Dimension::ALL.into_iter().filter(|dimension| Dimensions(self.0).has(*dimension)).map(Dimension::name))
    }
}

impl ViewField for Doubted {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "dimensions".into()
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
}

/// The spending of a run, with the dimensions that were not reported, and those whose report was invalid.
pub(crate) fn usage_of(spent: Amounts, kinds: Kinds, unknown: u8, invalid: u8) -> UsageView {
    UsageView {
        tokens: Sum(number(spent.tokens)),
        cost_usd: Sum(dollars(spent.nanos)),
        turns: Sum(number(spent.turns)),
        kinds: Part(KindsView::of(kinds)),
        unknown: Doubted(unknown),
        invalid: Doubted(invalid),
    }
}

view! {
    /// The limits of a run. `Infinity` if there is none.
    #[derive(Copy)]
    pub struct RunLimitsView "RunLimits" {
        /// Turns that the run may take.
        pub max_turns: Number,
        /// Tokens that the sub-agent may spend in its life, by the least cap on its path.
        pub tokens: Number,
        /// US dollars that it may spend in its life, by the least cap on its path.
        pub cost_usd: Number,
        /// Turns that it may take in its life, by the least cap on its path.
        pub turns: Number,
        /// Milliseconds until the run has to wrap up.
        pub timeout_ms: Number,
        /// Milliseconds that the run may be silent.
        pub idle_timeout_ms: Number,
        /// How deep sub-agents may nest; a run at this depth has none.
        pub max_depth: Number,
        /// The part of 1,000 tokens read from a cache that counts against caps of tokens.
        pub count_cache_reads: Number,
    }
}

/// The limits of a task's runs. Its budget is limited by the least cap on its path (B1).
#[must_use]
pub fn run_limits(state: &State, index: u32) -> RunLimitsView {
    let (limits, cap) = (&state.limits, ledger::least_cap(&state.tree, index));
    let (timeout_ms, idle_timeout_ms) = state.timeouts_of(index);
    RunLimitsView {
        max_turns: number(state.max_turns_of(index)),
        tokens: number(cap.tokens),
        cost_usd: dollars(cap.nanos),
        turns: number(cap.turns),
        timeout_ms: number(timeout_ms),
        idle_timeout_ms: number(idle_timeout_ms),
        max_depth: number(limits.max_depth),
        count_cache_reads: number(limits.count_cache_reads),
    }
}

view! {
    /// The remaining budget; `Infinity` if nothing caps it.
    #[derive(Copy)]
    pub struct LeftView "Remaining" {
        /// Tokens, input and output together.
        pub tokens: Number,
        /// US dollars.
        pub cost_usd: Number,
        /// Turns.
        pub turns: Number,
    }
}

view! {
    /// The rest for a run: the least rest of the caps on its path, minus the reservations of others. Its own reservation counts
    /// as left; `turns` is at most the rest of `maxTurns`.
    #[derive(Copy)]
    pub struct RemainingView "RunRemaining" {
        /// Tokens, input and output together.
        pub tokens: Number,
        /// US dollars.
        pub cost_usd: Number,
        /// Turns.
        pub turns: Number,
        /// The same without its own caps: the rest of the caps above, for it and all others that share them.
        pub shared: LeftView,
    }
}

/// The rest for a run: it may use its own reservation. A run that has ended has no turn left.
#[must_use]
pub fn remaining(state: &State, index: u32, run_number: u32) -> RemainingView {
    let run = state.find_run(index, run_number).map(|at| state.runs.at(at)).filter(|run| run.phase == Phase::Open);
    let reserved = run.map_or(Amounts::ZERO, |run| run.reserved);
    let turns = run.map_or(0, |run| if run.max_turns == UNCAPPED { UNCAPPED } else { run.max_turns.saturating_sub(run.turns) });
    let left =
        |amounts: Amounts| LeftView { tokens: number(amounts.tokens), cost_usd: dollars(amounts.nanos), turns: number(amounts.turns) };
    let own = ledger::available(&state.tree, &state.runs, index, reserved);
    let LeftView { tokens, cost_usd, turns } = left(Amounts { turns: own.turns.min(turns), ..own });
    RemainingView { tokens, cost_usd, turns, shared: left(ledger::available_above(&state.tree, &state.runs, index, reserved)) }
}
