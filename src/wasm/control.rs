//! What the program and runs ask for beside the hot path: waiting for several, cancelling, forgetting, budgets, rate
//! limits, the manual style. Owns these methods of the core: numbers in, a number out that says whether it was taken.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{NANOS, option, ticket};
use crate::base::amounts::{Amounts, UNCAPPED};
use crate::base::slab::Key;
use crate::model::codes::{REFUSED, WAIT_ALL, WAIT_IDLE};
use crate::model::input::{Actor, Input, Reply};
use crate::model::status::StopReason;
use crate::state::ROOT;

#[wasm_bindgen]
impl SubAgentCore {
    /// Waits for several tasks: `targets` holds index and generation of each in turn. `mode` is of the
    /// flags `WAIT_ALL` and `WAIT_IDLE`. See `wait`; where it is over at once, `told` has what it tells.
    #[wasm_bindgen(js_name = waitMany)]
    #[allow(clippy::too_many_arguments, reason = "who, for whom, for how long")]
    pub fn wait_many(&self, now: f64, index: u32, generation: u32, run: u32, targets: &[u32], mode: u32, timeout_ms: f64) -> f64 {
        let targets = targets.chunks_exact(2).filter_map(|pair| Some(Key { index: *pair.first()?, generation: *pair.get(1)? })).collect();
        let input = Input::Wait { targets, all: mode & WAIT_ALL != 0, idle: mode & WAIT_IDLE != 0, timeout_ms: option(timeout_ms, 1.0) };
        self.wait_for(now, Self::actor(index, generation, run), input)
    }

    /// A wait of the program or of a session, by its index and number, was opened in the context of a run.
    #[wasm_bindgen(js_name = waitsWithin)]
    pub fn waits_within(&self, now: f64, wait: u32, number: f64, index: u32, generation: u32, run: u32) {
        let open = self.manager.borrow().open_wait(wait).filter(|open| ticket(*open).to_bits() == number.to_bits());
        if let Some(wait) = open {
            self.decide(now, Actor::Program, Input::WaitsWithin { wait, task: Key { index, generation }, run });
        }
    }

    /// The answer of the last `waitMany`, where that wait was over at once.
    pub fn told(&self) -> JsValue {
        let told = self.manager.borrow_mut().take_told();
        super::host::list_of(&told)
    }

    /// Ends a wait; it touches no sub-agent. `false` where it is over already: what it tells is under way.
    #[wasm_bindgen(js_name = endWait)]
    pub fn end_wait(&self, now: f64, index: u32, number: f64) -> bool {
        // Its index may be another one's by now.
        let wait = self.manager.borrow().open_wait(index).filter(|wait| ticket(*wait).to_bits() == number.to_bits());
        if let Some(wait) = wait {
            self.decide(now, Actor::Program, Input::EndWait(wait));
        }
        wait.is_some()
    }

    /// Cancels a task and all under it; index 0 is everything. Returns as `wait` does.
    #[allow(clippy::too_many_arguments, reason = "who, whom, why, for how long")]
    pub fn cancel(
        &self,
        now: f64,
        index: u32,
        generation: u32,
        run: u32,
        target: u32,
        target_generation: u32,
        reason: u32,
        grace_ms: f64,
    ) -> f64 {
        let task =
            if target == ROOT { self.manager.borrow().state().key(ROOT) } else { Key { index: target, generation: target_generation } };
        let reason = u8::try_from(reason).ok().and_then(StopReason::from_number).unwrap_or(StopReason::Cancelled);
        let input = Input::Cancel { task, reason, grace_ms: option(grace_ms, 1.0) };
        self.wait_for(now, Self::actor(index, generation, run), input)
    }

    /// Cancels what a tool's call started that its own caller has aborted. `number`: that of the call's wait, which tells nobody
    /// then; `NaN` where it has none. Returns as `wait` does.
    #[wasm_bindgen(js_name = abortCall)]
    pub fn abort_call(&self, now: f64, target: u32, target_generation: u32, wait: u32, number: f64, reads: bool) -> f64 {
        let wait = self.manager.borrow().open_wait(wait).filter(|wait| ticket(*wait).to_bits() == number.to_bits());
        let task = Key { index: target, generation: target_generation };
        self.wait_for(now, Actor::Program, Input::AbortCall { task, wait, reads })
    }

    /// Notes whether the host function of a run that has begun is called by now: a policy is asked before.
    #[wasm_bindgen(js_name = noteHost)]
    pub fn note_host(&self, now: f64, index: u32, generation: u32, run: u32, called: bool) {
        self.decide(now, Actor::Program, Input::NoteHost { task: Key { index, generation }, run, called });
    }

    /// Forgets an ended task and all under it.
    #[allow(clippy::too_many_arguments, reason = "who, whom")]
    pub fn forget(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let task = Key { index: target, generation: target_generation };
        self.decide(now, Self::actor(index, generation, run), Input::Forget(task)).is_some()
    }

    /// Raises the cap of a task, or of the manager where the index is 0.
    #[wasm_bindgen(js_name = addBudget)]
    pub fn add_budget(&self, now: f64, target: u32, target_generation: u32, tokens: f64, cost: f64, turns: f64) -> bool {
        let task =
            if target == ROOT { self.manager.borrow().state().key(ROOT) } else { Key { index: target, generation: target_generation } };
        let amount = Amounts {
            tokens: option(tokens, 1.0).unwrap_or(0),
            nanos: option(cost, NANOS).unwrap_or(0),
            turns: option(turns, 1.0).unwrap_or(0),
        };
        self.decide(now, Actor::Program, Input::AddBudget { task, amount }).is_some()
    }

    /// A manual task takes a slot.
    #[wasm_bindgen(js_name = markRunning)]
    pub fn mark_running(&self, now: f64, target: u32, target_generation: u32) -> bool {
        self.decide(now, Actor::Program, Input::MarkRunning(Key { index: target, generation: target_generation })).is_some()
    }

    /// Sets tokens aside for the program and returns how many were there.
    pub fn allocate(&self, now: f64, tokens: f64) -> f64 {
        match self.decide(now, Actor::Program, Input::Allocate(option(tokens, 1.0).unwrap_or(0))) {
            Some(Reply::Tokens(granted)) => super::numbers::float(granted),
            Some(_) | None => REFUSED,
        }
    }

    /// Gives back tokens that were set aside.
    pub fn release(&self, now: f64, tokens: f64) -> bool {
        self.decide(now, Actor::Program, Input::Release(option(tokens, 1.0).unwrap_or(0))).is_some()
    }

    /// A run met a rate limit: work with its key waits for so many milliseconds.
    #[wasm_bindgen(js_name = reportRateLimit)]
    pub fn report_rate_limit(&self, now: f64, index: u32, generation: u32, run: u32, retry_after_ms: f64) -> bool {
        let retry_after_ms = option(retry_after_ms, 1.0).unwrap_or(0);
        self.decide(now, Actor::Run(Key { index, generation }, run), Input::ReportRateLimit { retry_after_ms }).is_some()
    }

    /// Lets go of the result of an ended task.
    #[wasm_bindgen(js_name = releaseResult)]
    #[allow(clippy::too_many_arguments, reason = "who, whose")]
    pub fn release_result(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let task = Key { index: target, generation: target_generation };
        self.decide(now, Self::actor(index, generation, run), Input::ReleaseResult(task)).is_some()
    }

    /// Sets the cap of a session; a dimension that is `NaN` is uncapped.
    #[wasm_bindgen(js_name = setSessionBudget)]
    pub fn set_session_budget(&self, now: f64, session: u32, generation: u32, tokens: f64, cost: f64, turns: f64) -> bool {
        let cap = Amounts {
            tokens: option(tokens, 1.0).unwrap_or(UNCAPPED),
            nanos: option(cost, NANOS).unwrap_or(UNCAPPED),
            turns: option(turns, 1.0).unwrap_or(UNCAPPED),
        };
        self.decide(now, Actor::Program, Input::SetSessionBudget(Key { index: session, generation }, cap)).is_some()
    }

    /// The host runs a run somewhere else and will report its end.
    #[wasm_bindgen(js_name = startedElsewhere)]
    pub fn started_elsewhere(&self, now: f64, index: u32, generation: u32, run: u32) {
        self.decide(now, Actor::Program, Input::StartedElsewhere { task: Key { index, generation }, run });
    }

    /// The host says, in the scratch, by which id it knows a run that it runs somewhere else.
    #[wasm_bindgen(js_name = nameElsewhere)]
    pub fn name_elsewhere(&self, now: f64, index: u32, generation: u32, run: u32, text_len: u32) {
        let host_task_id = self.text(text_len);
        self.decide(now, Actor::Program, Input::NameElsewhere { task: Key { index, generation }, run, host_task_id });
    }
}
