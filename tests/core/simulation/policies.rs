//! Policies: what hosts and programs ask of them and answer, and an independent account of it made from
//! the facts. Owns both, so that what is said and what is expected stand side by side.

use std::collections::{BTreeMap, BTreeSet};

use subagents::{
    ALWAYS_BLOCKED, Actor, Answer, Bounds, Fact, Input, Key, Point, ROOT, Rejection, Reply, Ruling, Status, StopReason, Text, ToolList,
    UNLIMITED,
};

use super::host::Temper;
use super::model::Place;
use super::parts::Part;
use super::world::{Event, World};

/// What the facts say of policies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    /// The answer that ends a run.
    verdicts: BTreeMap<(Key, u32), (Answer, bool, Text)>,
    /// Runs that were asked to wrap up or to stop.
    told: BTreeMap<(Key, u32), StopReason>,
    /// Runs that have begun their last turn.
    last_turns: BTreeSet<(Key, u32)>,
    tools: BTreeMap<(Key, u32), u32>,
    blocked: Vec<Text>,
    /// The tools that sessions have and tasks were given, and those that were kept from them.
    given: BTreeMap<Key, (Option<ToolList>, Vec<Text>)>,
    /// The models that sessions have and tasks were given.
    models: BTreeMap<Key, Option<Text>>,
    /// Turns of main agents since their last end.
    turns: BTreeMap<Key, u64>,
}

impl Account {
    /// Takes one fact and says what is wrong with it, if anything.
    pub(crate) fn take(&mut self, part: &Part<'_>) -> Result<(), String> {
        match part {
            Part::Said(fact) => self.take_said(fact),
            Part::WrapUpRequested { task, run, reason, .. } => self.told_to_wrap_up((*task, *run), *reason),
            _ => Ok(()),
        }
    }

    fn told_to_wrap_up(&mut self, key: (Key, u32), reason: StopReason) -> Result<(), String> {
        let before = *self.told.entry(key).or_insert(reason);
        ensure!(before != StopReason::Policy, "L4: a run that a policy had ended was told to wrap up: {reason:?}");
        Ok(())
    }

    fn take_said(&mut self, fact: &Fact) -> Result<(), String> {
        match fact {
            Fact::WrapUpRequested { task, run, stop_reason: reason, .. } => self.told_to_wrap_up((*task, *run), *reason)?,
            Fact::PolicyAnswered { task, run, point, answer, text, until, .. } => {
                let ends = answer.ends_at(*point) && *run != 0 && !self.told.contains_key(&(*task, *run));
                ensure!(until.is_some() == ends, "L4: an answer ends a run: {}, expected {ends}: {fact:?}", until.is_some());
                if ends {
                    self.told.insert((*task, *run), StopReason::Policy);
                    self.verdicts.insert((*task, *run), (*answer, *point == Point::BeforeEnd, text.clone()));
                }
            }
            Fact::StopRequested { task, run, stop_reason: reason, .. } => {
                let uses = self.tools.get(&(*task, *run)).copied().unwrap_or(0);
                // One that was asked before may use tools in its grace, and be given less time.
                let again = self.told.get(&(*task, *run)) == Some(reason);
                let silent = *reason == StopReason::IdleTimeout && !again;
                ensure!(!silent || uses == 0, "T2: a run that uses {uses} tools was silent for too long");
                self.told.entry((*task, *run)).or_insert(*reason);
            }
            Fact::TurnStarted { task, run: 0, turn, .. } => {
                let turns = self.turns.entry(*task).or_default();
                *turns += 1;
                ensure!(turn == turns, "a main agent's turn {turn} is its {turns}th");
            }
            Fact::TurnStarted { task, run, wrap_up, .. } => {
                self.tools.remove(&(*task, *run));
                if *wrap_up {
                    self.last_turns.insert((*task, *run));
                }
            }
            Fact::ToolBegan { task, run, tool } => {
                let allowed = !self.blocked.contains(tool) && !ALWAYS_BLOCKED.contains(&&**tool);
                ensure!(allowed, "P2: a run uses {tool}, which is blocked");
                let (given, kept) = self.given.get(task).cloned().unwrap_or_default();
                let has = given.as_ref().is_none_or(|given| given.contains(tool)) && !kept.contains(tool);
                ensure!(has, "P2: a run uses {tool}, it was given {given:?} without {kept:?}");
                *self.tools.entry((*task, *run)).or_default() += 1;
            }
            Fact::ToolEnded { task, run, .. } => {
                let uses = self.tools.entry((*task, *run)).or_default();
                ensure!(*uses > 0, "T2: a tool ended that had not begun");
                *uses -= 1;
            }
            Fact::MainAgentSet { task, tools, model_id } => {
                self.given.entry(*task).or_default().0.clone_from(tools);
                self.models.insert(*task, model_id.clone());
            }
            Fact::TaskAdmitted { task, parent, spec, .. } => {
                let model = spec.as_ref().and_then(|spec| spec.model_id.clone());
                let inherited = self.models.get(parent).cloned().flatten();
                ensure!(inherited.is_none() || model.is_some(), "P2: {task:?} has no model, its parent has {inherited:?}");
                self.models.insert(*task, model);
                let tools = spec.as_ref().and_then(|spec| spec.tools.clone());
                let kept = spec.as_ref().and_then(|spec| spec.disallowed_tools.clone()).unwrap_or_default();
                if let Some((Some(above), _)) = self.given.get(parent) {
                    let within = tools.as_ref().is_some_and(|tools| tools.iter().all(|tool| above.contains(tool)));
                    ensure!(within, "P2: {task:?} is given {tools:?}, its parent has {above:?}");
                }
                self.given.insert(*task, (tools, kept));
            }
            Fact::ToolsBlocked { tools } => self.blocked.clone_from(tools),
            Fact::MainEnded { task } => {
                self.turns.remove(task);
            }
            Fact::RunRetried { task, run, .. } => {
                let verdict = self.verdicts.remove(&(*task, *run));
                ensure!(verdict.is_none(), "X5: a run that a policy ended is tried again: {verdict:?}");
            }
            Fact::RunEnded { task, run, status, stop_reason: reason, output, .. } => {
                self.check_end((*task, *run), *status, *reason, &output.text)?
            }
            _ => {}
        }
        Ok(())
    }

    /// A run that a policy ended, and that nothing else had ended before, has the policy's end and output.
    fn check_end(&mut self, key: (Key, u32), status: Status, reason: StopReason, output: &Text) -> Result<(), String> {
        let Some((answer, withheld, text)) = self.verdicts.remove(&key) else {
            ensure!(reason != StopReason::Policy, "P1: {key:?} ended for a policy that said nothing");
            return Ok(());
        };
        if reason != StopReason::Policy {
            return Ok(());
        }
        let expected = if answer == Answer::Finish { Status::Completed } else { Status::Failed };
        ensure!(status == expected, "P1: {key:?} ended {status:?} after {answer:?}");
        ensure!(answer != Answer::Finish || text.starts_with(&**output), "P1: {key:?} left {output:?}, the report is {text:?}");
        ensure!(answer == Answer::Finish || !withheld || output.is_empty(), "P1: {output:?} had been refused");
        Ok(())
    }
}

const POINTS: [Point; 7] =
    [Point::BeforeSpawn, Point::BeforeStart, Point::BeforeTurn, Point::BeforeTool, Point::AfterTool, Point::BeforeEnd, Point::OnTimeout];

impl World {
    fn ruling(&mut self) -> Input {
        let answer = self.rng.pick(&[Answer::Inject, Answer::ForceTurn, Answer::Block, Answer::Finish]);
        let point = self.rng.pick(&POINTS);
        self.counts.note("policies", answer.name());
        self.counts.note("policies", point.name());
        Input::Rule(Ruling { point, answer, reason: StopReason::Policy, policy: "p".into(), text: "the report".into() })
    }

    fn tool(&mut self) -> Text {
        self.rng.pick(&["read", "write", "shell", "message", "SubAgent"]).into()
    }

    /// A count goes up one by one, to its limit and no further.
    fn count_and_check(&mut self, actor: Actor) {
        let (limit, todos) = (self.rng.pick(&[0, 1, 2, 10]), self.rng.chance(40));
        let place = self.state().place_of(actor).ok().map(|(index, _)| index);
        let known =
            |world: &Self| place.and_then(|index| world.state().policing(index)).map_or((0, 0), |it| (it.count("c"), it.open_todos));
        let (before, open) = known(self);
        let exhausted = self.cannot_go_on(actor);
        let reply = self.say(actor, Input::Count { policy: "c".into(), limit, todos });
        match reply {
            Ok(Reply::Counted { count: 0, .. }) => assert!(todos, "P3: nothing was counted, though it was asked for"),
            Ok(Reply::Counted { count, .. }) => {
                self.counts.note("policies", "counted");
                assert!(count <= limit && count == before + 1, "P3: call {count} of {limit} after {before}");
                assert!(!todos || open > 0, "P3: a turn was forced without open to-dos");
                assert!(!todos || !exhausted, "P3: {actor:?} was made to take a turn that it may not take");
            }
            Ok(Reply::Exhausted) => {
                self.counts.note("policies", "exhausted");
                assert!(before >= limit, "P3: refused after {before} of {limit}");
            }
            Ok(other) => panic!("{other:?} is no answer to a count"),
            Err(_) => {}
        }
    }

    /// Whether a run was asked to stop or to wrap up, or had all its turns.
    fn cannot_go_on(&self, actor: Actor) -> bool {
        let Actor::Run(task, run) = actor else { return false };
        let node = self.model.nodes.iter().find(|node| node.key == task);
        let Some(open) = node.and_then(|node| node.runs.get(&run)) else { return false };
        open.stop_until.is_some() || open.turns >= open.max_turns || self.policies.told.contains_key(&(task, run))
    }

    /// Whether a run gets no further turn.
    fn had_all_turns(&self, actor: Actor) -> bool {
        let Actor::Run(task, run) = actor else { return false };
        let may_wrap_up = self.policies.told.get(&(task, run)) == Some(&StopReason::Timeout);
        self.policies.last_turns.contains(&(task, run)) || (self.cannot_go_on(actor) && !may_wrap_up)
    }

    /// A host function asks policies, or reports what they need.
    pub(crate) fn host_asks_policies(&mut self, task: Key, run: u32) {
        let me = Actor::Run(task, run);
        match self.rng.below(12) {
            0..=2 => {
                let tool = self.tool();
                let _ = self.say(me, Input::BeginTool(tool));
            }
            3..=4 => {
                let listens = self.rng.below(4) == 0;
                let is_deaf = !listens && self.had_all_turns(me);
                let untold = if is_deaf { 0 } else { self.model.untold(task) };
                if let Ok(Reply::Steered(texts)) = self.say(me, Input::EndTool(listens)) {
                    assert!(!is_deaf || texts.is_empty(), "M1: {task:?} gets {texts:?} at a tool's end, and no turn that reads them");
                    // Without budget for a turn it gets nothing either.
                    if listens || !texts.is_empty() || self.model.is_uncapped(task) {
                        self.check_inject(task, texts, untold);
                    }
                }
            }
            5..=6 => self.count_and_check(me),
            7 => {
                let open = self.rng.below(3);
                let _ = self.say(me, Input::Todos { open, todos: "[]".into() });
            }
            8 => {
                let ruling = self.ruling();
                let _ = self.say(me, ruling);
            }
            _ => self.host_awaits_approval(task, run),
        }
    }

    /// A policy takes its time; the host goes on when it has answered, or was waited for long enough.
    pub(crate) fn host_awaits_approval(&mut self, task: Key, run: u32) {
        if self.say(Actor::Run(task, run), Input::AwaitApproval).is_err() {
            return;
        }
        let open = self.model.nodes.iter().find(|node| node.key == task).and_then(|node| node.runs.get(&run));
        let keeps = open.is_some_and(|open| open.place == Place::Held && open.stop_until.is_none());
        assert!(!keeps, "T1: a policy is asked about run {run} of {task:?}, which keeps its slot");
        let Some(host) = self.hosts.get_mut(&(task, run)) else { return };
        host.approving = true;
        // Some policies never answer.
        if self.calm || self.rng.chance(80) {
            let after = self.rng.pick(&[0, 2, 30, 400]);
            self.schedule(after, Event::Approve(task, run));
        }
    }

    pub(crate) fn approve(&mut self, task: Key, run: u32) {
        if !self.hosts.get(&(task, run)).is_some_and(|host| host.approving && !host.returned) {
            return;
        }
        let turn_waiting = self.hosts.get(&(task, run)).is_some_and(|host| host.turn_waiting);
        let starting = !turn_waiting && self.rng.chance(30);
        if starting {
            self.set_turn_waiting(task, run, true);
        }
        let reply = self.say(Actor::Run(task, run), Input::Approved { starting });
        if starting && reply != Ok(Reply::Later) {
            self.set_turn_waiting(task, run, false);
        }
        self.goes_on(task, run);
    }

    /// The policy is waited for no longer.
    pub(crate) fn host_approval_over(&mut self, task: Key, run: u32) {
        self.counts.note("policies", "too slow");
        self.goes_on(task, run);
    }

    fn goes_on(&mut self, task: Key, run: u32) {
        let Some(host) = self.hosts.get_mut(&(task, run)).filter(|host| host.approving) else { return };
        host.approving = false;
        if !host.returned && host.waits == 0 && !host.turn_waiting && !host.asking && host.temper != Temper::Restless {
            self.later(task, run);
        }
    }

    /// The time of a run is over: a policy may report on it.
    pub(crate) fn host_timed_out(&mut self, task: Key, run: u32) {
        self.counts.note("policies", "asked on a timeout");
        if self.rng.chance(50) {
            let ruling = Ruling {
                point: Point::OnTimeout,
                answer: Answer::Finish,
                reason: StopReason::Timeout,
                policy: "t".into(),
                text: "{}".into(),
            };
            let _ = self.say(Actor::Run(task, run), Input::Rule(ruling));
        }
    }

    /// What main agents do, and what the program says of policies.
    pub(crate) fn act_as_main(&mut self) {
        let sessions: Vec<Key> = self.state().children(ROOT).map(|index| self.state().key(index)).collect();
        let session = sessions[self.rng.index(sessions.len())];
        let actor = if self.rng.chance(30) { Actor::Program } else { Actor::Session(session) };
        match self.rng.below(8) {
            0..=2 => {
                let bounds = Bounds {
                    turns: self.rng.pick(&[1, 5, UNLIMITED]),
                    context_tokens: self.rng.pick(&[50, UNLIMITED]),
                    ms: self.rng.pick(&[1, 500, UNLIMITED]),
                };
                match self.say(actor, Input::BeginMainTurn(bounds)) {
                    Ok(Reply::Go { turn, .. }) => assert!(turn <= bounds.turns, "S5.02: turn {turn} of {}", bounds.turns),
                    Ok(Reply::Stop(reason)) => self.counts.note("policies", reason.name()),
                    Err(Rejection::ActorEnded) if matches!(actor, Actor::Session(key) if self.state().is_closed_session(key.index)) => {
                        self.counts.note("policies", "a closed session's turn");
                    }
                    other => panic!("{other:?} is no answer to a main agent's turn"),
                }
            }
            3 => {
                let _ = self.say(actor, Input::EndMain);
            }
            4 => {
                let context_tokens = self.rng.pick(&[None, Some(10), Some(90)]);
                let input = Input::Report { usage: subagents::Usage::default(), tokens: None, context_tokens, message: None };
                let _ = self.say(actor, input);
            }
            5 => self.count_and_check(actor),
            6 => {
                let tools = self.rng.pick(&[None, Some("shell"), Some("write")]).map(Into::into).into_iter().collect();
                self.say_now(Input::BlockTools(tools));
            }
            _ => {
                let ruling = self.ruling();
                let _ = self.say(actor, ruling);
            }
        }
    }
}
