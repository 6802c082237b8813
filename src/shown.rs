//! Events for listeners in this process, plus the id, label and session of each new sub-agent. Owns that record.
//! `base/event_buffer.rs` owns the form of facts; `ts/boundary/fact-numbers.ts` reads both.

use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::slab::Key;
use crate::base::text::label_of;
use crate::model::fact::Fact;
use crate::state::State;

/// Replaces a fact's number; no fact has it.
const NEW_TASK: u8 = 255;

/// Appends a fact. Before an admission, appends the new sub-agent's id, label and session key.
pub(crate) fn show(state: &State, now: u64, fact: &Fact, out: &mut EventBuffer) {
    if let Fact::TaskAdmitted { task, parent, text, .. } = fact {
        introduce(state, now, (*task, *parent), text, out);
    }
    now.encode_event(out);
    fact.encode_event(out);
}

/// Appends the sub-agent's key, the four parts of its id, the start and length of its text's label, and the session key.
#[inline(never)]
fn introduce(state: &State, now: u64, (task, parent): (Key, Key), text: &str, out: &mut EventBuffer) {
    now.encode_event(out);
    NEW_TASK.encode_event(out);
    task.encode_event(out);
    let parts = state.id_parts(task);
    out.numbers.extend_from_slice(&parts.map(f64::from));
    let space = text.get(..text.len().saturating_sub(text.trim_start().len())).unwrap_or_default();
    for part in [space, label_of(text)] {
        units(part).encode_event(out);
    }
    match state.session_key(parent.index) {
        None => false.encode_event(out),
        Some(key) => {
            true.encode_event(out);
            key.encode_event(out);
        }
    }
}

/// The length of a text in JavaScript: its UTF-16 units.
fn units(text: &str) -> u64 {
    let units = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
    u64::try_from(units).unwrap_or(u64::MAX)
}
