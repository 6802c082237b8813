// Messages: one message, one run; where they wait, and what becomes of those that nobody got (L6, L7, M1, M2, M4).

import { admitMessage, isClogged } from './admission.mjs';
import { NOTHING } from './amounts.mjs';
import { answerWith } from './asking.mjs';
import { isSpent } from './budget.mjs';
import { mayRevive } from './closing.mjs';
import { refusesSpawn } from './drain.mjs';
import { newTally } from './kinds.mjs';
import { Refused } from './promises.mjs';
import { isAbsent } from './restart.mjs';
import { enqueue, placeBegun, takePlace } from './slots.mjs';
import { stopRun } from './stops.mjs';
import { lastRun, openRun, statusOf } from './tree.mjs';

let order = 0;

export function newMessage(text, mode) {
  return { text, mode, order: order++ };
}

/** Makes the run that answers a text. */
export function newRun(model, task, message) {
  const { text } = message;
  const above = task.parent.kind === 'task' ? openRun(task.parent) : undefined;
  // What worked for a run that was lost works for the one that goes on with it, also before that has started (J3).
  const last = lastRun(task);
  const comes = above && !above.started && (last ? last.caller : task.worksFor) === above;
  const run = {
    message,
    // A run whose host function has returned asks for nothing any more, and waits for background work alone (C3).
    caller: comes || (above?.started && (!above.returned || task.background)) ? above : undefined,
    task,
    number: task.runs.length + 1,
    text,
    since: model.now,
    turns: 0,
    reported: { ...NOTHING },
    spent: { ...NOTHING },
    of: { ...task.of, tally: newTally() },
    tells: new Set(),
    invalid: new Set(),
    softUsed: 0,
    hold: { ...NOTHING },
    whole: false,
    debts: [],
    started: false,
    slot: false,
    parks: new Set(),
    end: undefined,
  };
  task.endedBy = undefined;
  task.runs.push(run);
  task.changed = ++model.changes;
  enqueue(model, run);
  return run;
}

/** A message from outside: gives its receipt. */
export function send(model, { by, target, text, mode }) {
  const actor = model.actor(by);
  const task = model.target(actor, target);
  const asking = openRun(task)?.question && !model.sealed(task) ? openRun(task) : undefined;
  if (asking) return answerWith(model, asking, text);
  if (refusesSpawn(model, actor, task.background)) throw new Refused('draining');
  if (model.sealed(task) || statusOf(task) === 'closed' || (task.cancelRequested && openRun(task))) throw new Refused('wrong_status');
  if (!mayRevive(task, actor)) throw new Refused('wrong_status');
  const next = !openRun(task) || (mode === 'interrupt' && !openRun(task).started);
  const reasons = [];
  if (next && isSpent(model, task)) reasons.push('budget_exhausted', ...(isClogged(model) ? ['abandoned_limit'] : []));
  if (task.queue.length >= model.options.maxMessages) reasons.push('messages_limit');
  // If several hold, no rule says which is reported.
  if (reasons.length > 0) throw new Refused(reasons.includes(model.seenCode) ? model.seenCode : reasons[0]);
  const open = openRun(task);
  const { held, queue, endedBy } = task;
  task.queue = [...queue];
  const receipt = take(model, task, text, mode ?? 'queue');
  const made = openRun(task);
  if (!open && made) admitMessage(model, task, made, { held, queue, endedBy }, actor);
  if (mode === 'interrupt' && open) stopRun(model, open, 'interrupted', 'interrupted', model.options.graceMs, undefined);
  return openRun(task)?.message.text === text && openRun(task) !== open ? 'started' : receipt;
}

/** Takes a message; gives its receipt. */
function take(model, task, text, mode) {
  const run = openRun(task);
  task.held = false;
  task.changed = ++model.changes;
  if (!run) {
    task.queue.push(newMessage(text, mode === 'steer' ? 'missed' : mode));
    nextRun(model, task, undefined);
    return task.queue.some((message) => message.text === text) ? 'queued' : 'started';
  }
  task.queue.push(newMessage(text, mode));
  return 'queued';
}

/** Ahead of the queue: interrupting messages, then steers that missed their run, each in order. */
function inOrder(queue) {
  const rank = { interrupt: 0, met: 1, missed: 2, steer: 2, queue: 3 };
  return [...queue].sort((a, b) => rank[a.mode] - rank[b.mode] || a.order - b.order);
}

/** A drain that leaves work to the next process cancels runs, not what waits behind them. */
function isOver({ status, reason }) {
  return status === 'closed' || (status === 'cancelled' && reason !== 'drained');
}

/** Whether a run above is at work for which the next one would work: it goes on delegating in a drain (D8). */
function isCalledForNext({ draining }, { background, parent }) {
  const above = parent.kind === 'task' ? openRun(parent) : undefined;
  return !background && above !== undefined && above.started && !above.returned && !draining.over && !draining.told;
}

/** The next message begins its run, where the task takes any. */
export function nextRun(model, task, ended) {
  if (ended) for (const message of task.queue) if (message.mode === 'steer') message.mode = 'missed';
  if (openRun(task) || task.ended === 'closed') return;
  const drains = model.draining && !model.isStored && !isCalledForNext(model, task);
  if (task.held && !drains) return;
  if (drains || (ended && !isAbsent(task) && isSpent(model, task)) || (ended && (task.cancelRequested || isOver(ended.end)))) {
    if (task.queue.length > 0) dropMessages(task);
    return;
  }
  const [next, ...rest] = inOrder(task.queue);
  if (!next) return;
  task.queue = rest;
  task.cancelRequested = false;
  const run = newRun(model, task, next);
  // What interrupted a run has its place: before all that only waits where that had begun.
  if (ended?.end.status !== 'interrupted') return;
  if (ended.started) placeBegun(model, run, 1);
  else if (ended.dueAt === undefined) takePlace(model, run, ended);
}

/** What is never delivered is reported at the end (M2). */
export function dropMessages(task) {
  task.unheard = [...(task.unheard ?? []), ...inOrder(task.queue).map((message) => message.text)];
  task.queue = [];
}
