//! An independent account of the ledger and of the slots, made from the facts alone.
//!
//! Owns its own sums, which it recomputes from single tasks and runs each time it is asked; nothing
//! here reads a number that the manager keeps, except to compare. Forgotten tasks stay for ever.

use std::collections::BTreeMap;

use subagents::{Amounts, Dimension, Fact, Key, Limits, Parked, ROOT, State, Status, StopReason, UNCAPPED};

/// Whether a run holds a slot, as the facts say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Queued,
    Held,
    Parked,
    Lingering { held: bool },
    Abandoned,
    Gone,
}

#[derive(Clone, Debug)]
pub(crate) struct RunFacts {
    pub(crate) place: Place,
    pub(crate) hold: Amounts,
    pub(crate) turns: u64,
    pub(crate) max_turns: u64,
    pub(crate) timeout_ms: u64,
    pub(crate) started_at: u64,
    pub(crate) stop_until: Option<u64>,
    /// One of its deadlines was set while it was lifted: it never comes.
    pub(crate) endless: bool,
    pub(crate) ended: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct NodeFacts {
    pub(crate) key: Key,
    pub(crate) parent: Option<usize>,
    parent_run: u32,
    background: bool,
    pub(crate) depth: u64,
    pub(crate) cap: Amounts,
    pub(crate) spent: Amounts,
    pub(crate) reserve: u64,
    pub(crate) runs: BTreeMap<u32, RunFacts>,
    pub(crate) messages: u64,
    pub(crate) sealed: bool,
    pub(crate) forgotten: bool,
    pub(crate) task: bool,
    pub(crate) manual: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct WaitFacts {
    pub(crate) waiter: Key,
    pub(crate) run: u32,
    all: bool,
    /// Waits for all that is open below its one target.
    subtree: bool,
    targets: Vec<(Key, u32)>,
    until: Option<u64>,
    pub(crate) open: bool,
    pub(crate) told: bool,
}

/// The holds that one task is just getting, and what its path used before (see `check_caps`).
#[derive(Clone, Debug)]
struct Group {
    task: Key,
    before: BTreeMap<usize, Amounts>,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// In the order of their admission, so that parents come before children.
    pub(crate) nodes: Vec<NodeFacts>,
    index: BTreeMap<Key, usize>,
    pub(crate) waits: BTreeMap<Key, WaitFacts>,
    pub(crate) limits: Limits,
    pub(crate) draining: bool,
    /// Whether the facts that come are those of a turn that was asked for.
    turn_asked: bool,
    group: Option<Group>,
    /// The wait that the present input ends.
    wait_asked: Option<Key>,
    /// Waits that were closed in this step though their targets have not ended.
    unsatisfied: Vec<WaitFacts>,
    /// The tasks whose runs ended in this step: the last of them, and whether it ended well.
    ended_now: BTreeMap<Key, (u32, bool)>,
}

macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => { if !$holds { return Err(format!($($message)+)); } };
}

fn minus(a: Amounts, b: Amounts) -> Amounts {
    a.zip(b, u64::saturating_sub)
}

impl Model {
    pub(crate) fn new(state: &State) -> Self {
        let node = |slot: u32, parent: Option<usize>| NodeFacts {
            key: state.key(slot),
            parent,
            parent_run: 0,
            background: false,
            depth: 0,
            cap: state.node(slot).account.cap,
            spent: Amounts::ZERO,
            reserve: 0,
            runs: BTreeMap::new(),
            messages: 0,
            sealed: false,
            forgotten: false,
            task: false,
            manual: false,
        };
        let nodes = vec![node(ROOT, None), node(subagents::DEFAULT_SESSION, Some(0))];
        let index = nodes.iter().enumerate().map(|(at, node)| (node.key, at)).collect();
        Self {
            nodes,
            index,
            waits: BTreeMap::new(),
            limits: Limits::default(),
            draining: false,
            turn_asked: false,
            group: None,
            wait_asked: None,
            unsatisfied: Vec::new(),
            ended_now: BTreeMap::new(),
        }
    }

    fn at(&self, key: Key) -> Result<usize, String> {
        let at = *self.index.get(&key).ok_or_else(|| format!("a fact names {key:?}, which was never admitted"))?;
        ensure!(!self.nodes[at].forgotten, "a fact names {key:?}, which is forgotten");
        Ok(at)
    }

    fn path(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |at| self.nodes[*at].parent)
    }

    pub(crate) fn is_below(&self, key: Key, top: Key) -> bool {
        let (Some(at), Some(top)) = (self.index.get(&key), self.index.get(&top)) else { return false };
        at != top && self.path(*at).any(|at| at == *top)
    }

    fn run(&mut self, task: Key, run: u32) -> Result<&mut RunFacts, String> {
        let at = self.at(task)?;
        self.nodes[at].runs.get_mut(&run).ok_or_else(|| format!("a fact names run {run} of {task:?}, which was never queued"))
    }

    /// Spent and held of every node: its own and its children's, those of forgotten ones included.
    fn sums(&self) -> Vec<(Amounts, Amounts)> {
        let mut sums: Vec<(Amounts, Amounts)> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let reserve = Amounts { tokens: node.reserve, ..Amounts::ZERO };
            sums.push((node.spent, node.runs.values().fold(reserve, |sum, run| sum.plus(run.hold))));
        }
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let (spent, held) = sums[at];
                sums[parent] = (sums[parent].0.plus(spent), sums[parent].1.plus(held));
            }
        }
        sums
    }

    fn used_on_path(&self, at: usize) -> BTreeMap<usize, Amounts> {
        let sums = self.sums();
        self.path(at).map(|at| (at, sums[at].0.plus(sums[at].1))).collect()
    }

    pub(crate) fn held_slots(&self) -> u64 {
        let holds = |run: &&RunFacts| matches!(run.place, Place::Held | Place::Lingering { held: true });
        self.nodes.iter().flat_map(|node| node.runs.values()).filter(holds).count() as u64
    }

    pub(crate) fn open_runs(&self) -> usize {
        let open = |run: &&RunFacts| matches!(run.place, Place::Queued | Place::Held | Place::Parked);
        self.nodes.iter().flat_map(|node| node.runs.values()).filter(open).count()
    }

    /// Children of a node with an open or queued run.
    fn working_children(&self, parent: usize) -> u64 {
        let works = |node: &&NodeFacts| {
            node.parent == Some(parent) && node.runs.values().any(|run| matches!(run.place, Place::Queued | Place::Held | Place::Parked))
        };
        self.nodes.iter().filter(works).count() as u64
    }

    fn is_sealed(&self, at: usize) -> bool {
        self.path(at).any(|at| self.nodes[at].sealed)
    }

    /// Takes one fact and says what is wrong with it, if anything.
    pub(crate) fn take(&mut self, now: u64, fact: &Fact) -> Result<(), String> {
        self.follow_group(fact)?;
        match fact {
            Fact::Seeded { .. } | Fact::AdmissionSet { .. } | Fact::TaskCapSet { .. } => {}
            Fact::LimitSet { limit, value } => ensure!(self.limits.set(limit, *value), "no limit is called {limit}"),
            Fact::CapSet { task, cap } => {
                let at = self.at(*task)?;
                self.nodes[at].cap = *cap;
            }
            Fact::ToolsSet { task, .. } => {
                self.at(*task)?;
            }
            Fact::SessionOpened { task, .. } => {
                self.admit(*task, 0, Amounts::UNCAPPED)?;
            }
            Fact::TaskAdmitted { task, parent, parent_run, background, manual, cap, .. } => {
                let parent = self.at(*parent)?;
                let depth = self.nodes[parent].depth + 1;
                ensure!(depth <= self.limits.max_depth, "D1: depth {depth} is past maxDepth {}", self.limits.max_depth);
                ensure!(!self.draining, "D8: a task was admitted while draining");
                ensure!(!self.is_sealed(parent), "C1: a task was admitted under a cancel");
                let node = self.admit(*task, parent, *cap)?;
                (node.depth, node.task, node.manual) = (depth, true, *manual);
                (node.parent_run, node.background) = (*parent_run, *background);
                let tasks = self.nodes.iter().filter(|node| node.task && !node.forgotten).count() as u64;
                ensure!(tasks <= self.limits.max_tasks, "D1: {tasks} tasks are kept, maxTasks is {}", self.limits.max_tasks);
            }
            Fact::ReserveChanged { task, tokens } => {
                let at = self.at(*task)?;
                let grew = *tokens > self.nodes[at].reserve;
                self.nodes[at].reserve = *tokens;
                if grew {
                    self.check_caps(*task, "a reserve")?;
                }
            }
            Fact::MessageQueued { task, .. } => {
                let at = self.at(*task)?;
                self.nodes[at].messages += 1;
                ensure!(self.nodes[at].messages <= self.limits.max_messages.max(1), "M2: too many messages wait for {task:?}");
            }
            Fact::MessagesDropped { task, count } => {
                let at = self.at(*task)?;
                ensure!(u64::from(*count) <= self.nodes[at].messages, "M2: more messages were dropped than there are");
                self.nodes[at].messages -= u64::from(*count);
            }
            Fact::RunQueued { task, run, message, .. } => self.queue_run(*task, *run, message.is_some())?,
            Fact::RunStarted { task, run, max_turns, timeout_ms, .. } => self.start_run(now, *task, *run, *max_turns, *timeout_ms)?,
            Fact::HoldChanged { task, run, hold, .. } => {
                let before = std::mem::replace(&mut self.run(*task, *run)?.hold, *hold);
                if before.lacks(*hold).is_some() {
                    self.check_caps(*task, "a hold")?;
                }
            }
            Fact::HoldLent { task, run, borrower, amount } => {
                let from = self.run(*task, *run)?;
                ensure!(from.hold.lacks(*amount).is_none(), "B4: {task:?} lent {amount:?}, it holds {:?}", from.hold);
                from.hold = minus(from.hold, *amount);
                ensure!(self.is_below(*borrower, *task), "B4: {task:?} lent to {borrower:?}, which is not below it");
            }
            Fact::HoldReturned { task, run, amount, .. } => {
                let to = self.run(*task, *run)?;
                ensure!(!to.ended, "B4: a loan went back to an ended run");
                to.hold = to.hold.plus(*amount);
                self.check_caps(*task, "a returned loan")?;
            }
            Fact::TurnDelayed { task, run, .. } | Fact::ProgressReported { task, run, .. } => {
                self.run(*task, *run)?;
            }
            Fact::UsageReported { task, run, .. } | Fact::UsageDoubted { task, run, .. } => {
                self.run(*task, *run)?;
            }
            Fact::WrapUpSpent { task } => {
                self.at(*task)?;
            }
            Fact::TurnStarted { task, run, turn, .. } => {
                let at = self.at(*task)?;
                ensure!(!self.is_sealed(at), "C1: a turn began under a cancel");
                let record = self.run(*task, *run)?;
                ensure!(record.place == Place::Held, "S1: a turn began without a slot: {record:?}");
                ensure!(record.stop_until.is_none(), "L5: a turn began after the abort");
                ensure!(*turn == record.turns + 1, "turn {turn} followed turn {}", record.turns);
                ensure!(*turn <= record.max_turns, "B1: turn {turn} of {}", record.max_turns);
                record.turns = *turn;
                self.check_caps(*task, "a turn")?;
                self.group = None;
            }
            Fact::UsageBooked { task, run, amount } => {
                self.run(*task, *run)?;
                let at = self.at(*task)?;
                self.nodes[at].spent = self.nodes[at].spent.plus(*amount);
            }
            Fact::WrapUpTold { task, run, reason, until } => {
                let record = self.run(*task, *run)?;
                record.endless |= *until == Some(u64::MAX);
                let due = record.started_at.saturating_add(record.timeout_ms);
                ensure!(*reason != StopReason::Timeout || now >= due, "T1: timed out at {now}, due at {due}");
            }
            Fact::RunParked { task, run, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Held | Place::Parked), "S1: a run parked that was {:?}", record.place);
                record.place = Place::Parked;
            }
            Fact::RunUnparked { task, run, why } => {
                let record = self.run(*task, *run)?;
                ensure!(record.place == Place::Parked && *why == Parked::Children, "S1: unparked {why:?} while {:?}", record.place);
            }
            Fact::RunReentered { task, run, over_limit } => {
                let record = self.run(*task, *run)?;
                ensure!(record.place == Place::Parked, "S2: a run re-entered that was {:?}", record.place);
                record.place = Place::Held;
                let (held, limit) = (self.held_slots(), self.limits.max_concurrent);
                ensure!(*over_limit == (held > limit), "S2: {held} of {limit} slots, said over the limit: {over_limit}");
            }
            Fact::StopRequested { task, run, until, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(record.stop_until.is_none_or(|before| *until <= before), "C2: a grace grew to {until}: {record:?}");
                record.stop_until = Some(*until);
                record.endless |= *until == u64::MAX;
            }
            Fact::RunEnded { task, run, status, host_open, abandon_at, .. } => {
                self.ended_now.insert(*task, (*run, *status == Status::Completed));
                let record = self.run(*task, *run)?;
                ensure!(!record.ended, "L2: run {run} of {task:?} ended twice");
                ensure!(*host_open || record.hold.is_zero(), "S4: an ended run still holds {:?}", record.hold);
                record.ended = true;
                record.endless |= *abandon_at == u64::MAX;
                record.place = match record.place {
                    Place::Queued if *host_open => return Err("a queued run can't have an open host".into()),
                    Place::Held if *host_open => Place::Lingering { held: true },
                    Place::Parked if *host_open => Place::Lingering { held: false },
                    Place::Queued | Place::Held | Place::Parked => Place::Gone,
                    other @ (Place::Lingering { .. } | Place::Abandoned | Place::Gone) => {
                        return Err(format!("a run ended that was {other:?}"));
                    }
                };
            }
            Fact::HostReturned { task, run, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Lingering { .. } | Place::Abandoned), "L2: late, but {:?}", record.place);
                ensure!(record.hold.is_zero(), "S4: a returned host still holds {:?}", record.hold);
                record.place = Place::Gone;
            }
            Fact::HostAbandoned { task, run } => {
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Lingering { .. }), "S4: abandoned, but {:?}", record.place);
                ensure!(record.hold.is_zero(), "S4: an abandoned host still holds {:?}", record.hold);
                record.place = Place::Abandoned;
            }
            Fact::CancelRequested { task } => {
                let at = self.at(*task)?;
                ensure!(!self.nodes[at].sealed, "C2: a second cancel of {task:?} began");
                self.nodes[at].sealed = true;
            }
            Fact::CancelSettled { task } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].sealed, "C1: a cancel of {task:?} settled that had not begun");
                self.nodes[at].sealed = false;
            }
            Fact::RunElsewhere { task, run } => {
                self.run(*task, *run)?;
            }
            Fact::TaskEnded { task, .. } | Fact::TaskResumed { task } | Fact::EndCollected { task } => {
                self.at(*task)?;
            }
            Fact::TaskForgotten { task } => {
                let at = self.at(*task)?;
                let node = &self.nodes[at];
                ensure!(node.runs.values().all(|run| run.place == Place::Gone), "L8: {task:?} was forgotten with an open run");
                ensure!(node.reserve == 0 && node.messages == 0 && !node.sealed, "L8: {task:?} was forgotten too early: {node:?}");
                let orphan = self.nodes.iter().find(|node| node.parent == Some(at) && !node.forgotten);
                ensure!(orphan.is_none(), "L8: {task:?} was forgotten before {orphan:?}");
                self.nodes[at].forgotten = true;
            }
            Fact::WaitOpened { wait, task, run, all, subtree, target, target_run, others, other_runs, until } => {
                let others = others.iter().copied().zip(other_runs.iter().copied());
                let targets = std::iter::once((*target, *target_run)).chain(others).collect();
                let record =
                    WaitFacts { waiter: *task, run: *run, all: *all, subtree: *subtree, targets, until: *until, open: true, told: false };
                ensure!(self.waits.insert(*wait, record).is_none(), "wait {wait:?} was opened twice");
            }
            Fact::WaitClosed { wait, timed_out } => {
                let open = self.waits.get_mut(wait).filter(|wait| wait.open);
                let Some(record) = open else { return Err(format!("W1: wait {wait:?} was closed, but isn't open")) };
                record.open = false;
                let record = record.clone();
                if *timed_out {
                    ensure!(record.until.is_some_and(|until| until <= now), "S3: a wait timed out early: {record:?}");
                } else if self.wait_asked != Some(*wait) && !self.is_satisfied(&record) {
                    self.unsatisfied.push(record);
                }
            }
            Fact::DrainStarted { .. } => self.draining = true,
            Fact::DrainOverran {} | Fact::DrainEnded { .. } => ensure!(self.draining, "D8: a drain ended that had not begun"),
        }
        Ok(())
    }

    /// Begins a step.
    pub(crate) fn begin(&mut self, turn_asked: bool, wait_asked: Option<Key>) {
        self.ended_now.clear();
        (self.turn_asked, self.wait_asked) = (turn_asked, wait_asked);
    }

    /// A wait ends for its targets, its time, its caller's wish, or with the run that waits (W1, W3).
    pub(crate) fn end(&mut self) -> Result<(), String> {
        for wait in std::mem::take(&mut self.unsatisfied) {
            let ended = wait.run != 0 && self.run(wait.waiter, wait.run).is_ok_and(|run| run.ended);
            ensure!(ended, "W1: a wait ended for nothing: {wait:?}");
        }
        self.check_children()
    }

    /// When a run has ended, its foreground children are told to stop, and after a bad end the others too (C3).
    fn check_children(&self) -> Result<(), String> {
        for (task, (run, good)) in &self.ended_now {
            let Some(at) = self.index.get(task) else { continue };
            for child in self.nodes.iter().filter(|node| node.parent == Some(*at)) {
                let lives_on = *good && (child.background || child.parent_run != *run);
                let open = child.runs.values().find(|run| matches!(run.place, Place::Queued | Place::Held | Place::Parked));
                let told = open.is_none_or(|run| run.stop_until.is_some());
                ensure!(lives_on || told, "C3: {:?} goes on after the end of {task:?}: {open:?}", child.key);
            }
        }
        Ok(())
    }

    fn is_satisfied(&self, wait: &WaitFacts) -> bool {
        if wait.subtree {
            let Some(top) = wait.targets.first().and_then(|(top, _)| self.index.get(top)) else { return false };
            let open = |node: &NodeFacts| node.runs.values().any(|run| matches!(run.place, Place::Held | Place::Parked));
            return !self.nodes.iter().enumerate().any(|(at, node)| open(node) && self.path(at).any(|at| at == *top));
        }
        let ended = |(task, run): &(Key, u32)| {
            let node = self.index.get(task).map(|at| &self.nodes[*at]);
            node.and_then(|node| node.runs.get(run)).is_none_or(|run| run.ended)
        };
        if wait.all { wait.targets.iter().all(ended) } else { wait.targets.iter().any(ended) }
    }

    /// Whether no cap bounds what the task may spend.
    pub(crate) fn is_uncapped(&self, key: Key) -> bool {
        let Some(at) = self.index.get(&key) else { return false };
        self.path(*at).all(|at| self.nodes[at].cap == Amounts::UNCAPPED)
    }

    fn admit(&mut self, key: Key, parent: usize, cap: Amounts) -> Result<&mut NodeFacts, String> {
        let node = NodeFacts {
            key,
            parent: Some(parent),
            parent_run: 0,
            background: false,
            depth: 0,
            cap,
            spent: Amounts::ZERO,
            reserve: 0,
            runs: BTreeMap::new(),
            messages: 0,
            sealed: false,
            forgotten: false,
            task: false,
            manual: false,
        };
        ensure!(self.index.insert(key, self.nodes.len()).is_none(), "{key:?} was admitted twice");
        self.nodes.push(node);
        self.nodes.last_mut().ok_or_else(|| "nothing was admitted".into())
    }

    fn queue_run(&mut self, task: Key, run: u32, message: bool) -> Result<(), String> {
        let at = self.at(task)?;
        ensure!(!self.is_sealed(at), "C1: a run was queued under a cancel");
        let node = &mut self.nodes[at];
        ensure!(run as usize == node.runs.len() + 1, "run {run} of {task:?} follows {}", node.runs.len());
        ensure!(node.runs.values().all(|run| run.ended), "L6: run {run} of {task:?} was queued beside another");
        if message && node.messages > 0 {
            node.messages -= 1;
        }
        let record = RunFacts {
            place: Place::Queued,
            hold: Amounts::ZERO,
            turns: 0,
            max_turns: 0,
            timeout_ms: 0,
            started_at: 0,
            stop_until: None,
            endless: false,
            ended: false,
        };
        node.runs.insert(run, record);
        let manual = node.manual;
        let goes_on = self.ended_now.contains_key(&task);
        // A task that goes on with its next message was counted before; a manual one that ends without
        // having run is never at work.
        if goes_on || manual { Ok(()) } else { self.check_width(at) }
    }

    fn check_width(&self, at: usize) -> Result<(), String> {
        let (width, limit) = (self.working_children(self.nodes[at].parent.unwrap_or(0)), self.limits.max_children);
        ensure!(width <= limit, "D1: {width} children are at work, maxChildren is {limit}");
        Ok(())
    }

    fn start_run(&mut self, now: u64, task: Key, run: u32, max_turns: u64, timeout_ms: u64) -> Result<(), String> {
        let at = self.at(task)?;
        ensure!(!self.is_sealed(at), "C1: a run started under a cancel");
        let before = self.nodes[at].runs.range(..run).find(|(_, run)| matches!(run.place, Place::Lingering { .. }));
        ensure!(before.is_none(), "L6: run {run} started while an earlier host function runs: {before:?}");
        let manual = self.nodes[at].manual;
        let abandoned = self.nodes.iter().flat_map(|node| node.runs.values()).filter(|run| run.place == Place::Abandoned).count() as u64;
        ensure!(manual || abandoned < self.limits.max_abandoned, "S4: a run started beside {abandoned} abandoned ones");
        let record = self.run(task, run)?;
        ensure!(record.place == Place::Queued, "L1: a run started that was {:?}", record.place);
        record.place = Place::Held;
        (record.max_turns, record.timeout_ms, record.started_at) = (max_turns, timeout_ms, now);
        record.endless = timeout_ms == u64::MAX;
        if manual {
            self.check_width(at)?;
        }
        let (held, limit) = (self.held_slots(), self.limits.max_concurrent);
        ensure!(held <= limit, "D1: {held} slots are held, maxConcurrent is {limit}");
        Ok(())
    }

    /// Facts about budget come in groups: loans, then the hold, then what goes back, then the turn. Only
    /// their sum may not pass a cap, so what was used before the group is kept until it is over.
    fn follow_group(&mut self, fact: &Fact) -> Result<(), String> {
        let of = match fact {
            Fact::HoldLent { borrower, .. } | Fact::HoldReturned { borrower, .. } => *borrower,
            Fact::HoldChanged { task, .. }
            | Fact::TurnStarted { task, .. }
            | Fact::UsageBooked { task, .. }
            | Fact::UsageReported { task, .. }
            | Fact::ReserveChanged { task, .. } => *task,
            _ => {
                self.group = None;
                return Ok(());
            }
        };
        if self.group.as_ref().is_none_or(|group| group.task != of) {
            let at = self.at(of)?;
            self.group = Some(Group { task: of, before: self.used_on_path(at) });
        }
        // What the host reports is booked past the cap if that is the truth (B6). A turn that begins
        // books itself, and that has to fit.
        if let (Fact::UsageBooked { amount, .. }, Some(group), false) = (fact, &mut self.group, self.turn_asked) {
            for used in group.before.values_mut() {
                *used = used.plus(*amount);
            }
        }
        Ok(())
    }

    /// Whether what was just set aside fits on the whole path of the task: no cap is passed, unless it
    /// was before and this made it no worse (a cap was lowered, or usage was booked past it).
    fn check_caps(&self, task: Key, what: &str) -> Result<(), String> {
        let at = self.at(task)?;
        let used = self.used_on_path(at);
        for (at, used) in &used {
            let cap = self.nodes[*at].cap;
            let before = self.group.as_ref().and_then(|group| group.before.get(at)).copied().unwrap_or(Amounts::ZERO);
            for dimension in Dimension::ALL {
                let fits =
                    cap.of(dimension) == UNCAPPED || used.of(dimension) <= cap.of(dimension) || used.of(dimension) <= before.of(dimension);
                ensure!(
                    fits,
                    "B3: {what} of {task:?} takes {:?} at {:?} from {} to {}, past the cap of {}",
                    dimension,
                    self.nodes[*at].key,
                    before.of(dimension),
                    used.of(dimension),
                    cap.of(dimension)
                );
            }
        }
        Ok(())
    }

    /// Compares with what the manager keeps.
    pub(crate) fn compare(&self, state: &State) -> Result<(), String> {
        let sums = self.sums();
        let mut living = 0;
        for (node, (spent, held)) in self.nodes.iter().zip(&sums) {
            ensure!(state.tree.contains(node.key) != node.forgotten, "{:?} is there, or it isn't: {node:?}", node.key);
            if node.forgotten {
                continue;
            }
            living += 1;
            let account = &state.node(node.key.slot).account;
            ensure!(account.spent == *spent, "B2: {:?} spent {:?}, the facts say {spent:?}", node.key, account.spent);
            ensure!(account.held == *held, "B2: {:?} holds {:?}, the facts say {held:?}", node.key, account.held);
            ensure!(account.cap == node.cap, "B1: {:?} has the cap {:?}, the facts say {:?}", node.key, account.cap, node.cap);
            let messages = state.node(node.key.slot).queued_messages() as u64;
            ensure!(messages == node.messages, "M2: {messages} messages wait, the facts say {}", node.messages);
        }
        ensure!(living == state.tree.len(), "{} nodes are kept, the facts say {living}", state.tree.len());
        ensure!(u64::from(state.held) == self.held_slots(), "D4: {} slots are held, the facts say {}", state.held, self.held_slots());
        let open = self.waits.values().filter(|wait| wait.open).count();
        ensure!(open == state.waits.len() as usize, "{} waits are open, the facts say {open}", state.waits.len());
        Ok(())
    }
}
