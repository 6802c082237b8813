//! The state: everything that the manager knows. Owns the tables and their queries.
//!
//! Only [`apply`](State::apply) changes it, one fact after the other, so a replay is exact. Never: decides, or produces
//! effects.

mod apply;
pub(crate) mod budget;
mod invariants;
pub(crate) mod journal;
pub(crate) mod mailbox;
pub mod notices;
pub mod policies;
pub(crate) mod runs;
pub(crate) mod scheduling;
pub(crate) mod tree;

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::derived::Derived;
use crate::base::digest::Digest;
use crate::base::intrusive_list;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE, Slab};
use crate::base::stored::stored;
use crate::model::kinds::ModelPrice;
use crate::model::limits::Limits;
use crate::model::retry::Retry;
use crate::model::status::{OnParentEnd, Status};
pub use crate::state::budget::tally::{Cost, Past};
pub use crate::state::journal::missing_definitions::Missing;
pub use crate::state::journal::replay::{Damaged, Unrestorable};
pub use crate::state::journal::snapshot::Unreadable;
use crate::state::runs::deadlines::Deadlines;
use crate::state::runs::run::{Run, Slot};
use crate::state::scheduling::cooldowns::Rates;
use crate::state::scheduling::idempotency::Keys;
use crate::state::scheduling::key_rates::KeyRates;
use crate::state::scheduling::queue::Queue;
use crate::state::tree::ids::Salts;
pub use crate::state::tree::names::Named;
use crate::state::tree::node::{Family, Kind, Node};
pub(crate) use crate::state::tree::rare_fields::DeliveredText;
use crate::state::tree::resources::Release;
pub use crate::state::tree::retention::Retained;
use notices::Notice;

/// The index of the root, which represents the program.
pub const ROOT: u32 = 0;
/// The index of the default session.
pub const DEFAULT_SESSION: u32 = 1;

/// The manager's state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The time of the last fact, in milliseconds; it never runs backwards.
    pub now: u64,
    /// The random seed of ids and fences, once given.
    pub seed: Option<(u64, u64)>,
    /// The salt of each task's ids.
    pub salts: Salts,
    /// The limits in force.
    pub limits: Limits,
    /// The default cap of a task.
    pub task_cap: Amounts,
    /// The user set `turnEstimate`, so no mean replaces it.
    pub estimate_given: bool,
    /// The user set `turnEstimateUsd`, so no learned price replaces it.
    pub price_given: bool,
    /// A host has asked for a turn: before that, hosts may never ask for one.
    pub takes_turns: bool,
    /// A node has had a cap: before that, no path is searched for one, and only rates measure turns (B13).
    pub is_capped: bool,
    /// How runs are retried if their spawn doesn't set it (X5).
    pub retry: Option<Box<Retry>>,
    /// The user set `staggerMs`, so 0 also lifts the distance after a cooldown.
    pub stagger_given: bool,
    /// Refuse at the slot limit instead of queueing.
    pub reject: bool,
    /// What happens to background work when its parent's run ends well, if its spawn doesn't set it (C3).
    pub on_parent_end: Option<OnParentEnd>,
    /// Tools that the program withholds from all sub-agents.
    pub blocked: Vec<Text>,
    /// The prices of models (B11).
    pub prices: Vec<ModelPrice>,
    /// Spending by agent and model, if either is known.
    pub costs: Vec<Cost>,

    /// Manager, sessions and tasks.
    pub tree: Slab<Node>,
    /// Queued and open runs, and those whose host function is still running.
    pub runs: Slab<Run>,
    /// Unacknowledged notices.
    pub notices: Slab<Notice>,
    /// Notices whose tasks have been forgotten.
    pub forgotten_notices: Vec<u32>,
    /// Runs that wait for a slot.
    pub queue: Queue,
    /// Parked runs that can continue and wait for a slot, first come first.
    pub reentry: VecDeque<u32>,
    /// Every armed deadline.
    pub deadlines: Deadlines,

    /// Taken slots.
    pub taken_slots: u32,
    /// Runs that released their slot while parked.
    pub parked: u32,
    /// Abandoned host functions that have not returned.
    pub abandoned: u32,
    /// Tasks in each status, by its number.
    pub counts: [u32; Status::ALL.len()],
    /// Runs that wait for the time of their next attempt.
    pub retrying: u32,
    /// Tasks whose messages an interrupt paused (M4).
    pub paused_with_messages: Derived<u32>,
    /// Queued runs that wait for the program (X6).
    pub for_program: Derived<u32>,
    /// Tasks whose priority is above 0.
    pub prioritised: Derived<u32>,
    /// Models used without a price, sorted.
    pub unpriced: Vec<Option<Text>>,
    /// The number of ended runs.
    pub runs_ended: u64,
    /// The number of messages to all tasks so far, without the texts of spawns.
    pub messages: u64,
    /// The evictable ended tasks: the oldest, the newest, the count.
    pub retained: Retained,
    /// Those that an idempotency key names: they are forgotten only if `maxTasks` is reached (D7).
    pub keyed: Retained,
    /// Foreground work that was not awaited yet: forgotten only if `maxTasks` is reached (L8).
    pub uncollected: Retained,
    /// The drain in progress, if any.
    pub draining: Option<Drain>,
    /// Used idempotency keys.
    pub keys: Keys,
    /// Rate limits that cool down, and the last start.
    pub rates: Rates,
    /// The rest of each key's rate, and the runs that wait for it (B11).
    pub key_rates: KeyRates,
    /// Nicknames and their tasks, by name, session and parent.
    pub names: Vec<Named>,
    /// Callers' ids of retained tasks, with their tasks (A9).
    pub own_ids: Derived<BTreeMap<Text, u32>>,
    /// Callers' ids of the tasks forgotten last, oldest first.
    pub former_ids: VecDeque<(Key, Text)>,
    /// Hosts' ids of work that they started, with their tasks, sorted.
    pub hosted: Vec<(Text, u32)>,
    /// Open runs whose host function has returned: they wait for sub-agents.
    pub returned: u32,
    /// Closed sessions that are still retained.
    pub closed_sessions: Vec<u32>,
    /// Restored sessions that this process has not registered yet, sorted.
    pub absent: Vec<u32>,
    /// Names of this process's agents and profiles; absent: no name is missing.
    pub known: Option<(Vec<Text>, Vec<Text>)>,
    /// Resources of closed and forgotten tasks, to be released (J7).
    pub releases: Vec<Release>,
}

stored!(State {
    now,
    seed,
    limits,
    task_cap,
    estimate_given,
    price_given,
    takes_turns,
    retry,
    reject,
    blocked,
    tree,
    runs,
    notices,
    forgotten_notices,
    queue,
    reentry,
    deadlines,
    taken_slots,
    parked,
    abandoned,
    counts,
    retrying,
    runs_ended,
    retained,
    uncollected,
    draining,
    keys,
    rates,
    names,
    hosted,
    returned,
    closed_sessions,
    absent,
    known,
    salts,
    stagger_given,
    on_parent_end,
    keyed,
    messages,
    paused_with_messages,
    prioritised,
    prices,
    costs,
    own_ids,
    former_ids,
    key_rates,
    for_program,
    is_capped,
    releases,
    unpriced
});

/// A drain in progress (D8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Drain {
    /// When it cancels the remaining work.
    pub until: u64,
    /// Queued work is left to the next process that opens the store.
    pub leaves_queued: bool,
    /// Runs that ended by themselves during it.
    pub ended: u64,
    /// Runs that it cancelled, queued ones included.
    pub cancelled: u64,
    /// Its time ran out.
    pub overran: bool,
    /// It has ended.
    pub over: bool,
}

stored!(Drain { until, leaves_queued, ended, cancelled, overran, over } from Self { until: 0, leaves_queued: false, ended: 0, cancelled: 0, overran: false, over: false });

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// A manager with the default limits, no cap, and one empty session.
    #[must_use]
    pub fn new() -> Self {
        let mut tree = Slab::default();
        tree.insert(Node {
            family: Some(Box::new(Family { first_child: DEFAULT_SESSION, last_child: DEFAULT_SESSION, ..Family::default() })),
            ..Node::default()
        });
        tree.insert(Node { kind: Kind::Session, parent: ROOT, ..Node::default() });
        Self {
            now: 0,
            seed: None,
            salts: Salts::default(),
            limits: Limits::default(),
            task_cap: Amounts::UNCAPPED,
            estimate_given: false,
            price_given: false,
            takes_turns: false,
            is_capped: false,
            retry: None,
            stagger_given: false,
            reject: false,
            on_parent_end: None,
            blocked: Vec::new(),
            prices: Vec::new(),
            costs: Vec::new(),
            unpriced: Vec::new(),
            tree,
            runs: Slab::default(),
            notices: Slab::default(),
            forgotten_notices: Vec::new(),
            queue: Queue::default(),
            reentry: VecDeque::new(),
            deadlines: Deadlines::default(),
            taken_slots: 0,
            parked: 0,
            abandoned: 0,
            counts: [0; Status::ALL.len()],
            retrying: 0,
            paused_with_messages: Derived::default(),
            for_program: Derived::default(),
            own_ids: Derived::default(),
            former_ids: VecDeque::new(),
            prioritised: Derived::default(),
            runs_ended: 0,
            messages: 0,
            retained: Retained::EMPTY,
            keyed: Retained::EMPTY,
            uncollected: Retained::EMPTY,
            draining: None,
            keys: Keys::default(),
            rates: Rates::default(),
            key_rates: KeyRates::default(),
            names: Vec::new(),
            hosted: Vec::new(),
            returned: 0,
            closed_sessions: Vec::new(),
            absent: Vec::new(),
            known: None,
            releases: Vec::new(),
        }
    }

    /// The node, or the void.
    #[must_use]
    pub fn node(&self, index: u32) -> &Node {
        self.tree.at(index)
    }

    /// The queued or open run of a task, or the void.
    #[must_use]
    pub fn run_of(&self, index: u32) -> &Run {
        self.runs.at(self.node(index).run)
    }

    /// The index of a task's run by number, even if only its host function still runs.
    #[must_use]
    #[inline]
    pub fn find_run(&self, task: u32, number: u32) -> Option<u32> {
        let current = self.node(task).run;
        if current != NONE && self.runs.at(current).number == number { Some(current) } else { self.find_lingering(task, number) }
    }

    /// The index of a run by its key.
    #[must_use]
    #[inline]
    pub fn find(&self, of: RunKey) -> Option<u32> {
        self.find_run(of.task.index, of.run)
    }

    /// The key of the run at this index.
    #[must_use]
    pub fn run_key(&self, index: u32) -> RunKey {
        let run = self.runs.at(index);
        RunKey { task: self.key(run.task), run: run.number }
    }

    /// The runs of a task that may hold budget: the current one, and ended ones whose host function still runs.
    pub(crate) fn runs_of(&self, task: u32) -> impl Iterator<Item = u32> + '_ {
        Some(self.node(task).run).filter(|at| *at != NONE).into_iter().chain(self.lingering(task))
    }

    #[cold]
    #[inline(never)]
    fn find_lingering(&self, task: u32, number: u32) -> Option<u32> {
        self.lingering(task).find(|at| self.runs.at(*at).number == number)
    }

    /// The ended runs of a task whose host function still runs, newest first.
    pub(crate) fn lingering(&self, task: u32) -> impl Iterator<Item = u32> + '_ {
        intrusive_list::walk(&self.runs, self.node(task).lingering, |run| run.next_lingering)
    }

    /// The number of tasks.
    #[must_use]
    pub fn tasks(&self) -> u32 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The number of sessions, without retained closed ones.
    #[must_use]
    pub fn sessions(&self) -> u64 {
        let closed = u32::try_from(self.closed_sessions.len()).unwrap_or(u32::MAX);
        let all = self.tree.len().saturating_sub(self.tasks()).saturating_sub(1);
        u64::from(all.saturating_sub(closed))
    }

    /// The number of tasks with a status.
    #[must_use]
    pub fn count(&self, status: Status) -> u32 {
        self.counts.get(usize::from(status.number())).copied().unwrap_or(0)
    }

    /// The number of runs that wait to start, including attempts that are not due yet.
    #[must_use]
    pub fn queued(&self) -> u64 {
        u64::try_from(self.queue.len()).unwrap_or(u64::MAX).saturating_add(u64::from(self.retrying))
    }

    /// A 64-bit hash of the state: different states nearly always have different ones.
    #[must_use]
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        self.hash(&mut digest);
        digest.finish()
    }

    /// Whether a run holds a slot.
    #[must_use]
    pub fn holds_slot(&self, run: u32) -> bool {
        self.runs.at(run).slot == Slot::Taken
    }

    /// The key of a node.
    #[must_use]
    pub fn key(&self, index: u32) -> Key {
        self.tree.key(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_differ_have_other_digests() {
        let (plain, mut seeded) = (State::new(), State::new());
        assert_eq!(plain.digest(), seeded.digest());
        seeded.seed = Some((1, 2));
        assert_ne!(plain.digest(), seeded.digest());
    }
}
