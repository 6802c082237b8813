//! Policies at the boundary: their answers, what they count, tools, the turns of main agents. Owns these methods of the
//! core: numbers and scratch bytes in, a number out.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::narrow_number;
use super::reads::write_optional;
use super::types::plain;
use crate::base::slab::Key;
use crate::read::lookup;

#[wasm_bindgen]
impl SubAgentCore {
    /// Whether a run may use the tool whose name is in the scratch, before its policies are asked (P2).
    #[wasm_bindgen(js_name = mayUse)]
    #[must_use]
    pub fn may_use(&self, index: u32, generation: u32, run: u32, name_len: u32) -> bool {
        let allowed = self.manager.borrow().may_use(Self::actor(index, generation, run), &self.text(name_len));
        self.or_refuse(allowed).is_some()
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
