//! The fields that most nodes don't have, behind a pointer, so that a node stays small. Owns the records; their
//! subjects change them, such as `mailbox.rs` and `notices.rs`.

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

/// What a node knows of its children.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Family {
    /// The oldest child, in order of their spawns.
    pub first_child: u32,
    /// The youngest child.
    pub last_child: u32,
    /// How many of the children that `maxChildren` counts have an open or queued run.
    pub open_children: u32,
    /// The last round that a child was queued in.
    pub round: u64,
    /// How many children's runs are in the queue.
    pub queued: u32,
    /// How many rounds up to the last one are free again: work that was queued there left the queue unserved.
    pub spare_rounds: u32,
    /// The cost of the dearest reported turn below, in nano-dollars; 0 before one was reported.
    pub dearest: u64,
    /// How many of the open runs below have had their last turn, or get none.
    pub last_turns: u32,
    /// The usage of the last turns and runs below, if it has a cap on tokens or dollars.
    pub lately: Option<Box<Lately>>,
    /// How many tasks were spawned below it, in all its life (D10).
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

    /// The round after which the next child's run is queued. Work that left the queue unserved was no turn of its parent's. So
    /// the next one shares the last round, behind those already in it (D2).
    #[must_use]
    pub fn round_before_next(&self) -> u64 {
        self.round.saturating_sub(u64::from(self.spare_rounds.min(1)))
    }

    /// A child's run has been put in the queue.
    pub(in crate::state) fn note_queued(&mut self, round: u64) {
        match round.cmp(&self.round) {
            // Past the last round, it owes nothing to those that were to spare.
            Ordering::Greater => (self.round, self.spare_rounds) = (round, 0),
            Ordering::Equal => self.spare_rounds = self.spare_rounds.saturating_sub(1),
            // A run that had begun is in none.
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

/// What most tasks don't have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RareFields {
    /// What it was given besides its text.
    pub spec: Spec,
    /// Messages that wait for the next run.
    pub messages: Vec<Message>,
    /// The details of the last run's result. The host's own id is that of the last run that had one.
    pub details: ResultDetails,
    /// The ids under which a host started runs of it, each with the number of the last such run, the last one last.
    pub host_ids: Vec<(Text, u32)>,
    /// The number of the last run that a host started somewhere else; 0 before one (X4).
    pub elsewhere: u32,
    /// What came after the end.
    pub late_result: Option<Text>,
    /// The last run's latest progress message.
    pub progress: Option<Text>,
    /// The size of its context as last reported.
    pub context_tokens: Option<u64>,
    /// The result of the last run was released.
    pub released: bool,
    /// The idempotency key that names it.
    pub once: KeyOfSpawn,
    /// Steers, a question, and messages that go ahead of the queue.
    pub mailbox: Option<Box<Mailbox>>,
    /// Notices that are for it.
    pub inbox: Inbox,
    /// Those of them that wait to be handed out.
    pub waiting: Derived<Waiting>,
    /// What policies know of its last run.
    pub policing: Option<Box<Policing>>,
    /// How far its run was when it last reported, as JSON.
    pub checkpoint: Option<Text>,
    /// Data that its runs saved for later ones, as JSON.
    pub saved: Option<Text>,
    /// What it has acquired outside of the manager, or is about to.
    pub acquired: Option<Acquired>,
    /// A close of it is in progress.
    pub closing: bool,
    /// It is cancelled with a tool's call that the caller itself aborted (W5): whether that caller reads its inbox.
    pub caller_reads: Option<bool>,
    /// The message that it was sent last.
    pub last_input: Option<Text>,
    /// The output of an earlier run, if later ones produced nothing.
    pub last_output: Option<Text>,
    /// The message of the last run, if a key names the task and that run ended badly (D7).
    pub attempted: Option<Box<Attempted>>,
    /// Its usage by kinds of tokens.
    pub tally: Option<Box<Tally>>,
}

/// A message that may be attempted once more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Attempted {
    /// The number of the first run at it.
    pub first: u32,
    /// It itself; absent for the first text.
    pub message: Option<Message>,
    /// The salt of the opening that took it.
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
    /// How many of the waiting messages, from the front, interrupted.
    pub interrupting: usize,
    /// How many after them are steers that missed their run.
    pub missed: usize,
    /// Messages for the next boundary of the open run.
    pub steers: Vec<Message>,
    /// The open run's question, while it has no answer.
    pub question: Option<Text>,
    /// Children that ask and whose questions its run has not got.
    pub askers: Vec<Key>,
    /// The queue waits for the next send (M4).
    pub paused: bool,
    /// What was dropped, oldest first: it was never delivered (M2). All of it since the last run was queued, and at
    /// most [`KEPT_UNDELIVERED`] texts from before that.
    pub undelivered: Vec<Text>,
    /// What has steered the run, and what it was answered, oldest first, for an attempt that begins again: at most
    /// `maxMessages` texts.
    pub delivered: Vec<DeliveredText>,
    /// How many of these, from the front, it had got when it last reported a checkpoint.
    pub covered: usize,
    /// How many of `delivered`, back from the end of `kept`, this attempt gets again at its first turn. Earlier attempts got
    /// them, and this one doesn't know them.
    pub again: usize,
    /// The range of `delivered`, `start..end`, whose answers this attempt gets again.
    pub kept: (usize, usize),
}

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    /// What it says.
    pub text: Text,
    /// That of the opening that accepted it (A7); 0 if it is the task's first text.
    pub salt: u64,
    /// Which of all messages it is, from 1; 0 for the text of a spawn.
    pub number: u64,
}

stored!(Message { text, salt, number } from Self { text: Text::default(), salt: NO_SALT, number: 0 });

/// The relation of a task to the idempotency key of its spawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KeyOfSpawn {
    /// The serial number of the key; 0 if it had none, or it is no longer known.
    pub serial: u64,
    /// The identity of its first text in the keys of actions (A7).
    pub work: Option<(u64, u64)>,
}

stored!(KeyOfSpawn { serial, work });

/// A text that was delivered to a run from above: a steer, or a question with its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeliveredText {
    /// The steer, or the question.
    pub text: Text,
    /// The answer to the question.
    pub answer: Option<Text>,
}

stored!(DeliveredText { text, answer });

stored!(Mailbox { interrupting, missed, steers, question, askers, paused, undelivered, delivered, covered, again, kept });

/// How many texts that were dropped before its present run a task keeps.
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

/// The notices of a node that wait to be handed out, by their places in its inbox.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// Those that its agent was not woken for.
    pub(crate) fresh: Line<u64>,
    /// Those that it was woken for, and has a time to take.
    pub(crate) timed: Line<u64>,
}

impl Waiting {
    pub(crate) const NONE: &'static Self = &Self { fresh: Line::NONE, timed: Line::NONE };

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.fresh.len().saturating_add(self.timed.len())
    }

    /// All of them, oldest first.
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
