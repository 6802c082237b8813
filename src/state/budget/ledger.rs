//! The ledger: cap, spending and reservation of each node of the tree (B1, B2).
//!
//! Owns the arithmetic along the path from a node to the root. Never: decides whether to spend (`rules/budget/reserving.rs`
//! does). At every node, `spent` and `reserved` include its children's.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::base::slab::{NONE, Slab};
pub use crate::state::budget::account::Account;
use crate::state::runs::run::{Phase, Run};
use crate::state::tree::node::Node;

/// The nodes from `node` up to the root.
pub(crate) fn path(tree: &Slab<Node>, node: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(Some(node), |at| Some(tree.at(*at).parent).filter(|up| *up != NONE))
}

/// The smallest cap on the path from a node up, in each dimension.
pub(crate) fn least_cap(tree: &Slab<Node>, node: u32) -> Amounts {
    path(tree, node).fold(Amounts::UNCAPPED, |least, at| least.least(tree.at(at).account.cap))
}

/// The smallest cap on the path from a node up, in each dimension, and the smallest rest of dollars after spending.
pub(crate) fn least_cap_and_dollars(tree: &Slab<Node>, node: u32) -> (Amounts, u64) {
    path(tree, node).map(|at| &tree.at(at).account).fold((Amounts::UNCAPPED, UNCAPPED), |(least, left), account| {
        let nanos = if account.cap.nanos == UNCAPPED { UNCAPPED } else { account.cap.nanos.saturating_sub(account.spent.nanos) };
        (least.least(account.cap), left.min(nanos))
    })
}

/// Starts a run: counts it and reserves this amount along the path. If its task has had its last turn, the run gets none.
pub(crate) fn start(tree: &mut Slab<Node>, node: u32, reserved: Amounts) {
    if tree.at(node).wrapped_up {
        count_last(tree, node, u32::saturating_add);
    }
    let reserves = !reserved.is_zero();
    walk_up(tree, node, |node| {
        node.open_runs = node.open_runs.saturating_add(1);
        if reserves {
            node.account.reserved = node.account.reserved.plus(reserved);
        }
    });
}

/// Ends an open run: books this further amount and releases the reservation. `had_last`: it has had its last turn.
pub(crate) fn end(tree: &mut Slab<Node>, node: u32, amount: Amounts, reserved: Amounts, had_last: bool) {
    if had_last {
        count_last(tree, node, u32::saturating_sub);
    }
    let reserves = !reserved.is_zero();
    walk_up(tree, node, |node| {
        node.open_runs = node.open_runs.saturating_sub(1);
        node.account.spent = node.account.spent.plus(amount);
        if reserves {
            node.account.reserved = node.account.reserved.zip(reserved, u64::saturating_sub);
        }
    });
}

/// Counts one more or one fewer open run that has had its last turn, in all nodes above.
#[inline(never)]
pub(crate) fn count_last(tree: &mut Slab<Node>, node: u32, change: fn(u32, u32) -> u32) {
    let above = tree.at(node).parent;
    walk_up(tree, above, |node| {
        let family = node.family_mut();
        family.last_turns = change(family.last_turns, 1);
    });
}

/// Books an amount and replaces a reservation along the path.
pub(crate) fn book(tree: &mut Slab<Node>, node: u32, amount: Amounts, (before, after): (Amounts, Amounts)) {
    if amount.is_zero() && before == after {
        return;
    }
    walk_up(tree, node, |Node { account, .. }| {
        account.spent = account.spent.plus(amount);
        account.reserved = account.reserved.zip(before, u64::saturating_sub).plus(after);
    });
}

#[inline]
fn walk_up(tree: &mut Slab<Node>, node: u32, change: impl Fn(&mut Node)) {
    let mut at = node;
    while at != NONE {
        let node = tree.at_mut(at);
        change(node);
        at = node.parent;
    }
}

/// Replaces a reservation along the path.
pub(crate) fn reserve(tree: &mut Slab<Node>, node: u32, before: Amounts, after: Amounts) {
    book(tree, node, Amounts::ZERO, (before, after));
}

/// Books an amount along the path.
pub(crate) fn spend(tree: &mut Slab<Node>, node: u32, amount: Amounts) {
    book(tree, node, amount, (Amounts::ZERO, Amounts::ZERO));
}

/// The amount that a node's run can lend: its reservation, while it is still for the whole run (B4).
#[inline]
pub(crate) fn lendable(tree: &Slab<Node>, runs: &Slab<Run>, node: u32) -> Amounts {
    let run = tree.at(node).run;
    if run == NONE {
        return Amounts::ZERO;
    }
    let run = runs.at(run);
    if run.phase == Phase::Open && run.whole { run.reserved } else { Amounts::ZERO }
}

/// The amount that may be reserved for `node`: the minimum on its path. Reservations that runs above can lend count as free from
/// their node upwards; `own` is the amount that the asking run would return.
pub(crate) fn available(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, own: Amounts) -> Amounts {
    rooms(tree, runs, node, own).fold(Amounts::UNCAPPED, Amounts::least)
}

/// The same without `node`'s own cap: the rest that it shares with others.
pub(crate) fn available_above(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, own: Amounts) -> Amounts {
    rooms(tree, runs, node, own).skip(1).fold(Amounts::UNCAPPED, Amounts::least)
}

/// The free amount of each node on the path, which [`available`] compares.
pub(crate) fn rooms<'a>(tree: &'a Slab<Node>, runs: &'a Slab<Run>, node: u32, own: Amounts) -> impl Iterator<Item = Amounts> + 'a {
    let mut freed = own;
    path(tree, node).map(move |at| {
        if at != node {
            freed = freed.plus(lendable(tree, runs, at));
        }
        tree.at(at).account.room(freed)
    })
}

/// The place where budget is short.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// The node.
    pub(crate) at: u32,
    /// The dimension.
    pub(crate) dimension: Dimension,
    /// The needed amount, at most.
    pub(crate) needed: u64,
    /// The node whose turns determine that amount, or [`NONE`].
    pub(crate) learner: u32,
}

/// The highest node on the path that has less than needed and that no loan helps, if any.
pub(crate) fn shortage(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, needed: Amounts) -> Option<Shortage> {
    let lends = |at: u32| at != node && !lendable(tree, runs, at).is_zero();
    path(tree, node)
        .take_while(|at| !lends(*at))
        .filter_map(|at| {
            let dimension = tree.at(at).account.available().lacks(needed)?;
            Some(Shortage { at, dimension, needed: needed.of(dimension), learner: NONE })
        })
        .last()
}

/// The rest on the path up from a node, for a new child.
pub(crate) struct Below {
    /// See [`unspent`].
    pub(crate) unspent: Amounts,
    /// See [`available`]; the node's run would lend.
    pub(crate) available: Amounts,
    /// See [`least_cap`].
    pub(crate) least_cap: Amounts,
}

impl Below {
    /// Without any cap.
    pub(crate) const UNCAPPED: Self = Self { unspent: Amounts::UNCAPPED, available: Amounts::UNCAPPED, least_cap: Amounts::UNCAPPED };

    /// Narrows the rest by a capped account; this much of its reservations counts as free.
    #[inline]
    fn narrow(&mut self, Account { cap, spent, reserved }: &Account, freed: &Amounts) {
        let Self { unspent, available, least_cap } = self;
        let narrow = |cap: u64, spent: u64, reserved: u64, [unspent, available, least_cap]: [&mut u64; 3]| {
            if cap != UNCAPPED {
                let left = cap.saturating_sub(spent);
                *least_cap = cap.min(*least_cap);
                *unspent = left.min(*unspent);
                *available = left.saturating_sub(reserved).min(*available);
            }
        };
        let reserved = reserved.zip(*freed, u64::saturating_sub);
        narrow(cap.tokens, spent.tokens, reserved.tokens, [&mut unspent.tokens, &mut available.tokens, &mut least_cap.tokens]);
        narrow(cap.nanos, spent.nanos, reserved.nanos, [&mut unspent.nanos, &mut available.nanos, &mut least_cap.nanos]);
        narrow(cap.turns, spent.turns, reserved.turns, [&mut unspent.turns, &mut available.turns, &mut least_cap.turns]);
    }
}

/// [`unspent`], [`available`] and [`least_cap`] in one walk, for a new child of `node` to which `node`'s run would lend.
pub(crate) fn room_below(tree: &Slab<Node>, runs: &Slab<Run>, node: u32) -> Below {
    let mut below = Below::UNCAPPED;
    let mut freed = Amounts::ZERO;
    let mut at = node;
    while at != NONE {
        let Node { account, parent, run, .. } = tree.at(at);
        if *run != NONE {
            freed = freed.plus(lendable(tree, runs, at));
        }
        if account.cap != Amounts::UNCAPPED {
            below.narrow(account, &freed);
        }
        at = *parent;
    }
    below
}

/// The node on the path whose cap leaves the least after spending, and also after reservations if `with_reserved`. Loans count as
/// in [`room_below`].
#[cold]
pub(crate) fn tightest(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, dimension: Dimension, with_reserved: bool) -> u32 {
    let (mut least, mut tightest, mut freed) = (UNCAPPED, node, Amounts::ZERO);
    for at in path(tree, node) {
        freed = freed.plus(lendable(tree, runs, at));
        let account = &tree.at(at).account;
        let reserved = if with_reserved { account.reserved.zip(freed, u64::saturating_sub) } else { Amounts::ZERO };
        let left = account.unspent().minus(reserved).of(dimension);
        if left < least {
            (least, tightest) = (left, at);
        }
    }
    tightest
}

/// The smallest rest of a cap on the path after spending.
pub(crate) fn unspent(tree: &Slab<Node>, node: u32) -> Amounts {
    path(tree, node).fold(Amounts::UNCAPPED, |least, at| least.least(tree.at(at).account.unspent()))
}
