// What must hold of a life over workers. Owns the list of what is looked at: the log of its programs, the journal and what the
// last lead got, against what the model claims.

import { OPTIONS } from './plan.mjs';

const DIMENSIONS = ['tokens', 'costUsd'];
/** Dollars are sums of thousandths, as numbers have them. */
const isSame = (one, other) => Math.abs(one - other) < 1e-9;

/** What is wrong, a line each. */
export function faultsOf({ claims, lines, events }) {
  const found = lines.filter(({ what }) => what === 'fault').map(({ error }) => error);
  const final = lines.findLast(({ what }) => what === 'final');
  if (final === undefined) return [...found, 'no lead was told all ends'];
  const tasks = new Map(final.tasks.map((task) => [task.name, task]));
  if (tasks.size !== final.tasks.length) found.push(`a task was spawned twice: ${final.tasks.map(({ name }) => name).join(', ')}`);
  for (const claim of claims) endsAs(claim, tasks.get(claim.name), lines, found);
  endsOnce(events, found);
  addsUp(claims, final, lines, found);
  costsAddUp(final, lines, found);
  hasOneKey(lines, found);
  return found;
}

function endsAs({ name, status, reason, output, error }, task, lines, found) {
  if (task === undefined) {
    found.push(`${name} was never spawned`);
    return;
  }
  const reported = lines.filter((line) => line.what === 'told' && line.name === name);
  for (const is of [task, ...reported]) {
    // Nothing is there of one that was stopped while no worker had it.
    const hadNone = status === 'cancelled' && is.output === '';
    const of = (end) => JSON.stringify([end.status, end.reason, ...(hadNone ? [] : [end.output, end.error ?? null])]);
    const [real, expected] = [of(is), of({ status, reason, output, error })];
    if (real !== expected) found.push(`${name}: is ${real}, must be ${expected}`);
  }
  if (task.hostStillRunning) found.push(`${name}: its host function still counts as running`);
}

/** By the journal, over both leads: a run ends once, and one that doesn't end has another in its place. */
function endsOnce(events, found) {
  const [runs, ended] = [new Map(), new Map()];
  for (const { type, taskId, run } of events) {
    if (type === 'run_started') runs.set(`${taskId}#${run}`, `${taskId}#${run + 1}`);
    if (type === 'run_ended') ended.set(`${taskId}#${run}`, (ended.get(`${taskId}#${run}`) ?? 0) + 1);
  }
  for (const [run, times] of ended) if (times > 1) found.push(`${run} ended ${times} times`);
  for (const [run, next] of runs) if (!ended.has(run) && !runs.has(next)) found.push(`${run} never ended`);
}

/** Whether one attempt did all of a task, under one lead: then nothing can have been booked twice, or by what was set aside. */
function isPlain(name, lines) {
  const [first, ...more] = lines.flatMap((line, at) => (line.what === 'host' && line.name === name ? [at] : []));
  const opened = lines.findLastIndex(({ what }) => what === 'opened');
  const reported = lines.findIndex((line) => line.what === 'told' && line.name === name);
  return first !== undefined && more.length === 0 && (first > opened || (reported >= 0 && reported < opened));
}

/**
 * What a task has spent is what it and all below it was booked for. Each report is booked once, or twice where the lead died before
 * its answer came. A turn whose attempt was lost is booked by what was set aside for it.
 */
function addsUp(claims, { tasks, ...budget }, lines, found) {
  const nothing = { tokens: 0, costUsd: 0 };
  const least = new Map(claims.map((claim) => [claim.name, claim.status === 'cancelled' ? nothing : claim.least]));
  for (const dimension of DIMENSIONS) {
    const { spent, reserved } = budget[dimension];
    const roots = tasks.filter(({ parentId }) => parentId === null);
    const sum = roots.reduce((total, task) => total + task.spent[dimension], 0);
    if (!isSame(sum, spent)) found.push(`${dimension}: the tasks have spent ${sum}, the budget says ${spent}`);
    if (reserved !== 0) found.push(`${dimension}: ${reserved} are reserved, though nothing runs`);
    const estimate = dimension === 'tokens' ? OPTIONS.turnEstimate : OPTIONS.turnEstimateUsd;
    for (const task of tasks) {
      const below = tasks.filter(({ parentId }) => parentId === task.taskId);
      const own = below.reduce((rest, child) => rest - child.spent[dimension], task.spent[dimension]);
      const of = (what) => lines.filter((line) => line.what === what && line.name === task.name);
      const reported = of('report').reduce((total, line) => total + line[dimension], 0);
      const lost = isUnknown(task) ? Number.POSITIVE_INFINITY : estimate * of('host').length;
      const most = isPlain(task.name, lines) && !isUnknown(task) ? reported : 2 * reported + lost;
      if (own < least.get(task.name)[dimension] - 1e-9 || own > most + 1e-9)
        found.push(`${dimension}: ${task.name} is booked with ${own}, must be from ${least.get(task.name)[dimension]} to ${most}`);
    }
  }
}

/** One that was stopped when a worker had lost it may have used all that was set aside for it. */
function isUnknown({ status, output }) {
  return status === 'cancelled' && output === '';
}

/** Each list of `costs()` adds up to the ledger, whatever was lost, and a model that was used costs what was reported of it (B11). */
function costsAddUp({ costs, tasks, ...budget }, lines, found) {
  for (const [list, names] of [
    ['byModel', ['a-big', 'a-small', 'b', null]],
    ['byAgent', ['reader', null]],
  ]) {
    for (const dimension of DIMENSIONS) {
      const sum = costs[list].reduce((total, share) => total + share[dimension], 0);
      if (!isSame(sum, budget[dimension].spent)) found.push(`${dimension}: ${list} has ${sum}, the budget says ${budget[dimension].spent}`);
    }
    for (const { name } of costs[list]) if (!names.includes(name)) found.push(`${list} has ${name}`);
  }
  const lost = lines.filter(({ what }) => what === 'host').length;
  for (const { name, tokens, costUsd, unpriced } of costs.byModel) {
    const reported = lines.filter(({ what, of }) => what === 'report' && of === name);
    for (const [dimension, amount, estimate] of [
      ['tokens', tokens, OPTIONS.turnEstimate],
      ['costUsd', costUsd, OPTIONS.turnEstimateUsd],
    ]) {
      const unknown = tasks.filter(isUnknown).reduce((total, task) => total + task.spent[dimension], 0);
      const most = 2 * reported.reduce((total, line) => total + line[dimension], 0) + estimate * lost + unknown;
      if (amount > most + 1e-9) found.push(`${dimension}: ${name} has ${amount} in byModel, must be at most ${most}`);
    }
    if (unpriced) found.push(`${name} counts as unpriced`);
  }
}

/** All attempts at a message have its key, in whichever process (A7). */
function hasOneKey(lines, found) {
  const keys = new Map();
  for (const { what, name, key } of lines) {
    if (what !== 'host') continue;
    const first = keys.get(name) ?? key;
    if (first !== key) found.push(`${name} has two keys for what it does: ${first} and ${key}`);
    keys.set(name, first);
  }
}
