//! A token bucket in whole numbers: how much of a rate is used up, and when an amount is available again. Owns this arithmetic.
//! It reads no clock and doesn't know the key.

use crate::base::stored::stored;

/// Rates are per minute, and time is in milliseconds. A bucket counts in 60,000ths, so nothing is rounded.
const MINUTE: u64 = 60_000;
/// The burst, in milliseconds of the rate: a tenth of a minute.
const BURST_MS: u64 = 6_000;

/// How much of a rate is used up; at first, nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bucket {
    /// The used part, in 60,000ths.
    used: u64,
    /// The time at which `used` was right.
    at: u64,
}

stored!(Bucket { used, at } from Self { used: 0, at: 0 });

const fn burst(per_minute: u64) -> u64 {
    per_minute.saturating_mul(BURST_MS)
}

impl Bucket {
    /// The used part at `now`.
    const fn used(&self, per_minute: u64, now: u64) -> u64 {
        self.used.saturating_sub(per_minute.saturating_mul(now.saturating_sub(self.at)))
    }

    /// Whether nothing is used up.
    #[must_use]
    pub const fn is_full(&self, per_minute: u64, now: u64) -> bool {
        self.used(per_minute, now) == 0
    }

    /// Brings it to this time, at this rate.
    pub const fn settle(&mut self, per_minute: u64, now: u64) {
        self.used = self.used(per_minute, now);
        self.at = now;
    }

    /// When this amount may be taken, if later than now: once it is available. An amount above a burst may be taken once the
    /// whole burst is available.
    #[must_use]
    pub fn ready_at(&self, per_minute: u64, now: u64, amount: u64) -> Option<u64> {
        let may_be_used = burst(per_minute).saturating_sub(amount.saturating_mul(MINUTE));
        let over = self.used(per_minute, now).saturating_sub(may_be_used);
        let ms = if per_minute == 0 { u64::MAX } else { over.div_ceil(per_minute) };
        (over > 0).then(|| now.saturating_add(ms))
    }

    /// Takes this amount, even if it is not available.
    pub const fn take(&mut self, per_minute: u64, now: u64, amount: u64) {
        self.settle(per_minute, now);
        self.used = self.used.saturating_add(amount.saturating_mul(MINUTE));
    }

    /// Gives back an amount that was taken and not used.
    pub const fn refund(&mut self, per_minute: u64, now: u64, amount: u64) {
        self.settle(per_minute, now);
        self.used = self.used.saturating_sub(amount.saturating_mul(MINUTE));
    }

    /// Leaves no more than this amount.
    pub fn leave(&mut self, per_minute: u64, now: u64, left: u64) {
        self.settle(per_minute, now);
        self.used = self.used.max(burst(per_minute).saturating_sub(left.saturating_mul(MINUTE)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_a_tenth_of_a_minute_may_come_at_once_and_the_rest_as_the_rate_says() {
        let mut bucket = Bucket::default();
        for _ in 0..10 {
            assert_eq!(bucket.ready_at(100, 1_000, 1), None);
            bucket.take(100, 1_000, 1);
        }
        assert_eq!(bucket.ready_at(100, 1_000, 1), Some(1_600));
        assert_eq!(bucket.ready_at(100, 1_000, 5), Some(4_000));
        assert_eq!(bucket.ready_at(100, 1_600, 1), None);
    }

    #[test]
    fn b11_what_is_more_than_a_burst_waits_until_all_is_there_and_then_goes_into_debt() {
        let mut bucket = Bucket::default();
        bucket.take(1_000, 0, 1);
        assert_eq!(bucket.ready_at(1_000, 0, 5_000), Some(60));
        assert_eq!(bucket.ready_at(1_000, 60, 5_000), None);
        bucket.take(1_000, 60, 5_000);
        // At 1,000 a minute, 4,900 of the 5,000 are owed before anything is available.
        assert_eq!(bucket.ready_at(1_000, 60, 0), Some(60 + 294_000));
        assert_eq!(bucket.ready_at(1, 60, 1).map(|at| at > 60), Some(true));
    }

    #[test]
    fn what_is_given_back_is_there_again_and_never_more_than_all() {
        let mut bucket = Bucket::default();
        bucket.take(600, 0, 60);
        bucket.refund(600, 0, 20);
        assert_eq!((bucket.ready_at(600, 0, 20), bucket.ready_at(600, 0, 21)), (None, Some(100)));
        bucket.refund(600, 0, 1_000);
        assert!(bucket.is_full(600, 0));
    }

    #[test]
    fn a_provider_may_say_that_less_is_left_and_never_that_more_is() {
        let mut bucket = Bucket::default();
        bucket.leave(600, 0, 10);
        assert_eq!((bucket.ready_at(600, 0, 10), bucket.ready_at(600, 0, 11)), (None, Some(100)));
        bucket.leave(600, 0, 60);
        assert_eq!(bucket.ready_at(600, 0, 11), Some(100));
    }

    #[test]
    fn a_rate_that_is_set_anew_counts_from_then_on() {
        let mut bucket = Bucket::default();
        bucket.take(600, 0, 60);
        bucket.settle(600, 3_000);
        assert_eq!(bucket.ready_at(60_000, 3_000, 6_000), Some(3_030));
    }

    #[test]
    fn numbers_at_their_ends_hang_nothing_and_break_nothing() {
        let mut bucket = Bucket::default();
        bucket.take(u64::MAX, u64::MAX, u64::MAX);
        assert!(bucket.ready_at(u64::MAX, u64::MAX, u64::MAX).is_some());
        let mut bucket = Bucket::default();
        bucket.take(1, 0, u64::MAX);
        assert!(bucket.ready_at(1, 0, 1).is_some_and(|at| at > 0));
        assert_eq!(Bucket::default().ready_at(1, 0, u64::MAX), None);
    }
}
