//! The cold path: configuration in, snapshots out, through serde. Nothing here is called per run unless
//! a user asks for it.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::host;
use super::numbers::{NANOS, narrow_number, option, pack, reading, signed};
use super::plain::Plain;
use super::types::{ConcurrencyInfo, SpawnGate, SubAgentToolObject, plain};
use crate::amounts::Amounts;
use crate::input::{Actor, Input, Reading, Reply};
use crate::limits::TABLE;
use crate::rejection::Rejection;
use crate::slab::Key;
use crate::spec::Spec;
use crate::state::{DEFAULT_SESSION, ROOT};
use crate::status::{Status, StopReason};
use crate::{Text, id, view};

const PAGE: u32 = 100;

/// A budget as options give it, over the one in force; what is absent keeps its value.
fn cap_over(budget: &mut Plain, base: Amounts) -> Amounts {
    let mut pick = |name: &str, scale: f64, base: u64| budget.field(name).number().and_then(|value| option(value, scale)).unwrap_or(base);
    Amounts { tokens: pick("tokens", 1.0, base.tokens), nanos: pick("costUsd", NANOS, base.nanos), turns: pick("turns", 1.0, base.turns) }
}

/// A limit as options give it: a whole number that its unit takes.
fn limit_of(entry: Plain) -> Result<(Text, u64), Rejection> {
    let mut entry = entry.list().unwrap_or_default().into_iter();
    let name = entry.next().and_then(Plain::text).unwrap_or_default();
    let value = entry.next().and_then(|value| value.number()).unwrap_or(f64::NAN);
    let whole = value == f64::INFINITY || (value >= 0.0 && value.floor() == value);
    let least = TABLE.iter().find(|row| *row.name == *name).map_or(0, |row| row.unit.least());
    let number = option(value, 1.0).filter(|number| whole && *number >= least);
    let what = || Rejection::InvalidArgument { what: format!("`{name}` must be a whole number of at least {least}, or Infinity") };
    number.ok_or_else(what).map(|number| (name.clone(), number))
}

impl SubAgentCore {
    fn refuse(&self, rejection: Rejection) {
        self.refused.replace(Some(rejection));
    }

    /// The value, or `undefined` after keeping the refusal.
    fn or_refuse<T>(&self, result: Result<T, Rejection>) -> Option<T> {
        result.map_err(|rejection| self.refuse(rejection)).ok()
    }

    fn seed_of(&self) -> (u64, u64) {
        self.manager.borrow().state().seed.unwrap_or_default()
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Applies options: `{ limits: [name, value][], budget, taskBudget, onLimit }`. `false` where one is refused.
    pub fn configure(&self, now: f64, settings: JsValue) -> bool {
        let Some(mut settings) = self.or_refuse(Plain::read(settings)) else { return false };
        let limits = settings.field("limits").list().unwrap_or_default().into_iter().map(limit_of).collect();
        let Some(limits) = self.or_refuse(limits) else { return false };
        let mut inputs = vec![Input::SetLimits(limits)];
        let mut budget = settings.field("budget");
        inputs.push(Input::SetBudget(cap_over(&mut budget, self.manager.borrow().state().node(ROOT).account.cap)));
        let mut cap = settings.field("taskBudget");
        inputs.push(Input::SetTaskCap(cap_over(&mut cap, self.manager.borrow().state().task_cap)));
        if let Some(on_limit) = settings.field("onLimit").text() {
            inputs.push(Input::SetReject(*on_limit == *"reject"));
        }
        inputs.into_iter().all(|input| self.handle(now, Actor::Program, input).is_some())
    }

    /// Draws the randomness for ids and fences, once: some edge runtimes have none at import.
    pub fn seed(&self, now: f64) -> bool {
        if self.manager.borrow().state().seed.is_some() {
            return true;
        }
        let (Ok(high), Ok(low)) = (getrandom::u64(), getrandom::u64()) else { return false };
        self.handle(now, Actor::Program, Input::Seed(high, low)).is_some()
    }

    /// Opens a session whose name is in the scratch: slot and generation packed, or -1 where it is refused.
    #[wasm_bindgen(js_name = openSession)]
    pub fn open_session(&self, now: f64, name_len: u32) -> f64 {
        match self.handle(now, Actor::Program, Input::OpenSession(self.text(0, name_len))) {
            Some(Reply::Node(key)) => pack(key),
            Some(_) | None => -1.0,
        }
    }

    /// Tells which tools a session has; `undefined` where that is not known.
    #[wasm_bindgen(js_name = setTools)]
    pub fn set_tools(&self, now: f64, session: u32, tools: Option<Vec<String>>) -> bool {
        let session = self.manager.borrow().state().key(session);
        let tools = tools.map(|tools| tools.into_iter().map(Text::from).collect());
        self.handle(now, Actor::Program, Input::SetTools(session, tools)).is_some()
    }

    /// The first prompt of a manual task.
    #[wasm_bindgen(js_name = subAgentPrompt)]
    #[must_use]
    pub fn sub_agent_prompt(&self, slot: u32, available_tools: Vec<String>, parent_goal: &str) -> String {
        let manager = self.manager.borrow();
        let state = manager.state();
        let node = state.node(slot);
        let max_turns = node.spec().and_then(|spec| spec.max_turns).unwrap_or(state.limits.max_turns);
        crate::prompts::sub_agent_prompt(&crate::prompts::Brief {
            goal: &node.text,
            context_hint: node.spec().and_then(|spec| spec.context_hint.as_deref()).unwrap_or_default(),
            parent_goal,
            available_tools: &available_tools,
            max_turns,
            tokens: node.account.cap.tokens,
        })
    }

    /// The prompt that has an output summarised.
    #[wasm_bindgen(js_name = summaryPrompt)]
    #[must_use]
    pub fn summary_prompt(&self, slot: u32, output: &str) -> String {
        let manager = self.manager.borrow();
        crate::prompts::summary_prompt(&manager.state().node(slot).text, output, manager.state().limits.max_summary_tokens)
    }

    /// A summary as a model returned it, trimmed and cut.
    #[wasm_bindgen(js_name = parseSummary)]
    #[must_use]
    pub fn parse_summary(&self, answer: &str) -> String {
        crate::prompts::parse_summary(answer, self.manager.borrow().state().limits.max_summary_tokens).to_owned()
    }

    /// Keeps what the next `begin` gives beside its text. `false` where it is refused.
    pub fn stage(&self, options: JsValue) -> bool {
        let Some(mut staged) = self.or_refuse(Plain::read(options)) else { return false };
        let mut field = |name: &str| staged.field(name);
        let count = |value: Plain| value.number().and_then(|value| option(value, 1.0));
        let spec = Spec {
            label: field("label").text(),
            context_hint: field("contextHint").text(),
            tools: field("tools").texts(),
            system_prompt: field("systemPrompt").text(),
            model_id: field("modelId").text(),
            max_turns: count(field("maxTurns")),
            timeout_ms: count(field("timeoutMs")),
            idle_timeout_ms: count(field("idleTimeoutMs")),
            turn_estimate: count(field("turnEstimate")),
            priority: field("priority").number().map(signed),
            ..Spec::default()
        };
        self.staged.replace(Some(Box::new(spec)));
        true
    }

    /// Why the last request was refused: `{ code, message, details }`.
    pub fn refusal(&self) -> JsValue {
        #[derive(serde::Serialize)]
        struct Refusal {
            code: &'static str,
            message: String,
            details: crate::rejection::Details,
        }
        let refused = self.refused.borrow();
        let Some(rejection) = refused.as_ref() else { return JsValue::NULL };
        let serializer = serde_wasm_bindgen::Serializer::new();
        serde::Serialize::serialize(
            &Refusal { code: rejection.code(), message: rejection.to_string(), details: rejection.details() },
            &serializer,
        )
        .unwrap_or(JsValue::NULL)
    }

    /// Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3).
    /// Without arguments the program asks.
    #[wasm_bindgen(js_name = canSpawn)]
    #[must_use]
    pub fn can_spawn(&self, slot: Option<u32>, generation: Option<u32>, run: Option<u32>) -> bool {
        let actor = Self::actor(slot.unwrap_or(ROOT), generation.unwrap_or(0), run.unwrap_or(0));
        self.manager.borrow().can_spawn(actor)
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
        Ok(plain_gate(&gate)?.unchecked_into())
    }

    /// Slots held and their limit, queued work, parked runs, host functions that were given up (D4).
    #[wasm_bindgen(js_name = getConcurrencyInfo)]
    pub fn get_concurrency_info(&self) -> Result<ConcurrencyInfo, JsValue> {
        Ok(plain(&view::concurrency(self.manager.borrow().state()))?.unchecked_into())
    }

    /// The tool for a model: its name, description, schema, and the `execute` of its host.
    #[wasm_bindgen(js_name = createSubAgentTool)]
    pub fn create_sub_agent_tool(&self) -> Result<SubAgentToolObject, JsValue> {
        let description = plain(&crate::tool::describe(self.manager.borrow().state()))?;
        Ok(host::make_tool(self.host, description).unchecked_into())
    }

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

    /// The id of a task.
    #[wasm_bindgen(js_name = taskId)]
    #[must_use]
    pub fn task_id(&self, slot: u32, generation: u32) -> String {
        id::encode(self.seed_of(), Key { slot, generation })
    }

    /// Slot and generation of the task whose id is in the scratch, or -1 where it is none of ours.
    pub fn find(&self, id_len: u32) -> f64 {
        let key = id::decode(self.seed_of(), &self.text(0, id_len));
        let found = key.ok_or(Rejection::UnknownTask).and_then(|key| view::find(self.manager.borrow().state(), key).map(|_| key));
        self.or_refuse(found).map_or(-1.0, pack)
    }

    /// A snapshot of a task, or `undefined` where it is refused.
    pub fn get(&self, slot: u32, generation: u32) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        match self.or_refuse(view::find(manager.state(), Key { slot, generation })) {
            Some(slot) => plain(&view::task(manager.state(), slot)),
            None => Ok(JsValue::UNDEFINED),
        }
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
        state.tree.contains(Key { slot, generation }) && node.run != crate::slab::NONE && state.runs.at(node.run).number == run
    }

    /// Whether this run of a task is still known: queued, open, or over with its host still running.
    #[wasm_bindgen(js_name = hasRun)]
    #[must_use]
    pub fn has_run(&self, slot: u32, generation: u32, run: u32) -> bool {
        let manager = self.manager.borrow();
        manager.state().tree.contains(Key { slot, generation }) && manager.state().find_run(slot, run).is_some()
    }

    /// The number of the last run of a task; 0 where there was none.
    #[wasm_bindgen(js_name = lastRun)]
    #[must_use]
    pub fn last_run(&self, slot: u32, generation: u32) -> u32 {
        let manager = self.manager.borrow();
        if manager.state().tree.contains(Key { slot, generation }) { manager.state().node(slot).runs } else { 0 }
    }

    /// The message that the open run of a task answers.
    #[must_use]
    pub fn message(&self, slot: u32) -> String {
        let manager = self.manager.borrow();
        let state = manager.state();
        state.run_of(slot).message.as_deref().unwrap_or(&state.node(slot).text).to_owned()
    }

    /// Tasks: `{ items, total }`, filtered and paged; below the given actor, or all.
    pub fn list(&self, slot: u32, listing: JsValue) -> Result<JsValue, JsValue> {
        let Some(mut listing) = self.or_refuse(Plain::read(listing)) else { return Ok(JsValue::UNDEFINED) };
        let statuses = listing.field("status").texts().unwrap_or_default();
        let statuses: Vec<Status> = statuses.iter().filter_map(|name| Status::from_name(name)).collect();
        let mut count = |name: &str| listing.field(name).number().map(narrow_number);
        let (offset, limit) = (count("offset").unwrap_or(0), count("limit").unwrap_or(PAGE));
        let manager = self.manager.borrow();
        plain(&view::list(manager.state(), slot, &statuses, offset, limit))
    }

    /// Statistics.
    pub fn stats(&self) -> Result<JsValue, JsValue> {
        let manager = self.manager.borrow();
        plain(&view::stats(manager.state(), manager.can_spawn(Actor::Program)))
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

    /// Tokens set aside for the open run of a task.
    #[wasm_bindgen(js_name = heldTokens)]
    #[must_use]
    pub fn held_tokens(&self, slot: u32) -> f64 {
        super::numbers::float(self.manager.borrow().state().run_of(slot).hold.tokens)
    }

    /// The text that a model sees for an end; the output is in the scratch.
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
    ) -> String {
        let output = self.text(0, output_len);
        let manager = self.manager.borrow();
        let key = Key { slot, generation };
        let seed = self.manager.borrow().state().seed.unwrap_or_default();
        let known = |value: f64, scale: f64| match reading(value, scale) {
            Reading::Is(value) => Some(value),
            Reading::Missing | Reading::Invalid => None,
        };
        let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        crate::tool::result_text(&crate::tool::Shown {
            task_id: &id::encode(seed, key),
            nonce: &id::fence_nonce(seed, key, run),
            status: Status::from_number(small(status)).unwrap_or(Status::Failed),
            reason: StopReason::from_number(small(reason)).unwrap_or(StopReason::HostFailed),
            turns: known(turns, 1.0),
            nanos: known(cost, NANOS),
            duration_ms: known(duration_ms, 1.0),
            output: &output,
            inline_bytes: usize::try_from(manager.state().limits.inline_bytes).unwrap_or(usize::MAX),
        })
    }

    /// Starts or stops handing facts to the host.
    pub fn listen(&self, on: bool) {
        self.manager.borrow_mut().listen(on);
    }

    /// Asks for `taskForgotten` for every task that is forgotten from now on.
    #[wasm_bindgen(js_name = tellForgotten)]
    pub fn tell_forgotten(&self) {
        self.manager.borrow_mut().tell_forgotten();
    }

    /// The host runs it somewhere else and will report its end.
    #[wasm_bindgen(js_name = startedElsewhere)]
    pub fn started_elsewhere(&self, now: f64, slot: u32, generation: u32, run: u32) {
        self.handle(now, Actor::Program, Input::StartedElsewhere { task: Key { slot, generation }, run });
    }

    /// A number that changes with the state: equal before and after a request that was refused.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", self.manager.borrow().state().digest())
    }

    /// How many facts there have been.
    #[wasm_bindgen(js_name = factCount)]
    #[must_use]
    pub fn fact_count(&self) -> f64 {
        super::numbers::float(self.manager.borrow().fact_count())
    }

    /// Slots of the default session: where the program's sub-agents live.
    #[wasm_bindgen(js_name = defaultSession)]
    #[must_use]
    pub fn default_session(&self) -> u32 {
        DEFAULT_SESSION
    }
}

fn plain_gate<T: serde::Serialize>(gate: &T) -> Result<JsValue, JsValue> {
    serde::Serialize::serialize(gate, &serde_wasm_bindgen::Serializer::new()).map_err(JsValue::from)
}
