//! Stored facts: any bytes are facts or are refused with their place; what reads is written back to what reads
//! the same; a torn tail never gives another fact; and applying one never panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use subagents::{Actor, Fact, Field, Input, Manager, Spawn, State, read_all};

/// A state with something in it: a run under way, one that is queued, one that was asked for by another.
fn state() -> State {
    let mut manager = Manager::new();
    let mut say = |actor, input| manager.handle(1_000, actor, input);
    let limits = vec![("maxConcurrent".into(), 1), ("maxDepth".into(), 3)];
    say(Actor::Program, Input::SetLimits(limits)).expect("limits");
    let spawn = || Input::Spawn(Spawn { text: Some("work".into()), ..Spawn::default() });
    for _ in 0..2 {
        say(Actor::Program, spawn()).expect("a spawn");
    }
    let first = subagents::Key { slot: 2, generation: 1 };
    say(Actor::Run(first, 1), spawn()).expect("a nested spawn");
    manager.state().clone()
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
    // One at a time: each is applied to a state that a journal could have led to.
    let before = state();
    for (at, fact) in facts.into_iter().take(20) {
        if possible(&before, &fact) {
            let mut state = before.clone();
            state.apply(at, fact);
        }
    }
});

/// A task is admitted below one that is there, as every journal has it; else the tree would have no root.
fn possible(state: &State, fact: &Fact) -> bool {
    if let Fact::TaskAdmitted { parent, .. } = fact { state.tree.contains(*parent) } else { true }
}
