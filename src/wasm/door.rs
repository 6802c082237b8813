//! Commands across the boundary: bytes in, an answer as bytes out. Owns this one method of the core.

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use crate::base::reader::Reader;
use crate::model::input::{Input, Reply};
use crate::model::rejection::Rejection;

#[wasm_bindgen]
impl SubAgentCore {
    /// Takes the command whose bytes are in the scratch, and shows the reply.
    pub fn command(&self, now: f64, index: u32, generation: u32, run: u32, len: u32) -> u32 {
        let Some(input) = self.or_refuse(self.read_command(len)) else { return 0 };
        let Some(reply) = self.decide(now, Self::actor(index, generation, run), input) else { return 0 };
        let targets = self.manager.borrow_mut().take_waited();
        #[expect(clippy::wildcard_enum_match_arm, reason = "the others go as they are")]
        let reply = match reply {
            Reply::Go { turn, wrap_up, mut inject } => {
                self.add_notices(index, &mut inject);
                Reply::Go { turn, wrap_up, inject }
            }
            _ if !targets.is_empty() => Reply::WaitOver { timed_out: reply == Reply::NotYet, targets },
            other => other,
        };
        self.show(|_, out| {
            reply.put(out);
        })
    }
}

impl SubAgentCore {
    fn read_command(&self, len: u32) -> Result<Input, Rejection> {
        let scratch = self.scratch.borrow();
        let mut reader = Reader::new(scratch.get(..super::numbers::wide(len)).unwrap_or_default());
        let input = Input::take(&mut reader);
        if reader.has_failed() || !reader.is_done() {
            return Err(Rejection::InvalidArgument { argument: None, what: "these bytes are no command".into() });
        }
        Ok(input)
    }
}
