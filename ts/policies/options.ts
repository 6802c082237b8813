// The numbers in the options of built-in policies. Owns what they may be.

import { invalid } from '../base/errors.js';

/** A whole number of at least 0, or `Infinity`. */
export function wholeNumber(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw invalid(what, 'a whole number of at least 0, or Infinity', value);
}
