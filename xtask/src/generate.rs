//! Owns the files that are made from the crate's own tables: limits, names, errors, facts. The tables stay in
//! the crate; here they only become TypeScript.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use subagents::{
    Answer, Delivery, Dimension, Fact, MANUAL_POOL_TOKENS, MANUAL_TASK_TOKENS, MANUAL_TURNS, MessagePlace, OnParentEnd, Parked, Point,
    Retry, Row, Shape, Spec, Status, StopReason, TABLE, UNLIMITED, Unit, WAIT_MS, WaitingFor,
};

use crate::errors;
use crate::options;
use crate::outputs::{self, OutputFile};
use crate::records::{self, Record};
use crate::reference;
use crate::views;

const HEADER: &str = "// Made by `cargo xtask generate` from the tables in src/; do not edit.\n\n";

/// Every generated file with its content.
pub fn files() -> Result<Vec<OutputFile>> {
    let mut files = vec![
        file("ts/generated/limits.ts", &limits()),
        file("ts/generated/names.ts", &names()),
        file("ts/generated/errors.ts", &errors::types()),
        file("ts/options/generated/passed.ts", &options::passed()),
        file("ts/views/generated/task.ts", &views::views()),
        file("ts/generated/facts.ts", &facts()),
        file("ts/generated/fact-readers.ts", &readers()),
        file("tests/generated/fact-kinds.ts", &kinds()),
        file("ts/generated/params.ts", &params()?),
        file("ts/generated/quoting.ts", &quoting()),
    ];
    files.extend(reference::pages());
    Ok(files)
}

fn file(path: &str, content: &str) -> OutputFile {
    OutputFile { path: Path::new(path).to_path_buf(), content: format!("{HEADER}{content}").into_bytes() }
}

/// Writes the generated files; with `check` it changes nothing and fails where
/// one is not as the tables make it.
pub fn generate(root: &Path, files: &[OutputFile], check: bool) -> Result<()> {
    if check {
        let differing = outputs::differing(root, files)?;
        if !differing.is_empty() {
            let names: Vec<_> = differing.iter().map(|file| file.path.display().to_string()).collect();
            bail!("not as the tables make them: {}\nrun `cargo xtask generate`", names.join(", "));
        }
    } else {
        for file in outputs::write(root, files)? {
            println!("wrote {}", file.path.display());
        }
    }
    Ok(())
}

pub fn number(value: u64) -> String {
    if value == UNLIMITED {
        return "Infinity".to_owned();
    }
    let digits = value.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join("_")
}

/// The default of a limit, as users write it.
pub fn default_of(row: &Row) -> String {
    if row.unit == Unit::Dollars { Dimension::Cost.written(row.default) } else { number(row.default) }
}

/// The least value of a limit, in words.
fn least_of(unit: Unit) -> String {
    if unit == Unit::Dollars { "above 0".to_owned() } else { format!("at least {}", unit.least()) }
}

fn limits() -> String {
    let mut types = String::from("/** Limits. Each has a default; `Infinity` lifts it. */\nexport interface Limits {\n");
    let mut defaults = String::from("/** The default of every limit. */\nexport const DEFAULT_LIMITS = {\n");
    for row in TABLE {
        let unit = match row.unit {
            Unit::Count | Unit::CountOrNone => "A count",
            Unit::Milliseconds | Unit::MillisecondsOrNone => "Milliseconds",
            Unit::Bytes => "Bytes of UTF-8",
            Unit::Dollars => "US dollars",
        };
        let least = least_of(row.unit);
        let (doc, default) = (row.doc.trim(), default_of(row));
        let _ = writeln!(types, "  /** {doc} {unit}, {least}. @default {default} */\n  {}?: number;", row.name);
        let _ = writeln!(defaults, "  {}: {default},", row.name);
    }
    format!(
        "{types}}}\n\n{defaults}}} as const satisfies Required<Limits>;\n\n/** The pool of the manual style where the manager has no cap on tokens. */\n\
         export const DEFAULT_POOL_TOKENS = {};\n/** What a manual task gets of it that names no number of its own. */\n\
         export const DEFAULT_TASK_TOKENS = {};\n/** How many turns a manual task may take where neither it nor `maxTurns` says so. */\n\
         export const DEFAULT_TASK_TURNS = {};\n/** How long a wait for several lasts where the user gives no time, in milliseconds. */\n\
         export const DEFAULT_WAIT_MS = {};\n",
        number(MANUAL_POOL_TOKENS),
        number(MANUAL_TASK_TOKENS),
        number(MANUAL_TURNS),
        number(WAIT_MS)
    )
}

fn list(name: &str, type_name: &str, doc: &str, names: &[&str]) -> String {
    let values: Vec<String> = names.iter().map(|name| format!("  '{name}',")).collect();
    format!(
        "/** {doc}, by number. */\nexport const {name} = [\n{}\n] as const;\n/** {doc}. */\nexport type {type_name} = (typeof {name})[number];\n\n",
        values.join("\n")
    )
}

fn names() -> String {
    let statuses: Vec<_> = Status::ALL.iter().map(|value| value.name()).collect();
    let reasons: Vec<_> = StopReason::ALL.iter().map(|value| value.name()).collect();
    let retried: Vec<_> = Retry::MAY_BE_ON.iter().map(|value| value.name()).collect();
    let points: Vec<_> = Point::ALL.iter().map(|value| value.name()).collect();
    let answers: Vec<_> = Answer::ALL.iter().map(|value| value.name()).collect();
    let deliveries: Vec<_> = Delivery::ALL.iter().map(|value| value.name()).collect();
    let places: Vec<_> = MessagePlace::ALL.iter().map(|value| value.name()).collect();
    let parked: Vec<_> = Parked::ALL.iter().map(|value| value.name()).collect();
    let waiting: Vec<_> = WaitingFor::ALL.iter().map(|value| value.name()).collect();
    let on_parent_end: Vec<_> = OnParentEnd::ALL.iter().map(|value| value.name()).collect();
    [
        list("TASK_STATUSES", "TaskStatus", "Where a sub-agent stands", &statuses),
        list("STOP_REASONS", "StopReason", "Why a run ended", &reasons),
        list("RETRY_REASONS", "RetryReason", "Ends that may be tried again", &retried),
        list("DELIVERIES", "Delivery", "How far the delivery of a notice is", &deliveries),
        list("MESSAGE_PLACES", "MessagePlace", "Where a message waits", &places),
        list("PARK_REASONS", "ParkReason", "Why a running sub-agent holds no slot", &parked),
        list("WAITING_FOR", "WaitingFor", "What work waits for that has not begun; the first that applies", &waiting),
        list("POLICY_POINTS", "PolicyPoint", "Where a policy is asked", &points),
        list("POLICY_ANSWERS", "PolicyAnswerName", "What a policy answers, unless it lets things go on", &answers),
        list("ON_PARENT_END", "OnParentEnd", "What becomes of a background sub-agent when its parent's run ends well", &on_parent_end),
        list("SPEC_FIELDS", "SpecField", "What the event of a spawn tells of what was given beside the text", Spec::STAGED),
    ]
    .concat()
    .trim_end()
    .to_owned()
        + "\n"
}

/// The schema of the tool's parameters, and all that a model is told of the tool by which a sub-agent asks.
fn params() -> Result<String> {
    let schema = serde_json::to_string_pretty(&subagents::tool::describe(&subagents::State::new()).parameters)?;
    let ask = serde_json::to_string_pretty(&subagents::tool::describe_ask())?;
    Ok(format!(
        "/** The parameters of the `SubAgent` tool, as JSON Schema. */\nexport const SUB_AGENT_PARAMETERS = {schema} as const;\n\n\
         /** The tool by which a sub-agent's model asks, and what it reads where there is no answer. */\n\
         export const ASK_TOOL = {ask} as const;\n"
    ))
}

/// The characters that a quoted string may not have, and how long one may be.
fn quoting() -> String {
    use subagents::quote::{BREAKS, ERROR_CHARS, LABEL_CHARS, MARKS, NAME_CHARS, TASK_CHARS, UNSEEN};
    let ranges = |ranges: &[(u32, u32)]| -> String {
        ranges.iter().map(|(first, last)| format!("  [0x{first:x}, 0x{last:x}],\n")).collect::<String>()
    };
    let marks: String = MARKS.iter().map(|(mark, instead)| format!("  [{:?}, {:?}],\n", mark.to_string(), instead.to_string())).collect();
    format!(
        "/** Ranges of code points that become a space: spaces, line breaks, control characters. */\n\
         export const BREAKS: readonly (readonly [number, number])[] = [\n{}];\n\n\
         /** Ranges of code points that aren't visible, and that are left out. */\n\
         export const UNSEEN: readonly (readonly [number, number])[] = [\n{}];\n\n\
         /** Characters that could end a quotation, each with what stands for it. */\n\
         export const MARKS: readonly (readonly [string, string])[] = [\n{marks}];\n\n\
         /** How many code points are told of a label. */\nexport const LABEL_CHARS = {LABEL_CHARS};\n\
         /** How many of a task's text. */\nexport const TASK_CHARS = {TASK_CHARS};\n\
         /** How many of an error. */\nexport const ERROR_CHARS = {ERROR_CHARS};\n\
         /** How many of any other name. */\nexport const NAME_CHARS = {NAME_CHARS};\n",
        ranges(BREAKS),
        ranges(UNSEEN),
    )
}

pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |sum, word| {
        let mut letters = word.chars();
        sum + &letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    })
}

pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// How a field is called in an event: tasks go by their id, money by dollars.
pub fn event_field(name: &str) -> String {
    match name {
        "task" => "taskId".to_owned(),
        "parent" => "parentId".to_owned(),
        other => camel(other),
    }
}

/// Metadata is kept as JSON; users get the values.
pub fn spec_kind<'a>(name: &str, kind: &'a str) -> &'a str {
    if name == "metadata" { "metadata?" } else { kind }
}

pub fn event_type(kind: &str) -> String {
    if let Some(inner) = kind.strip_suffix('?') {
        return format!("{} | null", event_type(inner));
    }
    if let Some(inner) = kind.strip_suffix("[]") {
        let entry = event_type(inner);
        return if entry.contains('|') { format!("({entry})[]") } else { format!("{entry}[]") };
    }
    match kind {
        "number" | "signed" | "dollars" => "number",
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

/// How a field of this kind is read from what is stored.
fn reading(kind: &str) -> String {
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

/// An object with these fields, read in stored order.
fn read_object(fields: &[(String, &str)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(name, kind)| format!("{name}: {}", reading(kind))).collect();
    format!("({{ {} }})", fields.join(", "))
}

/// The events' types.
fn facts() -> String {
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
        for (name, kind, doc) in &shape.fields {
            let doc = reference::field_doc(name, doc);
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

/// Whether a fact is about a task, or a session: such an event says by what its sub-agent is known.
pub fn is_about_task(shape: &Shape) -> bool {
    shape.fields.iter().any(|(name, ..)| *name == "task")
}

/// By what its sub-agent is known, beside its id. Of a new one the fact itself says it.
fn about(shape: &Shape) -> &'static str {
    if shape.name == "TaskAdmitted" {
        return "taskId: from.newTask(), label: null, metadata: null, sessionKey: null";
    }
    "taskId: of.taskId, label: of.label, parentId: of.parentId, metadata: of.metadata, sessionKey: of.sessionKey"
}

/// How a field of a fact itself is read: texts that JavaScript may have already go by the task and the run that come first.
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
    for (name, kind) in &record.shape {
        let _ = writeln!(made, "  {}: {};", event_field(name), event_type(spec_kind(name, kind)));
    }
    made + "}\n\n"
}

/// The code that reads such a record. What a spawn gave is read outside of facts, too.
fn record_reader(record: &Record) -> String {
    let export = if record.name() == "EventSpec" { "export " } else { "" };
    let fields: Vec<_> = record.shape.iter().map(|(name, kind)| (event_field(name), spec_kind(name, kind))).collect();
    format!("{export}const {} = (from: FactFields): {} => {};\n\n", record.reader(), record.name(), read_object(&fields))
}

/// The number by which a fact is stored.
fn number_of(fact: &str) -> u8 {
    Fact::shapes().iter().find(|shape| shape.name == fact).map_or(u8::MAX, |shape| shape.number)
}

/// The code that reads facts as events: an object literal for each, so that all events of a type are of one shape.
fn readers() -> String {
    let mut readers = String::new();
    let all = records::records();
    for shape in Fact::shapes() {
        let read = |name: &str, kind: &str| format!("{}: {}", event_field(name), reading_of(&shape, name, kind));
        let fields: String = shape.fields.iter().map(|(name, kind, _)| format!(", {}", read(name, kind))).collect();
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
fn kinds() -> String {
    let mut kinds = String::from(
        "/** The kinds of the fields of each type of event, in stored order. */\n\
         export const FACT_KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n",
    );
    for shape in Fact::shapes() {
        let fields: Vec<_> = shape.fields.iter().map(|(name, kind, _)| format!("{}: '{}'", event_field(name), kind)).collect();
        let _ = writeln!(kinds, "  {}: {{ {} }},", snake(shape.name), fields.join(", "));
    }
    kinds.push_str("};\n");
    kinds
}
