//! Owns what is made of what a run leaves behind: its texts on their way into the core, and its fields in a view.

use std::fmt::Write;

use subagents::{Field, FieldShape, ResultDetails, RunOutput};

use crate::events::event_type;
use crate::words::{camel, comment, told};

fn fields() -> Vec<FieldShape> {
    RunOutput::fields("", None, "")
}

/// Whether the field is a text beside the output.
fn is_beside(field: &FieldShape) -> bool {
    field.kind == "text?"
}

/// The texts, as the boundary writes them for the core.
pub fn texts() -> String {
    let fields = fields();
    let (mut names, mut declared) = (Vec::new(), String::new());
    for field in fields.iter().filter(|field| is_beside(field)) {
        let name = camel(field.name) + if ResultDetails::JSON.contains(&field.name) { "Json" } else { "" };
        let _ = writeln!(declared, "{}  {name}: string | undefined;", comment(&told(field.doc)));
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
    let [mut declared, mut record, mut taken, mut same] = [const { String::new() }; 4];
    for field in fields() {
        let (name, kind) = (camel(field.name), event_type(&field.kind));
        let default = if field.kind.ends_with('?') { "null" } else { "''" };
        let doc = if field.doc.is_empty() { "What it produced.".to_owned() } else { told(field.doc) };
        let doc = format!("Of its last run: {}{}", doc[..1].to_lowercase(), &doc[1..]);
        let _ = writeln!(declared, "{}  readonly {name}: {kind};", comment(&doc));
        let _ = writeln!(record, "  declare {name}: {kind};");
        let _ = writeln!(taken, "    this.{name} = left.{name} ?? {default};");
        if is_beside(&field) && !ResultDetails::JSON.contains(&field.name) {
            let _ = write!(same, ", '{name}'");
        }
    }
    format!(
        "/** What the last run of a node has left behind. */\nexport interface LeftView {{\n{declared}}}\n\n\
         /** Those that a snapshot has as they are. */\nexport const LEFT_SAME = ['output'{same}] as const;\n\n\
         /** The same, to be written. Each field is named: a spread takes longer. */\nexport class Left {{\n{record}\n  \
         constructor(left: Partial<LeftView>) {{\n    this.leave(left);\n  }}\n\n  \
         /** Takes over what a run has left. */\n  leave(left: Partial<LeftView>): void {{\n{taken}  }}\n}}\n"
    )
}
