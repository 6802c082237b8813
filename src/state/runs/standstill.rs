//! Time in which the process was stopped or asleep: no deadline counts it (T4). Owns the choice of times to move. Cooldowns,
//! backoffs and the lifetime of keys follow real time, so they stay.

use crate::state::State;
use crate::state::runs::deadlines::Owner;
use crate::state::runs::run::{Phase, Run};
use crate::state::tree::node::Kind;

/// Moves an instant from which time counts, but never past now.
fn since(at: &mut Option<u64>, ms: u64, now: u64) {
    *at = at.map(|at| at.saturating_add(ms).min(now.max(at)));
}

/// Moves an instant at which something is due; never stays never.
fn due(at: &mut Option<u64>, ms: u64) {
    *at = at.map(|at| at.saturating_add(ms));
}

impl Run {
    fn stood_still(&mut self, now: u64, ms: u64) {
        let timers = &mut self.timers;
        since(&mut timers.since, ms, now);
        since(&mut timers.silent_since, ms, now);
        due(&mut timers.approval_until, ms);
        due(&mut timers.ask_until, ms);
        due(&mut timers.grace_until, ms);
        if let Phase::Lingering { abandon_at } = &mut self.phase {
            due(abandon_at, ms);
        }
    }
}

impl State {
    /// The process stood still for this long until now.
    #[cold]
    #[inline(never)]
    pub(in crate::state) fn stood_still(&mut self, now: u64, ms: u64) {
        let runs: Vec<u32> = self.runs.indices().collect();
        for index in runs {
            self.runs.at_mut(index).stood_still(now, ms);
            self.arm(index);
        }
        let notices: Vec<u32> = self.notices.indices().collect();
        for index in notices {
            let notice = self.notices.at_mut(index);
            due(&mut notice.until, ms);
            let until = notice.until;
            self.deadlines.set(Owner::Notice(index), until, 0);
        }
        if let Some(drain) = &mut self.draining {
            drain.until = drain.until.saturating_add(ms);
        }
        self.main_agents_stood_still(now, ms);
    }

    /// Moves the times of main agents.
    fn main_agents_stood_still(&mut self, now: u64, ms: u64) {
        let sessions: Vec<u32> = self.tree.indices().filter(|index| self.node(*index).kind == Kind::Session).collect();
        for index in sessions {
            if self.policing(index).is_some_and(|policing| policing.turns > 0) {
                let policing = self.policing_mut(index);
                let moved = |at: u64| at.saturating_add(ms).min(now.max(at));
                (policing.since, policing.turn_at) = (moved(policing.since), moved(policing.turn_at));
            }
        }
    }
}
