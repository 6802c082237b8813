// The options of built-in policies. Owns that they are objects with known names and that lists and numbers
// are what they should be.

import { optionsOf, readArgument, unknownOption } from '../arguments.js';
import { invalid } from '../errors.js';

/** The options, read once; an unknown name is an error. */
export function options<T extends object>(policy: string, given: T, names: readonly (keyof T & string)[]): T {
  return readArgument(`the options of ${policy}`, () => {
    const read = optionsOf(`the options of ${policy}`, given);
    const stranger = Object.keys(read).find((name) => !(names as readonly string[]).includes(name));
    if (stranger !== undefined) throw unknownOption(policy, stranger);
    return read;
  });
}

/** A whole number of at least 0, or `Infinity`. */
export function wholeNumber(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw invalid(what, 'a whole number of at least 0, or Infinity', value);
}
