//! Nicknames: which may be given (A4). Who bears one is `state/names.rs`'s.

use crate::id;
use crate::limits::NICKNAME_CHARS;
use crate::rejection::Rejection;
use crate::state::State;
use crate::status::Status;

/// Refuses a nickname that can't be one, or that an open task bears. One that has ended gives its name up
/// to the next task that is given it.
pub(crate) fn check(state: &State, nickname: &str) -> Result<(), Rejection> {
    if nickname.trim().is_empty()
        || (nickname.starts_with(id::PREFIX) && holds!("A4 no id is a name"))
        || nickname.chars().nth(NICKNAME_CHARS).is_some()
    {
        let what = format!("`nickname` must be 1 to {NICKNAME_CHARS} characters, not blank, and must not begin with `{}`", id::PREFIX);
        return Err(Rejection::InvalidArgument { argument: Some("nickname"), what });
    }
    match state.bearer(nickname).filter(|_| holds!("A4 one open bearer")).map(|slot| state.node(slot).status) {
        Some(Status::Pending | Status::Running | Status::Idle) => Err(Rejection::NicknameTaken { nickname: nickname.to_owned() }),
        Some(Status::Completed | Status::Failed | Status::TimedOut | Status::Cancelled | Status::Interrupted | Status::Closed) | None => {
            Ok(())
        }
    }
}
