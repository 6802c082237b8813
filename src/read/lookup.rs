//! Single values of a task or an inbox, without a snapshot: a number, a text, or a small view each. Changes nothing.

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::base::view_record::view;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::model::spec::Spec;
use crate::model::status::{Status, StopReason};
use crate::model::tool_list::ToolList;
use crate::read::view::{AttemptView, PolicingView, attempt, find, policing, raised_by};
use crate::state::runs::run::Run;
use crate::state::tree::node::{Kind, Message, Node};
use crate::state::tree::resources::Release;
use crate::state::{DEFAULT_SESSION, ROOT, State};

/// The task with this id, or the one to which the actor refers by its nickname or the host's id.
///
/// # Errors
/// A [`Rejection`] if there is none, or more than one.
pub fn named(state: &State, actor: Actor, name: &str) -> Result<Key, Rejection> {
    let by_name = || match state.find_named(actor, name) {
        Err(Rejection::UnknownTask) => state.find_hosted(actor, name),
        found => found,
    };
    // An actor learns of no caller's id outside of its scope; within it, an id comes before a name (A4, A9).
    let may_know = |key: &Key| state.own_id(*key).is_none() || state.reach(actor, *key).is_ok();
    let key = state.task_of_id(name).filter(may_know).map_or_else(by_name, Ok)?;
    find(state, key).map(|_| key)
}

/// The node, if it exists.
fn node(state: &State, key: Key) -> Option<&Node> {
    state.tree.contains(key).then(|| state.node(key.index))
}

/// The queued or open run of a task, if it has this number.
fn current(state: &State, key: Key, run: u32) -> Option<&Run> {
    let is_current = node(state, key).is_some_and(|node| node.run != NONE && state.runs.at(node.run).number == run);
    is_current.then(|| state.run_of(key.index))
}

/// The status of a task.
#[must_use]
pub fn status(state: &State, task: Key) -> Option<Status> {
    find(state, task).ok().map(|index| state.node(index).status)
}

/// Whether this run of a task is queued or open.
#[must_use]
pub fn is_open(state: &State, task: Key, run: u32) -> bool {
    current(state, task, run).is_some()
}

/// Whether this key belongs to an existing session.
#[must_use]
pub fn is_session(state: &State, key: Key) -> bool {
    node(state, key).is_some_and(|node| node.kind == Kind::Session)
}

/// The key of the session that a node is, or belongs to; `None` for the default session.
#[must_use]
pub fn session_key(state: &State, key: Key) -> Option<&Text> {
    node(state, key).and_then(|_| state.session_key(key.index))
}

view! {
    /// The last run of a task.
    #[derive(Copy)]
    pub struct LastRun "LastRun" of(node: Option<&Node>) with {} {
        /// Its number; 0 if there was none.
        run: u32 = node.map_or(0, |node| node.runs),
        /// It is queued or open.
        is_open: bool = node.is_some_and(|node| node.run != NONE),
    }
}

/// The last run of a task, and whether it is open.
#[must_use]
pub fn last_run_of(state: &State, task: Key) -> LastRun {
    LastRun::of(node(state, task))
}

view! {
    /// The run that a host reports by an id.
    #[derive(Copy)]
    pub struct ReportedRun "ReportedRun" {
        /// The sub-agent.
        pub task: Key,
        /// Its number.
        pub run: u32,
        /// It was lost with its process, and its work begins again.
        pub is_begun_anew: bool,
    }
}

/// The run that a host reports by an id.
///
/// # Errors
/// A [`Rejection`] if there is none, or more than one.
pub fn reported(state: &State, id: &str) -> Result<ReportedRun, Rejection> {
    let RunKey { task, run } = state.find_reported(id)?;
    Ok(ReportedRun { task, run, is_begun_anew: state.is_begun_anew(task, run) })
}

view! {
    /// A sub-agent's id that a caller gave.
    pub struct OwnId<'a> "OwnId" {
        /// The sub-agent.
        pub task: Key,
        /// The id.
        pub id: &'a str,
    }
}

/// The ids that callers gave.
#[must_use]
pub fn own_ids(state: &State) -> Vec<OwnId<'_>> {
    let mut ids = Vec::new();
    for (task, id) in state.former_ids.iter() {
        ids.push(OwnId { task: *task, id });
    }
    for (id, index) in state.own_ids.iter() {
        ids.push(OwnId { task: state.key(*index), id });
    }
    ids
}

/// The number of the last run of a task; 0 if there was none.
#[must_use]
pub fn last_run(state: &State, task: Key) -> u32 {
    node(state, task).map_or(0, |node| node.runs)
}

/// The end of a task's last run. If a run is open, or there was none, the task's status and reason.
#[must_use]
pub fn last_end(state: &State, index: u32) -> (Status, StopReason) {
    let node = state.node(index);
    if node.run == NONE && node.runs > 0 { node.end } else { (node.status, node.reason) }
}

/// The option that raises the limit at which a task's last run ended, if it ended at one.
#[must_use]
pub fn end_raised_by(state: &State, task: Key) -> Option<&'static str> {
    let index = find(state, task).ok()?;
    raised_by(state, index, state.node(index).end.1)
}

/// The message that the open run of a task answers.
#[must_use]
pub fn message(state: &State, index: u32) -> &Text {
    state.run_of(index).message.as_ref().map_or(&state.node(index).text, |message| &message.text)
}

/// The number of the message that the open run of a task answers; 0 for the text of its spawn.
#[must_use]
pub fn message_number(state: &State, index: u32) -> u64 {
    state.run_of(index).message.as_ref().map_or(0, |message| message.number)
}

/// Whether the message with this number waits for a task's run, steers it, or is answered by it. 0 means the text of the spawn.
#[must_use]
pub fn message_waits(state: &State, task: Key, number: u64) -> bool {
    let Ok(index) = find(state, task) else { return false };
    let waits = |message: &Message| message.number == number;
    let node = state.node(index);
    let is_answered = node.run != NONE && message_number(state, index) == number;
    is_answered || node.rare.as_ref().is_some_and(|rare| rare.messages.iter().any(waits)) || node.to_steer().1.iter().any(waits)
}

/// The messages that wait for a task, oldest first.
///
/// # Errors
/// A [`Rejection`] if it doesn't exist, or is no task.
pub fn messages(state: &State, task: Key) -> Result<&[Message], Rejection> {
    let index = find(state, task)?;
    Ok(state.node(index).rare.as_ref().map_or(&[][..], |rare| &rare.messages))
}

/// The options of a task's spawn, besides its text.
#[must_use]
pub fn spec(state: &State, task: Key) -> Option<&Spec> {
    find(state, task).ok().and_then(|index| state.node(index).spec())
}

/// The tools of a task, if they are known. Each start reads them.
#[inline]
#[must_use]
pub fn tools(state: &State, task: Key) -> Option<&ToolList> {
    state.node(task.index).spec().filter(|_| state.tree.contains(task))?.tools.as_ref()
}

/// The last checkpoint of a task, as JSON.
#[must_use]
pub fn checkpoint(state: &State, task: Key) -> Option<&Text> {
    node(state, task)?.rare.as_ref()?.checkpoint.as_ref()
}

/// The data that a task's runs saved for later runs, as JSON.
#[must_use]
pub fn saved(state: &State, task: Key) -> Option<&Text> {
    node(state, task)?.rare.as_ref()?.saved.as_ref()
}

/// The data of a task's acquired resource, as JSON.
#[must_use]
pub fn acquired(state: &State, task: Key) -> Option<&Text> {
    node(state, task)?.rare.as_ref()?.acquired.as_ref()?.data.as_ref()
}

view! {
    /// A resource to be released.
    pub struct ReleaseView<'a> "Release" of(release: &'a Release) with {} {
        /// Its number.
        serial: u64 = release.serial,
        /// The id of the task that it was acquired for.
        owner: &'a str = &release.owner,
        /// Its data, as JSON; null if no data is known.
        data: Option<&'a str> = release.data.as_deref(),
    }
}

/// The first release after a number.
#[must_use]
pub fn release_after(state: &State, serial: u64) -> Option<ReleaseView<'_>> {
    state.release_after(serial).map(ReleaseView::of)
}

/// A task's question, while it has no answer.
#[must_use]
pub fn question(state: &State, task: Key) -> Option<&Text> {
    node(state, task)?.question()
}

/// The end of the attempt before a run, if there was one.
#[must_use]
pub fn previous(state: &State, task: Key, run: u32) -> Option<AttemptView> {
    current(state, task, run)?.previous.as_deref().map(attempt)
}

/// The policies' record of a task's last run, or of a main agent.
#[must_use]
pub fn policed(state: &State, key: Key) -> Option<PolicingView> {
    let index = inbox(key.index);
    (index == DEFAULT_SESSION || state.tree.contains(key)).then(|| policing(state, index))
}

/// The node in whose inbox the notices of an actor are: the program is the main agent of the default session.
#[must_use]
pub const fn inbox(index: u32) -> u32 {
    if index == ROOT { DEFAULT_SESSION } else { index }
}

/// Whether notices of an inbox wait, or may return when a time is over.
#[must_use]
pub fn notices_wait(state: &State, inbox: u32) -> bool {
    let may_come_back = |at: u32| state.notices.at(at).until.is_some_and(|until| until < u64::MAX);
    state.waiting(inbox).len() > 0 || state.inbox(inbox).any(may_come_back)
}

/// The number of notices in an inbox that wait for delivery.
#[must_use]
pub fn pending_notices(state: &State, inbox: u32) -> u32 {
    u32::try_from(state.waiting(inbox).len()).unwrap_or(u32::MAX)
}
