// What a spawn or a message is refused for, and how the rest comes into the queue (D1, D2, D7, D10, B5).

import { canHold, isSpent, mayHoldTurn, pathOf } from './budget.mjs';
import { cools, staggers } from './cooldowns.mjs';
import { filled } from './definitions.mjs';
import { refusesSpawn } from './drain.mjs';
import { awaitsProgram } from './driving.mjs';
import { estimateOf } from './estimates.mjs';
import { newMessage, newRun } from './messages.mjs';
import { refuseForbidden } from './policies.mjs';
import { Refused } from './promises.mjs';
import { isStartOverRate } from './rates.mjs';
import { isAbsent, lookUp, remember } from './restart.mjs';
import { abandonedHosts, mayStart, pump, slotsHeld } from './slots.mjs';
import { capFor, isOpen, newTask, spentNothing } from './tree.mjs';

/** A spawn: gives the name of the task that its key stands for, if any. */
export function spawn(model, { by, name, text, ...asked }) {
  const given = filled(model, asked);
  const actor = model.actor(by);
  if (!given.background && actor.run?.stop) throw new Refused('aborted');
  refuseForbidden(model, text);
  const refuse = (code) => {
    throw new Refused(code);
  };
  const first = given.idempotencyKey && lookUp(model, actor.node, { name, text, ...given }, refuse);
  if (first) return first.name;
  if (model.sealed(actor.node)) throw new Refused('actor_ended');
  if (refusesSpawn(model, actor, given.background)) throw new Refused('draining');
  if (actor.node.cancelRequested && actor.run) throw new Refused('actor_ended');
  const depth = actor.node.kind === 'task' ? actor.node.depth + 1 : 1;
  if (depth > model.options.maxDepth) throw new Refused('depth_limit');
  if (hasSpawnedAll(model, actor.node)) {
    model.count('spawns that a whole tree had no more of');
    throw new Refused('spawns_limit');
  }
  if (given.nickname && actor.node.children.some((child) => child.nickname === given.nickname && isOpen(child)))
    throw new Refused('nickname_taken');
  if (isSpent(model, { parent: actor.node, cap: capFor(model, given, actor.node), spent: spentNothing(), estimate: estimateOf(given) }))
    throw new Refused('budget_exhausted');
  const task = newTask(model, name, actor.node, actor.run, given);
  if (text !== undefined) admit(model, task, newRun(model, task, newMessage(text, 'queue')), actor);
  for (const node of pathOf(actor.node)) node.spawned = (node.spawned ?? 0) + 1;
  task.born = model.now;
  task.process = model.process;
  if (given.idempotencyKey) remember(model, actor.node, { name, text, ...given }, task);
  return undefined;
}

/** Whether as many sub-agents were spawned below a node, or a node above it, as may be in all its life (D10). */
export function hasSpawnedAll(model, node) {
  const mostOf = ({ kind, maxSpawns }) => (kind === 'session' ? model.maxSpawns : (maxSpawns ?? Number.POSITIVE_INFINITY));
  return pathOf(node).some((one) => (one.spawned ?? 0) >= mostOf(one));
}

/** So many host functions were given up that nothing starts. */
export function isClogged(model) {
  return abandonedHosts(model) >= model.options.maxAbandoned;
}

/** Refuses what may neither start nor wait. */
function admit(model, task, run, actor) {
  const code = awaitsProgram(run) ? refusalToWait(model) : refusalOf(model, task, run, actor);
  if (!code) return;
  model.queue.splice(model.queue.indexOf(run), 1);
  task.runs.pop();
  if (task.runs.length === 0 && task.born === undefined) {
    model.tasks.delete(task.name);
    task.parent.children.splice(task.parent.children.indexOf(task), 1);
  }
  throw new Refused(code);
}

/** What waits for the program stands in the queue. */
function refusalToWait(model) {
  return model.queue.length > model.options.maxQueued ? 'queue_full' : undefined;
}

/** What a run is refused for that may neither start nor wait; undefined where it may. */
export function refusalOf(model, task, run, actor) {
  const { length } = model.calls;
  pump(model);
  if (run.started) return undefined;
  const ahead = model.queue.filter((one) => one !== run && mayStart(model, one) && canHold(model, one)).length;
  const free =
    model.options.maxConcurrent - slotsHeld(model) + 1 - model.reentries.filter((one) => !one.turnAsked || mayHoldTurn(model, one)).length;
  const given = isClogged(model);
  // What waits for its session meets no limit.
  const isWaiting = isAbsent(task);
  const rejects = model.options.onLimit === 'reject' && !isWaiting;
  const poor = rejects && !canHold(model, run);
  const own = actor.run?.slot && canHold(model, run) && (free > ahead || (free > 0 && model.seenCode === undefined));
  const cooling = cools(model, task) || isStartOverRate(model, task) || staggers(model);
  if (!cooling && !isWaiting && !given && !poor && ((slotsHeld(model) < model.options.maxConcurrent && canHold(model, run)) || own))
    return undefined;
  // Of several reasons the first one counts (D4).
  const reasons = [
    [given, 'abandoned_limit'],
    [cooling, 'rate_limited'],
    [poor, 'budget_exhausted'],
    [true, 'concurrency_limit'],
  ];
  const isFull = model.queue.length > model.options.maxQueued;
  const code = rejects ? reasons.find(([holds]) => holds)[1] : isFull ? (given ? 'abandoned_limit' : 'queue_full') : undefined;
  if (code && model.calls.length !== length) throw new Error('a refused spawn started others');
  return code;
}

/** A message's run is refused like a spawn; the message is then not taken. */
export function admitMessage(model, task, run, before, actor) {
  try {
    admit(model, task, run, actor);
  } catch (error) {
    Object.assign(task, before);
    throw error;
  }
}
