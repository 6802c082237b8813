// Counts tokens: by the host's function, else by a rule of thumb.

import { invalid } from '../base/errors.js';

const encoder = new TextEncoder();

/** UTF-8 bytes divided by 4, rounded up. */
function estimate(text: string): number {
  return Math.ceil(encoder.encode(text).length / 4);
}

/**
 * Counts the tokens of a text, by the host's function, else by the rule of thumb. If the function throws or returns no count,
 * it calls `report` and uses the rule of thumb.
 */
export function countTokens(text: unknown, hook: ((text: string) => number) | undefined, report: (error: unknown) => void): number {
  if (typeof text !== 'string') throw invalid('the text', 'a string', text);
  if (hook === undefined) return estimate(text);
  try {
    const count: unknown = hook(text);
    if (typeof count === 'number' && count >= 0 && Number.isFinite(count)) return Math.ceil(count);
    report(invalid('what `countTokens` returns', 'a number of at least 0', count));
  } catch (error) {
    report(error);
  }
  return estimate(text);
}
