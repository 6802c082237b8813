// What a life over workers has to do: a tree of tasks, made by dice, and what the reference model says of how each ends. Nothing
// in it depends on which of two things comes first, for over processes and a network nothing is known of that.

import { Dice } from '../../support/dice.mjs';
import { DIMENSIONS, shown } from '../model/amounts.mjs';
import { Model } from '../model/model.mjs';
import { lastRun, statusOf } from '../model/tree.mjs';
import { optionsOf } from '../options.mjs';

/** The options of the manager; the model has the same. What would end a run by time or by what is left is out of the way. */
export const OPTIONS = {
  maxConcurrent: 4,
  maxDepth: 3,
  maxTurns: 1_000,
  turnEstimate: 5,
  turnEstimateUsd: 0.001,
  // A token costs whole billionths: nothing is rounded, however often a task begins anew.
  prices: { 'a*': { input: 100, output: 500, cacheRead: 10 }, '*': { input: 300, output: 700 } },
  agents: { reader: { description: 'reads', prompt: 'Read.', model: 'a-small' } },
};
/** Some turns have to wait for these; they change nothing of what a life comes to. */
export const RATES = { 'k*': { requestsPerMinute: 600, tokensPerMinute: 6_000 } };
const MODELS = [undefined, 'a-big', 'b'];

const NEVER = 10_000_000;
const KINDS = { works: 6, throws: 2, fails: 1, listens: 2, stuck: 1 };

/** The plan of a seed: its tasks, each with those that it spawns. */
export function planOf(seed) {
  const dice = new Dice(seed);
  let names = 0;
  const taskOf = (depth, above) => {
    const isRoot = depth === OPTIONS.maxDepth;
    // The program cancels and steers its own alone: it knows no others.
    const kind = isRoot ? dice.weighed(KINDS) : dice.pick(['works', 'works', 'works', 'throws', 'fails']);
    const made = { name: `t${++names}`, kind, turns: [], checkpoints: dice.chance(0.6), children: [] };
    const turns = kind === 'stuck' || kind === 'listens' ? 1 : dice.int(1, 3);
    if (dice.chance(0.5)) made.agent = 'reader';
    if (dice.chance(0.6)) made.rateLimitKey = dice.pick(['k1', 'k2']);
    const model = made.agent ? OPTIONS.agents[made.agent].model : above;
    for (let turn = 0; turn < turns; turn++) made.turns.push({ ...usageOf(dice, model), ms: dice.int(1, 60) });
    if (kind === 'throws' && dice.chance(0.7)) made.retries = dice.int(1, 2);
    if (kind === 'works' && depth > 1) {
      const count = dice.chance(0.6) ? dice.int(1, 2) : 0;
      for (let at = 0; at < count; at++)
        made.children.push({ at: dice.int(0, turns - 1), background: dice.chance(0.4), task: taskOf(depth - 1, model) });
    }
    return made;
  };
  return Array.from({ length: dice.int(6, 10) }, () => taskOf(OPTIONS.maxDepth));
}

/** What a turn uses: what is reported of that, and what it comes to, of which model. */
function usageOf(dice, model) {
  const modelId = dice.pick(MODELS);
  const [inputTokens, outputTokens] = [dice.int(0, 30), dice.int(0, 10)];
  const told = { inputTokens, outputTokens, cacheReadTokens: dice.int(0, inputTokens), ...(modelId && { modelId }) };
  const of = modelId ?? model ?? null;
  const { input, output, cacheRead = input } = OPTIONS.prices[of?.startsWith('a') ? 'a*' : '*'];
  const { cacheReadTokens } = told;
  const micros = (inputTokens - cacheReadTokens) * input + cacheReadTokens * cacheRead + outputTokens * output;
  if (dice.chance(0.3)) told.costUsd = dice.int(0, 20) / 1_000;
  return { told, of, tokens: inputTokens + outputTokens, costUsd: told.costUsd ?? micros / 1e6 };
}

/** Each task of a plan, and those below it. */
export function allOf(plan) {
  return plan.flatMap((task) => [task, ...allOf(task.children.map((child) => child.task))]);
}

/** What a run gets: what the host function of a worker goes by. */
export function textOf(task) {
  return JSON.stringify(task);
}

/** How a task is spawned, by the program and by a run. */
export function spawnOf(task) {
  return {
    label: task.name,
    instructions: textOf(task),
    idempotencyKey: task.name,
    ...(task.agent && { agent: task.agent }),
    ...(task.rateLimitKey && { rateLimitKey: task.rateLimitKey }),
    ...(task.retries !== undefined && { retry: { max: task.retries, backoffMs: 1 } }),
  };
}

/** What the model says of a plan: of each task how it ends, and the least that is booked for it itself. */
export function claimsOf(plan) {
  const given = optionsOf(new Dice(1));
  const model = new Model({
    ...given,
    ...OPTIONS,
    ...Object.fromEntries(['timeoutMs', 'idleTimeoutMs', 'abandonMs', 'askTimeoutMs'].map((name) => [name, NEVER])),
    ...{ maxQueued: 1_000, maxAbandoned: 100, maxSpawns: NEVER, staggerMs: 0, onLimit: 'queue', rates: {} },
    ...{ retry: undefined, budget: undefined, taskBudget: undefined, modelId: undefined, countCacheReads: 1_000 },
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
      step({ do: 'report', run, ...turn.told });
      for (const dimension of DIMENSIONS) spent.get(task.name)[dimension] += turn[dimension];
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
    const { retry, agent } = spawnOf(task);
    step({ do: 'spawn', by: `r:${run}`, name: task.name, text: textOf(task), background, retry, agent });
    if (!background) step({ do: 'handleWait', by: `r:${run}`, target: task.name, promise: `wait${++promises}` });
    while (!model.tasks.get(task.name).runs[0].started) step({ do: 'pass', ms: 1 });
    carryOut(task, 1);
  };
  for (const task of plan) {
    const { retry, agent } = spawnOf(task);
    step({ do: 'spawn', by: 'p', name: task.name, text: textOf(task), retry, agent });
    carryOut(task, 1);
  }
  return allOf(plan).map(({ name }) => {
    const task = model.tasks.get(name);
    const { output, error } = lastRun(task).end;
    // The model's own reckoning of prices comes to the same.
    for (const dimension of DIMENSIONS) {
      const own = task.children.reduce((rest, child) => rest - child.spent[dimension], task.spent[dimension]);
      if (Math.abs(shown(dimension, own) - spent.get(name)[dimension]) > 1e-9)
        throw new Error(`the model books ${own} for ${name}, the plan has ${spent.get(name)[dimension]}`);
    }
    return { name, status: statusOf(task), reason: task.reason, output, error, least: spent.get(name) };
  });
}

/** What a listener gets. */
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
