//! The stage on which a transcript plays: a manager, the time, the names, and what came of each command.
//! Owns what each verb means; `README.md` lists them.

use subagents::{
    Actor, Amounts, DEFAULT_SESSION, Effect, Fact, Input, Key, Manager, Outcome, ROOT, Reading, Rejection, Reply, Returned, Spawn, Spec,
    StopReason, Usage, read_all,
};

use super::command::{Command, number};
use super::render::{self, Names};

pub(crate) struct Stage {
    manager: Manager,
    now: u64,
    names: Names,
    /// The name of what the present command makes.
    naming: Option<String>,
    /// When the manager asked to be woken.
    timer: Option<u64>,
    results: Vec<String>,
    /// The time that the results so far stand for.
    shown_at: u64,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let mut manager = Manager::new();
        manager.listen(true);
        Self { manager, now: 0, names: Names::default(), naming: None, timer: None, results: Vec::new(), shown_at: 0 }
    }

    pub(crate) fn take_results(&mut self) -> Vec<String> {
        std::mem::take(&mut self.results)
    }

    pub(crate) fn perform(&mut self, line: &str) -> Result<(), String> {
        let command = Command::parse(line)?;
        match command.verb.as_str() {
            "tick" => return self.tick(number(command.word(0)?)?),
            "info" => {
                let state = self.manager.state();
                self.results.push(format!(
                    "active={} queued={} parked={} abandoned={}",
                    state.held,
                    state.queued(),
                    state.parked,
                    state.abandoned
                ));
                return Ok(());
            }
            "look" => return self.look(command.word(0)?),
            "can-spawn" => {
                let actor = self.actor(&command)?;
                self.results.push(format!("canSpawn={}", self.manager.can_spawn(actor)));
                return Ok(());
            }
            _ => {}
        }
        let actor = self.actor(&command)?;
        let input = self.input(&command)?;
        let named = matches!(input, Input::Spawn(_) | Input::CreateTask(_) | Input::OpenSession(_));
        self.naming = if named { Some(command.word(0)?.to_owned()) } else { None };
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

    /// Where a node stands and what its budget is.
    fn look(&mut self, name: &str) -> Result<(), String> {
        let key = self.key(name)?;
        let state = self.manager.state();
        if !state.tree.contains(key) {
            self.results.push(format!("{name} is forgotten"));
            return Ok(());
        }
        let node = state.node(key.slot);
        let mut line = name.to_owned();
        if node.is_task() {
            line = format!("{line} {}", node.status.name());
        }
        if node.run != subagents::NONE
            && let Some(why) = state.run_of(key.slot).parked()
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
        line = format!("{line} spent={} held={}", render::amounts(account.spent), render::amounts(account.held));
        let overspent = account.overspent();
        if !overspent.is_zero() {
            line = format!("{line} overspent={}", render::amounts(overspent));
        }
        self.results.push(line);
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
        Ok(given.unwrap_or_else(|| self.manager.state().node(key.slot).runs))
    }

    /// Who speaks: the run of a turn or a report, else who `by=` names, else the program.
    fn actor(&self, command: &Command) -> Result<Actor, String> {
        let name = match command.verb.as_str() {
            "turn" | "report" => Some(command.word(0)?),
            _ => command.options.get("by").map(String::as_str),
        };
        let Some(name) = name else { return Ok(Actor::Program) };
        let key = self.key(name)?;
        let is_task = self.manager.state().node(key.slot).is_task() || !self.manager.state().tree.contains(key);
        Ok(if is_task { Actor::Run(key, self.run(command, key)?) } else { Actor::Session(key) })
    }

    fn input(&self, command: &Command) -> Result<Input, String> {
        let target = || self.key(command.word(0)?);
        let text = || command.text.clone().unwrap_or_default().into();
        Ok(match command.verb.as_str() {
            "set" => {
                let mut limits = Vec::new();
                for (name, value) in &command.options {
                    limits.push((name.as_str().into(), number(value)?));
                }
                Input::SetLimits(limits)
            }
            "budget" => Input::SetBudget(caps(command)?),
            "task-budget" => Input::SetTaskCap(caps(command)?),
            "on-limit" => Input::SetReject(command.word(0)? == "reject"),
            "open-session" => Input::OpenSession(command.word(0)?.into()),
            "spawn" => Input::Spawn(spawn(command)?),
            "send" => Input::Send { task: target()?, text: text() },
            "turn" => Input::BeginTurn { estimate: command.number("estimate")? },
            "report" => Input::Report {
                usage: usage(command)?,
                context_tokens: command.number("contextTokens")?,
                message: command.options.get("message").map(|message| message.as_str().into()),
            },
            "settle" => {
                let task = target()?;
                Input::Settle { task, run: self.run(command, task)?, outcome: outcome(command)? }
            }
            "wait" => Input::Wait {
                targets: command
                    .words
                    .iter()
                    .filter(|word| !matches!(word.as_str(), "any" | "all"))
                    .map(|word| self.key(word))
                    .collect::<Result<_, _>>()?,
                all: !command.words.iter().any(|word| word == "any"),
                timeout_ms: command.number("timeoutMs")?,
            },
            "end-wait" => {
                let place: usize = command.word(0)?.trim_start_matches('w').parse().map_err(|_| "that is no wait")?;
                Input::EndWait(*self.names.waits.get(place - 1).ok_or("there is no such wait")?)
            }
            "cancel" => Input::Cancel { task: target()?, reason: StopReason::Cancelled, grace_ms: command.number("graceMs")? },
            "forget" => Input::Forget(target()?),
            "add-budget" => Input::AddBudget { task: target()?, amount: amounts(command)? },
            "drain" => Input::Drain { timeout_ms: command.number("timeoutMs")?.unwrap_or(u64::MAX) },
            "create" => Input::CreateTask(spawn(command)?),
            "mark-running" => Input::MarkRunning(target()?),
            "mark-ended" => Input::MarkEnded { task: target()?, outcome: outcome(command)? },
            "allocate" => Input::Allocate(number(command.word(0)?)?),
            "release" => Input::Release(number(command.word(0)?)?),
            other => return Err(format!("there is no command `{other}`")),
        })
    }

    /// Says something and notes what comes of it: the answer, the facts, what the host has to do.
    fn say(&mut self, actor: Actor, input: Input) -> Result<Reply, Rejection> {
        let reply = self.manager.handle(self.now, actor, input);
        let facts = read_all(&self.manager.take_facts()).expect("the manager's own facts read back");
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
        let answer = self.answer(&reply);
        if self.now != self.shown_at && !(lines.is_empty() && answer.is_none()) {
            self.results.push(format!("@{}", self.now));
            self.shown_at = self.now;
        }
        self.results.extend(answer);
        self.results.extend(lines);
        self.manager.state().check_invariants().expect("every invariant holds");
        reply
    }

    fn answer(&mut self, reply: &Result<Reply, Rejection>) -> Option<String> {
        match reply {
            Ok(Reply::Done | Reply::Node(_) | Reply::Sent { .. }) => None,
            Ok(Reply::Go { turn, wrap_up: None }) => Some(format!("= go turn={turn}")),
            Ok(Reply::Go { turn, wrap_up: Some(reason) }) => Some(format!("= go turn={turn} wrapUp={}", reason.name())),
            Ok(Reply::Later) => Some("= later".into()),
            Ok(Reply::Stop(reason)) => Some(format!("= stop {}", reason.name())),
            Ok(Reply::Waiting(wait)) => Some(format!("= waits {}", self.names.wait(*wait))),
            Ok(Reply::Tokens(tokens)) => Some(format!("= {tokens} tokens")),
            Err(rejection) => {
                let details = serde_json::to_value(rejection.details()).expect("details are JSON");
                let shown = details.as_object().expect("details are an object").iter();
                let shown: String = shown.map(|(name, value)| format!(" {name}={}", detail(value))).collect();
                Some(format!("! {}{shown}", rejection.code()))
            }
        }
    }

    /// What the host has to do; ends are told by facts, and wake-ups are nobody's business.
    fn effect(&mut self, effect: &Effect) -> Option<String> {
        let name = |task: &Key| self.names.task(*task);
        match effect {
            Effect::StartRun { task, run } => Some(format!("> start {}#{run}", name(task))),
            Effect::AbortRun { task, run, reason } => Some(format!("> abort {}#{run} {}", name(task), reason.name())),
            Effect::TurnReady { task, run } => Some(format!("> turn-ready {}#{run}", name(task))),
            Effect::WaitDone { wait, timed_out } => {
                Some(format!("> wait-done {}{}", self.names.wait(*wait), if *timed_out { " timedOut" } else { "" }))
            }
            Effect::DrainDone { timed_out } => Some(format!("> drained{}", if *timed_out { " timedOut" } else { "" })),
            Effect::WakeAt(at) => {
                self.timer = Some(*at);
                None
            }
            Effect::RunEnded(_) | Effect::TaskForgotten(_) => None,
        }
    }
}

/// A detail of a refusal: a text without its quotes, a number as readers in other languages write it.
fn detail(value: &serde_json::Value) -> String {
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

fn usage(command: &Command) -> Result<Usage, String> {
    let of = |name: &str| match command.options.get(name).map(String::as_str) {
        None => Ok(Reading::Missing),
        Some("invalid") => Ok(Reading::Invalid),
        Some(value) => number(value).map(Reading::Is),
    };
    Ok(Usage { tokens: of("tokens")?, nanos: of("nanos")?, turns: of("turns")? })
}

fn outcome(command: &Command) -> Result<Outcome, String> {
    let returned = match command.word(1)? {
        "ok" => Returned::Completed,
        "failed" => Returned::Failed,
        "cancelled" => Returned::Cancelled,
        "timed_out" => Returned::TimedOut,
        "threw" => Returned::Threw,
        "invalid" => Returned::Invalid,
        other => return Err(format!("no host function ends `{other}`")),
    };
    let output = command.text.clone().unwrap_or_default().into();
    let error = command.options.get("error").map(|error| error.as_str().into());
    Ok(Outcome { returned, output, usage: usage(command)?, error, ..Outcome::default() })
}

fn spawn(command: &Command) -> Result<Spawn, String> {
    let spec = Spec {
        label: command.options.get("label").map(|label| label.as_str().into()),
        max_turns: command.number("maxTurns")?,
        timeout_ms: command.number("timeoutMs")?,
        idle_timeout_ms: command.number("idleTimeoutMs")?,
        turn_estimate: command.number("turnEstimate")?,
        priority: command.options.get("priority").and_then(|priority| priority.parse().ok()),
        ..Spec::default()
    };
    Ok(Spawn {
        text: command.text.as_deref().map(Into::into),
        background: command.says("background"),
        tokens: command.number("tokens")?,
        nanos: command.number("nanos")?,
        turns: command.number("turns")?,
        spec: (spec != Spec::default()).then(|| Box::new(spec)),
    })
}
