//! The messages of a task (M1, M2). Owns when a message starts a run, steers one, or is dropped; `state/mailbox.rs` stores the
//! messages.

use crate::base::codec::Text;
use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::read::questions::{delivered_text, text_for_turn};
use crate::rules::scheduling::queueing;
use crate::state::State;
use crate::step::Step;

/// Queues the run of the first waiting message, in the place of the run that it interrupted, if there was one.
pub(crate) fn start_next(step: &mut Step<'_>, task: Key, place: Option<(i64, u64)>) {
    let message = step.state.node(task.index).rare.as_ref().and_then(|rare| rare.messages.first().map(|message| message.text.clone()));
    queueing::enqueue(step, task, message, place);
}

/// The texts that enter the conversation of a run at a turn or at the boundary of a tool.
#[derive(Default)]
pub(crate) struct Injected {
    /// The texts: the messages that steer it, then the questions of its children.
    pub(crate) inject: Vec<Text>,
    /// How many messages are among them.
    pub(crate) steers: u32,
    /// The tasks whose questions are among them.
    pub(crate) questions: Vec<Key>,
}

/// The next texts for a run's conversation; a fact then records that they are delivered.
pub(crate) fn to_inject(state: &State, index: u32) -> Injected {
    let (again, steers) = state.node(index).to_steer();
    let mut inject: Vec<Text> = again.iter().map(delivered_text).chain(steers.iter().map(|steer| steer.text.clone())).collect();
    let steers = u32::try_from(inject.len()).unwrap_or(u32::MAX);
    let questions = state.node(index).askers().to_vec();
    inject.extend(questions.iter().filter_map(|task| text_for_turn(state, *task)));
    Injected { inject, steers, questions }
}

/// Delivers to an attempt the earlier attempt's messages that it doesn't know, and the `missed` steers that the earlier one did
/// not get.
pub(crate) fn steer_again(step: &mut Step<'_>, task: Key, run: u32, resumes: bool, missed: usize) {
    let texts = step.state.node(task.index).to_repeat(resumes).iter().map(delivered_text).collect::<Vec<_>>();
    if !texts.is_empty() || missed > 0 {
        step.record(Fact::SteersAgain { task, run, texts, missed: u32::try_from(missed).unwrap_or(u32::MAX) });
    }
}

/// Drops the waiting messages and the steers of the run: they are never delivered (M2).
pub(crate) fn drop_all(step: &mut Step<'_>, task: Key) {
    let waiting = step.state.node(task.index).undelivered_messages();
    if waiting > 0 {
        step.record(Fact::MessagesDropped { task, count: u32::try_from(waiting).unwrap_or(u32::MAX) });
    }
}
