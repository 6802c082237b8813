//! The manual style, used well and confused with the other. Owns the choices.

use subagents::{Actor, Estimate, Input, Key, Outcome, Returned};

use super::host::usage;
use super::world::World;

impl World {
    pub(super) fn act_manually(&mut self) {
        let manual: Vec<Key> = self.model.nodes.iter().filter(|node| node.manual && !node.forgotten).map(|node| node.key).collect();
        let task = (!manual.is_empty()).then(|| manual[self.rng.index(manual.len())]);
        match (self.rng.below(10), task) {
            (0..=2, _) | (_, None) => {
                let spawn = self.random_spawn();
                let actor = self.random_actor();
                let _ = self.say(actor, Input::CreateTask(spawn));
            }
            (3..=4, Some(task)) => {
                let _ = self.say(Actor::Program, Input::MarkRunning(task));
            }
            (5..=6, Some(task)) => {
                let outcome = self.random_outcome();
                let _ = self.say(Actor::Program, Input::MarkEnded { task, outcome });
            }
            (7, Some(_)) => {
                let tokens = self.rng.below(3_000);
                let _ = self.say(Actor::Program, Input::Allocate(tokens));
            }
            (8, Some(_)) => {
                let tokens = self.rng.below(3_000);
                let _ = self.say(Actor::Program, Input::Release(tokens));
            }
            (_, Some(task)) => self.confuse_styles(task),
        }
    }

    /// Uses the manual calls on ordinary tasks and the others on manual ones.
    pub(super) fn confuse_styles(&mut self, manual: Key) {
        self.counts.note("misbehaviour", "confuses the styles");
        let ordinary = self.random_task().unwrap_or(manual);
        let run = self.state().node(manual.index).runs;
        let outcome = self.random_outcome();
        let estimate = Estimate::default();
        let (actor, input) = match self.rng.below(7) {
            0 => (Actor::Program, Input::MarkRunning(ordinary)),
            1 => (Actor::Program, Input::MarkEnded { task: ordinary, outcome }),
            2 if self.rng.chance(30) => (Actor::Program, Input::Interrupt { task: manual, grace_ms: None }),
            2 if self.rng.chance(30) => (Actor::Run(manual, run), Input::Ask { question: "hm?".into(), timeout_ms: None }),
            2 => (Actor::Program, Input::Send { task: manual, mode: self.random_mode(), text: "hello".into() }),
            3 => (Actor::Program, Input::Settle { task: manual, run, outcome }),
            6 => (Actor::Program, Input::TakeRun(ordinary)),
            4 => (Actor::Run(manual, run), Input::BeginTurn { estimate }),
            _ => (Actor::Run(manual, run), Input::Spawn(self.random_spawn())),
        };
        let _ = self.say(actor, input);
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

    pub(super) fn random_outcome(&mut self) -> Outcome {
        let returned = self.rng.pick(&[
            Returned::Completed,
            Returned::Failed,
            Returned::Incomplete,
            Returned::Cancelled,
            Returned::TimedOut,
            Returned::Invalid,
        ]);
        Outcome { returned, usage: usage(&mut self.rng, self.hostile), product: "by hand".into(), told: None }
    }
}
