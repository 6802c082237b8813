//! Transitions of a run: queued, started, ended; and the counts of tasks by status. Owns their changes besides the run itself:
//! the queue, slots, the links of its task.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::slab::NONE;
use crate::model::ended::AbandonAt;
use crate::model::status::Status;
use crate::state::State;
use crate::state::runs::run::{Phase, Previous, Run, Slot};
use crate::state::tree::node::Retention;
use crate::state::tree::rare_fields::Attempted;

impl State {
    pub(in crate::state) fn count_in(&mut self, status: Status) {
        if let Some(count) = self.counts.get_mut(usize::from(status.number())) {
            *count = count.saturating_add(1);
        }
    }

    pub(in crate::state) fn count_out(&mut self, status: Status) {
        if let Some(count) = self.counts.get_mut(usize::from(status.number())) {
            *count = count.saturating_sub(1);
        }
    }

    #[inline]
    pub(in crate::state) fn set_status(&mut self, now: u64, index: u32, status: Status) {
        let node = self.tree.at_mut(index);
        let before = std::mem::replace(&mut node.status, status);
        let is_listed = node.kept != Retention::No;
        node.updated_at = now;
        self.count_out(before);
        self.count_in(status);
        if status == Status::Closed {
            self.leave_data(index);
        }
        if !(status.is_open() || status == Status::Idle) {
            self.retain(index);
        } else if is_listed {
            self.unretain(index);
        }
    }

    /// Puts a run in the queue.
    #[inline]
    fn queue_run(&mut self, now: u64, (task, number): (u32, u32), rank: i64, round: u64) -> u32 {
        let at = self.runs.claim().index;
        let place = self.queue.insert(rank, round, at);
        let priority = crate::state::scheduling::queue::priority(now, rank, self.limits.ageing_ms);
        let run = self.runs.at_mut(at);
        run.task = task;
        run.number = number;
        run.first = number;
        (run.priority, run.place) = (priority, place);
        if self.node(task).is_driven() {
            self.leave_to_program(at);
        }
        at
    }

    /// The queued run at this index waits for the program, which drives its task (X6).
    #[inline(never)]
    fn leave_to_program(&mut self, index: u32) {
        if !std::mem::replace(&mut self.runs.at_mut(index).awaits_program, true) {
            *self.for_program = self.for_program.saturating_add(1);
        }
    }

    /// The program took up the run, or the run is over.
    pub(in crate::state) fn take_from_program(&mut self, index: u32) {
        if std::mem::take(&mut self.runs.at_mut(index).awaits_program) {
            *self.for_program = self.for_program.saturating_sub(1);
        }
    }

    /// The process that took up queued runs is lost: the next one has to.
    pub(in crate::state) fn leave_all_to_program(&mut self) {
        let queued: Vec<u32> = self.queue.in_order().filter(|run| self.node(self.runs.at(*run).task).is_driven()).collect();
        for run in queued {
            self.leave_to_program(run);
        }
    }

    /// Queues the first run of a newly admitted task, which already counts as pending.
    pub(in crate::state) fn first_run_queued(&mut self, now: u64, task: u32, parent: u32, rank: i64, round: u64) {
        let at = self.queue_run(now, (task, 1), rank, round);
        let above = self.run_above(task);
        let node = self.tree.at_mut(task);
        node.run = at;
        node.runs = 1;
        node.parent_run = above;
        node.collected = false;
        let counted = u32::from(node.is_counted());
        let family = self.tree.at_mut(parent).family_mut();
        family.note_queued(round);
        family.open_children = family.open_children.saturating_add(counted);
    }

    pub(in crate::state) fn run_queued(&mut self, now: u64, task: u32, number: u32, rank: i64, round: u64, message: Option<Text>) {
        let at = self.queue_run(now, (task, number), rank, round);
        if self.node(task).notice != NONE {
            self.keep_end(task);
        }
        let parent_run = self.run_above(task);
        let node = self.tree.at_mut(task);
        node.run = at;
        node.runs = number;
        node.stopped_by = NONE;
        node.parent_run = parent_run;
        node.begin_anew();
        if node.rare.is_some() {
            self.trim_undelivered(task);
        }
        if let Some(text) = message {
            let message = self.message_begun(task, text);
            let run = self.runs.at_mut(at);
            run.salt = message.salt;
            run.message = Some(message);
        }
        let (parent, counted) = (self.node(task).parent, u32::from(self.node(task).is_counted()));
        let family = self.tree.at_mut(parent).family_mut();
        family.note_queued(round);
        family.open_children = family.open_children.saturating_add(counted);
        self.set_status(now, task, Status::Pending);
    }

    /// A run ends: notes its message if its task's idempotency key may cause another attempt.
    pub(in crate::state) fn note_attempted(&mut self, task: u32, run: u32, status: Status) {
        let node = self.tree.at(task);
        if node.rare.as_ref().is_none_or(|rare| rare.once.serial == 0) {
            return;
        }
        let run = self.runs.at(run);
        let attempted = Attempted { first: run.first_attempt(), message: run.message.clone(), salt: run.salt };
        self.tree.at_mut(task).rare_mut().attempted = (status != Status::Completed).then(|| Box::new(attempted));
    }

    /// Queues a further attempt at the message of the last run, which ended badly (D7).
    #[inline(never)]
    pub(in crate::state) fn attempt_queued(&mut self, now: u64, task: u32, number: u32, rank: i64, round: u64) {
        let Attempted { first, message, salt } = self.attempted(task);
        let node = self.node(task);
        let error = node.rare.as_ref().and_then(|rare| rare.details.error.clone());
        let previous = Previous { reason: node.end.1, error, open: Amounts::ZERO, takes_turns: false, past: None };
        self.run_queued(now, task, number, rank, round, None);
        let run = self.runs.at_mut(self.node(task).run);
        (run.first, run.message, run.salt, run.previous) = (first, message, salt, Some(Box::new(previous)));
    }

    /// The message of a task's last run, if that ended badly, for a further attempt.
    #[must_use]
    pub(crate) fn attempted(&self, task: u32) -> Attempted {
        self.node(task).rare.as_ref().and_then(|rare| rare.attempted.as_deref()).cloned().unwrap_or_default()
    }

    /// The number of the parent's run for which a run queued now works. Background work can work for a run that waits for it
    /// after its host function returned (C3).
    #[inline]
    fn run_above(&self, task: u32) -> u32 {
        let node = self.node(task);
        if self.node(node.parent).run == NONE {
            return 0;
        }
        let above = self.run_of(node.parent);
        let waits = node.background && above.phase == Phase::Open && above.returned.is_some();
        // A lost run that continues already has its sub-agents.
        let comes = above.phase != Phase::Open && node.parent_run == above.number;
        if waits || comes { above.number } else { self.speaking_run(node.parent) }
    }

    /// Whether the parent's run for which a task last worked may still read its end. It may if it is open, or if it continues
    /// later, after it was lost or drained (J3, D8).
    pub(crate) fn has_caller(&self, index: u32) -> bool {
        let node = self.node(index);
        let above = self.run_of(node.parent);
        self.node(node.parent).run != NONE && above.number == node.parent_run && above.returned.is_none()
    }

    /// Whether an open run called for a task in the foreground, and so will read its end.
    pub(crate) fn is_called_for(&self, index: u32) -> bool {
        let node = self.node(index);
        !node.background && node.parent_run != 0 && self.speaking_run(node.parent) == node.parent_run
    }

    /// Whether that would hold for a run queued now.
    pub(crate) fn would_be_called_for(&self, index: u32) -> bool {
        let node = self.node(index);
        !node.background && self.node(node.parent).run != NONE && self.speaking_run(node.parent) != 0
    }

    /// The number of a task's open run, or 0 if its host function has returned. Runs queued below it now work for this run,
    /// whichever run spawned their task (C3).
    pub(crate) fn speaking_run(&self, index: u32) -> u32 {
        let run = self.run_of(index);
        if run.phase == Phase::Open && run.returned.is_none() { run.number } else { 0 }
    }

    pub(in crate::state) fn run_started(&mut self, now: u64, task: u32, max_turns: u64, timeout_ms: u64, idle_timeout_ms: u64) -> u32 {
        let index = self.node(task).run;
        let run = self.runs.at_mut(index);
        let place = run.place;
        run.phase = Phase::Open;
        run.slot = Slot::Taken;
        run.started_at = now;
        run.max_turns = max_turns;
        run.timers.start(now, timeout_ms, idle_timeout_ms);
        self.queue.remove(place, true);
        self.tree.at_mut(self.tree.at(task).parent).family_mut().note_left(true);
        self.rates.started(now);
        self.count_start(now, index);
        self.taken_slots = self.taken_slots.saturating_add(1);
        self.tree.at_mut(task).started_at = now;
        self.set_status(now, task, Status::Running);
        self.arm(index);
        index
    }

    /// An attempt has ended, and another follows under the next number, with the same message and a fresh record.
    pub(in crate::state) fn run_retried(&mut self, now: u64, (task, number): (u32, u32), attempt: u32, previous: Previous, until: u64) {
        let index = self.node(task).run;
        let losses = self.losses_with_this(index);
        self.leave_reentry(now, index);
        self.leave_rate_queue(index);
        self.key_rates.forget(index);
        self.release_slot(index);
        let run = self.runs.at_mut(index);
        let message = run.message.take();
        let (first, salt, goes_on) = (run.first_attempt(), run.salt, run.attempt == attempt);
        let lost = if previous.reason.is_lost() { losses } else { 0 };
        let next = number.saturating_add(1);
        *run = Run {
            task,
            number: next,
            phase: Phase::Backoff { retry_at: until },
            attempt,
            first,
            lost,
            previous: Some(Box::new(previous)),
            message,
            salt,
            ..Run::default()
        };
        self.arm(index);
        self.retrying = self.retrying.saturating_add(1);
        self.runs_ended = self.runs_ended.saturating_add(1);
        self.note_run(task, number);
        let node = self.tree.at_mut(task);
        node.runs = next;
        node.begin_anew();
        self.set_status(now, task, Status::Pending);
        // A run that didn't fail continues under the next number, and its children with it.
        if goes_on {
            self.move_children(task, number, next);
        }
    }

    /// How often in a row an open run was lost while running, if it is lost now. A run that released its slot to wait can't have
    /// crashed its process.
    #[must_use]
    pub fn losses_with_this(&self, index: u32) -> u32 {
        self.runs.at(index).lost.saturating_add(u32::from(self.holds_slot(index)))
    }

    #[inline(never)]
    fn move_children(&mut self, task: u32, from: u32, to: u32) {
        let mut child = self.node(task).first_child();
        while child != NONE {
            let node = self.tree.at_mut(child);
            if node.parent_run == from {
                node.parent_run = to;
            }
            child = node.next;
        }
    }

    /// A checkpoint resets the count of losses.
    pub(in crate::state) fn checkpoint_saved(&mut self, task: u32, data: Text) {
        let index = self.node(task).run;
        if self.runs.at(index).phase == Phase::Open {
            self.runs.at_mut(index).lost = 0;
            self.steers_covered(task);
        }
        self.tree.at_mut(task).rare_mut().checkpoint = Some(data);
    }

    /// A queued run moves forward; within its new rank, its arrival decides.
    pub(in crate::state) fn run_raised(&mut self, task: u32, rank: i64) {
        let index = self.node(task).run;
        let run = self.runs.at_mut(index);
        let before = run.place;
        run.priority = before.rank.saturating_add(run.priority).saturating_sub(rank);
        run.place.rank = rank;
        let place = run.place;
        self.queue.raise(before, place, index);
    }

    /// An attempt is due.
    pub(in crate::state) fn retry_due(&mut self, now: u64, task: u32, rank: i64, round: u64) {
        let index = self.node(task).run;
        let place = self.queue.insert(rank, round, index);
        let priority = crate::state::scheduling::queue::priority(now, rank, self.limits.ageing_ms);
        let run = self.runs.at_mut(index);
        run.phase = Phase::Queued;
        (run.priority, run.place) = (priority, place);
        if self.node(task).is_driven() {
            self.leave_to_program(index);
        }
        self.tree.at_mut(self.tree.at(task).parent).family_mut().note_queued(round);
        self.retrying = self.retrying.saturating_sub(1);
        self.arm(index);
    }

    /// Ends a run in slots, queue and links.
    #[inline]
    pub(in crate::state) fn run_ended(&mut self, now: u64, task: u32, index: u32, given_up: Option<AbandonAt>) {
        let run = self.runs.at(index);
        let (place, was) = (run.place, run.phase);
        if run.returned.is_some() {
            self.returned = self.returned.saturating_sub(1);
        }
        if run.parks != 0 {
            self.leave_reentry(now, index);
            self.leave_rate_queue(index);
        }
        let node = self.tree.at_mut(task);
        node.run = NONE;
        if node.rare.is_some() && node.is_paused_with_messages() {
            *self.paused_with_messages = self.paused_with_messages.saturating_add(1);
        }
        let (parent, is_counted) = (node.parent, node.is_counted());
        match was {
            Phase::Queued => {
                self.take_from_program(index);
                self.queue.remove(place, false);
                self.tree.at_mut(parent).family_mut().note_left(false);
            }
            Phase::Backoff { .. } => self.retrying = self.retrying.saturating_sub(1),
            Phase::Open | Phase::Lingering { .. } | Phase::Abandoned => {
                self.runs_ended = self.runs_ended.saturating_add(1);
                self.note_run(task, self.node(task).runs);
            }
        }
        if is_counted {
            let family = self.tree.at_mut(parent).family_mut();
            family.open_children = family.open_children.saturating_sub(1);
        }
        match given_up {
            Some(at) => self.run_lingers(task, index, at),
            None => self.free_run(index),
        }
    }

    /// A run has ended, but its host function still runs, until it is abandoned at this time.
    #[inline(never)]
    fn run_lingers(&mut self, task: u32, index: u32, given_up: AbandonAt) {
        let next = std::mem::replace(&mut self.tree.at_mut(task).lingering, index);
        let run = self.runs.at_mut(index);
        run.phase = Phase::Lingering { abandon_at: given_up.at().filter(|at| *at < u64::MAX) };
        run.next_lingering = next;
        // It no longer waits, and never re-enters a released slot.
        run.parks = 0;
        if run.slot == Slot::Parked {
            self.release_slot(index);
        }
        self.arm(index);
    }
}
