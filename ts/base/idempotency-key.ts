// Keys by which a tool does its work once, however often a run repeats it. Owns that two lists of parts never make one
// key.

import { invalid } from './errors.js';

/** The key of a part of the work that a run does: `work` names the message, `parts` the place in it. */
export function keyWithin(work: string, parts: readonly (string | number)[]): string {
  return [work, ...parts.map((part, index) => escaped(part, index + 1))].join(':');
}

function escaped(part: unknown, place: number): string {
  if (typeof part === 'string' || Number.isFinite(part)) {
    try {
      return encodeURIComponent(part as string | number);
    } catch {
      // Half a pair of UTF-16, which has no form in UTF-8: said below.
    }
  }
  throw invalid(`part ${place} of the key`, 'a text or a finite number', part);
}
