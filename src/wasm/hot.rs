//! The hot path: a spawn, a wait, a turn, a report, an end. Owns these methods of the core. They take and return
//! numbers, with texts in the scratch, without serde; only `takeInject` returns texts.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{NANOS, float, instant, option, pack, reading};
use super::texts::Texts;
use crate::Text;
use crate::base::amounts::Estimate;
use crate::base::slab::Key;
use crate::base::view::ViewField;
use crate::model::codes::{
    ONE_TURN, REFUSED, SPAWN_ANSWERS, SPAWN_IN_BACKGROUND, SPAWN_ONCE, SPAWN_REPEATED, SPAWN_STAGED, SPAWN_WITHOUT_TEXT, TURN_INJECTS,
    TURN_LATER, TURN_STOPPED, WAIT_NEEDS_INPUT, WAIT_NOT_YET, WAIT_NOTHING_OPEN,
};
use crate::model::input::{Actor, Input, Reply};
use crate::model::kinds::{Kinds, ReportedTokens};
use crate::model::outcome::{Outcome, Reading, Returned, Usage};
use crate::model::run_output::{ResultDetails, RunOutput};
use crate::model::spawn::{Answers, ModelLimits, Once, Spawn};
use crate::model::status::StopReason;

#[wasm_bindgen]
impl SubAgentCore {
    /// Admits a sub-agent, which starts at `dispatch` if a slot is free. `text_len` bytes of the scratch are its text; `flags`
    /// are the flags `SPAWN_…`. Options that were not given are `NaN`. Returns index and generation packed; `REFUSED`; or
    /// `SPAWN_REPEATED` minus index and generation of the task that the key names.
    #[allow(clippy::too_many_arguments, reason = "every number of a spawn in one crossing")]
    pub fn begin(
        &self,
        now: f64,
        index: u32,
        generation: u32,
        run: u32,
        flags: u32,
        text_len: u32,
        tokens: f64,
        cost: f64,
        turns: f64,
    ) -> f64 {
        let spawn = || Spawn {
            text: (flags & SPAWN_WITHOUT_TEXT == 0).then(|| self.text(text_len)),
            background: flags & SPAWN_IN_BACKGROUND != 0,
            tokens: option(tokens, 1.0),
            nanos: option(cost, NANOS),
            turns: option(turns, 1.0),
            answers: Answers::from_number(flags & SPAWN_ANSWERS).unwrap_or_default(),
            limits: if flags & SPAWN_STAGED != 0 { self.model_limits.take() } else { ModelLimits::default() },
            spec: if flags & SPAWN_STAGED != 0 { self.staged.take() } else { None },
        };
        let actor = Self::actor(index, generation, run);
        if flags & SPAWN_ONCE != 0 {
            return self.begin_once(now, actor, spawn());
        }
        // Made in place as the argument, so that it isn't moved.
        let task = self.manager.borrow_mut().spawn(instant(now), actor, spawn());
        self.or_refuse(task).map_or(REFUSED, pack)
    }

    /// Accepts the end of a host function. The scratch holds its result: `output_len` bytes of output, then `beside_len` bytes of
    /// its other texts. `returned` is the number of a `Returned`. Readings that the host did not give are `READING_MISSING`.
    #[allow(clippy::too_many_arguments, reason = "every number of an end in one crossing")]
    #[wasm_bindgen(js_name = hostReturned)]
    pub fn host_returned(
        &self,
        now: f64,
        index: u32,
        generation: u32,
        run: u32,
        returned: u32,
        output_len: u32,
        beside_len: u32,
        tokens: f64,
        cost: f64,
        turns: f64,
        duration_ms: f64,
    ) {
        let outcome = Outcome {
            returned: Returned::from_number(returned).unwrap_or(Returned::Invalid),
            usage: Usage { tokens: reading(tokens, 1.0), nanos: reading(cost, NANOS), turns: reading(turns, 1.0), ..Usage::default() },
            output: self.output(output_len, beside_len, duration_ms),
            tokens: self.tokens.take(),
        };
        self.manager.borrow_mut().host_returned(instant(now), Key { index, generation }, run, outcome);
    }

    /// Waits for the current run of one task. Returns the number of the wait, `REFUSED`, or one of `WAIT_…`: the reason for which
    /// there is no wait. `timeout_ms` is `NaN` for no deadline.
    #[allow(clippy::too_many_arguments, reason = "who, for whom, for how long")]
    pub fn wait(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32, timeout_ms: f64) -> f64 {
        let target = Key { index: target, generation: target_generation };
        let actor = Self::actor(index, generation, run);
        let reply = self.manager.borrow_mut().wait_for(instant(now), actor, target, option(timeout_ms, 1.0));
        Self::wait_code(self.or_refuse(reply).as_ref())
    }

    /// Asks for permission to take a turn. Returns `TURN_LATER`, `REFUSED`, or `TURN_STOPPED` minus the reason. Otherwise it
    /// returns the `turn_code` of the turn, which has a flag if `takeInject` has texts. `tokens` and `cost`, in US dollars, are
    /// its expected need: `NaN` if the host gives none. `whole`: the budget of the whole run stays reserved.
    #[allow(clippy::too_many_arguments, reason = "every number of a turn in one crossing")]
    #[wasm_bindgen(js_name = beginTurn)]
    pub fn begin_turn(&self, now: f64, index: u32, generation: u32, run: u32, tokens: f64, cost: f64, whole: bool) -> f64 {
        let actor = Actor::Run(Key { index, generation }, run);
        let code = |reason: StopReason| f64::from(reason.number());
        let estimate = Estimate { tokens: option(tokens, 1.0), nanos: option(cost, NANOS) };
        match self.decide(now, actor, Input::BeginTurn { estimate, whole }) {
            Some(Reply::Go { turn, wrap_up, inject }) => self.turn_code(index, turn, wrap_up, inject),
            Some(Reply::Stop(reason)) => TURN_STOPPED - code(reason),
            Some(Reply::Later) => TURN_LATER,
            _ => REFUSED,
        }
    }

    /// Shows the texts that the turn just granted puts into the conversation, in order.
    #[wasm_bindgen(js_name = takeInject)]
    pub fn take_inject(&self) -> u32 {
        self.show(|_, out| self.inject.take().write(out))
    }

    /// Accepts a report: usage since the last one, and progress. Readings that were not given are `READING_MISSING`; the length
    /// `NO_TEXT` means no message.
    #[allow(clippy::too_many_arguments, reason = "every number of a report in one crossing")]
    pub fn report(&self, now: f64, index: u32, generation: u32, run: u32, tokens: f64, cost: f64, context_tokens: f64, message_len: u32) {
        let usage = Usage { tokens: reading(tokens, 1.0), nanos: reading(cost, NANOS), ..Usage::default() };
        let context_tokens = reading(context_tokens, 1.0).known();
        let message = Texts::new(&self.scratch.borrow()).next(message_len);
        self.decide(now, Self::actor(index, generation, run), Input::Report { usage, tokens: self.tokens.take(), context_tokens, message });
    }

    /// Retains the tokens by kind of the next report, or of the next end of a host function. The scratch holds the id of a model,
    /// or nothing. `named`: the host named this model; otherwise it is the model of runs that were given none. Kinds that were
    /// not given are `READING_MISSING`; `estimated` is 1 or 0.
    #[allow(clippy::too_many_arguments, reason = "every number of it in one crossing")]
    #[wasm_bindgen(js_name = stageTokens)]
    pub fn stage_tokens(
        &self,
        model_len: u32,
        named: bool,
        input: f64,
        output: f64,
        read: f64,
        write: f64,
        hour: f64,
        reasoning: f64,
        estimated: f64,
    ) {
        let model = Texts::new(&self.scratch.borrow()).next(model_len).filter(|text| !text.is_empty());
        let (model_id, otherwise) = if named { (model, None) } else { (None, model) };
        let kind = |value: f64| reading(value, 1.0).known();
        let unread = [input, output, read, write, hour].into_iter().any(|value| reading(value, 1.0) == Reading::Invalid);
        let kinds = Kinds::of([input, output, read, write, hour, reasoning].map(kind), estimated > 0.0);
        self.tokens.replace(Some(Box::new(ReportedTokens { kinds, model_id, otherwise, unread })));
    }

    /// Passes the time, and nothing else.
    pub fn tick(&self, now: f64) {
        self.decide(now, Actor::Program, Input::Tick);
    }

    /// The process stood still for this many milliseconds until now.
    #[wasm_bindgen(js_name = stoodStill)]
    pub fn stood_still(&self, now: f64, ms: f64) {
        self.decide(now, Actor::Program, Input::StoodStill(option(ms, 1.0).unwrap_or(0)));
    }

    /// The result of a run, in the scratch: the output, then, unless `beside_len` is 0, the other texts, each after its length.
    #[inline]
    pub(super) fn output(&self, output_len: u32, beside_len: u32, duration_ms: f64) -> RunOutput {
        let scratch = self.scratch.borrow();
        let mut texts = Texts::new(&scratch);
        let output = texts.next(output_len).unwrap_or_default();
        let duration_ms = reading(duration_ms, 1.0).known();
        if beside_len == 0 && duration_ms.is_none() {
            return RunOutput::from(output);
        }
        RunOutput::new(output, ResultDetails::of(|| if beside_len == 0 { None } else { texts.next_framed() }, duration_ms))
    }

    /// Retains the texts that a turn puts into the conversation, for `takeInject`; returns the flag for the turn's answer.
    fn keep_inject(&self, inject: Vec<Text>) -> bool {
        let any = !inject.is_empty();
        if any {
            self.inject.replace(inject);
        }
        any
    }

    /// The code of a turn that may begin, as `beginTurn` answers and `ts/boundary/turn-code.ts` reads it.
    pub(super) fn turn_code(&self, index: u32, turn: u64, wrap_up: Option<StopReason>, mut inject: Vec<Text>) -> f64 {
        self.add_notices(index, &mut inject);
        let given = if self.keep_inject(inject) { TURN_INJECTS } else { 0.0 };
        float(turn) * ONE_TURN + given + wrap_up.map_or(0.0, |reason| f64::from(reason.number()) + 1.0)
    }

    /// A spawn under the staged key.
    #[cold]
    #[inline(never)]
    fn begin_once(&self, now: f64, actor: Actor, spawn: Spawn) -> f64 {
        let once = self.once.take().unwrap_or_default();
        match self.decide(now, actor, Input::SpawnOnce(Box::new(Once { spawn, ..once }))) {
            Some(Reply::Node(key)) => pack(key),
            Some(Reply::Again(key)) => SPAWN_REPEATED - pack(key),
            Some(_) | None => REFUSED,
        }
    }

    #[inline]
    fn wait_code(reply: Option<&Reply>) -> f64 {
        match reply {
            Some(Reply::Waiting(wait)) => pack(*wait),
            Some(Reply::NeedsInput) => WAIT_NEEDS_INPUT,
            Some(Reply::NotYet) => WAIT_NOT_YET,
            Some(Reply::Done) => WAIT_NOTHING_OPEN,
            Some(_) | None => REFUSED,
        }
    }
}
