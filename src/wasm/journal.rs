//! The journal: restores stored facts, and delays the effects of new facts until those are stored (J1, J3). Owns these methods of
//! the core, and the facts that wait for the host to take them.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::numbers::instant;
use super::plain::names_in;
use super::settings::{drawn, inputs_of};
use super::{SubAgentCore, host, numbers};
use crate::base::slab::Key;
use crate::base::view::ViewField;
use crate::model::codes::HOSTS_OUTLIVE;
use crate::model::input::OnHostLost;
use crate::model::rejection::Rejection;
use crate::state::{Unreadable, Unrestorable};

/// Facts are handed out once they are this many bytes, at the next call.
const MANY: usize = 1 << 18;

/// Facts that stay here until the host requests them: handing them out with each batch costs more than making them.
#[derive(Default)]
pub(super) struct Gathering {
    on: Cell<bool>,
    /// The host knows that there are facts.
    announced: Cell<bool>,
}

impl SubAgentCore {
    /// How much memory for facts is retained once they are handed out. If they were gathered, it is enough for as many again.
    pub(super) fn retained_capacity(&self) -> usize {
        if self.gathering.on.get() { MANY << 1 } else { super::KEPT_ROOM }
    }

    /// Whether the facts of this batch stay here. The host gets a message for the first ones, without their bytes.
    pub(super) fn gathers(&self) -> bool {
        let stay = self.gathering.on.get() && self.manager.borrow().fact_bytes() < MANY;
        if !stay {
            self.gathering.announced.set(false);
        } else if !self.gathering.announced.replace(true) {
            host::facts(self.host, &[]);
        }
        stay
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Sets whether facts stay here until `handOut`, or until they are many. The present ones are handed out.
    pub fn gather(&self, on: bool) {
        self.hand_out();
        self.gathering.on.set(on);
    }

    /// Hands out the facts that were gathered.
    #[wasm_bindgen(js_name = handOut)]
    pub fn hand_out(&self) {
        self.gathering.announced.set(false);
        self.publish();
    }

    /// Restores the facts in the scratch, a whole batch that an earlier core handed out in this form. All batches come in their
    /// order, before anything else. `false` if no core can have handed them out.
    pub fn restore(&self, len: u32, form: u32) -> bool {
        reserve_memory(0);
        let scratch = self.scratch.borrow();
        let restored = self.manager.borrow_mut().restore_stored(u64::from(form), scratch.get(..numbers::wide(len)).unwrap_or_default());
        let refused = |why: Unrestorable| Rejection::InvalidArgument { argument: None, what: why.to_string() };
        self.or_refuse(restored.map_err(refused)).is_some()
    }

    /// Restores the snapshot in the scratch, which is then empty, in place of the facts that led to it; before anything else. 0
    /// if it is restored, -1 if it is no snapshot, else its form, which can't be read.
    #[wasm_bindgen(js_name = restoreSnapshot)]
    pub fn restore_snapshot(&self, len: u32) -> f64 {
        // It may be large, and is needed once.
        let scratch = self.scratch.take();
        reserve_memory(scratch.len().saturating_add(scratch.len() >> 1));
        let restored = self.manager.borrow_mut().restore_snapshot(scratch.get(..numbers::wide(len)).unwrap_or_default());
        match restored {
            Ok(()) => 0.0,
            Err(Unreadable::OtherForm { form }) => numbers::float(form),
            Err(Unreadable::Malformed(_)) => -1.0,
        }
    }

    /// A snapshot, in place of all facts that were handed out; `None` if there are others.
    pub fn snapshot(&self) -> Option<Vec<u8>> {
        let mut manager = self.manager.borrow_mut();
        (!manager.has_facts()).then(|| manager.snapshot())
    }

    /// Hands out its decisions from now on, to be stored, and carries out no effects before `dispatchBuffered`. `lost`: what
    /// happens to runs that a drain must stop, as for `reopen`, and `HOSTS_OUTLIVE` if hosts outlive this process. `waits`: no
    /// notice is leased before its end is stored, which `dispatchStaged` reports.
    #[wasm_bindgen(js_name = keepJournal)]
    pub fn keep_journal(&self, lost: u32, waits: bool) {
        let mut manager = self.manager.borrow_mut();
        if lost & HOSTS_OUTLIVE != 0 {
            manager.outlived_by_hosts();
        }
        manager.keep_journal(lost_of(lost), waits);
        drop(manager);
        self.carrying.set(true);
    }

    /// Continues after the restored facts, with options as `configure` accepts them, or none. `lost`, the number of an
    /// `OnHostLost`, decides what happens to a run that was in flight. Work of agents and profiles that are not in these lists
    /// waits. So does each session's work until the session is registered. `false` if an option is refused: nothing has
    /// continued, and this core can't be used any more.
    pub fn reopen(
        &self,
        now: f64,
        lost: u32,
        #[wasm_bindgen(unchecked_param_type = "readonly string[]")] agents: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "readonly string[]")] profiles: &JsValue,
        settings: &JsValue,
    ) -> bool {
        let read = || Ok((names_in(agents, "agents")?.zip(names_in(profiles, "profiles")?), inputs_of(settings)?));
        let no_salt = || Rejection::InvalidArgument { argument: None, what: "this runtime gives no randomness, and ids need it".into() };
        let salt = drawn().map(|(salt, _)| salt).ok_or_else(no_salt);
        let reopened = read().and_then(|(known, settings)| {
            let mut manager = self.manager.borrow_mut();
            manager.reopen(instant(now), salt?, lost_of(lost), known, settings)
        });
        self.or_refuse(reopened).is_some()
    }

    /// Whether a drain leaves the runs that it stops to the process that opens the store next.
    #[wasm_bindgen(js_name = leavesRuns)]
    #[must_use]
    pub fn leaves_runs(&self) -> bool {
        self.manager.borrow().leaves_runs()
    }

    /// How far its time is ahead of its host's clock, in milliseconds.
    #[must_use]
    pub fn ahead(&self) -> f64 {
        numbers::float(self.manager.borrow().time_of(0))
    }

    /// Shows the open sessions, including those that no program has registered, by age.
    pub fn sessions(&self) -> u32 {
        self.show(|manager, out| {
            let state = manager.state();
            state.open_sessions().map(|index| state.key(index)).collect::<Vec<Key>>().write(out);
        })
    }

    /// Shows the missing names and sessions that restored work waits for.
    pub fn missing(&self) -> u32 {
        self.show(|manager, out| manager.state().missing().write(out))
    }

    /// Buffers the due effects, and hands out the facts that caused them. `false` if there is neither. Effects that were buffered
    /// before have been carried out.
    #[wasm_bindgen(js_name = stageEffects)]
    pub fn stage_effects(&self) -> bool {
        let mut batch = self.batch.take();
        self.manager.borrow_mut().swap_effects(&mut batch);
        let any = !batch.is_empty() || self.manager.borrow().has_facts();
        self.batch.set(batch);
        self.publish();
        self.handed_out.set(self.manager.borrow().fact_count());
        any
    }

    /// Carries out the buffered effects, whose facts are now stored. Their further effects wait for the next call.
    #[wasm_bindgen(js_name = dispatchStaged)]
    pub fn dispatch_staged(&self) {
        self.manager.borrow_mut().kept(self.handed_out.get());
        let mut batch = self.batch.take();
        self.deliver(&batch);
        for effect in &batch {
            host::order(self.host, effect, &self.manager, &self.drains);
        }
        batch.clear();
        self.batch.set(batch);
    }
}

/// Allocates memory for this many bytes if none is free, and at least for an eighth of the whole memory. The allocator takes
/// memory page by page, and each time the runtime makes a new view of all of it.
fn reserve_memory(bytes: usize) {
    let pages = std::arch::wasm32::memory_size::<0>();
    drop(std::hint::black_box(Vec::<u8>::with_capacity(bytes.max(pages << 13))));
}

/// What happens to runs in flight, by number.
fn lost_of(number: u32) -> OnHostLost {
    OnHostLost::from_number(number & !HOSTS_OUTLIVE).unwrap_or(OnHostLost::Resume)
}
