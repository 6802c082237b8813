/**
 * The plain JavaScript manager of `../plain-manager.mjs`, or of `../plain-tree-manager.mjs` for trees, with the
 * package's settings.
 */

import { DEPTH } from '../loops/tree.mjs';
import { PlainManager } from '../plain-manager.mjs';
import { PlainTreeManager } from '../plain-tree-manager.mjs';
import { managerCheck } from './check.mjs';
import { countingListener, managerLimits, POOL, TASK_TOKENS, treePool } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, listener }) {
  const manager = new PlainManager({
    spawnSubAgent: host,
    ...managerLimits(limit),
    ...POOL,
    taskTokens: TASK_TOKENS,
  });
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
  const manager = new PlainTreeManager({
    spawnSubAgent: hostOver((run, params) => run.spawn(params).wait()),
    ...managerLimits(limit),
    maxDepth: DEPTH,
    ...treePool(costCap),
    taskTokens: TASK_TOKENS,
  });
  return {
    call: (params) => manager.spawn(params).wait(),
    check: (calls, turns) => managerCheck(manager.stats(), { events: 0 }, { calls, turns, listener: false }),
    close: () => manager.dispose(),
  };
}

/** For the growth table: nothing bounded, everything kept. */
export function createGrowing({ host }) {
  return new PlainManager({
    spawnSubAgent: host,
    maxConcurrent: Infinity,
    maxQueued: Infinity,
    maxTasks: Infinity,
    maxChildren: Infinity,
    retain: Infinity,
    tokens: 1e15,
  });
}
