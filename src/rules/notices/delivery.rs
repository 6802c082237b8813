//! Notices: which agent gets the end of a background run, how often, and until when (N1–N4, W4). Owns who receives a notice, and
//! when it is leased, acknowledged or rerouted. `record.rs` records that; `wake.rs` wakes idle sessions.

use std::collections::BinaryHeap;

use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::ended::NewNotice;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::status::Status;
use crate::rules::notices::record::{Moved, is_with_turn, lease_notice, mark_acked, move_to, named, pending, record_moved};
use crate::rules::notices::wake::{announce, return_notice, wake};
use crate::state::notices::Delivery;
use crate::state::{DEFAULT_SESSION, State};
use crate::step::Step;
use crate::waits::Waits;

/// The node that receives the end of a task: its parent, or else the nearest node above that is working.
fn receiver(state: &State, task: u32) -> u32 {
    let mut at = state.node(task).parent;
    while !state.receives_notices(at) {
        at = state.node(at).parent;
    }
    at
}

/// The tasks deeper than its own children whose last ends are delivered to the owner of an inbox (W6).
pub(crate) fn passed_on(state: &State, owner: u32) -> Vec<Key> {
    let is_last = |index: &u32| {
        let notice = state.notices.at(*index);
        let deeper = notice.task != NONE && state.node(notice.task).parent != owner;
        deeper && state.node(notice.task).run == NONE && state.node(notice.task).runs == notice.run && !state.node(notice.task).collected
    };
    state.inbox(owner).filter(is_last).map(|index| state.named_by(index)).collect()
}

/// The inbox of an actor: the program uses the inbox of the default session.
pub(crate) const fn inbox_of(actor: Actor) -> u32 {
    match actor {
        Actor::Program => DEFAULT_SESSION,
        Actor::Session(key) | Actor::Run(key, _) => key.index,
    }
}

/// The notice of an end, computed before the end: afterwards the run and its waits no longer exist.
pub(crate) struct NoticePlan {
    pub(crate) notice: NewNotice,
    /// Whether the receiver of the end waits for it.
    pub(crate) is_collected: bool,
    /// Other nodes that get the end from a wait for only this run.
    delivered_to: Vec<u32>,
}

/// Plans the notice of a run that is about to end, if it gets one. Background work gets one. So does work that was cancelled
/// because its caller aborted the tool's call, if the caller reads its inbox (W5).
pub(crate) fn plan_notice(state: &State, waits: &Waits, index: u32) -> Option<NoticePlan> {
    let task = state.runs.at(index).task;
    let node = state.node(task);
    let is_due = node.background || (node.cancelling && is_read_by_caller(state, task));
    if is_due && node.is_task() { Some(plan_for_background(state, waits, index)) } else { None }
}

/// Whether the caller that aborted the call of a task, and so has no result, will read a notice.
#[inline(never)]
fn is_read_by_caller(state: &State, task: u32) -> bool {
    let parent = state.node(task).parent;
    // A run that asks for turns reads the notices of its turns.
    let asks = state.node(parent).is_task() && state.has_caller(task) && state.run_of(parent).turns > 0;
    let is_session = !state.node(parent).is_task();
    let has_room = state.check_notice_capacity().is_ok();
    has_room && state.caller_reads(task).is_some_and(|reads| asks || (reads && (is_session || state.has_caller(task))))
}

#[inline(never)]
fn plan_for_background(state: &State, waits: &Waits, index: u32) -> NoticePlan {
    let run = state.runs.at(index);
    let node = state.node(run.task);
    let to = receiver(state, run.task);
    let (mut awaited, mut delivers, mut delivered_to) = (false, false, Vec::new());
    for wait in waits.waiters(index).iter() {
        let record = waits.at(*wait);
        let inbox = record.inbox();
        // If a message is left to run, this wait returns a later end.
        if record.subtree || (record.idle && state.continues_with_message(run.task)) {
            continue;
        }
        if inbox == to {
            awaited = true;
            delivers |= waits.is_answered_by(index, *wait);
        } else if !record.listed && record.others.is_empty() && inbox != NONE {
            delivered_to.push(inbox);
        }
    }
    let acked = delivers || run.claimed;
    let parent = node.parent;
    let rerouted_from = (to != parent).then(|| state.key(parent));
    let notice = NewNotice { to: state.key(to), rerouted_from, acked, awaited: awaited && !acked };
    NoticePlan { notice, is_collected: awaited, delivered_to }
}

/// Announces the notice of an end, in the same step (N1).
#[inline(never)]
pub(crate) fn announce_new(step: &mut Step<'_>, of: RunKey, plan: &NoticePlan) {
    let NoticePlan { notice, delivered_to, .. } = plan;
    if notice.acked {
        return;
    }
    for inbox in delivered_to {
        mark_delivered(step, *inbox, of);
    }
    if !notice.awaited {
        wake(step, notice.to.index);
    }
}

/// The end of a run that had an inbox. A good end acknowledges the notices of its turns (N3). If no other run follows, the rest
/// goes to the next inbox above (N1).
#[inline(never)]
pub(crate) fn release_inbox(step: &mut Step<'_>, owner: Key, status: Status) {
    let own: Vec<u32> = step.state.inbox(owner.index).collect();
    for index in &own {
        if is_with_turn(&step.state, *index) {
            if status == Status::Completed { mark_acked(step, *index) } else { return_notice(step, *index) }
        }
    }
    if step.state.receives_notices(owner.index) {
        return;
    }
    let to = receiver(&step.state, owner.index);
    for index in own {
        if !step.state.notices.holds(index) {
            continue;
        }
        // No caller asks for work that was cancelled with a call of this task (W5).
        let is_of_call = !step.state.ended_task(index).background;
        if is_of_call || step.state.notices.at(index).delivered_to.contains(&to) {
            mark_acked(step, index);
            continue;
        }
        let key = step.state.key(to);
        record_moved(step, index, Moved { to: Some(key), ..Moved::to(Delivery::Pending, 0) });
        announce(step, index, NONE);
    }
}

/// Leases the notices that wait in the actor's inbox (N2), but no end before it is stored (J1).
pub(crate) fn lease(step: &mut Step<'_>, actor: Actor, max: Option<u64>, lease_ms: Option<u64>) -> Result<Reply, Rejection> {
    let (owner, _) = step.state.place_of(actor)?;
    let until = step.now.saturating_add(lease_ms.unwrap_or(step.state.limits.lease_ms));
    let leased = match step.log.unkept.as_deref() {
        None | Some([]) => pending(&step.state, owner, max.unwrap_or(u64::MAX)),
        Some(unkept) => {
            let unkept: BinaryHeap<RunKey> = unkept.iter().map(|(_, of)| *of).collect();
            let unkept = unkept.into_sorted_vec();
            let is_kept = |index: &u32| unkept.binary_search(&named(&step.state, *index)).is_err();
            let max = max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
            step.state.waiting(owner).iter().filter(is_kept).take(max).collect()
        }
    };
    for index in &leased {
        lease_notice(step, *index, Some(until));
    }
    Ok(Reply::Notices(leased))
}

/// Acknowledges a notice, whatever its state: an actor its own notices, the program any (A1).
pub(crate) fn ack(step: &mut Step<'_>, actor: Actor, of: RunKey) -> Result<Reply, Rejection> {
    let (owner, _) = step.state.place_of(actor)?;
    let own = |index: &u32| actor == Actor::Program || step.state.notices.at(*index).owner == owner;
    let Some(index) = step.state.find_notice(of).filter(own) else { return Ok(Reply::Acked(false)) };
    mark_acked(step, index);
    Ok(Reply::Acked(true))
}

/// An agent asks for its next turn, or a main agent has answered: the notices of the last turn have been delivered (N3).
pub(crate) fn ack_turn(step: &mut Step<'_>, owner: u32) {
    let with_turn: Vec<u32> = step.state.inbox(owner).filter(|index| is_with_turn(&step.state, *index)).collect();
    for index in with_turn {
        mark_acked(step, index);
    }
}

/// A turn begins, and gets the waiting notices. Its agent answers for them, however long the turn takes, so they have no deadline
/// but the run's own.
pub(crate) fn lease_to_turn(step: &mut Step<'_>, owner: u32) {
    for index in pending(&step.state, owner, step.state.limits.max_injected) {
        lease_notice(step, index, None);
    }
}

/// The notices that were given to the present turn of a task's run, or of a main agent.
pub(crate) fn of_turn(state: &State, owner: u32) -> impl Iterator<Item = u32> + '_ {
    state.inbox(owner).filter(|index| is_with_turn(state, *index))
}

/// Whether the end of a task's last run is for the owner of an inbox (W4): the inbox has its notice. If there is no notice, the
/// end is for the actor that started the task. Another actor may wait for it as well, and takes nothing away.
pub(crate) fn is_for(state: &State, task: u32, inbox: u32) -> bool {
    let notice = state.find_notice(RunKey { task: state.key(task), run: state.node(task).runs });
    notice.map_or(state.node(task).parent, |index| state.notices.at(index).owner) == inbox
}

/// The same, for the end of one run.
pub(crate) fn is_for_target(state: &State, target: RunKey, inbox: u32) -> bool {
    match state.find_notice(target) {
        Some(index) => state.notices.at(index).owner == inbox,
        None => state.tree.contains(target.task) && state.node(target.task.index).parent == inbox,
    }
}

/// Makes the notice of a task's last run wait for the end of an actor's wait, which will deliver it (W4).
pub(crate) fn await_end(step: &mut Step<'_>, inbox: u32, task: Key) {
    let of = RunKey { task, run: step.state.node(task.index).runs };
    let Some(index) = step.state.find_notice(of) else { return };
    let notice = step.state.notices.at(index);
    if notice.owner == inbox && notice.delivery == Delivery::Pending {
        move_to(step, index, Delivery::Awaited);
    }
}

/// A wait has delivered an end. Its receiver no longer needs the notice. The notice never moves to a node that got the end from a
/// wait (W2, W4).
pub(crate) fn mark_delivered(step: &mut Step<'_>, inbox: u32, of: RunKey) {
    let Some(index) = step.state.find_notice(of) else { return };
    let notice = step.state.notices.at(index);
    if notice.owner == inbox {
        mark_acked(step, index);
    } else if inbox != NONE && !notice.delivered_to.contains(&inbox) {
        let (delivery, attempt, until) = (notice.delivery, notice.attempts, notice.until);
        record_moved(step, index, Moved { until, delivered_to: vec![step.state.key(inbox)], ..Moved::to(delivery, attempt) });
    }
}

/// A wait is abandoned: its caller has nothing, so the ends that it would have delivered are delivered as usual.
#[inline(never)]
pub(crate) fn release_awaited(step: &mut Step<'_>, wait: u32) {
    let mut awaited = awaited_by(&step.state, step.waits, wait);
    awaited.retain(|index| {
        // A target may be named twice.
        let awaited = step.state.notices.at(*index).delivery == Delivery::Awaited;
        if awaited {
            move_to(step, *index, Delivery::Pending);
        }
        awaited
    });
    for index in awaited {
        announce(step, index, wait);
    }
}

/// The notices that a wait delivers to their receivers, in the order of its targets.
fn awaited_by(state: &State, waits: &Waits, wait: u32) -> Vec<u32> {
    let record = waits.at(wait);
    if state.notices.is_empty() {
        return Vec::new();
    }
    let own = |index: &u32| state.notices.at(*index).owner == record.inbox();
    record.targets().filter_map(|target| state.find_notice(target)).filter(own).collect()
}

/// Claims the ends that need no notice if a subtree is stopped, and returns their tasks. These are ends of background runs whose
/// receiver is the canceller, or is stopped with them (N4). `own`: the canceller gets the end of the top as well.
pub(crate) fn claim_ends(step: &mut Step<'_>, top: u32, own: bool) -> Vec<Key> {
    let all: Vec<u32> = std::iter::once(top).filter(|_| own).chain(step.state.below(top)).collect();
    claim(step, &all)
}

/// Whether an actor that stops a task also gets its end. A caller that aborted its own call doesn't (W5).
pub(crate) fn gets_end(state: &State, actor: Actor, top: u32) -> bool {
    state.caller_reads(top).is_none() && receiver(state, top) == inbox_of(actor)
}

/// The same for one interrupted run, and the foreground children that end with it (M4).
pub(crate) fn claim_interrupted(step: &mut Step<'_>, actor: Actor, index: u32, children: &[u32]) {
    let own = receiver(&step.state, index) == inbox_of(actor);
    let below = children.iter().flat_map(|child| step.state.below(*child));
    let all: Vec<u32> = std::iter::once(index).filter(|_| own).chain(below).collect();
    let claimed = claim(step, &all);
    if !claimed.is_empty() {
        let (task, by) = (step.state.key(index), step.state.key(State::node_of(actor)));
        step.record(Fact::CancelRequested { task, by, close: false, interrupt: true, claimed, caller_reads: None });
    }
}

/// The background runs among these that the stopping actor claims for the first time. It also claims runs that were asked to stop
/// before, unless their time was over: that is another end.
fn claim(step: &mut Step<'_>, all: &[u32]) -> Vec<Key> {
    let mut claimed = Vec::new();
    for index in all {
        let (node, run) = (step.state.node(*index), step.state.run_of(*index));
        let of_time = run.stop.is_some_and(|(_, status)| matches!(status, Status::TimedOut | Status::Failed | Status::Completed));
        // A cancel that overtakes an interrupt causes another end than the interrupt would.
        let overtaken = run.stop.is_some_and(|(_, status)| status == Status::Interrupted);
        if !node.background || node.run == NONE || of_time || (run.claimed && !overtaken) {
            continue;
        }
        let task = step.state.key(*index);
        if !run.claimed {
            claimed.push(task);
        }
        step.log.claimed.push(RunKey { task, run: run.number });
    }
    claimed
}

/// Before tasks are forgotten on request: their ends no longer need to be delivered.
pub(crate) fn ack_all_about(step: &mut Step<'_>, task: u32) {
    let about: Vec<u32> = step.state.notices_about(task).collect();
    for index in about {
        mark_acked(step, index);
    }
}

/// Before a closed session is removed: its inbox has no reader left.
pub(crate) fn ack_all_for(step: &mut Step<'_>, owner: u32) {
    let own: Vec<u32> = step.state.inbox(owner).collect();
    for index in own {
        mark_acked(step, index);
    }
}
