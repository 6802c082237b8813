/** The package itself, through its public API only: `manager.spawn({ instructions }).wait()`, without a store or with one. */

import { SubAgentManager } from 'subagents';
import { DEPTH } from '../loops/tree.mjs';
import { managerCheck } from './check.mjs';
import { countingListener, managerLimits, POOL, TASK_TOKENS, treePool } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create(options) {
  return variantOf(new SubAgentManager(settings(options)), options);
}

/** The same with a store; `stored` are the options that belong to it. */
export async function createStored(options, stored) {
  return variantOf(await SubAgentManager.open({ ...settings(options), ...stored }), options);
}

function settings({ host, limit }) {
  return { spawnSubAgent: host, ...managerLimits(limit), budget: POOL, taskBudget: { tokens: TASK_TOKENS } };
}

function variantOf(manager, { listener }) {
  const counting = countingListener();
  if (listener) manager.subscribe(counting.listener);
  return {
    call: (text) => manager.spawn({ instructions: text }).wait(),
    check: (calls) => managerCheck(manager.stats(), counting.seen, { calls, listener }),
    close: () => manager.dispose(),
  };
}

/** @param {import('./options.mjs').TreeOptions} options @returns {import('./options.mjs').Variant} */
export function createTree({ hostOver, limit, costCap }) {
  const manager = new SubAgentManager({
    spawnSubAgent: hostOver((run, params) => run.spawn(params).wait()),
    ...managerLimits(limit),
    maxDepth: DEPTH,
    budget: treePool(costCap),
    taskBudget: { tokens: TASK_TOKENS },
  });
  return {
    call: (params) => manager.spawn(params).wait(),
    check: (calls, turns) => managerCheck(manager.stats(), { events: 0 }, { calls, turns, listener: false }),
    close: () => manager.dispose(),
  };
}

/** For the growth table: nothing bounded, everything kept. */
export function createGrowing({ host }) {
  return new SubAgentManager({
    spawnSubAgent: host,
    maxConcurrent: Infinity,
    maxQueued: Infinity,
    maxTasks: Infinity,
    maxChildren: Infinity,
    retain: Infinity,
    budget: { tokens: 1e15 },
  });
}
