//! Amounts that a budget counts: tokens, money, turns. Owns the arithmetic, which saturates and never wraps. Never:
//! knows who spends (`ledger.rs` does).

/// No cap in a dimension.
pub const UNCAPPED: u64 = u64::MAX;

/// An amount of each thing that a budget bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Amounts {
    /// Tokens.
    pub tokens: u64,
    /// Money in billionths of a US dollar, so that sums are exact.
    pub nanos: u64,
    /// Turns: calls of a model.
    pub turns: u64,
}

/// Money alone, in billionths of a US dollar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

/// Caps as a caller gives them. In an absent dimension, the cap stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Caps {
    /// Tokens; [`UNCAPPED`] lifts the cap.
    pub tokens: Option<u64>,
    /// Nano-dollars.
    pub nanos: Option<u64>,
    /// Turns.
    pub turns: Option<u64>,
}

impl From<Amounts> for Caps {
    fn from(Amounts { tokens, nanos, turns }: Amounts) -> Self {
        Self { tokens: Some(tokens), nanos: Some(nanos), turns: Some(turns) }
    }
}

impl Caps {
    /// These caps, and `base` in each dimension without one.
    #[must_use]
    pub fn over(self, base: Amounts) -> Amounts {
        Amounts {
            tokens: self.tokens.unwrap_or(base.tokens),
            nanos: self.nanos.unwrap_or(base.nanos),
            turns: self.turns.unwrap_or(base.turns),
        }
    }
}

/// The expected need of one turn, in the dimensions that a host or an option estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Estimate {
    /// Tokens.
    pub tokens: Option<u64>,
    /// Nano-dollars.
    pub nanos: Option<u64>,
}

impl Estimate {
    /// This estimate, and `other` in each dimension without one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { tokens: self.tokens.or(other.tokens), nanos: self.nanos.or(other.nanos) }
    }
}

/// One dimension of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Tokens.
    Tokens,
    /// Money.
    Cost,
    /// Turns.
    Turns,
}

impl Dimension {
    /// Every dimension.
    pub const ALL: [Self; 3] = [Self::Tokens, Self::Cost, Self::Turns];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Cost => "costUsd",
            Self::Turns => "turns",
        }
    }

    /// Its unit, as users read it.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Cost => "US dollars",
            Self::Turns => "turns",
        }
    }

    /// An amount as users write it; money in US dollars, with all its decimals.
    #[must_use]
    pub fn written(self, amount: u64) -> String {
        const NANOS: u64 = 1_000_000_000;
        if self != Self::Cost {
            return amount.to_string();
        }
        let whole = amount.checked_div(NANOS).unwrap_or(0);
        let rest = format!("{whole}.{:09}", amount.checked_rem(NANOS).unwrap_or(0));
        rest.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// The option that caps it.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::Tokens => "budget.tokens",
            Self::Cost => "budget.costUsd",
            Self::Turns => "budget.turns",
        }
    }

    /// The option that caps it for every task without a cap of its own.
    #[must_use]
    pub const fn task_option(self) -> &'static str {
        match self {
            Self::Tokens => "taskBudget.tokens",
            Self::Cost => "taskBudget.costUsd",
            Self::Turns => "taskBudget.turns",
        }
    }
}

impl Amounts {
    /// Zero in every dimension.
    pub const ZERO: Self = Self { tokens: 0, nanos: 0, turns: 0 };
    /// No cap in any dimension.
    pub const UNCAPPED: Self = Self { tokens: UNCAPPED, nanos: UNCAPPED, turns: UNCAPPED };

    /// The amount in one dimension.
    #[must_use]
    pub const fn of(self, dimension: Dimension) -> u64 {
        match dimension {
            Dimension::Tokens => self.tokens,
            Dimension::Cost => self.nanos,
            Dimension::Turns => self.turns,
        }
    }

    /// Joins two amounts dimension by dimension.
    #[must_use]
    pub fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Self { tokens: join(self.tokens, other.tokens), nanos: join(self.nanos, other.nanos), turns: join(self.turns, other.turns) }
    }

    /// The sum; an uncapped dimension stays uncapped.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// The difference, never below zero; an uncapped dimension stays uncapped.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == UNCAPPED { UNCAPPED } else { a.saturating_sub(b) })
    }

    /// The smaller in each dimension.
    #[must_use]
    pub fn least(self, other: Self) -> Self {
        self.zip(other, u64::min)
    }

    /// The larger in each dimension.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        self.zip(other, u64::max)
    }

    /// The first dimension in which this falls short of `needed`.
    #[must_use]
    pub fn lacks(self, needed: Self) -> Option<Dimension> {
        Dimension::ALL.into_iter().find(|dimension| self.of(*dimension) < needed.of(*dimension))
    }

    /// Whether it is zero in every dimension.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }
}
