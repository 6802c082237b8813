//! What a cancel says of the ends that it causes: those of all background work that it stops are listed in its
//! answer, those of work that an interrupt had asked to stop before included (N4).

use subagents::{Actor, DEFAULT_SESSION, Input, NONE, RunKey, Status};

use super::world::World;

impl World {
    /// The background runs that end for no other reason than this input: below what it stops, and that itself where its
    /// parent asks.
    pub(super) fn background_to_stop(&self, actor: Actor, input: &Input) -> Vec<RunKey> {
        let (Input::Cancel { task, .. } | Input::Close { task, .. }) = input else { return Vec::new() };
        let state = self.state();
        if !state.tree.contains(*task) {
            return Vec::new();
        }
        let stops = |index: &u32| {
            let (node, run) = (state.node(*index), state.run_of(*index));
            node.background && node.run != NONE && run.stop.is_none_or(|(_, status)| status == Status::Interrupted)
        };
        let speaker = match actor {
            Actor::Program => DEFAULT_SESSION,
            Actor::Session(key) | Actor::Run(key, _) => key.index,
        };
        let own = Some(task.index).filter(|index| state.node(*index).is_task() && state.node(*index).parent == speaker);
        own.into_iter().chain(state.below(task.index)).filter(stops).map(|index| state.run_key(state.node(index).run)).collect()
    }

    /// A cancel that was taken has listed them all.
    pub(super) fn check_claims(&mut self, stopped: &[RunKey], reply: &Result<impl Sized, impl Sized>) {
        let claimed = self.manager.take_claimed();
        if reply.is_ok() {
            let missing = stopped.iter().find(|run| !claimed.contains(run));
            assert!(missing.is_none(), "N4: the end of {missing:?} is not in the answer of the cancel that stops it: {claimed:?}");
        }
    }
}
