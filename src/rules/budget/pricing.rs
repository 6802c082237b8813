//! Prices: the cost of tokens that a host reports by kind, without a cost (B11). Owns that the dollars are in the fact that
//! books them, so a replay needs no price. A host's own total replaces the priced sum.

use crate::base::amounts::{Dimension, Nanos};
use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::kinds::{Kinds, ModelPrice, ReportedTokens};
use crate::model::outcome::{Outcome, Reading, Usage};
use crate::model::rejection::Rejection;
use crate::state::State;
use crate::state::budget::tally::RunTally;
use crate::state::runs::run::Run;
use crate::step::Step;

/// Replaces all prices.
pub(crate) fn set(step: &mut Step<'_>, prices: Vec<ModelPrice>) -> Result<Reply, Rejection> {
    if step.state.prices != prices {
        step.record(Fact::PricesSet { prices });
    }
    Ok(Reply::Done)
}

/// Prices a report, which names the usage since the last one, if it names no dollars. Without `tokens`, its tokens are of the
/// run's own model, whatever the run has named before.
#[inline(never)]
pub(crate) fn price_report(step: &mut Step<'_>, of: RunKey, usage: &mut Usage, tokens: Option<&ReportedTokens>) {
    let plain = ReportedTokens::default();
    let tokens = tokens.unwrap_or(&plain);
    let is_more = usage.tokens.known().is_some() || usage.nanos.known().is_some();
    let booked = usage.tokens.known().unwrap_or(0);
    if let Some((nanos, _)) = take_in(step, of, tokens.kinds, tokens, (is_more, says_cost(usage), booked)) {
        usage.nanos = Reading::Is(nanos);
    }
}

/// Whether a run's report or end may involve prices and models.
pub(crate) fn concerns(state: &State, of: RunKey, tokens: Option<&ReportedTokens>) -> bool {
    tokens.is_some() || state.node(of.task.index).tally_of(of.run).is_some()
}

/// Prices the end of a run, which names its total usage. The amount that prices booked before stays, unless the host reports the
/// run's cost itself, or divides the tokens so that they cost less.
#[inline(never)]
pub(crate) fn price_total(step: &mut Step<'_>, of: RunKey, outcome: &mut Outcome) {
    let (usage, tokens) = (&mut outcome.usage, outcome.tokens.take().unwrap_or_default());
    let Some(booked) = step.state.booked(of.task.index, of.run) else { return };
    let tally = step.state.node(of.task.index).tally_of(of.run);
    let (priced, known) = tally.map_or((0, Kinds::NONE), |tally| (tally.priced(), tally.kinds()));
    let says_cost = says_cost(usage);
    let is_more = |total: Reading, booked: u64| total.known().is_some_and(|total| total > booked);
    let is_more = is_more(usage.tokens, booked.tokens) || is_more(usage.nanos, booked.nanos);
    let more = tokens.kinds.beyond(known);
    let more_tokens = usage.tokens.known().unwrap_or(0).saturating_sub(booked.tokens);
    // If nothing new is reported, its cost stays.
    let is_new = tokens.model_id.is_some() || known.plus(more) != known;
    let mut less = 0;
    if let Some((nanos, back)) = take_in(step, of, more, &tokens, (is_more, says_cost, more_tokens)).filter(|_| is_new) {
        (usage.nanos, usage.priced, less) = (Reading::Is(booked.nanos.saturating_add(nanos)), true, back);
    }
    if let (Reading::Is(nanos), true) = (usage.nanos, says_cost && priced > 0) {
        less = booked.nanos.saturating_sub(nanos).min(priced);
    }
    // A sum that overflowed stays as it is: its value is unknown.
    usage.instead = if booked.nanos == u64::MAX { 0 } else { less };
}

/// Whether the host reports the cost. Dollars that can't be read don't count: prices may know the cost.
fn says_cost(usage: &Usage) -> bool {
    usage.nanos.known().is_some()
}

/// Records the tokens that are booked next, and their model. If the host gives no cost and there is a price, returns their cost.
/// Also returns by how much the cost of the tokens priced before falls. `is_more`: something is booked, of any kind; `booked`:
/// this many tokens.
fn take_in(
    step: &mut Step<'_>,
    of: RunKey,
    more: Kinds,
    tokens: &ReportedTokens,
    (is_more, says_cost, booked): (bool, bool, u64),
) -> Option<(u64, u64)> {
    let RunKey { task, run } = of;
    let node = step.state.node(task.index);
    let known = node.tally_of(run).map_or(Kinds::NONE, RunTally::kinds);
    let own = node.spec().and_then(|spec| spec.model_id.clone());
    let model_id = tokens.model_id.clone().or(own).or_else(|| tokens.otherwise.clone());
    let prices = has_prices(&step.state, task.index) && more.has_sides() && !says_cost && !tokens.unread;
    let cost = if prices { cost(&step.state, of, more, model_id.as_ref()) } else { None };
    let is_new = tokens.model_id.is_some() || known.plus(more) != known;
    if is_new || (is_more && step.state.model_of(task.index, run) != model_id.as_ref()) {
        let without = prices && cost.is_none();
        let is_first = without && !step.state.knows_unpriced(&model_id);
        let free = uncounted(&step.state, known.plus(more)).saturating_sub(uncounted(&step.state, known));
        let uncounted = free.min(booked.saturating_add(countable(&step.state, of, model_id.as_ref())));
        step.record(Fact::TokensUsed {
            task,
            run,
            model_id: model_id.clone(),
            kinds: more,
            cost_usd: cost.map(|(nanos, _)| Nanos(nanos)),
            unpriced: without,
            uncounted,
        });
        if is_first {
            step.effect(Effect::Report(Rejection::NoPrice { model_id: model_id.as_deref().map(str::to_owned) }));
        }
    }
    cost
}

/// The tokens counted for a run that may turn out to be from the cache, if it has used only this model.
fn countable(state: &State, RunKey { task, run }: RunKey, model_id: Option<&Text>) -> u64 {
    let tally = state.node(task.index).tally_of(run);
    if state.model_of(task.index, run) != model_id || tally.is_some_and(|tally| tally.used.len() > 1) {
        return 0;
    }
    let counted = state.booked(task.index, run).unwrap_or_default().tokens;
    counted.saturating_sub(tally.map_or(0, |tally| uncounted(state, tally.kinds())))
}

/// The tokens of a run that don't count against caps.
fn uncounted(state: &State, kinds: Kinds) -> u64 {
    const ALL: u64 = 1_000;
    let free = ALL.saturating_sub(state.limits.count_cache_reads);
    kinds.cache_read_tokens.unwrap_or(0).saturating_mul(free).checked_div(ALL).unwrap_or(0)
}

/// The price tables in order: the task's own prices come before those of the manager.
fn tables(state: &State, task: u32) -> [&[ModelPrice]; 2] {
    let own = state.node(task).spec().and_then(|spec| spec.prices.as_deref()).unwrap_or_default();
    [own, &state.prices]
}

fn has_prices(state: &State, task: u32) -> bool {
    tables(state, task).iter().any(|prices| !prices.is_empty())
}

/// The cost of the run's totals of a model after this, less their cost before: each rounded down once. Also their decrease in
/// cost, at most the amount that prices have booked for them.
fn cost(state: &State, RunKey { task, run }: RunKey, more: Kinds, model_id: Option<&Text>) -> Option<(u64, u64)> {
    // `*` is also the price of a turn whose model has no name.
    let model = model_id.map_or("", |model| model);
    let price = tables(state, task.index).into_iter().find_map(|prices| ModelPrice::find(prices, model))?;
    let used = state.node(task.index).tally_of(run).and_then(|tally| tally.used.iter().find(|used| used.model_id.as_ref() == model_id));
    let (before, priced) = used.map_or((Kinds::NONE, 0), |used| (used.kinds, used.priced));
    let [after, before] = [before.plus(more), before].map(|kinds| price.cost(&kinds));
    Some((after.saturating_sub(before), before.saturating_sub(after).min(priced)))
}

/// Whether this dimension of a run stays unknown: a run that has used a model without a price has no known cost.
pub(crate) fn lacks(state: &State, run: &Run, dimension: Dimension) -> bool {
    dimension == Dimension::Cost && state.is_unpriced(run.task, run.number)
}
