//! Recent turns in tokens, and the turns of recent runs (B13). Owns the record, its mean and its maximum; `measuring.rs` fills
//! it.

use std::collections::VecDeque;

use crate::base::stored::stored;

/// The number of remembered turns, and of remembered runs.
pub(in crate::state) const TURNS: usize = 20;
/// The number that must be known before they count.
const ENOUGH: usize = 2;
/// More than any turn takes, and small enough that the sum of all remembered turns is exact.
const MOST: u64 = 1 << 53;

/// The usage of the last turns and runs, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lately {
    /// The tokens of each.
    pub turns: VecDeque<u64>,
    /// Their sum.
    pub sum: u64,
    /// The turns of each completed run.
    pub runs: VecDeque<u64>,
}

stored!(Lately { turns, sum, runs });

impl Lately {
    pub(in crate::state) fn add(&mut self, tokens: u64) {
        let oldest = if self.turns.len() < TURNS { 0 } else { self.turns.pop_front().unwrap_or(0) };
        let tokens = tokens.min(MOST);
        self.sum = self.sum.saturating_sub(oldest).saturating_add(tokens);
        self.turns.push_back(tokens);
    }

    pub(in crate::state) fn add_run(&mut self, turns: u64) {
        if self.runs.len() >= TURNS {
            self.runs.pop_front();
        }
        self.runs.push_back(turns);
    }

    /// The turns of the longest run, once it counts.
    #[must_use]
    pub fn longest(&self) -> Option<u64> {
        self.runs.iter().copied().max().filter(|_| self.runs.len() >= ENOUGH)
    }

    /// The mean of the turns, rounded up, once it counts. `latest`: the usage of one more turn, whose run asks for the next.
    #[must_use]
    pub fn mean(&self, latest: Option<u64>) -> Option<u64> {
        let (mut sum, mut count) = (self.sum, self.turns.len());
        if let Some(tokens) = latest {
            let oldest = if count < TURNS { 0 } else { self.turns.front().copied().unwrap_or(0) };
            sum = sum.saturating_sub(oldest).saturating_add(tokens.min(MOST));
            count = count.saturating_add(1).min(TURNS);
        }
        if count < ENOUGH { None } else { Some(sum.div_ceil(u64::try_from(count).unwrap_or(1)).max(1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b13_the_mean_is_that_of_the_last_twenty_from_the_second_on() {
        let mut lately = Lately::default();
        lately.add(10);
        assert_eq!((lately.mean(None), lately.mean(Some(13))), (None, Some(12)), "one that is to be added counts");
        lately.add(11);
        assert_eq!(lately.mean(None), Some(11), "rounded up");
        for _ in 0..TURNS {
            lately.add(u64::MAX);
        }
        assert_eq!((lately.mean(None), lately.turns.len()), (Some(MOST), TURNS), "older ones are forgotten, and the sum is exact");
        assert_eq!(lately.mean(Some(0)), Some(MOST - MOST / 20), "it takes the place of the oldest");
    }

    #[test]
    fn b13_the_longest_is_that_of_the_last_twenty_runs_from_the_second_on() {
        let mut lately = Lately::default();
        lately.add_run(9);
        assert_eq!(lately.longest(), None);
        lately.add_run(3);
        assert_eq!(lately.longest(), Some(9));
        (1..TURNS).for_each(|_| lately.add_run(3));
        assert_eq!((lately.longest(), lately.runs.len()), (Some(3), TURNS), "older ones are forgotten");
    }
}
