//! Timers of a run: its time, its silence, and its next deadline (T1, T2, T3). Owns the record; `run.rs` stops them.

use crate::base::stored::stored;
use crate::model::limits::UNLIMITED;
use crate::model::status::Deadline;
use crate::state::State;

/// The timers of a run: its time, its silence, and its waits for answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Timers {
    /// The time left at `since` until it must wrap up.
    pub left_ms: u64,
    /// Since when that time runs; `None` while it is stopped.
    pub since: Option<u64>,
    /// The maximum silence.
    pub idle_timeout_ms: u64,
    /// Since when it is silent; `None` while silence doesn't count.
    pub silent_since: Option<u64>,
    /// When it stops waiting for a policy's answer.
    pub approval_until: Option<u64>,
    /// When its grace to wrap up or to stop ends.
    pub grace_until: Option<u64>,
    /// When its open question stays without an answer (M5).
    pub ask_until: Option<u64>,
}

stored!(Timers { left_ms, since, idle_timeout_ms, silent_since, approval_until, grace_until, ask_until });

impl Timers {
    pub(in crate::state) const fn start(&mut self, now: u64, timeout_ms: u64, idle_timeout_ms: u64) {
        (self.left_ms, self.since, self.idle_timeout_ms) = (timeout_ms, Some(now), idle_timeout_ms);
    }

    /// Counts its time until now. From now on it runs, unless it `stands`.
    pub(super) const fn tick(&mut self, now: u64, stands: bool) {
        if let Some(since) = self.since {
            self.left_ms = self.left_ms.saturating_sub(now.saturating_sub(since));
        }
        self.since = if stands { None } else { Some(now) };
    }

    /// The next deadline of an open run, except its question's.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, Deadline)> {
        // During a grace, a policy's deadline counts too.
        let approval = self.approval_until.map(|at| (at, Deadline::Approval));
        if let Some(until) = self.grace_until {
            return sooner((until < u64::MAX).then_some((until, Deadline::Grace)), approval);
        }
        if approval.is_some() {
            return approval;
        }
        let soft = self.since.and_then(|since| finite(since, self.left_ms)).map(|at| (at, Deadline::Soft));
        let silence = self.silent_since.and_then(|since| finite(since, self.idle_timeout_ms)).map(|at| (at, Deadline::Silence));
        sooner(soft, silence)
    }
}

impl State {
    /// The maximum turns of a task's runs.
    #[must_use]
    pub fn max_turns_of(&self, index: u32) -> u64 {
        self.node(index).spec().and_then(|spec| spec.max_turns).unwrap_or(self.limits.max_turns)
    }

    /// The time and the silence that a task's runs may take. A program has only the deadlines that it gives itself (X6).
    #[must_use]
    pub fn timeouts_of(&self, index: u32) -> (u64, u64) {
        let node = self.node(index);
        let usual = if node.is_driven() { (UNLIMITED, UNLIMITED) } else { (self.limits.timeout_ms, self.limits.idle_timeout_ms) };
        let spec = node.spec();
        let own = spec.map_or((None, None), |spec| (spec.timeout_ms, spec.idle_timeout_ms));
        (own.0.unwrap_or(usual.0), own.1.unwrap_or(usual.1))
    }
}

/// The earlier deadline; `one` if both are at the same time.
pub(super) fn sooner(one: Option<(u64, Deadline)>, other: Option<(u64, Deadline)>) -> Option<(u64, Deadline)> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.0 < one.0 { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The instant `ms` after `since`, unless it is never.
pub(crate) fn finite(since: u64, ms: u64) -> Option<u64> {
    since.checked_add(ms).filter(|at| *at < u64::MAX)
}
