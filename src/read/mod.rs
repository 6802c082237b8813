//! Reads for users and models: views, lookups, tool descriptions, and the texts of ends, questions and notices. Every text for a
//! model is made here; another model's text goes in through [`quote`](crate::quote) or [`fence`] only (N5, R3). Changes nothing.

pub mod ends;
pub mod fence;
pub mod figures;
pub mod lookup;
pub mod notice_view;
pub(crate) mod questions;
pub mod tool;
pub mod view;
