//! Host functions, most of them bad ones. Owns what a host does when it is started and goes on; how it ends is
//! `host_end.rs`, what the program around it does is `actions.rs`.

use subagents::lookup::ReleaseView;
use subagents::{Actor, Amounts, Estimate, Input, Key, Reading, Rejection, Reply, Returned, Spawn, Usage, lookup};

use super::rng::Rng;
use super::tokens::told_of;
use super::world::{Event, World};

/// What kind of host function a run met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temper {
    /// Works: turns, reports, sub-agents, and a good end.
    Worker,
    /// The same, without ever asking for a turn.
    Plain,
    /// Returns before the call that started it has returned.
    Prompt,
    /// Throws before that.
    Thrower,
    /// Throws later.
    Rejecter,
    /// Returns nonsense.
    Liar,
    /// Never returns.
    Sleeper,
    /// Returns twice.
    Doubler,
    /// Ignores the abort, and returns long after.
    Deaf,
    /// Calls back into the manager while it is being started.
    Intruder,
    /// Begins turns and never reports them.
    Silent,
    /// Goes on talking while it waits.
    Restless,
    /// Goes on talking after its end.
    Ghost,
}

impl Temper {
    const fn name(self) -> &'static str {
        match self {
            Self::Worker => "works",
            Self::Plain => "works without turns",
            Self::Prompt => "returns at once",
            Self::Thrower => "throws at once",
            Self::Rejecter => "throws later",
            Self::Liar => "returns nonsense",
            Self::Sleeper => "never returns",
            Self::Doubler => "returns twice",
            Self::Deaf => "ignores the abort",
            Self::Intruder => "calls back while it is started",
            Self::Silent => "begins turns and never reports",
            Self::Restless => "talks while it waits",
            Self::Ghost => "talks after its end",
        }
    }

    const CALM: [Self; 3] = [Self::Worker, Self::Plain, Self::Silent];
    const GOOD: [Self; 2] = [Self::Worker, Self::Plain];
    const ALL: [Self; 17] = [
        Self::Worker,
        Self::Worker,
        Self::Worker,
        Self::Plain,
        Self::Plain,
        Self::Plain,
        Self::Prompt,
        Self::Thrower,
        Self::Rejecter,
        Self::Liar,
        Self::Sleeper,
        Self::Doubler,
        Self::Deaf,
        Self::Intruder,
        Self::Silent,
        Self::Restless,
        Self::Ghost,
    ];
}

/// A host function that was called.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub(crate) temper: Temper,
    /// It has returned.
    pub(crate) returned: bool,
    /// The manager said that the run ended.
    pub(crate) ended: bool,
    pub(crate) aborted: bool,
    /// It waits for leave to take a turn.
    pub(crate) turn_waiting: bool,
    /// It waits for an answer.
    pub(crate) asking: bool,
    /// It waits for a policy.
    pub(crate) approving: bool,
    /// Waits that it opened and that aren't over.
    pub(crate) waits: u32,
    /// Tasks that it spawned.
    pub(crate) children: Vec<Key>,
    /// Things that it will still do before it returns.
    pub(crate) left: u64,
}

/// Usage as a host reports it: right, absent, impossible, or huge.
pub(crate) fn usage(rng: &mut Rng, hostile: bool) -> Usage {
    let mut reading = |missing: u64, most: u64| {
        if rng.chance(missing) {
            Reading::Missing
        } else if hostile && rng.chance(8) {
            Reading::Invalid
        } else if hostile && rng.below(300) == 0 {
            Reading::Is(rng.pick(&[u64::MAX, 1 << 53]))
        } else {
            Reading::Is(rng.below(most))
        }
    };
    Usage { tokens: reading(15, 400), nanos: reading(60, 300), turns: reading(70, 4), instead: 0, priced: false }
}

impl World {
    pub(crate) fn host_start(&mut self, task: Key, run: u32) {
        let temper = match (self.calm, self.hostile) {
            (true, _) => self.rng.pick(&Temper::CALM),
            (false, true) => self.rng.pick(&Temper::ALL),
            (false, false) => self.rng.pick(&Temper::GOOD),
        };
        self.counts.note("hosts", temper.name());
        let left = self.rng.below(if self.roomy { 14 } else { 8 });
        let host = Host {
            temper,
            returned: false,
            ended: false,
            aborted: false,
            turn_waiting: false,
            asking: false,
            approving: false,
            waits: 0,
            children: Vec::new(),
            left,
        };
        self.hosts.insert((task, run), host);
        self.host_acquire(task);
        match temper {
            Temper::Prompt => self.settle(task, run, Returned::Completed),
            Temper::Thrower => self.settle(task, run, Returned::Threw),
            Temper::Sleeper => {
                // Some never return because they only start the work elsewhere (X4).
                if self.rng.below(2) == 0 {
                    let _ = self.say(Actor::Program, Input::StartedElsewhere { task, run });
                    let _ = self.say(Actor::Program, Input::NameElsewhere { task, run, host_task_id: "elsewhere".into() });
                }
            }
            Temper::Intruder => {
                self.intrude(task, run);
                self.later(task, run);
            }
            Temper::Worker | Temper::Plain | Temper::Rejecter | Temper::Liar | Temper::Doubler => self.later(task, run),
            Temper::Deaf | Temper::Silent | Temper::Restless | Temper::Ghost => self.later(task, run),
        }
    }

    pub(crate) fn later(&mut self, task: Key, run: u32) {
        let after = self.rng.pick(&[0, 1, 3, 10, 40, 150, 700, 3_000]);
        self.schedule(after, Event::Host(task, run));
    }

    /// Everything that a host can say before the call that starts it has returned.
    fn intrude(&mut self, task: Key, run: u32) {
        let me = Actor::Run(task, run);
        let parent = self.state().key(self.state().node(task.index).parent);
        let child = self.host_spawn(task, run, false);
        let grace_ms = self.rng.pick(&[None, Some(0), Some(50)]);
        match self.rng.below(6) {
            0 => {
                self.counts.note("misbehaviour", "cancels itself while it is started");
                let input = Input::Cancel { task, reason: subagents::StopReason::Cancelled, grace_ms };
                let _ = self.say(me, input);
            }
            1 => {
                self.counts.note("misbehaviour", "cancels its parent while it is started");
                let input = Input::Cancel { task: parent, reason: subagents::StopReason::Cancelled, grace_ms };
                let _ = self.say(me, input);
            }
            2 => {
                self.counts.note("misbehaviour", "has the program cancel it while it is started");
                let input = Input::Cancel { task, reason: subagents::StopReason::Closed, grace_ms };
                let _ = self.say(Actor::Program, input);
            }
            3 | 4 => {
                if let Some(child) = child {
                    self.counts.note("misbehaviour", "waits for a child while it is started");
                    self.host_wait(task, run, vec![child], true, None);
                }
            }
            _ => {
                if let Some(child) = child {
                    self.counts.note("misbehaviour", "cancels a child while it is started");
                    let _ = self.host_cancel(task, run, child);
                }
            }
        }
    }

    /// A host function does its next thing.
    pub(crate) fn host_step(&mut self, task: Key, run: u32) {
        let Some(host) = self.hosts.get(&(task, run)).cloned() else { return };
        if host.returned {
            if host.temper == Temper::Ghost {
                self.haunt(task, run);
            }
            return;
        }
        if self.ending && host.temper == Temper::Sleeper {
            return;
        }
        let busy = host.waits > 0 || host.turn_waiting || host.asking || host.approving;
        if busy && host.temper != Temper::Restless {
            return;
        }
        if busy {
            self.counts.note("misbehaviour", "talks while it waits");
        }
        if host.left == 0 || host.aborted || self.ending {
            self.host_return(task, run);
            return;
        }
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.left -= 1;
        }
        if self.rng.chance(if self.calm { 8 } else { 15 }) {
            if self.calm { self.host_awaits_approval(task, run) } else { self.host_asks_policies(task, run) }
        } else if self.calm {
            self.host_act_calmly(task, run, &host);
        } else {
            self.host_act(task, run, &host);
        }
        let goes_on = self.hosts.get(&(task, run)).is_some_and(|host| {
            (host.waits == 0 && !host.turn_waiting && !host.asking && !host.approving) || host.temper == Temper::Restless
        });
        if goes_on {
            self.later(task, run);
        }
    }

    fn host_act(&mut self, task: Key, run: u32, host: &Host) {
        let me = Actor::Run(task, run);
        let child = (!host.children.is_empty()).then(|| host.children[self.rng.index(host.children.len())]);
        // One that asks is waited for, so that its question is answered.
        if let Some(asker) = host.children.iter().find(|child| self.model.question_of(**child).is_some() && self.now.is_multiple_of(2)) {
            self.host_wait(task, run, vec![*asker], true, None);
            return;
        }
        // What it was answered it asks again, in the place of another host or attempt.
        if self.state().node(task.index).answer_kept().is_some() && self.rng.chance(75) {
            return self.host_ask(task, run);
        }
        if !self.state().node(task.index).to_repeat(true).is_empty() && self.rng.chance(20) {
            return self.host_replaced(task, run);
        }
        match (self.rng.below(19), child) {
            (18, Some(child)) => self.close_and_check(me, child),
            (15, _) => self.host_meets_rate_limit(me),
            (12 | 17, _) => self.host_ask(task, run),
            (13, Some(child)) => {
                let input = Input::Interrupt { task: child, grace_ms: self.rng.pick(&[None, Some(0), Some(20)]) };
                let reply = self.say(me, input).ok();
                self.host_waits(task, run, reply);
            }
            (16, _) => self.use_inbox(me),
            (14, Some(child)) => {
                let _ = self.say(me, Input::MoveToBackground(child));
            }
            (0..=3, _) if host.temper != Temper::Plain => self.host_turn(task, run),
            (0..=1, _) => self.host_report(me),
            (2..=5, _) => {
                if let Some(child) = self.host_spawn(task, run, false) {
                    let timeout_ms = self.rng.pick(&[None, None, Some(0), Some(5), Some(2_000)]);
                    self.host_wait(task, run, vec![child], true, timeout_ms);
                }
            }
            (6..=7, _) => {
                let child = self.host_spawn(task, run, true);
                // Whatever it waits for of what is queued comes forward (D2).
                if let Some(child) = child.filter(|_| self.rng.chance(20)) {
                    self.host_wait(task, run, vec![child], true, Some(500));
                }
            }
            (8, Some(child)) => {
                let mode = self.random_mode();
                self.send_and_check(me, child, mode, "go on".into());
            }
            (9, Some(child)) => {
                let _ = self.host_cancel(task, run, child);
            }
            (10, Some(_)) => {
                let (all, timeout_ms) = (self.rng.chance(50), self.rng.pick(&[None, Some(1), Some(500)]));
                self.host_wait(task, run, host.children.clone(), all, timeout_ms);
            }
            (11, Some(child)) => {
                let amount = Amounts { tokens: self.rng.below(300), ..Amounts::ZERO };
                let _ = self.say(me, Input::AddBudget { task: child, amount });
            }
            _ => self.host_report(me),
        }
    }

    /// Its model's provider refused a call for a while, or says so (X1).
    pub(super) fn host_meets_rate_limit(&mut self, me: Actor) {
        let most = if self.hostile { u64::MAX } else { 2_000 };
        let retry_after_ms = self.rng.pick(&[0, 1, 30, 400, 2_000, most]);
        let speaks = self.manager.state().place_of(me).map(|_| Reply::Done);
        // Its provider says with it what is left, in one of two cases.
        let left = |left: u64| retry_after_ms.is_multiple_of(4).then_some(left);
        let (remaining_requests, remaining_tokens) = (left(1), left(retry_after_ms));
        let reply = self.say(me, Input::ReportRateLimit { retry_after_ms, remaining_requests, remaining_tokens });
        assert_eq!(reply, speaks, "X1: a report was refused");
    }

    /// What S5 promises to finish: foreground work, which is waited for, background work, turns, reports.
    fn host_act_calmly(&mut self, task: Key, run: u32, host: &Host) {
        let full = self.model.nodes.len() > 80;
        match self.rng.below(6) {
            0..=2 if !full => {
                if let Some(child) = self.host_spawn(task, run, false) {
                    self.host_wait(task, run, vec![child], true, None);
                }
            }
            3 if !full => {
                self.host_spawn(task, run, true);
            }
            _ if host.temper != Temper::Plain => self.host_turn(task, run),
            _ => self.host_report(Actor::Run(task, run)),
        }
    }

    /// Asks for a turn, and reports it where this host reports.
    pub(crate) fn host_turn(&mut self, task: Key, run: u32) {
        let me = Actor::Run(task, run);
        let estimate = self.rng.pick(&[None, None, None, Some(0), Some(1), Some(30), Some(400), Some(3_000)]);
        let estimate = if self.hostile && self.rng.below(200) == 0 { Some(u64::MAX) } else { estimate };
        let nanos = self.rng.pick(&[None, None, None, None, Some(0), Some(1), Some(300), Some(4_000)]);
        let estimate = Estimate { tokens: estimate, nanos };
        // It waits before it has the answer: what says that it need not wait may come with the answer.
        let waited = self.hosts.get(&(task, run)).is_some_and(|host| host.turn_waiting);
        self.set_turn_waiting(task, run, true);
        let untold = self.model.untold(task);
        let whole = self.rng.chance(15);
        let reply = self.say(me, Input::BeginTurn { estimate, whole });
        if reply != Ok(Reply::Later) {
            // One that asks twice still waits for what it asked before, unless it has a turn now.
            self.set_turn_waiting(task, run, waited && !matches!(reply, Ok(Reply::Go { .. })));
        }
        let silent = self.hosts.get(&(task, run)).is_some_and(|host| host.temper == Temper::Silent);
        match reply {
            Ok(Reply::Go { inject, .. }) => {
                self.counts.note("turns", "go");
                self.check_inject(task, inject, untold);
                if silent {
                    self.counts.note("misbehaviour", "begins a turn and never reports it");
                } else {
                    self.host_report(me);
                }
            }
            Ok(Reply::Later) => self.counts.note("turns", "later"),
            Ok(Reply::Stop(_)) => {
                self.counts.note("turns", "stop");
                if let Some(host) = self.hosts.get_mut(&(task, run)) {
                    host.left = 0;
                }
            }
            Ok(
                Reply::Done
                | Reply::Node(_)
                | Reply::Again(_)
                | Reply::Sent(_)
                | Reply::Waiting(_)
                | Reply::Asked
                | Reply::Unanswered { .. }
                | Reply::NeedsInput
                | Reply::NotYet
                | Reply::WaitOver { .. }
                | Reply::Notices(_)
                | Reply::Acked(_)
                | Reply::Counted { .. }
                | Reply::Exhausted
                | Reply::Steered(_)
                | Reply::Closing { .. },
            ) => panic!("B6: {reply:?} is no answer to a turn"),
            Err(_) => {}
        }
    }

    pub(crate) fn set_turn_waiting(&mut self, task: Key, run: u32, waits: bool) {
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.turn_waiting = waits;
        }
    }

    /// Some hosts acquire something before they begin (J7), and not all have it in time.
    fn host_acquire(&mut self, task: Key) {
        if self.now.is_multiple_of(3) {
            let _ = self.say(Actor::Program, Input::Acquire { task, data: None });
            self.counts.note("resources", "asked for");
        }
        if self.now.is_multiple_of(4) {
            let _ = self.say(Actor::Program, Input::Acquire { task, data: Some(r#"{"folder":"f"}"#.into()) });
        }
        if self.now.is_multiple_of(5)
            && let Some(ReleaseView { serial, .. }) = lookup::release_after(self.state(), 0)
        {
            self.say_now(Input::Released(serial));
            self.counts.note("resources", "released");
        }
    }

    pub(super) fn host_report(&mut self, me: Actor) {
        if self.now.is_multiple_of(3) {
            let _ = self.say(me, Input::Checkpoint(r#"{"page":7}"#.into()));
        }
        if self.now.is_multiple_of(5) {
            let _ = self.say(me, Input::Save(format!(r#"{{"at":{}}}"#, self.now).into()));
        }
        if let Actor::Run(task, run) = me
            && self.now.is_multiple_of(7)
        {
            self.host_replaced(task, run);
        }
        let usage = usage(&mut self.rng, self.hostile);
        let context_tokens = self.rng.chance(20).then_some(77);
        let message = self.rng.chance(30).then(|| "halfway".into());
        let _ = self.say(me, Input::Report { usage, tokens: told_of(&usage), context_tokens, message });
    }

    pub(super) fn host_spawn(&mut self, task: Key, run: u32, background: bool) -> Option<Key> {
        if self.ending {
            return None;
        }
        let spawn = if self.calm { self.calm_spawn(background) } else { Spawn { background, ..self.random_spawn() } };
        if !self.calm && self.rng.chance(15) {
            return self.spawn_once(Actor::Run(task, run), spawn);
        }
        let stopped = self.is_stopped(task, run) && !background;
        let reply = self.say(Actor::Run(task, run), Input::Spawn(spawn));
        assert!(!stopped || reply == Err(Rejection::Aborted), "D9: a run that was told to stop spawned in the foreground: {reply:?}");
        let Ok(Reply::Node(child)) = reply else { return None };
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.children.push(child);
        }
        Some(child)
    }

    /// Whether a run that still speaks was asked to stop.
    fn is_stopped(&self, task: Key, run: u32) -> bool {
        let state = self.manager.state();
        state.place_of(Actor::Run(task, run)).is_ok() && state.run_of(task.index).stop.is_some()
    }

    fn host_wait(&mut self, task: Key, run: u32, targets: Vec<Key>, all: bool, timeout_ms: Option<u64>) {
        // The short way to wait for one is the same wait.
        let input = match targets.as_slice() {
            [target] if self.rng.chance(50) => Input::WaitFor { target: *target, timeout_ms },
            _ => Input::Wait { targets, all, idle: false, timeout_ms },
        };
        let reply = self.say(Actor::Run(task, run), input);
        if reply == Ok(Reply::NeedsInput) {
            self.counts.note("waits", "not begun for a question");
        }
        self.host_waits(task, run, reply.ok());
    }

    fn host_cancel(&mut self, task: Key, run: u32, child: Key) -> Option<Reply> {
        let grace_ms = self.rng.pick(&[None, Some(0), Some(1), Some(100)]);
        let input = Input::Cancel { task: child, reason: subagents::StopReason::Cancelled, grace_ms };
        let reply = self.say(Actor::Run(task, run), input).ok();
        self.host_waits(task, run, reply.clone());
        reply
    }

    /// Notes that a host waits, unless the wait is over by now.
    fn host_waits(&mut self, task: Key, run: u32, reply: Option<Reply>) {
        if let Some(Reply::Waiting(wait)) = reply
            && self.model.waits.get(&wait).is_some_and(|wait| !wait.told)
            && let Some(host) = self.hosts.get_mut(&(task, run))
        {
            host.waits += 1;
        }
    }

    pub(crate) fn host_wait_done(&mut self, wait: Key) {
        let Some(record) = self.model.waits.get(&wait).cloned() else { return };
        if let Some(host) = self.hosts.get_mut(&(record.waiter, record.run)).filter(|host| host.waits > 0) {
            host.waits -= 1;
            if host.waits == 0 && !host.turn_waiting && !host.asking && !host.approving {
                self.later(record.waiter, record.run);
            }
        }
    }

    pub(crate) fn host_turn_ready(&mut self, task: Key, run: u32) {
        if let Some(host) = self.hosts.get_mut(&(task, run)).filter(|host| host.turn_waiting && !host.returned) {
            host.turn_waiting = false;
            self.host_turn(task, run);
            if self.hosts.get(&(task, run)).is_some_and(|host| !host.turn_waiting && host.waits == 0 && !host.asking && !host.approving) {
                self.later(task, run);
            }
        }
    }
}
