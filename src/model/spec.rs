//! What a task was given beside its text. Owns the record; it is kept apart from the task because most
//! tasks have little of it. Never changes after the spawn (rule A3).

use crate::base::codec::{Text, record};
use crate::model::retry::Retry;
use crate::model::status::OnParentEnd;

record! {
    /// Everything optional about a task. `None` means that the manager's own value holds.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Spec {
        /// A label for display; may repeat (A4).
        pub label: Option<Text>,
        /// A name that works as an id while the task is open (A4).
        pub nickname: Option<Text>,
        /// Context that goes beside the task's text.
        pub context_hint: Option<Text>,
        /// Names of the tools that it may use; absent: unknown (P2).
        pub tools: Option<Vec<Text>>,
        /// Its system prompt.
        pub system_prompt: Option<Text>,
        /// Name of the profile that makes its system prompt.
        pub profile: Option<Text>,
        /// The model's id.
        pub model_id: Option<Text>,
        /// The definition that it was copied from (A3).
        pub source_agent_id: Option<Text>,
        /// Turns that each of its runs may take.
        pub max_turns: Option<u64>,
        /// Soft deadline of each run, in milliseconds.
        pub timeout_ms: Option<u64>,
        /// Silence allowed in a run, in milliseconds.
        pub idle_timeout_ms: Option<u64>,
        /// Tokens held for one turn.
        pub turn_estimate: Option<u64>,
        /// Higher goes first.
        pub priority: Option<i64>,
        /// The rate limit that it shares with others of the same key (X1).
        pub rate_limit_key: Option<Text>,
        /// Tools that it doesn't get, whoever names them.
        pub disallowed_tools: Option<Vec<Text>>,
        /// The channel that the work came from (N5).
        pub origin_channel: Option<Text>,
        /// The chat that it came from.
        pub origin_chat_id: Option<Text>,
        /// Its result is shown as a JSON report (R4).
        pub json: bool,
        /// What becomes of it when the run that it works for ends well (C3).
        pub on_parent_end: Option<OnParentEnd>,
        /// What the program hung on it, as JSON; never read here (A6).
        pub metadata: Option<Text>,
        /// How its runs are tried again (X5).
        pub retry: Option<Box<Retry>>,
    }
}
