//! The reservations, usage, loans and returns of runs. Owns their bookings in the ledger, and the order in which the parts of one
//! fact apply (B4).

use crate::base::amounts::{Amounts, Dimension};
use crate::base::run_key::RunKey;
use crate::model::status::StopReason;
use crate::model::usage::{Dimensions, Loan, Loans};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;

/// The money of a run in a fact.
pub(in crate::state) struct Booking {
    /// The run's total usage.
    pub(in crate::state) usage: Amounts,
    /// Its new reservation, and whether it is for the whole run.
    pub(in crate::state) reserved: Amounts,
    pub(in crate::state) whole: bool,
    pub(in crate::state) loans: Option<Box<Loans>>,
}

impl State {
    /// The usage of a run, if still listed separately: its record exists, or it is its task's last run.
    #[must_use]
    pub(crate) fn booked(&self, task: u32, number: u32) -> Option<Amounts> {
        let node = self.node(task);
        match self.find_run(task, number) {
            Some(index) => Some(self.runs.at(index).booked),
            None => (node.runs == number).then_some(node.last_usage),
        }
    }

    /// Starts a run that had no reservation and borrows nothing.
    #[inline]
    pub(in crate::state) fn book_start(&mut self, task: u32, index: u32, reserved: Amounts) {
        let run = self.runs.at_mut(index);
        run.reserved = reserved;
        run.whole = !reserved.is_zero();
        ledger::start(&mut self.tree, task, reserved);
    }

    /// Ends the run at this index with the total `usage`. The caller then frees it.
    #[inline]
    pub(in crate::state) fn book_end(&mut self, now: u64, of: RunKey, index: u32, usage: Amounts, loans: Option<Box<Loans>>) {
        let run = self.runs.at(index);
        let is_open = run.phase == Phase::Open;
        let had_last = self.had_last_turn(index);
        if loans.is_some() || !run.loans.is_empty() || !is_open {
            self.book_loans(now, of, index, Booking { usage, reserved: Amounts::ZERO, whole: false, loans });
            if is_open {
                ledger::end(&mut self.tree, of.task.index, Amounts::ZERO, Amounts::ZERO, had_last);
            }
            return;
        }
        let more_priced = run.booked.nanos.saturating_sub(usage.nanos);
        let (amount, reserved) = (usage.zip(run.booked, u64::saturating_sub), run.reserved);
        if more_priced > 0 {
            self.return_priced((of.task.index, of.run), Some(index), more_priced);
        }
        let counted = self.count_booked(of.task.index, of.run, amount);
        ledger::end(&mut self.tree, of.task.index, counted, reserved, had_last);
        self.note_spent(now, of.task.index, of.run, (amount, counted));
    }

    /// Books a fact, in this order: the run borrows, books `usage`, replaces its reservation by `reserved`, and returns loans.
    pub(in crate::state) fn book(&mut self, now: u64, of: RunKey, booking: Booking) {
        match self.find(of) {
            Some(index) => self.book_at(now, of, index, booking),
            None => self.spend_after_run(now, of.task.index, of.run, booking.usage),
        }
    }

    /// Does the same for the run at this index.
    pub(in crate::state) fn book_at(&mut self, now: u64, of: RunKey, index: u32, booking: Booking) {
        if booking.loans.is_some() || !self.runs.at(index).loans.is_empty() {
            self.book_loans(now, of, index, booking);
        } else {
            self.book_own(now, (of.task.index, of.run), index, &booking);
        }
    }

    /// Does the same for a run that borrows, or has borrowed.
    #[inline(never)]
    fn book_loans(&mut self, now: u64, of: RunKey, index: u32, booking: Booking) {
        let lent = self.runs.at(index).whole;
        if let Some(loans) = &booking.loans {
            self.borrow(of, &loans.lent);
        }
        self.book_own(now, (of.task.index, of.run), index, &booking);
        if let Some(loans) = &booking.loans {
            self.return_loans(of, &loans.returned);
        }
        if lent && !booking.whole && !self.runs.at(index).loans.is_empty() {
            self.stop_lending(of, booking.loans.as_ref().map_or(&[], |loans| &loans.lent));
        }
    }

    /// Books the run's usage and replaces its reservation.
    fn book_own(&mut self, now: u64, (task, number): (u32, u32), index: u32, booking: &Booking) {
        let Booking { usage, reserved, whole, .. } = *booking;
        let more_priced = self.runs.at(index).booked.nanos.saturating_sub(usage.nanos);
        if more_priced > 0 {
            self.return_priced((task, number), Some(index), more_priced);
        }
        let run = self.runs.at_mut(index);
        let amount = usage.zip(run.booked, u64::saturating_sub);
        if !amount.is_zero() {
            run.booked = usage;
        }
        let before = std::mem::replace(&mut run.reserved, reserved);
        run.whole = whole;
        let counted = self.count_booked(task, number, amount);
        ledger::book(&mut self.tree, task, counted, (before, reserved));
        self.note_spent(now, task, number, (amount, counted));
    }

    /// A run stops lending. If its borrowers have amounts that it had itself borrowed, they now owe them to its lenders:
    /// otherwise no run would get them back. Amounts that it has just `taken`, for its own turn or use, were never lent to them
    /// (B4).
    #[inline(never)]
    pub(in crate::state) fn stop_lending(&mut self, of: RunKey, taken: &[Loan]) {
        let Some(index) = self.find(of) else { return };
        let mut owed: Vec<Loan> = self.runs.at(index).loans.iter().filter(|loan| self.lends(loan)).copied().collect();
        for own in &mut owed {
            for Loan { amount, .. } in taken.iter().filter(|loan| (loan.lender, loan.run) == (own.lender, own.run)) {
                own.amount = own.amount.minus(*amount);
            }
        }
        if owed.is_empty() {
            return;
        }
        let is_of_it = |loan: &&Loan| loan.lender == of.task && loan.run == of.run && !loan.amount.is_zero();
        // If less is left than all borrowers owe, they share it in the order of their keys.
        let mut lent: Vec<(RunKey, u32, Loan)> = Vec::new();
        for at in self.below(of.task.index).flat_map(|at| self.runs_of(at)) {
            let Some(loan) = self.runs.at(at).loans.iter().find(is_of_it) else { continue };
            let borrower = self.run_key(at);
            lent.insert(lent.partition_point(|(before, ..)| *before < borrower), (borrower, at, *loan));
        }
        for (_, borrower, mut loan) in lent {
            for own in &mut owed {
                let moved = Loan { amount: own.amount.least(loan.amount), ..*own };
                (own.amount, loan.amount) = (own.amount.minus(moved.amount), loan.amount.minus(moved.amount));
                self.runs.at_mut(index).owe_less(moved);
                let borrower = self.runs.at_mut(borrower);
                borrower.owe_less(Loan { lender: of.task, run: of.run, ..moved });
                borrower.owe(moved);
            }
        }
    }

    /// Whether the lender of this loan still lends: returned amounts then go to it (B4).
    pub(crate) fn lends(&self, loan: &Loan) -> bool {
        let lender = self.run_of(loan.lender.index);
        self.tree.contains(loan.lender) && lender.number == loan.run && lender.phase == Phase::Open && lender.whole
    }

    /// A run re-entered for a turn, and reserves its need: no other run takes it before the host has asked again (S2). Until then
    /// the run lends nothing.
    pub(in crate::state) fn reserve_turn(&mut self, now: u64, of: RunKey, reserved: Amounts, loans: Option<Box<Loans>>) {
        let Some(index) = self.find(of) else { return };
        let run = self.runs.at(index);
        let (usage, beside) = (run.booked, if run.whole { run.open_reservation() } else { run.reserved });
        self.book(now, of, Booking { usage, reserved, whole: false, loans });
        self.runs.at_mut(index).beside_turn = Some(beside);
    }

    /// Releases the reservation for a turn that doesn't begin.
    pub(in crate::state) fn release_turn(&mut self, task: u32, number: u32) {
        let Some(index) = self.find_run(task, number) else { return };
        if let Some(beside) = self.runs.at_mut(index).beside_turn.take() {
            self.change_reservation(task, number, self.runs.at(index).reserved.least(beside), false);
        }
    }

    /// A host reported a run's further usage. Any report ends the run's silence (T2).
    pub(in crate::state) fn run_reported(
        &mut self,
        now: u64,
        of: RunKey,
        (usage, reserved, loans): (Amounts, Amounts, Option<Box<Loans>>),
        (reported, invalid): (Dimensions, Dimensions),
    ) {
        let Some(index) = self.find(of) else { return };
        let whole = self.runs.at(index).whole;
        let more = usage.zip(self.runs.at(index).booked, u64::saturating_sub);
        if reported.has(Dimension::Cost) {
            self.price_reported(index, more.nanos);
        }
        if reported.has(Dimension::Tokens) {
            self.measure(now, index, more);
        }
        let run = self.runs.at_mut(index);
        let is_more = usage != run.booked;
        if is_more && reported == Dimensions::NONE {
            // Its open turns are a lost host's: their usage doesn't predict the next ones.
            run.turn_costs.drop_open();
            run.turn_tokens.clear();
        }
        let waits = run.phase == Phase::Queued;
        if let Some(previous) = run.previous.as_mut().filter(|_| waits || is_more || reported != Dimensions::NONE) {
            previous.open = if waits { reserved } else { Amounts::ZERO };
        }
        self.book(now, of, Booking { usage, reserved, whole, loans });
        let run = self.runs.at_mut(index);
        run.reports.add(reported, invalid);
        let ended = run.phase != Phase::Open && run.phase != Phase::Queued;
        let at_work = run.parks == 0 && run.tools == 0 && run.phase == Phase::Open;
        run.timers.silent_since = if at_work { Some(now) } else { None };
        self.arm(index);
        if ended && self.node(of.task.index).runs == of.run {
            self.tree.at_mut(of.task.index).usage_doubts = self.doubts_of(index);
        }
    }

    /// The unbooked part of the reservation for a lost run's turns, which the next attempt takes over.
    pub(in crate::state) fn left_open(&self, of: RunKey, reason: StopReason, usage: Amounts) -> Amounts {
        let Some(index) = self.find(of) else { return Amounts::ZERO };
        let run = self.runs.at(index);
        if reason.is_lost() { run.open_reservation().minus(usage.zip(run.booked, u64::saturating_sub)) } else { Amounts::ZERO }
    }

    /// Books the further usage of a run whose record is removed.
    #[inline(never)]
    fn spend_after_run(&mut self, now: u64, task: u32, number: u32, usage: Amounts) {
        let Some(booked) = self.booked(task, number) else { return };
        let more_priced = booked.nanos.saturating_sub(usage.nanos);
        if more_priced > 0 {
            self.return_priced((task, number), None, more_priced);
        }
        let amount = usage.zip(booked, u64::saturating_sub);
        self.count_reported(now, (task, number), amount.tokens);
        let counted = self.count_booked(task, number, amount);
        ledger::spend(&mut self.tree, task, counted);
        self.note_spent(now, task, number, (amount, counted));
    }

    #[inline]
    fn note_spent(&mut self, now: u64, task: u32, number: u32, (amount, counted): (Amounts, Amounts)) {
        if amount.is_zero() {
            return;
        }
        let node = self.tree.at_mut(task);
        if node.runs == number {
            node.last_usage = node.last_usage.plus(amount);
        }
        node.updated_at = now;
        self.note_cost(task, number, counted);
    }

    pub(in crate::state) fn change_reservation(&mut self, task: u32, number: u32, reserved: Amounts, whole: bool) {
        let Some(index) = self.find_run(task, number) else { return };
        let run = self.runs.at_mut(index);
        let before = std::mem::replace(&mut run.reserved, reserved);
        run.whole = whole;
        if before != reserved {
            ledger::reserve(&mut self.tree, task, before, reserved);
        }
    }

    /// A run borrows from runs above it.
    #[inline(never)]
    pub(in crate::state) fn borrow(&mut self, of: RunKey, lent: &[Loan]) {
        for loan in lent {
            self.change_lent(loan, Amounts::minus);
            let Some(index) = self.find(of) else { return };
            self.runs.at_mut(index).owe(*loan);
        }
    }

    #[inline(never)]
    fn return_loans(&mut self, of: RunKey, returned: &[Loan]) {
        for loan in returned {
            self.change_lent(loan, Amounts::plus);
            let Some(index) = self.find(of) else { return };
            self.runs.at_mut(index).owe_less(*loan);
        }
    }

    fn change_lent(&mut self, loan: &Loan, change: impl Fn(Amounts, Amounts) -> Amounts) {
        let Loan { lender, run, amount } = *loan;
        if let Some(index) = self.find_run(lender.index, run) {
            let (before, whole) = (self.runs.at(index).reserved, self.runs.at(index).whole);
            self.change_reservation(lender.index, run, change(before, amount), whole);
        }
    }
}
