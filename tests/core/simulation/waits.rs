//! Waits, as requests and facts say. No fact reports that one began or is over: a wait begins with the answer to who asked
//! for it, is left with the run that waits, and is over when the host is notified.
//!
//! Owns what has to have happened for each of these, and compares with what the manager keeps.

use subagents::{Actor, DEFAULT_SESSION, Fact, Input, Key, NONE, Parked, ROOT, Rejection, Reply, Wait, Waits};

use super::model::{Model, WaitFacts};

impl Model {
    /// A wait has begun, for the runs that were the last ones of its targets when it was asked for.
    pub(crate) fn wait_begins(
        &mut self,
        (actor, input): (Actor, &Input),
        reply: &Result<Reply, Rejection>,
        waits: &Waits,
    ) -> Result<(), String> {
        let Ok(Reply::Waiting(key) | Reply::Closing { wait: Some(key), .. }) = reply else { return Ok(()) };
        let kept = waits.open.contains(*key).then(|| waits.at(key.index));
        let (all, idle, subtree) = match input {
            Input::Wait { all, idle, .. } => (*all, *idle, false),
            Input::Cancel { .. } | Input::Close { .. } | Input::CloseSession { .. } => (true, false, true),
            _ => (true, false, false),
        };
        let pinned = |task: &Key| (*task, self.last_run(*task));
        let targets: Vec<(Key, u32)> = match input {
            Input::Wait { targets, .. } => targets.iter().map(pinned).collect(),
            Input::WaitFor { target, .. } => vec![pinned(target)],
            Input::Cancel { task, .. } | Input::Close { task, .. } | Input::CloseSession { session: task, .. } => vec![(*task, 0)],
            // Which runs an interrupt stops, its facts will show.
            _ => kept.map(targets_of).ok_or_else(|| format!("{input:?} was over at once, and waits"))?,
        };
        // What ends everything, or a session, is waited for by the program, whoever asked.
        let everything =
            matches!(input, Input::CloseSession { .. }) || targets.first().is_some_and(|(top, _)| subtree && top.index == ROOT);
        let (waiter, run) = match actor {
            Actor::Run(task, run) if !everything => (task, run),
            Actor::Session(key) if !everything => (key, 0),
            Actor::Program | Actor::Session(_) | Actor::Run(..) => (Key { index: ROOT, generation: 1 }, 0),
        };
        let timed = matches!(input, Input::Wait { timeout_ms: Some(_), .. } | Input::WaitFor { timeout_ms: Some(_), .. });
        let until = kept.and_then(|wait| wait.until);
        ensure!(until.is_none() || timed, "W3: {input:?} ends at {until:?}");
        let over = |(task, run): &&(Key, u32)| !self.runs_still(*task, *run);
        let idle_before = targets.iter().filter(over).copied().collect();
        let listed = matches!(input, Input::Wait { .. });
        let record =
            WaitFacts { waiter, run, all, subtree, listed, idle, targets, until, open: true, told: false, left: false, idle_before };
        ensure!(self.waits.insert(*key, record).is_none(), "wait {key:?} was opened twice");
        Ok(())
    }

    /// A run that is parked for sub-agents says for which: those of a wait of its own.
    pub(super) fn check_parked(&self, task: Key, run: u32, why: Parked, waits_for: &[Key]) -> Result<(), String> {
        let names = |wait: &&WaitFacts| wait.targets.iter().map(|(target, _)| target).eq(waits_for);
        let waits = self.waits.values().filter(|wait| wait.open && (wait.waiter, wait.run) == (task, run)).any(|wait| names(&wait));
        let agrees = if why == Parked::Children { waits } else { waits_for.is_empty() };
        ensure!(agrees, "S1: run {run} of {task:?} is parked ({}) for {waits_for:?}", why.name());
        Ok(())
    }

    /// What a fact means for waits: the run that waits is over (C1), or the process that waited.
    pub(super) fn follow_waits(&mut self, fact: &Fact) {
        match fact {
            Fact::RunEnded { task, run, .. } | Fact::RunRetried { task, run, .. } | Fact::RunReturned { task, run, .. } => {
                let own = |wait: &WaitFacts| wait.open && wait.run != 0 && (wait.waiter, wait.run) == (*task, *run);
                // One that has what it waits for is over before its run is; its host is notified at the end of the step.
                let goes_on = |wait: &WaitFacts| {
                    let targets = wait.targets.iter().filter(|target| wait.all || !wait.idle_before.contains(target)).copied().collect();
                    own(wait) && !self.is_moved(wait) && !self.is_satisfied(&WaitFacts { targets, ..wait.clone() })
                };
                let left: Vec<Key> = self.waits.iter().filter(|(_, wait)| goes_on(wait)).map(|(key, _)| *key).collect();
                for key in left {
                    self.waits.entry(key).and_modify(|wait| wait.left = true);
                }
            }
            Fact::Reopened { .. } => self.waits.clear(),
            _ => {}
        }
    }

    /// Whether a wait of this node has the end of a run that ends now: one for a list has it only when it is over, so that its
    /// caller may give it up until then (W2).
    pub(super) fn has_end(&self, node: Key, of: (Key, u32)) -> bool {
        let inbox = |wait: &WaitFacts| if wait.waiter.index == ROOT { DEFAULT_SESSION } else { wait.waiter.index };
        let is_over = |wait: &WaitFacts| {
            let targets = wait.targets.iter().filter(|target| **target != of).copied().collect();
            !wait.all || self.is_satisfied(&WaitFacts { targets, ..wait.clone() })
        };
        let own = |wait: &&WaitFacts| wait.open && !wait.left && inbox(wait) == node.index && wait.targets.contains(&of);
        self.waits.values().filter(own).any(|wait| !wait.listed || is_over(wait))
    }

    /// Whether a run is queued or open.
    fn runs_still(&self, task: Key, run: u32) -> bool {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.get(&run)).is_some_and(|run| !run.ended)
    }

    /// Whether one of its targets went to the background in this step, which ends it (X3).
    fn is_moved(&self, wait: &WaitFacts) -> bool {
        wait.targets.iter().any(|(task, _)| self.notices.moved.contains(task))
    }

    /// A host is notified that a wait is over: for its targets, its time or its caller's wish (W1, W3).
    pub(crate) fn wait_ends(&mut self, key: Key, timed_out: bool) -> Result<(), String> {
        let Some(record) = self.waits.get_mut(&key).filter(|wait| wait.open) else {
            return Err(format!("W1: wait {key:?} is over, but isn't open"));
        };
        record.open = false;
        let record = record.clone();
        let asked = self.wait_asked == Some(key);
        let satisfied = self.is_moved(&record) || self.is_satisfied(&record);
        if timed_out || (!asked && satisfied) {
            self.notices.answered.push(record.clone());
        }
        ensure!(!timed_out || record.until.is_some_and(|until| until <= self.clock), "S3: a wait timed out early: {record:?}");
        ensure!(timed_out || asked || satisfied, "W1: a wait ended for nothing: {record:?}");
        Ok(())
    }

    /// Compares with what the manager keeps.
    pub(crate) fn compare_waits(&self, waits: &Waits) -> Result<(), String> {
        let open: Vec<_> = self.waits.iter().filter(|(_, wait)| wait.open).collect();
        ensure!(open.len() == waits.open.len() as usize, "{} waits are open, the requests say {}", waits.open.len(), open.len());
        for (key, facts) in open {
            ensure!(waits.open.contains(*key), "W1: {key:?} is lost: {facts:?}");
            let wait = waits.at(key.index);
            let same = (wait.all, wait.subtree, wait.idle, wait.until) == (facts.all, facts.subtree, facts.idle, facts.until)
                && targets_of(wait) == facts.targets
                && (wait.by == NONE) == facts.left
                && (facts.left || wait.by == facts.waiter.index)
                && (wait.run != NONE) == (facts.run != 0 && !facts.left);
            ensure!(same, "W1: {key:?} is {wait:?}, it was asked for as {facts:?}");
        }
        Ok(())
    }
}

fn targets_of(wait: &Wait) -> Vec<(Key, u32)> {
    wait.targets().map(|target| (target.task, target.run)).collect()
}
