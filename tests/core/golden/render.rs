//! How facts look in a transcript: made from the shapes that the core emits, as readers in other
//! languages make theirs. Owns the form of a line, and which fields no line shows.

use std::collections::BTreeMap;

use subagents::{
    AbandonAt, Amounts, Answer, Delivery, Dimension, Dimensions, Fact, Field, FieldShape, First, Key, KeyUse, Kinds, Loan, Loans,
    MessagePlace, Nanos, NewNotice, Parked, Point, ROOT, Reader, Retry, Shape, Spec, Status, StopReason, UNCAPPED, WaitingFor,
};

/// Facts that only repeat what was just said.
const SILENT: &[&str] = &["LimitSet", "DefaultsSet", "PricesSet", "RatesSet", "Seeded"];
/// Fields that no line shows: places in the queue, and what the limits say anyway.
const HIDDEN: &[&str] =
    &["rank", "waiting_for", "round", "max_turns", "timeout_ms", "idle_timeout_ms", "abandon_at", "spec", "parent_run", "digest", "salt"];

/// The names that a transcript gave.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) tasks: BTreeMap<String, Key>,
    pub(crate) waits: Vec<Key>,
}

impl Names {
    pub(crate) fn task(&self, key: Key) -> String {
        let name = self.tasks.iter().find(|(_, other)| **other == key).map(|(name, _)| name.clone());
        name.unwrap_or_else(|| if key.index == ROOT { "manager".into() } else { "session".into() })
    }

    /// The waits so far are gone; those that are opened from now on may have the same keys.
    pub(crate) fn lose_waits(&mut self) {
        self.waits.fill(Key::default());
    }

    /// Waits are `w1`, `w2` … in the order of their opening.
    pub(crate) fn wait(&mut self, key: Key) -> String {
        let place = self.waits.iter().position(|other| *other == key).unwrap_or_else(|| {
            self.waits.push(key);
            self.waits.len() - 1
        });
        format!("w{}", place + 1)
    }
}

/// One line: the fact's name, the task and its run, then the other fields that say something.
pub(crate) fn line(fact: &Fact, names: &mut Names) -> Option<String> {
    let shape = Fact::shapes().into_iter().find(|shape| shape.name == fact.name()).expect("every fact has a shape");
    if SILENT.contains(&shape.name) {
        return None;
    }
    let mut bytes = Vec::new();
    fact.put(&mut bytes);
    let mut line = snake(shape.name);
    for (name, value) in fields(&shape, &bytes, names) {
        match (name, value) {
            ("task", value) => line = format!("{line} {value}"),
            ("run", value) if value != "0" => line = format!("{line}#{value}"),
            ("run", _) => {}
            (_, value) if value == "false" => {}
            (name, value) if value == "true" => line = format!("{line} {}", camel(name)),
            (name, value) => line = format!("{line} {}={value}", camel(name)),
        }
    }
    Some(line)
}

/// The fields that are shown, in stored order, as text.
fn fields(shape: &Shape, bytes: &[u8], names: &mut Names) -> Vec<(&'static str, String)> {
    let mut reader = Reader::new(&bytes[1..]);
    let mut fields = Vec::new();
    for FieldShape { name, kind, .. } in &shape.fields {
        let value = value(kind, &mut reader, names);
        if let Some(value) = value.filter(|value| !HIDDEN.contains(name) && (!matches!(*name, "steers" | "uncounted") || value != "0")) {
            fields.push((*name, value));
        }
    }
    fields
}

fn take<T: Field>(reader: &mut Reader<'_>) -> T {
    let value = T::take(reader);
    reader.check().expect("a fact reads back");
    value
}

/// A value as text; `None` where it is absent or empty.
fn value(kind: &str, reader: &mut Reader<'_>, names: &mut Names) -> Option<String> {
    if let Some(kind) = kind.strip_suffix('?') {
        return if take::<bool>(reader) { value(kind, reader, names) } else { None };
    }
    if let Some(kind) = kind.strip_suffix("[]") {
        let count: u64 = take(reader);
        let values: Vec<String> = (0..count).filter_map(|_| value(kind, reader, names)).collect();
        return (!values.is_empty()).then(|| values.join(","));
    }
    match kind {
        "number" => Some(number(take(reader))),
        "dollars" => {
            let Nanos(nanos) = take(reader);
            Some(number(nanos))
        }
        "instant" => take::<AbandonAt>(reader).at().map(number),
        "signed" => Some(take::<i64>(reader).to_string()),
        "boolean" => Some(take::<bool>(reader).to_string()),
        "text" => Some(take::<subagents::Text>(reader)).filter(|text| !text.is_empty()).map(|text| format!("\"{text}\"")),
        "task" => Some(names.task(take(reader))),
        "amounts" => Some(amounts(take(reader))),
        "dimensions" => {
            let said: Dimensions = take(reader);
            let named = Dimension::ALL.into_iter().zip(["tokens", "costUsd", "turns"]).filter(|(dimension, _)| said.has(*dimension));
            let names: Vec<&str> = named.map(|(_, name)| name).collect();
            (!names.is_empty()).then(|| names.join(","))
        }
        "Loans" => {
            let Loans { lent, returned }: Loans = take(reader);
            let said = |mark: char, loans: Vec<Loan>| -> String {
                loans.iter().map(|loan| format!("{mark}{}{}", names.task(loan.lender), amounts(loan.amount))).collect()
            };
            Some(said('+', lent) + &said('-', returned))
        }
        "Kinds" => {
            let told: Kinds = take(reader);
            let kinds = [
                ("input", told.input_tokens),
                ("output", told.output_tokens),
                ("cacheRead", told.cache_read_tokens),
                ("cacheWrite", told.cache_write_tokens),
                ("cacheWrite1h", told.cache_write1h_tokens),
                ("reasoning", told.reasoning_tokens),
            ];
            let shown = kinds.iter().filter_map(|(name, value)| value.map(|value| format!("{name}:{value}")));
            let shown: Vec<String> = shown.chain(told.estimated.then(|| "estimated".to_owned())).collect();
            Some(format!("{{{}}}", shown.join(" ")))
        }
        "First" => {
            take::<First>(reader);
            Some("true".into())
        }
        "NewNotice" => {
            let NewNotice { to, rerouted_from, acked, awaited } = take(reader);
            let from = rerouted_from.map(|from| format!(" reroutedFrom={}", names.task(from))).unwrap_or_default();
            let [acked, awaited] = [(acked, " acked"), (awaited, " awaited")].map(|(is, word)| if is { word } else { "" });
            Some(format!("{}{from}{acked}{awaited}", names.task(to)))
        }
        "Delivery" => Some(take::<Delivery>(reader).name().to_owned()),
        "MessagePlace" => Some(take::<MessagePlace>(reader).name().to_owned()),
        "KeyUse" => {
            let KeyUse { key, until, .. } = take(reader);
            Some(format!("\"{key}\" until={}", number(until)))
        }
        "Spec" => {
            take::<Spec>(reader);
            None
        }
        "Retry" => {
            let retry: Retry = take(reader);
            Some(format!("{}x{}", retry.max, retry.backoff_ms))
        }
        "Status" => Some(take::<Status>(reader).name().to_owned()),
        "StopReason" => Some(take::<StopReason>(reader).name().to_owned()),
        "WaitingFor" => Some(take::<WaitingFor>(reader).name().to_owned()),
        "Parked" => Some(take::<Parked>(reader).name().to_owned()),
        "Point" => Some(take::<Point>(reader).name().to_owned()),
        "Answer" => Some(take::<Answer>(reader).name().to_owned()),
        other => panic!("a field of the kind {other} is new; say how it looks"),
    }
}

fn number(value: u64) -> String {
    if value == u64::MAX { "∞".into() } else { value.to_string() }
}

/// Dimensions that are nothing, or without a cap, are left out.
pub(crate) fn amounts(amounts: Amounts) -> String {
    let dimensions = [("tokens", amounts.tokens), ("nanos", amounts.nanos), ("turns", amounts.turns)];
    let shown: Vec<String> =
        dimensions.iter().filter(|(_, value)| *value != 0 && *value != UNCAPPED).map(|(name, value)| format!("{name}:{value}")).collect();
    format!("{{{}}}", shown.join(" "))
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(char.to_ascii_lowercase());
    }
    out
}

fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(&part[..1].to_ascii_uppercase());
        out.push_str(&part[1..]);
    }
    out
}
