//! An independent account of the ledger and of the slots, made from the facts alone.
//!
//! Owns its own sums, which it recomputes from single tasks and runs each time it is asked; nothing
//! here reads a number that the manager keeps, except to compare. Forgotten tasks stay for ever.

use std::collections::{BTreeMap, BTreeSet};

use super::notices::Notices;
use super::parts::Part;
use super::talk::{Class, Talk};
use subagents::{
    Amounts, Fact, Key, Limits, MessagePlace, OnHostLost, OnParentEnd, Parked, ROOT, Retry, State, Status, StopReason, Text, lookup,
};

/// Whether a run holds a slot, as the facts say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Queued,
    /// It waits for the time of its next attempt (X5).
    Backoff {
        until: u64,
    },
    Held,
    Parked,
    Lingering {
        held: bool,
    },
    Abandoned,
    Gone,
}

#[derive(Clone, Debug)]
pub(crate) struct RunFacts {
    pub(crate) place: Place,
    /// It came back while no slot was free for it.
    pub(crate) over_limit: bool,
    pub(crate) reserved: Amounts,
    /// Whether that is for the whole run.
    pub(super) whole: bool,
    /// It has come back for a turn whose budget is set aside: what it holds beside that.
    pub(super) beside_turn: Option<Amounts>,
    /// What was booked for it.
    pub(crate) booked: Amounts,
    pub(crate) turns: u64,
    pub(crate) max_turns: u64,
    pub(crate) timeout_ms: u64,
    pub(crate) started_at: u64,
    pub(crate) stop_until: Option<u64>,
    /// It was asked to stop by a cancel, which seals all below it (C1, C3).
    pub(super) cancelled: bool,
    /// Because its parent's run ended, or a drain was over: whoever cancels it then has stopped it as well (L7).
    pub(super) joinable: bool,
    /// One of its deadlines was set while it was lifted: it never comes.
    pub(crate) endless: bool,
    pub(crate) ended: bool,
    /// Its host function returned; it waits for sub-agents (C3).
    pub(crate) returned: bool,
    /// How many attempts at its message there were before it (X5).
    pub(super) attempt: u32,
    /// How often in a row it was lost at work with its process, without having saved a checkpoint (J3).
    pub(super) lost: u64,
    /// What it gets, until it starts or that is dropped or waits again (M2).
    pub(crate) unheard: Option<Text>,
}

#[derive(Clone, Debug)]
pub(crate) struct NodeFacts {
    pub(crate) key: Key,
    pub(crate) parent: Option<usize>,
    pub(super) parent_run: u32,
    pub(super) background: bool,
    /// It was stopped with the run that it worked for, and has not been at work since.
    pub(super) ended_with_parent: bool,
    pub(crate) depth: u64,
    /// How many were spawned below it, and how many may be (D10).
    pub(super) spawned: u64,
    pub(super) max_spawns: u64,
    pub(crate) cap: Amounts,
    pub(crate) spent: Amounts,
    /// Its dollars, with those below, have been more than their number holds.
    pub(super) too_large: bool,
    /// What the main agent of a session has used in all.
    pub(crate) main: Amounts,
    pub(crate) runs: BTreeMap<u32, RunFacts>,
    pub(crate) messages: u64,
    pub(crate) talk: Talk,
    pub(super) text: Text,
    pub(crate) sealed: bool,
    pub(crate) forgotten: bool,
    pub(crate) task: bool,
    /// The program drives it, and the run of this number is one that it has taken up.
    pub(crate) driven: bool,
    pub(crate) taken: Option<u32>,
    /// A run or a model's tool started it.
    pub(super) counted: bool,
    pub(super) rate_key: Text,
    pub(super) retry: Option<Box<Retry>>,
    pub(crate) closed: bool,
    pub(crate) session_closed: bool,
    pub(super) on_parent_end: OnParentEnd,
    /// What it was called when it was admitted.
    pub(super) nickname: Option<Text>,
    /// Who wished its last end, if it was somebody's wish; the root's key for the program.
    pub(super) stopped_by: Option<Key>,
    /// The definition of its agent, and its profile.
    pub(super) definitions: (Option<Text>, Option<Text>),
    /// What its run reported last of how far it is.
    pub(super) checkpoint: Option<Text>,
    /// What its runs saved.
    pub(super) saved: Option<Text>,
    /// What was acquired for it: nothing, or what `acquire` gave, once it has.
    pub(super) acquired: Option<Option<Text>>,
}

#[derive(Clone, Debug)]
pub(crate) struct WaitFacts {
    pub(crate) waiter: Key,
    pub(crate) run: u32,
    pub(crate) all: bool,
    /// Waits for all that is open below its one target.
    pub(crate) subtree: bool,
    /// Reports each of its targets, once it is over.
    pub(crate) listed: bool,
    /// Waits until none has a message left to run.
    pub(crate) idle: bool,
    pub(crate) targets: Vec<(Key, u32)>,
    pub(crate) until: Option<u64>,
    pub(crate) open: bool,
    pub(crate) told: bool,
    /// The run that waited is over: it collects nothing any more (C1).
    pub(crate) left: bool,
    /// Targets that had no run to wait for when it began: no wait for any of several is over for them.
    pub(crate) idle_before: Vec<(Key, u32)>,
}

/// The holds that one task is just getting, and what its path used before (see `check_caps`).
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) task: Key,
    pub(super) before: BTreeMap<usize, Amounts>,
}

#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// In the order of their admission, so that parents come before children.
    pub(crate) nodes: Vec<NodeFacts>,
    pub(super) by_key: BTreeMap<Key, usize>,
    pub(crate) waits: BTreeMap<Key, WaitFacts>,
    pub(crate) limits: Limits,
    /// Runs of this step that were said to wait for nothing.
    pub(super) at_once: Vec<(Key, u32)>,
    pub(crate) draining: bool,
    /// Whether the time of the drain is over.
    overran: bool,
    /// Whether a store is there, for another process to go on (D8).
    pub(crate) stored: bool,
    /// How runs are tried again whose spawn doesn't say.
    pub(super) retry: Option<Box<Retry>>,
    /// Whether the facts that come are those of a turn that was asked for.
    pub(super) turn_asked: bool,
    pub(super) group: Option<Group>,
    /// Idempotency keys by scope: what each stands for, and until when.
    pub(super) keys: BTreeMap<(Key, Text), (Key, u64)>,
    /// Rate limits that cool down, and until when.
    pub(super) cooldowns: BTreeMap<Text, u64>,
    /// Whether there are rates.
    pub(super) has_rates: bool,
    /// More dollars were booked at once than any host means: sums may grow too large for their numbers.
    pub(super) has_large: bool,
    /// When a run last started or came back.
    pub(super) last_start: Option<u64>,
    /// How many starts are still to be apart since a cooldown was over, and whether the user said how far they are always.
    pub(super) staggers: u64,
    pub(super) stagger_given: bool,
    /// The time of the present input.
    pub(super) clock: u64,
    /// The wait that the present input ends.
    pub(super) wait_asked: Option<Key>,
    pub(crate) notices: Notices,
    /// The tasks whose runs ended in this step: the last of them, and whether it ended well.
    pub(super) ended_now: BTreeMap<Key, (u32, bool)>,
    /// The last task that was given each id by its caller.
    pub(super) own_ids: BTreeMap<Text, Key>,
    /// What is to be released, by the numbers of the releases.
    pub(super) releases: BTreeMap<u64, Option<Text>>,
    /// The last child of each node that was given each nickname.
    pub(super) bearers: BTreeMap<(usize, Text), Key>,
    /// Who asked for a cancel or close in this step.
    pub(super) asked_by: Option<Key>,
    /// This step is that of a manager opened from its facts: nobody waits any more, and leases return.
    pub(super) reopened: bool,
    /// What becomes of the runs that the process had in flight that is lost last.
    pub(crate) on_host_lost: OnHostLost,
    /// Whether the hosts of that process are elsewhere, and go on.
    pub(crate) outlived: bool,
    /// Sessions that the present process has not registered (J3).
    pub(crate) absent: BTreeSet<Key>,
    /// Definitions and profiles that it has; `None` where it didn't say.
    pub(super) known: Option<(Vec<Text>, Vec<Text>)>,
}

pub(super) fn minus(a: Amounts, b: Amounts) -> Amounts {
    a.zip(b, u64::saturating_sub)
}

impl Model {
    pub(crate) fn new(state: &State) -> Self {
        let node = |index: u32, parent: Option<usize>| NodeFacts::new(state.key(index), parent, state.node(index).account.cap);
        let nodes = vec![node(ROOT, None), node(subagents::DEFAULT_SESSION, Some(0))];
        let by_key = nodes.iter().enumerate().map(|(at, node)| (node.key, at)).collect();
        Self {
            nodes,
            by_key,
            waits: BTreeMap::new(),
            limits: Limits::default(),
            at_once: Vec::new(),
            draining: false,
            overran: false,
            stored: false,
            retry: None,
            turn_asked: false,
            group: None,
            keys: BTreeMap::new(),
            cooldowns: BTreeMap::new(),
            has_rates: false,
            has_large: false,
            last_start: None,
            staggers: 0,
            stagger_given: false,
            clock: 0,
            wait_asked: None,
            notices: Notices::default(),
            ended_now: BTreeMap::new(),
            own_ids: BTreeMap::new(),
            releases: BTreeMap::new(),
            bearers: BTreeMap::new(),
            asked_by: None,
            reopened: false,
            on_host_lost: OnHostLost::Fail,
            outlived: false,
            absent: BTreeSet::new(),
            known: None,
        }
    }

    pub(crate) fn at(&self, key: Key) -> Result<usize, String> {
        let at = *self.by_key.get(&key).ok_or_else(|| format!("a fact names {key:?}, which was never admitted"))?;
        ensure!(!self.nodes[at].forgotten, "a fact names {key:?}, which is forgotten");
        Ok(at)
    }

    pub(super) fn run(&mut self, task: Key, run: u32) -> Result<&mut RunFacts, String> {
        let at = self.at(task)?;
        self.nodes[at].runs.get_mut(&run).ok_or_else(|| format!("a fact names run {run} of {task:?}, which was never queued"))
    }

    /// Takes one thing that a fact says, and says what is wrong with it, if anything.
    pub(crate) fn take(&mut self, now: u64, part: &Part<'_>) -> Result<(), String> {
        self.follow_group(part)?;
        match part {
            Part::Said(fact) => self.take_said(now, fact)?,
            Part::SteersDelivered { task, run, count } => {
                let open = self.run(*task, *run)?;
                // At a tool's boundary also while the next turn waits for its slot.
                let hears = matches!(open.place, Place::Held | Place::Parked) && !open.returned;
                ensure!(hears && open.stop_until.is_none(), "M1: steered without a turn or a tool: {open:?}");
                let at = self.at(*task)?;
                let talk = &mut self.nodes[at].talk;
                let waited = talk.again().len() + talk.steers.len();
                ensure!(waited == *count as usize, "M1: {count} steers were delivered of {waited}");
                talk.hear(self.limits.max_messages);
            }
            Part::QuestionDelivered { task, run } => {
                let at = self.at(*task)?;
                let talk = &mut self.nodes[at].talk;
                ensure!(talk.question.as_ref().is_some_and(|(asked, ..)| asked == run), "M5: told of no question: {talk:?}");
                ensure!(!talk.told, "M5: the question of {task:?} was told twice");
                talk.told = true;
            }
            Part::QuestionClosed { task, run, answer, timed_out } => {
                let at = self.at(*task)?;
                let Some((asked, question, until)) = self.nodes[at].talk.question.take() else {
                    let open = self.run(*task, *run)?;
                    ensure!(matches!(open.place, Place::Held | Place::Parked) && open.stop_until.is_none(), "M5: {open:?} was answered");
                    let answer = answer.ok_or_else(|| format!("M5: no question of run {run} was open"))?;
                    return self.nodes[at].talk.repeat(answer);
                };
                ensure!(asked == *run, "M5: {question:?} of run {asked} was closed for run {run}");
                ensure!(!timed_out || until.is_some_and(|until| until <= now), "M5: a question timed out early");
                ensure!(!timed_out || answer.is_none(), "M5: a question was answered and timed out");
                if let Some(answer) = answer {
                    self.nodes[at].talk.answered(&question, answer, self.limits.max_messages);
                }
            }
            Part::Parked { task, run, why, waits_for } => {
                self.check_parked(*task, *run, *why, waits_for)?;
                ensure!(*why != Parked::Cooldown || self.cools(*task), "X1: {task:?} parked for no cooldown");
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Held | Place::Parked), "S1: a run parked that was {:?}", record.place);
                record.place = Place::Parked;
            }
            Part::Unparked { task, run, why } => {
                let record = self.run(*task, *run)?;
                ensure!(!record.returned, "C3: a run goes on whose host function has returned");
                let why_not = *why == Parked::Reentry;
                ensure!(record.place == Place::Parked && !why_not, "S1: unparked {why:?} while {:?}", record.place);
                ensure!(*why != Parked::Cooldown || !self.cools(*task), "X1: {task:?} went on while its rate limit cools down");
            }
            Part::SteersMissed { task, count } => {
                let at = self.at(*task)?;
                let talk = &mut self.nodes[at].talk;
                ensure!(talk.steers.len() == *count, "M1: {count} steers missed their run of {}", talk.steers.len());
                let steers = std::mem::take(&mut talk.steers);
                talk.missed = *count;
                talk.waiting.extend(steers.into_iter().map(|text| (Class::Missed, text)));
                self.nodes[at].messages += *count as u64;
            }
            Part::MessageUnheard { task, run, again } => {
                let queued = self.run(*task, *run)?;
                ensure!(queued.place == Place::Queued, "M2: run {run} of {task:?} has started: {queued:?}");
                let text = queued.unheard.take().ok_or("M2: a message was unheard twice")?;
                let at = self.at(*task)?;
                if *again {
                    self.nodes[at].messages += 1;
                    self.nodes[at].talk.waiting.insert(0, (Class::Missed, text));
                } else {
                    self.nodes[at].talk.undelivered.push(text);
                }
            }
            Part::EndCollected { task } => {
                self.at(*task)?;
            }
            Part::CloseRequested { .. } | Part::TaskClosed { .. } => self.take_close(part)?,
            Part::NoticeMade { .. }
            | Part::NoticeLeased { .. }
            | Part::NoticeWoken { .. }
            | Part::NoticeAcked { .. }
            | Part::NoticeReturned { .. }
            | Part::NoticeSetAside { .. }
            | Part::NoticeRerouted { .. }
            | Part::NoticeAwaited { .. }
            | Part::NoticeHeard { .. }
            | Part::EndClaimed { .. } => self.take_notice(now, part)?,
            Part::KeyUsed { task, scope, key, until } => {
                self.at(*task)?;
                let before = self.keys.insert((*scope, (*key).clone()), (*task, *until));
                ensure!(before.is_none(), "D7: the key `{key}` of {scope:?} stands for {before:?} already");
                ensure!(*until == now.saturating_add(self.limits.idempotency_ttl_ms), "D7: `{key}` answers until {until}");
                let (count, most) = (self.keys.len() as u64, self.limits.max_idempotency_keys);
                ensure!(count <= most, "D7: {count} keys are remembered, maxIdempotencyKeys is {most}");
            }
            Part::AnswersBarred { task } => {
                let at = self.at(*task)?;
                self.nodes[at].talk.barred = true;
            }
            Part::RunQueued { task, run, message, waiting_for, again, .. } => {
                self.queue_run(*task, *run, message.map(|text| &**text), *again)?;
                if waiting_for.is_none() {
                    self.at_once.push((*task, *run));
                }
            }
            Part::AttemptQueued { task, run, .. } => {
                let record = self.run(*task, *run)?;
                let due = matches!(record.place, Place::Backoff { until } if until <= now);
                ensure!(due, "X5: run {run} of {task:?} is due at {now}: {record:?}");
                record.place = Place::Queued;
            }
            Part::HoldChanged { task, run, reserved, whole } => {
                let record = self.run(*task, *run)?;
                record.whole = whole.unwrap_or(record.whole);
                let before = std::mem::replace(&mut record.reserved, *reserved);
                // What a host elsewhere is at fitted when its turn began; the caps may be lower by now.
                let is_kept = self.reopened && self.outlived && self.run(*task, *run)?.place == Place::Queued;
                if before.lacks(*reserved).is_some() && !is_kept {
                    self.check_caps(*task, "a hold")?;
                }
            }
            Part::HoldLent { task, run, borrower, amount } => {
                let from = self.run(*task, *run)?;
                ensure!(from.reserved.lacks(*amount).is_none(), "B4: {task:?} lent {amount:?}, it holds {:?}", from.reserved);
                from.reserved = minus(from.reserved, *amount);
                ensure!(self.is_below(*borrower, *task), "B4: {task:?} lent to {borrower:?}, which is not below it");
            }
            Part::HoldReturned { task, run, amount, .. } => {
                let to = self.run(*task, *run)?;
                ensure!(!to.ended, "B4: a loan went back to an ended run");
                to.reserved = to.reserved.plus(*amount);
                self.check_caps(*task, "a returned loan")?;
            }
            Part::UsageBooked { task, run, amount } => {
                self.run(*task, *run)?;
                let at = self.at(*task)?;
                self.nodes[at].spent = self.nodes[at].spent.plus(*amount);
                let record = self.run(*task, *run)?;
                record.booked = record.booked.plus(*amount);
                self.note_too_large(amount.nanos);
            }
            Part::PricesGivenBack { task, run, nanos } => {
                let at = self.at(*task)?;
                // A sum that is too large for its number stays so.
                if self.nodes[at].spent.nanos != u64::MAX {
                    self.nodes[at].spent.nanos -= nanos;
                }
                self.run(*task, *run)?.booked.nanos -= nanos;
            }
            Part::WrapUpSpent { task } => {
                self.at(*task)?;
            }
            Part::StopsLending { .. } => {}
            Part::SetsAside { task, run } => {
                let record = self.run(*task, *run)?;
                record.beside_turn = Some(if record.whole { Amounts::ZERO } else { record.reserved });
            }
            Part::UsageReported { task, run, .. } | Part::UsageDoubted { task, run, .. } => {
                self.run(*task, *run)?;
            }
            Part::WrapUpRequested { task, run, reason, until } => self.told_to_wrap_up(now, (*task, *run), *reason, *until)?,
        }
        Ok(())
    }

    /// The process stood still: no deadline, question, wait or lease of a notice counts that (T4).
    fn stood_still(&mut self, ms: u64) {
        let later = |at: &mut Option<u64>| *at = at.map(|at| at.saturating_add(ms));
        for node in &mut self.nodes {
            node.runs.values_mut().for_each(|run| later(&mut run.stop_until));
            if let Some((_, _, until)) = &mut node.talk.question {
                later(until);
            }
        }
        self.waits.values_mut().for_each(|wait| later(&mut wait.until));
        self.notices.stood_still(ms);
    }

    fn told_to_wrap_up(&mut self, now: u64, (task, run): (Key, u32), reason: StopReason, until: Option<u64>) -> Result<(), String> {
        let record = self.run(task, run)?;
        record.endless |= until == Some(u64::MAX);
        let due = record.started_at.saturating_add(record.timeout_ms);
        ensure!(reason != StopReason::Timeout || now >= due, "T1: timed out at {now}, due at {due}");
        Ok(())
    }

    fn take_said(&mut self, now: u64, fact: &Fact) -> Result<(), String> {
        self.follow_waits(fact);
        self.follow_notices(fact)?;
        match fact {
            Fact::Seeded { .. } => {}
            Fact::DefaultsSet { retry, .. } => self.retry.clone_from(retry),
            Fact::RunRetried { task, run, attempt, stop_reason: reason, until, .. } => {
                let at = self.at(*task)?;
                self.nodes[at].taken = None;
                self.try_again(now, (*task, *run), *attempt, *reason, *until)?;
            }
            Fact::LimitSet { limit, value } => {
                self.stagger_given |= **limit == *"staggerMs";
                ensure!(self.limits.set(limit, *value), "no limit is called {limit}");
            }
            Fact::CapSet { task, cap } => {
                let at = self.at(*task)?;
                self.nodes[at].cap = *cap;
            }
            Fact::MainAgentSet { task, .. } | Fact::TurnStarted { task, run: 0, .. } => {
                self.at(*task)?;
            }
            Fact::SessionOpened { task, .. } => {
                self.admit(*task, 0, Amounts::UNCAPPED)?;
            }
            Fact::TaskAdmitted { task, parent, parent_run, background, by_model, cap, spec, text, .. } => {
                let parent = self.at(*parent)?;
                let depth = self.nodes[parent].depth + 1;
                ensure!(depth <= self.limits.max_depth, "D1: depth {depth} is past maxDepth {}", self.limits.max_depth);
                // A run at work may need sub-agents to end well; in the background where another process goes on with them.
                let delegates = *parent_run != 0 && !self.overran && (!background || self.stored);
                ensure!(!self.draining || delegates, "D8: a task was admitted while draining");
                ensure!(!self.is_sealed(parent), "C1: a task was admitted under a cancel");
                if let Some(nickname) = spec.as_ref().and_then(|spec| spec.nickname.as_ref()) {
                    self.take_nickname(parent, *task, nickname)?;
                }
                if let Some(id) = spec.as_ref().and_then(|spec| spec.task_id.as_ref()) {
                    self.take_id(*task, id)?;
                }
                self.count_spawn(parent)?;
                let node = self.admit(*task, parent, *cap)?;
                node.max_spawns = spec.as_ref().and_then(|spec| spec.max_spawns).unwrap_or(u64::MAX);
                node.nickname = spec.as_ref().and_then(|spec| spec.nickname.clone());
                (node.depth, node.task) = (depth, true);
                node.driven = spec.as_ref().is_some_and(|spec| spec.driven);
                node.text = text.clone();
                node.counted = *by_model || depth > 1;
                (node.parent_run, node.background) = (*parent_run, *background);
                node.rate_key = spec.as_ref().and_then(|spec| spec.rate_limit_key.clone()).unwrap_or_default();
                node.retry = spec.as_ref().and_then(|spec| spec.retry.clone());
                node.definitions = spec.as_ref().map(|spec| (spec.agent.clone(), spec.profile.clone())).unwrap_or_default();
                node.on_parent_end = spec.as_ref().and_then(|spec| spec.on_parent_end).unwrap_or(OnParentEnd::Adopt);
                let tasks = self.nodes.iter().filter(|node| node.task && !node.forgotten).count() as u64;
                ensure!(tasks <= self.limits.max_tasks, "D1: {tasks} tasks are kept, maxTasks is {}", self.limits.max_tasks);
            }
            Fact::MessageQueued { task, run, place, text } => {
                let at = self.at(*task)?;
                let last = self.nodes[at].runs.last_key_value().map_or(0, |(number, _)| *number);
                ensure!(last == *run, "M1: a message names run {run} of {task:?}, the last one is {last}");
                let class = match place {
                    MessagePlace::Queue => Class::Queued,
                    MessagePlace::Missed => Class::Missed,
                    MessagePlace::Interrupt => Class::Interrupting,
                    MessagePlace::Steer => {
                        self.nodes[at].talk.steers.push(text.clone());
                        return self.check_messages(at);
                    }
                };
                self.nodes[at].messages += 1;
                self.nodes[at].talk.waiting.push((class, text.clone()));
                self.check_messages(at)?;
            }
            // Others say it one at a time.
            Fact::QuestionClosed { .. } | Fact::EndsCollected { .. } | Fact::NoticeMoved { .. } | Fact::QuestionDelivered { .. } => {}
            Fact::RunParked { .. } | Fact::RunUnparked { .. } => {}
            Fact::RunElsewhere { task, run, host_task_id: None } => {
                self.run(*task, *run)?;
            }
            Fact::RunElsewhere { task, run, .. } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].runs.keys().next_back() == Some(run), "X4: run {run} of {task:?} was named, which is not its last");
            }
            Fact::SteersAgain { task, run, texts, missed } => {
                self.run(*task, *run)?;
                let at = self.at(*task)?;
                self.nodes[at].talk.hear_again(texts, *missed)?;
                self.nodes[at].messages -= u64::from(*missed);
            }
            Fact::MessagesDropped { task, count } => {
                let at = self.at(*task)?;
                ensure!(u64::from(*count) == self.nodes[at].messages, "M2: {count} messages were dropped of {}", self.nodes[at].messages);
                self.nodes[at].messages = 0;
                let talk = &mut self.nodes[at].talk;
                ensure!(talk.steers.is_empty(), "M2: steers were left when the queue was dropped");
                talk.undelivered.extend(talk.in_order());
                talk.waiting.clear();
                talk.missed = 0;
                talk.paused = false;
            }
            Fact::QueuePaused { task, paused } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].talk.paused != *paused, "M4: the queue of {task:?} was paused or continued twice");
                self.nodes[at].talk.paused = *paused;
            }
            Fact::QuestionAsked { task, run, question, until, delivered } => {
                let at = self.at(*task)?;
                ensure!(!self.is_sealed(at) && !self.nodes[at].talk.barred, "M5: {task:?} asked in vain");
                ensure!(self.nodes[at].talk.question.is_none(), "M5: {task:?} asked twice");
                self.nodes[at].talk.asks(question)?;
                let open = self.run(*task, *run)?;
                ensure!(matches!(open.place, Place::Held | Place::Parked), "M5: a run asked that was {:?}", open.place);
                ensure!(open.stop_until.is_none(), "M5: a run asked that was told to stop");
                open.endless |= until.is_none();
                self.nodes[at].talk.question = Some((*run, question.clone(), *until));
                self.nodes[at].talk.told = *delivered;
            }
            // `delivery.rs` follows it: from then on its end makes a notice.
            Fact::RunTaken { task, run } => {
                ensure!(self.place(*task, *run) == Some(Place::Queued), "X6: run {run} of {task:?} was taken up, and doesn't wait");
                let at = self.at(*task)?;
                ensure!(self.nodes[at].driven && self.nodes[at].taken.is_none(), "X6: run {run} of {task:?} was taken up");
                self.nodes[at].taken = Some(*run);
            }
            Fact::TaskBackgrounded { .. } | Fact::RunRaised { .. } => {}
            Fact::RunQueued { task, .. } => {
                let at = self.at(*task)?;
                self.nodes[at].ended_with_parent = false;
            }
            Fact::RunStarted { task, run, max_turns, timeout_ms, .. } => self.start_run(now, *task, *run, *max_turns, *timeout_ms)?,
            Fact::TurnDelayed { task, run, .. } => self.run(*task, *run)?.beside_turn = None,
            Fact::ToolBegan { task, run, .. } | Fact::ToolEnded { task, run, .. } => {
                self.run(*task, *run)?;
            }
            // Main agents have no runs.
            Fact::RunReported { task, run: 0, usage, .. } => {
                let at = self.at(*task)?;
                let node = &mut self.nodes[at];
                ensure!(!node.task, "B12: the main agent of {task:?} reported, which is a task");
                ensure!(usage.lacks(node.main).is_none(), "B12: {task:?} has used {usage:?}, before it was {:?}", node.main);
                node.spent = node.spent.plus(minus(*usage, node.main));
                node.main = *usage;
                self.note_too_large(usage.nanos);
            }
            Fact::CallCounted { task, run: 0, .. } | Fact::TodosReported { task, run: 0, .. } => {
                self.at(*task)?;
            }
            Fact::RunReported { task, run, .. } | Fact::CallCounted { task, run, .. } | Fact::TodosReported { task, run, .. } => {
                self.run(*task, *run)?;
            }
            Fact::CheckpointSaved { task, run, data } => self.save_checkpoint(*task, *run, data)?,
            Fact::DataSaved { task, run, data } => {
                ensure!(!self.run(*task, *run)?.ended, "J6: run {run} of {task:?} saved after its end");
                let at = self.at(*task)?;
                self.nodes[at].saved = Some(data.clone());
            }
            Fact::ResourceAcquired { task, data } => {
                let at = self.at(*task)?;
                let node = &mut self.nodes[at];
                let before = node.acquired.replace(data.clone());
                ensure!(!node.closed, "J7: {task:?} acquired something after its close");
                ensure!(before == data.as_ref().map(|_| None), "J7: {task:?} acquired {data:?} after {before:?}");
            }
            Fact::ResourceReleased { serial, .. } => {
                ensure!(self.releases.remove(serial).is_some(), "J7: release {serial} was made twice");
            }
            Fact::MainEnded { task } => {
                self.at(*task)?;
            }
            Fact::PolicyAnswered { task, run, until, .. } => {
                if *run == 0 {
                    self.at(*task)?;
                } else {
                    self.run(*task, *run)?.endless |= *until == Some(u64::MAX);
                }
            }
            Fact::ToolsBlocked { .. } | Fact::PricesSet { .. } | Fact::RateLeft { .. } => {}
            Fact::RatesSet { rates } => self.has_rates = !rates.is_empty(),
            Fact::TokensUsed { task, .. } => {
                self.at(*task)?;
            }
            Fact::TurnStarted { task, run, turn, .. } => {
                let at = self.at(*task)?;
                ensure!(!self.is_sealed(at), "C1: a turn began under a cancel");
                ensure!(!self.cools(*task), "X1: a turn of {task:?} began while its rate limit cools down");
                let (held, limit) = (self.held_slots(), self.limits.max_concurrent);
                let record = self.run(*task, *run)?;
                ensure!(!record.over_limit || held <= limit, "S2: a turn began over the limit: {held} of {limit} slots, {record:?}");
                ensure!(record.place == Place::Held, "S1: a turn began without a slot: {record:?}");
                ensure!(record.stop_until.is_none(), "L5: a turn began after the abort");
                ensure!(*turn == record.turns + 1, "turn {turn} followed turn {}", record.turns);
                ensure!(*turn <= record.max_turns, "B1: turn {turn} of {}", record.max_turns);
                (record.turns, record.beside_turn) = (*turn, None);
                self.check_caps(*task, "a turn")?;
                self.group = None;
            }
            Fact::WrapUpRequested { task, run, stop_reason: reason, until } => self.told_to_wrap_up(now, (*task, *run), *reason, *until)?,
            Fact::RunReentered { task, run, over_limit, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(!record.returned, "C3: a run re-entered whose host function has returned");
                ensure!(record.place == Place::Parked, "S2: a run re-entered that was {:?}", record.place);
                record.place = Place::Held;
                record.over_limit = *over_limit;
                // A host that reports no turns can't be kept waiting.
                let waits = record.turns > 0;
                self.note_start(now, waits)?;
                let (held, limit) = (self.held_slots(), self.limits.max_concurrent);
                ensure!(*over_limit == (held > limit), "S2: {held} of {limit} slots, said over the limit: {over_limit}");
            }
            Fact::StopRequested { task, run, until, stop_reason: reason, status } => {
                if !self.run(*task, *run)?.cancelled {
                    self.note_stopped(*task, *reason)?;
                }
                let at = self.at(*task)?;
                self.nodes[at].ended_with_parent = *reason == StopReason::ParentEnded;
                let record = self.run(*task, *run)?;
                ensure!(record.stop_until.is_none_or(|before| *until <= before), "C2: a grace grew to {until}: {record:?}");
                record.stop_until = Some(*until);
                record.endless |= *until == u64::MAX;
                record.cancelled = matches!(status, Status::Cancelled | Status::Closed);
                record.joinable = matches!(reason, StopReason::ParentEnded | StopReason::Drained);
            }
            Fact::RunEnded { task, run, status, stop_reason: reason, host_open, abandon_at, .. } => {
                self.ended_now.insert(*task, (*run, matches!(status, Status::Completed | Status::Interrupted)));
                let unstopped = self.run(*task, *run)?.stop_until.is_none();
                if unstopped {
                    self.note_stopped(*task, *reason)?;
                }
                let at = self.at(*task)?;
                self.nodes[at].ended_with_parent = *reason == StopReason::ParentEnded && *status == Status::Cancelled;
                if *status == Status::Closed {
                    self.nodes[at].closed = true;
                    self.leave_data(at);
                }
                self.nodes[at].taken = None;
                // Whom a policy or the program itself ends waits for nobody.
                if *status == Status::Completed && *reason != StopReason::Policy {
                    self.check_waited_for(at, *run)?;
                }
                let record = self.run(*task, *run)?;
                ensure!(!record.ended, "L2: run {run} of {task:?} ended twice");
                ensure!(*host_open || record.reserved.is_zero(), "S4: an ended run still holds {:?}", record.reserved);
                let at = self.at(*task)?;
                let talk = &mut self.nodes[at].talk;
                ensure!(talk.question.is_none() && talk.steers.is_empty(), "M1, M5: a run ended with something unsaid: {talk:?}");
                talk.end();
                let record = self.run(*task, *run)?;
                ensure!(record.unheard.is_none(), "M2: what run {run} of {task:?} was to hear is gone: {record:?}");
                record.ended = true;
                ensure!(
                    *host_open || abandon_at.at().is_none(),
                    "S4: run {run} of {task:?} has returned, and is given up at {abandon_at:?}"
                );
                record.endless |= *host_open && abandon_at.at().is_none();
                let lost = record.losses();
                self.check_given_up(*task, *reason, lost)?;
                let record = self.run(*task, *run)?;
                record.place = match record.place {
                    Place::Queued | Place::Backoff { .. } if *host_open => return Err("a queued run can't have an open host".into()),
                    Place::Held if *host_open => Place::Lingering { held: true },
                    Place::Parked if *host_open => Place::Lingering { held: false },
                    Place::Queued | Place::Backoff { .. } | Place::Held | Place::Parked => Place::Gone,
                    other @ (Place::Lingering { .. } | Place::Abandoned | Place::Gone) => {
                        return Err(format!("a run ended that was {other:?}"));
                    }
                };
            }
            Fact::HostReturned { task, run, usage, late_result, .. } => {
                let record = self.run(*task, *run)?;
                if record.place == Place::Gone {
                    ensure!(record.ended && (late_result.is_some() || usage.is_some()), "X4: nothing came again: {record:?}");
                    return Ok(());
                }
                ensure!(matches!(record.place, Place::Lingering { .. } | Place::Abandoned), "L2: late, but {:?}", record.place);
                ensure!(record.reserved.is_zero(), "S4: a returned host still holds {:?}", record.reserved);
                record.place = Place::Gone;
            }
            Fact::HostAbandoned { task, run, .. } => {
                let record = self.run(*task, *run)?;
                ensure!(matches!(record.place, Place::Lingering { .. }), "S4: abandoned, but {:?}", record.place);
                ensure!(record.reserved.is_zero(), "S4: an abandoned host still holds {:?}", record.reserved);
                record.place = Place::Abandoned;
            }
            Fact::CancelRequested { task, by, .. } => {
                self.asked_by = Some(*by);
                let at = self.at(*task)?;
                ensure!(!self.nodes[at].sealed, "C2: a second cancel of {task:?} began");
                self.nodes[at].sealed = true;
                // What something else had asked to stop is theirs as well (L7).
                for below in 0..self.nodes.len() {
                    let told = self.nodes[below].runs.values().any(|run| run.joinable && !run.ended);
                    if told && self.path(below).any(|above| above == at) {
                        self.nodes[below].stopped_by.get_or_insert(*by);
                    }
                }
            }
            Fact::CancelSettled { task } => {
                let at = self.at(*task)?;
                ensure!(self.nodes[at].sealed, "C1: a cancel of {task:?} settled that had not begun");
                self.nodes[at].sealed = false;
            }
            Fact::TaskEnded { .. }
            | Fact::TaskResumed { .. }
            | Fact::RunReturned { .. }
            | Fact::SessionClosed { .. }
            | Fact::SessionFreed { .. } => self.take_lifecycle(fact)?,
            Fact::TaskForgotten { task } => {
                let at = self.at(*task)?;
                for run in self.nodes[at].runs.values_mut().filter(|run| run.place == Place::Abandoned) {
                    // What its host function still returns is nobody's.
                    run.place = Place::Gone;
                }
                let node = &self.nodes[at];
                ensure!(node.runs.values().all(|run| run.place == Place::Gone), "L8: {task:?} was forgotten with an open run");
                ensure!(node.talk.is_over(), "M2: {task:?} was forgotten with something unsaid: {:?}", node.talk);
                ensure!(node.messages == 0 && !node.sealed, "L8: {task:?} was forgotten too early: {node:?}");
                let orphan = self.nodes.iter().find(|node| node.parent == Some(at) && !node.forgotten);
                ensure!(orphan.is_none(), "L8: {task:?} was forgotten before {orphan:?}");
                self.nodes[at].forgotten = true;
                self.leave_data(at);
            }
            Fact::KeyDropped { scope, key } => self.drop_key(now, *scope, key)?,
            Fact::CooldownSet { key, until } => {
                let before = self.cooldowns.insert(key.clone(), *until);
                ensure!(before.is_none_or(|before| before < *until), "X1: the cooldown of `{key}` was shortened to {until}");
                ensure!(*until <= now.saturating_add(self.limits.max_cooldown_ms), "X1: `{key}` cools down until {until}");
                let (count, most) = (self.cooldowns.len() as u64, self.limits.max_cooldowns);
                // A limit that was lowered binds new ones only.
                ensure!(before.is_some() || count <= most, "X1: {count} cooldowns, maxCooldowns is {most}");
            }
            Fact::StoodStill { ms } => self.stood_still(*ms),
            Fact::CooldownOver { key } => {
                self.staggers = self.limits.max_concurrent;
                let until = self.cooldowns.remove(key);
                let early = self.cooldowns.len() as u64 + 1 >= self.limits.max_cooldowns;
                ensure!(until.is_some_and(|until| until <= now || early), "X1: the cooldown of `{key}` was over before {until:?}");
            }
            Fact::ResultReleased { task } => {
                let at = self.at(*task)?;
                let open = self.nodes[at].runs.values().find(|run| !run.ended);
                ensure!(open.is_none(), "L8: the result of {task:?} was released while {open:?}");
            }
            Fact::Reopened { .. } => {
                (self.draining, self.overran, self.reopened) = (false, false, true);
                for node in &mut self.nodes {
                    // What was taken up and has not begun waits for the next program (X6).
                    if node.runs.values().any(|run| run.place == Place::Queued) {
                        node.taken = None;
                    }
                }
                self.notices.await_nothing();
            }
            Fact::DefinitionsKnown { .. } | Fact::SessionRegistered { .. } => self.take_presence(fact)?,
            Fact::DrainStarted { .. } => self.draining = true,
            Fact::DrainOverran {} | Fact::DrainEnded { .. } => {
                ensure!(self.draining, "D8: a drain ended that had not begun");
                self.overran = true;
            }
        }
        Ok(())
    }

    /// Whether a cancel of the task itself is under way.
    pub(crate) fn is_sealed_itself(&self, task: Key) -> bool {
        self.by_key.get(&task).is_some_and(|at| self.nodes[*at].sealed)
    }

    /// The number of a task's last run.
    pub(crate) fn last_run(&self, task: Key) -> u32 {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.keys().next_back()).copied().unwrap_or(0)
    }

    /// How many messages are to steer the run of a task.
    pub(crate) fn steers_of(&self, task: Key) -> usize {
        self.by_key.get(&task).map_or(0, |at| self.nodes[*at].talk.steers.len())
    }

    /// What was booked for a run, also where nothing else is kept of it.
    pub(crate) fn booked(&self, task: Key, run: u32) -> Amounts {
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        node.and_then(|node| node.runs.get(&run)).map_or(Amounts::ZERO, |run| run.booked)
    }

    /// Begins a step.
    pub(crate) fn begin(&mut self, now: u64, turn_asked: bool, wait_asked: Option<Key>) {
        // Time never runs backwards (T3).
        self.clock = self.clock.max(now);
        self.at_once.clear();
        self.ended_now.clear();
        self.asked_by = None;
        self.reopened = false;
        (self.turn_asked, self.wait_asked) = (turn_asked, wait_asked);
    }

    /// Ends a step.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        self.check_sessions()?;
        self.check_children()
    }

    /// What was delivered to a task since this was last asked.
    pub(crate) fn take_delivered(&mut self, key: Key) -> Vec<Text> {
        let at = self.by_key.get(&key).copied();
        at.map(|at| std::mem::take(&mut self.nodes[at].talk.delivered)).unwrap_or_default()
    }

    /// A task is closed or forgotten: what it saved goes, and what it acquired is to be released.
    pub(super) fn leave_data(&mut self, at: usize) {
        self.nodes[at].saved = None;
        if let Some(data) = self.nodes[at].acquired.take() {
            let serial = self.releases.last_key_value().map_or(0, |(last, _)| *last) + 1;
            self.releases.insert(serial, data);
        }
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
            let account = &state.node(node.key.index).account;
            ensure!(account.spent == *spent, "B2: {:?} spent {:?}, the facts say {spent:?}", node.key, account.spent);
            ensure!(account.reserved == *held, "B2: {:?} holds {:?}, the facts say {held:?}", node.key, account.reserved);
            ensure!(account.cap == node.cap, "B1: {:?} has the cap {:?}, the facts say {:?}", node.key, account.cap, node.cap);
            let messages = state.node(node.key.index).queued_messages() as u64;
            ensure!(messages == node.messages, "M2: {messages} messages wait, the facts say {}", node.messages);
            node.talk.compare(state.node(node.key.index))?;
            let saved = lookup::saved(state, node.key);
            ensure!(saved == node.saved.as_ref(), "J6: {:?} has saved {saved:?}, the facts say {:?}", node.key, node.saved);
            let (acquired, expected) = (lookup::acquired(state, node.key), node.acquired.as_ref().and_then(Option::as_ref));
            ensure!(acquired == expected, "J7: {:?} has acquired {acquired:?}, the facts say {expected:?}", node.key);
        }
        let released = |after| lookup::release_after(state, after);
        let releases: BTreeMap<u64, Option<Text>> =
            std::iter::successors(released(0), |last| released(last.serial)).map(|next| (next.serial, next.data.map(Into::into))).collect();
        ensure!(releases == self.releases, "J7: {releases:?} are to be released, the facts say {:?}", self.releases);
        ensure!(living == state.tree.len(), "{} nodes are kept, the facts say {living}", state.tree.len());
        ensure!(state.keys.len() == self.keys.len(), "D7: {} keys are remembered, the facts say {}", state.keys.len(), self.keys.len());
        let cooldowns = state.rates.cooldowns.len();
        ensure!(cooldowns == self.cooldowns.len(), "X1: {cooldowns} cooldowns, the facts say {:?}", self.cooldowns);
        self.compare_notices(state)?;
        self.compare_waiting(state)?;
        ensure!(
            u64::from(state.taken_slots) == self.held_slots(),
            "D4: {} slots are held, the facts say {}",
            state.taken_slots,
            self.held_slots()
        );
        Ok(())
    }
}
