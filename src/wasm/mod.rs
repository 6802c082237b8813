//! The boundary: decode, call the core once, answer. Owns the order in which a call is answered and its effects are carried out,
//! and the buffers for that; makes no decisions.
//!
//! Numbers cross as `f64` and `u32`, text through one scratch buffer that JavaScript fills with `encodeInto`. Every
//! method takes `&self`, lets the core decide and returns. JavaScript stores the answer, then calls `dispatch`, which
//! runs the effects in one loop, to which nested calls only append. Nothing calls JavaScript while the core is
//! borrowed.

mod door;
mod drain;
mod host;
mod hot;
mod inbox;
mod journal;
mod lookups;
mod model_texts;
mod numbers;
mod plain;
mod reads;
mod settings;
mod texts;
mod types;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::base::slab::Key;
use crate::model::effect::Effect;
use crate::model::input::{Actor, Input, Reply};
use crate::model::kinds::ReportedTokens;
use crate::model::rejection::Rejection;
use crate::model::spawn::ModelLimits;
use crate::model::spec::Spec;
use crate::model::tool_list::ToolList;
use crate::{EventBuffer, Manager, Text};
use drain::Drains;
use texts::Texts;

/// Memory for the facts of a batch is reused for the next one, up to this many bytes.
const KEPT_ROOM: usize = 1 << 14;

/// The core of one manager. One instance of the module serves one of these.
#[wasm_bindgen]
pub struct SubAgentCore {
    /// The number under which the host's functions are registered.
    host: u32,
    manager: RefCell<Manager>,
    /// The memory where JavaScript writes text, and reads facts.
    scratch: RefCell<Vec<u8>>,
    /// The options of the next spawn, besides its text.
    staged: RefCell<Option<Box<Spec>>>,
    /// The limits that the model requests with the next spawn.
    model_limits: Cell<ModelLimits>,
    /// The idempotency key of the next spawn, with its settings.
    once: RefCell<Option<crate::model::spawn::Once>>,
    /// The tokens by kind of the next report, or of the end of a host function.
    tokens: RefCell<Option<Box<ReportedTokens>>>,
    /// The reason of the last refusal.
    refused: RefCell<Option<Rejection>>,
    /// The buffer from which effects are carried out, reused to avoid allocation.
    batch: Cell<Vec<Effect>>,
    /// Memory for an effect as a record.
    record: Cell<Vec<u8>>,
    /// Whether a call further up the stack is already carrying out effects.
    carrying: Cell<bool>,
    drains: Rc<Drains>,
    /// The texts that the turn just granted puts into the conversation.
    inject: RefCell<Vec<Text>>,
    /// Memory for the facts that are passed on, in either form.
    facts: Cell<Vec<u8>>,
    shown: Cell<EventBuffer>,
    /// The list of tools that JavaScript read last.
    tools: RefCell<Option<ToolList>>,
    /// The views that JavaScript requested last.
    views: Cell<Vec<u8>>,
    gathering: journal::Gathering,
    /// The number of facts when the last ones were handed out to be stored.
    handed_out: Cell<u64>,
}

impl SubAgentCore {
    fn actor(index: u32, generation: u32, run: u32) -> Actor {
        match (index, run) {
            (crate::state::ROOT, _) => Actor::Program,
            (_, 0) => Actor::Session(Key { index, generation }),
            (_, run) => Actor::Run(Key { index, generation }, run),
        }
    }

    /// One input: lets the core decide. A refusal is retained for [`SubAgentCore::refusal`], until the next one.
    fn decide(&self, now: f64, actor: Actor, input: Input) -> Option<Reply> {
        let reply = self.manager.borrow_mut().handle(numbers::instant(now), actor, input);
        match reply {
            Ok(reply) => Some(reply),
            Err(rejection) => {
                self.refused.replace(Some(rejection));
                None
            }
        }
    }

    fn refuse(&self, rejection: Rejection) {
        self.refused.replace(Some(rejection));
    }

    /// The value, or `None` after the refusal is retained.
    fn or_refuse<T>(&self, result: Result<T, Rejection>) -> Option<T> {
        result.map_err(|rejection| self.refuse(rejection)).ok()
    }

    /// Carries out effects until there are none: settled promises first, then calls of the host, then the facts for listeners.
    /// Deferred calls of user code come between the promises and the host.
    #[inline]
    fn follow(&self) {
        let mut batch = self.batch.take();
        loop {
            self.manager.borrow_mut().swap_effects(&mut batch);
            if batch.is_empty() {
                // The host's functions may have called back: the effects of those calls come before listeners get these facts.
                if !self.hand_on_facts() {
                    break;
                }
                continue;
            }
            if self.deliver(&batch) {
                for effect in batch.iter().filter(|effect| host::is_order(effect)) {
                    host::order(self.host, effect, &self.manager, &self.drains);
                }
            }
        }
        self.batch.set(batch);
    }

    /// Delivers the effects that the host must know; returns whether the batch has orders as well.
    #[inline]
    fn deliver(&self, batch: &[Effect]) -> bool {
        let (mut has_orders, mut puts_off) = (false, false);
        let mut record = self.record.take();
        for effect in batch {
            if host::is_order(effect) {
                has_orders = true;
            } else {
                puts_off |= host::deliver(self.host, effect, &self.refused, &mut record);
            }
        }
        self.record.set(record);
        if puts_off {
            host::batch_delivered(self.host);
        }
        has_orders
    }

    /// Passes on the present facts, unless they are gathered for later; `false` if none were passed on.
    #[inline]
    fn hand_on_facts(&self) -> bool {
        if !self.manager.borrow().has_facts() {
            return false;
        }
        if self.gathers() {
            return false;
        }
        self.publish();
        true
    }

    /// Hands the facts of the batch to listeners.
    fn publish(&self) {
        if self.manager.borrow().fact_bytes() > 0 {
            let mut facts = self.facts.take();
            self.manager.borrow_mut().swap_facts(&mut facts);
            host::facts(self.host, &facts);
            facts.clear();
            facts.shrink_to(self.retained_capacity());
            self.facts.set(facts);
        }
        if self.manager.borrow().has_facts() {
            let mut shown = self.shown.take();
            self.manager.borrow_mut().swap_shown(&mut shown);
            host::shown(self.host, &shown);
            shown.clear(KEPT_ROOM);
            self.shown.set(shown);
        }
    }

    /// Writes a value for JavaScript, and returns its address. It stays there until the next.
    #[inline]
    fn show(&self, write: impl FnOnce(&Manager, &mut Vec<u8>)) -> u32 {
        let mut bytes = self.room();
        write(&self.manager.borrow(), &mut bytes);
        self.shown_at(bytes)
    }

    /// The same for a read that may be refused: then returns 0 and retains the refusal.
    #[inline]
    fn show_unless_refused(&self, write: impl FnOnce(&Manager, &mut Vec<u8>) -> Result<(), Rejection>) -> u32 {
        let mut bytes = self.room();
        let written = write(&self.manager.borrow(), &mut bytes);
        let at = self.shown_at(bytes);
        self.or_refuse(written).map_or(0, |()| at)
    }

    /// Memory to write in. Out of line, like the next: every view needs both.
    #[inline(never)]
    fn room(&self) -> Vec<u8> {
        let mut bytes = self.views.take();
        bytes.clear();
        bytes.shrink_to(KEPT_ROOM);
        bytes
    }

    #[inline(never)]
    fn shown_at(&self, bytes: Vec<u8>) -> u32 {
        let at = numbers::address(bytes.as_ptr());
        self.views.set(bytes);
        at
    }

    /// The one text that JavaScript left in the scratch.
    #[inline]
    fn text(&self, len: u32) -> Text {
        Texts::new(&self.scratch.borrow()).next(len).unwrap_or_default()
    }
}

#[wasm_bindgen]
impl SubAgentCore {
    /// A core whose effects go to the functions registered under `host`.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(host: u32) -> Self {
        Self {
            host,
            manager: RefCell::new(Manager::new()),
            scratch: RefCell::new(Vec::new()),
            staged: RefCell::new(None),
            model_limits: Cell::new(ModelLimits::default()),
            once: RefCell::new(None),
            tokens: RefCell::new(None),
            tools: RefCell::new(None),
            refused: RefCell::new(None),
            batch: Cell::new(Vec::new()),
            record: Cell::new(Vec::new()),
            facts: Cell::new(Vec::new()),
            shown: Cell::new(EventBuffer::default()),
            views: Cell::new(Vec::new()),
            gathering: journal::Gathering::default(),
            carrying: Cell::new(false),
            drains: Rc::new(Drains::default()),
            inject: RefCell::new(Vec::new()),
            handed_out: Cell::new(0),
        }
    }

    /// Carries out the effects of the calls so far: settles promises, then calls the host, then notifies listeners. Does nothing
    /// if a call further up the stack carries them out, or while they are buffered: all are carried out there.
    #[wasm_bindgen]
    pub fn dispatch(&self) {
        if !self.carrying.replace(true) {
            self.dispatch_buffered();
        }
    }

    /// Buffers the effects of the next calls until `dispatchBuffered`. `false` if a call further up the stack carries them out in
    /// any case.
    #[wasm_bindgen(js_name = bufferEffects)]
    pub fn buffer_effects(&self) -> bool {
        !self.carrying.replace(true)
    }

    /// Carries out the effects that `bufferEffects` buffered.
    #[wasm_bindgen(js_name = dispatchBuffered)]
    pub fn dispatch_buffered(&self) {
        self.follow();
        self.carrying.set(false);
    }

    /// Allocates `bytes` for text and returns their address.
    pub fn scratch(&self, bytes: u32) -> u32 {
        let mut scratch = self.scratch.borrow_mut();
        let bytes = numbers::wide(bytes);
        if scratch.len() < bytes {
            scratch.resize(bytes, 0);
        }
        numbers::address(scratch.as_ptr())
    }
}

/// Smaller than the default allocator, and faster with small blocks, such as texts.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
