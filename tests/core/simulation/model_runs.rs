//! The independent account of admission, queueing and starting: what the caps and bounds allow. Made from the
//! facts alone.

use subagents::{Amounts, Dimension, Fact, Key, OnParentEnd, StopReason, Text, UNCAPPED};

use std::collections::BTreeMap;

use super::model::{Group, Model, NodeFacts, Place, RunFacts};
use super::parts::Part;
use super::talk::Talk;

impl RunFacts {
    /// How often in a row it has been lost at work, where it is lost now: what waits without a slot can't be at fault (J3).
    pub(super) const fn losses(&self) -> u64 {
        if matches!(self.place, Place::Held) { self.lost + 1 } else { self.lost }
    }

    /// One that has not started; `unheard` is its message, which is still undelivered.
    pub(super) const fn queued(unheard: Option<Text>) -> Self {
        Self {
            place: Place::Queued,
            over_limit: false,
            reserved: Amounts::ZERO,
            whole: false,
            beside_turn: None,
            booked: Amounts::ZERO,
            turns: 0,
            max_turns: 0,
            timeout_ms: 0,
            started_at: 0,
            stop_until: None,
            cancelled: false,
            joinable: false,
            endless: false,
            ended: false,
            returned: false,
            attempt: 0,
            lost: 0,
            unheard,
        }
    }
}

impl NodeFacts {
    /// One under which nothing has happened yet.
    pub(super) fn new(key: Key, parent: Option<usize>, cap: Amounts) -> Self {
        Self {
            talk: Talk::default(),
            ended_with_parent: false,
            text: Text::default(),
            key,
            parent,
            parent_run: 0,
            background: false,
            depth: 0,
            spawned: 0,
            max_spawns: u64::MAX,
            cap,
            spent: Amounts::ZERO,
            too_large: false,
            main: Amounts::ZERO,
            runs: BTreeMap::new(),
            messages: 0,
            sealed: false,
            forgotten: false,
            task: false,
            driven: false,
            taken: None,
            counted: false,
            rate_key: Text::default(),
            retry: None,
            closed: false,
            session_closed: false,
            on_parent_end: OnParentEnd::Adopt,
            nickname: None,
            stopped_by: None,
            definitions: (None, None),
            checkpoint: None,
            saved: None,
            acquired: None,
        }
    }
}

impl Model {
    pub(super) fn admit(&mut self, key: Key, parent: usize, cap: Amounts) -> Result<&mut NodeFacts, String> {
        let node = NodeFacts::new(key, Some(parent), cap);
        ensure!(self.by_key.insert(key, self.nodes.len()).is_none(), "{key:?} was admitted twice");
        self.nodes.push(node);
        self.nodes.last_mut().ok_or_else(|| "nothing was admitted".into())
    }

    pub(super) fn queue_run(&mut self, task: Key, run: u32, message: Option<&str>, again: bool) -> Result<(), String> {
        let at = self.at(task)?;
        ensure!(!self.is_sealed(at), "C1: a run was queued under a cancel");
        ensure!(!self.nodes[at].closed, "L7: a run of a closed task was queued");
        // It works for the run that is open above it (C3).
        let background = self.nodes[at].background;
        let stays = |run: &RunFacts| !run.returned || background;
        let speaks = |run: &RunFacts| !run.ended && stays(run) && !matches!(run.place, Place::Queued | Place::Backoff { .. });
        let above = self.nodes[at].parent.and_then(|parent| self.nodes[parent].runs.iter().find(|(_, run)| speaks(run)));
        // What works for a run that was lost works for the one that goes on with it, also before that has started (J3).
        let before = self.nodes[at].parent_run;
        let goes_on = |run: &RunFacts| !run.ended && matches!(run.place, Place::Queued | Place::Backoff { .. });
        let comes = self.nodes[at].parent.is_some_and(|parent| self.nodes[parent].runs.get(&before).is_some_and(goes_on));
        let parent_run = above.map_or(if comes { before } else { 0 }, |(number, _)| *number);
        let called = !background && above.is_some();
        let taken = !self.draining || self.stored || called;
        ensure!(taken, "D8: run {run} of {task:?} was queued in a drain");
        let node = &mut self.nodes[at];
        node.parent_run = parent_run;
        ensure!(run as usize == node.runs.len() + 1, "run {run} of {task:?} follows {}", node.runs.len());
        ensure!(node.runs.values().all(|run| run.ended), "L6: run {run} of {task:?} was queued beside another");
        if let Some(text) = message
            && node.messages > 0
        {
            node.messages -= 1;
            let first = node.talk.take_first();
            ensure!(first.as_deref() == Some(text), "M1: {task:?} goes on with {text:?}, the first message is {first:?}");
        }
        let surplus = node.talk.undelivered.len().saturating_sub(100);
        node.talk.undelivered.drain(..surplus);
        ensure!(!node.talk.paused, "M4: {task:?} goes on though its queue is paused");
        // What a further attempt gets again was delivered before, or stands among what was not delivered since (D7, M2).
        let unheard = if again { None } else { Some(message.map_or_else(|| node.text.clone(), Text::from)) };
        let record = RunFacts::queued(unheard);
        node.runs.insert(run, record);
        // A wait until its targets are idle now waits for this run, too.
        for wait in self.waits.values_mut().filter(|wait| wait.open && wait.idle) {
            for target in wait.targets.iter_mut().filter(|(of, _)| *of == task) {
                target.1 = run;
            }
        }
        let node = &mut self.nodes[at];
        node.stopped_by = None;
        let goes_on = self.ended_now.contains_key(&task);
        // A task that goes on with its next message was counted before.
        if goes_on || !self.nodes[at].counted { Ok(()) } else { self.check_width(at) }
    }

    /// An attempt ended badly, and another is to follow under the next number (X5).
    pub(super) fn try_again(
        &mut self,
        now: u64,
        (task, run): (Key, u32),
        attempt: u32,
        reason: StopReason,
        until: u64,
    ) -> Result<(), String> {
        self.ended_now.insert(task, (run, false));
        let at = self.at(task)?;
        let default = self.retry.clone();
        if reason == StopReason::Drained && self.stored && until == now {
            return self.hand_on(at, run, attempt, until);
        }
        let draining = self.draining && !self.stored;
        ensure!(!self.is_sealed(at) && !draining, "X5: run {run} of {task:?} is tried again under a cancel, or in a drain");
        let node = &mut self.nodes[at];
        let talk = &node.talk;
        ensure!(talk.question.is_none() && talk.steers.is_empty(), "X5: an attempt ended with something unsaid: {talk:?}");
        if reason == StopReason::HostLost && self.queues_lost(now, until) {
            return self.queue_lost(at, run, attempt, until);
        }
        let node = &mut self.nodes[at];
        let Some(retry) = node.retry.clone().or(default) else { return Err(format!("X5: {task:?} was not to be tried again")) };
        let Some(record) = node.runs.get_mut(&run) else { return Err(format!("X5: there is no run {run} of {task:?}")) };
        let open = matches!(record.place, Place::Held | Place::Parked) && !record.ended && !record.returned;
        ensure!(open && record.reserved.is_zero() && record.stop_until.is_none(), "X5: {record:?} is tried again");
        ensure!(attempt == record.attempt + 1 && u64::from(attempt) <= retry.max, "X5: attempt {attempt} of {record:?}, {retry:?}");
        ensure!(retry.on.contains(&reason), "X5: tried again after {reason:?}, {retry:?}");
        let backoff = retry.backoff_ms.saturating_mul(1 << (attempt - 1));
        let spread = now.saturating_add(backoff - backoff / 4)..=now.saturating_add(backoff + backoff / 4);
        ensure!(spread.contains(&until), "X5: attempt {attempt} waits from {now} until {until}, {retry:?}");
        // The run was lost with its process, whether its message is queued again because of that or by `retry`.
        let lost = if reason == StopReason::HostLost { record.losses() } else { 0 };
        (record.ended, record.place) = (true, Place::Gone);
        let next = RunFacts { place: Place::Backoff { until }, attempt, lost, ..RunFacts::queued(None) };
        node.runs.insert(run + 1, next);
        node.talk.owe(false);
        // Those who wait for this run go on waiting, now for its next attempt.
        for target in self.waits.values_mut().filter(|wait| wait.open).flat_map(|wait| &mut wait.targets) {
            if *target == (task, run) {
                target.1 = run + 1;
            }
        }
        Ok(())
    }

    /// The bound counts all that has not been delivered (M2).
    pub(super) fn check_messages(&self, at: usize) -> Result<(), String> {
        let count = self.nodes[at].messages + self.nodes[at].talk.steers.len() as u64;
        ensure!(count <= self.limits.max_messages.max(1), "M2: {count} messages wait for {:?}", self.nodes[at].key);
        Ok(())
    }

    /// One more is spawned below a node: none above it has had as many as may be (D10).
    pub(super) fn count_spawn(&mut self, parent: usize) -> Result<(), String> {
        for at in self.path(parent).collect::<Vec<_>>() {
            let limit = self.max_spawns_of(at);
            let node = &mut self.nodes[at];
            node.spawned += 1;
            ensure!(node.spawned <= limit, "D10: {} were spawned below {:?}, maxSpawns is {limit}", node.spawned, node.key);
        }
        Ok(())
    }

    /// A spawn was refused since as many were made below a task, or below a session, as may be.
    pub(super) fn check_spawns_limit(&self, limit: u64, task: Option<Key>) {
        let is_full = |at: &usize| self.nodes[*at].spawned >= limit && self.max_spawns_of(*at) == limit;
        let found = match task {
            Some(task) => self.by_key.get(&task).is_some_and(is_full),
            None => (0..self.nodes.len()).any(|at| !self.nodes[at].task && is_full(&at)),
        };
        assert!(found, "D10: a spawn below {task:?} was refused, which may have {limit}");
    }

    /// How many may be spawned below a node: the manager's limit bounds a session, which stands below the root.
    pub(super) fn max_spawns_of(&self, at: usize) -> u64 {
        let node = &self.nodes[at];
        match node.parent {
            None => u64::MAX,
            Some(_) if node.task => node.max_spawns,
            Some(_) => self.limits.max_spawns,
        }
    }

    pub(super) fn check_width(&self, at: usize) -> Result<(), String> {
        let (width, limit) = (self.working_children(self.nodes[at].parent.unwrap_or(0)), self.limits.max_children);
        ensure!(width <= limit, "D1: {width} children are at work, maxChildren is {limit}");
        Ok(())
    }

    pub(super) fn start_run(&mut self, now: u64, task: Key, run: u32, max_turns: u64, timeout_ms: u64) -> Result<(), String> {
        let at = self.at(task)?;
        ensure!(!self.is_sealed(at), "C1: a run started under a cancel");
        let before = self.nodes[at].runs.range(..run).find(|(_, run)| matches!(run.place, Place::Lingering { .. }));
        ensure!(before.is_none(), "L6: run {run} started while an earlier host function runs: {before:?}");
        ensure!(!self.cools(task), "X1: {task:?} started while its rate limit cools down");
        ensure!(!self.lacks(task), "J3: {task:?} started without its session, or its definition");
        self.note_start(now, true)?;
        let abandoned = self.nodes.iter().flat_map(|node| node.runs.values()).filter(|run| run.place == Place::Abandoned).count() as u64;
        ensure!(abandoned < self.limits.max_abandoned, "S4: a run started beside {abandoned} abandoned ones");
        let record = self.run(task, run)?;
        ensure!(record.place == Place::Queued, "L1: a run started that was {:?}", record.place);
        record.place = Place::Held;
        record.unheard = None;
        (record.max_turns, record.timeout_ms, record.started_at) = (max_turns, timeout_ms, now);
        record.endless = timeout_ms == u64::MAX;
        let (held, limit) = (self.held_slots(), self.limits.max_concurrent);
        ensure!(held <= limit, "D1: {held} slots are held, maxConcurrent is {limit}");
        Ok(())
    }

    /// What facts say about budget comes in groups: loans, then the hold, then what goes back, then the turn. Only
    /// their sum may not pass a cap, so what was used before the group is kept until it is over.
    pub(super) fn follow_group(&mut self, part: &Part<'_>) -> Result<(), String> {
        let of = match part {
            Part::HoldLent { borrower, .. } | Part::HoldReturned { borrower, .. } => *borrower,
            Part::HoldChanged { task, .. }
            | Part::UsageBooked { task, .. }
            | Part::PricesGivenBack { task, .. }
            | Part::UsageReported { task, .. }
            | Part::Said(Fact::TurnStarted { task, .. }) => *task,
            Part::StopsLending { .. } | Part::SetsAside { .. } => return Ok(()),
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
        if let (Part::UsageBooked { amount, .. }, Some(group), false) = (part, &mut self.group, self.turn_asked) {
            for used in group.before.values_mut() {
                *used = used.plus(*amount);
            }
        }
        Ok(())
    }

    /// Whether what was just set aside fits on the whole path of the task: no cap is passed, unless it
    /// was before and this made it no worse (a cap was lowered, or usage was booked past it).
    pub(super) fn check_caps(&self, task: Key, what: &str) -> Result<(), String> {
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

    /// Starts, and returns that could wait, are `staggerMs` apart, and at least 50 ms for a while after a cooldown (X1).
    pub(super) fn note_start(&mut self, now: u64, waits: bool) -> Result<(), String> {
        let last = self.last_start.replace(now);
        let lifted = self.stagger_given && self.limits.stagger_ms == 0;
        let least = if self.staggers > 0 && !lifted { 50 } else { 0 };
        self.staggers = self.staggers.saturating_sub(1);
        let distance = self.limits.stagger_ms.max(least);
        let far = distance == 0 || last.is_none_or(|last| last.saturating_add(distance) <= now);
        ensure!(!waits || far, "X1: started at {now}, {distance} ms after {last:?}");
        Ok(())
    }

    /// A key goes when its time is over and nothing is done for it any more, or as the oldest of too many.
    /// Whether a key stands for a task.
    pub(super) fn has_key(&self, task: Key) -> bool {
        self.keys.values().any(|(of, _)| *of == task)
    }

    pub(super) fn drop_key(&mut self, now: u64, scope: Key, key: &Text) -> Result<(), String> {
        let count = self.keys.len() as u64;
        let Some((task, until)) = self.keys.remove(&(scope, key.clone())) else {
            return Err(format!("D7: the key `{key}` of {scope:?} was dropped, but not known"));
        };
        let node = self.by_key.get(&task).map(|at| &self.nodes[*at]);
        let works = node.is_some_and(|node| node.runs.values().any(|run| !run.ended));
        let too_many = count >= self.limits.max_idempotency_keys;
        // What was stopped with the run that it worked for is done anew.
        let stopped = node.is_some_and(|node| node.ended_with_parent);
        let over = stopped || (until <= now && !works);
        ensure!(too_many || over, "D7: the key `{key}` was dropped at {now}: {until}, works: {works}");
        Ok(())
    }

    /// When a run has ended, its foreground children are asked to stop, and after a bad end its other ones too; what
    /// works for another run lives on (C3).
    pub(super) fn check_children(&self) -> Result<(), String> {
        for (task, (run, good)) in &self.ended_now {
            let Some(at) = self.by_key.get(task) else { continue };
            for child in self.nodes.iter().filter(|node| node.parent == Some(*at)) {
                let ends_along = child.background && child.on_parent_end == OnParentEnd::Cancel;
                let lives_on = child.parent_run != *run || (*good && child.background && !ends_along);
                let open = child
                    .runs
                    .values()
                    .find(|run| matches!(run.place, Place::Queued | Place::Backoff { .. } | Place::Held | Place::Parked));
                let told = open.is_none_or(|run| run.stop_until.is_some());
                ensure!(lives_on || told, "C3: {:?} goes on after the end of {task:?}: {open:?}", child.key);
            }
        }
        Ok(())
    }
}
