//! Facts are read in every form that they were ever written in: `tests/fixtures/facts-v1.bin` has one of each kind of form 1,
//! `tests/package/stores/facts.test.ts` reads the same files.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use std::fs;
use std::path::PathBuf;

use subagents::{
    AbandonAt, Amounts, Answer, Delivery, Dimensions, FORM, Fact, Field, FieldShape, First, Key, KeyRate, KeyUse, Kinds, Loan, Loans,
    MessagePlace, ModelPrice, Nanos, NewNotice, OnParentEnd, Parked, Point, Reader, Retry, Spec, Status, StopReason, WaitingFor,
};

/// The forms in which facts differ.
const FORMS: &[u64] = &[1];

fn fixture(form: u64) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/facts-v{form}.bin"))
}

/// Values in stored order, no two numbers alike.
#[derive(Default)]
struct Values {
    last: u32,
    out: Vec<u8>,
}

impl Values {
    fn fields(&mut self, fields: &[FieldShape]) {
        for FieldShape { name, kind, .. } in fields {
            if *name == "metadata" {
                self.put(&Some::<subagents::Text>(format!("{{\"n\":{}}}", self.last).into()));
            } else {
                self.value(kind);
            }
        }
    }

    fn value(&mut self, kind: &str) {
        self.last += 1;
        let number = u64::from(self.last);
        if let Some(kind) = kind.strip_suffix('?') {
            self.put(&true);
            return self.value(kind);
        }
        if let Some(kind) = kind.strip_suffix("[]") {
            self.put(&2_u64);
            self.value(kind);
            return self.value(kind);
        }
        match kind {
            "number" => self.put(&number),
            "signed" => self.put(&-i64::from(self.last)),
            "dollars" => self.put(&Nanos(number)),
            "instant" => self.put(&AbandonAt(number)),
            "boolean" => self.put(&true),
            "text" => self.put::<subagents::Text>(&format!("text {number}").into()),
            "task" => self.put(&Key { index: self.last, generation: 1 }),
            "amounts" => self.put(&Amounts { tokens: number, nanos: number, turns: number }),
            "dimensions" => self.put(&Dimensions(7)),
            "Delivery" => self.put(Delivery::ALL.first().expect("one")),
            "MessagePlace" => self.put(MessagePlace::ALL.first().expect("one")),
            "Status" => self.put(Status::ALL.first().expect("one")),
            "StopReason" => self.put(StopReason::ALL.first().expect("one")),
            "Parked" => self.put(Parked::ALL.first().expect("one")),
            "Point" => self.put(Point::ALL.first().expect("one")),
            "OnParentEnd" => self.put(OnParentEnd::ALL.first().expect("one")),
            "Answer" => self.put(Answer::ALL.first().expect("one")),
            "WaitingFor" => self.put(WaitingFor::ALL.first().expect("one")),
            "NewNotice" => self.fields(&NewNotice::shape()),
            "First" => self.fields(&First::shape()),
            "KeyUse" => self.fields(&KeyUse::shape()),
            "KeyRate" => self.fields(&KeyRate::shape()),
            "Kinds" => self.fields(&Kinds::shape()),
            "Loan" => self.fields(&Loan::shape()),
            "Loans" => self.fields(&Loans::shape()),
            "ModelPrice" => self.fields(&ModelPrice::shape()),
            "Retry" => self.fields(&Retry::shape()),
            "Spec" => self.fields(&Spec::shape()),
            other => panic!("a field of the kind {other} is new; say what value it has"),
        }
    }

    fn put<T: Field>(&mut self, value: &T) {
        value.put(&mut self.out);
    }
}

/// Stamped facts, one of each kind by its number, with every field that may be absent.
fn one_of_each() -> Vec<u8> {
    let mut values = Values::default();
    let mut shapes = Fact::shapes();
    shapes.sort_by_key(|shape| shape.number);
    for (at, shape) in (1_u64..).zip(shapes) {
        values.put(&at);
        values.out.push(shape.number);
        values.fields(&shape.fields);
    }
    values.out
}

/// Run once for each form: `cargo test --test forms -- --ignored`.
#[test]
#[ignore = "a fixture is written once"]
fn write_the_fixture_of_this_form() {
    assert!(!fixture(FORM).exists(), "what was written is never written again");
    fs::write(fixture(FORM), one_of_each()).expect("the fixture is written");
}

#[test]
fn j1_facts_of_each_form_are_read() {
    for form in FORMS {
        let bytes = fs::read(fixture(*form)).expect("there is a fixture");
        let mut reader = Reader::new(&bytes).of_form(*form);
        let (mut kinds, mut written) = (0, Vec::new());
        while !reader.is_done() {
            let (at, fact) = (u64::take(&mut reader), Fact::take(&mut reader));
            assert_eq!(reader.check(), Ok(()), "form {form}, behind {kinds} facts");
            at.put(&mut written);
            fact.put(&mut written);
            kinds += 1;
        }
        // In form 1 there were so many.
        assert!(kinds >= 60, "form {form}: {kinds} kinds");
        if FORMS.last() == Some(form) {
            assert!(
                bytes == written && written == one_of_each(),
                "facts are another form than {form} now: tests/fixtures/README.md says what to do"
            );
        }
    }
}
