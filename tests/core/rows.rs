//! Rows of every table in their bytes, with what TypeScript reads of them and writes as them: `tests/generated/rows.json`, which
//! `tests/package/boundary/rows.test.ts` goes through. `UPDATE_ROWS=1 cargo test --test rows` writes it anew.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::{Value, json};
use subagents::notice_view::{OriginView, SpentView};
use subagents::view::{BudgetView, CostShareView, CountView, DimensionView, LeftView, LingeringView, ReservationView, TaskView, UsageView};
use subagents::{
    Actor, Caps, Defaults, Effect, Estimate, EventBuffer, Fact, Field, Input, Key, Kinds, Manager, Mode, ModelPrice, Nanos, OnHostLost,
    Outcome, Reader, Reading, RecordShape, Reply, ReportedTokens, Retry, Returned, Ruling, RunOutput, Spawn, Spec, Usage, ViewField,
    ViewFieldShape, ViewRecord, ViewShape, lookup, read_all,
};

#[path = "common/drawn.rs"]
mod drawn;
#[path = "common/every_view.rs"]
mod every_view;
use drawn::{Draws, camel, fact};
use every_view::{Seen, see_all};

/// How many rows of each command, reply and effect.
const EACH: u64 = 2;

/// How many of each fact: there are many, and each stands here twice.
const EACH_FACT: u64 = 2;

/// A row: its bytes, and its value.
type Row = (Vec<u8>, Value);

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

fn listed(rows: impl IntoIterator<Item = Row>) -> Value {
    rows.into_iter().map(|(bytes, value)| json!([hex(&bytes), value])).collect()
}

fn rows(shapes: &[RecordShape]) -> Value {
    listed(shapes.iter().flat_map(|shape| (0..EACH).map(|seed| Draws::new(seed * 1_000 + u64::from(shape.number)).row(shape))))
}

/// Facts as they are stored, as listeners get them, and as events.
fn facts() -> Value {
    let drawn = (0..Fact::shapes().len()).flat_map(|which| (1..=EACH_FACT).map(move |seed| fact(seed * 1_000 + which as u64, which, true)));
    let both = |(bytes, value): Row| {
        let mut shown = EventBuffer::default();
        Fact::take(&mut Reader::new(&bytes)).encode_event(&mut shown);
        json!([hex(&bytes), value, shown.numbers.iter().map(|number| unbounded(*number)).collect::<Value>(), hex(&shown.texts)])
    };
    drawn.map(both).collect()
}

/// JSON has no word for what is unbounded.
fn unbounded(number: f64) -> Value {
    if number == f64::INFINITY { json!("Infinity") } else { json!(number) }
}

/// A field of a view, and what a row shows of it.
type Mark = (&'static str, &'static str, &'static str);

/// What no manager shows.
const NEVER: [Mark; 2] = [
    // What has a model has an agent's row, too.
    ("ManagerCosts", "by_model", "is there or absent unlike the next"),
    // It is so while runs linger, which are the next field.
    ("TaskSnapshot", "host_still_running", "is there or absent unlike the next"),
];

/// The views that show what none before showed.
#[derive(Default)]
struct Views {
    kept: Vec<(&'static str, Row, BTreeSet<Mark>)>,
    seen: BTreeSet<(&'static str, Vec<u8>)>,
    shown: BTreeSet<Mark>,
    wanted: BTreeSet<Mark>,
    /// Two values of each field.
    values: BTreeMap<(&'static str, &'static str), Vec<Value>>,
}

impl Seen for Views {
    fn see<V: ViewField + serde::Serialize>(&mut self, shape: ViewShape, view: &V) {
        let mut bytes = Vec::new();
        view.write(&mut bytes);
        if !self.seen.insert((shape.name, bytes.clone())) {
            return;
        }
        let mut value = serde_json::to_value(view).unwrap();
        let mut marks = BTreeSet::new();
        self.look(&shape, &value, &mut marks);
        if !marks.is_subset(&self.shown) {
            as_read(&shape, &mut value);
            self.shown.extend(&marks);
            self.kept.push((shape.name, (bytes, value), marks));
        }
    }
}

impl Views {
    /// Of each field that may be absent: that it is there, that it is absent, and each of these where the next one is not so. Of
    /// all others: two values, and one that the next field of its kind doesn't have.
    fn look(&mut self, shape: &ViewShape, value: &Value, marks: &mut BTreeSet<Mark>) {
        for (at, field) in shape.fields.iter().enumerate() {
            let (own, behind) = (&value[camel(field.name)], &shape.fields[at + 1..]);
            let mut look_for = |what, is_shown: bool| {
                self.wanted.insert((shape.name, field.name, what));
                if is_shown {
                    marks.insert((shape.name, field.name, what));
                }
            };
            let is_there = is_there(field, own);
            if field.is_optional {
                look_for("is there", is_there);
                look_for("is absent", !is_there);
                if let Some(next) = behind.iter().find(|next| next.is_optional) {
                    look_for("is there or absent unlike the next", is_there != self::is_there(next, &value[camel(next.name)]));
                }
            }
            if let Some(next) = behind.iter().find(|next| kind(next) == kind(field)) {
                look_for("differs from the next", *own != value[camel(next.name)]);
            }
            if let Some(same) = field.same_as.filter(|same| !same.starts_with('"')) {
                look_for("is as the one named", *own == value[camel(same)]);
                look_for("is not as the one named", is_there && *own != value[camel(same)]);
            }
            if field.form != "boolean" {
                let values = self.values.entry((shape.name, field.name)).or_default();
                if is_there && values.len() < 2 && !values.contains(own) {
                    values.push(own.clone());
                }
                look_for("has a value", values.first() == Some(own));
                look_for("has another value", values.get(1) == Some(own));
            }
            if let Some(inner) = inner(&field.form) {
                let items = own.as_array().map_or(std::slice::from_ref(own), Vec::as_slice);
                items.iter().filter(|item| !item.is_null()).for_each(|item| self.look(&inner, item, marks));
            }
        }
    }

    /// Some that show all of it together: first those that show most for their size. None is left that the others make needless.
    fn needed(mut self) -> BTreeMap<&'static str, Vec<Row>> {
        let mut chosen = Vec::<(&'static str, Row, BTreeSet<Mark>)>::new();
        loop {
            self.kept.retain(|(_, _, marks)| !marks.is_disjoint(&self.shown));
            let worth = |(_, (bytes, value), marks): &(_, Row, BTreeSet<Mark>)| {
                1_000_000 * marks.intersection(&self.shown).count() / (2 * bytes.len() + value.to_string().len())
            };
            let Some(best) = (0..self.kept.len()).max_by_key(|at| worth(&self.kept[*at])) else { break };
            let best = self.kept.remove(best);
            self.shown.retain(|mark| !best.2.contains(mark));
            chosen.push(best);
        }
        for at in (0..chosen.len()).rev() {
            let others = |mark: &Mark| chosen.iter().enumerate().any(|(other, (_, _, marks))| other != at && marks.contains(mark));
            if chosen[at].2.iter().all(others) {
                chosen.remove(at);
            }
        }
        let mut needed = BTreeMap::<_, Vec<_>>::new();
        for (name, row, _) in chosen {
            needed.entry(name).or_default().push(row);
        }
        needed
    }
}

/// The first one, and of each of the others what is not as in the first.
fn unlike_the_first(mut rows: Vec<Row>) -> Value {
    if let [(_, first), others @ ..] = &mut *rows {
        others.iter_mut().for_each(|(_, value)| keep_unlike(first, value));
    }
    listed(rows)
}

fn keep_unlike(first: &Value, value: &mut Value) {
    if let (Some(first), Some(own)) = (first.as_object(), value.as_object_mut()) {
        own.retain(|name, own| first.get(name) != Some(own));
        own.iter_mut().for_each(|(name, own)| keep_unlike(first.get(name).unwrap_or(&Value::Null), own));
    }
}

fn is_there(field: &ViewFieldShape, value: &Value) -> bool {
    match &*field.form {
        "bound" => value != "Infinity",
        "sum" => value.as_f64() != Some(0.0),
        _ => !matches!(value, Value::Null | Value::Bool(false)) && *value != json!([]),
    }
}

/// What a reader could mistake it for.
fn kind(field: &ViewFieldShape) -> &str {
    match field.form.trim_end_matches('?') {
        "number" | "float" | "bound" | "sum" | "time" => "number",
        other => other,
    }
}

/// The view that a field of this form holds, or a list of. Tasks show all of theirs by themselves, and pages are large.
fn inner(form: &str) -> Option<ViewShape> {
    let name = form.trim_end_matches('?').trim_end_matches("[]");
    let mut all = [
        UsageView::shape(),
        ReservationView::shape(),
        LingeringView::shape(),
        DimensionView::shape(),
        BudgetView::shape(),
        OriginView::shape(),
        SpentView::shape(),
        CostShareView::shape(),
        CountView::shape(),
        LeftView::shape(),
    ]
    .into_iter();
    let found = all.find(|shape| shape.form == name);
    assert!(found.is_some() || name == "TaskView" || !name.ends_with("View"), "the view `{name}` is new within another; list it");
    found
}

/// What is JSON, or a list that is absent, as TypeScript reads it.
fn as_read(shape: &ViewShape, value: &mut Value) {
    for field in &shape.fields {
        let slot = &mut value[camel(field.name)];
        if let (true, Some(text)) = (field.form.starts_with("json"), slot.as_str()) {
            *slot = serde_json::from_str(text).unwrap();
        } else if slot.is_null() && field.type_name.is_some_and(|name| name.ends_with("[]")) {
            *slot = json!([]);
        } else if let (true, Some(items)) = (field.form == "TaskView[]", slot.as_array_mut()) {
            items.iter_mut().for_each(|item| as_read(&TaskView::shape(), item));
        }
    }
}

fn reading(draws: &mut Draws) -> Reading {
    match draws.below(4) {
        0 => Reading::Missing,
        1 => Reading::Invalid,
        _ => Reading::Is(draws.below(5_000) as u64),
    }
}

fn usage(draws: &mut Draws) -> (Usage, Option<Box<ReportedTokens>>) {
    let usage = Usage { tokens: reading(draws), nanos: reading(draws), turns: reading(draws), ..Usage::default() };
    let mut kind = || reading(draws).known();
    let kinds = Kinds {
        input_tokens: kind(),
        output_tokens: kind(),
        cache_read_tokens: kind(),
        cache_write_tokens: kind(),
        cache_write1h_tokens: kind(),
        reasoning_tokens: kind(),
        estimated: true,
    };
    let tokens = ReportedTokens { kinds, model_id: Some(["model", "x"][draws.below(2)].into()), otherwise: None, unread: false };
    (usage, (draws.below(3) == 0).then(|| tokens.into()))
}

/// Something that a program or a host may say next.
fn input(draws: &mut Draws, (task, run): (Key, u32), is_capped: bool) -> Input {
    match draws.below(9) {
        0..=1 => {
            let mut drawn = draws.record::<Spec>(&Spec::shape());
            let mut cap = |most: usize| (is_capped && draws.below(3) > 0).then(|| draws.below(most) as u64);
            let (tokens, nanos, turns) = (cap(5_000), cap(5_000), cap(9));
            if is_capped {
                (drawn.turn_estimate, drawn.turn_estimate_usd) = (cap(500), cap(500).map(Nanos));
            }
            let (text, spec) = [(true, true), (true, false), (false, false)][draws.below(3)];
            Input::Spawn(Spawn {
                text: text.then(|| ["work", "rest"][draws.below(2)].into()),
                background: draws.below(2) == 0,
                tokens,
                nanos,
                turns,
                spec: spec.then_some(drawn.into()),
                ..Spawn::default()
            })
        }
        2 => match draws.below(12) {
            8..=9 => Input::Send { task, mode: Mode::Queue, text: "more".into() },
            10 => Input::StartedElsewhere { task, run },
            11 => Input::NameElsewhere { task, run, host_task_id: "host".into() },
            6 => Input::Todos { open: draws.number(), todos: "[1]".into() },
            7 => Input::Count { policy: ["one", "two"][draws.below(2)].into(), limit: 9, todos: false },
            0 => Input::Lease { max: None, lease_ms: Some(1_000) },
            1 => Input::Rule(draws.record(&Ruling::shape())),
            2 => Input::Close { task, grace_ms: None },
            _ => Input::BeginTurn { estimate: Estimate::default(), whole: false },
        },
        3 => {
            let (usage, tokens) = usage(draws);
            let (context_tokens, message) =
                (reading(draws).known(), (draws.below(2) == 0).then(|| ["half", "most"][draws.below(2)].into()));
            Input::Report { usage, tokens, context_tokens, message }
        }
        4..=5 => {
            let (usage, tokens) = usage(draws);
            let output = draws.record::<RunOutput>(&RunOutput::fields("", None, ""));
            let returned = [Returned::Completed, Returned::Failed, Returned::Threw][draws.below(3)];
            Input::HostReturned { task, run, outcome: Outcome { returned, output, usage, tokens } }
        }
        _ => {
            let shapes = Input::shapes();
            let shape = &shapes[draws.below(shapes.len())];
            Input::take(&mut Reader::new(&draws.row(shape).0))
        }
    }
}

/// Shows what comes of some calls, a few of them in another process.
fn live(seed: u64, views: &mut Views) {
    let (mut draws, mut manager, mut now) = (Draws::new(seed), Manager::new(), [0, 1_700_000_000_000][seed as usize % 2]);
    manager.listen(true);
    let mut facts = Vec::new();
    let (is_capped, odd) = (seed.is_multiple_of(3), seed % 2);
    let limits = [
        ("maxDepth", 4 + odd),
        ("maxConcurrent", 3 + odd),
        ("maxQueued", 50 + odd),
        ("maxResultBytes", 10 * (seed % 3 + 1)),
        ("timeoutMs", 900_000 + odd),
        ("idleTimeoutMs", 300_000 + odd),
        ("graceMs", 1_000),
        ("abandonMs", 1_000),
        ("countCacheReads", 500 + odd),
    ];
    let limits = limits.map(|(name, value)| (name.into(), value)).into();
    let (cap, price) = (Caps { tokens: Some(20_000), nanos: Some(15_000), turns: Some(60) }, Nanos(1_000_000));
    let price = ModelPrice { model: "model".into(), input: price, output: price, cache_read: None, cache_write: None, cache_write1h: None };
    let retry = Retry { max: 9, backoff_ms: 1, on: Retry::USUALLY_ON.into() };
    let defaults = Input::SetDefaults(Defaults { retry: Some(retry.into()), ..Defaults::default() });
    let mut first =
        vec![Input::Seed(seed, 7), Input::SetLimits(limits), defaults, Input::SetPrices([price].into_iter().take(odd as usize).collect())];
    first.extend(is_capped.then(|| Input::SetBudget(cap)));
    for first in first {
        manager.handle(now, Actor::Program, first).unwrap();
    }
    let Ok(Reply::Node(session)) = manager.handle(now, Actor::Program, Input::OpenSession(["chat", "mail"][odd as usize].into())) else {
        panic!("no session")
    };
    for step in 0..60 {
        now += draws.below(2) as u64 * draws.below(2_000) as u64;
        let task = manager.state().key(2 + draws.below(6) as u32);
        let run = lookup::last_run(manager.state(), task);
        let actor = match draws.below(5) {
            0..=1 => Actor::Program,
            2 => Actor::Session(session),
            _ => Actor::Run(task, run),
        };
        let next = if step == 50 { Input::Drain { timeout_ms: 1 } } else { input(&mut draws, (task, run), is_capped) };
        let _ = manager.handle(now, actor, next);
        for data in [None, Some(["[]", "[1]"][step / 4 % 2].into())].into_iter().take([2, 0, 1, 0][step % 4]) {
            let _ = manager.handle(now, Actor::Program, Input::Acquire { task, data });
        }
        let _ = manager.take_effects();
        facts.extend(read_all(&manager.take_facts()).unwrap());
        if step == 40 {
            manager = Manager::new();
            manager.listen(true);
            manager.restore(facts.clone()).unwrap();
            manager.reopen(now, seed, OnHostLost::Resume, Some(Default::default()), Vec::new()).unwrap();
        }
        if step % 4 == 3 {
            see_all(&manager, now, views);
        }
    }
}

#[test]
fn the_rows_for_typescript_are_current() {
    let mut views = Views::default();
    let mut unseen = BTreeSet::new();
    for seed in 0..500 {
        // The first ones show every view.
        if seed < 60 || unseen != BTreeSet::from(NEVER) {
            live(seed, &mut views);
            unseen = views.wanted.difference(&views.shown).copied().collect();
        }
    }
    assert_eq!(unseen, BTreeSet::from(NEVER), "what no life shows");
    let views: BTreeMap<_, _> = views.needed().into_iter().map(|(name, rows)| (name, unlike_the_first(rows))).collect();
    let all = json!({
        "commands": rows(&Input::shapes()), "replies": rows(&Reply::shapes()), "effects": rows(&Effect::shapes()), "facts": facts(), "views": views,
    });
    // A row a line, so that a change shows which.
    let made = all.to_string().replace("],[\"", "],\n[\"") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generated/rows.json");
    if std::env::var_os("UPDATE_ROWS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert!(made.len() < 150_000, "{} bytes are too many to keep: lower `EACH` or `EACH_FACT`", made.len());
    assert!(std::fs::read_to_string(path).unwrap() == made, "the tables have changed: UPDATE_ROWS=1 cargo test --test rows");
}
