//! Queries of a manager besides its inputs: the rules answer, and nothing changes. Queries of the state alone are in `read/`.

use crate::base::slab::Key;
use crate::manager::Manager;
use crate::model::input::Actor;
use crate::model::rejection::Rejection;
use crate::rules::notices::delivery;
use crate::rules::policies::tools::{self, DeniedInVain};
use crate::rules::results;
use crate::rules::results::Page;
use crate::rules::scheduling::admission;
use crate::rules::waiting;
use crate::step::Context;

impl Manager {
    /// An actor's own sub-agents that are working, or whose ends have not been delivered to it. A wait without named targets
    /// waits for them (A1).
    ///
    /// # Errors
    /// [`Rejection::ActorEnded`] if the actor has ended.
    pub fn own_to_wait_for(&self, actor: Actor) -> Result<Vec<Key>, Rejection> {
        waiting::own(&self.state, actor)
    }

    /// Whether an inbox may still get a notice to deliver (N2).
    #[must_use]
    pub fn may_notify(&self, owner: u32) -> bool {
        waiting::may_notify(&self.state, owner)
    }

    /// The notices of the present turn of a task's run (N3).
    pub fn notices_of_turn(&self, task: u32) -> impl Iterator<Item = u32> + '_ {
        delivery::of_turn(&self.state, task)
    }

    /// Whether a sub-agent spawned now by this actor would start at once, and budget remains (D3). A time before the last input
    /// counts as the last input's.
    #[must_use]
    pub fn can_spawn(&self, now: u64, actor: Actor) -> bool {
        let now = self.time_of(now).max(self.now);
        admission::can_spawn(Context { state: &self.state, waits: &self.waits, search: &self.search, now }, actor)
    }

    /// Whether an actor may start work, in the background or to be waited for (D9).
    ///
    /// # Errors
    /// A [`Rejection`] if it may not.
    pub fn may_start(&self, actor: Actor, background: bool) -> Result<(), Rejection> {
        admission::check_caller(&self.state, actor, background)
    }

    /// The denied entries of a task, or the blocked entries of the policies of a session's sub-agents, that match none of the
    /// main agent's tools. `None` if these tools aren't known (P4).
    #[must_use]
    pub fn denied_in_vain(&self, index: u32) -> Option<DeniedInVain<'_>> {
        tools::denied_in_vain(&self.state, index)
    }

    /// Whether an actor may use a tool, before its policies are asked (P2).
    ///
    /// # Errors
    /// A [`Rejection`] if it may not.
    pub fn may_use(&self, actor: Actor, tool: &str) -> Result<(), Rejection> {
        let (index, run) = self.state.place_of(actor)?;
        if run == 0 { Ok(()) } else { tools::may_use(&self.state, index, tool) }
    }

    /// A page of the output of a task's last run.
    ///
    /// # Errors
    /// If the task doesn't exist, isn't the actor's, or its result has been released.
    pub fn read_result(&self, actor: Actor, task: Key, offset: u32, limit: u32) -> Result<Page, Rejection> {
        results::read(&self.state, actor, task, offset, limit)
    }
}
