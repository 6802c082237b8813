//! An account: a node's cap, spending and reservation, its subtree included (B2). Owns the rest of a single cap; `ledger.rs` sums
//! along a path.

use crate::base::amounts::{Amounts, UNCAPPED};
use crate::base::stored::stored;

/// A node's part of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Account {
    /// The maximum spending, or [`UNCAPPED`].
    pub cap: Amounts,
    /// The spending.
    pub spent: Amounts,
    /// The reservation for work in flight.
    pub reserved: Amounts,
}

stored!(Account { cap, spent, reserved });

impl Default for Account {
    fn default() -> Self {
        Self { cap: Amounts::UNCAPPED, spent: Amounts::ZERO, reserved: Amounts::ZERO }
    }
}

impl Account {
    /// The rest of the cap after spending.
    #[must_use]
    #[inline]
    pub fn unspent(&self) -> Amounts {
        self.cap.minus(self.spent)
    }

    /// The amount that may still be reserved here, if this much of the reservations counts as free.
    #[must_use]
    #[inline]
    pub fn room(&self, freed: Amounts) -> Amounts {
        if self.cap == Amounts::UNCAPPED {
            return self.cap;
        }
        self.unspent().minus(self.reserved.zip(freed, u64::saturating_sub))
    }

    /// The amount that may still be reserved here.
    #[must_use]
    pub fn available(&self) -> Amounts {
        self.unspent().minus(self.reserved)
    }

    /// How far spending and reservations exceed the cap.
    #[must_use]
    pub fn overspent(&self) -> Amounts {
        self.spent.plus(self.reserved).zip(self.cap, |used, cap| if cap == UNCAPPED { 0 } else { used.saturating_sub(cap) })
    }
}
