//! Why queued work waits (D4). Owns the order of the reasons; changes nothing.

use crate::base::amounts::{Amounts, Estimate};
use crate::base::slab::NONE;
use crate::model::status::WaitingFor;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Account;
use crate::state::runs::run::Phase;

/// The inputs that decide whether a queued run lacks budget: parent, account, need of its turns, reservation.
type BudgetClass = (u32, Account, Estimate, Amounts);

impl State {
    /// `maxAbandoned`, if it is reached and so nothing starts (S4).
    pub(crate) fn too_many_abandoned(&self) -> Option<u64> {
        let limit = self.limits.max_abandoned;
        (u64::from(self.abandoned) >= limit).then_some(limit)
    }

    /// Why a task waits: its run is queued or to be retried, or an interrupt paused its messages. `None` if its run has started,
    /// or it has nothing to run.
    pub(crate) fn waits_for(&self, now: u64, task: u32) -> Option<WaitingFor> {
        let node = self.node(task);
        let run = self.run_of(task);
        let why = match (node.run, run.phase) {
            (NONE, _) if node.is_paused_with_messages() => WaitingFor::Held,
            (NONE, _) => return None,
            (_, Phase::Backoff { .. }) => WaitingFor::Retry,
            (_, Phase::Queued) => return Some(self.obstacle(now, task).unwrap_or(WaitingFor::Slot)),
            (_, Phase::Open | Phase::Lingering { .. } | Phase::Abandoned) => return None,
        };
        Some(if self.too_many_abandoned().is_some() { WaitingFor::Abandoned } else { why })
    }

    /// The obstacle that would remain if a slot were free.
    pub(crate) fn obstacle(&self, now: u64, task: u32) -> Option<WaitingFor> {
        self.obstacle_but_budget(now, task).or_else(|| self.lacks_budget(task).then_some(WaitingFor::Budget))
    }

    fn obstacle_but_budget(&self, now: u64, task: u32) -> Option<WaitingFor> {
        let lacks = if self.too_many_abandoned().is_none() && !self.lingers(task) { self.lacks_for(task) } else { None };
        lacks.or_else(|| self.passing_obstacle(now, self.lingers(task), self.rate_limit_key(task)))
    }

    /// The first obstacle that ends by itself. `lingers`: the host function of the task's last run has not returned.
    pub(crate) fn passing_obstacle(&self, now: u64, lingers: bool, key: &str) -> Option<WaitingFor> {
        if self.too_many_abandoned().is_some() {
            Some(WaitingFor::Abandoned)
        } else if lingers {
            Some(WaitingFor::Host)
        } else if self.rates.cools(key) {
            Some(WaitingFor::Cooldown)
        } else if self.start_by_rate(now, key).is_some() {
            Some(WaitingFor::Rate)
        } else {
            self.next_start(now).map(|_| WaitingFor::Stagger)
        }
    }

    fn lacks_budget(&self, task: u32) -> bool {
        if !self.run_of(task).reserved.is_zero() {
            return false;
        }
        let available = ledger::available(&self.tree, &self.runs, task, Amounts::ZERO);
        available.lacks(self.estimate_of(task)).is_some()
    }

    /// The number of tasks that wait for each reason, as their snapshots show it.
    pub(crate) fn count_waiting(&self, now: u64) -> [u32; WaitingFor::ALL.len()] {
        let mut counts = [0_u32; WaitingFor::ALL.len()];
        let mut note = |why: WaitingFor, more: u32| {
            if let Some(count) = counts.get_mut(usize::from(why.number())) {
                *count = count.saturating_add(more);
            }
        };
        let paused = *self.paused_with_messages;
        if self.too_many_abandoned().is_some() {
            note(WaitingFor::Abandoned, u32::try_from(self.queued()).unwrap_or(u32::MAX).saturating_add(paused));
            return counts;
        }
        note(WaitingFor::Held, paused);
        note(WaitingFor::Retry, self.retrying);
        // Most waiting tasks have the same parent and cap, and no spending: the answer for one holds for the next.
        let mut last: Option<(BudgetClass, bool)> = None;
        for run in self.queue.in_order() {
            let task = self.runs.at(run).task;
            let node = self.node(task);
            let why = self.obstacle_but_budget(now, task).unwrap_or_else(|| {
                let like = (node.parent, node.account, crate::state::budget::estimates::given_to(node), self.runs.at(run).reserved);
                let lacks = match last {
                    Some((before, lacks)) if before == like => lacks,
                    _ => self.lacks_budget(task),
                };
                last = Some((like, lacks));
                if lacks { WaitingFor::Budget } else { WaitingFor::Slot }
            });
            note(why, 1);
        }
        counts
    }
}
