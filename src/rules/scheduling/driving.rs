//! Driven tasks: their runs wait until the program takes them, then for a slot (X6). Owns which runs it may take.

use crate::base::amounts::Amounts;
use crate::base::slab::{Key, NONE};
use crate::model::fact::Fact;
use crate::model::input::{Actor, Reply};
use crate::model::rejection::Rejection;
use crate::rules::scheduling::queueing;
use crate::rules::scheduling::queueing::Newcomer;
use crate::state::budget::ledger;
use crate::state::runs::run::Phase;
use crate::step::Step;

/// The program takes the queued run of a task; a run that it already took continues. If no slot is free and nothing may wait for
/// one, refuses; the run still waits for the program (D2).
pub(crate) fn take(step: &mut Step<'_>, actor: Actor, task: Key) -> Result<Reply, Rejection> {
    let action = "be started";
    let index = step.state.reach(actor, task)?;
    let node = step.state.node(index);
    if !node.is_driven() {
        return Err(Rejection::WrongStyle { action });
    }
    let run = step.state.run_of(index);
    match run.phase {
        _ if node.run == NONE => return Err(Rejection::wrong_status(node.status, action)),
        Phase::Queued if run.awaits_program => {}
        Phase::Queued | Phase::Open => return Ok(Reply::Done),
        Phase::Backoff { retry_at } => {
            let retry_after_ms = Some(retry_at.saturating_sub(step.now));
            return Err(Rejection::WrongStatus { status: node.status, action, retry_after_ms });
        }
        Phase::Lingering { .. } | Phase::Abandoned => return Err(Rejection::wrong_status(node.status, action)),
    }
    let (number, place) = (run.number, (run.place.rank, run.place.round));
    let lacks = step.state.lacks_here(index, node.spec());
    // Work that waits for its definition or its session is already queued, and no limit applies.
    if step.state.reject && !step.state.lingers(index) && lacks.is_none() {
        let available = ledger::available(&step.state.tree, &step.state.runs, index, Amounts::ZERO);
        let ready_at = step.state.task_ready_at(step.now, index);
        let estimate = step.state.estimate_of(index);
        let newcomer = Newcomer { place, payer: index, available, estimate, ready_at, lacks };
        queueing::check_queue(step.context(), actor, &newcomer)?;
    }
    step.record(Fact::RunTaken { task, run: number });
    Ok(Reply::Done)
}
