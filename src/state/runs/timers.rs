//! Timers of a run: its time, its silence, and which deadline comes next (T1, T2, T3). Owns the record; `run.rs` says
//! when they stand still.

use crate::base::stored::stored;
use crate::model::limits::UNLIMITED;
use crate::model::status::Deadline;
use crate::state::State;

/// The timers of a run: its time, its silence, and how long it waits for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Timers {
    /// Time left until it is asked to wrap up, as of `since`.
    pub left_ms: u64,
    /// Since when that time runs; `None` while it stands still.
    pub since: Option<u64>,
    /// How long it may be silent.
    pub idle_timeout_ms: u64,
    /// Since when it is silent; `None` while that does not count.
    pub silent_since: Option<u64>,
    /// When a policy's answer is no longer waited for.
    pub approval_until: Option<u64>,
    /// When the grace ends that it was given to wrap up or to stop.
    pub grace_until: Option<u64>,
    /// When its question is given up, if it has one open (M5).
    pub ask_until: Option<u64>,
}

stored!(Timers { left_ms, since, idle_timeout_ms, silent_since, approval_until, grace_until, ask_until });

impl Timers {
    pub(in crate::state) const fn start(&mut self, now: u64, timeout_ms: u64, idle_timeout_ms: u64) {
        (self.left_ms, self.since, self.idle_timeout_ms) = (timeout_ms, Some(now), idle_timeout_ms);
    }

    /// Its time counts until now, and on from now unless it `stands`.
    pub(super) const fn tick(&mut self, now: u64, stands: bool) {
        if let Some(since) = self.since {
            self.left_ms = self.left_ms.saturating_sub(now.saturating_sub(since));
        }
        self.since = if stands { None } else { Some(now) };
    }

    /// The next deadline of an open run, except that of its question.
    #[inline]
    pub(super) fn next(&self) -> Option<(u64, Deadline)> {
        // A policy's time is bounded during a grace as well, and that of a grace while a policy takes its time.
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
    /// How many turns a run of a task may take.
    #[must_use]
    pub fn max_turns_of(&self, index: u32) -> u64 {
        self.node(index).spec().and_then(|spec| spec.max_turns).unwrap_or(self.limits.max_turns)
    }

    /// How long a run of a task may take, and be silent. A program has only the deadlines that it gives itself (X6).
    #[must_use]
    pub fn timeouts_of(&self, index: u32) -> (u64, u64) {
        let node = self.node(index);
        let usual = if node.is_driven() { (UNLIMITED, UNLIMITED) } else { (self.limits.timeout_ms, self.limits.idle_timeout_ms) };
        let spec = node.spec();
        let own = spec.map_or((None, None), |spec| (spec.timeout_ms, spec.idle_timeout_ms));
        (own.0.unwrap_or(usual.0), own.1.unwrap_or(usual.1))
    }
}

/// The deadline that comes first; of two at the same time `one`.
pub(super) fn sooner(one: Option<(u64, Deadline)>, other: Option<(u64, Deadline)>) -> Option<(u64, Deadline)> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.0 < one.0 { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The instant `ms` after `since`, unless that is never.
pub(crate) fn finite(since: u64, ms: u64) -> Option<u64> {
    since.checked_add(ms).filter(|at| *at < u64::MAX)
}
