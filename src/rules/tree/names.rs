//! Nicknames and callers' ids: which are allowed (A4, A9). Owns the refusals; `state/tree/names.rs` has the owners.

use crate::base::id;
use crate::model::limits::NICKNAME_CHARS;
use crate::model::rejection::Rejection;
use crate::model::spec::Spec;
use crate::model::status::Status;
use crate::state::State;

/// The longest id that a caller may give.
const ID_CHARS: usize = 128;

/// Refuses a nickname that is invalid, or that an open child of the parent has. An ended child yields its name to the next child
/// that is given it. Checks the id, too.
pub(crate) fn check(state: &State, parent: u32, spec: &Spec) -> Result<(), Rejection> {
    if let Some(id) = &spec.task_id {
        check_id(state, id)?;
    }
    let Some(nickname) = spec.nickname.as_deref() else { return Ok(()) };
    if nickname.trim().is_empty() || nickname.starts_with(id::PREFIX) || nickname.chars().nth(NICKNAME_CHARS).is_some() {
        let what = format!("`nickname` must be 1 to {NICKNAME_CHARS} characters, not blank, and must not begin with `{}`", id::PREFIX);
        return Err(Rejection::InvalidArgument { argument: Some("nickname"), what });
    }
    check_free(state, parent, nickname)
}

/// Refuses a caller's id that is invalid, or that a retained task has (A9).
fn check_id(state: &State, id: &str) -> Result<(), Rejection> {
    let is_printable = |c: char| !c.is_control() && !c.is_whitespace();
    if id.is_empty() || id.starts_with(id::PREFIX) || id.chars().nth(ID_CHARS).is_some() || !id.chars().all(is_printable) {
        let what =
            format!("`taskId` must be 1 to {ID_CHARS} printable characters without spaces, and must not begin with `{}`", id::PREFIX);
        return Err(Rejection::InvalidArgument { argument: Some("taskId"), what });
    }
    state.task_of_id(id).map_or(Ok(()), |task| Err(Rejection::IdTaken { task }))
}

/// Refuses to reopen a task if another open child of its parent has its nickname now.
pub(crate) fn check_resumed(state: &State, index: u32) -> Result<(), Rejection> {
    let node = state.node(index);
    match node.spec().and_then(|spec| spec.nickname.as_deref()) {
        Some(nickname) if state.bearer(node.parent, nickname) != Some(index) => check_free(state, node.parent, nickname),
        Some(_) | None => Ok(()),
    }
}

fn check_free(state: &State, parent: u32, nickname: &str) -> Result<(), Rejection> {
    match state.bearer(parent, nickname).map(|index| state.node(index).status) {
        Some(Status::Pending | Status::Running | Status::Idle) => Err(Rejection::NicknameTaken { nickname: nickname.to_owned() }),
        Some(Status::Completed | Status::Failed | Status::TimedOut | Status::Cancelled | Status::Interrupted | Status::Closed) | None => {
            Ok(())
        }
    }
}
