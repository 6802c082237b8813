//! Waiting: for runs, and for the settling of a subtree (W1–W4, S1–S3).

use crate::effect::Effect;
use crate::fact::Fact;
use crate::input::{Actor, Reply};
use crate::rejection::Rejection;
use crate::rules::{asking, cancelling, notices, rates};
use crate::slab::{Key, NONE};
use crate::state::run::{Run, finite};
use crate::state::wait::Target;
use crate::state::{ROOT, State};
use crate::status::Parked;
use crate::step::Step;

/// Waits for the current runs of the targets. With nothing outstanding, or where any is asked for and
/// one has ended that nobody has collected, the answer is there at once (W2).
pub(crate) fn wait(step: &mut Step<'_>, actor: Actor, targets: &[Key], all: bool, timeout_ms: Option<u64>) -> Result<Reply, Rejection> {
    // Whether one has ended that nobody has collected, and whether one asks.
    let (mut working, mut fresh, mut needs_input) = (0_usize, false, false);
    for target in targets {
        let slot = step.state.reach(actor, *target)?;
        let node = step.state.node(slot);
        if !node.is_task() {
            return Err(Rejection::UnknownTask);
        }
        working = working.saturating_add(usize::from(node.run != NONE));
        fresh |= node.run == NONE && !node.collected;
        needs_input |= node.question().is_some();
    }
    // Whoever waited for one that asks would wait for himself (M5).
    let waits = !needs_input && working > 0 && (all || !fresh || !holds!("W2 any end not collected"));
    // What is answered later is collected then: until then the wait may be given up. Of background work a notice tells.
    if fresh {
        for target in targets {
            let node = step.state.node(target.slot);
            if node.run == NONE && !node.collected && (!waits || node.background) {
                step.record(Fact::EndCollected { task: *target });
            }
        }
    }
    if !step.state.notices.is_empty() {
        for target in targets {
            if step.state.node(target.slot).run == NONE {
                notices::collect_end(step, actor, *target, waits);
            }
        }
    }
    if needs_input {
        for target in targets {
            asking::tell(step, actor, *target);
        }
        return Ok(Reply::NeedsInput);
    }
    let (Some(first), true) = (targets.first(), waits) else { return Ok(Reply::Done) };
    let pinned = |target: &Key| step.state.node(target.slot).runs;
    let (target, target_run) = (*first, pinned(first));
    let others: Vec<Key> = targets.iter().skip(1).copied().collect();
    let other_runs = others.iter().map(pinned).collect();
    let until = timeout_ms.and_then(|ms| finite(step.now, ms));
    let wait = step.state.waits.next_key();
    let (task, run) = who_waits(step, actor);
    step.record(Fact::WaitOpened { wait, task, run, all, subtree: false, target, target_run, others, other_runs, until });
    if run != 0 && !step.state.run_of(task.slot).is_parked(Parked::Children) && holds!("S1 gives its slot up") {
        step.record(Fact::RunParked { task, run, why: Parked::Children });
    }
    Ok(Reply::Waiting(wait))
}

fn who_waits(step: &Step<'_>, actor: Actor) -> (Key, u32) {
    match actor {
        Actor::Program => (step.state.key(ROOT), 0),
        Actor::Session(key) => (key, 0),
        Actor::Run(key, run) => (key, run),
    }
}

/// Waits until nothing runs in the subtree of `target` any more.
pub(crate) fn wait_for_subtree(step: &mut Step<'_>, actor: Actor, target: Key) -> Key {
    let wait = step.state.waits.next_key();
    let (task, run) = who_waits(step, actor);
    step.record(Fact::WaitOpened {
        wait,
        task,
        run,
        all: true,
        subtree: true,
        target,
        target_run: 0,
        others: Vec::new(),
        other_runs: Vec::new(),
        until: None,
    });
    if run != 0 && !step.state.run_of(task.slot).is_parked(Parked::Children) {
        step.record(Fact::RunParked { task, run, why: Parked::Children });
    }
    wait
}

/// Waits for the ends of these runs, if there are any.
pub(crate) fn wait_for_runs(step: &mut Step<'_>, actor: Actor, runs: &[(Key, u32)]) -> Option<Key> {
    let ((target, target_run), others) = runs.split_first()?;
    let wait = step.state.waits.next_key();
    let (task, run) = who_waits(step, actor);
    step.record(Fact::WaitOpened {
        wait,
        task,
        run,
        all: true,
        subtree: false,
        target: *target,
        target_run: *target_run,
        others: others.iter().map(|(task, _)| *task).collect(),
        other_runs: others.iter().map(|(_, run)| *run).collect(),
        until: None,
    });
    if run != 0 && !step.state.run_of(task.slot).is_parked(Parked::Children) {
        step.record(Fact::RunParked { task, run, why: Parked::Children });
    }
    Some(wait)
}

/// Ends a wait at its caller's wish; it touches no sub-agent (W3).
pub(crate) fn end(step: &mut Step<'_>, wait: Key) -> Result<Reply, Rejection> {
    if step.state.waits.contains(wait) {
        notices::let_go(step, wait.slot);
        shut(step, wait, false);
    }
    Ok(Reply::Done)
}

/// Closes the waits whose targets have ended.
pub(crate) fn close_ready(step: &mut Step<'_>) {
    while let Some(slot) = step.state.ready.front().copied() {
        close(step, step.state.waits.key(slot), false);
    }
}

/// A run ends: what it called before goes on, so its waits do (A1, C1). They collect nothing any more: what they
/// would have handed over is delivered as usual.
pub(crate) fn leave_waits_of(step: &mut Step<'_>, run: u32) {
    let waits: Vec<u32> = step.state.runs.at(run).waits.iter().copied().collect();
    for slot in waits {
        let wait = step.state.waits.key(slot);
        notices::let_go(step, slot);
        step.record(Fact::WaitLeft { wait });
    }
}

/// Ends every wait, and tells nobody: whoever waited is gone, so what they would have been handed is delivered
/// as usual.
pub(crate) fn end_all(step: &mut Step<'_>) {
    let waits: Vec<u32> = step.state.waits.slots().collect();
    for slot in waits {
        let wait = step.state.waits.key(slot);
        notices::let_go(step, slot);
        step.record(Fact::WaitClosed { wait, timed_out: false });
    }
}

/// Answers a wait: whoever waited has the ends of its targets (W4).
pub(crate) fn close(step: &mut Step<'_>, wait: Key, timed_out: bool) {
    if !step.state.notices.is_empty() {
        notices::hand_over(step, wait.slot);
    }
    if !step.state.waits.at(wait.slot).others.is_empty() {
        collect_ends(step, wait);
    }
    shut(step, wait, timed_out);
}

/// Whether the end of a run answers a wait for it.
pub(crate) fn is_answered_by(state: &State, run: &Run, wait: u32) -> bool {
    let record = state.waits.at(wait);
    // A target that is named twice counts twice.
    let named = run.waiters.iter().filter(|other| **other == wait).count();
    !record.all || u64::try_from(named).is_ok_and(|named| u64::from(record.outstanding) <= named)
}

/// Whoever waited for several has the ends of before, and those that came while the wait went on; notices tell of
/// background work (W4).
fn collect_ends(step: &mut Step<'_>, wait: Key) {
    let targets: Vec<Target> = step.state.waits.at(wait.slot).targets().collect();
    for Target { task, run } in targets {
        let node = step.state.node(task.slot);
        let ended = step.state.tree.contains(task) && node.run == NONE && node.runs == run;
        if ended && !node.background && !node.collected {
            step.record(Fact::EndCollected { task });
        }
    }
}

/// Closes one wait. Its run comes back once its last wait is over.
fn shut(step: &mut Step<'_>, wait: Key, timed_out: bool) {
    let record = step.state.waits.at(wait.slot);
    let (run, settled) = (record.run, record.target.filter(|_| record.subtree));
    step.record(Fact::WaitClosed { wait, timed_out });
    step.effect(Effect::WaitDone { wait, timed_out });
    if let Some(top) = settled
        && step.state.node(top.task.slot).open_runs == 0
    {
        cancelling::settle(step, top.task.slot);
    }
    if run != NONE {
        come_back(step, run);
    }
}

/// Lets a run go on whose last wait is over: at once if its host reports no turns, else in line for a
/// slot (S2).
fn come_back(step: &mut Step<'_>, slot: u32) {
    let run = step.state.runs.at(slot);
    let waits = !run.waits.is_empty() && holds!("S1 until its last wait");
    if waits || !run.is_parked(Parked::Children) {
        return;
    }
    let (task, run) = (step.state.key(run.task), run.number);
    step.record(Fact::RunUnparked { task, run, why: Parked::Children });
    go_on(step, slot);
}

/// Lets a run go on for which nothing that it was parked for is left.
pub(crate) fn go_on(step: &mut Step<'_>, slot: u32) {
    let run = step.state.runs.at(slot);
    let (task, number) = (step.state.key(run.task), run.number);
    if run.parks != 0 {
        return;
    }
    if run.turn_waiting && rates::is_cooling(step.state, task.slot) {
        step.record(Fact::RunParked { task, run: number, why: Parked::Cooldown });
    } else if run.turns == 0 && !run.turn_waiting {
        let over_limit = u64::from(step.state.held) >= step.state.limits.max_concurrent && holds!("S2 over the limit");
        step.record(Fact::RunReentered { task, run: number, over_limit });
    } else {
        step.record(Fact::RunParked { task, run: number, why: Parked::Reentry });
    }
}
