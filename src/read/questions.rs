//! What a model reads of questions: of a sub-agent that asks, and of what it was answered before. Owns the words.

use crate::base::codec::Text;
use crate::base::quote::{LABEL_CHARS, quoted};
use crate::base::slab::Key;
use crate::read::fence::{Kind, Source, fence};
use crate::state::{HeardText, State};

/// What a task asks, as the model sees it that asked for the task: fenced, since a sub-agent wrote it (R3).
pub(crate) fn text_of(state: &State, task: Key) -> Option<Text> {
    let node = state.node(task.index);
    let question = node.question().filter(|_| state.tree.contains(task))?;
    let source = Source::of(state, task, node.runs);
    let (label, id) = (quoted(node.label(), LABEL_CHARS), &source.id);
    Some(["Subagent [", &label, "] (id: ", id, ") asks:\n", &fence(&source, Kind::Question, question)].concat().into())
}

/// The same for the next turn of the run that asked for the task.
pub(crate) fn text_for_turn(state: &State, task: Key) -> Option<Text> {
    text_of(state, task).map(|text| [&*text, "\nSend it a message to answer."].concat().into())
}

/// What an attempt hears again: a steer as it is, an answer with what it answers (M5).
pub(crate) fn text_of_heard(HeardText { text, answer }: &HeardText) -> Text {
    answer.as_ref().map_or_else(|| text.clone(), |answer| ["You asked before: ", text, "\nThe answer was: ", answer].concat().into())
}
