//! The cost of a run's own turns, and their tokens: two records of the run. Owns the number of open turns, and the usage of one.
//! `prices.rs` and `measuring.rs` own the estimates made from it.

use crate::base::stored::stored;
use crate::state::budget::recent::Lately;

/// The cost of a run's turns, in nano-dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TurnCosts {
    /// Turns begun since the last report of a cost.
    unpriced: u32,
    /// The amount reported since the last turn began.
    reported: u64,
    /// The cost of the dearest reported turn.
    pub(crate) dearest: u64,
}

stored!(TurnCosts { unpriced, reported, dearest });

impl TurnCosts {
    /// A turn begins: later reports are its cost.
    pub(in crate::state) const fn begin(&mut self) {
        self.unpriced = self.open().saturating_add(1);
        self.reported = 0;
    }

    /// The number of turns without a reported cost.
    pub(crate) const fn open(&self) -> u32 {
        if self.reported > 0 { 0 } else { self.unpriced }
    }

    /// Adds a reported cost. Returns the cost of each turn begun since the last report: an equal share.
    pub(in crate::state) fn add(&mut self, nanos: u64) -> u64 {
        self.reported = self.reported.saturating_add(nanos);
        let each = self.reported.checked_div(u64::from(self.unpriced.max(1))).unwrap_or(0).max(1);
        self.dearest = self.dearest.max(each);
        each
    }

    /// Drops the open turns: their cost doesn't predict the next ones.
    pub(in crate::state) const fn drop_open(&mut self) {
        self.unpriced = 0;
    }
}

/// The tokens of a run's turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TurnTokens {
    /// Turns begun since the last one was measured.
    unmeasured: u32,
    /// The counted amount reported since the last turn began.
    reported: u64,
    /// The usage of the last turns, if the task has a cap on tokens.
    pub(in crate::state) lately: Option<Box<Lately>>,
}

stored!(TurnTokens { unmeasured, reported, lately });

impl TurnTokens {
    /// The mean usage of its own turns.
    pub(crate) fn mean(&self) -> Option<u64> {
        self.lately.as_ref()?.mean(self.latest())
    }

    /// The number of turns without reported tokens.
    pub(crate) const fn open(&self) -> u32 {
        if self.reported > 0 { 0 } else { self.unmeasured }
    }

    /// The usage of its latest turn, if reported: the next one has not begun.
    pub(crate) fn latest(&self) -> Option<u64> {
        (self.reported > 0).then(|| self.reported.checked_div(u64::from(self.unmeasured)).unwrap_or(self.reported).max(1))
    }

    /// A turn begins: later reports are its own.
    pub(in crate::state) const fn begin(&mut self) {
        self.unmeasured = self.unmeasured.saturating_add(1);
    }

    /// Adds reported tokens that count.
    pub(in crate::state) const fn add(&mut self, tokens: u64) {
        self.reported = self.reported.saturating_add(tokens);
        if self.reported == 0 {
            // Turns without usage, such as those that a provider refused, don't predict the next ones.
            self.unmeasured = 0;
        }
    }

    /// Marks the open turns as measured and returns their number.
    pub(in crate::state) fn close(&mut self) -> u32 {
        let turns = self.unmeasured.max(1);
        self.clear();
        turns
    }

    /// Drops the open turns and their reports: they don't predict the next ones.
    pub(in crate::state) const fn clear(&mut self) {
        (self.unmeasured, self.reported) = (0, 0);
    }
}
