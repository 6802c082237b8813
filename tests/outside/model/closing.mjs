// Closing and reopening a task: a close is a cancel after which the task and all under it are closed, and take nothing more until
// each is reopened (L7, C1, C2).

import { isSpent } from './budget.mjs';
import { whenSettled } from './cancels.mjs';
import { answer, asked, open, Refused } from './promises.mjs';
import { hasSettled, stopTask } from './stops.mjs';
import { below, isBelow, lastRun, openRun, statusOf } from './tree.mjs';

export function close(model, { by, target, promise, graceMs = model.options.graceMs }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const task = model.target(actor, target);
    const previous = statusOf(task);
    if (previous === 'closed' && hasSettled(task)) {
      answer(model, promise, { status: previous, previous, acked: 0 });
      return;
    }
    model.count(hasSettled(task) ? 'closes of what rests' : 'closes of what runs');
    actor.acked = [];
    task.closing = true;
    stopTask(model, task, { status: 'closed', reason: 'closed', below: 'ancestor_cancelled', grace: graceMs, by: actor });
    const over = () => finishClose(model, task);
    const tell = () => ({ status: statusOf(task), previous, acked: actor.acked.length });
    whenSettled(model, actor, promise, over, tell, task);
  });
}

/** Once nothing runs there any more, all that ended otherwise is closed as well. Gives whether that is so. */
export function finishClose(model, task) {
  if (!hasSettled(task)) return false;
  if (!task.closing) return true;
  task.closing = false;
  for (const one of [...below(task), task]) {
    if (one.ended === 'closed') continue;
    one.ended = 'closed';
    one.reason = one === task ? 'closed' : 'ancestor_cancelled';
    one.changed = ++model.changes;
  }
  if (lastRun(task) && !task.background) lastRun(task).collected = true;
  return true;
}

/** Reopens a closed task, and nothing under it. One that isn't closed stays as it is. */
export function resume(model, { by, target, promise }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const task = model.target(actor, target);
    const refuse = (code) => {
      throw new Refused(code);
    };
    if (model.sealed(task)) refuse('wrong_status');
    if (statusOf(task) === 'closed') {
      if (task.parent.kind === 'task' && statusOf(task.parent) === 'closed') refuse('wrong_status');
      if (!mayRevive(task, actor)) refuse('wrong_status');
      if (task.depth > model.options.maxDepth) refuse('depth_limit');
      if (isSpent(model, task)) refuse('budget_exhausted');
      model.count('tasks reopened');
      Object.assign(task, { ended: undefined, reason: undefined, saved: undefined });
      task.endedBy = undefined;
      task.changed = ++model.changes;
    }
    answer(model, promise, { status: statusOf(task) });
  });
}

const STOPPED = ['cancelled', 'ancestor_cancelled', 'closed', 'parent_ended', 'drained'];

/** What an actor stopped works again only for that one, or for one above (L7). */
export function mayRevive(task, actor) {
  if (openRun(task) || !task.endedBy || !STOPPED.includes(task.reason)) return true;
  return actor.program || task.endedBy === actor.node || isBelow(task.endedBy, actor.node);
}
