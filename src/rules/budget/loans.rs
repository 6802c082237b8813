//! Loans: amounts that a run borrows from the reservations of the runs above it, and returns (B3, B4). Owns the order in which
//! runs lend and are repaid; the ledger does the sums.

use crate::base::amounts::Amounts;
use crate::model::usage::{Loan, Loans};
use crate::state::State;
use crate::state::budget::ledger;

#[inline]
pub(crate) fn loans(lent: Vec<Loan>, returned: Vec<Loan>) -> Option<Box<Loans>> {
    if lent.is_empty() && returned.is_empty() { None } else { Some(Box::new(Loans { lent, returned })) }
}

/// The loans that cover `needed` from the reservations of the runs above, the nearest first (B4). The decision counted these
/// reservations as free, so the amounts must move from them to the borrower's reservation.
#[inline]
pub(crate) fn borrow(state: &State, index: u32, needed: Amounts) -> Vec<Loan> {
    // No run is above a session's own sub-agents, so nothing lends.
    if needed.is_zero() || state.node(index).depth <= 1 { Vec::new() } else { borrow_above(state, index, needed) }
}

#[inline(never)]
fn borrow_above(state: &State, index: u32, mut needed: Amounts) -> Vec<Loan> {
    let mut lent = Vec::new();
    for at in ledger::path(&state.tree, index).skip(1) {
        let amount = ledger::lendable(&state.tree, &state.runs, at).least(needed);
        if !amount.is_zero() {
            needed = needed.minus(amount);
            lent.push(Loan { lender: state.key(at), run: state.run_of(at).number, amount });
        }
    }
    lent
}

/// The loans that a run repays if its reservation changes to `reserved`: the freed part beyond the amount `booked` just before.
/// The last loan is repaid first, to lenders that still lend. Never more than was freed: amounts that were spent, or went to a
/// lender that has ended, can't be repaid.
#[inline]
pub(crate) fn repay(state: &State, index: u32, lent: Vec<Loan>, reserved: Amounts, booked: Amounts) -> Option<Box<Loans>> {
    let owes_nothing = lent.is_empty() && state.runs.at(index).loans.is_empty();
    if owes_nothing { None } else { return_loans(state, index, lent, reserved, booked) }
}

#[inline(never)]
fn return_loans(state: &State, index: u32, lent: Vec<Loan>, reserved: Amounts, booked: Amounts) -> Option<Box<Loans>> {
    let run = state.runs.at(index);
    let mut freed = run.reserved.minus(reserved).minus(booked);
    let mut owed = run.loans.clone();
    for loan in &lent {
        match owed.iter_mut().find(|known| known.lender == loan.lender && known.run == loan.run) {
            Some(known) => known.amount = known.amount.plus(loan.amount),
            None => owed.push(*loan),
        }
    }
    let mut returned = Vec::new();
    for loan in owed.iter().rev() {
        let amount = loan.amount.least(freed);
        if state.lends(loan) && !amount.is_zero() {
            freed = freed.minus(amount);
            returned.push(Loan { amount, ..*loan });
        }
    }
    loans(lent, returned)
}
