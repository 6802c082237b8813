//! The stage on which a transcript plays: a manager, the time, the names, and what came of each command.
//! Owns what each verb means; `README.md` lists them.

use std::collections::BTreeMap;

use subagents::{
    Actor, Amounts, Answer, Answers, Bounds, DEFAULT_SESSION, Defaults, Effect, Estimate, Fact, Input, Key, KeyRate, Kinds, Manager, Mode,
    ModelLimits, ModelPrice, Nanos, Once, Outcome, Point, ROOT, Reading, Rejection, Reply, ReportedTokens, ResultDetails, Retry,
    RetryEnded, Returned, Ruling, RunOutput, Spawn, Spec, Staged, StopReason, Text, Usage, read_all,
};

use super::command::{Command, number};
use super::render::{self, Names};

pub(crate) struct Stage {
    manager: Manager,
    now: u64,
    names: Names,
    /// The name of what the present command makes.
    naming: Option<String>,
    /// Who spawned each; nothing for the program.
    spawned_by: BTreeMap<String, Option<String>>,
    /// When the manager asked to be woken.
    timer: Option<u64>,
    results: Vec<String>,
    /// The time that the results so far stand for.
    shown_at: u64,
    /// Every fact since the beginning.
    journal: Vec<(u64, Fact)>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let mut manager = Manager::new();
        manager.listen(true);
        let names = Names::default();
        Self {
            manager,
            now: 0,
            names,
            naming: None,
            spawned_by: BTreeMap::new(),
            timer: None,
            results: Vec::new(),
            shown_at: 0,
            journal: Vec::new(),
        }
    }

    pub(crate) fn take_results(&mut self) -> Vec<String> {
        std::mem::take(&mut self.results)
    }

    pub(crate) fn perform(&mut self, line: &str) -> Result<(), String> {
        let command = Command::parse(line)?;
        self.carry_out(&command)?;
        command.expect_read()
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match command.verb.as_str() {
            "tick" => return self.tick(number(command.word(0)?)?),
            "stand-still" => {
                let ms = number(command.word(0)?)?;
                self.now += ms;
                let _ = self.say(Actor::Program, Input::StoodStill(ms));
                return Ok(());
            }
            "reopen" => return self.reopen(),
            "info" => {
                let state = self.manager.state();
                self.results.push(format!(
                    "active={} queued={} parked={} abandoned={}",
                    state.taken_slots,
                    state.queued(),
                    state.parked,
                    state.abandoned
                ));
                return Ok(());
            }
            "look" => return self.look(command.word(0)?),
            "read" => return self.read(command),
            "peek" => return self.peek(command),
            "can-spawn" => {
                let actor = self.actor(command)?;
                self.results.push(format!("canSpawn={}", self.manager.can_spawn(self.now, actor)));
                return Ok(());
            }
            _ => {}
        }
        let actor = self.actor(command)?;
        let input = self.input(command)?;
        let named = matches!(input, Input::Spawn(_) | Input::SpawnOnce(_) | Input::OpenSession(_));
        self.naming = if named { Some(command.word(0)?.to_owned()) } else { None };
        if matches!(input, Input::Spawn(_) | Input::SpawnOnce(_)) {
            self.spawned_by.insert(command.word(0)?.to_owned(), command.option("by").map(Into::into));
        }
        let _ = self.say(actor, input);
        Ok(())
    }

    /// Lets the time pass, and the manager wake up whenever it asked to.
    fn tick(&mut self, ms: u64) -> Result<(), String> {
        let end = self.now + ms;
        while let Some(at) = self.timer.filter(|at| *at <= end) {
            self.timer = None;
            self.now = self.now.max(at);
            let _ = self.say(Actor::Program, Input::Tick);
        }
        self.now = end;
        let _ = self.say(Actor::Program, Input::Tick);
        Ok(())
    }

    /// The manager is lost; another one is opened from its facts.
    fn reopen(&mut self) -> Result<(), String> {
        self.timer = None;
        self.names.lose_waits();
        self.manager = Manager::open(self.now, self.journal.clone()).map_err(|damaged| damaged.to_string())?;
        self.show(&Ok(Reply::Done));
        Ok(())
    }

    /// Where a node stands and what its budget is.
    fn look(&mut self, name: &str) -> Result<(), String> {
        let key = self.key(name)?;
        let state = self.manager.state();
        if !state.tree.contains(key) {
            self.results.push(format!("{name} is forgotten"));
            return Ok(());
        }
        let node = state.node(key.index);
        let mut line = name.to_owned();
        if node.is_task() {
            line = format!("{line} {}", node.status.name());
        }
        if node.run != subagents::NONE
            && let Some(why) = state.run_of(key.index).parked()
        {
            line = format!("{line} parked={}", why.name());
        }
        if !node.output.is_empty() {
            line = format!("{line} output=\"{}\"", node.output);
        }
        let rare = node.rare.as_deref();
        if let Some(late) = rare.and_then(|rare| rare.late_result.as_deref()) {
            line = format!("{line} lateResult=\"{late}\"");
        }
        let account = &node.account;
        line = format!("{line} spent={} reserved={}", render::amounts(account.spent), render::amounts(account.reserved));
        let overspent = account.overspent();
        if !overspent.is_zero() {
            line = format!("{line} overspent={}", render::amounts(overspent));
        }
        self.results.push(line);
        Ok(())
    }

    /// A page of a result.
    fn read(&mut self, command: &Command) -> Result<(), String> {
        let (key, actor) = (self.key(command.word(0)?)?, self.actor(command)?);
        let narrow = |value: Option<u64>, default: u32| value.and_then(|value| u32::try_from(value).ok()).unwrap_or(default);
        let (offset, limit) = (narrow(command.number("offset")?, 0), narrow(command.number("limit")?, u32::MAX));
        let line = match subagents::read_result(self.manager.state(), actor, key, offset, limit) {
            Ok(page) => {
                let next = page.next_offset.map(|next| format!(" next={next}")).unwrap_or_default();
                let cut = if page.cut { " cut" } else { "" };
                format!("\"{}\" at={}{next} total={}{cut}", page.text, page.offset, page.total)
            }
            Err(rejection) => format!("! {}", rejection.code()),
        };
        self.results.push(line);
        Ok(())
    }

    /// What waits in an inbox.
    fn peek(&mut self, command: &Command) -> Result<(), String> {
        let owner = match self.actor(command)? {
            Actor::Program => self.key("session")?,
            Actor::Session(key) | Actor::Run(key, _) => key,
        };
        let state = self.manager.state();
        for index in state.inbox(owner.index) {
            let notice = subagents::notice_view::notice(state, index);
            let key = state.named_by(index);
            let from = state.notices.at(index).rerouted_from.map(|from| format!(" reroutedFrom={}", self.names.task(from)));
            self.results.push(format!(
                "{}#{} {} output=\"{}\" delivery={} attempt={}{}",
                self.names.task(key),
                notice.run,
                notice.status.name(),
                notice.output,
                notice.delivery,
                notice.attempt,
                from.unwrap_or_default()
            ));
        }
        Ok(())
    }

    fn key(&self, name: &str) -> Result<Key, String> {
        let state = self.manager.state();
        match name {
            "manager" => Ok(state.key(ROOT)),
            "session" => Ok(state.key(DEFAULT_SESSION)),
            _ => self.names.tasks.get(name).copied().ok_or_else(|| format!("nothing is called {name}")),
        }
    }

    /// The run that a command is about: the last one of the task, unless `run=` says another.
    fn run(&self, command: &Command, key: Key) -> Result<u32, String> {
        let given = command.number("run")?.and_then(|run| u32::try_from(run).ok());
        Ok(given.unwrap_or_else(|| self.manager.state().node(key.index).runs))
    }

    /// Who speaks: the run of a turn or a report, else who `by=` names, else the program.
    fn actor(&self, command: &Command) -> Result<Actor, String> {
        let name = match command.verb.as_str() {
            "turn" | "report" | "rate-limited" | "ask" | "tool" | "tool-done" | "rule" | "count" | "todos" | "await" | "approved"
            | "main-turn" | "main-end" => Some(command.word(0)?),
            _ => command.option("by"),
        };
        let Some(name) = name else { return Ok(Actor::Program) };
        let key = self.key(name)?;
        let is_task = self.manager.state().node(key.index).is_task() || !self.manager.state().tree.contains(key);
        Ok(if is_task { Actor::Run(key, self.run(command, key)?) } else { Actor::Session(key) })
    }

    /// The task that a command names, else the speaker's open child that changed last (M3).
    fn target_or_last(&self, command: &Command) -> Result<Key, String> {
        match command.rest().first() {
            Some(name) => self.key(name),
            None => self.manager.state().open_child(self.actor(command)?).ok_or_else(|| "there is no open child".into()),
        }
    }

    fn input(&self, command: &Command) -> Result<Input, String> {
        let target = || self.key(command.word(0)?);
        let text = || command.text.clone().unwrap_or_default().into();
        Ok(match command.verb.as_str() {
            "set" => {
                let mut limits = Vec::new();
                for name in command.names() {
                    limits.push((name.as_str().into(), command.number(name)?.unwrap_or_default()));
                }
                Input::SetLimits(limits)
            }
            "budget" => Input::SetBudget(caps(command)?.into()),
            "task-budget" => Input::SetDefaults(Defaults { task_cap: caps(command)?.into(), ..Defaults::default() }),
            "on-limit" => Input::SetDefaults(Defaults { reject: Some(command.word(0)? == "reject"), ..Defaults::default() }),
            "tools" => {
                let names = command.text.as_deref().unwrap_or_default().split_whitespace();
                Input::SetTools(self.key(command.word(0)?)?, Some(names.map(Into::into).collect()))
            }
            "open-session" => Input::OpenSession(command.word(0)?.into()),
            "spawn" => match command.option("key") {
                // The other parameters as this line has them: TypeScript makes its own text of its own.
                Some(key) => {
                    let spawn = spawn(command)?;
                    let parameters = format!("{spawn:?}").into();
                    let work = format!("{:?}", Spawn { tokens: None, nanos: None, turns: None, ..spawn.clone() }).into();
                    let retry_ended = command.option("retryEnded").map(|on| match on {
                        "bad" => RetryEnded::Bad,
                        reasons => RetryEnded::On(reasons.split(',').filter_map(StopReason::from_name).collect()),
                    });
                    Input::SpawnOnce(Box::new(Once { spawn, key: key.into(), parameters, work, retry_ended }))
                }
                None => Input::Spawn(spawn(command)?),
            },
            "rate-limited" => Input::ReportRateLimit {
                retry_after_ms: command.number("retryAfterMs")?.unwrap_or(0),
                remaining_requests: command.number("requests")?,
                remaining_tokens: command.number("tokens")?,
            },
            "release-result" => Input::ReleaseResult(target()?),
            "session-budget" => Input::SetSessionBudget(target()?, caps(command)?),
            "send" => {
                let mode = mode(command);
                Input::Send { task: self.target_or_last(command)?, mode, text: text() }
            }
            "interrupt" => Input::Interrupt { task: self.target_or_last(command)?, grace_ms: command.number("graceMs")? },
            "ask" => Input::Ask { question: text(), timeout_ms: command.number("timeoutMs")? },
            "turn" => Input::BeginTurn {
                estimate: Estimate { tokens: command.number("estimate")?, nanos: command.number("nanos")? },
                whole: command.number("whole")? == Some(1),
            },
            "prices" => Input::SetPrices(vec![price(command)?]),
            "rates" => Input::SetRates(vec![KeyRate {
                key: command.word(0)?.into(),
                requests_per_minute: command.number("requests")?,
                tokens_per_minute: command.number("tokens")?,
            }]),
            "report" => Input::Report {
                usage: usage(command)?,
                tokens: told(command)?,
                context_tokens: command.number("contextTokens")?,
                message: command.option("message").map(Into::into),
            },
            "settle" => {
                let task = target()?;
                Input::HostReturned { task, run: self.run(command, task)?, outcome: outcome(command)? }
            }
            "wait" => self.wait(command)?,
            "end-wait" => {
                let place: usize = command.word(0)?.trim_start_matches('w').parse().map_err(|_| "that is no wait")?;
                Input::EndWait(*self.names.waits.get(place - 1).ok_or("there is no such wait")?)
            }
            "host" => {
                let task = target()?;
                Input::NoteHost { task, run: self.run(command, task)?, called: command.word(1)? == "called" }
            }
            "abort-call" => Input::AbortCall { task: target()?, wait: None, reads: command.says("reads") },
            "cancel" => Input::Cancel { task: target()?, reason: StopReason::Cancelled, grace_ms: command.number("graceMs")? },
            "forget" => Input::Forget(target()?),
            "close" => Input::Close { task: target()?, grace_ms: command.number("graceMs")? },
            "resume" => Input::Resume(target()?),
            "close-session" => Input::CloseSession { session: target()?, reason: StopReason::Closed, grace_ms: command.number("graceMs")? },
            "add-budget" => Input::AddBudget { task: target()?, amount: amounts(command)? },
            "drain" => Input::Drain { timeout_ms: command.number("timeoutMs")?.unwrap_or(u64::MAX) },
            "background" => Input::MoveToBackground(target()?),
            "take-run" => Input::TakeRun(target()?),
            "lease" => Input::Lease { max: command.number("max")?, lease_ms: command.number("leaseMs")? },
            "ack" => {
                let task = target()?;
                Input::Ack { task, run: self.run(command, task)? }
            }
            "tool" => Input::BeginTool(command.word(1)?.into()),
            "tool-done" => Input::EndTool(command.says("listens")),
            "block-tools" => Input::BlockTools(command.rest().into_iter().map(Into::into).collect()),
            "rule" => Input::Rule(Ruling {
                point: Point::from_name(command.word(1)?).ok_or("there is no such point")?,
                answer: Answer::from_name(command.word(2)?).ok_or("there is no such answer")?,
                reason: StopReason::Policy,
                policy: "p".into(),
                text: text(),
            }),
            "count" => Input::Count {
                policy: command.word(1)?.into(),
                limit: command.number("limit")?.unwrap_or(u64::MAX),
                todos: command.says("todos"),
            },
            "todos" => Input::Todos { open: command.number("open")?.unwrap_or_default(), todos: text() },
            "await" => Input::AwaitApproval,
            "approved" => Input::Approved { starting: command.says("starting") },
            "main-turn" => Input::BeginMainTurn(Bounds {
                turns: command.number("maxTurns")?.unwrap_or(u64::MAX),
                context_tokens: command.number("maxContextTokens")?.unwrap_or(u64::MAX),
                ms: command.number("timeoutMs")?.unwrap_or(u64::MAX),
            }),
            "main-end" => Input::EndMain,
            other => return Err(format!("there is no command `{other}`")),
        })
    }

    /// Says something and notes what comes of it: the answer, the facts, what the host has to do.
    fn say(&mut self, actor: Actor, input: Input) -> Result<Reply, Rejection> {
        let reply = self.manager.handle(self.now, actor, input);
        self.show(&reply);
        reply
    }

    fn show(&mut self, reply: &Result<Reply, Rejection>) {
        let facts = read_all(&self.manager.take_facts()).expect("the manager's own facts read back");
        self.journal.extend(facts.iter().cloned());
        let mut lines = Vec::new();
        for (_, fact) in &facts {
            if let Fact::TaskAdmitted { task, .. } | Fact::SessionOpened { task, .. } = fact
                && let Some(name) = self.naming.take()
            {
                self.names.tasks.insert(name, *task);
            }
            lines.extend(render::line(fact, &mut self.names));
        }
        for effect in self.manager.take_effects() {
            lines.extend(self.effect(&effect));
        }
        let answer = self.answer(reply);
        if self.now != self.shown_at && !(lines.is_empty() && answer.is_none()) {
            self.results.push(format!("@{}", self.now));
            self.shown_at = self.now;
        }
        self.results.extend(answer);
        self.results.extend(lines);
        self.manager.check_invariants().expect("every invariant holds");
    }

    /// Waits as a handle does for one alone that the speaker has spawned, else as for a list.
    fn wait(&self, command: &Command) -> Result<Input, String> {
        let [any, all, idle] = ["any", "all", "idle"].map(|how| command.says(how));
        let names = command.rest();
        let timeout_ms = command.number("timeoutMs")?;
        let by = command.option("by").map(Into::into);
        if let [name] = names.as_slice()
            && !(any || all || idle)
            && self.spawned_by.get(*name) == Some(&by)
        {
            return Ok(Input::WaitFor { target: self.key(name)?, timeout_ms });
        }
        let targets = if names.contains(&"own") {
            self.manager.own_to_wait_for(self.actor(command)?).map_err(|rejection| format!("{rejection:?}"))?
        } else {
            names.into_iter().map(|name| self.key(name)).collect::<Result<_, _>>()?
        };
        Ok(Input::Wait { targets, all: !any, idle, timeout_ms })
    }

    fn answer(&mut self, reply: &Result<Reply, Rejection>) -> Option<String> {
        match reply {
            Ok(Reply::Done | Reply::Node(_) | Reply::Asked | Reply::Closing { wait: None, .. }) => None,
            Ok(Reply::Sent(receipt)) => Some(format!("= {}", format!("{receipt:?}").to_lowercase())),
            Ok(Reply::Unanswered { stopped }) => Some(format!("= unanswered {}", if *stopped { "stopped" } else { "cannot_answer" })),
            Ok(Reply::NeedsInput) => Some("= needs-input".into()),
            // The boundary makes this one, of the reply and what the wait found.
            Ok(Reply::WaitOver { .. }) => None,
            Ok(Reply::NotYet) => Some("= not-yet".into()),
            Ok(Reply::Go { turn, wrap_up, inject }) => {
                let wrap_up = wrap_up.map(|reason| format!(" wrapUp={}", reason.name())).unwrap_or_default();
                let inject: Vec<String> = inject.iter().map(|text| format!("\"{text}\"")).collect();
                let inject = if inject.is_empty() { String::new() } else { format!(" inject={}", inject.join(",")) };
                Some(format!("= go turn={turn}{wrap_up}{inject}"))
            }
            Ok(Reply::Later) => Some("= later".into()),
            Ok(Reply::Stop(reason)) => Some(format!("= stop {}", reason.name())),
            Ok(Reply::Waiting(wait) | Reply::Closing { wait: Some(wait), .. }) => Some(format!("= waits {}", self.names.wait(*wait))),
            Ok(Reply::Notices(indices)) => Some(format!("= {} notices", indices.len())),
            Ok(Reply::Acked(acked)) => Some(format!("= {}", if *acked { "acked" } else { "not acked" })),
            Ok(Reply::Counted { count, .. }) => Some(format!("= counted {count}")),
            Ok(Reply::Exhausted) => Some("= exhausted".into()),
            Ok(Reply::Steered(texts)) => (!texts.is_empty()).then(|| format!("= steered {}", texts.join("|"))),
            Ok(Reply::Again(task)) => Some(format!("= again {}", self.names.task(*task))),
            Err(rejection) => {
                let details = serde_json::to_value(rejection.details(&|task| self.manager.state().id_of(task))).expect("details are JSON");
                let shown = details.as_object().expect("details are an object").iter();
                // Which argument is the package's to say, which may have found the mistake itself; ids differ with the seed.
                let shown = shown.filter(|(name, _)| !["argument", "taskId"].contains(&name.as_str()));
                let shown: String = shown.map(|(name, value)| format!(" {name}={}", detail(value))).collect();
                Some(format!("! {}{shown}", rejection.code()))
            }
        }
    }

    /// What the host has to do; ends are reported by facts, and wake-ups are nobody's business.
    fn effect(&mut self, effect: &Effect) -> Option<String> {
        let name = |task: &Key| self.names.task(*task);
        match effect {
            Effect::StartRun { task, run } => Some(format!("> start {}#{run}", name(task))),
            Effect::AbortRun { task, run, reason } => Some(format!("> abort {}#{run} {}", name(task), reason.name())),
            Effect::TurnReady { task, run } => Some(format!("> turn-ready {}#{run}", name(task))),
            Effect::WaitDone { wait, timed_out } | Effect::WaitOver { wait, timed_out, .. } => {
                Some(format!("> wait-done {}{}", self.names.wait(*wait), if *timed_out { " timedOut" } else { "" }))
            }
            Effect::AskDone { task, run, answer, timed_out } => {
                let how = match answer {
                    Some(answer) => format!("\"{answer}\""),
                    None => if *timed_out { "timeout" } else { "stopped" }.into(),
                };
                Some(format!("> answer {}#{run} {how}", name(task)))
            }
            Effect::Wake(session) => Some(format!("> wake {}", name(session))),
            Effect::DrainDone { timed_out } => Some(format!("> drained{}", if *timed_out { " timedOut" } else { "" })),
            Effect::WakeAt(at) => {
                self.timer = Some(*at);
                None
            }
            // Asked is who has policies; what they answer is a command.
            Effect::Report(_)
            | Effect::RunEnded(_)
            | Effect::RunRetried { .. }
            | Effect::TaskForgotten(_)
            | Effect::TaskClosed(_)
            | Effect::TimedOut { .. }
            | Effect::ApprovalOver { .. } => None,
        }
    }
}

/// A detail of a refusal: a text without its quotes, a number as readers in other languages write it.
fn detail(value: &serde_json::Value) -> String {
    if let Some(list) = value.as_array() {
        return list.iter().map(detail).collect::<Vec<_>>().join(",");
    }
    match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.to_owned(),
        (None, Some(number)) => number.to_string(),
        (None, None) => value.to_string(),
    }
}

fn amounts(command: &Command) -> Result<Amounts, String> {
    let of = |name: &str| command.number(name).map(Option::unwrap_or_default);
    Ok(Amounts { tokens: of("tokens")?, nanos: of("nanos")?, turns: of("turns")? })
}

fn caps(command: &Command) -> Result<Amounts, String> {
    let of = |name: &str| command.number(name).map(|value| value.unwrap_or(u64::MAX));
    Ok(Amounts { tokens: of("tokens")?, nanos: of("nanos")?, turns: of("turns")? })
}

fn mode(command: &Command) -> Mode {
    match ["steer", "interrupt", "queue"].map(|mode| command.says(mode)) {
        [true, ..] => Mode::Steer,
        [_, true, _] => Mode::Interrupt,
        [..] => Mode::Queue,
    }
}

fn usage(command: &Command) -> Result<Usage, String> {
    let of = |name: &str| match command.option(name) {
        None => Ok(Reading::Missing),
        Some("invalid") => Ok(Reading::Invalid),
        Some(value) => number(value).map(Reading::Is),
    };
    Ok(Usage { tokens: of("tokens")?, nanos: of("nanos")?, turns: of("turns")?, instead: 0, priced: false })
}

/// The tokens by kind, and their model, where a command says any of it.
fn told(command: &Command) -> Result<Option<Box<ReportedTokens>>, String> {
    let kinds = Kinds {
        input_tokens: command.number("input")?,
        output_tokens: command.number("output")?,
        cache_read_tokens: command.number("cacheRead")?,
        cache_write_tokens: command.number("cacheWrite")?,
        cache_write1h_tokens: command.number("cacheWrite1h")?,
        reasoning_tokens: command.number("reasoning")?,
        estimated: command.number("estimated")?.is_some(),
    };
    let model_id = command.option("model").map(Into::into);
    let is_said = kinds != Kinds::NONE || model_id.is_some();
    Ok(is_said.then(|| Box::new(ReportedTokens { kinds, model_id, ..ReportedTokens::default() })))
}

/// The price of a model, in nano-dollars a million tokens.
fn price(command: &Command) -> Result<ModelPrice, String> {
    let nanos = |name: &str| command.number(name).map(|value| value.map(Nanos));
    Ok(ModelPrice {
        model: command.word(0)?.into(),
        input: nanos("input")?.unwrap_or_default(),
        output: nanos("output")?.unwrap_or_default(),
        cache_read: nanos("cacheRead")?,
        cache_write: nanos("cacheWrite")?,
        cache_write1h: nanos("cacheWrite1h")?,
    })
}

fn outcome(command: &Command) -> Result<Outcome, String> {
    let returned = match command.word(1)? {
        "ok" => Returned::Completed,
        "failed" => Returned::Failed,
        "incomplete" => Returned::Incomplete,
        "cancelled" => Returned::Cancelled,
        "timed_out" => Returned::TimedOut,
        "threw" => Returned::Threw,
        "invalid" => Returned::Invalid,
        other => return Err(format!("no host function ends `{other}`")),
    };
    let output = command.text.clone().unwrap_or_default().into();
    let error = command.option("error").map(Into::into);
    Ok(Outcome {
        returned,
        usage: usage(command)?,
        output: RunOutput::new(output, ResultDetails { error, ..ResultDetails::default() }),
        tokens: told(command)?,
    })
}

/// How a run is tried again; the first time after `backoffMs`.
fn retry(command: &Command, max: u64) -> Result<Box<Retry>, String> {
    let backoff_ms = command.number("backoffMs")?.unwrap_or(Retry::BACKOFF_MS);
    Ok(Box::new(Retry { max, backoff_ms, on: Retry::USUALLY_ON.to_vec() }))
}

/// The options of a spawn, by their names in the package; dollars are in billionths, and a flag is a word.
struct Said<'a> {
    command: &'a Command,
    wrong: Option<String>,
}

impl Said<'_> {
    fn note<T>(&mut self, read: Result<Option<T>, String>) -> Option<T> {
        read.unwrap_or_else(|wrong| {
            self.wrong = Some(wrong);
            None
        })
    }
}

impl Staged for Said<'_> {
    fn text(&mut self, name: &str) -> Option<Text> {
        self.command.option(name).map(Into::into)
    }

    fn texts(&mut self, name: &str) -> Option<Vec<Text>> {
        self.command.option(name).map(|list| list.split(',').map(Into::into).collect())
    }

    fn count(&mut self, name: &str) -> Option<u64> {
        if self.command.says(name) { Some(1) } else { self.note(self.command.number(name)) }
    }

    fn dollars(&mut self, name: &str) -> Option<u64> {
        self.count(name)
    }

    fn integer(&mut self, name: &str) -> Option<i64> {
        let read = self.command.option(name).map(|value| value.parse().map_err(|_| format!("{value} is no number")));
        self.note(read.transpose())
    }

    fn retry(&mut self, name: &str) -> Option<Box<Retry>> {
        let max = self.count(name)?;
        self.note(retry(self.command, max).map(Some))
    }

    fn prices(&mut self, _: &str) -> Option<Vec<ModelPrice>> {
        None
    }
}

fn spawn(command: &Command) -> Result<Spawn, String> {
    command.word(0)?;
    let mut said = Said { command, wrong: None };
    let spec = Spec::from_staged(&mut said);
    if let Some(wrong) = said.wrong {
        return Err(wrong);
    }
    Ok(Spawn {
        text: command.text.as_deref().map(Into::into),
        background: command.says("background"),
        tokens: command.number("tokens")?,
        nanos: command.number("nanos")?,
        turns: command.number("turns")?,
        answers: match command.option("answers") {
            None => Answers::Yes,
            Some("with-tool") => Answers::WithTool,
            Some("no") => Answers::No,
            Some(other) => return Err(format!("nobody answers `{other}`")),
        },
        limits: ModelLimits::default(),
        spec: (spec != Spec::default()).then(|| Box::new(spec)),
    })
}
