// Errors of user code without an `onError`. Owns that they are logged and end nothing: a listener that throws must not
// end the process of an agent.

interface Globals {
  process?: unknown;
  Deno?: unknown;
  reportError?: (error: unknown) => void;
  console?: { error(...what: unknown[]): void };
}

/** Logs an error by `reportError` or to the console. Never throws. */
export function logError(error: unknown): void {
  try {
    const { process, Deno, reportError, console } = globalThis as Globals;
    // Only in a page or a worker: in a process, an error reported this way may end it.
    if (process === undefined && Deno === undefined && typeof reportError === 'function') reportError(error);
    else console?.error(error);
  } catch {
    // It can't be shown.
  }
}

/** Calls user code with `what`. Its error, or a later rejection, goes to `report`. */
export function notify<What>(listener: (what: What) => unknown, report: (error: unknown) => void, what: What): void {
  try {
    const answer = listener(what);
    // A foreign thenable may throw, or settle twice: a promise of ours guards against both.
    if (isThenable(answer)) new Promise((resolve) => resolve(answer)).catch(report);
  } catch (error) {
    report(error);
  }
}

/**
 * Returns an answer that must not be a promise. If it is one, the caller refuses it; this handles its rejection, which must not
 * end the process.
 */
export function atOnce<Answer>(answer: Answer): Answer {
  try {
    if (isPromise(answer)) Promise.prototype.then.call(answer, undefined, () => undefined);
  } catch {
    // A proxy with the prototype of a promise, but without one.
  }
  return answer;
}

/** Whether a value is a native promise; false for a proxy that throws. */
export function isPromise(value: unknown): boolean {
  try {
    return value instanceof Promise;
  } catch {
    return false;
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
