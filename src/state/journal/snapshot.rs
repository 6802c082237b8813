//! Snapshots: a state as bytes, which replaces the journal before it (J1). Owns a snapshot's head and its checks.
//!
//! A snapshot is the state itself, not a shorter list of facts. Places in the tables, their generations, and the order of queues
//! and deadlines decide the meaning of later facts. No shorter list would reproduce them.

use crate::base::codec::Field;
use crate::base::form::{FORM, OLDEST_FORM};
use crate::base::reader::{Malformed, Reader};
use crate::base::stored::{Codec, Stored};
use crate::state::State;
use crate::state::tree::node::Node;

/// Why a snapshot can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// This version doesn't read its form.
    #[error("a snapshot of form {form}, where this version reads {OLDEST_FORM} to {FORM}")]
    OtherForm {
        /// The snapshot's form.
        form: u64,
    },
    /// The bytes are no snapshot.
    #[error("no snapshot, or a damaged one: {0}")]
    Malformed(#[from] Malformed),
}

/// A state, and the number of facts that led to it.
struct Snapshot {
    count: u64,
    state: State,
}

crate::base::stored::stored!(Snapshot { count, state } from Self { count: 0, state: State::new() });

impl State {
    /// This state as bytes: the form, the `count` of facts that led to it, all stored fields.
    pub fn snapshot(&mut self, count: u64) -> Vec<u8> {
        let mut snapshot = Snapshot { count, state: std::mem::take(self) };
        let mut bytes = Vec::new();
        FORM.put(&mut bytes);
        let bytes = Codec::write(&mut snapshot, bytes);
        *self = snapshot.state;
        bytes
    }

    /// Reads a snapshot: the number of facts that led to its state, and the state.
    ///
    /// # Errors
    /// `Unreadable` if a version with another form wrote it, or if it is no snapshot.
    pub fn of_snapshot(bytes: &[u8]) -> Result<(u64, Self), Unreadable> {
        let mut reader = Reader::new(bytes);
        let form = u64::take(&mut reader);
        reader.check()?;
        if !(OLDEST_FORM..=FORM).contains(&form) {
            return Err(Unreadable::OtherForm { form });
        }
        let mut snapshot = Snapshot::blank();
        Codec::read(&mut snapshot, reader.of_form(form))?;
        snapshot.state.derive();
        Ok((snapshot.count, snapshot.state))
    }

    /// Computes the fields that a snapshot leaves out.
    fn derive(&mut self) {
        let count = |is_one: fn(&Node) -> bool| {
            let found = self.tree.indices().filter(|index| is_one(self.node(*index))).count();
            u32::try_from(found).unwrap_or(u32::MAX)
        };
        let (paused_with_messages, prioritised) = (count(Node::is_paused_with_messages), count(Node::is_prioritised));
        (*self.paused_with_messages, *self.prioritised) = (paused_with_messages, prioritised);
        let for_program = self.runs.indices().filter(|index| self.runs.at(*index).awaits_program).count();
        *self.for_program = u32::try_from(for_program).unwrap_or(u32::MAX);
        let tasks = self.tree.indices().map(|index| (index, self.own_id(self.key(index))));
        *self.own_ids = tasks.filter_map(|(index, id)| Some((id?.clone(), index))).collect();
        self.enqueue_all();
    }
}
