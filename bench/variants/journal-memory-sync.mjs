/** The package with a journal in memory, and nothing is carried out before it is kept: the default. */

import { memoryStore } from 'subagents/store/memory';
import { createStored } from './subagents.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {Promise<import('./options.mjs').Variant>} */
export function create(options) {
  return createStored(options, { store: memoryStore(), durability: 'sync' });
}
