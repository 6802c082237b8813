// The meaning of a host's own status for the end of a run (L3). Owns these statuses; the core decides how the run ends.

import { describe, SubAgentError } from '../base/errors.js';
import { RETURNED_CANCELLED, RETURNED_COMPLETED, RETURNED_FAILED, RETURNED_INCOMPLETE, RETURNED_TIMED_OUT } from '../generated/codes.js';

/** In their compared form: lower case, without `-`, `_` and spaces. */
const WORDS: readonly (readonly [how: number, words: string])[] = [
  [RETURNED_COMPLETED, 'completed success succeeded ok done finished stop endturn'],
  [RETURNED_FAILED, 'failed failure error errored'],
  [RETURNED_INCOMPLETE, 'incomplete length maxtokens contentfilter refusal'],
  [RETURNED_CANCELLED, 'cancelled canceled aborted interrupted'],
  [RETURNED_TIMED_OUT, 'timedout timeout'],
];

const MEANINGS: ReadonlyMap<string, number> = new Map(WORDS.flatMap(([how, words]) => words.split(' ').map((word) => [word, how])));

/** Longer than any word that has a meaning. */
const LONGEST_WORD = 40;
/** The part of a word that is retained to recognise it, in characters. */
const LONGEST_KEPT = 200;
/** Maximum number of reported words without a meaning: a host may make up a new one for each run. */
const MOST_REPORTED = 100;

/** How a run ended by this word; undefined if the word has no meaning here. */
export function meaningOf(status: string): number | undefined {
  if (status === 'completed') return RETURNED_COMPLETED;
  if (status.length > LONGEST_WORD) return undefined;
  return MEANINGS.get(status.toLowerCase().replaceAll(/[\s_-]/g, ''));
}

/** The words without a meaning that hosts of one manager have used. */
export class UnknownStatuses {
  private readonly seen = new Set<string>();
  private readonly report: (error: SubAgentError) => void;

  constructor(report: (error: SubAgentError) => void) {
    this.report = report;
  }

  /** A result had this status; `failed` if its error decides how the run ended. */
  note(status: string, failed: boolean): void {
    const word = status.slice(0, LONGEST_KEPT);
    if (this.seen.has(word) || this.seen.size >= MOST_REPORTED) return;
    this.seen.add(word);
    const taken = failed ? "with an error beside it, it counts as 'failed'" : "it counts as 'completed'";
    const expected = "'completed', 'failed', 'incomplete', 'cancelled' or 'timed_out'";
    const message = `a host function returned the status ${describe(status)}, which has no meaning here: ${taken}. Return ${expected}`;
    this.report(new SubAgentError('invalid_argument', message, { argument: 'status', expected }));
  }
}
