//! Budget: holds, turns, loans, bookings (B1–B8). The ledger does the sums; here they are judged.

use crate::amounts::{Amounts, Dimension, UNCAPPED};
use crate::fact::Fact;
use crate::input::{Actor, Reading, Reply, Usage};
use crate::rejection::{Rejection, Whose};
use crate::rules::settings;
use crate::slab::Key;
use crate::state::node::Kind;
use crate::state::pool::Pool;
use crate::state::run::Phase;
use crate::state::{ROOT, State, ledger};
use crate::step::Step;

/// The most that is set aside at once: more than any host means, and little enough that sums of holds
/// stay exact where nothing is capped.
const MOST_HELD: u64 = 1 << 53;

/// The caps that a new sub-agent gets. What its spawn itself asks for is an allocation: never more than is left beside
/// what was spent (B1). A default cap stands as it is, so that more for those above is more for it.
pub(crate) fn allocate(wanted: Amounts, given: [bool; 3], unspent: Amounts) -> Amounts {
    let [tokens, nanos, turns] = given;
    let cut = |given: bool, wanted: u64, unspent: u64| {
        if given && wanted != UNCAPPED { wanted.min(unspent) } else { wanted }
    };
    Amounts {
        tokens: cut(tokens, wanted.tokens, unspent.tokens),
        nanos: cut(nanos, wanted.nanos, unspent.nanos),
        turns: cut(turns, wanted.turns, unspent.turns),
    }
}

/// Refuses where a cap on the path leaves less than one turn beside what was spent (B5).
pub(crate) fn check_unspent(state: &State, slot: u32, estimate: Amounts) -> Result<(), Rejection> {
    let unspent = ledger::unspent(&state.tree, slot);
    match unspent.lacks(estimate).filter(|_| holds!("B5 refuses what is spent")) {
        Some(dimension) => Err(exhausted(state, slot, unspent.of(dimension), (dimension, estimate), false)),
        None => Ok(()),
    }
}

/// The same for a sub-agent that is to be spawned below `parent`, which leaves so much beside what was spent.
/// `given`: what its spawn caps, the other caps are the defaults.
pub(crate) fn check_new(
    state: &State,
    parent: u32,
    unspent: Amounts,
    cap: Amounts,
    given: [bool; 3],
    estimate: Amounts,
) -> Result<(), Rejection> {
    let left = unspent.least(cap);
    let Some(dimension) = left.lacks(estimate).filter(|_| holds!("B5 refuses what is spent")) else { return Ok(()) };
    let remaining = left.of(dimension);
    if unspent.of(dimension) <= remaining {
        return Err(exhausted(state, parent, remaining, (dimension, estimate), false));
    }
    let [tokens, nanos, turns] = given;
    let given = match dimension {
        Dimension::Tokens => tokens,
        Dimension::Cost => nanos,
        Dimension::Turns => turns,
    };
    let option = if given { dimension.option() } else { dimension.task_option() };
    Err(Rejection::BudgetExhausted { dimension, remaining, needed: estimate.of(dimension), whose: Whose::New, option })
}

/// Says whose cap on the path leaves too little, and which option raises that. `held`: what is set aside counts
/// as well.
#[cold]
pub(crate) fn exhausted(state: &State, slot: u32, remaining: u64, needed: (Dimension, Amounts), held: bool) -> Rejection {
    let (dimension, estimate) = needed;
    let at = ledger::tightest(&state.tree, &state.runs, slot, dimension, held);
    let node = state.node(at);
    let (whose, option) = match node.kind {
        Kind::Manager => (Whose::Manager, dimension.option()),
        Kind::Session => (Whose::Session, dimension.option()),
        // A cap that is the default is most likely the default.
        Kind::Task | Kind::Manual if node.account.cap.of(dimension) == state.task_cap.of(dimension) => {
            (Whose::Task(state.key(at)), dimension.task_option())
        }
        Kind::Task | Kind::Manual => (Whose::Task(state.key(at)), dimension.option()),
    };
    Rejection::BudgetExhausted { dimension, remaining, needed: estimate.of(dimension), whose, option }
}

/// The option that raises the cap which a task has come to the end of (B1).
pub(crate) fn raised_by(state: &State, slot: u32) -> Option<&'static str> {
    let reserve = Amounts { tokens: wrap_up_tokens(state, slot), ..Amounts::ZERO };
    let unspent = ledger::unspent(&state.tree, slot);
    let estimate = state.estimate_of(slot);
    let capped = || Dimension::ALL.into_iter().find(|dimension| unspent.of(*dimension) != UNCAPPED);
    let dimension = unspent.lacks(estimate).or_else(|| unspent.lacks(estimate.plus(reserve))).or_else(capped)?;
    exhausted(state, slot, unspent.of(dimension), (dimension, estimate), false).raised_by()
}

/// Sets the budget of a whole run aside: all that is `free` on its path, at most its own cap (B3). What runs
/// above it hold is borrowed first (B4).
pub(crate) fn hold_whole_run(step: &mut Step<'_>, task: Key, number: u32, free: Amounts, estimate: Amounts) {
    let state = &step.state;
    let slots = state.limits.max_concurrent.saturating_sub(u64::from(state.held)).saturating_add(1);
    let own = state.node(task.slot).account.cap;
    let hold = Amounts {
        tokens: whole_hold(free.tokens, own.tokens, estimate.tokens, slots),
        nanos: whole_hold(free.nanos, own.nanos, estimate.nanos, slots),
        turns: whole_hold(free.turns, own.turns, estimate.turns, slots),
    };
    if hold.is_zero() {
        return;
    }
    borrow(step, task.slot, hold);
    step.record(Fact::HoldChanged { task, run: number, hold, whole: true });
}

/// What a whole run sets aside in one dimension. Where the task has no cap of its own that is an equal share
/// for each free slot, and one share stays for the slots that runs give up while they wait: else whoever comes
/// first would hold everything, and the others could only follow one by one. A dimension that nothing caps
/// needs no hold.
fn whole_hold(free: u64, own: u64, estimate: u64, slots: u64) -> u64 {
    if free == UNCAPPED {
        return 0;
    }
    let most = if own == UNCAPPED { free.checked_div(slots.saturating_add(1)).unwrap_or(free).max(estimate) } else { MOST_HELD };
    if holds!("B3 at most what is available") { free.min(most).min(MOST_HELD) } else { most.min(1 << 20) }
}

/// Borrows what is needed from the runs above as far as they hold it, the nearest first (B4). What they
/// hold was counted as free when this was judged, so it has to go from their hold to the borrower's.
pub(crate) fn borrow(step: &mut Step<'_>, slot: u32, mut needed: Amounts) {
    let state = &step.state;
    let task = state.key(slot);
    // Above a session's own sub-agents nothing runs, so nothing lends.
    if state.node(slot).depth <= 1 || !holds!("B4 borrows") {
        return;
    }
    let lenders: Vec<(Key, u32, Amounts)> = ledger::path(&state.tree, slot)
        .skip(1)
        .map(|at| (at, ledger::lendable(&state.tree, &state.runs, at)))
        .filter(|(_, lendable)| !lendable.is_zero())
        .map(|(at, lendable)| (state.key(at), state.run_of(at).number, lendable))
        .collect();
    for (lender, run, lendable) in lenders {
        let amount = lendable.least(needed);
        needed = needed.minus(amount);
        if !amount.is_zero() {
            step.record(Fact::HoldLent { task: lender, run, borrower: task, amount });
        }
    }
}

/// Changes what is set aside for a run. What that frees, beyond what was `booked` just before, goes back
/// to those who lent it.
pub(crate) fn set_hold(step: &mut Step<'_>, task: Key, number: u32, hold: Amounts, whole: bool, booked: Amounts) {
    let Some(slot) = step.state.find_run(task.slot, number) else { return };
    let run = step.state.runs.at(slot);
    if run.hold != hold || run.whole != whole {
        let freed = run.hold.minus(hold).minus(booked);
        let has_loans = !run.loans.is_empty();
        step.record(Fact::HoldChanged { task, run: number, hold, whole });
        if has_loans {
            return_loans(step, task, number, slot, freed);
        }
    }
}

/// Gives back what was freed, the last loan first, to lenders that still lend. Never more than was freed:
/// what went to a lender that has ended, or was spent, is not there to be given back.
fn return_loans(step: &mut Step<'_>, task: Key, number: u32, slot: u32, mut freed: Amounts) {
    let loans = step.state.runs.at(slot).loans.clone();
    for loan in loans.iter().rev() {
        let lender = step.state.run_of(loan.lender.slot);
        let lends = step.state.tree.contains(loan.lender) && lender.number == loan.run && lender.phase == Phase::Open && lender.whole;
        let amount = loan.amount.least(freed);
        if lends && !amount.is_zero() && holds!("B4 gives back") {
            freed = freed.minus(amount);
            step.record(Fact::HoldReturned { task: loan.lender, run: loan.run, borrower: task, borrower_run: number, amount });
        }
    }
}

/// What the budget says to one more turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Make it; this is what has to be set aside for it.
    Ordinary(Amounts),
    /// It is the last one.
    WrapUp(Amounts),
    /// Others hold what it needs.
    Held,
    /// Nothing is left.
    Exhausted,
}

/// Judges one more turn of an open run (B3, B6, B8).
pub(crate) fn judge_turn(state: &State, slot: u32, given: Option<u64>) -> Turn {
    let run = state.runs.at(slot);
    let node = state.node(run.task);
    let needed = given.map_or_else(|| state.estimate_of(run.task), |tokens| Amounts { tokens: tokens.max(1), nanos: 1, turns: 1 });
    let own = if run.whole { run.hold } else { Amounts::ZERO };
    let reserved = Amounts { tokens: wrap_up_tokens(state, run.task), ..Amounts::ZERO };

    let with_reserve = needed.plus(reserved);
    let own_left = node.account.unspent().minus(node.account.held.minus(own.least(node.account.held)));
    let left = ledger::available(&state.tree, &state.runs, run.task, own);
    let hold = Amounts { tokens: needed.tokens.min(MOST_HELD), ..Amounts::ZERO };
    if own_left.lacks(with_reserve).is_none() && left.lacks(needed).is_none() {
        return Turn::Ordinary(hold);
    }
    let unspent = ledger::unspent(&state.tree, run.task);
    let spent_up = unspent.lacks(needed).is_some();
    // What its children hold may come back; what its own turn holds comes back only by its own report, and what
    // was spent never.
    let own_turn = if run.whole { Amounts::ZERO } else { run.hold };
    let held_by_itself = node.account.unspent().minus(own_turn).lacks(with_reserve).is_some();
    if !spent_up && !held_by_itself {
        return Turn::Held;
    }
    let some = Amounts { tokens: 1, nanos: 1, turns: 1 };
    if (node.wrapped_up && holds!("B8 once")) || left.lacks(some).is_some() {
        return Turn::Exhausted;
    }
    Turn::WrapUp(Amounts { tokens: left.tokens.min(hold.tokens), ..Amounts::ZERO })
}

/// Whether a turn that had to wait for budget can be judged again with another answer than `Held`.
pub(crate) fn turn_fits(state: &State, slot: u32, given: Option<u64>) -> bool {
    judge_turn(state, slot, given) != Turn::Held
}

/// The part of a task's cap that is kept for its wrap-up turn: none where it had it. Without a cap it counts for
/// nothing.
fn wrap_up_tokens(state: &State, slot: u32) -> u64 {
    let node = state.node(slot);
    if node.wrapped_up || !holds!("B8 keeps wrapUpTokens") {
        return 0;
    }
    state.limits.wrap_up_tokens.min(node.account.cap.tokens.checked_div(10).unwrap_or(0))
}

fn bit(dimension: Dimension) -> u32 {
    match dimension {
        Dimension::Tokens => 1,
        Dimension::Cost => 2,
        Dimension::Turns => 4,
    }
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

/// Books what a run used. What goes past its own hold comes out of what the runs above it hold, as far as
/// they do (B4); the rest is booked all the same (B6).
fn book(step: &mut Step<'_>, task: Key, number: u32, amount: Amounts) {
    if amount.is_zero() {
        return;
    }
    let run = step.state.run_of(task.slot);
    if run.number == number && run.phase == Phase::Open {
        let excess = amount.minus(run.hold.least(amount));
        if !excess.is_zero() {
            borrow(step, task.slot, excess);
        }
    }
    let amount = if holds!("B6 books the truth") { amount } else { amount.least(step.state.node(task.slot).account.available()) };
    step.record(Fact::UsageBooked { task, run: number, amount });
}

/// Books a report: what the run used since its last one. The turn's hold goes, except in dimensions
/// whose report was invalid (B3, B6, B7).
pub(crate) fn book_delta(step: &mut Step<'_>, task: Key, number: u32, usage: Usage) {
    let (mut amount, mut reported, mut invalid) = (Amounts::ZERO, 0, 0);
    for dimension in [Dimension::Tokens, Dimension::Cost] {
        match reading(usage, dimension) {
            Reading::Missing => {}
            Reading::Invalid => invalid |= bit(dimension),
            Reading::Is(value) => {
                reported |= bit(dimension);
                amount = amount.plus(only(dimension, value));
            }
        }
    }
    book(step, task, number, amount);
    step.record(Fact::UsageReported { task, run: number, reported, invalid });
    let Some(slot) = step.state.find_run(task.slot, number) else { return };
    let run = step.state.runs.at(slot);
    // One whose host function is still running goes on using what it holds (S4).
    if matches!(run.phase, Phase::Queued | Phase::Backoff) {
        return;
    }
    let kept = if run.whole { run.hold.minus(amount.least(run.hold)) } else { Amounts::ZERO };
    let doubted = Dimension::ALL.into_iter().filter(|dimension| invalid & bit(*dimension) != 0);
    let hold = doubted.fold(kept, |hold, dimension| hold.most(only(dimension, run.hold.of(dimension))));
    let whole = run.whole;
    if reported | invalid != 0 {
        set_hold(step, task, number, hold, whole, amount);
    }
}

/// Books the end of a run: what its total says beyond what was booked; the hold, where the total is
/// invalid. Then the hold goes. Dimensions never reported are marked (B6, B7).
pub(crate) fn book_total(step: &mut Step<'_>, task: Key, number: u32, total: Usage) {
    let Some(slot) = step.state.find_run(task.slot, number) else { return };
    let run = step.state.runs.at(slot);
    let (mut amount, mut unknown, mut invalid) = (Amounts::ZERO, 0, 0);
    for dimension in Dimension::ALL {
        let booked = run.booked.of(dimension);
        let was_invalid = u32::from(run.invalid) & bit(dimension) != 0;
        let was_reported = u32::from(run.reported) & bit(dimension) != 0 || (dimension == Dimension::Turns && run.turns > 0);
        match reading(total, dimension) {
            Reading::Is(value) => amount = amount.plus(only(dimension, value.saturating_sub(booked))),
            Reading::Invalid => {
                invalid |= bit(dimension);
                amount = amount.plus(only(dimension, if holds!("B7 invalid books the hold") { run.hold.of(dimension) } else { 0 }));
            }
            Reading::Missing if was_invalid => {
                invalid |= bit(dimension);
                amount = amount.plus(only(dimension, run.hold.of(dimension)));
            }
            Reading::Missing if was_reported => {}
            Reading::Missing => unknown |= bit(dimension),
        }
    }
    book(step, task, number, amount);
    // An end that came before this one said what was doubtful then.
    let doubted = step.state.node(task.slot).runs == number && step.state.node(task.slot).usage_doubts != 0;
    if unknown | invalid != 0 || doubted {
        step.record(Fact::UsageDoubted { task, run: number, unknown, invalid });
    }
    set_hold(step, task, number, Amounts::ZERO, false, amount);
}

/// Books what a further total of the last run says beyond what was booked for it. What an earlier one spent is
/// no longer told apart.
pub(crate) fn book_again(step: &mut Step<'_>, task: Key, number: u32, total: Usage) {
    let node = step.state.node(task.slot);
    if node.runs != number {
        return;
    }
    let (booked, doubts) = (node.last_usage, u32::from(node.usage_doubts));
    let (mut amount, mut known) = (Amounts::ZERO, 0);
    for dimension in Dimension::ALL {
        if let Reading::Is(value) = reading(total, dimension) {
            known |= bit(dimension);
            amount = amount.plus(only(dimension, value.saturating_sub(booked.of(dimension))));
        }
    }
    book(step, task, number, amount);
    if doubts & (known | known << 3) != 0 {
        step.record(Fact::UsageDoubted { task, run: number, unknown: doubts & 7 & !known, invalid: doubts >> 3 & !known });
    }
}

/// Books the hold of a host function that never returned (S4).
pub(crate) fn book_hold(step: &mut Step<'_>, task: Key, number: u32) {
    let Some(slot) = step.state.find_run(task.slot, number) else { return };
    let amount = step.state.runs.at(slot).hold;
    if !amount.is_zero() && holds!("S4 books the hold") {
        step.record(Fact::UsageBooked { task, run: number, amount });
    }
    set_hold(step, task, number, Amounts::ZERO, false, amount);
}

/// Raises a cap (B1).
pub(crate) fn add(step: &mut Step<'_>, actor: Actor, task: Key, amount: Amounts) -> Result<Reply, Rejection> {
    let slot = step.state.reach(actor, task)?;
    let before = step.state.node(slot).account.cap;
    step.record(Fact::CapSet { task, cap: before.plus(amount) });
    // Where the manager has no cap on tokens, more of them is more for the manual style (B10).
    let Pool { tokens, task_tokens, .. } = step.state.pool;
    if slot == ROOT && before.tokens == UNCAPPED {
        settings::set_pool(step, tokens.saturating_add(amount.tokens), task_tokens);
    }
    Ok(Reply::Done)
}
