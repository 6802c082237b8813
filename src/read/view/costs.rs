//! Spending by model and by agent (B11). Owns the sums: each list adds up to the ledger. Changes nothing.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::number::{Number, dollars, number};
use crate::base::slab::Key;
use crate::base::view_record::{Part, view};
use crate::model::kinds::{Kinds, KindsView};
use crate::read::figures;
use crate::state::{Cost, DEFAULT_SESSION, ROOT, State};

view! {
    /// The spending on one model, by the agents of one definition, or by one main agent.
    pub struct CostShareView "CostShare" {
        /// The model's id, the definition's name, or the key of the main agent's session; else null.
        pub name: Option<Text>,
        /// US dollars.
        pub cost_usd: Number,
        /// Tokens, input and output together.
        pub tokens: Number,
        /// Turns.
        pub turns: Number,
        /// Runs that have ended.
        pub runs: Number,
        /// Its tokens by kind.
        #[serde(flatten)]
        pub kinds: Part<KindsView>,
        /// Some of it has no price, though there are prices: it cost more than `costUsd`.
        pub unpriced: bool,
    }
}

view! {
    /// The usage of a sub-agent and all below it.
    pub struct TookView "TookInAll" {
        /// Tokens, if more than its run used; null also if none of them reported any.
        pub tokens: Option<Number>,
        /// Its tokens by kind.
        #[serde(flatten)]
        pub kinds: Part<KindsView>,
        /// US dollars, likewise.
        pub cost_usd: Option<Number>,
    }
}

/// The usage of a sub-agent and all below it, if its last run is this one (R5).
#[must_use]
pub fn took_in_all(state: &State, task: Key, run: u32) -> TookView {
    let kinds = figures::kinds_in_all(state, task, run);
    let spent = figures::in_all(state, task, run);
    TookView {
        tokens: spent.and_then(|spent| spent.tokens).map(number),
        kinds: Part(KindsView::of(kinds)),
        cost_usd: spent.and_then(|spent| spent.nanos).map(dollars),
    }
}

view! {
    /// The spending of a manager's agents since the beginning, with that of forgotten ones. Each list adds up to the totals.
    pub struct CostsView "ManagerCosts" {
        /// US dollars in all.
        pub cost_usd: Number,
        /// Tokens in all, input and output together.
        pub tokens: Number,
        /// Turns in all.
        pub turns: Number,
        /// By model, the dearest first.
        pub by_model: Vec<CostShareView>,
        /// By the definition that the agents were made from, the dearest first.
        pub by_agent: Vec<CostShareView>,
        /// By session, the usage that its main agent reported of itself; closed sessions are left out.
        pub main_agents: Vec<CostShareView>,
    }
}

/// The spending by model and by agent.
#[must_use]
pub fn costs(state: &State) -> CostsView {
    let all = state.node(ROOT).account.spent;
    CostsView {
        cost_usd: dollars(all.nanos),
        tokens: number(all.tokens),
        turns: number(all.turns),
        by_model: shares(state, all, |cost| &cost.model_id),
        by_agent: shares(state, all, |cost| &cost.agent),
        main_agents: main_agents(state),
    }
}

/// The own usage of the main agents of open sessions.
fn main_agents(state: &State) -> Vec<CostShareView> {
    let used = |index: u32| {
        let node = state.node(index);
        let unpriced = node.tally().is_some_and(|tally| tally.unpriced);
        let name = Some(node.text.clone()).filter(|_| index != DEFAULT_SESSION);
        Cost { agent: name, kinds: node.kinds(), spent: node.last_usage, unpriced, ..Cost::default() }
    };
    listed(state.children(ROOT).filter(|index| !state.is_closed_session(*index)).map(used).collect())
}

/// The sums under each name; spending in no row counts under null.
fn shares(state: &State, all: Amounts, name: fn(&Cost) -> &Option<Text>) -> Vec<CostShareView> {
    let mut sums: Vec<Cost> = Vec::new();
    let mut add = |named: Option<Text>, more: Cost| match sums.iter_mut().find(|sum| sum.agent == named) {
        Some(sum) => {
            (sum.kinds, sum.spent) = (sum.kinds.plus(more.kinds), sum.spent.plus(more.spent));
            sum.runs = sum.runs.saturating_add(more.runs);
            sum.unpriced |= more.unpriced;
        }
        None => sums.push(Cost { agent: named, model_id: None, ..more }),
    };
    let known = state
        .costs
        .iter()
        .fold((Amounts::ZERO, 0), |(spent, runs): (Amounts, u64), cost| (spent.plus(cost.spent), runs.saturating_add(cost.runs)));
    for cost in &state.costs {
        add(name(cost).clone(), cost.clone());
    }
    add(None, Cost { spent: all.minus(known.0), runs: state.runs_ended.saturating_sub(known.1), ..Cost::default() });
    listed(sums)
}

/// The sums that are not zero, the dearest first.
fn listed(mut sums: Vec<Cost>) -> Vec<CostShareView> {
    sums.retain(|sum| !sum.spent.is_zero() || sum.kinds != Kinds::NONE);
    sums.sort_by_key(|sum| std::cmp::Reverse((sum.spent.nanos, sum.spent.tokens)));
    sums.into_iter().map(share).collect()
}

fn share(Cost { agent, kinds, spent, runs, unpriced, .. }: Cost) -> CostShareView {
    CostShareView {
        name: agent,
        cost_usd: dollars(spent.nanos),
        tokens: number(spent.tokens),
        turns: number(spent.turns),
        runs: number(runs),
        kinds: Part(KindsView::of(kinds)),
        unpriced,
    }
}
