// The one error class. Owns the closed list of codes; messages come from whoever refuses.

import type { RejectionCode } from './generated/names.js';

/** What an error is about; the codes of `RejectionCode` come from the manager's rules. */
export type SubAgentErrorCode =
  | RejectionCode
  /** The manager has been disposed. */
  | 'disposed'
  /** The manager's core failed; it can't be used any more. */
  | 'internal'
  /** No agent is defined under this name. */
  | 'unknown_agent'
  /** There is no profile of this name. */
  | 'unknown_profile'
  /** A policy refused a spawn; `details.policy` names it, `details.report` is its report where it made one. */
  | 'policy_blocked'
  /** `checkConsumerSpawn` refused. */
  | 'spawn_denied'
  /** A wait ended because the sub-agent asks and waits for a message; `details` has its id and the question. */
  | 'needs_input'
  /** A run's signal fired, or an operation was aborted by its caller's signal. */
  | 'aborted'
  /** The runtime allows no further instance; sessions share one. */
  | 'instance_limit'
  /** `init` of `subagents/slim` has not been awaited. */
  | 'not_ready';

/** Every error that this package throws. What a model did wrong comes back as text instead. */
export class SubAgentError extends Error {
  override readonly name = 'SubAgentError';
  /** What went wrong, from a closed list. */
  readonly code: SubAgentErrorCode;
  /** Fields that belong to the code, such as `limit`, `active`, `remaining`, `needed`, `option`. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: SubAgentErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** An `invalid_argument` that says what was expected and what came. */
export function invalid(what: string, expected: string, got: unknown): SubAgentError {
  const message = `${what} must be ${expected}, got ${describe(got)}`;
  // For programs: without the quotes that set a name off in the sentence.
  return new SubAgentError('invalid_argument', message, { argument: what.replaceAll('`', ''), expected });
}

/** A value in a few words, whatever it is; runs no code of the value's. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return isList(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}

function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    // A revoked proxy.
    return false;
  }
}

/** What was thrown, as a text: an error's message, a string, or a description. Never throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown;
    if (thrown instanceof Error) return String(thrown.message) || String(thrown.name) || 'an error without a message';
    if (typeof thrown === 'object' && thrown !== null && typeof (thrown as { message?: unknown }).message === 'string') {
      return (thrown as { message: string }).message;
    }
  } catch {
    // A getter threw; what it threw tells nothing more.
  }
  return `threw ${describe(thrown)}`;
}
