//! Waiting: for runs, and until nothing in a subtree runs (W1–W4, S1–S3). Owns when a wait begins, ends and is
//! answered, and which ends its caller has collected; `waits/` has the open waits.

use std::collections::BTreeSet;

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::effect::{Effect, TargetState, WaitedFor};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::{Delivery, Parked};
use crate::rules::notices::delivery;
use crate::rules::runs::settling;
use crate::rules::scheduling::{parking, priorities};
use crate::state::State;
use crate::state::runs::timers::finite;
use crate::step::Step;
use crate::waits::{ReportedWait, Wait, Waits};

/// The conditions of a wait, besides its targets.
pub(crate) struct Until {
    /// All targets, or any.
    pub(crate) all: bool,
    /// No message is left to run, too.
    pub(crate) idle: bool,
    /// It returns an outcome for each target.
    pub(crate) listed: bool,
    /// The longest time to wait.
    pub(crate) timeout_ms: Option<u64>,
}

/// Waits for the current runs of the targets. Answers at once if nothing is outstanding, a target asks, or the timeout is 0. So it
/// does if any target is enough and one has ended that the caller has not collected (W2).
pub(crate) fn wait(step: &mut Step<'_>, actor: Actor, targets: &[Key], until: Until) -> Result<Reply, Rejection> {
    // Without targets, nothing below checks the actor.
    if targets.is_empty() {
        step.state.place_of(actor)?;
    }
    let inbox = delivery::inbox_of(actor);
    // Whether there is an end that the caller has not collected, and whether a target asks.
    let (mut working, mut fresh, mut needs_input) = (0_usize, false, false);
    for target in targets {
        let index = step.state.reach(actor, *target)?;
        let node = step.state.node(index);
        if !node.is_task() {
            return Err(Rejection::UnknownTask);
        }
        working = working.saturating_add(usize::from(node.run != NONE));
        fresh |= node.run == NONE && !node.collected && delivery::is_for(&step.state, index, inbox);
        needs_input |= node.question().is_some();
    }
    // If an actor waited for a run that asks it, it would wait for itself (M5).
    let Until { all, idle, listed, timeout_ms } = until;
    let outstanding = !needs_input && working > 0 && (all || !fresh);
    let looks = outstanding && timeout_ms == Some(0);
    if !outstanding || looks {
        let pin = |task: &Key| RunKey { task: *task, run: step.state.node(task.index).runs };
        let targets: Vec<RunKey> = targets.iter().map(pin).collect();
        if needs_input {
            for target in &targets {
                know_question(step, actor, target.task);
            }
        }
        let asks = questions(&step.state, &targets);
        if listed {
            step.log.finished_waits.push(ReportedWait { wait: None, inbox, targets, asks, moved: None });
        } else {
            collect(step, inbox, &targets);
        }
        return Ok(match (needs_input, looks) {
            (true, _) => Reply::NeedsInput,
            (false, true) => Reply::NotYet,
            (false, false) => Reply::Done,
        });
    }
    if !step.state.notices.is_empty() {
        for target in targets {
            if step.state.node(target.index).run == NONE {
                delivery::await_end(step, inbox, *target);
            }
        }
    }
    let until = timeout_ms.and_then(|ms| finite(step.now, ms));
    let mut targets = targets.iter().map(|task| RunKey { task: *task, run: step.state.node(task.index).runs });
    let record = Wait { all, idle, listed, target: targets.next(), others: targets.collect(), until, ..Wait::default() };
    Ok(Reply::Waiting(begin(step, actor, record)))
}

/// Notes that a run knows its child's question, because it wanted to wait for the child.
fn know_question(step: &mut Step<'_>, actor: Actor, task: Key) {
    let Actor::Run(by, _) = actor else { return };
    if step.state.node(by.index).askers().contains(&task) {
        let run = step.state.node(task.index).runs;
        step.record(Fact::QuestionDelivered { task, run });
    }
}

/// Waits for the run of a single task.
pub(crate) fn wait_for(step: &mut Step<'_>, actor: Actor, target: Key, timeout_ms: Option<u64>) -> Result<Reply, Rejection> {
    if timeout_ms != Some(0) {
        let until = timeout_ms.and_then(|ms| finite(step.now, ms));
        if let Some(wait) = open_plain_wait(&step.state, step.waits, actor, target, until) {
            return Ok(Reply::Waiting(wait));
        }
    }
    let until = Until { all: true, idle: false, listed: false, timeout_ms };
    wait(step, actor, std::slice::from_ref(&target), until)
}

/// Opens a wait of the program or of a session for work in progress that asks nothing: no run parks for it.
#[inline]
pub(crate) fn open_plain_wait(state: &State, waits: &mut Waits, actor: Actor, target: Key, until: Option<u64>) -> Option<Key> {
    if matches!(actor, Actor::Run(..)) {
        return None;
    }
    let index = state.reach(actor, target).ok()?;
    let node = state.node(index);
    let is_plain = node.run != NONE && node.rare.is_none() && node.is_task();
    is_plain.then(|| waits.insert_one((State::node_of(actor), node.run), RunKey { task: target, run: node.runs }, until))
}

/// Opens a wait. A waiting run has no slot while it has an open wait (S1). Its targets' priority is at least its own (D2),
/// whether it waits or interrupts.
fn begin(step: &mut Step<'_>, actor: Actor, wait: Wait) -> Key {
    let by = State::node_of(actor);
    let Actor::Run(_, number) = actor else { return step.waits.insert(&step.state, Wait { by, run: NONE, ..wait }) };
    let run = step.state.find_run(by, number).unwrap_or(NONE);
    let waits_for: Vec<Key> = wait.targets().map(|target| target.task).collect();
    let named: Vec<u32> = waits_for.iter().map(|target| target.index).collect();
    let key = step.waits.insert(&step.state, Wait { by, run, ..wait });
    if !step.state.run_of(by).is_parked(Parked::Children) {
        let task = step.state.key(by);
        step.record(Fact::RunParked { task, run: number, why: Parked::Children, waits_for });
    }
    priorities::raise(step, named.into_iter());
    key
}

/// The program or a session opened a wait in the context of a run. The run can't continue before the wait is over either, and
/// releases its slot (S6). The ends are still delivered to the actor that waits.
pub(crate) fn begin_within(step: &mut Step<'_>, wait: Key, task: Key, number: u32) -> Result<Reply, Rejection> {
    let is_open = step.waits.open.contains(wait) && step.waits.at(wait.index).run == NONE;
    let at_work = step.state.tree.contains(task) && step.state.speaking_run(task.index) == number;
    if is_open && at_work && number != 0 {
        step.waits.begin_within(wait.index, step.state.node(task.index).run);
        let waits_for: Vec<Key> = step.waits.at(wait.index).targets().map(|target| target.task).collect();
        let named: Vec<u32> = waits_for.iter().map(|target| target.index).collect();
        if !step.state.run_of(task.index).is_parked(Parked::Children) {
            step.record(Fact::RunParked { task, run: number, why: Parked::Children, waits_for });
        }
        priorities::raise(step, named.into_iter());
    }
    Ok(Reply::Done)
}

/// A run continues although waits opened in its context are open: it waits for none of them itself (S6).
pub(crate) fn continue_beside_waits(step: &mut Step<'_>, index: u32) {
    if step.waits.own(index).is_empty() {
        return;
    }
    let task = step.state.runs.at(index).task;
    let waits: Vec<u32> = step.waits.own(index).iter().copied().filter(|wait| step.waits.at(*wait).by != task).collect();
    for wait in &waits {
        step.waits.detach(*wait);
    }
    if !waits.is_empty() {
        resume_after_waits(step, index);
    }
}

/// See [`Manager::own_to_wait_for`](crate::Manager::own_to_wait_for).
pub(crate) fn own(state: &State, actor: Actor) -> Result<Vec<Key>, Rejection> {
    let (parent, _) = state.place_of(actor)?;
    let mut found = Vec::new();
    for child in state.children(parent) {
        let node = state.node(child);
        if node.is_task() && (node.run != NONE || (!node.collected && delivery::is_for(state, child, parent))) {
            found.push(state.key(child));
        }
        if node.is_task() && !state.receives_notices(child) {
            found.extend(state.left_behind(child).map(|index| state.key(index)));
        }
    }
    found.extend(delivery::passed_on(state, parent));
    Ok(found)
}

/// A run waits for its next notice: it parks while work is open that notifies it. Those notices answer it, not this wait.
pub(crate) fn await_notice(step: &mut Step<'_>, actor: Actor) -> Result<Reply, Rejection> {
    let mut open = own(&step.state, actor)?;
    open.retain(|task| step.state.node(task.index).run != NONE);
    let mut targets = open.into_iter().map(|task| RunKey { task, run: step.state.node(task.index).runs });
    let (Actor::Run(..), Some(first)) = (actor, targets.next()) else { return Ok(Reply::Done) };
    let wait = begin(step, actor, Wait { all: true, target: Some(first), others: targets.collect(), ..Wait::default() });
    step.waits.open.at_mut(wait.index).by = NONE;
    Ok(Reply::Waiting(wait))
}

/// Whether an inbox may still get a notice to deliver (N2): one is on the way, or a task below its owner may send one.
pub(crate) fn may_notify(state: &State, owner: u32) -> bool {
    let comes = |index: u32| state.notices.at(index).delivery != Delivery::Undelivered;
    let works = |index: u32| state.node(index).is_task() && state.receives_notices(index);
    state.inbox(owner).any(comes) || state.below(owner).any(works)
}

/// The questions that the targets of a wait ask. A question of a later run is for another wait: here the end is the outcome.
fn questions(state: &State, targets: &[RunKey]) -> Vec<(Key, Text)> {
    let asked = |target: &RunKey| state.node(target.task.index).question().map(|question| (target.task, question.clone()));
    targets.iter().filter(|target| !has_ended(state, **target)).filter_map(asked).collect()
}

/// Waits until nothing runs in the subtree of `target`.
pub(crate) fn wait_for_subtree(step: &mut Step<'_>, actor: Actor, target: Key) -> Key {
    let target = Some(RunKey { task: target, run: 0 });
    begin(step, actor, Wait { all: true, subtree: true, target, ..Wait::default() })
}

/// Waits for the ends of these runs, if there are any.
pub(crate) fn wait_for_runs(step: &mut Step<'_>, actor: Actor, runs: &[RunKey]) -> Option<Key> {
    let mut targets = runs.iter().copied();
    let target = Some(targets.next()?);
    Some(begin(step, actor, Wait { all: true, target, others: targets.collect(), ..Wait::default() }))
}

/// Ends a wait at its caller's request; it affects no sub-agent (W3).
pub(crate) fn end(step: &mut Step<'_>, wait: Key) -> Result<Reply, Rejection> {
    if !step.waits.open.contains(wait) {
        return Ok(Reply::WaitOver { timed_out: false, targets: Vec::new() });
    }
    delivery::release_awaited(step, wait.index);
    close_wait(step, wait, false);
    Ok(Reply::Done)
}

/// Closes the waits whose targets have ended.
#[inline]
pub(crate) fn close_ready(step: &mut Step<'_>) {
    if !step.waits.ready.is_empty() {
        close_all_ready(step);
    }
}

#[inline(never)]
fn close_all_ready(step: &mut Step<'_>) {
    while let Some(index) = step.waits.ready.front().copied() {
        close(step, step.waits.key(index), false);
    }
}

/// A run ends: its calls continue, and so do its waits (A1, C1). The waits no longer collect anything: ends that they would have
/// delivered are delivered as usual.
pub(crate) fn detach_waits_of(step: &mut Step<'_>, run: u32) {
    let task = step.state.runs.at(run).task;
    while let Some(index) = step.waits.own(run).first() {
        // A wait that was only opened in its context still belongs to the actor that opened it.
        if step.waits.at(index).by == task {
            delivery::release_awaited(step, index);
            step.waits.clear_receiver(index);
        }
        step.waits.detach(index);
    }
}

/// Answers a wait: the actor that waited gets the ends of its targets (W4).
pub(crate) fn close(step: &mut Step<'_>, wait: Key, timed_out: bool) {
    let record = step.waits.at(wait.index);
    if record.listed {
        let targets: Vec<RunKey> = record.targets().collect();
        let (inbox, asks) = (record.inbox(), questions(&step.state, &targets));
        step.log.finished_waits.push(ReportedWait { wait: Some(wait), inbox, targets, asks, moved: None });
    } else if !record.others.is_empty() {
        // An actor that stopped several runs gets none of their ends, but the ends meant for it need no notice (N4).
        let inbox = record.inbox();
        let ended: Vec<RunKey> = record.targets().filter(|target| has_ended(&step.state, *target)).collect();
        // The first target was named by the caller: its end is in the answer, even if its notice is for another actor.
        let first = record.target;
        let is_reported = |target: &RunKey| first == Some(*target) || delivery::is_for_target(&step.state, *target, inbox);
        let reported: Vec<RunKey> = ended.into_iter().filter(is_reported).collect();
        collect(step, inbox, &reported);
    }
    close_wait(step, wait, timed_out);
}

/// Answers a wait because one of its targets continues in the background (X3).
#[inline(never)]
pub(crate) fn close_for_moved(step: &mut Step<'_>, wait: Key, task: Key) {
    close(step, wait, false);
    if let Some(finished) = step.log.finished_waits.last_mut().filter(|finished| finished.wait == Some(wait)) {
        finished.moved = Some(task);
    }
}

/// Reports the state of each target, for each wait that ended since the step began. Collects exactly the ends that it delivers.
#[inline(never)]
pub(crate) fn deliver(step: &mut Step<'_>) {
    for ReportedWait { wait, inbox, targets, asks, moved } in std::mem::take(&mut step.log.finished_waits) {
        let state = &step.state;
        let look = |target: &RunKey| {
            let question = asks.iter().find(|(task, _)| *task == target.task).map(|(_, question)| question.clone());
            let state = match question {
                Some(_) => TargetState::Asks,
                None if has_ended(state, *target) => TargetState::Ended,
                None if moved == Some(target.task) => TargetState::Moved,
                None => TargetState::Pending,
            };
            WaitedFor { state, question }
        };
        let waited: Vec<WaitedFor> = targets.iter().map(look).collect();
        let is_over = |waited: &WaitedFor| waited.state == TargetState::Ended;
        let ended: Vec<RunKey> = targets.iter().zip(&waited).filter(|(_, waited)| is_over(waited)).map(|(target, _)| *target).collect();
        collect(step, inbox, &ended);
        let Some(wait) = wait else {
            step.log.waited = waited;
            continue;
        };
        let is_its = |effect: &Effect| matches!(effect, Effect::WaitDone { wait: over, .. } if *over == wait);
        let Some(at) = step.effects.iter().rposition(is_its) else { continue };
        // Ends in the step of the timeout count as in time, and are delivered before it.
        let timed_out = ended.len() < waited.len() && matches!(step.effects.get(at), Some(Effect::WaitDone { timed_out: true, .. }));
        let ends_follow = step.effects.iter().skip(at).any(|effect| matches!(effect, Effect::RunEnded(_)));
        let place = if ends_follow { step.effects.len().saturating_sub(1) } else { at };
        step.effects.remove(at);
        step.effects.insert(place, Effect::WaitOver { wait, timed_out, targets: waited });
    }
}

/// Whether the end of this run ends a wait for it. A wait until the task is idle continues if a message is left to run.
pub(crate) fn is_over_with(state: &State, waits: &Waits, run: u32, wait: u32) -> bool {
    waits.is_answered_by(run, wait) && !(waits.at(wait).idle && state.continues_with_message(state.runs.at(run).task))
}

/// Whether the run that a wait is for is over.
fn has_ended(state: &State, target: RunKey) -> bool {
    let node = state.node(target.task.index);
    !state.tree.contains(target.task) || node.run == NONE || node.runs > target.run
}

/// Marks these ends as collected by the actor that waited (W4).
pub(crate) fn collect(step: &mut Step<'_>, inbox: u32, targets: &[RunKey]) {
    let is_new = |target: &&RunKey| {
        let node = step.state.node(target.task.index);
        let last = step.state.tree.contains(target.task) && node.run == NONE && node.runs == target.run;
        last && node.notice == NONE && !node.background && !node.collected && delivery::is_for(&step.state, target.task.index, inbox)
    };
    // A target may be named twice.
    let mut seen = BTreeSet::new();
    let tasks: Vec<Key> = targets.iter().filter(is_new).map(|target| target.task).filter(|task| seen.insert(task.index)).collect();
    if !tasks.is_empty() {
        step.record(Fact::EndsCollected { tasks });
    }
    for target in targets {
        if !step.state.notices.is_empty() {
            delivery::mark_delivered(step, inbox, *target);
        }
    }
}

/// Closes one wait. Its run re-enters once its last wait is over.
#[inline]
fn close_wait(step: &mut Step<'_>, wait: Key, timed_out: bool) {
    let record = step.waits.at(wait.index);
    let (run, subtree) = (record.run, record.target.filter(|_| record.subtree));
    step.waits.remove(&step.state, wait.index);
    step.effect(Effect::WaitDone { wait, timed_out });
    if let Some(top) = subtree
        && step.state.node(top.task.index).open_runs == 0
    {
        settling::finish(step, top.task.index);
    }
    if run != NONE {
        resume_after_waits(step, run);
    }
}

/// Continues a run if its last wait is over: at once if its host reports no turns, else once it has a slot (S2).
#[inline(never)]
fn resume_after_waits(step: &mut Step<'_>, index: u32) {
    let run = step.state.runs.at(index);
    if !step.waits.own(index).is_empty() || !run.is_parked(Parked::Children) {
        return;
    }
    parking::unpark(step, index, Parked::Children);
}
