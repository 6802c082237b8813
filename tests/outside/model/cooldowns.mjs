// Rates: cooldowns that runs with one rate limit share, and the time between starts; who waits for these, and what follows (X1).

import { isStartOverRate } from './rates.mjs';
import { park, unpark } from './slots.mjs';

/** Opens the cooldown of a run's key, or lengthens it. An ended run opens none (A1). */
export function reportRateLimit(model, run, retryAfterMs) {
  const { rateLimitKey: key } = run.task;
  const until = model.now + retryAfterMs;
  if (run.end || (model.cooldowns.get(key) ?? 0) >= until) return;
  model.cooldowns.set(key, until);
  model.changes++;
  // A turn that waits for a slot or for budget is a next turn.
  for (const other of [...model.reentries]) if (other.turnAsked && other.task.rateLimitKey === key) park(model, other, 'cooldown');
}

export function cools(model, task) {
  return model.cooldowns.has(task.rateLimitKey);
}

/** A run starts or comes back: the next one has to wait. */
export function noteStart(model) {
  model.lastStart = model.now;
  model.apart = Math.max(0, model.apart - 1);
}

/** When the next one may: the first `maxConcurrent` after a cooldown are at least 50 ms apart, unless `staggerMs` is given as 0. */
export function nextStart(model) {
  const { staggerMs = 0 } = model.options;
  const isApart = model.apart > 0 && model.options.staggerMs !== 0;
  return model.lastStart + (isApart ? Math.max(50, staggerMs) : staggerMs);
}

/** Whether nothing may start, or come back, for the time alone. */
export function staggers(model) {
  return nextStart(model) > model.now;
}

/** It is over: what is queued may start, and what waited goes on, a turn in line (S2). */
export function endCooldown(model, key) {
  model.cooldowns.delete(key);
  model.apart = model.options.maxConcurrent;
  model.changes++;
  const waiting = model.live.filter((run) => run.parks.has('cooldown') && run.task.rateLimitKey === key && !run.end);
  for (const run of waiting.sort((a, b) => a.startedAt - b.startedAt)) unpark(model, run, 'cooldown');
}

/** Whether a run comes back by itself: when a cooldown is over, its rate is there, or the time of an attempt has come. */
export function awaitsTime(model) {
  const waits = ({ task }) => cools(model, task) || isStartOverRate(model, task);
  const stands = model.live.some((run) => (run.parks.has('cooldown') || run.parks.has('rate')) && !run.end);
  return stands || model.queue.some((run) => !run.end && (run.dueAt !== undefined || waits(run)));
}
