//! A list that nearly always has no entry or one: the first is stored inline, without an allocation.

/// See the module's documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SmallList<T> {
    first: Option<T>,
    others: Vec<T>,
}

impl<T> Default for SmallList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> SmallList<T> {
    /// A list without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { first: None, others: Vec::new() }
    }
}

impl<T: PartialEq> SmallList<T> {
    /// Whether it has no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// The oldest entry.
    #[must_use]
    pub const fn first(&self) -> Option<T>
    where
        T: Copy,
    {
        self.first
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.first.iter().chain(&self.others)
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        if self.first.is_none() { self.first = Some(entry) } else { self.others.push(entry) }
    }

    /// Removes an entry, if present.
    pub fn remove(&mut self, entry: &T) {
        if self.first.as_ref() == Some(entry) {
            self.first = if self.others.is_empty() { None } else { Some(self.others.remove(0)) };
        } else {
            self.others.retain(|other| other != entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_whichever_goes() {
        let mut few = SmallList::default();
        assert!(few.is_empty());
        for entry in 1..=4 {
            few.push(entry);
        }
        few.remove(&1);
        few.remove(&3);
        assert_eq!(few.iter().copied().collect::<Vec<_>>(), [2, 4]);
        few.remove(&2);
        few.remove(&4);
        assert!(few.is_empty());
    }
}
