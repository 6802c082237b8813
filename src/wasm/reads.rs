//! Reads: what the core knows, as objects, texts and numbers. Nothing here changes anything but the refusal
//! that is kept.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::host;
use super::numbers::{NANOS, instant, narrow_number, pack, reading};
use super::plain::{Plain, names_in};
use super::texts::Texts;
use super::types::{ConcurrencyInfo, SpawnGate, SubAgentToolObject, plain};
use crate::base::id;
use crate::base::number::number;
use crate::base::slab::Key;
use crate::model::details::Details;
use crate::model::input::{Actor, Reading};
use crate::model::rejection::Rejection;
use crate::model::status::{Status, StopReason};
use crate::read::ends;
use crate::read::fence::Source;
use crate::read::view;
use crate::state::{DEFAULT_SESSION, ROOT};

/// How many tasks a page has where nobody says.
const PAGE: u32 = 100;

#[wasm_bindgen]
impl SubAgentCore {
    /// The first prompt of a manual task; `undefined` where the list of tools is refused.
    #[wasm_bindgen(js_name = subAgentPrompt)]
    #[must_use]
    pub fn sub_agent_prompt(
        &self,
        slot: u32,
        #[wasm_bindgen(unchecked_param_type = "readonly string[]")] available_tools: &JsValue,
        parent_goal: &str,
    ) -> Option<String> {
        let available_tools = self.or_refuse(names_in(available_tools, "availableTools"))?.unwrap_or_default();
        let manager = self.manager.borrow();
        let state = manager.state();
        let node = state.node(slot);
        let max_turns = state.max_turns_of(slot);
        Some(crate::prompts::sub_agent_prompt(&crate::prompts::Brief {
            goal: &node.text,
            context_hint: node.spec().and_then(|spec| spec.context_hint.as_deref()).unwrap_or_default(),
            parent_goal,
            available_tools: &available_tools,
            max_turns,
            tokens: node.account.cap.tokens,
        }))
    }

    /// The prompt that has an output summarised.
    #[wasm_bindgen(js_name = summaryPrompt)]
    #[must_use]
    pub fn summary_prompt(&self, slot: u32, output: &str) -> String {
        let manager = self.manager.borrow();
        let state = manager.state();
        let node = state.node(slot);
        let source = Source::of(state, state.key(slot), node.runs);
        crate::prompts::summary_prompt(&source, &node.text, output, state.limits.max_summary_tokens)
    }

    /// A summary as a model returned it, trimmed and cut.
    #[wasm_bindgen(js_name = parseSummary)]
    #[must_use]
    pub fn parse_summary(&self, answer: &str) -> String {
        crate::prompts::parse_summary(answer, self.manager.borrow().state().limits.max_summary_tokens).to_owned()
    }

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
        plain(&Refusal { code, message, told, details: rejection.details(self.seed_of()) }).unwrap_or(JsValue::NULL)
    }

    /// Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3).
    /// Without arguments the program asks; without `now`, as of the last input.
    #[wasm_bindgen(js_name = canSpawn)]
    #[must_use]
    pub fn can_spawn(&self, slot: Option<u32>, generation: Option<u32>, run: Option<u32>, now: Option<f64>) -> bool {
        let actor = Self::actor(slot.unwrap_or(ROOT), generation.unwrap_or(0), run.unwrap_or(0));
        self.manager.borrow().can_spawn(instant(now.unwrap_or(0.0)), actor)
    }

    /// Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
    #[wasm_bindgen(js_name = checkConsumerSpawn)]
    pub fn check_consumer_spawn(&self, params: &JsValue) -> Result<SpawnGate, JsValue> {
        #[derive(serde::Serialize)]
        struct Gate {
            allowed: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            reason: Option<String>,
        }
        let answer = host::consumer_gate(self.host, params);
        let gate = match answer.as_bool() {
            Some(allowed) => Gate { allowed, reason: None },
            None => Gate { allowed: false, reason: answer.as_string() },
        };
        Ok(plain(&gate)?.unchecked_into())
    }

    /// How many tokens the manual style may still set aside; `Infinity` where nothing caps them (B10).
    #[wasm_bindgen(js_name = poolLeft)]
    #[must_use]
    pub fn pool_left(&self) -> f64 {
        number(self.manager.borrow().state().pool_left()).0
    }

    /// Slots held and their limit, queued work, parked runs, host functions that were given up (D4).
    /// Without `now`, as of the last fact.
    #[wasm_bindgen(js_name = getConcurrencyInfo)]
    pub fn get_concurrency_info(&self, now: Option<f64>) -> Result<ConcurrencyInfo, JsValue> {
        Ok(plain(&view::concurrency(self.manager.borrow().state(), instant(now.unwrap_or(0.0))))?.unchecked_into())
    }

    /// Whether work waits for a slot, for budget, or for a rate limit.
    #[wasm_bindgen(js_name = hasQueued)]
    #[must_use]
    pub fn has_queued(&self) -> bool {
        self.manager.borrow().state().queued() > 0
    }

    /// The tool for a model: its name, description, schema, and the `execute` of its host.
    #[wasm_bindgen(js_name = createSubAgentTool)]
    pub fn create_sub_agent_tool(&self) -> Result<SubAgentToolObject, JsValue> {
        let description = plain(&crate::tool::describe(self.manager.borrow().state()))?;
        Ok(host::make_tool(self.host, description).unchecked_into())
    }

    /// The id that a model is told for a task: the host's own, where it started it under one that means no other.
    #[wasm_bindgen(js_name = toldId)]
    #[must_use]
    pub fn told_id(&self, slot: u32, generation: u32) -> String {
        self.manager.borrow().state().id_told(Key { slot, generation })
    }

    /// The id of a task.
    #[wasm_bindgen(js_name = taskId)]
    #[must_use]
    pub fn task_id(&self, slot: u32, generation: u32) -> String {
        id::encode(self.seed_of(), Key { slot, generation })
    }

    /// The key that ids are made with, both halves: what outlives the core makes its own.
    #[wasm_bindgen(js_name = idKey)]
    #[must_use]
    pub fn id_key(&self) -> Vec<u64> {
        let (high, low) = self.seed_of();
        vec![high, low]
    }

    /// Slot and generation of the task whose id is in the scratch, or whom this actor means by the nickname, or the
    /// host's id, there; -1 where there is none, or more than one.
    pub fn find(&self, slot: u32, generation: u32, run: u32, id_len: u32) -> f64 {
        let name = self.text(id_len);
        let seed = self.seed_of();
        let manager = self.manager.borrow();
        let state = manager.state();
        let actor = Self::actor(slot, generation, run);
        let by_name = || match state.find_named(actor, &name) {
            Err(Rejection::UnknownTask) => state.find_hosted(actor, &name),
            found => found,
        };
        let key = id::decode(seed, &name).map_or_else(by_name, Ok);
        let found = key.and_then(|key| view::find(state, key).map(|_| key));
        self.or_refuse(found).map_or(-1.0, pack)
    }

    /// A snapshot of a task, or `undefined` where it is refused. Without `now`, as of the last fact.
    pub fn get(&self, slot: u32, generation: u32, now: Option<f64>) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { slot, generation })) {
            Some(slot) => plain(&view::task(manager.state(), slot, instant(now.unwrap_or(0.0)))),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The messages that wait for a task, oldest first; `undefined` where it is refused.
    #[must_use]
    pub fn queue(&self, slot: u32, generation: u32) -> Option<Vec<String>> {
        let manager = self.manager.borrow();
        let slot = self.or_refuse(view::find(manager.state(), Key { slot, generation }))?;
        let messages = manager.state().node(slot).cold.as_ref().map_or(&[][..], |cold| &cold.messages);
        Some(messages.iter().map(|text| text.to_string()).collect())
    }

    /// The model of a task, without a snapshot; `undefined` where none was named or the task is not there.
    #[wasm_bindgen(js_name = modelId)]
    #[must_use]
    pub fn model_id(&self, slot: u32, generation: u32) -> Option<String> {
        let manager = self.manager.borrow();
        let slot = view::find(manager.state(), Key { slot, generation }).ok()?;
        manager.state().node(slot).spec()?.model_id.as_deref().map(str::to_owned)
    }

    /// A page of a task's result, or `undefined` where it is refused.
    #[wasm_bindgen(js_name = readResult)]
    #[allow(clippy::too_many_arguments, reason = "who, whose, which part")]
    pub fn read_result(
        &self,
        slot: u32,
        generation: u32,
        run: u32,
        target: u32,
        target_generation: u32,
        offset: u32,
        limit: u32,
    ) -> Result<JsValue, JsValue> {
        let task = Key { slot: target, generation: target_generation };
        let page = crate::rules::results::read(self.manager.borrow().state(), Self::actor(slot, generation, run), task, offset, limit);
        self.or_refuse(page).map_or(Ok(JsValue::UNDEFINED), |page| plain(&page))
    }

    /// The account of a task, a session or, with slot 0, the manager: cap, spent, held, available, overspent
    /// in each dimension.
    pub fn budget(&self, slot: u32) -> Result<JsValue, JsValue> {
        plain(&view::budget(self.manager.borrow().state(), slot))
    }

    /// The status of a task by number, without a snapshot; -1 where it is not there.
    #[must_use]
    pub fn status(&self, slot: u32, generation: u32) -> i32 {
        let manager = self.manager.borrow();
        view::find(manager.state(), Key { slot, generation }).map_or(-1, |slot| i32::from(manager.state().node(slot).status.number()))
    }

    /// Whether this run of a task is queued or open.
    #[wasm_bindgen(js_name = isOpen)]
    #[must_use]
    pub fn is_open(&self, slot: u32, generation: u32, run: u32) -> bool {
        let manager = self.manager.borrow();
        let state = manager.state();
        let node = state.node(slot);
        state.tree.contains(Key { slot, generation }) && node.run != crate::base::slab::NONE && state.runs.at(node.run).number == run
    }

    /// How an event names what is, or was, in the slot: the id of a task, nothing for a session.
    #[wasm_bindgen(js_name = eventId)]
    #[must_use]
    pub fn event_id(&self, slot: u32, generation: u32) -> Option<String> {
        let key = Key { slot, generation };
        let manager = self.manager.borrow();
        let is_session = manager.state().tree.contains(key) && manager.state().node(slot).kind == crate::state::node::Kind::Session;
        (!is_session).then(|| id::encode(self.seed_of(), key))
    }

    /// An actor's own sub-agents that are at work, or whose ends it has not been told: slot and generation of each in
    /// turn. `undefined` where the actor has ended.
    #[wasm_bindgen(js_name = ownToWaitFor)]
    pub fn own_to_wait_for(&self, slot: u32, generation: u32, run: u32) -> Option<Vec<u32>> {
        let own = self.manager.borrow().own_to_wait_for(Self::actor(slot, generation, run));
        Some(self.or_refuse(own)?.into_iter().flat_map(|task| [task.slot, task.generation]).collect())
    }

    /// Whether this run of a task is still known: queued, open, or over with its host still running.
    #[wasm_bindgen(js_name = hasRun)]
    #[must_use]
    pub fn has_run(&self, slot: u32, generation: u32, run: u32) -> bool {
        let manager = self.manager.borrow();
        manager.state().tree.contains(Key { slot, generation }) && manager.state().find_run(slot, run).is_some()
    }

    /// How far the work of a task was when its run last told, as JSON; `undefined` where it has not.
    pub fn checkpointed(&self, slot: u32, generation: u32) -> Option<String> {
        let manager = self.manager.borrow();
        let state = manager.state();
        let node = state.tree.contains(Key { slot, generation }).then(|| state.node(slot))?;
        node.cold.as_ref()?.checkpoint.as_deref().map(str::to_owned)
    }

    /// How the attempt before a run ended, `{ reason, error }`; `undefined` where it is the first at its message.
    #[wasm_bindgen(js_name = previousError)]
    pub fn previous_error(&self, slot: u32, generation: u32, run: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        let state = manager.state();
        let is_known = state.tree.contains(Key { slot, generation }) && state.run_of(slot).number == run;
        match state.run_of(slot).previous.as_ref().filter(|_| is_known) {
            Some(previous) => plain(&view::attempt(previous)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The number of the last run of a task; 0 where there was none.
    #[wasm_bindgen(js_name = lastRun)]
    #[must_use]
    pub fn last_run(&self, slot: u32, generation: u32) -> u32 {
        let manager = self.manager.borrow();
        if manager.state().tree.contains(Key { slot, generation }) { manager.state().node(slot).runs } else { 0 }
    }

    /// How the last run of a task ended: its status, and 256 times why. Where one is open, or there was none, how the
    /// task stands.
    #[wasm_bindgen(js_name = lastEnd)]
    #[must_use]
    pub fn last_end(&self, slot: u32) -> u32 {
        let manager = self.manager.borrow();
        let node = manager.state().node(slot);
        let (status, reason) = if node.run == crate::base::slab::NONE && node.runs > 0 { node.end } else { (node.status, node.reason) };
        u32::from(status.number()) | (u32::from(reason.number()) << 8)
    }

    /// The message that the open run of a task answers.
    #[must_use]
    pub fn message(&self, slot: u32) -> String {
        let manager = self.manager.borrow();
        let state = manager.state();
        state.run_of(slot).message.as_deref().unwrap_or(&state.node(slot).text).to_owned()
    }

    /// Tasks: `{ items, total }`, filtered and paged; below the given actor, or all. Without `now`, as of the last fact.
    pub fn list(&self, slot: u32, listing: &JsValue, now: Option<f64>) -> Result<JsValue, JsValue> {
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
        plain(&view::list(manager.state(), slot, &filter, offset, limit, instant(now.unwrap_or(0.0))))
    }

    /// Statistics.
    pub fn stats(&self, now: f64) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        plain(&view::stats(manager.state(), manager.can_spawn(instant(now), Actor::Program), instant(now)))
    }

    /// Limits of a task's runs: `{ maxTurns, tokens, costUsd, turns, timeoutMs, idleTimeoutMs }`, `Infinity` where
    /// there is none; `undefined` where the task is not there any more.
    #[wasm_bindgen(js_name = runLimits)]
    pub fn run_limits(&self, slot: u32, generation: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { slot, generation })) {
            Some(slot) => plain(&view::run_limits(manager.state(), slot)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// The option that raises the limit at which a task's last run ended; `undefined` where it ended at none, or isn't
    /// there any more.
    #[wasm_bindgen(js_name = raisedBy)]
    #[must_use]
    pub fn raised_by(&self, slot: u32, generation: u32) -> Option<String> {
        let manager = self.manager.borrow();
        let slot = view::find(manager.state(), Key { slot, generation }).ok()?;
        let reason = manager.state().node(slot).end.1;
        view::raised_by(manager.state(), slot, reason).map(str::to_owned)
    }

    /// What is left for a run: `{ tokens, costUsd, turns, shared }`, the last of the same form, without the task's
    /// own cap; `undefined` where the task is not there any more.
    #[wasm_bindgen(js_name = remaining)]
    pub fn remaining(&self, slot: u32, generation: u32, run: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { slot, generation })) {
            Some(slot) => plain(&view::remaining(manager.state(), slot, run)),
            None => Ok(JsValue::UNDEFINED),
        }
    }

    /// Whether it is known which tools a task has.
    #[wasm_bindgen(js_name = knowsTools)]
    #[must_use]
    pub fn knows_tools(&self, slot: u32, generation: u32) -> bool {
        let manager = self.manager.borrow();
        let state = manager.state();
        state.tree.contains(Key { slot, generation }) && state.node(slot).spec().is_some_and(|spec| spec.tools.is_some())
    }

    /// Whether an actor may name a task: it is below it, or the program asks (A1).
    #[must_use]
    pub fn reaches(&self, slot: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let key = Key { slot: target, generation: target_generation };
        let reached = self.manager.borrow().state().reach(Self::actor(slot, generation, run), key);
        self.or_refuse(reached).is_some()
    }

    /// Whether an actor may still speak: its run is open, or it is no run (A1).
    #[must_use]
    pub fn speaks(&self, slot: u32, generation: u32, run: u32) -> bool {
        let place = self.manager.borrow().state().place_of(Self::actor(slot, generation, run));
        self.or_refuse(place).is_some()
    }

    /// Whether an actor may start work, in the background or to be waited for (D9).
    #[wasm_bindgen(js_name = mayStart)]
    #[must_use]
    pub fn may_start(&self, slot: u32, generation: u32, run: u32, background: bool) -> bool {
        let answer =
            crate::rules::admit::admission::check_caller(self.manager.borrow().state(), Self::actor(slot, generation, run), background);
        self.or_refuse(answer).is_some()
    }

    /// Tokens set aside for the open run of a task.
    #[wasm_bindgen(js_name = heldTokens)]
    #[must_use]
    pub fn held_tokens(&self, slot: u32) -> f64 {
        super::numbers::float(self.manager.borrow().state().run_of(slot).hold.tokens)
    }

    /// The text that a model sees for an end; in the scratch are the output, the error and the host's own word for
    /// the status.
    #[wasm_bindgen(js_name = resultText)]
    #[allow(clippy::too_many_arguments, reason = "every number of an end")]
    pub fn result_text(
        &self,
        slot: u32,
        generation: u32,
        run: u32,
        status: u32,
        reason: u32,
        turns: f64,
        cost: f64,
        duration_ms: f64,
        output_len: u32,
        error_len: u32,
        word_len: u32,
    ) -> String {
        let manager = self.manager.borrow();
        let scratch = self.scratch.borrow();
        let mut texts = Texts::new(&scratch);
        let output = texts.next(output_len).unwrap_or_default();
        let (error, host_status) = (texts.next(error_len), texts.next(word_len));
        let known = |value: f64, scale: f64| match reading(value, scale) {
            Reading::Is(value) => Some(value),
            Reading::Missing | Reading::Invalid => None,
        };
        let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        ends::result_text(&ends::Shown {
            source: Source::of(manager.state(), Key { slot, generation }, run),
            how: ends::How {
                status: Status::from_number(small(status)).unwrap_or(Status::Failed),
                reason: StopReason::from_number(small(reason)).unwrap_or(StopReason::HostFailed),
                error: error.as_deref(),
                host_status: host_status.as_deref(),
            },
            turns: known(turns, 1.0),
            nanos: known(cost, NANOS),
            duration_ms: known(duration_ms, 1.0),
            output: &output,
            inline_bytes: usize::try_from(manager.state().limits.inline_bytes).unwrap_or(usize::MAX),
        })
    }

    /// How many facts there have been that events tell: the seed, which is nobody's to know, is none of them.
    #[wasm_bindgen(js_name = factCount)]
    #[must_use]
    pub fn fact_count(&self) -> f64 {
        let manager = self.manager.borrow();
        let untold = u64::from(manager.state().seed.is_some());
        super::numbers::float(manager.fact_count().saturating_sub(untold))
    }

    /// A limit in force, by its place in the table; `Infinity` where it is lifted.
    #[must_use]
    pub fn limit(&self, index: u32) -> f64 {
        let values = self.manager.borrow().state().limits.values();
        usize::try_from(index).ok().and_then(|index| values.get(index)).map_or(f64::NAN, |value| super::numbers::float(*value))
    }

    /// Slots of the default session: where the program's sub-agents live.
    #[wasm_bindgen(js_name = defaultSession)]
    #[must_use]
    pub fn default_session(&self) -> u32 {
        DEFAULT_SESSION
    }
}
