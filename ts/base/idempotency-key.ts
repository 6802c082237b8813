// Keys with which a tool does its work once, even if a run repeats it. Owns that different lists of parts never make the same
// key.

import { invalid } from './errors.js';

/** The key of a part of a run's work: `work` names the message, `parts` the place in it. */
export function keyWithin(work: string, parts: readonly (string | number)[]): string {
  return [work, ...parts.map((part, index) => escaped(part, index + 1))].join(':');
}

function escaped(part: unknown, place: number): string {
  if (typeof part === 'string' || Number.isFinite(part)) {
    try {
      return encodeURIComponent(part as string | number);
    } catch {
      // Half of a surrogate pair, which has no UTF-8: refused below.
    }
  }
  throw invalid(`part ${place} of the key`, 'a text or a finite number', part);
}
