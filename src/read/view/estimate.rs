//! What a plan would cost: so many runs of a kind, by what such runs have taken so far, else by what is expected of a turn, and by
//! prices (B11). Owns this reckoning; computes from the state and keeps nothing.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::number::{Number, dollars, number};
use crate::base::view::view;
use crate::model::kinds::{Kinds, ModelPrice};
use crate::model::spec::Spec;
use crate::state::{Cost, ROOT, State};

/// So many runs of a kind.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// What each is given.
    pub spec: Spec,
    /// The model of those that are given none.
    pub otherwise: Option<Text>,
    /// How many.
    pub count: u64,
    /// How many turns each takes; absent: as many as such runs have taken.
    pub turns: Option<u64>,
}

view! {
    /// What a plan is expected to cost.
    pub struct EstimateView "PlanEstimate" {
        /// Tokens, input and output together.
        pub tokens: Number,
        /// US dollars; null if a model has no price, and nothing is known of what it costs.
        pub cost_usd: Option<Number>,
        /// Turns.
        pub turns: Number,
        /// What all of it rests on: what the same agent and model have taken, what other runs have, or a turn's estimate.
        pub basis: &'static str as "'measured' | 'similar' | 'expected'",
    }
}

/// What runs have taken, so many of them.
#[derive(Clone, Copy, Debug)]
struct Past {
    runs: u64,
    spent: Amounts,
    kinds: Kinds,
    unpriced: bool,
}

const BASES: [&str; 3] = ["measured", "similar", "expected"];

/// What a plan would cost.
#[must_use]
pub fn estimate(state: &State, plan: &[Planned]) -> EstimateView {
    let (mut tokens, mut turns, mut nanos, mut basis) = (0_u64, 0_u64, Some(0_u64), 0_usize);
    for line in plan {
        let (past, rank) = past_of(state, line);
        basis = basis.max(rank);
        let each = each(state, line, past);
        let times = |amount: u64| amount.saturating_mul(line.count);
        (tokens, turns) = (tokens.saturating_add(times(each.0)), turns.saturating_add(times(each.2)));
        nanos = nanos.zip(each.1).map(|(sum, more)| sum.saturating_add(times(more)));
    }
    let basis = BASES.get(basis).copied().unwrap_or_default();
    EstimateView { tokens: number(tokens), cost_usd: nanos.map(dollars), turns: number(turns), basis }
}

/// What one run takes: tokens, nano-dollars if that is known, turns.
fn each(state: &State, Planned { spec, otherwise, turns, .. }: &Planned, past: Option<Past>) -> (u64, Option<u64>, u64) {
    let model = spec.model_id.as_ref().or(otherwise.as_ref()).map_or("", |model| model);
    let tables = [spec.prices.as_deref().unwrap_or_default(), &state.prices];
    let price = tables.into_iter().find_map(|prices| ModelPrice::find(prices, model));
    let given = spec.turn_needs();
    let Some(Past { runs, spent, kinds, unpriced }) = past else {
        let turns = turns.unwrap_or(1);
        let tokens = given.tokens.unwrap_or_else(|| state.usual_estimate(state.node(ROOT).account.cap.tokens, None)).saturating_mul(turns);
        // All of it as input, since nothing is known of how it is divided.
        let priced = price.map(|price| price.cost(&Kinds { input_tokens: Some(tokens), ..Kinds::NONE }));
        return (tokens, given.nanos.map(|nanos| nanos.saturating_mul(turns)).or(priced), turns);
    };
    // Where turns are given and such were counted, by the turn; else by the run.
    let of = turns.filter(|_| spent.turns > 0).map_or((1, runs), |turns| (turns, spent.turns));
    let tokens = given
        .tokens
        .map_or_else(|| share(spent.tokens, of), |tokens| tokens.saturating_mul(turns.unwrap_or_else(|| share(spent.turns, of))));
    let priced = price.filter(|_| kinds.has_sides()).map(|price| share(price.cost(&kinds), of));
    let known = (spent.nanos > 0 && !unpriced).then(|| share(spent.nanos, of));
    let said = given.nanos.map(|nanos| nanos.saturating_mul(turns.unwrap_or_else(|| share(spent.turns, of))));
    (tokens, said.or(priced).or(known), turns.unwrap_or_else(|| share(spent.turns, of)))
}

/// So many of so many, rounded up.
fn share(amount: u64, (of, all): (u64, u64)) -> u64 {
    let product = u128::from(amount).saturating_mul(u128::from(of)).div_ceil(u128::from(all.max(1)));
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// What such runs have taken: of the same agent and model, else of the same model or agent, else of all; and which of these it is.
fn past_of(state: &State, Planned { spec, otherwise, .. }: &Planned) -> (Option<Past>, usize) {
    let (agent, model) = (&spec.agent, spec.model_id.as_ref().or(otherwise.as_ref()));
    let all =
        Past { runs: state.runs_ended, spent: state.node(ROOT).account.spent, kinds: state.node(ROOT).kinds_below(), unpriced: false };
    let sum = |fits: &dyn Fn(&Cost) -> bool| {
        let none = Past { runs: 0, spent: Amounts::ZERO, kinds: Kinds::NONE, unpriced: false };
        state.costs.iter().filter(|cost| fits(cost)).fold(none, |sum, cost| Past {
            runs: sum.runs.saturating_add(cost.runs),
            spent: sum.spent.plus(cost.spent),
            kinds: sum.kinds.plus(cost.kinds),
            unpriced: sum.unpriced || cost.unpriced,
        })
    };
    let named = sum(&|_| true);
    let same = if agent.is_none() && model.is_none() {
        Past { runs: all.runs.saturating_sub(named.runs), spent: all.spent.minus(named.spent), ..all }
    } else {
        sum(&|cost| cost.agent == *agent && cost.model_id.as_ref() == model)
    };
    let is_known = |past: &Past| past.runs > 0 && !past.spent.is_zero();
    let near = [sum(&|cost| model.is_some() && cost.model_id.as_ref() == model), sum(&|cost| agent.is_some() && cost.agent == *agent), all];
    match Some(same).filter(is_known) {
        Some(same) => (Some(same), 0),
        None => near.into_iter().find(is_known).map_or((None, 2), |past| (Some(past), 1)),
    }
}
