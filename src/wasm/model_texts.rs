//! Texts for models, and the tool's description. Owns these methods of the core; `read/` makes the texts.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::host;
use super::numbers::{NANOS, reading};
use super::types::{SubAgentToolObject, plain};
use crate::base::slab::Key;
use crate::base::view::ViewField;
use crate::model::status::{Status, StopReason};
use crate::read::fence::Source;
use crate::read::{ends, figures, view};

#[wasm_bindgen]
impl SubAgentCore {
    /// The tool for a model: its name, description, schema, and the `execute` of its host. `make` makes the tool from the first
    /// three; without it, the tool is one for the program.
    #[wasm_bindgen(js_name = createSubAgentTool)]
    pub fn create_sub_agent_tool(&self, make: Option<js_sys::Function>) -> Result<SubAgentToolObject, JsValue> {
        let description = plain(&crate::tool::describe(self.manager.borrow().state()))?;
        Ok(host::make_tool(self.host, description, make.as_ref().map_or(&JsValue::UNDEFINED, AsRef::as_ref)).unchecked_into())
    }

    /// Shows the sub-agents of an ended one that continue in the background, each as a model names it.
    #[wasm_bindgen(js_name = goingOn)]
    pub fn going_on(&self, index: u32, generation: u32) -> u32 {
        self.show(|manager, out| ends::going_on(manager.state(), Key { index, generation }).write(out))
    }

    /// Shows the usage of a task and all below it.
    #[wasm_bindgen(js_name = tookInAll)]
    pub fn took_in_all(&self, index: u32, generation: u32, run: u32) -> u32 {
        self.show(|manager, out| view::took_in_all(manager.state(), Key { index, generation }, run).write(out))
    }

    /// The text of an end for a model; the scratch holds the run's result, as for `hostReturned`.
    #[wasm_bindgen(js_name = resultText)]
    #[allow(clippy::too_many_arguments, reason = "every number of an end")]
    pub fn result_text(
        &self,
        index: u32,
        generation: u32,
        run: u32,
        status: u32,
        reason: u32,
        turns: f64,
        tokens: f64,
        cost: f64,
        duration_ms: f64,
        output_len: u32,
        beside_len: u32,
    ) -> String {
        let manager = self.manager.borrow();
        let output = self.output(output_len, beside_len, duration_ms);
        let details = output.details();
        let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        let kinds = figures::kinds(manager.state(), Key { index, generation }, run);
        ends::result_text(&ends::Shown {
            source: Source::of(manager.state(), Key { index, generation }, run),
            how: ends::How {
                status: Status::from_number(small(status)).unwrap_or(Status::Failed),
                reason: StopReason::from_number(small(reason)).unwrap_or(StopReason::HostFailed),
                error: details.error.as_deref(),
                host_status: details.host_status.as_deref(),
            },
            figures: figures::Figures {
                turns: reading(turns, 1.0).known(),
                tokens: reading(tokens, 1.0).known(),
                cached: kinds.cache_read_tokens,
                estimated: kinds.estimated,
                nanos: reading(cost, NANOS).known(),
                duration_ms: details.duration_ms,
                in_all: figures::in_all(manager.state(), Key { index, generation }, run),
            },
            output: &output.text,
            receipts: details.receipts.as_deref(),
            inline_bytes: usize::try_from(manager.state().limits.inline_bytes).unwrap_or(usize::MAX),
            going_on: ends::going_on(manager.state(), Key { index, generation }),
        })
    }
}
