//! Owns what is made of the commands and replies: their types in TypeScript, the code that writes the one, and the code that
//! reads the other.

use std::fmt::Write;

use subagents::{Bounds, FieldShape, Input, RecordShape, Reply, Ruling};

use crate::events;
use crate::words::{camel, comment, heading, snake, told};

/// The records within them, by their forms.
fn fields_of(kind: &str) -> Option<Vec<FieldShape>> {
    match kind {
        "Bounds" => Some(Bounds::shape()),
        "Ruling" => Some(Ruling::shape()),
        _ => None,
    }
}

/// The list of the names that a field of this kind may have, and the type of one.
const NAMES: [(&str, &str, &str); 6] = [
    ("Answer", "POLICY_ANSWERS", "PolicyAnswerName"),
    ("Mode", "MESSAGE_MODES", "MessageMode"),
    ("Point", "POLICY_POINTS", "PolicyPoint"),
    ("Receipt", "MESSAGE_RECEIPTS", "Receipt"),
    ("Status", "TASK_STATUSES", "TaskStatus"),
    ("StopReason", "STOP_REASONS", "StopReason"),
];

fn named(kind: &str) -> Option<(&'static str, &'static str)> {
    NAMES.into_iter().find(|(name, ..)| *name == kind).map(|(_, list, name)| (list, name))
}

/// How TypeScript calls what a field of this kind holds.
fn type_of(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("{} | undefined", type_of(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("readonly {}[]", type_of(inner));
    }
    if let Some(fields) = fields_of(kind) {
        let fields: Vec<_> = fields.iter().map(|field| format!("{}: {}", camel(field.name), type_of(&field.kind))).collect();
        return format!("{{ {} }}", fields.join("; "));
    }
    match kind {
        "task" => "Key".to_owned(),
        "amounts" => "Amounts".to_owned(),
        other => named(other).map_or_else(|| events::event_type(other), |(_, name)| name.to_owned()),
    }
}

/// How a value of this kind is written.
fn writing(kind: &str, value: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("if (to.optional({value})) {}", writing(inner, value));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("to.list({value}, (entry) => {{ {} }});", writing(inner, "entry"));
    }
    if let Some(fields) = fields_of(kind) {
        return fields
            .iter()
            .map(|field| writing(&field.kind, &format!("{value}.{}", camel(field.name))) + " ")
            .collect::<String>()
            .trim_end()
            .to_owned();
    }
    match named(kind) {
        Some((list, _)) => format!("to.name({list}, {value});"),
        None => format!("to.{kind}({value});"),
    }
}

/// How what has this kind is read.
fn reading(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("from.flag() ? {} : undefined", reading(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("from.list(() => {})", reading(inner));
    }
    match (kind, named(kind)) {
        ("task", _) => "from.key()".to_owned(),
        (_, Some((list, _))) => format!("from.name({list})"),
        (other, None) => events::reading(other),
    }
}

/// Declares a union of rows.
fn union(name: &str, what: &str, rows: &[RecordShape]) -> String {
    let mut declared = String::new();
    for row in rows {
        let _ = writeln!(declared, "{}export interface {}{name} {{\n  type: '{}';", heading(&told(row.doc)), row.name, snake(row.name));
        for field in &row.fields {
            let mark = if field.kind.ends_with('?') { "?" } else { "" };
            let _ = writeln!(declared, "{}  {}{mark}: {};", comment(&told(field.doc)), camel(field.name), type_of(&field.kind));
        }
        declared.push_str("}\n\n");
    }
    let members: Vec<_> = rows.iter().map(|row| format!("{}{name}", row.name)).collect();
    let _ = writeln!(declared, "/** {what} */\nexport type {name} = {};\n", members.join(" | "));
    declared
}

/// The commands, the replies, and the code for their bytes.
pub fn commands() -> String {
    let (inputs, replies) = (Input::shapes(), Reply::shapes());
    let mut made = union("Command", "What a manager is asked to do. The receiver knows who speaks.", &inputs);
    made += &union("Reply", "What it answers, if it isn't refused.", &replies);
    made.push_str(
        "/** Writes a command. */\nexport function writeCommand(to: CommandBytes, command: Command): void {\n  switch (command.type) {\n",
    );
    for row in &inputs {
        let _ = writeln!(made, "    case '{}':\n      to.byte({});", snake(row.name), row.number);
        for field in &row.fields {
            let _ = writeln!(made, "      {}", writing(&field.kind, &format!("command.{}", camel(field.name))));
        }
        made.push_str("      return;\n");
    }
    made.push_str("  }\n}\n\n/** Reads a reply. */\nexport function readReply(from: ViewBytes): Reply {\n  switch (from.byte()) {\n");
    for row in &replies {
        let fields: String = row.fields.iter().map(|field| format!(", {}: {}", camel(field.name), reading(&field.kind))).collect();
        let _ = writeln!(made, "    case {}:\n      return {{ type: '{}'{fields} }};", row.number, snake(row.name));
    }
    made.push_str("    default:\n      throw new Error('a reply of an unknown kind');\n  }\n}\n");
    let lists: Vec<_> = NAMES.iter().filter(|(_, list, _)| made.contains(list)).map(|(_, list, _)| (*list).to_owned()).collect();
    let types: Vec<_> = NAMES.iter().map(|(.., name)| format!("type {name}")).collect();
    format!(
        "import {{ {} }} from '../../generated/names.js';\nimport type {{ Amounts, CommandBytes }} from '../command-bytes.js';\nimport type {{ Key }} from '../key.js';\nimport type {{ ViewBytes }} from '../view-bytes.js';\n\n{made}",
        [lists, types].concat().join(", ")
    )
}
