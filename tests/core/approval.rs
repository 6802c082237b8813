//! What TypeScript can't play of approvals: a host function that has not been called yet.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test may fail loudly; these lints keep the core from it")]

use subagents::{Actor, Defaults, Effect, Estimate, Input, Key, Manager, Outcome, Reply, Spawn, Status, StopReason};

fn spawn(manager: &mut Manager) -> Key {
    let input = Input::Spawn(Spawn { text: Some("work".into()), background: true, ..Spawn::default() });
    let Ok(Reply::Node(task)) = manager.handle(0, Actor::Program, input) else { panic!("it is refused") };
    task
}

/// With one slot: one run waits for a policy before its start, the other has taken the slot.
fn one_starting() -> (Manager, Key, Key) {
    let mut manager = Manager::new();
    manager.handle(0, Actor::Program, Input::SetLimits(vec![("maxConcurrent".into(), 1)])).unwrap();
    let starting = spawn(&mut manager);
    manager.handle(0, Actor::Run(starting, 1), Input::AwaitApproval).unwrap();
    let other = spawn(&mut manager);
    assert!(manager.take_effects().contains(&Effect::StartRun { task: other, run: 1 }), "S1: the slot was given up");
    (manager, starting, other)
}

#[test]
fn a_start_that_was_approved_waits_for_its_slot() {
    let (mut manager, starting, other) = one_starting();
    let ready = Effect::TurnReady { task: starting, run: 1 };
    assert_eq!(manager.handle(5, Actor::Run(starting, 1), Input::Approved { starting: true }), Ok(Reply::Later));
    assert!(!manager.take_effects().contains(&ready), "S2: there is no slot for it yet");
    manager.handle(6, Actor::Program, Input::HostReturned { task: other, run: 1, outcome: Outcome::default() }).unwrap();
    assert!(manager.take_effects().contains(&ready), "S2: the slot is free");
    manager.check_invariants().unwrap();
}

#[test]
fn a_start_that_is_cancelled_while_it_waits_is_told() {
    let (mut manager, starting, _) = one_starting();
    manager.handle(5, Actor::Run(starting, 1), Input::Approved { starting: true }).unwrap();
    let _ = manager.take_effects();
    let cancel = Input::Cancel { task: starting, reason: StopReason::Cancelled, grace_ms: None };
    manager.handle(6, Actor::Program, cancel).unwrap();
    assert!(manager.take_effects().contains(&Effect::TurnReady { task: starting, run: 1 }), "C1: whoever waits hears of it");
    manager.handle(7, Actor::Program, Input::HostReturned { task: starting, run: 1, outcome: Outcome::default() }).unwrap();
    assert_eq!(manager.state().node(starting.index).status, Status::Cancelled);
}

/// Nobody is notified that the budget is used up while a policy thinks about a run that holds it (B5).
#[test]
fn what_a_run_holds_that_waits_for_a_policy_may_yet_come_free() {
    let mut manager = Manager::new();
    let cap = subagents::Amounts { tokens: 3_000, ..subagents::Amounts::UNCAPPED };
    manager.handle(0, Actor::Program, Input::SetBudget(cap.into())).unwrap();
    manager.handle(0, Actor::Program, Input::SetDefaults(Defaults { task_cap: cap.into(), ..Defaults::default() })).unwrap();
    let holder = spawn(&mut manager);
    let queued = spawn(&mut manager);
    manager.handle(0, Actor::Run(holder, 1), Input::AwaitApproval).unwrap();
    assert_eq!(manager.state().node(queued.index).status, Status::Pending, "B5: it waits");
    manager.handle(1, Actor::Run(holder, 1), Input::Approved { starting: false }).unwrap();
    manager.handle(2, Actor::Program, Input::HostReturned { task: holder, run: 1, outcome: Outcome::default() }).unwrap();
    assert_eq!(manager.state().node(queued.index).status, Status::Running);
}

/// A turn that waits for what such a run holds, or one that asks, isn't the last one: the answer may set it free.
#[test]
fn a_turn_waits_for_what_a_run_holds_that_waits_for_an_answer() {
    for input in [Input::AwaitApproval, Input::Ask { question: "Which?".into(), timeout_ms: None }] {
        let mut manager = Manager::new();
        let cap = subagents::Amounts { tokens: 3_000, ..subagents::Amounts::UNCAPPED };
        manager.handle(0, Actor::Program, Input::SetBudget(cap.into())).unwrap();
        manager.handle(0, Actor::Program, Input::SetDefaults(Defaults { task_cap: cap.into(), ..Defaults::default() })).unwrap();
        let waits = spawn(&mut manager);
        manager
            .handle(0, Actor::Run(waits, 1), Input::BeginTurn { estimate: Estimate { tokens: Some(500), nanos: None }, whole: false })
            .unwrap();
        let holder = spawn(&mut manager);
        manager.handle(0, Actor::Run(holder, 1), input).unwrap();
        let turn = Input::BeginTurn { estimate: Estimate { tokens: Some(2_000), nanos: None }, whole: false };
        assert_eq!(manager.handle(1, Actor::Run(waits, 1), turn), Ok(Reply::Later), "B5: it is held");
        assert!(!manager.take_effects().contains(&Effect::TurnReady { task: waits, run: 1 }), "B5: nobody has given anything up");
        assert_eq!(manager.state().run_of(waits.index).wrap_up_reason, None, "B8: this is not its last turn");
        manager.handle(3, Actor::Program, Input::HostReturned { task: holder, run: 1, outcome: Outcome::default() }).unwrap();
        assert!(manager.take_effects().contains(&Effect::TurnReady { task: waits, run: 1 }), "B5: now it is there");
    }
}

/// What was set aside for a turn that a run came back for is free again where the turn has to wait once more (S2).
#[test]
fn a_turn_that_does_not_begin_lets_go_of_what_was_set_aside_for_it() {
    let mut manager = Manager::new();
    let cap = subagents::Amounts { tokens: 3_000, ..subagents::Amounts::UNCAPPED };
    manager.handle(0, Actor::Program, Input::SetBudget(cap.into())).unwrap();
    manager.handle(0, Actor::Program, Input::SetDefaults(Defaults { task_cap: cap.into(), ..Defaults::default() })).unwrap();
    let waits = spawn(&mut manager);
    manager
        .handle(0, Actor::Run(waits, 1), Input::BeginTurn { estimate: Estimate { tokens: Some(500), nanos: None }, whole: false })
        .unwrap();
    let holder = spawn(&mut manager);
    let turn = || Input::BeginTurn { estimate: Estimate { tokens: Some(2_000), nanos: None }, whole: false };
    assert_eq!(manager.handle(1, Actor::Run(waits, 1), turn()), Ok(Reply::Later));
    manager.handle(2, Actor::Program, Input::HostReturned { task: holder, run: 1, outcome: Outcome::default() }).unwrap();
    assert_eq!(manager.state().node(waits.index).account.reserved.tokens, 2_500, "S2: it is set aside for the turn");
    manager.handle(3, Actor::Run(waits, 1), Input::AwaitApproval).unwrap();
    assert_eq!(manager.handle(3, Actor::Run(waits, 1), turn()), Ok(Reply::Later), "S1: it has no slot");
    assert_eq!(manager.state().node(waits.index).account.reserved.tokens, 500, "what its first turn holds is left");
    manager.handle(4, Actor::Run(waits, 1), Input::Approved { starting: false }).unwrap();
    assert!(matches!(manager.handle(5, Actor::Run(waits, 1), turn()), Ok(Reply::Go { turn: 2, .. })), "S2: and it is set aside anew");
    manager.check_invariants().unwrap();
}

/// What a run was given to return bounds its host, not the policies that it asks meanwhile.
#[test]
fn a_policy_is_overdue_in_a_grace_too() {
    for (grace_ms, approval_ms, first) in [(5_000, 50, 160), (u64::MAX, 50, 160), (40, 5_000, 140)] {
        let mut manager = Manager::new();
        let limits = [("timeoutMs", 100), ("graceMs", grace_ms), ("approvalTimeoutMs", approval_ms)];
        let limits = limits.map(|(name, value)| (name.into(), value)).to_vec();
        manager.handle(0, Actor::Program, Input::SetLimits(limits)).unwrap();
        let task = spawn(&mut manager);
        manager.handle(100, Actor::Program, Input::Tick).unwrap();
        manager.handle(110, Actor::Run(task, 1), Input::AwaitApproval).unwrap();
        let _ = manager.take_effects();
        assert_eq!(manager.state().deadlines.next().map(|(at, _)| at), Some(first), "T3: with {grace_ms} ms of grace");
        manager.handle(first, Actor::Program, Input::Tick).unwrap();
        let overdue = manager.take_effects().contains(&Effect::ApprovalOver { task, run: 1 });
        assert_eq!(overdue, first == 160, "P1: a gate that got no answer refuses");
        manager.check_invariants().unwrap();
    }
}
