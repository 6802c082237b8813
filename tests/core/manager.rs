//! What a host takes from a manager beside its answers: effects, facts, wake-ups. The module's boundary carries them out.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

mod common;

use common::{PROGRAM, spawn, work};
use subagents::{
    Actor, DEFAULT_SESSION, Defaults, Effect, Estimate, Fact, Input, Key, Manager, Mode, Outcome, ROOT, Reading, Receipt, Rejection, Reply,
    RunKey, Spawn, Spec, StopReason, Usage, read_all,
};

fn settle(manager: &mut Manager, now: u64, task: Key) {
    manager.handle(now, PROGRAM, Input::HostReturned { task, run: 1, outcome: Outcome::default() }).unwrap();
}

#[test]
fn facts_are_noted_only_for_whoever_listens() {
    let mut manager = Manager::new();
    assert!(!manager.has_facts() && manager.fact_count() == 0);
    spawn(&mut manager, 1, PROGRAM, work());
    assert!(!manager.has_facts(), "nobody listens");
    let before = manager.fact_count();
    assert!(before > 1, "but they are counted");
    manager.listen(true);
    spawn(&mut manager, 2, PROGRAM, work());
    assert!(manager.has_facts());
    let noted = read_all(&manager.take_facts()).unwrap();
    let names: Vec<&str> = noted.iter().map(|(_, fact)| fact.name()).collect();
    assert_eq!(names, ["TaskAdmitted", "RunStarted"], "and no others");
    assert_eq!(Some(manager.fact_count() - before), u64::try_from(noted.len()).ok());
    assert!(!manager.has_facts(), "they were taken");
    spawn(&mut manager, 3, PROGRAM, work());
    manager.listen(true);
    assert!(manager.has_facts(), "whoever goes on listening loses nothing");
    manager.listen(false);
    assert!(!manager.has_facts(), "whoever stops wants none of them");
}

#[test]
fn a_manager_that_was_opened_goes_on_counting() {
    let mut manager = Manager::new();
    manager.listen(true);
    spawn(&mut manager, 1, PROGRAM, Spawn::default());
    let facts = read_all(&manager.take_facts()).unwrap();
    let mut opened = Manager::open(2, facts).unwrap();
    let since = u64::try_from(read_all(&opened.take_facts()).unwrap().len()).unwrap();
    assert_eq!(opened.fact_count(), manager.fact_count() + since);
}

#[test]
fn facts_name_the_place_of_the_first_wrong_byte() {
    let mut manager = Manager::new();
    manager.listen(true);
    manager.handle(1, PROGRAM, Input::Drain { timeout_ms: 1 }).unwrap();
    let mut bytes = manager.take_facts();
    let whole = bytes.len();
    // The flag of `DrainEnded`, which is neither 0 nor 1 then.
    *bytes.last_mut().unwrap() = 7;
    assert_eq!(read_all(&bytes).expect_err("it is no flag").at, whole - 1);
    bytes.truncate(whole - 1);
    assert_eq!(read_all(&bytes).expect_err("it is torn").at, whole - 1);
}

#[test]
fn effects_come_once_in_whatever_they_are_taken() {
    let mut manager = Manager::new();
    let task = spawn(&mut manager, 1, PROGRAM, work());
    let mut buffer = vec![Effect::WakeAt(0)];
    manager.swap_effects(&mut buffer);
    assert!(buffer.contains(&Effect::StartRun { task, run: 1 }) && !buffer.contains(&Effect::WakeAt(0)), "{buffer:?}");
    assert!(manager.take_effects().is_empty());
}

#[test]
fn who_asks_for_it_hears_of_every_task_that_is_closed_or_forgotten() {
    let mut manager = Manager::new();
    let mut told = |ask: bool, state: &str| {
        if ask {
            manager.notify_forgotten();
        }
        let text = if state == "idle" { None } else { Some("work".into()) };
        let task = spawn(&mut manager, 1, PROGRAM, Spawn { text, ..Spawn::default() });
        if state == "ended" {
            settle(&mut manager, 2, task);
        }
        manager.handle(3, PROGRAM, Input::Close { task, grace_ms: None }).unwrap();
        if state == "running" {
            settle(&mut manager, 4, task);
        }
        let closed = manager.take_effects().contains(&Effect::TaskClosed(task));
        manager.handle(5, PROGRAM, Input::Forget(task)).unwrap();
        (closed, manager.take_effects().contains(&Effect::TaskForgotten(task)))
    };
    assert_eq!(told(false, "idle"), (false, false));
    for state in ["idle", "running", "ended"] {
        assert_eq!(told(true, state), (true, true), "{state}");
    }
}

#[test]
fn a_cancel_says_whose_ends_it_claimed() {
    let mut manager = Manager::new();
    let session = manager.state().key(DEFAULT_SESSION);
    let task = spawn(&mut manager, 1, Actor::Session(session), Spawn { background: true, ..work() });
    let cancel = Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None };
    manager.handle(2, Actor::Session(session), cancel).unwrap();
    assert_eq!(manager.take_claimed(), [RunKey { task, run: 1 }], "N4: it needs no notice");
    assert_eq!(manager.take_claimed(), [], "they were taken");
}

#[test]
fn a_turn_knows_the_notices_that_it_was_given() {
    let mut manager = Manager::new();
    manager.handle(1, PROGRAM, Input::SetLimits(vec![("maxDepth".into(), 2)])).unwrap();
    let parent = spawn(&mut manager, 1, PROGRAM, work());
    let child = |manager: &mut Manager| {
        let child = spawn(manager, 1, Actor::Run(parent, 1), Spawn { background: true, ..work() });
        settle(manager, 2, child);
        manager.state().find_notice(RunKey { task: child, run: 1 }).expect("N1: it makes a notice")
    };
    let told: Vec<u32> = (0..3).map(|_| child(&mut manager)).collect();
    assert_eq!(manager.notices_of_turn(parent.index).count(), 0, "N3: they wait");
    manager.handle(3, Actor::Run(parent, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false }).unwrap();
    assert_eq!(manager.notices_of_turn(parent.index).collect::<Vec<_>>(), told, "N3: in their order");
}

fn wake_ups(manager: &mut Manager) -> Vec<u64> {
    let at = |effect| if let Effect::WakeAt(at) = effect { Some(at) } else { None };
    manager.take_effects().into_iter().filter_map(at).collect()
}

#[test]
fn a_host_is_asked_to_come_back_no_more_often_than_it_has_to() {
    let mut manager = Manager::new();
    let until = |ms: u64| {
        let spec = Spec { timeout_ms: Some(ms), ..Spec::default() };
        Spawn { spec: Some(Box::new(spec)), ..work() }
    };
    spawn(&mut manager, 10, PROGRAM, until(1_000));
    assert_eq!(wake_ups(&mut manager), [1_010]);
    spawn(&mut manager, 20, PROGRAM, until(5_000));
    assert_eq!(wake_ups(&mut manager), [], "T3: the one asked for comes first");
    spawn(&mut manager, 30, PROGRAM, until(500));
    assert_eq!(wake_ups(&mut manager), [530], "T3: an earlier one");
    manager.handle(529, PROGRAM, Input::Tick).unwrap();
    assert_eq!(wake_ups(&mut manager), [530], "T3: the timer was early");
    manager.handle(529, PROGRAM, Input::SetDefaults(Defaults { reject: Some(false), ..Defaults::default() })).unwrap();
    assert_eq!(wake_ups(&mut manager), [], "T3: it is still to come");
    manager.handle(530, PROGRAM, Input::SetDefaults(Defaults { reject: Some(false), ..Defaults::default() })).unwrap();
    assert_eq!(wake_ups(&mut manager), [1_010], "T3: its time has come, the timer's is no more of use");
}

#[test]
fn t4_once_the_process_goes_on_nothing_fires_before_a_tick() {
    let mut manager = Manager::new();
    let task = spawn(&mut manager, 0, PROGRAM, work());
    manager.handle(0, Actor::Run(task, 1), Input::Ask { question: "which?".into(), timeout_ms: Some(100) }).unwrap();
    drop(manager.take_effects());
    // More time went by than it is known to have stood still: the question is overdue.
    manager.handle(5_000, PROGRAM, Input::StoodStill(4_000)).unwrap();
    assert!(wake_ups(&mut manager) == [4_100], "it is asked for again");
    let answer = Input::Send { task, mode: Mode::Queue, text: "this one".into() };
    assert_eq!(manager.handle(5_001, PROGRAM, answer), Ok(Reply::Sent(Receipt::Delivered)), "T4: the answer came first");
    let other = spawn(&mut manager, 5_001, PROGRAM, work());
    manager.handle(5_001, Actor::Run(other, 1), Input::Ask { question: "which?".into(), timeout_ms: Some(100) }).unwrap();
    manager.handle(9_000, PROGRAM, Input::StoodStill(3_000)).unwrap();
    let is_open = |manager: &Manager| manager.state().run_of(other.index).timers.ask_until.is_some();
    assert!(is_open(&manager));
    manager.handle(9_000, PROGRAM, Input::Tick).unwrap();
    assert!(!is_open(&manager), "T4: nobody came");
}

#[test]
fn t4_what_counts_from_an_instant_never_counts_from_a_later_one_than_now() {
    let mut manager = Manager::new();
    let spec = Spec { timeout_ms: Some(1_000), ..Spec::default() };
    let task = spawn(&mut manager, 900, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..work() });
    manager.handle(1_000, PROGRAM, Input::StoodStill(5_000)).unwrap();
    let due = manager.state().run_of(task.index).next_deadline().map(|(at, _)| at);
    assert_eq!(due, Some(2_000), "T4: the run has all of its time, and no more");
}

#[test]
fn s6_a_stall_is_told_once_until_something_moves() {
    let stalls = |manager: &mut Manager, now: u64| {
        manager.handle(now, PROGRAM, Input::Tick).unwrap();
        manager.take_effects().iter().filter(|effect| matches!(effect, Effect::Report(Rejection::Stalled { limit: 1, .. }))).count()
    };
    let mut manager = Manager::new();
    let limits = vec![("maxConcurrent".into(), 1), ("maxDepth".into(), 2), ("stallMs".into(), 100)];
    manager.handle(0, PROGRAM, Input::SetLimits(limits)).unwrap();
    let task = spawn(&mut manager, 0, PROGRAM, work());
    spawn(&mut manager, 10, PROGRAM, work());
    assert_eq!(stalls(&mut manager, 1_000), 0, "S6: the run has nothing below it");
    spawn(&mut manager, 1_000, Actor::Run(task, 1), work());
    assert_eq!([1_099, 1_100, 5_000].map(|now| stalls(&mut manager, now)), [0, 1, 0]);
    let usage = Usage { tokens: Reading::Is(1), ..Usage::default() };
    manager.handle(5_000, Actor::Run(task, 1), Input::Report { usage, tokens: None, context_tokens: None, message: None }).unwrap();
    assert_eq!([5_099, 5_100, 9_000].map(|now| stalls(&mut manager, now)), [0, 1, 0], "S6: it moved, and stands still again");
}

#[test]
fn s6_a_wait_in_the_context_of_a_run_parks_it_until_it_takes_a_turn() {
    let mut manager = Manager::new();
    manager.handle(0, PROGRAM, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    let (task, other) = (spawn(&mut manager, 0, PROGRAM, work()), spawn(&mut manager, 0, PROGRAM, work()));
    let waits = manager.handle(1, PROGRAM, Input::WaitFor { target: other, timeout_ms: None }).unwrap();
    let Reply::Waiting(wait) = waits else { panic!("it waits: {waits:?}") };
    manager.handle(1, PROGRAM, Input::WaitsWithin { wait, task, run: 1 }).unwrap();
    let status = |manager: &Manager, task: Key| manager.state().holds_slot(manager.state().node(task.index).run);
    assert!(!status(&manager, task) && status(&manager, other), "S6: its slot is the other's now");
    manager.check_invariants().unwrap();
    let turn = manager.handle(2, Actor::Run(task, 1), Input::BeginTurn { estimate: Estimate::default(), whole: false });
    assert_eq!(turn, Ok(Reply::Later), "S2: it stands in line");
    manager.check_invariants().unwrap();
    settle(&mut manager, 3, other);
    assert!(status(&manager, task) && manager.waits().is_empty(), "S6: the wait is over for who made it");
    manager.check_invariants().unwrap();
}

#[test]
fn what_is_due_fires_in_the_order_of_its_times() {
    let mut manager = Manager::new();
    manager.listen(true);
    let spec = Spec { timeout_ms: Some(200), ..Spec::default() };
    let task = spawn(&mut manager, 0, PROGRAM, Spawn { spec: Some(Box::new(spec)), ..work() });
    manager
        .handle(0, Actor::Run(task, 1), Input::ReportRateLimit { retry_after_ms: 100, remaining_requests: None, remaining_tokens: None })
        .unwrap();
    drop(manager.take_facts());
    manager.handle(300, PROGRAM, Input::Tick).unwrap();
    let facts = read_all(&manager.take_facts()).unwrap();
    let in_order = matches!(&facts[..], [(300, Fact::CooldownOver { .. }), (300, Fact::WrapUpRequested { .. })]);
    assert!(in_order, "T3: the cooldown was over first, of what a jump of the time made due: {facts:?}");
}

#[test]
fn a_limit_below_its_least_value_is_refused() {
    let mut manager = Manager::new();
    for (limit, least) in [("maxConcurrent", 1), ("maxQueued", 0), ("timeoutMs", 1), ("staggerMs", 0), ("maxResultBytes", 1)] {
        let mut set = |value: u64| manager.handle(1, PROGRAM, Input::SetLimits(vec![(limit.into(), value)]));
        assert_eq!(set(least), Ok(Reply::Done), "{limit}");
        if least > 0 {
            assert!(matches!(set(least - 1), Err(Rejection::InvalidArgument { .. })), "{limit}");
        }
    }
}

#[test]
fn what_never_comes_asks_for_no_wake_up() {
    let mut manager = Manager::new();
    let limits =
        ["timeoutMs", "idleTimeoutMs", "maxCooldownMs", "approvalTimeoutMs", "graceMs", "abandonMs"].map(|name| (name.into(), u64::MAX));
    manager.handle(0, PROGRAM, Input::SetLimits(limits.to_vec())).unwrap();
    let [asks, waits, approves] = [(); 3].map(|()| spawn(&mut manager, 0, PROGRAM, work()));
    let by = |task: Key| Actor::Run(task, 1);
    manager.handle(0, PROGRAM, Input::WaitFor { target: waits, timeout_ms: Some(u64::MAX) }).unwrap();
    manager.handle(0, by(asks), Input::Ask { question: "Yes?".into(), timeout_ms: Some(u64::MAX) }).unwrap();
    manager.handle(0, by(approves), Input::AwaitApproval).unwrap();
    manager
        .handle(0, by(waits), Input::ReportRateLimit { retry_after_ms: u64::MAX, remaining_requests: None, remaining_tokens: None })
        .unwrap();
    manager.handle(0, PROGRAM, Input::Cancel { task: waits, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
    manager.handle(0, PROGRAM, Input::SetLimits(vec![("staggerMs".into(), u64::MAX)])).unwrap();
    spawn(&mut manager, 0, PROGRAM, work());
    manager.handle(0, PROGRAM, Input::Drain { timeout_ms: u64::MAX }).unwrap();
    assert_eq!(wake_ups(&mut manager), []);
}

#[test]
fn a_distance_between_starts_wakes_only_for_whoever_waits() {
    let mut manager = Manager::new();
    let limits = vec![("staggerMs".into(), 100), ("timeoutMs".into(), u64::MAX)];
    manager.handle(5, PROGRAM, Input::SetLimits(limits)).unwrap();
    spawn(&mut manager, 5, PROGRAM, work());
    assert_eq!(wake_ups(&mut manager), [], "X1: nobody waits");
    let waits = spawn(&mut manager, 6, PROGRAM, work());
    assert_eq!(wake_ups(&mut manager), [105]);
    manager.handle(105, PROGRAM, Input::Tick).unwrap();
    assert!(manager.take_effects().contains(&Effect::StartRun { task: waits, run: 1 }), "X1: its time has come");
}

#[test]
fn a_host_is_told_once_that_nothing_starts_any_more() {
    let mut manager = Manager::new();
    let limits = vec![("maxAbandoned".into(), 2), ("graceMs".into(), 1), ("abandonMs".into(), 1)];
    manager.handle(0, PROGRAM, Input::SetLimits(limits)).unwrap();
    let tasks = [(); 3].map(|()| spawn(&mut manager, 0, PROGRAM, work()));
    for (at, task) in (10..).step_by(10).zip(tasks) {
        manager.handle(at, PROGRAM, Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None }).unwrap();
        manager.handle(at + 1, PROGRAM, Input::Tick).unwrap();
        manager.handle(at + 2, PROGRAM, Input::Tick).unwrap();
        let told = manager.take_effects().contains(&Effect::Report(Rejection::AbandonedLimit { limit: 2 }));
        assert_eq!(told, at == 20, "S4: after {at} ms {} are abandoned", manager.state().abandoned);
    }
    let waits = spawn(&mut manager, 40, PROGRAM, work());
    let status = |manager: &Manager| manager.state().node(waits.index).status;
    assert_eq!(status(&manager), subagents::Status::Pending, "S4: it waits until host functions return");
    for task in tasks {
        settle(&mut manager, 41, task);
    }
    assert_eq!(status(&manager), subagents::Status::Running);
}

#[test]
fn who_could_not_spawn_can_t() {
    let mut manager = Manager::new();
    manager.handle(0, PROGRAM, Input::SetLimits(vec![("maxDepth".into(), 2)])).unwrap();
    let task = spawn(&mut manager, 0, PROGRAM, work());
    let nobody = Key { index: 77, generation: 1 };
    assert!(manager.can_spawn(0, PROGRAM) && manager.can_spawn(0, Actor::Run(task, 1)), "D3");
    assert!(!manager.can_spawn(0, Actor::Session(nobody)) && !manager.can_spawn(0, Actor::Run(nobody, 1)), "A1: nobody");
    settle(&mut manager, 1, task);
    assert!(!manager.can_spawn(0, Actor::Run(task, 1)), "A1: its run has ended");
    let send = Input::Send { task, mode: Mode::Queue, text: "more".into() };
    manager.handle(2, PROGRAM, send).unwrap();
    assert!(manager.can_spawn(0, Actor::Run(task, 2)) && !manager.can_spawn(0, Actor::Run(task, 1)), "A1: that was an earlier run");
    let turn = |manager: &mut Manager, run| {
        manager.handle(2, Actor::Run(task, run), Input::BeginTurn { estimate: Estimate::default(), whole: false })
    };
    assert_eq!(turn(&mut manager, 1), Err(Rejection::ActorEnded));
    assert!(matches!(turn(&mut manager, 2), Ok(Reply::Go { turn: 1, .. })));
}

#[test]
fn a1_a_task_speaks_for_no_session() {
    let mut manager = Manager::new();
    manager.listen(true);
    let task = spawn(&mut manager, 0, PROGRAM, work());
    let session = Actor::Session(task);
    assert!(!manager.can_spawn(0, session), "A1");
    assert_eq!(manager.handle(1, session, Input::Spawn(work())), Err(Rejection::ActorEnded), "A1");
    let usage = Usage { tokens: Reading::Is(5), ..Usage::default() };
    let report = Input::Report { usage, tokens: None, context_tokens: None, message: None };
    assert_eq!(manager.handle(2, session, report), Ok(Reply::Done), "what was used is booked all the same");
    assert_eq!(manager.state().node(task.index).account.spent.tokens, 0, "B12: on the manager, as for a session that is gone");
    assert_eq!(manager.state().node(ROOT).account.spent.tokens, 5);
    assert!(read_all(&manager.take_facts()).is_ok());
}
