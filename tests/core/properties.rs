//! Properties of what any input may be: bytes of facts, and the order of the queue.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use subagents::{Actor, Amounts, Effect, Field, Input, Key, Manager, Outcome, ROOT, Reply, Spawn, Spec, read_all};

#[path = "common/drawn.rs"]
#[allow(dead_code, reason = "it draws commands, too")]
mod drawn;

/// Stamped facts, one after the other.
fn journal() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let stamped = (any::<u32>(), any::<u64>(), any::<usize>()).prop_map(|(at, seed, which)| {
        let mut out = Vec::new();
        at.put(&mut out);
        [out, drawn::fact(seed, which, false).0].concat()
    });
    prop::collection::vec(stamped, 0..6)
}

/// How many cases each property is tried with; `SUBAGENTS_CASES` says otherwise.
fn cases() -> u32 {
    std::env::var("SUBAGENTS_CASES").ok().and_then(|value| value.parse().ok()).unwrap_or(2_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    /// What is read is what was written, byte for byte.
    #[test]
    fn facts_read_back(records in journal()) {
        let bytes = records.concat();
        let facts = read_all(&bytes).expect("what was stored reads back");
        prop_assert_eq!(facts.len(), records.len());
        let mut again = Vec::new();
        for (at, fact) in &facts {
            at.put(&mut again);
            fact.put(&mut again);
        }
        prop_assert_eq!(again, bytes);
    }

    /// A torn tail is an error at its place, and never another fact.
    #[test]
    fn a_torn_journal_is_refused(records in journal(), cut in any::<prop::sample::Index>()) {
        let bytes = records.concat();
        let cut = cut.index(bytes.len() + 1);
        let mut ends = vec![0];
        for record in &records {
            ends.push(ends[ends.len() - 1] + record.len());
        }
        match read_all(&bytes[..cut]) {
            Ok(facts) => prop_assert!(ends.contains(&cut) && facts.len() == ends.iter().position(|end| *end == cut).unwrap()),
            Err(malformed) => prop_assert!(!ends.contains(&cut) && malformed.at <= cut),
        }
    }

    /// Any bytes are facts or are refused with a place inside them.
    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        if let Err(malformed) = read_all(&bytes) {
            prop_assert!(malformed.at <= bytes.len());
        }
    }
}

/// A manager with one slot, which is taken, and some sessions.
fn crowded(sessions: usize) -> (Manager, Vec<Key>, (Key, u32)) {
    let mut manager = Manager::new();
    let limits = [("maxConcurrent", 1), ("maxQueued", u64::MAX), ("maxChildren", u64::MAX), ("ageingMs", 1_000)];
    let limits = limits.into_iter().map(|(name, value)| (name.into(), value)).collect();
    manager.handle(0, Actor::Program, Input::SetLimits(limits)).expect("limits that may be set");
    manager.handle(0, Actor::Program, Input::SetBudget(Amounts::UNCAPPED.into())).expect("a budget that may be set");
    let first = spawn(&mut manager, 0, Actor::Program, 0);
    let open = |_| match manager.handle(0, Actor::Program, Input::OpenSession("s".into())) {
        Ok(Reply::Node(key)) => key,
        other => panic!("no session: {other:?}"),
    };
    let sessions = (0..sessions).map(open).collect();
    (manager, sessions, (first, 1))
}

fn spawn(manager: &mut Manager, now: u64, actor: Actor, priority: i64) -> Key {
    let spec = Some(Box::new(Spec { priority: Some(priority), ..Spec::default() }));
    let spawn = Spawn { text: Some("work".into()), spec, ..Spawn::default() };
    match manager.handle(now, actor, Input::Spawn(spawn)) {
        Ok(Reply::Node(key)) => key,
        other => panic!("no task: {other:?}"),
    }
}

/// Ends one run after the other and says in which order they started.
fn order(manager: &mut Manager, now: u64, mut running: (Key, u32)) -> Vec<Key> {
    let mut order = Vec::new();
    let _ = manager.take_effects();
    loop {
        let (task, run) = running;
        manager.handle(now, Actor::Program, Input::HostReturned { task, run, outcome: Outcome::default() }).expect("an end is taken");
        let started = manager.take_effects().into_iter().find_map(|effect| match effect {
            Effect::StartRun { task, run } => Some((task, run)),
            Effect::RunEnded(_)
            | Effect::RunRetried { .. }
            | Effect::WaitDone { .. }
            | Effect::AskDone { .. }
            | Effect::TurnReady { .. }
            | Effect::AbortRun { .. }
            | Effect::WakeAt(_)
            | Effect::TimedOut { .. }
            | Effect::ApprovalOver { .. }
            | Effect::WaitOver { .. }
            | Effect::Report(_)
            | Effect::TaskForgotten(_)
            | Effect::TaskClosed(_)
            | Effect::Wake(_)
            | Effect::DrainDone { .. } => None,
        });
        let Some(next) = started else { return order };
        order.push(next.0);
        running = next;
    }
}

proptest! {
    /// However many one parent queues, each of the others gets its turn in every round (D2).
    #[test]
    fn the_queue_is_fair_between_parents(works in prop::collection::vec(0_usize..4, 0..40)) {
        let (mut manager, sessions, first) = crowded(4);
        let mut of = BTreeMap::new();
        let mut left = [0_i32; 4];
        for who in works {
            of.insert(spawn(&mut manager, 0, Actor::Session(sessions[who]), 0), who);
            left[who] += 1;
        }
        let mut had = [0_i32; 4];
        for task in order(&mut manager, 0, first) {
            let who = of[&task];
            had[who] += 1;
            left[who] -= 1;
            for other in 0..4 {
                prop_assert!(left[other] == 0 || had[who] <= had[other] + 1, "{who} had {had:?}, {left:?} are left");
            }
        }
        prop_assert_eq!(left, [0; 4]);
    }

    /// Of one parent's work, that goes first which is worth most: a level of priority is worth `ageingMs` of
    /// waiting, and the earlier goes first among equals (D2). So nothing waits for ever.
    #[test]
    fn priority_counts_like_age(works in prop::collection::vec((0_u64..20, -5_i64..6), 0..40)) {
        let (mut manager, _, first) = crowded(0);
        let mut expected = Vec::new();
        let mut now = 0;
        for (place, (pause, priority)) in works.into_iter().enumerate() {
            now += pause * 250;
            let task = spawn(&mut manager, now, Actor::Program, priority);
            expected.push(((now / 1_000) as i64 - priority, place, task));
        }
        expected.sort_by_key(|(rank, place, _)| (*rank, *place));
        let expected: Vec<Key> = expected.into_iter().map(|(_, _, task)| task).collect();
        prop_assert_eq!(order(&mut manager, now, first), expected);
        prop_assert_eq!(manager.state().node(ROOT).account.reserved, Amounts::ZERO);
    }
}
