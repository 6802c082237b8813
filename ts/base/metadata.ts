// A sub-agent's metadata: a JSON object that the manager stores and returns, and never reads (A6). Owns its bounds,
// and that JSON restores it unchanged.

import { describe, invalid, SubAgentError } from './errors.js';
import { wellFormedJson } from './text.js';

/** A value that JSON restores unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A value of the program's own type that JSON restores unchanged, except for undefined fields. It may be of an interface, which
 * TypeScript doesn't accept as a `Json`. A value that JSON doesn't have, such as a function, is `never`.
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

/** Maximum number of JSON characters, also for the data that a run saves. */
export const MAX_METADATA_CHARS = 16_384;
/** Maximum depth of nesting. */
const DEEPEST = 32;

/** Reads metadata into JSON, each property once; undefined if none is given. */
export function readMetadata(what: string, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrong(what, 'a plain object of JSON values', given);
  return wellFormedJson(jsonOf(given, what, 0, { left: MAX_METADATA_CHARS, what: 'metadata', most: MAX_METADATA_CHARS }));
}

/** Reads a value into JSON of at most `most` characters, each property once. */
export function readJson(what: string, given: unknown, most: number): string {
  return wellFormedJson(jsonOf(given, what, 0, { left: most, what, most }));
}

/** The characters of JSON that are left, the name of the value, and the maximum. */
interface CharBudget {
  left: number;
  readonly what: string;
  readonly most: number;
}

/** Parses stored metadata. */
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
  // An object of another realm is plain too; an instance of a class is not.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw wrongClass(at, value);
  const parts: string[] = [];
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    // As in all options, undefined means absent.
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

/** Counts the characters, so that a huge value stops early. */
function spent(json: string, budget: CharBudget): string {
  budget.left -= json.length + 1;
  if (budget.left >= 0) return json;
  const { what, most } = budget;
  const message = `\`${what}\` must have at most ${most} characters of JSON: keep what is larger yourself, under the sub-agent's id`;
  throw new SubAgentError('invalid_argument', message, { argument: what, limit: most });
}
