//! Opening from facts: the bytes that the host was handed, batch after batch, and a core that goes on after
//! them (J3). Only in builds with the feature `journal`: reading facts is a part of the module that nobody
//! needs who keeps none. Writing them is what listeners are handed anyway.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::{instant, pack};
use crate::Manager;
use crate::model::fact::read_all;
use crate::model::rejection::Rejection;
use crate::state::ROOT;

#[wasm_bindgen]
impl SubAgentCore {
    /// Goes on where the core ended that handed these facts out; to be called before anything else. What follows
    /// from it is handed out at once, and carried out at `goOn`, when the host is there. `false` where they are
    /// refused.
    pub fn reopen(&self, now: f64, facts: &[u8]) -> bool {
        let refused = |what: String| Rejection::InvalidArgument { argument: None, what };
        let facts = read_all(facts).map_err(|malformed| refused(malformed.to_string()));
        let opened = facts.and_then(|facts| Manager::open(instant(now), facts).map_err(|damaged| refused(damaged.to_string())));
        let Some(manager) = self.or_refuse(opened) else { return false };
        self.manager.replace(manager);
        self.carrying.set(true);
        self.publish();
        true
    }

    /// The open session whose name is in the scratch: slot and generation packed, or -1 where there is none.
    #[wasm_bindgen(js_name = sessionNamed)]
    pub fn session_named(&self, name_len: u32) -> f64 {
        let name = self.text(name_len);
        let manager = self.manager.borrow();
        let state = manager.state();
        let found = state.children(ROOT).find(|slot| state.node(*slot).text == name && !state.is_closed_session(*slot));
        found.map_or(-1.0, |slot| pack(state.key(slot)))
    }
}
