//! What facts say of usage besides amounts: which dimensions are doubtful, and what one run lends another. Owns `Dimensions`,
//! `Loan` and `Loans`; `rules/budget/` decides by them. Usage as a host reports it is in `outcome.rs`.

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
    /// None of them.
    pub const NONE: Self = Self(0);

    /// One of them.
    #[must_use]
    pub const fn only(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Tokens => Self(1),
            Dimension::Cost => Self(2),
            Dimension::Turns => Self(4),
        }
    }

    /// Whether a dimension is among them.
    #[must_use]
    pub const fn has(self, dimension: Dimension) -> bool {
        self.0 & Self::only(dimension).0 != 0
    }

    /// These and another one.
    #[must_use]
    pub const fn and(self, dimension: Dimension) -> Self {
        Self(self.0 | Self::only(dimension).0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The doubts about a usage, as nodes store them: the dimensions that the host did not report, and, times eight, those whose
    /// report was invalid.
    #[must_use]
    pub const fn doubts(unknown: Self, invalid: Self) -> u8 {
        (unknown.0 & 7) | ((invalid.0 & 7) << 3)
    }

    /// Reads that back: the unknown dimensions, and the invalid ones.
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
        /// The task that lent.
        pub lender: Key,
        /// Which of its runs.
        pub run: u32,
        /// How much.
        pub amount: Amounts,
    }
}

stored_as_fields! {
    Dimensions = Self::NONE;
    Loan = Self { lender: Key::default(), run: 0, amount: Amounts::ZERO };
}

record! {
    /// The amounts that a run borrows, and those that it returns; no lender twice in either list.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Loans {
        /// The amounts that it borrows.
        pub lent: Vec<Loan>,
        /// What returns.
        pub returned: Vec<Loan>,
    }
}
