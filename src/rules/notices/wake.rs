//! Waking: a session with notices is notified, and has `leaseMs` to take them. If it doesn't, it is woken again, within the limit
//! of deliveries (N2, N3). Owns when a session is notified, and when its time is over.

use crate::base::slab::{Key, NONE};
use crate::model::effect::Effect;
use crate::model::input::Reply;
use crate::model::rejection::Rejection;
use crate::rules::notices::record::{Moved, move_to, named, record_moved};
use crate::state::State;
use crate::state::notices::Delivery;
use crate::state::policies::Policing;
use crate::state::tree::node::Kind;
use crate::step::Step;
use crate::waits::Waits;

/// Wakes an idle session, once until its host has been notified (N3).
pub(crate) fn wake(step: &mut Step<'_>, owner: u32) {
    if step.state.node(owner).kind == Kind::Session && !step.state.is_closed_session(owner) {
        let session = step.state.key(owner);
        if let Err(at) = step.log.woken.binary_search(&session) {
            step.log.woken.insert(at, session);
            step.effect(Effect::Wake(session));
        }
    }
}

/// A leased notice returns; after its last delivery it becomes undelivered (N2).
pub(crate) fn return_notice(step: &mut Step<'_>, index: u32) {
    let notice = step.state.notices.at(index);
    if notice.delivery == Delivery::Leased && u64::from(notice.attempts) >= step.state.limits.max_deliveries {
        move_to(step, index, Delivery::Undelivered);
    } else {
        move_to(step, index, Delivery::Pending);
        announce(step, index, NONE);
    }
}

/// The main agent of a session was notified of waiting notices: it has `leaseMs` to take them.
pub(crate) fn woken(step: &mut Step<'_>, session: Key) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.node(index).kind != Kind::Session {
        return Ok(Reply::Done);
    }
    let until = step.now.saturating_add(step.state.limits.lease_ms);
    let fresh: Vec<u32> = step.state.waiting(index).fresh.iter().map(|(_, notice)| notice).collect();
    for notice in fresh {
        woken_for(step, notice, 0, Some(until));
    }
    Ok(Reply::Done)
}

/// A main agent has answered: wakes it for notices that none of its turns took while it was working.
pub(crate) fn wake_idle(step: &mut Step<'_>, session: u32) {
    if begin_waking_anew(step, session) {
        wake(step, session);
    }
}

/// Stops counting the time that a main agent has to take its notices. Returns whether any was counted.
pub(crate) fn begin_waking_anew(step: &mut Step<'_>, session: u32) -> bool {
    let timed: Vec<u32> = step.state.waiting(session).timed.iter().map(|(_, notice)| notice).collect();
    for index in &timed {
        woken_for(step, *index, 0, None);
    }
    !timed.is_empty()
}

fn woken_for(step: &mut Step<'_>, index: u32, more: u32, until: Option<u64>) {
    let attempt = step.state.notices.at(index).attempts.saturating_add(more);
    record_moved(step, index, Moved { until, ..Moved::to(Delivery::Pending, attempt) });
}

/// The time of a lease, or of a woken agent, is over. A working agent takes its notices when it gets to them, so no time counts
/// against it. An idle agent that was woken without effect is woken again, within the limit of deliveries (N2).
pub(crate) fn time_is_over(step: &mut Step<'_>, index: u32) {
    let notice = step.state.notices.at(index);
    let (owner, attempts) = (notice.owner, notice.attempts);
    if notice.delivery != Delivery::Pending {
        return_notice(step, index);
    } else if is_busy(&step.state, step.waits, owner, step.now) {
        // Checks again after as long as the notice has waited: an agent that never returns costs only a few checks.
        let waited = step.now.saturating_sub(notice.ended_at).max(step.state.limits.lease_ms);
        woken_for(step, index, 0, Some(step.now.saturating_add(waited)));
    } else {
        woken_for(step, index, 1, None);
        if u64::from(attempts.saturating_add(1)) >= step.state.limits.max_deliveries {
            move_to(step, index, Delivery::Undelivered);
        } else {
            wake(step, owner);
        }
    }
}

/// Whether the main agent of a session is working, as far as the manager knows. It is if it is in a turn of its own, waits for
/// sub-agents, or has foreground ones. A turn that never ends doesn't count after `timeoutMs`.
fn is_busy(state: &State, waits: &Waits, session: u32, now: u64) -> bool {
    let in_turn = |it: &Policing| it.turns > 0 && now.saturating_sub(it.turn_at) < state.limits.timeout_ms;
    let works_for_it = |child: u32| !state.node(child).background && state.node(child).run != NONE;
    let waits_itself = |wait: u32| !waits.at(wait).subtree && waits.at(wait).inbox() == session;
    state.policing(session).is_some_and(in_turn) || state.children(session).any(works_for_it) || waits.indices().any(waits_itself)
}

/// A notice waits again: an open wait of its receiver will deliver it, or else the session is woken.
pub(crate) fn announce(step: &mut Step<'_>, index: u32, but: u32) {
    let of = named(&step.state, index);
    let (owner, waits) = (step.state.notices.at(index).owner, &step.waits);
    if waits.indices().any(|wait| wait != but && waits.at(wait).delivers(owner, of)) {
        move_to(step, index, Delivery::Awaited);
    } else {
        wake(step, owner);
    }
}
