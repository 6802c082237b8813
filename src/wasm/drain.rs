//! Draining as a Rust `async fn`. Owns the waiting: while a drain waits, it holds no borrow of the core, and disposing
//! rejects it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::{Poll, Waker};

use wasm_bindgen::prelude::*;

use super::SubAgentCore;
use super::numbers::option;
use super::types::DrainResult;
use crate::model::input::{Actor, Input};
use crate::model::limits::UNLIMITED;

/// The drains that wait for their end.
#[derive(Default)]
pub(super) struct Drains {
    over: Cell<Option<bool>>,
    disposed: Cell<bool>,
    wakers: RefCell<Vec<Waker>>,
}

impl Drains {
    /// The drain is over.
    pub(super) fn finish(&self, timed_out: bool) {
        self.over.set(Some(timed_out));
        self.wake();
    }

    /// The manager is disposed.
    pub(super) fn dispose(&self) {
        self.disposed.set(true);
        self.wake();
    }

    fn wake(&self) {
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    fn poll(&self, waker: &Waker) -> Poll<Result<bool, JsValue>> {
        if self.disposed.get() {
            return Poll::Ready(Err(JsValue::from_str("disposed")));
        }
        match self.over.get() {
            Some(timed_out) => Poll::Ready(Ok(timed_out)),
            None => {
                self.wakers.borrow_mut().push(waker.clone());
                Poll::Pending
            }
        }
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// Begins a drain, so that spawns are refused from the call on; `drain` then waits for its end.
    #[wasm_bindgen(js_name = startDrain)]
    pub fn start_drain(&self, now: f64, timeout_ms: f64) {
        let timeout_ms = option(timeout_ms, 1.0).unwrap_or(UNLIMITED);
        self.decide(now, Actor::Program, Input::Drain { timeout_ms });
    }

    /// Refuses new work, gives running work `timeout_ms` to end, then cancels the rest. Resolves to `{ ended, cancelled,
    /// stillRunning, timedOut }`; rejects with the text `disposed` if the manager is disposed before that.
    pub async fn drain(&self, now: f64, timeout_ms: f64) -> Result<DrainResult, JsValue> {
        self.start_drain(now, timeout_ms);
        self.dispatch();
        let drains = self.drains.clone();
        poll_fn(|context| drains.poll(context.waker())).await?;
        let manager = self.manager.borrow();
        let counts = crate::read::view::drained(manager.state(), manager.left_open());
        Ok(super::types::plain(&counts)?.unchecked_into())
    }

    /// Rejects pending drains; nothing else of the core may be called afterwards.
    pub fn dispose(&self) {
        self.drains.dispose();
    }
}
