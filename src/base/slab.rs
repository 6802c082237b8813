//! A chunked slab with generations: the only container of nodes, runs and waits.
//!
//! Owns: indices, their generations, the free list. Chunks are never moved or copied, so a manager with a million tasks never
//! stops to copy them. Never: knows its contents.
//!
//! Access is total. A free index reads as the *void*, a default value, and a write there is lost. The core uses only taken
//! indices (`invariants` asserts it): the void spares callers an impossible case, without a panic.

/// No index: the end of an intrusive list, or an absent link.
pub const NONE: u32 = u32::MAX;
const CHUNK_BITS: u32 = 4;
const CHUNK: usize = 1 << CHUNK_BITS;
/// A chunk is one allocation of a fixed size, so a place in it needs no bounds check.
type Chunk<T> = Box<[Entry<T>; CHUNK]>;

/// Marks a living entry in the place of its free-list link.
pub(super) const LIVE: u32 = u32::MAX - 1;
/// An index whose generation reaches this is retired: handles pack index and generation in 53 bits.
const LAST_GENERATION: u32 = (1 << 21) - 1;

/// An index and a generation. The generation distinguishes its present holder from earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Hash, serde::Serialize)]
pub struct Key {
    /// The place in the slab.
    pub index: u32,
    /// How often the place has been claimed, from 1.
    pub generation: u32,
}

/// A value in a slab.
pub trait Clear: Default {
    /// Makes it the default value in place: cheaper than moving one there.
    fn clear(&mut self);
}

/// Declares the default value of a record, field by field. Fields that own memory come first: the rest is then written at once.
macro_rules! record_defaults {
    ($name:ident { $($field:ident: $value:expr),+ $(,)? }) => {
        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $value),+ }
            }
        }

        impl $crate::base::slab::Clear for $name {
            #[inline]
            fn clear(&mut self) {
                let Self { $($field),+ } = self;
                $(*$field = $value;)+
            }
        }
    };
}
pub(crate) use record_defaults;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Entry<T> {
    pub(super) generation: u32,
    pub(super) next_free: u32,
    pub(super) value: T,
}

/// See the module's documentation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slab<T> {
    chunks: Vec<Chunk<T>>,
    pub(super) free: u32,
    pub(super) used: u32,
    pub(super) len: u32,
    /// Read from a free index.
    void: T,
    /// Takes writes to a free index.
    sink: T,
}

impl<T: Clear> Default for Slab<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), free: NONE, used: 0, len: 0, void: T::default(), sink: T::default() }
    }
}

const fn split(index: u32) -> (usize, usize) {
    #[expect(clippy::as_conversions, reason = "u32 to usize widens on every target we build for")]
    ((index >> CHUNK_BITS) as usize, index as usize & (CHUNK - 1))
}

impl<T: Clear> Slab<T> {
    pub(super) fn entry(&self, index: u32) -> Option<&Entry<T>> {
        let (chunk, place) = split(index);
        self.chunks.get(chunk)?.get(place)
    }

    pub(super) fn entry_mut(&mut self, index: u32) -> Option<&mut Entry<T>> {
        let (chunk, place) = split(index);
        self.chunks.get_mut(chunk)?.get_mut(place)
    }

    /// The number of taken indices.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One past the highest index ever used: the bound for a walk over all indices.
    #[must_use]
    pub const fn end(&self) -> u32 {
        self.used
    }

    /// The key that the next [`insert`](Self::insert) will take.
    #[must_use]
    pub fn next_key(&self) -> Key {
        if self.free == NONE {
            return Key { index: self.used, generation: 1 };
        }
        let generation = self.entry(self.free).map_or(1, |entry| entry.generation);
        Key { index: self.free, generation }
    }

    /// Takes the next free index. Its value is the default, to be filled in place.
    #[inline]
    pub fn claim(&mut self) -> Key {
        let key = self.next_key();
        if self.free == NONE {
            let (chunk, _) = split(key.index);
            if chunk == self.chunks.len() {
                self.add_chunk();
            }
            self.used = self.used.saturating_add(1);
        }
        if let Some(entry) = self.entry_mut(key.index) {
            let next = entry.next_free;
            entry.next_free = LIVE;
            self.free = next;
        }
        self.len = self.len.saturating_add(1);
        key
    }

    /// Puts `value` at the next free index.
    pub fn insert(&mut self, value: T) -> Key {
        let key = self.claim();
        *self.at_mut(key.index) = value;
        key
    }

    #[cold]
    #[inline(never)]
    pub(super) fn add_chunk(&mut self) {
        let vacant = || Entry { generation: 1, next_free: NONE, value: T::default() };
        let chunk: Box<[Entry<T>]> = (0..CHUNK).map(|_| vacant()).collect();
        if let Ok(chunk) = chunk.try_into() {
            self.chunks.push(chunk);
        }
    }

    /// Removes the value at an index; returns `false` if there was none.
    #[inline]
    pub fn remove(&mut self, index: u32) -> bool {
        let Self { chunks, free, len, .. } = self;
        let (chunk, place) = split(index);
        let entry = chunks.get_mut(chunk).and_then(|chunk| chunk.get_mut(place)).filter(|entry| entry.next_free == LIVE);
        let Some(entry) = entry else { return false };
        entry.generation = entry.generation.saturating_add(1);
        let retired = entry.generation >= LAST_GENERATION;
        entry.next_free = if retired { NONE } else { std::mem::replace(free, index) };
        *len = len.saturating_sub(1);
        entry.value.clear();
        true
    }

    /// Whether there is a value at the index.
    #[must_use]
    pub fn holds(&self, index: u32) -> bool {
        self.entry(index).is_some_and(|entry| entry.next_free == LIVE)
    }

    /// Whether `key`'s value is still at its index.
    #[must_use]
    #[inline]
    pub fn contains(&self, key: Key) -> bool {
        self.entry(key.index).is_some_and(|entry| entry.next_free == LIVE && entry.generation == key.generation)
    }

    /// Whether `key` was once claimed and has since been removed.
    #[must_use]
    pub fn was_removed(&self, key: Key) -> bool {
        self.entry(key.index).is_some_and(|entry| entry.generation > key.generation)
    }

    /// The key of the current value at the index.
    #[must_use]
    pub fn key(&self, index: u32) -> Key {
        Key { index, generation: self.entry(index).map_or(0, |entry| entry.generation) }
    }

    /// The value at the index, or the void.
    #[must_use]
    #[inline]
    pub fn at(&self, index: u32) -> &T {
        let (chunk, place) = split(index);
        match self.chunks.get(chunk) {
            Some(chunk) => chunk.get(place).map_or(&self.void, |entry| &entry.value),
            None => absent(&self.void),
        }
    }

    /// The value at the index, or a void whose changes are dropped.
    #[inline]
    pub fn at_mut(&mut self, index: u32) -> &mut T {
        let (chunk, place) = split(index);
        match self.chunks.get_mut(chunk).and_then(|chunk| chunk.get_mut(place)) {
            Some(entry) if entry.next_free == LIVE => &mut entry.value,
            Some(_) | None => sink(&mut self.sink),
        }
    }

    /// Whether nothing was ever written to a free index.
    pub fn is_clean(&self) -> bool
    where
        T: PartialEq,
    {
        self.sink == T::default()
    }

    /// Every taken index, in order.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.used).filter(|index| self.holds(*index))
    }
}

/// The value read outside all chunks. Out of line: a branch that is hardly ever taken costs less than a choice of two places.
#[cold]
#[inline(never)]
const fn absent<T>(void: &T) -> &T {
    void
}

/// The sink, emptied. Out of line: it is never reached.
#[cold]
#[inline(never)]
fn sink<T: Clear>(sink: &mut T) -> &mut T {
    sink.clear();
    sink
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Clear for u32 {
        fn clear(&mut self) {
            *self = 0;
        }
    }

    #[test]
    fn a_removed_key_differs_from_its_successor() {
        let mut slab = Slab::default();
        let first = slab.insert(1_u32);
        assert!(slab.remove(first.index));
        assert!(!slab.remove(first.index));
        assert_eq!(*slab.at(first.index), 0);
        let second = slab.insert(2);
        assert_eq!(second.index, first.index);
        assert!(!slab.contains(first) && slab.contains(second) && slab.was_removed(first));
        assert!(!slab.was_removed(second), "it is there");
        assert_eq!((slab.len(), slab.end()), (1, 1));
    }

    /// A handle has 21 bits for the generation.
    #[test]
    fn an_index_is_retired_before_its_generations_run_out() {
        let mut slab = Slab::default();
        let first = slab.insert(0_u32);
        let (mut last, mut key) = (first, first);
        while key.index == first.index {
            last = key;
            assert!(slab.remove(key.index));
            key = slab.insert(0);
        }
        assert_eq!(last.generation, 0x001f_fffe);
        assert!(slab.was_removed(last) && !slab.holds(first.index));
    }

    #[test]
    fn next_key_predicts_insert_across_chunks() {
        let mut slab = Slab::default();
        for n in 0..3000_u32 {
            let next = slab.next_key();
            assert_eq!(slab.insert(n), next);
        }
        assert_eq!((slab.indices().count(), slab.end()), (3000, 3000));
        assert_eq!(*slab.at(2999), 2999);
    }

    #[test]
    fn an_absent_index_reads_as_the_void_and_keeps_nothing() {
        let mut slab: Slab<u32> = Slab::default();
        *slab.at_mut(7) = 5;
        assert_eq!(*slab.at(7), 0);
        assert!(!slab.is_clean());
        assert_eq!(*slab.at_mut(7), 0);
    }

    #[test]
    fn an_index_that_was_emptied_keeps_nothing_either() {
        let mut slab: Slab<u32> = Slab::default();
        let key = slab.insert(1);
        assert!(slab.remove(key.index) && slab.is_clean());
        *slab.at_mut(key.index) = 5;
        assert_eq!(*slab.at(key.index), 0);
        assert!(!slab.is_clean());
    }
}
