//! Owns what is made of the options that a spawn passes on: their types and texts in TypeScript, and the table by which
//! they are read.

use std::collections::BTreeSet;
use std::fmt::Write;

use subagents::{PassedOption, Spec};

use crate::words::comment;

/// How TypeScript calls what an option of this kind takes.
fn type_of(kind: &str) -> &'static str {
    match kind {
        "texts" => "readonly string[]",
        "count" | "dollars" | "duration" | "integer" => "number",
        "reference" => "string | null",
        "onParentEnd" => "OnParentEnd",
        "metadata" => "Fields",
        "retry" => "RetryOptions | false",
        _ => "string",
    }
}

/// How TypeScript calls what is staged for a field of this kind.
fn staged_type(kind: &str) -> &'static str {
    match kind.trim_end_matches('?') {
        "text[]" => "string[]",
        "number" | "signed" | "dollars" => "number",
        "boolean" => "boolean",
        "Retry" => "StagedRetry",
        _ => "string",
    }
}

fn field(made: &mut String, option: &PassedOption) {
    let _ = writeln!(made, "{}  {}?: {} | undefined;", comment(option.doc), option.name, type_of(option.kind));
}

/// The types, and the table.
pub fn passed() -> String {
    let (mut passed, mut defined, mut table) = (String::new(), String::new(), String::new());
    for option in Spec::OPTIONS {
        if !option.by.contains(&"model") {
            field(&mut passed, option);
        }
        if let Some(alias) = option.alias {
            let _ = writeln!(passed, "  /** The same as `{}`. */\n  {alias}?: {} | undefined;", option.name, type_of(option.kind));
        }
        if option.by.contains(&"agent") {
            field(&mut defined, option);
        }
        let _ = writeln!(
            table,
            "  {{ name: '{}', alias: {}, staged: '{}', kind: '{}', isDefined: {} }},",
            option.name,
            option.alias.map_or("undefined".to_owned(), |alias| format!("'{alias}'")),
            option.staged,
            option.kind,
            option.by.contains(&"agent")
        );
    }
    let kinds: BTreeSet<_> = Spec::OPTIONS.iter().map(|option| format!("'{}'", option.kind)).collect();
    let staged: String = Spec::STAGED
        .iter()
        .zip(Spec::shape())
        .map(|(name, field)| format!("  {name}?: {} | undefined;\n", staged_type(&field.kind)))
        .collect();
    format!(
        "import type {{ Metadata }} from '../../base/metadata.js';\n\
         import type {{ OnParentEnd }} from '../../generated/names.js';\n\
         import type {{ RetryOptions, StagedRetry }} from '../retry.js';\n\n\
         /** Options of a spawn that are passed on; those that a model may give as well are in `SubAgentParamsType`. */\n\
         export interface PassedOptions<Fields = Metadata> {{\n{passed}}}\n\n\
         /** Those that the definition of an agent may give. */\n\
         export interface DefinedOptions {{\n{defined}}}\n\n\
         /** What the core keeps of the options, as it is handed over; metadata as JSON. */\n\
         export interface StagedSpec {{\n{staged}}}\n\n\
         /** An option that is passed on. */\n\
         export interface PassedOption {{\n  readonly name: string;\n  /** Another name for the same. */\n  \
         readonly alias: string | undefined;\n  readonly staged: keyof StagedSpec;\n  readonly kind: {};\n  \
         /** Whether the definition of an agent may give it. */\n  readonly isDefined: boolean;\n}}\n\n\
         /** Every one of them. */\n\
         export const PASSED: readonly PassedOption[] = [\n{table}];\n",
        kinds.into_iter().collect::<Vec<_>>().join(" | ")
    )
}
