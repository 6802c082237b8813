//! What turns have taken lately, in tokens: the record of it (B13). Owns its mean; `measuring.rs` fills it, and says where it
//! stands.

use std::collections::VecDeque;

use crate::base::stored::stored;

/// So many turns are remembered.
pub(in crate::state) const TURNS: usize = 20;
/// So many have to be known before they count.
const ENOUGH: usize = 2;
/// More than a turn takes, and little enough that the sum of all that are remembered is exact.
const MOST: u64 = 1 << 53;

/// What the last turns have taken, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lately {
    /// The tokens of each.
    pub turns: VecDeque<u64>,
    /// Those of all of them.
    pub sum: u64,
}

stored!(Lately { turns, sum });

impl Lately {
    pub(in crate::state) fn add(&mut self, tokens: u64) {
        let oldest = if self.turns.len() < TURNS { 0 } else { self.turns.pop_front().unwrap_or(0) };
        let tokens = tokens.min(MOST);
        self.sum = self.sum.saturating_sub(oldest).saturating_add(tokens);
        self.turns.push_back(tokens);
    }

    /// Their mean, rounded up, once it counts. `latest`: what one more has taken, whose run asks for its next.
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
}
