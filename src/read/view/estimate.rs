//! The estimated cost of a plan of runs (B11). It uses the usage of similar earlier runs, else the estimate of a turn, and
//! prices. Owns these sums; changes nothing.

use crate::base::codec::Text;
use crate::base::number::{Number, dollars, number};
use crate::base::view_record::view;
use crate::model::kinds::{Kinds, ModelPrice};
use crate::model::spec::Spec;
use crate::state::{Cost, Past, ROOT, State};

/// A number of runs of one kind.
#[derive(Clone, Debug, Default)]
pub struct Planned {
    /// The options of each run.
    pub spec: Spec,
    /// The model of the runs if their options name none.
    pub otherwise: Option<Text>,
    /// The number of runs.
    pub count: u64,
    /// The turns of each run; absent: the turns that similar runs took.
    pub turns: Option<u64>,
}

view! {
    /// The expected cost of a plan. An empty plan costs nothing, on the basis `measured`.
    pub struct EstimateView "PlanEstimate" {
        /// Tokens, input and output together.
        pub tokens: Number,
        /// US dollars; null if a model has no price, and its cost isn't known from runs or estimates.
        pub cost_usd: Option<Number>,
        /// Turns.
        pub turns: Number,
        /// Its basis: runs of the same agent and model, other runs, or a turn's estimate.
        pub basis: &'static str as "'measured' | 'similar' | 'expected'",
    }
}

const BASES: [&str; 3] = ["measured", "similar", "expected"];

/// The cost of a plan.
#[must_use]
pub fn estimate(state: &State, plan: &[Planned]) -> EstimateView {
    let (mut tokens, mut turns, mut nanos, mut basis) = (0_u64, 0_u64, Some(0_u64), 0_usize);
    for line in plan {
        let past = past_of(state, line);
        basis = basis.max(past.map_or(2, |(.., rank)| rank));
        let each = each(state, line, past.map(|(past, same_model, _)| (past, same_model)));
        let times = |amount: u64| amount.saturating_mul(line.count);
        (tokens, turns) = (tokens.saturating_add(times(each.0)), turns.saturating_add(times(each.2)));
        nanos = nanos.zip(each.1).map(|(sum, more)| sum.saturating_add(times(more)));
    }
    let basis = BASES.get(basis).copied().unwrap_or_default();
    EstimateView { tokens: number(tokens), cost_usd: nanos.map(dollars), turns: number(turns), basis }
}

/// The usage of one run, from runs of the `same_model` or of others: tokens, nano-dollars if known, turns.
fn each(state: &State, line: &Planned, past: Option<(Past, bool)>) -> (u64, Option<u64>, u64) {
    let Planned { spec, otherwise, turns, .. } = line;
    let model = spec.model_id.as_ref().or(otherwise.as_ref()).map_or("", |model| model);
    let tables = [spec.prices.as_deref().unwrap_or_default(), &state.prices];
    let price = tables.into_iter().find_map(|prices| ModelPrice::find(prices, model));
    // Tokens of an unknown kind cost the same as input.
    let cost = |kinds: Kinds, tokens: u64| price.map(|price| price.cost(&kinds.filled(tokens)));
    let given = spec.turn_needs();
    let Some((Past { runs, spent, paid, kinds, said }, same_model)) = past else {
        let turns = turns.unwrap_or(1);
        let tokens = given.tokens.unwrap_or_else(|| state.usual_estimate(state.node(ROOT).account.cap.tokens, None)).saturating_mul(turns);
        let usual = || state.price_given.then_some(state.limits.turn_estimate_nanos);
        let of_turns = |nanos: u64| nanos.saturating_mul(turns);
        return (tokens, given.nanos.map(of_turns).or(cost(Kinds::NONE, tokens)).or_else(|| usual().map(of_turns)), turns);
    };
    // By the turn, if turns are given and were counted; else by the run.
    let of = turns.filter(|_| spent.turns > 0).map_or((1, runs), |turns| (turns, spent.turns));
    let turns = turns.unwrap_or_else(|| share(spent.turns, of));
    let tokens = given.tokens.map_or_else(|| share(spent.tokens, of), |tokens| tokens.saturating_mul(turns));
    let priced = cost(kinds, spent.tokens).map(|nanos| share(nanos, of));
    let known = (paid > 0).then(|| share(spent.nanos, (of.0.saturating_mul(runs), of.1.saturating_mul(paid))));
    let is_free = tables.iter().all(|prices| prices.is_empty());
    let nanos = match known.filter(|_| same_model || is_free) {
        Some(nanos) if said || priced.is_none() => Some(nanos),
        _ => priced,
    };
    (tokens, given.nanos.map(|nanos| nanos.saturating_mul(turns)).or(nanos), turns)
}

/// The share `of / all` of an amount, rounded up.
fn share(amount: u64, (of, all): (u64, u64)) -> u64 {
    let product = u128::from(amount).saturating_mul(u128::from(of)).div_ceil(u128::from(all.max(1)));
    u64::try_from(product).unwrap_or(u64::MAX)
}

/// The usage of similar ended runs: of the same agent and model, else of the same model, of the same agent, of all. Also whether
/// they are of the same model, and the number of that basis.
fn past_of(state: &State, Planned { spec, otherwise, .. }: &Planned) -> Option<(Past, bool, usize)> {
    let (agent, model) = (&spec.agent, spec.model_id.as_ref().or(otherwise.as_ref()));
    let is_known = |past: &Past| past.runs > 0 && !past.spent.is_zero();
    let sum = |fits: &dyn Fn(&Cost) -> bool| {
        let past = state.costs.iter().filter(|cost| fits(cost)).fold(Past::default(), |sum, cost| sum.plus(cost.past));
        Some(past).filter(is_known)
    };
    let of_model = |cost: &Cost| cost.model_id.as_ref() == model;
    let of_agent = |cost: &Cost| cost.agent == *agent;
    let same = sum(&|cost| of_agent(cost) && of_model(cost)).map(|past| (past, true, 0));
    same.or_else(|| sum(&|cost| model.is_some() && of_model(cost)).map(|past| (past, true, 1)))
        .or_else(|| sum(&|cost| agent.is_some() && of_agent(cost)).map(|past| (past, false, 1)))
        .or_else(|| sum(&|_| true).map(|past| (past, false, 1)))
}
