//! Every armed deadline, the earliest first: a binary heap that knows where each entry is, so that a
//! deadline can be moved or taken out. Owns order; never knows what a deadline means.

use crate::base::slab::NONE;

/// Whose deadline it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The run in this slot.
    Run(u32),
    /// The wait in this slot.
    Wait(u32),
    /// The notice in this slot.
    Notice(u32),
}

impl Owner {
    /// Each kind at its own places, so that one table serves all.
    const fn index(self) -> u64 {
        #[expect(clippy::as_conversions, reason = "u32 to u64 widens")]
        match self {
            Self::Run(slot) => (slot as u64) << 2,
            Self::Wait(slot) => ((slot as u64) << 2) | 1,
            Self::Notice(slot) => ((slot as u64) << 2) | 2,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Armed {
    at: u64,
    owner: Owner,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deadlines {
    heap: Vec<Armed>,
    /// For each owner, its place in the heap, or [`NONE`].
    places: Vec<u32>,
}

fn wide(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

impl Deadlines {
    /// The earliest one, and whose it is.
    #[must_use]
    pub fn next(&self) -> Option<(u64, Owner)> {
        self.heap.first().map(|armed| (armed.at, armed.owner))
    }

    /// How many are armed.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether none is armed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// When the owner's deadline is.
    #[must_use]
    pub fn of(&self, owner: Owner) -> Option<u64> {
        self.heap.get(wide(self.place(owner))).map(|armed| armed.at)
    }

    /// Arms, moves or takes out the owner's deadline.
    pub(crate) fn set(&mut self, owner: Owner, at: Option<u64>) {
        let place = self.place(owner);
        match (at, place) {
            (None, NONE) => {}
            (None, place) => self.remove(wide(place)),
            (Some(at), NONE) => {
                let place = self.heap.len();
                self.heap.push(Armed { at, owner });
                self.settle(place);
            }
            (Some(at), place) => {
                let place = wide(place);
                if let Some(armed) = self.heap.get_mut(place) {
                    if armed.at == at {
                        return;
                    }
                    armed.at = at;
                }
                self.settle(place);
            }
        }
    }

    fn place(&self, owner: Owner) -> u32 {
        usize::try_from(owner.index()).ok().and_then(|index| self.places.get(index)).copied().unwrap_or(NONE)
    }

    fn note(&mut self, owner: Owner, place: u32) {
        let Ok(index) = usize::try_from(owner.index()) else { return };
        if index >= self.places.len() {
            self.places.resize(index.saturating_add(1), NONE);
        }
        if let Some(entry) = self.places.get_mut(index) {
            *entry = place;
        }
    }

    fn remove(&mut self, place: usize) {
        let Some(armed) = self.heap.get(place) else { return };
        self.note(armed.owner, NONE);
        self.heap.swap_remove(place);
        self.settle(place);
    }

    fn at(&self, place: usize) -> u64 {
        self.heap.get(place).map_or(u64::MAX, |armed| armed.at)
    }

    /// Brings the entry at `place` to where it belongs, up or down.
    fn settle(&mut self, mut place: usize) {
        let Some(armed) = self.heap.get(place).copied() else { return };
        while place > 0 {
            let up = place.saturating_sub(1) >> 1;
            if self.at(up) <= armed.at {
                break;
            }
            self.put(place, up);
            place = up;
        }
        loop {
            let left = place.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let down = if self.at(right) < self.at(left) { right } else { left };
            if down >= self.heap.len() || self.at(down) >= armed.at {
                break;
            }
            self.put(place, down);
            place = down;
        }
        if let Some(entry) = self.heap.get_mut(place) {
            *entry = armed;
        }
        self.note(armed.owner, narrow(place));
    }

    /// Copies the entry at `from` to `to`.
    fn put(&mut self, to: usize, from: usize) {
        if let Some(armed) = self.heap.get(from).copied() {
            if let Some(entry) = self.heap.get_mut(to) {
                *entry = armed;
            }
            self.note(armed.owner, narrow(to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against a sorted map of the same entries.
        #[test]
        fn the_earliest_is_first_whatever_is_armed_moved_or_removed(steps in prop::collection::vec((0_u32..20, 0_u8..3, prop::option::of(0_u64..50)), 0..200)) {
            let mut deadlines = Deadlines::default();
            let mut model = BTreeMap::new();
            let owner_of = |slot: u32, kind: u8| match kind {
                0 => Owner::Run(slot),
                1 => Owner::Wait(slot),
                _ => Owner::Notice(slot),
            };
            for (slot, kind, at) in steps {
                let owner = owner_of(slot, kind);
                deadlines.set(owner, at);
                match at {
                    Some(at) => { model.insert((slot, kind), at); }
                    None => { model.remove(&(slot, kind)); }
                }
                prop_assert_eq!((deadlines.len(), deadlines.is_empty()), (model.len(), model.is_empty()));
                prop_assert_eq!(deadlines.next().map(|(at, _)| at), model.values().min().copied());
                for ((slot, kind), at) in &model {
                    prop_assert_eq!(deadlines.of(owner_of(*slot, *kind)), Some(*at));
                }
            }
        }
    }
}
