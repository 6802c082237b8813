//! What is set aside for runs: changed, lent to sub-agents, given back. Owns that the ledger follows.

use super::State;
use super::ledger;
use super::run::Loan;
use crate::amounts::Amounts;
use crate::slab::{Key, NONE};

impl State {
    pub(super) fn change_hold(&mut self, task: u32, number: u32, hold: Amounts, whole: bool) {
        let Some(slot) = self.find_run(task, number) else { return };
        let run = self.runs.at_mut(slot);
        let before = std::mem::replace(&mut run.hold, hold);
        run.whole = whole;
        if before != hold {
            ledger::hold(&mut self.tree, task, before, hold);
            // What it holds now it may lend, to work below it that waits.
            if whole && self.node(task).first_child() != NONE {
                self.search.forget();
            } else {
                self.search.freed();
            }
        }
    }

    pub(super) fn hold_lent(&mut self, (task, run): (Key, u32), borrower: u32, amount: Amounts) {
        if let Some(slot) = self.find_run(task.slot, run) {
            let (before, whole) = (self.runs.at(slot).hold, self.runs.at(slot).whole);
            self.change_hold(task.slot, run, before.minus(amount), whole);
        }
        let borrower = self.node(borrower).run;
        let loans = &mut self.runs.at_mut(borrower).loans;
        match loans.iter_mut().find(|loan| loan.lender == task && loan.run == run) {
            Some(loan) => loan.amount = loan.amount.plus(amount),
            None => loans.push(Loan { lender: task, run, amount }),
        }
    }

    pub(super) fn hold_returned(&mut self, (task, run): (Key, u32), (borrower, borrower_run): (Key, u32), amount: Amounts) {
        if let Some(slot) = self.find_run(task.slot, run) {
            let (before, whole) = (self.runs.at(slot).hold, self.runs.at(slot).whole);
            self.change_hold(task.slot, run, before.plus(amount), whole);
        }
        if let Some(slot) = self.find_run(borrower.slot, borrower_run) {
            for loan in &mut self.runs.at_mut(slot).loans {
                if loan.lender == task && loan.run == run {
                    loan.amount = loan.amount.minus(amount);
                }
            }
        }
    }
}
