// When a run has to end: soft time-out, silence, grace, and giving a host function up (T1, T2, L5, S4).

import { expireQuestion } from './asking.mjs';
import { endCooldown, nextStart, staggers } from './cooldowns.mjs';
import { expireDrain } from './drain.mjs';
import { endRun, finishHost } from './ends.mjs';
import { endMeasure } from './estimates.mjs';
import { wakeLeases } from './notices.mjs';
import { leavings, leftBehind } from './policies.mjs';
import { rateMoments } from './rates.mjs';
import { beginAttempt } from './retry.mjs';
import { stopRun } from './stops.mjs';
import { bookHold } from './usage.mjs';
import { expireWait, returnWaits } from './waits.mjs';

/** The clocks of a run stand or go on, as what it is parked for asks: its time goes on while it waits for sub-agents alone (T1, T2). */
export function tick(model, run) {
  const stands = [...run.parks].some((why) => why !== 'children');
  if (run.softSince !== undefined) run.softUsed += model.now - run.softSince;
  run.softSince = stands ? undefined : model.now;
  run.idleAt = run.idleArmed && run.parks.size === 0 ? model.now + run.task.idleTimeoutMs : undefined;
}

/** A report or a turn: the run isn't silent (T2). */
export function heard(model, run) {
  run.idleArmed = true;
  run.idleAt = run.parks.size > 0 ? undefined : model.now + run.task.idleTimeoutMs;
}

function due(model) {
  const found = [];
  let depth = 0;
  let turn = 0;
  const add = (at, fire, stops = false) => at !== undefined && Number.isFinite(at) && found.push({ at, depth, turn, fire, stops });
  for (const run of model.live) {
    depth = run.task.depth;
    // What was asked to stop first is first.
    turn = run.stop?.turn ?? 0;
    if (run.question) add(run.question.until, () => expireQuestion(model, run));
    if (run.started && !run.end) {
      if (run.stop)
        add(run.stop.until, () =>
          endRun(model, run, { ...run.stop, ...leavings(run, run.stop, { output: leftBehind(run) }), still: true }),
        );
      else {
        if (run.softSince !== undefined && !run.softTold && !run.verdict)
          add(run.softSince + run.task.timeoutMs - run.softUsed, () => softTimeout(model, run));
        const { status, reason } = run.verdict ? run.told : { status: 'timed_out', reason: 'timeout' };
        if (run.hardAt !== undefined) add(run.hardAt, () => stopRun(model, run, status, reason, model.options.graceMs), true);
        if (!run.softTold && !run.verdict)
          add(run.idleAt, () => stopRun(model, run, 'timed_out', 'idle_timeout', model.options.graceMs), true);
      }
    }
    if (run.end && run.started && !run.hostReturned && !run.abandoned) add(run.abandonAt, () => abandon(model, run));
  }
  [depth, turn] = [0, 0];
  const attempts = model.queue.filter((run) => run.dueAt !== undefined).sort((one, other) => one.dueAt - other.dueAt);
  for (const run of attempts) add(run.dueAt, () => beginAttempt(model, run));
  for (const wait of model.waits) add(wait.until, () => expireWait(model, wait));
  for (const notice of model.notices) if (notice.delivery === 'leased') add(notice.leasedUntil, () => wakeLeases(model, notice));
  for (const [key, until] of model.cooldowns) add(until, () => endCooldown(model, key));
  const waiting = model.queue.length + model.reentries.length + model.live.filter((run) => run.parks.has('rate')).length;
  if (staggers(model) && waiting > 0) add(nextStart(model), () => model.changes++);
  for (const at of rateMoments(model)) add(at, () => model.changes++);
  if (model.draining && !model.draining.over && !model.draining.told) add(model.draining.until, () => expireDrain(model));
  return found;
}

function softTimeout(model, run) {
  run.softTold = true;
  run.told = { status: 'timed_out', reason: 'timeout' };
  run.hardAt = model.now + model.options.graceMs;
}

/** A host function is left behind; of a run that the program carries out, nothing is (X6). */
function abandon(model, run) {
  if (run.task.isDriven) run.hostReturned = true;
  else run.abandoned = true;
  bookHold(model, run);
  endMeasure(model, run);
  finishHost(run);
}

/** The earliest moment at which something is due; undefined where nothing is until then. */
export function nextMoment(model, until) {
  const at = Math.min(...due(model).map((entry) => entry.at), Number.POSITIVE_INFINITY);
  return at <= until ? at : undefined;
}

/** Fires all that is due now, each once: ends before aborts, leaves first. */
export function fireDue(model) {
  const now = due(model).filter((one) => one.at <= model.now);
  for (const entry of now.sort((a, b) => Number(a.stops) - Number(b.stops) || b.depth - a.depth || a.turn - b.turn)) {
    entry.fire();
    returnWaits(model, (wait) => wait.run && !wait.run.end);
    model.finishStops();
  }
}
