//! A store is there: a drain leaves what is queued to another process, and hands on what it has to stop (D8); no end is
//! leased before it is stored (J1). Owns which seeds have one, when what was decided is stored, and what is left of a
//! process whose store had not taken all of it.

use std::collections::{BTreeMap, BTreeSet};

use subagents::run::Phase;
use subagents::{Fact, Key, Manager, NONE, OnHostLost, Parked, State, StopReason, read_all};

use super::model::Model;
use super::parts::Part;
use super::policies::Account;
use super::promises::Promises;
use super::rng::Rng;
use super::world::World;

/// The store of a seed.
#[derive(Clone, Debug)]
pub(crate) struct Keeping {
    /// Whether an end is leased once it is stored, or at once.
    waits: bool,
    /// Ends that aren't stored yet.
    unkept: BTreeSet<(Key, u32)>,
    /// What a store has that takes nothing more.
    hangs: Option<Box<Kept>>,
}

/// All that is known of a world by the facts that are stored.
#[derive(Clone, Debug)]
struct Kept {
    /// How many bytes of the journal these facts are.
    bytes: usize,
    snapshot: (Vec<u8>, usize),
    folded: State,
    model: Model,
    promises: Promises,
    policies: Account,
    ended: BTreeMap<(Key, u32), u32>,
    started: BTreeMap<(Key, u32), u32>,
    aborted: BTreeSet<(Key, u32)>,
    timed_out: BTreeSet<(Key, u32)>,
}

impl World {
    /// The first process of a seed begins: in one of three seeds it has a store. From another source than what happens, so
    /// that a seed without a store is what it always was.
    pub(crate) fn begin_keeping(&mut self) {
        let mut rng = Rng::new(self.seed ^ 0x6b65_6570_7321_0000);
        if !rng.chance(33) {
            return;
        }
        self.counts.note("stores", "there");
        let (waits, lost) = (rng.chance(70), rng.pick(&[OnHostLost::Fail, OnHostLost::Requeue, OnHostLost::Resume]));
        self.keeping = Some(Keeping { waits, unkept: BTreeSet::new(), hangs: None });
        (self.model.stored, self.model.on_host_lost) = (true, lost);
        self.manager.keep_journal(lost, waits);
    }

    /// The process is gone. What its store had not taken is gone with it, and all that came of that (J1).
    pub(super) fn lose_what_is_not_stored(&mut self) {
        let Some(keeping) = &mut self.keeping else { return };
        keeping.unkept.clear();
        let Some(kept) = keeping.hangs.take() else { return };
        let lost = read_all(&self.journal[kept.bytes..]).expect("the manager's own facts read back");
        for (_, fact) in &lost {
            match fact {
                Fact::RunEnded { .. } => self.counts.note("stores", "lost an end that was not stored"),
                Fact::RunStarted { .. } => self.counts.note("stores", "lost a start that was not stored"),
                Fact::DrainStarted { .. } => self.counts.note("stores", "lost a drain that was not stored"),
                _ => {}
            }
        }
        self.journal.truncate(kept.bytes);
        (self.snapshot, self.folded, self.model) = (kept.snapshot, kept.folded, kept.model);
        (self.promises, self.policies) = (kept.promises, kept.policies);
        (self.ended, self.started, self.aborted, self.timed_out) = (kept.ended, kept.started, kept.aborted, kept.timed_out);
    }

    /// A process is about to go on from facts.
    pub(super) fn keep_in(&self, manager: &mut Manager, lost: OnHostLost) {
        if let Some(keeping) = &self.keeping {
            manager.keep_journal(lost, keeping.waits);
        }
    }

    /// The store has what was decided, or is slow; now and then it takes nothing for a while.
    pub(super) fn store_now_and_then(&mut self) {
        let Some(keeping) = &mut self.keeping else { return };
        if keeping.hangs.is_some() {
            if self.rng.chance(96) {
                return;
            }
            keeping.hangs = None;
        }
        if !self.rng.chance(60) {
            return;
        }
        keeping.unkept.clear();
        self.manager.kept(self.manager.fact_count());
        if self.rng.chance(2) {
            keeping.hangs = Some(Box::new(Kept {
                bytes: self.journal.len(),
                snapshot: self.snapshot.clone(),
                folded: self.folded.clone(),
                model: self.model.clone(),
                promises: self.promises.clone(),
                policies: self.policies.clone(),
                ended: self.ended.clone(),
                started: self.started.clone(),
                aborted: self.aborted.clone(),
                timed_out: self.timed_out.clone(),
            }));
        }
    }

    pub(super) fn check_kept(&mut self, part: &Part) {
        let Some(keeping) = &mut self.keeping else { return };
        match part {
            Part::NoticeMade { task, run, .. } => {
                keeping.unkept.insert((*task, *run));
            }
            Part::NoticeLeased { task, run, until: Some(_), .. } => {
                let early = keeping.waits && keeping.unkept.contains(&(*task, *run));
                assert!(!early, "J1: the end of {task:?}#{run} is leased before it is stored");
                self.counts.note("stores", "an end was leased");
            }
            _ => {}
        }
    }

    /// A drain goes on for a while; then its process is gone, and another one goes on (D8).
    pub(super) fn hand_over(&mut self) {
        if self.keeping.is_none() {
            return;
        }
        let most = self.rng.pick(&[3, 60, 60]);
        for _ in 0..self.rng.below(most) {
            if self.state().draining.is_none_or(|drain| drain.over) || !self.pass_time() {
                break;
            }
        }
        let over = self.state().draining.is_some_and(|drain| drain.over);
        self.counts.note("stores", if over { "handed over after a drain" } else { "handed over in a drain" });
        if self.state().queued() > 0 {
            self.counts.note("stores", "with work that a drain left");
        }
        self.crash();
    }

    /// Whether a drain leaves what is queued of a task: no run above waits for sub-agents, and none called for it (D8).
    pub(super) fn is_left(&self, task: u32) -> bool {
        let before = &self.folded;
        let (node, caller) = (before.node(task), before.run_of(before.node(task).parent));
        let is_open = caller.phase == Phase::Open && caller.returned.is_none() && caller.number == node.parent_run;
        if !node.background && node.parent_run != 0 && is_open {
            return false;
        }
        let mut above = before.node(task).parent;
        while self.model.stored && above != NONE {
            if before.node(above).run != NONE && before.run_of(above).is_parked(Parked::Children) {
                return false;
            }
            above = before.node(above).parent;
        }
        self.model.stored && before.draining.is_some()
    }

    pub(super) fn note_kept(&mut self, fact: &Fact) {
        if let Fact::RunRetried { stop_reason: StopReason::Drained, .. } = fact {
            self.counts.note("stores", "handed a run on");
        }
    }
}
