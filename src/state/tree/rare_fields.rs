//! The fields that most nodes don't have, behind a pointer, so that a node stays small. Owns the records; `mailbox.rs`,
//! `notices.rs` and other subjects change them.

use crate::state::budget::recent::Lately;
use crate::state::budget::tally::Tally;
use std::cmp::Ordering;

use crate::base::codec::Text;
use crate::base::derived::Derived;
use crate::base::id::NO_SALT;
use crate::base::intrusive_list::Ends;
use crate::base::slab::{Key, NONE};
use crate::base::stored::stored;
use crate::model::run_output::ResultDetails;
use crate::model::spec::Spec;
use crate::state::policies::Policing;
use crate::state::scheduling::queue::Line;
use crate::state::tree::resources::Acquired;

/// A node's record of its children and subtree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Family {
    /// The oldest child.
    pub first_child: u32,
    /// The youngest child.
    pub last_child: u32,
    /// The number of children with an open or queued run that `maxChildren` counts.
    pub open_children: u32,
    /// The last round in which a child was queued.
    pub round: u64,
    /// The number of children's runs in the queue.
    pub queued: u32,
    /// The number of rounds that are free again: their work left the queue without starting.
    pub spare_rounds: u32,
    /// The cost of the dearest reported turn below, in nano-dollars; 0 before a report.
    pub dearest: u64,
    /// The number of open runs below that have had their last turn, or get none.
    pub last_turns: u32,
    /// The usage of the last turns and runs below, if it has a cap on tokens or dollars.
    pub lately: Option<Box<Lately>>,
    /// The number of tasks ever spawned below it (D10).
    pub spawned: u64,
}

stored!(Family { first_child, last_child, open_children, round, queued, spare_rounds, dearest, last_turns, lately, spawned });

impl Family {
    pub(in crate::state) const NONE: Self = Self {
        first_child: NONE,
        last_child: NONE,
        open_children: 0,
        round: 0,
        queued: 0,
        spare_rounds: 0,
        dearest: 0,
        last_turns: 0,
        lately: None,
        spawned: 0,
    };

    /// The ends of the list of its children.
    pub(in crate::state) const fn children(&self) -> Ends {
        (self.first_child, self.last_child)
    }

    /// The round after which the next child's run is queued. If work left the queue without starting, its parent has not had its
    /// turn. The next child then shares the last round, behind those already in it (D2).
    #[must_use]
    pub fn round_before_next(&self) -> u64 {
        self.round.saturating_sub(u64::from(self.spare_rounds.min(1)))
    }

    /// A child's run has been put in the queue.
    pub(in crate::state) fn note_queued(&mut self, round: u64) {
        match round.cmp(&self.round) {
            // A new round uses up no free ones.
            Ordering::Greater => (self.round, self.spare_rounds) = (round, 0),
            Ordering::Equal => self.spare_rounds = self.spare_rounds.saturating_sub(1),
            // A run that had begun is in no round.
            Ordering::Less => {}
        }
        self.queued = self.queued.saturating_add(1);
    }

    /// A child's run has left the queue; `served` if it started.
    pub(in crate::state) fn note_left(&mut self, served: bool) {
        self.queued = self.queued.saturating_sub(1);
        self.spare_rounds = self.spare_rounds.saturating_add(u32::from(!served));
        if self.queued == 0 {
            self.round = self.round.saturating_sub(u64::from(self.spare_rounds));
            self.spare_rounds = 0;
        }
    }
}

impl Default for Family {
    fn default() -> Self {
        Self::NONE
    }
}

/// The fields that most tasks don't have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RareFields {
    /// The optional fields of its spawn.
    pub spec: Spec,
    /// Messages that wait for the next run.
    pub messages: Vec<Message>,
    /// The details of the last run's result. The host's own id is from the last run that had one.
    pub details: ResultDetails,
    /// Hosts' ids of its runs, each with the number of its last run, latest last.
    pub host_ids: Vec<(Text, u32)>,
    /// The number of the last run that a host started elsewhere; 0 before one (X4).
    pub elsewhere: u32,
    /// The late result of a run that had ended.
    pub late_result: Option<Text>,
    /// The last run's latest progress message.
    pub progress: Option<Text>,
    /// The last reported size of its context.
    pub context_tokens: Option<u64>,
    /// The result of the last run was released.
    pub released: bool,
    /// Its idempotency key.
    pub once: KeyOfSpawn,
    /// Steers, a question, and messages that go ahead of the queue.
    pub mailbox: Option<Box<Mailbox>>,
    /// Its notices.
    pub inbox: Inbox,
    /// Its pending notices.
    pub waiting: Derived<Waiting>,
    /// The record of policies about its last run.
    pub policing: Option<Box<Policing>>,
    /// The last checkpoint of its run, as JSON.
    pub checkpoint: Option<Text>,
    /// Data that its runs saved for later ones, as JSON.
    pub saved: Option<Text>,
    /// The resources that it has acquired, or is about to.
    pub acquired: Option<Acquired>,
    /// A close of it is in progress.
    pub closing: bool,
    /// If a caller aborted the tool call that waits for it: whether that caller reads its inbox (W5).
    pub caller_reads: Option<bool>,
    /// Its last message.
    pub last_input: Option<Text>,
    /// The output of an earlier run, if later ones produced nothing.
    pub last_output: Option<Text>,
    /// The message of the last run, if a key names the task and that run ended badly (D7).
    pub attempted: Option<Box<Attempted>>,
    /// Its usage by kinds of tokens.
    pub tally: Option<Box<Tally>>,
}

/// A message that may get another attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attempted {
    /// The number of its first run.
    pub first: u32,
    /// The message; absent for the first text.
    pub message: Option<Message>,
    /// The salt of the opening that accepted it.
    pub salt: u64,
}

stored!(Attempted { first, message, salt });

stored!(RareFields {
    spec,
    messages,
    details,
    host_ids,
    elsewhere,
    late_result,
    progress,
    context_tokens,
    released,
    once,
    mailbox,
    inbox,
    policing,
    checkpoint,
    closing,
    last_input,
    last_output,
    attempted,
    waiting,
    tally,
    caller_reads,
    saved,
    acquired,
});

/// The fields that most tasks don't have, besides their queue of messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mailbox {
    /// The number of interrupts at the front of the waiting messages.
    pub interrupting: usize,
    /// The number of steers after them that missed their run.
    pub missed: usize,
    /// Messages for the next boundary of the open run.
    pub steers: Vec<Message>,
    /// The open run's question, while it has no answer.
    pub question: Option<Text>,
    /// Children whose questions its run has not got.
    pub askers: Vec<Key>,
    /// The queue waits for the next send (M4).
    pub paused: bool,
    /// Messages dropped undelivered, oldest first (M2): all since the last run was queued, and at most [`KEPT_UNDELIVERED`] from
    /// before.
    pub undelivered: Vec<Text>,
    /// Steers and answered questions of the run, oldest first, for another attempt: at most `maxMessages` texts.
    pub delivered: Vec<DeliveredText>,
    /// The number of these, from the front, that it had got at its last checkpoint.
    pub covered: usize,
    /// The number of `delivered`, back from the end of `kept`, that this attempt gets again at its first turn. Only earlier
    /// attempts got them.
    pub again: usize,
    /// The range of `delivered`, `start..end`, whose answers this attempt gets again.
    pub kept: (usize, usize),
}

/// A message of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// Its text.
    pub text: Text,
    /// The salt of the opening that accepted it (A7); 0 for the task's first text.
    pub salt: u64,
    /// Its number among all messages, from 1; 0 for the text of a spawn.
    pub number: u64,
}

stored!(Message { text, salt, number } from Self { text: Text::default(), salt: NO_SALT, number: 0 });

/// The relation of a task to the idempotency key of its spawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyOfSpawn {
    /// The serial number of the key; 0 if it has none, or the key was dropped.
    pub serial: u64,
    /// The identity of its first text in the keys of actions (A7).
    pub work: Option<(u64, u64)>,
}

stored!(KeyOfSpawn { serial, work });

/// A text delivered to a run: a steer, or a question with its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeliveredText {
    /// The steer, or the question.
    pub text: Text,
    /// The answer to the question.
    pub answer: Option<Text>,
}

stored!(DeliveredText { text, answer });

stored!(Mailbox { interrupting, missed, steers, question, askers, paused, undelivered, delivered, covered, again, kept });

/// The maximum number of retained texts that were dropped before the last run was queued.
pub(in crate::state) const KEPT_UNDELIVERED: usize = 100;

/// The notices of a node, oldest first: the ends of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inbox {
    /// The oldest.
    pub first: u32,
    /// The newest.
    pub last: u32,
}

stored!(Inbox { first, last });

/// The pending notices of a node, by their places in its inbox.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// Notices for which its agent was not woken.
    pub(crate) fresh: Line<u64>,
    /// Notices for which it was woken, and which it has a time to take.
    pub(crate) timed: Line<u64>,
}

impl Waiting {
    pub(crate) const NONE: &'static Self = &Self { fresh: Line::NONE, timed: Line::NONE };

    /// The number of pending notices.
    pub(crate) fn len(&self) -> usize {
        self.fresh.len().saturating_add(self.timed.len())
    }

    /// All pending notices, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (mut fresh, mut timed) = (self.fresh.iter().peekable(), self.timed.iter().peekable());
        std::iter::from_fn(move || {
            let is_fresh = timed.peek().is_none_or(|second| fresh.peek().is_some_and(|first| first < second));
            if is_fresh { fresh.next() } else { timed.next() }.map(|(_, index)| index)
        })
    }
}

impl Default for Inbox {
    fn default() -> Self {
        Self { first: NONE, last: NONE }
    }
}
