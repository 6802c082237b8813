//! Bills: the cost of a report or an end, by the host's figures and by earlier bookings (B6, B7). Owns these bills; records
//! nothing.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::model::outcome::{Outcome, Reading, Returned, Usage};
use crate::model::usage::{Dimensions, Loan, Loans};
use crate::rules::budget::loans::{borrow, repay};
use crate::rules::budget::pricing;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;

/// The bill of an end: the run's whole usage, which dimensions of it are doubtful, and its loans.
pub(crate) struct Bill {
    pub(crate) usage: Amounts,
    pub(crate) unknown: Dimensions,
    pub(crate) invalid: Dimensions,
    pub(crate) loans: Option<Box<Loans>>,
}

fn reading(usage: Usage, dimension: Dimension) -> Reading {
    match dimension {
        Dimension::Tokens => usage.tokens,
        Dimension::Cost => usage.nanos,
        Dimension::Turns => usage.turns,
    }
}

fn only(dimension: Dimension, amount: u64) -> Amounts {
    match dimension {
        Dimension::Tokens => Amounts { tokens: amount, ..Amounts::ZERO },
        Dimension::Cost => Amounts { nanos: amount, ..Amounts::ZERO },
        Dimension::Turns => Amounts { turns: amount, ..Amounts::ZERO },
    }
}

/// The amount that counts against caps if a run used `amount`, and its loans. The part beyond the run's own reservation is
/// borrowed from the runs above, up to their reservations (B4). The rest is booked anyway (B6).
#[inline]
fn book(state: &State, index: u32, amount: Amounts) -> (Amounts, Vec<Loan>) {
    let run = state.runs.at(index);
    let amount = state.counted(run.task, run.number, amount);
    let excess = if run.phase == Phase::Open { amount.minus(run.reserved.least(amount)) } else { Amounts::ZERO };
    let lent = borrow(state, run.task, excess);
    (amount, lent)
}

/// The bill of a report.
pub(crate) struct Reported {
    pub(crate) usage: Amounts,
    pub(crate) reported: Dimensions,
    pub(crate) invalid: Dimensions,
    pub(crate) reserved: Amounts,
    pub(crate) loans: Option<Box<Loans>>,
}

/// The usage in a report, and the reported dimensions.
pub(crate) struct Spent {
    pub(crate) usage: Amounts,
    pub(crate) reported: Dimensions,
    pub(crate) invalid: Dimensions,
}

fn spent(usage: Usage) -> Spent {
    let mut spent = Spent { usage: Amounts::ZERO, reported: Dimensions::NONE, invalid: Dimensions::NONE };
    for dimension in [Dimension::Tokens, Dimension::Cost] {
        match reading(usage, dimension) {
            Reading::Missing => {}
            Reading::Invalid => spent.invalid = spent.invalid.and(dimension),
            Reading::Is(value) => {
                spent.reported = spent.reported.and(dimension);
                spent.usage = spent.usage.plus(only(dimension, value));
            }
        }
    }
    spent
}

/// Judges the report of a main agent: its total usage, booked on its session. It has no reservation, so an invalid amount books
/// nothing (B12).
pub(crate) fn bill_main(state: &State, index: u32, usage: Usage) -> Spent {
    let more = spent(usage);
    Spent { usage: state.node(index).last_usage.plus(more.usage), ..more }
}

/// Judges a report: the run's usage since its last one. The turn's reservation is released, except in two kinds of dimension. In
/// one, the last report was invalid; in the other, the run reported before but not now. Their report is still to come (B3, B6,
/// B7).
pub(crate) fn bill_report(state: &State, index: u32, usage: Usage) -> Reported {
    let Spent { usage: amount, reported, invalid } = spent(usage);
    let (counted, lent) = book(state, index, amount);
    let run = state.runs.at(index);
    // A run whose host function is still running continues to use its reservation (S4).
    let reserved = if reported.is_empty() && invalid.is_empty() {
        run.reserved
    } else {
        let kept = if run.whole { run.reserved.minus(counted.least(run.reserved)) } else { Amounts::ZERO };
        let spoken = Dimensions(run.reports.valid.0 | run.reports.invalid.0 | invalid.0);
        let stays = Dimension::ALL.into_iter().filter(|dimension| spoken.has(*dimension) && !reported.has(*dimension));
        stays.fold(kept, |reserved, dimension| reserved.most(only(dimension, run.reserved.of(dimension))))
    };
    Reported { usage: run.booked.plus(amount), reported, invalid, reserved, loans: repay(state, index, lent, reserved, counted) }
}

/// The bill of a lost host whose run another host continues: the reservation of its turns counts as used, in capped dimensions
/// (J3). The reservation of a whole run stays for the next host. So does that of a waiting run's open turns, if a surviving host
/// continues (`goes_on`).
pub(crate) fn bill_replaced(state: &State, index: u32, goes_on: bool) -> Reported {
    let run = state.runs.at(index);
    let cap = if goes_on { Amounts::UNCAPPED } else { ledger::least_cap(&state.tree, run.task) };
    let amount = run.open_reservation().zip(cap, |open, cap| if cap == UNCAPPED { 0 } else { open });
    let (counted, lent) = book(state, index, amount);
    let kept = if goes_on { run.left_open() } else { Amounts::ZERO };
    let reserved = if run.whole { run.reserved.minus(counted.least(run.reserved)) } else { kept };
    let loans = repay(state, index, lent, reserved, counted);
    Reported { usage: run.booked.plus(amount), reported: Dimensions::NONE, invalid: Dimensions::NONE, reserved, loans }
}

/// The bill of a run's end. It books the part of its total that is not booked yet, or its reservation if the total is invalid.
/// Then the reservation is released. Dimensions never reported are marked (B6, B7).
pub(crate) fn bill_total(state: &State, index: u32, total: Usage) -> Bill {
    let run = state.runs.at(index);
    let instead = |bill: Bill| Bill { usage: Amounts { nanos: bill.usage.nanos.saturating_sub(total.instead), ..bill.usage }, ..bill };
    // A total with all dimensions leaves nothing doubtful, whatever was reported before.
    if let Usage { tokens: Reading::Is(tokens), nanos: Reading::Is(nanos), turns: Reading::Is(turns), priced: false, .. } = total {
        let amount = Amounts { tokens, nanos, turns }.zip(run.booked, u64::saturating_sub);
        return instead(bill(state, index, amount, Dimensions::NONE, Dimensions::NONE));
    }
    let (mut amount, mut unknown, mut invalid) = (Amounts::ZERO, Dimensions::NONE, Dimensions::NONE);
    for dimension in Dimension::ALL {
        let booked = run.booked.of(dimension);
        let was_invalid = run.reports.invalid.has(dimension);
        let was_reported = run.reports.valid.has(dimension) || (dimension == Dimension::Turns && run.turns > 0);
        match reading(total, dimension) {
            Reading::Is(value) => {
                amount = amount.plus(only(dimension, value.saturating_sub(booked)));
                if total.priced && pricing::lacks(state, run, dimension) {
                    unknown = unknown.and(dimension);
                }
            }
            Reading::Invalid => {
                invalid = invalid.and(dimension);
                amount = amount.plus(only(dimension, run.reserved.of(dimension)));
            }
            Reading::Missing if was_invalid => {
                invalid = invalid.and(dimension);
                amount = amount.plus(only(dimension, run.reserved.of(dimension)));
            }
            Reading::Missing if was_reported && !pricing::lacks(state, run, dimension) => {}
            Reading::Missing => unknown = unknown.and(dimension),
        }
    }
    instead(bill(state, index, amount, unknown, invalid))
}

/// The bill of a host function that is over. It books the host function's report. If the host function is lost and reports nothing,
/// it books the reservation, as if it were lost with its process (J3, S4).
pub(crate) fn bill_returned(state: &State, index: u32, outcome: &Outcome) -> Bill {
    match state.runs.at(index).phase {
        _ if outcome.returned != Returned::Lost => bill_total(state, index, outcome.usage),
        Phase::Lingering { .. } | Phase::Abandoned => {
            Bill { usage: with_reservation(state, index), ..bill_total(state, index, outcome.usage) }
        }
        Phase::Open | Phase::Queued | Phase::Backoff { .. } => bill_unfinished(state, index),
    }
}

/// The bill of a run that has used this much more and has no reservation left.
fn bill(state: &State, index: u32, amount: Amounts, unknown: Dimensions, invalid: Dimensions) -> Bill {
    let run = state.runs.at(index);
    let usage = run.booked.plus(amount);
    // It has borrowed nothing, and no run above could lend to it.
    if run.loans.is_empty() && state.node(run.task).depth <= 1 {
        return Bill { usage, unknown, invalid, loans: None };
    }
    let (counted, lent) = book(state, index, amount);
    let loans = repay(state, index, lent, Amounts::ZERO, counted);
    Bill { usage, unknown, invalid, loans }
}

/// The bill of a run that is lost with its process: its reservation counts as used (J3). If the attempt's host takes turns and
/// has begun none, nothing of the reservation for the whole run counts. If it has begun a turn with that, all of it counts (B14).
pub(crate) fn bill_lost(state: &State, index: u32) -> Bill {
    let run = state.runs.at(index);
    if run.whole && run.turns == 0 && run.takes_turns() {
        return bill_unfinished(state, index);
    }
    Bill { usage: run.booked.plus(run.reserved), loans: None, ..bill_total(state, index, Usage::default()) }
}

/// The bill of an attempt that is lost with its process, or left by a drain, and whose message is tried again. Its current turn
/// counts as used. Its reservation for the whole run doesn't: the used part is unknown. If it was booked and the task has its own
/// cap, the next attempt would have nothing left.
#[inline(never)]
pub(crate) fn bill_unfinished(state: &State, index: u32) -> Bill {
    let run = state.runs.at(index);
    let bill = bill_total(state, index, Usage::default());
    let amount = bill.usage.zip(run.booked, u64::saturating_sub).most(run.open_reservation());
    self::bill(state, index, amount, bill.unknown, bill.invalid)
}

/// The bill of a run whose host reports nothing more: the booked amount, with its doubts. If a surviving host had a turn open,
/// no report of that turn will come: its reservation counts as used.
pub(crate) fn bill_as_it_is(state: &State, index: u32) -> Bill {
    let run = state.runs.at(index);
    let left = run.previous.as_ref().filter(|_| matches!(run.phase, Phase::Queued | Phase::Backoff { .. })).map(|previous| previous.open);
    let node = state.node(run.task);
    // A run that never started has no usage to report. If a run has returned, its host's own report counts.
    let says_nothing = run.phase == Phase::Queued || (run.phase == Phase::Open && run.returned.is_none());
    let (unknown, invalid) = Dimensions::doubted(if says_nothing { state.doubts_of(index) } else { node.usage_doubts });
    Bill { usage: run.booked.plus(left.unwrap_or_default()), unknown, invalid, loans: None }
}

/// The usage after a further total of the last run, and the dimensions that stay doubtful. `None` for an earlier run: its usage
/// is no longer listed separately.
pub(crate) fn bill_again(state: &State, task: u32, number: u32, total: Usage) -> Option<(Amounts, Dimensions, Dimensions)> {
    let node = state.node(task);
    if node.runs != number {
        return None;
    }
    let (mut unknown, mut invalid) = Dimensions::doubted(node.usage_doubts);
    let mut usage = node.last_usage;
    for dimension in Dimension::ALL {
        if let Reading::Is(value) = reading(total, dimension) {
            let known = !Dimensions::only(dimension).0;
            let stays = dimension == Dimension::Cost && total.priced && state.is_unpriced(task, number);
            (unknown, invalid) = (if stays { unknown } else { Dimensions(unknown.0 & known) }, Dimensions(invalid.0 & known));
            usage = usage.most(only(dimension, value));
        }
    }
    usage.nanos = usage.nanos.saturating_sub(total.instead);
    Some((usage, unknown, invalid))
}

/// The usage of a run whose host function never returned: its reservation counts as used (S4).
pub(crate) fn with_reservation(state: &State, index: u32) -> Amounts {
    let run = state.runs.at(index);
    run.booked.plus(run.reserved)
}
