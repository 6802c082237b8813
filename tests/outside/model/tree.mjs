// Who is there: sessions, tasks and runs, who reaches whom, and where each task stands (A1, A4, L1).

import { DIMENSIONS, NOTHING, units } from './amounts.mjs';
import { estimateOf } from './estimates.mjs';
import { newTally } from './kinds.mjs';

export function newSession(key, cap = units({}, Number.POSITIVE_INFINITY)) {
  return { kind: 'session', key, children: [], closed: false, spent: spentNothing(), cap, used: spentNothing(), of: { tally: newTally() } };
}

export function spentNothing() {
  return { ...NOTHING };
}

export function newTask(model, name, parent, byRun, given) {
  const task = {
    kind: 'task',
    name,
    label: given.label ?? name,
    parent,
    byRun,
    // The run that it works for; after a restart that may be a later one.
    worksFor: byRun,
    depth: parent.kind === 'task' ? parent.depth + 1 : 1,
    children: [],
    background: Boolean(given.background),
    priority: given.priority ?? 0,
    nickname: given.nickname,
    onParentEnd: given.onParentEnd ?? 'adopt',
    rateLimitKey: given.rateLimitKey,
    agent: given.agent,
    of: { agent: given.agent, modelId: given.modelId ?? parent.of?.modelId, prices: given.prices },
    retry: given.retry ?? model.options.retry,
    schema: given.schema,
    cap: capFor(model, given, parent),
    maxSpawns: given.maxSpawns,
    estimate: estimateOf(given),
    maxTurns: given.maxTurns ?? model.options.maxTurns,
    isDriven: given.drive === 'program',
    timeoutMs: given.timeoutMs ?? (given.drive ? Number.POSITIVE_INFINITY : model.options.timeoutMs),
    idleTimeoutMs: given.idleTimeoutMs ?? (given.drive ? Number.POSITIVE_INFINITY : model.options.idleTimeoutMs),
    runs: [],
    queue: [],
    held: false,
    ended: undefined,
    reason: undefined,
    endedBy: undefined,
    undelivered: [],
    spent: spentNothing(),
    forgotten: false,
    changed: ++model.changes,
  };
  model.tasks.set(name, task);
  parent.children.push(task);
  return task;
}

/** The cap of a new task: what it was given, or that of all tasks. */
export function capFor(model, { cap }, parent) {
  return cap ? cut(units(cap, Number.POSITIVE_INFINITY), parent) : model.taskCap;
}

/** An allocation is never more than is there (B1). */
function cut(cap, parent) {
  const least = { ...cap };
  for (let node = parent; node; node = node.parent) {
    for (const one of DIMENSIONS) if (Number.isFinite(cap[one])) least[one] = Math.min(least[one], node.cap[one] - node.spent[one]);
  }
  return least;
}

/** The run that is queued or under way. */
export function openRun(task) {
  const last = task.runs.at(-1);
  return last && !last.end ? last : undefined;
}

export function lastRun(task) {
  return task.runs.at(-1);
}

export function statusOf(task) {
  const run = openRun(task);
  if (run) return run.started ? 'running' : 'pending';
  return task.ended ?? 'idle';
}

export function isOpen(task) {
  return openRun(task) !== undefined || (task.ended === undefined && !task.forgotten);
}

/** All under a node, children before their parents. */
export function below(node) {
  return node.children.filter((child) => !child.forgotten).flatMap((child) => [...below(child), child]);
}

/** Runs, leaves first, and beside each other as they began; those of one moment as the tree has them. */
export function leavesFirst(model, runs) {
  const place = new Map(below(model.root).map((task, at) => [task, at]));
  const at = ({ task }) => place.get(task);
  return [...runs].sort((a, b) => b.task.depth - a.task.depth || a.startedAt - b.startedAt || at(a) - at(b));
}

export function isBelow(task, node) {
  for (let at = task.parent; at; at = at.parent) if (at === node) return true;
  return false;
}

export function sessionOf(node) {
  return node.kind === 'session' ? node : sessionOf(node.parent);
}

/** An actor as operations name it (`p`, `s:a`, `r:t1#2`): its node, and its run where it is one. */
export function actorOf(model, by) {
  if (by === 'p') return { by, program: true, node: model.home };
  if (by.startsWith('s:')) return { by, node: model.sessions.get(by.slice(2)) };
  const [name, number] = by.slice(2).split('#');
  const task = model.tasks.get(name);
  return { by, node: task, run: task?.runs[Number(number) - 1] };
}

export function hasEnded(actor) {
  return actor.run ? Boolean(actor.run.end ?? actor.run.returned) : Boolean(actor.node.closed);
}

export function reaches(actor, task) {
  return actor.program || isBelow(task, actor.node);
}
