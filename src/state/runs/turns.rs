//! The turns of an open run, and requests to wrap up or stop. Owns their changes; the reservation of a turn is in
//! `budget/reservations.rs`.

use crate::base::amounts::{Amounts, Dimension, Estimate};
use crate::base::run_key::RunKey;
use crate::base::slab::NONE;
use crate::model::status::{Status, StopReason};
use crate::model::usage::{Dimensions, Loans};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::budget::reservations::Booking;
use crate::state::runs::run::Phase;

impl State {
    /// A turn was granted. `wrap_up_reason`: why the run must wrap up with it, if so.
    pub(in crate::state) fn turn_started(
        &mut self,
        now: u64,
        of: RunKey,
        (turn, wrap_up_reason): (u64, Option<StopReason>),
        (reserved, whole, loans): (Amounts, bool, Option<Box<Loans>>),
    ) {
        if let Some(index) = self.find(of) {
            self.takes_turns = true;
            self.price_turn(index);
            self.measure_turn(index);
            let more = reserved.tokens.saturating_sub(self.runs.at(index).open_reservation().tokens);
            // The reservation for a whole run doesn't measure a turn.
            self.count_turn(now, index, if whole { more.min(self.next_turn(index, Estimate::default()).0.tokens) } else { more });
            let one = Amounts { turns: 1, ..Amounts::ZERO };
            let usage = self.runs.at(index).booked.plus(one);
            self.book(now, of, Booking { usage, reserved, whole, loans });
            let run = self.runs.at_mut(index);
            if let Some(previous) = run.previous.as_mut().filter(|_| whole) {
                previous.open = Amounts::ZERO;
            }
            run.wrap_up_reason = wrap_up_reason.or(run.wrap_up_reason);
            run.turns = turn;
            run.beside_turn = None;
            run.waiting_turn = None;
            // A host that begins its next turn has finished its tools, reported or not.
            run.tools = 0;
            run.restart_silence(now);
            self.arm(index);
        }
        self.tree.at_mut(of.task.index).updated_at = now;
    }

    /// A last turn was granted. `spends`: it is the only one in its task's life. One open run fewer awaits its last turn (B13).
    pub(in crate::state) fn spend_last_turn(&mut self, of: RunKey, spends: bool, is_last: bool) {
        let Some(index) = self.find(of).filter(|_| is_last) else { return };
        let is_new = !self.had_last_turn(index);
        self.runs.at_mut(index).wrapped_up = true;
        self.tree.at_mut(of.task.index).wrapped_up |= spends;
        if is_new && self.runs.at(index).phase == Phase::Open {
            ledger::count_last(&mut self.tree, of.task.index, u32::saturating_add);
        }
    }

    /// The number of open runs at a node and below that have not had their last turn.
    pub(crate) fn awaiting_last_turn(&self, index: u32) -> u32 {
        let node = self.node(index);
        let own = node.run != NONE && self.runs.at(node.run).phase == Phase::Open && self.had_last_turn(node.run);
        node.open_runs.saturating_sub(node.family().last_turns).saturating_sub(u32::from(own))
    }

    /// Whether a run has had its last turn, or gets none because its task has had its own.
    pub(crate) fn had_last_turn(&self, index: u32) -> bool {
        let run = self.runs.at(index);
        run.wrapped_up || self.node(run.task).wrapped_up
    }

    /// A run's total usage is known, and so is that of its last turns, unless it was booked when the host was abandoned.
    pub(in crate::state) fn turns_ended(
        &mut self,
        now: u64,
        of: RunKey,
        usage: Amounts,
        doubts: (Dimensions, Dimensions),
        reason: Option<StopReason>,
    ) {
        let Some(index) = self.find(of) else { return };
        if self.runs.at(index).phase != Phase::Abandoned {
            self.price_ended(index, usage.nanos, doubts, reason);
            self.measure_end(now, index, usage, doubts.1, reason);
        } else if !doubts.1.has(Dimension::Tokens) {
            let more = usage.zip(self.runs.at(index).booked, u64::saturating_sub);
            self.count_reported(now, (of.task.index, of.run), more.tokens);
        }
    }

    pub(in crate::state) fn wrap_up_requested(&mut self, of: RunKey, reason: StopReason, until: Option<u64>) {
        if let Some(index) = self.find(of) {
            let run = self.runs.at_mut(index);
            run.wrap_up_reason = Some(reason);
            // A repeated request removes no deadline.
            run.timers.grace_until = until.or(run.timers.grace_until);
            run.waiting_turn = None;
            self.arm(index);
        }
    }

    pub(in crate::state) fn stop_requested(&mut self, of: RunKey, (reason, status): (StopReason, Status), until: u64) {
        if let Some(index) = self.find(of) {
            // The turn for which it queues never begins.
            self.leave_rate_queue(index);
            let run = self.runs.at_mut(index);
            run.stop = Some((reason, status));
            run.timers.grace_until = Some(until);
            run.waiting_turn = None;
            self.arm(index);
        }
    }
}
