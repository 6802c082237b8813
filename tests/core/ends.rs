//! Ends that no transcript shows: late ones, those of runs elsewhere, what is left to whoever waits.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

mod common;

use common::{PROGRAM, spawn, work};
use subagents::run::Phase;
use subagents::{
    Actor, Amounts, Answer, DEFAULT_SESSION, Defaults, Effect, Estimate, Input, Key, Manager, Mode, NONE, OnParentEnd, Outcome, Point,
    Reading, Reply, ResultDetails, Ruling, RunKey, RunOutput, Spawn, Spec, Status, StopReason, Usage, read_all,
};

/// A manager with caps, so that budget may lack; nothing is capped unless it is given.
fn manager(limits: &[(&str, u64)]) -> Manager {
    let mut manager = Manager::new();
    manager.handle(0, PROGRAM, Input::SetBudget(Amounts { tokens: 50_000, ..Amounts::UNCAPPED }.into())).unwrap();
    manager
        .handle(
            0,
            PROGRAM,
            Input::SetDefaults(Defaults { task_cap: Amounts { tokens: 10_000, ..Amounts::UNCAPPED }.into(), ..Defaults::default() }),
        )
        .unwrap();
    let limits = limits.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    manager.handle(0, PROGRAM, Input::SetLimits(limits)).unwrap();
    manager.listen(true);
    manager
}

fn settle(manager: &mut Manager, now: u64, task: Key, run: u32, outcome: Outcome) {
    manager.handle(now, PROGRAM, Input::HostReturned { task, run, outcome }).unwrap();
}

fn cancel(manager: &mut Manager, now: u64, task: Key, grace_ms: u64) -> Reply {
    let cancel = Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(grace_ms) };
    manager.handle(now, PROGRAM, cancel).unwrap()
}

fn status(manager: &Manager, task: Key) -> (Status, StopReason) {
    let node = manager.state().node(task.index);
    (node.status, node.reason)
}

/// The names of the facts since they were last taken.
fn facts(manager: &mut Manager) -> Vec<&'static str> {
    read_all(&manager.take_facts()).unwrap().iter().map(|(_, fact)| fact.name()).collect()
}

#[test]
fn a_run_elsewhere_that_never_reports_times_out_and_leaves_nothing_behind() {
    let mut manager = manager(&[("timeoutMs", 100), ("abandonMs", 50)]);
    let task = spawn(&mut manager, 0, PROGRAM, work());
    manager.handle(0, PROGRAM, Input::StartedElsewhere { task, run: 1 }).unwrap();
    manager.handle(100, PROGRAM, Input::Tick).unwrap();
    assert_eq!(status(&manager, task), (Status::TimedOut, StopReason::NeverReported), "X4: there is nobody to be told to wrap up");
    manager.handle(150, PROGRAM, Input::Tick).unwrap();
    assert_eq!((manager.state().abandoned, manager.state().taken_slots, manager.state().runs.len()), (0, 0, 0), "X4");

    facts(&mut manager);
    let other = Key { generation: task.generation + 1, ..task };
    for (task, run) in [(task, 1), (task, 2), (other, 1)] {
        assert_eq!(manager.handle(160, PROGRAM, Input::StartedElsewhere { task, run }), Ok(Reply::Done));
        assert!(facts(&mut manager).is_empty(), "X4: there is no such run");
    }
}

#[test]
fn the_id_of_a_run_elsewhere_is_kept_also_where_it_comes_after_the_end() {
    let mut manager = manager(&[]);
    let task = spawn(&mut manager, 0, PROGRAM, work());
    let named = |manager: &mut Manager, task, run, id: &str| {
        let input = Input::NameElsewhere { task, run, host_task_id: id.into() };
        assert_eq!(manager.handle(1, PROGRAM, input), Ok(Reply::Done));
        manager.state().node(task.index).rare.as_ref().and_then(|rare| rare.details.host_task_id.clone())
    };
    assert_eq!(named(&mut manager, task, 1, "a").as_deref(), Some("a"));
    let other = Key { generation: task.generation + 1, ..task };
    for (task, run) in [(task, 0), (task, 2), (other, 1)] {
        assert_eq!(named(&mut manager, task, run, "b").as_deref(), Some("a"), "X4: there is no such run");
    }
    manager.handle(1, PROGRAM, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: Some(0) }).unwrap();
    assert_eq!(named(&mut manager, task, 1, "c").as_deref(), Some("c"), "X4: it may have to be stopped there");
    manager.check_invariants().unwrap();
}

#[test]
fn a_host_function_that_returned_before_its_end_returns_once() {
    let mut manager = manager(&[("maxDepth", 2)]);
    let parent = spawn(&mut manager, 0, PROGRAM, work());
    let waits = Spec { on_parent_end: Some(OnParentEnd::Wait), ..Spec::default() };
    let child = Spawn { background: true, spec: Some(Box::new(waits)), ..work() };
    let child = spawn(&mut manager, 0, Actor::Run(parent, 1), child);
    let details = ResultDetails {
        host_status: Some("fine".into()),
        host_task_id: Some("h1".into()),
        artifacts: Some("[]".into()),
        duration_ms: Some(7),
        ..ResultDetails::default()
    };
    let outcome = Outcome { output: RunOutput::new("done".into(), details.clone()), ..Outcome::default() };
    settle(&mut manager, 1, parent, 1, outcome);
    assert_eq!(status(&manager, parent).0, Status::Running, "C3: it waits for its child");
    facts(&mut manager);
    settle(&mut manager, 2, parent, 1, Outcome { output: "again".into(), ..Outcome::default() });
    assert!(facts(&mut manager).is_empty(), "L2: it has returned");

    settle(&mut manager, 3, child, 1, Outcome::default());
    let node = manager.state().node(parent.index);
    assert_eq!((node.status, &*node.output), (Status::Completed, "done"));
    let rare = node.rare.as_deref().expect("the host said something of it");
    assert_eq!(rare.details, details, "C3: what it left is its end's");
}

#[test]
fn whatever_a_host_says_of_an_end_is_kept() {
    let mut manager = manager(&[]);
    let all = [
        ResultDetails { error: Some("e".into()), ..ResultDetails::default() },
        ResultDetails { host_status: Some("s".into()), ..ResultDetails::default() },
        ResultDetails { host_task_id: Some("i".into()), ..ResultDetails::default() },
        ResultDetails { artifacts: Some("[]".into()), ..ResultDetails::default() },
        ResultDetails { value: Some("{}".into()), ..ResultDetails::default() },
        ResultDetails { receipts: Some("[{}]".into()), ..ResultDetails::default() },
        ResultDetails { duration_ms: Some(7), ..ResultDetails::default() },
    ];
    for details in all {
        let task = spawn(&mut manager, 0, PROGRAM, work());
        settle(&mut manager, 1, task, 1, Outcome { output: RunOutput::new("".into(), details.clone()), ..Outcome::default() });
        let rare = manager.state().node(task.index).rare.clone().unwrap_or_default();
        assert_eq!(rare.details, details);
    }
}

#[test]
fn an_end_repeats_no_output_that_the_host_has_just_returned() {
    let mut manager = manager(&[("maxResultBytes", 8)]);
    let mut told = |outcome: Outcome, progress: Option<&str>| {
        let task = spawn(&mut manager, 0, PROGRAM, Spawn { spec: Some(Box::default()), ..work() });
        if let Some(progress) = progress {
            let report = Input::Report { usage: Usage::default(), tokens: None, context_tokens: None, message: Some(progress.into()) };
            manager.handle(0, Actor::Run(task, 1), report).unwrap();
            cancel(&mut manager, 0, task, 10);
        }
        settle(&mut manager, 1, task, 1, outcome);
        let ended = |effect| if let Effect::RunEnded(ended) = effect { Some(ended) } else { None };
        manager.take_effects().into_iter().find_map(ended).expect("its end is told").output
    };
    assert_eq!(told(Outcome { output: "done".into(), ..Outcome::default() }, None), None);
    assert_eq!(told(Outcome::default(), None), None);
    assert_eq!(told(Outcome { output: "too long a text".into(), ..Outcome::default() }, None).as_deref(), Some("too long"), "R1: cut");
    assert_eq!(told(Outcome::default(), Some("half")).as_deref(), Some("half"), "L5: what it had done");
}

/// One that a policy ends keeps what the policy refused to itself.
#[test]
fn what_was_refused_reaches_nobody() {
    let mut manager = manager(&[]);
    let task = spawn(&mut manager, 0, PROGRAM, work());
    let ruling = |point, answer, text: &str| Ruling { point, answer, reason: StopReason::Policy, policy: "p".into(), text: text.into() };
    manager.handle(1, Actor::Run(task, 1), Input::Rule(ruling(Point::BeforeEnd, Answer::Block, "secret"))).unwrap();
    let outcome = Outcome {
        output: RunOutput::new("it".into(), ResultDetails { artifacts: Some("[it]".into()), ..ResultDetails::default() }),
        ..Outcome::default()
    };
    settle(&mut manager, 2, task, 1, outcome);
    let node = manager.state().node(task.index);
    let rare = node.rare.as_deref().expect("P1: it has a reason");
    assert_eq!((&*node.output, rare.details.artifacts.as_deref(), rare.details.error.as_deref()), ("", None, Some("secret")), "P1");

    // Without grace the run is over before anybody could report on it.
    let over = ruling(Point::OnTimeout, Answer::Finish, "what was done");
    manager.handle(3, Actor::Run(task, 1), Input::Rule(over.clone())).unwrap();
    let report = |manager: &Manager| manager.state().policing(task.index).and_then(|policing| policing.report.clone());
    assert_eq!(report(&manager).as_deref(), Some("what was done"), "T1: of the run that timed out");
    assert!(manager.handle(4, Actor::Run(task, 2), Input::Rule(over)).is_err(), "A1: there is no such run");
    let other = ruling(Point::BeforeTurn, Answer::Block, "late");
    assert!(manager.handle(4, Actor::Run(task, 1), Input::Rule(other)).is_err(), "A1: it has ended");
}

/// A signal may fire when the wait is over and its index is another one's (W3).
#[test]
fn a_wait_that_is_over_ends_no_later_one() {
    let mut manager = manager(&[]);
    let [first, second] = [(); 2].map(|()| spawn(&mut manager, 0, PROGRAM, work()));
    let wait = |target| Input::Wait { targets: vec![target], all: true, idle: false, timeout_ms: None };
    let Ok(Reply::Waiting(over)) = manager.handle(1, PROGRAM, wait(first)) else { panic!("W1: it runs") };
    settle(&mut manager, 2, first, 1, Outcome::default());
    let Ok(Reply::Waiting(open)) = manager.handle(3, PROGRAM, wait(second)) else { panic!("W1: it runs") };
    assert_eq!(over.index, open.index, "the index of the first one is free again");
    manager.handle(4, PROGRAM, Input::WaitsWithin { wait: over, task: second, run: 1 }).unwrap();
    assert_eq!(manager.handle(4, PROGRAM, Input::EndWait(over)), Ok(Reply::WaitOver { timed_out: false, targets: Vec::new() }));
    assert!(manager.waits().open.contains(open) && manager.waits().at(open.index).run == NONE, "W3: it is another one");
    assert_eq!(manager.handle(5, PROGRAM, Input::EndWait(open)), Ok(Reply::Done));
    assert!(manager.waits().is_empty());
}

#[test]
fn a_cancel_that_nobody_waits_for_goes_on_until_the_last_run_has_ended() {
    let mut manager = manager(&[("maxDepth", 2)]);
    let above = spawn(&mut manager, 0, PROGRAM, work());
    let below = spawn(&mut manager, 0, Actor::Run(above, 1), work());
    let Reply::Waiting(wait) = cancel(&mut manager, 1, above, 100) else { panic!("they have a grace") };
    manager.handle(1, PROGRAM, Input::EndWait(wait)).unwrap();
    settle(&mut manager, 2, below, 1, Outcome::default());
    assert!(manager.state().node(above.index).cancelling, "C1: one is still running");
    settle(&mut manager, 3, above, 1, Outcome::default());
    assert!(!manager.state().node(above.index).cancelling, "C1: the last one has ended");
}

/// What an abandoned run of before reports in the end is not this run's: nothing is borrowed for it (B4, S4).
#[test]
fn a_late_total_borrows_nothing_for_the_run_of_now() {
    let mut manager = manager(&[("maxDepth", 2), ("graceMs", 1), ("abandonMs", 1)]);
    let parent = spawn(&mut manager, 0, PROGRAM, work());
    let spec = Spec { timeout_ms: Some(10), ..Spec::default() };
    let child = Spawn { tokens: Some(4_000), spec: Some(Box::new(spec)), ..work() };
    let child = spawn(&mut manager, 0, Actor::Run(parent, 1), child);
    for now in 10..20 {
        manager.handle(now, PROGRAM, Input::Tick).unwrap();
    }
    assert_eq!(manager.state().runs.at(manager.state().node(child.index).lingering).phase, Phase::Abandoned, "S4: it was given up");
    manager.handle(20, PROGRAM, Input::AddBudget { task: child, amount: Amounts { tokens: 9_000, ..Amounts::ZERO } }).unwrap();
    manager.handle(20, PROGRAM, Input::Send { task: child, mode: Mode::Queue, text: "again".into() }).unwrap();
    manager.handle(21, Actor::Run(child, 2), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
    let held = manager.state().run_of(parent.index).reserved;
    assert!(held.tokens > 0, "it could lend");
    facts(&mut manager);
    let usage = Usage { tokens: Reading::Is(12_000), ..Usage::default() };
    settle(&mut manager, 22, child, 1, Outcome { usage, ..Outcome::default() });
    assert!(!facts(&mut manager).contains(&"HoldLent"));
    assert_eq!(manager.state().run_of(parent.index).reserved, held);
}

/// The text of a notice is its run's, whatever becomes of the task's own since (N1, L8).
#[test]
fn a_notice_keeps_what_was_released_before_the_next_run() {
    let mut manager = manager(&[]);
    let task = spawn(&mut manager, 0, PROGRAM, Spawn { background: true, ..work() });
    settle(&mut manager, 1, task, 1, Outcome { output: "first".into(), ..Outcome::default() });
    manager.handle(2, PROGRAM, Input::ReleaseResult(task)).unwrap();
    manager.handle(3, PROGRAM, Input::Send { task, mode: Mode::Queue, text: "again".into() }).unwrap();
    settle(&mut manager, 4, task, 2, Outcome { output: "second".into(), ..Outcome::default() });
    let output = |manager: &Manager, run: u32| {
        let index = manager.state().find_notice(RunKey { task, run }).expect("N1: one for each end");
        subagents::notice_view::notice(manager.state(), index).output.to_string()
    };
    assert_eq!((output(&manager, 1).as_str(), output(&manager, 2).as_str()), ("first", "second"));
    manager.handle(5, PROGRAM, Input::Ack { task, run: 1 }).unwrap();
    assert!(!manager.state().node(task.index).collected, "L8: nobody has read the second yet");
    manager.handle(6, PROGRAM, Input::Ack { task, run: 2 }).unwrap();
    assert!(manager.state().node(task.index).collected);
}

/// Whoever names nobody speaks to the child that changed last, of those that take messages (M3).
#[test]
fn the_last_child_is_one_that_takes_messages() {
    let mut manager = manager(&[]);
    let session = Actor::Session(manager.state().key(DEFAULT_SESSION));
    assert_eq!(manager.state().open_child(session), None);
    let [first, second, third] = [1, 2, 3].map(|now| spawn(&mut manager, now, session, work()));
    let last = |manager: &Manager| manager.state().open_child(session);
    assert_eq!(last(&manager), Some(third));
    cancel(&mut manager, 4, third, 100);
    assert_eq!(last(&manager), Some(second), "it is being cancelled");
    settle(&mut manager, 5, third, 1, Outcome::default());
    assert_eq!(last(&manager), Some(second), "it was cancelled");
    settle(&mut manager, 7, first, 1, Outcome::default());
    assert_eq!(last(&manager), Some(first), "one that has ended does");
}

/// Whoever stopped a task last may give it work again, whoever stopped it before (L7).
#[test]
fn who_stopped_it_last_revives_it() {
    let mut manager = manager(&[]);
    let session = match manager.handle(0, PROGRAM, Input::OpenSession("s".into())) {
        Ok(Reply::Node(session)) => Actor::Session(session),
        other => panic!("it is refused: {other:?}"),
    };
    let task = spawn(&mut manager, 0, session, work());
    let send = || Input::Send { task, mode: Mode::Queue, text: "go on".into() };
    cancel(&mut manager, 1, task, 100);
    settle(&mut manager, 2, task, 1, Outcome::default());
    assert!(manager.handle(3, session, send()).is_err(), "L7: the program stopped it");
    manager.handle(4, PROGRAM, send()).unwrap();
    manager.handle(5, session, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    settle(&mut manager, 6, task, 2, Outcome::default());
    assert!(manager.handle(7, session, send()).is_ok(), "L7: it stopped it itself");
}

/// A parent whose time ran out while it waited for its child: its end came, its host function has not returned.
/// Beside it `other` holds 500 tokens for a turn and waits for more, and the last one waits for its start.
fn ended_while_it_waited() -> (Manager, Key, Key, Key) {
    let mut manager = manager(&[("maxDepth", 2), ("graceMs", 10)]);
    manager.handle(0, PROGRAM, Input::SetBudget(Amounts { tokens: 10_000, ..Amounts::UNCAPPED }.into())).unwrap();
    let other = spawn(&mut manager, 0, PROGRAM, work());
    manager
        .handle(0, Actor::Run(other, 1), Input::BeginTurn { estimate: Estimate { tokens: Some(500), nanos: None }, whole: false })
        .unwrap();
    let spec = Spec { timeout_ms: Some(100), ..Spec::default() };
    let parent = spawn(&mut manager, 0, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..work() });
    let child = spawn(&mut manager, 0, Actor::Run(parent, 1), Spawn { tokens: Some(1_000), ..work() });
    manager.handle(0, Actor::Run(parent, 1), Input::WaitFor { target: child, timeout_ms: None }).unwrap();
    let turn = Input::BeginTurn { estimate: Estimate { tokens: Some(2_000), nanos: None }, whole: false };
    assert_eq!(manager.handle(1, Actor::Run(other, 1), turn), Ok(Reply::Later), "B5: the parent holds the budget");
    let queued = spawn(&mut manager, 1, PROGRAM, work());
    for now in [100, 110, 120] {
        manager.handle(now, PROGRAM, Input::Tick).unwrap();
    }
    settle(&mut manager, 121, child, 1, Outcome::default());
    assert!(manager.state().runs.at(manager.state().node(parent.index).lingering).lingers(), "L5: its grace is over");
    manager.check_invariants().unwrap();
    (manager, parent, other, queued)
}

#[test]
fn an_ended_run_is_parked_no_longer() {
    let (mut manager, ..) = ended_while_it_waited();
    let shown = subagents::view::concurrency(manager.state(), 0);
    // Its child ended first, so that it had come back when its own end came.
    assert_eq!((shown.active, shown.parked), (1, 1), "S4: it keeps its slot; D4: the turn alone is parked");
    manager.handle(122, PROGRAM, Input::Drain { timeout_ms: 100 }).unwrap();
    assert_eq!(subagents::view::drained(manager.state(), manager.left_open()).still_running, 2, "D8: its host function runs on");
}

/// What an ended run holds comes back with its host function: meanwhile nothing fails for it, and no turn is the last
/// one (B5, B8, S4).
#[test]
fn what_an_ended_run_holds_is_waited_for() {
    let (mut manager, parent, other, queued) = ended_while_it_waited();
    assert_eq!(status(&manager, queued).0, Status::Pending, "B5: no run that is parked on queued work holds it");
    assert_eq!(manager.state().run_of(other.index).wrap_up_reason, None, "B8");
    let _ = manager.take_effects();
    settle(&mut manager, 122, parent, 1, Outcome::default());
    assert!(manager.take_effects().contains(&Effect::TurnReady { task: other, run: 1 }));
    assert_eq!(status(&manager, queued).0, Status::Running);
}

/// The same where nobody waits for a turn.
#[test]
fn queued_work_waits_for_what_an_ended_run_holds() {
    let (mut manager, parent, other, queued) = ended_while_it_waited();
    settle(&mut manager, 122, other, 1, Outcome::default());
    assert_eq!(status(&manager, queued).0, Status::Pending, "B5: no run that is parked on queued work holds it");
    settle(&mut manager, 123, parent, 1, Outcome::default());
    assert_eq!(status(&manager, queued).0, Status::Running);
}

/// A host function that was given up while its run waited for somebody keeps nobody else waiting (B5, S5).
#[test]
fn what_was_abandoned_waits_for_nobody() {
    for input in [Input::AwaitApproval, Input::Ask { question: "Which?".into(), timeout_ms: None }] {
        let mut manager = manager(&[("maxDepth", 2), ("graceMs", 10), ("abandonMs", 10), ("timeoutMs", 100)]);
        manager.handle(0, PROGRAM, Input::SetBudget(Amounts { tokens: 10_000, ..Amounts::UNCAPPED }.into())).unwrap();
        let gone = spawn(&mut manager, 0, PROGRAM, Spawn { tokens: Some(1_000), ..work() });
        manager.handle(100, PROGRAM, Input::Tick).unwrap();
        manager.handle(101, Actor::Run(gone, 1), input).unwrap();
        for now in [110, 120, 130] {
            manager.handle(now, PROGRAM, Input::Tick).unwrap();
        }
        assert_eq!(manager.state().abandoned, 1, "S4: it was given up");
        let parent = spawn(&mut manager, 131, PROGRAM, Spawn { tokens: Some(8_000), ..work() });
        manager
            .handle(131, Actor::Run(parent, 1), Input::BeginTurn { estimate: Estimate { tokens: Some(7_000), nanos: None }, whole: false })
            .unwrap();
        let child = spawn(&mut manager, 131, Actor::Run(parent, 1), work());
        manager.handle(131, Actor::Run(parent, 1), Input::WaitFor { target: child, timeout_ms: None }).unwrap();
        assert_eq!(status(&manager, child), (Status::Failed, StopReason::BudgetExhausted), "B5: its parent holds what it needs");
    }
}

/// A closed session waits for a host that was given up, until the program forgets its task (C4, L8).
#[test]
fn c4_a_closed_session_goes_with_the_last_task_that_is_forgotten() {
    let mut manager = manager(&[("graceMs", 10), ("abandonMs", 10)]);
    let Ok(Reply::Node(session)) = manager.handle(0, PROGRAM, Input::OpenSession("s".into())) else { panic!("no session") };
    let gone = spawn(&mut manager, 0, Actor::Session(session), work());
    manager.handle(1, PROGRAM, Input::CloseSession { session, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    for now in [11, 21] {
        manager.handle(now, PROGRAM, Input::Tick).unwrap();
    }
    assert_eq!(manager.state().abandoned, 1, "S4: it was given up");
    assert!(manager.state().tree.contains(session), "C4: a host function still works there");
    manager.handle(22, PROGRAM, Input::Forget(gone)).unwrap();
    assert!(!manager.state().tree.contains(session), "C4: nothing is left that it could wait for");
}

/// A drain lets what runs end; what its messages would start is new work that no run waits for (D8).
#[test]
fn a_drain_starts_no_message() {
    let mut manager = manager(&[]);
    let task = spawn(&mut manager, 0, PROGRAM, work());
    for mode in [Mode::Queue, Mode::Steer] {
        manager.handle(1, PROGRAM, Input::Send { task, mode, text: "go on".into() }).unwrap();
    }
    manager.handle(2, PROGRAM, Input::Drain { timeout_ms: 100 }).unwrap();
    settle(&mut manager, 3, task, 1, Outcome::default());
    assert_eq!(status(&manager, task), (Status::Completed, StopReason::Finished), "D8: its run ended by itself");
    let effects = manager.take_effects();
    assert!(!effects.contains(&Effect::StartRun { task, run: 2 }), "D8");
    assert!(effects.contains(&Effect::DrainDone { timed_out: false }), "D8: nothing runs any more");
    assert_eq!(manager.state().node(task.index).undelivered().len(), 2, "M2: what was never delivered is told");
}

/// An end of before that a wait for several is to hand over is collected only when that is over: until then it may be
/// given up, and nobody would have it (W3, L8).
#[test]
fn a_wait_that_is_given_up_has_collected_nothing() {
    for gives_up in [true, false] {
        let mut manager = manager(&[("retain", 0)]);
        let [ended, open] = [(); 2].map(|()| spawn(&mut manager, 0, PROGRAM, work()));
        settle(&mut manager, 1, ended, 1, Outcome { output: "found".into(), ..Outcome::default() });
        let wait = |all| Input::Wait { targets: vec![ended, open], all, idle: false, timeout_ms: None };
        let Ok(Reply::Waiting(waits)) = manager.handle(2, PROGRAM, wait(true)) else { panic!("W2: one is still running") };
        if gives_up {
            manager.handle(3, PROGRAM, Input::EndWait(waits)).unwrap();
            assert_eq!(&*manager.state().node(ended.index).output, "found", "L8: nobody has it");
            assert_eq!(manager.handle(4, PROGRAM, wait(false)), Ok(Reply::Done), "W2: at once, for the end that nobody has");
        } else {
            settle(&mut manager, 3, open, 1, Outcome::default());
        }
        assert!(!manager.state().tree.contains(ended), "L8: it has been collected");
    }
}

/// The foreground children of a run that is aborted are aborted with it, leaves first, so that it can still use what
/// they had done; background ones only end with it (C3, L5).
#[test]
fn foreground_children_are_aborted_with_their_callers_run() {
    for (idle_timeout_ms, timeout_ms, aborted_at) in [(None, Some(100), 110), (Some(50), None, 50)] {
        let mut manager = manager(&[("maxDepth", 3), ("maxConcurrent", 9), ("graceMs", 10)]);
        let spec = Spec { timeout_ms, idle_timeout_ms, ..Spec::default() };
        let parent = spawn(&mut manager, 0, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..work() });
        manager.handle(0, Actor::Run(parent, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
        let [child, background] = [false, true]
            .map(|background| spawn(&mut manager, 0, Actor::Run(parent, 1), Spawn { background, tokens: Some(2_000), ..work() }));
        let below = spawn(&mut manager, 0, Actor::Run(child, 1), Spawn { tokens: Some(1_000), ..work() });
        let _ = manager.take_effects();
        for now in [100, aborted_at].into_iter().filter(|now| *now <= aborted_at) {
            manager.handle(now, PROGRAM, Input::Tick).unwrap();
        }
        let aborts = manager.take_effects().into_iter().filter_map(|effect| match effect {
            Effect::AbortRun { task, .. } => Some(task),
            _ => None,
        });
        assert_eq!(aborts.collect::<Vec<_>>(), [below, child, parent], "C1: leaves first");
        settle(&mut manager, aborted_at + 1, child, 1, Outcome { output: "half".into(), ..Outcome::default() });
        assert_eq!(status(&manager, child), (Status::Cancelled, StopReason::ParentEnded));
        assert_eq!(status(&manager, background).0, Status::Running, "C3: it ends with the run");
        settle(&mut manager, aborted_at + 2, parent, 1, Outcome::default());
        assert_eq!(status(&manager, parent).0, Status::TimedOut);
        assert!(manager.state().run_of(background.index).stop.is_some(), "C3");
        manager.check_invariants().unwrap();
    }
}
