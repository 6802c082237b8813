// Another attempt at a message whose run ended badly: whether there is one, when it may begin, and what it takes over (X5).

import { NOTHING } from './amounts.mjs';
import { giveUpQuestion } from './asking.mjs';
import { isSpent, stopLending } from './budget.mjs';
import { endChildren, finishHost, leaveAlone } from './ends.mjs';
import { endMeasure } from './estimates.mjs';
import { noteRun, pastOf } from './kinds.mjs';
import { newRun } from './messages.mjs';
import { releaseNotices, returnLeased } from './notices.mjs';
import { isAbsent } from './restart.mjs';
import { refuseTurn } from './turns.mjs';

const USUALLY_ON = ['host_threw', 'host_failed', 'host_lost', 'invalid_result'];

/**
 * Whether a run's message may have another one: it wasn't asked to end, and something is left to pay for it once `more` is booked.
 * What a session may spend that isn't registered again isn't known yet.
 */
export function mayGoOn(model, run, more = NOTHING) {
  if (run.stop || run.told || run.claimed || (model.draining && !model.isStored)) return false;
  return !model.sealed(run.task) && (isAbsent(run.task) || !isSpent(model, run.task, more));
}

/**
 * When a run that ends so is retried, if its message may continue; else undefined. The manager draws a delay of ±25 %.
 */
export function attemptAt(model, { task: { retry, name }, number, attempt = 0 }, reason) {
  if (!retry || attempt >= retry.max || !(retry.on ?? USUALLY_ON).includes(reason)) return undefined;
  const ms = retry.backoffMs * 2 ** attempt;
  const quarter = Math.floor(ms / 4);
  const drawn = model.seenWaits?.get(`${name}#${number}`) ?? ms;
  if (Math.abs(drawn - ms) > quarter) model.complaints.push(`${name}#${number} is tried again after ${drawn} ms, not about ${ms} (X5)`);
  return model.now + drawn;
}

/**
 * Ends an attempt at a message: what waits for it, and what wasn't reported, goes over to the next one. So does what steered it and
 * what it was answered, for that to get again, but for what the checkpoint knows from which it `resumes`.
 */
export function endAttempt(model, run, { status = 'failed', reason, error = null }, resumes = false) {
  const { task } = run;
  run.end = { status, reason, output: '', partial: false, at: model.now, isAttempt: true };
  model.reentries = model.reentries.filter((one) => one !== run);
  refuseTurn(model, run, reason);
  giveUpQuestion(model, run);
  noteRun(model, run.of);
  endMeasure(model, run, reason);
  const losses = (run.lost ?? 0) + (run.slot ? 1 : 0);
  finishHost(run);
  stopLending(model, run);
  const next = newRun(model, task, run.message);
  next.heard = (run.heard ?? []).map((one) => ({ ...one, isKept: resumes && one.isKept, isUntold: !(resumes && one.isKept) }));
  next.replies = next.heard.filter((one) => one.isUntold && one.question !== undefined);
  const { caller, since, attempt } = run;
  // Only repeated losses of running work count for `maxLost`.
  Object.assign(next, {
    caller,
    since,
    attempt,
    tried: true,
    attempted: pastOf(run),
    previous: { reason, error, tookTurns: run.turns > 0 || run.previous?.tookTurns === true },
    lost: reason === 'host_lost' ? losses : 0,
  });
  for (const { pins } of model.waits) for (const pin of pins) if (pin.run === run) pin.run = next;
  returnLeased(model, run);
  releaseNotices(model, task);
  return next;
}

/** The sub-agents of an attempt end with it. */
export function endWithAttempt(model, run) {
  leaveAlone(run);
  endChildren(model, run);
}

/** Has the message of a run tried again when its time has come. It has no slot until then, and a place in line only then. */
export function tryAgain(model, run, end, at) {
  const next = endAttempt(model, run, end);
  next.attempt = (run.attempt ?? 0) + 1;
  next.dueAt = at;
  const name = `${run.task.name}#${run.number}`;
  if (!model.seenWaits?.has(name)) next.undrawn = { name, ms: at - model.now };
  endWithAttempt(model, run);
}

/** What the manager drew is seen once its journal has it, which may be later. */
export function redraw(model) {
  for (const run of model.queue) {
    const drawn = run.undrawn && model.seenWaits?.get(run.undrawn.name);
    if (drawn === undefined || run.dueAt === undefined) continue;
    run.dueAt += drawn - run.undrawn.ms;
    run.undrawn = undefined;
  }
}

/** The time of an attempt has come. */
export function beginAttempt(model, run) {
  run.dueAt = undefined;
  run.queuedAt = model.now;
  model.queue.push(...model.queue.splice(model.queue.indexOf(run), 1));
  model.changes++;
}
