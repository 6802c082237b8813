//! The records within events: one row each, from which their types, their readers and their pages are made.

use subagents::{FieldShape, First, KeyRate, KeyUse, Kinds, Loan, Loans, ModelPrice, NewNotice, Retry, Spec};

/// A record within events.
pub struct Record {
    /// Its kind, as facts name it; events call it `Event…`.
    pub kind: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Its fields, in stored order.
    pub fields: Vec<FieldShape>,
}

/// All records; a record comes after the records in it.
pub fn records() -> Vec<Record> {
    let row = |kind, doc, fields| Record { kind, doc, fields };
    vec![
        row("NewNotice", "The notice that the end of a background run makes.", NewNotice::shape()),
        row("First", "The place of a task's first run in the queue.", First::shape()),
        row("KeyUse", "The idempotency key that a task was spawned with.", KeyUse::shape()),
        row("Kinds", "Tokens by kind; null if a kind was never reported.", Kinds::shape()),
        row("Loan", "A part of one run's budget that another run of a task below borrows.", Loan::shape()),
        row("Loans", "What a run borrows, and what it gives back.", Loans::shape()),
        row("KeyRate", "What a key allows a minute.", KeyRate::shape()),
        row("ModelPrice", "What a model takes, in US dollars a million tokens.", ModelPrice::shape()),
        row("Retry", "How runs that ended badly are tried again.", Retry::shape()),
        row("Spec", "What a sub-agent was given beside its text: the options of its spawn, completed by its definition.", Spec::shape()),
    ]
}

impl Record {
    /// Its name in events.
    pub fn name(&self) -> String {
        format!("Event{}", self.kind)
    }

    /// The name of its reader.
    pub fn reader(&self) -> String {
        let (first, rest) = self.kind.split_at(1);
        first.to_lowercase() + rest
    }
}

/// The record of a kind, if it is one.
pub fn of(kind: &str) -> Option<Record> {
    records().into_iter().find(|record| record.kind == kind)
}
