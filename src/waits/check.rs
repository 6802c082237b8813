//! What must hold of waits between any two inputs. Owns the checks, each by its own count. Used by tests and by the
//! simulation after every step.

use super::{Links, Target, Waits, wide};
use crate::model::status::{Delivery, Parked};
use crate::state::State;
use crate::state::deadlines::Owner;
use crate::state::run::Phase;

macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => { if !$holds { return Err(format!($($message)+)); } };
}

impl Waits {
    /// Checks every invariant, against the state that the waits stand beside.
    ///
    /// # Errors
    /// A sentence that says which one does not hold, and where.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        ensure!(self.idling.is_empty(), "waits hang between two runs: {:?}", self.idling);
        ensure!(self.ready.is_empty(), "waits were left to be closed: {:?}", self.ready);
        ensure!(self.open.is_clean(), "a wait was written to the void");
        let mut settling: Vec<(u32, u32)> =
            self.slots().filter(|wait| self.at(*wait).subtree).map(|wait| (self.at(wait).top(), wait)).collect();
        settling.sort_unstable();
        ensure!(self.settling.is_sorted_by_key(|(top, _)| *top), "those who wait for a subtree to settle are out of order");
        let mut listed = self.settling.clone();
        listed.sort_unstable();
        ensure!(listed == settling, "{listed:?} are listed to settle, there are {settling:?}");
        for slot in self.slots() {
            let wait = self.at(slot);
            ensure!(!wait.ready, "wait {slot} could be closed");
            let names = |target: &Target| self.waiters(state.node(target.task.slot).run).iter().any(|other| *other == slot);
            let open = usize::from(wait.subtree && state.node(wait.top()).open_runs > 0);
            let outstanding = if wait.subtree { open } else { wait.targets().filter(names).count() };
            ensure!(outstanding == wide(wait.outstanding), "wait {slot} counts {} outstanding, there are {outstanding}", wait.outstanding);
            ensure!(outstanding > 0, "wait {slot} waits for nothing");
            let due = self.deadlines.of(Owner::Wait(slot));
            ensure!(due == wait.until, "S3: wait {slot} is armed for {due:?}");
        }
        let timed = self.slots().filter(|slot| self.at(*slot).until.is_some()).count();
        ensure!(timed == self.deadlines.len(), "{} deadlines are armed for {timed} waits", self.deadlines.len());
        self.check_links(state)?;
        for at in state.notices.slots().filter(|at| state.notices.at(*at).delivery == Delivery::Awaited) {
            let (notice, task) = (state.notices.at(at), state.named_by(at));
            let awaited = self.slots().any(|wait| self.at(wait).hands_over(notice.owner, task, notice.run));
            ensure!(awaited, "W4: notice {at} is awaited, and no wait is for it");
        }
        Ok(())
    }

    /// A run is parked for its sub-agents just as long as a wait of its own is open, or it has returned before its end (S1).
    fn check_links(&self, state: &State) -> Result<(), String> {
        for (slot, links) in (0_u32..).zip(&self.links) {
            ensure!(state.runs.holds(slot) || *links == Links::default(), "run {slot} is over and has the waits {links:?}");
        }
        for slot in state.runs.slots() {
            let run = state.runs.at(slot);
            let mut own: Vec<u32> = self.own(slot).iter().copied().collect();
            own.sort_unstable();
            let waits: Vec<u32> = self.slots().filter(|wait| self.at(*wait).run == slot).collect();
            ensure!(own == waits, "run {slot} has the waits {own:?}, there are {waits:?}");
            let parked = run.is_parked(Parked::Children);
            let stands = run.phase == Phase::Open && (!own.is_empty() || run.returned.is_some());
            ensure!(parked == stands, "S1: run {slot} has the waits {own:?}, parks {:b}", run.parks);
        }
        Ok(())
    }
}
