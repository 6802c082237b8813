//! Waits beside the hot path: ending one, aborting a call, waits within a run. Owns these methods of the core, of
//! numbers alone.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::ticket;
use crate::base::slab::Key;
use crate::model::input::{Actor, Input};

#[wasm_bindgen]
impl SubAgentCore {
    /// A wait of the program or of a session, by its index and number, was opened in the context of a run.
    #[wasm_bindgen(js_name = waitsWithin)]
    pub fn waits_within(&self, now: f64, wait: u32, number: f64, index: u32, generation: u32, run: u32) {
        let open = self.manager.borrow().open_wait(wait).filter(|open| ticket(*open).to_bits() == number.to_bits());
        if let Some(wait) = open {
            self.decide(now, Actor::Program, Input::WaitsWithin { wait, task: Key { index, generation }, run });
        }
    }

    /// Ends a wait; it touches no sub-agent. `false` if it is over already: its outcome is under way.
    #[wasm_bindgen(js_name = endWait)]
    pub fn end_wait(&self, now: f64, index: u32, number: f64) -> bool {
        // Its index may be another one's by now.
        let wait = self.manager.borrow().open_wait(index).filter(|wait| ticket(*wait).to_bits() == number.to_bits());
        if let Some(wait) = wait {
            self.decide(now, Actor::Program, Input::EndWait(wait));
        }
        wait.is_some()
    }

    /// Cancels what a tool's call started that its own caller has aborted. `number`: that of the call's wait, which reports to no
    /// caller then; `NaN` if it has none. Returns as `wait` does.
    #[wasm_bindgen(js_name = abortCall)]
    pub fn abort_call(&self, now: f64, target: u32, target_generation: u32, wait: u32, number: f64, reads: bool) -> f64 {
        let wait = self.manager.borrow().open_wait(wait).filter(|wait| ticket(*wait).to_bits() == number.to_bits());
        let task = Key { index: target, generation: target_generation };
        self.wait_for(now, Actor::Program, Input::AbortCall { task, wait, reads })
    }
}
