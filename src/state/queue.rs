//! The queue for slots. Owns the order: rank (priority and age), then round (fair between parents),
//! then first come (D2). Never: decides who may start.
//!
//! A higher priority counts as having come earlier, by `ageingMs` for each level. So work grows older
//! at the same pace whatever its priority, nothing starves, and a place once given never changes.
//! Rounds are start-time fair queueing: a parent's next child goes one round after its last one, but
//! never before the round that is being served, so one parent's thousand do not hold up another's one.

use std::collections::VecDeque;

type Place = (i64, u64, u64);

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queue {
    /// Sorted. Nearly all work is queued at the end and taken from the front, which costs nothing here.
    places: VecDeque<(Place, u32)>,
    serving: u64,
    tickets: u64,
}

impl Queue {
    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether nobody waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The round that a child of a parent who was last queued in `last` belongs to.
    #[must_use]
    pub fn round_after(&self, last: u64) -> u64 {
        last.saturating_add(1).max(self.serving)
    }

    /// The runs in the order of their turn.
    pub fn in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.places.iter().map(|(_, run)| *run)
    }

    /// Puts a run in its place and gives back its ticket.
    pub(crate) fn insert(&mut self, rank: i64, round: u64, run: u32) -> u64 {
        let ticket = self.tickets;
        self.tickets = self.tickets.saturating_add(1);
        let place = (rank, round, ticket);
        if self.places.back().is_none_or(|(last, _)| *last < place) {
            self.places.push_back((place, run));
        } else {
            self.places.insert(self.find(place), (place, run));
        }
        ticket
    }

    /// Where a place is, or would go.
    fn find(&self, place: Place) -> usize {
        self.places.partition_point(|(other, _)| *other < place)
    }

    /// Takes a run out; `served` where it starts.
    pub(crate) fn remove(&mut self, place: Place, served: bool) {
        if self.places.front().is_some_and(|(first, _)| *first == place) {
            self.places.pop_front();
        } else {
            let at = self.find(place);
            if self.places.get(at).is_some_and(|(found, _)| *found == place) {
                self.places.remove(at);
            }
        }
        if served {
            self.serving = self.serving.max(place.1);
        }
    }
}

/// The rank of work that is queued at `now`: lower goes first.
#[must_use]
pub fn rank(now: u64, priority: i64, ageing_ms: u64) -> i64 {
    let step = i64::try_from(ageing_ms.max(1)).unwrap_or(i64::MAX);
    let come = i64::try_from(now).unwrap_or(i64::MAX);
    come.checked_div(step).unwrap_or(0).saturating_sub(priority)
}
