// JSON of untrusted values, up to a size limit. A proxy or `toJSON` can be endless.

import { wellFormedJson } from './text.js';

/** The characters that are left, shared by several values. */
export interface Allowance {
  left: number;
}

/**
 * The JSON of a value; undefined if it has none. Passes on errors of the value, and throws `tooLong` if the JSON has more than
 * `most` characters.
 */
export function jsonWithin(value: unknown, most: number, tooLong: string, allowance: Allowance = { left: most }): string | undefined {
  const least = Math.max(0, allowance.left - most);
  const json = JSON.stringify(value, (_, part: unknown) => {
    allowance.left -= typeof part === 'string' ? part.length : 1;
    if (allowance.left < least) throw new Error(tooLong);
    return part;
  }) as string | undefined;
  if (json !== undefined && json.length > most) throw new Error(tooLong);
  return json === undefined ? undefined : wellFormedJson(json);
}

/** Whether a value is an object, but no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
