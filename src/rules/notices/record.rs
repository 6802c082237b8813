//! The moves of a notice: leased, acknowledged, rerouted (N2). Owns the record of a move, and the reads for it. Must never decide
//! when a notice moves (`delivery.rs`), or who is woken (`wake.rs`).

use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::state::State;
use crate::state::notices::Delivery;
use crate::step::Step;

/// The run whose end a notice delivers.
pub(crate) fn named(state: &State, index: u32) -> RunKey {
    RunKey { task: state.named_by(index), run: state.notices.at(index).run }
}

pub(crate) fn is_with_turn(state: &State, index: u32) -> bool {
    let notice = state.notices.at(index);
    // The turn of a run, or of a main agent, holds its leases; all others have a deadline.
    notice.delivery == Delivery::Leased && notice.until.is_none()
}

pub(crate) fn mark_acked(step: &mut Step<'_>, index: u32) {
    move_to(step, index, Delivery::Acked);
}

/// A move of a notice.
pub(crate) struct Moved {
    pub(crate) delivery: Delivery,
    /// The new inbox, if it changes.
    pub(crate) to: Option<Key>,
    pub(crate) attempt: u32,
    pub(crate) until: Option<u64>,
    /// Nodes to which a wait has delivered the end, although the notice is not for them.
    pub(crate) delivered_to: Vec<Key>,
}

impl Moved {
    pub(crate) const fn to(delivery: Delivery, attempt: u32) -> Self {
        Self { delivery, to: None, attempt, until: None, delivered_to: Vec::new() }
    }
}

/// Moves a notice without a new delivery, and clears its deadline.
pub(crate) fn move_to(step: &mut Step<'_>, index: u32, delivery: Delivery) {
    let attempt = step.state.notices.at(index).attempts;
    record_moved(step, index, Moved::to(delivery, attempt));
}

pub(crate) fn record_moved(step: &mut Step<'_>, index: u32, moved: Moved) {
    let RunKey { task, run } = named(&step.state, index);
    let Moved { delivery, to, attempt, until, delivered_to } = moved;
    let to = to.unwrap_or_else(|| step.state.key(step.state.notices.at(index).owner));
    step.record(Fact::NoticeMoved { task, run, delivery, to, attempt, until, delivered_to });
}

pub(crate) fn lease_notice(step: &mut Step<'_>, index: u32, until: Option<u64>) {
    let attempt = step.state.notices.at(index).attempts.saturating_add(1);
    record_moved(step, index, Moved { until, ..Moved::to(Delivery::Leased, attempt) });
}

/// The oldest notices that wait for delivery, at most this many.
pub(crate) fn pending(state: &State, owner: u32, max: u64) -> Vec<u32> {
    state.waiting(owner).iter().take(usize::try_from(max).unwrap_or(usize::MAX)).collect()
}
