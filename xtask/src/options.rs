//! Generates the options of a spawn in TypeScript: their types and texts, and the table by which they are read.

use std::collections::BTreeSet;
use std::fmt::Write;

use subagents::view::DEFAULT_PROFILE;
use subagents::{OTHER_OPTIONS, SpawnOption, Spec};

use crate::words::comment;

/// The TypeScript type of an option of this kind.
fn type_of(kind: &str) -> &'static str {
    match kind {
        "texts" => "readonly string[]",
        "count" | "dollars" | "duration" | "integer" => "number",
        "flag" => "boolean",
        "reference" => "string | null",
        "onParentEnd" => "OnParentEnd",
        "metadata" => "Fields",
        "mustHave" => "readonly MustHave[]",
        "prices" => "Prices",
        "retry" => "RetryOptions | false",
        "retryEnded" => "true | readonly EndedBadly[]",
        "budget" => "Budget",
        "drive" => "'program'",
        "format" => "'text' | 'json'",
        "origin" => "Partial<Sometimes<Origin>>",
        "schema" => "ResultSchema",
        "signal" => "AbortSignal",
        _ => "string",
    }
}

/// The TypeScript type of the staged value of a field of this kind.
fn staged_type(kind: &str) -> &'static str {
    match kind.trim_end_matches('?') {
        "text[]" => "string[]",
        "number" | "signed" | "dollars" => "number",
        "boolean" => "boolean",
        "Retry" => "StagedRetry",
        "ModelPrice[]" => "StagedPrice[]",
        _ => "string",
    }
}

fn field(option: &SpawnOption) -> String {
    format!("{}  {}?: {} | undefined;\n", comment(option.doc), option.name, type_of(option.kind))
}

/// A parameter as the host gets it: it is absent if a model left it out.
fn parameter(option: &SpawnOption) -> String {
    let optional = if option.kind == "instructions" { "" } else { "?" };
    format!("{}  {}{optional}: {};\n", comment(option.doc), option.name, type_of(option.kind).trim_start_matches("readonly "))
}

/// The types, and the table.
pub fn spawn() -> String {
    let (text, others) = OTHER_OPTIONS.split_at(1);
    let (mut asked, mut spawned, mut defined, mut table) = (String::new(), String::new(), String::new(), String::new());
    for option in [text, Spec::OPTIONS, others].into_iter().flatten() {
        let &SpawnOption { staged, name, kind, is_defined, is_asked, .. } = option;
        spawned.push_str(&field(option));
        if is_asked {
            asked.push_str(&parameter(option));
        }
        if is_defined {
            defined.push_str(&field(option));
        }
        let staged = staged.map_or_else(String::new, |staged| format!(", staged: '{staged}'"));
        let defined = if is_defined { ", isDefined: true" } else { "" };
        let _ = writeln!(table, "  {{ name: '{name}', kind: '{kind}'{staged}{defined} }},");
    }
    let kinds: BTreeSet<_> = Spec::OPTIONS.iter().chain(OTHER_OPTIONS).map(|option| format!("'{}'", option.kind)).collect();
    let staged: String = Spec::STAGED
        .iter()
        .zip(Spec::shape())
        .map(|(name, field)| format!("  {name}?: {} | undefined;\n", staged_type(&field.kind)))
        .collect();
    format!(
        "import type {{ Metadata }} from '../../base/metadata.js';\n\
         import type {{ OnParentEnd }} from '../../generated/names.js';\n\
         import type {{ Origin }} from '../../snapshots/notices.js';\n\
         import type {{ MustHave }} from '../must-have.js';\n\
         import type {{ Prices, StagedPrice }} from '../prices.js';\n\
         import type {{ EndedBadly, RetryOptions, StagedRetry }} from '../retry.js';\n\
         import type {{ ResultSchema }} from '../schema/schema.js';\n\
         import type {{ Budget, Sometimes }} from '../values.js';\n\n\
         /** The parameters of the `SubAgent` tool, as a model gives them and as `spawnSubAgent` gets them. */\n\
         export interface SubAgentParamsType {{\n{asked}}}\n\n\
         /** What to spawn. */\n\
         export interface SpawnOptions<Fields = Metadata> {{\n{spawned}}}\n\n\
         /** Those that the definition of an agent may give. */\n\
         export interface DefinedOptions {{\n{defined}}}\n\n\
         /** What the core keeps of the options, as it is handed over; metadata as JSON. */\n\
         export interface StagedSpec {{\n{staged}}}\n\n\
         /** An option of a spawn. */\n\
         export interface SpawnOption {{\n  readonly name: string;\n  \
         readonly kind: {};\n  /** The field of the record that it is, if it is one. */\n  readonly staged?: keyof StagedSpec;\n  \
         /** Whether the definition of an agent may give it. */\n  readonly isDefined?: true;\n}}\n\n\
         /** The profile of every sub-agent that names no other. */\nexport const DEFAULT_PROFILE = '{DEFAULT_PROFILE}';\n\n\
         /** Every one of them. */\n\
         export const SPAWN_OPTIONS: readonly SpawnOption[] = [\n{table}];\n",
        kinds.into_iter().collect::<Vec<_>>().join(" | ")
    )
}
