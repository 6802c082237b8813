//! The manager as a whole as users read it: its statistics, how full it is, what a drain did. Computes from the
//! state and keeps nothing.

use serde::Serialize;

use crate::base::number::{Number, dollars, number};
use crate::model::status::Status;
use crate::state::run::Phase;
use crate::state::{ROOT, State};

/// Statistics; the statuses sum to the total.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct StatsView {
    pub total: u32,
    pub pending: u32,
    pub running: u32,
    pub idle: u32,
    pub completed: u32,
    pub failed: u32,
    pub timed_out: u32,
    pub cancelled: u32,
    pub interrupted: u32,
    pub closed: u32,
    pub runs_ended: Number,
    pub tokens_spent: Number,
    pub tokens_held: Number,
    pub tokens_remaining: Number,
    pub cost_spent_usd: Number,
    pub turns_spent: Number,
    pub max_concurrent: Number,
    pub waiting_for: WaitingView,
    pub can_spawn: bool,
}

/// The statistics of the manager.
#[must_use]
pub fn stats(state: &State, can_spawn: bool, now: u64) -> StatsView {
    let account = state.node(ROOT).account;
    StatsView {
        total: state.tasks(),
        pending: state.count(Status::Pending),
        running: state.count(Status::Running),
        idle: state.count(Status::Idle),
        completed: state.count(Status::Completed),
        failed: state.count(Status::Failed),
        timed_out: state.count(Status::TimedOut),
        cancelled: state.count(Status::Cancelled),
        interrupted: state.count(Status::Interrupted),
        closed: state.count(Status::Closed),
        runs_ended: number(state.runs_ended),
        tokens_spent: number(account.spent.tokens),
        tokens_held: number(account.held.tokens),
        tokens_remaining: number(account.available().tokens),
        cost_spent_usd: dollars(account.spent.nanos),
        turns_spent: number(account.spent.turns),
        max_concurrent: number(state.limits.max_concurrent),
        waiting_for: waiting(state, now),
        can_spawn,
    }
}

/// How full the manager is (D4).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct ConcurrencyView {
    pub active: u32,
    pub limit: Number,
    pub queued: Number,
    pub queue_limit: Number,
    pub parked: u32,
    pub abandoned: u32,
    pub waiting_for: WaitingView,
}

/// How many wait for each thing (D4).
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the words are those of `WaitingFor`")]
pub struct WaitingView {
    pub abandoned: u32,
    pub host: u32,
    pub held: u32,
    pub retry: u32,
    pub cooldown: u32,
    pub stagger: u32,
    pub budget: u32,
    pub slot: u32,
    pub session: u32,
    pub definition: u32,
}

/// How many wait for each thing. A time before that of the last fact counts as that.
#[must_use]
pub fn waiting(state: &State, now: u64) -> WaitingView {
    let [abandoned, host, held, retry, cooldown, stagger, budget, slot, session, definition] = state.count_waiting(now.max(state.now));
    WaitingView { abandoned, host, held, retry, cooldown, stagger, budget, slot, session, definition }
}

/// How full the manager is.
#[must_use]
pub fn concurrency(state: &State, now: u64) -> ConcurrencyView {
    ConcurrencyView {
        active: state.held,
        limit: number(state.limits.max_concurrent),
        queued: number(state.queued()),
        queue_limit: number(state.limits.max_queued),
        parked: state.parked,
        abandoned: state.abandoned,
        waiting_for: waiting(state, now),
    }
}

/// What a drain did (D8).
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct DrainView {
    pub ended: Number,
    pub cancelled: Number,
    pub still_running: u32,
    pub timed_out: bool,
}

/// What the drain did so far. `left_open`: how many host functions run on whose runs it has left to another process.
#[must_use]
pub fn drained(state: &State, left_open: usize) -> DrainView {
    let drain = state.draining;
    // Also where the run has ended, until its host function is given up.
    let runs = |slot: &u32| matches!(state.runs.at(*slot).phase, Phase::Open | Phase::Lingering);
    DrainView {
        ended: number(drain.map_or(0, |drain| drain.ended)),
        cancelled: number(drain.map_or(0, |drain| drain.cancelled)),
        still_running: u32::try_from(state.runs.slots().filter(runs).count().saturating_add(left_open)).unwrap_or(u32::MAX),
        timed_out: drain.is_some_and(|drain| drain.overran),
    }
}
