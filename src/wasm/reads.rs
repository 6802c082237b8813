//! Reads of the core's state. Owns these methods of the core, which change nothing but the last refusal. A method that shows a
//! view returns its address, or 0 if it is refused: JavaScript reads it before it calls the core again.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::host;
use super::numbers::{instant, narrow_number};
use super::plain::Plain;
use super::types::{ConcurrencyInfo, SpawnGate, plain};
use crate::base::slab::{Key, NONE};
use crate::base::view::{ViewField, write_list};
use crate::model::details::Details;
use crate::model::input::Actor;
use crate::model::spec::{Spec, Staged};
use crate::model::status::Status;
use crate::read::view::Planned;
use crate::read::{lookup, view};

/// The number of tasks on a page by default.
const PAGE: u32 = 100;

const fn key_of(place: &[u32]) -> Key {
    match place {
        &[index, generation] => Key { index, generation },
        _ => Key { index: NONE, generation: 0 },
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Why the last request was refused: `{ code, message, modelText, details }`.
    pub fn refusal(&self) -> JsValue {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Refusal {
            code: &'static str,
            message: String,
            model_text: String,
            details: Details,
        }
        let refused = self.refused.borrow();
        let Some(rejection) = refused.as_ref() else { return JsValue::NULL };
        let (code, message, model_text) = (rejection.code(), rejection.to_string(), rejection.model_text());
        plain(&Refusal { code, message, model_text, details: rejection.details(&|task| self.manager.borrow().state().id_of(task)) })
            .unwrap_or(JsValue::NULL)
    }

    /// Asks the host's own gate. Throwing, returning a promise or lacking a boolean refuses (D5).
    #[wasm_bindgen(js_name = checkConsumerSpawn)]
    pub fn check_consumer_spawn(&self, params: &JsValue) -> Result<SpawnGate, JsValue> {
        let answer = host::consumer_gate(self.host, params);
        let gate = view::GateView { allowed: answer.as_bool().unwrap_or(false), reason: answer.as_string() };
        Ok(plain(&gate)?.unchecked_into())
    }

    /// Slots taken and their limit, queued work, parked runs, abandoned host functions (D4). Without `now`, as of the last fact.
    #[wasm_bindgen(js_name = getConcurrencyInfo)]
    pub fn get_concurrency_info(&self, now: Option<f64>) -> Result<ConcurrencyInfo, JsValue> {
        let manager = self.manager.borrow();
        Ok(plain(&view::concurrency(manager.state(), manager.time_of(instant(now.unwrap_or(0.0)))))?.unchecked_into())
    }

    /// Shows a snapshot of a task.
    pub fn get(&self, index: u32, generation: u32, now: f64) -> u32 {
        self.show_unless_refused(|manager, out| {
            let index = view::find(manager.state(), Key { index, generation })?;
            view::task(manager.state(), index, manager.time_of(instant(now))).write(out);
            Ok(())
        })
    }

    /// Shows the names of a task's tools: a 1 alone if the list was also shown last, else a 0 and the list. Written by hand: each
    /// start asks, and reading the list again would double the time of a start.
    pub fn tools(&self, index: u32, generation: u32) -> u32 {
        self.show_unless_refused(|manager, out| {
            let task = Key { index, generation };
            view::find(manager.state(), task)?;
            let tools = lookup::tools(manager.state(), task);
            let last = self.tools.replace(tools.cloned());
            let is_last = tools.zip(last.as_ref()).is_some_and(|(tools, last)| tools.is(last));
            out.push(u8::from(is_last));
            if !is_last {
                tools.map(|tools| &**tools).unwrap_or_default().write(out);
            }
            Ok(())
        })
    }

    /// Shows a snapshot of the task whose id is in the scratch, or for which this actor uses the nickname there.
    #[wasm_bindgen(js_name = getNamed)]
    pub fn get_named(&self, index: u32, generation: u32, run: u32, id_len: u32, now: f64) -> u32 {
        let (actor, name) = (Self::actor(index, generation, run), self.text(id_len));
        self.show_unless_refused(|manager, out| {
            let index = manager.state().reach(actor, lookup::named(manager.state(), actor, &name)?)?;
            view::task(manager.state(), index, manager.time_of(instant(now))).write(out);
            Ok(())
        })
    }

    /// Shows snapshots of tasks, given by index and generation each; nothing for a task that doesn't exist.
    #[wasm_bindgen(js_name = getMany)]
    pub fn get_many(&self, places: &[u32], now: f64) -> u32 {
        self.show(|manager, out| {
            let (state, now) = (manager.state(), manager.time_of(instant(now)));
            let found = |place| view::find(state, key_of(place)).ok().map(|index| view::task(state, index, now));
            write_list(places.chunks_exact(2).map(found), out);
        })
    }

    /// Shows the last runs of tasks, given by index and generation each.
    #[wasm_bindgen(js_name = lastRuns)]
    pub fn last_runs(&self, places: &[u32]) -> u32 {
        self.show(|manager, out| write_list(places.chunks_exact(2).map(|place| lookup::last_run_of(manager.state(), key_of(place))), out))
    }

    /// Shows the messages that wait for a task, oldest first.
    pub fn queue(&self, index: u32, generation: u32) -> u32 {
        self.show_unless_refused(|manager, out| {
            let messages = lookup::messages(manager.state(), Key { index, generation })?;
            write_list(messages.iter().map(|message| &*message.text), out);
            Ok(())
        })
    }

    /// Shows a page of a task's result.
    #[wasm_bindgen(js_name = readResult)]
    #[allow(clippy::too_many_arguments, reason = "who, whose, which part")]
    pub fn read_result(&self, index: u32, generation: u32, run: u32, target: u32, target_generation: u32, offset: u32, limit: u32) -> u32 {
        let task = Key { index: target, generation: target_generation };
        self.show_unless_refused(|manager, out| {
            manager.read_result(Self::actor(index, generation, run), task, offset, limit)?.write(out);
            Ok(())
        })
    }

    /// Shows the account of a task, a session or, with index 0, the manager.
    pub fn budget(&self, index: u32) -> u32 {
        self.show(|manager, out| view::budget(manager.state(), index).write(out))
    }

    /// The last checkpoint of a task, as JSON; `undefined` if there is none.
    pub fn checkpointed(&self, index: u32, generation: u32) -> Option<String> {
        lookup::checkpoint(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// The data that a task's runs saved for later runs, as JSON; `undefined` if there is none.
    pub fn saved(&self, index: u32, generation: u32) -> Option<String> {
        lookup::saved(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// The data of a task's acquired resource, as JSON; `undefined` if there is none.
    pub fn acquired(&self, index: u32, generation: u32) -> Option<String> {
        lookup::acquired(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// Shows the first release after a number; nothing if there is none.
    #[wasm_bindgen(js_name = releaseAfter)]
    pub fn release_after(&self, serial: f64) -> u32 {
        self.show(|manager, out| lookup::release_after(manager.state(), instant(serial)).write(out))
    }

    /// Shows the end of the attempt before a run; nothing if the run is the first attempt at its message.
    #[wasm_bindgen(js_name = previousError)]
    pub fn previous_error(&self, index: u32, generation: u32, run: u32) -> u32 {
        self.show(|manager, out| lookup::previous(manager.state(), Key { index, generation }, run).write(out))
    }

    /// The beginning of the keys of a run's actions: the same in each attempt at its message.
    #[wasm_bindgen(js_name = workKey)]
    #[must_use]
    pub fn work_key(&self, index: u32, generation: u32, run: u32) -> String {
        self.manager.borrow().state().work_key(Key { index, generation }, run)
    }

    /// Shows a page of tasks, filtered, below a node or all.
    pub fn list(&self, top: u32, listing: &JsValue, now: f64) -> u32 {
        let Some(mut listing) = self.or_refuse(Plain::read(listing)) else { return 0 };
        let statuses = listing.field("status").texts().unwrap_or_default();
        let filter = view::Filter {
            statuses: statuses.iter().filter_map(|name| Status::from_name(name)).collect(),
            parent: listing.field("parent").number().map(narrow_number),
            label: listing.field("label").text(),
            background: listing.field("background").number().map(|value| value != 0.0),
        };
        let mut count = |name: &str| listing.field(name).number().map(narrow_number);
        let (offset, limit) = (count("offset").unwrap_or(0), count("limit").unwrap_or(PAGE));
        self.show(|manager, out| {
            view::page(manager.state(), top, &filter, (offset, limit), manager.time_of(instant(now))).write(out);
        })
    }

    /// Shows the spending by model and by agent.
    pub fn costs(&self) -> u32 {
        self.show(|manager, out| view::costs(manager.state()).write(out))
    }

    /// Shows the estimated cost of a plan: `{ …options as staged for a spawn, otherwise, count, turns }[]`, which TypeScript has
    /// checked.
    pub fn estimate(&self, plan: &JsValue) -> u32 {
        self.show_unless_refused(|manager, out| {
            let read = |mut line: Plain| Planned {
                otherwise: line.take_text("otherwise"),
                count: line.count("count").unwrap_or(1),
                turns: line.count("turns"),
                spec: Spec::from_staged(&mut line),
            };
            let plan: Vec<Planned> = Plain::read(plan)?.list().unwrap_or_default().into_iter().map(read).collect();
            view::estimate(manager.state(), &plan).write(out);
            Ok(())
        })
    }

    /// Shows statistics.
    pub fn stats(&self, now: f64) -> u32 {
        self.show(|manager, out| {
            view::stats(manager.state(), manager.can_spawn(instant(now), Actor::Program), instant(now)).write(out);
        })
    }

    /// Shows the limits of a task's runs.
    #[wasm_bindgen(js_name = runLimits)]
    pub fn run_limits(&self, index: u32, generation: u32) -> u32 {
        self.show_unless_refused(|manager, out| {
            view::run_limits(manager.state(), view::find(manager.state(), Key { index, generation })?).write(out);
            Ok(())
        })
    }

    /// Shows the rest for a run.
    pub fn remaining(&self, index: u32, generation: u32, run: u32) -> u32 {
        self.show_unless_refused(|manager, out| {
            view::remaining(manager.state(), view::find(manager.state(), Key { index, generation })?, run).write(out);
            Ok(())
        })
    }

    /// The option that raises the limit at which a task's last run ended; `undefined` if it ended at none, or no longer exists.
    #[wasm_bindgen(js_name = raisedBy)]
    #[must_use]
    pub fn raised_by(&self, index: u32, generation: u32) -> Option<String> {
        lookup::end_raised_by(self.manager.borrow().state(), Key { index, generation }).map(str::to_owned)
    }

    /// Shows the denied entries of a task, or the blocked entries of the policies of a session's sub-agents. Those that match
    /// none of the main agent's tools, and nothing if these tools aren't known.
    #[wasm_bindgen(js_name = deniedInVain)]
    pub fn denied_in_vain(&self, index: u32) -> u32 {
        self.show(|manager, out| manager.denied_in_vain(index).write(out))
    }

    /// Shows the policies' record of a task's last run, or of a main agent; nothing if it no longer exists.
    pub fn policing(&self, index: u32, generation: u32) -> u32 {
        self.show(|manager, out| lookup::policed(manager.state(), Key { index, generation }).write(out))
    }

    /// The text in the scratch, cut to its head and tail if it is longer than `inlineBytes` (R2).
    #[must_use]
    pub fn inline(&self, text_len: f64) -> String {
        let most = usize::try_from(self.manager.borrow().state().limits.inline_bytes).unwrap_or(usize::MAX);
        crate::base::text::inline(&self.text(narrow_number(text_len)), most)
    }
}
