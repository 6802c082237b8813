//! A node of the tree: the manager, a session or a task. Owns the record; what changes it is `apply`.
//!
//! It is small: a million ended tasks should fit in a few hundred megabytes, texts aside. The rare fields are behind
//! one pointer.

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

/// What a node is.
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

/// Who asked for a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Asker {
    /// The program, or the code of a run.
    #[default]
    Program,
    /// A model, by a tool.
    Model,
    /// A model that has no tool to answer questions with (M5).
    MuteModel,
}

stored_list!(Asker { Program = 0, Model = 1, MuteModel = 2 });

/// The list of evictable tasks that a task is in (L8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub enum Retention {
    /// In none.
    #[default]
    No,
    /// The same of one that an idempotency key names: it goes only if `maxTasks` is reached.
    Keyed,
    /// Its end has reached its receiver: `retain` bounds how many of these there are.
    Collected,
    /// Foreground work that was not awaited yet: it goes only if `maxTasks` is reached.
    Uncollected,
}

stored_list!(Retention { No = 0, Collected = 1, Uncollected = 2, Keyed = 3 });

slab_record! {
    /// A node of the tree.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub struct Node {
        /// What it is.
        kind: Kind = Kind::Manager,
        /// Its status.
        status: Status = Status::Idle,
        /// Why its last run ended, or why it was closed since.
        reason: StopReason = StopReason::Finished,
        /// How its last run ended, whatever has become of it since.
        end: (Status, StopReason) = (Status::Idle, StopReason::Finished),
        /// No caller waits for it: a notice delivers its end.
        background: bool = false,
        /// A cancel of it is in progress.
        cancelling: bool = false,
        /// The end of its last run has reached the node it is for.
        collected: bool = true,
        /// The list of evictable tasks in which it is.
        kept: Retention = Retention::No,
        /// It has had its wrap-up turn (B8).
        wrapped_up: bool = false,
        /// The output is what had been done when the run was stopped.
        partial: bool = false,
        /// The output was cut at `maxResultBytes`.
        cut: bool = false,
        /// Who asked for it.
        asker: Asker = Asker::Program,
        /// Dimensions of the last run that the host did not report, and above them those whose report was
        /// invalid: three bits each.
        usage_doubts: u8 = 0,
        /// Sessions are 0, their tasks 1.
        depth: u16 = 0,

        /// The node above.
        parent: u32 = NONE,
        /// The run of the node above that it works for; 0 if none does, or only one further up.
        parent_run: u32 = 0,
        /// The next older sibling.
        previous: u32 = NONE,
        /// The next younger sibling.
        next: u32 = NONE,
        /// Neighbours among the ended tasks that may be forgotten, by age.
        older: u32 = NONE,
        /// See `older`.
        newer: u32 = NONE,

        /// The run that is queued or open.
        run: u32 = NONE,
        /// Ended runs whose host function is still running.
        lingering: u32 = NONE,
        /// How many runs there have been.
        runs: u32 = 0,
        /// Who cancelled or closed it last; [`NONE`] if it was neither. A node above it, or the root.
        stopped_by: u32 = NONE,
        /// How many runs are open here and below.
        open_runs: u32 = 0,
        /// The newest notice of an end of its own that has not been acknowledged.
        notice: u32 = NONE,

        /// Its cap, and the spending and reservations of it and its subtree.
        account: Account = Account::default(),
        /// The spending of the last run; of a session, its main agent's total (B12).
        last_usage: Amounts = Amounts::ZERO,

        /// When it was admitted.
        created_at: u64 = 0,
        /// When its last run started; 0 before.
        started_at: u64 = 0,
        /// When its last run ended; 0 before.
        ended_at: u64 = 0,
        /// When anything about it changed.
        updated_at: u64 = 0,

        /// Its instructions; a session's name.
        owned text: Text = Text::default(),
        /// The output of its last run.
        owned output: Text = Text::default(),
        /// What it knows of its children, once it had one.
        owned family: Option<Box<Family>> = None,
        /// What most tasks don't have.
        owned rare: Option<Box<RareFields>> = None,
    }
}

/// A manager holds a million of them. With its place in the slab, one takes 224 bytes. With what JavaScript and the allocator
/// add, it stays below the promised 256.
#[cfg(target_arch = "wasm32")]
const _: () = assert!(size_of::<Node>() <= 216);

impl Node {
    /// Clears what is known of the last run: a new one is ahead.
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
    /// the program itself starts under a session (D1).
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.depth > 1 || self.asker != Asker::Program
    }

    /// What it knows of its children.
    #[must_use]
    pub fn family(&self) -> &Family {
        self.family.as_deref().unwrap_or(&Family::NONE)
    }

    /// The same, made when first written.
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

    /// What its last run left besides its output.
    #[must_use]
    pub fn details(&self) -> &ResultDetails {
        self.rare.as_deref().map_or(const { &ResultDetails::NONE }, |rare| &rare.details)
    }

    /// What it was given besides its text.
    #[must_use]
    pub fn spec(&self) -> Option<&Spec> {
        self.rare.as_ref().map(|rare| &rare.spec)
    }

    /// Its name for display (A4): the label that it was given, else the beginning of its text, else, if it has no text, its
    /// nickname.
    #[must_use]
    pub fn label(&self) -> &str {
        let given = self.spec().and_then(|spec| spec.label.as_deref());
        let named = || self.spec().and_then(|spec| spec.nickname.as_deref()).unwrap_or("");
        given.unwrap_or_else(|| if self.text.is_empty() { named() } else { label_of(&self.text) })
    }

    /// What most tasks don't have, made when first written.
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

    /// Takes the output of a run. If it is empty, that of an earlier run is retained.
    pub(in crate::state) fn keep_output(&mut self, output: Text) {
        let before = std::mem::replace(&mut self.output, output);
        if self.output.is_empty() && !before.is_empty() {
            self.rare_mut().last_output = Some(before);
        }
    }

    /// Whether its priority is above 0: then it may raise that of others.
    #[must_use]
    pub fn is_prioritised(&self) -> bool {
        self.spec().and_then(|spec| spec.priority).is_some_and(|priority| priority > 0)
    }

    /// How many messages wait.
    #[must_use]
    pub fn queued_messages(&self) -> usize {
        self.rare.as_ref().map_or(0, |rare| rare.messages.len())
    }

    /// Notices that are for it.
    #[must_use]
    pub fn inbox(&self) -> Inbox {
        self.rare.as_ref().map_or_else(Inbox::default, |rare| rare.inbox)
    }

    /// The list of evictable tasks in which it belongs: ended, nothing below or behind it, no waiting message, no notice about
    /// it.
    #[must_use]
    #[inline]
    pub fn may_go(&self) -> Retention {
        let ended = match self.status {
            Status::Pending | Status::Running | Status::Idle => false,
            Status::Completed | Status::Failed | Status::TimedOut | Status::Cancelled | Status::Interrupted | Status::Closed => true,
        };
        let over = self.is_task()
            && ended
            // That of foreground work, whose call was aborted, protects nothing (W5).
            && (self.notice == NONE || !self.background)
            && self.run == NONE
            && self.lingering == NONE
            && self.first_child() == NONE
            && !self.cancelling
            && self.queued_messages() == 0;
        match over {
            true if self.collected && self.rare.as_ref().is_some_and(|rare| rare.once.serial != 0) => Retention::Keyed,
            true if self.collected => Retention::Collected,
            // A notice delivers the end of background work, whenever it comes.
            true if !self.background => Retention::Uncollected,
            _ => Retention::No,
        }
    }
}

/// Allocates the value of an empty pointer when it is first written. Out of line, like all code that few runs reach. So the code
/// that every run reaches lies closer together, and more of it stays in the processor's cache.
#[cold]
#[inline(never)]
fn first_of<T: Default>(place: &mut Option<Box<T>>) -> &mut T {
    place.get_or_insert_default()
}
