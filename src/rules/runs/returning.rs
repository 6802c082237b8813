//! Returning before the end: a host function that returned well while sub-agents are at work whose parent's end waits
//! for them (C3, `onParentEnd: 'wait'`). Its run stays open without a slot and without a deadline of its own, speaks no
//! more, and ends with what its host function left once they have settled. Owns which runs stay open so, and when they
//! end.

use crate::base::slab::Key;
use crate::model::fact::Fact;
use crate::model::outcome::Outcome;
use crate::model::status::{OnParentEnd, Status, StopReason};
use crate::rules::budget::billing;
use crate::rules::budget::billing::Bill;
use crate::rules::messages::asking;
use crate::rules::runs::ending;
use crate::rules::runs::ending::End;
use crate::rules::waiting;
use crate::state::State;
use crate::step::Step;

/// Whether a run that ends so has to wait for a sub-agent first. A run that a policy told to stop has its grace only.
#[inline(never)]
pub(crate) fn has_to_wait(state: &State, index: u32, end: &End) -> bool {
    end.status == Status::Completed && state.run_of(index).stop.is_none() && works_for_it(state, index)
}

fn works_for_it(state: &State, index: u32) -> bool {
    let number = state.run_of(index).number;
    state.children(index).any(|child| {
        let node = state.node(child);
        node.background && node.parent_run == number && node.status.is_open() && state.on_parent_end(child) == OnParentEnd::Wait
    })
}

/// Takes the result and leaves the run open. Sub-agents that end with a good end of the run end now.
#[inline(never)]
pub(crate) fn leave_open(step: &mut Step<'_>, task: Key, number: u32, outcome: Outcome) {
    let index = step.state.node(task.index).run;
    let Bill { usage, unknown, invalid, loans, .. } = billing::bill_total(&step.state, index, outcome.usage);
    waiting::leave_waits_of(step, index);
    if step.state.node(task.index).question().is_some() {
        asking::give_up(step, task);
    }
    step.record(Fact::RunReturned { task, run: number, usage, unknown, invalid, loans, product: outcome.product });
    ending::end_children(step, task.index, number, Status::Completed);
    end_if_settled(step, task.index);
}

/// Ends the run above a sub-agent that has settled, if that is all that it waited for.
#[inline(never)]
pub(crate) fn parent_of_settled(step: &mut Step<'_>, index: u32) {
    let parent = step.state.node(index).parent;
    end_if_settled(step, parent);
}

fn end_if_settled(step: &mut Step<'_>, index: u32) {
    if step.state.run_of(index).returned.is_some() && !works_for_it(&step.state, index) {
        end(step, index, End { status: Status::Completed, reason: StopReason::Finished, partial: false, host_open: false });
    }
}

/// Ends a run whose host function returned before, with the result of that.
pub(crate) fn end(step: &mut Step<'_>, index: u32, end: End) {
    let task = step.state.key(index);
    let Some(product) = step.state.run_of(index).returned.clone() else { return };
    ending::end_run(step, task, end, Outcome { product: *product, ..Outcome::default() });
}
