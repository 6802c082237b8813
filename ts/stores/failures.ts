// The errors of stores: a failed one, a damaged one, one of a later version, a wrong argument. Owns their messages,
// and that a loss which no append found is reported once.

import { ownError, SubAgentError } from '../base/error-class.js';

/** The error that ends a store; an error of this package stays as it is. */
export function failed(name: string, cause: unknown): SubAgentError {
  const own = ownError(cause);
  if (own !== undefined) return own;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SubAgentError('store_failed', `${name} failed: ${why}`, { store: name }, { cause });
}

/** The error for damage in a store's medium. */
export function damaged(name: string, place: Record<string, unknown>, what: string, reason: string): SubAgentError {
  return new SubAgentError('store_damaged', `${name} is damaged at ${what}: ${reason}`, { store: name, ...place, reason });
}

/** The error for a record that another process replaced by a snapshot before it was read. */
export function compactedMeanwhile(name: string, record: number, through: number): SubAgentError {
  const message = `record ${record} of ${name} was replaced by a snapshot before it was read: read the store anew`;
  return new SubAgentError('store_failed', message, { store: name, record, through });
}

/** The error for a file that changed while it was read. @param how what happened to it */
export function changedMeanwhile(name: string, how: string): SubAgentError {
  return new SubAgentError('store_failed', `${name} ${how}: read the store anew`, { store: name, how });
}

/** The error for a store that a later version of this package wrote. */
export function tooNew(name: string, version: number, supported: number): SubAgentError {
  const message = `${name} was written by a newer version of this package (form ${version}, this one reads up to ${supported})`;
  return new SubAgentError('store_version', message, { store: name, version, supported });
}

/** The error for a wrong argument. */
export function wrong(argument: string, expected: string): SubAgentError {
  return new SubAgentError('invalid_argument', `\`${argument}\` must be ${expected}`, { argument, expected });
}

/** Checks a compaction: it replaces at least the records of the previous one, and only existing ones. */
export function expectThrough(through: number, from: number, to: number): void {
  if (!Number.isSafeInteger(through) || through < from || through > to) throw wrong('through', `a whole number from ${from} to ${to}`);
}

export class Loss {
  /** Resolves to the reason once the store is lost, else never. */
  readonly reason: Promise<unknown>;
  /** Only the first report counts. */
  report: (why: unknown) => void = () => undefined;

  constructor() {
    this.reason = new Promise((resolve) => {
      this.report = resolve;
    });
  }
}
