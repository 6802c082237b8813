//! Tokens by kind and what they cost, seen a second time from the facts alone (B11). Owns what hosts of the simulation report, the
//! prices of its manager, and these sums; `promises_kept.rs` holds the manager to them.

use std::collections::BTreeMap;

use subagents::{Fact, Key, Kinds, ModelPrice, Nanos, Reading, ReportedTokens, Usage};

/// What a million tokens cost, in nano-dollars: fresh, from the cache, written.
const PRICE: [u64; 3] = [500_001, 50_007, 1_500_003];

/// The prices of models that the manager of a life gets.
pub(crate) fn prices() -> Vec<ModelPrice> {
    let [input, read, output] = PRICE.map(Nanos);
    vec![ModelPrice { model: "*".into(), input, output, cache_read: Some(read), ..ModelPrice::default() }]
}

/// What a host reports of the kinds of its tokens: a third of them do, by what they used, so that no dice are thrown for it.
pub(crate) fn told_of(usage: &Usage) -> Option<Box<ReportedTokens>> {
    let Reading::Is(tokens) = usage.tokens else { return None };
    if !tokens.is_multiple_of(3) {
        return None;
    }
    let written = tokens / 4;
    let kinds = Kinds {
        input_tokens: Some(tokens - written),
        output_tokens: Some(written),
        cache_read_tokens: tokens.is_multiple_of(2).then_some((tokens - written) / 2),
        estimated: tokens.is_multiple_of(11),
        ..Kinds::NONE
    };
    let named = tokens.is_multiple_of(9).then(|| "m-named".into());
    Some(Box::new(ReportedTokens { kinds, model_id: named, otherwise: Some("m-manager".into()), unread: false }))
}

/// What one run has used of one model: its input, of it from the cache, its output.
type Sums = BTreeMap<(Key, u32, String), [u64; 3]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    sums: Sums,
    /// What prices have come to for each run, less what its host's own total took the place of.
    priced: BTreeMap<(Key, u32), u64>,
    /// The same by model.
    of_model: BTreeMap<(Key, u32, String), u64>,
    /// What they came to in the step under way.
    now: Option<u64>,
    /// How much less the tokens of its model cost after it, at most what prices had come to for them.
    less: u64,
    /// What they had come to for the run of whose dollars some came back in that step.
    before: Option<u64>,
    has_prices: bool,
}

impl Tokens {
    /// A step begins.
    pub(crate) fn begin(&mut self) {
        (self.now, self.before, self.less) = (None, None, 0);
    }

    /// What a total leaves of so many dollars which divides the tokens anew. A sum that is too large for its number stays so.
    pub(crate) fn divided_anew(&self, nanos: u64) -> u64 {
        if nanos == u64::MAX { nanos } else { nanos - self.less }
    }

    /// What prices came to in the step under way.
    pub(crate) fn now(&self) -> Option<u64> {
        self.now
    }

    /// What they had come to for a run before it.
    pub(crate) fn before(&self, task: Key, run: u32) -> u64 {
        let known = self.priced.get(&(task, run)).copied().unwrap_or(0);
        let priced = self.before.unwrap_or(known);
        priced.saturating_sub(self.now.unwrap_or(0))
    }

    /// The host's own total has taken the place of so much.
    pub(crate) fn give_back(&mut self, task: Key, run: u32, nanos: u64) -> Result<(), String> {
        let priced = self.priced.entry((task, run)).or_default();
        if nanos > *priced {
            return Err(format!("B11: {nanos} of run {run} of {task:?} came back, prices had booked {priced}"));
        }
        self.before = Some(std::mem::take(priced));
        self.of_model.retain(|(of, number, _), _| (*of, *number) != (task, run));
        Ok(())
    }

    /// Takes a fact, and says what is wrong with it.
    pub(crate) fn take(&mut self, fact: &Fact) -> Result<(), String> {
        match fact {
            Fact::PricesSet { prices } => self.has_prices = !prices.is_empty(),
            Fact::TokensUsed { task, run, model_id, kinds, cost_usd, unpriced, .. } => {
                let model = model_id.as_ref().map(ToString::to_string).unwrap_or_default();
                let sums = self.sums.entry((*task, *run, model.clone())).or_default();
                let before = cost(*sums);
                let read = kinds.cache_read_tokens.unwrap_or(0);
                let more = [kinds.input_tokens.unwrap_or(0), read, kinds.output_tokens.unwrap_or(0)];
                for (sum, more) in sums.iter_mut().zip(more) {
                    *sum = sum.saturating_add(more);
                }
                let after = cost(*sums);
                let expected = after.saturating_sub(before);
                if *unpriced || cost_usd.is_some_and(|Nanos(nanos)| !self.has_prices || nanos != expected) {
                    return Err(format!("B11: {fact:?} after {before}, expected {expected}"));
                }
                let nanos = cost_usd.unwrap_or_default().0;
                self.now = cost_usd.map(|Nanos(nanos)| nanos);
                let priced = self.priced.entry((*task, *run)).or_default();
                *priced = priced.saturating_add(nanos);
                let of_model = self.of_model.entry((*task, *run, model)).or_default();
                self.less = if cost_usd.is_some() { before.saturating_sub(after).min(*of_model) } else { 0 };
                *of_model = of_model.saturating_add(nanos);
            }
            _ => {}
        }
        Ok(())
    }
}

/// Rounded down once. `[input, of it from the cache, output]`: an odd host may report more from the cache than it read.
fn cost([input, read, output]: [u64; 3]) -> u64 {
    let sums = [input.saturating_sub(read), read.min(input), output];
    let all: u128 = sums.iter().zip(PRICE).map(|(tokens, price)| u128::from(*tokens) * u128::from(price)).sum();
    u64::try_from(all / 1_000_000).unwrap_or(u64::MAX)
}
