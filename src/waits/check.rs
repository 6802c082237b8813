//! The invariants of waits between any two inputs. Owns the checks, each by its own count. Tests and the simulation call them
//! after every step.

use super::{Links, Waits, wide};
use crate::base::run_key::RunKey;
use crate::model::status::{Delivery, Parked};
use crate::state::State;
use crate::state::runs::deadlines::Owner;
use crate::state::runs::run::Phase;

macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => { if !$holds { return Err(format!($($message)+)); } };
}

impl Waits {
    /// Checks every invariant, against the state that the waits belong to.
    ///
    /// # Errors
    /// A sentence that names the broken invariant, and its place.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        ensure!(self.idling.is_empty(), "waits hang between two runs: {:?}", self.idling);
        ensure!(self.ready.is_empty(), "waits were left to be closed: {:?}", self.ready);
        ensure!(self.open.is_clean(), "a wait was written to the void");
        let mut on_subtrees: Vec<(u32, u32)> =
            self.indices().filter(|wait| self.at(*wait).subtree).map(|wait| (self.at(wait).top(), wait)).collect();
        on_subtrees.sort_unstable();
        ensure!(self.on_subtrees.is_sorted_by_key(|(top, _)| *top), "the waits for subtrees are out of order");
        let mut listed = self.on_subtrees.clone();
        listed.sort_unstable();
        ensure!(listed == on_subtrees, "{listed:?} are listed for subtrees, there are {on_subtrees:?}");
        for index in self.indices() {
            let wait = self.at(index);
            ensure!(!wait.ready, "wait {index} could be closed");
            let names = |target: &RunKey| self.waiters(state.node(target.task.index).run).iter().any(|other| *other == index);
            let open = usize::from(wait.subtree && state.node(wait.top()).open_runs > 0);
            let outstanding = if wait.subtree { open } else { wait.targets().filter(names).count() };
            ensure!(outstanding == wide(wait.outstanding), "wait {index} counts {} outstanding, there are {outstanding}", wait.outstanding);
            ensure!(outstanding > 0, "wait {index} waits for nothing");
            let due = self.deadlines.of(Owner::Wait(index));
            ensure!(due == wait.until, "S3: wait {index} is armed for {due:?}");
        }
        let timed = self.indices().filter(|index| self.at(*index).until.is_some()).count();
        ensure!(timed == self.deadlines.len(), "{} deadlines are armed for {timed} waits", self.deadlines.len());
        self.check_links(state)?;
        for at in state.notices.indices().filter(|at| state.notices.at(*at).delivery == Delivery::Awaited) {
            let (notice, task) = (state.notices.at(at), state.named_by(at));
            let awaited = self.indices().any(|wait| self.at(wait).delivers(notice.owner, RunKey { task, run: notice.run }));
            ensure!(awaited, "W4: notice {at} is awaited, and no wait is for it");
        }
        Ok(())
    }

    /// A run is parked for its sub-agents exactly while it has an open wait, or has returned before its end (S1).
    fn check_links(&self, state: &State) -> Result<(), String> {
        for (index, links) in (0_u32..).zip(&self.links) {
            ensure!(state.runs.holds(index) || *links == Links::default(), "run {index} is over and has the waits {links:?}");
        }
        for index in state.runs.indices() {
            let run = state.runs.at(index);
            let mut own: Vec<u32> = self.own(index).iter().copied().collect();
            own.sort_unstable();
            let waits: Vec<u32> = self.indices().filter(|wait| self.at(*wait).run == index).collect();
            ensure!(own == waits, "run {index} has the waits {own:?}, there are {waits:?}");
            let parked = run.is_parked(Parked::Children);
            let stands = run.phase == Phase::Open && (!own.is_empty() || run.returned.is_some());
            ensure!(parked == stands, "S1: run {index} has the waits {own:?}, parks {:b}", run.parks);
        }
        Ok(())
    }
}
