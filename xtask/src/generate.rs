//! Lists the generated files, and makes the files of limits and names. The tables stay in the crate.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use subagents::notice_view::CHANNEL;
use subagents::{
    Answer, BEAT_MS, Delivery, Dimension, FORM, MessagePlace, Mode, OLDEST_FORM, OnParentEnd, Parked, Point, Receipt, Spec, Status,
    StopReason, TABLE, TargetState, UNLIMITED, UNREAD_NOTICE_MS, Unit, WAIT_MS, WaitingFor,
};

use crate::codes;
use crate::commands;
use crate::errors;
use crate::events;
use crate::options;
use crate::outputs::{self, OutputFile};
use crate::reference;
use crate::run_output;
use crate::tokens;
use crate::tools;
use crate::views;
use crate::words::{default_of, number};

const HEADER: &str = "// Made by `cargo xtask generate` from the tables in src/; do not edit.\n\n";

/// Every generated file with its content.
pub fn files() -> Result<Vec<OutputFile>> {
    let mut files = vec![
        file("ts/generated/form.ts", &form()),
        file("ts/generated/codes.ts", &codes::constants()),
        file("ts/generated/limits.ts", &limits()),
        file("ts/generated/names.ts", &names()),
        file("ts/generated/errors.ts", &errors::types()),
        file("ts/options/generated/spawn.ts", &options::spawn()),
        file("ts/boundary/generated/commands.ts", &commands::commands()),
        file("ts/boundary/generated/effects.ts", &commands::effects()),
        file("ts/generated/facts.ts", &events::facts()),
        file("ts/generated/fact-readers.ts", &events::readers()),
        file("ts/boundary/generated/ended.ts", &codes::end()),
        file("ts/boundary/generated/run-output.ts", &run_output::texts()),
        file("ts/reading/generated/host-fields.ts", &run_output::host()),
        file("ts/generated/result-details.ts", &run_output::details()),
        file("ts/generated/tokens.ts", &tokens::tokens()),
        file("ts/adapters/generated/token-kinds.ts", &tokens::names()),
        file("ts/view/generated/left.ts", &run_output::view()),
        file("tests/generated/fact-kinds.ts", &events::kinds()),
        file("ts/generated/params.ts", &params()?),
        file("ts/tools/generated/tools.ts", &tools::rows()),
        file("ts/tools/generated/advice.ts", &errors::advice()),
        file("ts/adapters/generated/tool-names.ts", &tools::for_adapters()),
        file("ts/generated/quoting.ts", &quoting()),
    ];
    files.push(file("src/wasm/generated/totals.d.ts", &views::bare()));
    files.extend(views::views().iter().map(|(path, content)| file(path, content)));
    files.extend(reference::pages());
    Ok(files)
}

fn file(path: &str, content: &str) -> OutputFile {
    OutputFile { path: Path::new(path).to_path_buf(), content: format!("{HEADER}{content}").into_bytes() }
}

/// Writes the generated files. With `check`, changes nothing and fails if a file differs from its tables.
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

fn form() -> String {
    format!(
        "/** The form of what is stored that this package writes; it reads this one and those before it. */\nexport const FORM = {FORM};\n\
         /** The first form that it reads. */\nexport const OLDEST_FORM = {OLDEST_FORM};\n"
    )
}

fn limits() -> String {
    let mut types = String::from("/** Limits. Each has a default; `Infinity` lifts it. */\nexport interface Limits {\n");
    let mut defaults = String::from("/** The default of every limit. */\nexport const DEFAULT_LIMITS = {\n");
    for row in TABLE {
        let unit = match row.unit {
            Unit::Count | Unit::CountOrNone => "At least",
            Unit::Milliseconds | Unit::MillisecondsOrNone => "Milliseconds, at least",
            Unit::Bytes => "Bytes of UTF-8, at least",
            Unit::Dollars => "US dollars, above",
        };
        let least = if row.unit == Unit::Dollars { 0 } else { row.unit.least() };
        let (doc, default) = (row.doc.trim(), default_of(row));
        let _ = writeln!(types, "  /** {doc} {unit} {least}. @default {default} */\n  {}?: number;", row.name);
        // Its type has no value.
        let bound = if row.default == UNLIMITED { "  /** No bound. */\n" } else { "" };
        let _ = writeln!(defaults, "{bound}  {}: {default},", row.name);
    }
    format!(
        "{types}}}\n\n{defaults}}} as const satisfies Required<Limits>;\n\n/** How long a wait for several lasts where the user gives no time, in milliseconds. */\n\
         export const DEFAULT_WAIT_MS = {};\n/** How often a process with an armed deadline checks that it didn't stand still, in milliseconds. */\n\
         export const BEAT_MS = {};\n/** How long an unread notice waits before `onError` gets `unread_notice`, in milliseconds. */\n\
         export const UNREAD_NOTICE_MS = {};\n",
        number(WAIT_MS),
        number(BEAT_MS),
        number(UNREAD_NOTICE_MS)
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
    let among = |has: fn(StopReason) -> bool| StopReason::ALL.iter().filter(move |reason| has(**reason)).map(|value| value.name());
    let retried: Vec<_> = among(StopReason::may_be_retried).collect();
    let continued: Vec<_> = among(StopReason::is_continued).map(|name| format!("'{name}'")).collect();
    let points: Vec<_> = Point::ALL.iter().map(|value| value.name()).collect();
    let answers: Vec<_> = Answer::ALL.iter().map(|value| value.name()).collect();
    let deliveries: Vec<_> = Delivery::ALL.iter().map(|value| value.name()).collect();
    let places: Vec<_> = MessagePlace::ALL.iter().map(|value| value.name()).collect();
    let targets: Vec<_> = TargetState::ALL.iter().map(|value| value.name()).collect();
    let parked: Vec<_> = Parked::ALL.iter().map(|value| value.name()).collect();
    let waiting: Vec<_> = WaitingFor::ALL.iter().map(|value| value.name()).collect();
    let on_parent_end: Vec<_> = OnParentEnd::ALL.iter().map(|value| value.name()).collect();
    [
        list("TASK_STATUSES", "TaskStatus", "What a sub-agent does, or how it ended", &statuses),
        list("STOP_REASONS", "StopReason", "Why a run ended", &reasons),
        list("RETRY_REASONS", "RetryReason", "Ends that may be tried again", &retried),
        format!(
            "/** Ends after which the next run goes on with the work. */\nexport type ContinuedReason = {};\n\n",
            continued.join(" | ")
        ),
        list("DELIVERIES", "Delivery", "How far the delivery of a notice is", &deliveries),
        list(
            "MESSAGE_MODES",
            "MessageMode",
            "When a message is delivered",
            &Mode::ALL.iter().map(|value| value.name()).collect::<Vec<_>>(),
        ),
        list("MESSAGE_RECEIPTS", "Receipt", "What became of a message", &Receipt::ALL.iter().map(|value| value.name()).collect::<Vec<_>>()),
        list("MESSAGE_PLACES", "MessagePlace", "The place in which a message waits", &places),
        list("PARK_REASONS", "ParkReason", "Why a running sub-agent holds no slot", &parked),
        list("WAITING_FOR", "WaitingFor", "What work that has not begun waits for", &waiting),
        list("TARGET_STATES", "TargetState", "Where a target of a wait stands", &targets),
        list("POLICY_POINTS", "PolicyPoint", "The points at which a policy is asked", &points),
        list("POLICY_ANSWERS", "PolicyAnswerName", "What a policy answers, unless it lets the run continue", &answers),
        list("ON_PARENT_END", "OnParentEnd", "What becomes of a background sub-agent when its parent's run ends well", &on_parent_end),
        list("DIMENSIONS", "Dimension", "What budgets bound", &Dimension::ALL.map(Dimension::name)),
        list("SPEC_FIELDS", "SpecField", "What the event of a spawn says of what was given beside the text", Spec::STAGED),
    ]
    .concat()
    .trim_end()
    .to_owned()
        + &format!("\n\n/** The channel of work that comes by none. */\nexport const DEFAULT_CHANNEL = '{CHANNEL}';\n")
}

/// The schema of the tool's parameters, and the description of the tool by which a sub-agent asks.
fn params() -> Result<String> {
    let schema = serde_json::to_string_pretty(&subagents::tool::describe(&subagents::State::new()).parameters)?;
    let ask = serde_json::to_string_pretty(&subagents::tool::describe_ask())?;
    Ok(format!(
        "/** The parameters of the `SubAgent` tool, as JSON Schema. */\nexport const SUB_AGENT_PARAMETERS = {schema} as const;\n\n\
         /** The tool by which a sub-agent's model asks, and what it reads where there is no answer. */\n\
         export const ASK_TOOL = {ask} as const;\n"
    ))
}

/// The characters that a quoted string may not have, and its greatest lengths.
fn quoting() -> String {
    use subagents::quote::{BREAKS, ERROR_CHARS, JOINERS, LABEL_CHARS, MARKS, NAME_CHARS, TASK_CHARS, UNSEEN};
    let ranges = |ranges: &[(u32, u32)]| -> String {
        ranges.iter().map(|(first, last)| format!("  [0x{first:x}, 0x{last:x}],\n")).collect::<String>()
    };
    let marks: String = MARKS.iter().map(|(mark, instead)| format!("  [{:?}, {:?}],\n", mark.to_string(), instead.to_string())).collect();
    format!(
        "/** Ranges of code points that become a space: spaces, line breaks, control characters. */\n\
         export const BREAKS: readonly (readonly [number, number])[] = [\n{}];\n\n\
         /** Ranges of code points that aren't visible, and that are left out. */\n\
         export const UNSEEN: readonly (readonly [number, number])[] = [\n{}];\n\n\
         /** Ranges of code points that join or part letters; one stays between two letters beyond ASCII alone. */\n\
         export const JOINERS: readonly (readonly [number, number])[] = [\n{}];\n\n\
         /** Characters that could end a quotation, each with what stands for it. */\n\
         export const MARKS: readonly (readonly [string, string])[] = [\n{marks}];\n\n\
         /** How many code points of a label are shown. */\nexport const LABEL_CHARS = {LABEL_CHARS};\n\
         /** How many of a task's text. */\nexport const TASK_CHARS = {TASK_CHARS};\n\
         /** How many of an error. */\nexport const ERROR_CHARS = {ERROR_CHARS};\n\
         /** How many of any other name. */\nexport const NAME_CHARS = {NAME_CHARS};\n",
        ranges(BREAKS),
        ranges(UNSEEN),
        ranges(JOINERS),
    )
}
