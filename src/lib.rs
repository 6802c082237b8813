//! Manages the sub-agents of an LLM agent: who may run, when, with which budget; what happens on
//! cancel, timeout and failure; who is told about the result. It never calls a model.
//!
//! The core is a deterministic state machine without clock, randomness or IO. [`Manager::handle`] takes
//! an [`Input`] and decides; what it decides is a sequence of [`Fact`]s, which alone change the
//! [`State`], and of [`Effect`]s, which the host carries out.
//!
//! ```text
//! input ──▶ manager ──▶ rules/ decide ──▶ facts ──▶ state/ applies
//!                              └────────▶ effects ──▶ host
//! ```
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

// First, for its macro.
#[macro_use]
pub mod sabotage;

mod amounts;
mod codec;
mod effect;
mod fact;
mod id;
mod input;
mod limits;
mod manager;
mod named;
mod policy;
pub mod read;
mod rejection;
mod retry;
mod rules;
mod slab;
mod spec;
mod state;
mod status;
mod step;
mod text;
pub mod view;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use amounts::{Amounts, Caps, Dimension, UNCAPPED};
pub use codec::{Field, Malformed, Reader, Text};
pub use effect::{Effect, Ended, Told};
pub use fact::{Fact, Shape, read_all};
pub use id::{decode as decode_id, decode_delivery, encode as encode_id, encode_delivery, fence_nonce};
pub use input::{Actor, Answers, Bounds, Input, Mode, Once, Outcome, Reading, Receipt, Reply, Returned, Spawn, Usage, Wishes};
pub use limits::{Limits, MANUAL_POOL_TOKENS, MANUAL_TASK_TOKENS, MANUAL_TURNS, NICKNAME_CHARS, Row, TABLE, UNLIMITED, Unit, WAIT_MS};
pub use manager::Manager;
pub use policy::{Answer, Point, Ruling};
pub use read::fence::{Kind as FenceKind, Source, fence};
pub use read::quote::quoted;
pub use read::{ends, notice_view, prompts, quote, tool};
pub use rejection::{Details, Rejection};
pub use retry::Retry;
pub use rules::asking::SEND_TOOLS;
pub use rules::results::{Page, read as read_result};
pub use rules::tools::{ALWAYS_BLOCKED, OPERATOR_TOOLS, SPAWN_TOOLS};
pub use slab::{Key, NONE, Slab};
pub use spec::Spec;
pub use state::{
    DEFAULT_SESSION, Damaged, Drain, Named, ROOT, Retained, State, deadlines, few, keys, ledger, node, notices, policing, queue, rates,
    run, wait,
};
pub use status::{Deadline, OnParentEnd, Parked, Status, StopReason, WaitingFor};
pub use text::{cut_to_bytes, cut_to_chars, inline, label_of};
