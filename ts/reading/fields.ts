// The fields of what a host function resolved to: each is read once, and apart from the others, since reading one may run
// code that throws. Owns that what stands on `Object.prototype` is no field of anything. Every name stands in code of its
// own: a property that is read by a varying name costs many times more.

import { ownOf } from '../options/arguments.js';

/** Stands for a field that can't be read. */
export const UNREADABLE = Symbol('unreadable');
/** Stands for one that was not read yet. */
const UNREAD = Symbol('unread');

/** What a host function resolved to, as it came. */
export type ResultFields = Record<'usage' | 'status' | 'output' | 'value' | 'artifacts' | 'taskId' | 'error', unknown>;

/** What it used, as it came. */
export type UsageFields = Record<'costUsd' | 'cost' | 'tokens' | 'inputTokens' | 'outputTokens' | 'turns' | 'durationMs', unknown>;

/** Gets the name of a field that can't be read, and what it threw. */
interface FieldErrors {
  unreadable(name: string, error: unknown): void;
}

/** Takes errors, and passes nothing on. */
const SILENT: FieldErrors = { unreadable: () => undefined };

/** Reads a result. */
export function fieldsOfResult(result: object, errors: FieldErrors): ResultFields {
  const from = result as ResultFields;
  const to: ResultFields = {
    usage: UNREAD,
    status: UNREAD,
    output: UNREAD,
    value: UNREAD,
    artifacts: UNREAD,
    taskId: UNREAD,
    error: UNREAD,
  };
  try {
    to.usage = from.usage;
    to.status = from.status;
    to.output = from.output;
    to.value = from.value;
    to.artifacts = from.artifacts;
    to.taskId = from.taskId;
    to.error = from.error;
    // Asked here, where the engine knows the object's shape, it costs next to nothing.
    if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
  } catch (error) {
    readApart(from, to, error, errors);
  }
  keepOwn(from, to, errors);
  return to;
}

/** Reads a usage. */
export function fieldsOfUsage(usage: object): UsageFields {
  const from = usage as UsageFields;
  const to: UsageFields = {
    costUsd: UNREAD,
    cost: UNREAD,
    tokens: UNREAD,
    inputTokens: UNREAD,
    outputTokens: UNREAD,
    turns: UNREAD,
    durationMs: UNREAD,
  };
  try {
    to.costUsd = from.costUsd;
    to.cost = from.cost;
    to.tokens = from.tokens;
    to.inputTokens = from.inputTokens;
    to.outputTokens = from.outputTokens;
    to.turns = from.turns;
    to.durationMs = from.durationMs;
    if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
  } catch (error) {
    readApart(from, to, error, SILENT);
  }
  keepOwn(from, to, SILENT);
  return to;
}

const PLAIN = {};

/** Whether other code has left one of the names on `Object.prototype`. */
function isOnPrototype(plain: object): boolean {
  return (
    'usage' in plain ||
    'status' in plain ||
    'output' in plain ||
    'value' in plain ||
    'artifacts' in plain ||
    'taskId' in plain ||
    'error' in plain ||
    'costUsd' in plain ||
    'cost' in plain ||
    'tokens' in plain ||
    'inputTokens' in plain ||
    'outputTokens' in plain ||
    'turns' in plain ||
    'durationMs' in plain
  );
}

/** Goes on where a field has thrown: it is the first that was not read. */
function readApart<Name extends string>(
  from: Record<Name, unknown>,
  to: Record<Name, unknown>,
  thrown: unknown,
  errors: FieldErrors,
): void {
  let isRead = false;
  for (const name of Object.keys(to) as Name[]) {
    if (to[name] !== UNREAD) continue;
    try {
      if (!isRead) throw thrown;
      to[name] = from[name];
    } catch (error) {
      to[name] = UNREADABLE;
      errors.unreadable(name, error);
    }
    isRead = true;
  }
}

/** Leaves out what is neither the object's own nor its class's. */
function keepOwn<Name extends string>(from: Record<Name, unknown>, to: Record<Name, unknown>, errors: FieldErrors): void {
  for (const name of Object.keys(to) as Name[]) {
    if (to[name] === UNREADABLE) continue;
    try {
      to[name] = ownOf(from, name, to[name]);
    } catch (error) {
      to[name] = UNREADABLE;
      errors.unreadable(name, error);
    }
  }
}
