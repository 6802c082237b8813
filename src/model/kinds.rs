//! Kinds of tokens, and their prices. Owns the two records and their arithmetic, in whole nano-dollars (B11).

use crate::base::amounts::Nanos;
use crate::base::codec::Text;
use crate::base::number::{Number, number};
use crate::base::record::record;
use crate::base::stored::stored_as_fields;
use crate::base::view_record::view;
use crate::model::rate::longest_match;

/// Declares the kinds, a row for each, in the order in which they are stored and cross the boundary.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident,)+) => {
        record! {
            /// Tokens by kind, and whether they are estimates. An unreported kind is absent.
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct Kinds {
                $($(#[doc = $doc])+ pub $kind: Option<u64>,)+
                /// Whether the host marked some of this as an estimate.
                pub estimated: bool,
            }
        }

        impl Kinds {
            /// Nothing was reported.
            pub const NONE: Self = Self { $($kind: None,)+ estimated: false };

            /// The number of kinds.
            pub const COUNT: usize = [$(stringify!($kind)),+].len();

            /// Makes the record from these kinds, in the order of the rows.
            #[must_use]
            pub const fn of([$($kind),+]: [Option<u64>; Self::COUNT], estimated: bool) -> Self {
                Self { $($kind,)+ estimated }
            }

            /// The kinds, in the order of the rows.
            #[must_use]
            pub const fn values(&self) -> [Option<u64>; Self::COUNT] {
                [$(self.$kind),+]
            }

            /// Joins two kind by kind.
            fn zip(self, other: Self, join: impl Fn(Option<u64>, Option<u64>) -> Option<u64>) -> Self {
                Self { $($kind: join(self.$kind, other.$kind),)+ estimated: self.estimated }
            }
        }

        view! {
            /// Tokens by kind, and whether they are an estimate, for several views.
            #[derive(Copy)]
            pub struct KindsView "TokenKinds" of(kinds: Kinds) with {} {
                $($(#[doc = $doc])+ $kind: Option<Number> = kinds.$kind.map(number),)+
                /// Whether the host marked some of this as an estimate.
                estimated: bool = kinds.estimated,
            }
        }
    };
}

kinds! {
    /// All tokens that the model read, cached ones included. Null, like every kind, if not reported.
    input_tokens,
    /// All tokens that the model wrote, reasoning included.
    output_tokens,
    /// The part of `inputTokens` that was read from the provider's cache.
    cache_read_tokens,
    /// The part of `inputTokens` that was written to the provider's cache.
    cache_write_tokens,
    /// The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more.
    cache_write1h_tokens,
    /// The part of `outputTokens` that the model wrote to reason.
    reasoning_tokens,
}

record! {
    /// The price of a model, in US dollars a million tokens.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ModelPrice {
        /// The model's id, or a prefix of ids followed by `*`.
        pub model: Text,
        /// The price of input tokens.
        pub input: Nanos,
        /// The price of output tokens.
        pub output: Nanos,
        /// The price of cache reads; absent: that of input.
        pub cache_read: Option<Nanos>,
        /// The price of cache writes; absent: that of input.
        pub cache_write: Option<Nanos>,
        /// The price of cache writes for an hour; absent: that of cache writes.
        pub cache_write1h: Option<Nanos>,
    }
}

stored_as_fields! {
    Kinds = Self::NONE;
    ModelPrice = Self::default();
}

/// Details of the tokens in a report or a run's end, besides their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportedTokens {
    /// The tokens by kind.
    pub kinds: Kinds,
    /// Their model; absent: the run's.
    pub model_id: Option<Text>,
    /// The model for a run without one.
    pub otherwise: Option<Text>,
    /// Whether the figure of a kind is invalid: the cost is then unknown.
    pub unread: bool,
}

impl Kinds {
    /// The sum, kind by kind; if only one side knows a kind, that figure.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = self.zip(other, |one, other| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        });
        Self { estimated: self.estimated || other.estimated, ..sum }
    }

    /// The difference, never below 0.
    #[must_use]
    pub fn beyond(self, other: Self) -> Self {
        self.zip(other, |all, before| all.map(|all| all.saturating_sub(before.unwrap_or(0))))
    }

    /// The kinds, given the total of tokens: the tokens missing in input and output count as input.
    #[must_use]
    pub fn filled(self, tokens: u64) -> Self {
        let [input, output] = [self.input_tokens, self.output_tokens].map(|side| side.unwrap_or(0));
        Self { input_tokens: Some(input.max(tokens.saturating_sub(output))), ..self }
    }

    /// Whether input or output was reported, so that a price applies.
    #[must_use]
    pub const fn has_sides(&self) -> bool {
        self.input_tokens.is_some() || self.output_tokens.is_some()
    }
}

impl ModelPrice {
    /// The price of a model: the longest match.
    #[must_use]
    pub fn find<'a>(prices: &'a [Self], model: &str) -> Option<&'a Self> {
        longest_match(prices, |price| &price.model, model)
    }

    /// The cost of these tokens in nano-dollars, rounded down once.
    #[must_use]
    pub fn cost(&self, kinds: &Kinds) -> u64 {
        let of = |tokens: Option<u64>| u128::from(tokens.unwrap_or(0));
        let [input, output] = [of(kinds.input_tokens), of(kinds.output_tokens)];
        let read = of(kinds.cache_read_tokens).min(input);
        let written = of(kinds.cache_write_tokens).max(of(kinds.cache_write1h_tokens)).min(input.saturating_sub(read));
        let for_an_hour = of(kinds.cache_write1h_tokens).min(written);
        let fresh = input.saturating_sub(read).saturating_sub(written);
        let write = self.cache_write.unwrap_or(self.input);
        [
            (fresh, self.input),
            (read, self.cache_read.unwrap_or(self.input)),
            (written.saturating_sub(for_an_hour), write),
            (for_an_hour, self.cache_write1h.unwrap_or(write)),
            (output, self.output),
        ]
        .into_iter()
        .fold(0_u128, |sum, (tokens, Nanos(price))| sum.saturating_add(tokens.saturating_mul(u128::from(price))))
        .checked_div(1_000_000)
        .and_then(|nanos| u64::try_from(nanos).ok())
        .unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(model: &str, input: u64) -> ModelPrice {
        ModelPrice { model: model.into(), input: Nanos(input), output: Nanos(input.saturating_mul(5)), ..ModelPrice::default() }
    }

    #[test]
    fn b11_the_longest_match_wins_and_a_whole_id_is_longer_than_any_prefix() {
        let prices = [price("*", 1), price("gpt-5*", 2), price("gpt-5-mini*", 3), price("gpt-5-mini", 4)];
        let input = |model| ModelPrice::find(&prices, model).map(|price| price.input.0);
        assert_eq!(["other", "gpt-5", "gpt-5-mini", "gpt-5-mini-2"].map(input), [Some(1), Some(2), Some(4), Some(3)]);
        assert_eq!(ModelPrice::find(&prices[1..], "other"), None);
    }

    #[test]
    fn b11_each_kind_has_its_price_and_the_sum_is_rounded_down_once() {
        let price = ModelPrice {
            cache_read: Some(Nanos(1_500_000_000)),
            cache_write: Some(Nanos(18_750_000_000)),
            cache_write1h: Some(Nanos(30_000_000_000)),
            ..price("x", 15_000_000_000)
        };
        let kinds = Kinds {
            input_tokens: Some(100_000),
            output_tokens: Some(500),
            cache_read_tokens: Some(95_000),
            cache_write_tokens: Some(3_000),
            cache_write1h_tokens: Some(1_000),
            reasoning_tokens: Some(400),
            estimated: false,
        };
        // 2,000 fresh, 95,000 read, 2,000 written for five minutes, 1,000 for an hour, 500 out.
        assert_eq!(price.cost(&kinds), 30_000_000 + 142_500_000 + 37_500_000 + 30_000_000 + 37_500_000);
        let odd = ModelPrice { input: Nanos(999_999), output: Nanos(999_999), ..ModelPrice::default() };
        assert_eq!(odd.cost(&Kinds { input_tokens: Some(1), output_tokens: Some(1), ..Kinds::NONE }), 1);
    }

    #[test]
    fn parts_that_come_to_more_than_their_whole_cost_no_more_than_it() {
        let odd = Kinds { input_tokens: Some(10), cache_read_tokens: Some(8), cache_write_tokens: Some(9), ..Kinds::NONE };
        assert_eq!(price("x", 1_000_000).cost(&odd), 10);
        assert_eq!(price("x", u64::MAX).cost(&Kinds { input_tokens: Some(u64::MAX), ..Kinds::NONE }), u64::MAX);
    }
}
