//! The texts of questions for a model: a sub-agent's question, and earlier answers. Owns the texts.

use crate::base::codec::Text;
use crate::base::quote::{LABEL_CHARS, quoted};
use crate::base::slab::Key;
use crate::model::tools::SEND_TOOLS;
use crate::read::fence::{Kind, Source, fence};
use crate::state::{DeliveredText, State};

/// A task's question, for the model that requested the task: fenced, since a sub-agent wrote it (R3).
pub(crate) fn text_of(state: &State, task: Key) -> Option<Text> {
    let node = state.node(task.index);
    let question = node.question().filter(|_| state.tree.contains(task))?;
    let source = Source::of(state, task, node.runs);
    let (label, id) = (quoted(node.label(), LABEL_CHARS), &source.id);
    Some(["Subagent [", &label, "] (id: ", id, ") asks:\n", &fence(&source, Kind::Question, question)].concat().into())
}

/// The same for the next turn of the run that requested the task.
pub(crate) fn text_for_turn(state: &State, task: Key) -> Option<Text> {
    let node = state.node(task.index);
    let how =
        if can_send(state, node.parent) { "\nSend it a message to answer." } else { "\nYou have no tool to answer: your program can." };
    text_of(state, task).map(|text| [&*text, how].concat().into())
}

/// Whether the model of a task or a session may have a tool that sends messages.
pub(crate) fn can_send(state: &State, parent: u32) -> bool {
    let known = state.node(parent).spec().and_then(|spec| spec.tools.as_deref());
    known.is_none_or(|tools| tools.iter().any(|tool| SEND_TOOLS.contains(&&**tool)))
}

/// The text for a new attempt: a steer unchanged, an answer with its question (M5).
pub(crate) fn delivered_text(DeliveredText { text, answer }: &DeliveredText) -> Text {
    answer.as_ref().map_or_else(|| text.clone(), |answer| ["You asked before: ", text, "\nThe answer was: ", answer].concat().into())
}
