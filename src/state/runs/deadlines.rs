//! Every armed deadline, earliest first. Of those at the same time, the deepest comes first, since a subtree ends leaves first
//! (C1), then the one armed first. Owns the order; never knows what a deadline means.
//!
//! Most deadlines are timeouts of a few lengths, armed in the order in which they are due. A few lists take entries that belong
//! at their ends; a heap takes the rest. A moved or removed deadline leaves a stale entry, which is removed at the front, or when
//! most entries are stale.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::{Hash, Hasher};

use crate::base::stored::{Codec, Stored};

/// The owner of a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// The run at this index.
    Run(u32),
    /// The wait at this index.
    Wait(u32),
    /// The notice at this index.
    Notice(u32),
}

impl Owner {
    /// The index of its deadline: each kind has its own indices, so one table serves all.
    const fn due_index(self) -> u64 {
        #[expect(clippy::as_conversions, reason = "u32 to u64 widens")]
        match self {
            Self::Run(index) => (index as u64) << 2,
            Self::Wait(index) => ((index as u64) << 2) | 1,
            Self::Notice(index) => ((index as u64) << 2) | 2,
        }
    }

    /// The owner of an index.
    fn of_due_index(due_index: usize) -> Option<Self> {
        let index = u32::try_from(due_index >> 2).ok()?;
        match due_index & 3 {
            0 => Some(Self::Run(index)),
            1 => Some(Self::Wait(index)),
            2 => Some(Self::Notice(index)),
            _ => None,
        }
    }
}

/// An owner's deadline, or [`NEVER`]; its turn, counted over all armings; and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Due {
    at: u64,
    turn: u64,
    depth: u16,
}

const NEVER: u64 = u64::MAX;
const NOT_ARMED: Due = Due { at: NEVER, turn: 0, depth: 0 };

/// An entry; entries sort by the order in which they are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Armed {
    at: u64,
    depth: Reverse<u16>,
    turn: u64,
    owner: Owner,
}

/// The number of lists: this many lengths of timeouts cost no more than one.
const LINES: usize = 3;

/// Stale entries are tolerated up to this, plus the number of armed deadlines.
const TOLERATED: usize = 64;

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct Deadlines {
    /// The deadline of each owner, by its index.
    due: Vec<Due>,
    /// The number of armings and moves so far.
    turns: u64,
    /// The number of armed deadlines.
    count: usize,
    /// Before this time no armed deadline is due. The earliest may have been disarmed since the last search.
    not_before: u64,
    lines: [VecDeque<Armed>; LINES],
    heap: BinaryHeap<Reverse<Armed>>,
    /// The number of entries in lines and heap.
    entries: usize,
}

impl Default for Deadlines {
    fn default() -> Self {
        let (lines, heap) = (Default::default(), BinaryHeap::new());
        Self { due: Vec::new(), turns: 0, count: 0, not_before: NEVER, lines, heap, entries: 0 }
    }
}

/// Whether an entry belongs to a deadline that is still armed.
#[inline]
fn counts(due: &[Due], armed: &Armed) -> bool {
    due.get(wide(armed.owner.due_index())).is_some_and(|due| due.turn == armed.turn)
}

/// Ignores the places of entries.
impl PartialEq for Deadlines {
    fn eq(&self, other: &Self) -> bool {
        self.turns == other.turns && self.armed().eq(other.armed())
    }
}

impl Eq for Deadlines {}

impl Hash for Deadlines {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.turns.hash(hasher);
        for armed in self.armed() {
            armed.hash(hasher);
        }
    }
}

impl Stored for Due {
    fn blank() -> Self {
        NOT_ARMED
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let Self { at, turn, depth } = self;
        // So an owner without a deadline takes one byte for it.
        let mut after = at.wrapping_add(1);
        after.walk(codec);
        *at = after.wrapping_sub(1);
        turn.walk(codec);
        depth.walk(codec);
    }
}

/// Lines and heap are not stored: they are rebuilt from the deadlines.
impl Stored for Deadlines {
    fn blank() -> Self {
        Self::default()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.due.walk(codec);
        self.turns.walk(codec);
        if codec.is_reading() {
            let armed: Vec<(usize, Due)> = self.armed().collect();
            for (due_index, Due { at, turn, depth }) in armed {
                let Some(owner) = Owner::of_due_index(due_index) else { return codec.fail() };
                self.count = self.count.saturating_add(1);
                self.push(Armed { at, depth: Reverse(depth), turn, owner });
            }
            self.find_first();
        }
    }
}

fn wide(due_index: u64) -> usize {
    usize::try_from(due_index).unwrap_or(usize::MAX)
}

impl Deadlines {
    /// The earliest deadline and its owner.
    #[must_use]
    pub fn next(&self) -> Option<(u64, Owner)> {
        let fronts = self.lines.iter().filter_map(|line| line.iter().find(|armed| counts(&self.due, armed)));
        let heaped = self.heap.iter().map(|Reverse(armed)| armed).filter(|armed| counts(&self.due, armed));
        fronts.chain(heaped).min().map(|armed| (armed.at, armed.owner))
    }

    /// Before this time no deadline is due; [`NEVER`] if none is armed.
    #[must_use]
    pub(crate) const fn not_before(&self) -> u64 {
        self.not_before
    }

    /// The number of armed deadlines.
    #[must_use]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// The owner's deadline.
    #[must_use]
    pub fn of(&self, owner: Owner) -> Option<u64> {
        Some(self.due_of(owner).at).filter(|at| *at != NEVER)
    }

    /// The armed deadlines, each with its index.
    fn armed(&self) -> impl Iterator<Item = (usize, Due)> + '_ {
        self.due.iter().copied().enumerate().filter(|(_, due)| due.at != NEVER)
    }

    fn due_of(&self, owner: Owner) -> Due {
        self.due.get(wide(owner.due_index())).copied().unwrap_or(NOT_ARMED)
    }

    /// Arms, moves or disarms the owner's deadline; `depth`: the owner's depth in the tree.
    pub(crate) fn set(&mut self, owner: Owner, at: Option<u64>, depth: u16) {
        match at.filter(|at| *at != NEVER) {
            Some(at) => self.arm(owner, at, depth),
            None => self.disarm(owner),
        }
    }

    /// Disarms the owner's deadline, if it has one.
    #[inline]
    pub(crate) fn disarm(&mut self, owner: Owner) {
        let Some(due) = self.due.get_mut(wide(owner.due_index())).filter(|due| due.at != NEVER) else { return };
        *due = NOT_ARMED;
        self.count = self.count.saturating_sub(1);
        if self.count == 0 {
            self.not_before = NEVER;
        }
    }

    fn arm(&mut self, owner: Owner, at: u64, depth: u16) {
        let due_index = wide(owner.due_index());
        if due_index >= self.due.len() {
            self.grow(due_index);
        }
        let Some(due) = self.due.get_mut(due_index) else { return };
        let before = due.at;
        if at == before {
            return;
        }
        self.turns = self.turns.saturating_add(1);
        *due = Due { at, turn: self.turns, depth };
        self.count = self.count.saturating_add(usize::from(before == NEVER));
        self.not_before = self.not_before.min(at);
        self.push(Armed { at, depth: Reverse(depth), turn: self.turns, owner });
    }

    #[inline(never)]
    fn grow(&mut self, due_index: usize) {
        self.due.resize(due_index.saturating_add(1), NOT_ARMED);
    }

    /// Appends an entry to the line whose end is closest before it, else puts it into the heap.
    #[inline]
    fn push(&mut self, armed: Armed) {
        if self.entries > self.count.saturating_mul(2).saturating_add(TOLERATED) {
            self.sweep();
        }
        self.entries = self.entries.saturating_add(1);
        // The first line takes the longest timeouts: the first that can take the entry has the closest end.
        match self.lines.iter_mut().find(|line| line.back().is_none_or(|end| *end <= armed)) {
            Some(line) => line.push_back(armed),
            None => self.heap.push(Reverse(armed)),
        }
    }

    /// The earliest deadline and its owner. Drops stale entries at the front.
    pub(crate) fn find_first(&mut self) -> Option<(u64, Owner)> {
        let Self { due, lines, heap, entries, .. } = self;
        let mut first: Option<Armed> = None;
        for line in lines {
            while let Some(armed) = line.front() {
                if counts(due, armed) {
                    first = Some(first.map_or(*armed, |first| first.min(*armed)));
                    break;
                }
                line.pop_front();
                *entries = entries.saturating_sub(1);
            }
        }
        while let Some(Reverse(armed)) = heap.peek() {
            if counts(due, armed) {
                first = Some(first.map_or(*armed, |first| first.min(*armed)));
                break;
            }
            heap.pop();
            *entries = entries.saturating_sub(1);
        }
        self.not_before = first.map_or(NEVER, |first| first.at);
        first.map(|armed| (armed.at, armed.owner))
    }

    /// Drops all stale entries.
    #[cold]
    fn sweep(&mut self) {
        let Self { due, lines, heap, .. } = self;
        for line in lines {
            line.retain(|armed| counts(due, armed));
        }
        heap.retain(|Reverse(armed)| counts(due, armed));
        self.entries = self.lines.iter().fold(self.heap.len(), |sum, line| sum.saturating_add(line.len()));
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
        fn the_earliest_is_first_of_those_the_deepest_then_the_first_armed(steps in prop::collection::vec((0_u32..20, 0_u8..3, prop::option::of(0_u64..50)), 0..600)) {
            let mut deadlines = Deadlines::default();
            let mut model: BTreeMap<(u32, u8), (u64, Reverse<u16>, usize)> = BTreeMap::new();
            let owner_of = |index: u32, kind: u8| match kind {
                0 => Owner::Run(index),
                1 => Owner::Wait(index),
                _ => Owner::Notice(index),
            };
            for (turn, (index, kind, at)) in steps.into_iter().enumerate() {
                let owner = owner_of(index, kind);
                // An owner's depth never changes.
                let depth = u16::try_from(index % 3).unwrap_or_default();
                deadlines.set(owner, at, depth);
                match at {
                    Some(at) if model.get(&(index, kind)).is_some_and(|(before, ..)| *before == at) => {}
                    Some(at) => { model.insert((index, kind), (at, Reverse(depth), turn)); }
                    None => { model.remove(&(index, kind)); }
                }
                prop_assert_eq!(deadlines.len(), model.len());
                let first = model.iter().min_by_key(|(_, when)| **when);
                prop_assert!(deadlines.entries <= 2 * 60 + TOLERATED + 1, "what counts no longer goes");
                let first = first.map(|((index, kind), (at, ..))| (*at, owner_of(*index, *kind)));
                prop_assert_eq!(deadlines.next(), first);
                prop_assert!(first.map_or(deadlines.not_before() == NEVER, |(at, _)| deadlines.not_before() <= at));
                if turn % 3 == 0 {
                    prop_assert_eq!(deadlines.find_first(), first);
                    prop_assert_eq!(deadlines.not_before(), first.map_or(NEVER, |(at, _)| at));
                }
                for ((index, kind), (at, ..)) in &model {
                    prop_assert_eq!(deadlines.of(owner_of(*index, *kind)), Some(*at));
                }
            }
        }
    }
}
