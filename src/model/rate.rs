//! Rates: the requests and tokens that a key allows a minute (B11). Owns the record, and the choice among patterns that match a
//! name.

use crate::base::codec::Text;
use crate::base::record::record;
use crate::base::stored::stored_as_fields;

record! {
    /// The rate of a `rateLimitKey`, per minute.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct KeyRate {
        /// The key, or a prefix of keys followed by `*`: each matching key has the whole rate for itself.
        pub key: Text,
        /// Requests; absent: any number.
        pub requests_per_minute: Option<u64>,
        /// Tokens; absent: any number.
        pub tokens_per_minute: Option<u64>,
    }
}

stored_as_fields! {
    KeyRate = Self::default();
}

impl KeyRate {
    /// The rate of a key: the longest match.
    #[must_use]
    pub fn find<'a>(rates: &'a [Self], key: &str) -> Option<&'a Self> {
        longest_match(rates, |rate| &rate.key, key)
    }
}

/// The row with the longest matching name; a whole name is longer than any prefix.
pub(crate) fn longest_match<'a, T>(rows: &'a [T], name_of: impl Fn(&T) -> &str, name: &str) -> Option<&'a T> {
    let matches = |row: &'a T| match name_of(row).strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix).then_some((prefix.len(), row)),
        None => (name_of(row) == name).then_some((usize::MAX, row)),
    };
    rows.iter().filter_map(matches).max_by_key(|(length, _)| *length).map(|(_, row)| row)
}
