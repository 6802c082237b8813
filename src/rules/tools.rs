//! Which tools a run gets: the parent's, if known, of those the requested ones, if any, less the blocked
//! ones (P2). Owns the blocked names.

use crate::codec::Text;
use crate::fact::Fact;
use crate::input::Reply;
use crate::rejection::Rejection;
use crate::slab::Key;
use crate::state::State;
use crate::step::Step;

/// Never handed to a sub-agent: they speak to the user, or delegate around the limits.
pub const ALWAYS_BLOCKED: &[&str] = &["spawn", "message", "delegate_to_sub_agent", "send_file_to_user"];
/// Handed on only where a sub-agent may have sub-agents itself.
pub const SPAWN_TOOLS: &[&str] = &["SubAgent", "Agent", "Task", "task", "spawn_agent"];

/// Tells which tools a session has.
pub(crate) fn set(step: &mut Step<'_>, session: Key, tools: Option<Vec<Text>>) -> Result<Reply, Rejection> {
    step.state.living(session)?;
    step.record(Fact::ToolsSet { task: session, tools });
    Ok(Reply::Done)
}

/// The tools of a task spawned below `parent`; `None` where neither side names any.
pub(crate) fn filter(state: &State, parent: u32, requested: Option<&[Text]>) -> Result<Option<Vec<Text>>, Rejection> {
    let node = state.node(parent);
    let known = node.spec().and_then(|spec| spec.tools.as_deref());
    let Some(from) = requested.or(known) else { return Ok(None) };
    let at_limit = u64::from(node.depth).saturating_add(1) >= state.limits.max_depth;
    let blocked = |name: &str| ALWAYS_BLOCKED.contains(&name) || (at_limit && SPAWN_TOOLS.contains(&name));
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
    Ok(Some(tools))
}
