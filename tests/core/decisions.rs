//! Decisions that no transcript shows: lists of tools, and what an end reports of itself.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

mod common;

use common::spawn;
use subagents::{
    ALWAYS_BLOCKED, Actor, Amounts, Effect, Ended, Input, Key, Manager, OPERATOR_TOOLS, Once, Outcome, Reading, Rejection, Reply,
    ResultDetails, RunKey, RunOutput, SPAWN_TOOLS, Spawn, Spec, Status, StopReason, ToolList, Usage,
};

fn with_tools(tools: Option<&[&str]>, disallowed: Option<&[&str]>) -> Spawn {
    let list = |names: &[&str]| names.iter().map(|name| (*name).into()).collect::<Vec<_>>();
    let spec = Spec { tools: tools.map(|tools| list(tools).into()), disallowed_tools: disallowed.map(list), ..Spec::default() };
    Spawn { text: Some("work".into()), spec: Some(Box::new(spec)), ..Spawn::default() }
}

fn tools(manager: &Manager, task: Key) -> Option<ToolList> {
    manager.state().node(task.index).spec().and_then(|spec| spec.tools.clone())
}

fn uses(manager: &mut Manager, task: Key, tool: &str) -> Result<(), Rejection> {
    manager.handle(0, Actor::Run(task, 1), Input::BeginTool(tool.into())).map(|_| ())
}

#[test]
fn a_run_uses_what_it_was_given_and_nothing_that_is_kept_from_it() {
    let mut manager = Manager::new();
    let any = spawn(&mut manager, 0, Actor::Program, with_tools(None, Some(&["write"])));
    assert_eq!(uses(&mut manager, any, "read"), Ok(()), "P2: one that knows no tools may use any");
    let refused = Err(Rejection::ToolBlocked { tool: "write".into(), available: None });
    assert_eq!(uses(&mut manager, any, "write"), refused, "P2: but those kept from it");

    let given = spawn(&mut manager, 0, Actor::Program, with_tools(Some(&["read", "write"]), Some(&["write"])));
    let available = Some(vec!["read".to_owned()]);
    assert_eq!(uses(&mut manager, given, "read"), Ok(()), "P2: it was given");
    for tool in ["write", "shell"] {
        let refused = Err(Rejection::ToolBlocked { tool: tool.into(), available: available.clone() });
        assert_eq!(uses(&mut manager, given, tool), refused, "P2: {tool} was not given");
    }

    manager.handle(0, Actor::Program, Input::BlockTools(vec!["read".into()])).unwrap();
    assert!(uses(&mut manager, given, "read").is_err(), "P2: blocked meanwhile");
    for tool in ALWAYS_BLOCKED {
        assert!(uses(&mut manager, any, tool).is_err(), "P2: {tool} is for main agents");
    }
}

#[test]
fn the_tools_that_spawn_end_at_the_depth_limit() {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxDepth".into(), 2)])).unwrap();
    let above = spawn(&mut manager, 0, Actor::Program, with_tools(None, None));
    let lowest = spawn(&mut manager, 0, Actor::Run(above, 1), Spawn { background: true, ..with_tools(None, None) });
    for tool in SPAWN_TOOLS.iter().chain(OPERATOR_TOOLS) {
        assert_eq!(uses(&mut manager, above, tool), Ok(()), "P2: {tool} is of use above the limit");
        assert!(uses(&mut manager, lowest, tool).is_err(), "P2: {tool} at the limit");
    }
    assert_eq!(uses(&mut manager, lowest, "read"), Ok(()), "P2: other tools are none of it");
}

#[test]
fn what_is_asked_for_is_given_once_and_only_of_the_parents() {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxDepth".into(), 2)])).unwrap();
    let parent = spawn(&mut manager, 0, Actor::Program, with_tools(Some(&["read", "write", "read"]), None));
    assert_eq!(tools(&manager, parent), Some(vec!["read".into(), "write".into()].into()), "P2: each once");
    let child = spawn(&mut manager, 0, Actor::Run(parent, 1), with_tools(Some(&["shell", "write"]), None));
    assert_eq!(tools(&manager, child), Some(vec!["write".into()].into()), "P2: the parent has no shell");
    let heir = spawn(&mut manager, 0, Actor::Run(parent, 1), with_tools(None, Some(&["write"])));
    assert_eq!(tools(&manager, heir), Some(vec!["read".into()].into()), "P2: the parent's, less those kept from it");
    let none = spawn(&mut manager, 0, Actor::Run(parent, 1), with_tools(Some(&[]), None));
    assert_eq!(tools(&manager, none), Some(vec![].into()), "P2: none were asked for");
    let nothing_left = manager.handle(0, Actor::Run(parent, 1), Input::Spawn(with_tools(Some(&["shell"]), Some(&["write"]))));
    let refused = Rejection::NoTools { requested: vec!["shell".into()], available: vec!["read".into()] };
    assert_eq!(nothing_left, Err(refused), "P2: both lists are named");
}

#[test]
fn sub_agents_that_ask_for_no_tools_share_one_list() {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxDepth".into(), 3)])).unwrap();
    let mut below = |parent, blocked: &[&str]| {
        manager.handle(0, Actor::Program, Input::BlockTools(blocked.iter().map(|name| (*name).into()).collect())).unwrap();
        let spec = with_tools((parent == Actor::Program).then_some(&["read", SPAWN_TOOLS[0], "write"]), None);
        let task = spawn(&mut manager, 0, parent, spec);
        (Actor::Run(task, 1), tools(&manager, task).unwrap())
    };
    let (parent, all) = below(Actor::Program, &[]);
    let (child, same) = below(parent, &[]);
    assert!(same.is(&all), "P2: nothing is kept from it");
    let leaves = [below(child, &[]).1, below(child, &[]).1];
    assert!(leaves[0].is(&leaves[1]), "P2: what is kept from them is looked for once");
    assert_eq!(leaves[0], vec!["read".into(), "write".into()].into(), "P2: no tool that spawns at the depth limit");

    assert_eq!(below(child, &["write"]).1, vec!["read".into()].into(), "P2: blocked meanwhile");
    assert_eq!(below(parent, &["read"]).1, vec![SPAWN_TOOLS[0].into(), "write".into()].into(), "P2: another one is");
    assert!(below(child, &[]).1.is(&leaves[0]), "P2: and none any more");
}

fn usage(tokens: u64) -> Usage {
    Usage { tokens: Reading::Is(tokens), nanos: Reading::Invalid, turns: Reading::Missing, instead: 0, priced: false }
}

fn end_of(manager: &mut Manager, task: Key) -> Ended {
    let ended = manager.take_effects().into_iter().find_map(|effect| match effect {
        Effect::RunEnded(ended) if ended.task == task => Some(ended),
        _ => None,
    });
    ended.expect("its end is told")
}

#[test]
fn a_notice_says_of_an_end_what_the_task_says() {
    let mut manager = Manager::new();
    manager.handle(10, Actor::Program, Input::SetLimits(vec![("maxResultBytes".into(), 1_024)])).unwrap();
    let background = || Spawn { text: Some("work".into()), background: true, ..Spawn::default() };
    let long = spawn(&mut manager, 10, Actor::Program, background());
    let outcome = Outcome { output: "x".repeat(2_000).into(), usage: usage(70), ..Outcome::default() };
    manager.handle(25, Actor::Program, Input::HostReturned { task: long, run: 1, outcome }).unwrap();
    let ended = end_of(&mut manager, long);
    assert_eq!((ended.started_at, ended.duration_ms, ended.cut, ended.partial), (Some(10), 15, true, false), "L2");
    let notice =
        manager.state().notices.at(manager.state().find_notice(RunKey { task: long, run: 1 }).expect("N1: it makes a notice")).clone();
    assert_eq!((notice.task, notice.run, notice.status, notice.reason), (long.index, 1, Status::Completed, StopReason::Finished), "N1");
    assert_eq!((notice.cut, notice.partial, notice.ended_at, notice.duration_ms), (true, false, 25, 15), "N1");
    assert_eq!(notice.usage, Amounts { tokens: 70, ..Amounts::ZERO }, "N1: what it spent");
    let node = manager.state().node(long.index);
    assert_eq!(notice.usage_doubts, node.usage_doubts, "B7: and what is in doubt");
    assert!(node.usage_invalid() != 0 && node.usage_unknown() != 0, "B7: the cost was invalid, the turns unknown");
    assert_eq!((ended.usage_invalid, ended.usage_unknown), (node.usage_invalid(), node.usage_unknown()), "B7");

    let slow = spawn(&mut manager, 30, Actor::Program, background());
    let report = Input::Report { usage: Usage::default(), tokens: None, context_tokens: None, message: Some("half of it".into()) };
    manager.handle(31, Actor::Run(slow, 1), report).unwrap();
    let by_child = Input::Close { task: slow, grace_ms: None };
    manager.handle(32, Actor::Session(manager.state().key(subagents::DEFAULT_SESSION)), by_child).unwrap();
    let outcome = Outcome {
        output: RunOutput::new("".into(), ResultDetails { duration_ms: Some(99), ..ResultDetails::default() }),
        ..Outcome::default()
    };
    manager.handle(40, Actor::Program, Input::HostReturned { task: slow, run: 1, outcome }).unwrap();
    let ended = end_of(&mut manager, slow);
    assert_eq!((ended.duration_ms, ended.partial, ended.output.as_deref()), (99, true, Some("half of it")), "L5: what it had done");
    manager.check_invariants().unwrap();
}

#[test]
fn what_never_started_took_no_time() {
    let mut manager = Manager::new();
    manager.handle(10, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    let first = spawn(&mut manager, 10, Actor::Program, Spawn { text: Some("runs".into()), ..Spawn::default() });
    let queued = spawn(&mut manager, 10, Actor::Program, Spawn { text: Some("waits".into()), ..Spawn::default() });
    let _ = manager.take_effects();
    let cancel = |task| Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: None };
    manager.handle(50, Actor::Program, cancel(queued)).unwrap();
    let ended = end_of(&mut manager, queued);
    assert_eq!((ended.started_at, ended.duration_ms, ended.usage), (None, 0, Amounts::ZERO), "L2: it never ran");
    manager.handle(60, Actor::Program, Input::HostReturned { task: first, run: 1, outcome: Outcome::default() }).unwrap();
    assert_eq!(end_of(&mut manager, first).duration_ms, 50, "L2: from its start to its end");
}

/// More places than are remembered lack budget; each starts or fails what waits there when its own budget says so.
#[test]
fn whoever_waits_for_budget_in_many_places_is_found() {
    let mut manager = Manager::new();
    let program = Actor::Program;
    manager.handle(0, program, Input::SetLimits(vec![("maxConcurrent".into(), 64)])).unwrap();
    let sessions: Vec<Key> = (0..8)
        .map(|number: u32| {
            let Ok(Reply::Node(session)) = manager.handle(0, program, Input::OpenSession(number.to_string().as_str().into())) else {
                panic!("a session opens")
            };
            let cap = Amounts { tokens: 1_000, ..Amounts::UNCAPPED };
            manager.handle(0, program, Input::SetSessionBudget(session, cap)).unwrap();
            session
        })
        .collect();
    let spawn = |manager: &mut Manager, session: &Key| {
        let work = Spawn { text: Some("work".into()), tokens: Some(1_000), ..Spawn::default() };
        spawn(manager, 0, Actor::Session(*session), work)
    };
    let holders: Vec<Key> = sessions.iter().map(|session| spawn(&mut manager, session)).collect();
    let waiting: Vec<Key> = sessions.iter().map(|session| spawn(&mut manager, session)).collect();
    let status = |manager: &Manager, task: Key| manager.state().node(task.index).status;
    assert!(waiting.iter().all(|task| status(&manager, *task) == Status::Pending), "B5: each waits for what another holds");

    for (at, (holder, waits)) in holders.iter().zip(&waiting).enumerate() {
        let tokens = if at % 2 == 0 { 10 } else { 1_000 };
        let usage = Usage { tokens: Reading::Is(tokens), ..Usage::default() };
        manager
            .handle(0, program, Input::HostReturned { task: *holder, run: 1, outcome: Outcome { usage, ..Outcome::default() } })
            .unwrap();
        let then = if at % 2 == 0 { Status::Running } else { Status::Failed };
        assert_eq!(status(&manager, *waits), then, "B5: place {at}");
        assert!(waiting[at + 1..].iter().all(|task| status(&manager, *task) == Status::Pending), "B5: the others wait after {at}");
    }
}

/// What may be borrowed counts as free: whoever lacks budget in spite of it is asked again when any comes free (B4, B5).
#[test]
fn whoever_could_borrow_starts_when_others_give_budget_back() {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxDepth".into(), 2)])).unwrap();
    manager.handle(0, Actor::Program, Input::SetBudget(Amounts { tokens: 1_000, ..Amounts::UNCAPPED }.into())).unwrap();
    let tokens = |tokens: u64| Spawn { text: Some("work".into()), tokens: Some(tokens), ..Spawn::default() };
    let other = spawn(&mut manager, 0, Actor::Program, tokens(400));
    let lender = spawn(&mut manager, 0, Actor::Program, tokens(1_000));
    assert_eq!(manager.state().run_of(lender.index).reserved.tokens, 600, "B3: what is left");
    let spec = Spec { turn_estimate: Some(700), ..Spec::default() };
    let borrower = spawn(&mut manager, 0, Actor::Run(lender, 1), Spawn { spec: Some(Box::new(spec)), ..tokens(1_000) });
    let status = |manager: &Manager| manager.state().node(borrower.index).status;
    assert_eq!(status(&manager), Status::Pending, "B4: 600 can be borrowed, and no more is there");
    manager.handle(1, Actor::Program, Input::HostReturned { task: other, run: 1, outcome: Outcome::default() }).unwrap();
    assert_eq!(status(&manager), Status::Running, "B5: now there is enough");
}

#[test]
fn a_key_has_a_length_and_stands_for_its_parameters() {
    let mut manager = Manager::new();
    let mut once = |key: &str, parameters: &str| {
        let once = Once { key: key.into(), parameters: parameters.into(), work: parameters.into(), ..Once::default() };
        manager.handle(0, Actor::Program, Input::SpawnOnce(Box::new(once)))
    };
    for key in [String::new(), "k".repeat(1_025)] {
        assert!(matches!(once(&key, ""), Err(Rejection::InvalidArgument { .. })), "D7: {} bytes", key.len());
    }
    let Ok(Reply::Node(task)) = once(&"k".repeat(1_024), "these") else { panic!("it is refused") };
    assert_eq!(once(&"k".repeat(1_024), "these"), Ok(Reply::Again(task)), "D7");
    for others in ["those", "them", ""] {
        assert_eq!(once(&"k".repeat(1_024), others), Err(Rejection::IdempotencyConflict { task }), "D7: {others}");
    }
    assert!(manager.state().keys.all().all(|(_, entry)| entry.digest < 1 << 53), "readers in other languages have it exactly");
}
