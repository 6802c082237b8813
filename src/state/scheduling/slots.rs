//! Slots: the runs that hold one, the line of runs that re-enter, and ended runs whose host function still runs. Owns their
//! counts and links.

use crate::base::codec::Text;
use crate::base::intrusive_list;
use crate::base::run_key::RunKey;
use crate::base::slab::NONE;
use crate::model::status::Parked;
use crate::state::State;
use crate::state::runs::deadlines::Owner;
use crate::state::runs::run::{Phase, Slot};
use crate::state::runs::timers::finite;

impl State {
    /// Whether the host function of a task's last ended run still runs (L6).
    #[must_use]
    pub(crate) fn lingers(&self, task: u32) -> bool {
        let last = self.node(task).lingering;
        last != NONE && self.runs.at(last).lingers()
    }

    #[inline(never)]
    pub(in crate::state) fn leave_reentry(&mut self, now: u64, index: u32) {
        if self.runs.at(index).is_parked(Parked::Reentry) {
            self.runs.at_mut(index).unpark(Parked::Reentry, now);
            self.reentry.retain(|other| *other != index);
        }
    }

    pub(in crate::state) fn release_slot(&mut self, index: u32) {
        let slot = std::mem::replace(&mut self.runs.at_mut(index).slot, Slot::None);
        self.release(slot);
    }

    /// Counts one slot less.
    #[inline]
    fn release(&mut self, slot: Slot) {
        match slot {
            Slot::Taken => self.taken_slots = self.taken_slots.saturating_sub(1),
            Slot::Parked => self.parked = self.parked.saturating_sub(1),
            Slot::None => {}
        }
    }

    #[inline]
    pub(in crate::state) fn free_run(&mut self, index: u32) {
        let run = self.runs.at(index);
        let (slot, phase) = (run.slot, run.phase);
        self.release(slot);
        if phase == Phase::Abandoned {
            self.abandoned = self.abandoned.saturating_sub(1);
        }
        self.deadlines.disarm(Owner::Run(index));
        self.key_rates.forget(index);
        self.runs.remove(index);
    }

    pub(in crate::state) fn unlink_lingering(&mut self, task: u32, index: u32) {
        let newest = self.node(task).lingering;
        self.tree.at_mut(task).lingering = intrusive_list::take_out_of_short(&mut self.runs, newest, index, |run| &mut run.next_lingering);
    }

    /// The host function of an ended run has returned, or its end was reported. `doubts`: the doubtful dimensions of its usage.
    pub(in crate::state) fn host_returned(&mut self, RunKey { task, run }: RunKey, doubts: u8, late_result: Option<Text>) {
        let node = self.tree.at_mut(task.index);
        // A late result of an earlier run doesn't change the last one's doubts.
        if node.runs == run {
            node.usage_doubts = doubts;
        }
        if let Some(index) = self.find_run(task.index, run) {
            self.unlink_lingering(task.index, index);
            self.free_run(index);
        }
        if let Some(late) = late_result {
            self.tree.at_mut(task.index).rare_mut().late_result = Some(late);
        }
        self.retain(task.index);
    }

    /// The host function of an ended run is abandoned (S4).
    pub(in crate::state) fn host_abandoned(&mut self, of: RunKey) {
        if let Some(index) = self.find(of) {
            self.release_slot(index);
            self.runs.at_mut(index).phase = Phase::Abandoned;
            self.abandoned = self.abandoned.saturating_add(1);
            self.arm(index);
        }
    }

    /// Arms a run's next deadline.
    #[inline]
    pub(in crate::state) fn arm(&mut self, index: u32) {
        let run = self.runs.at(index);
        let (next, depth) = (run.next_deadline().map(|(at, _)| at), self.node(run.task).depth);
        self.deadlines.set(Owner::Run(index), next, depth);
    }

    pub(in crate::state) fn run_parked(&mut self, now: u64, of: RunKey, why: Parked) {
        let approval_ms = self.limits.approval_timeout_ms;
        if let Some(index) = self.find(of) {
            if why == Parked::Rate && !self.runs.at(index).is_parked(Parked::Rate) {
                self.join_rate_queue(now, index);
            }
            let run = self.runs.at_mut(index);
            run.park(why, now);
            if why == Parked::Approval {
                run.timers.approval_until = finite(now, approval_ms);
            }
            if run.slot == Slot::Taken {
                run.slot = Slot::Parked;
                self.taken_slots = self.taken_slots.saturating_sub(1);
                self.parked = self.parked.saturating_add(1);
            }
            if why == Parked::Reentry {
                // A run that released a slot over the limit comes first, behind earlier such runs (S2).
                let first = if run.over_limit { self.came_over_limit() } else { self.reentry.len() };
                self.reentry.insert(first, index);
            } else {
                self.leave_reentry(now, index);
            }
            self.arm(index);
        }
    }

    /// The number of runs at the head of the line that released a slot over the limit.
    fn came_over_limit(&self) -> usize {
        self.reentry.iter().take_while(|index| self.runs.at(**index).over_limit).count()
    }

    /// A run's reason to be parked is over; `next`: the new reason, if any.
    pub(in crate::state) fn run_unparked(&mut self, now: u64, of: RunKey, why: Parked, next: Option<Parked>) {
        if let Some(index) = self.find(of).filter(|index| self.runs.at(*index).is_parked(why)) {
            if why == Parked::Rate {
                self.leave_rate_queue(index);
                self.count_waited(now, index);
            }
            let run = self.runs.at_mut(index);
            run.unpark(why, now);
            if why == Parked::Approval {
                run.timers.approval_until = None;
            }
            self.arm(index);
        }
        if let Some(why) = next {
            self.run_parked(now, of, why);
        }
    }

    pub(in crate::state) fn run_reentered(&mut self, now: u64, of: RunKey, over_limit: bool) {
        if let Some(index) = self.find(of) {
            self.leave_reentry(now, index);
            let run = self.runs.at_mut(index);
            run.slot = Slot::Taken;
            run.over_limit = over_limit;
            run.waiting_turn = None;
            self.rates.started(now);
            self.parked = self.parked.saturating_sub(1);
            self.taken_slots = self.taken_slots.saturating_add(1);
            self.arm(index);
        }
    }
}
