// The errors of stores: a failed one, a damaged one, one of a later version, a wrong argument. Owns their messages,
// and that a loss which no append found is reported once.

import { ownError, SubAgentError } from '../base/error-class.js';

/** The error that a store ends with; one that says more stays. */
export function failed(name: string, cause: unknown): SubAgentError {
  const own = ownError(cause);
  if (own !== undefined) return own;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SubAgentError('store_failed', `${name} failed: ${why}`, { store: name }, { cause });
}

/** What a store's medium can't be trusted with. */
export function damaged(name: string, place: Record<string, unknown>, what: string, reason: string): SubAgentError {
  return new SubAgentError('store_damaged', `${name} is damaged at ${what}: ${reason}`, { store: name, ...place, reason });
}

/** While a reader was at a record, another process replaced it by a snapshot: the store has to be read again. */
export function compactedMeanwhile(name: string, record: number, through: number): SubAgentError {
  const message = `record ${record} of ${name} was replaced by a snapshot before it was read: read the store anew`;
  return new SubAgentError('store_failed', message, { store: name, record, through });
}

/** The reader's file no longer has the name. @param how what happened to it */
export function changedMeanwhile(name: string, how: string): SubAgentError {
  return new SubAgentError('store_failed', `${name} ${how}: read the store anew`, { store: name, how });
}

/** A store that a later version of this package wrote. */
export function tooNew(name: string, version: number, supported: number): SubAgentError {
  const message = `${name} was written by a newer version of this package (form ${version}, this one reads up to ${supported})`;
  return new SubAgentError('store_version', message, { store: name, version, supported });
}

/** An argument of a function that makes a store. */
export function wrong(argument: string, expected: string): SubAgentError {
  return new SubAgentError('invalid_argument', `\`${argument}\` must be ${expected}`, { argument, expected });
}

/** Checks a compaction: it replaces at least the records of the one before, and only existing ones. */
export function expectThrough(through: number, from: number, to: number): void {
  if (!Number.isSafeInteger(through) || through < from || through > to) throw wrong('through', `a whole number from ${from} to ${to}`);
}

export class Loss {
  /** Resolves to the reason once the store is lost, else never. */
  readonly reason: Promise<unknown>;
  /** Only the first one counts. */
  report: (why: unknown) => void = () => undefined;

  constructor() {
    this.reason = new Promise((resolve) => {
      this.report = resolve;
    });
  }
}
