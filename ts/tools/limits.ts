// The limits in force, for what the tools say and show. Asks the core; keeps nothing.

import { DEFAULT_LIMITS } from '../generated/limits.js';
import type { Runtime } from '../runtime.js';

/** A limit in force; `Infinity` where it is lifted. */
export function limitOf(runtime: Runtime, name: keyof typeof DEFAULT_LIMITS): number {
  return runtime.call((core) => core.limit(Object.keys(DEFAULT_LIMITS).indexOf(name)));
}
