//! What the last look through the queue found, so that nobody looks through all of it again before it could
//! find something else. Without it, work that waits for budget would be asked in vain at every step.
//!
//! Owns that memory, and what makes it void. A cache beside the facts: states that differ in it alone are equal.
//!
//! It rests on places. Whoever waits for budget lacks it at some node above; many thousands nearly always lack
//! it at the same few. While such a node has less than the least that anyone asks of it, none of them can start.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use super::node::Node;
use crate::amounts::{Amounts, Dimension};
use crate::slab::{Key, Slab};

/// How many places where budget lacks are remembered, and how many runs that came since. Beyond it everybody is
/// asked.
const MOST_PLACES: usize = 4;
const MOST_FRESH: usize = 16;

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// All who were in the queue were asked, and could not start.
    done: bool,
    /// Where they lack budget.
    shortages: Vec<Shortage>,
    /// Some may borrow from a run above them, so that no single place tells what they lack.
    on_loan: bool,
    /// Runs queued since.
    fresh: Vec<u32>,
    /// Runs found spent up, which nobody has ended yet.
    spent: VecDeque<Key>,
    /// The least that a run's path had left beside what was spent and one turn.
    spare: Amounts,
    /// What was booked since.
    booked: Amounts,
}

/// Where budget lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// The node.
    pub(crate) at: u32,
    /// In which dimension.
    pub(crate) dimension: Dimension,
    /// How much would have to be there.
    pub(crate) needed: u64,
}

/// Why a run can't start.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Obstacle {
    /// Something else than budget: its host function, or its rate limit.
    Other,
    /// A node above it has too little.
    Short(Shortage),
    /// Too little is there together with what the runs above it would lend.
    OnLoan,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            done: false,
            shortages: Vec::new(),
            on_loan: false,
            fresh: Vec::new(),
            spent: VecDeque::new(),
            spare: Amounts::UNCAPPED,
            booked: Amounts::ZERO,
        }
    }
}

impl PartialEq for Search {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Search {}

impl Hash for Search {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Search {
    /// The only runs in the queue that could start, where that is known.
    pub(crate) fn candidates(&self, tree: &Slab<Node>) -> Option<&[u32]> {
        let lacks = |short: &Shortage| tree.at(short.at).account.available().of(short.dimension) < short.needed;
        (self.done && self.shortages.iter().all(lacks)).then_some(&self.fresh)
    }

    /// Leaves only these for the next look.
    pub(crate) fn set_fresh(&mut self, fresh: Vec<u32>) {
        self.fresh = fresh;
    }

    /// Notes a run that can't start. `spare` is what its path has left beside what was spent and one turn;
    /// nothing where it doesn't have one.
    pub(crate) fn pass_over(&mut self, run: Key, obstacle: Obstacle, spare: Option<Amounts>) {
        match obstacle {
            Obstacle::Other => {}
            Obstacle::OnLoan => self.on_loan = true,
            Obstacle::Short(short) => {
                match self.shortages.iter_mut().find(|known| (known.at, known.dimension) == (short.at, short.dimension)) {
                    Some(known) => known.needed = known.needed.min(short.needed),
                    None => self.shortages.push(short),
                }
            }
        }
        match spare {
            Some(spare) => self.spare = self.spare.least(spare.plus(self.booked)),
            None => self.spent.push_back(run),
        }
    }

    /// Notes that all were asked.
    pub(crate) fn end(&mut self) {
        self.done = self.shortages.len() <= MOST_PLACES;
    }

    /// The next run that is to end because its budget is spent, if it still waits.
    pub(crate) fn take_spent(&mut self) -> Option<Key> {
        self.spent.pop_front()
    }

    pub(super) fn queued(&mut self, run: u32) {
        if self.done {
            self.fresh.push(run);
            if self.fresh.len() > MOST_FRESH {
                self.forget();
            }
        }
    }

    pub(super) fn left_queue(&mut self, run: u32) {
        self.fresh.retain(|other| *other != run);
    }

    pub(super) fn freed(&mut self) {
        if self.on_loan {
            self.forget();
        }
    }

    pub(super) fn booked(&mut self, amount: Amounts) {
        if self.done {
            self.booked = self.booked.plus(amount);
            if self.spare.lacks(self.booked).is_some() {
                self.forget();
            }
        }
    }

    /// Something else came that may let a run start.
    pub(super) fn forget(&mut self) {
        if holds!("B5 asks again") {
            *self = Self::default();
        }
    }
}
