// A sub-agent's metadata: a JSON object that the manager stores and returns, and never reads (A6). Owns its bounds,
// and that JSON restores it unchanged.

import { describe, invalid, SubAgentError } from './errors.js';
import { wellFormedJson } from './text.js';

/** A value that JSON gives back as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A value of a type of the program's own that JSON gives back as it is, but for fields that are undefined. It may be of an
 * interface, which TypeScript doesn't take for a `Json`. What JSON doesn't have, as a function, is `never`.
 */
export type JsonOf<T> = T extends Json | undefined
  ? T
  : T extends Date
    ? 'JSON has no dates: give what toISOString() returns'
    : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
      ? 'JSON has no maps and sets: give an object or a list'
      : T extends symbol | bigint | ((...given: never[]) => unknown)
        ? never
        : T extends object
          ? { [K in keyof T]: JsonOf<T[K]> }
          : never;

/** A value of a kind that JSON has. */
export type JsonLike = string | number | boolean | null | object;

/** Fields of the program's own: at most 16,384 characters of JSON, 32 levels deep. */
export type Metadata = Record<string, Json>;

/** How many characters of JSON it may have, and so may what a run saves. */
export const MAX_METADATA_CHARS = 16_384;
/** How deep it may nest. */
const DEEPEST = 32;

/** Metadata as it is stored: JSON. Each property is read once; `undefined` for none. */
export function readMetadata(what: string, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong(what, 'a plain object of JSON values', given);
  return wellFormedJson(jsonOf(given, what, 0, { left: MAX_METADATA_CHARS, what: 'metadata', most: MAX_METADATA_CHARS }));
}

/** A value as it is stored: JSON of at most `most` characters. Each property is read once. */
export function readJson(what: string, given: unknown, most: number): string {
  return wellFormedJson(jsonOf(given, what, 0, { left: most, what, most }));
}

/** How many characters of JSON are left, of how many, and for what. */
interface CharBudget {
  left: number;
  readonly what: string;
  readonly most: number;
}

/** The metadata that JSON stands for. */
export function metadataOf(json: string | null): Metadata | null {
  return json === null ? null : (JSON.parse(json) as Metadata);
}

function wrong(at: string, expected: string, got: unknown): SubAgentError {
  return invalid(`\`${at}\``, expected, got);
}

function jsonOf(value: unknown, at: string, depth: number, budget: CharBudget): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return spent(JSON.stringify(value), budget);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw wrong(at, 'a number that JSON has', value);
    return spent(JSON.stringify(value), budget);
  }
  if (typeof value !== 'object') throw wrong(at, 'a value that JSON has', value);
  // A cycle ends here too.
  if (depth >= DEEPEST) throw new SubAgentError('invalid_argument', `\`${at}\` nests deeper than ${DEEPEST} levels`, { argument: at });
  budget.left -= 2;
  if (Array.isArray(value)) {
    const parts: string[] = [];
    for (let index = 0; index < value.length; index += 1) {
      if (!Object.hasOwn(value, index)) throw wrong(`${at}[${index}]`, 'a value that JSON has', undefined);
      parts.push(jsonOf(value[index], `${at}[${index}]`, depth + 1, budget));
    }
    return `[${parts.join(',')}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm is plain too; what has a class is not.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw wrongClass(at, value);
  const parts: string[] = [];
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    // As in all options, undefined is nothing.
    if (field === undefined) continue;
    const name = spent(JSON.stringify(key), budget);
    parts.push(`${name}:${jsonOf(field, /^[\w$]{1,40}$/.test(key) ? `${at}.${key}` : `${at}[…]`, depth + 1, budget)}`);
  }
  return `{${parts.join(',')}}`;
}

function wrongClass(at: string, value: object): SubAgentError {
  const way = Object.prototype.toString.call(value) === '[object Date]' ? ': give what its `toISOString()` returns' : '';
  const got = way === '' ? `${describe(value)} of a class` : 'a Date';
  const message = `\`${at}\` must be a plain object of JSON values, got ${got}${way}`;
  return new SubAgentError('invalid_argument', message, { argument: at });
}

/** Counts the characters made, so that it stops early in a huge value. */
function spent(json: string, budget: CharBudget): string {
  budget.left -= json.length + 1;
  if (budget.left >= 0) return json;
  const { what, most } = budget;
  const message = `\`${what}\` must have at most ${most} characters of JSON: keep what is larger yourself, under the sub-agent's id`;
  throw new SubAgentError('invalid_argument', message, { argument: what, limit: most });
}
