//! An independent account of what is said between tasks and those above them, made from the facts alone: which
//! message is next, which steers are open, what was asked. Owns nothing that the manager keeps.

use subagents::{Text, node::Node};

/// Ahead of the queue: what interrupted, then steers that missed their run (M1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Interrupting,
    Missed,
    Queued,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Talk {
    /// In the order in which they came, or missed their run.
    pub(crate) waiting: Vec<(Class, Text)>,
    pub(crate) steers: Vec<Text>,
    pub(crate) delivered: Vec<Text>,
    pub(crate) undelivered: Vec<Text>,
    /// What has steered the message under way, and how many of these, from the front, came before its last checkpoint.
    pub(crate) heard: Vec<Text>,
    pub(crate) covered: usize,
    /// How many of these, from the back, an attempt before this one heard.
    pub(crate) again: usize,
    /// How many steers the attempt missed that has just ended, and what the next one is to hear, until a fact says so.
    pub(crate) missed: usize,
    pub(crate) owed: Option<(Vec<Text>, usize)>,
    pub(crate) held: bool,
    /// The run that asks, what, until when.
    pub(crate) question: Option<(u32, Text, Option<u64>)>,
    /// The run that asked for it knows of the question.
    pub(crate) told: bool,
    pub(crate) barred: bool,
}

impl Talk {
    /// The place of the message that is next.
    fn first(&self) -> Option<usize> {
        (0..self.waiting.len()).min_by_key(|at| (self.waiting[*at].0, *at))
    }

    pub(crate) fn take_first(&mut self) -> Option<Text> {
        self.first().map(|at| self.waiting.remove(at).1)
    }

    /// The waiting messages in the order of their turn.
    pub(crate) fn in_order(&self) -> Vec<Text> {
        let mut waiting = self.waiting.clone();
        waiting.sort_by_key(|(class, _)| *class);
        waiting.into_iter().map(|(_, text)| text).collect()
    }

    /// A turn or a tool's boundary told the run what was to steer it.
    pub(crate) fn hear(&mut self, most: u64) {
        let again = self.heard.len() - std::mem::take(&mut self.again);
        self.delivered.extend(self.heard[again..].iter().chain(&self.steers).cloned());
        self.heard.append(&mut self.steers);
        while self.heard.len() as u64 > most {
            self.heard.remove(0);
            self.covered = self.covered.saturating_sub(1);
        }
    }

    /// What an attempt in the place of this one is to hear again.
    pub(crate) fn untold(&self, resumes: bool) -> Vec<Text> {
        self.heard[if resumes { self.covered } else { 0 }..].to_vec()
    }

    /// An attempt is over, and another one follows.
    pub(crate) fn owe(&mut self, resumes: bool) {
        let owed = (self.untold(resumes), std::mem::take(&mut self.missed));
        self.owed = Some(owed).filter(|(texts, missed)| !texts.is_empty() || *missed > 0);
    }

    /// The run is to hear this again: what it is owed, or, where another host carries it on, what that one doesn't know.
    pub(crate) fn again(&mut self, texts: &[Text], missed: u32) -> Result<(), String> {
        let expected = match self.owed.take() {
            Some((expected, count)) if count == missed as usize => expected,
            None if missed == 0 => self.untold(texts.len() < self.heard.len()),
            owed => return Err(format!("M1: {missed} steers are to be heard that were missed, of {owed:?}")),
        };
        if expected != texts {
            return Err(format!("M1: {texts:?} is to be heard again, the attempt before heard {:?}", self.heard));
        }
        self.again = texts.len();
        self.covered = self.covered.min(self.heard.len() - texts.len());
        let late = self.waiting.iter().enumerate().filter(|(_, (class, _))| *class == Class::Missed).map(|(at, _)| at);
        let late: Vec<usize> = late.collect();
        let first = late.len() - missed as usize;
        let mut steers: Vec<Text> = late[first..].iter().map(|at| self.waiting[*at].1.clone()).collect();
        for at in late[first..].iter().rev() {
            self.waiting.remove(*at);
        }
        steers.append(&mut self.steers);
        self.steers = steers;
        Ok(())
    }

    /// The message has ended: what steered it is over with it.
    pub(crate) fn end(&mut self) {
        self.heard.clear();
        (self.covered, self.again, self.missed) = (0, 0, 0);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.steers.is_empty() && self.question.is_none() && !self.held
    }

    pub(crate) fn compare(&self, node: &Node) -> Result<(), String> {
        let kept: Vec<&Text> = node.cold.iter().flat_map(|cold| &cold.messages).collect();
        let same = kept.iter().map(|text| &***text).eq(self.in_order().iter().map(|text| &**text));
        if !same {
            return Err(format!("M1: {kept:?} wait, the facts say {:?}", self.in_order()));
        }
        let question = self.question.as_ref().map(|(_, question, _)| question);
        if node.steers() != self.steers.len() || node.is_held() != self.held || node.question() != question {
            return Err(format!("M1, M4, M5: the facts say {self:?}, the state {:?}", node.cold));
        }
        if let Some(owed) = &self.owed {
            return Err(format!("M1: the next attempt does not hear {owed:?}"));
        }
        if node.heard(false) != self.heard || node.heard(true) != self.untold(true) {
            return Err(format!("M1: {:?} steered the run, the facts say {:?}", node.heard(false), self.heard));
        }
        if node.undelivered() != self.undelivered {
            return Err(format!("M2: {:?} was never delivered, the facts say {:?}", node.undelivered(), self.undelivered));
        }
        Ok(())
    }
}
