//! Every armed deadline, the earliest first: a binary heap that knows where each entry is, so that a deadline can be moved
//! or taken out. Of those at the same time the deepest comes first, since a subtree ends leaves first (C1), then the one
//! that was armed first. Owns order; never knows what a deadline means.

use std::cmp::Reverse;

use crate::base::slab::NONE;
use crate::base::stored::{Codec, Stored, stored};

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

/// When, how deep, and which in turn.
type Order = (u64, Reverse<u16>, u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Armed {
    at: u64,
    depth: u16,
    /// How many were armed before it.
    turn: u64,
    owner: Owner,
}

impl Armed {
    const fn order(self) -> Order {
        (self.at, Reverse(self.depth), self.turn)
    }
}

stored!(Armed { at, depth, turn, owner } from Self { at: 0, depth: 0, turn: 0, owner: Owner::Run(0) });

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deadlines {
    heap: Vec<Armed>,
    /// For each owner, its place in the heap, or [`NONE`].
    places: Vec<u32>,
    /// How many have been armed or moved.
    turns: u64,
}

impl Stored for Owner {
    fn blank() -> Self {
        Self::Run(0)
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let mut index = self.index();
        index.walk(codec);
        let Ok(slot) = u32::try_from(index >> 2) else { return codec.fail() };
        *self = match index & 3 {
            0 => Self::Run(slot),
            1 => Self::Wait(slot),
            2 => Self::Notice(slot),
            _ => return codec.fail(),
        };
    }
}

stored!(Deadlines { heap, places, turns });

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

    /// Arms, moves or takes out the owner's deadline; `depth`: how deep in the tree it stands.
    pub(crate) fn set(&mut self, owner: Owner, at: Option<u64>, depth: u16) {
        let place = self.place(owner);
        let Some(at) = at else {
            if place != NONE {
                self.remove(wide(place));
            }
            return;
        };
        let armed = Armed { at, depth, turn: self.turns, owner };
        let place = if place == NONE {
            self.heap.push(armed);
            self.heap.len().saturating_sub(1)
        } else {
            let place = wide(place);
            match self.heap.get_mut(place) {
                Some(before) if before.at == at => return,
                Some(before) => *before = armed,
                None => return,
            }
            place
        };
        self.turns = self.turns.saturating_add(1);
        self.settle(place);
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

    fn order(&self, place: usize) -> Order {
        self.heap.get(place).map_or((u64::MAX, Reverse(0), u64::MAX), |armed| armed.order())
    }

    /// Brings the entry at `place` to where it belongs, up or down.
    fn settle(&mut self, mut place: usize) {
        let Some(armed) = self.heap.get(place).copied() else { return };
        while place > 0 {
            let up = place.saturating_sub(1) >> 1;
            if self.order(up) <= armed.order() {
                break;
            }
            self.put(place, up);
            place = up;
        }
        loop {
            let left = place.saturating_mul(2).saturating_add(1);
            let right = left.saturating_add(1);
            let down = if self.order(right) < self.order(left) { right } else { left };
            if down >= self.heap.len() || self.order(down) >= armed.order() {
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
        fn the_earliest_is_first_of_those_the_deepest_then_the_first_armed(steps in prop::collection::vec((0_u32..20, 0_u8..3, prop::option::of(0_u64..50)), 0..200)) {
            let mut deadlines = Deadlines::default();
            let mut model: BTreeMap<(u32, u8), (u64, Reverse<u16>, usize)> = BTreeMap::new();
            let owner_of = |slot: u32, kind: u8| match kind {
                0 => Owner::Run(slot),
                1 => Owner::Wait(slot),
                _ => Owner::Notice(slot),
            };
            for (turn, (slot, kind, at)) in steps.into_iter().enumerate() {
                let owner = owner_of(slot, kind);
                // As an owner's depth never changes.
                let depth = u16::try_from(slot % 3).unwrap_or_default();
                deadlines.set(owner, at, depth);
                match at {
                    Some(at) if model.get(&(slot, kind)).is_some_and(|(before, ..)| *before == at) => {}
                    Some(at) => { model.insert((slot, kind), (at, Reverse(depth), turn)); }
                    None => { model.remove(&(slot, kind)); }
                }
                prop_assert_eq!((deadlines.len(), deadlines.is_empty()), (model.len(), model.is_empty()));
                let first = model.iter().min_by_key(|(_, when)| **when);
                prop_assert_eq!(deadlines.next(), first.map(|((slot, kind), (at, ..))| (*at, owner_of(*slot, *kind))));
                for ((slot, kind), (at, ..)) in &model {
                    prop_assert_eq!(deadlines.of(owner_of(*slot, *kind)), Some(*at));
                }
            }
        }
    }
}
