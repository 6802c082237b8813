//! Counts and indexes derived from other records, to save a search. Owns their absence from snapshots and from comparisons of two
//! states. They are computed again when a snapshot is read.

use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use super::stored::{Codec, Stored};

/// See the module's documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Derived<T>(T);

impl<T> Deref for Derived<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Derived<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Derived<T> {}

impl<T> Hash for Derived<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T: Default> Stored for Derived<T> {
    fn blank() -> Self {
        Self::default()
    }

    fn walk(&mut self, _: &mut Codec<'_>) {}
}
