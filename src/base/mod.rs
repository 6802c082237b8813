//! The base: tables, bytes, ids, sums, texts. Knows no sub-agent.

pub(crate) mod amounts;
pub(crate) mod bucket;
pub(crate) mod codec;
pub(crate) mod codes;
pub(crate) mod derived;
pub(crate) mod digest;
pub(crate) mod event_buffer;
pub(crate) mod form;
pub(crate) mod forms;
pub(crate) mod id;
pub(crate) mod intrusive_list;
pub(crate) mod named;
pub(crate) mod number;
pub(crate) mod pattern;
pub mod quote;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod records;
pub(crate) mod run_key;
pub(crate) mod slab;
pub(crate) mod slab_record;
pub mod small_list;
pub(crate) mod stored;
pub(crate) mod text;
pub(crate) mod view;
pub(crate) mod view_record;
