//! Questions: a run that asks its requester parks until the answer, its timeout, or a stop (M5, T1). Owns who could answer, and
//! the reuse of earlier answers.

use crate::base::codec::Text;
use crate::base::slab::{Key, NONE};
use crate::model::effect::Effect;
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::model::spawn::Answers;
use crate::model::status::{Parked, Status};
use crate::read::questions::can_send;
use crate::rules::scheduling::parking;
use crate::rules::waiting;
use crate::state::State;
use crate::state::runs::timers::finite;
use crate::state::tree::node::Asker;
use crate::step::Step;

/// Whether a sub-agent spawned below `parent` would ask with nobody able to answer.
pub(crate) fn is_barred(state: &State, parent: u32, answers: Answers) -> bool {
    match answers {
        Answers::Yes | Answers::Sends => false,
        Answers::No => true,
        Answers::WithTool => !can_send(state, parent),
    }
}

/// A run asks. Actors that wait for it get the question, since it waits for them.
pub(crate) fn ask(step: &mut Step<'_>, actor: Actor, question: Text, timeout_ms: Option<u64>) -> Result<Reply, Rejection> {
    let Actor::Run(task, number) = actor else {
        return Err(Rejection::InvalidArgument { argument: None, what: "only a run asks".into() });
    };
    let (index, _) = step.state.place_of(actor)?;
    if question.trim().is_empty() {
        return Err(Rejection::InvalidArgument { argument: Some("question"), what: "`question` must not be empty".into() });
    }
    let node = step.state.node(index);
    if node.question().is_some() {
        return Err(Rejection::wrong_status(Status::Running, "ask before its last question is answered"));
    }
    if step.state.run_of(index).stop.is_some() || step.state.is_sealed(index) {
        return Ok(Reply::Unanswered { stopped: true });
    }
    if node.asker == Asker::MuteModel {
        return Ok(Reply::Unanswered { stopped: false });
    }
    // The answer to an earlier attempt counts: a requester is asked once (M5, X5, J3).
    if let Some(answer) = node.answer_of_earlier_attempt(&question) {
        end(step, task, Some(answer), false, None);
        return Ok(Reply::Asked);
    }
    let until = finite(step.now, timeout_ms.unwrap_or(step.state.limits.ask_timeout_ms));
    let waits: Vec<u32> = step.waits.waiters(node.run).iter().copied().collect();
    let requester = step.state.node(step.state.node(index).parent).run;
    let is_awaited = requester != NONE && waits.iter().any(|wait| step.waits.at(*wait).run == requester);
    step.record(Fact::QuestionAsked { task, run: number, question, until, delivered: is_awaited });
    for wait in waits {
        // A wait that names the asking task twice was closed the first time.
        if step.waits.open.holds(wait) {
            waiting::close(step, step.waits.key(wait), false);
        }
    }
    Ok(Reply::Asked)
}

/// Ends the open question of a task: with an answer, or without one. The run continues.
pub(crate) fn close(step: &mut Step<'_>, task: Key, answer: Option<Text>, timed_out: bool) {
    let index = step.state.node(task.index).run;
    let parks = parking::next_park(&step.state, index, Parked::Input);
    end(step, task, answer, timed_out, parks);
    parking::resume(step, index);
}

/// The run that asked ends. The fact of its end closes the question, too.
#[inline(never)]
pub(crate) fn give_up(step: &mut Step<'_>, task: Key) {
    let run = step.state.run_of(task.index).number;
    step.effect(Effect::AskDone { task, run, answer: None, timed_out: false });
}

fn end(step: &mut Step<'_>, task: Key, answer: Option<Text>, timed_out: bool, parks: Option<Parked>) {
    let run = step.state.run_of(task.index).number;
    step.record(Fact::QuestionClosed { task, run, answer: answer.clone(), timed_out, parks });
    step.effect(Effect::AskDone { task, run, answer, timed_out });
}
