//! What a run is told of its task at nearly every start. Owns the few values that cross for it, at once and without
//! serde: a whole snapshot takes longer than all else that a start does.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use crate::base::codec::Field;
use crate::base::slab::Key;
use crate::read::lookup;

#[wasm_bindgen]
impl SubAgentCore {
    /// Depth, label, context hint, system prompt, profile, model and definition of a task, in this order, undefined where it
    /// was given none; `undefined` in place of the list where it is refused.
    #[wasm_bindgen(
        unchecked_return_type = "readonly [number, string, string | undefined, string | undefined, string | undefined, string | undefined, string | undefined] | undefined"
    )]
    pub fn brief(&self, index: u32, generation: u32) -> JsValue {
        let manager = self.manager.borrow();
        let brief = self.or_refuse(lookup::brief(manager.state(), Key { index, generation }));
        let Some((depth, label, spec)) = brief else { return JsValue::UNDEFINED };
        let list = Array::new();
        list.push(&JsValue::from(u32::from(depth)));
        list.push(&JsValue::from_str(label));
        let texts = spec.map(|spec| [&spec.context_hint, &spec.system_prompt, &spec.profile, &spec.model_id, &spec.source_agent_id]);
        for text in texts.into_iter().flatten() {
            list.push(&text.as_deref().map_or(JsValue::UNDEFINED, JsValue::from_str));
        }
        list.into()
    }

    /// What the spawn of a task gave it beside its text, as events have it, in whichever process it was spawned; nothing where it
    /// gave nothing, or the task is gone.
    #[must_use]
    pub fn given(&self, index: u32, generation: u32) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        lookup::spec(self.manager.borrow().state(), Key { index, generation })?.put(&mut bytes);
        Some(bytes)
    }

    /// Names of the tools that a task may use; `undefined` where neither its parent nor its spawn named any, and where it is
    /// gone.
    #[wasm_bindgen(js_name = toolsOf)]
    #[must_use]
    pub fn tools_of(&self, index: u32, generation: u32) -> Option<Vec<String>> {
        let manager = self.manager.borrow();
        Some(lookup::tools(manager.state(), Key { index, generation })?.iter().map(ToString::to_string).collect())
    }
}
