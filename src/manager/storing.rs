//! The manager's part of a store: facts and snapshots are restored, and work continues (J1, J3). Owns the order of that. Must
//! never know which facts there are, or how they are stored.

use crate::base::codec::Text;
use crate::base::id::SALT_MASK;
use crate::base::reader::Reader;
use crate::manager::Manager;
use crate::manager::deciding::decide;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Input, OnHostLost};
use crate::model::rejection::Rejection;
use crate::rules::journal::reopening;
use crate::state::{Damaged, State, Unreadable, Unrestorable};

impl Manager {
    /// A manager that continues from these facts of an earlier manager, in whole batches (J3). Queued work starts, runs in flight
    /// have ended `host_lost`, and notices are delivered again. It listens: it notes the facts of the opening, to be
    /// taken like any others.
    ///
    /// The host functions, waits and effects of the earlier manager are lost. Call this when the host can take new effects.
    ///
    /// # Errors
    /// [`Damaged`], with its place, if a fact can't follow those before it.
    pub fn open(now: u64, facts: Vec<(u64, Fact)>) -> Result<Self, Damaged> {
        let mut manager = Self::default();
        manager.restore(facts)?;
        manager.begin_reopening(now, 0, None);
        manager.resume_all(OnHostLost::Fail);
        Ok(manager)
    }

    /// Restores earlier facts, whole batches of them in their order. Call it before anything else, and [`Self::reopen`] after the
    /// last batch.
    ///
    /// # Errors
    /// [`Damaged`], with its place, if a fact can't follow those before it.
    pub fn restore(&mut self, facts: Vec<(u64, Fact)>) -> Result<(), Damaged> {
        let count = self.state.follow(facts)?;
        self.log.count = self.log.count.saturating_add(count);
        Ok(())
    }

    /// Restores facts like [`Self::restore`], but from the stored bytes; `form` is the form in which they were written.
    ///
    /// # Errors
    /// [`Unrestorable`], with its place, if bytes are no fact, or a fact can't follow those before it.
    pub fn restore_stored(&mut self, form: u64, bytes: &[u8]) -> Result<(), Unrestorable> {
        let count = self.state.follow_stored(Reader::new(bytes).of_form(form))?;
        self.log.count = self.log.count.saturating_add(count);
        Ok(())
    }

    /// The whole state as bytes, in place of the facts so far: facts noted from now on follow them.
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.state.snapshot(self.log.count)
    }

    /// Restores a snapshot in place of the facts that led to it, before any other facts.
    ///
    /// # Errors
    /// [`Unreadable`] if a version with another form wrote it, or if it is no snapshot.
    pub fn restore_snapshot(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        (self.log.count, self.state) = State::of_snapshot(bytes)?;
        Ok(())
    }

    /// Continues after the restored facts, and listens. `lost` decides whether runs in flight end or are queued again. `known`:
    /// the names of the existing agents and profiles. If they are given, work that needs others waits, and each session waits
    /// until it is registered. `settings`: inputs that set something. They replace the earlier process's settings for that work.
    /// `salt`: random, so that ids of work accepted from now on differ from the ids of every other opening (A7).
    ///
    /// # Errors
    /// The [`Rejection`] of a refused setting. Then nothing has continued, and this manager can't be used again.
    pub fn reopen(
        &mut self,
        now: u64,
        salt: u64,
        lost: OnHostLost,
        known: Option<(Vec<Text>, Vec<Text>)>,
        settings: Vec<Input>,
    ) -> Result<(), Rejection> {
        self.begin_reopening(now, (salt & SALT_MASK).max(1), known);
        let mut step = self.step();
        for setting in settings {
            decide(&mut step, Actor::Program, setting)?;
        }
        self.resume_all(lost);
        Ok(())
    }

    fn begin_reopening(&mut self, now: u64, salt: u64, known: Option<(Vec<Text>, Vec<Text>)>) {
        // If the clock is behind, the time must not stand still until the clock has caught up: no wait would end until then.
        self.ahead = self.state.now.saturating_sub(now);
        self.now = self.time_of(now);
        self.log.on = true;
        reopening::begin(&mut self.step(), salt, known);
    }

    fn resume_all(&mut self, lost: OnHostLost) {
        reopening::resume_all(&mut self.step(), lost);
        self.conclude();
    }

    /// Notes facts for a store from now on. Queued work continues in another process, and a drain doesn't touch it (D8). `lost`:
    /// what happens to runs that a drain must stop. `waits`: an end is leased once [`Manager::kept`] has reported that it is
    /// stored.
    pub fn keep_journal(&mut self, lost: OnHostLost, waits: bool) {
        self.log.on = true;
        self.log.stored = true;
        self.log.lost = lost;
        self.log.unkept = waits.then(Vec::new);
    }

    /// The hosts of this manager are other processes: they outlive this one, and the next one finds them running. Call it before
    /// [`Self::reopen`].
    pub const fn outlived_by_hosts(&mut self) {
        self.log.outlives = true;
    }

    /// Whether a drain leaves the runs that it stops to the process that opens the store next (D8).
    #[must_use]
    pub fn leaves_runs(&self) -> bool {
        self.log.leaves_runs(&self.state)
    }

    /// The number of running host functions whose runs a drain has left to the process that opens the store next.
    #[must_use]
    pub const fn left_open(&self) -> usize {
        self.log.left_open.len()
    }

    /// Reports that this many facts are stored.
    pub fn kept(&mut self, facts: u64) {
        if let Some(unkept) = &mut self.log.unkept {
            unkept.retain(|(fact, _)| *fact > facts);
        }
    }
}
