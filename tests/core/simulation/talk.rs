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

/// What an attempt gets of a question that one before it asked.
fn exchange(question: &str, answer: &str) -> Text {
    format!("You asked before: {question}\nThe answer was: {answer}").into()
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
    /// How many of these, up to the end of `kept`, this attempt gets that attempts before it got.
    pub(crate) again: usize,
    /// From which of these on, and up to which, this attempt gets answers again.
    pub(crate) kept: (usize, usize),
    /// How many steers the attempt missed that has just ended, and what the next one gets, until a fact says so.
    pub(crate) missed: usize,
    pub(crate) owed: Option<(Vec<Text>, usize)>,
    pub(crate) paused: bool,
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

    /// A turn or a tool's boundary delivered to the run what steers it.
    pub(crate) fn hear(&mut self, most: u64) {
        self.delivered = [&self.delivered, self.again(), &self.steers].map(|texts| texts.to_vec()).concat();
        self.again = 0;
        let steers = std::mem::take(&mut self.steers);
        self.keep(steers, most);
    }

    /// A question was answered: an attempt in the place of this one is to know.
    pub(crate) fn answered(&mut self, question: &str, answer: &str, most: u64) {
        self.keep(vec![exchange(question, answer)], most);
    }

    fn keep(&mut self, texts: Vec<Text>, most: u64) {
        self.heard.extend(texts);
        while self.heard.len() as u64 > most {
            self.heard.remove(0);
            self.covered = self.covered.saturating_sub(1);
            self.kept = (self.kept.0.saturating_sub(1), self.kept.1.saturating_sub(1));
        }
    }

    /// What this attempt gets that attempts before it got.
    pub(crate) fn again(&self) -> &[Text] {
        &self.heard[self.untold_from()..self.kept.1]
    }

    fn untold_from(&self) -> usize {
        self.kept.1.saturating_sub(self.again)
    }

    /// A run saves a checkpoint: one that continues from there knows this much of what was delivered.
    pub(crate) fn cover(&mut self) {
        self.covered = if self.again > 0 { self.untold_from() } else { self.heard.len() };
    }

    /// Where the first answer stands that attempts before this one got.
    fn first_kept(&self) -> Option<usize> {
        (self.kept.0..self.kept.1).find(|at| self.heard[*at].starts_with("You asked before: "))
    }

    /// The run asks: somebody has to answer, since no attempt before it was answered.
    pub(crate) fn asks(&self, question: &str) -> Result<(), String> {
        let text = exchange(question, "");
        match self.first_kept().filter(|at| self.heard[*at].starts_with(&*text)) {
            Some(at) => Err(format!("M5: it asks {question:?}, which was answered: {:?}", self.heard[at])),
            None => Ok(()),
        }
    }

    /// The run got an answer of before again.
    pub(crate) fn repeat(&mut self, answer: &str) -> Result<(), String> {
        let answered = |at: &usize| self.heard[*at].ends_with(&*format!("\nThe answer was: {answer}"));
        let Some(at) = self.first_kept().filter(answered) else {
            return Err(format!("M5: {answer:?} was the answer again, there is {:?} from {:?}", self.heard, self.kept));
        };
        self.kept.0 = at + 1;
        Ok(())
    }

    /// What an attempt in the place of this one gets again.
    pub(crate) fn untold(&self, resumes: bool) -> Vec<Text> {
        self.heard[if resumes { self.covered } else { 0 }..].to_vec()
    }

    /// An attempt is over, and another one follows.
    pub(crate) fn owe(&mut self, resumes: bool) {
        let owed = (self.untold(resumes), std::mem::take(&mut self.missed));
        self.kept = (0, 0);
        self.owed = Some(owed).filter(|(texts, missed)| !texts.is_empty() || *missed > 0);
    }

    /// The run gets this again: what it is owed, or, where another host carries it on, what that one doesn't know.
    pub(crate) fn hear_again(&mut self, texts: &[Text], missed: u32) -> Result<(), String> {
        let expected = match self.owed.take() {
            Some((expected, count)) if count == missed as usize => expected,
            None if missed == 0 => self.untold(texts.len() < self.heard.len()),
            owed => return Err(format!("M1: {missed} steers are to be heard that were missed, of {owed:?}")),
        };
        if expected != texts {
            return Err(format!("M1: {texts:?} is to be heard again, the attempt before heard {:?}", self.heard));
        }
        self.again = texts.len();
        self.kept = (self.heard.len() - texts.len(), self.heard.len());
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
        (self.covered, self.again, self.missed, self.kept) = (0, 0, 0, (0, 0));
    }

    pub(crate) fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.steers.is_empty() && self.question.is_none() && !self.paused
    }

    pub(crate) fn compare(&self, node: &Node) -> Result<(), String> {
        let kept: Vec<&Text> = node.rare.iter().flat_map(|rare| &rare.messages).map(|message| &message.text).collect();
        let same = kept.iter().map(|text| &***text).eq(self.in_order().iter().map(|text| &**text));
        if !same {
            return Err(format!("M1: {kept:?} wait, the facts say {:?}", self.in_order()));
        }
        let question = self.question.as_ref().map(|(_, question, _)| question);
        if node.steers() != self.steers.len() || node.is_paused() != self.paused || node.question() != question {
            return Err(format!("M1, M4, M5: the facts say {self:?}, the state {:?}", node.rare));
        }
        if let Some(owed) = &self.owed {
            return Err(format!("M1: the next attempt does not hear {owed:?}"));
        }
        let texts = |resumes: bool| -> Vec<Text> {
            let heard = node.to_repeat(resumes).iter();
            heard.map(|heard| heard.answer.as_ref().map_or_else(|| heard.text.clone(), |answer| exchange(&heard.text, answer))).collect()
        };
        if texts(false) != self.heard || texts(true) != self.untold(true) {
            return Err(format!("M1: {:?} steered the run, the facts say {:?}", node.to_repeat(false), self.heard));
        }
        if node.undelivered() != self.undelivered {
            return Err(format!("M2: {:?} was never delivered, the facts say {:?}", node.undelivered(), self.undelivered));
        }
        Ok(())
    }
}
