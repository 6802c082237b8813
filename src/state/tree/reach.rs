//! Reach: the tasks that an actor may name (A1). Owns this check, which every request that names a task goes through.

use crate::base::slab::{Key, NONE};
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::state::runs::run::Phase;
use crate::state::{DEFAULT_SESSION, ROOT, State};

impl State {
    /// The node for which an actor spawns, and the number of its run.
    pub fn place_of(&self, actor: Actor) -> Result<(u32, u32), Rejection> {
        match actor {
            Actor::Program => Ok((DEFAULT_SESSION, 0)),
            Actor::Session(key) => match self.living(key) {
                Ok(index) if !self.node(index).is_task() && !self.is_closed_session(index) => Ok((index, 0)),
                Err(Rejection::UnknownTask) => Err(Rejection::UnknownTask),
                Ok(_) | Err(_) => Err(Rejection::ActorEnded),
            },
            Actor::Run(key, run) => {
                let index = self.living(key).map_err(|_| Rejection::ActorEnded)?;
                let current = self.run_of(index);
                let begun = self.node(index).run != NONE && current.number == run && current.phase == Phase::Open;
                let open = begun && current.returned.is_none();
                if open { Ok((index, run)) } else { Err(Rejection::ActorEnded) }
            }
        }
    }

    /// The node that pays for an actor's main agent: its session, or the manager once the session is removed (B12).
    pub(crate) fn payer_of_main(&self, actor: Actor) -> u32 {
        match actor {
            Actor::Session(key) if self.tree.contains(key) && !self.node(key.index).is_task() => key.index,
            Actor::Session(_) => ROOT,
            Actor::Program | Actor::Run(..) => DEFAULT_SESSION,
        }
    }

    /// The index of an existing node.
    pub fn living(&self, key: Key) -> Result<u32, Rejection> {
        if self.tree.contains(key) {
            Ok(key.index)
        } else if self.tree.was_removed(key) {
            Err(Rejection::Forgotten)
        } else {
            Err(Rejection::UnknownTask)
        }
    }

    /// The index of a node that an actor reaches: any for the program, its descendants for the others (A1).
    pub fn reach(&self, actor: Actor, key: Key) -> Result<u32, Rejection> {
        let index = self.living(key)?;
        let top = match actor {
            Actor::Program => ROOT,
            Actor::Session(_) | Actor::Run(..) => self.place_of(actor)?.0,
        };
        let reached = actor == Actor::Program || (index != top && self.is_within(index, top));
        if reached { Ok(index) } else { Err(Rejection::NotReachable) }
    }
}
