//! Which ends are retried, how often and when (X5). Owns the record; `rules/runs/retrying.rs` decides by it.

use crate::base::record::record;
use crate::base::stored::stored_as_fields;
use crate::model::status::StopReason;

record! {
    /// How runs that ended badly are retried.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Retry {
        /// The maximum number of retries.
        pub max: u64,
        /// The wait before the first retry, in milliseconds; it doubles each time and varies by up to a quarter.
        pub backoff_ms: u64,
        /// The stop reasons that are retried.
        pub on: Vec<StopReason>,
    }
}

stored_as_fields! {
    Retry = Self { max: 0, backoff_ms: 0, on: Vec::new() };
}

impl Retry {
    /// The stop reasons that are retried by default.
    pub const USUALLY_ON: [StopReason; 4] =
        [StopReason::HostThrew, StopReason::HostFailed, StopReason::HostLost, StopReason::InvalidResult];
    /// The default first wait, in milliseconds.
    pub const BACKOFF_MS: u64 = 1_000;

    /// The wait after this many attempts. `draw`, any number, varies it by up to a quarter: runs that failed together would
    /// otherwise fail together again.
    #[must_use]
    pub fn backoff_after(&self, attempts: u32, draw: u64) -> u64 {
        let doubled = attempts.checked_sub(1).and_then(|times| 1_u64.checked_shl(times)).unwrap_or(u64::MAX);
        let ms = self.backoff_ms.saturating_mul(doubled);
        if ms == u64::MAX {
            return ms;
        }
        let quarter = ms >> 2;
        let width = (quarter << 1).saturating_add(1);
        ms.saturating_sub(quarter).saturating_add(draw.checked_rem(width).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x5_each_wait_is_twice_the_one_before() {
        let retry = Retry { max: 3, backoff_ms: 10, on: Vec::new() };
        // A draw equal to a quarter is the middle.
        assert_eq!([(1, 2), (2, 5), (3, 10)].map(|(attempts, draw)| retry.backoff_after(attempts, draw)), [10, 20, 40]);
        assert_eq!(retry.backoff_after(70, 1), u64::MAX);
    }

    #[test]
    fn x5_a_wait_is_spread_by_a_quarter_either_way() {
        let retry = Retry { max: 3, backoff_ms: 100, on: Vec::new() };
        assert_eq!([0, 25, 50, 51].map(|draw| retry.backoff_after(1, draw)), [75, 100, 125, 75]);
        let shortest = Retry { backoff_ms: 1, ..retry };
        assert_eq!(shortest.backoff_after(1, u64::MAX), 1, "a wait of 1 ms has no quarter");
    }
}
