// What becomes of everything when the process ends and the next one opens its journal (J3): what was in flight, what waited,
// leases, sessions, and what was kept from being done twice (D7).

import { DIMENSIONS, each, isNothing, NOTHING } from './amounts.mjs';
import { forgetQuestion } from './asking.mjs';
import { pathOf, releaseAll } from './budget.mjs';
import { endCooldown } from './cooldowns.mjs';
import { endRun, finishHost } from './ends.mjs';
import { wakeLeases } from './notices.mjs';
import { leavings, leftBehind } from './policies.mjs';
import { attemptAt, beginAttempt, endAttempt, endWithAttempt, mayGoOn, tryAgain } from './retry.mjs';
import { placeBegun } from './slots.mjs';
import { actorOf, leavesFirst, openRun, sessionOf } from './tree.mjs';
import { bookDoubted, bookHeld, bookHold } from './usage.mjs';

/**
 * The next process begins, at the model's present moment. `lost` is its `onHostLost`; `outlived`: the hosts of the last one are
 * elsewhere, and go on.
 */
export function reopen(model, lost, outlived = false) {
  // A cancel reports the ends that it causes, whoever is still there to get them.
  const cancels = model.stops.filter((stop) => stop.promise && stop.root);
  // What waited for these comes before what is queued now, and has no slot yet.
  for (const [key, until] of model.cooldowns) if (until <= model.now) endCooldown(model, key);
  forgetProcess(model);
  for (const session of model.sessions.values()) session.absent = true;
  for (const run of model.live.filter((one) => one.end)) {
    loseHost(model, run);
    run.abandoned = false;
    finishHost(run);
  }
  const open = model.live.filter((run) => !run.end && !run.returned);
  const begun = model.queue.filter(({ hold }) => !isNothing(hold));
  if (begun.length > 0) model.count(`restarts while runs wait whose hosts ${outlived ? 'elsewhere are' : 'were'} at a turn`);
  if (!outlived) for (const run of begun) loseElsewhere(model, run);
  // A host that is found again goes on where it is: nothing begins anew.
  const how = outlived && lost === 'requeue' ? 'resume' : lost;
  for (const run of leavesFirst(model, open)) loseRun(model, run, how, outlived);
  for (const notice of model.notices) if (notice.delivery === 'leased' && !notice.leasedTo) wakeLeases(model, notice);
  const due = model.queue.filter((run) => run.dueAt <= model.now);
  for (const run of due.sort((a, b) => a.dueAt - b.dueAt)) beginAttempt(model, run);
  model.settle();
  for (const { tell } of cancels) tell();
}

/** Who waited, and what they waited for, was of the process. */
function forgetProcess(model) {
  Object.assign(model, { waits: [], stops: [], tellings: [], late: [], reentries: [], calls: [], aborts: [] });
  model.process++;
  for (const run of model.queue) Object.assign(run, { isTaken: false, takers: [] });
  model.promises = new Map();
  model.draining = undefined;
  for (const run of model.live) {
    run.turnAsked = false;
    forgetQuestion(model, run);
  }
  for (const notice of model.notices) {
    notice.heldBy = undefined;
    if (notice.delivery === 'awaited') notice.delivery = 'pending';
  }
}

/** A host elsewhere is gone after all: what it was at counts as used, as far as anything caps it. */
function loseElsewhere(model, run) {
  const isCapped = (dimension) => pathOf(run.task).some((node) => Number.isFinite(node.cap[dimension]));
  for (const dimension of DIMENSIONS) if (isCapped(dimension)) bookHeld(model, run, dimension);
  releaseAll(run);
}

/** It ends as it was asked before, else its message is queued again, tried again, or ends as lost. */
function loseRun(model, run, lost, outlived) {
  const forced = run.stop ?? run.told;
  // First come those that had a slot: what they had begun elsewhere may go on still. Then those that had given theirs up.
  const place = 2 * model.process + (run.slot ? 1 : 0);
  const along = !forced && endsWithCaller(model, run, lost, true, outlived);
  const again = !along && mayBeLost(model, run, lost, outlived);
  const at = !along && mayGoOn(model, run, unfinishedOf(run)) ? attemptAt(model, run, 'host_lost') : undefined;
  if (again && outlived) return leaveElsewhere(model, run, lost, place);
  loseHost(model, run, again || at !== undefined);
  if (again) return queueAgain(model, run, 'host_lost', lost, place);
  const how = forced ?? (along ? { status: 'cancelled', reason: 'parent_ended' } : { status: 'failed', reason: 'host_lost' });
  if (at !== undefined) return tryAgain(model, run, how, at);
  const { status, reason } = how;
  return endRun(model, run, { status, reason, ...leavings(run, how, { output: leftBehind(run) }), by: run.stop?.by });
}

/** Its host is elsewhere and goes on: the turn that it is at stays set aside, and is reported under the next number. */
function leaveElsewhere(model, run, lost, place) {
  bookDoubted(model, run);
  const open = run.whole ? NOTHING : { ...run.hold };
  if (!isNothing(open)) model.count('turns that went on elsewhere over a restart');
  releaseAll(run);
  run.hostReturned = true;
  Object.assign(queueAgain(model, run, 'host_lost', lost, place).hold, open);
}

/**
 * Whether a lost run's message may be queued again: the turn that it was at counts as spent then, and what waits can't be what
 * ended the process. Where its host goes on elsewhere, only what can't be read counts, and nothing elsewhere can have ended it.
 */
function mayBeLost(model, run, lost, outlived) {
  const losses = (run.lost ?? 0) + (run.slot ? 1 : 0);
  const isTooOften = !outlived && losses > model.options.maxLost;
  return lost !== 'fail' && !isTooOften && mayGoOn(model, run, outlived ? doubtedOf(run) : unfinishedOf(run));
}

/** What counts as spent of what a lost run holds that ends: nothing where its host takes turns, and had begun none yet (B14). */
function spentOf(run) {
  return run.turns === 0 && run.previous?.tookTurns ? unfinishedOf(run) : run.hold;
}

/** The same where its message is tried again: of one that has begun no turn nothing is known, and the next attempt has its hold. */
export function unfinishedOf(run) {
  return run.whole ? doubtedOf(run) : run.hold;
}

function doubtedOf(run) {
  return each((dimension) => (run.invalid.has(dimension) ? run.hold[dimension] : 0));
}

/**
 * Whether a run ends with its caller, which is in flight as well, where it could be queued again: the caller begins anew from
 * nothing, or ends (C3). `crashed`: both are lost with their process, and not stopped by a drain.
 */
export function endsWithCaller(model, run, lost, crashed, outlived = false) {
  const { caller } = run;
  if (lost === 'fail' || !caller?.started || caller.end || caller.returned) return false;
  if (caller.stop ?? caller.told) return !run.task.background;
  const goesOn = () => mayBeLost(model, caller, lost, outlived) && !endsWithCaller(model, caller, lost, crashed, outlived);
  return lost === 'requeue' || (crashed && !goesOn());
}

/** Its host function has nobody to return to. */
export function loseHost(model, run, again = false) {
  const spent = again ? unfinishedOf(run) : spentOf(run);
  // Of an ended run whose host function is still running nobody knows what it did since.
  if (run.end || spent === run.hold) bookHold(model, run);
  else {
    bookDoubted(model, run);
    releaseAll(run);
  }
  run.hostReturned = true;
}

/**
 * The same message under the next number, before all that only waited. What worked for the lost one works for that; one that
 * begins again from nothing would start it once more, so it ends then.
 *
 * @param place how far in front it stands; at least among what stands there already
 */
export function queueAgain(model, run, reason, lost, place = Math.max(1, ...model.queue.map(({ begun = 0 }) => begun))) {
  const resumes = lost === 'resume';
  const next = endAttempt(model, run, { reason }, resumes);
  placeBegun(model, next, place);
  next.checkpoint = resumes ? run.checkpoint : undefined;
  if (!resumes) endWithAttempt(model, run);
  for (const child of run.task.children) {
    for (const other of child.runs) if (other.caller === run) other.caller = next;
    if (child.worksFor === run) child.worksFor = next;
  }
  return next;
}

/** The program registers a session of before: its work goes on. */
export function registerAgain(model, key) {
  model.sessions.get(key).absent = false;
}

/** What this process lacks for a task: its session isn't registered, or its agent isn't defined; undefined where all is there. */
export function lacks(task) {
  if (sessionOf(task).absent) return 'session';
  return task.isUndefined ? 'definition' : undefined;
}

export function isAbsent(task) {
  return lacks(task) !== undefined;
}

/** What work waits for: the keys of sessions, those whose notices wait included, and the names of agents. */
export function missing(model) {
  const work = [...model.tasks.values()].filter((task) => !task.forgotten && (openRun(task) || task.queue.length > 0));
  const reported = model.notices.filter(({ node, delivery }) => node.absent && delivery !== 'acked');
  const sessions = [...work.map(sessionOf), ...reported.map(({ node }) => node)].filter(({ absent }) => absent);
  const agents = work.filter(({ isUndefined }) => isUndefined);
  const sorted = (names) => [...new Set(names)].sort();
  return { sessions: sorted(sessions.map(({ key }) => key)), agents: sorted(agents.map(({ agent }) => agent)) };
}

/** Whether a key stands for a task: for its time, and for as long as the run that was at work then. */
export function isInUse(model, { by, idempotencyKey }) {
  return usedBy(model, actorOf(model, by).node, idempotencyKey) !== undefined;
}

function usedBy(model, node, key) {
  const used = node.keys?.get(key);
  // What was stopped with the run that it worked for is done anew.
  if (used && !used.task.forgotten && endedWithParent(used.task)) return undefined;
  const isAtWork = used && !used.task.forgotten && openRun(used.task)?.since < used.until;
  return used && (used.until > model.now || isAtWork) ? used : undefined;
}

function endedWithParent(task) {
  const run = openRun(task);
  if (run) return run.stop?.reason === 'parent_ended';
  return task.ended === 'cancelled' && task.reason === 'parent_ended';
}

/** What a spawn under a key comes to: the task that it stands for, or a refusal; undefined where it is new (D7). */
export function lookUp(model, node, given, refuse) {
  const used = usedBy(model, node, given.idempotencyKey);
  if (!used) return undefined;
  if (used.parameters !== parametersOf(given)) return refuse('idempotency_conflict');
  return used.task.forgotten ? refuse('idempotency_forgotten') : used.task;
}

export function remember(model, node, given, task) {
  node.keys ??= new Map();
  node.keys.set(given.idempotencyKey, { task, parameters: parametersOf(given), until: model.now + model.options.idempotencyTtlMs });
}

function parametersOf({ by: _, name: __, label: ___, ...given }) {
  return JSON.stringify(Object.entries(given).sort());
}
