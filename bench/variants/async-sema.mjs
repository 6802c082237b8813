/** async-sema: acquire, call, release, as its documentation shows. */

import { Sema } from 'async-sema';
import { plainRuns } from './options.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {import('./options.mjs').Variant} */
export function create({ host, limit, readSignal }) {
  const run = plainRuns(readSignal);
  const sema = new Sema(limit);
  return {
    async call(text) {
      await sema.acquire();
      try {
        return await host({ instructions: text }, run());
      } finally {
        sema.release();
      }
    },
    close() {},
  };
}
