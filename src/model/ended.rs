//! How a run ends: its status, the notice that its end makes, and when its host function is abandoned. Owns these
//! records.

use crate::base::codec::Field;
use crate::base::event_buffer::{EncodeEvent, EventBuffer};
use crate::base::reader::Reader;
use crate::base::record::record;
use crate::base::slab::Key;
use crate::model::status::{Status, StopReason};

/// How a run ended.
pub(crate) struct End {
    pub(crate) status: Status,
    pub(crate) reason: StopReason,
    /// The output is unfinished: the run was stopped or broke off.
    pub(crate) partial: bool,
    /// The host function is still running.
    pub(crate) host_open: bool,
}

record! {
    /// The notice that the end of a background run makes (N1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct NewNotice {
        /// The owner of its inbox.
        pub to: Key,
        /// Its intended receiver, if that no longer runs.
        pub rerouted_from: Option<Key>,
        /// Whether its receiver already knows the end, so that no delivery is needed.
        pub acked: bool,
        /// Whether an open wait of its receiver will deliver it.
        pub awaited: bool,
    }
}

/// When the host function of an ended run is abandoned; 0 if it has returned or is never abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbandonAt(pub u64);

impl AbandonAt {
    /// The time, if it is abandoned at all.
    #[must_use]
    pub fn at(self) -> Option<u64> {
        Some(self.0).filter(|at| *at > 0)
    }
}

impl Field for AbandonAt {
    fn kind() -> String {
        "instant".into()
    }

    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }

    fn take(reader: &mut Reader<'_>) -> Self {
        Self(reader.number())
    }
}

impl EncodeEvent for AbandonAt {
    #[inline]
    fn encode_event(&self, out: &mut EventBuffer) {
        self.0.encode_event(out);
    }
}
