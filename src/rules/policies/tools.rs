//! The tools of a run: the parent's, if known, limited to the requested ones, if any, without the blocked ones (P2). Names may be
//! patterns (P4). Owns this choice, and the refusal of a tool that a run doesn't have. `model/tools.rs` says which tools are
//! blocked by what they do.

use std::collections::BTreeSet;

use crate::base::codec::Text;
use crate::base::pattern::{UNDERSTOOD, fits, is_pattern, is_understood};
use crate::base::quote::{NAME_CHARS, quoted};
use crate::base::slab::Key;
use crate::base::view_record::view;
use crate::model::fact::Fact;
use crate::model::input::Reply;
use crate::model::rejection::Rejection;
use crate::model::tool_list::ToolList;
use crate::model::tools::{ALWAYS_BLOCKED, OPERATOR_TOOLS, SPAWN_TOOLS};
use crate::state::budget::ledger;
use crate::state::{DEFAULT_SESSION, State};
use crate::step::Step;

/// States which tools a session has.
pub(crate) fn set(step: &mut Step<'_>, session: Key, tools: Option<Vec<Text>>) -> Result<Reply, Rejection> {
    let index = step.state.living(session)?;
    if step.state.is_closed_session(index) {
        return Err(Rejection::ActorEnded);
    }
    let model_id = step.state.node(index).spec().and_then(|spec| spec.model_id.clone());
    let tools = tools.map(|tools| once_each(tools.iter().collect()).into_iter().cloned().collect::<Vec<_>>().into());
    step.record(Fact::MainAgentSet { task: session, tools, model_id });
    Ok(Reply::Done)
}

/// Sets the tools that no sub-agent gets.
pub(crate) fn block(step: &mut Step<'_>, tools: Vec<Text>) -> Result<Reply, Rejection> {
    expect_understood("blockedTools", &tools, universe(&step.state, DEFAULT_SESSION))?;
    step.record(Fact::ToolsBlocked { tools });
    Ok(Reply::Done)
}

/// Whether a name or pattern of the list matches a tool.
fn names(list: &[Text], tool: &str) -> bool {
    list.iter().any(|entry| fits(entry, tool))
}

/// Refuses an entry that is neither a valid pattern nor the exact name of a known tool.
fn expect_understood(argument: &'static str, entries: &[Text], known: Option<&[Text]>) -> Result<(), Rejection> {
    let is_known = |entry: &Text| known.is_some_and(|known| known.contains(entry));
    match entries.iter().find(|entry| !is_understood(entry) && !is_known(entry)) {
        None => Ok(()),
        Some(entry) => {
            let what =
                format!("`{argument}` has `{}`, which is no known tool; a name or a pattern has {UNDERSTOOD}", quoted(entry, NAME_CHARS));
            Err(Rejection::InvalidArgument { argument: Some(argument), what })
        }
    }
}

/// The tools of the main agent above a node, or else the first known list on the way down.
fn universe(state: &State, index: u32) -> Option<&[Text]> {
    ledger::path(&state.tree, index).filter_map(|at| state.node(at).spec()?.tools.as_deref()).last()
}

view! {
    /// Denied entries that match no tool.
    pub struct DeniedInVain<'a> "DeniedInVain" {
        /// The entries.
        pub denied: Vec<&'a str>,
        /// The known tools.
        pub known: &'a [Text],
    }
}

/// The denied entries of a task, or of a session's sub-agents, that match none of the main agent's tools. Leaves out tools that
/// the package itself blocks.
pub(crate) fn denied_in_vain(state: &State, index: u32) -> Option<DeniedInVain<'_>> {
    let known = universe(state, index)?;
    let node = state.node(index);
    let denied = if node.depth == 0 { &state.blocked } else { node.spec()?.disallowed_tools.as_deref()? };
    let is_ours = |entry: &str| [ALWAYS_BLOCKED, SPAWN_TOOLS, OPERATOR_TOOLS].iter().any(|list| list.contains(&entry));
    let is_in_vain = |entry: &&str| !is_ours(entry) && !known.iter().any(|tool| fits(entry, tool));
    Some(DeniedInVain { denied: denied.iter().map(|entry| &**entry).filter(is_in_vain).collect(), known })
}

/// Whether no sub-agent at this depth may have the tool.
fn is_blocked(state: &State, depth: u64, name: &str) -> bool {
    let at_limit = depth >= state.limits.max_depth;
    names(&state.blocked, name)
        || ALWAYS_BLOCKED.contains(&name)
        || (at_limit && (SPAWN_TOOLS.contains(&name) || OPERATOR_TOOLS.contains(&name)))
}

/// Refuses a tool that a task was not given. A task without a known list may use any tool that isn't blocked.
pub(crate) fn may_use(state: &State, index: u32, name: &str) -> Result<(), Rejection> {
    let node = state.node(index);
    let known = node.spec().and_then(|spec| spec.tools.as_deref());
    let given = known.is_none_or(|known| known.iter().any(|tool| **tool == *name));
    let disallowed = node.spec().and_then(|spec| spec.disallowed_tools.as_deref()).unwrap_or_default();
    let blocked = is_blocked(state, u64::from(node.depth), name);
    if given && !blocked && !names(disallowed, name) {
        return Ok(());
    }
    let available = known.map(|known| known.iter().map(|tool| tool.to_string()).collect());
    Err(Rejection::ToolBlocked { tool: name.to_owned(), available })
}

/// The tools of a task spawned below `parent`; `None` if neither side names any.
#[inline(always)]
pub(crate) fn filter(state: &State, parent: u32, requested: Option<&[Text]>, disallowed: &[Text]) -> Result<Option<ToolList>, Rejection> {
    let known = state.node(parent).spec().and_then(|spec| spec.tools.as_ref());
    if requested.is_none() && disallowed.is_empty() {
        return Ok(known.map(|known| inherited(state, parent, known)));
    }
    among(state, parent, (known.map(|known| &**known), requested), disallowed).map(|tools| tools.map(Into::into))
}

/// The tools that a task inherits from its parent if it requests none.
#[inline(never)]
fn inherited(state: &State, parent: u32, known: &ToolList) -> ToolList {
    let depth = u64::from(state.node(parent).depth).saturating_add(1);
    known.handed_on(depth >= state.limits.max_depth, &state.blocked, |name| is_blocked(state, depth, name))
}

/// The requested tools, or the known ones, that are not blocked.
#[inline(never)]
fn among(
    state: &State,
    parent: u32,
    (known, requested): (Option<&[Text]>, Option<&[Text]>),
    disallowed: &[Text],
) -> Result<Option<Vec<Text>>, Rejection> {
    expect_understood("disallowedTools", disallowed, universe(state, parent))?;
    let depth = u64::from(state.node(parent).depth).saturating_add(1);
    let blocked = |name: &str| is_blocked(state, depth, name) || names(disallowed, name);
    let all = match (requested, known) {
        (Some(requested), _) => once_each(expanded(requested, known, universe(state, parent))?),
        // The inherited list already has each name once.
        (None, Some(known)) => known.iter().collect(),
        (None, None) => return Ok(None),
    };
    let tools: Vec<Text> = all.into_iter().filter(|name| !blocked(name)).cloned().collect();
    if tools.is_empty() && requested.is_some_and(|requested| !requested.is_empty()) {
        let list = |names: &[Text]| names.iter().map(|name| name.to_string()).collect();
        let available = known.unwrap_or_default().iter().filter(|name| !blocked(name)).cloned().collect::<Vec<_>>();
        return Err(Rejection::NoTools { requested: list(requested.unwrap_or_default()), available: list(&available) });
    }
    Ok(Some(tools))
}

/// The same names, each at its first place.
fn once_each(names: Vec<&Text>) -> Vec<&Text> {
    let mut seen = BTreeSet::new();
    names.into_iter().filter(|name| seen.insert(*name)).collect()
}

/// The tools that the requested names and patterns match: those of the parent, if known.
fn expanded<'a>(requested: &'a [Text], known: Option<&'a [Text]>, universe: Option<&[Text]>) -> Result<Vec<&'a Text>, Rejection> {
    expect_understood("tools", requested, universe)?;
    let Some(known) = known else {
        return match requested.iter().find(|name| is_pattern(name)) {
            None => Ok(requested.iter().collect()),
            Some(pattern) => {
                let pattern = quoted(pattern, NAME_CHARS);
                let what = format!("`tools` has the pattern `{pattern}`, but which tools it stands for isn't known here: name each tool");
                Err(Rejection::InvalidArgument { argument: Some("tools"), what })
            }
        };
    };
    let mut tools = Vec::new();
    let by_name: BTreeSet<&Text> = known.iter().collect();
    for name in requested {
        if let Some(tool) = by_name.get(name) {
            tools.push(*tool);
        } else if is_pattern(name) {
            tools.extend(known.iter().filter(|tool| fits(name, tool)));
        }
    }
    Ok(tools)
}
