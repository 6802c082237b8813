//! What the program and runs ask for beside the hot path: waiting for several, sending, cancelling,
//! budgets, the manual style. Numbers in, a number out that says whether it was taken.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{NANOS, option};
use crate::amounts::Amounts;
use crate::input::{Actor, Input, Reply};
use crate::slab::Key;
use crate::state::ROOT;
use crate::status::StopReason;

#[wasm_bindgen]
impl SubAgentCore {
    /// Waits for several tasks: `targets` holds slot and generation of each in turn. See `wait`.
    #[wasm_bindgen(js_name = waitMany)]
    #[allow(clippy::too_many_arguments, reason = "who, for whom, for how long")]
    pub fn wait_many(&self, now: f64, slot: u32, generation: u32, run: u32, targets: &[u32], all: bool, timeout_ms: f64) -> f64 {
        let targets = targets.chunks_exact(2).filter_map(|pair| Some(Key { slot: *pair.first()?, generation: *pair.get(1)? })).collect();
        let input = Input::Wait { targets, all, timeout_ms: option(timeout_ms, 1.0) };
        self.wait_for(now, Self::actor(slot, generation, run), input)
    }

    /// Ends a wait; it touches no sub-agent.
    #[wasm_bindgen(js_name = endWait)]
    pub fn end_wait(&self, now: f64, wait: u32) {
        let key = self.manager.borrow().state().waits.key(wait);
        self.handle(now, Actor::Program, Input::EndWait(key));
    }

    /// Cancels a task and all under it; slot 0 is everything. Returns as `wait` does.
    #[allow(clippy::too_many_arguments, reason = "who, whom, why, for how long")]
    pub fn cancel(
        &self,
        now: f64,
        slot: u32,
        generation: u32,
        run: u32,
        target: u32,
        target_generation: u32,
        reason: u32,
        grace_ms: f64,
    ) -> f64 {
        let task =
            if target == ROOT { self.manager.borrow().state().key(ROOT) } else { Key { slot: target, generation: target_generation } };
        let reason = u8::try_from(reason).ok().and_then(StopReason::from_number).unwrap_or(StopReason::Cancelled);
        let input = Input::Cancel { task, reason, grace_ms: option(grace_ms, 1.0) };
        match self.handle(now, Self::actor(slot, generation, run), input) {
            Some(Reply::Waiting(wait)) => f64::from(wait.slot),
            Some(_) => -2.0,
            None => -1.0,
        }
    }

    /// Sends the message in the scratch: 1 where its run starts or is queued, 0 where it waits for the
    /// current run to end, -1 where it is refused.
    #[allow(clippy::too_many_arguments, reason = "who, to whom, what")]
    pub fn send(&self, now: f64, slot: u32, generation: u32, run: u32, target: u32, target_generation: u32, text_len: u32) -> i32 {
        let text = self.text(0, text_len);
        let task = Key { slot: target, generation: target_generation };
        match self.handle(now, Self::actor(slot, generation, run), Input::Send { task, text }) {
            Some(Reply::Sent { started }) => i32::from(started),
            Some(_) | None => -1,
        }
    }

    /// Forgets an ended task and all under it.
    #[allow(clippy::too_many_arguments, reason = "who, whom")]
    pub fn forget(&self, now: f64, slot: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let task = Key { slot: target, generation: target_generation };
        self.handle(now, Self::actor(slot, generation, run), Input::Forget(task)).is_some()
    }

    /// Raises the cap of a task, or of the manager where the slot is 0.
    #[wasm_bindgen(js_name = addBudget)]
    pub fn add_budget(&self, now: f64, target: u32, target_generation: u32, tokens: f64, cost: f64, turns: f64) -> bool {
        let task =
            if target == ROOT { self.manager.borrow().state().key(ROOT) } else { Key { slot: target, generation: target_generation } };
        let amount = Amounts {
            tokens: option(tokens, 1.0).unwrap_or(0),
            nanos: option(cost, NANOS).unwrap_or(0),
            turns: option(turns, 1.0).unwrap_or(0),
        };
        self.handle(now, Actor::Program, Input::AddBudget { task, amount }).is_some()
    }

    /// A manual task takes a slot.
    #[wasm_bindgen(js_name = markRunning)]
    pub fn mark_running(&self, now: f64, target: u32, target_generation: u32) -> bool {
        self.handle(now, Actor::Program, Input::MarkRunning(Key { slot: target, generation: target_generation })).is_some()
    }

    /// Sets tokens aside for the program and returns how many were there.
    pub fn allocate(&self, now: f64, tokens: f64) -> f64 {
        match self.handle(now, Actor::Program, Input::Allocate(option(tokens, 1.0).unwrap_or(0))) {
            Some(Reply::Tokens(granted)) => super::numbers::float(granted),
            Some(_) | None => -1.0,
        }
    }

    /// Gives back tokens that were set aside.
    pub fn release(&self, now: f64, tokens: f64) -> bool {
        self.handle(now, Actor::Program, Input::Release(option(tokens, 1.0).unwrap_or(0))).is_some()
    }

    /// The host runs it somewhere else and will report its end.
    #[wasm_bindgen(js_name = startedElsewhere)]
    pub fn started_elsewhere(&self, now: f64, slot: u32, generation: u32, run: u32) {
        self.handle(now, Actor::Program, Input::StartedElsewhere { task: Key { slot, generation }, run });
    }
}
