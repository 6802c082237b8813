/** p-limit: a limit and nothing else. Its extra arguments go to the function, so no closure is needed. */

import pLimit from 'p-limit';
import { DEPTH, levelOf } from '../loops/tree.mjs';
import { OPEN_RUN, plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, readSignal }) {
  const run = plainRuns(readSignal);
  const limited = pLimit(limit);
  return { call: (text) => limited(host, { instructions: text }, run()), close() {} };
}

/**
 * One limit for each level: with one for all, parents would hold it while their children wait, for good.
 * @param {import('./options.mjs').TreeOptions} options @returns {import('./options.mjs').Variant}
 */
export function createTree({ hostOver, limit }) {
  const limits = Array.from({ length: DEPTH }, () => pLimit(limit));
  const call = (params) => limits[levelOf(params)](host, params, OPEN_RUN);
  const host = hostOver((_run, params) => call(params));
  return { call, close() {} };
}
