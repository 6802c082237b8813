//! What `State::check_invariants` and `Waits::check_invariants` find: one damage for each thing that they check, as far
//! as it can be done from outside. A check that finds nothing would let every other test pass.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use subagents::node::{Message, Retention};
use subagents::notices::{Delivery, Inbox};
use subagents::run::{Phase, Run, Slot};
use subagents::{
    Actor, Amounts, DEFAULT_SESSION, Input, Key, Links, Manager, Mode, NONE, Named, Once, Outcome, Parked, ROOT, Reply, RunKey, Spawn,
    Spec, State, Status, StopReason, Waits,
};

/// A manager at work, and who does what in it.
struct Scene {
    manager: Manager,
    /// Runs and waits for `awaited`; has the nickname `ann`.
    parent: Key,
    /// Its child, which runs.
    awaited: Key,
    /// Waits in the queue.
    queued: Key,
    /// Ended in the background; its notice waits for the session.
    told: Key,
    /// Ended; it may be forgotten. It was spawned with the key `k`.
    ended: Key,
    /// Asks the one above it.
    asks: Key,
    /// Ended, but its host function did not return.
    lingers: Key,
}

fn spawn(manager: &mut Manager, actor: Actor, background: bool, spec: Spec) -> Key {
    let input = Spawn { text: Some("work".into()), background, tokens: Some(1_000), spec: Some(Box::new(spec)), ..Spawn::default() };
    match manager.handle(0, actor, Input::Spawn(input)) {
        Ok(Reply::Node(task)) => task,
        other => panic!("it is refused: {other:?}"),
    }
}

fn settle(manager: &mut Manager, task: Key) {
    manager.handle(0, Actor::Program, Input::HostReturned { task, run: 1, outcome: Outcome::default() }).unwrap();
}

fn scene() -> Scene {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 4), ("maxDepth".into(), 2)])).unwrap();
    let session = Actor::Session(manager.state().key(DEFAULT_SESSION));
    let once = Once {
        spawn: Spawn { text: Some("once".into()), tokens: Some(1_000), ..Spawn::default() },
        key: "k".into(),
        parameters: "p".into(),
        ..Once::default()
    };
    let Ok(Reply::Node(ended)) = manager.handle(0, session, Input::SpawnOnce(Box::new(once))) else { panic!("it is refused") };
    settle(&mut manager, ended);
    manager.handle(0, session, Input::Wait { targets: vec![ended], all: true, idle: false, timeout_ms: None }).unwrap();
    let awaited = spawn(&mut manager, session, false, Spec::default());
    settle(&mut manager, awaited);
    manager.handle(0, session, Input::Wait { targets: vec![awaited], all: true, idle: false, timeout_ms: None }).unwrap();
    let told = spawn(&mut manager, session, true, Spec::default());
    settle(&mut manager, told);
    let lingers = spawn(&mut manager, session, false, Spec::default());
    manager.handle(0, session, Input::Cancel { task: lingers, reason: StopReason::Cancelled, grace_ms: Some(0) }).unwrap();
    manager.handle(0, Actor::Program, Input::Tick).unwrap();
    let parent = spawn(&mut manager, session, false, Spec { nickname: Some("ann".into()), ..Spec::default() });
    let awaited = spawn(&mut manager, Actor::Run(parent, 1), true, Spec::default());
    manager.handle(0, Actor::Run(parent, 1), Input::Wait { targets: vec![awaited], all: true, idle: false, timeout_ms: None }).unwrap();
    let asks = spawn(&mut manager, session, false, Spec { nickname: Some("bob".into()), ..Spec::default() });
    manager.handle(0, Actor::Run(asks, 1), Input::Ask { question: "which?".into(), timeout_ms: None }).unwrap();
    for _ in 0..2 {
        spawn(&mut manager, session, false, Spec::default());
    }
    let queued = spawn(&mut manager, session, false, Spec::default());
    manager.handle(0, session, Input::Send { task: queued, mode: Mode::Queue, text: "more".into() }).unwrap();
    let scene = Scene { manager, parent, awaited, queued, told, ended, asks, lingers };
    let state = scene.manager.state();
    assert_eq!(scene.manager.check_invariants(), Ok(()));
    assert_eq!(state.node(queued.index).status, Status::Pending, "the scene: it waits in the queue");
    assert_ne!(state.node(lingers.index).lingering, NONE, "the scene: its host function has not returned");
    assert_eq!((scene.manager.waits().open.len(), state.notices.len()), (1, 1), "the scene: one wait, one notice");
    scene
}

impl Scene {
    /// Damages the state and expects the check to say so.
    fn damaged(&self, words: &str, damage: impl FnOnce(&Self, &mut State)) {
        let mut state = self.manager.state().clone();
        damage(self, &mut state);
        let found = state.check_invariants().expect_err(words);
        assert!(found.contains(words), "expected `{words}`, found: {found}");
    }

    /// Damages the waits beside the state, or the state beside the waits, and expects the check to say so.
    fn damaged_waits(&self, words: &str, damage: impl FnOnce(&Self, &mut Waits, &mut State)) {
        let (mut waits, mut state) = (self.manager.waits().clone(), self.manager.state().clone());
        damage(self, &mut waits, &mut state);
        let found = waits.check_invariants(&state).expect_err(words);
        assert!(found.contains(words), "expected `{words}`, found: {found}");
    }
}

fn run_of(state: &State, task: Key) -> u32 {
    state.node(task.index).run
}

#[test]
fn counts_of_slots() {
    let scene = scene();
    scene.damaged("taken_slots is", |_, state| state.taken_slots += 1);
    scene.damaged("parked is", |_, state| state.parked += 1);
    scene.damaged("abandoned is", |_, state| state.abandoned += 1);
    scene.damaged("taken_slots is", |it, state| {
        let run = run_of(state, it.awaited);
        state.runs.at_mut(run).slot = Slot::None;
    });
}

#[test]
fn the_tree() {
    let scene = scene();
    scene.damaged("but its parent is", |it, state| state.tree.at_mut(it.queued.index).parent = ROOT);
    scene.damaged("open children", |_, state| state.tree.at_mut(DEFAULT_SESSION).family_mut().open_children += 1);
    scene.damaged("nicknames are listed", |it, state| {
        state.names.push(Named { name: "zoe".into(), session: DEFAULT_SESSION, parent: DEFAULT_SESSION, index: it.queued.index })
    });
    scene.damaged("is elsewhere, there were", |it, state| state.tree.at_mut(it.queued.index).rare_mut().elsewhere = 9);
    scene.damaged("which was not elsewhere", |it, state| state.tree.at_mut(it.queued.index).rare_mut().host_ids.push(("job".into(), 1)));
    scene.damaged("below a closed one", |it, state| {
        let from = usize::from(state.node(it.parent.index).status.number());
        state.tree.at_mut(it.parent.index).status = Status::Closed;
        *state.counts.get_mut(from).unwrap() -= 1;
        *state.counts.get_mut(usize::from(Status::Closed.number())).unwrap() += 1;
        state.tree.at_mut(it.parent.index).run = NONE;
    });
    scene.damaged("has depth", |it, state| {
        state.tree.at_mut(it.queued.index).depth += 1;
        // Deeper down it counts among its parent's children.
        state.tree.at_mut(DEFAULT_SESSION).family_mut().open_children += 1;
    });
    scene.damaged("its run says", |it, state| state.tree.at_mut(it.queued.index).status = Status::Running);
    scene.damaged("its run says", |it, state| state.tree.at_mut(it.ended.index).status = Status::Running);
    scene.damaged("an ended run as its current one", |it, state| {
        let run = run_of(state, it.awaited);
        state.runs.at_mut(run).phase = Phase::Abandoned;
        state.runs.at_mut(run).slot = Slot::None;
        state.taken_slots -= 1;
        state.abandoned += 1;
    });
    scene.damaged("has messages and no run", |it, state| {
        state.tree.at_mut(it.ended.index).rare_mut().messages.push(Message { text: "left".into(), salt: 0, number: 0 });
    });
    scene.damaged("its question is", |it, state| {
        if let Some(mailbox) = state.tree.at_mut(it.asks.index).rare_mut().mailbox.as_mut() {
            mailbox.question = None;
        }
    });
    scene.damaged("are linked", |_, state| {
        state.tree.insert(subagents::node::Node::default());
    });
    scene.damaged("the counts are", |_, state| *state.counts.first_mut().unwrap() += 1);
}

#[test]
fn the_ledger() {
    let scene = scene();
    let more = Amounts { tokens: 1, ..Amounts::ZERO };
    scene.damaged("its runs and children", |_, state| {
        let account = &mut state.tree.at_mut(ROOT).account;
        account.reserved = account.reserved.plus(more);
    });
    scene.damaged("its runs and children", |it, state| {
        let run = run_of(state, it.awaited);
        state.runs.at_mut(run).reserved = Amounts::ZERO;
    });
    scene.damaged("its children", |it, state| {
        let account = &mut state.tree.at_mut(it.ended.index).account;
        account.spent = account.spent.plus(more);
    });
}

#[test]
fn runs() {
    let scene = scene();
    let of = |state: &State, task: Key| run_of(state, task);
    scene.damaged("returned is", |_, state| state.returned += 1);
    scene.damaged("can't be found from it", |it, state| {
        let run = of(state, it.queued);
        state.runs.at_mut(run).task = it.awaited.index;
    });
    scene.damaged("holds a slot or budget", |it, state| {
        let run = of(state, it.queued);
        state.runs.at_mut(run).slot = Slot::Taken;
        state.taken_slots += 1;
    });
    scene.damaged("has no slot", |it, state| {
        let run = of(state, it.awaited);
        state.runs.at_mut(run).slot = Slot::None;
        state.taken_slots -= 1;
    });
    scene.damaged("with parks", |it, state| {
        let run = of(state, it.awaited);
        state.runs.at_mut(run).slot = Slot::Parked;
        (state.taken_slots, state.parked) = (state.taken_slots - 1, state.parked + 1);
    });
    scene.damaged("is in line: true", |it, state| state.reentry.push_back(run_of(state, it.parent)));
    scene.damaged("abandoned run", |it, state| {
        let run = state.node(it.lingers.index).lingering;
        state.runs.at_mut(run).phase = Phase::Abandoned;
        state.abandoned += 1;
    });
    scene.damaged("is armed for", |it, state| {
        let run = of(state, it.awaited);
        state.runs.at_mut(run).timers.left_ms += 1;
    });
    scene.damaged("something was written to the void", |_, state| state.runs.at_mut(NONE).number = 7);
    scene.damaged("something was written to the void", |_, state| state.tree.at_mut(NONE).runs = 7);
}

#[test]
fn waits() {
    let scene = scene();
    let wait = |waits: &Waits| waits.indices().next().unwrap();
    scene.damaged_waits("waits were left to be closed", |_, waits, _| waits.ready.push_back(0));
    scene.damaged_waits("waits hang between two runs", |it, waits, _| waits.idling.push((it.ended.index, wait(waits))));
    scene.damaged_waits("a wait was written to the void", |_, waits, _| waits.open.at_mut(NONE).outstanding = 7);
    scene.damaged_waits("outstanding, there are 1", |_, waits, _| {
        let at = wait(waits);
        waits.open.at_mut(at).outstanding = 2;
    });
    scene.damaged_waits("waits for nothing", |it, waits, _| {
        let at = wait(waits);
        waits.open.at_mut(at).target = Some(RunKey { task: it.ended, run: 1 });
        waits.open.at_mut(at).outstanding = 0;
    });
    scene.damaged_waits("outstanding, there are", |it, waits, _| {
        let at = wait(waits);
        waits.on_subtrees.push((it.parent.index, at));
        let wait = waits.open.at_mut(at);
        (wait.subtree, wait.target, wait.outstanding) = (true, Some(RunKey { task: it.parent, run: 1 }), 2);
    });
    scene.damaged_waits("[] are listed for subtrees", |it, waits, _| {
        let at = wait(waits);
        let wait = waits.open.at_mut(at);
        (wait.subtree, wait.target) = (true, Some(RunKey { task: it.parent, run: 1 }));
    });
    scene.damaged_waits("are listed for subtrees, there are []", |it, waits, _| {
        let at = wait(waits);
        waits.on_subtrees.push((it.ended.index, at));
    });
    scene.damaged_waits("could be closed", |_, waits, _| {
        let at = wait(waits);
        waits.open.at_mut(at).ready = true;
    });
    scene.damaged_waits("is armed for None", |_, waits, _| {
        let at = wait(waits);
        waits.open.at_mut(at).until = Some(7);
    });
    scene.damaged_waits("has the waits", |it, waits, state| {
        let run = run_of(state, it.parent);
        waits.links.get_mut(usize::try_from(run).unwrap()).unwrap().own.push(7);
    });
    scene.damaged_waits("is over and has the waits", |_, waits, _| {
        let links = waits.links.last().unwrap().clone();
        waits.links.resize(100, Links::default());
        waits.links.push(Links { own: links.own, waiters: subagents::small_list::SmallList::default() });
        waits.links.last_mut().unwrap().own.push(7);
    });
    scene.damaged_waits("S1: run", |it, _, state| {
        let run = run_of(state, it.parent);
        state.runs.at_mut(run).parks = 0;
    });
    scene.damaged_waits("W4: notice", |it, _, state| {
        let at = state.node(it.told.index).notice;
        state.notices.at_mut(at).delivery = Delivery::Awaited;
    });
    scene.damaged("open runs, there are", |it, state| state.tree.at_mut(it.ended.index).open_runs += 1);
}

#[test]
fn keys_and_rates() {
    let scene = scene();
    scene.damaged("the key `k` has number", |it, state| state.tree.at_mut(it.ended.index).rare_mut().once.serial = 9);
    scene.damaged("which is there: false", |it, state| {
        // Forgotten in every way but this one: the oldest task of the session.
        let next = state.node(it.ended.index).next;
        state.tree.at_mut(DEFAULT_SESSION).family_mut().first_child = next;
        state.tree.at_mut(next).previous = NONE;
        *state.counts.get_mut(usize::from(Status::Completed.number())).unwrap() -= 1;
        state.tree.remove(it.ended.index);
    });
    scene.damaged("a cooldown that is over", |it, state| {
        let run = run_of(state, it.parent);
        let run = state.runs.at_mut(run);
        let parks = run.parks;
        let cools = (0..8).map(|bit| parks | (1 << bit)).find(|parks| Run { parks: *parks, ..run.clone() }.is_parked(Parked::Cooldown));
        run.parks = cools.expect("one of them is the cooldown's");
    });
}

#[test]
fn notices() {
    let scene = scene();
    let notice = |it: &Scene, state: &State| state.node(it.told.index).notice;
    scene.damaged("is in the inbox of", |it, state| {
        let at = notice(it, state);
        state.notices.at_mut(at).owner = it.parent.index;
    });
    scene.damaged("N1: notice", |it, state| {
        let at = notice(it, state);
        state.tree.at_mut(DEFAULT_SESSION).rare_mut().inbox = Inbox::default();
        state.tree.at_mut(it.ended.index).rare_mut().inbox = Inbox { first: at, last: at };
        state.notices.at_mut(at).owner = it.ended.index;
    });
    scene.damaged("is armed for", |it, state| {
        let at = notice(it, state);
        state.notices.at_mut(at).until = Some(5);
    });
    scene.damaged("N2: notice", |it, state| {
        let at = notice(it, state);
        (state.notices.at_mut(at).delivery, state.notices.at_mut(at).until) = (Delivery::Undelivered, Some(u64::MAX));
    });
    scene.damaged("but tells of", |it, state| {
        let at = notice(it, state);
        state.notices.at_mut(at).task = it.ended.index;
    });
    scene.damaged("tells of run 2", |it, state| {
        let at = notice(it, state);
        state.notices.at_mut(at).run = 2;
    });
    scene.damaged("has lost its texts", |it, state| {
        let at = notice(it, state);
        state.notices.at_mut(at).run = 0;
    });
    scene.damaged("at tasks", |it, state| state.tree.at_mut(it.told.index).notice = NONE);
    scene.damaged("a notice was written to the void", |_, state| state.notices.at_mut(NONE).run = 7);
}

#[test]
fn retained() {
    let scene = scene();
    scene.damaged("listed to be forgotten, ", |_, state| state.retained.count += 1);
    scene.damaged("but is Uncollected", |it, state| state.tree.at_mut(it.ended.index).collected = false);
    scene.damaged("stands behind", |it, state| state.tree.at_mut(it.ended.index).kept = Retention::Uncollected);
    scene.damaged("the newest of", |_, state| state.keyed.newest = NONE);
    scene.damaged("`retain` is 0", |_, state| {
        state.limits.set("retain", 0);
    });
}

#[test]
fn counts_and_indexes() {
    let scene = scene();
    scene.damaged("have a paused queue", |_, state| *state.paused_with_messages += 1);
    scene.damaged("have a priority", |_, state| *state.prioritised += 1);
    scene.damaged("in the line of others", |_, state| state.notices.at_mut(0).until = Some(u64::MAX));
    scene.damaged("stand in line", |_, state| state.tree.at_mut(DEFAULT_SESSION).rare_mut().waiting = Default::default());
    scene.damaged("stand in line", |_, state| state.notices.at_mut(0).delivery = Delivery::Awaited);
}
