// The one error class. Owns its type: a code determines the details. Codes and details are generated; messages come
// from the code that refuses. Parts of the package that are built apart share it, so that all errors are instances of
// one class.

import type { CertainErrorDetails, SubAgentErrorCode, SubAgentErrorDetails } from '../generated/errors.js';

export type { SubAgentErrorCode, SubAgentErrorDetails };

/** The details of an error of one code. */
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
      /** Its name, code, message and details, for `JSON.stringify`. */
      toJSON(): Record<string, unknown>;
    }
  : never;

/** Every error that this package throws: a union, so that `error.code === '…'` determines its `details`. */
export type SubAgentError = SubAgentErrorOf<SubAgentErrorCode>;

/** The class of these errors. */
export interface SubAgentErrorClass {
  /** The prototype of every error of this package. */
  readonly prototype: SubAgentError;
  new <Code extends SubAgentErrorCode>(
    code: Code,
    message: string,
    details?: Record<string, unknown>,
    options?: ErrorOptions,
  ): SubAgentErrorOf<Code>;
  new (code: SubAgentErrorCode, message: string, details?: Record<string, unknown>, options?: ErrorOptions): SubAgentError;
}

/** Whether a call of some core is running. */
let isWithin = false;

/** Sets whether a call of some core is running: see `letStackGo`. */
export function withinCore(within: boolean): void {
  isWithin = within;
}

/**
 * Reads the stacks of an error and its causes. Until then, V8 retains everything on such a stack, such as a core with its
 * memory. An error that a program saves would retain them too.
 */
export function letStackGo(error: unknown): void {
  try {
    for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) void at.stack;
  } catch {
    // A getter threw; its error adds nothing.
  }
}

/** Every error that this package throws. A model's mistakes come back as text instead. */
export const SubAgentError = class SubAgentError extends Error {
  declare readonly name: 'SubAgentError';
  readonly code: SubAgentErrorCode;
  readonly details: SubAgentErrorDetails;

  constructor(code: SubAgentErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    // If a program has frozen `Error.prototype`, an assignment can't set an error's own name.
    Object.defineProperty(this, 'name', { value: 'SubAgentError', enumerable: true, configurable: true, writable: true });
    this.code = code;
    this.details = details as SubAgentErrorDetails;
    if (isWithin) letStackGo(this);
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, details } = this;
    return { name, code, message, details };
  }
} as unknown as SubAgentErrorClass;

/**
 * Whether a caught value is an error of this package; with `code`, one of this code. Checks the name and the code, so it also
 * recognizes errors of another copy of the package. Never throws.
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

/**
 * Converts an error of this package to the class of this copy; undefined for other errors. The CommonJS files and the modules
 * have a class each.
 */
export function ownError(error: unknown): SubAgentError | undefined {
  if (error instanceof SubAgentError) return error;
  if (!isSubAgentError(error)) return undefined;
  return new SubAgentError(error.code, error.message, { ...error.details }, { cause: error });
}

/**
 * The error of a method called without its object, as after `const { spawn } = manager`. `way`: a right call, such as
 * `manager.spawn`.
 */
export function detached(way: string): SubAgentError {
  const message = `a method was called without its object: call it as in \`${way}(…)\`, or bind it first`;
  return new SubAgentError('invalid_argument', message, { argument: 'this' });
}

/** Refuses `new` without a part that only the package has; `way` says how to get an instance. */
export function expectMade(part: unknown, what: string, way: string): void {
  if (part === undefined) throw new SubAgentError('invalid_argument', `${what} is not made with \`new\`: ${way}`);
}
