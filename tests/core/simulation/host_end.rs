//! How host functions end: asked to stop, returning, coming back as ghosts. Owns what each temper does then.

use subagents::{Actor, Estimate, Input, Key, Once, Outcome, Reply, ResultDetails, Returned, RunOutput, Spawn, Usage};

use super::host::{Temper, usage};
use super::tokens::told_of;
use super::world::{Event, World};

impl World {
    pub(crate) fn host_abort(&mut self, task: Key, run: u32) {
        let Some(host) = self.hosts.get_mut(&(task, run)) else { return };
        host.aborted = true;
        let (temper, may_ask) = (host.temper, host.waits == 0 && !host.turn_waiting && !host.asking && !host.approving && !host.returned);
        // Some ask what to do now; there is nobody left to answer (M5).
        if may_ask && self.rng.chance(5) {
            self.host_ask(task, run);
        }
        // Some begin new work as if nothing had been said (D9).
        if may_ask && self.rng.chance(3) {
            self.host_spawn(task, run, false);
        }
        match temper {
            Temper::Sleeper => {}
            Temper::Deaf => {
                let after = self.rng.pick(&[5_000, 30_000, 200_000]);
                self.schedule(after, Event::Return(task, run));
            }
            _ => {
                let after = self.rng.pick(&[0, 0, 1, 20, 400]);
                self.schedule(after, Event::Return(task, run));
            }
        }
    }

    pub(crate) fn host_ended(&mut self, task: Key, run: u32) {
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.ended = true;
        }
    }

    /// A host function returns in its own way.
    pub(crate) fn host_return(&mut self, task: Key, run: u32) {
        let Some(host) = self.hosts.get(&(task, run)).filter(|host| !host.returned).cloned() else { return };
        let returned = match host.temper {
            Temper::Rejecter => Returned::Threw,
            Temper::Liar => Returned::Invalid,
            _ if !self.hostile => Returned::Completed,
            _ => self.rng.pick(&[
                Returned::Completed,
                Returned::Completed,
                Returned::Completed,
                Returned::Completed,
                Returned::Failed,
                Returned::Incomplete,
                Returned::Cancelled,
                Returned::TimedOut,
                Returned::Lost,
            ]),
        };
        self.settle(task, run, returned);
        match host.temper {
            Temper::Doubler => {
                self.counts.note("misbehaviour", "returns a second time");
                self.settle(task, run, Returned::Failed);
            }
            Temper::Ghost => self.later(task, run),
            _ => {}
        }
    }

    pub(super) fn settle(&mut self, task: Key, run: u32, returned: Returned) {
        if let Some(host) = self.hosts.get_mut(&(task, run)) {
            host.returned = true;
            if host.ended {
                self.counts.note("misbehaviour", "returns after its end");
            }
        }
        let output = match self.rng.below(4) {
            0 => "".into(),
            1 => "a result that is rather long, and has a ü in it".into(),
            _ => "done".into(),
        };
        let usage = if returned == Returned::Lost { Usage::default() } else { usage(&mut self.rng, self.hostile) };
        let error = matches!(returned, Returned::Threw | Returned::Failed | Returned::Incomplete | Returned::Lost).then(|| "broken".into());
        let duration_ms = self.rng.chance(20).then_some(12);
        let output = RunOutput::new(output, ResultDetails { error, duration_ms, ..ResultDetails::default() });
        let outcome = Outcome { returned, usage, output, tokens: told_of(&usage) };
        let reply = self.say(Actor::Program, Input::HostReturned { task, run, outcome });
        assert_eq!(reply, Ok(Reply::Done), "L2: a host's end was refused");
    }

    /// Speaks as a run that has ended.
    pub(super) fn haunt(&mut self, task: Key, run: u32) {
        self.counts.note("misbehaviour", "talks after its end");
        let me = Actor::Run(task, run);
        let reply = match self.rng.below(6) {
            4 => self.say(me, Input::ReportRateLimit { retry_after_ms: 60_000, remaining_requests: None, remaining_tokens: None }),
            5 => self.say(me, Input::SpawnOnce(Box::new(Once { key: "k1".into(), ..Once::default() }))),
            0 => self.say(me, Input::Spawn(Spawn { text: Some("from beyond".into()), ..Spawn::default() })),
            1 => self.say(me, Input::BeginTurn { estimate: Estimate::default(), whole: false }),
            2 => {
                self.host_report(me);
                return;
            }
            _ => {
                let targets = self.hosts.get(&(task, run)).map(|host| host.children.clone()).unwrap_or_default();
                if targets.is_empty() {
                    return;
                }
                self.say(me, Input::Wait { targets, all: true, idle: false, timeout_ms: None })
            }
        };
        assert!(reply.is_err(), "A1: an ended run was answered with {reply:?}");
    }
}
