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
use subagents::view::TaskView;
use subagents::{
    Actor, Defaults, Effect, Estimate, EventBuffer, Fact, Field, Input, Key, Kinds, Manager, OnHostLost, Outcome, Reader, Reading,
    RecordShape, Reply, ReportedTokens, Retry, Returned, Ruling, RunOutput, Spawn, Spec, Usage, ViewField, ViewShape, lookup, read_all,
};

#[path = "common/drawn.rs"]
mod drawn;
#[path = "common/every_view.rs"]
mod every_view;
use drawn::{Draws, camel, fact};
use every_view::{Seen, see_all};

/// How many rows of each kind.
const EACH: u64 = 3;

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
    let drawn = (0..Fact::shapes().len()).flat_map(|which| (1..EACH).map(move |seed| fact(seed * 1_000 + which as u64, which)));
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

/// The views that show a field as none before, there or absent, or apart from the one after it; and much larger ones.
#[derive(Default)]
struct Views {
    kept: BTreeMap<&'static str, Vec<Row>>,
    shown: BTreeSet<(&'static str, &'static str, bool)>,
    wanted: BTreeSet<(&'static str, &'static str, bool)>,
    apart: BTreeSet<(&'static str, &'static str)>,
}

impl Seen for Views {
    fn see<V: ViewField + serde::Serialize>(&mut self, shape: ViewShape, view: &V) {
        let mut value = serde_json::to_value(view).unwrap();
        let size = value.to_string().len();
        let is_there = |field: &str| !matches!(&value[camel(field)], Value::Null | Value::Bool(false)) && value[camel(field)] != json!([]);
        let fields = || shape.fields.iter().filter(|field| field.is_optional && !["bound", "sum"].contains(&&*field.form));
        self.wanted.extend(fields().flat_map(|field| [(shape.name, field.name, true), (shape.name, field.name, false)]));
        let before = (self.shown.len(), self.apart.len());
        self.shown.extend(fields().map(|field| (shape.name, field.name, is_there(field.name))));
        let pairs = fields().zip(fields().skip(1)).filter(|(one, next)| is_there(one.name) != is_there(next.name));
        self.apart.extend(pairs.map(|(one, _)| (shape.name, one.name)));
        let kept = self.kept.entry(shape.name).or_default();
        let is_large = kept.iter().all(|(_, other)| size > 2 * other.to_string().len());
        if is_large || (self.shown.len(), self.apart.len()) != before {
            as_read(&shape, &mut value);
            let mut bytes = Vec::new();
            view.write(&mut bytes);
            kept.push((bytes, value));
        }
    }
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
    let tokens = ReportedTokens { kinds, model_id: Some("model".into()), otherwise: None, unread: false };
    (usage, (draws.below(3) == 0).then(|| tokens.into()))
}

/// Something that a program or a host may say next.
fn input(draws: &mut Draws, (task, run): (Key, u32)) -> Input {
    match draws.below(9) {
        0..=1 => {
            let drawn = draws.record::<Spec>(&Spec::shape());
            let (text, spec) = [(true, true), (true, false), (false, false)][draws.below(3)];
            Input::Spawn(Spawn {
                text: text.then(|| "work".into()),
                background: draws.below(2) == 0,
                spec: spec.then_some(drawn.into()),
                ..Spawn::default()
            })
        }
        2 => match draws.below(6) {
            0 => Input::Lease { max: None, lease_ms: Some(1_000) },
            1 => Input::Rule(draws.record(&Ruling::shape())),
            2 => Input::Close { task, grace_ms: None },
            _ => Input::BeginTurn { estimate: Estimate::default(), whole: false },
        },
        3 => {
            let (usage, tokens) = usage(draws);
            let (context_tokens, message) = (reading(draws).known(), (draws.below(2) == 0).then(|| "half".into()));
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
    let limits = [("maxDepth", 4), ("maxConcurrent", 3), ("maxResultBytes", 10 * (seed % 3 + 1))];
    let limits = limits.map(|(name, value)| (name.into(), value)).into();
    let retry = Retry { max: 9, backoff_ms: 1, on: Retry::USUALLY_ON.into() };
    let defaults = Input::SetDefaults(Defaults { retry: Some(retry.into()), ..Defaults::default() });
    for first in [Input::Seed(seed, 7), Input::SetLimits(limits), defaults] {
        manager.handle(now, Actor::Program, first).unwrap();
    }
    let Ok(Reply::Node(session)) = manager.handle(now, Actor::Program, Input::OpenSession("chat".into())) else { panic!("no session") };
    for step in 0..60 {
        now += draws.below(2) as u64 * draws.below(2_000) as u64;
        let task = manager.state().key(2 + draws.below(6) as u32);
        let run = lookup::last_run(manager.state(), task);
        let actor = match draws.below(5) {
            0..=1 => Actor::Program,
            2 => Actor::Session(session),
            _ => Actor::Run(task, run),
        };
        let next = if step == 50 { Input::Drain { timeout_ms: 1 } } else { input(&mut draws, (task, run)) };
        let _ = manager.handle(now, actor, next);
        for data in [None, Some("[]".into())].into_iter().take([2, 0, 1, 0][step % 4]) {
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
    for seed in 0..500 {
        // The first ones show every view.
        if seed < 60 || !views.wanted.is_subset(&views.shown) {
            live(seed, &mut views);
        }
    }
    let unseen: Vec<_> = views.wanted.difference(&views.shown).collect();
    assert!(unseen.is_empty(), "no life shows these: {unseen:?}");
    let views: BTreeMap<_, _> = views.kept.into_iter().map(|(name, rows)| (name, listed(rows))).collect();
    let all = json!({
        "commands": rows(&Input::shapes()), "replies": rows(&Reply::shapes()), "effects": rows(&Effect::shapes()), "facts": facts(), "views": views,
    });
    // A row a line, so that a change shows which.
    let made = all.to_string().replace("],[\"", "],\n[\"") + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/generated/rows.json");
    if std::env::var_os("UPDATE_ROWS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert!(made.len() < 150_000, "{} bytes are too many to keep", made.len());
    assert!(std::fs::read_to_string(path).unwrap() == made, "the tables have changed: UPDATE_ROWS=1 cargo test --test rows");
}
