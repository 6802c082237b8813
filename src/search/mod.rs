//! Remembers why queued runs couldn't start, so that each step rechecks only those that may start now. Owns that memory, outside
//! the state; it follows the facts as `update.rs` reads them.
//!
//! A run that waits for budget lacks it at some node above. While that node has less than the smallest need of these
//! runs, none of them can start. Once it has more, only they are rechecked.

mod update;

use std::collections::VecDeque;

pub(crate) use self::update::QueueUpdate;
use self::update::{Money, price_near};
use crate::base::amounts::{Amounts, Dimension};
use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::state::budget::ledger;
use crate::state::budget::ledger::Shortage;
use crate::state::runs::run::Phase;
use crate::state::scheduling::queue::{Line, Place};
use crate::state::{ROOT, State};

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    /// All queued runs were checked, and none could start.
    done: bool,
    /// The places that lack budget, and the runs that wait for it: sorted by node, dimension, and the node whose turns determine
    /// their need.
    lacks: Vec<Lack>,
    /// The runs that wait for the rate of their key: sorted by keys.
    rated: Vec<(Text, Line)>,
    /// Some runs may borrow from a run above them, so no single node shows their lack.
    on_loan: bool,
    /// Runs queued since the search.
    fresh: Line,
    /// Runs whose budget is spent, and that have not been ended yet.
    spent: VecDeque<Key>,
    /// The least rest of a run's path after spending and one turn.
    spare: Amounts,
    /// The amount booked since the search, and the growth of the need of turns.
    booked: Amounts,
}

/// Runs that wait for budget at a node.
#[derive(Clone, Debug)]
struct Lack {
    /// The least need among them, unless the usage of turns determines it.
    short: Shortage,
    runs: Line,
}

impl Lack {
    /// The least need among these runs, by the present usage of turns.
    fn needed(&self, state: &State) -> u64 {
        let Shortage { needed, learner, .. } = self.short;
        if learner == NONE { needed } else { needed.min(state.learned(learner, None).unwrap_or(state.limits.turn_estimate)) }
    }

    /// Whether the budget is still too little for every run here.
    fn lasts(&self, state: &State) -> bool {
        state.node(self.short.at).account.available().of(self.short.dimension) < self.needed(state)
    }

    /// Whether turns now need so much that the rest is too little for every run here, whatever is released.
    fn is_spent(&self, state: &State) -> bool {
        let Shortage { at, dimension, learner, .. } = self.short;
        learner != NONE && state.node(at).account.unspent().of(dimension) < self.needed(state)
    }
}

/// Why a run can't start.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    /// Another reason than budget or a rate: its host function, or a cooldown.
    Other,
    /// The rate of this key is used up now.
    Rate(Text),
    /// A node above it has too little.
    Short(Shortage),
    /// Too little is available, including loans of the runs above it.
    OnLoan,
}

/// A run that can't start.
#[derive(Clone, Debug)]
pub(crate) struct Blocked {
    /// The run.
    pub(crate) run: Key,
    /// The reason.
    pub(crate) obstacle: Obstacle,
    /// The rest of its path after spending and one turn; `None` if less than a turn is left.
    pub(crate) spare: Option<Amounts>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            done: false,
            lacks: Vec::new(),
            rated: Vec::new(),
            on_loan: false,
            fresh: Line::default(),
            spent: VecDeque::new(),
            spare: Amounts::UNCAPPED,
            booked: Amounts::ZERO,
        }
    }
}

impl Search {
    /// The only runs in the queue that could start, in lines, if known. `may_go`: whether the rate of a key allows a start.
    pub(crate) fn candidates<'a>(&'a self, state: &'a State, may_go: impl Fn(&str) -> bool) -> Option<impl Iterator<Item = &'a Line>> {
        let paid = self.lacks.iter().filter(|lack| !lack.lasts(state)).map(|lack| &lack.runs);
        let rated = self.rated.iter().filter(move |(key, _)| may_go(key)).map(|(_, runs)| runs);
        self.done.then(|| std::iter::once(&self.fresh).chain(paid).chain(rated))
    }

    /// The first candidate that can start, if any: those before it are checked, and it stays in its line.
    pub(crate) fn first<R>(
        &mut self,
        state: &State,
        may_go: impl Fn(&str) -> bool,
        ask: impl Fn(u32) -> Result<R, Blocked>,
    ) -> Option<(u32, R)> {
        let mut first: Option<(Place, u32, R)> = None;
        let mut passed = Vec::new();
        let paid = self.lacks.iter_mut().filter(|lack| !lack.lasts(state)).map(|lack| &mut lack.runs);
        let rated = self.rated.iter_mut().filter(|(key, _)| may_go(key)).map(|(_, runs)| runs);
        for line in std::iter::once(&mut self.fresh).chain(paid).chain(rated) {
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
        self.drop_empty();
        for (place, over) in passed {
            self.pass_over(place, over);
        }
        first.map(|(_, run, ready)| (run, ready))
    }

    fn drop_empty(&mut self) {
        self.lacks.retain(|lack| !lack.runs.is_empty());
        self.rated.retain(|(_, runs)| !runs.is_empty());
    }

    /// The keys whose rates runs wait for, if known.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.rated.iter().map(|(key, _)| &**key)
    }

    /// Notes a run that can't start.
    pub(crate) fn pass_over(&mut self, place: Place, over: Blocked) {
        match over.obstacle {
            Obstacle::Other => {}
            Obstacle::OnLoan => self.on_loan = true,
            Obstacle::Short(short) => self.note_lack(short, place, over.run.index),
            Obstacle::Rate(key) => {
                let at = self.rated.binary_search_by(|(other, _)| other.cmp(&key)).unwrap_or_else(|at| {
                    self.rated.insert(at, (key, Line::default()));
                    at
                });
                if let Some((_, runs)) = self.rated.get_mut(at) {
                    runs.insert(place, over.run.index);
                }
            }
        }
        match over.spare {
            Some(spare) => self.spare = self.spare.least(spare.plus(self.booked)),
            None => self.spent.push_back(over.run),
        }
    }

    fn note_lack(&mut self, short: Shortage, place: Place, run: u32) {
        let key = |short: &Shortage| (short.at, short.dimension, short.learner);
        let known = self.lacks.binary_search_by_key(&key(&short), |lack| key(&lack.short));
        let at = known.unwrap_or_else(|at| {
            self.lacks.insert(at, Lack { short, runs: Line::default() });
            at
        });
        if let Some(lack) = self.lacks.get_mut(at) {
            lack.short.needed = lack.short.needed.min(short.needed);
            lack.runs.insert(place, run);
        }
    }

    /// Notes a run that wasn't checked.
    pub(crate) fn leave(&mut self, place: Place, run: u32) {
        self.fresh.insert(place, run);
    }

    /// Makes the next search check a run again, whatever it lacked.
    pub(crate) fn ask_again(&mut self, place: Place, run: u32) {
        self.left_queue(place);
        self.leave(place, run);
    }

    /// Notes that all runs were checked.
    pub(crate) const fn end(&mut self) {
        self.done = true;
    }

    /// Whether a run in the queue may wait for budget.
    pub(crate) const fn lacks_budget(&self) -> bool {
        self.on_loan || !self.lacks.is_empty()
    }

    /// The next run to end because its budget is spent, if it still waits.
    pub(crate) fn take_spent(&mut self) -> Option<Key> {
        self.spent.pop_front()
    }

    /// Whether all runs were checked, so that the search must follow facts.
    pub(crate) const fn is_done(&self) -> bool {
        self.done
    }

    /// Follows a fact, once it was applied.
    pub(crate) fn follow(&mut self, state: &State, update: QueueUpdate) {
        match update {
            QueueUpdate::Nothing => {}
            QueueUpdate::Anything => self.forget(),
            QueueUpdate::Queued(task) => self.queued(state, task),
            QueueUpdate::Raised(task, before) => {
                self.left_queue(before);
                self.queued(state, task);
            }
            QueueUpdate::Money(money) => self.follow_money(state, money),
            QueueUpdate::CapRaised(tokens) => self.follow_cap(tokens),
        }
    }

    fn follow_cap(&mut self, tokens: u64) {
        self.booked = self.booked.plus(Amounts { tokens, ..Amounts::ZERO });
        if self.on_loan || !self.spent.is_empty() || self.spare.lacks(self.booked).is_some() {
            self.forget();
        }
    }

    fn follow_money(&mut self, state: &State, money: Money) {
        let run = state.find_run(money.task, money.number).map(|index| state.runs.at(index));
        // A queued run whose surviving host reports keeps its place.
        if let Some(place) = money.place.filter(|_| run.is_none_or(|run| run.phase != Phase::Queued)) {
            self.left_queue(place);
        }
        self.booked = self.booked.plus(state.node(ROOT).account.spent.minus(money.spent));
        let is_changed = run.map_or(Amounts::ZERO, |run| run.reserved) != money.reserved;
        // A run that has reserved budget for its whole life may lend it to queued work below it.
        let may_lend = run.is_some_and(|run| run.whole) && state.node(money.task).first_child() != NONE;
        let is_freed = (is_changed && (may_lend || self.on_loan)) || (money.measures && self.on_loan);
        let is_dearer = money.measures && self.spent.is_empty() && self.lacks.iter().any(|lack| lack.is_spent(state));
        if money.lends || is_freed || is_dearer || self.spare.lacks(self.booked).is_some() || self.is_cheaper(state, money) {
            self.forget();
        }
    }

    /// Whether work that lacks dollars may need fewer: another price is known, or less is left than it needs. If so little is
    /// left, a turn reserves only the rest.
    fn is_cheaper(&self, state: &State, money: Money) -> bool {
        let mut dollars = self.lacks.iter().filter(|lack| lack.short.dimension == Dimension::Cost).peekable();
        if dollars.peek().is_none() && !self.on_loan {
            return false;
        }
        let left = ledger::unspent(&state.tree, money.task).nanos;
        let is_spent = self.on_loan && state.node(ROOT).account.spent.nanos != money.spent.nanos;
        is_spent || price_near(state, money.task) != money.price || dollars.any(|lack| lack.short.needed > left)
    }

    fn queued(&mut self, state: &State, task: u32) {
        let run = state.node(task).run;
        self.fresh.insert(state.runs.at(run).place, run);
    }

    fn left_queue(&mut self, place: Place) {
        let mut others = self.lacks.iter_mut().map(|lack| &mut lack.runs).chain(self.rated.iter_mut().map(|(_, runs)| runs));
        if !self.fresh.remove(place) && others.any(|runs| runs.remove(place)) {
            self.drop_empty();
        }
    }

    /// Forgets the search: a run may be able to start.
    fn forget(&mut self) {
        *self = Self::default();
    }

    /// Checks that each run which is remembered as unable to start really is (B5). Tests and the simulation call it after every
    /// step.
    ///
    /// # Errors
    /// A sentence that names a run that is able to start.
    pub(crate) fn check_invariants(&self, state: &State, now: u64) -> Result<(), String> {
        let Some(lines) = self.candidates(state, |key| state.start_by_rate(now, key).is_none()) else { return Ok(()) };
        let candidates: Vec<u32> = lines.flat_map(|line| line.iter().map(|(_, run)| run)).collect();
        for run in state.queue.in_order().filter(|run| !candidates.contains(run)) {
            let task = state.runs.at(run).task;
            let key = state.node(task).spec().and_then(|spec| spec.rate_limit_key.as_deref()).unwrap_or_default();
            let lingers = state.lingers(task);
            let free = ledger::available(&state.tree, &state.runs, task, Amounts::ZERO);
            let waits = lingers || state.lacks_for(task).is_some() || state.is_left(task) || state.rates.until(key).is_some();
            let waits = waits || state.start_by_rate(now, key).is_some();
            let fits = free.lacks(state.estimate_of(task)).is_none() && !waits;
            if fits {
                return Err(format!("task {task} could start and is passed over"));
            }
        }
        for run in candidates {
            let phase = state.runs.at(run).phase;
            if phase != Phase::Queued {
                return Err(format!("run {run} could start and is {phase:?}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const NEEDED: u64 = 10;

    fn at(ticket: u32) -> Place {
        Place { ticket: u64::from(ticket), ..Place::default() }
    }

    /// Two nodes without budget, and runs 0 to 3 that wait for it: the even ones at the first node, the others at the
    /// second.
    fn waiting() -> (State, Search) {
        let mut state = State::new();
        for at in 0..2 {
            state.tree.at_mut(at).account.cap.tokens = 0;
        }
        let mut search = Search::default();
        for index in 0_u32..4 {
            let short = Shortage { at: index % 2, dimension: Dimension::Tokens, needed: NEEDED, learner: NONE };
            let over = Blocked { run: Key { index, generation: 1 }, obstacle: Obstacle::Short(short), spare: Some(Amounts::UNCAPPED) };
            search.pass_over(at(index), over);
        }
        search.end();
        (state, search)
    }

    fn candidates(search: &Search, state: &State) -> Option<Vec<u32>> {
        search.candidates(state, |_| true).map(|lines| lines.flat_map(|line| line.iter().map(|(_, run)| run)).collect())
    }

    #[test]
    fn only_those_are_asked_again_where_there_is_budget_now() {
        let (mut state, mut search) = waiting();
        assert_eq!(candidates(&search, &state), Some(Vec::new()));
        state.tree.at_mut(1).account.cap.tokens = NEEDED;
        assert_eq!(candidates(&search, &state), Some(vec![1, 3]));

        let asked = RefCell::new(Vec::new());
        let first = search.first(
            &state,
            |_| true,
            |run| {
                asked.borrow_mut().push(run);
                Ok(())
            },
        );
        assert_eq!((first, asked.into_inner()), (Some((1, ())), vec![1]));
        assert_eq!(candidates(&search, &state), Some(vec![1, 3]), "it stays in its line until it has left the queue");
        search.left_queue(at(1));
        assert_eq!(candidates(&search, &state), Some(vec![3]));
    }

    #[test]
    fn the_first_in_the_queue_starts_whatever_it_waited_for() {
        let (mut state, mut search) = waiting();
        search.fresh.insert(at(9), 9);
        for index in 0..2 {
            state.tree.at_mut(index).account.cap.tokens = NEEDED;
        }
        let over = |index: u32| Blocked { run: Key { index, generation: 1 }, obstacle: Obstacle::Other, spare: Some(Amounts::UNCAPPED) };
        let found = search.first(&state, |_| true, |run| if run < 2 { Err(over(run)) } else { Ok(()) });
        assert_eq!(found, Some((2, ())));
        assert_eq!(candidates(&search, &state), Some(vec![9, 2, 3]), "what can't start for another reason is asked when that is over");
    }

    #[test]
    fn a_line_states_the_least_that_one_of_it_needs() {
        let (mut state, mut search) = waiting();
        let more = Shortage { at: 1, dimension: Dimension::Tokens, needed: 3 * NEEDED, learner: NONE };
        let over =
            |index: u32| Blocked { run: Key { index, generation: 1 }, obstacle: Obstacle::Short(more), spare: Some(Amounts::UNCAPPED) };
        state.tree.at_mut(1).account.cap.tokens = 2 * NEEDED;
        assert_eq!(search.first(&state, |_| true, |run| Err::<(), _>(over(run))), None);
        assert_eq!(candidates(&search, &state), Some(Vec::new()), "they have been asked, and need more");
        state.tree.at_mut(1).account.cap.tokens = 3 * NEEDED;
        assert_eq!(candidates(&search, &state), Some(vec![1, 3]));
    }
}
