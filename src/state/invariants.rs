//! Invariants that hold between any two inputs. Owns the checks, each with its own count, independent of the state's counts.
//! Tests and the simulation run them after every step.

#![expect(clippy::arithmetic_side_effects, reason = "checks for tests, where an overflow is to be seen")]

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::intrusive_list;
use crate::base::slab::NONE;
use crate::model::status::{Parked, Status};
use crate::state::State;
use crate::state::notices::Delivery;
use crate::state::runs::run::{Phase, Slot};
use crate::state::scheduling::key_rates::CountedAhead;
use crate::state::tree::node::Retention;

macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => { if !$holds { return Err(format!($($message)+)); } };
}

impl State {
    /// Checks every invariant.
    ///
    /// # Errors
    /// A sentence that names the broken invariant and its place.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.check_slots()?;
        self.check_tree()?;
        self.check_open_runs()?;
        self.check_recent()?;
        self.check_ledger()?;
        self.check_runs()?;
        self.check_keys()?;
        self.check_rates()?;
        self.check_notices()?;
        self.check_retained()?;
        self.check_derived()
    }

    /// A key and its task refer to each other; once the task is forgotten, the key records it (D7).
    fn check_keys(&self) -> Result<(), String> {
        let mut known = 0;
        for (serial, entry) in self.keys.all() {
            known += 1;
            let found = self.keys.find(entry.scope, &entry.key);
            ensure!(found == Some(entry), "the key `{}` is found as {found:?}", entry.key);
            let there = self.tree.contains(entry.task);
            ensure!(there != entry.forgotten.is_some(), "the key `{}` stands for {:?}, which is there: {there}", entry.key, entry.task);
            let once = self.node(entry.task.index).rare.as_ref().map_or(0, |rare| rare.once.serial);
            ensure!(!there || once == serial, "the key `{}` has number {serial}, its task says {once}", entry.key);
        }
        ensure!(known == self.keys.len(), "{known} keys are remembered, {} are found", self.keys.len());
        Ok(())
    }

    /// A run parked for a cooldown has one to wait for. No run that waits for a turn queues for a slot that it could not use
    /// (X1).
    fn check_rates(&self) -> Result<(), String> {
        let cools = |task: u32| {
            let key = self.node(task).spec().and_then(|spec| spec.rate_limit_key.as_deref()).unwrap_or_default();
            self.rates.until(key).is_some()
        };
        for index in self.runs.indices() {
            let run = self.runs.at(index);
            let parked = run.phase == Phase::Open && run.is_parked(Parked::Cooldown);
            ensure!(!parked || cools(run.task), "run {index} is parked for a cooldown that is over");
            let in_line = run.phase == Phase::Open && run.waiting_turn.is_some() && run.is_parked(Parked::Reentry);
            ensure!(!in_line || !cools(run.task), "run {index} waits for a slot, though its rate limit cools down");
            let waits = self.key_rates.used.iter().any(|used| used.line.iter().any(|(_, waits)| *waits == index));
            let parked = run.phase == Phase::Open && run.is_parked(Parked::Rate) && run.stop.is_none();
            ensure!(waits == parked, "run {index} stands in line for its rate: {waits}, parked for it: {parked}");
        }
        let waiting: usize = self.key_rates.used.iter().map(|used| used.line.len()).sum();
        ensure!(waiting == wide(self.key_rates.parked), "{waiting} runs wait for their rate, {} are counted", self.key_rates.parked);
        let is_there = |ahead: &CountedAhead| self.runs.holds(ahead.run);
        ensure!(self.key_rates.ahead.iter().all(is_there), "a run that is gone has counted something ahead");
        Ok(())
    }

    /// Each notice is in one inbox, of a node that receives notices, and at the task whose end it delivers (N1, N2).
    fn check_notices(&self) -> Result<(), String> {
        let (mut boxed, mut at_tasks) = (0_usize, 0_usize);
        for index in self.tree.indices() {
            for at in self.inbox(index) {
                let (notice, node) = (self.notices.at(at), self.node(index));
                boxed += 1;
                ensure!(notice.owner == index, "notice {at} is in the inbox of {index}, but for {}", notice.owner);
                let at_work = !node.is_task() || node.run != NONE || (node.queued_messages() > 0 && !node.is_paused());
                ensure!(at_work, "N1: notice {at} waits for {index}, which is no longer at work");
                let due = self.deadlines.of(crate::state::runs::deadlines::Owner::Notice(at));
                ensure!(due == notice.until.filter(|at| *at < u64::MAX), "notice {at} is armed for {due:?}");
                let timed = matches!(notice.delivery, Delivery::Leased | Delivery::Pending);
                ensure!(timed || notice.until.is_none(), "N2: notice {at} is {:?} until {:?}", notice.delivery, notice.until);
            }
            for at in self.notices_about(index) {
                at_tasks += 1;
                let notice = self.notices.at(at);
                ensure!(notice.task == index, "notice {at} stands at task {index}, but tells of {}", notice.task);
                ensure!(notice.run <= self.node(index).runs, "notice {at} tells of run {} of task {index}", notice.run);
                ensure!(notice.kept.is_some() || notice.run == self.node(index).runs, "notice {at} has lost its texts");
            }
        }
        let forgotten = self
            .forgotten_notices
            .iter()
            .filter(|at| self.notices.at(**at).forgotten.is_some() && !self.tree.contains(self.named_by(**at)));
        ensure!(forgotten.count() == self.forgotten_notices.len(), "a task that is there is listed as forgotten");
        at_tasks += self.forgotten_notices.len();
        ensure!(
            boxed == wide(self.notices.len()) && at_tasks == boxed,
            "{} notices, {boxed} in inboxes, {at_tasks} at tasks",
            self.notices.len()
        );
        ensure!(self.notices.is_clean(), "a notice was written to the void");
        Ok(())
    }

    fn check_slots(&self) -> Result<(), String> {
        let slots = |slot: Slot| self.runs.indices().filter(|index| self.runs.at(*index).slot == slot).count();
        ensure!(
            slots(Slot::Taken) == wide(self.taken_slots),
            "taken_slots is {}, but {} runs hold a slot",
            self.taken_slots,
            slots(Slot::Taken)
        );
        ensure!(slots(Slot::Parked) == wide(self.parked), "parked is {}, but {} runs gave theirs up", self.parked, slots(Slot::Parked));
        let abandoned = self.runs.indices().filter(|index| self.runs.at(*index).phase == Phase::Abandoned).count();
        ensure!(abandoned == wide(self.abandoned), "abandoned is {}, but {abandoned} host functions were given up", self.abandoned);
        Ok(())
    }

    fn check_tree(&self) -> Result<(), String> {
        let mut seen = 0_u32;
        let mut counts = [0_u32; Status::ALL.len()];
        let (mut names, mut host_ids) = (0_usize, 0_usize);
        for index in std::iter::once(crate::state::ROOT).chain(self.below(crate::state::ROOT)) {
            seen = seen.saturating_add(1);
            let node = self.node(index);
            ensure!(self.tree.holds(index), "the tree links to index {index}, which holds nothing");
            let mut open = 0;
            for child in self.children(index) {
                ensure!(self.node(child).parent == index, "{child} is a child of {index}, but its parent is {}", self.node(child).parent);
                open += u32::from(self.node(child).is_counted() && self.node(child).run != NONE);
            }
            let counted = node.family().open_children;
            ensure!(counted == open, "node {index} counts {counted} open children, there are {open}");
            if let Some(nickname) = self.nickname(index) {
                names += 1;
                ensure!(self.bearer(node.parent, nickname) == Some(index), "node {index} bears `{nickname}`, the list says otherwise");
            }
            let elsewhere = node.rare.as_ref().map_or(0, |rare| rare.elsewhere);
            ensure!(elsewhere <= node.runs, "run {elsewhere} of node {index} is elsewhere, there were {}", node.runs);
            for (host_id, run) in node.rare.iter().flat_map(|rare| &rare.host_ids) {
                host_ids += 1;
                ensure!((1..=elsewhere).contains(run), "run {run} of node {index} goes by `{host_id}`, which was not elsewhere");
                let listed = self.hosted.binary_search(&(host_id.clone(), index)).is_ok();
                ensure!(listed, "node {index} goes by `{host_id}`, which is not listed");
            }
            if node.is_task() {
                let above = self.node(node.parent);
                let closed = above.is_task() && above.status == Status::Closed;
                ensure!(
                    !closed || node.status == Status::Closed || self.is_sealed(index),
                    "node {index} is {:?} below a closed one",
                    node.status
                );
                ensure!(node.depth == self.node(node.parent).depth.saturating_add(1), "node {index} has depth {}", node.depth);
                if let Some(count) = counts.get_mut(usize::from(node.status.number())) {
                    *count += 1;
                }
                let expected = match (node.run, self.runs.at(node.run).phase) {
                    (NONE, _) => None,
                    (_, Phase::Queued | Phase::Backoff { .. }) => Some(Status::Pending),
                    (_, Phase::Open) => Some(Status::Running),
                    (_, Phase::Lingering { .. } | Phase::Abandoned) => {
                        return Err(format!("node {index} has an ended run as its current one"));
                    }
                };
                let agrees = expected.map_or(!node.status.is_open(), |status| status == node.status);
                ensure!(agrees, "node {index} is {:?}, its run says {expected:?}", node.status);
                let paused = node.is_paused() && node.queued_messages() > 0;
                ensure!(node.queued_messages() == 0 || node.run != NONE || paused, "node {index} has messages and no run to wait for");
                let (interrupting, missed) = node.messages_ahead();
                ensure!(interrupting + missed <= node.queued_messages(), "node {index} has {interrupting} + {missed} messages ahead");
                let asks = node.run != NONE && self.runs.at(node.run).is_parked(Parked::Input);
                ensure!(node.question().is_some() == asks, "node {index} asks: {asks}, its question is {:?}", node.question());
                ensure!(node.steers() == 0 || node.run != NONE, "node {index} has steers and no run to hear them");
            }
        }
        ensure!(seen == self.tree.len(), "{} nodes are kept, {seen} are linked", self.tree.len());
        let own = self.tree.indices().filter(|index| self.own_id(self.key(*index)).is_some()).count();
        let is_right = |(id, index): (&Text, &u32)| self.own_id(self.key(*index)) == Some(id);
        ensure!(own == self.own_ids.len() && self.own_ids.iter().all(is_right), "the list of callers' ids is wrong");
        ensure!(names == self.names.len(), "{} nicknames are listed, {names} are borne", self.names.len());
        ensure!(self.names.is_sorted(), "the nicknames are out of order");
        ensure!(host_ids == self.hosted.len(), "{} ids of hosts are listed, tasks go by {host_ids}", self.hosted.len());
        ensure!(self.hosted.is_sorted(), "the ids of hosts are out of order");
        ensure!(counts == self.counts, "the counts are {:?}, the tree says {counts:?}", self.counts);
        Ok(())
    }

    /// Every node has the number of open runs of itself and below (C1).
    fn check_open_runs(&self) -> Result<(), String> {
        for index in self.tree.indices() {
            let node = self.node(index);
            let open = std::iter::once(index).chain(self.below(index)).filter(|at| self.run_of(*at).phase == Phase::Open).count();
            ensure!(wide(node.open_runs) == open, "node {index} counts {} open runs, there are {open}", node.open_runs);
            let had_last = |at: &u32| self.run_of(*at).phase == Phase::Open && (self.node(*at).wrapped_up || self.run_of(*at).wrapped_up);
            let last = self.below(index).filter(had_last).count();
            let counted = node.family().last_turns;
            ensure!(wide(counted) == last, "below node {index} {counted} runs are counted that had their last turn, there are {last}");
        }
        Ok(())
    }

    /// Only a few turns are remembered, and their sum is right (B13).
    fn check_recent(&self) -> Result<(), String> {
        let below = self.tree.indices().filter_map(|index| self.node(index).family().lately.as_deref());
        let own = self.runs.indices().filter_map(|index| self.runs.at(index).turn_tokens.lately.as_deref());
        for lately in below.chain(own) {
            let sum: u64 = lately.turns.iter().sum();
            ensure!(lately.turns.len() <= 20 && sum == lately.sum, "{lately:?} are remembered");
            ensure!(lately.runs.len() <= 20 && !lately.runs.contains(&0), "{lately:?} are remembered");
        }
        Ok(())
    }

    /// At every node, the reservation is that of its own runs, plus its children's (B2). Its spending can't be less than its
    /// children's: forgotten children stay in the sum.
    fn check_ledger(&self) -> Result<(), String> {
        for index in self.tree.indices() {
            let node = self.node(index);
            ensure!(self.is_capped || node.account.cap == Amounts::UNCAPPED, "node {index} has a cap, which is not known");
            let mut reserved = Amounts::ZERO;
            let mut spent = Amounts::ZERO;
            for run in self.runs.indices().filter(|run| self.runs.at(*run).task == index) {
                reserved = reserved.plus(self.runs.at(run).reserved);
            }
            for child in self.children(index) {
                reserved = reserved.plus(self.node(child).account.reserved);
                spent = spent.plus(self.node(child).account.spent);
            }
            ensure!(
                reserved == node.account.reserved,
                "node {index} has reserved {:?}, its runs and children {reserved:?}",
                node.account.reserved
            );
            ensure!(node.account.spent.lacks(spent).is_none(), "node {index} spent {:?}, its children {spent:?}", node.account.spent);
        }
        Ok(())
    }

    fn check_runs(&self) -> Result<(), String> {
        let (mut queued, mut retrying) = (0_usize, 0_usize);
        let returned =
            self.runs.indices().filter(|index| self.runs.at(*index).phase == Phase::Open && self.runs.at(*index).returned.is_some());
        ensure!(returned.count() == wide(self.returned), "returned is {}, the runs say otherwise", self.returned);
        for index in self.runs.indices() {
            let run = self.runs.at(index);
            let found = self.find_run(run.task, run.number);
            ensure!(found == Some(index), "run {index} of task {} can't be found from it", run.task);
            let (taken, parked) = (run.slot == Slot::Taken, run.slot == Slot::Parked);
            // A queued run reserves nothing, or the open turns of its surviving host.
            let reserves_open = run.reserved.is_zero() || run.previous.as_ref().is_some_and(|previous| previous.open == run.reserved);
            match run.phase {
                Phase::Queued => {
                    queued += 1;
                    ensure!(!taken && !parked && reserves_open, "queued run {index} holds a slot or budget");
                }
                Phase::Backoff { .. } => {
                    retrying += 1;
                    ensure!(!taken && !parked && reserves_open, "run {index}, to be tried again, holds a slot or budget");
                    ensure!(run.previous.is_some(), "run {index} is to be tried again and has not been tried");
                }
                Phase::Open => {
                    ensure!(taken || parked, "open run {index} has no slot");
                    ensure!(taken == (run.parks == 0), "open run {index} is {:?} with parks {:b}", run.slot, run.parks);
                    let stands = run.returned.is_none() || run.is_parked(Parked::Children);
                    ensure!(stands, "open run {index} has returned, parks {:b}", run.parks);
                    let in_line = self.reentry.contains(&index);
                    ensure!(run.is_parked(Parked::Reentry) == in_line, "open run {index} is in line: {in_line}, parks {:b}", run.parks);
                }
                Phase::Lingering { .. } => ensure!(!parked && run.parks == 0, "ended run {index} is parked: {:b}", run.parks),
                Phase::Abandoned => ensure!(!taken && !parked && run.reserved.is_zero(), "abandoned run {index} holds something"),
            }
            let due = self.deadlines.of(crate::state::runs::deadlines::Owner::Run(index));
            ensure!(due == run.next_deadline().map(|(at, _)| at), "run {index} is armed for {due:?}");
        }
        ensure!(retrying == wide(self.retrying), "{retrying} runs are to be tried again, {} are counted", self.retrying);
        ensure!(queued == self.queue.len(), "{queued} runs are queued, the queue has {}", self.queue.len());
        ensure!(self.runs.is_clean() && self.tree.is_clean(), "something was written to the void");
        Ok(())
    }

    /// Counts and indexes equal the results of a search through the records.
    fn check_derived(&self) -> Result<(), String> {
        let paused = self.tree.indices().filter(|index| self.node(*index).is_paused_with_messages()).count();
        ensure!(
            paused == wide(*self.paused_with_messages),
            "{paused} tasks have a paused queue with messages, {} are counted",
            *self.paused_with_messages
        );
        let awaiting: Vec<u32> = self.runs.indices().filter(|index| self.runs.at(*index).awaits_program).collect();
        ensure!(awaiting.len() == wide(*self.for_program), "{awaiting:?} wait for the program, {} are counted", *self.for_program);
        let is_right = |index: &u32| self.runs.at(*index).phase == Phase::Queued && self.node(self.runs.at(*index).task).is_driven();
        ensure!(awaiting.iter().all(is_right), "some of {awaiting:?} can't wait for the program");
        let prioritised = self.tree.indices().filter(|index| self.node(*index).is_prioritised()).count();
        ensure!(prioritised == wide(*self.prioritised), "{prioritised} tasks have a priority, {} are counted", *self.prioritised);
        for index in self.tree.indices() {
            let places: Vec<u64> = self.inbox(index).map(|at| *self.notices.at(at).place).collect();
            ensure!(places.is_sorted_by(|before, after| before < after), "the notices of {index} have the places {places:?}");
            let pending: Vec<u32> = self.inbox(index).filter(|at| self.notices.at(*at).delivery == Delivery::Pending).collect();
            let waiting: Vec<u32> = self.waiting(index).iter().collect();
            ensure!(pending == waiting, "the notices {pending:?} of {index} wait, {waiting:?} stand in line");
            let is_timed = |at: u32| self.notices.at(at).until.is_some();
            let (fresh, timed) = (&self.waiting(index).fresh, &self.waiting(index).timed);
            let apart = fresh.iter().all(|(_, at)| !is_timed(at)) && timed.iter().all(|(_, at)| is_timed(at));
            ensure!(apart, "notices of {index} stand in the line of others");
        }
        Ok(())
    }

    /// Each evictable task is in the right list, linked in both directions (L8).
    fn check_retained(&self) -> Result<(), String> {
        for (list, kept) in
            [(self.retained, Retention::Collected), (self.keyed, Retention::Keyed), (self.uncollected, Retention::Uncollected)]
        {
            let (mut count, mut last) = (0_u32, NONE);
            for at in intrusive_list::walk(&self.tree, list.oldest, |node| node.newer) {
                let node = self.node(at);
                count = count.saturating_add(1);
                ensure!(node.may_go() == kept, "node {at} is listed as {kept:?} to be forgotten, but is {:?}", node.may_go());
                ensure!(node.kept == kept && node.older == last, "node {at} stands behind {} in {:?}", node.older, node.kept);
                last = at;
            }
            ensure!(list.newest == last, "the newest of {kept:?} is {last}, the list says {}", list.newest);
            let may = self.tree.indices().filter(|index| self.node(*index).may_go() == kept).count();
            ensure!(wide(count) == may && count == list.count, "{count} tasks are listed to be forgotten, {may} may go");
        }
        let count = self.retained.count;
        ensure!(u64::from(count) <= self.limits.retain, "{count} ended tasks are kept, `retain` is {}", self.limits.retain);
        Ok(())
    }
}

fn wide(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
