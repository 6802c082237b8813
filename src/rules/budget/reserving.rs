//! Reservations: the budget of a sub-agent, a run, a turn (B1–B5, B8). Owns these decisions; the ledger does the sums.

use crate::base::amounts::{Amounts, Dimension, Estimate, UNCAPPED};
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::{Rejection, Whose};
use crate::model::spawn::Spawn;
use crate::model::usage::Loans;
use crate::rules::budget::loans::{borrow, loans, repay};
use crate::state::State;
use crate::state::budget::estimates::given_to;
use crate::state::budget::ledger;
use crate::state::budget::prices::Price;
use crate::state::runs::run::WaitingTurn;
use crate::step::Step;

/// The most that is reserved at once. It is more than any host needs, and little enough that sums of reservations stay exact if
/// nothing is capped.
const MAX_RESERVED: u64 = 1 << 53;

/// The cap of a task that is about to be spawned.
pub(crate) fn cap_of(state: &State, spawn: &Spawn) -> Amounts {
    let nanos = spawn.nanos.unwrap_or(state.task_cap.nanos);
    Amounts {
        tokens: spawn.tokens.unwrap_or(state.task_cap.tokens),
        nanos: spawn.limits.nanos.map_or(nanos, |limit| limit.min(nanos)),
        turns: spawn.turns.unwrap_or(state.task_cap.turns),
    }
}

/// The caps that a new sub-agent gets. A cap that its spawn requests is an allocation: never more than is left after spending
/// (B1). A default cap applies as it is, so that a raised cap above is more for the sub-agent, too.
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

/// Refuses a sub-agent below `parent` if a cap leaves less than one turn (B5). `unspent`: the rest of the caps above after
/// spending. `given`: the caps of its spawn; its other caps are the defaults.
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

/// The budget of a whole run that is about to start: all that is `free` on its path, at most its own cap (B3). Reservations of
/// the runs above it are borrowed first (B4).
pub(crate) fn reserve_whole_run(state: &State, task: Key, free: Amounts, estimate: Amounts) -> (Amounts, Option<Box<Loans>>) {
    if free == Amounts::UNCAPPED {
        return (Amounts::ZERO, None);
    }
    let reserved = share_of(state, task.index, free, estimate, u64::from(state.taken_slots));
    let lent = if reserved.is_zero() { Vec::new() } else { borrow(state, task.index, reserved) };
    (reserved, loans(lent, Vec::new()))
}

/// The reservation of a turn with the budget of the whole run (B14). It is the run's present reservation, or more if a run that
/// starts now would reserve more. `turn`: the need of the turn alone.
#[inline(never)]
pub(crate) fn reserve_whole_turn(state: &State, index: u32, given: Estimate, turn: Amounts) -> Amounts {
    let run = state.runs.at(index);
    let own = if run.whole { run.reserved.minus(run.open_reservation()) } else { run.turn_reservation() };
    let price = needed_for(state, index, given).1;
    let rooms = ledger::rooms(&state.tree, &state.runs, run.task, own).zip(ledger::path(&state.tree, run.task));
    let free = below_ceilings(state, index, price, None, rooms);
    let one = Amounts { turns: 1, ..Amounts::ZERO };
    // Its own slot is taken.
    let share = share_of(state, run.task, free, turn.most(one), u64::from(state.taken_slots).saturating_sub(1));
    share.most(own).least(free).minus(one).most(turn)
}

/// The least available on these nodes for one more turn. A shared cap withholds the last-turn reserve from turns after the first
/// (B13). `expected`: the need of the turn, and whether open turns count too. If it is given, nothing is withheld while the
/// expected use of all runs fits.
fn below_ceilings(
    state: &State,
    index: u32,
    price: Price,
    expected: Option<(Amounts, bool)>,
    rooms: impl Iterator<Item = (Amounts, u32)>,
) -> Amounts {
    let run = state.runs.at(index);
    let kept = |at: u32, room: Amounts| match expected {
        _ if run.turns == 0 || at == run.task => Amounts::ZERO,
        Some((needed, begun)) => state.shared_reserve(run.task, at, (room, begun), (needed, price)),
        None => state.reserve_below(at, price),
    };
    let capped = rooms.filter(|(room, _)| *room != Amounts::UNCAPPED);
    capped.fold(Amounts::UNCAPPED, |least, (room, at)| least.least(room.minus(kept(at, room))))
}

/// A whole run's share of the free budget, if others have this many slots.
fn share_of(state: &State, task: u32, free: Amounts, estimate: Amounts, taken_slots: u64) -> Amounts {
    let slots = state.limits.max_concurrent.saturating_sub(taken_slots);
    let own = state.node(task).account.cap;
    Amounts {
        tokens: whole_reservation(free.tokens, own.tokens, estimate.tokens, slots),
        nanos: whole_reservation(free.nanos, own.nanos, estimate.nanos, slots),
        turns: whole_reservation(free.turns, own.turns, estimate.turns, slots),
    }
}

/// The reservation of a whole run in one dimension. If the task has no cap of its own, that is an equal share per free slot. One
/// share is left for slots that waiting runs release. Otherwise the first run would reserve everything. A dimension without a cap
/// needs no reservation.
fn whole_reservation(free: u64, own: u64, estimate: u64, slots: u64) -> u64 {
    if free == UNCAPPED {
        return 0;
    }
    let most = if own == UNCAPPED { free.checked_div(slots.saturating_add(1)).unwrap_or(free).max(estimate) } else { MAX_RESERVED };
    free.min(most).min(MAX_RESERVED)
}

/// The reservation and loans of a run that takes one more turn, with `reserved` for that: the turn itself is booked (B3).
pub(crate) fn bill_turn(state: &State, index: u32, reserved: Amounts) -> (Amounts, Option<Box<Loans>>) {
    let run = state.runs.at(index);
    let reserved = run.open_reservation().plus(reserved);
    let one = Amounts { turns: 1, ..Amounts::ZERO };
    let lent = borrow(state, run.task, reserved.plus(one).minus(run.reserved));
    (reserved, repay(state, index, lent, reserved, one))
}

/// The budget's answer to one more turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The turn may begin, with this reservation.
    Ordinary(Amounts),
    /// It may begin as the last one, with this reservation.
    WrapUp(Amounts),
    /// Others have reserved the budget that it needs.
    Waiting,
    /// Nothing is left.
    Exhausted,
}

/// Judges one more turn of an open run (B3, B6, B8).
pub(crate) fn judge_turn(state: &State, index: u32, given: Estimate) -> Turn {
    let run = state.runs.at(index);
    let node = state.node(run.task);
    let (needed, price) = needed_for(state, index, given);
    if !state.is_capped {
        return Turn::Ordinary(Amounts { tokens: needed.tokens.min(MAX_RESERVED), ..Amounts::ZERO });
    }
    let own = if run.whole { run.reserved } else { run.turn_reservation() };

    let own_left = node.account.unspent().minus(node.account.reserved.minus(own.least(node.account.reserved)));
    let rooms = || ledger::rooms(&state.tree, &state.runs, run.task, own).zip(ledger::path(&state.tree, run.task));
    let left = below_ceilings(state, index, price, Some((needed, false)), rooms());
    let mut needed = needed;
    if given.or(given_to(node)).tokens.is_none() {
        // It was admitted with a smaller estimate, and may use all that is left.
        needed.tokens = needed.tokens.min(left.tokens.max(state.estimate_of(run.task).tokens));
    }
    let with_reserve = needed.plus(state.wrap_up_reserve(run.task, price));
    // If nothing caps dollars, or no cost is reported, none are reserved.
    let nanos = if left.nanos == UNCAPPED || needed.nanos <= 1 { 0 } else { needed.nanos };
    let reserved = Amounts { tokens: needed.tokens, nanos, turns: 0 }.zip(Amounts::ZERO, |needed, _| needed.min(MAX_RESERVED));
    if own_left.lacks(with_reserve).is_none() && left.lacks(needed).is_none() {
        return Turn::Ordinary(reserved);
    }
    // Other runs' reservations may be released; the reservation of its own turn only by its own report; spending never.
    let own_turn = if run.whole { Amounts::ZERO } else { run.reserved.minus(own) };
    let unspent = ledger::path(&state.tree, run.task).map(|at| (state.node(at).account.unspent().minus(own_turn), at));
    let unspent = below_ceilings(state, index, price, Some((needed, true)), unspent);
    let some = Amounts { tokens: 1, nanos: 1, turns: 1 };
    let spent_up = unspent.lacks(needed.most(some)).is_some();
    let is_own_limit = node.account.unspent().minus(own_turn).lacks(with_reserve).is_some();
    if !spent_up && !is_own_limit {
        // If its budget is already reserved, later spending by others doesn't delay the turn.
        let is_reserved = !run.turn_reservation().is_zero() && run.turn_reservation().lacks(reserved).is_none();
        return if is_reserved { Turn::Ordinary(reserved) } else { Turn::Waiting };
    }
    // A run that has begun no turn has nothing to wrap up: its first turn may use all that is left.
    let part = |room, at| if run.turns == 0 { room } else { state.share_of_last_turn(run.task, at, room, (reserved.nanos, price)) };
    let share = rooms().fold(Amounts::UNCAPPED, |least, (room, at)| least.least(part(room, at)));
    if node.wrapped_up || share.lacks(some).is_some() {
        return Turn::Exhausted;
    }
    Turn::WrapUp(reserved.least(share))
}

/// The reservation and the loans for the turn of a returning run. No run that starts takes them before the host has asked again
/// (S2). `None` if nothing is capped, or nothing is left.
pub(crate) fn next_turn_reservation(state: &State, index: u32) -> Option<(Amounts, Option<Box<Loans>>)> {
    let run = state.runs.at(index);
    let WaitingTurn { estimate: given, whole } = run.waiting_turn.filter(|turn| !is_start(turn.estimate))?;
    let cap = ledger::least_cap(&state.tree, run.task);
    if cap == Amounts::UNCAPPED {
        return None;
    }
    // A turn that waits for its rate releases nothing of the whole run's budget yet.
    if run.whole && state.is_turn_over_rate(state.now, index, given) {
        return None;
    }
    let turn = match judge_turn(state, index, given) {
        Turn::Ordinary(turn) if whole => reserve_whole_turn(state, index, given, turn),
        Turn::Ordinary(turn) | Turn::WrapUp(turn) => turn,
        Turn::Waiting | Turn::Exhausted => return None,
    };
    // If its process is lost, the reservation counts as used, so a dimension without a cap reserves nothing. If no cap has
    // anything left, the present reservation of its turns may cover this one.
    let left = ledger::available(&state.tree, &state.runs, run.task, if run.whole { run.reserved } else { run.turn_reservation() });
    let [nanos, turns] = [(cap.nanos, left.nanos), (cap.turns, left.turns)].map(|(cap, left)| u64::from(cap != UNCAPPED && left > 0));
    let turn = Amounts { nanos: turn.nanos.max(nanos), turns: turn.turns.saturating_add(turns), ..turn };
    let reserved = if run.whole { run.open_reservation() } else { run.reserved }.plus(turn);
    let lent = borrow(state, run.task, reserved.minus(run.reserved));
    Some((reserved, repay(state, index, lent, reserved, Amounts::ZERO)))
}

/// Whether this is the start of a run, which needs no more than its reservation.
fn is_start(given: Estimate) -> bool {
    given.tokens == Some(0)
}

/// The expected need of a turn, and how its price is known.
fn needed_for(state: &State, index: u32, given: Estimate) -> (Amounts, Price) {
    if is_start(given) {
        return (Amounts { tokens: 1, nanos: 1, turns: 1 }, Price::Near(1));
    }
    let (needed, price) = state.next_turn(index, given);
    let run = state.runs.at(index);
    // Each unreported turn is due as much as this one, minus its own reservation. A price that is only guessed is reserved once.
    let due = match price {
        Price::Given(_) => return (needed, price),
        // No cost is reported.
        Price::Own(nanos) | Price::Near(nanos) if nanos <= 1 => nanos,
        Price::Own(nanos) | Price::Near(nanos) => nanos.saturating_mul(u64::from(run.turn_costs.open()).saturating_add(1)),
        Price::Guess(nanos) => nanos,
    };
    // A turn that an earlier attempt had begun is not its own.
    let before = if run.whole || run.turn_costs.open() == 0 { 0 } else { run.reserved.minus(run.turn_reservation()).nanos };
    (Amounts { nanos: due.saturating_sub(before), ..needed }, price)
}

/// The remaining reservation of a run whose first turn waits for budget. The run releases its dollars: otherwise waiting runs
/// would withhold from each other the dollars that one of them needs.
pub(crate) fn give_dollars_back(state: &State, index: u32) -> Option<(Amounts, Option<Box<Loans>>)> {
    let run = state.runs.at(index);
    let reserved = Amounts { nanos: 0, ..run.reserved };
    (run.whole && run.reserved.nanos > 0).then(|| (reserved, repay(state, index, Vec::new(), reserved, Amounts::ZERO)))
}

/// Whether a turn that had to wait for budget can be judged again with another answer than `Waiting`.
pub(crate) fn turn_fits(state: &State, index: u32, given: Estimate) -> bool {
    judge_turn(state, index, given) != Turn::Waiting
}

/// Raises a cap (B1).
pub(crate) fn add(step: &mut Step<'_>, actor: Actor, task: Key, amount: Amounts) -> Result<Reply, Rejection> {
    let index = step.state.reach(actor, task)?;
    let before = step.state.node(index).account.cap;
    step.record(Fact::CapSet { task, cap: before.plus(amount) });
    Ok(Reply::Done)
}
