//! Manages the sub-agents of an LLM agent. It decides which may run, when and with which budget, what happens on cancel, timeout
//! and failure, and who gets the result. It never calls a model.
//!
//! The core is a deterministic state machine without clock, randomness or IO. [`Manager::handle`] takes an [`Input`] and decides.
//! A decision is a sequence of [`Fact`]s, which alone change the [`State`], and of [`Effect`]s, which the host carries out.
//!
//! ```text
//! input ──▶ manager ──▶ rules/ decide ──▶ facts ──▶ state/ applies
//!                              └────────▶ effects ──▶ host
//! ```
//!
//! In comments, `(B6)` names a rule of `docs/rules.md`.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]

mod base;
mod manager;
mod model;
pub mod read;
mod rules;
mod search;
mod shown;
mod state;
mod step;
mod waits;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use base::amounts::{Amounts, Caps, Dimension, Estimate, Nanos, UNCAPPED};
pub use base::codec::{Field, FieldShape, Text};
#[cfg(not(target_arch = "wasm32"))]
pub use base::codes::{Code, Codes};
pub use base::event_buffer::EventBuffer;
pub use base::form::{FORM, OLDEST_FORM};
pub use base::id::fence_nonce;
pub use base::quote::{self, quoted};
pub use base::reader::{Malformed, Reader};
#[cfg(not(target_arch = "wasm32"))]
pub use base::records::RecordShape;
pub use base::run_key::RunKey;
pub use base::slab::{Key, NONE, Slab};
pub use base::small_list;
pub use base::text::{cut_to_bytes, cut_to_chars, inline, label_of};
pub use base::view::ViewField;
#[cfg(not(target_arch = "wasm32"))]
pub use base::view::{ViewFieldShape, ViewShape};
pub use base::view_record::{Part, ViewRecord};
pub use manager::Manager;
pub use model::admitted::{First, KeyUse};
pub use model::codes;
#[cfg(not(target_arch = "wasm32"))]
pub use model::details::DetailField;
pub use model::details::Details;
pub use model::effect::{Effect, EndRow, Ended, TargetState, WaitedFor};
pub use model::ended::{AbandonAt, NewNotice};
pub use model::fact::{Fact, Shape, read_all};
pub use model::input::{Actor, Bounds, Defaults, Input, Mode, OnHostLost, Receipt, Reply};
pub use model::kinds::{Kinds, KindsView, ModelPrice, ReportedTokens};
pub use model::limits::{BEAT_MS, Limits, NICKNAME_CHARS, Row, TABLE, UNLIMITED, UNREAD_NOTICE_MS, Unit, WAIT_MS};
pub use model::options::{Items, Property};
#[cfg(not(target_arch = "wasm32"))]
pub use model::options::{OTHER_OPTIONS, SpawnOption};
pub use model::outcome::{Outcome, Reading, Returned, Usage};
pub use model::policy::{Answer, Point, Ruling};
pub use model::rate::KeyRate;
#[cfg(not(target_arch = "wasm32"))]
pub use model::refusal::Refusal;
pub use model::rejection::Rejection;
pub use model::retry::Retry;
pub use model::run_output::{DetailsView, ResultDetails, RunOutput};
pub use model::spawn::{Answers, ModelLimits, Once, RetryEnded, Spawn};
pub use model::spec::{Spec, Staged};
pub use model::status::{Deadline, Delivery, MessagePlace, OnParentEnd, Parked, Status, StopReason, WaitingFor};
pub use model::tool_list::ToolList;
pub use model::tools::{ALWAYS_BLOCKED, OPERATOR_TOOLS, SEND_TOOLS, SPAWN_TOOLS};
#[cfg(not(target_arch = "wasm32"))]
pub use model::tools::{Naming, TOOLS, Tool};
pub use model::usage::{Dimensions, Loan, Loans};
pub use read::fence::{Kind as FenceKind, Source, fence};
pub use read::{ends, lookup, notice_view, tool, view};
pub use rules::policies::tools::DeniedInVain;
pub use rules::results::{Page, read as read_result};
pub use state::budget::ledger;
pub use state::runs::{deadlines, run};
pub use state::scheduling::{cooldowns, idempotency, queue};
pub use state::tree::node;
pub use state::{
    Cost, DEFAULT_SESSION, Damaged, Drain, Missing, Named, Past, ROOT, Retained, State, Unreadable, Unrestorable, notices, policies,
};
pub use waits::{Links, Wait, Waits};

/// Keeps the linker from removing the counters of a counting module: `cargo xtask profile` reads them.
#[cfg(counting)]
#[unsafe(no_mangle)]
pub static __llvm_profile_runtime: u32 = 0;
