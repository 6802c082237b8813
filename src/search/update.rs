//! The effect of a fact on the search. Owns which facts invalidate it.

use crate::base::amounts::Amounts;
use crate::base::slab::NONE;
use crate::model::fact::{Fact, facts_aside};
use crate::state::budget::estimates::fifth;
use crate::state::runs::run::Phase;
use crate::state::scheduling::queue::Place;
use crate::state::{ROOT, State};

/// The effect of a fact on the search, by the state before the fact.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QueueUpdate {
    Nothing,
    /// Any run may be able to start now; no single node shows which.
    Anything,
    /// A task's next run is queued.
    Queued(u32),
    /// A task's queued run moves forward from this place, or may start now because the program took it.
    Raised(u32, Place),
    Money(Money),
    /// A cap was raised, and turns need at most this many tokens more.
    CapRaised(u64),
}

/// A run that starts, ends, or has its budget changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Money {
    pub(super) task: u32,
    pub(super) number: u32,
    /// Its place in the queue, if it had one.
    pub(super) place: Option<Place>,
    pub(super) reserved: Amounts,
    /// The total spending.
    pub(super) spent: Amounts,
    /// The known cost of a turn near it.
    pub(super) price: u64,
    /// Whether it borrows, or repays a loan.
    pub(super) lends: bool,
    /// Whether one of its turns is over, so that the expected use of others may change.
    pub(super) measures: bool,
}

/// The cost of the dearest turn below a task's parent. A turn that raises this cost at a node further up raises it here, too.
pub(super) fn price_near(state: &State, task: u32) -> u64 {
    let parent = state.node(task).parent;
    if parent == NONE { 0 } else { state.node(parent).family().dearest }
}

impl QueueUpdate {
    pub(crate) fn of(state: &State, fact: &Fact) -> Self {
        match fact {
            Fact::CapSet { task, cap } => Self::cap_set(state, task.index, *cap),
            Fact::LimitSet { .. }
            | Fact::RunRetried { .. }
            | Fact::HostReturned { .. }
            | Fact::HostAbandoned { .. }
            | Fact::CooldownOver { .. }
            | Fact::RatesSet { .. }
            | Fact::SessionRegistered { .. } => Self::Anything,
            // A whole turn lends to all below its run (B4, B14).
            Fact::TurnStarted { whole: true, .. } => Self::Anything,
            // After that it no longer counts for `maxAbandoned`.
            Fact::TaskForgotten { task } if state.node(task.index).lingering != NONE => Self::Anything,
            // During a drain, work that a parked or returned run waits for may still start.
            Fact::RunParked { .. } | Fact::RunReturned { .. } if state.draining.is_some() => Self::Anything,
            Fact::RunQueued { task, .. } | Fact::TaskAdmitted { task, first: Some(_), .. } => Self::Queued(task.index),
            Fact::RunRaised { task, .. } | Fact::RunTaken { task, .. } => Self::Raised(task.index, state.run_of(task.index).place),
            Fact::RunStarted { task, run, loans, .. }
            | Fact::TurnDelayed { task, run, loans, .. }
            | Fact::RunReported { task, run, loans, .. }
            | Fact::RunReentered { task, run, loans, .. } => Self::money(state, task.index, *run, loans.is_some(), false),
            Fact::TurnStarted { task, run, loans, .. }
            | Fact::RunReturned { task, run, loans, .. }
            | Fact::RunEnded { task, run, loans, .. } => Self::money(state, task.index, *run, loans.is_some(), true),
            Fact::MessagesDropped { .. }
            | Fact::RunParked { .. }
            | Fact::TaskForgotten { .. }
            | Fact::StoodStill { .. }
            | Fact::TaskAdmitted { first: None, .. }
            | facts_aside!() => Self::Nothing,
        }
    }

    /// A higher cap of tokens or turns starts no run that lacks budget at another node. Dollars also change the cost of a turn.
    fn cap_set(state: &State, task: u32, after: Amounts) -> Self {
        let before = state.node(task).account.cap;
        if after.nanos != before.nanos || after.lacks(before).is_some() {
            return Self::Anything;
        }
        let more = fifth(after.tokens).saturating_sub(fifth(before.tokens));
        Self::CapRaised(if state.estimate_given { 0 } else { more })
    }

    fn money(state: &State, task: u32, number: u32, lends: bool, measures: bool) -> Self {
        let run = state.find_run(task, number).map(|index| state.runs.at(index));
        let place = run.filter(|run| run.phase == Phase::Queued).map(|run| run.place);
        let reserved = run.map_or(Amounts::ZERO, |run| run.reserved);
        let (spent, price) = (state.node(ROOT).account.spent, price_near(state, task));
        Self::Money(Money { task, number, place, reserved, spent, price, lends, measures })
    }
}
