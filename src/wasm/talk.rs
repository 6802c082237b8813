//! Messages, interrupts and questions across the boundary. Owns these methods of the core: numbers in, a number out
//! that says what became of it; texts through the scratch.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{option, pack};
use crate::Text;
use crate::base::slab::Key;
use crate::model::codes::{ASK_CANNOT_ANSWER, ASK_OPEN, ASK_STOPPED};
use crate::model::input::{Actor, Input, Mode, Reply};
use crate::read::{lookup, questions};

impl SubAgentCore {
    /// Keeps what a turn puts into the conversation, for `takeInject`; the flag for the turn's answer.
    pub(super) fn keep_inject(&self, inject: Vec<Text>) -> bool {
        let any = !inject.is_empty();
        if any {
            self.inject.replace(inject);
        }
        any
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Sends the message in the scratch; `mode` is the number of a `Mode`. Returns the number of a `Receipt`, or -1 where it is
    /// refused.
    #[allow(clippy::too_many_arguments, reason = "who, to whom, how, what")]
    pub fn send(
        &self,
        now: f64,
        index: u32,
        generation: u32,
        run: u32,
        target: u32,
        target_generation: u32,
        mode: u32,
        text_len: u32,
    ) -> i32 {
        let text = self.text(text_len);
        let task = Key { index: target, generation: target_generation };
        let mode = Mode::from_number(mode).unwrap_or(Mode::Interrupt);
        match self.decide(now, Self::actor(index, generation, run), Input::Send { task, mode, text }) {
            Some(Reply::Sent(receipt)) => receipt.number().cast_signed(),
            Some(_) | None => -1,
        }
    }

    /// The actor's child that changed last, of those that take messages: index and generation packed, -1 where
    /// there is none.
    #[wasm_bindgen(js_name = openChild)]
    #[must_use]
    pub fn open_child(&self, index: u32, generation: u32, run: u32) -> f64 {
        self.manager.borrow().state().open_child(Self::actor(index, generation, run)).map_or(-1.0, pack)
    }

    /// Stops the run of a task; its queue waits for the next send. Returns as `wait` does.
    #[allow(clippy::too_many_arguments, reason = "who, whom, for how long")]
    pub fn interrupt(&self, now: f64, index: u32, generation: u32, run: u32, target: u32, target_generation: u32, grace_ms: f64) -> f64 {
        let task = Key { index: target, generation: target_generation };
        let input = Input::Interrupt { task, grace_ms: option(grace_ms, 1.0) };
        self.wait_for(now, Self::actor(index, generation, run), input)
    }

    /// Asks the question in the scratch in the name of a run, and returns one of `ASK_…`, or -1 where it is refused.
    /// `timeout_ms` is `NaN` for `askTimeoutMs`.
    pub fn ask(&self, now: f64, index: u32, generation: u32, run: u32, timeout_ms: f64, text_len: u32) -> i32 {
        let input = Input::Ask { question: self.text(text_len), timeout_ms: option(timeout_ms, 1.0) };
        match self.decide(now, Actor::Run(Key { index, generation }, run), input) {
            Some(Reply::Asked) => ASK_OPEN,
            Some(Reply::Unanswered { stopped: false }) => ASK_CANNOT_ANSWER,
            Some(Reply::Unanswered { stopped: true }) => ASK_STOPPED,
            Some(_) | None => -1,
        }
    }

    /// What a task asks, while it has no answer.
    #[must_use]
    pub fn question(&self, index: u32, generation: u32) -> Option<String> {
        lookup::question(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// The same as the model sees it that asked for the task.
    #[wasm_bindgen(js_name = questionText)]
    #[must_use]
    pub fn question_text(&self, index: u32, generation: u32) -> Option<String> {
        questions::text_of(self.manager.borrow().state(), Key { index, generation }).map(String::from)
    }

    /// What the turn that was just granted puts into the conversation, in order.
    #[wasm_bindgen(js_name = takeInject)]
    #[must_use]
    pub fn take_inject(&self) -> Vec<String> {
        self.inject.take().into_iter().map(String::from).collect()
    }
}
