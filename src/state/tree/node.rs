//! A node of the tree: the manager, a session or a task. Owns the record; `apply` changes it.
//!
//! It is small: a million ended tasks should fit in a few hundred megabytes, without texts. Rare fields are behind one pointer.

use crate::base::amounts::Amounts;
use crate::base::codec::Text;
use crate::base::slab::NONE;
use crate::base::slab_record::slab_record;
use crate::base::stored::stored_list;
use crate::base::text::label_of;
use crate::model::run_output::ResultDetails;
use crate::model::spec::Spec;
use crate::model::status::{Status, StopReason};
use crate::state::budget::account::Account;
use crate::state::tree::rare_fields::Inbox;
pub use crate::state::tree::rare_fields::{Family, Message, RareFields};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Kind {
    /// The root: the program.
    #[default]
    Manager,
    /// A host's own agent.
    Session,
    /// A sub-agent.
    Task,
}

stored_list!(Kind { Manager = 0, Session = 1, Task = 2 });

/// Who requested a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Asker {
    /// The program, or the code of a run.
    #[default]
    Program,
    /// A model, by a tool.
    Model,
    /// A model without a tool to answer questions (M5).
    MuteModel,
}

stored_list!(Asker { Program = 0, Model = 1, MuteModel = 2 });

/// The list of evictable tasks that a task is in (L8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Retention {
    /// No list.
    #[default]
    No,
    /// Its end has reached its receiver, but an idempotency key names it: it is forgotten only if `maxTasks` is reached.
    Keyed,
    /// Its end has reached its receiver: `retain` bounds their number.
    Collected,
    /// Foreground work that was not awaited yet: it is forgotten only if `maxTasks` is reached.
    Uncollected,
}

stored_list!(Retention { No = 0, Collected = 1, Uncollected = 2, Keyed = 3 });

slab_record! {
    /// A node of the tree.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Node {
        /// Its kind.
        kind: Kind = Kind::Manager,
        /// Its status.
        status: Status = Status::Idle,
        /// Why its last run ended, or why it was stopped since.
        reason: StopReason = StopReason::Finished,
        /// How its last run ended, unchanged by later stops.
        end: (Status, StopReason) = (Status::Idle, StopReason::Finished),
        /// No caller waits for it: a notice delivers its end.
        background: bool = false,
        /// A cancel of it is in progress.
        cancelling: bool = false,
        /// The end of its last run has reached its receiver.
        collected: bool = true,
        /// Its list of evictable tasks.
        kept: Retention = Retention::No,
        /// It has had its wrap-up turn (B8).
        wrapped_up: bool = false,
        /// The output is unfinished: the run was stopped or broke off.
        partial: bool = false,
        /// The output was cut at `maxResultBytes`.
        cut: bool = false,
        /// Who requested it.
        asker: Asker = Asker::Program,
        /// The last run's dimensions that the host did not report, and above them the invalid ones: three bits each.
        usage_doubts: u8 = 0,
        /// Sessions are 0, their tasks 1.
        depth: u16 = 0,

        /// The node above.
        parent: u32 = NONE,
        /// The number of its parent's run that it works for; 0 if none.
        parent_run: u32 = 0,
        /// The next older sibling.
        previous: u32 = NONE,
        /// The next younger sibling.
        next: u32 = NONE,
        /// Neighbours among the ended tasks that may be forgotten, by age.
        older: u32 = NONE,
        /// See `older`.
        newer: u32 = NONE,

        /// Its queued or open run.
        run: u32 = NONE,
        /// The newest ended run whose host function has not returned.
        lingering: u32 = NONE,
        /// The number of its runs so far.
        runs: u32 = 0,
        /// The node above that cancelled or closed it, or the root; [`NONE`] if none did.
        stopped_by: u32 = NONE,
        /// The number of open runs, its own and below.
        open_runs: u32 = 0,
        /// The newest unacknowledged notice of its own ends.
        notice: u32 = NONE,

        /// Its cap, and the spending and reservations of its subtree.
        account: Account = Account::default(),
        /// The spending of the last run; for a session, its main agent's total (B12).
        last_usage: Amounts = Amounts::ZERO,

        /// When it was admitted.
        created_at: u64 = 0,
        /// When its last run started; 0 before.
        started_at: u64 = 0,
        /// When its last run ended; 0 before.
        ended_at: u64 = 0,
        /// When it last changed.
        updated_at: u64 = 0,

        /// Its instructions; a session's name.
        owned text: Text = Text::default(),
        /// The output of its last run.
        owned output: Text = Text::default(),
        /// The record of its children, once it had one.
        owned family: Option<Box<Family>> = None,
        /// The rare fields.
        owned rare: Option<Box<RareFields>> = None,
    }
}

/// A manager holds a million nodes. With its slab entry, one takes 224 bytes. With the overhead of JavaScript and the allocator,
/// it stays below the promised 256.
#[cfg(target_arch = "wasm32")]
const _: () = assert!(size_of::<Node>() <= 216);

impl Node {
    /// Clears the data of the last run, before a new one.
    pub(in crate::state) fn begin_anew(&mut self) {
        self.last_usage = Amounts::ZERO;
        self.usage_doubts = 0;
        self.started_at = 0;
        self.collected = false;
        if let Some(rare) = &mut self.rare {
            (rare.progress, rare.context_tokens, rare.policing, rare.checkpoint) = (None, None, None, None);
        }
    }
}

impl Node {
    /// Whether it is a sub-agent.
    #[must_use]
    pub const fn is_task(&self) -> bool {
        matches!(self.kind, Kind::Task)
    }

    /// Whether the program carries out its runs (X6).
    #[must_use]
    pub fn is_driven(&self) -> bool {
        self.kind == Kind::Task && self.rare.as_ref().is_some_and(|rare| rare.spec.driven)
    }

    /// Whether `maxChildren` counts it among its parent's: a run or a model's tool started it. Other limits bound the tasks that
    /// the program starts under a session (D1).
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.depth > 1 || self.asker != Asker::Program
    }

    /// The record of its children.
    #[must_use]
    pub fn family(&self) -> &Family {
        self.family.as_deref().unwrap_or(&Family::NONE)
    }

    /// The record of its children, made when first written.
    #[inline]
    pub fn family_mut(&mut self) -> &mut Family {
        match &mut self.family {
            Some(family) => family,
            none => first_of(none),
        }
    }

    /// The oldest child, or [`NONE`].
    #[must_use]
    pub fn first_child(&self) -> u32 {
        self.family().first_child
    }

    /// The details of its last run's result.
    #[must_use]
    pub fn details(&self) -> &ResultDetails {
        self.rare.as_deref().map_or(const { &ResultDetails::NONE }, |rare| &rare.details)
    }

    /// The optional fields of its spawn.
    #[must_use]
    pub fn spec(&self) -> Option<&Spec> {
        self.rare.as_ref().map(|rare| &rare.spec)
    }

    /// Its name for display (A4): its label, else the beginning of its text, else, without a text, its nickname.
    #[must_use]
    pub fn label(&self) -> &str {
        let given = self.spec().and_then(|spec| spec.label.as_deref());
        let named = || self.spec().and_then(|spec| spec.nickname.as_deref()).unwrap_or("");
        given.unwrap_or_else(|| if self.text.is_empty() { named() } else { label_of(&self.text) })
    }

    /// The rare fields, made when first written.
    #[inline]
    pub fn rare_mut(&mut self) -> &mut RareFields {
        match &mut self.rare {
            Some(rare) => rare,
            none => first_of(none),
        }
    }

    /// Dimensions of the last run that the host did not report.
    #[must_use]
    pub const fn usage_unknown(&self) -> u8 {
        self.usage_doubts & 7
    }

    /// Dimensions of the last run whose report was invalid.
    #[must_use]
    pub const fn usage_invalid(&self) -> u8 {
        self.usage_doubts >> 3
    }

    /// Stores a run's output. If it is empty, the previous output is retained in `last_output`.
    pub(in crate::state) fn keep_output(&mut self, output: Text) {
        let before = std::mem::replace(&mut self.output, output);
        if self.output.is_empty() && !before.is_empty() {
            self.rare_mut().last_output = Some(before);
        }
    }

    /// Whether its priority is above 0, so that it may raise others.
    #[must_use]
    pub fn is_prioritised(&self) -> bool {
        self.spec().and_then(|spec| spec.priority).is_some_and(|priority| priority > 0)
    }

    /// The number of waiting messages.
    #[must_use]
    pub fn queued_messages(&self) -> usize {
        self.rare.as_ref().map_or(0, |rare| rare.messages.len())
    }

    /// Its notices.
    #[must_use]
    pub fn inbox(&self) -> Inbox {
        self.rare.as_ref().map_or_else(Inbox::default, |rare| rare.inbox)
    }

    /// The list of evictable tasks in which it belongs. It must have ended, without children, a running host function, a waiting
    /// message or a notice.
    #[must_use]
    #[inline]
    pub fn may_go(&self) -> Retention {
        let ended = match self.status {
            Status::Pending | Status::Running | Status::Idle => false,
            Status::Completed | Status::Failed | Status::TimedOut | Status::Cancelled | Status::Interrupted | Status::Closed => true,
        };
        let over = self.is_task()
            && ended
            // A notice about foreground work, whose call was aborted, protects nothing (W5).
            && (self.notice == NONE || !self.background)
            && self.run == NONE
            && self.lingering == NONE
            && self.first_child() == NONE
            && !self.cancelling
            && self.queued_messages() == 0;
        match over {
            true if self.collected && self.rare.as_ref().is_some_and(|rare| rare.once.serial != 0) => Retention::Keyed,
            true if self.collected => Retention::Collected,
            // Background work stays: a notice will deliver its end.
            true if !self.background => Retention::Uncollected,
            _ => Retention::No,
        }
    }
}

/// Allocates the value of an empty pointer when it is first written. Out of line, like all code that few runs reach. So the code
/// that every run reaches is denser, and more of it stays in the processor's cache.
#[cold]
#[inline(never)]
fn first_of<T: Default>(place: &mut Option<Box<T>>) -> &mut T {
    place.get_or_insert_default()
}
