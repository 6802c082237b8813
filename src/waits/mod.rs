//! Who waits for which runs, and until when (W1–W4). Waits are outside the state: no fact records one, so a manager that opens
//! from its facts has none. Their effects on others are facts: a run parks, an end is collected.
//!
//! Owns the records and their links to runs, and follows the effects of facts on them; `rules/waiting.rs` decides.

mod check;
mod wait;

use std::collections::VecDeque;

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE, Slab};
use crate::base::small_list::SmallList;
use crate::model::fact::{Fact, facts_aside};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::deadlines::{Deadlines, Owner};

pub use wait::Wait;

/// A wait for a list that is over. Its outcome is read at the end of the step: it includes everything in the step, and exactly
/// that is collected (W2).
#[derive(Clone, Debug)]
pub(crate) struct ReportedWait {
    /// Its number; `None` if it was over at once.
    pub(crate) wait: Option<Key>,
    /// Its inbox; [`NONE`] if nobody gets the ends from it.
    pub(crate) inbox: u32,
    pub(crate) targets: Vec<RunKey>,
    /// The questions that ended the wait, and who asks them; then the task that moved to the background.
    pub(crate) asks: Vec<(Key, Text)>,
    pub(crate) moved: Option<Key>,
}

/// The waits of one run: those with the run as a target, and its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Waits with the run as a target; a wait that names it twice is here twice.
    pub waiters: SmallList<u32>,
    /// Its own open waits.
    pub own: SmallList<u32>,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// The open waits.
    pub open: Slab<Wait>,
    /// The waits of each run, by its index.
    pub links: Vec<Links>,
    /// Waits for a whole subtree: its top and the wait. Sorted by tops, and for one top by age.
    pub on_subtrees: Vec<(u32, u32)>,
    /// Waits until a task is idle: the task's index and the wait. Filled from the end of one run to the queueing of the next;
    /// empty between inputs.
    pub idling: Vec<(u32, u32)>,
    /// Waits that can be closed; empty between inputs.
    pub ready: VecDeque<u32>,
    /// The deadline of each wait.
    pub deadlines: Deadlines,
}

/// The effect of a fact on waits, by the state before the fact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitUpdate {
    Nothing,
    /// The run of a task that was at this index has ended.
    Ended(u32, u32),
    /// The run of a task at this index continues under another number (X5).
    Retried(u32, u32),
    /// A task's next run is queued.
    Queued(u32),
    /// Messages of a task were dropped.
    Dropped(u32),
    /// The process stood still for this many milliseconds (T4).
    StoodStill(u64),
}

impl WaitUpdate {
    pub(crate) fn of(state: &State, fact: &Fact) -> Self {
        match fact {
            Fact::RunEnded { task, .. } => Self::Ended(task.index, state.node(task.index).run),
            Fact::RunRetried { task, .. } => Self::Retried(task.index, state.node(task.index).run),
            Fact::RunQueued { task, .. } => Self::Queued(task.index),
            Fact::MessagesDropped { task, .. } => Self::Dropped(task.index),
            Fact::StoodStill { ms } => Self::StoodStill(*ms),
            Fact::LimitSet { .. }
            | Fact::CapSet { .. }
            | Fact::TaskAdmitted { .. }
            | Fact::RunTaken { .. }
            | Fact::RunRaised { .. }
            | Fact::RunStarted { .. }
            | Fact::TurnDelayed { .. }
            | Fact::TurnStarted { .. }
            | Fact::RunReported { .. }
            | Fact::RatesSet { .. }
            | Fact::RunParked { .. }
            | Fact::RunReentered { .. }
            | Fact::HostReturned { .. }
            | Fact::HostAbandoned { .. }
            | Fact::TaskForgotten { .. }
            | Fact::CooldownOver { .. }
            | Fact::RunReturned { .. }
            | Fact::SessionRegistered { .. }
            | facts_aside!() => Self::Nothing,
        }
    }
}

static NO_WAITS: SmallList<u32> = SmallList::new();

fn wide(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

impl Waits {
    /// Whether no wait is open.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The record of a wait.
    #[must_use]
    pub fn at(&self, index: u32) -> &Wait {
        self.open.at(index)
    }

    /// All open waits.
    pub fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.open.indices()
    }

    /// The key of an open wait.
    #[must_use]
    pub fn key(&self, index: u32) -> Key {
        self.open.key(index)
    }

    /// Waits that have the run at this index as a target.
    #[must_use]
    pub fn waiters(&self, run: u32) -> &SmallList<u32> {
        self.links.get(wide(run)).map_or(&NO_WAITS, |links| &links.waiters)
    }

    /// The open waits of the run at this index.
    #[must_use]
    pub fn own(&self, run: u32) -> &SmallList<u32> {
        self.links.get(wide(run)).map_or(&NO_WAITS, |links| &links.own)
    }

    /// Whether a run waits for the run at this index.
    #[must_use]
    pub fn is_awaited_by_run(&self, run: u32) -> bool {
        self.waiters(run).iter().any(|wait| self.at(*wait).run != NONE)
    }

    /// Whether a wait has an outcome for each of its targets once this run has ended.
    pub(crate) fn is_answered_by(&self, run: u32, wait: u32) -> bool {
        let record = self.at(wait);
        // A target that is named twice counts twice.
        let named = self.waiters(run).iter().filter(|other| **other == wait).count();
        !record.all || u64::try_from(named).is_ok_and(|named| u64::from(record.outstanding) <= named)
    }

    fn link(&mut self, run: u32, change: impl FnOnce(&mut Links)) {
        let place = wide(run);
        if place >= self.links.len() {
            self.links.resize_with(place.saturating_add(1), Links::default);
        }
        if let Some(links) = self.links.get_mut(place) {
            change(links);
        }
    }

    /// Opens a wait and links it to its targets' runs.
    pub(crate) fn insert(&mut self, state: &State, wait: Wait) -> Key {
        let key = self.open.next_key();
        let index = key.index;
        let mut outstanding = 0_u32;
        if wait.subtree {
            let top = wait.top();
            let place = self.on_subtrees.partition_point(|(other, _)| *other <= top);
            self.on_subtrees.insert(place, (top, index));
            outstanding = state.node(top).open_runs.min(1);
        } else {
            for run in wait.targets().filter_map(|target| current(state, target)) {
                self.link(run, |links| links.waiters.push(index));
                outstanding = outstanding.saturating_add(1);
            }
        }
        if wait.run != NONE {
            self.link(wait.run, |links| links.own.push(index));
        }
        if wait.until.is_some() {
            self.deadlines.set(Owner::Wait(index), wait.until, 0);
        }
        self.open.insert(Wait { outstanding, ..wait })
    }

    /// Opens a wait of the program or a session for one task, whose last run has the given index.
    pub(crate) fn insert_one(&mut self, (by, run): (u32, u32), target: RunKey, until: Option<u64>) -> Key {
        let key = self.open.claim();
        let wait = self.open.at_mut(key.index);
        (wait.by, wait.all, wait.target, wait.outstanding, wait.until) = (by, true, Some(target), 1, until);
        self.link(run, |links| links.waiters.push(key.index));
        if until.is_some() {
            self.deadlines.set(Owner::Wait(key.index), until, 0);
        }
        key
    }

    /// Closes a wait.
    pub(crate) fn remove(&mut self, state: &State, index: u32) {
        if !self.open.holds(index) {
            return;
        }
        let wait = self.open.at_mut(index);
        let others = std::mem::take(&mut wait.others);
        let Wait { run, subtree, target, outstanding, ready, until, .. } = *wait;
        self.open.remove(index);
        let is_first = self.ready.front() == Some(&index);
        if is_first {
            self.ready.pop_front();
        }
        // All its targets have ended, and no other list has it.
        let is_plain = is_first && until.is_none() && self.idling.is_empty() && !subtree && outstanding == 0;
        if !is_plain {
            self.unlink(state, index, Wait { subtree, target, others, outstanding, ready: ready && !is_first, until, ..Wait::default() });
        }
        if run != NONE {
            self.link(run, |links| links.own.remove(&index));
        }
    }

    /// Removes a closed wait from the other lists.
    #[inline(never)]
    fn unlink(&mut self, state: &State, index: u32, wait: Wait) {
        if wait.until.is_some() {
            self.deadlines.disarm(Owner::Wait(index));
        }
        if !self.idling.is_empty() {
            self.idling.retain(|(_, wait)| *wait != index);
        }
        if wait.ready {
            let place = self.ready.iter().position(|other| *other == index);
            self.ready.remove(place.unwrap_or(usize::MAX));
        }
        if wait.subtree {
            let first = self.first_on_subtree(wait.top());
            if let Some(place) = self.on_subtrees.iter().skip(first).position(|entry| *entry == (wait.top(), index)) {
                self.on_subtrees.remove(first.saturating_add(place));
            }
        } else if wait.outstanding > 0 {
            for run in wait.targets().map(|target| state.node(target.task.index).run).filter(|run| *run != NONE) {
                self.link(run, |links| links.waiters.remove(&index));
            }
        }
    }

    /// A wait of the program or a session is also a wait of this run: it was opened in the run's context (S6).
    pub(crate) fn begin_within(&mut self, index: u32, run: u32) {
        self.open.at_mut(index).run = run;
        self.link(run, |links| links.own.push(index));
    }

    /// No run is left that could get the end from the wait instead of a notice.
    pub(crate) fn clear_receiver(&mut self, index: u32) {
        self.open.at_mut(index).by = NONE;
    }

    /// A run no longer waits; the wait continues (C1).
    pub(crate) fn detach(&mut self, index: u32) {
        let wait = self.open.at_mut(index);
        let run = std::mem::replace(&mut wait.run, NONE);
        if run != NONE {
            self.link(run, |links| links.own.remove(&index));
        }
    }

    /// Follows a fact, once it was applied.
    #[inline(never)]
    pub(crate) fn follow(&mut self, state: &State, update: WaitUpdate) {
        match update {
            WaitUpdate::Nothing => {}
            WaitUpdate::Ended(task, run) => {
                let waiters = self.links.get_mut(wide(run)).map(|links| std::mem::take(&mut links.waiters)).unwrap_or_default();
                for wait in waiters.iter().copied() {
                    if self.at(wait).idle && state.continues_with_message(task) {
                        self.idling.push((task, wait))
                    } else {
                        self.target_ended(wait)
                    }
                }
                if !self.on_subtrees.is_empty() {
                    self.follow_subtrees(state, task);
                }
            }
            rare @ (WaitUpdate::Retried(..) | WaitUpdate::Queued(_) | WaitUpdate::Dropped(_) | WaitUpdate::StoodStill(_)) => {
                self.follow_rarely(state, rare)
            }
        }
    }

    #[inline(never)]
    fn follow_rarely(&mut self, state: &State, update: WaitUpdate) {
        match update {
            WaitUpdate::Nothing | WaitUpdate::Ended(..) => {}
            WaitUpdate::Retried(task, run) => {
                let number = state.run_of(task).number;
                let waits: Vec<u32> = self.waiters(run).iter().copied().collect();
                for wait in waits {
                    self.retarget(wait, task, number);
                }
                if !self.on_subtrees.is_empty() {
                    self.follow_subtrees(state, task);
                }
            }
            // A wait until the task is idle continues with the newly queued run.
            WaitUpdate::Queued(task) => {
                for wait in self.take_idling(task) {
                    self.retarget(wait, task, state.run_of(task).number);
                    self.link(state.node(task).run, |links| links.waiters.push(wait));
                }
            }
            WaitUpdate::StoodStill(ms) => {
                for index in self.open.indices().collect::<Vec<u32>>() {
                    let wait = self.open.at_mut(index);
                    wait.until = wait.until.map(|until| until.saturating_add(ms));
                    let until = wait.until;
                    self.deadlines.set(Owner::Wait(index), until, 0);
                }
            }
            // If it has no run, it has nothing left to do.
            WaitUpdate::Dropped(task) => {
                if state.node(task).queued_messages() == 0 {
                    for wait in self.take_idling(task) {
                        self.target_ended(wait);
                    }
                }
            }
        }
    }

    fn take_idling(&mut self, task: u32) -> Vec<u32> {
        self.idling.extract_if(.., |(of, _)| *of == task).map(|(_, wait)| wait).collect()
    }

    fn retarget(&mut self, wait: u32, task: u32, number: u32) {
        let wait = self.open.at_mut(wait);
        for target in wait.target.iter_mut().chain(&mut wait.others).filter(|target| target.task.index == task) {
            target.run = number;
        }
    }

    #[inline]
    fn target_ended(&mut self, index: u32) {
        let wait = self.open.at_mut(index);
        wait.outstanding = wait.outstanding.saturating_sub(1);
        if (wait.outstanding == 0 || !wait.all) && !wait.ready {
            wait.ready = true;
            self.ready.push_back(index);
        }
    }

    /// A run of a task is over: it may have been the last run of an awaited subtree above.
    #[inline(never)]
    fn follow_subtrees(&mut self, state: &State, task: u32) {
        for top in ledger::path(&state.tree, task).filter(|at| state.node(*at).open_runs == 0 && state.node(*at).cancelling) {
            let mut at = self.first_on_subtree(top);
            while let Some((_, wait)) = self.on_subtrees.get(at).copied().filter(|(other, _)| *other == top) {
                self.target_ended(wait);
                at = at.saturating_add(1);
            }
        }
    }

    fn first_on_subtree(&self, top: u32) -> usize {
        self.on_subtrees.partition_point(|(other, _)| *other < top)
    }
}

/// The index of a target's run, while the run is queued or open.
fn current(state: &State, target: RunKey) -> Option<u32> {
    let run = state.node(target.task.index).run;
    (state.tree.contains(target.task) && run != NONE && state.runs.at(run).number == target.run).then_some(run)
}
