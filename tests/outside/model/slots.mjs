// Who may run: slots, the queue, and runs that give their slot up while they wait (D2, D3, D4, S1 to S5).
// Where a rule leaves the choice among several open, the model follows what the package did if that is one of them.

import { callAs } from '../said.mjs';
import { hasSpawnedAll } from './admission.mjs';
import { NOTHING } from './amounts.mjs';
import { canHold, hasTurn, holdWhole, mayHoldTurn } from './budget.mjs';
import { cools, noteStart, staggers } from './cooldowns.mjs';
import { tick } from './deadlines.mjs';
import { isLeft, refusesSpawn } from './drain.mjs';
import { awaitsProgram, handOver } from './driving.mjs';
import { isStartOverRate, isTurnOverRate, nextInRate, noteStartAhead, passRate, standForRate } from './rates.mjs';
import { isAbsent, lacks } from './restart.mjs';
import { openRun, statusOf } from './tree.mjs';
import { grantTurn } from './turns.mjs';

export function slotsHeld(model) {
  return model.live.filter((run) => run.slot).length;
}

export function abandonedHosts(model) {
  return model.live.filter((run) => run.abandoned).length;
}

/** An earlier run whose host function has not returned and was not given up (L6). */
export function earlierHost(run) {
  return run.task.runs.some((other) => other !== run && other.started && !other.hostReturned && !other.abandoned);
}

function waitedFor(model, run) {
  const waiters = new Set();
  for (const wait of model.waits) {
    if (wait.run && !wait.run.end && !wait.run.returned && wait.pins.some((pin) => pin.run === run)) waiters.add(wait.run);
  }
  return [...waiters];
}

/** How much older work counts for more. */
function ageOf(model, run) {
  return run.started || model.options.ageingMs >= 1e9 ? 0 : (model.now - run.queuedAt) / model.options.ageingMs;
}

/** The least that its priority must count: a child has at least its waiter's, and it grows with age (D2). */
export function priorityOf(model, run, seen = new Set()) {
  if (seen.has(run)) return Number.NEGATIVE_INFINITY;
  seen.add(run);
  const own = Math.max(run.task.priority, run.raised ?? run.task.priority) + ageOf(model, run);
  return Math.max(own, ...waitedFor(model, run).map((waiter) => priorityOf(model, waiter, seen)));
}

/** Whether a run waits for this one, or its parent's for one of its siblings: it may come to wait for this one next (D8). */
export function isNeeded(model, run) {
  const caller = run.task.parent.kind === 'task' ? openRun(run.task.parent) : undefined;
  return caller?.parks.has('children') || isCalledFor(run) || waitedFor(model, run).length > 0;
}

/** Whether an open run called for it in the foreground, and is going to ask for its end. */
export function isCalledFor({ caller, task }) {
  return !task.background && caller !== undefined && caller.started && !caller.end && !caller.returned;
}

/** The most that it may count: whoever asked for it may be going to wait for it. */
function mostOf(model, run) {
  let most = priorityOf(model, run);
  for (const waiter of waitedFor(model, run)) most = Math.max(most, waiter.task.priority);
  for (let node = run.task.parent; node.kind === 'task'; node = node.parent) most = Math.max(most, node.priority + ageOf(model, run));
  return most;
}

export function mayStart(model, run) {
  const waits =
    awaitsProgram(run) ||
    run.dueAt !== undefined ||
    earlierHost(run) ||
    isAbsent(run.task) ||
    cools(model, run.task) ||
    isStartOverRate(model, run.task);
  return !run.started && !run.end && !waits;
}

/** Queued runs that could go next: those that had begun before a restart, a drain or an interrupt, else of the highest priority, and of each parent the first come. */
export function candidates(model) {
  const able = model.queue.filter((run) => mayStart(model, run) && !isLeft(model, run) && canHold(model, run));
  const foremost = Math.max(...able.map(({ begun = 0 }) => begun));
  const ready = able.filter(({ begun = 0 }) => begun === foremost);
  if (foremost > 0) return ready;
  const slack = model.options.ageingMs < 1e9 ? 1 : 0;
  const priority = new Map(ready.map((run) => [run, priorityOf(model, run)]));
  const highest = Math.max(...priority.values());
  const top = ready.filter((run) => mostOf(model, run) >= highest - slack);
  if (slack) return top;
  const first = new Map();
  for (const run of top) {
    // One that took a place stands in its round, behind those that came there meanwhile: of two of these either may be first.
    const place = `${run.task.parent.name ?? run.task.parent.key}/${priority.get(run)}/${mostOf(model, run)}/${run.task.background}/${run.tookPlace ? run.task.name : ''}`;
    if (!first.has(place)) first.set(place, run);
  }
  return [...first.values()];
}

function startRun(model, run) {
  model.queue.splice(model.queue.indexOf(run), 1);
  holdWhole(model, run, model.options.maxConcurrent - slotsHeld(model));
  run.started = true;
  model.begun.push(run);
  run.task.late = undefined;
  run.slot = true;
  if (run.isRated) model.count('runs that waited for their rate');
  if (run.staggered) model.count('runs that waited for the time between starts');
  noteStart(model);
  noteStartAhead(model, run);
  run.startedAt = model.now;
  run.task.changed = ++model.changes;
  if (run.task.isDriven) handOver(model, run, () => callOf(run));
  else model.calls.push(callOf(run));
  tick(model, run);
}

/**
 * A parent with queued work must not fall behind another with queued work (D2): counted is by how many starts, from when both
 * had work in the queue. What waits for its task's last host function keeps the turn that it has; what left the queue gave
 * its turn back, but what stood behind it has not come forward.
 */
function noteFairness(model, run, open) {
  const starter = run.task.parent;
  const lowest = mostOf(model, run);
  const passed = new Set(open.filter((one) => priorityOf(model, one) >= lowest).map((one) => one.task.parent));
  const busy = new Set(model.queue.map((one) => one.task.parent));
  for (const [behind, ahead] of model.passes) {
    if (!busy.has(behind) && behind !== starter) model.passes.delete(behind);
    for (const parent of ahead.keys()) if (!busy.has(parent) && parent !== starter) ahead.delete(parent);
  }
  const count = (behind, ahead, change) => {
    const by = model.passes.get(behind) ?? new Map();
    model.passes.set(behind, by);
    by.set(ahead, (by.get(ahead) ?? 0) + change);
    return by.get(ahead);
  };
  for (const parent of busy) {
    if (parent === starter) continue;
    count(starter, parent, -1);
    if (!passed.has(parent)) continue;
    const times = count(parent, starter, 1);
    const waiting = model.queue.filter((one) => one.task.parent === parent && !mayStart(model, one)).length;
    const left = model.ended.filter((one) => one.task.parent === parent && !one.started).length;
    if (times > 2 + waiting + left)
      model.complaints.push(`${run.task.name} starts: other work is ${times} starts behind that of its parent (D2)`);
  }
}

/** Gives out what is free: first to those that go on, then to those that begin. */
export function pump(model) {
  for (;;) {
    if (slotsHeld(model) >= model.options.maxConcurrent) return;
    if (staggers(model)) {
      for (const run of candidates(model)) run.staggered = true;
      return;
    }
    const back = model.reentries.find((run) => !run.turnAsked || mayHoldTurn(model, run));
    if (back) {
      model.reentries.splice(model.reentries.indexOf(back), 1);
      reenter(model, back);
      continue;
    }
    const turn = nextInRate(model, (run) => cools(model, run.task));
    if (turn) {
      passRate(model, turn);
      continue;
    }
    if (abandonedHosts(model) >= model.options.maxAbandoned) return;
    const open = candidates(model);
    if (open.length === 0) return;
    const chosen = open.find((run) => isWanted(model, run)) ?? open[0];
    startRun(model, chosen);
    // What goes on has been counted when it began.
    if (model.options.ageingMs >= 1e9 && !chosen.begun) noteFairness(model, chosen, open);
  }
}

/** Whether the package's next call of a host function is this one. */
function isWanted(model, run) {
  if (run.task.isDriven) return model.seenDriven?.includes(`${run.task.name}#${run.number}`);
  return model.seenCalls[model.calls.length] === callOf(run);
}

/** What its host function is called with. */
function callOf({ task, number, text, checkpoint, previous }) {
  return callAs(`${task.name}#${number} ${text}`, checkpoint, previous, task.saved);
}

export function enqueue(model, run) {
  run.queuedAt = model.now;
  run.isRated = isStartOverRate(model, run.task);
  model.queue.push(run);
}

/** Why a run may be parked, that which is shown of several first (L1). */
const PARKS = ['children', 'input', 'approval', 'cooldown', 'rate', 'reentry'];

/** What a run is shown to be parked for. */
export function parkedFor(run) {
  return PARKS.find((why) => run.parks.has(why)) ?? null;
}

/** A run can't go on by itself: it gives its slot up, and its place in line (S1). */
export function park(model, run, why) {
  leaveLine(model, run);
  run.parks.add(why);
  run.slot = false;
  run.overLimit = false;
  tick(model, run);
}

/** One of the reasons is gone: it goes on if that was the last one (S2). */
export function unpark(model, run, why) {
  if (run.end || run.returned) return;
  run.parks.delete(why);
  tick(model, run);
  goOn(model, run);
}

function leaveLine(model, run) {
  run.parks.delete('reentry');
  const at = model.reentries.indexOf(run);
  if (at >= 0) model.reentries.splice(at, 1);
}

export function reenter(model, run) {
  leaveLine(model, run);
  run.slot = true;
  noteStart(model);
  tick(model, run);
  if (run.turnAsked) grantTurn(model, run, true);
}

/** The last open wait of a parked run has returned (S2). */
function goOn(model, run) {
  if (run.parks.size > 0) return undefined;
  if (run.turnAsked && cools(model, run.task)) return park(model, run, 'cooldown');
  if (run.turnAsked && isTurnOverRate(model, run)) return standForRate(model, run);
  if (run.asksTurns || run.turnAsked) return standInLine(model, run);
  run.overLimit = slotsHeld(model) >= model.options.maxConcurrent || model.reentries.length > 0;
  return reenter(model, run);
}

/** It waits for a slot before all new starts. */
export function standInLine(model, run) {
  const wasOver = run.overLimit;
  park(model, run, 'reentry');
  // One that gave its place over the limit up stands first, behind those that did so before (S2).
  run.stoodOver = wasOver;
  const first = model.reentries.findIndex((other) => !other.stoodOver);
  model.reentries.splice(wasOver && first >= 0 ? first : model.reentries.length, 0, run);
}

/** How many wait for what. */
function waitingFor(model) {
  const found = {};
  for (const task of model.tasks.values()) {
    const why = task.forgotten ? null : waitsFor(model, task);
    if (why) found[why] = (found[why] ?? 0) + 1;
  }
  return inOrder(found);
}

/** What is waited for, in an order that both sides can be given; none of which there is none. */
export function inOrder(counted) {
  return Object.fromEntries(
    Object.entries(counted)
      .filter(([, count]) => count > 0)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function concurrency(model) {
  return {
    active: slotsHeld(model),
    limit: model.options.maxConcurrent,
    queued: model.queue.length,
    queueLimit: model.options.maxQueued,
    parked: model.live.filter((run) => run.parks.size > 0 && !run.end).length,
    abandoned: abandonedHosts(model),
    waitingFor: waitingFor(model),
  };
}

/** Whether a sub-agent spawned now starts at once; undefined where the queue decides it (D3). */
export function canSpawn(model, actor) {
  if (refusesSpawn(model, actor, false) || model.sealed(actor.node)) return false;
  if (actor.run?.stop) return undefined;
  if (actor.run && actor.node.depth >= model.options.maxDepth) return false;
  if (hasSpawnedAll(model, actor.node)) return false;
  if (cools(model, {}) || isStartOverRate(model, {}) || staggers(model) || abandonedHosts(model) >= model.options.maxAbandoned)
    return false;
  if (!hasTurn(model, { parent: actor.node, cap: model.taskCap, spent: NOTHING })) return false;
  const free = model.options.maxConcurrent - slotsHeld(model) + (actor.run?.slot ? 1 : 0);
  const first = model.reentries.filter((run) => !run.turnAsked || mayHoldTurn(model, run)).length;
  if (free <= first) return false;
  const ahead = model.queue.filter((run) => mayStart(model, run)).length;
  return free > ahead + model.reentries.length ? true : undefined;
}

/** What work that has not begun waits for: the first of the reasons that applies (D4); null where it has begun, or has nothing to do. */
export function waitsFor(model, task) {
  const run = openRun(task);
  const isHeld = !run && task.held && task.queue.length > 0;
  if (run ? run.started : !isHeld) return null;
  if (abandonedHosts(model) >= model.options.maxAbandoned) return 'abandoned';
  if (isHeld) return 'held';
  if (run.dueAt !== undefined) return 'retry';
  if (earlierHost(run)) return 'host';
  if (isAbsent(task)) return lacks(task);
  if (awaitsProgram(run)) return 'program';
  if (cools(model, task)) return 'cooldown';
  if (isStartOverRate(model, task)) return 'rate';
  if (staggers(model)) return 'stagger';
  return canHold(model, run) ? 'slot' : 'budget';
}

export function counts(model) {
  const found = { pending: 0, running: 0, idle: 0, completed: 0, failed: 0, timedOut: 0, cancelled: 0, interrupted: 0, closed: 0 };
  for (const task of model.tasks.values()) {
    if (task.forgotten) continue;
    const status = statusOf(task);
    found[status === 'timed_out' ? 'timedOut' : status]++;
  }
  return found;
}

/** What goes on with something that had begun stands before all that only waits; `place`: how far in front of it. */
export function placeBegun(model, run, place) {
  run.begun = place;
  model.queue.sort((a, b) => (b.begun ?? 0) - (a.begun ?? 0));
}

/** The place of one that has left the queue. */
export function takePlace(model, run, { queuedAt, begun, behind }) {
  Object.assign(run, { queuedAt, begun, tookPlace: true });
  model.queue.splice(model.queue.indexOf(run), 1);
  const at = behind ? model.queue.indexOf(behind) : -1;
  model.queue.splice(at < 0 ? model.queue.length : at, 0, run);
}
