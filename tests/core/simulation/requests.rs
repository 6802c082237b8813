//! Requests whose answers are checked at once: spawns under keys, pages, notices, `can_spawn`. Owns these checks.

use subagents::{
    Actor, DEFAULT_SESSION, Effect, Input, Key, NONE, Once, Rejection, Reply, RetryEnded, Spawn, Status, StopReason, Text, UNLIMITED,
};

use super::world::World;

impl World {
    /// Spawns under a key, one of few, so that it often was used before; and asks a second time, which must
    /// give the same answer and change nothing (D7).
    pub(crate) fn spawn_once(&mut self, actor: Actor, spawn: Spawn) -> Option<Key> {
        let key: Text = self.rng.pick(&["k1", "k2", "k3", "k4", ""]).into();
        let parameters: Text = self.rng.pick(&["same", "same", "same", "other"]).into();
        let retry_ended = match self.rng.below(6) {
            0 => Some(RetryEnded::Bad),
            1 => Some(RetryEnded::On(vec![StopReason::HostThrew, StopReason::Cancelled])),
            _ => None,
        };
        let once = Once { spawn, key: key.clone(), work: parameters.clone(), parameters, retry_ended };
        let reply = self.say(actor, Input::SpawnOnce(Box::new(once.clone())));
        let task = match &reply {
            Ok(Reply::Node(task) | Reply::Again(task)) => *task,
            _ => return None,
        };
        let first = matches!(reply, Ok(Reply::Node(_)));
        self.counts.note("keys", if first { "first use" } else { "used again" });
        let facts = self.manager.fact_count();
        // What has come to a bad end meanwhile is attempted again.
        let is_tried = once.retry_ended.is_some() && self.state().node(task.index).run == NONE;
        let cap = self.state().node(task.index).account.cap;
        let again = self.say(actor, Input::SpawnOnce(Box::new(once.clone())));
        match &again {
            Ok(Reply::Again(same)) => assert_eq!(*same, task, "D7: the key `{key}` stands for two tasks"),
            Err(Rejection::IdempotencyForgotten { task: same, .. }) => assert_eq!(*same, task, "D7: the key `{key}` stood for two tasks"),
            // What has started may have come to its end at once, and its caller with it.
            Err(Rejection::ActorEnded) => {}
            Ok(Reply::Node(_)) => assert!(self.keys_go_at_once(), "D7: the key `{key}` started two tasks"),
            // A key that is gone starts a second one, and one that ended badly is attempted again: either may be refused.
            Err(_) if self.keys_go_at_once() || once.retry_ended.is_some() => {}
            other => panic!("D7: {other:?} is no answer to a repeated key"),
        }
        let is_new = matches!(again, Ok(Reply::Node(_))) || is_tried;
        // It got less than was asked for, and has spent more than that: its cap goes up to what it has spent.
        let is_raised = once.retry_ended.is_some() && self.state().node(task.index).account.cap != cap;
        let left = self.manager.fact_count() - facts;
        assert!(is_new || left == u64::from(is_raised), "D7: a repeated key left facts");
        let another = Once { parameters: "quite another".into(), work: "quite another".into(), ..once };
        let other = self.say(actor, Input::SpawnOnce(Box::new(another)));
        let refused = matches!(other, Err(Rejection::IdempotencyConflict { .. } | Rejection::ActorEnded));
        assert!(refused || self.keys_go_at_once(), "D7: the key `{key}` for other parameters: {other:?}");
        Some(task)
    }

    /// Whether a key may be forgotten in the same step: its time is over at once, or there is room for few.
    pub(super) fn keys_go_at_once(&self) -> bool {
        self.state().limits.max_idempotency_keys < 10 || self.state().limits.idempotency_ttl_ms < 10
    }

    /// Pages of any size put together are the result (R1).
    pub(super) fn read_pages(&mut self, actor: Actor, task: Key) {
        let limit = self.rng.pick(&[1, 2, 7, 1_000]);
        let (mut whole, mut offset) = (String::new(), 0);
        loop {
            match subagents::read_result(self.state(), actor, task, offset, limit) {
                Ok(page) => {
                    self.counts.note("results", "read");
                    whole.push_str(&page.text);
                    match page.next_offset {
                        Some(next) => offset = next,
                        None => {
                            assert_eq!(page.total as usize, whole.chars().count(), "R1: the pages of {task:?} aren't its result");
                            assert_eq!(*whole, *self.state().node(task.index).output, "R1: the pages of {task:?} aren't its result");
                            return;
                        }
                    }
                }
                Err(rejection) => {
                    self.counts.note("rejections", rejection.code());
                    return;
                }
            }
        }
    }

    /// Takes notices, and acknowledges some: its own, another's, or what is none.
    pub(crate) fn use_inbox(&mut self, actor: Actor) {
        // Whether anybody is notified when a session is woken is the host's business.
        let sessions: Vec<Key> = self.model.notices.open.values().map(|notice| notice.owner).collect();
        if !sessions.is_empty() && self.rng.chance(30) {
            self.counts.note("inbox", "woken");
            let session = sessions[self.rng.index(sessions.len())];
            assert_eq!(self.say(Actor::Program, Input::Woken(session)), Ok(Reply::Done), "N2: a wake was refused");
        }
        if self.rng.chance(50) {
            let (max, lease_ms) =
                (self.rng.pick(&[None, Some(1), Some(2)]), self.rng.pick(&[None, None, Some(1), Some(700), Some(UNLIMITED)]));
            let _ = self.say(actor, Input::Lease { max, lease_ms });
        }
        let open: Vec<(Key, u32)> = self.model.notices.open.keys().copied().collect();
        if open.is_empty() || self.rng.chance(40) {
            return;
        }
        let (task, run) = open[self.rng.index(open.len())];
        let run = if self.rng.chance(10) { run + 1 } else { run };
        let before = self.model.notices.open.get(&(task, run)).cloned();
        let program = self.state().key(DEFAULT_SESSION);
        let own = before.is_some_and(|notice| match actor {
            Actor::Program => true,
            Actor::Session(key) | Actor::Run(key, _) => notice.owner == key,
        });
        let reply = self.say(actor, Input::Ack { task, run });
        // A lease may end in the same step, and the notice's owner with it, before it is acknowledged.
        assert!(!matches!(reply, Ok(Reply::Acked(acked)) if acked != own), "N2: {actor:?} of {program:?} acked: {reply:?}, own: {own}");
        assert!(!self.model.notices.open.contains_key(&(task, run)) || reply != Ok(Reply::Acked(true)), "N2: acked and still open");
        if own && reply == Ok(Reply::Acked(true)) {
            assert_eq!(self.say(actor, Input::Ack { task, run }), Ok(Reply::Acked(false)), "N2: acknowledged twice");
        }
    }

    /// A session that is notified of notices takes them, or lets them lie.
    pub(crate) fn wake(&mut self, session: Key) {
        if self.rng.chance(40) {
            self.use_inbox(Actor::Session(session));
        }
    }

    /// In reject mode nothing that was admitted waits, unless its caller still holds the slot (D2).
    pub(super) fn spawn_and_check(&mut self, actor: Actor, spawn: Spawn) {
        let (queued, most) = (self.state().queued(), self.state().limits.max_queued);
        let reply = self.say(actor, Input::Spawn(spawn));
        if let Ok(Reply::Node(task)) = reply
            && self.state().tree.contains(task)
            && self.state().node(task.index).status == Status::Pending
            && self.state().run_of(task.index).attempt == 0
        {
            assert!(queued < most, "D2: {task:?} waits behind {queued}, maxQueued is {most}");
        }
        if let Ok(Reply::Node(task)) = reply
            && self.state().reject
            && self.state().tree.contains(task)
        {
            // One that was tried waits for its next time (X5).
            let waits = self.state().node(task.index).status == Status::Pending && self.state().run_of(task.index).attempt == 0;
            // What the process lacks is no limit (J3).
            assert!(!waits || self.model.lacks(task), "D2: {task:?} waits, though nothing may wait");
        }
    }

    /// Without a target it is the speaker's open child that changed last (M3).
    pub(super) fn send_to_the_last(&mut self, actor: Actor) {
        if self.rng.chance(70) {
            return;
        }
        let Some(task) = self.state().open_child(actor) else { return };
        self.counts.note("messages", "to the last one");
        let top = match actor {
            Actor::Program => self.state().key(DEFAULT_SESSION),
            Actor::Session(key) | Actor::Run(key, _) => key,
        };
        let last = self.state().node(task.index).updated_at;
        for child in self.state().children(top.index) {
            let node = self.state().node(child);
            let closed = matches!(node.status, Status::Cancelled | Status::Closed) || self.state().is_sealed(child);
            let newer = node.updated_at > last && node.kind == subagents::node::Kind::Task;
            assert!(closed || !newer, "M3: {task:?} was taken, {child} changed later");
        }
        let mode = self.random_mode();
        self.send_and_check(actor, task, mode, "to the last".into());
    }

    pub(super) fn speak_in_the_past(&mut self) {
        self.counts.note("clock", "jumps backward");
        let past = self.now.saturating_sub(self.rng.pick(&[1, 1_000, 10_000_000]));
        let before = self.state().now;
        let spawn = self.random_spawn();
        self.say_at(past, Actor::Program, Input::Spawn(spawn));
        assert!(self.state().now >= before, "T3: the time ran backwards");
    }

    /// `canSpawn` says what a spawn would do (D3): asked on a copy, which is then thrown away.
    pub(super) fn ask_can_spawn(&mut self) {
        let runs: Vec<Actor> =
            self.hosts.iter().filter(|(_, host)| !host.ended && !host.returned).map(|((task, run), _)| Actor::Run(*task, *run)).collect();
        let actor = if runs.is_empty() || self.rng.chance(40) { self.random_actor() } else { runs[self.rng.index(runs.len())] };
        let mut copy = self.manager.clone();
        let _ = copy.handle(self.host_time(), Actor::Program, Input::Tick);
        let said = copy.can_spawn(self.host_time(), actor);
        let _ = copy.take_effects();
        let reply = copy.handle(self.host_time(), actor, Input::Spawn(Spawn { text: Some("try".into()), ..Spawn::default() }));
        let starts = match &reply {
            Ok(Reply::Node(task)) => {
                if matches!(actor, Actor::Run(..)) {
                    let _ = copy.handle(
                        self.host_time(),
                        actor,
                        Input::Wait { targets: vec![*task], all: true, idle: false, timeout_ms: None },
                    );
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
}
