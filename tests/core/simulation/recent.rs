//! What turns take, seen a second time from the facts alone: what was reported for each, below each node and by each run, and
//! what the next one is therefore expected to need (B13). Owns these lists, of all turns that ever were, and holds turns to them.

use std::collections::{BTreeMap, BTreeSet};

use subagents::{Amounts, Dimension, Fact, Key, StopReason, UNCAPPED};

use super::model::{Model, minus};
use super::promises::Promises;
use super::rates::has_tokens;

/// What one run has reported of its turns.
#[derive(Clone, Debug, Default)]
struct Told {
    booked: Amounts,
    /// What came since its last turn began, and the turns that it is for.
    since: u64,
    turns: u64,
    own: Vec<u64>,
    /// The number of its last turn.
    last: u64,
    /// It has begun: until then what is booked for it is what a lost host was at.
    has_begun: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    runs: BTreeMap<(Key, u32), Told>,
    /// Runs that say nothing more.
    over: BTreeSet<(Key, u32)>,
    /// By node: what the turns below it took while it had a cap on tokens.
    below: BTreeMap<Key, Vec<u64>>,
    /// By node: how many turns each run below took that completed while it had a cap on tokens or dollars.
    lengths: BTreeMap<Key, Vec<u64>>,
    parents: BTreeMap<Key, Key>,
    /// Something has had a cap, or a rate: before, no turn is measured.
    measures: bool,
    /// The key of each task that has a rate of tokens in a life with rates, and what turns of each took while there were rates.
    keys: BTreeMap<Key, String>,
    of_key: BTreeMap<String, Vec<u64>>,
    has_rates: bool,
}

/// The mean of the last twenty, rounded up, from the second on.
fn mean(turns: &[u64]) -> Option<u64> {
    let last = &turns[turns.len().saturating_sub(20)..];
    let sum: u128 = last.iter().map(|tokens| u128::from(*tokens)).sum();
    (last.len() >= 2).then(|| u64::try_from(sum.div_ceil(last.len() as u128)).unwrap_or(u64::MAX))
}

impl Recent {
    /// What a turn is expected to take where nothing else says it: to be admitted, or as the next one of the run `number`.
    pub(crate) fn expect(&self, (task, parent): (Key, Key), number: Option<u32>, model: &Model) -> Option<u64> {
        let run = number.and_then(|number| self.runs.get(&(task, number)));
        // What was reported since its last turn began is not in the lists yet.
        let latest = run.filter(|run| run.since > 0).map(|run| (run.since / run.turns.max(1)).clamp(1, 1 << 53));
        let with = |turns: &[u64]| mean(&[turns, latest.as_slice()].concat());
        let own = run.filter(|_| model.cap(task).tokens != UNCAPPED).and_then(|run| with(&run.own));
        let capped = |at: &Key| model.cap(*at).tokens != UNCAPPED;
        let above = || std::iter::once(parent).chain(self.above(parent)).filter(capped);
        let near = || above().find_map(|at| self.below.get(&at).and_then(|turns| with(turns)));
        let key = self.keys.get(&task).filter(|_| self.has_rates && number.is_some());
        let under_rate = || key.and_then(|key| self.of_key.get(key)).and_then(|turns| with(turns));
        let mean = own.or_else(near).or_else(under_rate)?;
        Some(if number.is_some() { mean + mean.div_ceil(2) } else { mean })
    }

    fn above(&self, task: Key) -> impl Iterator<Item = Key> + '_ {
        std::iter::successors(self.parents.get(&task).copied(), |at| self.parents.get(at).copied())
    }

    fn close(&mut self, (task, run): (Key, u32), model: &Model) {
        let Some(told) = self.runs.get_mut(&(task, run)) else { return };
        let (since, turns) = (std::mem::take(&mut told.since), told.turns.max(1));
        if since == 0 {
            return;
        }
        told.turns = 0;
        let each = (since / turns).clamp(1, 1 << 53);
        let capped = |at: &Key| model.cap(*at).tokens != UNCAPPED;
        let times = usize::try_from(turns).unwrap_or(20).min(20);
        if capped(&task) {
            told.own.extend(std::iter::repeat_n(each, times));
        }
        if let Some(key) = self.keys.get(&task).filter(|_| self.has_rates) {
            self.of_key.entry(key.clone()).or_default().extend(std::iter::repeat_n(each, times));
        }
        for at in self.above(task).filter(capped).collect::<Vec<_>>() {
            self.below.entry(at).or_default().extend(std::iter::repeat_n(each, times));
        }
    }

    /// Takes a fact; the promises have judged it.
    pub(crate) fn take(&mut self, fact: &Fact, root: Key, model: &Model) {
        // No fact opens the default session.
        self.parents.entry(Key { index: 1, generation: 1 }).or_insert(root);
        self.measures |= matches!(fact, Fact::CapSet { cap, .. } | Fact::TaskAdmitted { cap, .. } if *cap != Amounts::UNCAPPED);
        match fact {
            Fact::RatesSet { rates } => {
                self.has_rates = !rates.is_empty();
                self.measures |= self.has_rates;
            }
            Fact::SessionOpened { task, .. } => {
                self.parents.insert(*task, root);
            }
            Fact::TaskAdmitted { task, parent, spec, .. } => {
                let key = spec.as_ref().and_then(|spec| spec.rate_limit_key.as_ref()).map(ToString::to_string);
                if let Some(key) = key.filter(|key| has_tokens(key)) {
                    self.keys.insert(*task, key);
                }
                self.parents.entry(*parent).or_insert(root);
                self.parents.insert(*task, *parent);
            }
            Fact::RunStarted { task, run, .. } => {
                self.runs.entry((*task, *run)).or_default().has_begun = true;
            }
            Fact::TurnStarted { task, run, turn, .. } if *run != 0 => {
                self.runs.entry((*task, *run)).or_default();
                self.close((*task, *run), model);
                if let Some(told) = self.runs.get_mut(&(*task, *run)) {
                    told.turns += u64::from(self.measures);
                    told.booked.turns += 1;
                    told.last = *turn;
                }
            }
            Fact::RunReported { task, run, usage, reported, .. } if *run != 0 => {
                if self.over.contains(&(*task, *run)) {
                    return;
                }
                // One that is queued still may report, too.
                let told = self.runs.entry((*task, *run)).or_default();
                let more = usage.tokens.saturating_sub(told.booked.tokens);
                if reported.has(Dimension::Tokens) && self.measures {
                    told.since = told.since.saturating_add(more);
                    // It took nothing.
                    told.turns = if told.since == 0 { 0 } else { told.turns };
                }
                // What a lost host had begun is booked, and says nothing of turns.
                if *usage != told.booked && reported.0 == 0 {
                    (told.since, told.turns) = (0, 0);
                }
                told.booked = *usage;
            }
            Fact::RunEnded { task, run, usage, invalid, stop_reason: reason, host_open, .. } => {
                // A manual task may end before it was begun.
                self.runs.entry((*task, *run)).or_default();
                if !host_open {
                    self.ended((*task, *run), usage.tokens, invalid.has(Dimension::Tokens), Some(*reason), model);
                    self.forget((*task, *run));
                }
            }
            Fact::RunRetried { task, run, usage, invalid, stop_reason: reason, .. } => {
                self.ended((*task, *run), usage.tokens, invalid.has(Dimension::Tokens), Some(*reason), model);
                self.forget((*task, *run));
                self.runs.insert((*task, run + 1), Told::default());
            }
            Fact::RunReturned { task, run, usage, invalid, .. } => {
                self.ended((*task, *run), usage.tokens, invalid.has(Dimension::Tokens), None, model);
            }
            Fact::HostReturned { task, run, usage, invalid, .. } => {
                if let Some(usage) = usage {
                    self.ended((*task, *run), usage.tokens, invalid.has(Dimension::Tokens), None, model);
                }
                self.forget((*task, *run));
            }
            // What a host function that was given up says of its usage counts, but says nothing of turns.
            Fact::HostAbandoned { task, run, .. } => {
                self.forget((*task, *run));
            }
            _ => {}
        }
    }

    fn forget(&mut self, run: (Key, u32)) {
        self.runs.remove(&run);
        self.over.insert(run);
    }

    fn ended(&mut self, (task, run): (Key, u32), tokens: u64, invalid: bool, reason: Option<StopReason>, model: &Model) {
        let Some(told) = self.runs.get_mut(&(task, run)) else { return };
        let more = tokens.saturating_sub(told.booked.tokens);
        told.booked.tokens = told.booked.tokens.max(tokens);
        if invalid || reason == Some(StopReason::HostLost) || !told.has_begun {
            return;
        }
        if self.measures {
            told.since = told.since.saturating_add(more);
        }
        self.close((task, run), model);
        let turns = self.runs.get(&(task, run)).map_or(0, |told| told.last);
        if self.measures && turns > 0 && reason == Some(StopReason::Finished) {
            let capped = |at: &Key| model.cap(*at).tokens != UNCAPPED || model.cap(*at).nanos != UNCAPPED;
            for at in self.above(task).filter(capped).collect::<Vec<_>>() {
                self.lengths.entry(at).or_default().push(turns);
            }
        }
    }

    /// The most turns that one of the last twenty runs below a node took which completed, from the second on.
    fn longest(&self, at: Key) -> Option<u64> {
        let all = self.lengths.get(&at)?;
        all[all.len().saturating_sub(20)..].iter().copied().max().filter(|_| all.len() >= 2)
    }
}

impl Promises {
    /// How many tokens a turn of a task is expected to need: the next one of the run `number`, or to be admitted.
    pub(super) fn tokens_of_turn(&self, task: Key, number: Option<u32>, said: Option<u64>, model: &Model) -> u64 {
        let given = said.or_else(|| self.tasks.get(&task).and_then(|task| task.turn_estimate));
        let cap = Some(model.cap(task).tokens).filter(|cap| *cap != UNCAPPED).unwrap_or_else(|| model.least_cap(task));
        let fifth = if cap == UNCAPPED { UNCAPPED } else { (cap / 5).max(1) };
        let usual = || {
            if self.estimate_given {
                return model.limits.turn_estimate;
            }
            let parent = self.tasks.get(&task).map(|record| record.parent);
            let expected = parent.and_then(|parent| self.recent.expect((task, parent), number, model));
            expected.unwrap_or(model.limits.turn_estimate).min(fifth)
        };
        given.unwrap_or_else(usual).max(1)
    }

    /// What last turns are to have of a cap.
    fn kept_for_last(&self, at: Key, model: &Model) -> u64 {
        let open = model.open_and_last(at, |_, _| false).0;
        (model.cap(at).tokens / 10).min(model.limits.wrap_up_tokens.saturating_mul(open))
    }

    /// A turn that keeps the budget of the whole run has all that its task's own cap leaves, or what its run had before, as far as
    /// last turns leave it that (B14).
    pub(super) fn check_whole_turn(&self, (task, run): (Key, u32), turn: u64, reserved: Amounts, model: &Model) -> Result<(), String> {
        let (was_whole, before) = self.held_before;
        let (cap, left) = (model.cap(task).tokens, model.cap(task).minus(model.used(task)).tokens);
        let kept = |at: Key| if turn > 1 { self.kept_for_last(at, model) } else { 0 };
        let is_full = model.rooms_above(task, |at| self.lent_by(at, model)).into_iter().any(|(at, room)| room <= kept(at))
            || (cap != UNCAPPED && left == 0);
        let wants_more = cap != UNCAPPED || (was_whole && reserved.tokens < before.tokens);
        ensure!(
            !wants_more || is_full || reserved.tokens >= 1 << 53,
            "B14: turn {turn} of run {run} of {task:?} holds {reserved:?}, before {before:?}, and {left} are left"
        );
        Ok(())
    }

    /// An ordinary turn holds what it is expected to need; after the first one of its run it leaves the last turns of those that
    /// share a cap with it their part, and a last one leaves the others as much as it takes itself (B13).
    pub(super) fn check_turn(
        &self,
        (task, run): (Key, u32),
        turn: u64,
        is_last: bool,
        reserved: Amounts,
        model: &Model,
    ) -> Result<(), String> {
        let (was_whole, before) = self.held_before;
        let more = minus(reserved, if was_whole { Amounts::ZERO } else { before }).tokens;
        let is_start = self.said.tokens == Some(0);
        if !is_last && !is_start {
            // Where less is left, a turn makes do with what a run is admitted with.
            let needed = |number| self.tokens_of_turn(task, number, self.said.tokens, model).min(1 << 53);
            let (needed, least) = (needed(Some(run)), needed(None));
            let kept = |at: Key| if turn > 1 { self.kept_for_last(at, model) } else { 0 };
            let own_is_full = || model.cap(task).minus(model.used(task)).tokens == 0;
            let is_full =
                || own_is_full() || model.rooms_above(task, |at| self.lent_by(at, model)).into_iter().any(|(at, room)| room <= kept(at));
            ensure!(
                reserved.tokens >= needed || (reserved.tokens >= least && is_full()),
                "B13: a turn of {task:?} holds {reserved:?}, one takes {needed}, or {least} where less is left"
            );
        }
        // What it came back for was judged then.
        if self.runs.get(&(task, run)).is_some_and(|run| run.came_back) {
            return Ok(());
        }
        for (at, room) in model.rooms_above(task, |at| self.lent_by(at, model)) {
            let cap = model.cap(at).tokens;
            let (open, had) = model.open_and_last(at, |other, run| other != task && self.has_had_last(other, run));
            let kept = (cap / 10).min(model.limits.wrap_up_tokens.saturating_mul(open));
            let is_ordinary = !is_last && turn > 1 && cap != UNCAPPED;
            let is_enough = || self.tokens_to_come(at, (task, run), model) <= u128::from(room) + u128::from(more);
            ensure!(
                !is_ordinary || room >= kept || is_enough(),
                "B13: turn {turn} of {task:?} leaves {room} of {cap} at {at:?}, {kept} are for last turns"
            );
            // It itself is to have had none.
            let others = open - had - 1;
            let is_shared = is_last && turn > 1 && cap != UNCAPPED && self.said.tokens != Some(0);
            let fits = !is_shared || u128::from(room) >= u128::from(more) * u128::from(others);
            ensure!(fits, "B13: the last turn of {task:?} takes {more} and leaves {room} at {at:?} for {others} others");
        }
        Ok(())
    }

    /// What the runs at work under a cap are expected to take yet, of which one begins its next turn: each as many turns as the
    /// longest before it did, or, where it asks for more, as many as it may (B13).
    fn tokens_to_come(&self, at: Key, asks: (Key, u32), model: &Model) -> u128 {
        let needed = self.tokens_of_turn(asks.0, Some(asks.1), self.said.tokens, model);
        let each = self.recent.below.get(&at).and_then(|turns| mean(turns)).unwrap_or(needed);
        let longest = self.recent.longest(at);
        let turns = model.open_below(at).map(|(task, number, may)| {
            let Some(run) = self.runs.get(&(task, number)) else { return 0 };
            let is_free = run.stop.is_none() && run.told.is_none_or(|(why, _)| why == StopReason::Timeout);
            let asked = run.turns + u64::from((task, number) == asks || (run.turn_waits && is_free));
            let most = longest.filter(|longest| asked <= *longest).map_or(may, |longest| longest.min(may));
            if run.had_last || run.returned { 0 } else { most.saturating_sub(run.turns) }
        });
        turns.map(u128::from).sum::<u128>() * u128::from(each)
    }

    fn has_had_last(&self, task: Key, run: u32) -> bool {
        self.tasks.get(&task).is_some_and(|task| task.wrapped_up) || self.runs.get(&(task, run)).is_some_and(|run| run.had_last)
    }
}
