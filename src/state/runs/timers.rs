//! Timers of a run: its time, its silence, and which deadline comes next (T1, T2, T3). Owns when they stand still; the
//! record is in `run.rs`.

use crate::model::limits::UNLIMITED;
use crate::model::status::{Deadline, Parked};
use crate::state::State;
use crate::state::runs::run::{Phase, Run, bit};

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

impl Run {
    /// Stops or restarts the clocks as the reasons for being parked ask (T1, T2).
    pub(in crate::state) fn tick(&mut self, now: u64) {
        let stands = self.parks & !bit(Parked::Children) != 0;
        if let Some(since) = self.clock_since {
            self.left_ms = self.left_ms.saturating_sub(now.saturating_sub(since));
        }
        self.clock_since = if stands { None } else { Some(now) };
        self.restart_silence(now);
    }

    /// The run shows that it is alive: its silence counts from now, or not at all while it is parked or uses a tool. Its
    /// first report or turn arms the deadline (T2).
    pub(crate) fn restart_silence(&mut self, now: u64) {
        if self.silent_since.is_some() || self.turns > 0 || self.reported != 0 {
            let stands = self.parks != 0;
            self.silent_since = if stands || self.tools > 0 { None } else { Some(now) };
        }
    }

    /// The deadline that comes next, and which one it is (T3).
    #[must_use]
    #[inline]
    pub fn next_deadline(&self) -> Option<(u64, Deadline)> {
        sooner(self.own_deadline(), self.ask_until.map(|at| (at, Deadline::Answer)))
    }

    #[inline]
    fn own_deadline(&self) -> Option<(u64, Deadline)> {
        match self.phase {
            Phase::Queued | Phase::Abandoned => None,
            Phase::Backoff { retry_at } => Some((retry_at, Deadline::Retry)),
            // Its work is done; those it waits for have deadlines of their own.
            Phase::Open if self.returned.is_some() => None,
            Phase::Lingering { abandon_at } => abandon_at.map(|at| (at, Deadline::Abandon)),
            Phase::Open => {
                // A policy's time is bounded during a grace as well, and that of a grace while a policy takes its time.
                let approval = self.approval_until.map(|at| (at, Deadline::Approval));
                if let Some(until) = self.grace_until {
                    return sooner((until < u64::MAX).then_some((until, Deadline::Grace)), approval);
                }
                if approval.is_some() {
                    return approval;
                }
                let soft = self.clock_since.and_then(|since| finite(since, self.left_ms)).map(|at| (at, Deadline::Soft));
                let silence = self.silent_since.and_then(|since| finite(since, self.idle_timeout_ms)).map(|at| (at, Deadline::Silence));
                sooner(soft, silence)
            }
        }
    }
}

/// The deadline that comes first; of two at the same time `one`.
fn sooner(one: Option<(u64, Deadline)>, other: Option<(u64, Deadline)>) -> Option<(u64, Deadline)> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.0 < one.0 { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The instant `ms` after `since`, unless that is never.
pub(crate) fn finite(since: u64, ms: u64) -> Option<u64> {
    since.checked_add(ms).filter(|at| *at < u64::MAX)
}
