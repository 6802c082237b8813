// What a life over workers has to do: a tree of tasks, made by dice, and what the reference model says of how each ends. Nothing
// in it depends on which of two things comes first, for over processes and a network nothing is known of that.

import { DIMENSIONS, shown } from '../model/amounts.mjs';
import { Model } from '../model/model.mjs';
import { lastRun, statusOf } from '../model/tree.mjs';
import { optionsOf } from '../options.mjs';
import { Rng } from '../rng.mjs';

/** The options of the manager; the model has the same. What would end a run by time or by what is left is out of the way. */
export const OPTIONS = { maxConcurrent: 4, maxDepth: 3, maxTurns: 1_000, turnEstimate: 5, turnEstimateUsd: 0.001 };

const NEVER = 10_000_000;
const KINDS = { works: 6, throws: 2, fails: 1, listens: 2, stuck: 1 };

/** The plan of a seed: its tasks, each with those that it spawns. */
export function planOf(seed) {
  const rng = new Rng(seed);
  let names = 0;
  const taskOf = (depth) => {
    const isRoot = depth === OPTIONS.maxDepth;
    // The program cancels and steers its own alone: it knows no others.
    const kind = isRoot ? rng.weighted(KINDS) : rng.pick(['works', 'works', 'works', 'throws', 'fails']);
    const made = { name: `t${++names}`, kind, turns: [], checkpoints: rng.chance(0.6), children: [] };
    const turns = kind === 'stuck' || kind === 'listens' ? 1 : rng.int(1, 3);
    for (let turn = 0; turn < turns; turn++)
      made.turns.push({ tokens: rng.int(0, 40), costUsd: rng.int(0, 20) / 1_000, ms: rng.int(1, 60) });
    if (kind === 'throws' && rng.chance(0.7)) made.retries = rng.int(1, 2);
    if (kind === 'works' && depth > 1) {
      const count = rng.chance(0.6) ? rng.int(1, 2) : 0;
      for (let at = 0; at < count; at++)
        made.children.push({ at: rng.int(0, turns - 1), background: rng.chance(0.4), task: taskOf(depth - 1) });
    }
    return made;
  };
  return Array.from({ length: rng.int(6, 10) }, () => taskOf(OPTIONS.maxDepth));
}

/** Each task of a plan, and those below it. */
export function allOf(plan) {
  return plan.flatMap((task) => [task, ...allOf(task.children.map((child) => child.task))]);
}

/** What a run is told: what the host function of a worker goes by. */
export function textOf(task) {
  return JSON.stringify(task);
}

/** How a task is spawned, by the program and by a run. */
export function spawnOf(task) {
  return {
    label: task.name,
    instructions: textOf(task),
    idempotencyKey: task.name,
    ...(task.retries !== undefined && { retry: { max: task.retries, backoffMs: 1 } }),
  };
}

/** What the model says of a plan: of each task how it ends, and the least that is booked for it itself. */
export function claimsOf(plan) {
  const given = optionsOf(new Rng(1));
  const model = new Model({
    ...given,
    ...OPTIONS,
    ...Object.fromEntries(['timeoutMs', 'idleTimeoutMs', 'abandonMs', 'askTimeoutMs'].map((name) => [name, NEVER])),
    ...{ maxQueued: 1_000, maxAbandoned: 100, maxSpawns: NEVER, staggerMs: 0, onLimit: 'queue', rates: {} },
    ...{ retry: undefined, budget: undefined, taskBudget: undefined },
  });
  const spent = new Map(allOf(plan).map(({ name }) => [name, { tokens: 0, costUsd: 0 }]));
  const done = new Set();
  let promises = 0;
  const step = (operation) => {
    const { code } = model.step(operation);
    if (code !== undefined) throw new Error(`the model refuses ${JSON.stringify(operation)} with ${code}`);
  };
  const carryOut = (task, number) => {
    const run = `${task.name}#${number}`;
    for (const [at, turn] of task.turns.entries()) {
      step({ do: 'turn', run, promise: `turn${++promises}` });
      const { ms: _, ...usage } = turn;
      step({ do: 'report', run, ...usage });
      for (const dimension of DIMENSIONS) spent.get(task.name)[dimension] += usage[dimension];
      for (const child of task.children) if (child.at === at) spawnChild(run, child);
    }
    if (task.kind === 'stuck') step({ do: 'cancel', by: 'p', target: task.name, promise: `cancel${++promises}`, graceMs: NEVER });
    if (task.kind === 'listens') step({ do: 'send', by: 'p', target: task.name, text: wordFor(task), mode: 'steer' });
    if (task.kind === 'listens') step({ do: 'turn', run, promise: `turn${++promises}` });
    step({ do: 'host', run, ...endOf(task) });
    done.add(run);
    // An attempt in its place begins a little later.
    step({ do: 'pass', ms: 5 });
    if (model.tasks.get(task.name).runs[number]?.started) carryOut(task, number + 1);
  };
  const spawnChild = (run, { task, background }) => {
    step({ do: 'spawn', by: `r:${run}`, name: task.name, text: textOf(task), background, retry: spawnOf(task).retry });
    if (!background) step({ do: 'handleWait', by: `r:${run}`, target: task.name, promise: `wait${++promises}` });
    while (!model.tasks.get(task.name).runs[0].started) step({ do: 'pass', ms: 1 });
    carryOut(task, 1);
  };
  for (const task of plan) {
    step({ do: 'spawn', by: 'p', name: task.name, text: textOf(task), retry: spawnOf(task).retry });
    carryOut(task, 1);
  }
  return allOf(plan).map(({ name }) => {
    const task = model.tasks.get(name);
    const { output, error } = lastRun(task).end;
    return { name, status: statusOf(task), reason: task.reason, output, error, least: spent.get(name) };
  });
}

/** What is told to one that listens. */
export function wordFor(task) {
  return `the word for ${task.name}`;
}

/** What the host function of a task returns, or throws, at last. */
export function endOf({ name, kind }) {
  if (kind === 'throws') return { threw: 'broken' };
  if (kind === 'fails') return { output: `what there is of ${name}`, status: 'failed', error: 'not found' };
  return { output: kind === 'stuck' ? 'stopped' : `${name} is done` };
}

/** Dollars as a host reports them. */
export const dollars = (amount) => shown('costUsd', amount);
