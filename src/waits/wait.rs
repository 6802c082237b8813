//! The record of one wait: who waits, for which targets, and until when. Owns its fields; `waits/mod.rs` has the table.

use crate::base::run_key::RunKey;
use crate::base::slab::{NONE, record_defaults};
use crate::state::{DEFAULT_SESSION, ROOT};

/// An open wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The node that waits; for the program the root. [`NONE`] if nobody gets the ends from the wait, as after the end of the run
    /// that waited.
    pub by: u32,
    /// The index of the run that waits, or in whose context the wait was opened. [`NONE`] if there is none, or it is over.
    pub run: u32,
    /// Whether every target has to end.
    pub all: bool,
    /// Whether it waits until nothing runs at or below its one target.
    pub subtree: bool,
    /// Whether no target may have a message left to run.
    pub idle: bool,
    /// Whether it returns an outcome for each target.
    pub listed: bool,
    /// The first target; its run is 0 for a subtree.
    pub target: Option<RunKey>,
    /// The other targets.
    pub others: Vec<RunKey>,
    /// The number of targets that have not ended; for a subtree, 1 while anything runs there.
    pub outstanding: u32,
    /// It can be closed.
    pub ready: bool,
    /// Its deadline.
    pub until: Option<u64>,
}

record_defaults!(Wait {
    others: Vec::new(),
    by: NONE,
    run: NONE,
    all: false,
    subtree: false,
    idle: false,
    listed: false,
    target: None,
    outstanding: 0,
    ready: false,
    until: None,
});

impl Wait {
    /// All targets.
    pub fn targets(&self) -> impl Iterator<Item = RunKey> + '_ {
        self.target.into_iter().chain(self.others.iter().copied())
    }

    /// The inbox of the actor that waits: the program uses the inbox of the default session (A1).
    #[must_use]
    pub const fn inbox(&self) -> u32 {
        if self.by == ROOT { DEFAULT_SESSION } else { self.by }
    }

    /// Whether it will deliver the end of this run to the owner of `inbox`.
    #[must_use]
    pub fn delivers(&self, inbox: u32, of: RunKey) -> bool {
        !self.subtree && self.inbox() == inbox && self.targets().any(|target| target == of)
    }

    /// The top of the awaited subtree.
    pub(super) fn top(&self) -> u32 {
        self.target.map_or(NONE, |target| target.task.index)
    }
}
