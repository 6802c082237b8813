//! A run: one execution of a task by the host. Owns the record, which exists from the queue until the host function returns.

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

/// The phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Phase {
    /// It waits for a slot.
    #[default]
    Queued,
    /// It has started and not ended.
    Open,
    /// The previous attempt ended badly; it waits for its time (X5).
    Backoff {
        /// When it is retried.
        retry_at: u64,
    },
    /// It has ended; its host function still runs and keeps the slot.
    Lingering {
        /// When its host function is abandoned, if ever.
        abandon_at: Option<u64>,
    },
    /// It has ended, and its host function was abandoned.
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
    /// It released it while it is parked.
    Parked,
}

stored_list!(Slot { None = 0, Taken = 1, Parked = 2 });

/// The end of an attempt that another follows (X5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Previous {
    /// The stop reason.
    pub reason: StopReason,
    /// Its error.
    pub error: Option<Text>,
    /// The reservation for unreported turns, if its host continues them. The host's report books it, or the loss of that host
    /// (J3).
    pub open: Amounts,
    /// Whether a host has begun a turn in it or an earlier attempt.
    pub takes_turns: bool,
    /// Its usage, including earlier attempts.
    pub past: Option<Past>,
}

stored! {
    Previous { reason, error, open, takes_turns, past }
    from Self { reason: StopReason::Finished, error: None, open: Amounts::ZERO, takes_turns: false, past: None }
}

/// The reports of a run's host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reports {
    /// It has reported at least once, even without usage.
    pub any: bool,
    /// Dimensions that it has reported validly.
    pub valid: Dimensions,
    /// Dimensions whose last report was invalid.
    pub invalid: Dimensions,
}

stored!(Reports { any, valid, invalid });

impl Reports {
    /// Adds a report.
    pub(in crate::state) const fn add(&mut self, reported: Dimensions, invalid: Dimensions) {
        self.any = true;
        self.valid.0 |= reported.0;
        self.invalid.0 = (self.invalid.0 & !reported.0) | invalid.0;
    }
}

/// A turn that a host has requested and not got yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitingTurn {
    /// Its expected need; 0 tokens at a start that needs no more than the run's reservation.
    pub estimate: Estimate,
    /// It needs the budget of the whole run (B14).
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
        /// Its phase.
        phase: Phase = Phase::Queued,
        /// Whether it holds a slot.
        slot: Slot = Slot::None,
        /// It re-entered without a free slot, and has requested no turn since (S2).
        over_limit: bool = false,
        /// Why it is parked, a bit for each [`Parked`].
        parks: u8 = 0,
        /// The turn for which `beforeTurn` waits.
        waiting_turn: Option<WaitingTurn> = None,
        /// Its other reservation, if it re-entered for a turn with a reservation of its own, which its host has not begun.
        beside_turn: Option<Amounts> = None,
        /// Its message; absent for the task's first text.
        owned message: Option<Message> = None,
        /// The number of earlier attempts at its message.
        attempt: u32 = 0,
        /// The number of the first run at its message.
        first: u32 = 0,
        /// How often in a row it was lost with its process while running, without saving a checkpoint.
        lost: u32 = 0,
        /// The end of the previous attempt.
        owned previous: Option<Box<Previous>> = None,

        /// The priority in its rank: the highest of its task's and of each run that waited for it.
        priority: i64 = 0,
        /// Its place in the queue.
        place: Place = Place::default(),

        /// Turns begun.
        turns: u64 = 0,
        /// Its maximum of turns.
        max_turns: u64 = 0,
        /// The cost of its turns.
        turn_costs: TurnCosts = TurnCosts::default(),
        /// The tokens of its turns.
        owned turn_tokens: TurnTokens = TurnTokens::default(),
        /// Budget reserved for it.
        reserved: Amounts = Amounts::ZERO,
        /// Whether the reservation is for the whole run.
        whole: bool = false,
        /// The amounts that it borrowed.
        owned loans: Vec<Loan> = Vec::new(),
        /// The amounts booked for it.
        booked: Amounts = Amounts::ZERO,
        /// The reports of its host.
        reports: Reports = Reports::default(),

        /// When it started.
        started_at: u64 = 0,
        /// Its timers.
        timers: Timers = Timers::default(),
        /// The number of tools in use.
        tools: u32 = 0,
        /// Why it was asked to wrap up.
        wrap_up_reason: Option<StopReason> = None,
        /// The receiver of this end ordered it, so it gets no notice (N4).
        claimed: bool = false,
        /// It has had its last turn.
        wrapped_up: bool = false,
        /// Why it was asked to stop, and the status that its end will have.
        stop: Option<(StopReason, Status)> = None,
        /// The result of its host function, if the run waits for sub-agents before it ends (C3).
        owned returned: Option<Box<RunOutput>> = None,

        /// The next older run of the task whose host function still runs.
        next_lingering: u32 = NONE,
        /// The salt of the opening that accepted its message (A7); 0 for the task's first text.
        salt: u64 = 0,
        /// The program drives its task and has not taken up the run (X6).
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

    /// Whether it has ended while its host function still runs.
    #[must_use]
    pub const fn lingers(&self) -> bool {
        matches!(self.phase, Phase::Lingering { .. })
    }

    /// Whether it is parked for this reason.
    #[must_use]
    pub const fn is_parked(&self, why: Parked) -> bool {
        self.parks & bit(why) != 0
    }

    /// Whether it is parked for this reason alone.
    #[must_use]
    pub(crate) const fn is_parked_only(&self, why: Parked) -> bool {
        self.parks == bit(why)
    }

    /// The number of the first run at its message: the same for each attempt, in any process.
    #[must_use]
    pub const fn first_attempt(&self) -> u32 {
        if self.first == 0 { self.number } else { self.first }
    }

    /// Whether it was asked to stop in a way that cancels or closes its task.
    #[must_use]
    pub const fn is_being_cancelled(&self) -> bool {
        matches!(self.stop, Some((_, Status::Cancelled | Status::Closed)))
    }

    /// The first reason to be parked, if any.
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

    /// Stops or restarts the clocks, by the reasons to be parked (T1, T2).
    fn tick(&mut self, now: u64) {
        self.timers.tick(now, self.parks & !bit(Parked::Children) != 0);
        self.restart_silence(now);
    }

    /// The run is alive: its silence counts from now, or not at all while it is parked or uses a tool. Its first report or turn
    /// arms the deadline (T2).
    pub(crate) fn restart_silence(&mut self, now: u64) {
        if self.timers.silent_since.is_some() || self.turns > 0 || self.reports.any {
            let stands = self.parks != 0;
            self.timers.silent_since = if stands || self.tools > 0 { None } else { Some(now) };
        }
    }

    /// The next deadline and its kind (T3).
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
            // Its work is done; the tasks that it waits for have their own deadlines.
            Phase::Open if self.returned.is_some() => None,
            Phase::Lingering { abandon_at } => abandon_at.map(|at| (at, Deadline::Abandon)),
            Phase::Open => self.timers.next(),
        }
    }

    /// The expected need of the waiting turn.
    pub(crate) fn waiting_estimate(&self) -> Estimate {
        self.waiting_turn.map(|turn| turn.estimate).unwrap_or_default()
    }

    /// The reservation for the turn that it re-entered for (S2).
    #[must_use]
    pub fn turn_reservation(&self) -> Amounts {
        self.beside_turn.map_or(Amounts::ZERO, |beside| self.reserved.minus(beside))
    }

    /// The reservation for unreported turns of this or the previous attempt; zero if the reservation is for the whole run.
    #[must_use]
    pub fn open_reservation(&self) -> Amounts {
        if self.whole {
            return Amounts::ZERO;
        }
        self.beside_turn.map_or(self.reserved, |beside| beside.least(self.reserved))
    }

    /// The reservation for unreported turns of the previous attempt.
    #[must_use]
    pub fn left_open(&self) -> Amounts {
        self.previous.as_ref().map_or(Amounts::ZERO, |previous| previous.open)
    }

    /// Whether a surviving host may still work on those turns.
    #[must_use]
    #[inline(never)]
    pub fn has_left_open(&self) -> bool {
        !self.left_open().is_zero()
    }

    /// Whether a host has begun a turn in this or an earlier attempt. Such a host reserves per turn, and spends nothing before
    /// one.
    #[must_use]
    pub fn takes_turns(&self) -> bool {
        self.turns > 0 || self.previous.as_ref().is_some_and(|previous| previous.takes_turns)
    }

    /// Adds to the debt to another run.
    pub(in crate::state) fn owe(&mut self, loan: Loan) {
        match self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            Some(known) => known.amount = known.amount.plus(loan.amount),
            None => self.loans.push(loan),
        }
    }

    /// Reduces the debt to another run.
    pub(in crate::state) fn owe_less(&mut self, loan: Loan) {
        if let Some(known) = self.loans.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            known.amount = known.amount.minus(loan.amount);
        }
    }

    /// The doubtful dimensions of its usage, before its host's last report. Not reported: 1 tokens, 2 cost, 4 turns. Eight times
    /// these values: the last report was invalid (B7, R5). Begun turns are known.
    #[must_use]
    pub const fn doubts(&self) -> u8 {
        let Reports { valid, invalid, .. } = self.reports;
        let known = if self.turns > 0 { valid.and(Dimension::Turns) } else { valid };
        Dimensions::doubts(Dimensions(!(known.0 | invalid.0)), invalid)
    }
}
