//! A run under way: what its turns change, and what it is told when it has to end. Owns how it hears of either; what is set
//! aside for a turn is in `budget/reservations.rs`.

use crate::base::amounts::Amounts;
use crate::base::slab::Key;
use crate::model::status::{Status, StopReason};
use crate::model::usage::Loans;
use crate::state::State;
use crate::state::budget::reservations::Booking;

impl State {
    /// A turn was granted: its number, whether it is for wrapping up, and why the run was told so.
    pub(in crate::state) fn turn_started(
        &mut self,
        now: u64,
        (task, run): (Key, u32),
        (turn, wrap_up, told): (u64, bool, Option<StopReason>),
        (hold, loans): (Amounts, Option<Box<Loans>>),
    ) {
        if let Some(index) = self.find_run(task.index, run) {
            self.takes_turns = true;
            self.price_turn(index);
            let more = hold.tokens.saturating_sub(self.runs.at(index).open_hold().tokens);
            self.count_turn(now, index, more);
            let one = Amounts { turns: 1, ..Amounts::ZERO };
            let usage = self.runs.at(index).booked.plus(one);
            self.book(now, (task, run), Booking { usage, hold, whole: false, loans });
            let run = self.runs.at_mut(index);
            run.told = told.or(run.told);
            run.turns = turn;
            run.wrapped_up |= wrap_up;
            run.beside_turn = None;
            run.stop_waiting();
            // A host that goes on to its next turn has done with its tools, whether it said so or not.
            run.tools = 0;
            run.hear(now);
            self.arm(index);
        }
        self.tree.at_mut(task.index).updated_at = now;
    }

    pub(in crate::state) fn wrap_up_told(&mut self, (task, run): (Key, u32), reason: StopReason, until: Option<u64>) {
        if let Some(index) = self.find_run(task.index, run) {
            let run = self.runs.at_mut(index);
            run.told = Some(reason);
            // Being told again takes no deadline away.
            run.until = until.or(run.until);
            run.stop_waiting();
            self.arm(index);
        }
    }

    pub(in crate::state) fn stop_requested(&mut self, (task, run): (Key, u32), (reason, status): (StopReason, Status), until: u64) {
        if let Some(index) = self.find_run(task.index, run) {
            let run = self.runs.at_mut(index);
            run.stop = Some((reason, status));
            run.until = Some(until);
            run.stop_waiting();
            self.arm(index);
        }
    }
}
