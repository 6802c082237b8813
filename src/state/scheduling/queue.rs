//! The queue for slots. Owns the order: rank (priority and age), then round (fair between parents), then first come
//! (D2). Never: decides who may start.
//!
//! A level of priority counts as `ageingMs` of age. So all work ages at the same pace, nothing starves, and a place never gets
//! worse. Rounds are start-time fair queueing. A parent's next child is one round after its last one, but never before the
//! current round. So a thousand children of one parent don't delay another's only child.
//!
//! Work that had started goes before work that only waited. It is work whose process was lost or drained (J3, D8), or a message
//! that interrupted a run, in that run's place (M1).

use std::collections::VecDeque;

use crate::base::stored::{Codec, Stored, stored};

/// The place of a run in the queue, the most important part first. No two runs have the same place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// By priority and age: lower comes first.
    pub rank: i64,
    /// Between parents of the same rank: lower comes first.
    pub round: u64,
    /// By arrival: lower comes first.
    pub ticket: u64,
}

stored!(Place { rank, round, ticket });

/// Runs, or other records, in the order of their places. Nearly all are added at the end and removed from the front, which is
/// cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line<P = Place>(VecDeque<(P, u32)>);

impl<P> Default for Line<P> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl Stored for Line {
    fn blank() -> Self {
        Self::default()
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        self.0.walk(codec);
    }
}

impl<P: Copy + Ord> Line<P> {
    pub(crate) const NONE: Self = Self(VecDeque::new());

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The first record and its place.
    pub(crate) fn front(&self) -> Option<(P, u32)> {
        self.0.front().copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (P, u32)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn insert(&mut self, place: P, run: u32) {
        if self.0.back().is_none_or(|(last, _)| *last < place) {
            self.0.push_back((place, run));
        } else {
            self.0.insert(self.find(place), (place, run));
        }
    }

    /// Removes the record at a place; returns `false` if there is none.
    pub(crate) fn remove(&mut self, place: P) -> bool {
        if self.0.front().is_some_and(|(first, _)| *first == place) {
            self.0.pop_front();
            return true;
        }
        let at = self.find(place);
        let found = self.0.get(at).is_some_and(|(found, _)| *found == place);
        if found {
            self.0.remove(at);
        }
        found
    }

    /// The index of a place, or the index at which it would be inserted.
    fn find(&self, place: P) -> usize {
        self.0.partition_point(|(other, _)| *other < place)
    }
}

impl Line {
    /// The lowest round of the runs with a higher `rank` number, or `bound` if that is lower.
    fn least_round_below(&self, rank: i64, bound: u64, serving: u64) -> u64 {
        // The first run of each rank has its lowest round. No round is lower than the served one, so a run in that round ends the
        // search.
        let mut least = bound;
        let mut at = self.0.partition_point(|(place, _)| place.rank <= rank);
        while let Some((place, _)) = self.0.get(at) {
            least = least.min(place.round);
            if least <= serving {
                break;
            }
            let of = place.rank;
            at = match self.0.get(at.saturating_add(1)) {
                Some((next, _)) if next.rank != of => at.saturating_add(1),
                Some(_) => self.0.partition_point(|(place, _)| place.rank <= of),
                None => break,
            };
        }
        least
    }
}

/// Work that has only waited ranks behind this, with any priority.
pub(crate) const BEGUN: i64 = -(1 << 52);

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue {
    line: Line,
    serving: u64,
    tickets: u64,
}

stored!(Queue { line, serving, tickets });

impl Queue {
    /// The number of waiting runs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether no run waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// The round of a child whose parent was last queued in `last`.
    #[must_use]
    pub fn round_after(&self, last: u64) -> u64 {
        last.saturating_add(1).max(self.serving)
    }

    /// The rank of work that had begun: before work that only waits, now or later, and equal to other begun work.
    pub(crate) fn rank_of_begun(&self) -> i64 {
        self.line.front().map_or(BEGUN, |(first, _)| first.rank.min(BEGUN))
    }

    /// The runs, in order.
    pub fn in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.line.iter().map(|(_, run)| run)
    }

    /// The runs in order, with their places.
    pub(crate) const fn line(&self) -> &Line {
        &self.line
    }

    /// Puts a run in its place.
    #[inline]
    pub(crate) fn insert(&mut self, rank: i64, round: u64, run: u32) -> Place {
        let place = Place { rank, round, ticket: self.tickets };
        self.tickets = self.tickets.saturating_add(1);
        self.line.insert(place, run);
        place
    }

    /// Moves a run to a place further to the front.
    pub(crate) fn raise(&mut self, from: Place, to: Place, run: u32) {
        self.line.remove(from);
        self.line.insert(to, run);
    }

    /// Removes a run; `served` if it starts.
    #[inline]
    pub(crate) fn remove(&mut self, place: Place, served: bool) {
        self.line.remove(place);
        if served && place.round > self.serving {
            // A run that starts ahead of its round, because it ranks higher, must not advance the round of others.
            self.serving = self.serving.max(self.line.least_round_below(place.rank, place.round, self.serving));
        }
    }
}

/// The rank of work that is queued at `now`: lower comes first.
#[must_use]
pub fn rank(now: u64, priority: i64, ageing_ms: u64) -> i64 {
    let step = i64::try_from(ageing_ms.max(1)).unwrap_or(i64::MAX);
    let come = i64::try_from(now).unwrap_or(i64::MAX);
    behind_begun(come.checked_div(step).unwrap_or(0).saturating_sub(priority))
}

/// This rank, or at least the first rank of work that has only waited.
pub(crate) fn behind_begun(rank: i64) -> i64 {
    rank.max(BEGUN.saturating_add(1))
}

/// The priority of work that got this rank at `now`.
#[must_use]
pub(crate) fn priority(now: u64, given: i64, ageing_ms: u64) -> i64 {
    rank(now, 0, ageing_ms).saturating_sub(given)
}
