// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { SubAgentErrorCode } from '../../generated/errors.js';

/** What a model can do whose spawn was refused, by the code of that; of others nothing can be said. */
export const ADVICE: { readonly [Code in SubAgentErrorCode]?: string } = {
  abandoned_limit: 'Do the work yourself.',
  budget_exhausted: 'Do the work yourself.',
  children_limit: 'Wait until one ends, or do the work yourself.',
  concurrency_limit: 'Wait until one ends, or do the work yourself.',
  depth_limit: 'Do the work yourself.',
  draining: 'Do the work yourself.',
  queue_full: 'Wait until one ends, or do the work yourself.',
  spawns_limit: 'Do the work yourself.',
  tasks_limit: 'Do the work yourself.',
};

/** Codes which say that there is no room for one more. */
export const FULL: ReadonlySet<SubAgentErrorCode> = new Set([
  'abandoned_limit',
  'children_limit',
  'concurrency_limit',
  'queue_full',
  'spawns_limit',
  'tasks_limit',
] as const);
