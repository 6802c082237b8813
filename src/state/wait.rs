//! A wait: who waits, for which runs, until when. Owns the record and its links to runs; `rules/waiting.rs`
//! decides.

use super::State;
use super::deadlines::Owner;
use crate::base::slab::{Key, NONE};

/// A run that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its task.
    pub task: Key,
    /// Which run; for the settling of a subtree, 0.
    pub run: u32,
}

/// An open wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The node that waits; for the program the root. [`NONE`] where the run that waited is over: nobody is left whom
    /// the wait could tell in the place of a notice.
    pub by: u32,
    /// The waiting run's slot, or [`NONE`] for the program, for sessions, and where the run is over.
    pub run: u32,
    /// Whether every target has to end.
    pub all: bool,
    /// Whether it waits for all that runs under its one target to settle.
    pub subtree: bool,
    /// Whether each target has to have no message left to run.
    pub idle: bool,
    /// Whether it tells of each of its targets.
    pub listed: bool,
    /// The first target.
    pub target: Option<Target>,
    /// The other targets.
    pub others: Vec<Target>,
    /// How many have not ended; of a subtree, 1 until it has settled.
    pub outstanding: u32,
    /// It can be closed.
    pub ready: bool,
    /// When it ends at the latest.
    pub until: Option<u64>,
}

impl Default for Wait {
    fn default() -> Self {
        Self {
            by: NONE,
            run: NONE,
            all: false,
            subtree: false,
            idle: false,
            listed: false,
            target: None,
            others: Vec::new(),
            outstanding: 0,
            ready: false,
            until: None,
        }
    }
}

impl Wait {
    /// All targets.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.target.into_iter().chain(self.others.iter().copied())
    }
}

impl State {
    pub(super) fn target_ended(&mut self, slot: u32) {
        let wait = self.waits.at_mut(slot);
        wait.outstanding = wait.outstanding.saturating_sub(1);
        if (wait.outstanding == 0 || !wait.all) && !wait.ready {
            wait.ready = true;
            self.ready.push_back(slot);
        }
    }

    /// A run that is waited for goes on under another number (X5).
    pub(super) fn retarget(&mut self, slot: u32) {
        let run = self.runs.at(slot);
        let (task, number) = (run.task, run.number);
        let waits: Vec<u32> = run.waiters.iter().copied().collect();
        for wait in waits {
            let wait = self.waits.at_mut(wait);
            for target in wait.target.iter_mut().chain(&mut wait.others).filter(|target| target.task.slot == task) {
                target.run = number;
            }
        }
    }

    /// Nothing runs in a subtree any more.
    pub(super) fn subtree_settled(&mut self, top: u32) {
        let mut at = self.first_settling(top);
        while let Some((_, wait)) = self.settling.get(at).copied().filter(|(other, _)| *other == top) {
            self.target_ended(wait);
            at = at.saturating_add(1);
        }
    }

    fn first_settling(&self, top: u32) -> usize {
        self.settling.partition_point(|(other, _)| *other < top)
    }

    /// Whether a task that ends its run goes on with a message.
    #[must_use]
    pub fn goes_on(&self, slot: u32) -> bool {
        let node = self.node(slot);
        node.undelivered_messages() > 0 && !node.is_held()
    }

    pub(super) fn wait_opened(&mut self, wait: Wait) {
        let until = wait.until;
        let (waiter, subtree) = (wait.run, wait.subtree);
        let slot = self.waits.insert(wait).slot;
        let mut outstanding = 0_u32;
        if subtree {
            let top = self.waits.at(slot).target.map_or(NONE, |target| target.task.slot);
            outstanding = self.node(top).open_runs.min(1);
            let place = self.settling.partition_point(|(other, _)| *other <= top);
            self.settling.insert(place, (top, slot));
        } else {
            let count = self.waits.at(slot).others.len().saturating_add(1);
            for index in 0..count {
                let Some(target) = self.waits.at(slot).targets().nth(index) else { break };
                let run = self.node(target.task.slot).run;
                if self.tree.contains(target.task) && run != NONE && self.runs.at(run).number == target.run {
                    self.runs.at_mut(run).waiters.push(slot);
                    outstanding = outstanding.saturating_add(1);
                }
            }
        }
        self.waits.at_mut(slot).outstanding = outstanding;
        if waiter != NONE {
            let run = self.runs.at_mut(waiter);
            run.waits.push(slot);
        }
        self.deadlines.set(Owner::Wait(slot), until);
    }

    /// The next run of a task is queued: those who wait until nothing is left for it to do wait for that one.
    pub(super) fn wait_on(&mut self, task: u32, number: u32, run: u32) {
        for (_, wait) in self.idling.extract_if(.., |(of, _)| *of == task).collect::<Vec<_>>() {
            let record = self.waits.at_mut(wait);
            for target in record.target.iter_mut().chain(&mut record.others).filter(|target| target.task.slot == task) {
                target.run = number;
            }
            self.runs.at_mut(run).waiters.push(wait);
        }
    }

    /// The messages of a task that has no run were dropped: nothing is left for it to do.
    pub(super) fn nothing_left(&mut self, task: u32) {
        for (_, wait) in self.idling.extract_if(.., |(of, _)| *of == task).collect::<Vec<_>>() {
            self.target_ended(wait);
        }
    }

    /// The run that waited is over; the wait goes on (C1).
    pub(super) fn wait_left(&mut self, slot: u32) {
        let wait = self.waits.at_mut(slot);
        wait.by = NONE;
        let run = std::mem::replace(&mut wait.run, NONE);
        if run != NONE {
            self.runs.at_mut(run).waits.remove(&slot);
        }
    }

    pub(super) fn wait_closed(&mut self, slot: u32) {
        self.deadlines.set(Owner::Wait(slot), None);
        if !self.waits.holds(slot) {
            return;
        }
        self.idling.retain(|(_, wait)| *wait != slot);
        let wait = std::mem::take(self.waits.at_mut(slot));
        self.waits.remove(slot);
        if wait.ready {
            // Nearly always the first: they are closed in this order.
            let place = self.ready.iter().position(|other| *other == slot);
            self.ready.remove(place.unwrap_or(usize::MAX));
        }
        if wait.subtree {
            let top = wait.target.map_or(NONE, |target| target.task.slot);
            let first = self.first_settling(top);
            if let Some(place) = self.settling.iter().skip(first).position(|entry| *entry == (top, slot)) {
                self.settling.remove(first.saturating_add(place));
            }
        } else if wait.outstanding > 0 {
            for target in wait.targets() {
                let run = self.node(target.task.slot).run;
                if run != NONE {
                    self.runs.at_mut(run).waiters.remove(&slot);
                }
            }
        }
        if wait.run != NONE {
            self.runs.at_mut(wait.run).waits.remove(&slot);
        }
    }
}
