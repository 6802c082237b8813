//! What the native tests of single decisions ask of a manager: to spawn, and with what.
#![allow(dead_code, reason = "each of the tests that share this uses what it needs")]

use subagents::{Actor, Input, Key, Manager, Reply, Spawn};

pub(crate) const PROGRAM: Actor = Actor::Program;

/// Spawns what has to be admitted.
pub(crate) fn spawn(manager: &mut Manager, now: u64, actor: Actor, spawn: Spawn) -> Key {
    match manager.handle(now, actor, Input::Spawn(spawn)) {
        Ok(Reply::Node(task)) => task,
        other => panic!("it is refused: {other:?}"),
    }
}

/// Something to do, and nothing else said.
pub(crate) fn work() -> Spawn {
    Spawn { text: Some("work".into()), ..Spawn::default() }
}
