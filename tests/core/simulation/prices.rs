//! What turns cost, seen a second time from the facts alone: what hosts reported, by run and by the node above, and what a
//! turn is therefore expected to cost (B3). Owns these sums; `promises.rs` holds the manager to them.

use std::collections::BTreeMap;

use subagents::{Dimension, Fact, Key, StopReason, UNCAPPED};

/// What one run has reported of its turns.
#[derive(Clone, Debug, Default)]
struct Told {
    /// Dollars booked for it, in billionths.
    booked: u64,
    /// Those that came since its last turn began, and the turns that they are for.
    since: u64,
    turns: u64,
    /// It reported something, and dollars among it.
    anything: bool,
    dollars: bool,
    dearest: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Prices {
    runs: BTreeMap<(Key, u32), Told>,
    /// By node: the dearest turn below it.
    dearest: BTreeMap<Key, u64>,
    parents: BTreeMap<Key, Key>,
    given: bool,
    asked: bool,
}

/// What a turn is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// No more than what is left: nobody can say better.
    AtMost(u64),
    /// That much.
    Exactly(u64),
}

impl Prices {
    /// What the next turn of a task is expected to cost, of the run `number` where it has begun. `least` is the least cap
    /// on dollars on its path.
    pub(crate) fn expect(&self, task: Key, number: Option<u32>, said: Option<u64>, least: u64, default: u64) -> Expected {
        if let Some(said) = said {
            return Expected::Exactly(said.max(1));
        }
        if self.given {
            return Expected::Exactly(default);
        }
        if least == UNCAPPED {
            return Expected::Exactly(1);
        }
        let own = number.and_then(|number| self.runs.get(&(task, number))).map_or(0, |run| run.dearest);
        if own > 1 {
            return Expected::Exactly(own);
        }
        let known = self.above(task).find_map(|at| self.dearest.get(&at).copied());
        match known {
            Some(known) => Expected::AtMost(known),
            None if number.is_none() && !self.asked => Expected::AtMost(1),
            None => Expected::AtMost(default.min(least / 5)),
        }
    }

    fn above(&self, task: Key) -> impl Iterator<Item = Key> + '_ {
        std::iter::successors(self.parents.get(&task).copied(), |at| self.parents.get(at).copied())
    }

    fn learn(&mut self, task: Key, nanos: u64) {
        for at in self.above(task).collect::<Vec<_>>() {
            let known = self.dearest.entry(at).or_default();
            *known = nanos.max(*known);
        }
    }

    fn paid(&mut self, task: Key, run: u32, nanos: u64) {
        let Some(told) = self.runs.get_mut(&(task, run)).filter(|_| nanos > 0) else { return };
        told.since = told.since.saturating_add(nanos);
        let each = (told.since / told.turns.max(1)).max(1);
        told.dearest = told.dearest.max(each);
        self.learn(task, each);
    }

    /// Takes a fact; the promises have judged it.
    pub(crate) fn take(&mut self, fact: &Fact, root: Key) {
        match fact {
            Fact::LimitSet { limit, .. } => self.given |= **limit == *"turnEstimateUsd",
            Fact::SessionOpened { task, .. } => {
                self.parents.insert(*task, root);
            }
            Fact::TaskAdmitted { task, parent, .. } => {
                self.parents.entry(*parent).or_insert(root);
                self.parents.insert(*task, *parent);
            }
            Fact::RunStarted { task, run, .. } => {
                self.runs.entry((*task, *run)).or_default();
            }
            Fact::TurnDelayed { .. } => self.asked = true,
            Fact::TurnStarted { task, run, .. } if *run != 0 => {
                self.asked = true;
                let told = self.runs.entry((*task, *run)).or_default();
                told.turns = if told.since > 0 { 1 } else { told.turns + 1 };
                told.since = 0;
                if told.anything && !told.dollars {
                    self.learn(*task, 1);
                }
            }
            Fact::RunReported { task, run, usage, reported, .. } if *run != 0 => {
                let Some(told) = self.runs.get_mut(&(*task, *run)) else { return };
                told.anything |= reported.0 != 0;
                told.dollars |= reported.has(Dimension::Cost);
                let paid = usage.nanos.saturating_sub(told.booked);
                told.booked = told.booked.max(usage.nanos);
                if reported.has(Dimension::Cost) {
                    self.paid(*task, *run, paid);
                }
            }
            Fact::RunEnded { task, run, usage, unknown, invalid, stop_reason: reason, host_open: false, .. } => {
                // It may end before it was begun.
                self.runs.entry((*task, *run)).or_default();
                self.ended((*task, *run), usage.nanos, unknown.has(Dimension::Cost), invalid.has(Dimension::Cost), Some(*reason));
                self.runs.remove(&(*task, *run));
            }
            Fact::RunRetried { task, run, usage, unknown, invalid, stop_reason: reason, .. } => {
                self.ended((*task, *run), usage.nanos, unknown.has(Dimension::Cost), invalid.has(Dimension::Cost), Some(*reason));
                self.runs.remove(&(*task, *run));
                self.runs.insert((*task, run + 1), Told::default());
            }
            Fact::RunReturned { task, run, usage, unknown, invalid, .. } => {
                self.ended((*task, *run), usage.nanos, unknown.has(Dimension::Cost), invalid.has(Dimension::Cost), None);
            }
            Fact::HostReturned { task, run, usage, unknown, invalid, .. } => {
                if let Some(usage) = usage {
                    self.ended((*task, *run), usage.nanos, unknown.has(Dimension::Cost), invalid.has(Dimension::Cost), None);
                }
                self.runs.remove(&(*task, *run));
            }
            // What a host function that was given up held is booked, and no price; nor is what it says later.
            Fact::HostAbandoned { task, run, .. } => {
                self.runs.remove(&(*task, *run));
            }
            _ => {}
        }
    }

    fn ended(&mut self, (task, run): (Key, u32), nanos: u64, unknown: bool, invalid: bool, reason: Option<StopReason>) {
        let Some(told) = self.runs.get_mut(&(task, run)) else { return };
        let paid = nanos.saturating_sub(told.booked);
        told.booked = told.booked.max(nanos);
        if invalid || reason == Some(StopReason::HostLost) {
            return;
        }
        if !unknown {
            self.paid(task, run, paid);
        } else if reason == Some(StopReason::Finished) {
            self.learn(task, 1);
        }
    }
}
