//! The process is lost at any step: all that is left of a manager is its facts. Owns how a new one is
//! opened from them in its place, what must hold then (J3), and that damaged facts harm nobody.

use subagents::notices::Delivery;
use subagents::run::{Phase, Run};
use subagents::{
    Actor, Defaults, Effect, Fact, Input, Key, Manager, NONE, OnHostLost, ROOT, Reply, State, Status, StopReason, Text, read_all,
};

use super::actions::{cap, limit, random_retry};
use super::rng::Rng;
use super::world::World;

/// When the process is lost: at the first step from this one on in which it holds this, by its place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crash {
    from: u64,
    with: usize,
}

/// Names that tasks have of definitions and profiles.
pub(super) const AGENTS: &[&str] = &["reader", "writer"];
pub(super) const PROFILES: &[&str] = &["terse"];

/// What the hosts of a life that are elsewhere are at.
const ELSEWHERE: &[&str] = &["with a turn that is not reported", "with a run that waits for its host elsewhere"];

/// What hardly any process holds at a step that is picked blindly.
const SELDOM: &[&str] =
    &["with one to be tried again", "with one that waits for sub-agents after its host returned", "with a notice in a turn"];

impl World {
    /// In one of four seeds the process is lost, now and then twice; in some of the others where it holds what it
    /// seldom does; where hosts are elsewhere, up to six times. From another source than what happens, so that a seed without a crash is what it always was.
    pub(super) fn crashes_of(seed: u64) -> Vec<Crash> {
        let mut rng = Rng::new(seed ^ 0x6372_6173_6865_6421);
        let list = in_flight(&Manager::new());
        if lives_elsewhere(seed) {
            let at = |name: &&str| list.iter().position(|(_, known)| known == name);
            let with: Vec<usize> = ELSEWHERE.iter().filter_map(at).collect();
            return with.iter().cycle().take(6).map(|with| Crash { from: rng.below(crate::STEPS), with: *with }).collect();
        }
        if rng.chance(25) {
            return (0..=rng.below(2)).map(|_| Crash { from: rng.below(crate::STEPS), with: rng.index(list.len()) }).collect();
        }
        let seldom = list.iter().enumerate().filter(|(_, (_, name))| SELDOM.contains(name) && rng.chance(35));
        seldom.map(|(with, _)| Crash { from: 0, with }).collect()
    }

    pub(crate) fn crash_if_due(&mut self) {
        if self.crashes.is_empty() {
            return;
        }
        let held = in_flight(&self.manager);
        let due = |crash: &Crash| crash.from <= self.steps && held[crash.with].0;
        if let Some(at) = self.crashes.iter().position(due) {
            self.crashes.remove(at);
            self.crash();
        }
    }

    /// The same in the middle of an ending, where a drain may be under way; here whatever was not met goes.
    pub(super) fn crash_in_the_end(&mut self) {
        if self.crashes.iter().any(|crash| crash.from > 0) {
            self.crash();
        }
    }

    /// The manager is lost with everything that the process held; another one is opened from its facts.
    pub(super) fn crash(&mut self) {
        let lost = self.rng.pick(&[OnHostLost::Fail, OnHostLost::Requeue, OnHostLost::Resume]);
        let known = self.rng.chance(60).then(|| self.some_definitions());
        self.crash_into(lost, known);
        let few = self.rng.below(3);
        self.register(few);
    }

    /// The same, of a process that has these definitions.
    fn crash_into(&mut self, lost: OnHostLost, known: Option<(Vec<Text>, Vec<Text>)>) {
        self.note_what_is_lost();
        assert!(self.folded == *self.state(), "the fold of the facts differs from the state");
        self.lose_what_is_not_stored();
        let facts = read_all(&self.journal).expect("the manager's own facts read back");
        assert!(State::fold(facts.clone()).as_ref() == Ok(&self.folded), "J1: what is stored comes to another state");
        check_refusal(&facts);
        self.damage(&facts);

        self.hosts.clear();
        self.silence_hosts();
        self.outbox.clear();
        self.asked.clear();
        self.timer = None;
        for wait in self.model.waits.values_mut() {
            wait.told = true;
        }
        // The time goes on meanwhile, or the clock is set back: then it goes on from where it was (T3).
        let away = self.rng.pick(&[0, 1, 500, 100_000, 10_000_000]);
        let before = self.folded.clone();
        let clock = self.host_time();
        let clock = if self.rng.chance(80) { clock + away } else { clock.saturating_sub(away) };
        self.now = clock.max(before.now);
        self.ahead = self.now - clock;
        self.counts.note("clock", if self.ahead > 0 { "behind after a reopening" } else { "as it was, or ahead, after a reopening" });
        self.begin(self.now, Actor::Program, &Input::Tick);
        (self.model.on_host_lost, self.model.outlived) =
            (lost, lives_elsewhere(self.seed) && lost != OnHostLost::Fail && self.rng.chance(85));
        self.promises.reopen(self.now.max(before.now), &self.model);
        self.manager = self.open_again(facts, lost, known);
        self.follow((Actor::Program, &Input::Tick), &Ok(Reply::Done));
        self.compare_fold();
        self.check_reopened(&before);
        self.note_what_goes_on(&before);
        self.deliver();
    }

    /// What the next process defines: seldom all of it.
    fn some_definitions(&mut self) -> (Vec<Text>, Vec<Text>) {
        let mut some = |names: &[&str]| names.iter().filter(|_| self.rng.chance(60)).map(|name| (*name).into()).collect();
        (some(AGENTS), some(PROFILES))
    }

    /// The program registers so many of the sessions that it hasn't yet (J3).
    pub(super) fn register(&mut self, most: u64) {
        for _ in 0..most {
            let absent: Vec<Key> = self.model.absent.iter().copied().collect();
            let there: Vec<Key> = absent.into_iter().filter(|key| self.state().tree.contains(*key)).collect();
            if there.is_empty() {
                return;
            }
            let session = there[self.rng.index(there.len())];
            self.say_now(Input::RegisterSession(session));
        }
    }

    /// All that work waits for is there: its sessions, and a process with the definitions.
    pub(super) fn bring_all(&mut self) {
        if self.model.nodes.iter().any(|node| !node.forgotten && self.model.lacks_definition(node)) {
            let lost = self.rng.pick(&[OnHostLost::Fail, OnHostLost::Requeue, OnHostLost::Resume]);
            let all = (AGENTS.iter().map(|name| (*name).into()).collect(), PROFILES.iter().map(|name| (*name).into()).collect());
            self.crash_into(lost, Some(all));
        }
        self.register(100);
    }

    fn note_what_goes_on(&mut self, before: &State) {
        let mut noted: Vec<&'static str> = Vec::new();
        let lost = before.runs.indices().map(|index| before.runs.at(index)).filter(|run| is_in_flight(run));
        for (was, task) in lost.map(|run| (run, before.key(run.task))).filter(|(_, task)| self.state().tree.contains(*task)) {
            let node = self.state().node(task.index);
            let again = node.run != NONE && self.state().run_of(task.index).number > was.number;
            let checkpoint = node.rare.as_ref().is_some_and(|rare| rare.checkpoint.is_some());
            for (holds, name) in [
                (again, "queued again"),
                (again && checkpoint, "gone on from a checkpoint"),
                (!again && was.lost > 0 && node.reason == StopReason::HostLost, "given up at last"),
            ] {
                if holds {
                    noted.push(name);
                }
            }
        }
        for node in self.model.nodes.iter().filter(|node| node.task && !node.forgotten && node.runs.values().any(|run| !run.ended)) {
            if self.model.lacks_session(node) {
                noted.push("with work that waits for its session");
            } else if self.model.lacks_definition(node) {
                noted.push("with work that waits for its definition");
            }
        }
        for name in noted {
            self.counts.note("crashes", name);
        }
    }

    /// Opens a manager from all facts, or from the last snapshot and those after it, which come to the same.
    fn open_again(&mut self, facts: Vec<(u64, Fact)>, lost: OnHostLost, known: Option<(Vec<Text>, Vec<Text>)>) -> Manager {
        let (snapshot, from) = &self.snapshot;
        let mut manager = Manager::new();
        manager.restore_snapshot(snapshot).expect("a manager's own snapshot is taken");
        let tail = read_all(&self.journal[*from..]).expect("the manager's own facts read back");
        manager.restore(tail).expect("the facts after a snapshot follow it");
        assert_eq!(manager.state().digest(), self.folded.digest(), "J1: a snapshot and the facts after it come to another state");
        assert_eq!(manager.fact_count(), facts.len() as u64, "J1: facts are counted over the life of a journal");
        self.keep_in(&mut manager, lost);
        if self.model.outlived {
            self.counts.note("crashes", "of a process whose hosts are elsewhere");
            manager.outlived_by_hosts();
        }
        let mut settings = settings_of_next(self.seed ^ self.steps);
        // Runs wait to go on.
        if self.model.outlived && self.rng.chance(60) {
            settings.push(Input::SetLimits(vec![("maxConcurrent".into(), 1)]));
        }
        if self.keeping.is_none() && lost == OnHostLost::Fail && known.is_none() && settings.is_empty() && self.rng.chance(50) {
            return Manager::open(self.host_time(), facts).expect("a manager's own facts are taken");
        }
        self.counts.note("crashes", if settings.is_empty() { "with the options of before" } else { "with other options" });
        manager.reopen(self.host_time(), self.host_time(), lost, known, settings).expect("what is set may be set");
        manager
    }

    /// Nothing is in flight that nobody works for, and every due notice is delivered (J3).
    fn check_reopened(&self, before: &State) {
        let state = self.state();
        let started: Vec<(Key, u32)> = self
            .outbox
            .iter()
            .filter_map(|effect| if let Effect::StartRun { task, run } = effect { Some((*task, *run)) } else { None })
            .collect();
        for index in state.runs.indices() {
            let run = state.runs.at(index);
            let goes_on = matches!(run.phase, Phase::Queued | Phase::Backoff { .. })
                || run.returned.is_some()
                || started.contains(&(state.key(run.task), run.number));
            assert!(goes_on, "J3: a run goes on whose host is lost: {run:?}");
        }
        for effect in &self.outbox {
            let known = match effect {
                Effect::StartRun { .. } | Effect::Wake(_) | Effect::WakeAt(_) => true,
                // One that begins in this step may be asked to stop in it: what it works for has ended since (C3).
                Effect::AbortRun { task, run, .. } => started.contains(&(*task, *run)),
                // What was queued may come to its end after the opening, in the same step, and whoever waited for it.
                Effect::RunEnded(ended) => !before.find_run(ended.task.index, ended.run).is_some_and(|at| is_in_flight(before.runs.at(at))),
                // The next program gets what such an end leaves unknown (B7).
                Effect::Report(_) => true,
                _ => false,
            };
            assert!(known, "J3: somebody who is lost is told {effect:?}");
        }
        assert!(self.manager.waits().is_empty(), "J3: somebody waits who is lost");
        assert!(state.draining.is_none(), "J3: a drain outlived its process");
        let unsound = |at: &u32| {
            let notice = state.notices.at(*at);
            // A run whose host function had returned has got what its turn was given.
            let heard = notice.until.is_none() && state.run_of(notice.owner).returned.is_some();
            notice.delivery == Delivery::Awaited || (notice.delivery == Delivery::Leased && !heard)
        };
        let unsound = state.notices.indices().find(unsound);
        assert!(unsound.is_none(), "J3: a notice is still with somebody who is lost: {unsound:?}");
        for session in state.children(ROOT).filter(|index| !state.is_closed_session(*index)) {
            let waits = state.inbox(session).any(|at| state.notices.at(at).delivery == Delivery::Pending);
            let told = self.outbox.contains(&Effect::Wake(state.key(session)));
            assert_eq!(waits, told, "J3: session {session} has notices: {waits}, it was woken: {told}");
        }
        // What had ended, and is there still, is as it was; what is being closed is closed by now.
        for index in before.tree.indices().filter(|index| before.node(*index).is_task() && !before.is_sealed(*index)) {
            let (was, is) = (before.node(index), state.node(index));
            let had_ended = !was.status.is_open() && was.status != Status::Idle && was.queued_messages() == 0;
            if had_ended && state.tree.contains(before.key(index)) {
                assert_eq!((was.status, was.reason, &was.output), (is.status, is.reason, &is.output), "J3: {index} had ended");
            }
        }
    }

    fn note_what_is_lost(&mut self) {
        for (_, name) in in_flight(&self.manager).into_iter().filter(|(holds, _)| *holds) {
            self.counts.note("crashes", name);
        }
    }

    /// Facts that no manager wrote: one is gone, comes twice, or stands elsewhere, or the list ends early. They are
    /// refused with the place, or taken for what they say; then the manager comes to its end like any other.
    fn damage(&mut self, facts: &[(u64, Fact)]) {
        if facts.is_empty() {
            return;
        }
        let mut damaged = facts.to_vec();
        let (at, to) = (self.rng.index(facts.len()), self.rng.index(facts.len()));
        match self.rng.below(5) {
            0 => {
                damaged.remove(at);
            }
            1 => damaged.insert(at, facts[at].clone()),
            2 => {
                let (time, _) = damaged[to];
                damaged[at] = (time, facts[at].1.clone());
            }
            3 => {
                // What it names is another's.
                let (one, other) = (facts[at].1.clone(), facts[to].1.clone());
                (damaged[at].1, damaged[to].1) = (other, one);
            }
            _ => damaged.truncate(at),
        }
        let last = damaged.len();
        match Manager::open(self.now, damaged) {
            Err(refused) => {
                self.counts.note("damaged journals", "refused");
                assert!(refused.index < last, "J1: {refused} of {last}");
            }
            Ok(mut manager) => {
                self.counts.note("damaged journals", "taken");
                let mut now = self.now;
                for _ in 0..3 {
                    let task = manager.state().key(ROOT);
                    let _ = manager.handle(now, Actor::Program, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(1) });
                    now += 100_000;
                    let _ = manager.handle(now, Actor::Program, Input::Tick);
                }
            }
        }
    }
}

/// Whether the hosts of a life are elsewhere: they go on where its process is lost, and mostly the next one has them.
fn lives_elsewhere(seed: u64) -> bool {
    seed % 5 == 3
}

/// What the next process sets: it decides over the work of before. From another source than what happens, so that a process
/// that sets nothing is what it always was.
fn settings_of_next(seed: u64) -> Vec<Input> {
    let mut rng = Rng::new(seed ^ 0x6f70_7469_6f6e_7321);
    if rng.chance(60) {
        return Vec::new();
    }
    let mut settings = vec![Input::SetLimits((0..rng.below(4)).map(|_| limit(&mut rng)).collect())];
    if rng.chance(30) {
        settings.push(Input::SetBudget(cap(&mut rng).into()));
    }
    if rng.chance(30) {
        settings.push(Input::SetDefaults(Defaults { retry: rng.chance(80).then(|| random_retry(&mut rng)), ..Defaults::default() }));
    }
    settings
}

/// What happens once is refused where it comes twice, with its place.
fn check_refusal(facts: &[(u64, Fact)]) {
    let once = |(_, fact): &(u64, Fact)| matches!(fact, Fact::TaskAdmitted { .. } | Fact::RunQueued { .. } | Fact::RunStarted { .. });
    let Some(at) = facts.iter().rposition(once) else { return };
    let twice = facts[..=at].iter().chain(&facts[at..]).cloned();
    let refused = State::fold(twice).err().map(|damaged| damaged.index);
    assert_eq!(refused, Some(at + 1), "J1: {:?} came twice", facts[at].1);
}

/// Whether its host function is at work, and its end is open.
fn is_in_flight(run: &Run) -> bool {
    run.phase == Phase::Open && run.returned.is_none()
}

/// What a process may hold that is lost, and whether this one does.
fn in_flight(manager: &Manager) -> [(bool, &'static str); 22] {
    let state = manager.state();
    let runs: Vec<_> = state.runs.indices().map(|index| state.runs.at(index)).collect();
    let open = |run: &&&Run| is_in_flight(run);
    let notices: Vec<_> = state.notices.indices().map(|index| state.notices.at(index)).collect();
    let nodes: Vec<_> = state.tree.indices().map(|index| state.node(index)).collect();
    [
        (true, "between two steps"),
        (state.draining.is_some(), "in a drain"),
        (runs.is_empty(), "with nothing in flight"),
        (runs.iter().any(|run| run.phase == Phase::Queued), "with a queued run"),
        (state.retrying > 0, "with one to be tried again"),
        (runs.iter().filter(open).any(|run| run.parks == 0), "with a running one"),
        (runs.iter().filter(open).any(|run| run.parks != 0), "with a parked one"),
        (runs.iter().filter(open).any(|run| run.stop.is_some()), "with one that was told to stop"),
        (runs.iter().filter(open).any(|run| run.wrap_up_reason.is_some()), "with one that was told to wrap up"),
        (state.returned > 0, "with one that waits for sub-agents after its host returned"),
        (runs.iter().filter(open).any(|run| state.node(run.task).is_driven()), "with one that the program drives"),
        (runs.iter().any(|run| run.lingers()), "with a host that had not returned"),
        (state.abandoned > 0, "with a host that was given up"),
        (!manager.waits().is_empty(), "with an open wait"),
        (nodes.iter().any(|node| node.question().is_some()), "with an open question"),
        (notices.iter().any(|notice| notice.until.is_some()), "with a lease"),
        (notices.iter().any(|notice| notice.delivery == Delivery::Leased && notice.until.is_none()), "with a notice in a turn"),
        (notices.iter().any(|notice| notice.delivery == Delivery::Pending), "with a notice that waits"),
        (nodes.iter().any(|node| node.queued_messages() > 0), "with messages that wait"),
        (nodes.iter().any(|node| node.cancelling), "with a cancel under way"),
        (runs.iter().filter(open).any(|run| run.turns > 0 && !run.open_reservation().is_zero()), "with a turn that is not reported"),
        (runs.iter().any(|run| run.phase == Phase::Queued && !run.reserved.is_zero()), "with a run that waits for its host elsewhere"),
    ]
}
