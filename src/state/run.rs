//! A run: one execution of a task by the host. Owns the record, which lives from being queued until its host function has
//! returned; its clocks are `clocks.rs`'s.

use crate::base::amounts::{Amounts, Estimate};
use crate::base::codec::Text;
use crate::base::slab::{NONE, record_defaults};
use crate::base::stored::{stored, stored_list};
use crate::model::product::Product;
use crate::model::status::{Parked, Status, StopReason};
use crate::model::usage::Loan;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Phase {
    /// It waits for a slot.
    #[default]
    Queued,
    /// Its host function is running and its end is open.
    Open,
    /// The attempt before it ended badly; it waits for its time (X5).
    Backoff,
    /// It has ended; its host function is still running and keeps the slot.
    Lingering,
    /// It has ended, and its host function was given up.
    Abandoned,
}

stored_list!(Phase { Queued = 0, Open = 1, Backoff = 2, Lingering = 3, Abandoned = 4 });

/// Whether a run holds a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Permit {
    /// It never had one, or gave it back for good.
    #[default]
    None,
    /// It holds one.
    Held,
    /// It gave it up for as long as it is parked.
    Parked,
}

stored_list!(Permit { None = 0, Held = 1, Parked = 2 });

/// How an attempt ended that is followed by another (X5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Previous {
    /// Why.
    pub reason: StopReason,
    /// What went wrong.
    pub error: Option<Text>,
    /// What was set aside for turns that were begun and not reported, where its host goes on with them: it is booked by its
    /// report, or where that host is lost after all (J3).
    pub open: Amounts,
}

stored!(Previous { reason, error; since 3: open } from Self { reason: StopReason::Finished, error: None, open: Amounts::ZERO });

/// One execution of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Its task.
    pub task: u32,
    /// Its number in the task, from 1.
    pub number: u32,
    /// How far it is.
    pub phase: Phase,
    /// Whether it holds a slot.
    pub permit: Permit,
    /// It came back without a slot being free for it, and has asked for no turn since (S2).
    pub over_limit: bool,
    /// Why it is parked, a bit for each [`Parked`].
    pub parks: u8,
    /// `beforeTurn` waits for the slot or for budget.
    pub turn_waiting: bool,
    /// The estimate of the turn that waits; of 0 tokens where it is a start that needs no more than the run holds.
    pub waiting_estimate: Estimate,
    /// It has come back for a turn whose budget is set aside, and whose host is to ask once more: what it holds beside
    /// that.
    pub beside_turn: Option<Amounts>,
    /// The message it answers; absent for the task's first text.
    pub message: Option<Text>,
    /// How many attempts at its message there were before it.
    pub attempt: u32,
    /// The number of the first run at its message, whatever ended that one; 0 where a snapshot of form 1 doesn't say.
    pub first: u32,
    /// How often in a row it was lost at work with its process, without having told a checkpoint.
    pub lost: u32,
    /// How the attempt before it ended.
    pub previous: Option<Box<Previous>>,

    /// What its priority counts in its rank: its task's, and at least that of each run that waited for it.
    pub priority: i64,
    /// Its place in the queue.
    pub rank: i64,
    /// See `rank`.
    pub round: u64,
    /// See `rank`.
    pub ticket: u64,

    /// Turns begun.
    pub turns: u64,
    /// Turns it may take.
    pub max_turns: u64,
    /// Turns begun since it last reported what it cost.
    pub unpriced: u32,
    /// What was reported since its last turn began, in nano-dollars.
    pub turn_nanos: u64,
    /// What its dearest turn has cost that was reported, in nano-dollars.
    pub dearest: u64,
    /// Budget set aside for it.
    pub hold: Amounts,
    /// Whether that is for the whole run.
    pub whole: bool,
    /// What it borrowed.
    pub loans: Vec<Loan>,
    /// What has been booked for it.
    pub booked: Amounts,
    /// Dimensions that the host has reported.
    pub reported: u8,
    /// Dimensions whose last report was invalid.
    pub invalid: u8,

    /// When it started.
    pub started_at: u64,
    /// Time left until it is told to wrap up, as of `clock_since`.
    pub left_ms: u64,
    /// Since when that time runs; `None` while it stands still.
    pub clock_since: Option<u64>,
    /// How long it may be silent.
    pub idle_timeout_ms: u64,
    /// Tools that it uses right now.
    pub tools: u32,
    /// When a policy's answer is no longer waited for.
    pub approval_until: Option<u64>,
    /// Since when it is silent; `None` while that does not count.
    pub silent_since: Option<u64>,
    /// When the grace it was given ends, its host function is given up, or it is tried again.
    pub until: Option<u64>,
    /// When its question is given up, where it has one open (M5).
    pub ask_until: Option<u64>,
    /// Why it was told to wrap up.
    pub told: Option<StopReason>,
    /// Whom its end is for has ordered it, and needs no notice (N4).
    pub claimed: bool,
    /// The host runs it somewhere else: no host function is open here (X4).
    pub elsewhere: bool,
    /// It has had its last turn.
    pub wrapped_up: bool,
    /// Why it was told to stop, and how that will be recorded.
    pub stop: Option<(StopReason, Status)>,
    /// What its host function left, where the run waits for sub-agents before it ends (C3).
    pub returned: Option<Box<Product>>,

    /// The next older run of the task whose host function is still running.
    pub next_lingering: u32,
}

stored!(Run {
    task,
    number,
    phase,
    permit,
    over_limit,
    parks,
    turn_waiting,
    waiting_estimate,
    beside_turn,
    message,
    attempt,
    previous,
    priority,
    rank,
    round,
    ticket,
    turns,
    max_turns,
    unpriced,
    turn_nanos,
    dearest,
    hold,
    whole,
    loans,
    booked,
    reported,
    invalid,
    started_at,
    left_ms,
    clock_since,
    idle_timeout_ms,
    tools,
    approval_until,
    silent_since,
    until,
    ask_until,
    told,
    claimed,
    elsewhere,
    wrapped_up,
    stop,
    returned,
    next_lingering,
    lost;
    since 2: first
});

record_defaults!(Run {
    message: None,
    previous: None,
    loans: Vec::new(),
    returned: None,
    task: NONE,
    number: 0,
    phase: Phase::Queued,
    permit: Permit::None,
    over_limit: false,
    parks: 0,
    turn_waiting: false,
    waiting_estimate: Estimate::default(),
    beside_turn: None,
    attempt: 0,
    first: 0,
    lost: 0,
    priority: 0,
    rank: 0,
    round: 0,
    ticket: 0,
    turns: 0,
    max_turns: 0,
    unpriced: 0,
    turn_nanos: 0,
    dearest: 0,
    hold: Amounts::ZERO,
    whole: false,
    booked: Amounts::ZERO,
    reported: 0,
    invalid: 0,
    started_at: 0,
    left_ms: 0,
    clock_since: None,
    idle_timeout_ms: 0,
    tools: 0,
    approval_until: None,
    silent_since: None,
    until: None,
    ask_until: None,
    told: None,
    claimed: false,
    elsewhere: false,
    wrapped_up: false,
    stop: None,
    next_lingering: NONE,
});

pub(super) const fn bit(why: Parked) -> u8 {
    match why {
        Parked::Children => 1,
        Parked::Input => 2,
        Parked::Approval => 4,
        Parked::Cooldown => 8,
        Parked::Reentry => 16,
    }
}

impl Run {
    /// Whether it is parked for this reason.
    #[must_use]
    pub const fn is_parked(&self, why: Parked) -> bool {
        self.parks & bit(why) != 0
    }

    /// The number of the first run at its message: the same for each attempt, whatever process makes it.
    #[must_use]
    pub const fn first_attempt(&self) -> u32 {
        if self.first == 0 { self.number } else { self.first }
    }

    /// Its place in the queue.
    #[must_use]
    pub const fn place(&self) -> (i64, u64, u64) {
        (self.rank, self.round, self.ticket)
    }

    /// Whether it was told to stop and its task with it, by whatever cancel.
    #[must_use]
    pub const fn is_being_cancelled(&self) -> bool {
        matches!(self.stop, Some((_, Status::Cancelled | Status::Closed)))
    }

    /// The reason that stands first, if it is parked.
    #[must_use]
    pub fn parked(&self) -> Option<Parked> {
        Parked::ALL.iter().copied().find(|why| self.is_parked(*why))
    }

    pub(crate) fn park(&mut self, why: Parked, now: u64) {
        self.parks |= bit(why);
        self.tick(now);
    }

    pub(crate) fn unpark(&mut self, why: Parked, now: u64) {
        self.parks &= !bit(why);
        self.tick(now);
    }

    /// Its `beforeTurn` no longer waits: it got its turn, or is to ask again.
    pub(crate) fn stop_waiting(&mut self) {
        self.turn_waiting = false;
        self.waiting_estimate = Estimate::default();
    }

    /// What is set aside for the turn that it has come back for (S2).
    #[must_use]
    pub fn turn_hold(&self) -> Amounts {
        self.beside_turn.map_or(Amounts::ZERO, |beside| self.hold.minus(beside))
    }

    /// What is set aside for turns that it has begun and not reported, or that the attempt before it had.
    #[must_use]
    pub fn open_hold(&self) -> Amounts {
        if self.whole {
            return self.previous.as_ref().map_or(Amounts::ZERO, |previous| previous.open);
        }
        self.beside_turn.map_or(self.hold, |beside| beside.least(self.hold))
    }

    /// It owes a part of another run's hold.
    pub(super) fn owe(&mut self, loan: Loan) {
        match self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            Some(known) => known.amount = known.amount.plus(loan.amount),
            None => self.loans.push(loan),
        }
    }

    /// It owes less of it.
    pub(super) fn owe_less(&mut self, loan: Loan) {
        if let Some(known) = self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            known.amount = known.amount.minus(loan.amount);
        }
    }

    /// What is doubtful of its usage while its host has not said its last word: 1 tokens, 2 cost, 4 turns that were not
    /// reported, and the same eightfold whose last report was invalid (B7, R5). Turns that were begun are known.
    #[must_use]
    pub const fn doubts(&self) -> u8 {
        let turns = if self.turns > 0 { 4 } else { 0 };
        let invalid = self.invalid & 7;
        (7 & !(self.reported | turns | invalid)) | (invalid << 3)
    }
}
