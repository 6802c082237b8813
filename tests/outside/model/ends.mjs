// How runs end, and what follows from it for what they started, for who waits, and for the next message (L2 to L7, C3, S4).

import { NOTHING } from './amounts.mjs';
import { giveUpQuestion } from './asking.mjs';
import { isSpent, releaseAll, stopLending } from './budget.mjs';
import { giveUpStart } from './driving.mjs';
import { endMeasure } from './estimates.mjs';
import { notePast, noteRun } from './kinds.mjs';
import { nextRun } from './messages.mjs';
import { ackLeased, makeNotice, releaseNotices, rerouteFrom, returnLeased } from './notices.mjs';
import { leavings, leftBehind } from './policies.mjs';
import { isAbsent, loseHost, queueAgain, unfinishedOf } from './restart.mjs';
import { judge } from './results.mjs';
import { attemptAt, mayGoOn, tryAgain } from './retry.mjs';
import { stopTask } from './stops.mjs';
import { openRun } from './tree.mjs';
import { refuseTurn } from './turns.mjs';
import { bookHold, bookTotal } from './usage.mjs';

/** The host function has returned, or thrown. */
export function hostReturns(model, run, result) {
  run.hostReturned = true;
  run.abandoned = false;
  const mayGo = !run.end && mayGoOn(model, run);
  bookTotal(model, run, result.usage);
  endMeasure(model, run);
  if (run.end) {
    run.task.late = result.threw ?? (result.isNone ? judge(model, run, result).error : result.output);
    finishHost(run);
    return undefined;
  }
  const gave = !result.threw && !result.isNone;
  const output = gave ? result.output : leftBehind(run);
  const forced = run.stop ?? run.told;
  const { status, reason, partial = false, error, value } = judge(model, run, result);
  if (forced) {
    const left = leavings(run, forced, { output, error });
    return finishRun(model, run, { status: forced.status, reason: forced.reason, ...left, by: run.stop?.by, value });
  }
  const at = mayGo ? attemptAt(model, run, reason) : undefined;
  if (at !== undefined) return tryAgain(model, run, { status, reason, error }, at);
  return finishRun(model, run, { status, reason, output: gave ? output : '', partial, error, value });
}

/** The host function is over: the run ends, or waits first for background work that it has to wait for. */
function finishRun(model, run, end) {
  if (end.status !== 'completed' || hasToWaitFor(run).length === 0) return endRun(model, run, end);
  run.returned = end;
  giveUpQuestion(model, run);
  run.slot = false;
  run.parks = new Set(['children']);
  releaseAll(run);
  run.whole = false;
  stopLending(model, run);
  suspendAll(run);
  model.reentries = model.reentries.filter((one) => one !== run);
  endChildren(model, run, (child) => !child.background || child.onParentEnd === 'cancel');
  return undefined;
}

/** It has no deadline any more. */
function suspendAll(run) {
  run.softSince = undefined;
  run.idleAt = undefined;
  run.hardAt = undefined;
}

/** Background work with `onParentEnd: 'wait'` that this run still has to wait for. */
export function hasToWaitFor(run) {
  return run.task.children.filter((child) => child.background && openRun(child)?.caller === run && child.onParentEnd === 'wait');
}

/** Slot and hold of a host function that is over or was given up. */
export function finishHost(run) {
  releaseAll(run);
  run.slot = false;
  run.parks.clear();
}

/** Whether a run that a drain stops is left to the next process (D8). What a run holds that is still running counts as spent. */
function leaves(model, run, still) {
  const spent = () => !isAbsent(run.task) && isSpent(model, run.task, still ? unfinishedOf(run) : NOTHING);
  return model.isStored && run.started && model.onHostLost !== 'fail' && !spent();
}

export function endRun(model, run, end) {
  if (run.end) return undefined;
  const { task } = run;
  if (end.reason === 'drained' && leaves(model, run, end.still)) {
    if (end.still) loseHost(model, run, true);
    return queueAgain(model, run, 'drained', model.onHostLost);
  }
  run.end = {
    status: end.status,
    reason: end.reason,
    output: end.output,
    partial: end.partial,
    still: Boolean(end.still),
    at: model.now,
    by: end.by,
    // A message that isn't tried again any more ends with the last error.
    error: run.started ? end.error : run.previous?.error,
    value: end.value,
  };
  model.ended.push(run);
  task.ended = end.status;
  task.reason = end.reason;
  task.changed = ++model.changes;
  const queued = model.queue.indexOf(run);
  if (queued >= 0) {
    model.queue.splice(queued, 1);
    run.behind = model.queue[queued];
  }
  const inLine = model.reentries.indexOf(run);
  if (inLine >= 0) model.reentries.splice(inLine, 1);
  giveUpQuestion(model, run);
  giveUpStart(model, run);
  run.parks.clear();
  endMeasure(model, run, end.reason);
  // The run will not go on: what its host elsewhere uses can't be reported any more, so what is set aside is booked.
  if (!run.started) bookHold(model, run);
  else noteRun(model, run.of);
  notePast(model, run);
  if (!run.started || run.hostReturned) finishHost(run);
  else run.abandonAt = model.now + model.options.abandonMs;
  stopLending(model, run);
  refuseTurn(model, run, end.reason);
  if (end.status === 'completed') ackLeased(model, task, run);
  else returnLeased(model, run);
  releaseNotices(model, task);
  // The run that it worked for has ended: nobody asks for its end any more.
  if (run.caller?.end || run.caller?.returned) run.end.alone = true;
  leaveAlone(run);
  makeNotice(model, run);
  endChildren(model, run, (child) => !run.returned || child.background);
  nextRun(model, task, run);
  rerouteFrom(model, task, run);
  return undefined;
}

/**
 * The run has ended: ends that came before it, of children that worked for it, are reported to nobody any longer. The end of a child
 * that worked for no run still may be.
 */
export function leaveAlone(run) {
  for (const child of run.task.children) for (const other of child.runs) if (other.end && other.caller === run) other.end.alone = true;
}

/** Whether the open run of a child works for this run: the one that was open above it when it was queued. */
export function isCalledBy(child, run) {
  return openRun(child)?.caller === run;
}

export function endChildren(model, run, which = () => true) {
  const { status } = run.end ?? run.returned;
  const lives = (child) => (status === 'interrupted' || status === 'completed') && child.onParentEnd !== 'cancel';
  for (const child of run.task.children) {
    if (child.forgotten || !isCalledBy(child, run)) continue;
    if (!openRun(child) || !which(child)) continue;
    if (!child.background || !lives(child)) {
      stopTask(model, child, {
        status: 'cancelled',
        reason: 'parent_ended',
        below: 'parent_ended',
        grace: model.options.graceMs,
        by: undefined,
      });
    }
  }
}
