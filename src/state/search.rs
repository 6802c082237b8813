//! What the last look through the queue found, so that nobody looks through all of it again before it could
//! find something else. Without it, work that waits for budget would be asked in vain at every step.
//!
//! Owns that memory, and what makes it void. A cache beside the facts: states that differ in it alone are equal.
//!
//! It rests on nodes. Whoever waits for budget lacks it at some node above. While such a node has less than the least
//! that anyone asks of it, nobody who waits for it can start; once it has more, only they are asked again.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use super::node::Node;
use super::queue::{Line, Place};
use crate::base::amounts::{Amounts, Dimension};
use crate::base::slab::{Key, Slab};

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// All who were in the queue were asked, and could not start.
    done: bool,
    /// Where they lack budget, and who does: sorted by node and dimension.
    lacks: Vec<Lack>,
    /// Some may borrow from a run above them, so that no single node tells what they lack.
    on_loan: bool,
    /// Runs queued since.
    fresh: Line,
    /// Runs found spent up, which nobody has ended yet.
    spent: VecDeque<Key>,
    /// The least that a run's path had left beside what was spent and one turn.
    spare: Amounts,
    /// What was booked since.
    booked: Amounts,
}

/// Who waits for budget at a node.
#[derive(Clone, Debug)]
struct Lack {
    /// How much the one of them needs that needs least.
    short: Shortage,
    runs: Line,
}

impl Lack {
    /// Whether there still is too little for every one of them.
    fn lasts(&self, tree: &Slab<Node>) -> bool {
        tree.at(self.short.at).account.available().of(self.short.dimension) < self.short.needed
    }
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

/// A run that can't start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassedOver {
    /// Which.
    pub(crate) run: Key,
    /// Why.
    pub(crate) obstacle: Obstacle,
    /// What its path has left beside what was spent and one turn; nothing where it doesn't have one.
    pub(crate) spare: Option<Amounts>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            done: false,
            lacks: Vec::new(),
            on_loan: false,
            fresh: Line::default(),
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
    /// The only runs in the queue that could start, in lines, where that is known.
    pub(crate) fn candidates<'a>(&'a self, tree: &'a Slab<Node>) -> Option<impl Iterator<Item = &'a Line>> {
        let paid = self.lacks.iter().filter(|lack| !lack.lasts(tree)).map(|lack| &lack.runs);
        self.done.then(|| std::iter::once(&self.fresh).chain(paid))
    }

    /// The first of the candidates that can start, if one can: those before it are asked, and it stays in its line.
    pub(crate) fn first<R>(&mut self, tree: &Slab<Node>, ask: impl Fn(u32) -> Result<R, PassedOver>) -> Option<(u32, R)> {
        let mut first: Option<(Place, u32, R)> = None;
        let mut passed = Vec::new();
        let paid = self.lacks.iter_mut().filter(|lack| !lack.lasts(tree)).map(|lack| &mut lack.runs);
        for line in std::iter::once(&mut self.fresh).chain(paid) {
            while let Some((place, run)) = line.front().filter(|(place, _)| first.as_ref().is_none_or(|(best, ..)| place < best)) {
                match ask(run) {
                    Ok(ready) => first = Some((place, run, ready)),
                    Err(over) => {
                        line.remove(place);
                        passed.push((place, over));
                    }
                }
            }
        }
        self.lacks.retain(|lack| !lack.runs.is_empty());
        for (place, over) in passed {
            self.pass_over(place, over);
        }
        first.map(|(_, run, ready)| (run, ready))
    }

    /// Notes a run that can't start.
    pub(crate) fn pass_over(&mut self, place: Place, over: PassedOver) {
        match over.obstacle {
            Obstacle::Other => {}
            Obstacle::OnLoan => self.on_loan = true,
            Obstacle::Short(short) => self.note_lack(short, place, over.run.slot),
        }
        match over.spare {
            Some(spare) => self.spare = self.spare.least(spare.plus(self.booked)),
            None => self.spent.push_back(over.run),
        }
    }

    fn note_lack(&mut self, short: Shortage, place: Place, run: u32) {
        let known = self.lacks.binary_search_by_key(&(short.at, short.dimension), |lack| (lack.short.at, lack.short.dimension));
        let at = known.unwrap_or_else(|at| {
            self.lacks.insert(at, Lack { short, runs: Line::default() });
            at
        });
        if let Some(lack) = self.lacks.get_mut(at) {
            lack.short.needed = lack.short.needed.min(short.needed);
            lack.runs.insert(place, run);
        }
    }

    /// Notes that all were asked.
    pub(crate) const fn end(&mut self) {
        self.done = true;
    }

    /// Whether somebody in the queue may wait for budget.
    pub(crate) const fn lacks_budget(&self) -> bool {
        self.on_loan || !self.lacks.is_empty()
    }

    /// The next run that is to end because its budget is spent, if it still waits.
    pub(crate) fn take_spent(&mut self) -> Option<Key> {
        self.spent.pop_front()
    }

    pub(super) fn queued(&mut self, place: Place, run: u32) {
        if self.done {
            self.fresh.insert(place, run);
        }
    }

    pub(super) fn left_queue(&mut self, place: Place) {
        if self.done && !self.fresh.remove(place) && self.lacks.iter_mut().any(|lack| lack.runs.remove(place)) {
            self.lacks.retain(|lack| !lack.runs.is_empty());
        }
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
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const NEEDED: u64 = 10;

    /// Two nodes without budget, and runs 0 to 3 that wait for it: the even ones at the first node, the others at the
    /// second.
    fn waiting() -> (Slab<Node>, Search) {
        let mut tree = Slab::default();
        for _ in 0..2 {
            let mut node = Node::default();
            node.account.cap.tokens = 0;
            tree.insert(node);
        }
        let mut search = Search::default();
        for slot in 0_u32..4 {
            let short = Shortage { at: slot % 2, dimension: Dimension::Tokens, needed: NEEDED };
            let over = PassedOver { run: Key { slot, generation: 1 }, obstacle: Obstacle::Short(short), spare: Some(Amounts::UNCAPPED) };
            search.pass_over((0, 0, u64::from(slot)), over);
        }
        search.end();
        (tree, search)
    }

    fn candidates(search: &Search, tree: &Slab<Node>) -> Option<Vec<u32>> {
        search.candidates(tree).map(|lines| lines.flat_map(|line| line.iter().map(|(_, run)| run)).collect())
    }

    #[test]
    fn only_those_are_asked_again_where_there_is_budget_now() {
        let (mut tree, mut search) = waiting();
        assert_eq!(candidates(&search, &tree), Some(Vec::new()));
        tree.at_mut(1).account.cap.tokens = NEEDED;
        assert_eq!(candidates(&search, &tree), Some(vec![1, 3]));

        let asked = RefCell::new(Vec::new());
        let first = search.first(&tree, |run| {
            asked.borrow_mut().push(run);
            Ok(())
        });
        assert_eq!((first, asked.into_inner()), (Some((1, ())), vec![1]));
        assert_eq!(candidates(&search, &tree), Some(vec![1, 3]), "it stays in its line until it has left the queue");
        search.left_queue((0, 0, 1));
        assert_eq!(candidates(&search, &tree), Some(vec![3]));
    }

    #[test]
    fn the_first_in_the_queue_starts_whatever_it_waited_for() {
        let (mut tree, mut search) = waiting();
        search.queued((0, 0, 9), 9);
        for slot in 0..2 {
            tree.at_mut(slot).account.cap.tokens = NEEDED;
        }
        let over = |slot: u32| PassedOver { run: Key { slot, generation: 1 }, obstacle: Obstacle::Other, spare: Some(Amounts::UNCAPPED) };
        let found = search.first(&tree, |run| if run < 2 { Err(over(run)) } else { Ok(()) });
        assert_eq!(found, Some((2, ())));
        assert_eq!(candidates(&search, &tree), Some(vec![9, 2, 3]), "what can't start for another reason is asked when that is over");
    }

    #[test]
    fn a_line_tells_the_least_that_one_of_it_needs() {
        let (mut tree, mut search) = waiting();
        let more = Shortage { at: 1, dimension: Dimension::Tokens, needed: 3 * NEEDED };
        let over =
            |slot: u32| PassedOver { run: Key { slot, generation: 1 }, obstacle: Obstacle::Short(more), spare: Some(Amounts::UNCAPPED) };
        tree.at_mut(1).account.cap.tokens = 2 * NEEDED;
        assert_eq!(search.first(&tree, |run| Err::<(), _>(over(run))), None);
        assert_eq!(candidates(&search, &tree), Some(Vec::new()), "they have been asked, and need more");
        tree.at_mut(1).account.cap.tokens = 3 * NEEDED;
        assert_eq!(candidates(&search, &tree), Some(vec![1, 3]));
    }
}
