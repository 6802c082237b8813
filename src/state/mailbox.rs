//! Messages between a task and those above it: the queue in its order, steers for the open run, an open question, undelivered
//! messages. Owns the record and its order (M1); `rules/messages/` and `rules/runs/interrupting.rs` decide.

use crate::base::codec::Text;
use crate::base::run_key::RunKey;
use crate::base::slab::{Key, NONE};
use crate::model::status::MessagePlace;
use crate::state::State;
use crate::state::tree::node::Node;
pub(in crate::state) use crate::state::tree::rare_fields::KEPT_UNDELIVERED;
use crate::state::tree::rare_fields::{DeliveredText, Mailbox, Message};

impl Node {
    fn mailbox(&self) -> Option<&Mailbox> {
        self.rare.as_ref().and_then(|rare| rare.mailbox.as_deref())
    }

    fn mailbox_mut(&mut self) -> &mut Mailbox {
        self.rare_mut().mailbox.get_or_insert_default()
    }

    /// Steers that the open run has not got yet.
    #[must_use]
    pub fn steers(&self) -> usize {
        self.mailbox().map_or(0, |mailbox| mailbox.steers.len())
    }

    /// Delivered steering messages that a new attempt must get again: all of them, or, if the attempt continues from a
    /// checkpoint, those after it.
    #[must_use]
    pub fn to_repeat(&self, resumes: bool) -> &[DeliveredText] {
        let Some(mailbox) = self.mailbox() else { return &[] };
        mailbox.delivered.get(if resumes { mailbox.covered } else { 0 }..).unwrap_or_default()
    }

    /// Messages that will steer its run at the next boundary: first those repeated from an earlier attempt, then the undelivered
    /// ones.
    #[must_use]
    pub fn to_steer(&self) -> (&[DeliveredText], &[Message]) {
        let Some(mailbox) = self.mailbox() else { return (&[], &[]) };
        (mailbox.delivered.get(mailbox.redeliver_from()..mailbox.kept.1).unwrap_or_default(), &mailbox.steers)
    }

    /// The first answered question of earlier attempts, its answer, and the answer's index among the delivered messages.
    #[must_use]
    pub fn answer_kept<'a>(&'a self) -> Option<(usize, &'a Text, &'a Text)> {
        let mailbox = self.mailbox()?;
        let kept = mailbox.delivered.get(mailbox.kept.0..mailbox.kept.1)?;
        let answered = |(at, delivered): (usize, &'a DeliveredText)| {
            Some((mailbox.kept.0.saturating_add(at), &delivered.text, delivered.answer.as_ref()?))
        };
        kept.iter().enumerate().find_map(answered)
    }

    /// The answer to a question that an earlier attempt also asked. This attempt must have repeated all the earlier one's
    /// answered questions before it.
    #[must_use]
    pub fn answer_of_earlier_attempt(&self, question: &str) -> Option<Text> {
        self.answer_kept().filter(|(_, asked, _)| &***asked == question).map(|(.., answer)| answer.clone())
    }

    /// The number of undelivered messages: those that wait for a run, and steers.
    #[must_use]
    pub fn undelivered_messages(&self) -> usize {
        self.queued_messages().saturating_add(self.steers())
    }

    /// The numbers of messages ahead of the queue: interrupts, and steers that missed their run.
    #[must_use]
    pub fn messages_ahead(&self) -> (usize, usize) {
        self.mailbox().map_or((0, 0), |mailbox| (mailbox.interrupting, mailbox.missed))
    }

    /// Its question, while it has no answer.
    #[must_use]
    pub fn question(&self) -> Option<&Text> {
        self.mailbox().and_then(|mailbox| mailbox.question.as_ref())
    }

    /// Children whose questions its run has not got.
    #[must_use]
    pub fn askers(&self) -> &[Key] {
        self.mailbox().map_or(&[], |mailbox| &mailbox.askers)
    }

    /// Whether the queue waits for the next send.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.mailbox().is_some_and(|mailbox| mailbox.paused)
    }

    /// Whether it has messages and no run, because an interrupt paused them (M4).
    #[must_use]
    pub fn is_paused_with_messages(&self) -> bool {
        self.run == NONE && self.queued_messages() > 0 && self.is_paused()
    }

    /// The dropped messages, oldest first.
    #[must_use]
    pub fn undelivered(&self) -> &[Text] {
        self.mailbox().map_or(&[], |mailbox| &mailbox.undelivered)
    }

    /// Takes the first waiting message, if any.
    pub(in crate::state) fn take_message(&mut self) -> Option<Message> {
        let rare = self.rare.as_mut()?;
        let taken = (!rare.messages.is_empty()).then(|| rare.messages.remove(0));
        if let Some(mailbox) = &mut rare.mailbox {
            let count = if mailbox.interrupting > 0 { &mut mailbox.interrupting } else { &mut mailbox.missed };
            *count = count.saturating_sub(1);
        }
        taken
    }
}

impl Mailbox {
    /// The index in `delivered` of the first message to deliver again to this attempt.
    const fn redeliver_from(&self) -> usize {
        self.kept.1.saturating_sub(self.again)
    }
}

impl State {
    /// Whether a task that ends its run continues with a message.
    #[must_use]
    pub fn continues_with_message(&self, index: u32) -> bool {
        let node = self.node(index);
        node.undelivered_messages() > 0 && !node.is_paused()
    }

    /// Makes a change that may pause or resume a task's messages, and updates the count.
    pub(in crate::state) fn count_paused_around(&mut self, task: u32, change: impl FnOnce(&mut Self)) {
        let before = u32::from(self.node(task).is_paused_with_messages());
        change(self);
        *self.paused_with_messages =
            self.paused_with_messages.saturating_add(u32::from(self.node(task).is_paused_with_messages())).saturating_sub(before);
    }

    pub(in crate::state) fn message_queued(&mut self, task: Key, place: MessagePlace, text: Text) {
        let message = self.new_message(text);
        let node = self.tree.at_mut(task.index);
        node.updated_at = self.now;
        node.rare_mut().last_input = Some(message.text.clone());
        let at = match place {
            MessagePlace::Queue => return node.rare_mut().messages.push(message),
            MessagePlace::Steer => return node.mailbox_mut().steers.push(message),
            MessagePlace::Missed => {
                let mailbox = node.mailbox_mut();
                let at = mailbox.interrupting.saturating_add(mailbox.missed);
                mailbox.missed = mailbox.missed.saturating_add(1);
                at
            }
            MessagePlace::Interrupt => {
                let mailbox = node.mailbox_mut();
                let at = mailbox.interrupting;
                mailbox.interrupting = at.saturating_add(1);
                at
            }
        };
        let messages = &mut node.rare_mut().messages;
        messages.insert(at.min(messages.len()), message);
    }

    /// The message of a queued run: the first waiting one, or else a new one.
    pub(in crate::state) fn message_begun(&mut self, task: u32, text: Text) -> Message {
        let node = self.tree.at_mut(task);
        // A waiting message was noted on arrival.
        if node.undelivered_messages() == 0 {
            node.rare_mut().last_input = Some(text.clone());
        }
        let first = node.take_message();
        first.unwrap_or_else(|| self.new_message(text))
    }

    /// A new message.
    pub(in crate::state) const fn new_message(&mut self, text: Text) -> Message {
        self.messages = self.messages.saturating_add(1);
        Message { text, salt: self.salts.current, number: self.messages }
    }

    /// A run is over. Its question stays without an answer, and undelivered steers go ahead of the queue. Delivered steers are
    /// retained only if its message is tried `again`.
    #[inline(never)]
    pub(in crate::state) fn settle_mailbox(&mut self, of: RunKey, again: bool) {
        let task = of.task;
        if self.node(task.index).question().is_some() {
            self.question_closed(of, None);
        }
        if self.node(task.index).steers() > 0 {
            self.steers_missed(task);
        }
        if let Some(mailbox) = self.tree.at_mut(task.index).rare.as_mut().and_then(|rare| rare.mailbox.as_mut()) {
            mailbox.kept = (0, 0);
            if !again {
                mailbox.delivered.clear();
                (mailbox.covered, mailbox.again) = (0, 0);
            }
        }
    }

    /// The last `delivered` texts that steered an attempt, and the `missed` steers, will steer the next attempt.
    pub(in crate::state) fn steers_again(&mut self, task: u32, delivered: usize, missed: u32) {
        let rare = self.tree.at_mut(task).rare_mut();
        let mailbox = rare.mailbox.get_or_insert_default();
        mailbox.again = delivered.min(mailbox.delivered.len());
        mailbox.kept = (mailbox.delivered.len().saturating_sub(mailbox.again), mailbox.delivered.len());
        mailbox.covered = mailbox.covered.min(mailbox.delivered.len().saturating_sub(mailbox.again));
        let end = mailbox.interrupting.saturating_add(mailbox.missed).min(rare.messages.len());
        let begin = end.saturating_sub(usize::try_from(missed).unwrap_or(usize::MAX)).max(mailbox.interrupting.min(end));
        mailbox.missed = mailbox.missed.saturating_sub(end.saturating_sub(begin));
        for at in (begin..end).rev() {
            mailbox.steers.insert(0, rare.messages.remove(at));
        }
    }

    /// A run saved a checkpoint: a run that continues there knows the steers before it.
    pub(in crate::state) fn steers_covered(&mut self, task: u32) {
        if let Some(mailbox) = self.tree.at_mut(task).rare.as_mut().and_then(|rare| rare.mailbox.as_mut()) {
            mailbox.covered = if mailbox.again == 0 { mailbox.delivered.len() } else { mailbox.redeliver_from() };
        }
    }

    /// Marks tasks whose ends need no notice, because their receivers ordered these ends.
    pub(in crate::state) fn claim(&mut self, tasks: &[Key]) {
        for task in tasks {
            let run = self.node(task.index).run;
            if run != NONE {
                self.runs.at_mut(run).claimed = true;
            }
        }
    }

    /// At a turn or a tool boundary, a run got its steers and its children's questions.
    pub(in crate::state) fn deliver_at_boundary(&mut self, task: Key, steers: u32, questions: &[Key]) {
        if steers > 0 {
            let mailbox = self.tree.at_mut(task.index).mailbox_mut();
            mailbox.again = 0;
            for Message { text, .. } in std::mem::take(&mut mailbox.steers) {
                self.remember(task.index, DeliveredText { text, answer: None });
            }
        }
        for asker in questions {
            self.note_asker(*asker, false);
        }
    }

    /// Remembers a delivered text for the next attempt.
    #[inline(never)]
    fn remember(&mut self, task: u32, text: DeliveredText) {
        let most = usize::try_from(self.limits.max_messages).unwrap_or(usize::MAX);
        let mailbox = self.tree.at_mut(task).mailbox_mut();
        mailbox.delivered.push(text);
        if mailbox.delivered.len() > most {
            mailbox.delivered.remove(0);
            for place in [&mut mailbox.covered, &mut mailbox.kept.0, &mut mailbox.kept.1] {
                *place = place.saturating_sub(1);
            }
        }
    }

    fn steers_missed(&mut self, task: Key) {
        let node = self.tree.at_mut(task.index);
        let steers = std::mem::take(&mut node.mailbox_mut().steers);
        for message in steers {
            let mailbox = node.mailbox_mut();
            let at = mailbox.interrupting.saturating_add(mailbox.missed);
            mailbox.missed = mailbox.missed.saturating_add(1);
            let messages = &mut node.rare_mut().messages;
            messages.insert(at.min(messages.len()), message);
        }
    }

    /// A run ends before its message was delivered. The message waits `again`, behind interrupts only, or is dropped.
    #[inline(never)]
    pub(in crate::state) fn message_undelivered(&mut self, of: RunKey, again: bool) {
        let Some(index) = self.find(of) else { return };
        let run = self.runs.at_mut(index);
        let (message, salt) = (run.message.take(), run.salt);
        let node = self.tree.at_mut(of.task.index);
        let message = message.unwrap_or_else(|| Message { text: node.text.clone(), salt, number: 0 });
        let mailbox = node.mailbox_mut();
        if !again {
            mailbox.undelivered.push(message.text);
            return;
        }
        let at = mailbox.interrupting;
        mailbox.missed = mailbox.missed.saturating_add(1);
        let messages = &mut node.rare_mut().messages;
        messages.insert(at.min(messages.len()), message);
    }

    /// A run is queued: only the last [`KEPT_UNDELIVERED`] dropped messages are retained.
    pub(in crate::state) fn trim_undelivered(&mut self, task: u32) {
        let Some(mailbox) = self.tree.at_mut(task).rare.as_mut().and_then(|rare| rare.mailbox.as_mut()) else { return };
        let surplus = mailbox.undelivered.len().saturating_sub(KEPT_UNDELIVERED);
        mailbox.undelivered.drain(..surplus);
    }

    /// Drops the last `count` messages undelivered.
    pub(in crate::state) fn messages_dropped(&mut self, task: Key, count: u32) {
        if self.node(task.index).steers() > 0 {
            self.steers_missed(task);
        }
        let node = self.tree.at_mut(task.index);
        let messages = &mut node.rare_mut().messages;
        let left = messages.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
        let dropped = messages.split_off(left);
        let mailbox = node.mailbox_mut();
        mailbox.undelivered.extend(dropped.into_iter().map(|message| message.text));
        mailbox.interrupting = mailbox.interrupting.min(left);
        mailbox.missed = mailbox.missed.min(left.saturating_sub(mailbox.interrupting));
        mailbox.paused = mailbox.paused && left > 0;
        self.retain(task.index);
    }

    pub(in crate::state) fn queue_paused(&mut self, task: Key, paused: bool) {
        self.tree.at_mut(task.index).mailbox_mut().paused = paused;
    }

    pub(in crate::state) fn question_asked(&mut self, of: RunKey, question: Text, until: Option<u64>) {
        let node = self.tree.at_mut(of.task.index);
        node.updated_at = self.now;
        node.mailbox_mut().question = Some(question);
        if let Some(index) = self.find(of) {
            self.runs.at_mut(index).timers.ask_until = until;
            self.arm(index);
        }
    }

    /// Adds a child to those whose question its parent has not got, or removes it.
    pub(in crate::state) fn note_asker(&mut self, task: Key, asks: bool) {
        let parent = self.tree.at_mut(self.node(task.index).parent);
        if asks && parent.is_task() {
            parent.mailbox_mut().askers.push(task);
        } else if !parent.askers().is_empty() {
            parent.mailbox_mut().askers.retain(|asker| *asker != task);
        }
    }

    /// A question is over. If none was open, this attempt got an earlier attempt's answer.
    pub(in crate::state) fn question_closed(&mut self, of: RunKey, answer: Option<Text>) {
        let task = of.task;
        self.note_asker(task, false);
        let node = self.tree.at_mut(task.index);
        node.updated_at = self.now;
        match (node.mailbox_mut().question.take(), answer) {
            (Some(text), Some(answer)) => self.remember(task.index, DeliveredText { text, answer: Some(answer) }),
            (Some(_), None) => {}
            (None, _) => {
                if let Some((at, ..)) = self.node(task.index).answer_kept() {
                    self.tree.at_mut(task.index).mailbox_mut().kept.0 = at.saturating_add(1);
                }
            }
        }
        if let Some(index) = self.find(of) {
            self.runs.at_mut(index).timers.ask_until = None;
            self.arm(index);
        }
    }

    /// The actor's most recently changed child that takes messages (M3); if two changed at once, the younger.
    #[must_use]
    pub fn open_child(&self, actor: crate::model::input::Actor) -> Option<Key> {
        let (parent, _) = self.place_of(actor).ok()?;
        let last = self.children(parent).filter(|child| self.takes_messages(*child)).max_by_key(|child| self.node(*child).updated_at);
        last.map(|index| self.key(index))
    }

    fn takes_messages(&self, index: u32) -> bool {
        use crate::model::status::Status;
        use crate::state::tree::node::Kind;
        let node = self.node(index);
        let over = match node.status {
            Status::Cancelled | Status::Closed => true,
            Status::Pending
            | Status::Running
            | Status::Idle
            | Status::Completed
            | Status::Failed
            | Status::TimedOut
            | Status::Interrupted => false,
        };
        node.kind == Kind::Task && !over && !self.is_sealed(index)
    }
}
