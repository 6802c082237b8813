//! Idempotent spawns: a key names the first task that it was used for (D7). Owns the answer to a repeated key, and how long keys
//! are remembered.

use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::model::admitted::KeyUse;
use crate::model::fact::Fact;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::model::spawn::Once;
use crate::model::status::Status;
use crate::state::State;
use crate::state::scheduling::idempotency;
use crate::state::scheduling::idempotency::Entry;
use crate::step::Step;

/// The longest key, in bytes.
const LONGEST: usize = 1_024;
/// Digests stay below 2^53, so that readers in other languages have them exactly.
const DIGEST_MASK: u64 = (1 << 53) - 1;

/// The answer of a key to a spawn.
pub(crate) enum Used {
    /// It names this task.
    Before(Key),
    /// It will name the task that is spawned now.
    Now(Box<KeyUse>),
}

/// Looks a key up in the scope of an actor.
pub(crate) fn look_up(step: &Step<'_>, actor: Actor, once: &Once) -> Result<Used, Rejection> {
    let Once { key, parameters, work, retry_ended, .. } = once;
    let (scope, _) = step.state.place_of(actor)?;
    let scope = step.state.key(scope);
    if key.is_empty() || key.len() > LONGEST {
        return Err(Rejection::InvalidArgument {
            argument: Some("idempotencyKey"),
            what: format!("`idempotencyKey` must have 1 to {LONGEST} bytes, got {}", key.len()),
        });
    }
    let [digest, work] = [parameters, work].map(|text| idempotency::hash(0, text) & DIGEST_MASK);
    let used = step.state.keys.find(scope, key);
    if let Some(entry) = used.filter(|entry| !is_over(&step.state, step.now, entry)) {
        // A further attempt may have another budget.
        let is_same = if retry_ended.is_some() { entry.work == work } else { entry.digest == digest };
        if !is_same {
            return Err(Rejection::IdempotencyConflict { task: entry.task });
        }
        return match entry.forgotten {
            Some(last_status) => Err(Rejection::IdempotencyForgotten { task: entry.task, last_status }),
            None => Ok(Used::Before(entry.task)),
        };
    }
    let until = step.now.saturating_add(step.state.limits.idempotency_ttl_ms);
    Ok(Used::Now(Box::new(KeyUse { key: key.clone(), digest, until, work })))
}

/// Whether a key no longer answers. It answers while its task has queued or open work: otherwise the same work would be done
/// twice at once. It doesn't answer for a task that was stopped because its caller's run begins again or ended badly. The attempt
/// that spawns with the same key does the work (J3, X5).
fn is_over(state: &State, now: u64, entry: &Entry) -> bool {
    if !state.tree.contains(entry.task) {
        return entry.until <= now;
    }
    let node = state.node(entry.task.index);
    let stopped = node.reason.is_by_caller() && node.status == Status::Cancelled;
    if node.run == NONE { stopped || entry.until <= now } else { state.runs.at(node.run).stop.is_some_and(|(why, _)| why.is_by_caller()) }
}

/// The key of a task, if it has expired.
#[inline(never)]
pub(crate) fn over_key(state: &State, now: u64, index: u32) -> Option<(Key, Text)> {
    let serial = state.node(index).rare.as_ref()?.once.serial;
    state.keys.numbered(serial).filter(|entry| entry.until <= now).map(|entry| (entry.scope, entry.key.clone()))
}

/// Drops a task's expired key before its next message: the key answers for no work that began later.
pub(crate) fn drop_key_of(step: &mut Step<'_>, index: u32) {
    if let Some((scope, key)) = over_key(&step.state, step.now, index) {
        step.record(Fact::KeyDropped { scope, key });
    }
}

/// Makes room for a new key, once nothing else refuses its spawn. Drops the same key if it has expired, and the oldest expired
/// keys. If there are still too many, drops the oldest of all.
pub(crate) fn drop_keys(step: &mut Step<'_>, scope: Key, key: &Text) {
    if step.state.keys.find(scope, key).is_some() {
        step.record(Fact::KeyDropped { scope, key: key.clone() });
    }
    let most = usize::try_from(step.state.limits.max_idempotency_keys).unwrap_or(usize::MAX);
    while let Some(entry) = step.state.keys.oldest() {
        if step.state.keys.len() < most && !is_over(&step.state, step.now, entry) {
            return;
        }
        let (scope, key): (Key, Text) = (entry.scope, entry.key.clone());
        step.record(Fact::KeyDropped { scope, key });
    }
}
