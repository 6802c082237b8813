//! The calls into JavaScript: statically imported functions of numbers; `consumerGate` and `makeTool` take JavaScript
//! values. Owns which effect calls which function. Each finds its manager by number, and catches everything that user
//! code throws.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::drain::Drains;
use super::numbers::{address, float, narrow, pack};
use crate::Manager;
use crate::base::event_buffer::EventBuffer;
use crate::model::codes::{
    END_CUT, END_HAS_TEXT, END_HOST_OPEN, END_INVALID_AT, END_NEVER_STARTED, END_PARTIAL, END_UNKNOWN_AT, END_WITHOUT_ARTIFACTS,
    END_WITHOUT_VALUE, READING_MISSING,
};
use crate::model::effect::{Effect, EndRow, Ended};
use crate::model::kinds::Kinds;
use crate::model::rejection::Rejection;
use crate::read::lookup;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    #[wasm_bindgen(js_name = startRun)]
    fn start_run(host: u32, index: u32, generation: u32, run: u32, knows_tools: bool);
    #[wasm_bindgen(js_name = abortRun)]
    fn abort_run(host: u32, index: u32, generation: u32, run: u32, reason: u32);
    #[wasm_bindgen(js_name = turnReady)]
    fn turn_ready(host: u32, index: u32, generation: u32, run: u32) -> bool;
    /// Carries out the record at this address.
    #[wasm_bindgen(js_name = effect)]
    fn effect_shown(host: u32, at: u32);
    /// Reports the last retained refusal to `onError`.
    #[wasm_bindgen(js_name = reportRefusal)]
    fn report_refusal(host: u32);
    #[wasm_bindgen(js_name = wakeAt)]
    fn wake_at(host: u32, at: f64);
    #[wasm_bindgen(js_name = taskGone)]
    fn task_gone(host: u32, index: u32, generation: u32, forgotten: bool);
    #[wasm_bindgen(js_name = waitDone)]
    fn wait_done(host: u32, wait: f64, timed_out: bool);
    #[wasm_bindgen(js_name = runEnded)]
    fn run_ended(host: u32, row: u32) -> bool;
    /// Calls the callbacks that were deferred until the whole batch was delivered.
    #[wasm_bindgen(js_name = batchDelivered)]
    pub(super) fn batch_delivered(host: u32);
    #[wasm_bindgen(js_name = facts)]
    fn facts_ready(host: u32, at: u32, len: u32, texts: u32);
    /// Asks the gate of the host; decides nothing.
    #[wasm_bindgen(js_name = consumerGate)]
    pub(super) fn consumer_gate(host: u32, params: &JsValue) -> JsValue;
    /// Makes the tool object around its description.
    #[wasm_bindgen(js_name = makeTool)]
    pub(super) fn make_tool(host: u32, described: JsValue, make: &JsValue) -> JsValue;
}

/// Whether an effect is an order to the host. Orders come after everything that the host must know.
pub(super) const fn is_order(effect: &Effect) -> bool {
    matches!(effect, Effect::StartRun { .. } | Effect::AbortRun { .. } | Effect::WakeAt(_) | Effect::DrainDone { .. })
}

/// Delivers an effect that the host must know: promises settle on it. Returns whether the host deferred a call of user code until
/// the whole batch is delivered. `refused`: holds the reason of a refusal for the host. `record`: memory for one record.
#[inline]
pub(super) fn deliver(host: u32, effect: &Effect, refused: &RefCell<Option<Rejection>>, record: &mut Vec<u8>) -> bool {
    match effect {
        Effect::RunEnded(ended) => return deliver_end(host, ended),
        Effect::TurnReady { task, run } => return turn_ready(host, task.index, task.generation, *run),
        Effect::Report(rejection) => {
            refused.replace(Some(rejection.clone()));
            report_refusal(host);
        }
        Effect::TaskForgotten(task) => task_gone(host, task.index, task.generation, true),
        Effect::TaskClosed(task) => task_gone(host, task.index, task.generation, false),
        Effect::WaitDone { wait, timed_out } => wait_done(host, pack(*wait), *timed_out),
        Effect::WaitOver { .. }
        | Effect::RunRetried { .. }
        | Effect::AskDone { .. }
        | Effect::TimedOut { .. }
        | Effect::ApprovalOver { .. }
        | Effect::Wake(_) => deliver_record(host, effect, record),
        Effect::StartRun { .. } | Effect::AbortRun { .. } | Effect::WakeAt(_) | Effect::DrainDone { .. } => {}
    }
    false
}

/// Shows an effect as a record, as `ts/boundary/generated/effects.ts` reads it.
#[inline(never)]
fn deliver_record(host: u32, effect: &Effect, record: &mut Vec<u8>) {
    record.clear();
    if effect.put(record) {
        effect_shown(host, address(record.as_ptr()));
    }
}

/// Gives the host an order: user code runs in it.
#[inline]
pub(super) fn order(host: u32, effect: &Effect, manager: &RefCell<Manager>, drains: &Rc<Drains>) {
    match effect {
        Effect::StartRun { task, run } => {
            // The borrow ends before the call, in which the host's function may call back.
            let knows_tools = lookup::tools(manager.borrow().state(), *task).is_some();
            start_run(host, task.index, task.generation, *run, knows_tools);
        }
        Effect::AbortRun { task, run, reason } => abort_run(host, task.index, task.generation, *run, u32::from(reason.number())),
        Effect::WakeAt(at) => wake_at(host, float(*at)),
        Effect::DrainDone { timed_out } => drains.finish(*timed_out),
        Effect::RunEnded(_)
        | Effect::RunRetried { .. }
        | Effect::WaitDone { .. }
        | Effect::WaitOver { .. }
        | Effect::AskDone { .. }
        | Effect::TurnReady { .. }
        | Effect::TaskForgotten(_)
        | Effect::TaskClosed(_)
        | Effect::TimedOut { .. }
        | Effect::ApprovalOver { .. }
        | Effect::Report(_)
        | Effect::Wake(_) => {}
    }
}

/// Shows the end of a run as a row of numbers, as `ts/boundary/generated/ended.ts` reads it.
fn deliver_end(host: u32, ended: &Ended) -> bool {
    let set = |on: bool, flag: u32| if on { flag } else { 0 };
    let flags = set(ended.partial, END_PARTIAL)
        | set(ended.host_open, END_HOST_OPEN)
        | set(ended.cut, END_CUT)
        | set(ended.output.is_some(), END_HAS_TEXT)
        | set(ended.started_at.is_none(), END_NEVER_STARTED)
        | set(ended.without.0, END_WITHOUT_VALUE)
        | set(ended.without.1, END_WITHOUT_ARTIFACTS)
        | (u32::from(ended.usage_unknown) << END_UNKNOWN_AT)
        | (u32::from(ended.usage_invalid) << END_INVALID_AT);
    let kinds = ended.kinds.as_deref().map(kinds_array);
    let text = ended.output.as_deref().unwrap_or_default().as_bytes();
    let option = ended.raised_by.unwrap_or_default().as_bytes();
    let row = EndRow {
        index: f64::from(ended.task.index),
        generation: f64::from(ended.task.generation),
        run: f64::from(ended.run),
        status: f64::from(ended.status.number()),
        reason: f64::from(ended.reason.number()),
        flags: f64::from(flags),
        tokens: float(ended.usage.tokens),
        nanos: float(ended.usage.nanos),
        turns: float(ended.usage.turns),
        duration_ms: float(ended.duration_ms),
        kinds_at: kinds.as_ref().map_or(0.0, |kinds| f64::from(address(kinds.as_ptr().cast()))),
        output_at: f64::from(address(text.as_ptr())),
        output_length: f64::from(narrow(text.len())),
        option_at: f64::from(address(option.as_ptr())),
        option_length: f64::from(narrow(option.len())),
    };
    run_ended(host, address((&raw const row).cast()))
}

/// Tokens by kind, as `ts/boundary/generated/ended.ts` reads them.
pub(super) fn kinds_array(kinds: &Kinds) -> [f64; Kinds::COUNT + 1] {
    let mut numbers = [f64::from(kinds.estimated); Kinds::COUNT + 1];
    for (number, tokens) in numbers.iter_mut().zip(kinds.values()) {
        *number = tokens.map_or(READING_MISSING, float);
    }
    numbers
}

/// Facts to be stored, as bytes.
pub(super) fn facts(host: u32, bytes: &[u8]) {
    facts_ready(host, address(bytes.as_ptr()), narrow(bytes.len()), 0);
}

/// Facts for listeners in this process: the count of numbers, and the address of their texts, which is never 0.
pub(super) fn shown(host: u32, EventBuffer { numbers, texts }: &EventBuffer) {
    facts_ready(host, address(numbers.as_ptr().cast()), narrow(numbers.len()), address(texts.as_ptr()));
}
