// The limits in force, for the tools' texts. Owns the query by name; the core has the values.

import { DEFAULT_LIMITS } from '../generated/limits.js';
import type { Core } from './core.js';

/** The core's numbers of the limits, made at the first query. */
let numbers: Map<string, number> | undefined;

/** A limit in force; `Infinity` if it is lifted. */
export function limitOf(runtime: Core, name: keyof typeof DEFAULT_LIMITS): number {
  numbers ??= new Map(Object.keys(DEFAULT_LIMITS).map((limit, number) => [limit, number]));
  const number = numbers.get(name) as number;
  return runtime.call((core) => core.limit(number));
}
