//! Budget: holds, turns, loans, bookings (B1–B8). The ledger does the sums; here they are judged.

use crate::base::amounts::{Amounts, Dimension, Estimate, UNCAPPED};
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reading, Reply, Usage};
use crate::model::rejection::{Rejection, Whose};
use crate::model::usage::{Dimensions, Loan, Loans};
use crate::rules::settings;
use crate::state::node::Kind;
use crate::state::pool::Pool;
use crate::state::prices::Price;
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

/// Refuses a sub-agent below `parent` where a cap leaves less than one turn (B5). `unspent`: what the caps above leave
/// beside what was spent. `given`: what its spawn caps; its other caps are the defaults.
pub(crate) fn check_new(
    state: &State,
    parent: u32,
    unspent: Amounts,
    cap: Amounts,
    given: [bool; 3],
    estimate: Amounts,
) -> Result<(), Rejection> {
    let left = unspent.least(cap);
    let Some(dimension) = left.lacks(estimate) else { return Ok(()) };
    let remaining = left.of(dimension);
    if unspent.of(dimension) <= remaining {
        return Err(state.exhausted(parent, remaining, (dimension, estimate), false));
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

/// What an end comes to: what the run has used in all, what is doubtful of that, and what is lent on the way.
pub(crate) struct Bill {
    pub(crate) usage: Amounts,
    pub(crate) unknown: Dimensions,
    pub(crate) invalid: Dimensions,
    pub(crate) loans: Option<Box<Loans>>,
}

/// The budget of a whole run that is about to start: all that is `free` on its path, at most its own cap (B3). What runs
/// above it hold is borrowed first (B4).
pub(crate) fn hold_whole_run(state: &State, task: Key, free: Amounts, estimate: Amounts) -> (Amounts, Option<Box<Loans>>) {
    if free == Amounts::UNCAPPED {
        return (Amounts::ZERO, None);
    }
    let slots = state.limits.max_concurrent.saturating_sub(u64::from(state.held));
    let own = state.node(task.slot).account.cap;
    let hold = Amounts {
        tokens: whole_hold(free.tokens, own.tokens, estimate.tokens, slots),
        nanos: whole_hold(free.nanos, own.nanos, estimate.nanos, slots),
        turns: whole_hold(free.turns, own.turns, estimate.turns, slots),
    };
    let lent = if hold.is_zero() { Vec::new() } else { borrow(state, task.slot, hold) };
    (hold, loans(lent, Vec::new()))
}

fn loans(lent: Vec<Loan>, returned: Vec<Loan>) -> Option<Box<Loans>> {
    if lent.is_empty() && returned.is_empty() { None } else { Some(Box::new(Loans { lent, returned })) }
}

/// What a whole run sets aside in one dimension. Where the task has no cap of its own that is an equal share
/// for each free slot, and one share stays for the slots that runs give up while they wait: else the first
/// comer would hold everything, and the others could only follow one by one. A dimension that nothing caps
/// needs no hold.
fn whole_hold(free: u64, own: u64, estimate: u64, slots: u64) -> u64 {
    if free == UNCAPPED {
        return 0;
    }
    let most = if own == UNCAPPED { free.checked_div(slots.saturating_add(1)).unwrap_or(free).max(estimate) } else { MOST_HELD };
    free.min(most).min(MOST_HELD)
}

/// What a task borrows of what it needs from the runs above as far as they hold it, the nearest first (B4). What they
/// hold was counted as free when this was judged, so it has to go from their hold to the borrower's.
#[inline]
fn borrow(state: &State, slot: u32, needed: Amounts) -> Vec<Loan> {
    // Above a session's own sub-agents nothing runs, so nothing lends.
    if needed.is_zero() || state.node(slot).depth <= 1 { Vec::new() } else { borrow_above(state, slot, needed) }
}

#[inline(never)]
fn borrow_above(state: &State, slot: u32, mut needed: Amounts) -> Vec<Loan> {
    let mut lent = Vec::new();
    for at in ledger::path(&state.tree, slot).skip(1) {
        let amount = ledger::lendable(&state.tree, &state.runs, at).least(needed);
        if !amount.is_zero() {
            needed = needed.minus(amount);
            lent.push(Loan { lender: state.key(at), run: state.run_of(at).number, amount });
        }
    }
    lent
}

/// What goes back where what is set aside for a run changes to `hold`: what that frees, beyond what was `booked` just
/// before, the last loan first, to lenders that still lend. Never more than was freed: what went to a lender that has
/// ended, or was spent, is not there to be given back.
#[inline]
fn settle(state: &State, slot: u32, lent: Vec<Loan>, hold: Amounts, booked: Amounts) -> Option<Box<Loans>> {
    let owes_nothing = lent.is_empty() && state.runs.at(slot).loans.is_empty();
    if owes_nothing { None } else { give_back(state, slot, lent, hold, booked) }
}

#[inline(never)]
fn give_back(state: &State, slot: u32, lent: Vec<Loan>, hold: Amounts, booked: Amounts) -> Option<Box<Loans>> {
    let run = state.runs.at(slot);
    let mut freed = run.hold.minus(hold).minus(booked);
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

/// The money of one more turn, for which `hold` is set aside: the turn itself is booked (B3).
pub(crate) fn bill_turn(state: &State, slot: u32, hold: Amounts) -> (Amounts, Option<Box<Loans>>) {
    let run = state.runs.at(slot);
    let hold = if run.whole { hold } else { run.hold.minus(run.turn_hold()).plus(hold) };
    let one = Amounts { turns: 1, ..Amounts::ZERO };
    let lent = borrow(state, run.task, hold.plus(one).minus(run.hold));
    (hold, settle(state, slot, lent, hold, one))
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
pub(crate) fn judge_turn(state: &State, slot: u32, given: Estimate) -> Turn {
    let run = state.runs.at(slot);
    let node = state.node(run.task);
    let (needed, price) = needed_for(state, slot, given);
    let own = if run.whole { run.hold } else { run.turn_hold() };

    let with_reserve = needed.plus(state.wrap_up_reserve(run.task, price));
    let own_left = node.account.unspent().minus(node.account.held.minus(own.least(node.account.held)));
    let left = ledger::available(&state.tree, &state.runs, run.task, own);
    // Where nothing caps dollars, or nobody tells them, none are set aside.
    let nanos = if left.nanos == UNCAPPED || needed.nanos <= 1 { 0 } else { needed.nanos };
    let hold = Amounts { tokens: needed.tokens, nanos, turns: 0 }.zip(Amounts::ZERO, |needed, _| needed.min(MOST_HELD));
    if own_left.lacks(with_reserve).is_none() && left.lacks(needed).is_none() {
        return Turn::Ordinary(hold);
    }
    let unspent = ledger::unspent(&state.tree, run.task);
    let some = Amounts { tokens: 1, nanos: 1, turns: 1 };
    let spent_up = unspent.lacks(needed.most(some)).is_some();
    // What its children hold may come back; what its own turn holds comes back only by its own report, and what
    // was spent never.
    let own_turn = if run.whole { Amounts::ZERO } else { run.hold.minus(own) };
    let held_by_itself = node.account.unspent().minus(own_turn).lacks(with_reserve).is_some();
    if !spent_up && !held_by_itself {
        // What others have taken since, it had a right to.
        let is_set_aside = !run.turn_hold().is_zero() && run.turn_hold().lacks(needed).is_none();
        return if is_set_aside { Turn::Ordinary(hold) } else { Turn::Held };
    }
    if node.wrapped_up || left.lacks(some).is_some() {
        return Turn::Exhausted;
    }
    Turn::WrapUp(hold.least(left))
}

/// What has to be set aside, and borrowed for it, where a run comes back for a turn, so that no work that begins takes it
/// before the host has asked again (S2). Nothing where nothing is capped, or nothing is left.
pub(crate) fn turn_to_set_aside(state: &State, slot: u32) -> Option<(Amounts, Option<Box<Loans>>)> {
    let run = state.runs.at(slot);
    let given = run.waiting_estimate;
    let asks = run.turn_waiting && !is_start(given);
    if !asks || ledger::least_cap(&state.tree, run.task) == Amounts::UNCAPPED {
        return None;
    }
    let (Turn::Ordinary(turn) | Turn::WrapUp(turn)) = judge_turn(state, slot, given) else { return None };
    let turn = Amounts { nanos: turn.nanos.max(1), turns: 1, ..turn };
    let hold = if run.whole { turn } else { run.hold.plus(turn) };
    let lent = borrow(state, run.task, hold.minus(run.hold));
    Some((hold, settle(state, slot, lent, hold, Amounts::ZERO)))
}

/// Whether this is the start of a run, which needs no more than it holds.
fn is_start(given: Estimate) -> bool {
    given.tokens == Some(0)
}

/// What a turn is expected to need, and what is known of its price.
fn needed_for(state: &State, slot: u32, given: Estimate) -> (Amounts, Price) {
    if is_start(given) {
        return (Amounts { tokens: 1, nanos: 1, turns: 1 }, Price::Near(1));
    }
    let (needed, price) = state.next_turn(slot, given);
    let run = state.runs.at(slot);
    // For the turns that were not reported as much is due as for this one, less what is set aside for them; what is only
    // guessed is set aside once.
    let due = match price {
        Price::Given(_) => return (needed, price),
        // Nobody tells dollars.
        Price::Own(nanos) | Price::Near(nanos) if nanos <= 1 => nanos,
        Price::Own(nanos) | Price::Near(nanos) => nanos.saturating_mul(u64::from(run.open_turns()).saturating_add(1)),
        Price::Guess(nanos) => nanos,
    };
    let before = if run.whole { 0 } else { run.hold.minus(run.turn_hold()).nanos };
    (Amounts { nanos: due.saturating_sub(before), ..needed }, price)
}

/// What stays set aside for a run whose first turn has to wait for budget: it gives its dollars back, since all that wait
/// would else keep from each other what one of them needs.
pub(crate) fn give_dollars_back(state: &State, slot: u32) -> Option<(Amounts, Option<Box<Loans>>)> {
    let run = state.runs.at(slot);
    let hold = Amounts { nanos: 0, ..run.hold };
    (run.whole && run.hold.nanos > 0).then(|| (hold, settle(state, slot, Vec::new(), hold, Amounts::ZERO)))
}

/// Whether a turn that had to wait for budget can be judged again with another answer than `Held`.
pub(crate) fn turn_fits(state: &State, slot: u32, given: Estimate) -> bool {
    judge_turn(state, slot, given) != Turn::Held
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

/// What is booked where a run used so much, and what it borrows for that. What goes past its own hold comes out of what
/// the runs above it hold, as far as they do (B4); the rest is booked all the same (B6).
#[inline]
fn book(state: &State, slot: u32, amount: Amounts) -> (Amounts, Vec<Loan>) {
    let run = state.runs.at(slot);
    let excess = if run.phase == Phase::Open { amount.minus(run.hold.least(amount)) } else { Amounts::ZERO };
    let lent = borrow(state, run.task, excess);
    (amount, lent)
}

/// What a report comes to.
pub(crate) struct Reported {
    pub(crate) usage: Amounts,
    pub(crate) reported: Dimensions,
    pub(crate) invalid: Dimensions,
    pub(crate) hold: Amounts,
    pub(crate) loans: Option<Box<Loans>>,
}

/// Judges a report: what the run used since its last one. The turn's hold goes, except in dimensions whose report was
/// invalid, and in those that it leaves out though the run has told them before: that report is still to come (B3, B6,
/// B7).
pub(crate) fn bill_report(state: &State, slot: u32, usage: Usage) -> Reported {
    let (mut amount, mut reported, mut invalid) = (Amounts::ZERO, Dimensions::NONE, Dimensions::NONE);
    for dimension in [Dimension::Tokens, Dimension::Cost] {
        match reading(usage, dimension) {
            Reading::Missing => {}
            Reading::Invalid => invalid = invalid.and(dimension),
            Reading::Is(value) => {
                reported = reported.and(dimension);
                amount = amount.plus(only(dimension, value));
            }
        }
    }
    let (amount, lent) = book(state, slot, amount);
    let run = state.runs.at(slot);
    let says_nothing = reported.is_empty() && invalid.is_empty();
    // One whose host function is still running goes on using what it holds (S4).
    let hold = if says_nothing || matches!(run.phase, Phase::Queued | Phase::Backoff) {
        run.hold
    } else {
        let kept = if run.whole { run.hold.minus(amount.least(run.hold)) } else { Amounts::ZERO };
        let is_open = |dimension: Dimension| Dimensions(run.reported).has(dimension) && !reported.has(dimension);
        let stays = Dimension::ALL.into_iter().filter(|dimension| invalid.has(*dimension) || is_open(*dimension));
        stays.fold(kept, |hold, dimension| hold.most(only(dimension, run.hold.of(dimension))))
    };
    Reported { usage: run.booked.plus(amount), reported, invalid, hold, loans: settle(state, slot, lent, hold, amount) }
}

/// Judges the end of a run: what its total says beyond what was booked; the hold, where the total is
/// invalid. Then the hold goes. Dimensions never reported are marked (B6, B7).
pub(crate) fn bill_total(state: &State, slot: u32, total: Usage) -> Bill {
    let run = state.runs.at(slot);
    // Where all is told nothing is doubtful, whatever was before.
    if let Usage { tokens: Reading::Is(tokens), nanos: Reading::Is(nanos), turns: Reading::Is(turns) } = total {
        let amount = Amounts { tokens, nanos, turns }.zip(run.booked, u64::saturating_sub);
        return bill(state, slot, amount, Dimensions::NONE, Dimensions::NONE);
    }
    let (mut amount, mut unknown, mut invalid) = (Amounts::ZERO, Dimensions::NONE, Dimensions::NONE);
    for dimension in Dimension::ALL {
        let booked = run.booked.of(dimension);
        let was_invalid = Dimensions(run.invalid).has(dimension);
        let was_reported = Dimensions(run.reported).has(dimension) || (dimension == Dimension::Turns && run.turns > 0);
        match reading(total, dimension) {
            Reading::Is(value) => amount = amount.plus(only(dimension, value.saturating_sub(booked))),
            Reading::Invalid => {
                invalid = invalid.and(dimension);
                amount = amount.plus(only(dimension, run.hold.of(dimension)));
            }
            Reading::Missing if was_invalid => {
                invalid = invalid.and(dimension);
                amount = amount.plus(only(dimension, run.hold.of(dimension)));
            }
            Reading::Missing if was_reported => {}
            Reading::Missing => unknown = unknown.and(dimension),
        }
    }
    bill(state, slot, amount, unknown, invalid)
}

/// The bill of a run that has used so much more, after which nothing is set aside for it.
fn bill(state: &State, slot: u32, amount: Amounts, unknown: Dimensions, invalid: Dimensions) -> Bill {
    let run = state.runs.at(slot);
    let usage = run.booked.plus(amount);
    // It has borrowed nothing, and there is none to borrow from.
    if run.loans.is_empty() && state.node(run.task).depth <= 1 {
        return Bill { usage, unknown, invalid, loans: None };
    }
    let (amount, lent) = book(state, slot, amount);
    let loans = settle(state, slot, lent, Amounts::ZERO, amount);
    Bill { usage, unknown, invalid, loans }
}

/// The end of a run that is lost with its process: what it held counts as used (J3), and so does what a manual task
/// had set aside outside of its run, which is as open as any hold.
pub(crate) fn bill_lost(state: &State, slot: u32) -> Bill {
    let run = state.runs.at(slot);
    let bill = bill_total(state, slot, Usage::default());
    let held = {
        let reserve = Amounts { tokens: state.node(run.task).reserve(), ..Amounts::ZERO };
        run.hold.plus(reserve)
    };
    Bill { usage: run.booked.plus(held), loans: None, ..bill }
}

/// What was booked for a run that has nothing more to say, with what is known of it.
pub(crate) fn bill_as_it_is(state: &State, slot: u32) -> Bill {
    let run = state.runs.at(slot);
    let node = state.node(run.task);
    // What never started has used nothing that anybody reported. Its own word has a host function that has returned.
    let says_nothing = node.kind != Kind::Manual && (run.phase == Phase::Queued || (run.phase == Phase::Open && run.returned.is_none()));
    let (unknown, invalid) = Dimensions::doubted(if says_nothing { run.doubts() } else { node.usage_doubts });
    Bill { usage: run.booked, unknown, invalid, loans: None }
}

/// What a further total of the last run says beyond what was booked for it, and what of it stays doubtful; nothing
/// for an earlier one: what that spent is no longer told apart.
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
            (unknown, invalid) = (Dimensions(unknown.0 & known), Dimensions(invalid.0 & known));
            usage = usage.most(only(dimension, value));
        }
    }
    Some((usage, unknown, invalid))
}

/// What a run has used whose host function never returned: what it holds counts as used (S4).
pub(crate) fn with_hold(state: &State, slot: u32) -> Amounts {
    let run = state.runs.at(slot);
    run.booked.plus(run.hold)
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
