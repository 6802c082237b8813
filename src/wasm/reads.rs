//! Reads: what the core knows, as objects. Owns these methods of the core, which change nothing but the refusal that is
//! kept.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::host;
use super::numbers::{instant, narrow_number};
use super::plain::Plain;
use super::types::{ConcurrencyInfo, SpawnGate, plain};
use crate::base::slab::Key;
use crate::model::details::Details;
use crate::model::input::Actor;
use crate::model::status::Status;
use crate::read::{lookup, view};

/// How many tasks a page has unless the caller says.
const PAGE: u32 = 100;

#[wasm_bindgen]
impl SubAgentCore {
    /// Why the last request was refused: `{ code, message, told, details }`.
    pub fn refusal(&self) -> JsValue {
        #[derive(serde::Serialize)]
        struct Refusal {
            code: &'static str,
            message: String,
            told: String,
            details: Details,
        }
        let refused = self.refused.borrow();
        let Some(rejection) = refused.as_ref() else { return JsValue::NULL };
        let (code, message, told) = (rejection.code(), rejection.to_string(), rejection.told());
        plain(&Refusal { code, message, told, details: rejection.details(&|task| self.manager.borrow().state().id_of(task)) })
            .unwrap_or(JsValue::NULL)
    }

    /// Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
    #[wasm_bindgen(js_name = checkConsumerSpawn)]
    pub fn check_consumer_spawn(&self, params: &JsValue) -> Result<SpawnGate, JsValue> {
        let answer = host::consumer_gate(self.host, params);
        let gate = view::GateView { allowed: answer.as_bool().unwrap_or(false), reason: answer.as_string() };
        Ok(plain(&gate)?.unchecked_into())
    }

    /// Slots held and their limit, queued work, parked runs, host functions that were given up (D4).
    /// Without `now`, as of the last fact.
    #[wasm_bindgen(js_name = getConcurrencyInfo)]
    pub fn get_concurrency_info(&self, now: Option<f64>) -> Result<ConcurrencyInfo, JsValue> {
        let manager = self.manager.borrow();
        Ok(plain(&view::concurrency(manager.state(), manager.time_of(instant(now.unwrap_or(0.0)))))?.unchecked_into())
    }

    /// A snapshot of a task, or `undefined` where it is refused. Without `now`, as of the last fact.
    pub fn get(&self, index: u32, generation: u32, now: Option<f64>) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { index, generation })) {
            Some(index) => plain(&view::task(manager.state(), index, manager.time_of(instant(now.unwrap_or(0.0))))),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The messages that wait for a task, oldest first; `undefined` where it is refused.
    #[must_use]
    pub fn queue(&self, index: u32, generation: u32) -> Option<Vec<String>> {
        let manager = self.manager.borrow();
        let messages = self.or_refuse(lookup::messages(manager.state(), Key { index, generation }))?;
        Some(messages.iter().map(|message| message.text.to_string()).collect())
    }

    /// The model of a task, without a snapshot; `undefined` where none was named or the task is not there.
    #[wasm_bindgen(js_name = modelId)]
    #[must_use]
    pub fn model_id(&self, index: u32, generation: u32) -> Option<String> {
        lookup::spec(self.manager.borrow().state(), Key { index, generation })?.model_id.as_deref().map(str::to_owned)
    }

    /// A page of a task's result, or `undefined` where it is refused.
    #[wasm_bindgen(js_name = readResult)]
    #[allow(clippy::too_many_arguments, reason = "who, whose, which part")]
    pub fn read_result(
        &self,
        index: u32,
        generation: u32,
        run: u32,
        target: u32,
        target_generation: u32,
        offset: u32,
        limit: u32,
    ) -> Result<JsValue, JsValue> {
        let task = Key { index: target, generation: target_generation };
        let page = self.manager.borrow().read_result(Self::actor(index, generation, run), task, offset, limit);
        self.or_refuse(page).map_or(Ok(JsValue::UNDEFINED), |page| plain(&page))
    }

    /// The account of a task, a session or, with index 0, the manager: cap, spent, held, available, overspent
    /// in each dimension.
    pub fn budget(&self, index: u32) -> Result<JsValue, JsValue> {
        plain(&view::budget(self.manager.borrow().state(), index))
    }

    /// The last checkpoint of a task, as JSON; `undefined` where there is none.
    pub fn checkpointed(&self, index: u32, generation: u32) -> Option<String> {
        lookup::checkpoint(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// How the attempt before a run ended, `{ reason, error }`; `undefined` where it is the first at its message.
    #[wasm_bindgen(js_name = previousError)]
    pub fn previous_error(&self, index: u32, generation: u32, run: u32) -> Result<JsValue, JsValue> {
        let previous = lookup::previous(self.manager.borrow().state(), Key { index, generation }, run);
        previous.map_or(Ok(JsValue::UNDEFINED), |previous| plain(&previous))
    }

    /// What the keys of a run's actions begin with: the same in each attempt at its message.
    #[wasm_bindgen(js_name = workKey)]
    #[must_use]
    pub fn work_key(&self, index: u32, generation: u32, run: u32) -> String {
        self.manager.borrow().state().work_key(Key { index, generation }, run)
    }

    /// Tasks: `{ items, total }`, filtered and paged; below the given actor, or all. Without `now`, as of the last fact.
    pub fn list(&self, index: u32, listing: &JsValue, now: Option<f64>) -> Result<JsValue, JsValue> {
        let Some(mut listing) = self.or_refuse(Plain::read(listing)) else { return Ok(JsValue::UNDEFINED) };
        let statuses = listing.field("status").texts().unwrap_or_default();
        let filter = view::Filter {
            statuses: statuses.iter().filter_map(|name| Status::from_name(name)).collect(),
            parent: listing.field("parent").number().map(narrow_number),
            label: listing.field("label").text(),
            background: listing.field("background").number().map(|value| value != 0.0),
        };
        let mut count = |name: &str| listing.field(name).number().map(narrow_number);
        let (offset, limit) = (count("offset").unwrap_or(0), count("limit").unwrap_or(PAGE));
        let manager = self.manager.borrow();
        plain(&view::list(manager.state(), index, &filter, offset, limit, manager.time_of(instant(now.unwrap_or(0.0)))))
    }

    /// Statistics.
    pub fn stats(&self, now: f64) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        plain(&view::stats(manager.state(), manager.can_spawn(instant(now), Actor::Program), instant(now)))
    }

    /// Limits of a task's runs: `{ maxTurns, tokens, costUsd, turns, timeoutMs, idleTimeoutMs }`, `Infinity` where
    /// there is none; `undefined` where the task is not there any more.
    #[wasm_bindgen(js_name = runLimits)]
    pub fn run_limits(&self, index: u32, generation: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { index, generation })) {
            Some(index) => plain(&view::run_limits(manager.state(), index)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The option that raises the limit at which a task's last run ended; `undefined` where it ended at none, or isn't
    /// there any more.
    #[wasm_bindgen(js_name = raisedBy)]
    #[must_use]
    pub fn raised_by(&self, index: u32, generation: u32) -> Option<String> {
        lookup::end_raised_by(self.manager.borrow().state(), Key { index, generation }).map(str::to_owned)
    }

    /// What is left for a run: `{ tokens, costUsd, turns, shared }`, the last of the same form, without the task's
    /// own cap; `undefined` where the task is not there any more.
    #[wasm_bindgen(js_name = remaining)]
    pub fn remaining(&self, index: u32, generation: u32, run: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { index, generation })) {
            Some(index) => plain(&view::remaining(manager.state(), index, run)),
            None => Ok(JsValue::UNDEFINED),
        }
    }
}
