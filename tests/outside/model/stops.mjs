// Stopping: interrupt, cancel, close, and what they do to a subtree (C1, C2, C4, M4, L5).

import { giveUpQuestion } from './asking.mjs';
import { endRun, hasToWaitFor } from './ends.mjs';
import { dropMessages } from './messages.mjs';
import { addressee, claim } from './notices.mjs';
import { below, isOpen, openRun } from './tree.mjs';
import { refuseTurn } from './turns.mjs';
import { leaveWaits, returnWaits } from './waits.mjs';

/** Asks a run to stop: one that is queued ends now, an open one gets its grace. The first reason stays. */
export function stopRun(model, run, status, reason, grace, by) {
  if (run.end) return;
  const until = model.now + grace;
  claim(run, by);
  if (!run.started) {
    // A message that was tried before has been delivered (X5).
    if (status === 'interrupted' && !run.tried) run.task.queue.push({ ...run.message, mode: 'met', order: -++model.changes });
    else if (!run.tried) run.task.unheard = [...(run.task.unheard ?? []), run.text];
    endRun(model, run, { status, reason, output: '', partial: false, by });
    return;
  }
  // What works for one that the next process goes on with is stopped by the drain as well, and goes on there, too (D8).
  const goesOn = reason === 'drained' && model.isStored && model.onHostLost === 'resume';
  if (run.returned) hurryForeground(run, until);
  if (run.returned && hasToWaitFor(run).length === 0) {
    endRun(model, run, { ...run.returned, partial: false, by });
  } else if (run.returned) {
    endRun(model, run, { ...run.returned, status, reason, partial: true, by });
  } else if (run.stop) {
    run.stop.until = Math.min(run.stop.until, until);
    hurryForeground(run, until);
    for (const child of run.task.children) {
      const open = openRun(child);
      if (!goesOn && !child.background && !child.forgotten && open?.caller === run && !open.stop) stopForeground(model, child, grace, by);
    }
    if (by?.interrupts && (run.stop.by?.run?.end || (by.node === addressee(run.task) && by.node !== run.stop.by?.node && run.stop.by)))
      run.stop.by = by;
    else if (by?.interrupts || run.stop.status === status) run.stop.by ??= by;
    // Nor does the next process go on with what ends while a drain stops it (D8).
    const handsOn = model.isStored && model.draining;
    const drained = handsOn && run.stop.reason === 'drained' && reason !== 'drained' && status !== 'interrupted';
    if (drained || (run.stop.status === 'interrupted' && status !== 'interrupted')) Object.assign(run.stop, { status, reason, by });
  } else {
    for (const child of run.task.children) {
      // A drain has stopped those that run before.
      const isDrained = openRun(child)?.stop?.reason === 'drained';
      if (!goesOn && !isDrained && !child.background && !child.forgotten && openRun(child)?.caller === run) {
        stopForeground(model, child, grace, by);
      }
    }
    returnWaits(model, (wait) => wait.run && !wait.run.end);
    run.stop = { status, reason, until, by, asker: addressee(run.task), turn: ++model.changes };
    // Its questions are asked again in the next process, and it waits there (D8).
    run.isLeft = reason === 'drained' && model.isStored && model.onHostLost !== 'fail';
    if (run.isLeft) leaveWaits(model, run);
    run.hardAt = undefined;
    model.aborts.push(`${run.task.name}#${run.number}`);
    refuseTurn(model, run, reason);
    giveUpQuestion(model, run);
  }
}

/** What a run had running for itself and was asked to stop may get less time, and so may all under it (C2). */
function hurryForeground(run, until) {
  for (const child of run.task.children) {
    if (child.background || child.forgotten || openRun(child)?.caller !== run) continue;
    for (const { stop } of [...below(child), child].flatMap((one) => openRun(one) ?? []))
      if (stop) stop.until = Math.min(stop.until, until);
  }
}

/** What a run that has to stop had running for itself. */
function stopForeground(model, child, grace, by) {
  const who = by?.interrupts ? { ...by, covers: child } : by;
  stopTask(model, child, { status: 'cancelled', reason: 'parent_ended', below: 'parent_ended', grace, by: who });
}

/** Ends a task and all under it, leaves first. `how` has the status, the reasons, the grace and who asked. */
export function stopTask(model, task, how) {
  if (how.by) how.by.covers ??= task;
  const all = [...below(task), task];
  if (how.reason === 'parent_ended') {
    // Each that is being cancelled seals what is below it until it has ended.
    for (const one of all) {
      const run = openRun(one);
      if (run && (!run.stop || run.stop.status === 'interrupted')) model.stops.push({ root: one, over: () => Boolean(run.end) });
    }
  }
  for (const one of all) {
    const run = openRun(one);
    // What its time has stopped before ends for that, and takes messages (L6).
    const isStopped = how.reason === 'parent_ended' && run?.stop && !['cancelled', 'closed', 'interrupted'].includes(run.stop.status);
    one.cancelRequested = run !== undefined && !isStopped;
    if (how.by && how.reason !== 'parent_ended') noteEnder(one, how);
  }
  for (const one of all) endOne(model, one, how, one === task ? how.reason : how.below);
}

/** Who may have it work again (L7): a cancel changes nothing of what had ended, a close does. */
function noteEnder(task, { status, by }) {
  const wasWish = ['cancelled', 'ancestor_cancelled', 'closed'].includes((openRun(task)?.stop ?? task).reason);
  if (isOpen(task)) task.endedBy ??= by.node;
  else if (status === 'closed' && !(wasWish && task.endedBy)) task.endedBy = by.node;
}

function endOne(model, task, how, reason) {
  const run = openRun(task);
  if (run?.started) dropMessages(task);
  if (run) stopRun(model, run, how.status, reason, how.grace, how.by);
  else if (task.ended === undefined || (how.status === 'closed' && task.ended !== 'closed')) {
    task.ended = how.status;
    task.reason = reason;
    task.changed = ++model.changes;
  }
  dropMessages(task);
}

/** Whether nothing runs any more in a task and under it. */
export function hasSettled(task) {
  return [...below(task), task].every((one) => !openRun(one));
}
