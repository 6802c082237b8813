// Draining: no new work; what runs may end, then it is cancelled (D8).

import { answer } from './promises.mjs';
import { endsWithCaller } from './restart.mjs';
import { isCalledFor, isNeeded } from './slots.mjs';
import { stopRun, stopTask } from './stops.mjs';
import { leavesFirst, openRun } from './tree.mjs';

export function drain(model, promise, timeoutMs) {
  const until = model.now + timeoutMs;
  if (model.draining) {
    model.draining.until = Math.min(model.draining.until, until);
    model.draining.promises.push(promise);
    return;
  }
  model.draining = { until, promises: [promise], ended: 0, cancelled: 0, over: false, from: model.ended.length };
  if (!model.isStored) cancelUnneeded(model);
}

/** Queued work that no run waits for ends without being called. */
export function cancelUnneeded(model) {
  const queued = [...model.queue].sort((a, b) => b.task.depth - a.task.depth);
  for (const run of queued) {
    // Its time may be long in coming (X5).
    if (run.dueAt !== undefined || !isNeeded(model, run)) stopRun(model, run, 'cancelled', 'drained', model.options.graceMs, undefined);
  }
}

export function expireDrain(model) {
  model.draining.over = true;
  if (model.isStored) {
    stopAll(model);
    return;
  }
  for (const task of model.home.children.concat(...[...model.sessions.values()].map((session) => session.children))) {
    if (!task.forgotten)
      stopTask(model, task, { status: 'cancelled', reason: 'drained', below: 'drained', grace: model.options.graceMs, by: undefined });
  }
}

/** Where a store is, what is queued is left to the next process, and what runs is asked to stop. */
function stopAll(model) {
  const running = model.live.filter((one) => !one.end && !one.returned);
  for (const run of leavesFirst(model, running)) stopForDrain(model, run);
}

/** What was asked to wrap up ends for that, as where its process is lost (L4, J3); what works for one that begins anew ends (C3). */
function stopForDrain(model, run) {
  const drained = endsWithCaller(model, run, model.onHostLost, false) ? 'parent_ended' : 'drained';
  stopRun(model, run, run.told?.status ?? 'cancelled', run.told?.reason ?? drained, model.options.graceMs, undefined);
}

/** Whether a drain refuses a spawn: a run delegates until the time is over, in the background where a store is. */
export function refusesSpawn(model, actor, background) {
  if (!model.draining) return false;
  return !actor.run || model.draining.over || model.draining.told || (background && !model.isStored);
}

/** Whether a drain leaves queued work to the next process: no run above waits for sub-agents, and none called for it. */
export function isLeft(model, run) {
  if (!model.draining || !model.isStored) return false;
  if (model.draining.over) return true;
  if (isCalledFor(run)) return false;
  for (let node = run.task.parent; node.kind === 'task'; node = node.parent) if (openRun(node)?.parks.has('children')) return false;
  return true;
}

/** Whether a drain still has to wait for a task. */
function isAwaited(model, task) {
  const run = openRun(task);
  if (!run || !model.isStored) return run !== undefined;
  // One whose host function has returned may wait for what the next process does.
  return run.started && !(model.draining.over && run.returned);
}

/** Answers the drain where nothing is left to wait for. */
export function finishDrain(model) {
  const { draining } = model;
  if (!draining || draining.told || [...model.tasks.values()].some((task) => isAwaited(model, task))) return;
  draining.told = true;
  for (const promise of draining.promises) answer(model, promise, { timedOut: draining.over });
}
