// Runs that continue in another process: another worker took them over, or a drain leaves them to the next process.
// Owns the errors that distinguish these from stopped runs.

import { SubAgentError } from '../base/errors.js';

/** The reasons of signals that fire because a run continues elsewhere, and the manager of that run. */
const elsewhere = new WeakMap<object, object>();

/**
 * Whether a signal fired because a run of this manager continues elsewhere. Either a drain leaves the run to the next process,
 * or another worker has taken it over. Also true for a derived signal with the same reason.
 */
export function isOfMove(runtime: object, { reason }: AbortSignal): boolean {
  return typeof reason === 'object' && reason !== null && elsewhere.get(reason) === runtime;
}

/** Marks an error: a signal that fires with it belongs to a run of this manager that continues elsewhere. */
export function markMoved(error: SubAgentError, runtime: object): void {
  elsewhere.set(error, runtime);
}

/** The error with which signals fire if another worker has taken over a run of this manager. */
export function movedAway(runtime: object): SubAgentError {
  const error = new SubAgentError('aborted', 'another worker has taken the run over', { reason: 'host_lost' });
  markMoved(error, runtime);
  return error;
}

/**
 * The error of a promise that a run waits for when a drain leaves the run to the next process. This process may not settle it.
 */
export function leftBehind(doing: string): SubAgentError {
  return new SubAgentError('aborted', `the run that ${doing} is left to the next process`, { reason: 'drained' });
}

/** Whether a call was cut by a drain that leaves its run: it has no answer, and the next process may make it again. */
export function isLeftBehind(error: SubAgentError): boolean {
  return error.code === 'aborted' && error.details.reason === 'drained';
}
