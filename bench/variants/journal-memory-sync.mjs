/** The package with a journal in memory; effects wait until their facts are persisted: the default. */

import { memoryStore } from 'subagents/store/memory';
import { createStored } from './subagents.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {Promise<import('./options.mjs').Variant>} */
export function create(options) {
  return createStored(options, { store: memoryStore(), durability: 'sync' });
}
