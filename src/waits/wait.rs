//! The record of one wait: who waits, for what, and since when its outcome is known. Owns its fields; `waits/mod.rs`
//! has the table.

use crate::base::run_key::RunKey;
use crate::base::slab::{NONE, record_defaults};
use crate::state::{DEFAULT_SESSION, ROOT};

/// An open wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The node that waits; for the program the root. [`NONE`] if the run that waited is over: no run is left that could get
    /// the end from the wait in place of a notice.
    pub by: u32,
    /// The waiting run's index, or [`NONE`] for the program, for sessions, and where the run is over.
    pub run: u32,
    /// Whether every target has to end.
    pub all: bool,
    /// Whether it waits until nothing runs any more at its one target and below.
    pub subtree: bool,
    /// Whether each target has to have no message left to run.
    pub idle: bool,
    /// Whether it returns an outcome for each of its targets.
    pub listed: bool,
    /// The first target; its run is 0 for a subtree.
    pub target: Option<RunKey>,
    /// The other targets.
    pub others: Vec<RunKey>,
    /// How many have not ended; of a subtree, 1 as long as anything runs there.
    pub outstanding: u32,
    /// It can be closed.
    pub ready: bool,
    /// When it ends at the latest.
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

    /// The inbox of the actor that waits: the program's is that of the default session (A1).
    #[must_use]
    pub const fn inbox(&self) -> u32 {
        if self.by == ROOT { DEFAULT_SESSION } else { self.by }
    }

    /// Whether it will hand over the end of this run to the owner of `inbox`.
    #[must_use]
    pub fn delivers(&self, inbox: u32, of: RunKey) -> bool {
        !self.subtree && self.inbox() == inbox && self.targets().any(|target| target == of)
    }

    /// The top of the subtree that it waits for.
    pub(super) fn top(&self) -> u32 {
        self.target.map_or(NONE, |target| target.task.index)
    }
}
