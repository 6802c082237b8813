//! Messages, interrupts and questions across the boundary. Owns these methods of the core: numbers in, a number out
//! that says what became of it; texts through the scratch.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::pack;
use crate::Text;
use crate::base::slab::Key;
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
    /// The actor's child that changed last, of those that take messages: index and generation packed, -1 where
    /// there is none.
    #[wasm_bindgen(js_name = openChild)]
    #[must_use]
    pub fn open_child(&self, index: u32, generation: u32, run: u32) -> f64 {
        self.manager.borrow().state().open_child(Self::actor(index, generation, run)).map_or(-1.0, pack)
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
