//! Which tools a run gets: the parent's, if known, of those the requested ones, if any, less the blocked ones (P2).
//! Owns this choice, and the refusal of a tool that a run was not given. Which tools are blocked for what they do is
//! said by their table in `model/tools.rs`.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::rejection::Rejection;
use crate::model::tools::{ALWAYS_BLOCKED, OPERATOR_TOOLS, SPAWN_TOOLS};
use crate::state::State;
use crate::step::Step;

/// Tells which tools a session has.
pub(crate) fn set(step: &mut Step<'_>, session: Key, tools: Option<Vec<Text>>) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.is_closed_session(index) {
        return Err(Rejection::ActorEnded);
    }
    let model_id = step.state.node(index).spec().and_then(|spec| spec.model_id.clone());
    step.record(Fact::MainAgentSet { task: session, tools, model_id });
    Ok(Reply::Done)
}

/// Sets the tools that no sub-agent gets.
pub(crate) fn block(step: &mut Step<'_>, tools: Vec<Text>) -> Result<Reply, Rejection> {
    step.record(Fact::ToolsBlocked { tools });
    Ok(Reply::Done)
}

/// Whether no sub-agent that stands as deep as this may have the tool.
fn is_blocked(state: &State, depth: u64, name: &str) -> bool {
    let at_limit = depth >= state.limits.max_depth;
    let by_policy = state.blocked.iter().any(|blocked| **blocked == *name);
    by_policy || ALWAYS_BLOCKED.contains(&name) || (at_limit && (SPAWN_TOOLS.contains(&name) || OPERATOR_TOOLS.contains(&name)))
}

/// Refuses a tool that a task was not given. One that knows no tools may use any that isn't blocked.
pub(crate) fn may_use(state: &State, index: u32, name: &str) -> Result<(), Rejection> {
    let node = state.node(index);
    let known = node.spec().and_then(|spec| spec.tools.as_deref());
    let given = known.is_none_or(|known| known.iter().any(|tool| **tool == *name));
    let disallowed = node.spec().and_then(|spec| spec.disallowed_tools.as_deref()).unwrap_or_default();
    let blocked = is_blocked(state, u64::from(node.depth), name);
    if given && !blocked && !disallowed.iter().any(|other| **other == *name) {
        return Ok(());
    }
    let available = known.map(|known| known.iter().map(|tool| tool.to_string()).collect());
    Err(Rejection::ToolBlocked { tool: name.to_owned(), available })
}

/// The tools of a task spawned below `parent`; `None` where neither side names any.
#[inline(always)]
pub(crate) fn filter(state: &State, parent: u32, requested: Option<&[Text]>, disallowed: &[Text]) -> Result<Option<Vec<Text>>, Rejection> {
    let known = state.node(parent).spec().and_then(|spec| spec.tools.as_deref());
    match requested.or(known) {
        Some(from) => among(state, parent, from, (known, requested), disallowed).map(Some),
        None => Ok(None),
    }
}

/// Those of `from` that it may have.
#[inline(never)]
fn among(
    state: &State,
    parent: u32,
    from: &[Text],
    (known, requested): (Option<&[Text]>, Option<&[Text]>),
    disallowed: &[Text],
) -> Result<Vec<Text>, Rejection> {
    let node = state.node(parent);
    let depth = u64::from(node.depth).saturating_add(1);
    let blocked = |name: &str| is_blocked(state, depth, name) || disallowed.iter().any(|other| **other == *name);
    let has = |name: &Text| known.is_none_or(|known| known.contains(name));
    let mut tools: Vec<Text> = Vec::new();
    for name in from {
        if has(name) && !blocked(name) && !tools.contains(name) {
            tools.push(name.clone());
        }
    }
    if tools.is_empty() && requested.is_some_and(|requested| !requested.is_empty()) {
        let list = |names: &[Text]| names.iter().map(|name| name.to_string()).collect();
        let available = known.unwrap_or_default().iter().filter(|name| !blocked(name)).cloned().collect::<Vec<_>>();
        return Err(Rejection::NoTools { requested: list(requested.unwrap_or_default()), available: list(&available) });
    }
    Ok(tools)
}
