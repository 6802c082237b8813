//! Generates the TypeScript of commands, replies and effects: their types, the writer of commands, and the readers of
//! the others.

use std::fmt::Write;

use subagents::{Bounds, Effect, FieldShape, Input, RecordShape, Reply, Ruling, WaitedFor};

use crate::events;
use crate::words::{camel, comment, heading, snake, without_rules};

/// The records within commands and replies, each with its description.
const RECORDS: [(&str, &str); 3] = [
    ("Bounds", "What bounds the main agent's turn."),
    ("Ruling", "A policy's answer."),
    ("WaitedFor", "What a wait says of one of its targets."),
];

fn fields_of(kind: &str) -> Option<Vec<FieldShape>> {
    match kind {
        "Bounds" => Some(Bounds::shape()),
        "Ruling" => Some(Ruling::shape()),
        "WaitedFor" => Some(WaitedFor::shape()),
        _ => None,
    }
}

/// Declares the fields of an interface.
fn declared(fields: &[FieldShape]) -> String {
    let mut declared = String::new();
    for field in fields {
        let mark = if field.kind.ends_with('?') { "?" } else { "" };
        let _ = writeln!(declared, "{}  {}{mark}: {};", comment(&without_rules(field.doc)), camel(field.name), type_of(&field.kind));
    }
    declared
}

/// For each kind of field, the list of its names, and the type of a name.
const NAMES: [(&str, &str, &str); 7] = [
    ("Answer", "POLICY_ANSWERS", "PolicyAnswerName"),
    ("Mode", "MESSAGE_MODES", "MessageMode"),
    ("Point", "POLICY_POINTS", "PolicyPoint"),
    ("Receipt", "MESSAGE_RECEIPTS", "Receipt"),
    ("Status", "TASK_STATUSES", "TaskStatus"),
    ("StopReason", "STOP_REASONS", "StopReason"),
    ("TargetState", "TARGET_STATES", "TargetState"),
];

fn named(kind: &str) -> Option<(&'static str, &'static str)> {
    NAMES.into_iter().find(|(name, ..)| *name == kind).map(|(_, list, name)| (list, name))
}

/// The TypeScript type of a field of this kind.
fn type_of(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("{} | undefined", type_of(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("readonly {}[]", type_of(inner));
    }
    if RECORDS.iter().any(|(name, _)| *name == kind) {
        return kind.to_owned();
    }
    match kind {
        "task" => "Key".to_owned(),
        "amounts" => "Amounts".to_owned(),
        other => named(other).map_or_else(|| events::event_type(other), |(_, name)| name.to_owned()),
    }
}

/// The code that writes a value of this kind.
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

/// The code that reads a value of this kind.
fn reading(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("from.flag() ? {} : undefined", reading(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("from.list(() => {})", reading(inner));
    }
    if let Some(fields) = fields_of(kind) {
        let fields: Vec<_> = fields.iter().map(|field| format!("{}: {}", camel(field.name), reading(&field.kind))).collect();
        return format!("({{ {} }})", fields.join(", "));
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
        let _ = writeln!(
            declared,
            "{}export interface {}{name} {{\n  type: '{}';",
            heading(&without_rules(row.doc)),
            row.name,
            snake(row.name)
        );
        declared = declared + &self::declared(&row.fields) + "}\n\n";
    }
    let members: Vec<_> = rows.iter().map(|row| format!("{}{name}", row.name)).collect();
    let _ = writeln!(declared, "/** {what} */\nexport type {name} = {};\n", members.join(" | "));
    declared
}

/// The code that reads a row of one of these lists.
fn reader(name: &str, what: &str, rows: &[RecordShape]) -> String {
    let mut made = format!("/** Reads {what}. */\nexport function read{name}(from: ViewBytes): {name} {{\n  switch (from.byte()) {{\n");
    for row in rows {
        let fields: String = row.fields.iter().map(|field| format!(", {}: {}", camel(field.name), reading(&field.kind))).collect();
        let _ = writeln!(made, "    case {}:\n      return {{ type: '{}'{fields} }};", row.number, snake(row.name));
    }
    let _ = write!(made, "    default:\n      throw new Error('{what} of an unknown kind');\n  }}\n}}\n");
    made
}

/// A file with its imports.
fn with_imports(made: &str, imports: &[(&str, &str)]) -> String {
    let lists = NAMES.iter().filter(|(_, list, _)| made.contains(list)).map(|(_, list, _)| (*list).to_owned());
    let types = NAMES.iter().filter(|(.., name)| made.contains(&format!(": {name}"))).map(|(.., name)| format!("type {name}"));
    let names: Vec<_> = lists.chain(types).collect();
    let imports: String = imports.iter().map(|(types, file)| format!("import type {{ {types} }} from '{file}.js';\n")).collect();
    format!("import {{ {} }} from '../../generated/names.js';\n{imports}\n{made}", names.join(", "))
}

/// The commands, the replies, and the code for their bytes.
pub fn commands() -> String {
    let (inputs, replies) = (Input::shapes(), Reply::shapes());
    let mut made = String::new();
    for (name, what) in RECORDS {
        let fields = declared(&fields_of(name).unwrap_or_default());
        let _ = writeln!(made, "/** {what} */\nexport interface {name} {{\n{fields}}}\n");
    }
    made += &union("Command", "What a manager is asked to do. The receiver knows who speaks.", &inputs);
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
    made.push_str("  }\n}\n\n");
    made += &reader("Reply", "a reply", &replies);
    with_imports(&made, &[("Amounts, CommandBytes", "../command-bytes"), ("Key", "../key"), ("ViewBytes", "../view-bytes")])
}

/// The effects, and the code that reads them.
pub fn effects() -> String {
    let rows = Effect::shapes();
    let made = union("Effect", "What the host has to do or to know.", &rows) + &reader("Effect", "an effect", &rows);
    with_imports(&made, &[("Key", "../key"), ("ViewBytes", "../view-bytes"), ("WaitedFor", "./commands")])
}
