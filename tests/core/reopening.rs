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
    AbandonAt, Actor, Amounts, Damaged, Delivery, Dimensions, Effect, Fact, Input, Key, KeyUse, Loan, Loans, Manager, MessagePlace, Mode,
    NONE, NewNotice, OnHostLost, Once, Outcome, Parked, Reading, Reply, RunKey, RunOutput, Spawn, State, Status, StopReason, Usage,
    WaitingFor, read_all,
};

const SESSION: Key = Key { index: 1, generation: 1 };

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
    manager.handle(5, Actor::Program, Input::HostReturned { task: ended, run: 1, outcome: Outcome::default() }).unwrap();
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
        by_model: false,
        cap: Amounts::UNCAPPED,
        text: "made up".into(),
        spec: None,
        unanswerable: false,
        first: None,
        once: None,
    }
}

fn ended(task: Key, run: u32, status: Status, host_open: bool) -> Fact {
    Fact::RunEnded {
        task,
        run,
        status,
        stop_reason: StopReason::Finished,
        partial: false,
        host_open,
        cut: false,
        collected: false,
        usage: Amounts::ZERO,
        unknown: Dimensions::NONE,
        invalid: Dimensions::NONE,
        loans: None,
        output: RunOutput::default(),
        abandon_at: AbandonAt(if host_open { 9 } else { 0 }),
        message_requeued: None,
        notice: None,
    }
}

/// A report of a run, which borrows and gives back so much.
fn reported(task: Key, usage: Amounts, lent: Vec<Loan>, returned: Vec<Loan>) -> Fact {
    Fact::RunReported {
        task,
        run: 1,
        usage,
        reported: Dimensions::NONE,
        invalid: Dimensions::NONE,
        reserved: Amounts::ZERO,
        loans: Some(Box::new(Loans { lent, returned })),
        context_tokens: None,
        message: None,
    }
}

const fn loan(lender: Key, tokens: u64) -> Loan {
    Loan { lender, run: 1, amount: Amounts { tokens, ..Amounts::ZERO } }
}

/// A notice of a first run goes on.
const fn moved(task: Key, delivery: Delivery, to: Key) -> Fact {
    Fact::NoticeMoved { task, run: 1, delivery, to, attempt: 0, until: None, delivered_to: Vec::new() }
}

/// The same end, which makes a notice for `to`.
fn tells(mut end: Fact, to: Key) -> Fact {
    if let Fact::RunEnded { notice, .. } = &mut end {
        *notice = Some(NewNotice { to, rerouted_from: None, acked: false, awaited: false });
    }
    end
}

const fn stops(task: Key, by: Key, close: bool) -> Fact {
    Fact::CancelRequested { task, by, close, interrupt: false, claimed: Vec::new(), caller_reads: None }
}

/// A message that waits in the queue.
fn queued_message(task: Key, text: &str) -> Fact {
    Fact::MessageQueued { task, run: 1, place: MessagePlace::Queue, text: text.into() }
}

/// A host function returned, after its run had ended.
fn host_returned(task: Key, run: u32, late_result: Option<&str>) -> Fact {
    Fact::HostReturned {
        task,
        run,
        usage: late_result.is_none().then_some(Amounts::ZERO),
        unknown: Dimensions::NONE,
        invalid: Dimensions::NONE,
        loans: None,
        late_result: late_result.map(Into::into),
    }
}

#[test]
fn what_no_manager_wrote_is_refused_with_its_place() {
    let Scene { facts, open, child, ended: over } = scene();
    let next = State::fold(facts.clone()).unwrap().tree.next_key();
    let nobody = Key { index: 77, generation: 1 };
    let root = Key { index: 0, generation: 1 };
    let cases = [
        // Circles and strangers in the tree.
        admitted(next, next),
        admitted(open, child),
        admitted(next, nobody),
        admitted(next, root),
        admitted(Key { index: NONE, generation: 1 }, SESSION),
        Fact::SessionOpened { task: SESSION, name: "again".into() },
        Fact::TaskForgotten { task: open },
        Fact::TaskForgotten { task: SESSION },
        Fact::SessionFreed { task: SESSION },
        Fact::SessionClosed { task: SESSION },
        // Runs that aren't there, or not so far.
        Fact::RunQueued { task: open, run: 2, rank: 0, round: 0, message: None, waiting_for: None, again: false },
        Fact::RunQueued { task: over, run: 9, rank: 0, round: 0, message: None, waiting_for: None, again: false },
        Fact::RunStarted { task: open, run: 1, max_turns: 1, timeout_ms: 1, idle_timeout_ms: 1, reserved: Amounts::ZERO, loans: None },
        Fact::RunParked { task: child, run: 1, why: Parked::Children, waits_for: Vec::new() },
        Fact::RunReentered { task: open, run: 1, over_limit: false, reserved: None, loans: None },
        ended(over, 1, Status::Completed, true),
        ended(open, 1, Status::Running, false),
        ended(child, 1, Status::Completed, true),
        host_returned(open, 1, None),
        Fact::HostAbandoned { task: over, run: 1, usage: Amounts::ZERO },
        reported(open, Amounts::ZERO, vec![loan(open, u64::MAX)], Vec::new()),
        reported(open, Amounts::ZERO, vec![loan(child, u64::MAX)], Vec::new()),
        // Questions, notices, keys of nobody.
        Fact::QuestionClosed { task: open, run: 1, answer: None, timed_out: false, parks: None },
        moved(open, Delivery::Acked, SESSION),
        moved(over, Delivery::Pending, child),
        moved(over, Delivery::Pending, root),
        tells(ended(child, 1, Status::Completed, false), root),
        tells(ended(child, 1, Status::Completed, false), child),
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
        manager.handle(5, Actor::Program, Input::HostReturned { task, run: 1, outcome: Outcome::default() }).unwrap();
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
    let Works { mut manager, lends, borrows, done, below, queued } = works();
    let usage = Usage { tokens: Reading::Is(1), ..Usage::default() };
    manager.handle(5, Actor::Run(lends, 1), Input::Report { usage, tokens: None, context_tokens: None, message: None }).unwrap();
    let lent = |task: Key, borrower: Key, tokens: u64| reported(borrower, Amounts::ZERO, vec![loan(task, tokens)], Vec::new());
    assert!(manager.state().may_follow(&lent(lends, borrows, 1)));
    let returned = |task: Key, run: u32| host_returned(task, run, Some("late"));
    assert!(manager.state().may_follow(&returned(done, 1)));
    let named = |task: Key, run: u32| Fact::RunElsewhere { task, run, host_task_id: Some("h".into()) };
    let returns = |task: Key| Fact::RunReturned {
        task,
        run: 1,
        usage: Amounts::ZERO,
        unknown: Dimensions::NONE,
        invalid: Dimensions::NONE,
        loans: None,
        output: RunOutput::default(),
    };
    refuses(
        &manager,
        &[
            lent(lends, borrows, u64::MAX),
            lent(lends, lends, 1),
            lent(lends, queued, 1),
            lent(borrows, lends, 1),
            // No lender twice, nothing back that nobody lent, and nobody has used less than before.
            reported(borrows, Amounts::ZERO, vec![loan(lends, 1), loan(lends, 1)], Vec::new()),
            reported(borrows, Amounts::ZERO, vec![loan(lends, 1)], vec![loan(lends, u64::MAX)]),
            reported(stale(borrows), Amounts::ZERO, Vec::new(), vec![loan(lends, 0)]),
            reported(lends, Amounts::ZERO, Vec::new(), Vec::new()),
            Fact::RunElsewhere { task: done, run: 1, host_task_id: None },
            named(done, 0),
            named(done, 2),
            named(stale(done), 1),
            Fact::RunUnparked { task: lends, run: 1, why: Parked::Children, parks: None },
            Fact::RunUnparked { task: lends, run: 1, why: Parked::Reentry, parks: None },
            returns(lends),
            returns(queued),
            host_returned(queued, 1, None),
            Fact::HostAbandoned { task: queued, run: 1, usage: Amounts::ZERO },
            returned(lends, 1),
            returned(done, 0),
            returned(done, 9),
            Fact::QuestionAsked { task: queued, run: 1, question: "?".into(), until: None, delivered: false },
            queued_message(done, "nobody hears it"),
            Fact::TaskEnded { task: lends, status: Status::Completed, stop_reason: StopReason::Finished },
            Fact::TaskEnded { task: done, status: Status::Running, stop_reason: StopReason::Finished },
            Fact::PolicyAnswered {
                task: done,
                run: 1,
                point: subagents::Point::BeforeTurn,
                answer: subagents::Answer::Block,
                stop_reason: StopReason::Policy,
                policy: "p".into(),
                text: "".into(),
                until: Some(9),
            },
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
    let once = |key: &str| Input::SpawnOnce(Box::new(Once { spawn: Spawn::default(), key: key.into(), ..Once::default() }));
    manager.handle(5, Actor::Program, once("k")).unwrap();
    let cancel = Input::Cancel { task: lends, reason: StopReason::Cancelled, grace_ms: None };
    assert!(matches!(manager.handle(5, Actor::Program, cancel), Ok(Reply::Waiting(_))));

    let next = manager.state().tree.next_key();
    let used = |parent: Key, key: &str| {
        let mut fact = admitted(next, parent);
        if let Fact::TaskAdmitted { once, .. } = &mut fact {
            *once = Some(Box::new(KeyUse { key: key.into(), digest: 1, until: 9, work: 1 }));
        }
        fact
    };
    assert!(manager.state().may_follow(&used(SESSION, "other")));
    assert!(manager.state().may_follow(&used(done, "k")), "another's key");
    refuses(
        &manager,
        &[
            Fact::QueuePaused { task: stale(done), paused: true },
            Fact::QueuePaused { task: SESSION, paused: true },
            stops(stale(done), SESSION, false),
            stops(done, stale(SESSION), false),
            stops(kept, SESSION, true),
            stops(lends, stale(SESSION), true),
            Fact::CancelRequested { task: lends, by: SESSION, close: false, interrupt: false, claimed: vec![done], caller_reads: None },
            Fact::CancelRequested { task: done, by: SESSION, close: false, interrupt: true, claimed: vec![done], caller_reads: None },
            Fact::EndsCollected { tasks: vec![done, lends] },
            Fact::SessionFreed { task: kept },
            Fact::SessionFreed { task: closed },
            Fact::SessionClosed { task: below },
            Fact::SessionClosed { task: stale(kept) },
            used(stale(SESSION), "other"),
            used(SESSION, "k"),
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
    let told = then(vec![
        Fact::TaskForgotten { task },
        Fact::NoticeMoved { task, run, delivery: Delivery::Acked, to: SESSION, attempt: 0, until: None, delivered_to: Vec::new() },
    ]);
    assert_eq!(told.notices.len(), 0);
    told.check_invariants().unwrap();
    let held = then(vec![
        queued_message(open, "one"),
        queued_message(open, "two"),
        Fact::QueuePaused { task: open, paused: true },
        Fact::MessagesDropped { task: open, count: 1 },
    ]);
    assert!(held.node(open.index).is_paused(), "M4: one still waits");
    assert_eq!(held.node(open.index).undelivered(), ["two".into()], "M2: the last one was dropped");
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
    manager
        .handle(5, Actor::Run(first, 1), Input::ReportRateLimit { retry_after_ms: 1_000, remaining_requests: None, remaining_tokens: None })
        .unwrap();
    let queued = spawn(&mut manager, Actor::Program, false);
    let facts = read_all(&manager.take_facts()).unwrap();

    let mut early = Manager::open(50, facts.clone()).unwrap();
    assert_eq!(early.take_effects(), [Effect::WakeAt(105)]);
    let late = Manager::open(2_000, facts).unwrap().take_effects();
    assert!(late.contains(&Effect::StartRun { task: queued, run: 1 }), "{late:?}");
}

/// Lost runs end one after the other, and each queues its next message: who starts is known when all have.
#[test]
fn a_run_that_is_overtaken_while_a_manager_is_opened_was_not_said_to_start() {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(5, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    let spawn = |manager: &mut Manager, priority| {
        let spec = subagents::Spec { priority: Some(priority), ..Default::default() };
        let input = Spawn { text: Some("work".into()), background: true, spec: Some(spec.into()), ..Spawn::default() };
        let Ok(Reply::Node(task)) = manager.handle(5, Actor::Program, Input::Spawn(input)) else { panic!("it is refused") };
        task
    };
    let urgent = spawn(&mut manager, 10);
    let next = |task| Input::Send { task, mode: Mode::Queue, text: "next".into() };
    manager.handle(5, Actor::Program, next(urgent)).unwrap();
    // It gives up its slot, so that both are under way.
    manager.handle(5, Actor::Run(urgent, 1), Input::Ask { question: "which?".into(), timeout_ms: None }).unwrap();
    let usual = spawn(&mut manager, 0);
    manager.handle(5, Actor::Program, next(usual)).unwrap();
    assert_eq!([urgent, usual].map(|task| manager.state().node(task.index).status), [Status::Running; 2]);

    let facts = read_all(&manager.take_facts()).unwrap();
    let mut manager = Manager::open(6, facts).unwrap();
    let facts = read_all(&manager.take_facts()).unwrap();
    let started: Vec<Key> =
        facts.iter().filter_map(|(_, fact)| if let Fact::RunStarted { task, .. } = fact { Some(*task) } else { None }).collect();
    assert_eq!(started, [urgent]);
    let said = facts.iter().find_map(|(_, fact)| {
        let Fact::RunQueued { task, waiting_for, .. } = fact else { return None };
        (*task == usual).then_some(*waiting_for)
    });
    assert_eq!(said, Some(Some(WaitingFor::Slot)), "D4");
}

/// A session's work waits until the program has registered that session again, once (J3). The simulation's program has
/// every session at once, so that these two facts are made here.
#[test]
fn a_session_is_waited_for_until_it_is_registered() {
    let mut manager = Manager::new();
    manager.listen(true);
    let Ok(Reply::Node(session)) = manager.handle(0, Actor::Program, Input::OpenSession("ann".into())) else { panic!("no session") };
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    spawn(&mut manager, Actor::Session(session), true);
    let task = spawn(&mut manager, Actor::Session(session), true);
    let facts = read_all(&manager.take_facts()).unwrap();

    let mut second = Manager::new();
    second.restore(facts).unwrap();
    second.reopen(6, 7, OnHostLost::Fail, Some((Vec::new(), Vec::new())), Vec::new()).unwrap();
    assert_eq!(second.state().node(task.index).status, Status::Pending, "J3: its session is not registered");
    second.handle(7, Actor::Program, Input::RegisterSession(session)).unwrap();
    assert_eq!(second.state().node(task.index).status, Status::Running, "J3: now it is");
    second.handle(8, Actor::Program, Input::RegisterSession(session)).unwrap();
    let facts = read_all(&second.take_facts()).unwrap();
    let known = facts.iter().filter(|(_, fact)| matches!(fact, Fact::DefinitionsKnown { .. })).count();
    let registered = facts.iter().filter(|(_, fact)| matches!(fact, Fact::SessionRegistered { task } if *task == session)).count();
    assert_eq!((known, registered), (1, 1));
}

/// A manager that is opened from facts and has a slot for one run; `elsewhere`: the hosts of the last one go on.
fn opened(facts: &[(u64, Fact)], elsewhere: bool) -> Manager {
    let mut manager = Manager::new();
    if elsewhere {
        manager.outlived_by_hosts();
    }
    manager.restore(facts.to_vec()).unwrap();
    manager.reopen(6, 7, OnHostLost::Resume, None, vec![Input::SetLimits(vec![("maxConcurrent".into(), 1)])]).unwrap();
    manager.check_invariants().unwrap();
    manager
}

/// What the account of a node has spent and holds, in tokens.
fn account(manager: &Manager, task: Key) -> (u64, u64) {
    let account = manager.state().node(task.index).account;
    (account.spent.tokens, account.reserved.tokens)
}

/// What a host elsewhere is at stays set aside while its run waits to go on, however often, until it reports it, or ends, or is
/// gone after all (J3).
#[test]
fn what_a_host_elsewhere_is_at_stays_set_aside_while_its_run_waits() {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(5, Actor::Program, Input::SetLimits(vec![("turnEstimate".into(), 100), ("wrapUpTokens".into(), 0)])).unwrap();
    manager.handle(5, Actor::Program, Input::SetBudget(Amounts { tokens: 300, ..Amounts::UNCAPPED }.into())).unwrap();
    let [first, second] = [(); 2].map(|()| spawn(&mut manager, Actor::Program, true));
    let turn = Input::BeginTurn { estimate: subagents::Estimate::default(), whole: false };
    for task in [first, second] {
        let reply = manager.handle(5, Actor::Run(task, 1), turn.clone());
        assert!(matches!(reply, Ok(Reply::Go { .. })), "{reply:?}");
    }
    let root = manager.state().key(subagents::ROOT);
    let mut facts = read_all(&manager.take_facts()).unwrap();

    let mut next = opened(&facts, true);
    assert_eq!([first, second].map(|task| next.state().node(task.index).status), [Status::Running, Status::Pending]);
    assert_eq!([first, second].map(|task| account(&next, task)), [(0, 100); 2]);
    let report = |tokens| Input::Report {
        usage: Usage { tokens: Reading::Is(tokens), ..Usage::default() },
        tokens: None,
        context_tokens: None,
        message: None,
    };
    next.handle(7, Actor::Run(first, 2), report(100)).unwrap();
    assert!(matches!(next.handle(7, Actor::Run(first, 2), turn.clone()), Ok(Reply::Go { .. })));
    facts.extend(read_all(&next.take_facts()).unwrap());
    next.handle(7, Actor::Run(first, 2), report(100)).unwrap();
    assert_eq!(account(&next, root), (200, 100));
    // What is left is for the turn that the host of the second one is at.
    assert!(matches!(next.handle(7, Actor::Run(first, 2), turn.clone()), Ok(Reply::Later)), "B6");
    assert_eq!(next.state().run_of(second.index).phase, subagents::run::Phase::Open, "it goes on in that slot");
    next.handle(8, Actor::Run(second, 2), report(100)).unwrap();
    assert_eq!(account(&next, root), (300, 0));
    next.check_invariants().unwrap();

    let mut later = opened(&facts, true);
    assert_eq!(account(&later, second), (0, 100), "one lead after the other");
    later.handle(7, Actor::Program, Input::Cancel { task: second, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    assert_eq!(account(&later, second), (100, 0), "it doesn't go on");

    let gone = opened(&facts, false);
    assert_eq!(account(&gone, second), (100, 0), "no host is elsewhere any more");
}

/// A whole turn takes over what the turns before it had set aside, also where these began before a restart and their host is
/// elsewhere (B14).
#[test]
fn b14_a_whole_turn_takes_over_what_a_host_elsewhere_is_at() {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(5, Actor::Program, Input::SetLimits(vec![("turnEstimate".into(), 100), ("wrapUpTokens".into(), 0)])).unwrap();
    let task = spawn(&mut manager, Actor::Program, true);
    let turn = |manager: &mut Manager, run, whole| {
        let turn = Input::BeginTurn { estimate: subagents::Estimate::default(), whole };
        let reply = manager.handle(7, Actor::Run(task, run), turn);
        assert!(matches!(reply, Ok(Reply::Go { .. })), "{reply:?}");
    };
    turn(&mut manager, 1, false);
    let facts = read_all(&manager.take_facts()).unwrap();
    let mut next = opened(&facts, true);
    for (manager, run) in [(&mut manager, 1), (&mut next, 2)] {
        assert_eq!(account(manager, task), (0, 100));
        turn(manager, run, true);
        assert_eq!(account(manager, task), (0, 1_000));
        turn(manager, run, false);
        assert_eq!(account(manager, task), (0, 100));
        manager.check_invariants().unwrap();
    }
}

/// The same facts opened twice: a tail was lost, the store was copied, or a backup came back. What each accepts has ids
/// and keys of its own; what both know keeps those that it had (A7).
#[test]
fn a7_no_opening_gives_an_id_that_another_gave() {
    let mut first = Manager::new();
    first.listen(true);
    first.handle(1, Actor::Program, Input::Seed(3, 4)).unwrap();
    let known = spawn(&mut first, Actor::Program, true);
    first.handle(5, Actor::Program, Input::Send { task: known, mode: Mode::Queue, text: "of the first".into() }).unwrap();
    let facts = read_all(&first.take_facts()).unwrap();
    let reopened = |facts: &[(u64, Fact)], salt| {
        let mut manager = Manager::new();
        manager.restore(facts.to_vec()).unwrap();
        manager.reopen(6, salt, OnHostLost::Requeue, None, Vec::new()).unwrap();
        manager
    };
    let end = |manager: &mut Manager, task, run| {
        manager.handle(7, Actor::Program, Input::HostReturned { task, run, outcome: Outcome::default() }).unwrap();
    };
    // Each ends the known run, takes another message, and spawns work, once under a key.
    let lives = [7, 8].map(|salt| {
        let mut manager = reopened(&facts, salt);
        let new = spawn(&mut manager, Actor::Program, true);
        let pay = Spawn { text: Some("pay".into()), tokens: Some(1_000), ..Spawn::default() };
        let once = Once { key: "invoice".into(), parameters: "{}".into(), spawn: pay, ..Once::default() };
        let Ok(Reply::Node(keyed)) = manager.handle(6, Actor::Program, Input::SpawnOnce(Box::new(once))) else { panic!("it is refused") };
        let attempt = manager.state().run_of(known.index).number;
        let work = manager.state().work_key(known, attempt);
        end(&mut manager, known, attempt);
        let of_first = manager.state().work_key(known, attempt + 1);
        end(&mut manager, known, attempt + 1);
        manager.handle(8, Actor::Program, Input::Send { task: known, mode: Mode::Queue, text: format!("of {salt}").into() }).unwrap();
        let of_this = manager.state().work_key(known, attempt + 2);
        (manager, new, keyed, [work, of_first], of_this, attempt)
    });
    let [(a, new, keyed, kept, of_this, attempt), (b, other, ..)] = &lives;
    assert_eq!(new, other, "they come to the same place");
    let state = |at: usize| lives[at].0.state();
    assert_eq!(state(0).id_of(known), first.state().id_of(known));
    assert_eq!(state(0).task_of_id(&state(1).id_of(known)), Some(known));
    assert_eq!(kept, &lives[1].3, "attempts at what was accepted before keep its key");
    assert_eq!(kept[0], first.state().work_key(known, 1));
    let delivered = |at: usize| state(at).delivery_id(RunKey { task: known, run: *attempt });
    for (mine, others) in [
        (a.state().id_of(*new), b.state().id_of(*new)),
        (a.state().work_key(*new, 1), b.state().work_key(*new, 1)),
        (of_this.clone(), lives[1].4.clone()),
        (delivered(0), delivered(1)),
    ] {
        assert_ne!(mine, others);
    }
    assert_eq!(state(0).task_of_id(&state(1).id_of(*new)), None, "what another opening named is not known here");
    assert_eq!(state(0).delivery_of_id(&delivered(0)), Some(RunKey { task: known, run: *attempt }));
    assert_eq!(state(0).delivery_of_id(&delivered(1)), None);
    assert_eq!(a.state().work_key(*keyed, 1), b.state().work_key(*keyed, 1), "a key of its spawn makes its own");
    assert_ne!(a.state().id_of(*keyed), b.state().id_of(*keyed));

    // A third opening, of all that the first of the two has noted, by a snapshot.
    let mut third = Manager::new();
    let mut second = lives.into_iter().next().unwrap();
    let ids = [
        second.0.state().id_of(second.1),
        second.0.state().work_key(second.1, 1),
        second.4,
        second.0.state().delivery_id(RunKey { task: known, run: second.5 }),
    ];
    third.restore_snapshot(&second.0.snapshot()).unwrap();
    third.reopen(9, 9, OnHostLost::Requeue, None, Vec::new()).unwrap();
    let number = |manager: &Manager, task: Key| manager.state().run_of(task.index).number;
    let (of_new, of_known) = (number(&third, second.1), number(&third, known));
    let state = third.state();
    let found = [
        state.id_of(second.1),
        state.work_key(second.1, of_new),
        state.work_key(known, of_known),
        state.delivery_id(RunKey { task: known, run: second.5 }),
    ];
    assert_eq!(found, ids);
    assert_eq!(state.task_of_id(&ids[0]), Some(second.1));
}
