//! Generates the types of events in TypeScript, their readers, and their kinds.

use std::fmt::Write;

use subagents::{Fact, FieldShape, Shape};

use crate::records::{self, Record};
use crate::words::{camel, snake, without_rules};

/// The name of a field in an event: tasks are given by their id, money in dollars.
pub fn event_field(name: &str) -> String {
    match name {
        "task" => "taskId".to_owned(),
        "parent" => "parentId".to_owned(),
        other => camel(other),
    }
}

/// The kind of a record's field. Metadata is stored as JSON; users get the values.
pub fn record_kind(field: &FieldShape) -> &str {
    if field.name == "metadata" { "metadata?" } else { &field.kind }
}

/// The TypeScript type of a field of this kind.
pub fn event_type(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        let inner = event_type(inner);
        // If a fact names a session instead of a task, there is no id: such a type is nullable already.
        return if inner.ends_with("| null") { inner } else { format!("{inner} | null") };
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        let entry = event_type(inner);
        return if entry.contains('|') { format!("({entry})[]") } else { format!("{entry}[]") };
    }
    match kind {
        "number" | "signed" | "dollars" => "number",
        "instant" => "number | null",
        "boolean" => "boolean",
        "text" => "string",
        "task" => "string | null",
        "amounts" => "EventAmounts",
        "metadata" => "Metadata",
        "dimensions" => "('tokens' | 'costUsd' | 'turns')[]",
        "Status" => "TaskStatus",
        "StopReason" => "StopReason",
        "Parked" => "ParkReason",
        "Point" => "PolicyPoint",
        "Answer" => "PolicyAnswerName",
        other => return records::of(other).map_or_else(|| other.to_owned(), |record| record.name()),
    }
    .to_owned()
}

/// The code that reads a stored field of this kind.
pub fn reading(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("from.flag() ? {} : null", reading(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        return format!("from.list(() => {})", reading(inner));
    }
    match kind {
        "boolean" => "from.flag()".to_owned(),
        "metadata" => "from.json<Metadata>()".to_owned(),
        "Status" => "from.name(TASK_STATUSES)".to_owned(),
        "StopReason" => "from.name(STOP_REASONS)".to_owned(),
        "OnParentEnd" => "from.name(ON_PARENT_END)".to_owned(),
        "Parked" => "from.name(PARK_REASONS)".to_owned(),
        "Delivery" => "from.name(DELIVERIES)".to_owned(),
        "MessagePlace" => "from.name(MESSAGE_PLACES)".to_owned(),
        "WaitingFor" => "from.name(WAITING_FOR)".to_owned(),
        "Point" => "from.name(POLICY_POINTS)".to_owned(),
        "Answer" => "from.name(POLICY_ANSWERS)".to_owned(),
        other => records::of(other).map_or_else(|| format!("from.{other}()"), |record| format!("{}(from)", record.reader())),
    }
}

/// The value of a field when an earlier form without it is read: as in Rust, the default of its type.
fn default_of(kind: &str) -> &'static str {
    match kind {
        absent if absent.ends_with('?') => "null",
        list if list.ends_with("[]") => "[]",
        "boolean" => "false",
        "text" => "''",
        _ => "0",
    }
}

/// The code that reads a field, whether or not a later form added it.
fn reading_since(since: Option<u64>, kind: &str, reading: &str) -> String {
    since.map_or_else(|| reading.to_owned(), |form| format!("from.hasSince({form}) ? {reading} : {}", default_of(kind)))
}

/// The events' types.
pub fn facts() -> String {
    let mut types = String::new();
    let mut union = String::new();
    for shape in Fact::shapes() {
        let _ = writeln!(
            types,
            "/**{} */\nexport interface {}Event extends {} {{\n  type: '{}';",
            shape.doc,
            shape.name,
            if is_about_task(&shape) { "TaskEventBase" } else { "EventBase" },
            snake(shape.name)
        );
        for FieldShape { name, kind, doc, .. } in &shape.fields {
            let doc = without_rules(doc);
            let _ = writeln!(types, "  /** {doc} */\n  {}: {};", event_field(name), event_type(kind));
        }
        types.push_str("}\n\n");
        let _ = write!(union, "\n  | {}Event", shape.name);
    }
    let records: String = records::records().iter().map(record_type).collect();
    format!(
        "import type {{ Metadata }} from '../base/metadata.js';\nimport type {{ Delivery, MessagePlace, OnParentEnd, ParkReason, PolicyAnswerName, PolicyPoint, StopReason, TaskStatus, WaitingFor }} from './names.js';\n\n/** What every event has. */\nexport interface EventBase {{\n  \
         /** Counts up by one, from 1. */\n  seq: number;\n  /** When it happened, in epoch milliseconds. */\n  at: number;\n}}\n\n\
         /** What every event has that is about a sub-agent, or about a session or the manager itself. The first three are null where it is about no sub-agent, all four where that was forgotten before the event could be handed on. */\nexport interface TaskEventBase extends EventBase {{\n  \
         /** The sub-agent's label. */\n  label: string | null;\n  /** Its parent's id; null where the program started it. */\n  parentId: string | null;\n  \
         /** Its metadata. */\n  metadata: Metadata | null;\n  /** The key of the session that it belongs to, or that the event is about; null for the manager's own. */\n  sessionKey: string | null;\n}}\n\n\
         /** An amount of each thing that a budget bounds. */\nexport interface EventAmounts {{\n  tokens: number;\n  costUsd: number;\n  turns: number;\n}}\n\n\
         {records}{types}/** Something that happened in a manager. */\nexport type SubAgentEvent ={union};\n"
    )
}

/// Whether a fact is about a task, or a session: such an event identifies its sub-agent.
fn is_about_task(shape: &Shape) -> bool {
    shape.fields.iter().any(|field| field.name == "task")
}

/// The fields that identify an event's sub-agent. For a new one, the fact itself has its identity.
fn about(shape: &Shape) -> &'static str {
    if shape.name == "TaskAdmitted" {
        return "taskId: from.newTask(), label: null, metadata: null, sessionKey: null";
    }
    "taskId: of.taskId, label: of.label, parentId: of.parentId, metadata: of.metadata, sessionKey: of.sessionKey"
}

/// The code that reads a field of a fact itself. A text that JavaScript may have is found by the task and run before it.
fn reading_of(shape: &Shape, name: &str, kind: &str) -> String {
    match (shape.name, name) {
        (_, "run") => "from.run()".to_owned(),
        ("TaskAdmitted", "text") => "from.taskText()".to_owned(),
        ("RunEnded", "output") => "from.output()".to_owned(),
        _ => reading(kind),
    }
}

/// The type of a record within events.
fn record_type(record: &Record) -> String {
    let mut made = format!("/** {} */\nexport interface {} {{\n", record.doc, record.name());
    for field in &record.fields {
        let _ = writeln!(made, "  {}: {};", event_field(field.name), event_type(record_kind(field)));
    }
    made + "}\n\n"
}

/// The code that reads such a record. A spawn's options are read outside of facts, too.
fn record_reader(record: &Record) -> String {
    let export = if record.name() == "EventSpec" { "export " } else { "" };
    let read = |field: &FieldShape| {
        let kind = record_kind(field);
        format!("{}: {}", event_field(field.name), reading_since(field.since, kind, &reading(kind)))
    };
    let fields: Vec<_> = record.fields.iter().map(read).collect();
    format!("{export}const {} = (from: FactFields): {} => ({{ {} }});\n\n", record.reader(), record.name(), fields.join(", "))
}

/// The number under which a fact is stored.
fn number_of(fact: &str) -> u8 {
    Fact::shapes().iter().find(|shape| shape.name == fact).map_or(u8::MAX, |shape| shape.number)
}

/// The code that reads facts as events: an object literal for each, so that all events of a type are of one shape.
pub fn readers() -> String {
    let mut readers = String::new();
    let all = records::records();
    for shape in Fact::shapes() {
        let read = |field: &FieldShape| reading_since(field.since, &field.kind, &reading_of(&shape, field.name, &field.kind));
        let fields: String = shape.fields.iter().map(|field| format!(", {}: {}", event_field(field.name), read(field))).collect();
        let made = format!("{{ type: '{}', seq, at{fields} }}", snake(shape.name));
        let made = match (is_about_task(&shape), shape.name) {
            (false, _) => format!("({made})"),
            (true, "TaskAdmitted") => format!("({})", made.replacen("taskId: from.task()", about(&shape), 1)),
            (true, _) => format!("{{ const of = from.subject(); return {}; }}", made.replacen("taskId: from.task()", about(&shape), 1)),
        };
        let _ = writeln!(readers, "  {}: (from, seq, at) => {made},", shape.number);
    }
    format!(
        "import type {{ FactFields }} from '../base/fact-fields.js';\n\
         import type {{ Metadata }} from '../base/metadata.js';\n\
         import type {{ {}, SubAgentEvent }} from './facts.js';\n\
         import {{ DELIVERIES, MESSAGE_PLACES, ON_PARENT_END, PARK_REASONS, POLICY_ANSWERS, POLICY_POINTS, STOP_REASONS, TASK_STATUSES, WAITING_FOR }} from './names.js';\n\n\
         /** The number of a fact. */\n\
         export const SEEDED = {};\n\
         /** The number of a fact. */\n\
         export const TASK_ADMITTED = {};\n\n\
         {}\
         /** Reads a fact, by its number: its fields lie in this order. */\n\
         export const FACT_READERS: Readonly<Record<number, (from: FactFields, seq: number, at: number) => SubAgentEvent>> = {{\n{readers}}};\n",
        all.iter().map(Record::name).collect::<Vec<_>>().join(", "),
        number_of("Seeded"),
        number_of("TaskAdmitted"),
        all.iter().map(record_reader).collect::<String>(),
    )
}

/// The kinds of the events' fields, for the checks of transcripts.
pub fn kinds() -> String {
    let mut kinds = String::from(
        "/** The kinds of the fields of each type of event, in stored order. */\n\
         export const FACT_KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n",
    );
    for shape in Fact::shapes() {
        let fields: Vec<_> = shape.fields.iter().map(|field| format!("{}: '{}'", event_field(field.name), field.kind)).collect();
        let _ = writeln!(kinds, "  {}: {{ {} }},", snake(shape.name), fields.join(", "));
    }
    kinds.push_str("};\n");
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_came_later_is_read_where_it_is_there() {
        let field = |name, kind: &str| FieldShape { name, kind: kind.to_owned(), since: Some(9), doc: "What it holds." };
        let mut record = records::of("NewNotice").expect("there is such a record");
        record.fields.extend([field("metadata", "text?"), field("new_names", "text[]"), field("is_new", "boolean"), field("word", "text")]);
        let reader = record_reader(&record);
        for read in [
            "metadata: from.hasSince(9) ? from.flag() ? from.json<Metadata>() : null : null",
            "newNames: from.hasSince(9) ? from.list(() => from.text()) : []",
            "isNew: from.hasSince(9) ? from.flag() : false",
            "word: from.hasSince(9) ? from.text() : ''",
        ] {
            assert!(reader.contains(read), "{reader}");
        }
    }
}
