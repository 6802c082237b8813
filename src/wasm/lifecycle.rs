//! Closing and reopening tasks, closing sessions. Owns these methods of the core: numbers in, a number out that says
//! whether it was taken.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{option, ticket};
use crate::base::slab::Key;
use crate::model::codes::{CLOSE_STATUSES, REFUSED};
use crate::model::input::{Input, Reply};
use crate::model::status::StopReason;

#[wasm_bindgen]
impl SubAgentCore {
    /// Closes a task and all under it. Returns `REFUSED`; else where the task stood, by number, plus `CLOSE_STATUSES` times
    /// one more than the number of the wait, where there is anything to wait for.
    #[allow(clippy::too_many_arguments, reason = "who, whom, for how long")]
    pub fn close(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32, grace_ms: f64) -> f64 {
        let input = Input::Close { task: Key { index: target, generation: target_generation }, grace_ms: option(grace_ms, 1.0) };
        match self.decide(now, Self::actor(index, generation, run), input) {
            Some(Reply::Closing { previous, wait }) => {
                let waits = wait.map_or(0.0, |wait| (ticket(wait) + 1.0) * f64::from(CLOSE_STATUSES));
                f64::from(previous.number()) + waits
            }
            Some(_) | None => REFUSED,
        }
    }

    /// Reopens a closed task.
    #[allow(clippy::too_many_arguments, reason = "who, whom")]
    pub fn resume(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let task = Key { index: target, generation: target_generation };
        self.decide(now, Self::actor(index, generation, run), Input::Resume(task)).is_some()
    }

    /// Closes a session: `closed` for its own wish, else because its signal fired. Returns as `wait` does.
    #[wasm_bindgen(js_name = closeSession)]
    pub fn close_session(&self, now: f64, index: u32, generation: u32, closed: bool, grace_ms: f64) -> f64 {
        let reason = if closed { StopReason::Closed } else { StopReason::SignalAborted };
        let input = Input::CloseSession { session: Key { index, generation }, reason, grace_ms: option(grace_ms, 1.0) };
        self.wait_for(now, crate::Actor::Program, input)
    }
}
