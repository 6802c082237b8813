//! Tasks that the program drives: which runs it takes up, and what it takes for one. Owns the choices (X6).

use subagents::{Actor, Input};

use super::world::World;

impl World {
    /// Takes a task for one that the program drives.
    pub(super) fn take_what_is_not_driven(&mut self) {
        let Some(task) = self.random_task() else { return };
        self.counts.note("misbehaviour", "takes any task for a driven one");
        let _ = self.say(Actor::Program, Input::TakeRun(task));
    }

    /// The program takes up a run that waits for it (X6); `false` where it doesn't, or is refused.
    pub(super) fn take_up(&mut self) -> bool {
        let state = self.state();
        let waiting: Vec<u32> = state.queue.in_order().filter(|run| state.runs.at(*run).awaits_program).collect();
        if waiting.is_empty() || (self.next_event().is_some_and(|at| at < u64::MAX) && self.rng.chance(60)) {
            return false;
        }
        let run = waiting[self.rng.index(waiting.len())];
        let task = self.state().key(self.state().runs.at(run).task);
        let is_taken = self.say(Actor::Program, Input::TakeRun(task)).is_ok();
        self.counts.note("driven", if is_taken { "taken up" } else { "refused" });
        is_taken
    }
}
