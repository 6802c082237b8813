//! An independent account of notices, made from the facts alone: each end of a background run makes one,
//! for whom the tree says, and each is delivered until somebody has it (N1–N4, W4).
//!
//! Owns its own idea of who is notified of an end and of what may happen to a notice. `model.rs` reports to it what
//! happens to tasks, runs and waits.

use std::collections::{BTreeMap, BTreeSet};

use subagents::notices::Delivery;
use subagents::{Actor, DEFAULT_SESSION, Fact, Input, Key, NewNotice, ROOT, RunKey, State};

use super::model::{Model, Place, WaitFacts};
use super::parts::Part;

/// A task, and the number of its run, as the model has them.
type RunOf = (Key, u32);

#[derive(Clone, Debug)]
pub(crate) struct NoticeFacts {
    pub(crate) owner: Key,
    pub(crate) delivery: Delivery,
    attempts: u32,
    until: Option<u64>,
}

/// An acknowledgement: whose end, for whom, and how it was with them then.
#[derive(Clone, Copy, Debug)]
struct Acked {
    of: RunOf,
    owner: Key,
    at_birth: bool,
    /// Whom it would have gone on to had been notified by waiting (W2). Known then: whose it was may be forgotten in that step.
    known: bool,
    with_turn: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    /// Those that nobody has acknowledged.
    pub(crate) open: BTreeMap<RunOf, NoticeFacts>,
    /// Every run whose end made one, ever.
    made: BTreeSet<RunOf>,
    /// Background runs that ended in this step and made none yet.
    due: BTreeSet<RunOf>,
    /// Those that were acknowledged in this step.
    acked: Vec<Acked>,
    /// Those that became pending in this step.
    fresh: BTreeSet<RunOf>,
    /// Waits that were answered in this step.
    pub(crate) answered: Vec<WaitFacts>,
    /// Tasks that went to the background in this step.
    pub(crate) moved: BTreeSet<Key>,
    forgotten: BTreeSet<Key>,
    /// Who else got an end by waiting.
    heard: BTreeSet<(RunOf, Key)>,
    /// Runs whose ends were claimed by a cancel or an interrupt.
    claimed: BTreeSet<RunOf>,
    ended_now: BTreeSet<RunOf>,
    /// What the present input acknowledges, and whom it waits for in whose name.
    ack_asked: Option<RunOf>,
    collect_asked: Option<(Key, Vec<Key>)>,
    turn_asked: Option<Key>,
    lease_asked: bool,
    forget_asked: Option<Key>,
    /// What is interrupted in this step.
    interrupt_asked: Option<Key>,
    most_deliveries: u64,
}

/// The inbox of whoever speaks.
fn inbox_of(actor: Actor, program: Key) -> Key {
    match actor {
        Actor::Program => program,
        Actor::Session(key) | Actor::Run(key, _) => key,
    }
}

impl Notices {
    /// The process stood still: no lease counts that (T4).
    pub(crate) fn stood_still(&mut self, ms: u64) {
        self.open.values_mut().filter_map(|notice| notice.until.as_mut()).for_each(|until| *until = until.saturating_add(ms));
    }

    /// Begins a step.
    pub(crate) fn begin(&mut self, actor: Actor, input: &Input, program: Key) {
        self.due.clear();
        self.acked.clear();
        self.fresh.clear();
        self.answered.clear();
        self.moved.clear();
        self.forgotten.clear();
        self.ended_now.clear();
        self.ack_asked = if let Input::Ack { task, run } = input { Some((*task, *run)) } else { None };
        self.forget_asked = if let Input::Forget(task) = input { Some(*task) } else { None };
        self.interrupt_asked = if let Input::Interrupt { task, .. } = input { Some(*task) } else { None };
        self.lease_asked = matches!(input, Input::Lease { .. });
        self.turn_asked = match (input, actor) {
            (Input::BeginTurn { .. }, Actor::Run(key, _)) => Some(key),
            // A main agent's answer acknowledges as its next turn does.
            (Input::BeginMainTurn(_) | Input::EndMain, Actor::Program | Actor::Session(_)) => Some(inbox_of(actor, program)),
            _ => None,
        };
        self.collect_asked = match input {
            Input::Wait { targets, .. } => Some((inbox_of(actor, program), targets.clone())),
            Input::WaitFor { target, .. } => Some((inbox_of(actor, program), vec![*target])),
            _ => None,
        };
    }

    /// The waits that were to hand notices over are gone (J3).
    pub(crate) fn await_nothing(&mut self) {
        for (of, notice) in self.open.iter_mut().filter(|(_, notice)| notice.delivery == Delivery::Awaited) {
            notice.delivery = Delivery::Pending;
            self.fresh.insert(*of);
        }
    }

    fn of(&mut self, task: Key, run: u32) -> Result<&mut NoticeFacts, String> {
        self.open.get_mut(&(task, run)).ok_or_else(|| format!("N2: there is no notice of run {run} of {task:?}"))
    }
}

impl Model {
    fn program_inbox(&self) -> Key {
        self.nodes.iter().find(|node| node.key.index == DEFAULT_SESSION).map_or(Key::default(), |node| node.key)
    }

    pub(crate) fn begin_notices(&mut self, actor: Actor, input: &Input) {
        let program = self.program_inbox();
        self.notices.most_deliveries = self.notices.most_deliveries.max(self.limits.max_deliveries);
        self.notices.begin(actor, input, program);
    }

    fn is_at_work(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        !node.task || self.has_open_run(at) || (node.messages > 0 && !node.talk.paused)
    }

    fn has_open_run(&self, at: usize) -> bool {
        let is_open = |place: &Place| matches!(place, Place::Queued | Place::Backoff { .. } | Place::Held | Place::Parked);
        self.nodes[at].runs.values().any(|run| is_open(&run.place))
    }

    fn has_foreground_work(&self, owner: Key) -> Result<bool, String> {
        let owner = self.at(owner)?;
        let works = |at: usize| self.nodes[at].parent == Some(owner) && !self.nodes[at].background && self.has_open_run(at);
        Ok((0..self.nodes.len()).any(works))
    }

    /// The nearest above a task that is at work.
    fn receiver(&self, task: Key) -> Result<Key, String> {
        let mut at = self.parent_of(task)?;
        while !self.is_at_work(at) {
            at = self.nodes[at].parent.ok_or("N1: nobody is left to hear of an end")?;
        }
        Ok(self.nodes[at].key)
    }

    fn parent_of(&self, task: Key) -> Result<usize, String> {
        let at = self.at(task)?;
        self.nodes[at].parent.ok_or_else(|| format!("{task:?} is below nobody"))
    }

    /// Whose inbox a wait hands ends over to.
    fn inbox_of_wait(&self, wait: &WaitFacts) -> Key {
        if wait.waiter.index == ROOT { self.program_inbox() } else { wait.waiter }
    }

    /// Whether a notice is for whoever waits.
    pub(crate) fn is_for(&self, notice: &NoticeFacts, wait: &WaitFacts) -> bool {
        !wait.left && self.inbox_of_wait(wait) == notice.owner
    }

    fn hands_over(&self, wait: &WaitFacts, owner: Key, of: RunOf) -> bool {
        !wait.subtree && !wait.left && self.inbox_of_wait(wait) == owner && wait.targets.contains(&of)
    }

    /// What other facts mean for notices.
    pub(crate) fn follow_notices(&mut self, fact: &Fact) -> Result<(), String> {
        match fact {
            Fact::RunEnded { task, run, .. } => {
                let at = self.at(*task)?;
                if self.nodes[at].background && self.nodes[at].task {
                    self.notices.due.insert((*task, *run));
                }
                self.notices.ended_now.insert((*task, *run));
            }
            Fact::RunRetried { task, run, .. } => {
                self.notices.ended_now.insert((*task, *run));
            }
            Fact::TaskForgotten { task } => {
                // What is below one that is forgotten is still reported (N2); its own end was asked to be forgotten.
                let asked = self.notices.forget_asked.is_none_or(|asked| asked == *task);
                let lost = self.notices.open.iter().find(|((of, _), notice)| (asked && of == task) || notice.owner == *task);
                ensure!(lost.is_none(), "L8: {task:?} was forgotten with {lost:?}");
                self.notices.forgotten.insert(*task);
            }
            Fact::TaskBackgrounded { task } => {
                let at = self.at(*task)?;
                let node = &mut self.nodes[at];
                ensure!(node.task && !node.background, "X3: {task:?} went to the background twice");
                node.background = true;
                self.notices.moved.insert(*task);
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a fact about a notice.
    pub(crate) fn take_notice(&mut self, now: u64, part: &Part<'_>) -> Result<(), String> {
        match part {
            Part::NoticeMade { task, run, notice: NewNotice { to, rerouted_from, acked, awaited } } => {
                ensure!(self.notices.due.remove(&(*task, *run)), "N1: run {run} of {task:?} made a notice without ending in this step");
                ensure!(self.notices.made.insert((*task, *run)), "N1: run {run} of {task:?} made two notices");
                let (parent, receiver) = (self.nodes[self.parent_of(*task)?].key, self.receiver(*task)?);
                ensure!(*to == receiver, "N1: the end of {task:?} went to {to:?}, {receiver:?} should hear of it");
                ensure!(*rerouted_from == (parent != receiver).then_some(parent), "N1: rerouted from {rerouted_from:?}, not {parent:?}");
                ensure!(!(*acked && *awaited), "W4: {task:?}'s end is known and awaited");
                if *acked {
                    let known = self.knows_above(*to, (*task, *run));
                    self.notices.acked.push(Acked { of: (*task, *run), owner: *to, at_birth: true, known, with_turn: false });
                    return Ok(());
                }
                let delivery = if *awaited { Delivery::Awaited } else { Delivery::Pending };
                if !*awaited {
                    self.notices.fresh.insert((*task, *run));
                }
                self.notices.open.insert((*task, *run), NoticeFacts { owner: *to, delivery, attempts: 0, until: None });
            }
            Part::NoticeLeased { task, run, attempt, until } => {
                let (turn, asked, most) = (self.notices.turn_asked, self.notices.lease_asked, self.notices.most_deliveries);
                let notice = self.notices.of(*task, *run)?;
                ensure!(notice.delivery == Delivery::Pending, "N2: a notice was leased that was {notice:?}");
                ensure!(*attempt == notice.attempts + 1 && u64::from(*attempt) <= most, "N2: attempt {attempt} of {most}: {notice:?}");
                let by_turn = until.is_none() && turn == Some(notice.owner);
                ensure!(by_turn || (asked && until.is_some_and(|until| until >= now)), "N3: leased by nobody: {notice:?} until {until:?}");
                (notice.delivery, notice.attempts, notice.until) = (Delivery::Leased, *attempt, *until);
            }
            Part::NoticeAcked { task, run } => {
                let notice = self.notices.of(*task, *run)?.clone();
                let with_turn = notice.delivery == Delivery::Leased && notice.until.is_none();
                let known = self.knows_above(notice.owner, (*task, *run));
                self.notices.acked.push(Acked { of: (*task, *run), owner: notice.owner, at_birth: false, known, with_turn });
                self.notices.open.remove(&(*task, *run));
            }
            Part::NoticeReturned { task, run } => {
                let ended: Vec<Key> = self.notices.ended_now.iter().map(|(task, _)| *task).collect();
                let (most, reopened) = (self.limits.max_deliveries, self.reopened);
                let owner = self.notices.of(*task, *run)?.owner;
                // What the turn of a main agent was given is lost with the process; a run's came back with the run.
                let lost = reopened && self.by_key.get(&owner).is_some_and(|at| !self.nodes[*at].task);
                let notice = self.notices.of(*task, *run)?;
                match (notice.delivery, notice.until) {
                    (Delivery::Leased, Some(until)) => ensure!(until <= now || reopened, "N2: a lease until {until} ended at {now}"),
                    (Delivery::Leased, None) => {
                        ensure!(lost || ended.contains(&notice.owner), "N3: a turn gave {task:?} back while it goes on")
                    }
                    (Delivery::Awaited, _) => {}
                    (Delivery::Pending | Delivery::Undelivered | Delivery::Acked, _) => {
                        return Err(format!("N2: a notice returned that was {notice:?}"));
                    }
                }
                let tries = notice.delivery == Delivery::Awaited || u64::from(notice.attempts) < most;
                ensure!(tries, "N2: a notice is delivered again after {} times", notice.attempts);
                (notice.delivery, notice.until) = (Delivery::Pending, None);
                self.notices.fresh.insert((*task, *run));
            }
            Part::NoticeWoken { task, run, attempt, until } => {
                let most = self.limits.max_deliveries;
                let owner = self.notices.of(*task, *run)?.owner;
                let works = self.has_foreground_work(owner)?;
                let notice = self.notices.of(*task, *run)?;
                ensure!(notice.delivery == Delivery::Pending, "N2: somebody was woken for a notice that was {notice:?}");
                let in_vain = notice.until.is_some_and(|until| until <= now) && *attempt == notice.attempts + 1 && until.is_none();
                ensure!(in_vain || *attempt == notice.attempts, "N2: {attempt} wakes for {notice:?} until {until:?}");
                ensure!(!in_vain || !works, "N2: {owner:?} was at work, and it counts as woken in vain");
                ensure!(until.is_none_or(|until| until >= now), "N2: woken until {until:?}");
                (notice.attempts, notice.until) = (*attempt, *until);
                if in_vain && u64::from(*attempt) < most {
                    self.notices.fresh.insert((*task, *run));
                }
            }
            Part::NoticeSetAside { task, run } => {
                let most = self.limits.max_deliveries;
                let notice = self.notices.of(*task, *run)?;
                ensure!(matches!(notice.delivery, Delivery::Leased | Delivery::Pending), "N2: a notice was set aside that was {notice:?}");
                ensure!(u64::from(notice.attempts) >= most, "N2: set aside after {} of {most} deliveries", notice.attempts);
                (notice.delivery, notice.until) = (Delivery::Undelivered, None);
            }
            Part::NoticeRerouted { task, run, to } => {
                let from = self.notices.of(*task, *run)?.owner;
                let (at, receiver) = (self.at(from)?, self.receiver(from)?);
                ensure!(!self.is_at_work(at), "N1: a notice left {from:?}, which is at work");
                ensure!(!self.notices.heard.contains(&((*task, *run), *to)), "N1: {to:?} was told the end of {task:?} by waiting");
                ensure!(*to == receiver, "N1: a notice went from {from:?} to {to:?}, not to {receiver:?}");
                let notice = self.notices.of(*task, *run)?;
                *notice = NoticeFacts { owner: *to, delivery: Delivery::Pending, attempts: 0, until: None };
                self.notices.fresh.insert((*task, *run));
            }
            Part::NoticeHeard { task, run, by } => {
                let notice = self.notices.of(*task, *run)?;
                ensure!(notice.owner != *by, "W4: {by:?} was told, and the notice is still for it: {notice:?}");
                ensure!(self.notices.heard.insert(((*task, *run), *by)), "W2: {by:?} was told the end of {task:?} twice");
            }
            Part::NoticeAwaited { task, run } => {
                let notice = self.notices.of(*task, *run)?;
                ensure!(notice.delivery == Delivery::Pending, "W4: a notice is awaited that was {notice:?}");
                (notice.delivery, notice.until) = (Delivery::Awaited, None);
            }
            Part::EndClaimed { task, run } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].background, "N4: a foreground end was claimed");
                let interrupted = self.notices.interrupt_asked.is_some_and(|top| self.path(at).any(|at| self.nodes[at].key == top));
                ensure!(interrupted || self.is_sealed(at), "N4: the end of {task:?} was claimed without a cancel or an interrupt");
                ensure!(self.notices.claimed.insert((*task, *run)), "N4: the end of {task:?} was claimed twice");
            }
            _ => {}
        }
        Ok(())
    }

    /// What must hold of notices when a step is over; gives the sessions that have to be woken.
    pub(crate) fn end_notices(&mut self, now: u64) -> Result<BTreeSet<Key>, String> {
        let due = self.notices.due.first();
        ensure!(due.is_none(), "N1: the end of {due:?} made no notice");
        for acked in &self.notices.acked {
            self.check_ack(*acked)?;
        }
        for (of, notice) in &self.notices.open {
            let at = self.at(notice.owner)?;
            ensure!(self.is_at_work(at), "N1: {of:?} waits for {:?}, which is no longer at work", notice.owner);
            ensure!(notice.until.is_none_or(|until| until >= now), "N2: the lease of {of:?} is over: {notice:?} at {now}");
            let waited = self.waits.values().any(|wait| wait.open && self.hands_over(wait, notice.owner, *of));
            ensure!(notice.delivery != Delivery::Awaited || waited, "W4: {of:?} is awaited by nobody");
        }
        let fresh = |of: &RunOf| self.notices.open.get(of).filter(|notice| notice.delivery == Delivery::Pending);
        let woken = self.notices.fresh.iter().filter_map(fresh).map(|notice| notice.owner);
        Ok(woken.filter(|owner| self.at(*owner).is_ok_and(|at| !self.nodes[at].task)).collect())
    }

    /// Whether the next above that is at work was notified of an end by waiting.
    fn knows_above(&self, owner: Key, of: RunOf) -> bool {
        self.receiver(owner).is_ok_and(|to| self.notices.heard.contains(&(of, to)))
    }

    /// Nothing is acknowledged but by whom it is for, or at the wish of the program or a run (N2–N4, W4).
    fn check_ack(&self, acked: Acked) -> Result<(), String> {
        let Acked { of, owner, at_birth, known, with_turn } = acked;
        let notices = &self.notices;
        let answered = notices.answered.iter().any(|wait| self.hands_over(wait, owner, of));
        let collects = notices.collect_asked.as_ref().is_some_and(|(by, targets)| *by == owner && targets.contains(&of.0));
        let claimed = at_birth && notices.claimed.contains(&of);
        let swept = (notices.forgotten.contains(&of.0) && self.is_in_closed_session(of.0)) || self.is_closed_session(owner);
        let asked = notices.ack_asked == Some(of) || notices.forget_asked == Some(of.0) || swept;
        let heard = with_turn && (notices.turn_asked == Some(owner) || notices.ended_now.iter().any(|(task, _)| *task == owner));
        ensure!(
            answered || collects || claimed || asked || heard || known,
            "N2: {of:?} for {owner:?} was acknowledged by nobody: {acked:?}"
        );
        Ok(())
    }

    /// Compares with what the manager keeps.
    pub(crate) fn compare_notices(&self, state: &State) -> Result<(), String> {
        let count = self.notices.open.len();
        ensure!(count == state.notices.len() as usize, "N2: {} notices are kept, the facts say {count}", state.notices.len());
        for ((task, run), facts) in &self.notices.open {
            let Some(index) = state.find_notice(RunKey { task: *task, run: *run }) else {
                return Err(format!("N2: the notice of {task:?}#{run} is lost"));
            };
            let notice = state.notices.at(index);
            let same = (state.key(notice.owner), notice.delivery, notice.attempts, notice.until)
                == (facts.owner, facts.delivery, facts.attempts, facts.until);
            ensure!(same, "N2: {notice:?}, the facts say {facts:?}");
        }
        Ok(())
    }
}
