//! Owns what is made of the objects that users read: their types in TypeScript.

use std::fmt::Write;

use subagents::told::ToldObject;
use subagents::view::{BudgetView, DimensionView, HeldView, LingeringView, TaskView, UsageView};

use crate::words::{camel, comment, told};

const OBJECTS: [ToldObject; 6] =
    [UsageView::TOLD, HeldView::TOLD, LingeringView::TOLD, DimensionView::TOLD, BudgetView::TOLD, TaskView::TOLD];

/// How TypeScript calls a type of Rust.
fn type_of(kind: &str) -> String {
    if let Some(inner) = kind.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{} | null", type_of(inner));
    }
    if let Some(inner) = kind.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{}[]", type_of(inner));
    }
    match kind {
        "String" | "Text" | "&'static str" => "string",
        "bool" => "boolean",
        "u32" | "Number" => "number",
        "Status" => "TaskStatus",
        "Parked" => "ParkReason",
        other => return OBJECTS.iter().find(|object| object.kind == other).map_or(other, |object| object.name).to_owned(),
    }
    .to_owned()
}

/// The types.
pub fn views() -> String {
    let mut made = String::from(
        "import type { Metadata } from '../../base/metadata.js';\n\
         import type { OnParentEnd, ParkReason, StopReason, TaskStatus, WaitingFor } from '../../generated/names.js';\n",
    );
    for object in OBJECTS {
        let _ = writeln!(made, "\n/** {} */\nexport interface {} {{", told(object.doc), object.name);
        for field in object.fields {
            let kind = field.told.map_or_else(|| type_of(field.kind), str::to_owned);
            let _ = writeln!(made, "{}  {}: {kind};", comment(&told(field.doc)), camel(field.name));
        }
        made.push_str("}\n");
    }
    made
}
