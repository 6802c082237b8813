/** p-limit: a limit and nothing else. Its extra arguments go to the function, so no closure is needed. */

import pLimit from 'p-limit';
import { plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, readSignal }) {
  const run = plainRuns(readSignal);
  const limited = pLimit(limit);
  return { call: (text) => limited(host, { instructions: text }, run()), close() {} };
}
