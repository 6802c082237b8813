//! Generates the views in TypeScript: their types, and their readers from bytes.

use std::fmt::Write;

use subagents::lookup::{LastRun, OwnId, ReleaseView, ReportedRun};
use subagents::notice_view::{NoticeView, OriginView, SpentView};
use subagents::view::{
    AttemptView, BudgetView, ConcurrencyView, CostShareView, CostsView, CountView, DimensionView, DrainView, EstimateView, GateView,
    LeftView, LingeringView, PolicingView, RemainingView, ReservationView, RunLimitsView, StatsView, TaskPage, TaskView, TookView,
    UsageView,
};
use subagents::{DeniedInVain, Missing, Page, RunKey, ViewFieldShape, ViewRecord, ViewShape, WaitingFor};

use crate::events;
use crate::words::{camel, comment, heading, without_rules};

/// A file, with the views whose types it declares.
struct File {
    path: &'static str,
    views: Vec<ViewShape>,
}

/// The file with the types of snapshots, for views that contain some of them.
const TASK: &str = "ts/snapshots/generated/task.ts";

fn files() -> [File; 9] {
    let task = vec![
        UsageView::shape(),
        ReservationView::shape(),
        LingeringView::shape(),
        DimensionView::shape(),
        BudgetView::shape(),
        TaskView::shape(),
    ];
    [
        File { path: TASK, views: task },
        File { path: "ts/snapshots/generated/notice.ts", views: vec![OriginView::shape(), SpentView::shape(), NoticeView::shape()] },
        File {
            path: "ts/snapshots/generated/totals.ts",
            views: vec![
                ConcurrencyView::shape(),
                CostShareView::shape(),
                CostsView::shape(),
                EstimateView::shape(),
                DrainView::shape(),
                StatsView::shape(),
            ],
        },
        File { path: "ts/reading/generated/policing.ts", views: vec![CountView::shape(), PolicingView::shape()] },
        File {
            path: "ts/snapshots/generated/run.ts",
            views: vec![RunLimitsView::shape(), LeftView::shape(), RemainingView::shape(), AttemptView::shape()],
        },
        File { path: "ts/reading/generated/took.ts", views: vec![TookView::shape()] },
        File { path: "ts/reading/generated/page.ts", views: vec![Page::shape(), TaskPage::shape()] },
        File { path: "ts/options/generated/gate.ts", views: vec![GateView::shape()] },
        File {
            path: "ts/boundary/generated/lookups.ts",
            views: vec![
                Missing::shape(),
                RunKey::shape(),
                LastRun::shape(),
                ReportedRun::shape(),
                OwnId::shape(),
                ReleaseView::shape(),
                DeniedInVain::shape(),
            ],
        },
    ]
}

/// The views that the bare class of `pkg/` gives as objects; all others cross as bytes.
fn objects() -> [ViewShape; 3] {
    [GateView::shape(), ConcurrencyView::shape(), DrainView::shape()]
}

/// Types that are declared elsewhere, in the order of their imports.
const NAMES: [&str; 5] = ["OnParentEnd", "ParkReason", "StopReason", "TaskStatus", "WaitingFor"];

/// The TypeScript type of a value of this form.
fn type_of(form: &str) -> String {
    if let Some(inner) = form.strip_suffix('?') {
        return format!("{} | null", type_of(inner));
    }
    if let Some(inner) = form.strip_suffix("[]") {
        return format!("{}[]", type_of(inner));
    }
    match form {
        "id" | "text" => "string".to_owned(),
        "task" => "Key".to_owned(),
        "float" | "bound" | "sum" | "time" => "number".to_owned(),
        "json" => "unknown".to_owned(),
        "waiting" => "Record<WaitingFor, number>".to_owned(),
        "WaitingFor" => form.to_owned(),
        other => files()
            .iter()
            .flat_map(|file| &file.views)
            .find(|view| view.form == other)
            .map_or_else(|| events::event_type(other), |view| view.name.to_owned()),
    }
}

fn type_of_field(field: &ViewFieldShape) -> String {
    field.type_name.map_or_else(|| type_of(&field.form), str::to_owned)
}

/// The lists of names, in the order of their imports.
const LISTS: [&str; 5] = ["ON_PARENT_END", "PARK_REASONS", "STOP_REASONS", "TASK_STATUSES", "WAITING_FOR"];

/// Whether a text of TypeScript names this one outside of its comments.
fn names(text: &str, name: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    lines.flat_map(|line| line.split(|letter: char| !letter.is_alphanumeric())).any(|word| word == name)
}

/// The file of the readers of this file's types: users' types name no reader.
fn readers_of(path: &str) -> String {
    path.replace(".ts", "-readers.ts")
}

/// The imports of a file with these types or readers. `own` are the types beside it that readers make.
fn imports(path: &str, own: &[&'static str], text: &str) -> String {
    let list = |names_of: &[&'static str]| names_of.iter().copied().filter(|name| names(text, name)).collect::<Vec<_>>().join(", ");
    let [task, ..] = files();
    let beside: Vec<_> = task.views.iter().map(|view| view.name).filter(|_| path != TASK).collect();
    let types = list(&beside);
    let readers: Vec<_> = beside.iter().map(|name| format!("read{name}")).filter(|name| names(text, name)).collect();
    let own = list(own);
    let own_file = format!("./{}", path.rsplit('/').next().unwrap_or_default().replace(".ts", ".js"));
    let lists: Vec<_> = LISTS.into_iter().filter(|name| text.contains(&format!("from.name({name})"))).map(ToOwned::to_owned).collect();
    let named = list(&NAMES).split(", ").filter(|name| !name.is_empty()).map(|name| format!("type {name}")).collect::<Vec<_>>();
    let from_task = if path.starts_with("ts/snapshots/") { "./task.js" } else { "../../snapshots/generated/task.js" };
    let import = |names: &[String], from: &str| match names {
        [] => String::new(),
        names if names.iter().all(|name| name.starts_with("type ")) => {
            format!("import type {{ {} }} from '{from}';\n", names.join(", ").replace("type ", ""))
        }
        names => format!("import {{ {} }} from '{from}';\n", names.join(", ")),
    };
    let typed = |names: &str| names.split(", ").filter(|name| !name.is_empty()).map(|name| format!("type {name}")).collect::<Vec<_>>();
    [
        import(&typed(&list(&["Metadata"])), "../../base/metadata.js"),
        import(&typed(&list(&["Receipt", "StoredMustHave"])), "../../base/receipt.js"),
        import(
            &typed(if names(text, "ViewBytes") { "ViewBytes" } else { "" }),
            if path.starts_with("ts/boundary/") { "../view-bytes.js" } else { "../../boundary/view-bytes.js" },
        ),
        import(&[lists, named].concat(), "../../generated/names.js"),
        import(&typed(&list(&["Key"])), "../key.js"),
        import(&readers, &from_task.replace(".js", "-readers.js")),
        import(&typed(&types), from_task),
        import(&typed(&own), &own_file),
    ]
    .concat()
}

/// The types of the bare class of `pkg/`, which imports none.
pub fn bare() -> String {
    let words: Vec<_> = WaitingFor::ALL.iter().map(|value| format!("'{}'", value.name())).collect();
    declarations(&objects()).trim_start().replace("WaitingFor", &words.join(" | "))
}

/// Declares these views.
fn declarations(views: &[ViewShape]) -> String {
    let mut declared = String::new();
    for view in views {
        let _ = writeln!(declared, "\n{}export interface {} {{", heading(&without_rules(view.doc)), view.name);
        for field in &view.fields {
            let kind = type_of_field(field);
            let (mark, kind) = if field.is_left_out { ("?", kind.replace("null", "undefined")) } else { ("", kind) };
            let _ = writeln!(declared, "{}  {}{mark}: {kind};", comment(&without_rules(field.doc)), camel(field.name));
        }
        declared.push_str("}\n");
    }
    declared
}

/// The files of the types and the files of their readers, with their content.
pub fn views() -> Vec<(String, String)> {
    let by_value: Vec<_> = objects().iter().map(|view| view.form).collect();
    let mut made = Vec::new();
    for file in files() {
        let types = declarations(&file.views);
        let names: Vec<_> = file.views.iter().map(|view| view.name).collect();
        let readers: String = file.views.iter().filter(|view| !by_value.contains(&view.form)).map(reader).collect();
        made.push((file.path.to_owned(), (imports(file.path, &[], &types) + &types).trim_start().to_owned()));
        if !readers.is_empty() {
            made.push((readers_of(file.path), (imports(file.path, &names, &readers) + &readers).trim_start().to_owned()));
        }
    }
    made
}

/// The code that reads a value of this form and this type.
fn reading(form: &str, type_name: &str) -> String {
    if let Some(inner) = form.strip_suffix("[]") {
        return if inner == "text" { "from.texts()".to_owned() } else { format!("from.list(() => {})", reading(inner, type_name)) };
    }
    match form {
        "bound" | "sum" => "from.float()".to_owned(),
        "json" => format!("from.json<{}>()", type_name.trim_end_matches(" | null")),
        "task" => "from.key()".to_owned(),
        "text" if type_name != "string" && type_name != "string | null" => format!("from.text() as {type_name}"),
        other => files()
            .iter()
            .flat_map(|file| &file.views)
            .find(|view| view.form == other)
            .map_or_else(|| events::reading(other), |view| format!("read{}(from)", view.name)),
    }
}

/// The code that reads a field, which may have a bit: the `bit`th.
fn reading_of(field: &ViewFieldShape, bit: usize) -> String {
    let type_name = type_of_field(field);
    let cast = if type_name.starts_with('\'') { format!(" as {type_name}") } else { String::new() };
    let read = match field.same_as {
        Some(same) if same.starts_with('"') => format!("from.textUnless({}){cast}", same.replace('"', "'")),
        Some(same) => format!("from.textUnless({})", camel(same)),
        None => reading(field.form.trim_end_matches('?'), &type_name),
    };
    if !field.is_optional {
        return read;
    }
    let is_present = format!("({} & {:#x}) !== 0", ["low", "middle", "high"][bit / BITS], 1 << (bit % BITS));
    if field.form == "boolean" {
        return is_present;
    }
    let absent = match field.form.as_str() {
        "sum" => "0",
        "bound" => "Infinity",
        _ if type_name.ends_with("[]") => "[]",
        _ => "null",
    };
    format!("{is_present} ? {read} : {absent}")
}

/// The number of bits that are read into one number: three bytes.
const BITS: usize = 24;

/// The code that reads a view: an object literal, so that all views of a type are of one shape.
fn reader(view: &ViewShape) -> String {
    let bits = view.fields.iter().filter(|field| field.is_optional).count();
    let mut made = format!("\n/** Reads one. */\nexport function read{0}(from: ViewBytes): {0} {{\n", view.name);
    for (at, word) in ["low", "middle", "high"].iter().enumerate() {
        let bytes = bits.saturating_sub(BITS * at).min(BITS).div_ceil(8);
        if bytes > 0 {
            let _ = writeln!(made, "  const {word} = from.bits({bytes});");
        }
    }
    let mut bit = 0;
    let (mut before, mut literal) = (String::new(), String::new());
    // Fields that another field may equal are read before the object is made.
    let last_known = view.fields.iter().rposition(|field| view.fields.iter().any(|other| other.same_as == Some(field.name)));
    for (at, field) in view.fields.iter().enumerate() {
        let (name, read) = (camel(field.name), reading_of(field, bit));
        bit += usize::from(field.is_optional);
        if last_known.is_some_and(|last| at <= last) {
            let _ = writeln!(before, "  const {name} = {read};");
            let _ = writeln!(literal, "    {name},");
        } else {
            let _ = writeln!(literal, "    {name}: {read},");
        }
    }
    let _ = write!(made, "{before}  return {{\n{literal}  }};\n}}\n");
    made
}
