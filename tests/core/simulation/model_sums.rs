//! What the independent account says when it is asked: sums over paths, slots, caps. Owns that each is computed
//! from single tasks and runs, every time.

use subagents::{Amounts, Dimension, Key, NONE, State, UNCAPPED, WaitingFor, view};

use std::collections::BTreeMap;

use super::model::{Model, NodeFacts, Place, RunFacts, WaitFacts, minus};

impl Model {
    pub(super) fn path(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |at| self.nodes[*at].parent)
    }

    pub(crate) fn is_below(&self, key: Key, top: Key) -> bool {
        let (Some(at), Some(top)) = (self.by_key.get(&key), self.by_key.get(&top)) else { return false };
        at != top && self.path(*at).any(|at| at == *top)
    }

    /// What main agents have reported in all.
    pub(super) fn used_by_main_agents(&self) -> Amounts {
        self.nodes.iter().fold(Amounts::ZERO, |sum, node| sum.plus(node.main))
    }

    /// Spent and held of every node: its own and its children's, those of forgotten ones included.
    pub(super) fn sums(&self) -> Vec<(Amounts, Amounts)> {
        let mut sums: Vec<(Amounts, Amounts)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            sums.push((node.spent, node.runs.values().fold(Amounts::ZERO, |sum, run| sum.plus(run.reserved))));
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if node.too_large {
                sums[at].0.nanos = u64::MAX;
            }
            if let Some(parent) = node.parent {
                let (spent, held) = sums[at];
                sums[parent] = (sums[parent].0.plus(spent), sums[parent].1.plus(held));
            }
        }
        sums
    }

    /// So many dollars were booked. A sum that is too large for its number stays so, whatever is given back of it later.
    pub(super) fn note_too_large(&mut self, nanos: u64) {
        self.has_large |= nanos >= 1 << 60;
        if self.has_large {
            let sums = self.sums();
            for (node, (spent, _)) in self.nodes.iter_mut().zip(sums) {
                node.too_large |= spent.nanos == u64::MAX;
            }
        }
    }

    /// Whether a cancel of the task, or of one above it, is under way.
    pub(crate) fn is_cancelled(&self, task: Key) -> bool {
        self.by_key.get(&task).is_some_and(|at| self.is_sealed(*at))
    }

    /// Where a run is.
    pub(crate) fn place(&self, task: Key, run: u32) -> Option<Place> {
        Some(self.nodes[*self.by_key.get(&task)?].runs.get(&run)?.place)
    }

    /// What a run holds.
    pub(crate) fn hold(&self, task: Key, run: u32) -> Amounts {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.get(&run)).map_or(Amounts::ZERO, |run| run.reserved)
    }

    /// Whether it keeps what is reserved for the whole run.
    pub(super) fn is_whole(&self, task: Key, run: u32) -> bool {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.get(&run)).is_some_and(|run| run.whole)
    }

    /// What a run holds beside the turn that it came back for, where that is set aside.
    pub(super) fn beside_turn(&self, task: Key, run: u32) -> Option<Amounts> {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.get(&run)).and_then(|run| run.beside_turn)
    }

    /// Whether something bounds what a task may spend, and leaves it at least a bit.
    pub(super) fn has_room(&self, key: Key) -> bool {
        let Some(at) = self.by_key.get(&key) else { return false };
        let used = self.used_on_path(*at);
        let capped = used.keys().any(|at| self.nodes[*at].cap != Amounts::UNCAPPED);
        capped && used.iter().all(|(at, used)| Dimension::ALL.into_iter().all(|it| used.of(it) < self.nodes[*at].cap.of(it)))
    }

    pub(crate) fn cap(&self, task: Key) -> Amounts {
        self.by_key.get(&task).map_or(Amounts::UNCAPPED, |at| self.nodes[*at].cap)
    }

    /// What waits says for what, what was said to wait for nothing doesn't, and the counts are those of the snapshots
    /// (D4).
    pub(super) fn compare_waiting(&self, state: &State) -> Result<(), String> {
        let mut counts = BTreeMap::new();
        for node in self.nodes.iter().filter(|node| node.task && !node.forgotten) {
            let waits = |place: &Place| matches!(place, Place::Queued | Place::Backoff { .. });
            let queued = node.runs.values().any(|run| waits(&run.place));
            let held = node.messages > 0 && state.node(node.key.index).is_paused() && state.node(node.key.index).run == NONE;
            let said = view::task(state, node.key.index, state.now).waiting_for;
            ensure!(said.is_some() == (queued || held), "D4: {:?} waits for {said:?}: {node:?}", node.key);
            ensure!(held == (said == Some(WaitingFor::Held)) || self.is_blocked(state), "D4: {:?} waits for {said:?}", node.key);
            if let Some(said) = said {
                *counts.entry(said.name()).or_insert(0) += 1;
            }
        }
        for (why, counted) in WaitingFor::ALL.iter().zip(view::waiting(state, state.now).0) {
            let shown = counts.get(why.name()).copied().unwrap_or(0);
            ensure!(shown == counted, "D4: {counted} wait for {why:?}, {shown} say so");
        }
        for (task, run) in &self.at_once {
            let waits = self.run_of(*task, *run).is_some_and(|run| run.place == Place::Queued);
            ensure!(!waits, "D4: run {run} of {task:?} was to start at once");
        }
        Ok(())
    }

    fn is_blocked(&self, state: &State) -> bool {
        u64::from(state.abandoned) >= self.limits.max_abandoned
    }

    fn run_of(&self, task: Key, run: u32) -> Option<&RunFacts> {
        self.nodes[*self.by_key.get(&task)?].runs.get(&run)
    }

    /// The least cap on tokens on the path of a task.
    pub(crate) fn least_cap(&self, task: Key) -> u64 {
        let Some(at) = self.by_key.get(&task) else { return UNCAPPED };
        self.path(*at).map(|at| self.nodes[at].cap.tokens).min().unwrap_or(UNCAPPED)
    }

    /// The least cap on dollars on the path.
    pub(crate) fn least_dollars(&self, task: Key) -> u64 {
        let Some(at) = self.by_key.get(&task) else { return UNCAPPED };
        self.path(*at).map(|at| self.nodes[at].cap.nanos).min().unwrap_or(UNCAPPED)
    }

    /// What a task and all below it have spent and hold.
    pub(crate) fn used(&self, task: Key) -> Amounts {
        let sums = self.sums();
        self.by_key.get(&task).map_or(Amounts::ZERO, |at| sums[*at].0.plus(sums[*at].1))
    }

    /// The least that a cap on the path leaves beside what was spent.
    pub(crate) fn unspent(&self, task: Key) -> Amounts {
        self.available_but(task, |_| Amounts::UNCAPPED)
    }

    /// The least that may be set aside on the path; what runs above would lend counts as free from their
    /// task upwards.
    pub(crate) fn available(&self, task: Key, lends: impl Fn(Key) -> Amounts) -> Amounts {
        let mut freed = Amounts::ZERO;
        self.available_but(task, |at| {
            if at != task {
                freed = freed.plus(lends(at));
            }
            freed
        })
    }

    pub(super) fn available_but(&self, task: Key, mut freed: impl FnMut(Key) -> Amounts) -> Amounts {
        let (Some(at), sums) = (self.by_key.get(&task), self.sums()) else { return Amounts::ZERO };
        let mut least = Amounts::UNCAPPED;
        for at in self.path(*at) {
            let ((spent, held), node) = (sums[at], &self.nodes[at]);
            least = least.least(node.cap.minus(spent).minus(minus(held, freed(node.key))));
        }
        least
    }

    /// The tokens that each cap above a task leaves; what runs above would lend counts as free from their task upwards.
    pub(crate) fn rooms_above(&self, task: Key, lends: impl Fn(Key) -> Amounts) -> Vec<(Key, u64)> {
        let (Some(at), sums) = (self.by_key.get(&task), self.sums()) else { return Vec::new() };
        let mut freed = Amounts::ZERO;
        let room = |at: usize| {
            let node = &self.nodes[at];
            freed = freed.plus(lends(node.key));
            let (spent, held) = sums[at];
            (node.key, node.cap.minus(spent).minus(minus(held, freed)).tokens)
        };
        self.path(*at).skip(1).map(room).collect()
    }

    /// How many runs are open at a node and below, and how many of these `had` their last turn.
    pub(crate) fn open_and_last(&self, top: Key, had: impl Fn(Key, u32) -> bool) -> (u64, u64) {
        self.open_below(top).fold((0, 0), |(open, last), (task, run, _)| (open + 1, last + u64::from(had(task, run))))
    }

    /// The runs that are open at a node and below, and how many turns each may take.
    pub(crate) fn open_below(&self, top: Key) -> impl Iterator<Item = (Key, u32, u64)> + '_ {
        let top = self.by_key.get(&top).copied();
        let open = |run: &RunFacts| matches!(run.place, Place::Held | Place::Parked) && !run.ended;
        let below = self.nodes.iter().enumerate().filter(move |(at, _)| self.path(*at).any(|at| Some(at) == top));
        below.flat_map(move |(_, node)| {
            node.runs.iter().filter(move |(_, run)| open(run)).map(|(number, run)| (node.key, *number, run.max_turns))
        })
    }

    /// Whether a run waits for this one.
    pub(crate) fn is_waited_for(&self, task: Key, run: u32) -> bool {
        self.waits.values().any(|wait| wait.open && !wait.left && wait.run != 0 && wait.targets.contains(&(task, run)))
    }

    pub(super) fn used_on_path(&self, at: usize) -> BTreeMap<usize, Amounts> {
        let sums = self.sums();
        self.path(at).map(|at| (at, sums[at].0.plus(sums[at].1))).collect()
    }

    pub(crate) fn held_slots(&self) -> u64 {
        let holds = |run: &&RunFacts| matches!(run.place, Place::Held | Place::Lingering { held: true });
        self.nodes.iter().flat_map(|node| node.runs.values()).filter(holds).count() as u64
    }

    pub(crate) fn open_runs(&self) -> usize {
        let open = |run: &&RunFacts| matches!(run.place, Place::Queued | Place::Backoff { .. } | Place::Held | Place::Parked);
        self.nodes.iter().flat_map(|node| node.runs.values()).filter(open).count()
    }

    /// How many of them have a host function at work.
    pub(crate) fn working_runs(&self) -> usize {
        let works = |run: &&RunFacts| matches!(run.place, Place::Held | Place::Parked) && !run.ended && !run.returned;
        self.nodes.iter().flat_map(|node| node.runs.values()).filter(works).count()
    }

    /// Children of a node with an open or queued run.
    pub(super) fn working_children(&self, parent: usize) -> u64 {
        let works = |node: &&NodeFacts| {
            node.parent == Some(parent)
                && node.counted
                && node.runs.values().any(|run| matches!(run.place, Place::Queued | Place::Backoff { .. } | Place::Held | Place::Parked))
        };
        self.nodes.iter().filter(works).count() as u64
    }

    pub(crate) fn is_sealed(&self, at: usize) -> bool {
        let told = |run: &RunFacts| run.cancelled && !run.ended;
        self.path(at).any(|at| self.nodes[at].sealed || self.nodes[at].runs.values().any(told))
    }

    /// Whether the rate limit of a task cools down.
    pub(crate) fn cools(&self, key: Key) -> bool {
        self.by_key.get(&key).is_some_and(|at| self.cooldowns.contains_key(&self.nodes[*at].rate_key))
    }

    /// The `rateLimitKey` of a task.
    pub(crate) fn rate_key(&self, key: Key) -> &str {
        self.by_key.get(&key).map_or("", |at| &self.nodes[*at].rate_key)
    }

    /// Whether a start or a turn of a task may have to wait for its rate (B11).
    pub(crate) fn has_rate(&self, key: Key) -> bool {
        self.has_rates && self.by_key.contains_key(&key)
    }

    pub(super) fn is_satisfied(&self, wait: &WaitFacts) -> bool {
        if wait.subtree {
            let Some(top) = wait.targets.first().and_then(|(top, _)| self.by_key.get(top)) else { return false };
            let open = |node: &NodeFacts| node.runs.values().any(|run| matches!(run.place, Place::Held | Place::Parked));
            return !self.nodes.iter().enumerate().any(|(at, node)| open(node) && self.path(at).any(|at| at == *top));
        }
        let ended = |(task, run): &(Key, u32)| {
            let node = self.by_key.get(task).map(|at| &self.nodes[*at]);
            node.and_then(|node| node.runs.get(run)).is_none_or(|run| run.ended)
        };
        let asks = |(task, run): &(Key, u32)| {
            let node = self.by_key.get(task).map(|at| &self.nodes[*at]);
            node.is_some_and(|node| node.talk.question.as_ref().is_some_and(|(asked, ..)| asked == run))
        };
        if wait.targets.iter().any(asks) {
            return true;
        }
        if wait.all { wait.targets.iter().all(ended) } else { wait.targets.iter().any(ended) }
    }

    /// The run of a task that asks and has no answer.
    pub(crate) fn question_of(&self, key: Key) -> Option<u32> {
        let node = &self.nodes[*self.by_key.get(&key)?];
        node.talk.question.as_ref().map(|(run, ..)| *run)
    }

    /// Children of a task that ask and of whose question its run has not been notified.
    pub(crate) fn untold(&self, key: Key) -> usize {
        let Some(at) = self.by_key.get(&key) else { return 0 };
        let untold = |node: &&NodeFacts| node.parent == Some(*at) && node.talk.question.is_some() && !node.talk.told;
        self.nodes.iter().filter(untold).count()
    }

    /// Whether no cap bounds what the task may spend.
    pub(crate) fn is_uncapped(&self, key: Key) -> bool {
        let Some(at) = self.by_key.get(&key) else { return false };
        self.path(*at).all(|at| self.nodes[at].cap == Amounts::UNCAPPED)
    }
}
