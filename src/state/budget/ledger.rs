//! The ledger: what each node of the tree may spend, has spent and has reserved (B1, B2).
//!
//! Owns the arithmetic along the path from a node to the root. Never: decides whether to spend
//! (`rules/budget/reserving.rs` does). At every node, `spent` and `reserved` are its own plus its children's.

use crate::base::amounts::{Amounts, Dimension, UNCAPPED};
use crate::base::slab::{NONE, Slab};
pub use crate::state::budget::account::Account;
use crate::state::runs::run::{Phase, Run};
use crate::state::tree::node::Node;

/// The nodes from `node` up to the root.
pub(crate) fn path(tree: &Slab<Node>, node: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(Some(node), |at| Some(tree.at(*at).parent).filter(|up| *up != NONE))
}

/// The least cap on the path from a node up, in each dimension.
pub(crate) fn least_cap(tree: &Slab<Node>, node: u32) -> Amounts {
    path(tree, node).fold(Amounts::UNCAPPED, |least, at| least.least(tree.at(at).account.cap))
}

/// The least cap on the path from a node up, in each dimension, and the dollars that are left on it after spending.
pub(crate) fn least_cap_and_dollars(tree: &Slab<Node>, node: u32) -> (Amounts, u64) {
    path(tree, node).map(|at| &tree.at(at).account).fold((Amounts::UNCAPPED, UNCAPPED), |(least, left), account| {
        let nanos = if account.cap.nanos == UNCAPPED { UNCAPPED } else { account.cap.nanos.saturating_sub(account.spent.nanos) };
        (least.least(account.cap), left.min(nanos))
    })
}

/// A run starts, and this is reserved for it: along the path, where it is counted as well. If its task has had its last turn, it
/// gets none.
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

/// An open run ends, has used this amount more, and has no reservation left. `had_last`: it has had its last turn.
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

/// Of the open runs below the nodes above this one, one more or fewer has had its last turn.
#[inline(never)]
pub(crate) fn count_last(tree: &mut Slab<Node>, node: u32, change: fn(u32, u32) -> u32) {
    let above = tree.at(node).parent;
    walk_up(tree, above, |node| {
        let family = node.family_mut();
        family.last_turns = change(family.last_turns, 1);
    });
}

/// Books an amount, and replaces a reserved one, along the path.
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

/// Replaces a reserved amount along the path.
pub(crate) fn reserve(tree: &mut Slab<Node>, node: u32, before: Amounts, after: Amounts) {
    book(tree, node, Amounts::ZERO, (before, after));
}

/// Books an amount along the path.
pub(crate) fn spend(tree: &mut Slab<Node>, node: u32, amount: Amounts) {
    book(tree, node, amount, (Amounts::ZERO, Amounts::ZERO));
}

/// The amount that the run of a node can lend: its reservation, while that is still for the whole run (B4).
#[inline]
pub(crate) fn lendable(tree: &Slab<Node>, runs: &Slab<Run>, node: u32) -> Amounts {
    let run = tree.at(node).run;
    if run == NONE {
        return Amounts::ZERO;
    }
    let run = runs.at(run);
    if run.phase == Phase::Open && run.whole { run.reserved } else { Amounts::ZERO }
}

/// The least that may be reserved for `node` on its path. Loans of the runs above it count as free from their node upwards; `own`
/// is the amount that the asking run itself would return.
pub(crate) fn available(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, own: Amounts) -> Amounts {
    rooms(tree, runs, node, own).fold(Amounts::UNCAPPED, Amounts::least)
}

/// The same without the cap of `node` itself: the rest that it shares with others.
pub(crate) fn available_above(tree: &Slab<Node>, runs: &Slab<Run>, node: u32, own: Amounts) -> Amounts {
    rooms(tree, runs, node, own).skip(1).fold(Amounts::UNCAPPED, Amounts::least)
}

/// What [`available`] compares: what each node on the path has free.
pub(crate) fn rooms<'a>(tree: &'a Slab<Node>, runs: &'a Slab<Run>, node: u32, own: Amounts) -> impl Iterator<Item = Amounts> + 'a {
    let mut freed = own;
    path(tree, node).map(move |at| {
        if at != node {
            freed = freed.plus(lendable(tree, runs, at));
        }
        tree.at(at).account.room(freed)
    })
}

/// The place where budget lacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortage {
    /// The node.
    pub(crate) at: u32,
    /// In which dimension.
    pub(crate) dimension: Dimension,
    /// How much would have to be there, at most.
    pub(crate) needed: u64,
    /// The node whose turns say how much that is, or [`NONE`].
    pub(crate) learner: u32,
}

/// The highest node on the path that has less than is needed and gets nothing from a loan, if there is one.
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

/// The rest on the path up from a node for a new child of it.
pub(crate) struct Below {
    /// As [`unspent`] says.
    pub(crate) unspent: Amounts,
    /// As [`available`] says, if the run of the node would lend.
    pub(crate) available: Amounts,
    /// As [`least_cap`] says.
    pub(crate) least_cap: Amounts,
}

impl Below {
    /// If nothing caps anything.
    pub(crate) const UNCAPPED: Self = Self { unspent: Amounts::UNCAPPED, available: Amounts::UNCAPPED, least_cap: Amounts::UNCAPPED };

    /// Takes in an account that has a cap; this much of its reservations counts as free.
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

/// What [`unspent`], [`available`] and [`least_cap`] say, in one walk: for a new child of `node`, to which the run of `node`
/// would lend.
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

/// The node on the path whose cap leaves the least, after spending, or beside what is `reserved` as well: as [`room_below`] sees
/// them.
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

/// The least that any cap on the path leaves after spending.
pub(crate) fn unspent(tree: &Slab<Node>, node: u32) -> Amounts {
    path(tree, node).fold(Amounts::UNCAPPED, |least, at| least.least(tree.at(at).account.unspent()))
}
