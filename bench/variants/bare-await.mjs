/** The floor: the host function itself, with no limit. */

import { OPEN_RUN, plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, readSignal }) {
  const run = plainRuns(readSignal);
  return { call: (text) => host({ instructions: text }, run()), close() {} };
}

/** @param {import('./options.mjs').TreeOptions} options @returns {import('./options.mjs').Variant} */
export function createTree({ hostOver }) {
  const host = hostOver((_run, params) => host(params, OPEN_RUN));
  return { call: (params) => host(params, OPEN_RUN), mostLeaves: Infinity, close() {} };
}
