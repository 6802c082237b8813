//! Idempotency keys: the task of each key's first use, and whether it was forgotten (D7). Owns the record and the search for a
//! key; `rules/scheduling/idempotency.rs` decides the meaning of a repeated key.
//!
//! Stored in the order of their use, so the oldest is dropped first, and found through a sorted list of hashes. A task has the
//! serial number of its key, so forgetting a task needs no search.

use std::collections::VecDeque;

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::base::stored::stored;
use crate::model::admitted::KeyUse;
use crate::model::status::Status;

/// A key and the task that it names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The task or session that used it; the same text in another scope is another key.
    pub scope: Key,
    /// The key itself.
    pub key: Text,
    /// A hash of the first use's parameters.
    pub digest: u64,
    /// The task of the first use.
    pub task: Key,
    /// When it stops answering.
    pub until: u64,
    /// The task's status when it was forgotten; absent before.
    pub forgotten: Option<Status>,
    /// Dropped, but behind an entry that is not.
    gone: bool,
    /// The same hash without the budget.
    pub work: u64,
}

stored!(Entry { scope, key, digest, task, until, forgotten, gone, work } from Self { scope: Key::default(), key: Text::default(), digest: 0, task: Key::default(), until: 0, forgotten: None, gone: false, work: 0 });

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Keys {
    entries: VecDeque<Entry>,
    /// The serial number of the first entry; no key has 0.
    first: u64,
    /// Hash and serial number of every remembered key, sorted.
    places: Vec<(u64, u64)>,
}

stored!(Keys { entries, first, places });

impl Default for Keys {
    fn default() -> Self {
        Self { entries: VecDeque::new(), first: 1, places: Vec::new() }
    }
}

/// FNV-1a over a number and a text: the same on every machine and in every version.
#[must_use]
pub fn hash(begin: u64, text: &str) -> u64 {
    let fold = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(begin.to_le_bytes().iter().fold(0xcbf2_9ce4_8422_2325, fold), fold)
}

fn hash_of(scope: Key, key: &str) -> u64 {
    hash((u64::from(scope.generation) << 32) | u64::from(scope.index), key)
}

impl Keys {
    /// The number of remembered keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no key is remembered.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn entry(&self, serial: u64) -> Option<&Entry> {
        self.entries.get(self.index(serial)?)
    }

    fn index(&self, serial: u64) -> Option<usize> {
        usize::try_from(serial.checked_sub(self.first)?).ok()
    }

    fn serial_of(&self, scope: Key, key: &str) -> Option<u64> {
        let hash = hash_of(scope, key);
        let from = self.places.partition_point(|(other, _)| *other < hash);
        let same = self.places.get(from..)?.iter().take_while(|(other, _)| *other == hash);
        same.map(|(_, serial)| *serial).find(|serial| self.entry(*serial).is_some_and(|entry| entry.scope == scope && *entry.key == *key))
    }

    /// The entry of a key in its scope.
    #[must_use]
    pub fn find(&self, scope: Key, key: &str) -> Option<&Entry> {
        self.entry(self.serial_of(scope, key)?)
    }

    /// The entry with this serial number.
    #[must_use]
    pub fn numbered(&self, serial: u64) -> Option<&Entry> {
        self.entry(serial).filter(|entry| !entry.gone)
    }

    /// The oldest key.
    #[must_use]
    pub fn oldest(&self) -> Option<&Entry> {
        self.entries.front()
    }

    /// Every remembered key, with its serial number, oldest first.
    pub fn all(&self) -> impl Iterator<Item = (u64, &Entry)> + '_ {
        (self.first..).zip(&self.entries).filter(|(_, entry)| !entry.gone)
    }

    /// Remembers a key and returns its serial number.
    pub(crate) fn insert(&mut self, scope: Key, KeyUse { key, digest, until, work }: KeyUse, task: Key) -> u64 {
        let serial = self.first.saturating_add(u64::try_from(self.entries.len()).unwrap_or(u64::MAX));
        let place = (hash_of(scope, &key), serial);
        let at = self.places.partition_point(|other| *other < place);
        self.places.insert(at, place);
        self.entries.push_back(Entry { scope, key, digest, task, until, forgotten: None, gone: false, work });
        serial
    }

    /// Forgets a key.
    pub(crate) fn drop(&mut self, scope: Key, key: &str) {
        let Some(serial) = self.serial_of(scope, key) else { return };
        let place = (hash_of(scope, key), serial);
        if let Ok(at) = self.places.binary_search(&place) {
            self.places.remove(at);
        }
        if let Some(entry) = self.index(serial).and_then(|index| self.entries.get_mut(index)) {
            entry.gone = true;
        }
        while self.entries.front().is_some_and(|entry| entry.gone) {
            self.entries.pop_front();
            self.first = self.first.saturating_add(1);
        }
    }

    /// Notes that a key's task was forgotten.
    pub(crate) fn task_forgotten(&mut self, serial: u64, status: Status) {
        if let Some(entry) = self.index(serial).and_then(|index| self.entries.get_mut(index)) {
            entry.forgotten = Some(status);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// FNV-1a for 64 bits of `12345678foobar`, whose first eight bytes come as a number.
    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(hash(u64::from_le_bytes(*b"12345678"), "foobar"), 0xf166_f30f_d1bf_2490);
    }

    proptest! {
        /// Against a sorted map of the same keys.
        #[test]
        fn each_key_is_found_in_its_scope_until_it_is_dropped(steps in prop::collection::vec((0_u32..3, 0_u8..6, any::<bool>()), 0..120)) {
            let mut keys = Keys::default();
            let mut model = BTreeMap::new();
            for (at, (scope, name, add)) in steps.into_iter().enumerate() {
                let (scope, name) = (Key { index: scope, generation: 1 }, name.to_string());
                if add && !model.contains_key(&(scope, name.clone())) {
                    let task = Key { index: u32::try_from(at).unwrap_or(0), generation: 9 };
                    let serial = keys.insert(scope, KeyUse { key: name.clone().into(), digest: 0, until: 0, work: 0 }, task);
                    prop_assert!(serial > 0);
                    model.insert((scope, name), (task, serial));
                } else if !add {
                    keys.drop(scope, &name);
                    model.remove(&(scope, name));
                }
                prop_assert_eq!((keys.len(), keys.is_empty()), (model.len(), model.is_empty()));
                for ((scope, name), (task, serial)) in &model {
                    prop_assert_eq!(keys.find(*scope, name).map(|entry| entry.task), Some(*task));
                    prop_assert_eq!(keys.entry(*serial).map(|entry| entry.task), Some(*task));
                }
                let oldest = model.values().min_by_key(|(_, serial)| *serial).map(|(task, _)| *task);
                prop_assert_eq!(keys.oldest().map(|entry| entry.task), oldest);
                prop_assert_eq!(keys.all().count(), model.len());
            }
        }
    }
}
