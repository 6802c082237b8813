//! What has to hold when a step is over: what was asked for has come, deadlines are kept, a drain goes on. Owns
//! these checks; `promises.rs` keeps the record.

use subagents::{Amounts, Dimension, Effect, Key, Parked, Reading, Rejection, Reply, Usage};

use super::model::Model;
use super::promises::{Asked, Promises, Task, bit, dimensions};

impl Promises {
    pub(crate) fn effect(&mut self, effect: &Effect) {
        if let Effect::AbortRun { task, .. } = effect {
            self.aborted.push(*task);
        }
    }

    /// Ends a step: the model has taken all of it.
    pub(crate) fn end(&mut self, reply: &Result<Reply, Rejection>, model: &Model) -> Result<(), String> {
        if reply.is_ok() {
            self.check_asked(reply, model)?;
        }
        for key in std::mem::take(&mut self.gone) {
            if let Some(run) = self.runs.remove(&key)
                && self.last.get(&key.0).is_none_or(|(last, _)| *last < key.1)
            {
                self.last.insert(key.0, (key.1, run.booked));
            }
        }
        self.check_elsewhere(model)?;
        self.check_deadlines()?;
        self.check_left()?;
        self.check_raised(model)?;
        let late = model.waits.values().find(|wait| wait.open && wait.until.is_some_and(|until| until < self.now));
        ensure!(late.is_none(), "S3: a wait goes on past its deadline at {}: {late:?}", self.now);
        self.check_drain(model)
    }

    /// What a host elsewhere is at stays set aside while its run waits to go on (J3).
    fn check_elsewhere(&self, model: &Model) -> Result<(), String> {
        for ((task, run), open) in &self.elsewhere {
            let held = model.hold(*task, *run);
            ensure!(held == *open && model.outlived, "J3: run {run} of {task:?} waits with {held:?}, its host elsewhere is at {open:?}");
        }
        Ok(())
    }

    /// An end that whoever asked for it can't ask for any more is kept for nobody (L8).
    fn check_left(&self) -> Result<(), String> {
        let for_nobody = |key: &Key, task: &Task| {
            let over = self.ended.get(&task.parent).is_some_and(|(run, _)| *run == task.parent_run)
                // One whose host function has returned has not ended.
                && self.current(task.parent).is_none_or(|run| !run.returned);
            let ended = task.runs > 0 && self.current(*key).is_none();
            over && ended && !task.background && !task.collected && !task.wished
        };
        let left = self.tasks.iter().find(|(key, task)| for_nobody(key, task));
        ensure!(left.is_none(), "L8: an end is kept that nobody can ask for: {left:?}");
        Ok(())
    }

    pub(super) fn check_asked(&self, reply: &Result<Reply, Rejection>, model: &Model) -> Result<(), String> {
        match &self.asked {
            Asked::Nothing | Asked::Forget | Asked::Interrupt { .. } => {}
            Asked::Cancel { task, grace_ms } => {
                let latest = self.now.saturating_add(grace_ms.unwrap_or(model.limits.grace_ms));
                for ((at, number), run) in self.runs.iter().filter(|(key, run)| run.left.is_none() && !self.gone.contains(key)) {
                    let below = at == task || model.is_below(*at, *task);
                    let told = run.open && run.stop.is_some_and(|(_, _, until)| until <= latest);
                    ensure!(!below || told, "C1: run {number} of {at:?} goes on under the cancel of {task:?}: {run:?}");
                }
                for (place, task) in self.aborted.iter().enumerate() {
                    let late = self.aborted.iter().skip(place).find(|other| model.is_below(**other, *task));
                    ensure!(late.is_none(), "C1: {task:?} was aborted before {late:?}, which is below it");
                }
            }
            Asked::Report { task, run, usage, before } => {
                let after = self.runs.get(&(*task, *run)).map_or(*before, |run| run.booked);
                for (dimension, reading) in dimensions(Usage { turns: Reading::Missing, ..*usage }) {
                    let amount = if let Reading::Is(amount) = reading { amount } else { self.priced(dimension, reading).unwrap_or(0) };
                    let expected = before.of(dimension).saturating_add(amount);
                    ensure!(after.of(dimension) == expected, "B6: a report of {usage:?} took {before:?} to {after:?}");
                }
            }
            Asked::MainReport { usage, before } => {
                let after = model.used_by_main_agents();
                for (dimension, reading) in dimensions(Usage { turns: Reading::Missing, ..*usage }) {
                    let amount = if let Reading::Is(amount) = reading { amount } else { self.priced(dimension, reading).unwrap_or(0) };
                    let expected = before.of(dimension).saturating_add(amount);
                    ensure!(after.of(dimension) == expected, "B12: a main agent's report of {usage:?} took {before:?} to {after:?}");
                }
            }
            Asked::Settle { task, run, usage, before, reserved, loans } => {
                let Some(record) = self.runs.get(&(*task, *run)) else { return Ok(()) };
                let mut freed = reserved.minus(record.booked.minus(*before));
                let mut due = Amounts::ZERO;
                for loan in loans.iter().rev() {
                    due = due.plus(loan.least(freed));
                    freed = freed.minus(*loan);
                }
                ensure!(
                    self.returned.lacks(due).is_none(),
                    "B4: {due:?} of {reserved:?} should go back, {:?} did: {loans:?}",
                    self.returned
                );
                for (dimension, reading) in dimensions(*usage) {
                    let (before, held) = (before.of(dimension), reserved.of(dimension));
                    let doubted = record.invalid & bit(dimension) != 0;
                    let (expected, rule) = match reading {
                        _ if let Some(nanos) = self.priced(dimension, reading) => {
                            (self.tokens.divided_anew(before.saturating_add(nanos)), "B11")
                        }
                        Reading::Is(total) => (total.max(self.kept(dimension, (*task, *run), before)), "B6"),
                        Reading::Invalid => (before.saturating_add(held), "B7"),
                        Reading::Missing if doubted => (before.saturating_add(held), "B7"),
                        Reading::Missing => (before, "B7"),
                    };
                    let after = record.booked.of(dimension);
                    ensure!(after == expected, "{rule}: a total of {usage:?} took {before} to {after}, {held} were held: {record:?}");
                }
            }
            Asked::Again { task, run, usage, before } => {
                let after = self.last.get(task).map_or(*before, |(_, booked)| *booked);
                for (dimension, reading) in dimensions(*usage) {
                    let before = before.of(dimension);
                    let expected = match reading {
                        Reading::Is(total) => total.max(self.kept(dimension, (*task, *run), before)),
                        _ => self.priced(dimension, reading).map_or(before, |nanos| self.tokens.divided_anew(before.saturating_add(nanos))),
                    };
                    ensure!(after.of(dimension) == expected, "X4: {usage:?} came again for run {run}: {before} became {after:?}");
                }
            }
            Asked::Wait { outstanding, fresh, all, looks } => {
                let waits = matches!(reply, Ok(Reply::Waiting(_)));
                let asked = matches!(reply, Ok(Reply::NeedsInput));
                let to_wait = *outstanding && (*all || !*fresh);
                ensure!(asked || (matches!(reply, Ok(Reply::NotYet)) == (*looks && to_wait)), "W1: {reply:?} to a look: {:?}", self.asked);
                ensure!(asked || waits == (to_wait && !*looks), "W2: {reply:?} to a wait: {:?}", self.asked);
            }
        }
        Ok(())
    }

    /// What prices have come to in this step for what the host said no dollars of that can be read (B11).
    fn priced(&self, dimension: Dimension, reading: Reading) -> Option<u64> {
        let says_nothing = !matches!(reading, Reading::Is(_));
        (dimension == Dimension::Cost && says_nothing).then(|| self.tokens.now()).flatten()
    }

    /// What stays booked for a run where its host's own total takes the place of what prices had booked. A sum that is too large
    /// for its number stays so.
    fn kept(&self, dimension: Dimension, (task, run): (Key, u32), before: u64) -> u64 {
        let replaced = if dimension == Dimension::Cost && before != u64::MAX { self.tokens.before(task, run) } else { 0 };
        before.saturating_sub(replaced)
    }

    /// Whatever was due has happened (T1, T2, L5).
    pub(super) fn check_deadlines(&self) -> Result<(), String> {
        for (key, run) in self.runs.iter().filter(|(_, run)| run.open && run.left.is_none() && !run.returned) {
            let due = match (run.stop, run.told) {
                (Some((_, _, until)), _) | (None, Some((_, Some(until)))) => Some(until),
                (None, _) => run.due().into_iter().chain(run.silence_due()).min().map(|due| due.max(run.ticked_at)),
            };
            let passed = due.filter(|due| *due < u64::MAX && *due < self.now);
            ensure!(passed.is_none(), "T2: nothing happened to {key:?} at {passed:?}, now it is {}: {run:?}", self.now);
        }
        Ok(())
    }

    /// While a drain goes on, nothing is queued that no run waits for or called for; past its end, all was asked to stop.
    pub(super) fn check_drain(&self, model: &Model) -> Result<(), String> {
        let Some((until, false)) = self.task_drain else { return Ok(()) };
        for ((task, number), run) in self.runs.iter().filter(|(_, run)| run.left.is_none()) {
            let parent = self.tasks.get(task).and_then(|task| self.current(task.parent));
            let waited_for = parent.is_some_and(|parent| parent.returned || parent.parks.contains(Parked::Children.name()))
                || model.is_waited_for(*task, *number)
                || self.is_called_for(*task);
            ensure!(run.open || waited_for || model.stored, "D8: run {number} of {task:?} stays queued in a drain");
            let stops = run.stop.is_some() || (model.stored && (!run.open || run.returned));
            ensure!(until > self.now || stops, "D8: run {number} of {task:?} goes on after the drain's time: {run:?}");
        }
        Ok(())
    }
}
