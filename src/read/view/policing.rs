//! What policies know of an agent. Computes from the state and keeps nothing.

use serde::Serialize;

use crate::base::codec::Text;
use crate::base::number::{Number, number};
use crate::state::State;

/// What policies know of an agent.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "documented in TypeScript, where users read it")]
pub struct PolicingView {
    pub turns: Number,
    pub context_tokens: Option<Number>,
    pub open_todos: Number,
    pub todos: Text,
    pub counts: Vec<(Text, Number)>,
}

/// What policies know of the last run of a task, or of a session's main agent.
#[must_use]
pub fn policing(state: &State, slot: u32) -> PolicingView {
    let node = state.node(slot);
    let kept = state.policing(slot).cloned().unwrap_or_default();
    PolicingView {
        turns: number(if node.is_task() { node.last_usage.turns } else { kept.turns }),
        context_tokens: node.cold.as_ref().and_then(|cold| cold.context_tokens).map(number),
        open_todos: number(kept.open_todos),
        todos: kept.todos,
        counts: kept.counts.into_iter().map(|(name, count)| (name, number(count))).collect(),
    }
}
