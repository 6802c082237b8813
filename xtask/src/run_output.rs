//! Generates the output of a run: the fields of a host function's result, the passing of its texts into the core, its fields in
//! views.

use std::fmt::Write;

use subagents::{DetailsView, Field, FieldShape, ResultDetails, RunOutput, ViewRecord};

use crate::events::event_type;
use crate::words::{camel, comment, without_rules};

fn fields() -> Vec<FieldShape> {
    RunOutput::fields("", None, "")
}

/// The names in nearly every usage. Each figure has more names, in `ts/reading/usage.ts`.
const USAGE: [&str; 7] = ["costUsd", "cost", "tokens", "inputTokens", "outputTokens", "turns", "durationMs"];

/// The readers of a host function's result. A text of the host's own has no `host_` there; the number is in the usage. Each line
/// names one field, so that the engine knows the field's place.
pub fn host() -> String {
    let texts = fields().into_iter().filter(|field| field.kind.starts_with("text"));
    let result = ["usage".to_owned()].into_iter().chain(texts.map(|field| camel(field.name.trim_start_matches("host_"))));
    let (result, usage) = (result.collect::<Vec<_>>(), USAGE.map(str::to_owned));
    let on_prototype: Vec<_> = result.iter().chain(&usage).map(|name| format!("'{name}' in plain")).collect();
    let mut made = String::from(
        "import type { HostResult, HostUsage } from '../../options/host-result.js';\n\
         import { type FieldErrors, isAmount, isThere, keepOwn, readApart, SILENT, UNREAD } from '../fields.js';\n\n",
    );
    for (of, names, counted) in [("Result", &result[..], "isThere"), ("Usage", &usage[..], "isAmount")] {
        let list = |each: &dyn Fn(&String) -> String, between| names.iter().map(each).collect::<Vec<_>>().join(between);
        let _ = write!(
            made,
            "/** The fields that are read of any `Host{of}`, as they came. */\n\
             export type {of}Fields = Record<(typeof {constant}_NAMES)[number], unknown>;\n\n\
             export const {constant}_NAMES = [{}] as const satisfies readonly (keyof Host{of})[];\n\n\
             /** Reads them. */\nexport function fieldsOf{of}(given: object, errors: FieldErrors = SILENT): {of}Fields {{\n  \
             const from = given as {of}Fields;\n  const to: {of}Fields = {{ {} }};\n  try {{\n{}    \
             // Asked here, where the engine knows the object's shape, it costs next to nothing.\n    \
             if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;\n  \
             }} catch (error) {{\n    readApart(from, to, error, errors);\n  }}\n  keepOwn(from, to, errors);\n  return to;\n}}\n\n\
             /** How many of them it has. */\nexport function knownIn{of}({{ {} }}: {of}Fields): number {{\n  return {};\n}}\n\n",
            list(&|name| format!("'{name}'"), ", "),
            list(&|name| format!("{name}: UNREAD"), ", "),
            list(&|name| format!("    to.{name} = from.{name};\n"), ""),
            names.join(", "),
            list(&|name| format!("{counted}({name})"), " + "),
            constant = of.to_uppercase(),
        );
    }
    let _ = write!(
        made,
        "const PLAIN = {{}};\n\n/** Whether other code has left one of the names on `Object.prototype`. */\n\
         function isOnPrototype(plain: object): boolean {{\n  return {};\n}}\n",
        on_prototype.join(" || ")
    );
    made
}

/// Whether the field is a text besides the output.
fn is_beside(field: &FieldShape) -> bool {
    field.kind == "text?"
}

/// A text about a field that is undefined where views have null.
fn or_undefined(doc: &str) -> String {
    without_rules(doc).replace("null if", "undefined if")
}

/// The details of a result as values: from a host function, and for users. For users, an absent list is empty.
pub fn details() -> String {
    let (mut returned, mut declared) = (String::new(), String::new());
    for field in DetailsView::shape().fields {
        let name = camel(field.name);
        let kind = match field.type_name {
            None => "string | undefined".to_owned(),
            Some("unknown") => "Value | undefined".to_owned(),
            Some(list) => format!("readonly {list}"),
        };
        if field.type_name.is_some() {
            let _ = writeln!(returned, "  {name}: ResultDetails['{name}'] | undefined;");
        }
        let _ = writeln!(declared, "{}  readonly {name}: {kind};", comment(&or_undefined(field.doc)));
    }
    format!(
        "import type {{ Receipt }} from '../base/receipt.js';\n\n\
         /** What a run left besides its output. */\nexport interface ResultDetails<Value = unknown> {{\n{declared}}}\n\n\
         /** Those that are no texts, as a host function returned them. */\nexport interface ReturnedValues {{\n{returned}}}\n"
    )
}

/// The texts, as the boundary writes them for the core.
pub fn texts() -> String {
    let fields = fields();
    let (mut names, mut declared) = (Vec::new(), String::new());
    for field in fields.iter().filter(|field| is_beside(field)) {
        let name = camel(field.name) + if ResultDetails::JSON.contains(&field.name) { "Json" } else { "" };
        let _ = writeln!(declared, "{}  {name}: string | undefined;", comment(&or_undefined(field.doc)));
        names.push(name);
    }
    let listed = names.join(", ");
    let none = names.iter().map(|name| format!("{name} === undefined")).collect::<Vec<_>>().join(" && ");
    format!(
        "/** What came with the output of a run, as texts; undefined where there is none. */\nexport interface BesideTexts {{\n{declared}}}\n\n\
         /** These texts in the order in which the core reads them; undefined where there is none at all, as nearly always. */\n\
         export function besideOutput({{ {listed} }}: Partial<BesideTexts>): readonly (string | undefined)[] | undefined {{\n  \
         if ({none}) return undefined;\n  return [{listed}];\n}}\n"
    )
}

/// The fields of a view, which has each under its name in events.
pub fn view() -> String {
    let [mut declared, mut record, mut taken, mut same, mut released] = [const { String::new() }; 5];
    for field in fields() {
        let (name, kind) = (camel(field.name), event_type(&field.kind));
        let default = if field.kind.ends_with('?') { "null" } else { "''" };
        let doc = if field.doc.is_empty() { "What the run produced.".to_owned() } else { without_rules(field.doc) };
        let _ = writeln!(declared, "{}  readonly {name}: {kind};", comment(&doc));
        let _ = writeln!(record, "  declare {name}: {kind};");
        let _ = writeln!(taken, "    this.{name} = left.{name} ?? {default};");
        if is_beside(&field) && !ResultDetails::JSON.contains(&field.name) {
            let _ = write!(same, ", '{name}'");
        } else if is_beside(&field) {
            let _ = write!(released, ", {name}: null");
        }
    }
    format!(
        "/** What the last run of a node has left behind. */\nexport interface LeftView {{\n{declared}}}\n\n\
         /** Those that a snapshot has as they are. */\nexport const LEFT_SAME = ['output'{same}] as const;\n\n\
         /** What is there of it once the result is released. */\nexport const RELEASED = {{ output: ''{released} }};\n\n\
         /** The same, to be written. Each field is named: a spread takes longer. */\nexport class Left {{\n{record}\n  \
         constructor(left: Partial<LeftView>) {{\n    this.leave(left);\n  }}\n\n  \
         /** Takes over what a run has left. */\n  leave(left: Partial<LeftView>): void {{\n{taken}  }}\n}}\n"
    )
}
