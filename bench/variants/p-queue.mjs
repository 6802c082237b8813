/** p-queue: a limit with a queue one can pause and order; `add` takes a closure. */

import PQueue from 'p-queue';
import { plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, readSignal }) {
  const run = plainRuns(readSignal);
  const queue = new PQueue({ concurrency: limit });
  return { call: (text) => queue.add(() => host({ instructions: text }, run())), close() {} };
}
