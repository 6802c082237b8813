//! Calls that their caller aborts, and runs that are stopped before their host function is called: whatever comes between, the
//! invariants hold, and the facts alone come to the same state (W5, M2).
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail loudly; these lints keep the core from it"
)]

use proptest::prelude::*;
use subagents::{Actor, Input, Key, Manager, Mode, Outcome, Reply, Spawn, StopReason, read_all};

/// One input: which kind, about which of the tasks, with what.
type Act = (u8, prop::sample::Index, bool, u8);

fn current(manager: &Manager, task: Key) -> u32 {
    if manager.state().tree.contains(task) { manager.state().node(task.index).runs } else { 0 }
}

fn input_of(manager: &Manager, tasks: &[Key], (kind, which, flag, _): &Act) -> (Actor, Input) {
    let text = || Some("work".into());
    if tasks.is_empty() {
        return (Actor::Program, Input::Spawn(Spawn { text: text(), background: *flag, ..Spawn::default() }));
    }
    let task = tasks[which.index(tasks.len())];
    let run = current(manager, task);
    let input = match kind {
        0 => Input::Spawn(Spawn { text: text(), background: *flag, ..Spawn::default() }),
        1 => return (Actor::Run(task, run), Input::Spawn(Spawn { text: text(), background: *flag, ..Spawn::default() })),
        2 | 3 => Input::AbortCall { task, wait: manager.waits().indices().next().map(|wait| manager.waits().key(wait)), reads: *flag },
        4 | 5 => Input::NoteHost { task, run, called: *flag },
        6 | 7 => Input::HostReturned { task, run, outcome: Outcome::default() },
        8 => Input::Cancel { task, reason: StopReason::Cancelled, grace_ms: flag.then_some(0) },
        9 => Input::Interrupt { task, grace_ms: flag.then_some(0) },
        10 => Input::Send { task, mode: if *flag { Mode::Interrupt } else { Mode::Queue }, text: "more".into() },
        11 => Input::Lease { max: None, lease_ms: Some(5) },
        12 => Input::Ack { task, run },
        13 => Input::WaitFor { target: task, timeout_ms: None },
        14 => Input::Wait { targets: manager.own_to_wait_for(Actor::Program).unwrap(), all: *flag, idle: false, timeout_ms: None },
        15 => {
            return (
                Actor::Run(task, run),
                if *flag { Input::AwaitNotice } else { Input::BeginTurn { estimate: subagents::Estimate::default(), whole: false } },
            );
        }
        16 => Input::Close { task, grace_ms: flag.then_some(0) },
        17 => Input::MoveToBackground(task),
        18 => Input::Forget(task),
        _ => return (Actor::Run(task, run), Input::WaitFor { target: tasks[0], timeout_ms: flag.then_some(3) }),
    };
    (Actor::Program, input)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn aborted_calls_and_uncalled_hosts_keep_every_invariant(
        acts in prop::collection::vec((0_u8..20, any::<prop::sample::Index>(), any::<bool>(), 0_u8..4), 1..120),
    ) {
        let mut manager = Manager::new();
        manager.listen(true);
        let limits = [("maxConcurrent", 2), ("maxDepth", 3), ("maxTasks", 12), ("retain", 4), ("graceMs", 5), ("maxNotices", 5)];
        let limits = limits.into_iter().map(|(name, value)| (name.into(), value)).collect();
        manager.handle(0, Actor::Program, Input::SetLimits(limits)).expect("limits that may be set");
        let (mut tasks, mut now, mut journal): (Vec<Key>, u64, Vec<u8>) = (Vec::new(), 0, Vec::new());
        for act in acts {
            now = now.saturating_add(u64::from(act.3));
            let (actor, input) = input_of(&manager, &tasks, &act);
            if let Ok(Reply::Node(task)) = manager.handle(now, actor, input.clone()) {
                tasks.push(task);
            }
            let _ = manager.take_effects();
            journal.extend(manager.take_facts());
            if let Err(wrong) = manager.check_invariants() {
                panic!("after {input:?} by {actor:?}: {wrong}");
            }
        }
        let mut again = Manager::new();
        again.restore(read_all(&journal).expect("facts read back")).expect("facts that follow from each other");
        prop_assert!(again.state() == manager.state(), "the facts come to another state");
    }
}
