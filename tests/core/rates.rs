//! Rates under load: two hundred agents, in virtual time, below a provider with published limits. At 99 % of these it refuses no
//! request, and at least 95 % of them go through (B11).
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use std::collections::BTreeMap;

use subagents::{
    Actor, Effect, Estimate, Fact, Input, Key, KeyRate, Manager, Outcome, Reading, Reply, Spawn, Spec, State, Usage, read_all,
};

const AGENTS: u64 = 200;
const MINUTE: f64 = 60_000.0;

/// What a provider does with requests: it has so many a minute, as they go by, and takes a tenth of a minute's at once.
struct Provider {
    per_minute: [f64; 2],
    used: [f64; 2],
    at: u64,
    taken: [u64; 2],
    refused: u64,
    refused_at: u64,
}

impl Provider {
    fn new(per_minute: [u64; 2]) -> Self {
        Self { per_minute: per_minute.map(|per| per as f64), used: [0.0; 2], at: 0, taken: [0; 2], refused: 0, refused_at: 0 }
    }

    fn call(&mut self, now: u64, tokens: u64) -> bool {
        let passed = (now - self.at) as f64;
        self.at = now;
        for (used, per) in self.used.iter_mut().zip(self.per_minute) {
            *used = (*used - passed * per / MINUTE).max(0.0);
        }
        let amounts = [1, tokens];
        let fits = |dimension: usize| self.used[dimension] + amounts[dimension] as f64 <= self.per_minute[dimension] / 10.0;
        if !(fits(0) && fits(1)) {
            (self.refused, self.refused_at) = (self.refused + 1, now);
            return false;
        }
        for (dimension, amount) in amounts.into_iter().enumerate() {
            self.used[dimension] += amount as f64;
            self.taken[dimension] += amount;
        }
        true
    }
}

/// The model answers a call of a run.
struct Answer {
    task: Key,
    run: u32,
    tokens: u64,
}

/// Agents that call the model turn after turn, each answer after a while, for ten minutes.
struct World {
    manager: Manager,
    provider: Provider,
    now: u64,
    timer: Option<u64>,
    answers: BTreeMap<(u64, u64), Answer>,
    sequence: u64,
    dice: u64,
    takes_turns: bool,
    /// The most tokens of a turn.
    most: u64,
    /// Whether that is reported before.
    says_most: bool,
    /// The cap of each agent, whose runs are short then.
    cap: Option<u64>,
    journal: Vec<u8>,
}

impl World {
    fn new(limits: [u64; 2], most: u64, [takes_turns, says_most]: [bool; 2], cap: Option<u64>) -> Self {
        let mut manager = Manager::new();
        manager.listen(true);
        let provider = Provider::new(limits);
        let mut world = Self {
            manager,
            provider,
            now: 0,
            timer: None,
            answers: BTreeMap::new(),
            sequence: 0,
            dice: 7,
            takes_turns,
            most,
            says_most,
            cap,
            journal: Vec::new(),
        };
        world.say(Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), AGENTS), ("maxTurns".into(), u64::MAX)]));
        let [requests, tokens] = limits.map(|limit| Some(limit * 99 / 100));
        let rate = KeyRate { key: "p*".into(), requests_per_minute: requests, tokens_per_minute: tokens };
        world.say(Actor::Program, Input::SetRates(vec![rate]));
        for _ in 0..AGENTS {
            world.spawn();
        }
        world
    }

    fn spawn(&mut self) {
        let spec = Spec { rate_limit_key: Some("p".into()), turn_estimate: Some(self.most).filter(|_| self.says_most), ..Spec::default() };
        self.say(
            Actor::Program,
            Input::Spawn(Spawn { text: Some("go".into()), spec: Some(Box::new(spec)), tokens: self.cap, ..Spawn::default() }),
        );
    }

    fn roll(&mut self, below: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % below
    }

    fn say(&mut self, actor: Actor, input: Input) -> Reply {
        let reply = self.manager.handle(self.now, actor, input).expect("nothing is refused");
        self.journal.extend(self.manager.take_facts());
        for effect in self.manager.take_effects() {
            match effect {
                Effect::WakeAt(at) => self.timer = Some(self.timer.map_or(at, |timer| timer.min(at))),
                Effect::StartRun { task, run } if self.takes_turns => self.turn(task, run),
                Effect::StartRun { task, run } => self.call(task, run),
                Effect::TurnReady { task, run } => self.turn(task, run),
                _ => {}
            }
        }
        reply
    }

    fn turn(&mut self, task: Key, run: u32) {
        // Each expects as much of its turns as the dearest takes, if it says so.
        let estimate = Estimate { tokens: Some(self.most).filter(|_| self.says_most), nanos: None };
        if matches!(self.say(Actor::Run(task, run), Input::BeginTurn { estimate, whole: false }), Reply::Go { .. }) {
            self.call(task, run);
        }
    }

    fn call(&mut self, task: Key, run: u32) {
        let tokens = self.most - self.roll(self.most / 2);
        let is_taken = self.provider.call(self.now, tokens);
        let answers = 500 + self.roll(3_000);
        // What was refused comes back at once, and has taken nothing.
        let (tokens, after) = if is_taken || self.says_most { (tokens, answers) } else { (0, 20) };
        self.sequence += 1;
        self.answers.insert((self.now + after, self.sequence), Answer { task, run, tokens });
    }

    fn live(&mut self, until: u64) {
        loop {
            let answer = self.answers.first_key_value().map_or(u64::MAX, |((at, _), _)| *at);
            self.now = answer.min(self.timer.unwrap_or(u64::MAX)).max(self.now);
            if self.now > until {
                break;
            }
            if self.timer.is_some_and(|timer| timer <= self.now) {
                self.timer = None;
                self.say(Actor::Program, Input::Tick);
                continue;
            }
            let Some((_, Answer { task, run, tokens })) = self.answers.pop_first() else { break };
            let usage = Usage { tokens: Reading::Is(tokens), ..Usage::default() };
            if self.takes_turns {
                self.say(Actor::Run(task, run), Input::Report { usage, tokens: None, context_tokens: None, message: None });
                if self.cap.is_some() && self.roll(3) == 0 {
                    self.say(Actor::Program, Input::HostReturned { task, run, outcome: Outcome::default() });
                    self.spawn();
                } else {
                    self.turn(task, run);
                }
            } else {
                self.say(Actor::Program, Input::HostReturned { task, run, outcome: Outcome { usage, ..Outcome::default() } });
                self.spawn();
            }
        }
        self.manager.check_invariants().expect("all invariants hold");
    }
}

/// Ten minutes below these limits; gives how much of each was used, of one.
fn used(limits: [u64; 2], most: u64, takes_turns: bool) -> [f64; 2] {
    let mut world = World::new(limits, most, [takes_turns, true], None);
    world.live(600_000);
    assert_eq!(world.provider.refused, 0, "429 at 99 % of {limits:?}");
    // What is known of rates is in the facts.
    let facts = read_all(&world.journal).expect("the facts read back");
    assert!(facts.iter().any(|(_, fact)| matches!(fact, Fact::RunUnparked { .. })) == takes_turns, "turns stood in line");
    let mut folded = State::new();
    for (at, fact) in facts {
        folded.apply(at, fact);
    }
    assert!(folded == *world.manager.state(), "the fold of the facts is the state");
    [0, 1].map(|dimension| world.provider.taken[dimension] as f64 / (limits[dimension] as f64 * 10.0))
}

#[test]
fn b11_requests_come_as_fast_as_the_provider_allows_and_none_is_refused() {
    let [requests, _] = used([2_000, 100_000_000], 2_000, true);
    assert!(requests >= 0.95, "{requests} of the requests went through");
}

#[test]
fn b11_tokens_come_as_fast_as_the_provider_allows_and_no_request_is_refused() {
    let [_, tokens] = used([100_000, 2_000_000], 2_000, true);
    assert!(tokens >= 0.95, "{tokens} of the tokens went through");
}

#[test]
fn b11_what_turns_of_a_key_take_is_learned_and_only_the_first_ones_are_refused() {
    // Without caps, and where each of many short runs has one of its own.
    for cap in [None, Some(1 << 40)] {
        let limits = [100_000, 6_000_000];
        let mut world = World::new(limits, 8_000, [true, false], cap);
        world.live(600_000);
        assert!(world.provider.refused_at < 6_000, "429 at {} ms, {} in all", world.provider.refused_at, world.provider.refused);
        let tokens = world.provider.taken[1] as f64 / (limits[1] as f64 * 10.0);
        assert!(tokens >= 0.95, "{tokens} of the tokens went through");
    }
}

#[test]
fn b11_turns_that_take_more_than_may_come_at_once_pass_all_the_same() {
    let mut world = World::new([100_000, 60_000], 9_000, [true, true], None);
    world.live(600_000);
    let tokens = world.provider.taken[1] + world.provider.refused * 9_000;
    assert!(tokens > 0, "none hangs");
    let through = world.manager.state().node(subagents::ROOT).account.spent.tokens as f64 / 600_000.0;
    assert!((0.9..=1.05).contains(&through), "{through} of the tokens went through");
}

#[test]
fn b11_a_run_without_turns_is_one_request() {
    let [requests, _] = used([2_000, 100_000_000], 2_000, false);
    assert!(requests >= 0.95, "{requests} of the requests went through");
}
