//! A plain cycle of the core, for counting: spawn, wait, settle, with texts of 200 bytes, 100 in flight and `retain`
//! 200. `bench/instructions.mjs` runs it twice, the second time with more cycles; the difference is what they take.

use std::collections::VecDeque;
use std::hint::black_box;

use subagents::{Actor, Caps, Defaults, Effect, Input, Key, Manager, Outcome, Reading, Spawn, Usage};

const IN_FLIGHT: usize = 100;
const TEXT_BYTES: usize = 200;

struct Cycles {
    manager: Manager,
    effects: Vec<Effect>,
    now: u64,
    open: VecDeque<Key>,
    text: String,
}

impl Cycles {
    fn new(is_capped: bool) -> Self {
        let mut manager = Manager::new();
        let limits = vec![("maxConcurrent".into(), 100), ("retain".into(), 200)];
        manager.handle(0, Actor::Program, Input::SetLimits(limits)).ok();
        if is_capped {
            let budget = Caps { tokens: Some(1_000_000_000_000), nanos: Some(1_000_000_000_000_000), turns: None };
            manager.handle(0, Actor::Program, Input::SetBudget(budget)).ok();
            manager
                .handle(
                    0,
                    Actor::Program,
                    Input::SetDefaults(Defaults { task_cap: Caps { tokens: Some(10_000), ..Caps::default() }, ..Defaults::default() }),
                )
                .ok();
        }
        Self { manager, effects: Vec::new(), now: 1, open: VecDeque::new(), text: "x".repeat(TEXT_BYTES) }
    }

    /// What the boundary does after a call: it takes what follows in a buffer that is kept.
    fn follow(&mut self) {
        self.manager.swap_effects(&mut self.effects);
        black_box(&self.effects);
    }

    fn begin(&mut self) {
        let spawn = Spawn { text: Some(self.text.as_str().into()), ..Spawn::default() };
        let Ok(task) = self.manager.spawn(self.now, Actor::Program, spawn) else { return };
        self.follow();
        black_box(self.manager.wait_for(self.now, Actor::Program, task, None).is_ok());
        self.open.push_back(task);
    }

    fn end(&mut self) {
        let Some(task) = self.open.pop_front() else { return };
        let usage = Usage { tokens: Reading::Is(10), ..Usage::default() };
        let outcome = Outcome { output: self.text.as_str().into(), usage, ..Outcome::default() };
        self.manager.host_returned(self.now, task, 1, outcome);
        self.follow();
    }
}

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse::<u32>().ok()).unwrap_or(0);
    let mut cycles = Cycles::new(std::env::args().nth(2).is_some_and(|capped| capped == "capped"));
    for _ in 0..IN_FLIGHT {
        cycles.begin();
    }
    for round in 0..count {
        // The clock of a process moves on now and then.
        cycles.now = cycles.now.saturating_add(u64::from(round % 100 == 0));
        cycles.end();
        cycles.begin();
    }
    black_box(&cycles.manager);
}
