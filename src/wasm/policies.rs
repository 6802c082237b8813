//! Policies at the boundary: their answers, what they count, tools, the turns of main agents. Owns these methods of the
//! core: numbers and scratch bytes in, a number out.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{float, narrow_number, option};
use super::plain::names_in;
use super::reads::write_optional;
use super::texts::Texts;
use super::types::plain;
use crate::base::slab::Key;
use crate::model::codes::{REFUSED, TURN_STOPPED};
use crate::model::input::{Bounds, Input, Reply};
use crate::model::limits::UNLIMITED;
use crate::model::policy::{Answer, Point, Ruling};
use crate::model::status::StopReason;
use crate::read::lookup;

/// No call more may be counted.
const EXHAUSTED: f64 = -2.0;

#[wasm_bindgen]
impl SubAgentCore {
    /// Takes a policy's answer. The scratch holds the policy's name, then what it said. `false` where the
    /// run has ended meanwhile.
    #[allow(clippy::too_many_arguments, reason = "who, where, what, why")]
    pub fn rule(
        &self,
        now: f64,
        index: u32,
        generation: u32,
        run: u32,
        point: u8,
        answer: u8,
        reason: u8,
        policy_len: u32,
        text_len: u32,
    ) -> bool {
        let scratch = self.scratch.borrow();
        let mut texts = Texts::new(&scratch);
        let ruling = Ruling {
            point: Point::from_number(point).unwrap_or(Point::BeforeTurn),
            answer: Answer::from_number(answer).unwrap_or(Answer::Block),
            reason: StopReason::from_number(reason).unwrap_or(StopReason::Policy),
            policy: texts.next(policy_len).unwrap_or_default(),
            text: texts.next(text_len).unwrap_or_default(),
        };
        self.decide(now, Self::actor(index, generation, run), Input::Rule(ruling)).is_some()
    }

    /// A policy takes its time.
    #[wasm_bindgen(js_name = awaitApproval)]
    pub fn await_approval(&self, now: f64, index: u32, generation: u32, run: u32) -> bool {
        self.decide(now, Self::actor(index, generation, run), Input::AwaitApproval).is_some()
    }

    /// The policy has answered. 1 where the run goes on, 0 where `turnReady` will say when, -1 where it ended.
    pub fn approved(&self, now: f64, index: u32, generation: u32, run: u32, starting: bool) -> i32 {
        match self.decide(now, Self::actor(index, generation, run), Input::Approved { starting }) {
            Some(Reply::Later) => 0,
            Some(_) => 1,
            None => -1,
        }
    }

    /// Counts a call for the policy whose name is in the scratch: its number, 0 where there is nothing to
    /// count, -1 where the run has ended, -2 where the limit is reached.
    #[allow(clippy::too_many_arguments, reason = "who, for which policy, how often")]
    pub fn count(&self, now: f64, index: u32, generation: u32, run: u32, policy_len: u32, limit: f64, todos: bool) -> f64 {
        let input = Input::Count { policy: self.text(policy_len), limit: option(limit, 1.0).unwrap_or(UNLIMITED), todos };
        match self.decide(now, Self::actor(index, generation, run), input) {
            Some(Reply::Counted { count, .. }) => float(count),
            Some(_) => EXHAUSTED,
            None => REFUSED,
        }
    }

    /// Takes the to-do list in the scratch, as JSON.
    pub fn todos(&self, now: f64, index: u32, generation: u32, run: u32, open: u32, todos_len: u32) {
        let input = Input::Todos { open: u64::from(open), todos: self.text(todos_len) };
        self.decide(now, Self::actor(index, generation, run), input);
    }

    /// Takes how far the work of a run is: the JSON in the scratch.
    pub fn checkpoint(&self, now: f64, index: u32, generation: u32, run: u32, data_len: u32) -> bool {
        self.decide(now, Self::actor(index, generation, run), Input::Checkpoint(self.text(data_len))).is_some()
    }

    /// Another host carries an open run on, from its last checkpoint or from the beginning: what the one before had begun is
    /// booked, and what that had heard and the next one doesn't know is said again.
    #[wasm_bindgen(js_name = replaceHost)]
    pub fn replace_host(&self, now: f64, index: u32, generation: u32, run: u32, resumes: bool) -> bool {
        self.decide(now, Self::actor(index, generation, run), Input::ReplaceHost { resumes }).is_some()
    }

    /// A tool, whose name is in the scratch, is about to be used. `false` where it may not be.
    #[wasm_bindgen(js_name = beginTool)]
    pub fn begin_tool(&self, now: f64, index: u32, generation: u32, run: u32, name_len: u32) -> bool {
        self.decide(now, Self::actor(index, generation, run), Input::BeginTool(self.text(name_len))).is_some()
    }

    /// A tool was used. Whether there are texts for the model, which `takeInject` gives.
    #[wasm_bindgen(js_name = endTool)]
    pub fn end_tool(&self, now: f64, index: u32, generation: u32, run: u32) -> bool {
        match self.decide(now, Self::actor(index, generation, run), Input::EndTool) {
            Some(Reply::Steered(texts)) => self.keep_inject(texts),
            Some(_) | None => false,
        }
    }

    /// Whether a run may use the tool whose name is in the scratch, before its policies are asked (P2).
    #[wasm_bindgen(js_name = mayUse)]
    #[must_use]
    pub fn may_use(&self, index: u32, generation: u32, run: u32, name_len: u32) -> bool {
        let allowed = self.manager.borrow().may_use(Self::actor(index, generation, run), &self.text(name_len));
        self.or_refuse(allowed).is_some()
    }

    /// Sets the tools that no sub-agent gets.
    #[wasm_bindgen(js_name = blockTools)]
    pub fn block_tools(&self, now: f64, #[wasm_bindgen(unchecked_param_type = "readonly string[]")] tools: &JsValue) -> bool {
        let Some(tools) = self.or_refuse(names_in(tools, "tools")) else { return false };
        let tools = tools.unwrap_or_default();
        self.decide(now, crate::Actor::Program, Input::BlockTools(tools)).is_some()
    }

    /// What a task is denied, or the policies of a session's sub-agents block, that fits none of the main agent's tools:
    /// `{ denied, known }`; `undefined` where those aren't known.
    #[wasm_bindgen(js_name = deniedInVain)]
    pub fn denied_in_vain(&self, index: u32) -> Result<JsValue, JsValue> {
        #[derive(serde::Serialize)]
        struct InVain {
            denied: Vec<String>,
            known: Vec<String>,
        }
        let manager = self.manager.borrow();
        let Some((denied, known)) = manager.denied_in_vain(index) else { return Ok(JsValue::UNDEFINED) };
        plain(&InVain { denied: denied.iter().map(ToString::to_string).collect(), known: known.iter().map(ToString::to_string).collect() })
    }

    /// A main agent asks for a turn; answers as `beginTurn` does, `takeInject` included.
    #[wasm_bindgen(js_name = beginMainTurn)]
    #[allow(clippy::too_many_arguments, reason = "who, within which bounds")]
    pub fn begin_main_turn(&self, now: f64, index: u32, generation: u32, turns: f64, context_tokens: f64, ms: f64) -> f64 {
        let bound = |value: f64| option(value, 1.0).unwrap_or(UNLIMITED);
        let bounds = Bounds { turns: bound(turns), context_tokens: bound(context_tokens), ms: bound(ms) };
        let code = |reason: StopReason| f64::from(reason.number());
        match self.decide(now, Self::actor(index, generation, 0), Input::BeginMainTurn(bounds)) {
            Some(Reply::Go { turn, wrap_up, inject }) => self.turn_code(index, turn, wrap_up, inject),
            Some(Reply::Stop(reason)) => TURN_STOPPED - code(reason),
            _ => REFUSED,
        }
    }

    /// A main agent has answered.
    #[wasm_bindgen(js_name = endMain)]
    pub fn end_main(&self, now: f64, index: u32, generation: u32) {
        self.decide(now, Self::actor(index, generation, 0), Input::EndMain);
    }

    /// Shows what policies know of a task's last run, or of a main agent: nothing behind a 0 if it is not there any more.
    pub fn policing(&self, index: u32, generation: u32) -> u32 {
        self.show(|manager, out| {
            write_optional(lookup::policed(manager.state(), Key { index, generation }).as_ref(), out);
            Ok(())
        })
    }

    /// The text in the scratch, cut to its head and tail where it is longer than `inlineBytes` (R2).
    #[must_use]
    pub fn inline(&self, text_len: f64) -> String {
        let most = usize::try_from(self.manager.borrow().state().limits.inline_bytes).unwrap_or(usize::MAX);
        crate::base::text::inline(&self.text(narrow_number(text_len)), most)
    }
}
