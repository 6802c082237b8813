//! Usage in facts besides amounts: doubtful dimensions, and loans between runs. Owns `Dimensions`, `Loan` and `Loans`;
//! `rules/budget/` decides by them. Usage as a host reports it is in `outcome.rs`.

use crate::base::amounts::{Amounts, Dimension};
use crate::base::codec::Field;
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::Reader;
use crate::base::record::record;
use crate::base::slab::Key;
use crate::base::stored::stored_as_fields;

/// Dimensions of a budget, a bit each: 1 tokens, 2 cost, 4 turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct Dimensions(pub u8);

impl Dimensions {
    /// No dimension.
    pub const NONE: Self = Self(0);

    /// One dimension.
    #[must_use]
    pub const fn only(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Tokens => Self(1),
            Dimension::Cost => Self(2),
            Dimension::Turns => Self(4),
        }
    }

    /// Whether it includes a dimension.
    #[must_use]
    pub const fn has(self, dimension: Dimension) -> bool {
        self.0 & Self::only(dimension).0 != 0
    }

    /// Adds a dimension.
    #[must_use]
    pub const fn and(self, dimension: Dimension) -> Self {
        Self(self.0 | Self::only(dimension).0)
    }

    /// Whether it has no dimension.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The doubts about a usage, as nodes store them: the unreported dimensions, and, times eight, the invalid ones.
    #[must_use]
    pub const fn doubts(unknown: Self, invalid: Self) -> u8 {
        (unknown.0 & 7) | ((invalid.0 & 7) << 3)
    }

    /// Reads the doubts: the unknown dimensions, and the invalid ones.
    #[must_use]
    pub const fn doubted(doubts: u8) -> (Self, Self) {
        (Self(doubts & 7), Self((doubts >> 3) & 7))
    }
}

impl Field for Dimensions {
    fn kind() -> String {
        "dimensions".into()
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        let at = reader.position();
        let bits = reader.byte();
        if bits > 7 {
            reader.fail(at);
        }
        Self(bits)
    }
}

impl EncodeEvent for Dimensions {
    fn encode_event(&self, out: &mut EventBuffer) {
        self.0.encode_event(out);
    }
}

record! {
    /// A part of one run's reservation that another run of a task below borrows (B4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Loan {
        /// The lender.
        pub lender: Key,
        /// The number of the lender's run.
        pub run: u32,
        /// The amount.
        pub amount: Amounts,
    }
}

stored_as_fields! {
    Dimensions = Self::NONE;
    Loan = Self { lender: Key::default(), run: 0, amount: Amounts::ZERO };
}

record! {
    /// The amounts that a run borrows and returns; neither list has a lender twice.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Loans {
        /// The amounts that it borrows.
        pub lent: Vec<Loan>,
        /// The amounts that it returns.
        pub returned: Vec<Loan>,
    }
}
