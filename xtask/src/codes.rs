//! Generates the TypeScript constants, and the reader of `EndRow`.

use std::fmt::Write;

use subagents::{EndRow, codes};

use crate::words::{camel, comment, heading, snake, without_rules};

/// A constant for each number, by subject.
pub fn constants() -> String {
    let mut made = String::new();
    for subject in codes::all() {
        let _ = write!(made, "// {}\n\n", without_rules(subject.doc));
        for code in subject.codes {
            let name = match code.list {
                Some(list) => format!("{}_{}", snake(list), snake(code.name)).to_uppercase(),
                None => code.name.to_owned(),
            };
            let _ = write!(made, "{}export const {name} = {};\n\n", heading(&without_rules(code.doc)), code.number);
        }
    }
    made.trim_end().to_owned() + "\n"
}

/// The end of a run, and the reader of its row. Amounts may exceed 32 bits; the other numbers are read in the cheapest form.
pub fn end() -> String {
    let [mut used, mut declared, mut read] = [const { String::new() }; 3];
    let mut field = |name: &str, doc: &str, kind: &str, value: String| {
        let _ = writeln!(declared, "{}  readonly {}: {kind};", comment(&without_rules(doc)), camel(name));
        let _ = writeln!(read, "    {}: {value},", camel(name));
    };
    for code in EndRow::codes().codes {
        let constant = format!("END_ROW_{}", code.name.to_uppercase());
        let number = format!("word(row, at + {constant})");
        let _ = writeln!(used, "  {constant},");
        match code.name {
            "flags" => {}
            "status" => field(code.name, code.doc, "TaskStatus", format!("TASK_STATUSES[{number}] ?? 'failed'")),
            "reason" => field(code.name, code.doc, "StopReason", format!("STOP_REASONS[{number}] ?? 'host_failed'")),
            "kinds_at" => {
                let value = format!("row[at + {constant}] === 0 ? undefined : tokensAt(row, {number} / 8)");
                field("kinds", code.doc, "EventKinds | undefined", value);
            }
            "tokens" | "nanos" | "turns" | "duration_ms" => field(code.name, code.doc, "number", format!("amount(row, at + {constant})")),
            name => match (name.strip_suffix("_at"), name.strip_suffix("_length")) {
                (Some(text), _) => {
                    let length = format!("at + END_ROW_{}_LENGTH", text.to_uppercase());
                    let value = format!("row[{length}] === 0 ? '' : scratch.read({number}, word(row, {length}))");
                    field(text, code.doc, "string", value);
                }
                (_, Some(_)) => {}
                _ => field(name, code.doc, "number", number),
            },
        }
    }
    for code in codes::all().iter().flat_map(|subject| &subject.codes).filter(|code| code.list.is_none()) {
        let Some(name) = code.name.strip_prefix("END_") else { continue };
        let _ = writeln!(used, "  {},", code.name);
        match name.to_lowercase().strip_suffix("_at") {
            Some(bits) => field(bits, code.doc, "number", format!("flags >>> {}", code.name)),
            None => field(&name.to_lowercase(), code.doc, "boolean", format!("(flags & {}) !== 0", code.name)),
        }
    }
    format!(
        "import {{\n{used}}} from '../../generated/codes.js';\n\
         import type {{ EventKinds }} from '../../generated/facts.js';\n\
         import {{ STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus }} from '../../generated/names.js';\n\
         import {{ tokensAt }} from '../../generated/tokens.js';\nimport type {{ Scratch }} from '../scratch.js';\n\n\
         /** How a run ended, as far as the core knows it. */\nexport interface EndRow {{\n{declared}}}\n\n\
         /** Reads the row at an address, all of it at once: it is gone once the core is called again. */\n\
         export function readEnd(scratch: Scratch, address: number): EndRow {{\n  const row = scratch.numbersView();\n  \
         const at = address / 8;\n  const flags = word(row, at + END_ROW_FLAGS);\n  return {{\n{read}  }};\n}}\n\n\
         function word(row: Float64Array, at: number): number {{\n  return (row[at] as number) >>> 0;\n}}\n\n\
         /** An amount in the form that takes no memory of its own in JavaScript, where it fits into that. */\n\
         function amount(row: Float64Array, at: number): number {{\n  const number = row[at] as number;\n  \
         const small = number | 0;\n  return small === number ? small : number;\n}}\n"
    )
}
