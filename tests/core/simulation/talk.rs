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
        if node.undelivered() != self.undelivered {
            return Err(format!("M2: {:?} was never delivered, the facts say {:?}", node.undelivered(), self.undelivered));
        }
        Ok(())
    }
}
