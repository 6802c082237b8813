//! `retryEnded`: a repeated spawn whose sub-agent ended badly starts a further attempt at its last message (D7). Owns
//! which end is attempted again, and the cap that the spawn's budget raises.

use crate::base::amounts::{Amounts, UNCAPPED};
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::model::spawn::{Once, Spawn};
use crate::rules::budget::reserving;
use crate::rules::scheduling::queueing;
use crate::rules::scheduling::queueing::Newcomer;
use crate::state::State;
use crate::state::budget::estimates::given_to;
use crate::state::budget::ledger;
use crate::state::budget::ledger::Account;
use crate::step::Step;

/// Raises the cap of an unfinished sub-agent to the cap that its spawn requests now. Queues a further attempt if its last run
/// ended in one of the ways that the spawn names.
pub(crate) fn attempt(step: &mut Step<'_>, actor: Actor, task: Key, once: &Once) -> Result<(), Rejection> {
    let Some(on) = &once.retry_ended else { return Ok(()) };
    let node = step.state.node(task.index);
    let ended = node.run == NONE;
    let (_, reason) = node.end;
    if ended && !on.has(node.status, reason) {
        return Ok(());
    }
    // Waiting messages belong to the next run, once a send releases them (M4).
    if ended && (node.queued_messages() > 0 || node.cancelling || node.runs == 0) {
        return Ok(());
    }
    let background = node.background;
    if ended {
        if step.state.is_sealed(task.index) || !step.state.may_revive(actor, task.index) {
            return Err(Rejection::wrong_status(node.status, "be attempted again, except for the actor that cancelled it or one above"));
        }
        if step.state.is_refused_by_drain(actor, background) {
            return Err(Rejection::Draining);
        }
        if background {
            step.state.check_notice_capacity()?;
        }
    }
    let cap = raised(&step.state, task.index, &once.spawn);
    if ended {
        check_start(step, actor, task.index, cap)?;
    }
    if cap != step.state.node(task.index).account.cap {
        step.record(Fact::CapSet { task, cap });
    }
    if ended {
        queueing::enqueue_repeat(step, task);
    }
    Ok(())
}

/// The checks of the attempt, with its future cap (D1, D2, B5).
fn check_start(step: &Step<'_>, actor: Actor, index: u32, cap: Amounts) -> Result<(), Rejection> {
    let state = &step.state;
    state.check_width_for(index)?;
    let node = state.node(index);
    let account = Account { cap, ..node.account };
    let below = state.room_below(node.parent);
    let estimate = state.turn_estimate_below(&below, &account, node.parent, given_to(node));
    let left = below.unspent.least(account.unspent());
    if let Some(dimension) = left.lacks(estimate) {
        let remaining = left.of(dimension);
        let whose = if below.unspent.of(dimension) <= remaining { node.parent } else { index };
        return Err(state.exhausted(whose, remaining, (dimension, estimate), false));
    }
    let place = queueing::place_of(step, index);
    let available = below.available.least(account.available());
    let ready_at = state.task_ready_at(step.now, index);
    let newcomer = Newcomer { place, payer: index, available, estimate, ready_at, lacks: state.lacks_for(index) };
    queueing::check_queue(step.context(), actor, &newcomer).map(|_| ())
}

/// The cap of a sub-agent once it is raised to the cap that its spawn requests. It is never less than before, and no more
/// than the caps above leave, plus its own spending (B1). A dimension that neither the spawn nor a default caps stays as it is.
fn raised(state: &State, index: u32, spawn: &Spawn) -> Amounts {
    let node = state.node(index);
    let above = ledger::unspent(&state.tree, node.parent)
        .zip(node.account.spent, |left, spent| if left == UNCAPPED { left } else { left.saturating_add(spent) });
    let given = [spawn.tokens.is_some(), spawn.nanos.is_some() || spawn.limits.nanos.is_some(), spawn.turns.is_some()];
    let before = node.account.cap;
    let capped = [state.task_cap.tokens, state.task_cap.nanos, state.task_cap.turns].map(|cap| cap != UNCAPPED);
    let said = |at: usize| given.get(at) == Some(&true) || capped.get(at) == Some(&true);
    let wanted = reserving::allocate(reserving::cap_of(state, spawn), given, above).most(before);
    Amounts {
        tokens: if said(0) { wanted.tokens } else { before.tokens },
        nanos: if said(1) { wanted.nanos } else { before.nanos },
        turns: if said(2) { wanted.turns } else { before.turns },
    }
}
