//! The policies' record of an agent, as JavaScript reads it. Owns its fields; changes nothing.

use crate::base::codec::Text;
use crate::base::number::{Number, number};
use crate::base::view_record::view;
use crate::state::State;

/// The policies' record of a task's last run, or of a session's main agent.
#[must_use]
pub fn policing(state: &State, index: u32) -> PolicingView {
    PolicingView::of(state, index)
}

view! {
    /// The count of one policy.
    pub struct CountView "PolicyCount" {
        /// The name of the policy.
        pub name: Text,
        /// Its count.
        pub count: Number,
    }
}

view! {
    /// The policies' record of an agent, in the core.
    pub struct PolicingView "Policing" of(state: &State, index: u32) with {
        let node = state.node(index);
        let kept = state.policing(index).cloned().unwrap_or_default();
    } {
        /// Turns that it took.
        turns: Number = number(if node.is_task() { node.last_usage.turns } else { kept.turns }),
        /// The size of its context as last reported, in tokens; null if it was not reported.
        context_tokens: Option<Number> = node.rare.as_ref().and_then(|rare| rare.context_tokens).map(number),
        /// The number of its open to-dos.
        open_todos: Number = number(kept.open_todos),
        /// Its to-do list as last reported, as JSON.
        todos: Text = kept.todos,
        /// The count of each counting policy.
        counts: Vec<CountView> = kept.counts.into_iter().map(|(name, count)| CountView { name, count: number(count) }).collect(),
    }
}
