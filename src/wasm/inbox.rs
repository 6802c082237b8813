//! Notices across the boundary: leasing, acknowledging, reading. Owns these methods of the core.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::option;
use crate::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::base::view::write_list;
use crate::model::input::{Input, Reply};
use crate::notice_view;
use crate::read::lookup;

impl SubAgentCore {
    /// Shows a list of notices.
    fn show_notices(&self, indices: &[u32]) -> u32 {
        self.show(|manager, out| write_list(indices.iter().map(|index| notice_view::notice(manager.state(), *index)), out))
    }

    /// Adds the notices of the turn that an agent just got (N3).
    pub(super) fn add_notices(&self, index: u32, inject: &mut Vec<Text>) {
        let manager = self.manager.borrow();
        let index = lookup::inbox(index);
        if manager.state().has_notices(index) {
            inject.extend(manager.notices_of_turn(index).map(|at| Text::from(notice_view::notice(manager.state(), at).text)));
        }
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Leases the waiting notices of the actor's inbox, at most `max`, for `lease_ms`; `NaN` if either is not given. Shows them.
    pub fn lease(&self, now: f64, index: u32, generation: u32, run: u32, max: f64, lease_ms: f64) -> u32 {
        let input = Input::Lease { max: option(max, 1.0), lease_ms: option(lease_ms, 1.0) };
        match self.decide(now, Self::actor(index, generation, run), input) {
            Some(Reply::Notices(indices)) => self.show_notices(&indices),
            Some(_) | None => 0,
        }
    }

    /// Acknowledges the notice whose delivery id is in the scratch: 1 if it existed, 0 if it did not, -1 if it is refused.
    pub fn ack(&self, now: f64, index: u32, generation: u32, run: u32, id_len: u32) -> i32 {
        let delivery = self.manager.borrow().state().delivery_of_id(&self.text(id_len));
        let Some(RunKey { task, run: of }) = delivery else { return 0 };
        match self.decide(now, Self::actor(index, generation, run), Input::Ack { task, run: of }) {
            Some(Reply::Acked(acked)) => i32::from(acked),
            Some(_) | None => -1,
        }
    }

    /// Shows every notice in the actor's inbox, in its present state.
    pub fn peek(&self, index: u32) -> u32 {
        let indices: Vec<u32> = self.manager.borrow().state().inbox(lookup::inbox(index)).collect();
        self.show_notices(&indices)
    }

    /// Whether notices of an inbox wait, or may return by the time alone.
    #[wasm_bindgen(js_name = noticesWait)]
    #[must_use]
    pub fn notices_wait(&self, index: u32) -> bool {
        lookup::notices_wait(self.manager.borrow().state(), index)
    }

    /// Whether an inbox may still get a notice to deliver.
    #[wasm_bindgen(js_name = mayNotify)]
    #[must_use]
    pub fn may_notify(&self, index: u32) -> bool {
        self.manager.borrow().may_notify(lookup::inbox(index))
    }

    /// The number of notices in an inbox that wait for delivery.
    #[wasm_bindgen(js_name = pendingNotices)]
    #[must_use]
    pub fn pending_notices(&self, index: u32) -> u32 {
        lookup::pending_notices(self.manager.borrow().state(), index)
    }

    /// Shows the runs whose ends were claimed by the last call: a cancel, close or interrupt.
    pub fn claimed(&self) -> u32 {
        let claimed = self.manager.borrow_mut().take_claimed();
        self.show(|_, out| write_list(claimed.into_iter(), out))
    }

    /// The id under which the end of a run is delivered.
    #[wasm_bindgen(js_name = deliveryId)]
    #[must_use]
    pub fn delivery_id(&self, index: u32, generation: u32, run: u32) -> String {
        self.manager.borrow().state().delivery_id(RunKey { task: Key { index, generation }, run })
    }
}
