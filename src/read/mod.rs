//! What users and models read: the descriptions of tools, the texts of ends, questions and notices. Every text for a model is made here, and what another model chose goes into it through
//! [`quote`](crate::quote) or [`fence`] only (N5, R3). Computes from the state and keeps nothing.

pub mod ends;
pub mod fence;
pub mod figures;
pub mod lookup;
pub mod notice_view;
pub(crate) mod questions;
pub mod tool;
pub mod view;
