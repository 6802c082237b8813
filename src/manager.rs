//! The manager: accepts an input, lets the rules decide, returns facts and effects.
//!
//! Owns the order of a step: due work first, then the input, then the runs that can start now. Decides nothing itself.

mod asking;
mod deciding;
mod storing;

use crate::base::event_buffer::EventBuffer;
use crate::base::run_key::RunKey;
use crate::base::slab::Key;
use crate::model::effect::{Effect, WaitedFor};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Input, Reply};
use crate::model::outcome::Outcome;
use crate::model::rejection::Rejection;
use crate::model::spawn::Spawn;
use crate::rules::clock;
use crate::rules::journal::draining;
use crate::rules::runs::host_ends;
use crate::rules::scheduling::{admission, deadlock, dispatching};
use crate::rules::tree::{forgetting, sessions};
use crate::rules::waiting;
use crate::search::Search;
use crate::state::State;
use crate::state::runs::timers::finite;
use crate::step::{Log, Step};
use crate::waits::Waits;

/// A manager of sub-agents.
///
/// ```
/// use subagents::{Actor, Effect, Input, Manager, Outcome, Reply, Spawn, Status};
///
/// let mut manager = Manager::new();
/// let spawn = Spawn { text: Some("Count the tests".into()), ..Spawn::default() };
/// let Ok(Reply::Node(task)) = manager.handle(1_000, Actor::Program, Input::Spawn(spawn)) else { unreachable!() };
/// assert!(manager.take_effects().contains(&Effect::StartRun { task, run: 1 }));
///
/// let outcome = Outcome { output: "There are 12".into(), ..Outcome::default() };
/// manager.handle(3_000, Actor::Program, Input::HostReturned { task, run: 1, outcome })?;
/// assert_eq!(manager.state().node(task.index).status, Status::Completed);
/// # Ok::<(), subagents::Rejection>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Manager {
    state: State,
    waits: Waits,
    search: Search,
    log: Log,
    effects: Vec<Effect>,
    /// The time of the last input; the state knows only the time of the last fact.
    now: u64,
    /// How far its time is ahead of the host's. Restored facts may be later than this host's clock, and the manager's time
    /// continues from them (T3).
    ahead: u64,
    /// The wake-up that the manager last requested from the host.
    wake_at: Option<u64>,
    /// The process stood still until just now: nothing fires before the next tick (T4).
    waking: bool,
}

impl Manager {
    /// A manager with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Handles an input at a time in milliseconds; a time before the last one counts as the last one (T3).
    ///
    /// # Errors
    /// A [`Rejection`] if a request is refused; it has changed nothing, except that due work was done.
    pub fn handle(&mut self, now: u64, actor: Actor, input: Input) -> Result<Reply, Rejection> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "`let_others_decide` names them all")]
        match input {
            Input::Spawn(spawn) => self.spawn(now, actor, spawn).map(Reply::Node),
            Input::WaitFor { target, timeout_ms } => self.wait_for(now, actor, target, timeout_ms),
            Input::HostReturned { task, run, outcome } => {
                self.host_returned(now, task, run, outcome);
                Ok(Reply::Done)
            }
            rare => self.rarely(now, actor, rare),
        }
    }

    /// Handles [`Input::Spawn`], and returns the admitted task.
    ///
    /// # Errors
    /// A [`Rejection`], as for [`Self::handle`].
    #[inline]
    pub fn spawn(&mut self, now: u64, actor: Actor, spawn: Spawn) -> Result<Key, Rejection> {
        self.begin(now);
        let mut step = self.step();
        let task = admission::spawn(&mut step, actor, spawn, None);
        self.conclude();
        task
    }

    /// Handles [`Input::HostReturned`]: the end of a host function.
    #[inline]
    pub fn host_returned(&mut self, now: u64, task: Key, run: u32, outcome: Outcome) {
        self.begin(now);
        let mut step = self.step();
        host_ends::host_returned(&mut step, RunKey { task, run }, outcome);
        self.conclude();
    }

    /// Handles [`Input::WaitFor`]: a wait for the run of a single task.
    ///
    /// # Errors
    /// A [`Rejection`], as for [`Self::handle`].
    #[inline]
    pub fn wait_for(&mut self, now: u64, actor: Actor, target: Key, timeout_ms: Option<u64>) -> Result<Reply, Rejection> {
        // Skips the step: the time hasn't moved, and this wait parks no run and has no finite deadline.
        if self.time_of(now) <= self.now
            && timeout_ms.and_then(|ms| finite(self.now, ms)).is_none()
            && let Some(wait) = waiting::open_plain_wait(&self.state, &mut self.waits, actor, target, None)
        {
            return Ok(Reply::Waiting(wait));
        }
        self.begin(now);
        let mut step = self.step();
        let reply = waiting::wait_for(&mut step, actor, target, timeout_ms);
        self.conclude();
        reply
    }

    fn rarely(&mut self, now: u64, actor: Actor, input: Input) -> Result<Reply, Rejection> {
        // A timer may fire a little early: a host that passes only the time is asked for a wake-up again.
        if matches!(input, Input::Tick) {
            self.wake_at = None;
            self.waking = false;
        }
        if let Input::StoodStill(ms) = input {
            self.stood_still(now, ms);
        }
        self.begin(now);
        let mut step = self.step();
        let reply = deciding::decide(&mut step, actor, input);
        self.conclude();
        reply
    }

    fn take_time(&mut self, now: u64) {
        self.now = self.time_of(now).max(self.now);
    }

    /// Moves the deadlines by the time in which the process stood still, before any can fire (T4).
    fn stood_still(&mut self, now: u64, ms: u64) {
        self.take_time(now);
        self.waking = true;
        if ms > 0 {
            self.step().record(Fact::StoodStill { ms });
        }
    }

    /// Begins a step: due work comes first. Out of line, like its end: every entry has both.
    #[inline(never)]
    fn begin(&mut self, now: u64) {
        self.take_time(now);
        self.log.before = self.log.count;
        self.log.claimed.clear();
        if !self.log.waited.is_empty() {
            self.log.waited.clear();
        }
        if !self.waking && clock::is_due(&self.state, &self.waits, self.now) {
            clock::fire_due(&mut self.step());
        }
    }

    #[inline]
    fn step(&mut self) -> Step<'_> {
        Step::new(&mut self.state, &mut self.waits, &mut self.search, &mut self.log, &mut self.effects, self.now)
    }

    /// Ends every step: does the work that the step left, and evicts ended tasks beyond `retain`.
    #[inline(never)]
    fn conclude(&mut self) {
        let is_done = self.waits.ready.is_empty()
            && dispatching::has_none(&self.state)
            && self.state.draining.is_none()
            && self.log.finished_waits.is_empty()
            && self.log.closed.is_empty();
        if !is_done {
            self.follow_up();
        }
        // A step that changes nothing forgets nothing, however late it is.
        if self.log.count != self.log.before && forgetting::has_too_many(&self.state, self.now) {
            forgetting::trim(&mut self.step());
        }
        self.ask_to_wake();
    }

    /// Starts the runs that can start now, continues a drain, delivers the outcomes of waits, and frees closed sessions.
    #[inline(never)]
    fn follow_up(&mut self) {
        let waking = self.waking;
        let mut step = self.step();
        waiting::close_ready(&mut step);
        // With a store nothing starts once the time of a drain is over (D8).
        if !waking && draining::is_overdue(&step) {
            draining::check(&mut step);
        }
        dispatching::dispatch(&mut step);
        if step.state.draining.is_some() && !waking {
            draining::check(&mut step);
        }
        if !waking {
            deadlock::report_stall(&mut step);
        }
        if !step.log.finished_waits.is_empty() {
            waiting::deliver(&mut step);
        }
        if !step.log.closed.is_empty() {
            sessions::sweep(&mut step);
        }
    }

    /// The due effects, in order; the caller has to carry them out.
    #[must_use]
    pub fn take_effects(&mut self) -> Vec<Effect> {
        self.log.woken.clear();
        std::mem::take(&mut self.effects)
    }

    /// Swaps the effects into an empty buffer, to avoid an allocation.
    #[inline]
    pub fn swap_effects(&mut self, buffer: &mut Vec<Effect>) {
        buffer.clear();
        self.log.woken.clear();
        std::mem::swap(&mut self.effects, buffer);
    }

    /// The manager's state.
    #[must_use]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The open waits: they are outside the state, since no fact records them.
    #[must_use]
    pub const fn waits(&self) -> &Waits {
        &self.waits
    }

    /// Checks all invariants between two inputs.
    ///
    /// # Errors
    /// A sentence that names the broken invariant and its place.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.state.check_invariants()?;
        self.search.check_invariants(&self.state, self.now)?;
        self.waits.check_invariants(&self.state)
    }

    /// Starts or stops noting facts.
    pub fn listen(&mut self, on: bool) {
        self.log.on = on;
        if !on {
            self.log.bytes.clear();
            self.log.events = EventBuffer::default();
        }
    }

    /// Notes facts for listeners in this process, unless a store gets them.
    pub fn show(&mut self) {
        self.log.on = true;
        self.log.shows = !self.log.stored;
    }

    /// Requests an effect for every task that is forgotten, or closed, from now on.
    pub fn notify_forgotten(&mut self) {
        self.log.notify_forgotten = true;
    }

    /// The facts noted since they were last taken, in their stored form.
    #[must_use]
    pub fn take_facts(&mut self) -> Vec<u8> {
        let mut taken = Vec::new();
        self.swap_facts(&mut taken);
        taken
    }

    /// The same into a buffer whose memory the next facts then use.
    pub fn swap_facts(&mut self, buffer: &mut Vec<u8>) {
        buffer.clear();
        std::mem::swap(&mut self.log.bytes, buffer);
    }

    /// The same for facts for listeners in this process.
    pub fn swap_shown(&mut self, buffer: &mut EventBuffer) {
        std::mem::swap(&mut self.log.events, buffer);
    }

    /// Whether facts were noted since they were last taken.
    #[must_use]
    pub const fn has_facts(&self) -> bool {
        !self.log.bytes.is_empty() || !self.log.events.numbers.is_empty()
    }

    /// The number of bytes of these facts.
    #[must_use]
    pub const fn fact_bytes(&self) -> usize {
        self.log.bytes.len()
    }

    /// The number of facts so far.
    #[must_use]
    pub const fn fact_count(&self) -> u64 {
        self.log.count
    }

    /// The runs whose ends the last cancel claimed: their receivers need no notices (N4).
    #[must_use]
    pub fn take_claimed(&mut self) -> Vec<RunKey> {
        std::mem::take(&mut self.log.claimed)
    }

    /// The states of the targets of the last wait that was over at once (W2).
    #[must_use]
    pub fn take_waited(&mut self) -> Vec<WaitedFor> {
        std::mem::take(&mut self.log.waited)
    }

    /// The manager's time at the host's time `host`. It is later if the manager was opened from facts of a later time.
    #[must_use]
    #[inline]
    pub const fn time_of(&self, host: u64) -> u64 {
        host.saturating_add(self.ahead)
    }

    /// Requests a wake-up if the next step is due before the last requested one. A later one needs none: the host returns early,
    /// finds nothing due, and is asked again.
    fn ask_to_wake(&mut self) {
        // Nothing is due before the requested wake-up.
        let soonest = clock::not_before(&self.state, &self.waits);
        if !clock::has_other_times(&self.state) && self.wake_at.map_or(soonest == u64::MAX, |at| at > self.now && at <= soonest) {
            return;
        }
        self.ask_to_wake_at();
    }

    #[inline(never)]
    fn ask_to_wake_at(&mut self) {
        let next = clock::next(&mut self.step());
        if self.wake_at.is_some_and(|at| at <= self.now) {
            self.wake_at = None;
        }
        match (next, self.wake_at) {
            (Some(at), Some(asked)) if asked <= at => {}
            (Some(at), _) => {
                self.wake_at = Some(at);
                self.effects.push(Effect::WakeAt(at.saturating_sub(self.ahead)));
            }
            (None, _) => {}
        }
    }
}
