//! What programs and sessions say, sensible or not, and how a seed's world is set up and brought to its
//! end. Owns the choices; `world.rs` checks what comes of them.

use subagents::{
    Actor, Amounts, DEFAULT_SESSION, Effect, Input, Key, Outcome, ROOT, Rejection, Reply, Returned, Spawn, Spec, Status, StopReason, Text,
    UNCAPPED, UNLIMITED,
};

use super::host::usage;
use super::model::Place;
use super::rng::Rng;
use super::world::World;

fn limit(rng: &mut Rng) -> (Text, u64) {
    let (name, values): (&str, &[u64]) = rng.pick(&[
        ("maxConcurrent", &[1, 1, 2, 3, 6]),
        ("maxDepth", &[1, 2, 3, 4]),
        ("maxChildren", &[1, 2, 3, 32]),
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
        ("maxAbandoned", &[1, 2, 16]),
        ("maxMessages", &[1, 3, 20]),
        ("maxResultBytes", &[1, 10, 1_048_576]),
        ("ageingMs", &[1, 100, 10_000]),
        ("maxSessions", &[2, 3, 10_000]),
    ]);
    (name.into(), rng.pick(values))
}

fn cap(rng: &mut Rng) -> Amounts {
    Amounts {
        tokens: rng.pick(&[20, 3_000, 10_000, 50_000, 1_000_000, UNCAPPED]),
        nanos: rng.pick(&[100, 100_000, UNCAPPED, UNCAPPED, UNCAPPED]),
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
        let limits = (0..if self.roomy { 5 } else { 18 }).map(|_| limit(&mut self.rng)).collect();
        let depth = self.rng.pick(&[1, 2, 3, 4, 4]);
        self.say_now(Input::SetLimits(limits));
        self.say_now(Input::SetLimits(vec![("maxDepth".into(), depth)]));
        if self.roomy {
            let tokens = self.rng.pick(&[1_000_000, UNCAPPED]);
            self.say_now(Input::SetBudget(Amounts { tokens, ..Amounts::UNCAPPED }));
            if tokens == UNCAPPED {
                self.say_now(Input::SetTaskCap(Amounts::UNCAPPED));
            }
        }
        if self.rng.chance(if self.roomy { 20 } else { 70 }) {
            let cap = cap(&mut self.rng);
            self.say_now(Input::SetBudget(cap));
        }
        if self.rng.chance(if self.roomy { 20 } else { 70 }) {
            let cap = cap(&mut self.rng);
            self.say_now(Input::SetTaskCap(cap));
        }
        if self.rng.chance(25) {
            self.say_now(Input::SetReject(true));
        }
        for _ in 0..self.rng.below(3) {
            self.say_now(Input::OpenSession("s".into()));
        }
        let (high, low) = (self.rng.next(), self.rng.next());
        self.say_now(Input::Seed(high, low));
    }

    /// One step of a seed: the time passes, or somebody says something.
    pub(crate) fn act(&mut self) {
        match self.rng.below(100) {
            0..=59 => {
                self.pass_time();
            }
            60 => {
                self.counts.note("clock", "jumps forward");
                self.now += self.rng.pick(&[1_000, 100_000, 10_000_000]);
                self.say_now(Input::Tick);
            }
            61..=62 => self.speak_in_the_past(),
            63..=64 => self.ask_can_spawn(),
            65 if !self.roomy || self.rng.chance(10) => self.change_settings(),
            66..=71 => self.act_manually(),
            72..=76 => self.be_foreign(),
            _ => self.act_normally(),
        }
    }

    fn random_actor(&mut self) -> Actor {
        if self.rng.chance(70) {
            return Actor::Program;
        }
        let sessions: Vec<Key> = self.state().children(ROOT).map(|slot| self.state().key(slot)).collect();
        Actor::Session(sessions[self.rng.index(sessions.len())])
    }

    /// A task that is there, if there is one.
    fn random_task(&mut self) -> Option<Key> {
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
                tools: rng.pick(&[None, None, Some("read"), Some("write")]).map(|name| vec![name.into()]),
                priority: rng.pick(&[None, None, Some(5), Some(-3), Some(i64::MAX), Some(i64::MIN)]),
                ..Spec::default()
            })
        });
        Spawn { text, background: rng.chance(50), tokens, nanos, turns, spec }
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
        self.say_now(Input::SetBudget(Amounts { tokens, nanos: UNCAPPED, turns }));
        let task_tokens = if ample { UNCAPPED } else { self.rng.pick(&[400, 3_000, UNCAPPED]) };
        self.say_now(Input::SetTaskCap(Amounts { tokens: task_tokens, ..Amounts::UNCAPPED }));
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
        let actor = self.random_actor();
        let target = self.random_task();
        match (self.rng.below(24), target) {
            (0..=10, _) | (_, None) => {
                let spawn = self.random_spawn();
                self.spawn_and_check(actor, spawn);
            }
            (11..=13, Some(task)) => {
                let text: Text = if self.rng.chance(5) { " ".into() } else { "and this".into() };
                for _ in 0..self.rng.pick(&[1, 1, 1, 4]) {
                    self.send_and_check(actor, task, text.clone());
                }
            }
            (14..=16, Some(_)) => {
                let targets: Vec<Key> = (0..=self.rng.below(3)).filter_map(|_| self.random_task()).collect();
                let (all, timeout_ms) = (self.rng.chance(50), self.rng.pick(&[None, None, Some(0), Some(20), Some(4_000)]));
                let _ = self.say(actor, Input::Wait { targets, all, timeout_ms });
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
                let (reason, grace_ms) = (reason(&mut self.rng), self.rng.pick(&[None, Some(0), Some(30), Some(5_000)]));
                let task = if self.rng.chance(4) { self.state().key(DEFAULT_SESSION) } else { task };
                let _ = self.say(actor, Input::Cancel { task, reason, grace_ms });
            }
            (20..=21, Some(task)) => {
                let _ = self.say(actor, Input::Forget(task));
            }
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

    /// In reject mode nothing that was admitted waits, unless its caller still holds the slot (D2).
    fn spawn_and_check(&mut self, actor: Actor, spawn: Spawn) {
        let reply = self.say(actor, Input::Spawn(spawn));
        if let Ok(Reply::Node(task)) = reply
            && self.state().reject
            && self.state().tree.contains(task)
        {
            assert_ne!(self.state().node(task.slot).status, Status::Pending, "D2: {task:?} waits, though nothing may wait");
        }
    }

    /// The same holds of a message that starts a run, unless the last run's host function has to return.
    fn send_and_check(&mut self, actor: Actor, task: Key, text: Text) {
        let reply = self.say(actor, Input::Send { task, text });
        if reply == Ok(Reply::Sent { started: true }) && self.state().reject && self.state().tree.contains(task) {
            let node = self.state().node(task.slot);
            let waits = node.status == Status::Pending && node.lingering == subagents::NONE;
            assert!(!waits, "D2: {task:?} waits, though nothing may wait");
        }
    }

    fn speak_in_the_past(&mut self) {
        self.counts.note("clock", "jumps backward");
        let past = self.now.saturating_sub(self.rng.pick(&[1, 1_000, 10_000_000]));
        let before = self.state().now;
        let spawn = self.random_spawn();
        self.say_at(past, Actor::Program, Input::Spawn(spawn));
        assert!(self.state().now >= before, "T3: the time ran backwards");
    }

    /// `canSpawn` says what a spawn would do (D3): asked on a copy, which is then thrown away.
    fn ask_can_spawn(&mut self) {
        let runs: Vec<Actor> =
            self.hosts.iter().filter(|(_, host)| !host.ended && !host.returned).map(|((task, run), _)| Actor::Run(*task, *run)).collect();
        let actor = if runs.is_empty() || self.rng.chance(40) { self.random_actor() } else { runs[self.rng.index(runs.len())] };
        let mut copy = self.manager.clone();
        let _ = copy.handle(self.now, Actor::Program, Input::Tick);
        let said = copy.can_spawn(actor);
        let _ = copy.take_effects();
        let reply = copy.handle(self.now, actor, Input::Spawn(Spawn { text: Some("try".into()), ..Spawn::default() }));
        let starts = match &reply {
            Ok(Reply::Node(task)) => {
                if matches!(actor, Actor::Run(..)) {
                    let _ = copy.handle(self.now, actor, Input::Wait { targets: vec![*task], all: true, timeout_ms: None });
                }
                copy.take_effects().contains(&Effect::StartRun { task: *task, run: 1 })
            }
            Ok(_) => false,
            // `canSpawn` doesn't promise that there is room for the record.
            Err(Rejection::TasksLimit { .. }) => said,
            Err(_) => false,
        };
        self.counts.note("canSpawn", if said { "yes" } else { "no" });
        assert_eq!(said, starts, "D3: whether {actor:?} may spawn, and whether a spawn would start: {reply:?}");
    }

    fn change_settings(&mut self) {
        match self.rng.below(7) {
            6 => {
                let tools = self.rng.pick(&[None, Some("read"), Some("write")]).map(|name| vec![name.into()]);
                let session = self.state().key(DEFAULT_SESSION);
                self.say_now(Input::SetTools(session, tools));
            }
            0 => {
                let cap = cap(&mut self.rng);
                self.say_now(Input::SetBudget(cap));
            }
            1 => {
                let cap = cap(&mut self.rng);
                self.say_now(Input::SetTaskCap(cap));
            }
            2 => {
                let reject = self.rng.chance(30);
                self.say_now(Input::SetReject(reject));
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

    fn act_manually(&mut self) {
        let manual: Vec<Key> = self.model.nodes.iter().filter(|node| node.manual && !node.forgotten).map(|node| node.key).collect();
        let task = (!manual.is_empty()).then(|| manual[self.rng.index(manual.len())]);
        match (self.rng.below(10), task) {
            (0..=2, _) | (_, None) => {
                let spawn = self.random_spawn();
                let actor = self.random_actor();
                let _ = self.say(actor, Input::CreateTask(spawn));
            }
            (3..=4, Some(task)) => {
                let _ = self.say(Actor::Program, Input::MarkRunning(task));
            }
            (5..=6, Some(task)) => {
                let outcome = self.random_outcome();
                let _ = self.say(Actor::Program, Input::MarkEnded { task, outcome });
            }
            (7, Some(_)) => {
                let tokens = self.rng.below(3_000);
                let _ = self.say(Actor::Program, Input::Allocate(tokens));
            }
            (8, Some(_)) => {
                let tokens = self.rng.below(3_000);
                let _ = self.say(Actor::Program, Input::Release(tokens));
            }
            (_, Some(task)) => self.confuse_styles(task),
        }
    }

    /// Uses the manual calls on ordinary tasks and the others on manual ones.
    fn confuse_styles(&mut self, manual: Key) {
        self.counts.note("misbehaviour", "confuses the styles");
        let ordinary = self.random_task().unwrap_or(manual);
        let run = self.state().node(manual.slot).runs;
        let outcome = self.random_outcome();
        let estimate = None;
        let (actor, input) = match self.rng.below(6) {
            0 => (Actor::Program, Input::MarkRunning(ordinary)),
            1 => (Actor::Program, Input::MarkEnded { task: ordinary, outcome }),
            2 => (Actor::Program, Input::Send { task: manual, text: "hello".into() }),
            3 => (Actor::Program, Input::Settle { task: manual, run, outcome }),
            4 => (Actor::Run(manual, run), Input::BeginTurn { estimate }),
            _ => (Actor::Run(manual, run), Input::Spawn(self.random_spawn())),
        };
        let _ = self.say(actor, input);
    }

    fn random_outcome(&mut self) -> Outcome {
        let returned = self.rng.pick(&[Returned::Completed, Returned::Failed, Returned::Cancelled, Returned::TimedOut, Returned::Invalid]);
        Outcome { returned, output: "by hand".into(), usage: usage(&mut self.rng, self.hostile), ..Outcome::default() }
    }

    /// Uses keys and actors that aren't right: forgotten, unknown, another's, one that can't be.
    fn be_foreign(&mut self) {
        let unknown = Key { slot: self.rng.below(2_000) as u32 + 5_000, generation: self.rng.below(9) as u32 };
        let (task, name) = match self.rng.below(3) {
            0 => (self.forgotten_task(), "uses a forgotten key"),
            1 => (Some(unknown), "uses an unknown key"),
            _ => (self.random_task(), "uses another's key"),
        };
        let Some(task) = task else { return };
        self.counts.note("misbehaviour", name);
        let sessions: Vec<Key> = self.state().children(ROOT).map(|slot| self.state().key(slot)).collect();
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
        let input = match self.rng.below(12) {
            0 => Input::Send { task, text: "hello".into() },
            1 => Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None },
            2 => Input::Forget(task),
            3 => Input::AddBudget { task, amount: Amounts { tokens: 1, ..Amounts::ZERO } },
            4 => Input::Wait { targets: vec![task], all: false, timeout_ms: Some(5) },
            5 => Input::MarkRunning(task),
            6 => Input::MarkEnded { task, outcome: Outcome::default() },
            7 => Input::Settle { task, run: 7, outcome: Outcome::default() },
            8 => Input::BeginTurn { estimate: None },
            9 => Input::Spawn(Spawn { text: Some("foreign".into()), ..Spawn::default() }),
            10 => Input::EndWait(unknown),
            _ => Input::Report { usage: usage(&mut self.rng, true), context_tokens: None, message: None },
        };
        // Whoever asks for a turn in a run's name, it is the run that waits for it.
        if let (Actor::Run(task, run), Input::BeginTurn { .. }) = (actor, &input) {
            self.host_turn(task, run);
            return;
        }
        let _ = self.say(actor, input);
    }

    /// Brings a seed to its end in one of several ways; afterwards nothing may be open.
    pub(crate) fn finish(&mut self) {
        self.ending = true;
        let way = self.rng.below(4);
        if self.rng.chance(30) {
            self.counts.note("endings", "drained");
            let timeout_ms = self.rng.pick(&[0, 50, 20_000, UNLIMITED]);
            self.say_now(Input::Drain { timeout_ms });
            if self.rng.chance(30) {
                self.say_now(Input::Drain { timeout_ms: 10 });
            }
            let spawn = self.random_spawn();
            self.say_now(Input::Spawn(spawn));
            if let Some(task) = self.random_task() {
                self.say_now(Input::Send { task, text: "too late".into() });
            }
        }
        self.end_by_hand();
        match way {
            0 | 1 => {
                self.counts.note("endings", "every host returned");
                self.let_hosts_return();
            }
            2 => {
                self.counts.note("endings", "only the time passed");
                self.silence_hosts();
                self.let_time_pass();
            }
            _ => {
                self.counts.note("endings", "everything was cancelled");
                self.silence_hosts();
                let task = self.state().key(ROOT);
                let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Closed, grace_ms: Some(100) });
                self.silence_hosts();
                self.let_time_pass();
            }
        }
        if way >= 2 {
            self.end_what_has_no_deadline();
        }
        self.check_all_is_over();
        self.let_hosts_return();
        self.check_nothing_is_left();
    }

    /// Ends what only the program can end: manual tasks, and tokens it set aside.
    fn end_by_hand(&mut self) {
        let manual: Vec<Key> = self.model.nodes.iter().filter(|node| node.manual && !node.forgotten).map(|node| node.key).collect();
        for task in manual {
            let _ = self.say(Actor::Program, Input::MarkEnded { task, outcome: Outcome::default() });
        }
        let reserve = self.state().node(DEFAULT_SESSION).reserve();
        self.say_now(Input::Release(reserve));
    }

    /// Every host function returns, in a random order, again and again until none runs.
    fn let_hosts_return(&mut self) {
        for _ in 0..1_000 {
            let open: Vec<(Key, u32)> = self.hosts.iter().filter(|(_, host)| !host.returned).map(|(key, _)| *key).collect();
            if open.is_empty() {
                // What is queued behind a host function or a wait may need the time to pass.
                if self.model.open_runs() == 0 || !self.pass_time() {
                    return;
                }
                continue;
            }
            let (task, run) = open[self.rng.index(open.len())];
            self.host_return(task, run);
        }
        panic!("the hosts return for ever");
    }

    fn let_time_pass(&mut self) {
        for _ in 0..3_000 {
            if !self.pass_time() {
                return;
            }
            // Hosts that are called now never return either.
            self.silence_hosts();
        }
        panic!("the time passes for ever");
    }

    /// Without deadlines, with too many abandoned hosts, or with a grace without end, silence can last;
    /// then the program cancels and the hosts have to return.
    fn end_what_has_no_deadline(&mut self) {
        if self.model.open_runs() == 0 {
            return;
        }
        let blocked = u64::from(self.state().abandoned) >= self.state().limits.max_abandoned;
        let lifted = self.model.nodes.iter().flat_map(|node| node.runs.values()).any(|run| run.place != Place::Gone && run.endless);
        assert!(
            blocked || lifted,
            "nothing hangs: {} runs are open, though every deadline has passed: {:#?}",
            self.model.open_runs(),
            self.open_run_states()
        );
        self.let_hosts_return();
        let task = self.state().key(ROOT);
        let _ = self.say(Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(0) });
        self.let_time_pass();
    }

    fn open_run_states(&self) -> Vec<&subagents::run::Run> {
        let runs = &self.state().runs;
        runs.slots().map(|slot| runs.at(slot)).collect()
    }

    fn check_all_is_over(&self) {
        assert_eq!(self.model.open_runs(), 0, "nothing hangs: runs are open at the end");
        let open: Vec<_> = self.model.waits.iter().filter(|(_, wait)| wait.open || !wait.told).collect();
        assert!(open.is_empty(), "nothing hangs: waits are open at the end: {open:?}");
        let sealed = self.model.nodes.iter().find(|node| node.sealed && !node.forgotten);
        assert!(sealed.is_none(), "C1: a cancel never settled: {sealed:?}");
    }

    /// With all hosts returned nothing is held, and everything can be forgotten.
    fn check_nothing_is_left(&mut self) {
        assert_eq!(self.state().node(ROOT).account.held, Amounts::ZERO, "B2: something is held at the end");
        assert_eq!((self.state().held, self.state().parked, self.state().abandoned), (0, 0, 0), "S4: slots are held at the end");
        assert!(self.state().runs.is_empty(), "runs are kept at the end");
        let sessions: Vec<u32> = self.state().children(ROOT).collect();
        for session in &sessions {
            while let Some(task) = self.first_child(*session) {
                let reply = self.say(Actor::Program, Input::Forget(task));
                assert_eq!(reply, Ok(Reply::Done), "L8: {task:?} can't be forgotten");
            }
        }
        assert_eq!(self.state().tree.len() as usize, sessions.len() + 1, "something is left of what was forgotten");
        assert_eq!(self.state().counts, [0; 9]);
        self.compare_fold();
    }

    fn first_child(&self, slot: u32) -> Option<Key> {
        self.state().children(slot).next().map(|child| self.state().key(child))
    }
}
