//! The optional fields of a task. Owns their list, one row each. The record, its reading from JavaScript, and the options of a
//! spawn and of an agent's definition are made from it. Most tasks have few, so the record is stored apart from the task. It
//! never changes after the spawn (A3).

use crate::base::amounts::{Estimate, Nanos};
use crate::base::codec::Text;
use crate::base::record::record;
use crate::base::stored::stored_as_fields;
use crate::model::kinds::ModelPrice;
use crate::model::options::{Property, property};
#[cfg(not(target_arch = "wasm32"))]
use crate::model::options::{SpawnOption, is_there};
use crate::model::retry::Retry;
use crate::model::status::OnParentEnd;
use crate::model::tool_list::ToolList;

/// The values that JavaScript staged, field by field.
pub trait Staged {
    /// The text of a field.
    fn text(&mut self, name: &str) -> Option<Text>;
    /// The texts of a field.
    fn texts(&mut self, name: &str) -> Option<Vec<Text>>;
    /// The count of a field.
    fn count(&mut self, name: &str) -> Option<u64>;
    /// The dollars of a field, in billionths.
    fn dollars(&mut self, name: &str) -> Option<u64>;
    /// The whole number of a field.
    fn integer(&mut self, name: &str) -> Option<i64>;
    /// The retry policy of a field.
    fn retry(&mut self, name: &str) -> Option<Box<Retry>>;
    /// The prices of a field.
    fn prices(&mut self, name: &str) -> Option<Vec<ModelPrice>>;
}

/// A type of the record's fields.
trait Stage {
    fn take(staged: &mut impl Staged, name: &str) -> Self;
}

macro_rules! stage {
    ($($type:ty: $staged:ident, $name:ident => $taken:expr;)+) => {
        $(impl Stage for $type {
            fn take($staged: &mut impl Staged, $name: &str) -> Self { $taken }
        })+
    };
}

stored_as_fields! {
    Spec = Self::default();
}

stage! {
    Option<Text>: staged, name => staged.text(name);
    Option<Vec<Text>>: staged, name => staged.texts(name);
    Option<ToolList>: staged, name => staged.texts(name).map(ToolList::from);
    Option<u64>: staged, name => staged.count(name);
    Option<i64>: staged, name => staged.integer(name);
    Option<Nanos>: staged, name => staged.dollars(name).map(|nanos| Nanos(nanos.max(1)));
    Option<Box<Retry>>: staged, name => staged.retry(name);
    Option<Vec<ModelPrice>>: staged, name => staged.prices(name);
    Option<OnParentEnd>: staged, name => staged.text(name).and_then(|text| OnParentEnd::from_name(&text));
    bool: staged, name => staged.count(name).is_some_and(|flag| flag != 0);
}

/// Declares the record. A row is a field, its staged name, its type, and `since` with the stored form if the field came later. If
/// the field is an option of a spawn, the row also has the option's kind and the text for users. It has `by(agent)` if an agent's
/// definition may set it, and a text for models if they may set it.
macro_rules! spec {
    ($($(#[doc = $doc:literal])+ $field:ident $staged:literal $(since $form:literal)?: $type:ty
        $(= $kind:ident $(by($by:ident))? $(model $words:literal)?: $text:literal)?,)+) => {
        record! {
            /// Everything optional about a task. `None` means that the manager's own value holds.
            #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
            pub struct Spec { $($(#[doc = $doc])+ pub $field $(since $form)?: $type,)+ }
        }

        $crate::base::view::as_in_facts!(Spec);

        impl Spec {
            /// Makes the record from the staged values.
            pub fn from_staged(staged: &mut impl Staged) -> Self {
                Self { $($field: Stage::take(staged, $staged),)+ }
            }

            /// The names under which the fields are staged, in stored order.
            #[cfg(not(target_arch = "wasm32"))]
            pub const STAGED: &'static [&'static str] = &[$($staged),+];

            /// The fields that are options of a spawn.
            #[cfg(not(target_arch = "wasm32"))]
            pub const OPTIONS: &'static [SpawnOption] = &[$($(SpawnOption {
                staged: Some($staged),
                name: $staged,
                kind: stringify!($kind),
                is_defined: is_there!($($by)?),
                is_asked: is_there!($($words)?),
                doc: $text,
            },)?)+];

            /// The options that a model may set, by their staged names, each with its parameter.
            pub const PARAMETERS: &'static [(&'static str, Property)] = &[$($($(($staged, property!($kind $words)),)?)?)+];
        }
    };
}

spec! {
    /// A label for display; may repeat (A4).
    label "label": Option<Text> = label:
        "A name for display; it may repeat. Default: the first 30 characters of the text; without a text, its nickname.",
    /// A name that works as an id while the task is open (A4).
    nickname "nickname": Option<Text> = name:
        "A name that works as an id in calls of the one that spawns it, 1 to 64 characters.\n\nIt works from above too if no \
        nearer sub-agent has it. It doesn't begin with `sub_`. Refused with `nickname_taken` while another sub-agent of the \
        same parent that is pending, running or idle bears it; an ended one gives it up.",
    /// Context in addition to the task's text.
    context_hint "contextHint": Option<Text> = text by(agent): "Context that goes beside the text. @default ''",
    /// Names of its tools; absent: unknown (P2).
    tools "tools": Option<ToolList> = texts by(agent) model "Names of the tools it may use. Leave it out for all that \
    you may hand on.":
        "Names of the tools it may use. `*` in one stands for any characters: `mcp__slack__*`. Default: the parent's.",
    /// Its system prompt.
    system_prompt "systemPrompt": Option<Text> = text model "A system prompt of its own, in place of the usual one.":
        "A system prompt of its own. Default: that of its definition, else the one that its profile makes.",
    /// Name of the profile that makes its system prompt.
    profile "profile": Option<Text> = reference by(agent):
        "The profile that makes its system prompt where none is given. @default 'minimal'",
    /// The model's id.
    model_id "modelId": Option<Text> = text:
        "The model's id. Default: that of its definition, of the sub-agent or session that spawns it, or the manager's.",
    /// The definition that it was copied from (A3).
    agent "agent": Option<Text> = reference:
        "The definition that it is made from, by its name in the manager's `agents`; null for none.",
    /// The maximum turns of each run.
    max_turns "maxTurns": Option<u64> = count by(agent) model "How many times its model may be called.":
        "Turns that each of its runs may take. Default: the manager's `maxTurns`, which is 20 unless it was set.",
    /// Soft deadline of each run, in milliseconds.
    timeout_ms "timeoutMs": Option<u64> = duration by(agent):
        "Milliseconds until a run of it must wrap up. `run.signal` fires `graceMs` later. Default: the manager's `timeoutMs`.",
    /// The maximum silence of a run, in milliseconds.
    idle_timeout_ms "idleTimeoutMs": Option<u64> = duration by(agent):
        "Milliseconds that a run of it may be silent. Default: the manager's `idleTimeoutMs`.",
    /// Tokens reserved for one turn.
    turn_estimate "turnEstimate": Option<u64> = count by(agent):
        "Tokens reserved for one of its turns. Default: the manager's `turnEstimate`.",
    /// Its priority; higher goes first.
    priority "priority": Option<i64> = integer by(agent):
        "Which of the queued start first: the higher number. Each level counts as `ageingMs` of waiting. @default 0",
    /// The key of the rate limit that it shares (X1).
    rate_limit_key "rateLimitKey": Option<Text> = name by(agent):
        "Sub-agents with the same key wait together after `run.reportRateLimit`. Those without a key share one limit.",
    /// Tools that it never gets, even if its spawn names them.
    disallowed_tools "disallowedTools": Option<Vec<Text>>,
    /// The channel from which the work came (N5).
    origin_channel "originChannel": Option<Text>,
    /// The chat from which the work came.
    origin_chat_id "originChatId": Option<Text>,
    /// Its result is shown as a JSON report (R4).
    json "json": bool,
    /// What happens to it when its parent's run ends well (C3).
    on_parent_end "onParentEnd": Option<OnParentEnd> = onParentEnd by(agent):
        "What becomes of a background sub-agent when its parent's run ends well. Default: the manager's \
        `onParentEnd`.\n\n`adopt`: it continues. `wait`: the run ends after it, without slot or deadline. `cancel`: it is \
        cancelled.",
    /// Metadata that the program gave it, as JSON; never read here (A6).
    metadata "metadata": Option<Text> = metadata:
        "Fields of your program, such as a request's id: a plain object of JSON values. Default: null.\n\nAt most 16,384 \
        characters of JSON and 32 levels deep, else `invalid_argument`. It comes back in snapshots, in the event of the \
        spawn and in notices. The manager never reads it, no model sees it, and for an `idempotencyKey` it doesn't count.",
    /// How its runs are retried (X5).
    retry "retry": Option<Box<Retry>> = retry by(agent):
        "How a run that ended badly is tried again; `false` turns it off. Default: the manager's `retry`.\n\nEvery attempt \
        has the same message and its own `timeoutMs`. Waits continue until the last attempt ends.",
    /// US dollars reserved for one turn.
    turn_estimate_usd "turnEstimateUsd": Option<Nanos> = dollars by(agent):
        "US dollars reserved for one of its turns. Default: the manager's `turnEstimateUsd`, else its dearest turn so far.",
    /// The prices of its models (B11).
    prices "prices": Option<Vec<ModelPrice>> = prices by(agent):
        "What its models cost, by their ids: see the manager's `prices`, which hold for all models that these don't name.",
    /// The id that the caller gave it (A9).
    task_id "taskId": Option<Text> = name:
        "Your own id: 1 to 128 printable characters without spaces, not beginning with `sub_`. Default: the manager \
        makes one.\n\nIt is shown, and works, wherever an id that the manager makes would. Refused with `id_taken` while a \
        retained sub-agent has it; once that one is forgotten, the id is free again.",
    /// The program carries out its runs (X6).
    driven "driven": bool,
    /// How hard its model thinks (D11).
    effort "effort": Option<Text> = name by(agent):
        "How hard its model thinks: `low`, `medium`, `high`, or a word of your host's. The host reads `run.effort`.",
    /// Commands that its agent must have run, as JSON (R10).
    must_have "mustHave": Option<Text> = mustHave by(agent):
        "Commands that the agent must have run after its last change of a file. Default: none.\n\nThe `receipts` of its \
        result say what it ran. A run that completed without one is `failed`, `invalid_result`, with the reason in its \
        error; `retry` may try it again, and `run.previousError` says why. An agent that doesn't say exit codes can't \
        fulfil it.",
    /// The maximum number of sub-agents spawned below it (D10).
    max_spawns "maxSpawns": Option<u64> = count by(agent):
        "How many sub-agents may be spawned below it in its life, at all depths (`spawns_limit`). Default: only the manager's `maxSpawns`.",
}

impl Spec {
    /// The expected need of each turn, if its spawn gives one.
    #[must_use]
    pub fn turn_needs(&self) -> Estimate {
        Estimate { tokens: self.turn_estimate, nanos: self.turn_estimate_usd.map(|Nanos(nanos)| nanos) }
    }
}
