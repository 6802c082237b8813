//! A run: one execution of a task by the host. Owns the record, which lives from the queue until its host function has
//! returned.

use crate::base::amounts::{Amounts, Dimension, Estimate};
use crate::base::codec::Text;
use crate::base::slab::NONE;
use crate::base::slab_record::slab_record;
use crate::base::stored::{Codec, Stored, stored, stored_list};
use crate::model::run_output::RunOutput;
use crate::model::status::{Deadline, Parked, Status, StopReason};
use crate::model::usage::{Dimensions, Loan};
use crate::state::budget::tally::Past;
use crate::state::budget::turn_usage::{TurnCosts, TurnTokens};
use crate::state::runs::timers::{Timers, sooner};
use crate::state::scheduling::queue::Place;
use crate::state::tree::rare_fields::Message;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Phase {
    /// It waits for a slot.
    #[default]
    Queued,
    /// Its host function is running and its end is open.
    Open,
    /// The attempt before it ended badly; it waits for its time (X5).
    Backoff {
        /// When it is tried again.
        retry_at: u64,
    },
    /// It has ended; its host function is still running and keeps the slot.
    Lingering {
        /// When its host function is given up, if that happens.
        abandon_at: Option<u64>,
    },
    /// It has ended, and its host function was given up.
    Abandoned,
}

impl Stored for Phase {
    fn blank() -> Self {
        Self::Queued
    }

    fn walk(&mut self, codec: &mut Codec<'_>) {
        let (number, mut at) = match *self {
            Self::Queued => (0, None),
            Self::Open => (1, None),
            Self::Backoff { retry_at } => (2, Some(retry_at)),
            Self::Lingering { abandon_at } => (3, abandon_at),
            Self::Abandoned => (4, None),
        };
        let number = codec.number(number);
        at.walk(codec);
        *self = match (number, at) {
            (0, None) => Self::Queued,
            (1, None) => Self::Open,
            (2, Some(retry_at)) => Self::Backoff { retry_at },
            (3, abandon_at) => Self::Lingering { abandon_at },
            (4, None) => Self::Abandoned,
            _ => return codec.fail(),
        };
    }
}

/// Whether a run has a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Slot {
    /// It never had one, or released it for good.
    #[default]
    None,
    /// It has one.
    Taken,
    /// It gave it up for as long as it is parked.
    Parked,
}

stored_list!(Slot { None = 0, Taken = 1, Parked = 2 });

/// How an attempt ended that is followed by another (X5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Previous {
    /// Why.
    pub reason: StopReason,
    /// What went wrong.
    pub error: Option<Text>,
    /// The reservation for turns that were begun and not reported, if its host continues with them. It is booked by its report,
    /// or if that host is lost after all (J3).
    pub open: Amounts,
    /// Whether it takes turns, as attempts before it showed.
    pub takes_turns: bool,
    /// Its usage, with the attempts before it.
    pub past: Option<Past>,
}

stored! {
    Previous { reason, error, open, takes_turns, past }
    from Self { reason: StopReason::Finished, error: None, open: Amounts::ZERO, takes_turns: false, past: None }
}

/// The reports of a run's host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reports {
    /// It has reported at least once, whatever the report.
    pub any: bool,
    /// Dimensions that it has reported as they should be.
    pub valid: Dimensions,
    /// Dimensions whose last report was invalid.
    pub invalid: Dimensions,
}

stored!(Reports { any, valid, invalid });

impl Reports {
    /// It reported once more.
    pub(in crate::state) const fn add(&mut self, reported: Dimensions, invalid: Dimensions) {
        self.any = true;
        self.valid.0 |= reported.0;
        self.invalid.0 = (self.invalid.0 & !reported.0) | invalid.0;
    }
}

/// A turn that a host has asked for and not got yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitingTurn {
    /// Its expected need; 0 tokens for a start that needs no more than the run holds.
    pub estimate: Estimate,
    /// It asks for the budget of the whole run (B14).
    pub whole: bool,
}

stored!(WaitingTurn { estimate, whole } from Self { estimate: Estimate::default(), whole: false });

slab_record! {
    /// One execution of a task.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Run {
        /// Its task.
        task: u32 = NONE,
        /// Its number in the task, from 1.
        number: u32 = 0,
        /// How far it is.
        phase: Phase = Phase::Queued,
        /// Whether it holds a slot.
        slot: Slot = Slot::None,
        /// It returned without a free slot, and has asked for no turn since (S2).
        over_limit: bool = false,
        /// Why it is parked, a bit for each [`Parked`].
        parks: u8 = 0,
        /// The turn for which `beforeTurn` waits, while it waits for the slot or for budget.
        waiting_turn: Option<WaitingTurn> = None,
        /// Its other reservation, if it has returned for a turn whose budget is reserved, and its host is to ask once more.
        beside_turn: Option<Amounts> = None,
        /// The message it answers; absent for the task's first text.
        owned message: Option<Message> = None,
        /// How many attempts at its message there were before it.
        attempt: u32 = 0,
        /// The number of the first run at its message, whatever ended that one.
        first: u32 = 0,
        /// How often in a row it was lost with its process while running, without having reported a checkpoint.
        lost: u32 = 0,
        /// How the attempt before it ended.
        owned previous: Option<Box<Previous>> = None,

        /// The priority that counts in its rank: its task's, and at least that of each run that waited for it.
        priority: i64 = 0,
        /// Its place in the queue.
        place: Place = Place::default(),

        /// Turns begun.
        turns: u64 = 0,
        /// Turns it may take.
        max_turns: u64 = 0,
        /// The cost of its turns.
        turn_costs: TurnCosts = TurnCosts::default(),
        /// The tokens of its turns.
        owned turn_tokens: TurnTokens = TurnTokens::default(),
        /// Budget reserved for it.
        reserved: Amounts = Amounts::ZERO,
        /// Whether that is for the whole run.
        whole: bool = false,
        /// The amounts that it borrowed.
        owned loans: Vec<Loan> = Vec::new(),
        /// The amounts booked for it.
        booked: Amounts = Amounts::ZERO,
        /// The reports of its host.
        reports: Reports = Reports::default(),

        /// When it started.
        started_at: u64 = 0,
        /// When it runs out of time, and of what it waits for.
        timers: Timers = Timers::default(),
        /// Tools that it uses right now.
        tools: u32 = 0,
        /// Why it was asked to wrap up.
        wrap_up_reason: Option<StopReason> = None,
        /// The actor that receives this end ordered it, so it gets no notice (N4).
        claimed: bool = false,
        /// It has had its last turn.
        wrapped_up: bool = false,
        /// Why it was asked to stop, and how that will be recorded.
        stop: Option<(StopReason, Status)> = None,
        /// The result of its host function, if the run waits for sub-agents before it ends (C3).
        owned returned: Option<Box<RunOutput>> = None,

        /// The next older run of the task whose host function is still running.
        next_lingering: u32 = NONE,
        /// That of the opening that accepted its message (A7); 0 if that is the task's first text.
        salt: u64 = 0,
        /// The program drives its task, and has not taken it up (X6).
        awaits_program: bool = false,
    }
}

pub(in crate::state) const fn bit(why: Parked) -> u8 {
    match why {
        Parked::Children => 1,
        Parked::Input => 2,
        Parked::Approval => 4,
        Parked::Cooldown => 8,
        Parked::Reentry => 16,
        Parked::Rate => 32,
    }
}

impl Run {
    /// Why it gets no further turn; `None` if one may begin.
    #[must_use]
    pub fn no_turn_left(&self) -> Option<StopReason> {
        let was_last = |reason: &StopReason| {
            self.wrapped_up || matches!(reason, StopReason::MaxTurns | StopReason::BudgetExhausted | StopReason::Policy)
        };
        self.stop
            .map(|(reason, _)| reason)
            .or_else(|| self.wrap_up_reason.filter(was_last))
            .or_else(|| (self.turns >= self.max_turns).then_some(StopReason::MaxTurns))
    }

    /// Whether it has ended while its host function is still running.
    #[must_use]
    pub const fn lingers(&self) -> bool {
        matches!(self.phase, Phase::Lingering { .. })
    }

    /// Whether it is parked for this reason.
    #[must_use]
    pub const fn is_parked(&self, why: Parked) -> bool {
        self.parks & bit(why) != 0
    }

    /// Whether it is parked for this reason and for no other.
    #[must_use]
    pub(crate) const fn is_parked_only(&self, why: Parked) -> bool {
        self.parks == bit(why)
    }

    /// The number of the first run at its message: the same for each attempt, whatever process makes it.
    #[must_use]
    pub const fn first_attempt(&self) -> u32 {
        if self.first == 0 { self.number } else { self.first }
    }

    /// Whether it was asked to stop and its task with it, by whatever cancel.
    #[must_use]
    pub const fn is_being_cancelled(&self) -> bool {
        matches!(self.stop, Some((_, Status::Cancelled | Status::Closed)))
    }

    /// The first reason, if it is parked.
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

    /// Stops or restarts the clocks as the reasons for being parked ask (T1, T2).
    fn tick(&mut self, now: u64) {
        self.timers.tick(now, self.parks & !bit(Parked::Children) != 0);
        self.restart_silence(now);
    }

    /// The run shows that it is alive: its silence counts from now, or not at all while it is parked or uses a tool. Its
    /// first report or turn arms the deadline (T2).
    pub(crate) fn restart_silence(&mut self, now: u64) {
        if self.timers.silent_since.is_some() || self.turns > 0 || self.reports.any {
            let stands = self.parks != 0;
            self.timers.silent_since = if stands || self.tools > 0 { None } else { Some(now) };
        }
    }

    /// The deadline that comes next, and which one it is (T3).
    #[must_use]
    #[inline]
    pub fn next_deadline(&self) -> Option<(u64, Deadline)> {
        sooner(self.own_deadline(), self.timers.ask_until.map(|at| (at, Deadline::Answer)))
    }

    #[inline]
    fn own_deadline(&self) -> Option<(u64, Deadline)> {
        match self.phase {
            Phase::Queued | Phase::Abandoned => None,
            Phase::Backoff { retry_at } => Some((retry_at, Deadline::Retry)),
            // Its work is done; those it waits for have deadlines of their own.
            Phase::Open if self.returned.is_some() => None,
            Phase::Lingering { abandon_at } => abandon_at.map(|at| (at, Deadline::Abandon)),
            Phase::Open => self.timers.next(),
        }
    }

    /// The expected need of the waiting turn.
    pub(crate) fn waiting_estimate(&self) -> Estimate {
        self.waiting_turn.map(|turn| turn.estimate).unwrap_or_default()
    }

    /// The reservation for the turn that it has returned for (S2).
    #[must_use]
    pub fn turn_reservation(&self) -> Amounts {
        self.beside_turn.map_or(Amounts::ZERO, |beside| self.reserved.minus(beside))
    }

    /// The reservation for turns that it, or the attempt before it, has begun and not reported. With the reservation of a whole
    /// run, that is nothing.
    #[must_use]
    pub fn open_reservation(&self) -> Amounts {
        if self.whole {
            return Amounts::ZERO;
        }
        self.beside_turn.map_or(self.reserved, |beside| beside.least(self.reserved))
    }

    /// The reservation for unreported turns of the attempt before it.
    #[must_use]
    pub fn left_open(&self) -> Amounts {
        self.previous.as_ref().map_or(Amounts::ZERO, |previous| previous.open)
    }

    /// Whether a surviving host may still work on such turns.
    #[must_use]
    #[inline(never)]
    pub fn has_left_open(&self) -> bool {
        !self.left_open().is_zero()
    }

    /// Whether a host has begun a turn of its message, in this attempt or an earlier one. Such a host reserves for turns, and
    /// spends nothing before one.
    #[must_use]
    pub fn takes_turns(&self) -> bool {
        self.turns > 0 || self.previous.as_ref().is_some_and(|previous| previous.takes_turns)
    }

    /// It owes a part of another run's hold.
    pub(in crate::state) fn owe(&mut self, loan: Loan) {
        match self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            Some(known) => known.amount = known.amount.plus(loan.amount),
            None => self.loans.push(loan),
        }
    }

    /// It owes less of it.
    pub(in crate::state) fn owe_less(&mut self, loan: Loan) {
        if let Some(known) = self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            known.amount = known.amount.minus(loan.amount);
        }
    }

    /// Which of its usage is in doubt before its host has reported for the last time. Not reported: 1 tokens, 2 cost, 4 turns.
    /// Eight times these values: the last report was invalid (B7, R5). Turns that were begun are known.
    #[must_use]
    pub const fn doubts(&self) -> u8 {
        let Reports { valid, invalid, .. } = self.reports;
        let known = if self.turns > 0 { valid.and(Dimension::Turns) } else { valid };
        Dimensions::doubts(Dimensions(!(known.0 | invalid.0)), invalid)
    }
}
