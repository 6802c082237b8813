//! The options of a spawn that are no field of its record, a row each; `spec.rs` has the others. Owns the form of both tables: an
//! option's kind, who may set it, its text for models.

use serde::Serialize;

/// An option of a spawn, for the types and the reading of other languages.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Clone, Copy, Debug)]
pub struct SpawnOption {
    /// Its staged name, if it is a field of the record.
    pub staged: Option<&'static str>,
    /// Its name.
    pub name: &'static str,
    /// Its kind: the name of a reader in `ts/options/spawn-options.ts`.
    pub kind: &'static str,
    /// Whether an agent's definition may set it.
    pub is_defined: bool,
    /// Whether the model that calls the tool may set it.
    pub is_asked: bool,
    /// Its text for users.
    pub doc: &'static str,
}

/// A parameter of a tool, as JSON Schema.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the keywords are those of JSON Schema")]
pub struct Property {
    pub r#type: &'static str,
    pub description: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_minimum: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
}

/// The items of a list parameter.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the keyword is that of JSON Schema")]
pub struct Items {
    pub r#type: &'static str,
}

impl Property {
    /// A parameter of a type, without bounds.
    #[must_use]
    pub const fn new(r#type: &'static str, description: &'static str) -> Self {
        Self { r#type, description, min_length: None, minimum: None, exclusive_minimum: None, items: None }
    }

    /// A text that may not be empty.
    #[must_use]
    pub const fn not_empty(description: &'static str) -> Self {
        Self { min_length: Some(1), ..Self::new("string", description) }
    }
}

/// The parameter for an option of a kind, with the text for the model. No model may set a kind without an arm.
macro_rules! property {
    (instructions $words:literal) => { property!(name $words) };
    (name $words:literal) => { $crate::model::options::Property::not_empty($words) };
    (text $words:literal) => { $crate::model::options::Property::new("string", $words) };
    (label $words:literal) => { property!(text $words) };
    (flag $words:literal) => { $crate::model::options::Property::new("boolean", $words) };
    (integer $words:literal) => { $crate::model::options::Property::new("integer", $words) };
    (count $words:literal) => { $crate::model::options::Property { minimum: Some(1), ..property!(integer $words) } };
    (above_zero $words:literal) => {
        $crate::model::options::Property { exclusive_minimum: Some(0), ..$crate::model::options::Property::new("number", $words) }
    };
    (dollars $words:literal) => { property!(above_zero $words) };
    (duration $words:literal) => { property!(above_zero $words) };
    (texts $words:literal) => {
        $crate::model::options::Property {
            items: Some($crate::model::options::Items { r#type: "string" }),
            ..$crate::model::options::Property::new("array", $words)
        }
    };
}
pub(crate) use property;

/// Whether it gets any tokens.
#[cfg(not(target_arch = "wasm32"))]
macro_rules! is_there {
    () => {
        false
    };
    ($($there:tt)+) => {
        true
    };
}
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use is_there;

/// Declares the options. A row is a name, a kind, and the text for users. It has `by(agent)` if an agent's definition may set the
/// option, and a text for models if they may set it.
macro_rules! options {
    ($($name:ident: $kind:ident $(by($by:ident))? $(model $words:literal)? = $text:literal,)+) => {
        /// The options that are no field of the record.
        #[cfg(not(target_arch = "wasm32"))]
        pub const OTHER_OPTIONS: &[SpawnOption] = &[$(SpawnOption {
            staged: None,
            name: stringify!($name),
            kind: stringify!($kind),
            is_defined: is_there!($($by)?),
            is_asked: is_there!($($words)?),
            doc: $text,
        },)+];

        /// The options among them that a model may set, each with its parameter.
        pub(crate) const OTHER_PARAMETERS: &[(&str, Property)] = &[$($((stringify!($name), property!($kind $words)),)?)+];
    };
}

options! {
    instructions: instructions model "The whole task: goal, material, and what to return. The sub-agent knows nothing else."
        = "The whole task. What a program spawns without a text is there and idle until it gets a message.",
    maxCost: dollars by(agent) model "What it may cost, in US dollars."
        = "What it may cost in its life, in US dollars; the same as `budget.costUsd`. Default: only the caps above it.",
    background: flag by(agent) model "Start it and continue; its result comes later."
        = "Runs it in the background: the call returns at once, and the end comes as a notice. @default false",
    budget: budget by(agent)
        = "What it may spend in its life; it gets no more than is left above it. Default: the manager's `taskBudget`.",
    idempotencyKey: once
        = "Makes the spawn once: the same key gives the first sub-agent, for `idempotencyTtlMs`. 1 to 1,024 bytes.\n\nIt \
        counts for this session or sub-agent. Other options with it are `idempotency_conflict`, also one that is given as \
        its default and was left out before. `label`, `signal` and `metadata` do not count: those of the first spawn stay.",
    retryEnded: retryEnded
        = "A further attempt if the sub-agent of this `idempotencyKey` has ended badly. Default: no further attempt.\n\nThe \
        attempt has the same message and the same `run.idempotencyKey`. `true`: after every bad end but `cancelled`, \
        `ancestor_cancelled` and `interrupted`; or a list of the stop reasons after which. A sub-agent that completed is \
        returned as it is. A budget larger than the first one raises its cap; the budget is then none of the options that \
        have to be the same.",
    drive: drive
        = "Who carries out its runs: `'program'`, by the handle that `spawn` gives. Default: the host function.\n\nNo host \
        function is called then; see `DrivenHandle`. Its runs have only the deadlines that this spawn gives.",
    format: format
        = "How its result's `text` is made: for a model to read, or as the JSON report. @default 'text'",
    signal: signal
        = "Cancels the sub-agent when it fires.\n\nThe signal is followed until the first run has ended; without a text, until \
        the sub-agent is closed or forgotten.",
    origin: origin
        = "The channel and chat that asked for the work, for its notices. Default: the parent's, else `cli` and `direct`.",
    schema: schema by(agent)
        = "Checks the `value` of its results: a Standard Schema (zod, valibot, arktype …), or a JSON Schema.\n\nOf JSON \
        Schema, `JSON_SCHEMA_KEYWORDS` of `subagents/policies` lists the keywords; others are refused. The host gets it as `run.schema`. A run that \
        completed with a value that is missing, wrong, no JSON or over `maxResultBytes` is `failed`, `invalid_result`. If a \
        schema transforms a value, `result.value` is the transformed one; snapshots and notices have what JSON makes of it.",
}
