// The one error class. Its codes and the fields of their details are generated; messages come from the code that refuses.

import type { CertainErrorDetails, SubAgentErrorCode, SubAgentErrorDetails } from '../generated/errors.js';
import { jsonForModel } from './quoting.js';

export type { SubAgentErrorCode, SubAgentErrorDetails };

/** What an error of one code tells beside its message. */
export type SubAgentErrorDetailsOf<Code extends SubAgentErrorCode> = Code extends keyof CertainErrorDetails
  ? SubAgentErrorDetails & CertainErrorDetails[Code]
  : SubAgentErrorDetails;

/** The error of one code. */
export type SubAgentErrorOf<Code extends SubAgentErrorCode> = Code extends SubAgentErrorCode
  ? Error & {
      readonly name: 'SubAgentError';
      /** What went wrong, from a closed list. */
      readonly code: Code;
      /** Fields that belong to the code. */
      readonly details: SubAgentErrorDetailsOf<Code>;
    }
  : never;

/** Every error that this package throws: a union, so that `error.code === '…'` says which `details` it has. */
export type SubAgentError = SubAgentErrorOf<SubAgentErrorCode>;

/** The class of these errors. */
export interface SubAgentErrorClass {
  /** What every error of this package is an instance of. */
  readonly prototype: SubAgentError;
  new <Code extends SubAgentErrorCode>(
    code: Code,
    message: string,
    details?: Record<string, unknown>,
    options?: ErrorOptions,
  ): SubAgentErrorOf<Code>;
  new (code: SubAgentErrorCode, message: string, details?: Record<string, unknown>, options?: ErrorOptions): SubAgentError;
}

/** Whether a call of some core is on the way. */
let isWithin = false;

/** Says so: see `letStackGo`. */
export function withinCore(within: boolean): void {
  isWithin = within;
}

/**
 * V8 keeps all that was on the stack, a core and its memory among it, until the stack of an error is first read: an
 * error that a program keeps would keep them.
 */
export function letStackGo(error: unknown): void {
  try {
    for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) void at.stack;
  } catch {
    // What a getter threw tells nothing more.
  }
}

/** Every error that this package throws. What a model did wrong comes back as text instead. */
export const SubAgentError = class SubAgentError extends Error {
  override readonly name = 'SubAgentError';
  readonly code: SubAgentErrorCode;
  readonly details: SubAgentErrorDetails;

  constructor(code: SubAgentErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details as SubAgentErrorDetails;
    if (isWithin) letStackGo(this);
  }
} as unknown as SubAgentErrorClass;

/**
 * Whether something that was caught is an error of this package, of one code where one is given. It goes by the error's
 * name and code, so that it also knows those of another copy of the package. Never throws.
 */
export function isSubAgentError<Code extends SubAgentErrorCode = SubAgentErrorCode>(
  error: unknown,
  code?: Code,
): error is SubAgentErrorOf<Code> {
  try {
    if (!(error instanceof Error) || error.name !== 'SubAgentError') return false;
    const { code: own } = error as { code?: unknown };
    return code === undefined ? typeof own === 'string' : own === code;
  } catch {
    // A revoked proxy.
    return false;
  }
}

/** What a model is told in place of the message, where that names options, which are the program's. */
const told = new WeakMap<object, string>();

/** Has a model told this in place of the message; returns the error. */
export function tellingModels(error: SubAgentError, text: string): SubAgentError {
  if (text !== error.message) told.set(error, text);
  return error;
}

/** What a model is told of an error. */
export function toldOf(error: SubAgentError): string {
  return told.get(error) ?? messageOf(error);
}

/** An `invalid_argument` that says what was expected and what came. */
export function invalid(what: string, expected: string, got: unknown): SubAgentError {
  const message = `${what} must be ${expected}, got ${describe(got)}`;
  // For programs: without the quotes that set a name off in the sentence.
  return new SubAgentError('invalid_argument', message, { argument: what.replaceAll('`', ''), expected });
}

/** A value in a few words, whatever it is; runs no code of the value's. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `a string of ${value.length} characters` : jsonForModel(value);
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object') return listOrObject(value);
  return `a ${typeof value}`;
}

function listOrObject(value: object): string {
  try {
    if (!Array.isArray(value)) return 'an object';
    return value.length === 0 ? 'an empty list' : 'a list';
  } catch {
    // A proxy.
    return 'an object';
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
