//! The world around a manager: virtual time, the queue of events, the wake-up timer, and the one way
//! to speak to the manager, which checks everything that must hold after each word.
//!
//! Owns what is checked at every step; `host.rs` and `actions.rs` only decide what is said.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use subagents::node::Retention;
use subagents::{
    Actor, Effect, Fact, Input, Key, Manager, NewNotice, ROOT, Reading, Rejection, Reply, State, TargetState, WaitedFor, Waits, read_all,
};

use super::counts::Counts;
use super::crashing::Crash;
use super::host::Host;
use super::keeping::Keeping;
use super::model::Model;
use super::parts::{Part, parts};
use super::policies::Account;
use super::promises::Promises;
use super::rng::Rng;

/// How many inputs and facts are shown when something fails.
const SHOWN: usize = 30;
/// After how many inputs the facts are folded and compared with the whole state.
const FOLD_EVERY: u64 = 251;
/// How often a refusal is checked by the digest of the whole state, and not by the count of facts alone.
const DIGEST_EVERY: u64 = 241;

/// Something that happens in the world on its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A host function goes on.
    Host(Key, u32),
    /// A host function returns, whatever it was doing.
    Return(Key, u32),
    /// A policy answers.
    Approve(Key, u32),
}

pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) steps: u64,
    pub(crate) rng: Rng,
    /// The manager's time.
    pub(crate) now: u64,
    /// How far that is ahead of its host's clock, which was set back before a process began (T3).
    pub(super) ahead: u64,
    pub(crate) manager: Manager,
    pub(crate) model: Model,
    pub(super) promises: Promises,
    pub(crate) policies: Account,
    pub(crate) hosts: BTreeMap<(Key, u32), Host>,
    pub(crate) counts: Counts,
    /// Whether hosts misbehave at all.
    pub(crate) hostile: bool,
    /// Hosts only spawn, wait, take turns and report; nobody cancels and nothing is impossible.
    pub(crate) calm: bool,
    /// Whether limits and budget leave room for large trees.
    pub(crate) roomy: bool,
    /// Nobody starts anything new any more.
    pub(crate) ending: bool,
    /// Every input and every fact is printed.
    verbose: bool,
    events: BTreeMap<(u64, u64), Event>,
    sequence: u64,
    /// When the manager asked to be woken.
    pub(super) timer: Option<u64>,
    pub(super) outbox: VecDeque<Effect>,
    pub(super) delivering: bool,
    pub(super) folded: State,
    /// Every fact since the beginning, as a store would keep it.
    pub(super) journal: Vec<u8>,
    /// The last snapshot, and how many bytes of the journal it stands for.
    pub(super) snapshot: (Vec<u8>, usize),
    /// A fact that would be refused in a journal.
    refused: Option<String>,
    /// The store, where one is there.
    pub(super) keeping: Option<Keeping>,
    /// When the process is lost.
    pub(super) crashes: Vec<Crash>,
    inputs: u64,
    /// A hash of every byte of facts, to compare two runs of the same seed.
    pub(crate) history: u64,
    shown_inputs: VecDeque<String>,
    shown_facts: VecDeque<(u64, Fact)>,
    /// How often each run's end, and each start, was reported to the host.
    pub(super) ended: BTreeMap<(Key, u32), u32>,
    pub(super) started: BTreeMap<(Key, u32), u32>,
    pub(super) aborted: BTreeSet<(Key, u32)>,
    /// Questions of a run that are open, as the facts say.
    pub(crate) asked: BTreeMap<(Key, u32), u32>,
    pub(super) timed_out: BTreeSet<(Key, u32)>,
    /// Runs that were asked to stop in this step.
    stopped: BTreeSet<(Key, u32)>,
    /// The message that is being sent must not be taken (L7).
    revived_wrongly: bool,
}

impl World {
    pub(crate) fn new(seed: u64, hostile: bool) -> Self {
        let mut manager = Manager::new();
        manager.listen(true);
        let (model, folded) = (Model::new(manager.state()), manager.state().clone());
        Self {
            seed,
            steps: 0,
            rng: Rng::new(seed),
            now: 0,
            ahead: 0,
            manager,
            model,
            promises: Promises::new(),
            policies: Account::default(),
            hosts: BTreeMap::new(),
            counts: Counts::default(),
            hostile,
            calm: false,
            roomy: false,
            ending: false,
            verbose: std::env::var_os("SUBAGENTS_VERBOSE").is_some(),
            events: BTreeMap::new(),
            sequence: 0,
            timer: None,
            outbox: VecDeque::new(),
            delivering: false,
            folded,
            journal: Vec::new(),
            snapshot: (Manager::new().snapshot(), 0),
            refused: None,
            keeping: None,
            crashes: Self::crashes_of(seed),
            inputs: 0,
            history: 0xcbf2_9ce4_8422_2325,
            shown_inputs: VecDeque::new(),
            shown_facts: VecDeque::new(),
            ended: BTreeMap::new(),
            started: BTreeMap::new(),
            aborted: BTreeSet::new(),
            asked: BTreeMap::new(),
            timed_out: BTreeSet::new(),
            stopped: BTreeSet::new(),
            revived_wrongly: false,
        }
    }

    /// What the clock of the host shows.
    pub(crate) const fn host_time(&self) -> u64 {
        self.now.saturating_sub(self.ahead)
    }

    pub(crate) fn state(&self) -> &State {
        self.manager.state()
    }

    /// Fails the seed.
    pub(crate) fn check(&self, result: Result<(), String>) {
        if let Err(message) = result {
            panic!("{message}");
        }
    }

    pub(crate) fn schedule(&mut self, after: u64, event: Event) {
        self.sequence += 1;
        self.events.insert((self.now.saturating_add(after), self.sequence), event);
    }

    /// When the next event or wake-up comes.
    pub(crate) fn next_event(&self) -> Option<u64> {
        let event = self.events.first_key_value().map(|((at, _), _)| *at);
        [event, self.timer].into_iter().flatten().min()
    }

    /// Lets the time pass until the next event or wake-up, and lets that happen. `false` where nothing
    /// will ever happen again.
    pub(crate) fn pass_time(&mut self) -> bool {
        if self.take_up() {
            return true;
        }
        let Some(at) = self.next_event().filter(|at| *at < u64::MAX) else { return false };
        let wakes = self.timer.is_some_and(|timer| timer <= at);
        // Timers of real hosts fire a little early at times.
        let early = u64::from(wakes && self.rng.chance(5));
        self.now = self.now.max(at.saturating_sub(early));
        if wakes {
            self.timer = None;
            self.say_now(Input::Tick);
            return true;
        }
        if let Some((_, event)) = self.events.pop_first() {
            match event {
                Event::Host(task, run) => self.host_step(task, run),
                Event::Return(task, run) => self.host_return(task, run),
                Event::Approve(task, run) => self.approve(task, run),
            }
        }
        true
    }

    /// Drops all events: no host does anything by itself any more.
    pub(crate) fn silence_hosts(&mut self) {
        self.events.clear();
    }

    pub(crate) fn say_now(&mut self, input: Input) {
        let _ = self.say(Actor::Program, input);
    }

    /// Says something to the manager and checks everything. Effects are carried out in order; what the
    /// hosts say while one is carried out comes before the next one, as at the real boundary.
    pub(crate) fn say(&mut self, actor: Actor, input: Input) -> Result<Reply, Rejection> {
        let _ = self.step(self.now, Actor::Program, Input::Tick, true);
        let count = self.manager.fact_count();
        let before = self.inputs.is_multiple_of(DIGEST_EVERY).then(|| (self.state().digest(), self.manager.waits().clone()));
        let named = input.clone();
        self.revived_wrongly = matches!(&named, Input::Send { task, .. } if !self.model.may_revive(actor, *task));
        let stopped = self.background_to_stop(actor, &named);
        let reply = self.step(self.now, actor, input, false);
        self.check_claims(&stopped, &reply);
        match &reply {
            Ok(_) => self.check_reach(actor, &named),
            Err(rejection) => {
                self.counts.note("rejections", rejection.code());
                assert_eq!(self.manager.fact_count(), count, "a rejected {named:?} left facts");
                let same = |(digest, waits): (u64, Waits)| digest == self.state().digest() && waits == *self.manager.waits();
                assert!(before.is_none_or(same), "a rejected {named:?} changed the state");
                if let Rejection::TasksLimit { limit } = rejection {
                    self.check_no_room(*limit);
                }
                if let Rejection::SpawnsLimit { limit, task } = rejection {
                    self.model.check_spawns_limit(*limit, *task);
                }
                if *rejection == Rejection::NotReachable {
                    self.check_unreachable(actor, &named);
                }
            }
        }
        // Nothing is left over that the mere asking would do: slots are given away, ends are followed.
        // What is due at this very time is fired by the wake-up that was just asked for.
        let deadlines = [self.state().deadlines.next(), self.manager.waits().deadlines.next()];
        let due = deadlines.into_iter().flatten().any(|(at, _)| at <= self.now.max(self.state().now));
        let count = self.manager.fact_count();
        let _ = self.step(self.now, Actor::Program, Input::Tick, true);
        assert!(due || self.manager.fact_count() == count, "something was left undone after {named:?}");
        self.deliver();
        self.store_now_and_then();
        reply
    }

    /// A spawn was refused for want of room: fewer may go than are too many (L8).
    fn check_no_room(&self, limit: u64) {
        let state = self.state();
        let may_go = state.tree.indices().filter(|index| state.node(*index).may_go() != Retention::No).count() as u64;
        let surplus = (u64::from(state.tasks()) + 1).saturating_sub(limit);
        assert!(may_go < surplus, "L8: {may_go} may go, and nothing made room for one more than {limit}");
    }

    /// One input at a time that may lie in the past.
    pub(crate) fn say_at(&mut self, now: u64, actor: Actor, input: Input) {
        let _ = self.step(now, actor, input, false);
        self.deliver();
    }

    pub(super) fn step(&mut self, now: u64, actor: Actor, input: Input, quiet: bool) -> Result<Reply, Rejection> {
        self.begin(now, actor, &input);
        if !quiet {
            self.show_input(format!("{now} {actor:?} {input:?}"));
        }
        let named = input.clone();
        let reply = self.manager.handle(now.saturating_sub(self.ahead), actor, input);
        if self.ahead > 0 {
            self.counts.note("clock", "inputs by a clock that is behind");
        }
        if !quiet {
            self.show_input(format!("    → {reply:?}"));
        }
        self.follow((actor, &named), &reply);
        reply
    }

    /// A step is about to be made.
    pub(super) fn begin(&mut self, now: u64, actor: Actor, input: &Input) {
        self.inputs += 1;
        self.note_input(input);
        let wait_asked = if let Input::EndWait(wait) = input { Some(*wait) } else { None };
        self.model.begin(now, matches!(input, Input::BeginTurn { .. }), wait_asked);
        self.model.begin_notices(actor, input);
        self.promises.begin(now, actor, input, &self.model);
    }

    /// Takes what came of a step, and checks everything that must hold after one.
    pub(super) fn follow(&mut self, (actor, input): (Actor, &Input), reply: &Result<Reply, Rejection>) {
        let verdict = self.model.wait_begins((actor, input), reply, self.manager.waits());
        self.check(verdict);
        self.take_facts();
        let mut woken = BTreeSet::new();
        for effect in self.manager.take_effects() {
            self.take_effect(&effect);
            self.promises.effect(&effect);
            if let Effect::Wake(session) = &effect {
                assert!(woken.insert(*session), "N3: {session:?} was woken twice in a step");
            }
            self.outbox.push_back(effect);
        }
        match self.model.end_notices(self.manager.state().now) {
            // A closed session gets nothing any longer (C4).
            Ok(expected) => assert!(
                expected.iter().all(|session| woken.contains(session) || self.model.is_closed_session(*session)),
                "N3: {expected:?} have notices, {woken:?} were woken"
            ),
            Err(message) => panic!("{message}"),
        }
        // Whoever is asked to stop has its signal fired, in the same step.
        assert!(self.stopped.is_subset(&self.aborted), "L5: not aborted: {:?}", self.stopped.difference(&self.aborted));
        self.stopped.clear();
        let verdict = self.model.end();
        self.check(verdict);
        let verdict = self.promises.end(reply, &self.model);
        self.check(verdict);
        self.check(self.manager.check_invariants());
        self.check(self.model.compare(self.manager.state()));
        self.check(self.model.compare_waits(self.manager.waits()));
        self.check_timer();
    }

    fn take_facts(&mut self) {
        let bytes = self.manager.take_facts();
        self.journal.extend(&bytes);
        for byte in &bytes {
            self.history = (self.history ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let facts = read_all(&bytes).expect("the manager's own facts read back");
        for (at, fact) in facts {
            self.counts.note("facts", fact.name());
            self.note_reasons(&fact);
            self.note_kept(&fact);
            if self.verbose {
                eprintln!("      {at} {fact:?}");
            }
            self.shown_facts.push_back((at, fact.clone()));
            if self.shown_facts.len() > SHOWN {
                self.shown_facts.pop_front();
            }
            if let Fact::RunStarted { task, .. } = &fact {
                self.check_order(*task);
            }
            if let Fact::StopRequested { task, run, .. } = &fact {
                self.stopped.insert((*task, *run));
            }
            // A question that an attempt before had asked is answered in the step that asks it.
            let repeats = |task| matches!(fact, Fact::QuestionClosed { .. }) && self.model.question_of(task).is_none();
            if let Fact::QuestionAsked { task, run, .. } | Fact::QuestionClosed { task, run, .. } = &fact
                && (matches!(fact, Fact::QuestionAsked { .. }) || repeats(*task))
            {
                *self.asked.entry((*task, *run)).or_default() += 1;
            }
            for part in parts(&fact, &self.model, &self.folded) {
                self.note_part(&part);
                self.check_kept(&part);
                let verdict = self.promises.take(at, &part, &self.model);
                self.check(verdict);
                let verdict = self.model.take(at, &part).and_then(|()| self.policies.take(&part));
                self.check(verdict);
            }
            self.promises.prices.take(&fact, self.folded.key(ROOT));
            self.promises.recent.take(&fact, self.folded.key(ROOT), &self.model);
            let verdict = self.promises.tokens.take(&fact).and_then(|()| self.promises.schedule.take(at, &fact, &self.folded));
            self.check(verdict);
            if !self.folded.may_follow(&fact) {
                self.refused.get_or_insert_with(|| format!("{fact:?}"));
            }
            self.folded.apply(at, fact);
        }
        if self.inputs.is_multiple_of(FOLD_EVERY) {
            self.compare_fold();
        }
    }

    /// Who starts is the first who could: nobody who comes back waits for a slot alone, and nobody in the queue
    /// before it whose host function has returned and who has no budget to wait for (S2, D2).
    fn check_order(&self, starting: Key) {
        let before = &self.folded;
        let back = before.reentry.iter().map(|run| before.runs.at(*run)).find(|run| run.waiting_turn.is_none());
        assert!(back.is_none(), "S2: {starting:?} started before {back:?}");
        let ahead = before.queue.in_order().map(|run| before.runs.at(run).task).take_while(|task| *task != starting.index);
        for task in ahead.filter(|task| {
            // A drain leaves to the next process what no run above waits for.
            !self.is_left(*task)
                && before.node(*task).lingering == subagents::NONE
                && !self.model.cools(before.key(*task))
                && !self.model.has_rate(before.key(*task))
                && !self.model.lacks(before.key(*task))
        }) {
            assert!(!self.model.is_uncapped(before.key(task)), "D2: {starting:?} started before task {task}");
        }
    }

    /// The state is the fold of the facts, and each of them can follow those before it.
    pub(crate) fn compare_fold(&mut self) {
        assert!(self.refused.is_none(), "J1: the manager's own {:?} would be refused", self.refused);
        assert!(self.folded == *self.manager.state(), "the fold of the facts differs from the state");
        self.go_on_from_snapshot();
    }

    /// A snapshot says all that is known: it reads back as it was, and in one of two lives the fold goes on from it.
    fn go_on_from_snapshot(&mut self) {
        let bytes = self.manager.snapshot();
        let (count, mut read) = State::of_snapshot(&bytes).expect("the manager's own snapshot reads back");
        assert!(count == self.manager.fact_count() && read == *self.state(), "J1: a snapshot reads back as another state");
        assert!(read.snapshot(count) == bytes, "J1: a state has two snapshots");
        self.snapshot = (bytes, self.journal.len());
        if self.seed.is_multiple_of(2) {
            self.folded = read;
        }
    }

    fn note_input(&mut self, input: &Input) {
        let usage = match input {
            Input::Report { usage, .. } => usage,
            Input::HostReturned { outcome, .. } => &outcome.usage,
            _ => return,
        };
        let bad = |reading: Reading| matches!(reading, Reading::Invalid) || matches!(reading, Reading::Is(amount) if amount >= 1 << 53);
        if bad(usage.tokens) || bad(usage.nanos) || bad(usage.turns) {
            self.counts.note("usage", "reported invalid or huge");
        }
    }

    fn note_reasons(&mut self, fact: &Fact) {
        match fact {
            Fact::RunEnded { task, run, status, stop_reason: reason, host_open, partial, cut, collected, .. } => {
                if self.model.has_returned(*task, *run) {
                    let good = *status == subagents::Status::Completed;
                    self.counts.note("parents", if good { "ended after those they waited for" } else { "cancelled while they waited" });
                }
                self.counts.note("ends", status.name());
                self.counts.note("stop reasons", reason.name());
                for (holds, name) in [(*host_open, "host still open"), (*partial, "partial"), (*cut, "cut"), (*collected, "collected")] {
                    if holds {
                        self.counts.note("ends", name);
                    }
                }
            }
            Fact::RunRetried { stop_reason: reason, .. } => self.counts.note("tried again", reason.name()),
            Fact::TaskEnded { stop_reason: reason, .. } => self.counts.note("stop reasons", reason.name()),
            Fact::RunReentered { over_limit, .. } => {
                self.counts.note("re-entered", if *over_limit { "over the limit" } else { "into a slot" })
            }
            Fact::WrapUpRequested { stop_reason: reason, .. } => self.counts.note("told to wrap up", reason.name()),
            Fact::SessionFreed { .. } => self.counts.note("sessions", "freed"),
            Fact::TurnStarted { wrap_up: true, .. } => self.counts.note("turns", "wrap-up"),
            Fact::DrainEnded { timed_out } => self.counts.note("drains", if *timed_out { "timed out" } else { "done" }),
            _ => {}
        }
    }

    fn note_part(&mut self, part: &Part<'_>) {
        if let Part::NoticeMade { notice: NewNotice { acked, awaited, rerouted_from, .. }, .. } = part {
            for (holds, name) in
                [(*acked, "acked when made"), (*awaited, "awaited when made"), (rerouted_from.is_some(), "rerouted when made")]
            {
                if holds {
                    self.counts.note("notices", name);
                }
            }
        }
        if let Part::Parked { why, .. } = part {
            self.counts.note("parked", why.name());
        }
        if let Part::NoticeLeased { until: None, .. } = part {
            self.counts.note("notices", "given to a turn");
        }
        if let Part::UsageDoubted { unknown, invalid, .. } = part {
            if *unknown != 0 {
                self.counts.note("usage", "unknown");
            }
            if *invalid != 0 {
                self.counts.note("usage", "invalid");
            }
        }
    }

    /// What a wait lists as ended it has collected: it comes again to nobody who got it. And it says why it is over (W2).
    fn check_waited(&self, wait: Key, timed_out: bool, waited: &[WaitedFor]) {
        let Some(record) = self.model.waits.get(&wait) else { return };
        assert_eq!(waited.len(), record.targets.len(), "W2: {waited:?} is told of {:?}", record.targets);
        let in_state = |state| move |waited: &&WaitedFor| waited.state == state;
        for (of, _) in record.targets.iter().zip(waited).filter(|(_, waited)| waited.state == TargetState::Ended) {
            let kept = self.model.notices.open.get(of).is_some_and(|notice| self.model.is_for(notice, record));
            assert!(!kept, "W2: {of:?} was told by {wait:?}, and is still to be told");
        }
        let ended = waited.iter().filter(in_state(TargetState::Ended)).count();
        let why = waited.iter().any(|waited| matches!(waited.state, TargetState::Asks | TargetState::Moved));
        let over = if record.all { ended == waited.len() } else { ended > 0 };
        assert!(timed_out || why || over, "W2: {wait:?} came back without a reason: {waited:?}");
    }

    /// What must hold of each effect, whenever it is carried out.
    fn take_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::RunEnded(ended) => {
                self.counts.note("effects", "RunEnded");
                let count = self.ended.entry((ended.task, ended.run)).or_default();
                *count += 1;
                assert_eq!(*count, 1, "L2: the end of run {} of {:?} was told twice", ended.run, ended.task);
            }
            Effect::RunRetried { .. } => self.counts.note("effects", "RunRetried"),
            Effect::StartRun { task, run } => {
                self.counts.note("effects", "StartRun");
                let count = self.started.entry((*task, *run)).or_default();
                *count += 1;
                assert_eq!(*count, 1, "run {run} of {task:?} was started twice");
            }
            Effect::WaitDone { wait, timed_out } | Effect::WaitOver { wait, timed_out, .. } => {
                if let Effect::WaitOver { targets, .. } = effect {
                    self.check_waited(*wait, *timed_out, targets);
                }
                self.counts.note("effects", if *timed_out { "WaitDone, timed out" } else { "WaitDone" });
                let verdict = self.model.wait_ends(*wait, *timed_out);
                self.check(verdict);
                let record = self.model.waits.get_mut(wait).unwrap_or_else(|| panic!("W1: {wait:?} is done, but was never opened"));
                assert!(!record.told, "W1: the end of {wait:?} was told twice: {record:?}");
                record.told = true;
            }
            Effect::WakeAt(at) => {
                self.counts.note("effects", "WakeAt");
                assert!(*at < u64::MAX, "a wake-up that never comes was asked for");
                self.timer = Some(at.saturating_add(self.ahead));
            }
            Effect::AbortRun { task, run, .. } => {
                self.counts.note("effects", "AbortRun");
                assert!(self.aborted.insert((*task, *run)), "C2: run {run} of {task:?} was aborted twice");
            }
            Effect::TaskForgotten(task) | Effect::TaskClosed(task) => panic!("nobody asked to be told what became of {task:?}"),
            Effect::TurnReady { task, run } => {
                self.counts.note("effects", "TurnReady");
                // One that the program drives may have no host function here; whoever asked in its name knows.
                let host = self.hosts.get(&(*task, *run));
                let waits = host.is_none_or(|host| host.turn_waiting && !host.returned);
                assert!(waits, "S2: run {run} of {task:?} was told of a turn that it doesn't wait for: {host:?}");
            }
            Effect::AskDone { task, run, answer, timed_out } => {
                let how = match (answer, timed_out) {
                    (Some(_), _) => "answered",
                    (None, true) => "timed out",
                    (None, false) => "stopped",
                };
                self.counts.note("questions", how);
                let asked = self.asked.get_mut(&(*task, *run)).filter(|open| **open > 0);
                *asked.unwrap_or_else(|| panic!("M5: run {run} of {task:?} was answered, but asked nothing")) -= 1;
            }
            Effect::TimedOut { task, run, .. } => {
                assert!(self.timed_out.insert((*task, *run)), "T1: run {run} of {task:?} timed out twice");
            }
            Effect::ApprovalOver { .. } => {}
            Effect::Report(why) => self.counts.note("reports", why.code()),
            Effect::DrainDone { .. } => self.counts.note("effects", "DrainDone"),
            Effect::Wake(session) => {
                self.counts.note("effects", "Wake");
                assert_eq!(self.state().node(session.index).kind, subagents::node::Kind::Session, "N3: {session:?} is no session");
            }
        }
    }

    /// Whatever is due will be noticed: the host was asked to come back in time.
    fn check_timer(&self) {
        let deadlines = [self.state().deadlines.next(), self.manager.waits().deadlines.next()];
        let deadline = deadlines.into_iter().flatten().map(|(due, _)| due).min();
        let cooldowns = self.state().rates.cooldowns.iter().map(|cooldown| cooldown.until);
        let Some(due) = cooldowns.chain(deadline).min().filter(|due| *due < u64::MAX) else { return };
        assert!(self.timer.is_some_and(|timer| timer <= due), "{due} is due, but the timer stands at {:?}", self.timer);
    }

    /// Carries the effects out, unless an outer call is doing that already.
    pub(super) fn deliver(&mut self) {
        if self.delivering {
            return;
        }
        self.delivering = true;
        while let Some(effect) = self.outbox.pop_front() {
            match effect {
                Effect::StartRun { task, run } => self.host_start(task, run),
                Effect::AbortRun { task, run, .. } => self.host_abort(task, run),
                Effect::TurnReady { task, run } => self.host_turn_ready(task, run),
                Effect::AskDone { task, run, .. } => self.host_ask_done(task, run),
                Effect::WaitDone { wait, .. } | Effect::WaitOver { wait, .. } => self.host_wait_done(wait),
                Effect::RunEnded(ended) => self.host_ended(ended.task, ended.run),
                Effect::RunRetried { task, run, .. } => self.host_ended(task, run),
                Effect::Wake(session) => self.wake(session),
                Effect::TimedOut { task, run, .. } => self.host_timed_out(task, run),
                Effect::ApprovalOver { task, run } => self.host_approval_over(task, run),
                Effect::WakeAt(_) | Effect::DrainDone { .. } | Effect::TaskForgotten(_) | Effect::TaskClosed(_) | Effect::Report(_) => {}
            }
        }
        self.delivering = false;
    }

    /// The node that an actor stands for, where it isn't the program.
    fn top_of(actor: Actor) -> Option<Key> {
        match actor {
            Actor::Program => None,
            Actor::Session(key) | Actor::Run(key, _) => Some(key),
        }
    }

    fn targets_of(input: &Input) -> Vec<Key> {
        match input {
            Input::Send { task, .. }
            | Input::Interrupt { task, .. }
            | Input::Cancel { task, .. }
            | Input::Close { task, .. }
            | Input::AddBudget { task, .. } => {
                vec![*task]
            }
            Input::Forget(task)
            | Input::TakeRun(task)
            | Input::ReleaseResult(task)
            | Input::MoveToBackground(task)
            | Input::Resume(task) => vec![*task],
            Input::WaitFor { target, .. } => vec![*target],
            Input::Wait { targets, .. } => targets.clone(),
            _ => Vec::new(),
        }
    }

    /// What was accepted stayed among the actor's descendants (A1).
    fn check_reach(&self, actor: Actor, input: &Input) {
        if let Some(top) = Self::top_of(actor) {
            for target in Self::targets_of(input) {
                // A session may cancel all that is its own (C4).
                let own = matches!((actor, input), (Actor::Session(session), Input::Cancel { .. }) if session == target);
                assert!(own || self.model.is_below(target, top), "A1: {actor:?} reached {target:?} with {input:?}");
            }
        }
        if let Input::Send { task, .. } = input {
            assert!(!self.revived_wrongly, "L7: {actor:?} gave {task:?} work again that somebody above had cancelled");
        }
    }

    fn check_unreachable(&self, actor: Actor, input: &Input) {
        if matches!(input, Input::CloseSession { .. }) {
            return;
        }
        let Some(top) = Self::top_of(actor) else { panic!("A1: the program can't reach {input:?}") };
        let foreign = Self::targets_of(input).into_iter().any(|target| !self.model.is_below(target, top));
        assert!(foreign, "A1: {actor:?} was kept from its own with {input:?}");
    }

    fn show_input(&mut self, line: String) {
        if self.verbose {
            eprintln!("{line}");
        }
        self.shown_inputs.push_back(line);
        if self.shown_inputs.len() > SHOWN * 2 {
            self.shown_inputs.pop_front();
        }
    }
}

impl Drop for World {
    /// A failing seed says how it came there and how to see it again.
    fn drop(&mut self) {
        let quiet = std::env::var_os("SUBAGENTS_KEEP_GOING").is_some();
        if !std::thread::panicking() || quiet {
            return;
        }
        let inputs: Vec<String> = self.shown_inputs.iter().cloned().collect();
        let facts: Vec<String> = self.shown_facts.iter().map(|(at, fact)| format!("{at} {fact:?}")).collect();
        eprintln!(
            "\nthe last inputs:\n  {}\nthe last facts:\n  {}\nseed {} failed at step {}; replay it with\n  \
             npm run simulate -- --seed {} --verbose",
            inputs.join("\n  "),
            facts.join("\n  "),
            self.seed,
            self.steps,
            self.seed
        );
    }
}
