//! What programs and sessions say, sensible or not, and how a seed's world is set up. Owns the choices;
//! `world.rs` checks what comes of them, and `finish.rs` brings the world to its end.

use subagents::{
    Actor, Amounts, Answers, DEFAULT_SESSION, Defaults, Estimate, Input, Key, ModelLimits, Nanos, OnParentEnd, Outcome, ROOT, Rejection,
    Reply, Retry, Spawn, Spec, StopReason, Text, UNCAPPED, UNLIMITED,
};

use super::host::usage;
use super::rates::rates;
use super::rng::Rng;
use super::tokens::prices;
use super::world::World;

/// The limits that seeds are given, and values of each that bind in so short a life.
pub(crate) const LIMITS: &[(&str, &[u64])] = &[
    ("maxConcurrent", &[1, 1, 2, 3, 6]),
    ("maxDepth", &[1, 2, 3, 4]),
    ("maxChildren", &[1, 2, 3, 32]),
    ("maxSpawns", &[3, 12, 60, UNLIMITED, UNLIMITED, UNLIMITED]),
    ("maxTasks", &[5, 20, 100_000]),
    ("retain", &[0, 1, 3, 20, 1_000]),
    ("maxQueued", &[0, 1, 3, 1_000]),
    ("graceMs", &[0, 0, 1, 500, 10_000, UNLIMITED]),
    ("abandonMs", &[1, 1_000, 60_000, UNLIMITED]),
    ("timeoutMs", &[1, 500, 10_000, 1_800_000, 1_800_000, UNLIMITED]),
    ("idleTimeoutMs", &[10, 5_000, 300_000, UNLIMITED]),
    ("maxTurns", &[1, 2, 5, 10]),
    ("turnEstimate", &[1, 50, 500, 2_000]),
    ("wrapUpTokens", &[0, 10, 1_000]),
    ("turnEstimateUsd", &[1, 30, 300]),
    ("maxAbandoned", &[1, 2, 16]),
    ("maxMessages", &[1, 3, 20]),
    ("askTimeoutMs", &[1, 2_000, 600_000]),
    ("maxResultBytes", &[1, 10, 1_048_576]),
    ("ageingMs", &[1, 100, 10_000]),
    ("maxSessions", &[2, 3, 10_000]),
    ("staggerMs", &[0, 0, 1, 40]),
    ("idempotencyTtlMs", &[1, 300, 86_400_000, UNLIMITED]),
    ("maxIdempotencyKeys", &[1, 3, 100_000]),
    ("maxCooldownMs", &[1, 500, 3_600_000]),
    ("maxCooldowns", &[1, 2, 1_000]),
    ("leaseMs", &[1, 500, 60_000, UNLIMITED]),
    ("maxDeliveries", &[1, 2, 5]),
    ("maxNotices", &[1, 3, 100_000]),
    ("maxInjected", &[1, 32]),
    ("approvalTimeoutMs", &[5, 1_000, 600_000]),
    ("maxLost", &[1, 1, 2, 5]),
    ("inlineBytes", &[1, 100, 16_384]),
    ("stallMs", &[1, 300, 5_000]),
];

/// Those that no seed is given.
pub(crate) const NOT_GIVEN: &[&str] = &[
    // The model's sums count every token whole.
    "countCacheReads",
];

pub(super) fn limit(rng: &mut Rng) -> (Text, u64) {
    let (name, values) = rng.pick(LIMITS);
    (name.into(), rng.pick(values))
}

pub(super) fn cap(rng: &mut Rng) -> Amounts {
    Amounts {
        tokens: rng.pick(&[20, 3_000, 10_000, 50_000, 1_000_000, UNCAPPED]),
        nanos: rng.pick(&[100, 1_500, 100_000, UNCAPPED, UNCAPPED, UNCAPPED]),
        turns: rng.pick(&[3, 200, UNCAPPED, UNCAPPED, UNCAPPED]),
    }
}

fn reason(rng: &mut Rng) -> StopReason {
    rng.pick(&[StopReason::Cancelled, StopReason::Cancelled, StopReason::Closed, StopReason::SignalAborted])
}

impl World {
    /// Random limits, a random budget, some sessions.
    pub(crate) fn set_up(&mut self) {
        // Half of the seeds have room: trees grow larger there, and live longer.
        self.roomy = self.rng.chance(50);
        self.begin_keeping();
        let limits = (0..if self.roomy { 5 } else { 19 }).map(|_| limit(&mut self.rng)).collect();
        let depth = self.rng.pick(&[1, 2, 3, 4, 4]);
        self.say_now(Input::SetLimits(limits));
        self.say_now(Input::SetLimits(vec![("maxDepth".into(), depth)]));
        if self.seed.is_multiple_of(2) {
            self.say_now(Input::SetPrices(prices()));
        }
        if self.seed.is_multiple_of(3) {
            self.say_now(Input::SetRates(rates()));
        }
        if self.roomy {
            let tokens = self.rng.pick(&[1_000_000, UNCAPPED]);
            self.say_now(Input::SetBudget(Amounts { tokens, ..Amounts::UNCAPPED }.into()));
            if tokens == UNCAPPED {
                self.say_now(Input::SetDefaults(Defaults { task_cap: Amounts::UNCAPPED.into(), ..Defaults::default() }));
            }
        }
        if self.rng.chance(if self.roomy { 20 } else { 70 }) {
            let cap = cap(&mut self.rng);
            self.say_now(Input::SetBudget(cap.into()));
        }
        if self.rng.chance(if self.roomy { 20 } else { 70 }) {
            let cap = cap(&mut self.rng);
            self.say_now(Input::SetDefaults(Defaults { task_cap: cap.into(), ..Defaults::default() }));
        }
        if self.rng.chance(25) {
            self.say_now(Input::SetDefaults(Defaults { reject: Some(true), ..Defaults::default() }));
        }
        if self.rng.chance(20) {
            let retry = self.rng.chance(80).then(|| random_retry(&mut self.rng));
            self.say_now(Input::SetDefaults(Defaults { retry, ..Defaults::default() }));
        }
        for _ in 0..self.rng.below(3) {
            self.say_now(Input::OpenSession("s".into()));
        }
        let (high, low) = (self.rng.next(), self.rng.next());
        self.say_now(Input::Seed(high, low));
    }

    /// The process is stopped for a while, and goes on.
    fn stand_still(&mut self) {
        let ms = self.rng.pick(&[0, 1, 1_000, 100_000]);
        self.counts.note("clock", "stands still");
        // What was due before has happened: somebody may just have spoken in the past, since when no time has passed there.
        self.say_now(Input::Tick);
        self.now += ms;
        let _ = self.step(self.now, Actor::Program, Input::StoodStill(ms), false);
        self.say_now(Input::Tick);
    }

    /// One step of a seed: the time passes, or somebody says something.
    pub(crate) fn act(&mut self) {
        if !self.model.absent.is_empty() && self.rng.chance(3) {
            self.register(1);
        }
        match self.rng.below(100) {
            0..=59 => {
                self.pass_time();
            }
            60 => {
                self.counts.note("clock", "jumps forward");
                self.now += self.rng.pick(&[1_000, 100_000, 10_000_000]);
                self.say_now(Input::Tick);
            }
            61 => self.stand_still(),
            62 => self.speak_in_the_past(),
            63..=64 => {
                self.ask_can_spawn();
                self.look_a_name_up();
            }
            65 if !self.roomy || self.rng.chance(10) => self.change_settings(),
            66 => self.take_what_is_not_driven(),
            72..=75 => self.be_foreign(),
            76..=77 => self.act_as_main(),
            _ => self.act_normally(),
        }
    }

    /// A name means somebody below whoever says it; one that several bear alike is refused, with their ids (A4).
    fn look_a_name_up(&mut self) {
        let (actor, name) = (self.random_actor(), self.rng.pick(&["ann", "bob"]));
        let top = match actor {
            Actor::Program => self.state().key(DEFAULT_SESSION),
            Actor::Session(key) | Actor::Run(key, _) => key,
        };
        match self.state().find_named(actor, name) {
            Ok(found) => assert!(self.model.is_below(found, top), "A4: {name} means {found:?} to {actor:?}"),
            Err(rejection) => {
                if let Rejection::AmbiguousNickname { task_ids, .. } = &rejection {
                    assert!(task_ids.len() > 1, "A4: {name} is refused for one: {task_ids:?}");
                    self.counts.note("rejections", rejection.code());
                }
            }
        }
    }

    pub(super) fn random_actor(&mut self) -> Actor {
        if self.rng.chance(70) {
            return Actor::Program;
        }
        let sessions: Vec<Key> = self.state().children(ROOT).map(|index| self.state().key(index)).collect();
        Actor::Session(sessions[self.rng.index(sessions.len())])
    }

    /// A task that is there, if there is one.
    pub(super) fn random_task(&mut self) -> Option<Key> {
        let tasks: Vec<Key> = self.model.nodes.iter().filter(|node| node.task && !node.forgotten).map(|node| node.key).collect();
        (!tasks.is_empty()).then(|| tasks[self.rng.index(tasks.len())])
    }

    fn forgotten_task(&mut self) -> Option<Key> {
        let tasks: Vec<Key> = self.model.nodes.iter().filter(|node| node.forgotten).map(|node| node.key).collect();
        (!tasks.is_empty()).then(|| tasks[self.rng.index(tasks.len())])
    }

    pub(crate) fn random_spawn(&mut self) -> Spawn {
        let rng = &mut self.rng;
        let text: Option<Text> = match rng.below(20) {
            0 => None,
            1 => Some("  ".into()),
            _ => Some("do it".into()),
        };
        let answers = rng.pick(&[Answers::Yes, Answers::Yes, Answers::Yes, Answers::WithTool, Answers::WithTool, Answers::No]);
        let tokens = rng.pick(&[None, None, None, Some(60), Some(600), Some(4_000), Some(UNCAPPED)]);
        let nanos = rng.pick(&[None, None, None, None, None, None, None, Some(500)]);
        let turns = rng.pick(&[None, None, None, None, None, None, Some(2), None, None, None, None, None, None, Some(0)]);
        let spec = rng.chance(40).then(|| {
            Box::new(Spec {
                label: rng.chance(50).then(|| "a label".into()),
                max_turns: rng.pick(&[None, None, Some(1), Some(3)]),
                timeout_ms: rng.pick(&[None, None, Some(5), Some(300)]),
                idle_timeout_ms: rng.pick(&[None, None, Some(4), Some(200)]),
                turn_estimate: rng.pick(&[None, None, Some(1), Some(100)]),
                turn_estimate_usd: rng.pick(&[None, None, None, None, Some(1), Some(500)]).map(Nanos),
                tools: rng.pick(&[None, None, Some("read"), Some("write")]).map(|name| vec![name.into()].into()),
                priority: rng.pick(&[None, None, Some(5), Some(-3), Some(i64::MAX), Some(i64::MIN)]),
                rate_limit_key: rng.pick(&[None, None, Some("a"), Some("b"), Some("c")]).map(Into::into),
                disallowed_tools: rng.chance(5).then(|| vec!["write".into()]),
                on_parent_end: rng.pick(&[
                    None,
                    Some(OnParentEnd::Wait),
                    Some(OnParentEnd::Wait),
                    Some(OnParentEnd::Wait),
                    Some(OnParentEnd::Wait),
                    Some(OnParentEnd::Cancel),
                    Some(OnParentEnd::Adopt),
                ]),
                retry: rng.chance(30).then(|| random_retry(rng)),
                driven: rng.chance(12),
                nickname: rng.pick(&[None, None, None, Some("ann"), Some("bob"), Some("sub_x")]).map(Into::into),
                task_id: rng.pick(&[None, None, None, None, Some("one"), Some("two"), Some("sub_x")]).map(Into::into),
                model_id: rng.pick(&[None, None, None, Some("small")]).map(Into::into),
                agent: rng.pick(&[None, None, None, None, Some("reader"), Some("writer")]).map(Into::into),
                profile: rng.pick(&[None, None, None, None, None, Some("terse")]).map(Into::into),
                max_spawns: rng.pick(&[None, None, None, None, Some(1), Some(3)]),
                ..Spec::default()
            })
        });
        let limits = ModelLimits {
            turns: rng.pick(&[None, None, None, Some(1), Some(1_000_000)]),
            nanos: rng.pick(&[None, None, None, None, None, None, Some(400), Some(UNCAPPED)]),
        };
        Spawn { text, background: rng.chance(50), tokens, nanos, turns, answers, limits, spec }
    }

    pub(crate) fn calm_spawn(&mut self, background: bool) -> Spawn {
        let tokens = if self.roomy { None } else { self.rng.pick(&[None, None, Some(3_000)]) };
        Spawn { text: Some("do it".into()), background, tokens, ..Spawn::default() }
    }

    /// One slot, no deadlines, and a tree of foreground and background work (S5). `ample`: there is budget
    /// for all of it, so that all of it has to end well; else as little as lets something start.
    pub(crate) fn run_on_one_slot(&mut self, ample: bool) {
        (self.calm, self.roomy) = (true, ample);
        let limits = [
            ("maxConcurrent", 1),
            ("maxDepth", 4),
            ("maxTurns", UNLIMITED),
            ("timeoutMs", UNLIMITED),
            ("idleTimeoutMs", UNLIMITED),
            ("wrapUpTokens", if ample { 0 } else { 50 }),
            ("turnEstimate", if ample { 10 } else { 300 }),
        ];
        self.say_now(Input::SetLimits(limits.into_iter().map(|(name, value)| (name.into(), value)).collect()));
        let tokens = if ample { self.rng.pick(&[UNCAPPED, 100_000_000]) } else { self.rng.pick(&[300, 1_000, 4_000, 20_000]) };
        let turns = if ample { UNCAPPED } else { self.rng.pick(&[UNCAPPED, 4, 30]) };
        self.say_now(Input::SetBudget(Amounts { tokens, nanos: UNCAPPED, turns }.into()));
        let task_tokens = if ample { UNCAPPED } else { self.rng.pick(&[400, 3_000, UNCAPPED]) };
        self.say_now(Input::SetDefaults(Defaults {
            task_cap: Amounts { tokens: task_tokens, ..Amounts::UNCAPPED }.into(),
            ..Defaults::default()
        }));
        for _ in 0..=self.rng.below(3) {
            let background = self.rng.chance(50);
            let spawn = self.calm_spawn(background);
            let _ = self.say(Actor::Program, Input::Spawn(spawn));
        }
        for _ in 0..20_000 {
            if !self.pass_time() {
                break;
            }
            self.steps += 1;
        }
        assert_eq!(self.model.open_runs(), 0, "S5: something doesn't finish: {:#?}", self.open_run_states());
        assert!(!ample || self.counts.of("ends", "completed") == self.counts.of("facts", "RunEnded"), "S5: something did not end well");
        self.check_all_is_over();
        self.check_nothing_is_left();
    }

    fn act_normally(&mut self) {
        // Parents whose host function has returned are there for a short time only, so they are cancelled more often.
        if self.state().returned > 0 && self.rng.chance(20) {
            return self.cancel_a_parent_that_waits();
        }
        let actor = self.random_actor();
        let target = self.random_task();
        match (self.rng.below(40), target) {
            (24, _) => {
                let spawn = self.random_spawn();
                self.spawn_once(actor, spawn);
            }
            (25, Some(task)) => {
                let _ = self.say(actor, Input::ReleaseResult(task));
            }
            (26, Some(task)) => self.read_pages(actor, task),
            (27..=28, Some(task)) => {
                let grace_ms = self.rng.pick(&[None, Some(0), Some(30), Some(5_000)]);
                let reply = self.say(actor, Input::Interrupt { task, grace_ms });
                if let Ok(reply) = reply {
                    self.counts.note("interrupts", if reply == Reply::Done { "at once" } else { "later" });
                    // Whoever finds that slow cancels: the end is then reported in the answer of that (N4).
                    if reply != Reply::Done && self.rng.chance(20) {
                        let _ = self.say(actor, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None });
                    }
                }
            }
            (29..=32, _) => self.use_inbox(actor),
            (33..=34, Some(task)) => {
                let _ = self.say(actor, Input::MoveToBackground(task));
            }
            (0..=10, _) | (_, None) => {
                let spawn = self.random_spawn();
                self.spawn_and_check(actor, spawn);
            }
            (11..=13, Some(task)) => {
                let text: Text = if self.rng.chance(5) { " ".into() } else { "and this".into() };
                for at in 0..self.rng.pick(&[1, 1, 1, 4]) {
                    let mode = self.random_mode();
                    let text = if text.trim().is_empty() { text.clone() } else { format!("{text}, the {at}. at {}", self.now).into() };
                    self.send_and_check(actor, task, mode, text);
                }
                self.send_to_the_last(actor);
            }
            (14..=16, Some(_)) => {
                let targets: Vec<Key> = (0..=self.rng.below(3)).filter_map(|_| self.random_task()).collect();
                let (all, timeout_ms) = (self.rng.chance(50), self.rng.pick(&[None, None, Some(0), Some(20), Some(4_000)]));
                let _ = self.say(actor, Input::Wait { targets, all, idle: false, timeout_ms });
            }
            (17, Some(_)) => {
                let open: Vec<Key> = self.model.waits.iter().filter(|(_, wait)| wait.open).map(|(key, _)| *key).collect();
                if !open.is_empty() {
                    self.counts.note("waits", "ended by the caller");
                    let wait = open[self.rng.index(open.len())];
                    let _ = self.say(Actor::Program, Input::EndWait(wait));
                }
            }
            (18..=19, Some(task)) => {
                // One whose host has returned is only there as long as its children work: it is picked more often.
                let open: Vec<Key> = self
                    .model
                    .nodes
                    .iter()
                    .filter(|node| node.runs.values().any(|run| run.returned && !run.ended))
                    .map(|node| node.key)
                    .collect();
                let task = if open.is_empty() || self.rng.chance(15) { task } else { open[self.rng.index(open.len())] };
                let (reason, grace_ms) = (reason(&mut self.rng), self.rng.pick(&[None, Some(0), Some(30), Some(5_000)]));
                let task = if self.rng.chance(4) { self.state().key(DEFAULT_SESSION) } else { task };
                if self.state().is_closing(task.index) {
                    self.counts.note("cancels", "while a close is under way");
                }
                let _ = self.say(actor, Input::Cancel { task, reason, grace_ms });
            }
            (20..=21, Some(task)) => {
                let _ = self.say(actor, Input::Forget(task));
            }
            (35..=36, Some(task)) => self.close_and_check(actor, task),
            (37..=38, Some(task)) => self.resume_and_check(actor, task),
            _ if self.state().returned > 0 && self.rng.chance(80) => self.cancel_a_parent_that_waits(),
            (39, Some(_)) if self.rng.chance(30) => self.close_session(),
            (22, Some(task)) => {
                let task = if self.rng.chance(30) { self.state().key(ROOT) } else { task };
                let amount = Amounts { tokens: self.rng.below(2_000), nanos: 0, turns: self.rng.below(2) };
                let _ = self.say(actor, Input::AddBudget { task, amount });
            }
            (_, Some(task)) => {
                let _ = self.say(Actor::Session(self.state().key(DEFAULT_SESSION)), Input::Forget(task));
            }
        }
    }

    fn change_settings(&mut self) {
        match self.rng.below(9) {
            8 => {
                let model_id = self.rng.pick(&[None, Some("large"), Some("small")]).map(Into::into);
                let session = self.state().key(DEFAULT_SESSION);
                self.say_now(Input::SetModel(session, model_id));
            }
            7 => {
                let sessions: Vec<Key> = self.state().children(ROOT).map(|index| self.state().key(index)).collect();
                let (session, cap) = (sessions[self.rng.index(sessions.len())], cap(&mut self.rng));
                self.say_now(Input::SetSessionBudget(session, cap));
            }
            6 => {
                let tools = self.rng.pick(&[None, Some("read"), Some("write")]).map(|name| vec![name.into()]);
                let session = self.state().key(DEFAULT_SESSION);
                self.say_now(Input::SetTools(session, tools));
            }
            0 => {
                let cap = cap(&mut self.rng);
                self.say_now(Input::SetBudget(cap.into()));
            }
            1 => {
                let cap = cap(&mut self.rng);
                self.say_now(Input::SetDefaults(Defaults { task_cap: cap.into(), ..Defaults::default() }));
            }
            2 => {
                let reject = self.rng.chance(30);
                self.say_now(Input::SetDefaults(Defaults { reject: Some(reject), ..Defaults::default() }));
            }
            3 => {
                let limits = self.rng.pick(&[("maxConcurrent", 0), ("noSuchLimit", 3)]);
                self.say_now(Input::SetLimits(vec![("graceMs".into(), 5), (limits.0.into(), limits.1)]));
            }
            4 => self.say_now(Input::OpenSession("another".into())),
            _ => {
                let limits = (0..2).map(|_| limit(&mut self.rng)).collect();
                self.say_now(Input::SetLimits(limits));
            }
        }
    }

    /// Uses keys and actors that aren't right: forgotten, unknown, another's, one that can't be.
    fn be_foreign(&mut self) {
        let unknown = Key { index: self.rng.below(2_000) as u32 + 5_000, generation: self.rng.below(9) as u32 };
        let (task, name) = match self.rng.below(3) {
            0 => (self.forgotten_task(), "uses a forgotten key"),
            1 => (Some(unknown), "uses an unknown key"),
            _ => (self.random_task(), "uses another's key"),
        };
        let Some(task) = task else { return };
        self.counts.note("misbehaviour", name);
        let sessions: Vec<Key> = self.state().children(ROOT).map(|index| self.state().key(index)).collect();
        let runs: Vec<(Key, u32)> = self.hosts.keys().copied().collect();
        let actor = match self.rng.below(4) {
            0 => Actor::Program,
            1 => Actor::Session(sessions[self.rng.index(sessions.len())]),
            2 if !runs.is_empty() => {
                let (task, run) = runs[self.rng.index(runs.len())];
                Actor::Run(task, run)
            }
            _ => Actor::Run(task, self.rng.below(3) as u32),
        };
        let input = match self.rng.below(23) {
            12 => Input::Interrupt { task, grace_ms: None },
            13 => Input::Lease { max: None, lease_ms: None },
            14 => Input::Ack { task, run: self.rng.below(3) as u32 },
            15 => Input::MoveToBackground(task),
            16 => Input::AwaitApproval,
            17 => Input::BeginTool("read".into()),
            18 => Input::Todos { open: 1, todos: "[]".into() },
            19 => Input::Count { policy: "c".into(), limit: 1, todos: false },
            20 => Input::Close { task, grace_ms: None },
            21 => Input::Resume(task),
            22 => Input::CloseSession { session: task, reason: StopReason::Closed, grace_ms: None },
            0 => Input::Send { task, mode: self.random_mode(), text: "hello".into() },
            1 => Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None },
            2 => Input::Forget(task),
            3 => Input::AddBudget { task, amount: Amounts { tokens: 1, ..Amounts::ZERO } },
            4 => Input::Wait { targets: vec![task], all: false, idle: false, timeout_ms: Some(5) },
            5 | 6 => Input::TakeRun(task),
            7 => Input::HostReturned { task, run: 7, outcome: Outcome::default() },
            8 => Input::BeginTurn { estimate: Estimate::default(), whole: false },
            9 => Input::Spawn(Spawn { text: Some("foreign".into()), ..Spawn::default() }),
            10 => Input::EndWait(unknown),
            _ => Input::Report { usage: usage(&mut self.rng, true), tokens: None, context_tokens: None, message: None },
        };
        // Whoever asks for a turn in a run's name, it is the run that waits for it.
        if let (Actor::Run(task, run), Input::BeginTurn { .. }) = (actor, &input) {
            self.host_turn(task, run);
            return;
        }
        let _ = self.say(actor, input);
    }
}

/// How runs are tried again: after what, how often, how soon.
pub(super) fn random_retry(rng: &mut Rng) -> Box<Retry> {
    let any: Vec<StopReason> = StopReason::ALL.iter().copied().filter(|reason| reason.may_be_retried()).collect();
    Box::new(Retry {
        max: rng.pick(&[1, 2, 5]),
        backoff_ms: rng.pick(&[1, 10, 400, 5_000]),
        on: rng.pick(&[&Retry::USUALLY_ON[..], &any, &[StopReason::HostFailed]]).to_vec(),
    })
}
