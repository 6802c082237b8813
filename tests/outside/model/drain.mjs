// Draining: no new work; what runs may end, then it is cancelled (D8).

import { answer } from './promises.mjs';
import { isNeeded } from './slots.mjs';
import { stopRun, stopTask } from './stops.mjs';
import { openRun } from './tree.mjs';

export function drain(model, promise, timeoutMs) {
  const until = model.now + timeoutMs;
  if (model.draining) {
    model.draining.until = Math.min(model.draining.until, until);
    model.draining.promises.push(promise);
    return;
  }
  model.draining = { until, promises: [promise], ended: 0, cancelled: 0, over: false, from: model.ended.length };
  cancelUnneeded(model);
}

/** Queued work that no run waits for ends without being called. */
export function cancelUnneeded(model) {
  const queued = [...model.queue].sort((a, b) => b.task.depth - a.task.depth);
  for (const run of queued) {
    if (!isNeeded(model, run)) stopRun(model, run, 'cancelled', 'drained', model.options.graceMs, undefined);
  }
}

export function expireDrain(model) {
  model.draining.over = true;
  for (const task of model.home.children.concat(...[...model.sessions.values()].map((session) => session.children))) {
    if (!task.forgotten)
      stopTask(model, task, { status: 'cancelled', reason: 'drained', below: 'drained', grace: model.options.graceMs, by: undefined });
  }
}

/** Answers the drain where nothing is left to wait for. */
export function finishDrain(model) {
  const { draining } = model;
  if (!draining || draining.told || [...model.tasks.values()].some((task) => openRun(task))) return;
  draining.told = true;
  for (const promise of draining.promises) answer(model, promise, { timedOut: draining.over });
}
