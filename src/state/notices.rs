//! Notices, which deliver the ends of background runs, and the inboxes in which they wait. Owns the records and their links, in
//! the inbox and at the ended task; `rules/notices/delivery.rs` decides.
//!
//! ```text
//!   a run ends ──▶ pending ⇄ leased ──▶ acked: removed
//!                   │  ▲        └─────▶ undelivered: leased too often
//!                   ▼  │
//!                  awaited: an open wait will deliver it
//! ```

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::derived::Derived;
use crate::base::id::NO_SALT;
use crate::base::intrusive_list;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::base::slab_record::slab_record;
use crate::base::stored::stored;
use crate::model::ended::NewNotice;
use crate::model::kinds::Kinds;
use crate::model::run_output::RunOutput;
pub use crate::model::status::Delivery;
use crate::model::status::{Status, StopReason};
use crate::state::State;
use crate::state::budget::ledger;
use crate::state::runs::deadlines::Owner;
use crate::state::scheduling::queue::Line;
use crate::state::tree::node::Node;
pub use crate::state::tree::rare_fields::{Inbox, Waiting};

/// A task that was forgotten before its end was delivered, as its notice retains it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Forgotten {
    /// The task's key.
    pub key: Key,
    /// Its last record, moved below its session. The origin of its work is in its own spec.
    pub node: Node,
}

stored!(Forgotten { key, node } from Self { key: Key::default(), node: Node::default() });

const fn neighbours(notice: &mut Notice) -> (&mut u32, &mut u32) {
    (&mut notice.previous, &mut notice.next)
}

slab_record! {
    /// See the module's documentation.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Notice {
        /// The task whose end it delivers; [`NONE`] if forgotten.
        task: u32 = NONE,
        /// That task, if forgotten.
        owned forgotten: Option<Box<Forgotten>> = None,
        /// The number of the ended run.
        run: u32 = 0,
        /// The owner of its inbox.
        owner: u32 = NONE,
        /// Its first receiver, if it has another one now (N1).
        rerouted_from: Option<Key> = None,
        /// Other nodes that got the end from a wait: the notice never moves to their inboxes.
        owned delivered_to: Vec<u32> = Vec::new(),
        /// The state of its delivery.
        delivery: Delivery = Delivery::Pending,
        /// How often it was leased.
        attempts: u32 = 0,
        /// Leased: when it returns; `None` if a turn has it. Pending: until when only the woken receiver may take it.
        until: Option<u64> = None,

        /// How the run ended.
        status: Status = Status::Completed,
        /// Why it ended.
        reason: StopReason = StopReason::Finished,
        /// The output is unfinished: the run was stopped or broke off.
        partial: bool = false,
        /// The output was cut at `maxResultBytes`.
        cut: bool = false,
        /// Its spending.
        usage: Amounts = Amounts::ZERO,
        /// See [`Node::usage_doubts`].
        usage_doubts: u8 = 0,
        /// When it ended.
        ended_at: u64 = 0,
        /// How long it took, in milliseconds.
        duration_ms: u64 = 0,
        /// Its result, once the task has that of a later run.
        owned kept: Option<Box<RunOutput>> = None,

        /// Its place in the inbox, in ascending order.
        place: Derived<u64> = Derived::default(),
        /// Neighbours in the inbox.
        previous: u32 = NONE,
        /// See `previous`.
        next: u32 = NONE,
        /// The notice of the task's previous end.
        older: u32 = NONE,
        /// The salt of the opening that made it (A7).
        salt: u64 = NO_SALT,
        /// Its spending, by kinds of tokens, if any were reported.
        kinds: Option<Box<Kinds>> = None,
    }
}

impl State {
    /// The notices of a node, oldest first.
    pub fn inbox(&self, owner: u32) -> impl Iterator<Item = u32> + '_ {
        intrusive_list::walk(&self.notices, self.node(owner).inbox().first, |notice| notice.next)
    }

    /// The pending notices of a node.
    #[must_use]
    pub(crate) fn waiting(&self, owner: u32) -> &Waiting {
        self.node(owner).rare.as_ref().map_or(Waiting::NONE, |rare| &rare.waiting)
    }

    /// The line of a notice, if it is pending.
    fn queue_of(&mut self, index: u32) -> Option<&mut Line<u64>> {
        let notice = self.notices.at(index);
        let (is_pending, is_timed) = (notice.delivery == Delivery::Pending, notice.until.is_some());
        let waiting = &mut self.tree.at_mut(notice.owner).rare_mut().waiting;
        is_pending.then(|| if is_timed { &mut waiting.timed } else { &mut waiting.fresh })
    }

    /// Inserts a notice into its line.
    fn enqueue(&mut self, index: u32) {
        let place = *self.notices.at(index).place;
        if let Some(line) = self.queue_of(index) {
            line.insert(place, index);
        }
    }

    fn dequeue(&mut self, index: u32) {
        let place = *self.notices.at(index).place;
        if let Some(line) = self.queue_of(index) {
            line.remove(place);
        }
    }

    /// Computes the places of notices from a snapshot.
    pub(in crate::state) fn enqueue_all(&mut self) {
        let owners: Vec<u32> = self.tree.indices().filter(|index| self.has_notices(*index)).collect();
        for owner in owners {
            let own: Vec<u32> = self.inbox(owner).collect();
            for (index, place) in own.into_iter().zip(1_u64..) {
                *self.notices.at_mut(index).place = place;
                self.enqueue(index);
            }
        }
    }

    /// Whether a node has notices.
    #[must_use]
    pub fn has_notices(&self, owner: u32) -> bool {
        self.node(owner).inbox().first != NONE
    }

    /// The notices of a task's ends, newest first.
    pub fn notices_about(&self, task: u32) -> impl Iterator<Item = u32> + '_ {
        intrusive_list::walk(&self.notices, self.node(task).notice, |notice| notice.older)
    }

    /// The unacknowledged notice of a run's end.
    #[must_use]
    pub fn find_notice(&self, RunKey { task, run }: RunKey) -> Option<u32> {
        if !self.tree.contains(task) {
            return self.forgotten_notices.iter().copied().find(|at| self.notices.at(*at).run == run && self.named_by(*at) == task);
        }
        self.notices_about(task.index).find(|at| self.notices.at(*at).run == run)
    }

    /// The task whose end a notice delivers, even if forgotten.
    #[must_use]
    pub fn named_by(&self, index: u32) -> Key {
        let notice = self.notices.at(index);
        notice.forgotten.as_ref().map_or_else(|| self.key(notice.task), |forgotten| forgotten.key)
    }

    /// The record of that task, or its last record if forgotten.
    #[must_use]
    pub fn ended_task(&self, index: u32) -> &Node {
        let notice = self.notices.at(index);
        notice.forgotten.as_ref().map_or_else(|| self.node(notice.task), |forgotten| &forgotten.node)
    }

    #[inline(never)]
    pub(in crate::state) fn notice_made(&mut self, task: u32, run: u32, notice: NewNotice) {
        let NewNotice { to, rerouted_from, acked, awaited } = notice;
        if acked {
            self.tree.at_mut(task).collected = true;
            self.retain(task);
            return;
        }
        let node = self.node(task);
        let measured = if node.started_at == 0 { 0 } else { node.ended_at.saturating_sub(node.started_at) };
        let notice = Notice {
            task,
            run,
            owner: to.index,
            rerouted_from,
            delivery: if awaited { Delivery::Awaited } else { Delivery::Pending },
            status: node.status,
            reason: node.reason,
            partial: node.partial,
            cut: node.cut,
            usage: node.last_usage,
            usage_doubts: node.usage_doubts,
            ended_at: node.ended_at,
            duration_ms: node.rare.as_ref().and_then(|rare| rare.details.duration_ms).unwrap_or(measured),
            older: node.notice,
            salt: self.salts.current,
            kinds: Some(node.kinds()).filter(|kinds| *kinds != Kinds::NONE).map(Box::new),
            ..Notice::default()
        };
        let index = self.notices.insert(notice).index;
        self.tree.at_mut(task).notice = index;
        self.retain(task);
        self.link_notice(index);
        self.enqueue(index);
    }

    /// Appends a notice to its owner's inbox.
    fn link_notice(&mut self, index: u32) {
        let last = self.node(self.notices.at(index).owner).inbox().last;
        let before = if last == NONE { 0 } else { *self.notices.at(last).place };
        *self.notices.at_mut(index).place = before.saturating_add(1);
        let inbox = &mut self.tree.at_mut(self.notices.at(index).owner).rare_mut().inbox;
        (inbox.first, inbox.last) = intrusive_list::append(&mut self.notices, (inbox.first, inbox.last), index, neighbours);
    }

    fn unlink_notice(&mut self, index: u32) {
        let inbox = &mut self.tree.at_mut(self.notices.at(index).owner).rare_mut().inbox;
        (inbox.first, inbox.last) = intrusive_list::take_out(&mut self.notices, (inbox.first, inbox.last), index, neighbours);
    }

    pub(in crate::state) fn notice_moved(&mut self, of: RunKey, delivery: Delivery, to: Key, (attempt, until): (u32, Option<u64>)) {
        let Some(index) = self.find_notice(of) else { return };
        if delivery == Delivery::Acked {
            return self.notice_acked(of);
        }
        self.dequeue(index);
        if self.notices.at(index).owner != to.index {
            self.notice_rerouted(index, to.index);
        }
        let notice = self.notices.at_mut(index);
        (notice.delivery, notice.attempts, notice.until) = (delivery, attempt, until);
        self.enqueue(index);
        self.deadlines.set(Owner::Notice(index), until.filter(|at| *at < u64::MAX), 0);
        self.set_collected(of, matches!(delivery, Delivery::Leased | Delivery::Awaited));
    }

    /// Makes awaited notices pending: the waits that would deliver them are lost.
    pub(in crate::state) fn await_no_notices(&mut self) {
        let awaited: Vec<u32> = self.notices.indices().filter(|index| self.notices.at(*index).delivery == Delivery::Awaited).collect();
        for index in awaited {
            let of = RunKey { task: self.named_by(index), run: self.notices.at(index).run };
            self.notices.at_mut(index).delivery = Delivery::Pending;
            self.enqueue(index);
            self.set_collected(of, false);
        }
    }

    pub(in crate::state) fn end_delivered_to(&mut self, of: RunKey, by: u32) {
        let Some(index) = self.find_notice(of) else { return };
        self.notices.at_mut(index).delivered_to.push(by);
    }

    fn notice_rerouted(&mut self, index: u32, to: u32) {
        self.unlink_notice(index);
        let from = self.key(self.notices.at(index).owner);
        let notice = self.notices.at_mut(index);
        notice.owner = to;
        // The first receiver says the most.
        notice.rerouted_from = notice.rerouted_from.or(Some(from));
        self.link_notice(index);
    }

    fn notice_acked(&mut self, of: RunKey) {
        if let Some(index) = self.find_notice(of) {
            self.drop_notice(index);
            self.set_collected(of, true);
            if self.tree.contains(of.task) {
                self.retain(of.task.index);
            }
        }
    }

    /// Notes whether the end of a task's last run has reached its receiver; ends of earlier runs don't count.
    fn set_collected(&mut self, RunKey { task, run }: RunKey, collected: bool) {
        if !self.tree.contains(task) {
            return;
        }
        let node = self.tree.at_mut(task.index);
        if node.runs == run && node.run == NONE {
            node.collected = collected;
            if !node.background {
                self.retain(task.index);
            }
        }
    }

    fn drop_notice(&mut self, index: u32) {
        self.dequeue(index);
        self.unlink_notice(index);
        if self.notices.at(index).forgotten.is_some() {
            self.forgotten_notices.retain(|other| *other != index);
        } else {
            self.unlink_from_task(index);
        }
        self.deadlines.disarm(Owner::Notice(index));
        self.notices.remove(index);
    }

    fn unlink_from_task(&mut self, index: u32) {
        let task = self.notices.at(index).task;
        let newest = self.node(task).notice;
        self.tree.at_mut(task).notice = intrusive_list::take_out_of_short(&mut self.notices, newest, index, |notice| &mut notice.older);
    }

    /// Drops the inbox of a forgotten node. The notices of its own ends are still delivered (N2).
    pub(in crate::state) fn drop_notices(&mut self, index: u32) {
        if self.node(index).notice != NONE {
            self.retain_forgotten(index);
        }
        while self.has_notices(index) {
            let first = self.node(index).inbox().first;
            let task = self.notices.at(first).task;
            self.drop_notice(first);
            if task != NONE {
                self.retain(task);
            }
        }
    }

    /// Copies a forgotten task into its notices, which retain it.
    fn retain_forgotten(&mut self, index: u32) {
        self.keep_end(index);
        let (key, origin, session) = (self.key(index), self.origin_of(index), self.session_of(index));
        let mut node = self.node(index).clone();
        (node.parent, node.family, node.notice) = (session, None, NONE);
        (node.previous, node.next, node.older, node.newer) = (NONE, NONE, NONE, NONE);
        node.output = Text::default();
        let rare = node.rare_mut();
        (rare.inbox, rare.waiting) = (Inbox::default(), Derived::default());
        (rare.last_output, rare.late_result) = (None, None);
        rare.details.release_retained();
        (rare.spec.origin_channel, rare.spec.origin_chat_id) = origin;
        while self.node(index).notice != NONE {
            let at = self.node(index).notice;
            self.unlink_from_task(at);
            let notice = self.notices.at_mut(at);
            (notice.task, notice.older) = (NONE, NONE);
            notice.forgotten = Some(Box::new(Forgotten { key, node: node.clone() }));
            self.forgotten_notices.push(at);
        }
    }

    /// The origin of a task's work: its own, else that of the nearest node above (N5).
    #[must_use]
    pub fn origin_of(&self, task: u32) -> (Option<Text>, Option<Text>) {
        let mut path = ledger::path(&self.tree, task).filter_map(|at| self.node(at).spec());
        let given = path.find(|spec| spec.origin_channel.is_some() || spec.origin_chat_id.is_some());
        given.map_or((None, None), |spec| (spec.origin_channel.clone(), spec.origin_chat_id.clone()))
    }

    /// Copies a task's result into the notice of its last end, before the task replaces it.
    pub(in crate::state) fn keep_end(&mut self, task: u32) {
        let node = self.node(task);
        let index = node.notice;
        if self.notices.at(index).run != node.runs || self.notices.at(index).kept.is_some() {
            return;
        }
        let kept = RunOutput::new(node.output.clone(), node.details().clone().retained());
        self.notices.at_mut(index).kept = Some(Box::new(kept));
    }
}
