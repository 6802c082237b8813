//! Owns what is made of the objects that users read: their types in TypeScript.

use std::fmt::Write;

use subagents::notice_view::{NoticeView, OriginView, SpentView};
use subagents::told::ToldObject;
use subagents::view::{
    AttemptView, BudgetView, ConcurrencyView, DimensionView, DrainView, GateView, HeldView, LeftView, LingeringView, ListView,
    PolicingView, RemainingView, RunLimitsView, StatsView, TaskView, UsageView,
};
use subagents::{Missing, Page, WaitingFor};

use crate::words::{camel, comment, heading, told};

/// A file, with the objects that it declares.
struct File {
    path: &'static str,
    objects: &'static [ToldObject],
}

/// Where the types of snapshots are declared, for those that hold some of them.
const TASK: &str = "ts/snapshots/generated/task.ts";

const FILES: [File; 8] = [
    File {
        path: TASK,
        objects: &[UsageView::TOLD, HeldView::TOLD, LingeringView::TOLD, DimensionView::TOLD, BudgetView::TOLD, TaskView::TOLD],
    },
    File { path: "ts/snapshots/generated/notice.ts", objects: &[OriginView::TOLD, SpentView::TOLD, NoticeView::TOLD] },
    File { path: "ts/snapshots/generated/totals.ts", objects: &[ConcurrencyView::TOLD, DrainView::TOLD, StatsView::TOLD] },
    File { path: "ts/reading/generated/policing.ts", objects: &[PolicingView::TOLD] },
    File { path: "ts/reading/generated/run.ts", objects: &[RunLimitsView::TOLD, LeftView::TOLD, RemainingView::TOLD, AttemptView::TOLD] },
    File { path: "ts/reading/generated/page.ts", objects: &[Page::TOLD, ListView::TOLD] },
    File { path: "ts/options/generated/gate.ts", objects: &[GateView::TOLD] },
    File { path: "ts/boundary/generated/missing.ts", objects: &[Missing::TOLD] },
];

/// Types that are declared elsewhere, in the order of their imports.
const NAMES: [&str; 5] = ["OnParentEnd", "ParkReason", "StopReason", "TaskStatus", "WaitingFor"];

/// How TypeScript calls a type of Rust.
fn type_of(kind: &str) -> String {
    if let Some(inner) = kind.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{} | null", type_of(inner));
    }
    if let Some(inner) = kind.strip_prefix("Vec<").and_then(|rest| rest.strip_suffix('>')) {
        return format!("{}[]", type_of(inner));
    }
    let mut objects = FILES.iter().flat_map(|file| file.objects);
    match kind {
        "String" | "Text" | "&'static str" => "string",
        "bool" => "boolean",
        "u32" | "Number" => "number",
        "Status" => "TaskStatus",
        "Parked" => "ParkReason",
        other => objects.find(|object| object.kind == other).map_or(other, |object| object.name),
    }
    .to_owned()
}

/// Whether a text of types names this one.
fn names(types: &str, name: &str) -> bool {
    types.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == name)
}

/// What a file with these types imports.
fn imports(file: &File, types: &str) -> String {
    let list = |names_of: &mut dyn Iterator<Item = &'static str>| names_of.filter(|name| names(types, name)).collect::<Vec<_>>().join(", ");
    let beside = FILES[0].objects.iter().map(|object| object.name).filter(|_| file.path != TASK);
    [
        (list(&mut ["Metadata"].into_iter()), "../../base/metadata.js"),
        (list(&mut NAMES.into_iter()), "../../generated/names.js"),
        (
            list(&mut beside.into_iter()),
            if file.path.starts_with("ts/snapshots/") { "./task.js" } else { "../../snapshots/generated/task.js" },
        ),
        (list(&mut ["Raw"].into_iter()), "../../snapshots/raw.js"),
    ]
    .into_iter()
    .filter(|(names, _)| !names.is_empty())
    .map(|(names, from)| format!("import type {{ {names} }} from '{from}';\n"))
    .collect()
}

/// The types that the bare class of `pkg/` has, which imports none.
pub fn bare() -> String {
    let words: Vec<_> = WaitingFor::ALL.iter().map(|value| format!("'{}'", value.name())).collect();
    let (declared, _) = declarations(&[GateView::TOLD, ConcurrencyView::TOLD, DrainView::TOLD]);
    declared.trim_start().replace("WaitingFor", &words.join(" | "))
}

/// Declares these objects, and lists the types of their fields.
fn declarations(objects: &[ToldObject]) -> (String, String) {
    let (mut types, mut declared) = (String::new(), String::new());
    for object in objects {
        let _ = writeln!(declared, "\n{}export interface {} {{", heading(&told(object.doc)), object.name);
        for field in object.fields {
            let kind = field.told.map_or_else(|| type_of(field.kind), str::to_owned);
            let (mark, kind) = if field.optional { ("?", kind.replace("null", "undefined")) } else { ("", kind) };
            let _ = writeln!(declared, "{}  {}{mark}: {kind};", comment(&told(field.doc)), camel(field.name));
            let _ = writeln!(types, "{kind}");
        }
        declared.push_str("}\n");
    }
    (declared, types)
}

/// The files of the types, with what is in them.
pub fn views() -> Vec<(&'static str, String)> {
    let made = |file: &File| {
        let (declared, types) = declarations(file.objects);
        (file.path, (imports(file, &types) + &declared).trim_start().to_owned())
    };
    FILES.iter().map(made).collect()
}
