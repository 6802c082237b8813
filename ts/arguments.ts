// What callers hand in beside the options of a spawn: targets, signals, times. Owns that whatever comes, what
// goes on to the core is a value of the right kind, and that the rest is `invalid_argument`.

import { invalid, messageOf, SubAgentError } from './errors.js';

/** A task by its id or its handle. */
export type TaskRef = string | { readonly taskId: string };

/** The id that a target names. */
export function idOf(target: TaskRef): string {
  if (typeof target !== 'object' || target === null) return target;
  const id: unknown = readArgument('a target', () => target.taskId);
  // An object without an id must not pass for no target, which stands for another sub-agent.
  if (typeof id !== 'string') throw invalid('a target', 'an id or a handle', target);
  return id;
}

/** The caller's options, to be read with `readArgument`. */
export function optionsOf<T extends object>(what: string, options: T): T {
  if (typeof options === 'object' && options !== null) return options;
  throw invalid(what, 'an object', options);
}

/** Refuses what is left of options once all known ones are taken out. */
export function noOtherOptions(what: string, rest: object): void {
  const [stranger] = Object.keys(rest);
  if (stranger !== undefined) throw unknownOption(what, stranger);
}

/** Two names were given for one thing; `argument` is the one too many. */
export function saidTwice(names: string, argument: string): SubAgentError {
  return new SubAgentError('invalid_argument', `${names} say the same: give one`, { argument });
}

/** An option that nobody knows. */
export function unknownOption(what: string, name: string): SubAgentError {
  return new SubAgentError('invalid_argument', `${what} has no option \`${name}\``, { argument: name });
}

/** The same for an option that is an object; `known` lists its fields. */
export function noOtherFields(name: string, rest: object, known: string): void {
  const [stranger] = Object.keys(rest);
  if (stranger === undefined) return;
  throw new SubAgentError('invalid_argument', `\`${name}\` has no \`${stranger}\`; it has ${known}`, { argument: `${name}.${stranger}` });
}

/** A field that nobody reads: what it reports would be lost without a word. */
export function unknownField(what: string, name: string, known: Iterable<string>): SubAgentError {
  return new SubAgentError('invalid_argument', `${what} has no \`${name}\`; it has ${[...known].join(', ')}`, { argument: name });
}

/** Reads what a caller handed in; where that throws, the caller's object is to blame. */
export function readArgument<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw unreadable(what, error);
  }
}

/** What reading a caller's object threw, as an error of ours. */
export function unreadable(what: string, error: unknown): SubAgentError {
  if (isOurs(error)) return error;
  return new SubAgentError('invalid_argument', `${what} can't be read: ${messageOf(error)}`, { argument: what }, { cause: error });
}

/** Whether an error is one of ours. */
export function isOurs(error: unknown): error is SubAgentError {
  try {
    return error instanceof SubAgentError;
  } catch {
    // A revoked proxy, thrown, throws again.
    return false;
  }
}

/** A signal, or nothing. */
export function signalOf(what: string, signal: unknown): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const { aborted, addEventListener, removeEventListener } = Object(signal) as Partial<AbortSignal>;
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function') {
    return signal as AbortSignal;
  }
  throw invalid(what, 'an AbortSignal', signal);
}

/** The `graceMs` of a call that has no other option. */
export function graceOf(options: { graceMs?: number | undefined } | undefined, call: string): number {
  if (options === undefined) return Number.NaN;
  const what = `the options of ${call}`;
  return readArgument(what, () => {
    const { graceMs, ...unknown } = optionsOf(what, options);
    noOtherOptions(call, unknown);
    return grace(graceMs);
  });
}

/** Milliseconds, 0 included, or `Infinity`; `NaN` where there are none, which is how the core is told. */
export function grace(graceMs: unknown): number {
  if (graceMs === undefined) return Number.NaN;
  if (typeof graceMs === 'number' && graceMs >= 0) return graceMs;
  throw invalid('`graceMs`', 'milliseconds of at least 0, or Infinity', graceMs);
}
