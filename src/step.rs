//! One step of the manager: the state, the time, and where facts and effects go. The rules work on it.
//!
//! Owns the one way to change the state: [`Step::record`] notes a fact for whoever listens and applies
//! it at once.

use crate::codec::Field;
use crate::effect::Effect;
use crate::fact::Fact;
use crate::input::Actor;
use crate::rejection::Rejection;
use crate::slab::{Key, NONE};
use crate::state::run::Phase;
use crate::state::{DEFAULT_SESSION, ROOT, State};

/// Facts of a batch in their stored form, kept only while somebody listens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Whether anybody listens.
    pub(crate) on: bool,
    /// Stamped facts, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// How many facts there have been since the beginning, listened to or not.
    pub(crate) count: u64,
}

/// One step.
pub(crate) struct Step<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) log: &'a mut Log,
    pub(crate) effects: &'a mut Vec<Effect>,
    /// The time of this step, in milliseconds.
    pub(crate) now: u64,
}

impl Step<'_> {
    /// Notes a fact and applies it. Kept out of line: inlined into every caller, the one match over all
    /// facts would make up most of the module.
    #[inline(never)]
    pub(crate) fn record(&mut self, fact: Fact) {
        self.log.count = self.log.count.saturating_add(1);
        if self.log.on {
            self.now.put(&mut self.log.bytes);
            fact.put(&mut self.log.bytes);
        }
        self.state.apply(self.now, fact);
    }

    /// Asks something of the host.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// The node for which an actor spawns, and the number of its run.
    pub(crate) fn place_of(&self, actor: Actor) -> Result<(u32, u32), Rejection> {
        match actor {
            Actor::Program => Ok((DEFAULT_SESSION, 0)),
            Actor::Session(key) => self.living(key).map(|slot| (slot, 0)),
            Actor::Run(key, run) => {
                let slot = self.living(key).map_err(|_| Rejection::ActorEnded)?;
                let current = self.state.run_of(slot);
                let open = self.state.node(slot).run != NONE && current.number == run && current.phase == Phase::Open;
                if open { Ok((slot, run)) } else { Err(Rejection::ActorEnded) }
            }
        }
    }

    /// The slot of a node that is there.
    pub(crate) fn living(&self, key: Key) -> Result<u32, Rejection> {
        if self.state.tree.contains(key) {
            Ok(key.slot)
        } else if self.state.tree.was_removed(key) {
            Err(Rejection::Forgotten)
        } else {
            Err(Rejection::UnknownTask)
        }
    }

    /// The slot of a node that an actor reaches: any for the program, its descendants for the others (A1).
    pub(crate) fn reach(&self, actor: Actor, key: Key) -> Result<u32, Rejection> {
        let slot = self.living(key)?;
        let top = match actor {
            Actor::Program => ROOT,
            Actor::Session(_) | Actor::Run(..) => self.place_of(actor)?.0,
        };
        let reached = actor == Actor::Program || (slot != top && self.state.is_within(slot, top));
        if reached { Ok(slot) } else { Err(Rejection::NotReachable) }
    }
}
