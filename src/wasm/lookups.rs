//! Lookups by number: ids and single values, as numbers, texts, arrays or bytes, without serde. Owns these methods of
//! the core, which change nothing but the last refusal.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{NANOS, float, instant, pack};
use crate::base::slab::Key;
use crate::base::view::ViewField;
use crate::model::codes::REFUSED;
use crate::model::limits::TABLE;
use crate::read::{lookup, questions};
use crate::state::ROOT;

#[wasm_bindgen]
impl SubAgentCore {
    /// Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3). Without arguments the program
    /// asks; without `now`, the time of the last input counts.
    #[wasm_bindgen(js_name = canSpawn)]
    #[must_use]
    pub fn can_spawn(&self, index: Option<u32>, generation: Option<u32>, run: Option<u32>, now: Option<f64>) -> bool {
        let actor = Self::actor(index.unwrap_or(ROOT), generation.unwrap_or(0), run.unwrap_or(0));
        self.manager.borrow().can_spawn(instant(now.unwrap_or(0.0)), actor)
    }

    /// Whether work waits for anything except the program: for a slot, for budget, for a rate limit.
    #[wasm_bindgen(js_name = hasQueued)]
    #[must_use]
    pub fn has_queued(&self) -> bool {
        let manager = self.manager.borrow();
        manager.state().queued() > u64::from(*manager.state().for_program)
    }

    /// The id that a model reads for a task: the host's own if it identifies only this task, else ours.
    #[wasm_bindgen(js_name = shownId)]
    #[must_use]
    pub fn shown_id(&self, index: u32, generation: u32) -> String {
        self.manager.borrow().state().shown_id(Key { index, generation })
    }

    /// Shows the id of a task, which each result has: the numbers of its digits after a 0, or the caller's id.
    #[wasm_bindgen(js_name = taskId)]
    #[must_use]
    pub fn task_id(&self, index: u32, generation: u32) -> u32 {
        self.show(|manager, out| {
            let (state, task) = (manager.state(), Key { index, generation });
            if let Some(given) = state.given_id(task) {
                given.write(out);
            } else {
                out.push(0);
                out.extend_from_slice(state.id_parts(task).map(u32::to_le_bytes).as_flattened());
            }
        })
    }

    /// The material of ids, for values that outlive the core: both halves of the key, and the present salt. Then, for each task
    /// with another salt: its generation and index, packed, and that salt.
    #[wasm_bindgen(js_name = idKey)]
    #[must_use]
    pub fn id_key(&self) -> Vec<u64> {
        let manager = self.manager.borrow();
        let (salts, (high, low)) = (&manager.state().salts, manager.state().seed.unwrap_or_default());
        let older = salts.older().iter().flat_map(|(task, salt)| [(u64::from(task.generation) << 32) | u64::from(task.index), *salt]);
        [high, low, salts.current].into_iter().chain(older).collect()
    }

    /// Shows the ids that callers gave.
    #[wasm_bindgen(js_name = ownIds)]
    pub fn own_ids(&self) -> u32 {
        self.show(|manager, out| lookup::own_ids(manager.state()).write(out))
    }

    /// Index and generation of the task that the text in the scratch names. The name is its id, the host's id, or this actor's
    /// nickname for it. -1 if no task fits, or more than one does.
    pub fn find(&self, index: u32, generation: u32, run: u32, id_len: u32) -> f64 {
        let found = lookup::named(self.manager.borrow().state(), Self::actor(index, generation, run), &self.text(id_len));
        self.or_refuse(found).map_or(REFUSED, pack)
    }

    /// The status of a task by number, without a snapshot; -1 if it doesn't exist.
    #[must_use]
    pub fn status(&self, index: u32, generation: u32) -> i32 {
        lookup::status(self.manager.borrow().state(), Key { index, generation }).map_or(-1, |status| i32::from(status.number()))
    }

    /// Whether this run of a task is queued or open.
    #[wasm_bindgen(js_name = isOpen)]
    #[must_use]
    pub fn is_open(&self, index: u32, generation: u32, run: u32) -> bool {
        lookup::is_open(self.manager.borrow().state(), Key { index, generation }, run)
    }

    /// The name in events of the node that is, or was, at the index: the id of a task, `undefined` for a session.
    #[wasm_bindgen(js_name = eventId)]
    #[must_use]
    pub fn event_id(&self, index: u32, generation: u32) -> Option<String> {
        let key = Key { index, generation };
        let is_session = lookup::is_session(self.manager.borrow().state(), key);
        (!is_session).then(|| self.manager.borrow().state().id_of(key))
    }

    /// Shows the options of a task's spawn besides its text, as events have them, whichever process spawned it. Nothing if the
    /// spawn gave none, or the task no longer exists.
    pub fn given(&self, index: u32, generation: u32) -> u32 {
        self.show(|manager, out| lookup::spec(manager.state(), Key { index, generation }).write(out))
    }

    /// The key of the session that a node is, or belongs to; `undefined` for the default session, and for a removed node.
    #[wasm_bindgen(js_name = sessionKey)]
    #[must_use]
    pub fn session_key(&self, index: u32, generation: u32) -> Option<String> {
        lookup::session_key(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// Shows an actor's own sub-agents that are working, or whose ends have not been delivered to it. Refused if the actor has
    /// ended.
    #[wasm_bindgen(js_name = ownToWaitFor)]
    pub fn own_to_wait_for(&self, index: u32, generation: u32, run: u32) -> u32 {
        self.show_unless_refused(|manager, out| {
            manager.own_to_wait_for(Self::actor(index, generation, run))?.write(out);
            Ok(())
        })
    }

    /// Shows the run that a host reports by the id in the scratch.
    #[wasm_bindgen(js_name = findReported)]
    pub fn find_reported(&self, id_len: u32) -> u32 {
        let id = self.text(id_len);
        self.show_unless_refused(|manager, out| {
            lookup::reported(manager.state(), &id)?.write(out);
            Ok(())
        })
    }

    /// The number of the last run of a task; 0 if there was none.
    #[wasm_bindgen(js_name = lastRun)]
    #[must_use]
    pub fn last_run(&self, index: u32, generation: u32) -> u32 {
        lookup::last_run(self.manager.borrow().state(), Key { index, generation })
    }

    /// The end of a task's last run: its status, and 256 times the reason. If a run is open, or there was none, the task's own.
    #[wasm_bindgen(js_name = lastEnd)]
    #[must_use]
    pub fn last_end(&self, index: u32) -> u32 {
        let (status, reason) = lookup::last_end(self.manager.borrow().state(), index);
        u32::from(status.number()) | (u32::from(reason.number()) << 8)
    }

    /// The message that the open run of a task answers.
    #[must_use]
    pub fn message(&self, index: u32) -> String {
        lookup::message(self.manager.borrow().state(), index).to_string()
    }

    /// The number of the message that the open run of a task answers; 0 for the text of its spawn.
    #[wasm_bindgen(js_name = messageNumber)]
    #[must_use]
    pub fn message_number(&self, index: u32) -> f64 {
        float(lookup::message_number(self.manager.borrow().state(), index))
    }

    /// The number of the last message to any task.
    #[wasm_bindgen(js_name = lastMessage)]
    #[must_use]
    pub fn last_message(&self) -> f64 {
        float(self.manager.borrow().state().messages)
    }

    /// Whether the message with this number waits for a task's run, steers it, or is answered by it.
    #[wasm_bindgen(js_name = messageWaits)]
    #[must_use]
    pub fn message_waits(&self, index: u32, generation: u32, number: f64) -> bool {
        lookup::message_waits(self.manager.borrow().state(), Key { index, generation }, instant(number))
    }

    /// Whether an actor may name a task: the task is below it, or the program asks (A1).
    #[must_use]
    pub fn reaches(&self, index: u32, generation: u32, run: u32, target: u32, target_generation: u32) -> bool {
        let key = Key { index: target, generation: target_generation };
        let reached = self.manager.borrow().state().reach(Self::actor(index, generation, run), key);
        self.or_refuse(reached).is_some()
    }

    /// Whether an actor may still act: its run is open, or it is no run (A1).
    #[must_use]
    pub fn speaks(&self, index: u32, generation: u32, run: u32) -> bool {
        let place = self.manager.borrow().state().place_of(Self::actor(index, generation, run));
        self.or_refuse(place).is_some()
    }

    /// Whether an actor may start work, in the background or to be waited for (D9).
    #[wasm_bindgen(js_name = mayStart)]
    #[must_use]
    pub fn may_start(&self, index: u32, generation: u32, run: u32, background: bool) -> bool {
        let answer = self.manager.borrow().may_start(Self::actor(index, generation, run), background);
        self.or_refuse(answer).is_some()
    }

    /// US dollars reserved for the open run of a task.
    #[wasm_bindgen(js_name = reservedDollars)]
    #[must_use]
    pub fn reserved_dollars(&self, index: u32) -> f64 {
        float(self.manager.borrow().state().run_of(index).reserved.nanos) / NANOS
    }

    /// Tokens reserved for the open run of a task.
    #[wasm_bindgen(js_name = reservedTokens)]
    #[must_use]
    pub fn reserved_tokens(&self, index: u32) -> f64 {
        float(self.manager.borrow().state().run_of(index).reserved.tokens)
    }

    /// The number of facts so far that events show. The seed, which is a secret, is not among them.
    #[wasm_bindgen(js_name = factCount)]
    #[must_use]
    pub fn fact_count(&self) -> f64 {
        let manager = self.manager.borrow();
        let hidden = u64::from(manager.state().seed.is_some());
        float(manager.fact_count().saturating_sub(hidden))
    }

    /// A limit in force, by its place in the table; `Infinity` if it is lifted.
    #[must_use]
    pub fn limit(&self, index: u32) -> f64 {
        let values = self.manager.borrow().state().limits.values();
        let Some((value, row)) = usize::try_from(index).ok().and_then(|index| values.get(index).zip(TABLE.get(index))) else {
            return f64::NAN;
        };
        float(*value) / super::settings::scale_of(row.unit)
    }

    /// The actor's child that changed last among those that accept messages: index and generation packed, -1 if there is none.
    #[wasm_bindgen(js_name = openChild)]
    #[must_use]
    pub fn open_child(&self, index: u32, generation: u32, run: u32) -> f64 {
        self.manager.borrow().state().open_child(Self::actor(index, generation, run)).map_or(-1.0, pack)
    }

    /// A task's question, while it has no answer.
    #[must_use]
    pub fn question(&self, index: u32, generation: u32) -> Option<String> {
        lookup::question(self.manager.borrow().state(), Key { index, generation }).map(ToString::to_string)
    }

    /// The same, in the form for the model that requested the task.
    #[wasm_bindgen(js_name = questionText)]
    #[must_use]
    pub fn question_text(&self, index: u32, generation: u32) -> Option<String> {
        questions::text_of(self.manager.borrow().state(), Key { index, generation }).map(String::from)
    }

    /// Whether a run may use the tool whose name is in the scratch, before its policies are asked (P2).
    #[wasm_bindgen(js_name = mayUse)]
    #[must_use]
    pub fn may_use(&self, index: u32, generation: u32, run: u32, name_len: u32) -> bool {
        let allowed = self.manager.borrow().may_use(Self::actor(index, generation, run), &self.text(name_len));
        self.or_refuse(allowed).is_some()
    }
}
