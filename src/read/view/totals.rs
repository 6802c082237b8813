//! The whole manager as users read it: statistics, slots, the outcome of a drain. Owns these fields; changes nothing.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::base::number::{Number, dollars, number};
use crate::base::view::ViewField;
use crate::base::view_record::view;
use crate::model::status::{Status, WaitingFor};
use crate::state::runs::run::Phase;
use crate::state::{ROOT, State};

/// The statistics of the manager.
#[must_use]
pub fn stats(state: &State, can_spawn: bool, now: u64) -> StatsView {
    StatsView::of(state, can_spawn, now)
}

view! {
    /// The counts of a manager; the statuses sum to `total`.
    pub struct StatsView "ManagerCounts" of(state: &State, can_spawn: bool, now: u64) with {
        let account = state.node(ROOT).account;
    } {
        /// All retained sub-agents, ended ones included.
        total: u32 = state.tasks(),
        /// Sub-agents whose run is queued.
        pending: u32 = state.count(Status::Pending),
        /// Sub-agents with an open run, parked ones included.
        running: u32 = state.count(Status::Running),
        /// Sub-agents that have had no run yet, or were reopened.
        idle: u32 = state.count(Status::Idle),
        /// Sub-agents whose last run ended well.
        completed: u32 = state.count(Status::Completed),
        /// Sub-agents whose last run failed.
        failed: u32 = state.count(Status::Failed),
        /// Sub-agents whose last run met its deadline.
        timed_out: u32 = state.count(Status::TimedOut),
        /// Sub-agents that were cancelled.
        cancelled: u32 = state.count(Status::Cancelled),
        /// Sub-agents whose last run was interrupted.
        interrupted: u32 = state.count(Status::Interrupted),
        /// Sub-agents that were closed.
        closed: u32 = state.count(Status::Closed),
        /// Runs that have ended since the beginning, except runs cancelled before they began.
        runs_ended: Number = number(state.runs_ended),
        /// Tokens spent since the beginning, by forgotten sub-agents too.
        tokens_spent: Number = number(account.spent.tokens),
        /// Tokens reserved for work in flight.
        tokens_reserved: Number = number(account.reserved.tokens),
        /// Tokens that are available: neither spent nor reserved; `Infinity` if nothing caps them.
        tokens_remaining: Number = number(account.available().tokens),
        /// US dollars spent since the beginning.
        cost_spent_usd: Number = dollars(account.spent.nanos),
        /// Turns taken since the beginning.
        turns_spent: Number = number(account.spent.turns),
        /// The most runs at once: the limit of that name.
        max_concurrent: Number = number(state.limits.max_concurrent),
        /// Work that has not begun, counted by its reason to wait.
        waiting_for: WaitingView as "Record<WaitingFor, number>" = waiting(state, now),
        /// A sub-agent that is spawned now would start at once, and budget remains.
        can_spawn: bool = can_spawn,
    }
}

/// The counts of waiting work (D4), by the number of the reason: users read its name.
#[derive(Clone, Copy, Debug)]
pub struct WaitingView(pub [u32; WaitingFor::ALL.len()]);

impl ViewField for WaitingView {
    #[cfg(not(target_arch = "wasm32"))]
    fn form() -> String {
        "waiting".into()
    }

    fn write(&self, out: &mut Vec<u8>) {
        for count in self.0 {
            count.write(out);
        }
    }
}

impl Serialize for WaitingView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("WaitingView", self.0.len())?;
        for (why, count) in WaitingFor::ALL.iter().zip(&self.0) {
            object.serialize_field(why.name(), count)?;
        }
        object.end()
    }
}

/// The counts of waiting work by reason. A time before the last fact counts as that fact's time.
#[must_use]
pub fn waiting(state: &State, now: u64) -> WaitingView {
    WaitingView(state.count_waiting(now.max(state.now)))
}

/// How full the manager is (D4).
#[must_use]
pub fn concurrency(state: &State, now: u64) -> ConcurrencyView {
    ConcurrencyView::of(state, now)
}

view! {
    /// How full a manager is.
    #[derive(Copy)]
    pub struct ConcurrencyView "ConcurrencyInfo" of(state: &State, now: u64) with {} {
        /// Slots taken, cancelled runs that are still returning included.
        active: u32 = state.taken_slots,
        /// The limit `maxConcurrent`.
        limit: Number = number(state.limits.max_concurrent),
        /// Runs that wait to begin; `waitingFor` has the reasons.
        queued: Number = number(state.queued()),
        /// The limit `maxQueued`.
        queue_limit: Number = number(state.limits.max_queued),
        /// Runs that released their slot while they wait.
        parked: u32 = state.parked,
        /// Abandoned host functions that have not returned.
        abandoned: u32 = state.abandoned,
        /// Work that has not begun, counted by its reason to wait whenever this is read.
        waiting_for: WaitingView as "Record<WaitingFor, number>" = waiting(state, now),
    }
}

/// The results of the drain so far (D8). `left_open`: the number of host functions still running whose runs it has left to
/// another process.
#[must_use]
pub fn drained(state: &State, left_open: usize) -> DrainView {
    DrainView::of(state, left_open)
}

view! {
    /// The results of a drain.
    #[derive(Copy)]
    pub struct DrainView "DrainResult" of(state: &State, left_open: usize) with {
        let drain = state.draining;
        // Even after the run's end, until its host function is abandoned.
        let runs = |index: &u32| matches!(state.runs.at(*index).phase, Phase::Open | Phase::Lingering { .. });
    } {
        /// Runs that ended by themselves during it.
        ended: Number = number(drain.map_or(0, |drain| drain.ended)),
        /// Runs that the drain cancelled, queued ones included.
        cancelled: Number = number(drain.map_or(0, |drain| drain.cancelled)),
        /// Host functions that had not returned.
        still_running: u32 = u32::try_from(state.runs.indices().filter(runs).count().saturating_add(left_open)).unwrap_or(u32::MAX),
        /// Whether the time ran out.
        timed_out: bool = drain.is_some_and(|drain| drain.overran),
    }
}
