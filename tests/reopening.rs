//! Opening from facts: made-up ones are refused with their place, and whoever opens is asked to come back in
//! time (J1, J3). What becomes of runs, notices and budget is the simulation's, and `golden/reopen.txt`'s.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use subagents::{
    Actor, Amounts, Damaged, Effect, Fact, Input, Key, Manager, NONE, Once, Outcome, Parked, Reply, Spawn, State, Status, StopReason,
    read_all,
};

const SESSION: Key = Key { slot: 1, generation: 1 };

fn spawn(manager: &mut Manager, actor: Actor, background: bool) -> Key {
    let input = Spawn { text: Some("work".into()), background, tokens: Some(1_000), ..Spawn::default() };
    match manager.handle(5, actor, Input::Spawn(input)) {
        Ok(Reply::Node(task)) => task,
        other => panic!("it is refused: {other:?}"),
    }
}

/// The facts of a manager: `open` runs and has a child that is queued, `ended` has a notice that waits.
struct Scene {
    facts: Vec<(u64, Fact)>,
    open: Key,
    child: Key,
    ended: Key,
}

fn scene() -> Scene {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(5, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 1), ("maxDepth".into(), 2)])).unwrap();
    let ended = spawn(&mut manager, Actor::Program, true);
    manager.handle(5, Actor::Program, Input::Settle { task: ended, run: 1, outcome: Outcome::default() }).unwrap();
    let open = spawn(&mut manager, Actor::Program, false);
    let child = spawn(&mut manager, Actor::Run(open, 1), true);
    let facts = read_all(&manager.take_facts()).unwrap();
    assert_eq!(State::fold(facts.clone()).as_ref(), Ok(manager.state()), "the fold of the facts is the state");
    Scene { facts, open, child, ended }
}

fn admitted(task: Key, parent: Key) -> Fact {
    Fact::TaskAdmitted {
        task,
        parent,
        parent_run: 0,
        background: false,
        manual: false,
        by_model: false,
        cap: Amounts::UNCAPPED,
        text: "made up".into(),
        spec: None,
    }
}

fn ended(task: Key, run: u32, status: Status, host_open: bool) -> Fact {
    Fact::RunEnded {
        task,
        run,
        status,
        reason: StopReason::Finished,
        partial: false,
        host_open,
        cut: false,
        collected: false,
        output: "".into(),
        error: None,
        host_status: None,
        host_task_id: None,
        artifacts: None,
        value: None,
        duration_ms: None,
        abandon_at: 9,
    }
}

#[test]
fn what_no_manager_wrote_is_refused_with_its_place() {
    let Scene { facts, open, child, ended: over } = scene();
    let next = State::fold(facts.clone()).unwrap().tree.next_key();
    let nobody = Key { slot: 77, generation: 1 };
    let root = Key { slot: 0, generation: 1 };
    let waits = |task: Key, run: u32, target: Key, others: Vec<Key>| Fact::WaitOpened {
        wait: Key { slot: 0, generation: 1 },
        task,
        run,
        all: true,
        subtree: false,
        idle: false,
        listed: false,
        target,
        target_run: 1,
        others,
        other_runs: Vec::new(),
        until: None,
    };
    let amount = Amounts { tokens: u64::MAX, ..Amounts::ZERO };
    let cases = [
        // Circles and strangers in the tree.
        admitted(next, next),
        admitted(open, child),
        admitted(next, nobody),
        admitted(next, root),
        admitted(Key { slot: NONE, generation: 1 }, SESSION),
        Fact::SessionOpened { task: SESSION, name: "again".into() },
        Fact::TaskForgotten { task: open },
        Fact::TaskForgotten { task: SESSION },
        Fact::SessionFreed { task: SESSION },
        Fact::SessionClosed { task: SESSION },
        // Runs that aren't there, or not so far.
        Fact::RunQueued { task: open, run: 2, rank: 0, round: 0, message: None, waiting_for: None },
        Fact::RunQueued { task: over, run: 9, rank: 0, round: 0, message: None, waiting_for: None },
        Fact::RunStarted { task: open, run: 1, max_turns: 1, timeout_ms: 1, idle_timeout_ms: 1 },
        Fact::RunParked { task: child, run: 1, why: Parked::Children },
        Fact::RunReentered { task: open, run: 1, over_limit: false },
        ended(over, 1, Status::Completed, true),
        ended(open, 1, Status::Running, false),
        // What it holds would be held for ever.
        ended(open, 1, Status::Completed, false),
        ended(child, 1, Status::Completed, true),
        Fact::HostReturned { task: open, run: 1, late_result: None },
        Fact::HostAbandoned { task: over, run: 1 },
        Fact::HoldLent { task: open, run: 1, borrower: open, amount },
        Fact::HoldLent { task: child, run: 1, borrower: open, amount },
        // Waits, questions, notices, keys of nobody.
        waits(SESSION, 0, over, Vec::new()),
        waits(SESSION, 0, open, vec![child]),
        waits(child, 1, open, Vec::new()),
        Fact::WaitClosed { wait: Key { slot: 0, generation: 1 }, timed_out: false },
        Fact::QuestionClosed { task: open, run: 1, answer: None, timed_out: false },
        Fact::NoticeAcked { task: open, run: 1 },
        Fact::NoticeRerouted { task: over, run: 1, to: child },
        Fact::NoticeRerouted { task: over, run: 1, to: root },
        Fact::NoticeMade { task: over, run: 1, to: SESSION, rerouted_from: None, acked: false, awaited: false },
        Fact::KeyDropped { scope: SESSION, key: "k".into() },
        Fact::CooldownOver { key: "k".into() },
        Fact::CancelSettled { task: open },
        Fact::TaskResumed { task: over },
        Fact::LimitSet { limit: "noSuchLimit".into(), value: 1 },
        Fact::DrainEnded { timed_out: false },
    ];
    for made_up in cases {
        let list: Vec<_> = facts.iter().cloned().chain([(9, made_up.clone())]).collect();
        let expected = Damaged { index: facts.len(), name: made_up.name() };
        assert_eq!(Manager::open(9, list).err(), Some(expected), "{made_up:?}");
    }
}

/// `lends` and `borrows` below it are open and hold something; `done` has ended, and so has `below` it; `queued` waits.
struct Works {
    manager: Manager,
    lends: Key,
    borrows: Key,
    done: Key,
    below: Key,
    queued: Key,
}

fn works() -> Works {
    let mut manager = Manager::new();
    let limits = vec![("maxConcurrent".into(), 3), ("maxDepth".into(), 2)];
    manager.handle(5, Actor::Program, Input::SetLimits(limits)).unwrap();
    let done = spawn(&mut manager, Actor::Program, false);
    let below = spawn(&mut manager, Actor::Run(done, 1), false);
    for task in [below, done] {
        manager.handle(5, Actor::Program, Input::Settle { task, run: 1, outcome: Outcome::default() }).unwrap();
    }
    let lends = spawn(&mut manager, Actor::Program, false);
    let small = Spawn { text: Some("work".into()), tokens: Some(400), ..Spawn::default() };
    let Ok(Reply::Node(borrows)) = manager.handle(5, Actor::Run(lends, 1), Input::Spawn(small)) else { panic!("it is refused") };
    spawn(&mut manager, Actor::Program, false);
    let queued = spawn(&mut manager, Actor::Program, false);
    Works { manager, lends, borrows, done, below, queued }
}

fn refuses(manager: &Manager, cases: &[Fact]) {
    for made_up in cases {
        assert!(!manager.state().may_follow(made_up), "{made_up:?}");
    }
}

/// The place of a node, and another's key of it.
fn stale(key: Key) -> Key {
    Key { generation: key.generation + 1, ..key }
}

#[test]
fn facts_about_runs_need_them_as_far_as_they_have_to_be() {
    let Works { manager, lends, borrows, done, below, queued } = works();
    let lent =
        |task: Key, borrower: Key, tokens: u64| Fact::HoldLent { task, run: 1, borrower, amount: Amounts { tokens, ..Amounts::ZERO } };
    assert!(manager.state().may_follow(&lent(lends, borrows, 1)));
    let returned = |task: Key, run: u32| Fact::HostReturned { task, run, late_result: Some("late".into()) };
    assert!(manager.state().may_follow(&returned(done, 1)));
    let returns = |task: Key| Fact::RunReturned {
        task,
        run: 1,
        output: "".into(),
        host_status: None,
        host_task_id: None,
        artifacts: None,
        value: None,
        duration_ms: None,
    };
    let subtree = Fact::WaitOpened {
        wait: Key { slot: 0, generation: 1 },
        task: SESSION,
        run: 0,
        all: true,
        subtree: true,
        idle: false,
        listed: false,
        target: done,
        target_run: 0,
        others: Vec::new(),
        other_runs: Vec::new(),
        until: None,
    };
    refuses(
        &manager,
        &[
            lent(lends, borrows, u64::MAX),
            lent(lends, lends, 1),
            lent(lends, queued, 1),
            lent(borrows, lends, 1),
            Fact::HoldReturned { task: lends, run: 1, borrower: stale(borrows), borrower_run: 1, amount: Amounts::ZERO },
            Fact::RunElsewhere { task: done, run: 1 },
            Fact::RunNamed { task: done, run: 0, host_task_id: "h".into() },
            Fact::RunNamed { task: done, run: 2, host_task_id: "h".into() },
            Fact::RunNamed { task: stale(done), run: 1, host_task_id: "h".into() },
            Fact::RunUnparked { task: lends, run: 1, why: Parked::Children },
            Fact::RunUnparked { task: lends, run: 1, why: Parked::Reentry },
            // What it holds would be held for ever.
            returns(lends),
            Fact::HostReturned { task: queued, run: 1, late_result: None },
            Fact::HostAbandoned { task: queued, run: 1 },
            returned(lends, 1),
            returned(done, 0),
            returned(done, 9),
            Fact::QuestionAsked { task: queued, run: 1, question: "?".into(), until: None, told: false },
            Fact::MessageQueued { task: done, ahead: false, text: "nobody hears it".into() },
            Fact::TaskEnded { task: lends, status: Status::Completed, reason: StopReason::Finished },
            Fact::TaskEnded { task: done, status: Status::Running, reason: StopReason::Finished },
            Fact::PolicyAnswered {
                task: done,
                run: 1,
                point: subagents::Point::BeforeTurn,
                answer: subagents::Answer::Block,
                reason: StopReason::Policy,
                policy: "p".into(),
                text: "".into(),
                until: Some(9),
            },
            subtree,
            Fact::TaskForgotten { task: done },
        ],
    );
    assert!(manager.state().may_follow(&Fact::TaskForgotten { task: below }), "a leaf may go");
}

#[test]
fn facts_about_nodes_need_the_very_ones() {
    let Works { mut manager, lends, done, below, .. } = works();
    let open = |manager: &mut Manager, name: &str| match manager.handle(5, Actor::Program, Input::OpenSession(name.into())) {
        Ok(Reply::Node(session)) => session,
        other => panic!("it is refused: {other:?}"),
    };
    let (kept, closed) = (open(&mut manager, "kept"), open(&mut manager, "closed"));
    spawn(&mut manager, Actor::Session(closed), false);
    let close = Input::CloseSession { session: closed, reason: StopReason::Closed, grace_ms: None };
    manager.handle(5, Actor::Program, close).unwrap();
    let once = |key: &str| Input::SpawnOnce(Box::new(Once { spawn: Spawn::default(), key: key.into(), parameters: "".into() }));
    let Ok(Reply::Node(keyed)) = manager.handle(5, Actor::Program, once("k")) else { panic!("it is refused") };
    let cancel = Input::Cancel { task: lends, reason: StopReason::Cancelled, grace_ms: None };
    assert!(matches!(manager.handle(5, Actor::Program, cancel), Ok(Reply::Waiting(_))));

    let used = |task: Key, scope: Key, key: &str| Fact::KeyUsed { task, scope, key: key.into(), digest: 1, until: 9 };
    assert!(manager.state().may_follow(&used(done, SESSION, "other")));
    refuses(
        &manager,
        &[
            Fact::QueueHeld { task: stale(done), held: true },
            Fact::QueueHeld { task: SESSION, held: true },
            Fact::CancelRequested { task: stale(done), by: SESSION },
            Fact::CancelRequested { task: done, by: stale(SESSION) },
            Fact::CancelRequested { task: lends, by: SESSION },
            Fact::CloseRequested { task: done, by: SESSION },
            Fact::CloseRequested { task: lends, by: stale(SESSION) },
            Fact::SessionFreed { task: kept },
            Fact::SessionFreed { task: closed },
            Fact::SessionClosed { task: below },
            Fact::SessionClosed { task: stale(kept) },
            used(done, stale(SESSION), "other"),
            used(SESSION, SESSION, "other"),
            used(done, SESSION, "k"),
            used(keyed, SESSION, "other"),
        ],
    );
}

/// What no manager writes but may follow leaves nothing dangling either.
#[test]
fn the_notice_of_a_task_that_goes_stays_and_so_does_a_part_of_a_held_queue() {
    let Scene { facts, open, ended, .. } = scene();
    let then = |more: Vec<Fact>| State::fold(facts.iter().cloned().chain(more.into_iter().map(|fact| (9, fact)))).unwrap();
    let gone = then(vec![Fact::TaskForgotten { task: ended }]);
    assert_eq!(gone.notices.len(), 1, "N2: its end is still to be told");
    gone.check_invariants().unwrap();
    let (task, run) = (ended, 1);
    let told = then(vec![Fact::TaskForgotten { task }, Fact::NoticeAcked { task, run }]);
    assert_eq!(told.notices.len(), 0);
    told.check_invariants().unwrap();
    let queued = |text: &str| Fact::MessageQueued { task: open, ahead: false, text: text.into() };
    let held = then(vec![
        queued("one"),
        queued("two"),
        Fact::QueueHeld { task: open, held: true },
        Fact::MessagesDropped { task: open, count: 1 },
    ]);
    assert!(held.node(open.slot).is_held(), "M4: one still waits");
    assert_eq!(held.node(open.slot).undelivered(), ["two".into()], "M2: the last one was dropped");
}

#[test]
fn time_that_runs_backwards_is_refused() {
    let Scene { mut facts, .. } = scene();
    let last = facts.len() - 1;
    facts[last].0 = 4;
    let refused = Manager::open(9, facts).err();
    assert_eq!(refused.map(|refused| refused.index), Some(last));
    assert!(refused.is_some_and(|refused| refused.to_string().starts_with(&format!("fact {last}, "))));
}

#[test]
fn no_facts_open_a_new_manager() {
    let mut manager = Manager::open(9, Vec::new()).unwrap();
    assert_eq!(manager.fact_count(), 1);
    assert!(manager.take_effects().is_empty());
    let task = spawn(&mut manager, Actor::Program, false);
    assert!(manager.take_effects().contains(&Effect::StartRun { task, run: 1 }));
}

/// The deadlines that were armed are armed again, and what was due meanwhile happens at once.
#[test]
fn whoever_opens_is_asked_to_come_back() {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(5, Actor::Program, Input::SetLimits(vec![("staggerMs".into(), 100)])).unwrap();
    let first = spawn(&mut manager, Actor::Program, false);
    manager.handle(5, Actor::Run(first, 1), Input::ReportRateLimit { retry_after_ms: 1_000 }).unwrap();
    let queued = spawn(&mut manager, Actor::Program, false);
    let facts = read_all(&manager.take_facts()).unwrap();

    let mut early = Manager::open(50, facts.clone()).unwrap();
    assert_eq!(early.take_effects(), [Effect::WakeAt(105)]);
    let late = Manager::open(2_000, facts).unwrap().take_effects();
    assert!(late.contains(&Effect::StartRun { task: queued, run: 1 }), "{late:?}");
}
