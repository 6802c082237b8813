//! Stored facts: any bytes are facts or are refused with their place; what reads is written back to what reads
//! the same; a torn tail never gives another fact; and a manager is opened from any of them, or they are refused
//! with their place. Every view of what is opened is written.
#![no_main]

#[path = "../../core/common/every_view.rs"]
mod every_view;

use libfuzzer_sys::fuzz_target;
use subagents::{Actor, Fact, Field, Input, Manager, ROOT, Spawn, State, StopReason, read_all};

/// The facts of a manager with something in it: a run under way, one that is queued, one that was asked for by
/// another.
fn journal() -> Vec<(u64, Fact)> {
    let mut manager = Manager::new();
    manager.listen(true);
    let mut say = |actor, input| manager.handle(1_000, actor, input);
    let limits = vec![("maxConcurrent".into(), 1), ("maxDepth".into(), 3)];
    say(Actor::Program, Input::SetLimits(limits)).expect("limits");
    let spawn = || Input::Spawn(Spawn { text: Some("work".into()), ..Spawn::default() });
    for _ in 0..2 {
        say(Actor::Program, spawn()).expect("a spawn");
    }
    let first = subagents::Key { index: 2, generation: 1 };
    say(Actor::Run(first, 1), spawn()).expect("a nested spawn");
    read_all(&manager.take_facts()).expect("the manager's own facts read back")
}

fuzz_target!(|bytes: &[u8]| {
    let facts = match read_all(bytes) {
        Ok(facts) => facts,
        Err(malformed) => {
            assert!(malformed.at <= bytes.len(), "refused behind the end");
            return;
        }
    };
    let mut stored = Vec::new();
    let mut ends = vec![0];
    for (at, fact) in &facts {
        at.put(&mut stored);
        fact.put(&mut stored);
        ends.push(stored.len());
    }
    assert_eq!(read_all(&stored).as_ref(), Ok(&facts), "what was written reads back");
    for cut in 0..stored.len().min(200) {
        let whole = ends.iter().position(|end| *end == cut);
        match read_all(&stored[..cut]) {
            Ok(read) => assert!(whole == Some(read.len()) && read == facts[..read.len()], "a torn tail reads as something"),
            Err(malformed) => assert!(whole.is_none() && malformed.at <= cut),
        }
    }
    // After those of a manager that was at work: what can't follow is refused with its place, and from what can a
    // manager is opened that comes to its end.
    let mut list = journal();
    let mut state = State::fold(list.clone()).expect("the manager's own facts are taken");
    for (at, fact) in facts.into_iter().take(20) {
        let stamped = (at.max(state.now), fact);
        let next = [stamped.clone()];
        if State::fold(list.iter().chain(&next).cloned()).is_ok() {
            state.apply(stamped.0, stamped.1.clone());
            list.push(stamped);
        } else {
            let damaged = Manager::open(0, list.iter().chain(&next).cloned().collect()).expect_err("it is refused again");
            assert_eq!(damaged.index, list.len(), "the place is that of the fact that can't follow");
        }
    }
    let mut manager = Manager::open(0, list).expect("they were taken before");
    let task = manager.state().key(ROOT);
    for now in [1 << 40, 1 << 41] {
        every_view::see_all(&manager, now, &mut Vec::new());
        let _ = manager.handle(now, Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(1) });
        let _ = manager.handle(now + 10, Actor::Program, Input::Tick);
    }
});
