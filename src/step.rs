//! One step of the manager, for the rules: the state, the time, and the logs of facts and effects.
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

/// A step's output besides the state: encoded facts, if there is a listener, and work for its end. Steps share it, so that none
/// allocates its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// Whether there is a listener.
    pub(crate) on: bool,
    /// Whether the listener stores the facts: then queued work continues in another process.
    pub(crate) stored: bool,
    /// The fate of runs in flight when their process is lost, or ends before they do.
    pub(crate) lost: OnHostLost,
    /// Whether hosts survive this process and continue their work in the next one.
    pub(crate) outlives: bool,
    /// Whether the host wants notice of forgotten and closed tasks: it retains data for them.
    pub(crate) notify_forgotten: bool,
    /// Stamped facts, in sequence.
    pub(crate) bytes: Vec<u8>,
    /// Whether all listeners are in this process, so that `events` takes the facts.
    pub(crate) shows: bool,
    pub(crate) events: EventBuffer,
    /// Runs whose ends this step's cancel claimed.
    pub(crate) claimed: Vec<RunKey>,
    /// The states of the targets of a wait that this step ended at once.
    pub(crate) waited: Vec<WaitedFor>,
    /// Runs that a drain left to another process, but whose host functions still run.
    pub(crate) left_open: Vec<RunKey>,
    /// Started runs whose host functions are not called yet: a policy is asked first. Their messages are not delivered yet (M2).
    pub(crate) uncalled: Vec<RunKey>,
    /// Sessions that pending effects will wake, in order.
    pub(crate) woken: Vec<Key>,
    /// Closed sessions in which work has ended during this step.
    pub(crate) closed: Vec<u32>,
    /// Waits that ended during this step and return an outcome for each target.
    pub(crate) finished_waits: Vec<ReportedWait>,
    /// The number of facts so far, listened to or not.
    pub(crate) count: u64,
    /// `count` at the last check whether anything can move (S6).
    pub(crate) looked: u64,
    /// `count` before this step.
    pub(crate) before: u64,
    /// Whether an unknown cost under a dollar cap was reported (B7).
    pub(crate) missed_cost: bool,
    /// Ends that made notices and are not stored yet, with their fact numbers (J1). Absent if events may be shown before they are
    /// stored.
    pub(crate) unkept: Option<Vec<(u64, RunKey)>>,
}

impl Log {
    /// Whether a run's host function is not called yet.
    pub(crate) fn is_uncalled(&self, of: RunKey) -> bool {
        self.uncalled.contains(&of)
    }

    /// Whether a drain leaves stopped work to the next process (D8).
    pub(crate) fn leaves_runs(&self, state: &State) -> bool {
        self.lost != OnHostLost::Fail && state.draining.is_some_and(|drain| drain.leaves_queued)
    }
}

/// The state for the rules: they read it, and only a fact changes it.
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
    /// The runs that were lost with the last process are ending, one by one.
    pub(crate) reopening: bool,
}

impl ReadState<'_> {
    /// The earliest deadline, and its owner. The search doesn't change the state's meaning.
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

    /// The input of a query.
    #[inline]
    pub(crate) fn context(&self) -> Context<'_> {
        Context { state: &self.state, waits: self.waits, search: self.search, now: self.now }
    }

    /// Whether the host function of a task's run is not called yet: the run is queued, or a policy is asked first (M2).
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
        // The fact is empty, and dropping it would match all its kinds.
        std::mem::forget(fact);
        if !matches!(for_waits, waits::WaitUpdate::Nothing) {
            self.waits.follow(&self.state, for_waits);
        }
    }

    /// Notes a fact for listeners, in its stored form unless all are in this process.
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

    /// Notifies the host of a forgotten or closed task, for which the host retains data.
    fn note_forgotten(&mut self, fact: &Fact) {
        if let Fact::TaskForgotten { task } = fact {
            self.effects.push(Effect::TaskForgotten(*task));
        }
        if let Fact::TaskEnded { task, status: Status::Closed, .. } | Fact::RunEnded { task, status: Status::Closed, .. } = fact {
            self.effects.push(Effect::TaskClosed(*task));
        }
    }

    /// Adds an effect for the host.
    #[inline]
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Notes that work ended at a node: if its session is closed, the step's end checks that session.
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
