//! A wait: who waits, for which runs, until when. Owns the record; `rules/waiting.rs` decides.

use crate::slab::{Key, NONE};

/// A run that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its task.
    pub task: Key,
    /// Which run; for the settling of a subtree, 0.
    pub run: u32,
}

/// An open wait.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The waiting run's slot, or [`NONE`] for the program and for sessions.
    pub run: u32,
    /// Whether every target has to end.
    pub all: bool,
    /// Whether it waits for all that runs under its one target to settle.
    pub subtree: bool,
    /// The first target.
    pub target: Option<Target>,
    /// The other targets.
    pub others: Vec<Target>,
    /// How many have not ended.
    pub outstanding: u32,
    /// When it ends at the latest.
    pub until: Option<u64>,
}

impl Default for Wait {
    fn default() -> Self {
        Self { run: NONE, all: false, subtree: false, target: None, others: Vec::new(), outstanding: 0, until: None }
    }
}

impl Wait {
    /// All targets.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        self.target.into_iter().chain(self.others.iter().copied())
    }
}
