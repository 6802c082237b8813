// Errors that come from another copy of this package. Owns how they become errors of this one.

import { isSubAgentError, SubAgentError } from './error-class.js';

/**
 * An error of this package as one of this copy of it, or `undefined` where it is another's. The CommonJS files and the
 * modules have a class each.
 */
export function ownError(error: unknown): SubAgentError | undefined {
  if (error instanceof SubAgentError) return error;
  if (!isSubAgentError(error)) return undefined;
  return new SubAgentError(error.code, error.message, { ...error.details }, { cause: error });
}
