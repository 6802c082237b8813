/** The floor: the host function itself, with no limit. */

import { plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, readSignal }) {
  const run = plainRuns(readSignal);
  return { call: (text) => host({ instructions: text }, run()), close() {} };
}
