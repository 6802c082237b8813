//! Replay: applies stored facts, up to the first that can't follow those before it.
//!
//! Owns each fact's preconditions: the tasks, runs and notices that it names exist, in the phase that it ends. A manager's own
//! journal always meets them, and [`State::apply`] relies on it: links form no circle, and every armed deadline has an owner.
//! Never: judges amounts, limits or times.

use crate::base::amounts::Amounts;
use crate::base::codec::Field;
use crate::base::reader::{Malformed, Reader};
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::fact::{Fact, manager_facts, message_facts, run_facts, tree_facts, turn_facts};
use crate::model::limits::TABLE;
use crate::model::status::{Parked, Status};
use crate::model::usage::{Loan, Loans};
use crate::state::budget::tally::RunTally;
use crate::state::runs::run::{Phase, Run, Slot, bit};
use crate::state::tree::node::Kind;
use crate::state::{DEFAULT_SESSION, ROOT, State};

/// A list of facts that no manager wrote: one of them can't follow those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("fact {index}, {name}, can't follow those before it")]
pub struct Damaged {
    /// Its place in the list, from 0.
    pub index: usize,
    /// Its name.
    pub name: &'static str,
}

/// Bytes that no manager wrote as facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrestorable {
    /// They are no facts.
    #[error("{0}")]
    Malformed(#[from] Malformed),
    /// A fact can't follow those before it.
    #[error("{0}")]
    Damaged(#[from] Damaged),
}

impl State {
    /// The state after these facts, each stamped with its time in milliseconds.
    ///
    /// # Errors
    /// `Damaged`, with the place of the first fact that can't follow those before it.
    pub fn fold(facts: impl IntoIterator<Item = (u64, Fact)>) -> Result<Self, Damaged> {
        let mut state = Self::new();
        state.follow(facts)?;
        Ok(state)
    }

    /// Applies facts that follow the earlier ones. Returns their number.
    ///
    /// # Errors
    /// `Damaged`, with the place of the first fact that can't follow those before it; those are applied.
    pub fn follow(&mut self, facts: impl IntoIterator<Item = (u64, Fact)>) -> Result<u64, Damaged> {
        let mut count: u64 = 0;
        for (index, (at, mut fact)) in facts.into_iter().enumerate() {
            self.follow_one(index, at, &mut fact)?;
            count = count.saturating_add(1);
        }
        Ok(count)
    }

    /// Applies stored facts in the same way, and reads each when it is needed.
    ///
    /// # Errors
    /// `Unrestorable`, with the place of the fact that can't be read or follow. The facts before it are applied.
    pub fn follow_stored(&mut self, mut reader: Reader<'_>) -> Result<u64, Unrestorable> {
        let (mut count, mut index) = (0_u64, 0_usize);
        while !reader.is_done() {
            let (at, mut fact) = (u64::take(&mut reader), Fact::take(&mut reader));
            reader.check()?;
            self.follow_one(index, at, &mut fact)?;
            (count, index) = (count.saturating_add(1), index.saturating_add(1));
        }
        Ok(count)
    }

    fn follow_one(&mut self, index: usize, at: u64, fact: &mut Fact) -> Result<(), Damaged> {
        if at < self.now || !self.may_follow(fact) {
            return Err(Damaged { index, name: fact.name() });
        }
        self.take_in(at, fact);
        Ok(())
    }

    /// Whether a fact can follow those that led to this state.
    #[must_use]
    pub fn may_follow(&self, fact: &Fact) -> bool {
        match fact {
            manager_facts!() => self.manager_may_follow(fact),
            tree_facts!() => self.tree_may_follow(fact),
            message_facts!() => self.message_may_follow(fact),
            run_facts!() => self.run_may_follow(fact),
            turn_facts!() => self.turn_may_follow(fact),
        }
    }

    fn manager_may_follow(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Seeded { .. } => self.seed.is_none(),
            Fact::LimitSet { limit, .. } => TABLE.iter().any(|row| *row.name == **limit),
            Fact::DefaultsSet { .. } | Fact::ToolsBlocked { .. } | Fact::CooldownSet { .. } | Fact::PricesSet { .. } => true,
            Fact::RatesSet { .. } | Fact::RateLeft { .. } => true,
            Fact::DrainStarted { .. } | Fact::StoodStill { .. } | Fact::Reopened { .. } | Fact::DefinitionsKnown { .. } => true,
            Fact::DrainOverran {} | Fact::DrainEnded { .. } => self.draining.is_some(),
            Fact::CooldownOver { key } => self.rates.until(key).is_some(),
            tree_facts!() | message_facts!() | run_facts!() | turn_facts!() => false,
        }
    }

    fn tree_may_follow(&self, fact: &Fact) -> bool {
        match fact {
            Fact::SessionRegistered { task } => self.tree.contains(*task) && self.absent.contains(&task.index),
            Fact::CapSet { task, .. } | Fact::MainAgentSet { task, .. } => self.tree.contains(*task),
            Fact::SessionOpened { task, .. } => *task == self.tree.next_key(),
            Fact::SessionClosed { task } => self.may_close_session(*task),
            Fact::SessionFreed { task } => self.is_closed_session(task.index) && self.may_be_forgotten(*task),
            Fact::TaskAdmitted { task, parent, once, .. } => {
                let is_new = once.as_ref().is_none_or(|once| self.keys.find(*parent, &once.key).is_none());
                *task == self.tree.next_key() && self.tree.contains(*parent) && parent.index != ROOT && is_new
            }
            Fact::TaskForgotten { task } => self.is_task(*task) && self.may_be_forgotten(*task),
            Fact::TaskBackgrounded { task } => self.is_task(*task),
            Fact::CancelRequested { task, by, close, claimed, .. } => {
                let stops = if *close { self.is_task(*task) } else { self.tree.contains(*task) };
                stops && self.tree.contains(*by) && claimed.iter().all(|task| self.has_run(*task))
            }
            Fact::EndsCollected { tasks } => tasks.iter().all(|task| self.is_without_run(*task)),
            Fact::TaskEnded { task, status, .. } => self.is_without_run(*task) && is_end(*status),
            Fact::ResultReleased { task } => self.is_without_run(*task),
            Fact::CancelSettled { task } => self.tree.contains(*task) && self.node(task.index).cancelling,
            Fact::TaskResumed { task } => self.is_without_run(*task) && self.node(task.index).status == Status::Closed,
            Fact::ResourceAcquired { task, .. } => self.is_task(*task) && self.node(task.index).status != Status::Closed,
            Fact::ResourceReleased { serial, .. } => self.release_numbered(*serial).is_some(),
            Fact::KeyDropped { scope, key } => self.keys.find(*scope, key).is_some(),
            manager_facts!() | message_facts!() | run_facts!() | turn_facts!() => false,
        }
    }

    fn message_may_follow(&self, fact: &Fact) -> bool {
        match fact {
            // If nothing runs and nothing waits, a message starts a run at once.
            Fact::MessageQueued { task, .. } => {
                self.is_task(*task) && (self.node(task.index).run != NONE || self.node(task.index).is_paused())
            }
            Fact::QueuePaused { task, .. } => self.is_task(*task),
            Fact::MessagesDropped { task, .. } => self.is_task(*task),
            // A waiting attempt, or an open run that another host continues.
            Fact::SteersAgain { task, run, .. } => {
                self.is_current(*task, *run, |it| matches!(it.phase, Phase::Open | Phase::Backoff { .. }))
            }
            Fact::QuestionAsked { task, run, .. } => self.is_at_work(*task, *run) && self.node(task.index).question().is_none(),
            Fact::QuestionDelivered { task, run } => self.is_current(*task, *run, |_| true) && self.node(task.index).question().is_some(),
            Fact::QuestionClosed { task, run, parks, .. } => {
                let node = self.node(task.index);
                let goes_on = parks.is_none() || (self.is_at_work(*task, *run) && self.may_park(*task, *parks, Some(Parked::Input)));
                self.is_current(*task, *run, |_| true) && (node.question().is_some() || node.answer_kept().is_some()) && goes_on
            }
            Fact::NoticeMoved { task, run, to, delivered_to, .. } => {
                let known =
                    self.find_notice(RunKey { task: *task, run: *run }).filter(|_| delivered_to.iter().all(|by| self.tree.contains(*by)));
                known.is_some_and(|at| *to == self.key(self.notices.at(at).owner) || self.may_move(at, *to))
            }
            manager_facts!() | tree_facts!() | run_facts!() | turn_facts!() => false,
        }
    }

    fn run_may_follow(&self, fact: &Fact) -> bool {
        match fact {
            Fact::RunQueued { task, run, again, .. } => {
                let is_next = self.is_without_run(*task)
                    && self.node(task.index).runs.checked_add(1) == Some(*run)
                    && self.node(task.index).status != Status::Closed;
                is_next || (!again && self.is_current(*task, *run, |it| matches!(it.phase, Phase::Backoff { .. })))
            }
            Fact::RunTaken { task, run } => self.is_current(*task, *run, |it| it.awaits_program),
            Fact::RunRaised { task, run, rank } => self.is_current(*task, *run, |it| it.phase == Phase::Queued && *rank < it.place.rank),
            Fact::RunStarted { task, run, loans, .. } => {
                self.is_current(*task, *run, |it| it.phase == Phase::Queued) && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::WrapUpRequested { task, run, .. } => self.is_at_work(*task, *run),
            Fact::StopRequested { task, run, .. } => self.is_at_work(*task, *run),
            Fact::RunParked { task, run, why, .. } => self.is_at_work(*task, *run) && self.may_park(*task, Some(*why), None),
            Fact::RunUnparked { task, run, why, parks } => {
                let is_parked = self.run_of(task.index).is_parked(*why);
                self.is_at_work(*task, *run) && *why != Parked::Reentry && is_parked && self.may_park(*task, *parks, Some(*why))
            }
            Fact::RunReentered { task, run, loans, .. } => {
                let in_line = |it: &Run| it.slot == Slot::Parked && it.parked().is_none_or(|why| why == Parked::Reentry);
                self.is_at_work(*task, *run) && self.is_current(*task, *run, in_line) && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::RunReturned { task, run, usage, loans, .. } => {
                self.is_at_work(*task, *run) && self.may_have_used(*task, *run, *usage) && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::RunEnded { task, run, status, host_open, usage, loans, message_requeued, notice, .. } => {
                is_end(*status)
                    && (message_requeued.is_none() || self.is_current(*task, *run, |it| matches!(it.phase, Phase::Queued | Phase::Open)))
                    && notice.as_ref().is_none_or(|notice| self.may_receive(*task, notice.to))
                    && self.may_end(*task, *run, *host_open)
                    && self.may_have_used(*task, *run, *usage)
                    && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::RunRetried { task, run, usage, loans, .. } => {
                self.is_at_work(*task, *run)
                    && run.checked_add(1).is_some()
                    && self.may_have_used(*task, *run, *usage)
                    && self.may_borrow(*task, *run, loans.as_deref())
            }
            // A waiting attempt, or an open run that another host continues.
            Fact::CheckpointSaved { task, run, .. } => {
                self.is_current(*task, *run, |it| matches!(it.phase, Phase::Open | Phase::Backoff { .. }))
            }
            Fact::DataSaved { task, run, .. } => self.is_current(*task, *run, |it| it.phase == Phase::Open),
            Fact::HostReturned { task, run, usage, loans, .. } => {
                let is_over = self.is_over(*task, *run, |it| matches!(it.phase, Phase::Lingering { .. } | Phase::Abandoned));
                (is_over || self.is_past(*task, *run))
                    && usage.is_none_or(|usage| self.may_have_used(*task, *run, usage))
                    && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::RunElsewhere { task, run, host_task_id: None } => self.is_known(*task, *run),
            Fact::RunElsewhere { task, run, .. } => *run > 0 && self.is_task(*task) && self.node(task.index).runs == *run,
            Fact::HostAbandoned { task, run, usage } => self.is_over(*task, *run, Run::lingers) && self.may_have_used(*task, *run, *usage),
            manager_facts!() | tree_facts!() | message_facts!() | turn_facts!() => false,
        }
    }

    fn turn_may_follow(&self, fact: &Fact) -> bool {
        match fact {
            Fact::CallCounted { task, .. } | Fact::TodosReported { task, .. } => self.tree.contains(*task),
            Fact::TokensUsed { task, run: 0, .. } => self.tree.contains(*task) && !self.is_task(*task),
            Fact::TokensUsed { task, run, .. } => self.is_known(*task, *run) || self.is_past(*task, *run),
            Fact::RunReported { task, run: 0, usage, .. } => {
                self.tree.contains(*task) && !self.is_task(*task) && self.may_have_used(*task, 0, *usage)
            }
            Fact::RunReported { task, run, usage, loans, .. } => {
                self.is_known(*task, *run) && self.may_have_used(*task, *run, *usage) && self.may_borrow(*task, *run, loans.as_deref())
            }
            Fact::TurnStarted { task, run: 0, .. } => self.tree.contains(*task) && !self.is_task(*task),
            Fact::MainEnded { task } => self.tree.contains(*task),
            Fact::TurnStarted { task, run, loans, questions, .. } => {
                self.is_at_work(*task, *run) && self.may_borrow(*task, *run, loans.as_deref()) && self.all_ask(questions)
            }
            Fact::TurnDelayed { task, run, loans, parks, .. } => {
                self.is_at_work(*task, *run) && self.may_borrow(*task, *run, loans.as_deref()) && self.may_park(*task, *parks, None)
            }
            Fact::ToolBegan { task, run, .. } => self.is_known(*task, *run),
            Fact::ToolEnded { task, run, questions, .. } => self.is_known(*task, *run) && self.all_ask(questions),
            Fact::PolicyAnswered { task, run, until, .. } => self.tree.contains(*task) && (until.is_none() || self.is_at_work(*task, *run)),
            manager_facts!() | tree_facts!() | message_facts!() | run_facts!() => false,
        }
    }

    /// Whether a run can be parked for this once the reason `over` no longer applies. A run parked for another reason is not in
    /// the queue for a slot.
    fn may_park(&self, task: Key, why: Option<Parked>, over: Option<Parked>) -> bool {
        why != Some(Parked::Reentry) || self.run_of(task.index).parks & !over.map_or(0, bit) == 0
    }

    /// Whether all these tasks have an open question.
    fn all_ask(&self, questions: &[Key]) -> bool {
        questions.iter().all(|task| self.has_run(*task) && self.node(task.index).question().is_some())
    }

    fn is_task(&self, key: Key) -> bool {
        self.tree.contains(key) && self.node(key.index).is_task()
    }

    fn has_run(&self, key: Key) -> bool {
        self.is_task(key) && self.node(key.index).run != NONE
    }

    fn is_without_run(&self, key: Key) -> bool {
        self.is_task(key) && self.node(key.index).run == NONE
    }

    /// Whether this is the task's current run, and `fits` accepts it.
    fn is_current(&self, task: Key, number: u32, fits: impl Fn(&Run) -> bool) -> bool {
        let run = self.run_of(task.index);
        self.is_task(task) && self.node(task.index).run != NONE && run.number == number && fits(run)
    }

    /// Whether this is the task's open run, and its host function has not returned.
    fn is_at_work(&self, task: Key, number: u32) -> bool {
        self.is_current(task, number, |run| run.phase == Phase::Open && run.returned.is_none())
    }

    /// Whether the run's record is retained.
    fn is_known(&self, task: Key, number: u32) -> bool {
        self.is_over(task, number, |_| true)
    }

    /// Whether the run has ended and its record is removed: a late report may still come (X4).
    fn is_past(&self, task: Key, number: u32) -> bool {
        let ended = number > 0 && number <= self.node(task.index).runs;
        self.is_task(task) && ended && self.find_run(task.index, number).is_none()
    }

    /// Whether the run's record is retained, even after its end, and `fits` accepts it.
    fn is_over(&self, task: Key, number: u32, fits: impl Fn(&Run) -> bool) -> bool {
        self.is_task(task) && self.find_run(task.index, number).is_some_and(|index| fits(self.runs.at(index)))
    }

    /// Whether a run's total can be this: never less than its booked usage.
    fn may_have_used(&self, task: Key, number: u32, usage: Amounts) -> bool {
        // Dollars booked by prices may be taken back (B11).
        let node = self.node(task.index);
        let priced = Amounts { nanos: node.tally_of(number).map_or(0, RunTally::priced), ..Amounts::ZERO };
        self.booked(task.index, number).is_some_and(|booked| usage.lacks(booked.minus(priced)).is_none())
    }

    /// Whether a run can borrow and return these amounts together, with no lender twice (B4).
    fn may_borrow(&self, task: Key, number: u32, loans: Option<&Loans>) -> bool {
        let Some(Loans { lent, returned }) = loans else { return true };
        let lends = |loan: &Loan| {
            let holds = |it: &Run| it.phase == Phase::Open && it.reserved.lacks(loan.amount).is_none();
            let below = loan.lender != task && self.is_within(task.index, loan.lender.index);
            below && self.is_current(loan.lender, loan.run, holds)
        };
        let borrows = lent.is_empty() || self.is_current(task, number, |it| matches!(it.phase, Phase::Queued | Phase::Open));
        let Some(run) = self.find_run(task.index, number).map(|index| self.runs.at(index)) else { return false };
        let of = |list: &[Loan], loan: &Loan| {
            let same = |other: &&Loan| other.lender == loan.lender && other.run == loan.run;
            list.iter().find(same).map_or(Amounts::ZERO, |other| other.amount)
        };
        let owes = |loan: &Loan| of(&run.loans, loan).plus(of(lent, loan)).lacks(loan.amount).is_none();
        let takes = |loan: &Loan| self.is_current(loan.lender, loan.run, |it| it.phase == Phase::Open) && owes(loan);
        let once = |list: &[Loan]| {
            list.iter().enumerate().all(|(at, loan)| list.iter().take(at).all(|other| (other.lender, other.run) != (loan.lender, loan.run)))
        };
        borrows && lent.iter().all(lends) && returned.iter().all(takes) && once(lent) && once(returned)
    }

    /// Whether the run can end with this `host_open`.
    fn may_end(&self, task: Key, number: u32, host_open: bool) -> bool {
        let node = self.node(task.index);
        let ready = |run: &Run| {
            let open = run.phase == Phase::Open && run.returned.is_none() && node.kind == Kind::Task;
            open || !host_open
        };
        self.is_current(task, number, ready)
    }

    /// Whether nothing is left at the node or below it, so that nothing would refer to its index.
    fn may_be_forgotten(&self, key: Key) -> bool {
        let node = self.node(key.index);
        let left = self.lingering(key.index).all(|run| self.runs.at(run).phase == Phase::Abandoned);
        let idle = node.run == NONE && left && node.first_child() == NONE;
        self.tree.contains(key) && idle && node.account.reserved.is_zero() && (!node.is_task() || !node.cancelling)
    }

    fn may_close_session(&self, key: Key) -> bool {
        let session = self.tree.contains(key) && self.node(key.index).kind == Kind::Session;
        session && key.index != DEFAULT_SESSION && !self.is_closed_session(key.index)
    }

    /// Whether a notice of the task can be in this inbox: its owner is a session or task above.
    fn may_receive(&self, task: Key, to: Key) -> bool {
        self.tree.contains(to) && to.index != ROOT && task.index != to.index && self.is_within(task.index, to.index)
    }

    /// Whether a notice can move to this inbox: its owner is above the current one.
    fn may_move(&self, notice: u32, to: Key) -> bool {
        let owner = self.notices.at(notice).owner;
        self.tree.contains(to) && to.index != ROOT && owner != to.index && self.is_within(owner, to.index)
    }
}

/// Whether a run or a task can end with this status.
const fn is_end(status: Status) -> bool {
    match status {
        Status::Pending | Status::Running | Status::Idle => false,
        Status::Completed | Status::Failed | Status::TimedOut | Status::Cancelled | Status::Interrupted | Status::Closed => true,
    }
}
