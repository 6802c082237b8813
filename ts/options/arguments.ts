// The one reader of callers' arguments: objects of options, lists, texts, names, targets, signals, times. Owns that each
// property is read once, that only own properties count, and that the core gets values of the right kind. Everything else is
// `invalid_argument`, with the name of the wrong argument.

import { invalid, messageOf, SubAgentError } from '../base/errors.js';
import { safeSignal } from '../base/foreign-signal.js';
import { isObject } from '../base/json.js';
import { type Complete, unknownOption } from '../base/unknown.js';

export { noOtherFields, noOtherOptions, unknownField, unknownOption, unknownPart } from '../base/unknown.js';

/** A task by its id or its handle. */
export type TaskRef = string | { readonly taskId: string };

/** The id that a target names. */
export function idOf(target: TaskRef, what = 'a target'): string {
  if (typeof target !== 'object' || target === null) return target;
  const id: unknown = readArgument(what, () => propertyOf(target, 'taskId'));
  // An object without an id must not count as no target, which means another sub-agent.
  if (typeof id !== 'string') throw invalid(what, Array.isArray(target) ? 'one id or handle' : 'an id or a handle', target);
  return id;
}

/** The ids in a list of targets; one target is a list of one. */
export function idsOf(what: string, targets: unknown): string[] {
  const isOne = typeof targets === 'string' || readArgument(what, () => isObject(targets) && propertyOf(targets, 'taskId') !== undefined);
  if (isOne) return [idOf(targets as TaskRef)];
  return listOf(what, 'an id, a handle or a list of them', targets, (target, name) => {
    const id: unknown = idOf(target as TaskRef, name);
    if (typeof id !== 'string') throw invalid(name, 'an id or a handle', id);
    return id;
  });
}

/** Maximum length of a chain of prototypes; a proxy may name itself as its own prototype. */
const DEEPEST = 100;
/** More entries than any list of names, targets or to-dos has; a proxy may claim any length. */
const MOST_ENTRIES = 1_048_576;
/** Maximum code units of one text: beyond that, the memory of all who use the manager is at risk. */
export const MOST_TEXT = 16_777_216;

/**
 * Reads the caller's options, each once. The copy has the object's own properties and the accessors of its class, and nothing
 * that other code left on `Object.prototype`. Throws `invalid_argument`.
 */
export function optionsOf<T extends object>(what: string, options: T, expected = 'an object'): T {
  return readArgument(what, () => {
    objectOf(what, options, expected);
    // A promise has no properties, so it would pass for empty options.
    if (Array.isArray(options) || options instanceof Promise) throw invalid(what, expected, options);
    const given = Object.create(null) as Record<string, unknown>;
    for (const level of levelsOf(options)) {
      const names = Object.getOwnPropertyNames(level);
      // Most objects have only enumerable properties; the counts show that without a check of each.
      const isPlain = Object.keys(level).length === names.length;
      for (const name of names) {
        // An object without a prototype treats `__proto__` like any other name.
        if (!(name in given) && (isPlain || isGiven(level, name))) given[name] = (options as Record<string, unknown>)[name];
      }
    }
    return given as T;
  });
}

/** Enumerable properties and accessors count as given by the caller; methods of a class don't. */
function isGiven(level: object, name: string): boolean {
  const { enumerable, get } = Object.getOwnPropertyDescriptor(level, name) ?? {};
  return enumerable === true || get !== undefined;
}

/** An object and its prototypes, without `Object.prototype`. */
function levelsOf(object: object): object[] {
  const levels = [object];
  let level = Object.getPrototypeOf(object) as object | null;
  while (level !== null && !isRoot(level)) {
    if (levels.push(level) > DEEPEST) throw new Error(`it inherits from more than ${DEEPEST} objects`);
    level = Object.getPrototypeOf(level) as object | null;
  }
  return levels;
}

/** `Object.prototype`, of this realm or another one. */
function isRoot(object: object): boolean {
  return object === Object.prototype || (Object.getPrototypeOf(object) === null && Object.hasOwn(object, 'hasOwnProperty'));
}

/** A property of an object, or of its class, but none that other code left on `Object.prototype`. */
export function propertyOf(object: object, name: string): unknown {
  return ownOf(object, name, (object as Record<string, unknown>)[name]);
}

/** Like `propertyOf`, for a property that was already read. */
export function ownOf(object: object, name: string, value: unknown): unknown {
  // An undefined value needs no ownership check.
  if (value === undefined || Object.hasOwn(object, name)) return value;
  const isInherited = Object.getPrototypeOf(object) !== Object.prototype && levelsOf(object).some((level) => Object.hasOwn(level, name));
  return isInherited ? value : undefined;
}

/** Checks that a value is an object; returns it unchanged. */
export function objectOf<T extends object>(what: string, value: T, expected = 'an object'): T {
  if (typeof value === 'object' && value !== null) return value;
  throw invalid(what, expected, value);
}

/**
 * Reads the entries of a list, each once, in order. `read` gets each entry and its name for an error. A missing entry is
 * undefined.
 */
export function listOf<T>(what: string, expected: string, list: unknown, read: (entry: unknown, what: string) => T): T[] {
  return readArgument(what, () => {
    if (!Array.isArray(list)) throw invalid(what, expected, list);
    const { length } = list;
    if (!(length <= MOST_ENTRIES)) throw invalid(what, `a list of at most ${MOST_ENTRIES} entries`, length);
    const entries: T[] = [];
    for (let at = 0; at < length; at += 1) {
      const name = what.endsWith('`') ? `${what.slice(0, -1)}[${at}]\`` : `${what}[${at}]`;
      entries.push(read(Object.hasOwn(list, at) ? readArgument(name, () => list[at]) : undefined, name));
    }
    return entries;
  });
}

/** The entries of a list, of any type. */
export function entriesOf(what: string, list: unknown): unknown[] {
  return listOf(what, 'a list', list, (entry) => entry);
}

/** Whether a value is a text that the core can take. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}

/** A text that the core can take. */
export function textOf(what: string, value: unknown): string {
  if (isText(value)) return value;
  throw invalid(what, typeof value === 'string' ? `a text of at most ${MOST_TEXT} characters` : 'a string', value);
}

/**
 * A text that serves as a name. Refuses half a surrogate pair, which has no UTF-8: two names that differ only in one would be
 * the same to the core.
 */
export function nameOf(what: string, value: unknown): string {
  const name = textOf(what, value);
  if (isWellFormed(name)) return name;
  throw invalid(what, 'well-formed text, as `toWellFormed()` makes it', value);
}

/** Checks a name that may end with `*`. */
export function prefixOf(option: string, name: string): string {
  const what = `a name in \`${option}\``;
  if (nameOf(what, name).slice(0, -1).includes('*')) throw invalid(what, 'a text with `*` at its end alone', name);
  return name;
}

/** Whether a text has no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return (text as { isWellFormed?(): boolean }).isWellFormed?.() ?? !LONE_SURROGATE.test(text);
}

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Reads the options of a call, each once. Refuses a name that is not in `names`. The compiler checks that `names` has every key
 * of the type. `what`: the name of the options in an error.
 */
export function knownOptions<T extends object, const Names extends readonly (keyof T & string)[]>(
  call: string,
  given: T,
  names: Names & Complete<T, Names>,
  what = `the options of ${call}`,
): T {
  return readArgument(what, () => {
    const read = optionsOf(what, given, `an object such as { ${suchAs(names[0] ?? '')} }`);
    const unknownName = Object.keys(read).find((name) => !(names as readonly string[]).includes(name));
    if (unknownName !== undefined) throw unknownOption(call, unknownName, names);
    return read;
  });
}

/** An example of an option, for an error: with a value, if its name implies one. */
function suchAs(name: string): string {
  if (name.endsWith('Ms')) return `${name}: 5_000`;
  return name === 'mode' ? "mode: 'steer'" : name;
}

/** The error for two names that were given for one thing; `argument` is the one too many. */
export function saidTwice(names: string, argument: string): SubAgentError {
  return new SubAgentError('invalid_argument', `${names} say the same: give one`, { argument });
}

/** Reads a caller's value. If that throws, the caller's object is the cause. */
export function readArgument<T>(what: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw unreadable(what, error);
  }
}

/** Turns an error from reading a caller's object into one of ours. */
export function unreadable(what: string, error: unknown): SubAgentError {
  if (isOurs(error)) return error;
  return new SubAgentError(
    'invalid_argument',
    `${what} can't be read: ${messageOf(error)}`,
    { argument: what.replaceAll('`', '') },
    { cause: error },
  );
}

/** Whether an error is one of ours. */
export function isOurs(error: unknown): error is SubAgentError {
  try {
    return error instanceof SubAgentError;
  } catch {
    // A thrown, revoked proxy throws again.
    return false;
  }
}

/** A signal of the platform, or nothing. A foreign signal gets its stand-in. */
export function signalOf(what: string, signal: unknown): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  return readArgument(what, () => {
    const { aborted, addEventListener, removeEventListener } = Object(signal) as Partial<AbortSignal>;
    if (typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function') {
      return safeSignal(signal as AbortSignal);
    }
    throw invalid(what, 'an AbortSignal, such as `controller.signal`', signal);
  });
}

/** The `graceMs` of a call that has no other option. */
export function graceOf(options: { graceMs?: number | undefined } | undefined, call: string): number | undefined {
  if (options === undefined) return undefined;
  const what = `the options of ${call}`;
  return readArgument(what, () => {
    const { graceMs } = knownOptions(call, options, ['graceMs']);
    return grace(graceMs);
  });
}

/** Milliseconds, 0 included, or `Infinity`; undefined if none are given. */
export function grace(graceMs: unknown): number | undefined {
  if (graceMs === undefined) return undefined;
  if (typeof graceMs === 'number' && graceMs >= 0) return graceMs;
  throw invalid('`graceMs`', 'milliseconds of at least 0, or Infinity', graceMs);
}

/** Checks that a required value is given. */
export function given<T>(what: string, value: T): T {
  if (value === undefined) throw invalid(what, 'given', value);
  return value;
}
