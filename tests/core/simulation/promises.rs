//! What the rules promise of each step, beside the sums of `model.rs`: what was asked for, and what came of
//! it. Made from the inputs, the facts and the effects; it reads no number that the manager keeps.
//!
//! Owns its own record of each run that is alive. `world.rs` reports every step to it.

use std::collections::{BTreeMap, BTreeSet};

use subagents::{
    Actor, Amounts, Answer, DEFAULT_SESSION, Dimension, Estimate, Fact, Input, Key, Loan, Mode, Nanos, NewNotice, OnHostLost, OnParentEnd,
    Parked, Reading, Returned, Status, StopReason, UNCAPPED, Usage,
};

use super::model::{Model, Place, WaitFacts};
use super::parts::Part;
use super::prices::{Expected, Prices};
use super::rates::Schedule;
use super::recent::Recent;
use super::tokens::Tokens;

/// No priority puts work that only waited before what had begun (J3).
const FOREMOST: i64 = 1 - (1 << 52);

/// A task, as far as `model.rs` does not keep it.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) parent: Key,
    /// The run above that it works for; 0 where none does.
    pub(super) parent_run: u32,
    pub(super) background: bool,
    /// It ends with a good end of its parent's run (C3).
    pub(super) ends_along: bool,
    priority: i64,
    pub(super) turn_estimate: Option<u64>,
    /// What its spawn said that a turn costs, in nano-dollars.
    turn_price: Option<u64>,
    /// It had its wrap-up turn.
    pub(super) wrapped_up: bool,
    /// Whoever it is for has its last end.
    pub(super) collected: bool,
    /// Its last end was a cancel.
    pub(super) cancelled: bool,
    /// Its last end was somebody's wish, who has it with the answer.
    pub(super) wished: bool,
    /// Its last run.
    pub(super) runs: u32,
}

/// A run from its being queued until its host function has returned.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// When it came to the queue, and its rank, until it starts.
    pub(super) queued: Option<(u64, i64)>,
    pub(super) open: bool,
    /// Its host function returned; it waits for sub-agents, without a deadline (C3).
    pub(super) returned: bool,
    pub(super) booked: Amounts,
    pub(super) whole: bool,
    /// What a host elsewhere was at when its message was tried again, as far as that isn't reported.
    pub(super) left_open: Amounts,
    /// Something was booked for it in the fact that is being taken.
    just_booked: bool,
    /// What it borrowed of which run, the first loan first.
    pub(super) loans: Vec<(Key, u32, Amounts)>,
    /// Its host took turns, or reported: each dimension a bit.
    pub(super) turns: u64,
    /// An attempt before it took turns.
    pub(super) takes_turns: bool,
    /// It goes on with a lost one's message, and what that had called may have begun before it.
    goes_on: bool,
    pub(super) reported: u32,
    pub(super) invalid: u32,
    pub(super) max_ms: u64,
    pub(super) idle_ms: u64,
    pub(super) started_at: u64,
    pub(super) parks: BTreeSet<&'static str>,
    /// How long its clock has stood still, and since when it does.
    pub(super) still_ms: u64,
    pub(super) still_since: Option<u64>,
    /// When its clocks were last looked at: what was due before, but stood still then, is due from there.
    pub(super) ticked_at: u64,
    /// Since when it is silent, once it has reported; parked it is not.
    pub(super) heard: bool,
    pub(super) silent_since: Option<u64>,
    /// Tools that it uses.
    pub(super) tools: u32,
    /// A policy finished it: that end is a good one.
    pub(super) finished: bool,
    pub(super) told: Option<(StopReason, Option<u64>)>,
    pub(super) stop: Option<(StopReason, Status, u64)>,
    pub(super) elsewhere: bool,
    /// What it held and had booked when it ended without its host.
    pub(super) left: Option<(Amounts, Amounts)>,
    /// A turn of it waits for a slot or for budget; it has come back for one.
    pub(super) turn_waits: bool,
    pub(super) came_back: bool,
    /// It has had its last turn.
    pub(super) had_last: bool,
}

impl Run {
    /// What counts as used of what it holds, where its host is lost, as it ends and as its message is tried `again`. One that
    /// takes turns, and has begun none of this attempt, has used nothing that it hasn't reported, and of that only what can't be
    /// read counts as the hold (B7). Of one that takes no turns nothing is known, and its next attempt has what it held.
    fn used_of(&self, reserved: Amounts, again: bool) -> Amounts {
        let has_begun_none = self.takes_turns && self.turns == 0;
        if !self.whole || !(has_begun_none || again) || self.left.is_some() {
            return reserved;
        }
        self.unread(reserved)
    }

    /// The part of a hold whose last report can't be read.
    fn unread(&self, reserved: Amounts) -> Amounts {
        let of = |dimension, amount| if self.invalid & bit(dimension) == 0 { 0 } else { amount };
        Amounts {
            tokens: of(Dimension::Tokens, reserved.tokens),
            nanos: of(Dimension::Cost, reserved.nanos),
            turns: of(Dimension::Turns, reserved.turns),
        }
    }

    fn owe(&mut self, lender: (Key, u32), amount: Amounts) {
        match self.loans.iter_mut().find(|loan| (loan.0, loan.1) == lender) {
            Some(loan) => loan.2 = loan.2.plus(amount),
            None => self.loans.push((lender.0, lender.1, amount)),
        }
    }

    fn owe_less(&mut self, lender: (Key, u32), amount: Amounts) {
        for loan in self.loans.iter_mut().filter(|loan| (loan.0, loan.1) == lender) {
            loan.2 = loan.2.minus(amount);
        }
    }
}

/// What an input asked for, as it was before.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    Nothing,
    /// A cancel, and the longest grace that it may give.
    Cancel {
        task: Key,
        grace_ms: Option<u64>,
    },
    /// A report of a run, and what had been booked for it.
    Report {
        task: Key,
        run: u32,
        usage: Usage,
        before: Amounts,
    },
    /// A main agent reported; so much had been booked for all of them.
    MainReport {
        usage: Usage,
        before: Amounts,
    },
    /// The end of a host function.
    Settle {
        task: Key,
        run: u32,
        usage: Usage,
        before: Amounts,
        reserved: Amounts,
        /// Its loans whose lenders still lend.
        loans: Vec<Amounts>,
    },
    /// Another result of a task's last run, which is gone, and what had been booked for it.
    Again {
        task: Key,
        run: u32,
        usage: Usage,
        before: Amounts,
    },
    Wait {
        outstanding: bool,
        fresh: bool,
        looks: bool,
        all: bool,
    },
    Forget,
    /// The run that is interrupted.
    Interrupt {
        task: Key,
        run: u32,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Promises {
    pub(super) tasks: BTreeMap<Key, Task>,
    pub(super) runs: BTreeMap<(Key, u32), Run>,
    pub(super) asked: Asked,
    /// The latest time there was.
    pub(super) now: u64,
    pub(super) sessions: u64,
    pub(super) estimate_given: bool,
    pub(super) prices: Prices,
    pub(super) recent: Recent,
    pub(super) tokens: Tokens,
    pub(super) schedule: Schedule,
    /// What the host said that the turn needs which it asks for.
    pub(super) said: Estimate,
    /// What the run held for its turns that asks for one.
    pub(super) held_before: (bool, Amounts),
    /// The turn that is asked for is to keep the budget of the whole run.
    pub(super) wants_whole: bool,
    pub(super) task_drain: Option<(u64, bool)>,
    /// Since when age counts as it does: what was queued before has its rank by another measure.
    pub(super) ages_since: Option<u64>,
    /// In this step: runs that ended, and whether they ended well; runs that were aborted, in order.
    pub(super) ended: BTreeMap<Key, (u32, bool)>,
    pub(super) aborted: Vec<Key>,
    /// In this step: runs that were interrupted, each with its rank where it was queued, with none where it had begun.
    interrupted: BTreeMap<(Key, u32), Option<i64>>,
    /// What went back to lenders.
    pub(super) returned: Amounts,
    /// Notices: whose they are, and in which step a turn was given them.
    pub(super) notices: BTreeMap<(Key, u32), (Key, Option<u64>)>,
    /// Those that a wait is to hand over, or was.
    awaited: BTreeSet<(Key, u32)>,
    pub(super) step: u64,
    /// Runs that are gone at the end of the step.
    pub(super) gone: Vec<(Key, u32)>,
    /// The last run of each task that is gone, and what was booked for it.
    pub(super) last: BTreeMap<Key, (u32, Amounts)>,
    /// What each run counts as having used whose process was lost, as it ends and as it is tried again; empty in every other
    /// step (J3).
    pub(super) lost: BTreeMap<(Key, u32), (Amounts, Amounts)>,
    /// The host function that ends in this step says that its result is a part (L3).
    says_incomplete: bool,
    /// What the hosts of lost runs were at, whose messages are queued again: of hosts that are gone, and of ones elsewhere that go
    /// on, until they report again.
    pub(super) open: BTreeMap<(Key, u32), Amounts>,
    pub(super) elsewhere: BTreeMap<(Key, u32), Amounts>,
    /// Runs that are about to end, since a sub-agent was ended with them.
    pub(super) end_with_theirs: BTreeSet<(Key, u32)>,
    /// Queued runs that go on with what a lost one had begun: in which step that was lost, and whether it held a slot. And those of
    /// messages that interrupted a run.
    pub(super) begun: BTreeMap<(Key, u32), (u64, bool)>,
    /// Those that a drain has stopped, until they are queued.
    pub(super) handed_on: BTreeSet<(Key, u32)>,
}

pub(super) fn dimensions(usage: Usage) -> [(Dimension, Reading); 3] {
    [(Dimension::Tokens, usage.tokens), (Dimension::Cost, usage.nanos), (Dimension::Turns, usage.turns)]
}

pub(super) const fn bit(dimension: Dimension) -> u32 {
    match dimension {
        Dimension::Tokens => 1,
        Dimension::Cost => 2,
        Dimension::Turns => 4,
    }
}

impl Promises {
    pub(crate) fn new() -> Self {
        Self {
            tasks: BTreeMap::new(),
            runs: BTreeMap::new(),
            asked: Asked::Nothing,
            now: 0,
            sessions: 1,
            estimate_given: false,
            prices: Prices::default(),
            recent: Recent::default(),
            tokens: Tokens::default(),
            schedule: Schedule::default(),
            said: Estimate::default(),
            held_before: (false, Amounts::ZERO),
            wants_whole: false,
            task_drain: None,
            ages_since: None,
            ended: BTreeMap::new(),
            aborted: Vec::new(),
            interrupted: BTreeMap::new(),
            returned: Amounts::ZERO,
            notices: BTreeMap::new(),
            awaited: BTreeSet::new(),
            step: 0,
            gone: Vec::new(),
            last: BTreeMap::new(),
            lost: BTreeMap::new(),
            says_incomplete: false,
            open: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            end_with_theirs: BTreeSet::new(),
            begun: BTreeMap::new(),
            handed_on: BTreeSet::new(),
        }
    }

    /// Begins a step, before the manager gets it.
    pub(crate) fn begin(&mut self, now: u64, actor: Actor, input: &Input, model: &Model) {
        self.now = self.now.max(now);
        self.tokens.begin();
        self.ended.clear();
        self.aborted.clear();
        self.interrupted.clear();
        self.returned = Amounts::ZERO;
        self.lost.clear();
        self.end_with_theirs.clear();
        self.step += 1;
        self.says_incomplete = matches!(input, Input::HostReturned { outcome, .. } if outcome.returned == Returned::Incomplete);
        self.wants_whole = matches!(input, Input::BeginTurn { whole: true, .. });
        self.said = if let Input::BeginTurn { estimate, .. } = input { *estimate } else { Estimate::default() };
        self.held_before = match actor {
            Actor::Run(task, run) => self.runs.get(&(task, run)).map_or((false, Amounts::ZERO), |it| (it.whole, model.hold(task, run))),
            Actor::Program | Actor::Session(_) => (false, Amounts::ZERO),
        };
        let booked = |task: &Key, run: &u32| self.runs.get(&(*task, *run)).map(|run| run.booked);
        self.asked = match (input, actor) {
            (Input::Cancel { task, grace_ms, .. }, _) => Asked::Cancel { task: *task, grace_ms: *grace_ms },
            (Input::Report { usage, .. }, Actor::Run(task, run)) => match booked(&task, &run) {
                Some(before) => Asked::Report { task, run, usage: *usage, before },
                None => Asked::Nothing,
            },
            (Input::Report { usage, .. }, _) => Asked::MainReport { usage: *usage, before: model.used_by_main_agents() },
            // What its host had begun counts as used, as where that is lost with its process.
            (Input::HostReturned { task, run, outcome }, _) if outcome.returned == Returned::Lost => {
                let usage = self.runs.get(&(*task, *run)).and_then(|record| Self::lost_usage((*task, *run), record, model));
                self.lost.extend(usage.map(|usage| ((*task, *run), usage)));
                Asked::Nothing
            }
            (Input::HostReturned { task, run, outcome }, _) => match booked(task, run) {
                Some(before)
                    if !matches!(model.place(*task, *run), Some(Place::Queued | Place::Backoff { .. }))
                        && !model.has_returned(*task, *run) =>
                {
                    let reserved = model.hold(*task, *run);
                    Asked::Settle { task: *task, run: *run, usage: outcome.usage, before, reserved, loans: self.loans(*task, *run) }
                }
                Some(_) => Asked::Nothing,
                None => match self.last_gone(task) {
                    Some((last, before)) if last == *run && self.tasks.contains_key(task) => {
                        Asked::Again { task: *task, run: *run, usage: outcome.usage, before }
                    }
                    _ => Asked::Nothing,
                },
            },
            (Input::Wait { targets, all, timeout_ms, .. }, _) => self.asked_to_wait(actor, targets, *all, *timeout_ms == Some(0)),
            (Input::WaitFor { target, timeout_ms }, _) => self.asked_to_wait(actor, &[*target], true, *timeout_ms == Some(0)),
            (Input::Forget(_), _) => Asked::Forget,
            (Input::Interrupt { task, .. } | Input::Send { task, mode: Mode::Interrupt, .. }, _) => {
                self.current_key(*task).map_or(Asked::Nothing, |(task, run)| Asked::Interrupt { task: *task, run: *run })
            }
            _ => Asked::Nothing,
        };
    }

    /// The step that begins is that of a manager opened from its facts. It knows the time of the last one.
    pub(crate) fn reopen(&mut self, now: u64, model: &Model) {
        self.now = now;
        self.lost = self.runs.iter().filter_map(|(key, run)| Some((*key, Self::lost_usage(*key, run, model)?))).collect();
        self.open.clear();
        if !model.outlived {
            return;
        }
        // Hosts elsewhere report what they are at: only what can't be read is booked, as the hold (B7).
        for (key, (_, again)) in &mut self.lost {
            let Some(run) = self.runs.get(key) else { continue };
            let held = model.hold(key.0, key.1);
            let begun = if run.whole { Amounts::ZERO } else { model.beside_turn(key.0, key.1).map_or(held, |beside| held.least(beside)) };
            let unread = run.unread(held);
            *again = run.booked.plus(unread);
            self.open.insert(*key, begun.minus(unread));
        }
    }

    /// What a run counts as having used whose host is lost now, as it ends and as it is tried again.
    fn lost_usage((task, number): (Key, u32), run: &Run, model: &Model) -> Option<(Amounts, Amounts)> {
        let in_flight = run.open && (!run.returned || run.left.is_some());
        let held = model.hold(task, number);
        // It has come back for a turn, and may not have begun it: of what is set aside for that nothing is used.
        let begun = model.beside_turn(task, number).map_or(held, |beside| held.zip(beside, u64::min));
        in_flight.then(|| (run.booked.plus(run.used_of(held, false)), run.booked.plus(run.used_of(begun, true))))
    }

    fn asked_to_wait(&self, actor: Actor, targets: &[Key], all: bool, looks: bool) -> Asked {
        let inbox = match actor {
            Actor::Program => Key { index: DEFAULT_SESSION, generation: 1 },
            Actor::Session(key) | Actor::Run(key, _) => key,
        };
        let works = |target: &Key| self.current(*target).is_some();
        // Whom its notice is for, or who started it (W4).
        let is_for =
            |task: &Key, record: &Task| self.notices.get(&(*task, record.runs)).map_or(record.parent, |(owner, _)| *owner) == inbox;
        let fresh = |target: &Key| !works(target) && self.tasks.get(target).is_some_and(|task| !task.collected && is_for(target, task));
        Asked::Wait { outstanding: targets.iter().any(works), fresh: targets.iter().any(fresh), all, looks }
    }

    /// The queued or open run of a task.
    pub(super) fn current(&self, task: Key) -> Option<&Run> {
        self.runs.get(self.current_key(task)?)
    }

    /// The run of a task that has started and not ended, with its number. One that has ended while its host function
    /// goes on waits for no work any more (A1).
    fn open_run(&self, task: Key) -> Option<(u32, &Run)> {
        let key = self.current_key(task)?;
        self.runs.get(key).filter(|run| run.open).map(|run| (key.1, run))
    }

    fn current_key(&self, task: Key) -> Option<&(Key, u32)> {
        let mut runs = self.runs.range((task, 0)..=(task, u32::MAX));
        runs.find(|(key, run)| run.left.is_none() && !self.gone.contains(key)).map(|(key, _)| key)
    }

    /// Whether the end of a run has reached whom it is for; a later run is what counts.
    fn collect(&mut self, task: Key, run: u32, collected: bool) {
        if self.current_key(task).is_none()
            && let Some(task) = self.tasks.get_mut(&task).filter(|task| task.runs == run)
        {
            task.collected = collected;
        }
    }

    fn loans(&self, task: Key, run: u32) -> Vec<Amounts> {
        let lends = |key: (Key, u32)| self.runs.get(&key).is_some_and(|lender| lender.open && lender.whole && lender.left.is_none());
        let loans = self.runs.get(&(task, run)).map(|run| run.loans.as_slice()).unwrap_or_default();
        loans.iter().filter(|(of, number, _)| lends((*of, *number))).map(|(_, _, amount)| *amount).collect()
    }

    /// What others have of a run that lends no more, and that it had borrowed itself, they owe to its lenders; not what
    /// it has just taken (B4).
    fn stop_lending(&mut self, lender: (Key, u32), taken: &[Loan]) {
        let lends = |key: &(Key, u32)| self.runs.get(key).is_some_and(|run| run.open && run.whole && run.left.is_none());
        let own = self.runs.get(&lender).map(|run| run.loans.clone()).unwrap_or_default();
        let mut own: Vec<((Key, u32), Amounts)> = own.iter().map(|loan| ((loan.0, loan.1), loan.2)).filter(|(of, _)| lends(of)).collect();
        for Loan { lender, run, amount } in taken {
            for (_, open) in own.iter_mut().filter(|(of, _)| *of == (*lender, *run)) {
                *open = open.minus(*amount);
            }
        }
        if own.is_empty() {
            return;
        }
        for at in self.runs.keys().copied().collect::<Vec<_>>() {
            for (of, open) in &mut own {
                let Some(run) = self.runs.get_mut(&at) else { continue };
                let owed = run.loans.iter().find(|loan| (loan.0, loan.1) == lender).map_or(Amounts::ZERO, |loan| loan.2);
                let moved = owed.least(*open);
                *open = open.minus(moved);
                if moved != Amounts::ZERO {
                    run.owe_less(lender, moved);
                    run.owe(*of, moved);
                    if let Some(run) = self.runs.get_mut(&lender) {
                        run.owe_less(*of, moved);
                    }
                }
            }
        }
    }

    /// The last run of a task, if it is gone, and what was booked for it.
    pub(super) fn last_gone(&self, task: &Key) -> Option<(u32, Amounts)> {
        self.last.get(task).copied().filter(|(last, _)| !self.runs.keys().any(|(at, run)| at == task && run > last))
    }

    fn run(&mut self, task: Key, run: u32) -> Result<&mut Run, String> {
        self.runs.get_mut(&(task, run)).ok_or_else(|| format!("L2: run {run} of {task:?} is not alive"))
    }

    /// Takes one thing that a fact says; the model has not taken it yet.
    pub(crate) fn take(&mut self, at: u64, part: &Part<'_>, model: &Model) -> Result<(), String> {
        self.now = self.now.max(at);
        match part {
            Part::EndCollected { task } => {
                if let Some(task) = self.tasks.get_mut(task) {
                    task.collected = true;
                }
            }
            Part::NoticeMade { task, run, notice: NewNotice { to, acked, awaited, .. } } => {
                if *awaited {
                    self.awaited.insert((*task, *run));
                }
                if !acked {
                    self.notices.insert((*task, *run), (*to, None));
                }
                if let Some(task) = self.tasks.get_mut(task) {
                    task.collected |= acked;
                }
            }
            Part::NoticeLeased { task, run, until, .. } => {
                self.awaited.remove(&(*task, *run));
                if let Some(notice) = self.notices.get_mut(&(*task, *run)) {
                    notice.1 = until.is_none().then_some(self.step);
                }
                self.collect(*task, *run, true);
            }
            Part::NoticeAcked { task, run } => {
                self.notices.remove(&(*task, *run));
                self.collect(*task, *run, true);
            }
            Part::NoticeAwaited { task, run } => {
                self.awaited.insert((*task, *run));
                self.collect(*task, *run, true);
            }
            Part::NoticeRerouted { task, run, to } => {
                self.awaited.remove(&(*task, *run));
                self.notices.insert((*task, *run), (*to, None));
                self.collect(*task, *run, false);
            }
            Part::NoticeReturned { task, run } | Part::NoticeSetAside { task, run } => {
                self.awaited.remove(&(*task, *run));
                if let Some(notice) = self.notices.get_mut(&(*task, *run)) {
                    notice.1 = None;
                }
                self.collect(*task, *run, false);
            }
            Part::TaskClosed { task, reason } | Part::Said(Fact::TaskEnded { task, stop_reason: reason, .. }) => {
                if let Some(task) = self.tasks.get_mut(task) {
                    task.wished = reason.is_cancel_or_close();
                }
            }
            Part::Said(fact) => self.take_said(at, fact, model)?,
            Part::Parked { task, run, why, .. } => {
                let record = self.run(*task, *run)?;
                if *why != Parked::Reentry {
                    record.parks.remove(Parked::Reentry.name());
                }
                record.parks.insert(why.name());
                record.tick(at);
            }
            Part::Unparked { task, run, why } => {
                let record = self.run(*task, *run)?;
                record.parks.remove(why.name());
                record.tick(at);
            }
            Part::RunQueued { task, run, rank, .. } => self.queued(*task, *run, *rank, model)?,
            Part::AttemptQueued { task, run, rank } => self.attempt_queued(at, (*task, *run), *rank, model)?,
            Part::HoldChanged { task, run, reserved, whole } => {
                let reports = matches!(self.asked, Asked::Report { .. });
                let record = self.run(*task, *run)?;
                record.whole = whole.unwrap_or(record.whole);
                // A report that comes after the end needs part of the hold no more.
                if record.left.is_some() && reports {
                    record.left = Some((*reserved, record.booked));
                }
            }
            Part::HoldLent { task, run, borrower, amount } => {
                let lender = self.run(*task, *run)?;
                ensure!(lender.whole && lender.open, "B4: what {task:?} holds is not for its whole run");
                let borrower = *self.current_key(*borrower).ok_or("B4: nobody borrows")?;
                self.run(borrower.0, borrower.1)?.owe((*task, *run), *amount);
            }
            Part::SetsAside { .. } => {}
            Part::StopsLending { task, run, taken } => self.stop_lending((*task, *run), taken),
            Part::HoldReturned { task, run, borrower, borrower_run, amount } => {
                let lender = self.run(*task, *run)?;
                ensure!(lender.whole && lender.open, "B4: what {task:?} holds is not for its whole run");
                let (as_it_ends, again) = (lender.used_of(*amount, false), lender.used_of(*amount, true));
                // What a lost run comes back to before its own end is judged is held by it then.
                if let Some(used) = self.lost.get_mut(&(*task, *run)) {
                    *used = (used.0.plus(as_it_ends), used.1.plus(again));
                }
                self.returned = self.returned.plus(*amount);
                self.run(*borrower, *borrower_run)?.owe_less((*task, *run), *amount);
            }
            Part::UsageBooked { task, run, amount } => {
                let booked = match self.runs.get_mut(&(*task, *run)) {
                    Some(record) => {
                        record.just_booked = true;
                        &mut record.booked
                    }
                    None => match self.last.get_mut(task) {
                        Some((last, booked)) if last == run => booked,
                        _ => return Err(format!("X4: something was booked for run {run} of {task:?}, which is not the last one")),
                    },
                };
                *booked = booked.plus(*amount);
            }
            Part::PricesGivenBack { task, run, nanos } => {
                match self.runs.get_mut(&(*task, *run)) {
                    Some(record) => record.booked.nanos -= nanos,
                    None => {
                        let (_, booked) = self.last.get_mut(task).ok_or("B11: what prices booked came back to no run")?;
                        booked.nanos -= nanos;
                    }
                }
                self.tokens.give_back(*task, *run, *nanos)?;
            }
            Part::UsageReported { task, run, reported, invalid } => {
                // A host that is gone after all reports nothing: what it was at counts as used, as far as anything caps it.
                if let Some(open) = self.elsewhere.get(&(*task, *run)).copied().filter(|_| !model.outlived) {
                    let capped = |cap: u64, amount: u64| if cap == UNCAPPED { 0 } else { amount };
                    let tokens = capped(model.least_cap(*task), open.tokens);
                    let used = Amounts { tokens, nanos: capped(model.least_dollars(*task), open.nanos), ..open };
                    let booked = self.run(*task, *run)?.booked;
                    ensure!(booked == used, "J3: {task:?} was at {open:?}, booked {booked:?}");
                    self.elsewhere.remove(&(*task, *run));
                }
                let record = self.run(*task, *run)?;
                record.left = record.left.map(|_| (model.hold(*task, *run), record.booked));
                if std::mem::take(&mut record.just_booked) || *reported != 0 {
                    record.left_open = Amounts::ZERO;
                }
                record.reported |= reported;
                record.invalid = (record.invalid & !reported) | invalid;
                record.hear(at);
            }
            Part::WrapUpSpent { task } => {
                let task = self.tasks.get_mut(task).ok_or("B8: no task")?;
                ensure!(!std::mem::replace(&mut task.wrapped_up, true), "B8: a second wrap-up turn: {task:?}");
            }
            Part::WrapUpRequested { task, run, reason, until } => self.told_to_wrap_up(at, (*task, *run), *reason, *until, model)?,
            _ => {}
        }
        Ok(())
    }

    fn told_to_wrap_up(
        &mut self,
        at: u64,
        (task, run): (Key, u32),
        reason: StopReason,
        until: Option<u64>,
        model: &Model,
    ) -> Result<(), String> {
        let grace_ms = model.limits.grace_ms;
        let record = self.run(task, run)?;
        if reason == StopReason::Timeout {
            let due = record.due();
            ensure!(due.is_some_and(|due| at >= due), "T1: told to wrap up at {at}, due at {due:?}: {record:?}");
            ensure!(until == Some(at.saturating_add(grace_ms)), "T1: the grace ends at {until:?}, told at {at}");
        }
        record.told = Some((reason, until.or(record.told.and_then(|(_, until)| until))));
        Ok(())
    }

    /// The process stood still, and no deadline counts that (T4). What waits for its start has none.
    fn stood_still(&mut self, ms: u64) {
        let later = |at: &mut u64| *at = at.saturating_add(ms);
        for run in self.runs.values_mut().filter(|run| run.open) {
            if run.still_since.is_none() {
                later(&mut run.still_ms);
            }
            run.silent_since.iter_mut().for_each(later);
            run.told.iter_mut().filter_map(|(_, until)| until.as_mut()).for_each(later);
            run.stop.iter_mut().for_each(|(_, _, until)| later(until));
        }
        self.task_drain.iter_mut().for_each(|(until, _)| later(until));
    }

    fn take_said(&mut self, at: u64, fact: &Fact, model: &Model) -> Result<(), String> {
        match fact {
            Fact::LimitSet { limit, .. } => {
                self.estimate_given |= **limit == *"turnEstimate";
                if **limit == *"ageingMs" {
                    self.ages_since = Some(at);
                }
            }
            Fact::SessionOpened { .. } => {
                self.sessions += 1;
                let limit = model.limits.max_sessions;
                ensure!(self.sessions <= limit, "D1: {} sessions are open, maxSessions is {limit}", self.sessions);
            }
            Fact::TaskAdmitted { task, parent, parent_run, background, spec, .. } => {
                let record = Task {
                    parent: *parent,
                    parent_run: *parent_run,
                    background: *background,
                    ends_along: spec.as_ref().and_then(|spec| spec.on_parent_end) == Some(OnParentEnd::Cancel),
                    priority: spec.as_ref().and_then(|spec| spec.priority).unwrap_or(0),
                    turn_estimate: spec.as_ref().and_then(|spec| spec.turn_estimate),
                    turn_price: spec.as_ref().and_then(|spec| spec.turn_estimate_usd).map(|Nanos(nanos)| nanos),
                    wrapped_up: false,
                    collected: true,
                    cancelled: false,
                    wished: false,
                    runs: 0,
                };
                self.tasks.insert(*task, record);
            }
            Fact::SessionClosed { .. } => self.sessions -= 1,
            Fact::RunReturned { task, run, .. } => {
                self.ended.insert(*task, (*run, true));
                let record = self.run(*task, *run)?;
                record.returned = true;
                // It waits for its children, and for nothing else any more.
                record.parks.remove(Parked::Reentry.name());
                record.parks.insert(Parked::Children.name());
                record.tick(at);
            }
            Fact::TaskBackgrounded { task } => {
                if let Some(task) = self.tasks.get_mut(task) {
                    task.background = true;
                }
            }
            Fact::MessagesDropped { task, .. } => self.check_drop(*task, model)?,
            Fact::RunStarted { task, run, timeout_ms, idle_timeout_ms, reserved, .. } => {
                self.check_start(*task, model)?;
                self.check_needed(*task, model)?;
                self.check_begun_first((*task, *run), model)?;
                if let Some(open) = self.elsewhere.remove(&(*task, *run)) {
                    let held = model.hold(*task, *run);
                    ensure!(
                        held == open && reserved.is_zero(),
                        "J3: {task:?} goes on with {held:?} and {reserved:?}, its host is at {open:?}"
                    );
                    self.run(*task, *run)?.left_open = open;
                }
                let record = self.run(*task, *run)?;
                (record.queued, record.open, record.started_at, record.max_ms, record.idle_ms) =
                    (None, true, at, *timeout_ms, *idle_timeout_ms);
            }
            Fact::TurnStarted { task, run: 0, .. } => self.check_heard(*task)?,
            Fact::TurnStarted { task, run, turn, wrap_up, spends_wrap_up, reserved, whole, .. } => {
                self.check_turn((*task, *run), *turn, *spends_wrap_up, *reserved, model)?;
                ensure!(self.run(*task, *run)?.whole == *whole, "B14: {task:?} took a turn, its hold is for the whole run: {}", !*whole);
                ensure!(!*whole || (self.wants_whole && !spends_wrap_up), "B14: the last turn of {task:?} holds its whole cap");
                if self.wants_whole && !spends_wrap_up {
                    self.check_whole_turn((*task, *run), *turn, *reserved, model)?;
                }
                self.turn_started(at, (*task, *run), *turn, (*wrap_up, *whole), model)?;
                let price = self.price(*task, Some(*run), self.said.nanos, model);
                let is_paid = price <= 1 || *wrap_up || self.said.tokens == Some(0) || model.least_dollars(*task) == UNCAPPED;
                ensure!(is_paid || reserved.nanos >= price.min(1 << 53), "B3: a turn of {task:?} holds {reserved:?}, one costs {price}");
            }
            Fact::WrapUpRequested { task, run, stop_reason: reason, until } => {
                self.told_to_wrap_up(at, (*task, *run), *reason, *until, model)?
            }
            Fact::PolicyAnswered { task, run, answer, until: Some(until), .. } => {
                let record = self.run(*task, *run)?;
                record.told = Some((StopReason::Policy, Some(*until)));
                record.finished = *answer == Answer::Finish;
            }
            Fact::ToolBegan { task, run, .. } => {
                let record = self.run(*task, *run)?;
                record.tools += 1;
                record.listen(at);
            }
            Fact::ToolEnded { task, run, .. } => {
                let record = self.run(*task, *run)?;
                record.tools -= 1;
                record.listen(at);
            }
            // The start of a run has its budget.
            Fact::TurnDelayed { task, run, estimate, .. } => {
                let record = self.run(*task, *run)?;
                (record.turn_waits, record.came_back) = (*estimate != Some(0), false);
            }
            Fact::RunReentered { task, run, reserved, .. } => {
                let is_out = self.tasks.get(task).is_some_and(|task| task.wrapped_up) || !model.has_room(*task);
                let record = self.run(*task, *run)?;
                let waits = record.turn_waits && record.stop.is_none() && record.told.is_none_or(|(why, _)| why == StopReason::Timeout);
                ensure!(
                    !waits || is_out || reserved.is_some() || model.is_whole(*task, *run),
                    "S2: {task:?} came back for a turn, and others may take what it needs: {record:?}"
                );
                (record.turn_waits, record.came_back) = (false, reserved.is_some());
                record.parks.remove(Parked::Reentry.name());
                record.tick(at);
            }
            Fact::StopRequested { task, run, stop_reason: reason, status, until } => {
                self.stopped(at, (*task, *run), *reason, *status, *until, model)?
            }
            Fact::RunRetried { task, run, stop_reason: reason, until, .. } => {
                self.run_retried(at, (*task, *run), *reason, *until, model)?
            }
            Fact::RunRaised { task, run, rank } => {
                let Some((come, before)) = self.run(*task, *run)?.queued else { return Err("D2: raised, but not queued".into()) };
                self.check_rank(*task, *rank, come, model)?;
                ensure!(*rank < before, "D2: {task:?} was raised from {before} to {rank}");
                self.run(*task, *run)?.queued = Some((come, *rank));
            }
            Fact::RunEnded { .. } => self.run_ended(at, fact, model)?,
            Fact::HostReturned { task, run, late_result, .. } => {
                let (most, len) = (model.limits.max_result_bytes, late_result.as_ref().map_or(0, |text| text.len() as u64));
                ensure!(len <= most, "R1: a late result of {len} bytes, maxResultBytes is {most}");
                if let (Some((used, _)), Some(record)) = (self.lost.get(&(*task, *run)), self.runs.get(&(*task, *run))) {
                    ensure!(record.booked == *used, "J3: a lost host counts as {used:?}, booked {:?}", record.booked);
                }
                self.gone.push((*task, *run));
            }
            Fact::HostAbandoned { task, run, .. } => {
                let record = self.run(*task, *run)?;
                let Some((held, before)) = record.left else { return Err("S4: abandoned, but its host returned".into()) };
                ensure!(record.booked == before.plus(held), "S4: {held:?} was held for an abandoned host, booked {:?}", record.booked);
            }
            Fact::RunElsewhere { task, run, host_task_id: None } => self.run(*task, *run)?.elsewhere = true,
            Fact::TaskForgotten { task } => {
                let asked = matches!(self.asked, Asked::Forget) || model.is_in_closed_session(*task);
                // Foreground work that was never awaited goes at last, but never before work whose end somebody has.
                let full = self.tasks.len() as u64 >= model.limits.max_tasks;
                let told = self.notices.keys().any(|(of, _)| of == task);
                // Host functions that were given up go with it.
                self.gone.extend(self.runs.range((*task, 0)..=(*task, u32::MAX)).map(|(key, _)| *key));
                let record = self.tasks.remove(task);
                let goes = record.is_some_and(|task| task.collected || (full && !task.background && !told));
                ensure!(asked || goes, "L8: {task:?} was evicted, nobody has its end");
                ensure!(asked || full || !model.has_key(*task), "D7: {task:?} was evicted, though its key answers");
            }
            Fact::StoodStill { ms } => self.stood_still(*ms),
            Fact::DrainStarted { until, .. } => {
                let before = self.task_drain.replace((*until, false));
                ensure!(before.is_none_or(|(before, _)| *until < before), "D8: a drain until {before:?} was put off to {until}");
            }
            Fact::DrainEnded { .. } => {
                if let Some(drain) = &mut self.task_drain {
                    drain.1 = true;
                }
                let open = self.runs.values().filter(|run| run.left.is_none()).count();
                let left = model.stored && model.working_runs() == 0;
                ensure!(open == 0 || left || model.open_runs() == 0, "D8: a drain ended with {open} runs open");
            }
            Fact::Reopened { .. } => {
                self.task_drain = None;
                // The waits are gone that were to hand these over.
                for (task, run) in std::mem::take(&mut self.awaited) {
                    if self.notices.contains_key(&(task, run)) {
                        self.collect(task, run, false);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn queued(&mut self, task: Key, run: u32, rank: i64, model: &Model) -> Result<(), String> {
        let parent = self.tasks.get(&task).ok_or("L1: no task")?.parent;
        let background = self.tasks.get(&task).is_some_and(|task| task.background);
        let above = self.open_run(parent).filter(|(_, run)| !run.returned || background);
        // What works for a run that was lost works for the one that goes on with it, also before that has started (J3).
        let before = self.tasks.get(&task).map_or(0, |task| task.parent_run);
        let comes = self.current_key(parent).filter(|(_, number)| *number == before).map(|(_, number)| *number);
        let parent_run =
            above.map(|(number, _)| number).or(comes.filter(|_| self.current(parent).is_some_and(|run| !run.open))).unwrap_or(0);
        let record = self.tasks.get_mut(&task).ok_or("L1: no task")?;
        (record.collected, record.runs) = (false, run);
        // It works for the run that is open above it (C3).
        record.parent_run = parent_run;
        self.runs.insert((task, run), Run { queued: Some((self.now, rank)), ..Run::default() });
        self.check_place((task, run), rank, model)?;
        let (unspent, estimate) = (model.unspent(task), self.estimate(task, model));
        // What its session may spend once it is registered isn't known before (J3).
        let paid = unspent.lacks(estimate).is_none() || model.lacks_here(task);
        ensure!(paid, "B5: {task:?} was queued with {unspent:?} left, a turn is {estimate:?}");
        Ok(())
    }

    fn attempt_queued(&mut self, at: u64, (task, run): (Key, u32), rank: i64, model: &Model) -> Result<(), String> {
        self.line_up_handed_on((task, run));
        if self.begun.contains_key(&(task, run)) {
            self.check_rank_of_begun((task, run), rank)?;
        } else {
            self.check_rank(task, rank, at, model)?;
        }
        self.run(task, run)?.queued = Some((at, rank));
        Ok(())
    }

    /// What interrupted a run has its place: before all that only waits where that had begun (M1).
    fn check_place(&mut self, (task, run): (Key, u32), rank: i64, model: &Model) -> Result<(), String> {
        match self.interrupted.get(&(task, run - 1)) {
            Some(Some(before)) => {
                ensure!(rank == *before, "M1: {task:?} was queued at rank {rank}, what it interrupted stood at {before}");
                if let Some(class) = self.begun.remove(&(task, run - 1)) {
                    self.begun.insert((task, run), class);
                }
                Ok(())
            }
            Some(None) => {
                self.begun.insert((task, run), Default::default());
                self.check_rank_of_begun((task, run), rank).map_err(|error| format!("M1: {error}"))
            }
            None => self.check_rank(task, rank, self.now, model),
        }
    }

    fn check_rank(&self, task: Key, rank: i64, come: u64, model: &Model) -> Result<(), String> {
        let step = i64::try_from(model.limits.ageing_ms.max(1)).unwrap_or(i64::MAX);
        let come = i64::try_from(come).unwrap_or(i64::MAX) / step;
        let [most, least] = [false, true].map(|idle| come.saturating_sub(self.priority(task, model, idle)).max(FOREMOST));
        ensure!((least..=most).contains(&rank), "D2: {task:?} was queued at rank {rank}, its priority and age make {most}");
        Ok(())
    }

    /// Its own, and at least that of those who wait for it: the run that called it, until that run returns or ends, and
    /// every run with an open wait for it. One that waits until nothing is left to do counts where `idle` says so: it may
    /// have all that it waits for from this one.
    fn priority(&self, key: Key, model: &Model, idle: bool) -> i64 {
        let Some(task) = self.tasks.get(&key) else { return i64::MIN };
        let calls = |(number, run): (u32, &Run)| number == task.parent_run && !run.returned && (idle || !run.goes_on);
        let is_called = !task.background && self.open_run(task.parent).is_some_and(calls);
        let called_by = is_called.then_some(task.parent);
        let waits_for_it = |wait: &&WaitFacts| {
            let named = |(of, run): &(Key, u32)| *of == key && (idle || *run == task.runs);
            // One whose time has come may be over in this very step.
            let counts = idle || (!wait.idle && wait.until.is_none_or(|until| until > self.now));
            wait.open && !wait.left && wait.run != 0 && !wait.subtree && counts && wait.targets.iter().any(named)
        };
        let waiting = model.waits.values().filter(waits_for_it).map(|wait| wait.waiter);
        called_by.into_iter().chain(waiting).map(|above| self.priority(above, model, idle)).fold(task.priority, i64::max)
    }

    /// What a run waits for that is queued has come forward to where that one's priority puts it.
    pub(super) fn check_raised(&self, model: &Model) -> Result<(), String> {
        let step = i64::try_from(model.limits.ageing_ms.max(1)).unwrap_or(i64::MAX);
        for wait in model.waits.values().filter(|wait| wait.open && !wait.left && wait.run != 0 && !wait.subtree && !wait.idle) {
            for (task, number) in &wait.targets {
                let Some((come, rank)) = self.runs.get(&(*task, *number)).and_then(|run| run.queued) else { continue };
                if self.ages_since.is_some_and(|since| come <= since) {
                    continue;
                }
                let come = i64::try_from(come).unwrap_or(i64::MAX) / step;
                let least = come.saturating_sub(self.priority(wait.waiter, model, false)).max(FOREMOST);
                ensure!(rank <= least, "D2: {task:?} stands at rank {rank}, whoever waits for it makes {least}");
            }
        }
        Ok(())
    }

    fn estimate(&self, task: Key, model: &Model) -> Amounts {
        Amounts { tokens: self.tokens_of_turn(task, None, None, model), nanos: self.price(task, None, None, model), turns: 1 }
    }

    /// What the next turn of a task is expected to cost; of the run that is under way, where there is one.
    fn price(&self, task: Key, run: Option<u32>, said: Option<u64>, model: &Model) -> u64 {
        let said = said.or_else(|| self.tasks.get(&task).and_then(|task| task.turn_price));
        match self.prices.expect(task, run, said, model.least_dollars(task), model.limits.turn_estimate_nanos) {
            Expected::Exactly(nanos) => nanos,
            Expected::AtMost(nanos) => nanos.min(model.unspent(task).nanos).max(1),
        }
    }

    /// A turn's budget is there when a run starts, what the runs above it lend included (B4, B5).
    fn check_start(&self, task: Key, model: &Model) -> Result<(), String> {
        // What a host elsewhere is at is set aside already.
        let goes_on = self.current_key(task).is_some_and(|key| self.elsewhere.contains_key(key));
        if goes_on {
            return Ok(());
        }
        let (available, estimate) = self.turn_of(task, model);
        ensure!(available.lacks(estimate).is_none(), "B5: {task:?} started with {available:?} available, a turn is {estimate:?}");
        Ok(())
    }

    /// What is to be had for a turn of a task, and what one takes.
    fn turn_of(&self, task: Key, model: &Model) -> (Amounts, Amounts) {
        (model.available(task, |at| self.lent_by(at, model)), self.estimate(task, model))
    }

    /// What the run of a task would lend to those below it.
    pub(super) fn lent_by(&self, at: Key, model: &Model) -> Amounts {
        let lender = self.runs.range((at, 0)..=(at, u32::MAX)).find(|(_, run)| run.open && run.whole && run.left.is_none());
        lender.map_or(Amounts::ZERO, |((task, run), _)| model.hold(*task, *run))
    }

    /// What ends in the queue for want of budget lacks it (B5).
    fn check_starved(&self, task: Key, run: u32, model: &Model) -> Result<(), String> {
        if self.runs.get(&(task, run)).is_none_or(|run| run.queued.is_none()) {
            return Ok(());
        }
        let (available, estimate) = self.turn_of(task, model);
        let goes_on = self.elsewhere.contains_key(&(task, run));
        ensure!(!goes_on, "B5: {task:?} ended in the queue for want of budget, its host elsewhere has it");
        ensure!(
            available.lacks(estimate).is_some(),
            "B5: {task:?} ended in the queue with {available:?} available, a turn is {estimate:?}"
        );
        Ok(())
    }

    /// In a drain with a store nothing starts but what a run above may wait for or called for, and nothing once its time is over
    /// (D8).
    fn check_needed(&self, task: Key, model: &Model) -> Result<(), String> {
        let Some((until, false)) = self.task_drain.filter(|_| model.stored) else { return Ok(()) };
        let mut above = self.tasks.get(&task).map(|task| task.parent);
        let mut needed = self.is_called_for(task);
        while let Some(key) = above.filter(|_| !needed) {
            needed = self.current(key).is_some_and(|run| run.parks.contains(Parked::Children.name()) || run.returned);
            above = self.tasks.get(&key).map(|task| task.parent);
        }
        ensure!(needed && until > self.now, "D8: {task:?} starts in a drain until {until}, now it is {}", self.now);
        Ok(())
    }

    /// Whether an open run called for it in the foreground: it is going to ask for its end.
    pub(super) fn is_called_for(&self, task: Key) -> bool {
        let Some(task) = self.tasks.get(&task).filter(|task| !task.background) else { return false };
        self.open_run(task.parent).is_some_and(|(of, run)| of == task.parent_run && !run.returned)
    }

    /// Where a turn of an agent begins, it has got what its last one was given.
    fn check_heard(&self, agent: Key) -> Result<(), String> {
        let unheard = |(_, (owner, given)): &(&(Key, u32), &(Key, Option<u64>))| *owner == agent && given.is_some_and(|at| at < self.step);
        let unheard = self.notices.iter().find(unheard);
        ensure!(unheard.is_none(), "N3: a turn began, and what the last one was given is not acknowledged: {unheard:?}");
        Ok(())
    }

    fn turn_started(
        &mut self,
        at: u64,
        (task, run): (Key, u32),
        turn: u64,
        (wrap_up, whole): (bool, bool),
        model: &Model,
    ) -> Result<(), String> {
        self.check_heard(task)?;
        let (cap, used) = (model.cap(task).tokens, model.used(task).tokens);
        let record = self.tasks.get(&task).ok_or("L1: no task")?;
        // What it came back for was judged then; what its children have taken since is theirs.
        let judged = self.runs.get(&(task, run)).is_some_and(|run| run.came_back);
        if !wrap_up && !whole && !record.wrapped_up && cap != UNCAPPED && !judged {
            let kept = model.limits.wrap_up_tokens.min(cap / 10);
            ensure!(used <= cap - kept, "B8: an ordinary turn takes {task:?} to {used} of {cap}, {kept} are for its wrap-up turn");
        }
        let record = self.run(task, run)?;
        record.just_booked = false;
        if whole {
            record.left_open = Amounts::ZERO;
        }
        (record.turns, record.tools, record.turn_waits, record.came_back) = (turn, 0, false, false);
        record.had_last |= wrap_up;
        record.hear(at);
        Ok(())
    }

    fn stopped(&mut self, at: u64, key: (Key, u32), reason: StopReason, status: Status, until: u64, model: &Model) -> Result<(), String> {
        // One that was stopped before keeps its reason, and may only get less time.
        if reason == StopReason::ParentEnded && self.run(key.0, key.1)?.stop.is_none() && !self.goes_with_caller(key.0, model) {
            self.check_parent_ended(key.0)?;
        }
        // What was asked to wrap up before ends for that where a drain stops it (D8, L4).
        let overran = self.task_drain.is_some_and(|(until, over)| !over && at >= until);
        let record = self.run(key.0, key.1)?;
        if record.stop.is_none() && reason == StopReason::Timeout {
            let told = record.told.and_then(|(_, until)| until);
            let due = told.is_some_and(|until| at >= until) || (overran && record.told.is_some());
            ensure!(due, "T1: aborted at {at}, its grace ends at {told:?}");
        }
        if record.stop.is_none() && reason == StopReason::IdleTimeout {
            let due = record.silence_due();
            ensure!(due.is_some_and(|due| at >= due), "T2: stopped for its silence at {at}, due at {due:?}");
        }
        record.stop = Some((reason, status, until));
        Ok(())
    }

    /// Messages are dropped where the task is stopped from outside or drained, or has nothing left to spend (L6, D8).
    fn check_drop(&self, task: Key, model: &Model) -> Result<(), String> {
        let record = self.tasks.get(&task).ok_or("L1: no task")?;
        let stopped = model.is_cancelled(task) || record.cancelled || self.check_parent_ended(task).is_ok();
        let drained = self.task_drain.is_some();
        let forgotten = matches!(self.asked, Asked::Forget);
        let spent = model.unspent(task).lacks(self.estimate(task, model)).is_some();
        ensure!(stopped || drained || spent || forgotten, "L6: the messages of {task:?} were dropped, though it could go on");
        Ok(())
    }

    /// Its caller is lost with it, or stopped by a drain, and begins anew or ends (C3, J3, D8). One that goes on from its checkpoint
    /// has it go on too: `run_retried` holds it to that.
    fn goes_with_caller(&mut self, task: Key, model: &Model) -> bool {
        let Some(record) = self.tasks.get(&task) else { return false };
        let caller = (record.parent, record.parent_run);
        let Some(run) = self.runs.get(&caller).filter(|run| run.open && !run.returned) else { return false };
        let ends_as_told = run.stop.is_some() || run.told.is_some();
        let may = if ends_as_told { !record.background } else { model.lost() == OnHostLost::Requeue || model.reopened };
        let goes = may && model.on_host_lost != OnHostLost::Fail && (model.reopened || (self.task_drain.is_some() && model.stored));
        if goes && model.lost() == OnHostLost::Resume {
            self.end_with_theirs.insert(caller);
        }
        goes
    }

    /// Something above it, or itself, is a child whose parent's run ended, and that end takes it along (C3).
    fn check_parent_ended(&self, task: Key) -> Result<(), String> {
        let mut at = task;
        while let Some(record) = self.tasks.get(&at) {
            let takes_along = |(run, good): &(u32, bool)| record.parent_run == *run && (!good || !record.background || record.ends_along);
            let interrupted = matches!(self.asked, Asked::Interrupt { task, run } if takes_along(&(run, true)) && task == record.parent);
            let aborted = !record.background && self.is_overdue(record.parent, record.parent_run);
            // A drain ends what the run it stops would wait for, at once.
            let caller = self.runs.get(&(record.parent, record.parent_run));
            let drained = !record.background && self.task_drain.is_some() && caller.is_some_and(|run| run.stop.is_some());
            if interrupted || aborted || drained || self.ended.get(&record.parent).is_some_and(takes_along) {
                return Ok(());
            }
            at = record.parent;
        }
        Err(format!("C3: {task:?} was stopped with its parent, which it outlives"))
    }

    /// Whether a run is to be aborted because its time is over (T1, T2).
    fn is_overdue(&self, task: Key, run: u32) -> bool {
        self.runs.get(&(task, run)).filter(|run| run.stop.is_none()).is_some_and(|run| {
            let grace = run.told.and_then(|(_, until)| until);
            grace.into_iter().chain(run.silence_due()).any(|due| due <= self.now)
        })
    }

    /// What goes on with something lost stands before all that only waited, and first of it what had a slot (J3).
    fn check_rank_of_begun(&self, of: (Key, u32), rank: i64) -> Result<(), String> {
        let class = |of: &(Key, u32)| self.begun.get(of).map(|(step, held)| (*step, *held));
        let mine = class(&of);
        for (other, its) in self.runs.iter().filter_map(|(key, run)| run.queued.map(|(_, rank)| (key, rank))) {
            let stands = match mine.cmp(&class(other)) {
                std::cmp::Ordering::Greater => rank < its,
                std::cmp::Ordering::Equal => rank == its,
                std::cmp::Ordering::Less => rank > its,
            };
            ensure!(stands, "J3: {of:?}, which had begun as {mine:?} says, is queued at {rank}; {other:?} stands at {its}");
        }
        Ok(())
    }

    /// What a drain has stopped stands beside what had begun and waits already.
    fn line_up_handed_on(&mut self, of: (Key, u32)) {
        if self.handed_on.remove(&of) {
            let stands = |key: &&(Key, u32)| self.runs.get(key).is_some_and(|run| run.queued.is_some());
            let foremost = self.begun.iter().filter(|(key, _)| stands(key)).map(|(_, class)| *class).max();
            self.begun.insert(of, foremost.unwrap_or_default());
        }
    }

    /// No run takes a slot that one could have which had begun before its process was lost: that may be at work still (D1, J3).
    /// Neither does one take the slot of a run that was interrupted from the message that it was interrupted for (M1).
    fn check_begun_first(&mut self, started: (Key, u32), model: &Model) -> Result<(), String> {
        // A drain with a store starts only what a run waits for, which goes on before it ends (D8).
        if self.begun.remove(&started).is_some() || self.task_drain.is_some() {
            return Ok(());
        }
        let stands = |key: &&(Key, u32)| self.runs.get(key).is_some_and(|run| run.queued.is_some());
        for (task, run) in self.begun.keys().filter(stands) {
            // A task's next run waits for the host function of the last one (L6).
            let waits = self.runs.range((*task, 0)..=(*task, u32::MAX)).any(|(_, run)| run.left.is_some());
            let could = !waits
                && !model.lacks(*task)
                && !model.cools(*task)
                && !self.schedule.may_wait(self.now, model.rate_key(*task))
                && self.check_start(*task, model).is_ok();
            ensure!(!could, "J3: {started:?} starts, and run {run} of {task:?}, which had begun, could have that slot");
        }
        Ok(())
    }

    /// An attempt is over, and the next one waits for its time (X5).
    fn run_retried(&mut self, at: u64, (task, run): (Key, u32), reason: StopReason, until: u64, model: &Model) -> Result<(), String> {
        self.ended.insert(task, (run, false));
        let lost_now = reason == StopReason::HostLost && model.queues_lost(at, until);
        let left = reason == StopReason::Drained && model.stored && until == at;
        let queued_again = lost_now || left;
        if left {
            self.handed_on.insert((task, run + 1));
        }
        if lost_now {
            let held = self.run(task, run)?.parks.is_empty();
            self.begun.insert((task, run + 1), (self.step, held));
            let open = self.open.remove(&(task, run)).filter(|open| !open.is_zero());
            self.elsewhere.extend(open.map(|open| ((task, run + 1), open)));
        }
        let theirs_ended = self.end_with_theirs.contains(&(task, run));
        ensure!(!(queued_again && theirs_ended), "C3: run {run} of {task:?} goes on, and a sub-agent was ended with it");
        if queued_again {
            // What worked for it works for the one that comes. One that begins anew would start it again, so it ends.
            for child in self.tasks.values_mut().filter(|child| child.parent == task && child.parent_run == run) {
                child.parent_run = run + 1;
            }
            if model.lost() != OnHostLost::Resume {
                self.ended.insert(task, (run + 1, false));
            }
        }
        let lost = self.lost.get(&(task, run)).copied();
        let drained = self.task_drain.is_some();
        let record = self.run(task, run)?;
        // What a drain has stopped goes on in the next process (D8).
        let handed_on = drained && record.stop.is_some_and(|(reason, ..)| reason == StopReason::Drained);
        let good = record.open && !record.returned && record.told.is_none();
        ensure!(good && (handed_on || record.stop.is_none()), "X5: {record:?} is tried again");
        if let Some((_, used)) = lost {
            ensure!(record.booked == used, "J3: a lost host that is tried again counts as {used:?}, booked {:?}", record.booked);
        }
        let takes_turns = record.turns > 0 || record.takes_turns;
        self.gone.push((task, run));
        self.runs.insert((task, run + 1), Run { takes_turns, goes_on: queued_again, ..Run::default() });
        let record = self.tasks.get_mut(&task).ok_or("L1: no task")?;
        (record.collected, record.runs) = (false, run + 1);
        Ok(())
    }

    fn run_ended(&mut self, at: u64, fact: &Fact, model: &Model) -> Result<(), String> {
        let Fact::RunEnded { task, run, status, stop_reason: reason, partial, host_open, collected, output, .. } = fact else {
            return Ok(());
        };
        self.ended.insert(*task, (*run, *status == Status::Completed));
        let (most, len) = (model.limits.max_result_bytes, output.text.len() as u64);
        ensure!(len <= most, "R1: an output of {len} bytes was kept, maxResultBytes is {most}");
        if *reason == StopReason::BudgetExhausted {
            self.check_starved(*task, *run, model)?;
        }
        if let Some(open) = self.elsewhere.remove(&(*task, *run)) {
            let booked = self.run(*task, *run)?.booked;
            ensure!(booked == open, "J3: {task:?} ended while its host elsewhere is at {open:?}, booked {booked:?}");
        }
        let reserved = model.hold(*task, *run);
        let lost = self.lost.get(&(*task, *run)).copied();
        let says_incomplete = self.says_incomplete;
        let Some(record) = self.tasks.get_mut(task) else { return Err("L1: no task".into()) };
        (record.collected, record.cancelled, record.wished) = (*collected, *status == Status::Cancelled, reason.is_cancel_or_close());
        let (works_for, background, parent) = (record.parent_run, record.background, record.parent);
        if *reason == StopReason::ParentEnded && !self.run(*task, *run)?.open {
            self.check_parent_ended(*task)?;
        }
        // A cancel or close that is over reports it.
        let cancelled = reason.is_cancel_or_close() || model.is_sealed_itself(*task);
        let caller = self.current_key(parent).map(|(_, run)| *run).filter(|_| self.current(parent).is_some_and(|run| !run.returned));
        let for_nobody = *reason == StopReason::ParentEnded || (works_for != 0 && caller != Some(works_for));
        let has_end = background || for_nobody || cancelled || model.has_end(parent, (*task, *run));
        ensure!(!collected || has_end, "W2: the end of {task:?} counts as collected, and nobody has it");
        let goes_along = *reason == StopReason::ParentEnded && lost.is_some() && self.goes_with_caller(*task, model);
        let record = self.run(*task, *run)?;
        let (is_open, rank) = (record.open, record.queued.map(|(_, rank)| rank));
        if *status == Status::Interrupted && (is_open || rank.is_some()) {
            self.interrupted.insert((*task, *run), rank);
        }
        let record = self.run(*task, *run)?;
        record.queued = None;
        if record.open && !record.returned {
            match (record.stop, record.told) {
                (Some((why, as_status, until)), _) => {
                    let in_time = !host_open || at >= until;
                    let bad = as_status != Status::Completed;
                    ensure!((*reason, *status, *partial) == (why, as_status, bad) && in_time, "L5: {fact:?} after {record:?}");
                }
                (None, Some((why, _))) if *reason != StopReason::NeverReported => {
                    let as_status = match why {
                        StopReason::Timeout => Status::TimedOut,
                        StopReason::Policy if record.finished => Status::Completed,
                        _ => Status::Failed,
                    };
                    ensure!(
                        (*reason, *status, *partial) == (why, as_status, as_status != Status::Completed),
                        "L4: {fact:?} after {record:?}"
                    );
                }
                (None, _) if lost.is_some() => {
                    let ended = match *reason {
                        StopReason::HostLost => *status == Status::Failed,
                        StopReason::ParentEnded => *status == Status::Cancelled && goes_along,
                        _ => false,
                    };
                    ensure!(ended && *partial, "J3: {fact:?}, its host is lost");
                }
                (None, _) => {
                    let never_reported = *reason == StopReason::NeverReported;
                    ensure!(!never_reported || record.elsewhere, "L4: {fact:?} was never told to stop");
                    let stopped_short = *reason == StopReason::HostFailed && says_incomplete;
                    ensure!(
                        *partial == (never_reported || stopped_short),
                        "L3: {fact:?}, which its host says is a part: {says_incomplete}"
                    );
                }
            }
        }
        if let Some((used, _)) = lost {
            // With its caller's run went whoever could ask for it.
            let nobody_left = *reason == StopReason::ParentEnded || works_for != 0;
            ensure!(!collected || nobody_left || cancelled || !model.reopened, "J3: the end of {task:?} went to somebody who is lost");
            ensure!(record.booked == used, "J3: a lost host counts as {used:?}, booked {:?}", record.booked);
        }
        let grace = record.stop.map(|(_, _, until)| until).filter(|_| *host_open && lost.is_none());
        if *host_open {
            record.left = Some((reserved, record.booked));
        } else {
            self.gone.push((*task, *run));
        }
        grace.map_or(Ok(()), |until| self.check_leaves_first(*task, until, model))
    }

    /// Where a run's grace is over, what stands below it and had no more has ended before (C1).
    fn check_leaves_first(&self, top: Key, until: u64, model: &Model) -> Result<(), String> {
        let had_as_much = |run: &Run| run.open && run.left.is_none() && run.stop.is_some_and(|(_, _, its)| its <= until);
        let is_later =
            |(key, run): &(&(Key, u32), &Run)| had_as_much(run) && !self.gone.contains(key) && key.0 != top && model.is_below(key.0, top);
        let later = self.runs.iter().find(is_later);
        ensure!(later.is_none(), "C1: {top:?} ended before what stands below it, whose grace was over as well: {later:?}");
        Ok(())
    }
}

impl Run {
    fn hear(&mut self, at: u64) {
        self.heard = true;
        self.silent_since = if self.parks.is_empty() && self.tools == 0 && self.open { Some(at) } else { None };
    }

    /// Silence counts anew, once it has been armed.
    fn listen(&mut self, at: u64) {
        if self.heard {
            self.hear(at);
        }
    }

    pub(super) fn tick(&mut self, at: u64) {
        if let Some(since) = self.still_since.take() {
            self.still_ms += at.saturating_sub(since);
        }
        let stands = self.parks.iter().any(|why| *why != Parked::Children.name());
        self.still_since = stands.then_some(at);
        self.ticked_at = at;
        if self.heard {
            self.silent_since = if self.parks.is_empty() && self.tools == 0 { Some(at) } else { None };
        }
    }

    /// When it is asked to wrap up, unless its clock stands still.
    pub(super) fn due(&self) -> Option<u64> {
        let due = self.started_at.saturating_add(self.still_ms).checked_add(self.max_ms);
        due.filter(|_| self.still_since.is_none())
    }

    pub(super) fn silence_due(&self) -> Option<u64> {
        self.silent_since.and_then(|since| since.checked_add(self.idle_ms))
    }
}
