/** p-queue: a limit with a queue that can be paused and ordered; `add` takes a closure. */

import PQueue from 'p-queue';
import { DEPTH, levelOf } from '../loops/tree.mjs';
import { OPEN_RUN, plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, readSignal }) {
  const run = plainRuns(readSignal);
  const queue = new PQueue({ concurrency: limit });
  return { call: (text) => queue.add(() => host({ instructions: text }, run())), close() {} };
}

/**
 * One queue for each level, as with p-limit.
 * @param {import('./options.mjs').TreeOptions} options @returns {import('./options.mjs').Variant}
 */
export function createTree({ hostOver, limit }) {
  const queues = Array.from({ length: DEPTH }, () => new PQueue({ concurrency: limit }));
  const call = (params) => queues[levelOf(params)].add(() => host(params, OPEN_RUN));
  const host = hostOver((_run, params) => call(params));
  return { call, close() {} };
}
