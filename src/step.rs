//! One step of the manager: the state, the time, and where facts and effects go. The rules work on it.
//!
//! Owns the one way to change the state: [`Step::record`] notes a fact for listeners and applies it at once.

use std::ops::Deref;

use crate::base::codec::Field;
use crate::base::event_buffer::EventBuffer;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::effect::{Effect, WaitedFor};
use crate::model::fact::Fact;
use crate::model::input::OnHostLost;
use crate::model::status::Status;
use crate::search::{self, Search};
use crate::shown;
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::deadlines::Owner;
use crate::state::runs::run::Phase;
use crate::waits::{self, ReportedWait, Waits};

/// What a step notes besides the state: facts in their stored form, if there is a listener, and work to finish at its end. Steps
/// share it, so that none allocates its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Whether there is a listener.
    pub(crate) on: bool,
    /// Whether the facts for the listener are stored: then queued work continues in another process.
    pub(crate) stored: bool,
    /// What becomes of runs that are in flight when their process is lost, or ends before they do.
    pub(crate) lost: OnHostLost,
    /// Whether hosts survive this process, and continue in the next one what they have begun.
    pub(crate) outlives: bool,
    /// Whether the host wants to know which tasks are forgotten or closed: it keeps something for them.
    pub(crate) notify_forgotten: bool,
    /// Stamped facts, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// Whether they are only for listeners in this process, and go there.
    pub(crate) shows: bool,
    pub(crate) events: EventBuffer,
    /// Runs whose ends were claimed by the cancel of this step.
    pub(crate) claimed: Vec<RunKey>,
    /// The states of the targets of a wait of this step that was over at once.
    pub(crate) waited: Vec<WaitedFor>,
    /// Runs that a drain left to another process, and whose host functions run on all the same.
    pub(crate) left_open: Vec<RunKey>,
    /// Runs that have begun and whose host functions are still to be called: a policy is asked before. Their messages are
    /// not delivered yet (M2).
    pub(crate) uncalled: Vec<RunKey>,
    /// Sessions that the effects which the host has not taken yet wake, in order.
    pub(crate) woken: Vec<Key>,
    /// Closed sessions in which something has ended since the step began.
    pub(crate) closed: Vec<u32>,
    /// Waits that are over since the step began and return an outcome for each of their targets.
    pub(crate) finished_waits: Vec<ReportedWait>,
    /// How many facts there have been since the beginning, listened to or not.
    pub(crate) count: u64,
    /// How many there had been when it was last looked whether anything can move (S6).
    pub(crate) looked: u64,
    /// How many there were before this step.
    pub(crate) before: u64,
    /// Whether it was said that the cost of runs under a cap in dollars is unknown (B7).
    pub(crate) missed_cost: bool,
    /// Used if nothing may be shown before it is stored. Ends that made notices and are not stored yet, with their numbers among
    /// the facts (J1).
    pub(crate) unkept: Option<Vec<(u64, RunKey)>>,
}

impl Log {
    /// Whether the host function of a run is still to be called.
    pub(crate) fn is_uncalled(&self, of: RunKey) -> bool {
        self.uncalled.contains(&of)
    }

    /// Whether a drain leaves what it stops to the next process (D8).
    pub(crate) fn leaves_runs(&self, state: &State) -> bool {
        self.lost != OnHostLost::Fail && state.draining.is_some_and(|drain| drain.leaves_queued)
    }
}

/// The state as the rules have it: they read it, and only a fact changes it.
pub(crate) struct ReadState<'a>(&'a mut State);

impl Deref for ReadState<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.0
    }
}

/// The input of a query that changes nothing: the state, the records beside it, and the time.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) state: &'a State,
    pub(crate) waits: &'a Waits,
    pub(crate) search: &'a Search,
    pub(crate) now: u64,
}

/// One step.
pub(crate) struct Step<'a> {
    pub(crate) state: ReadState<'a>,
    /// The open waits, beside the state.
    pub(crate) waits: &'a mut Waits,
    /// The result of the last search through the queue, also beside the state.
    pub(crate) search: &'a mut Search,
    pub(crate) log: &'a mut Log,
    pub(crate) effects: &'a mut Vec<Effect>,
    /// The time of this step, in milliseconds.
    pub(crate) now: u64,
    /// A cancel is on its way through a subtree.
    pub(crate) cancelling: bool,
    /// The runs that were lost with the last process are ending, one after the other.
    pub(crate) reopening: bool,
}

impl ReadState<'_> {
    /// The earliest deadline, and whose it is. Looking for it changes nothing that the state says.
    pub(crate) fn next_deadline(&mut self) -> Option<(u64, Owner)> {
        self.0.deadlines.find_first()
    }
}

impl<'a> Step<'a> {
    pub(crate) const fn new(
        state: &'a mut State,
        waits: &'a mut Waits,
        search: &'a mut Search,
        log: &'a mut Log,
        effects: &'a mut Vec<Effect>,
        now: u64,
    ) -> Self {
        Self { state: ReadState(state), waits, search, log, effects, now, cancelling: false, reopening: false }
    }

    /// What a question reads of it.
    #[inline]
    pub(crate) fn context(&self) -> Context<'_> {
        Context { state: &self.state, waits: self.waits, search: self.search, now: self.now }
    }

    /// Whether the host function of a task's run is still to be called: the run is queued, or a policy is asked before (M2).
    pub(crate) fn is_uncalled(&self, index: u32) -> bool {
        let run = self.state.run_of(index);
        run.phase == Phase::Queued || self.log.is_uncalled(RunKey { task: self.state.key(index), run: run.number })
    }

    /// Notes a fact and applies it.
    #[inline(never)]
    pub(crate) fn record(&mut self, mut fact: Fact) {
        self.log.count = self.log.count.saturating_add(1);
        let for_waits = if self.waits.is_empty() { waits::WaitUpdate::Nothing } else { waits::WaitUpdate::of(&self.state, &fact) };
        if self.log.on {
            self.note(&fact);
        }
        if self.log.notify_forgotten {
            self.note_forgotten(&fact);
        }
        // Only if some runs in the queue are known to be unable to start.
        let for_search = self.search.is_done().then(|| search::QueueUpdate::of(&self.state, &fact));
        self.state.0.take_in(self.now, &mut fact);
        if let Some(update) = for_search {
            self.search.follow(&self.state, update);
        }
        // Nothing is left in the fact: to drop it, all kinds would be looked through.
        std::mem::forget(fact);
        if !matches!(for_waits, waits::WaitUpdate::Nothing) {
            self.waits.follow(&self.state, for_waits);
        }
    }

    /// Notes a fact for listeners, in its stored form unless they are all in this process.
    #[inline(never)]
    fn note(&mut self, fact: &Fact) {
        if self.log.shows {
            shown::show(&self.state, self.now, fact, &mut self.log.events);
            return;
        }
        self.now.put(&mut self.log.bytes);
        fact.put(&mut self.log.bytes);
        if let (Some(unkept), Fact::RunEnded { task, run, notice: Some(_), .. }) = (&mut self.log.unkept, fact) {
            unkept.push((self.log.count, RunKey { task: *task, run: *run }));
        }
    }

    /// Notifies the host that a task is removed for good: the host retains something for it.
    fn note_forgotten(&mut self, fact: &Fact) {
        if let Fact::TaskForgotten { task } = fact {
            self.effects.push(Effect::TaskForgotten(*task));
        }
        if let Fact::TaskEnded { task, status: Status::Closed, .. } | Fact::RunEnded { task, status: Status::Closed, .. } = fact {
            self.effects.push(Effect::TaskClosed(*task));
        }
    }

    /// Asks something of the host.
    #[inline]
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Something is over at a node: if the node belongs to a closed session, the end of the step looks at that.
    pub(crate) fn note_over(&mut self, index: u32) {
        if self.state.closed_sessions.is_empty() {
            return;
        }
        let session = ledger::path(&self.state.tree, index).find(|at| self.state.is_closed_session(*at));
        if let Some(session) = session.filter(|session| !self.log.closed.contains(session)) {
            self.log.closed.push(session);
        }
    }
}
