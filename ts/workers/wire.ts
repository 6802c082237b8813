// The messages between a lead and its workers: jobs, a worker's letters, the lead's answers. Owns the types, their version, and
// which attempt at a job is newer.

import type { Run } from '../api/run.js';
import type { Call, CallAnswer, CallError } from '../base/call.js';
import { describe, messageOf, SubAgentError, type SubAgentErrorCode } from '../base/errors.js';
import type { RunLimits, RunRemaining } from '../reading/exchange.js';
import type { Reported } from './attempt-usage.js';

/** The fields that a worker has from the job, without asking. */
export const SENT_FIELDS = [
  'taskId',
  'run',
  'depth',
  'label',
  'prompt',
  'contextHint',
  'systemPrompt',
  'profile',
  'agent',
  'disallowedTools',
  'tools',
  'modelId',
  'effort',
  'previousError',
  'checkpointed',
  'saved',
  'acquired',
  'limits',
] as const satisfies (keyof Run)[];

/** A run as its job describes it. Undefined and empty values are left out; an infinite limit is null. */
export type RunBrief = Partial<Pick<Run, Exclude<(typeof SENT_FIELDS)[number], 'limits'>>> & {
  readonly limits: { readonly [K in keyof RunLimits]: number | null };
  schema?: unknown;
  /** The prefix of the run's idempotency keys, if it isn't the task and this run. */
  work?: string;
};

/** The data of a job. */
export interface JobData {
  readonly version: number;
  /** How often the lead has added the job: more than once if the queue has lost it. */
  readonly adds: number;
  readonly brief: RunBrief;
  readonly params: object;
}

/** Identifies an attempt: how often its job was added, and how often started. */
export type Fence = readonly [adds: number, starts: number];

export function compareFences(a: Fence, b: Fence): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** The name of an attempt: its process, and its number there. */
export function attemptOf(process: string, number: number): string {
  return `${process}.${number}`;
}

/** The process of an attempt. */
export function processOf(by: string): string {
  return by.slice(0, by.lastIndexOf('.'));
}

/** A call of a run's method. */
export interface Request extends Call {
  /** Its number in the attempt, from 0; the lead begins them in this order. */
  readonly seq: number;
  /** How many numbers before it are answered, perhaps by another lead. */
  readonly skips?: number;
}

/** An attempt's requests to the lead, sent again until all are answered. */
export interface Letter {
  readonly job: string;
  /** The attempt; `processOf` names the process that gets the answers. */
  readonly by: string;
  readonly fence: Fence;
  /** How often the job's worker was lost. */
  readonly losses: number;
  /** All requests below this number are answered. */
  readonly from: number;
  readonly requests: readonly Request[];
}

export interface Answer extends CallAnswer {
  readonly seq: number;
}

/** A message of the lead to an attempt. */
export interface Reply {
  /** The lead's number: a later lead has a higher one. */
  readonly term: string;
  readonly job: string;
  readonly by: string;
  readonly answers: readonly Answer[];
  /** Why the attempt has to stop. */
  readonly abort?: string;
  /** Why the attempt no longer counts. */
  readonly refused?: string;
  /** Its run waits in the manager for a slot: its requests are answered once it has one. */
  readonly isEarly?: true;
}

/** A message of the lead to all workers: it leads now, or a job has to stop. */
export interface Broadcast {
  readonly term: string;
  readonly abort?: { readonly job: string; readonly reason: string };
}

/** A result: the fields that can be sent, and the mistakes in the others. */
export interface SentResult {
  /** Its fields, or the result itself, if it is no object. */
  readonly fields: unknown;
  /** Fields that can't be read, and why. */
  readonly unread?: Readonly<Record<string, string>>;
  /** Artifacts that JSON can't hold, by their place, and why. */
  readonly unkept?: Readonly<Record<number, string>>;
  /** Why its value is no JSON. */
  readonly noJson?: string;
}

/** How an attempt ended: the return value of the job. */
export interface Returned {
  readonly by: string;
  readonly from: number;
  /** Requests that were not answered before its end: reports. */
  readonly requests: readonly Request[];
  readonly result?: SentResult;
  readonly threw?: CallError;
  /** The attempt's reported usage and permitted turns, if it has any. */
  readonly reported?: Reported;
  /** The lead answered that this attempt doesn't count. */
  readonly refused?: true;
}

/** Characters that JSON can hold and Postgres can't: U+0000, and half a surrogate. */
const UNTAKEN = /\\u(0000|d[89a-f])/;
const PACKED = '$packed';

/** A value as Postgres takes it. With such a character, all of it becomes one text. */
export function packed(value: unknown): unknown {
  const json = JSON.stringify(value);
  return UNTAKEN.test(json) ? { [PACKED]: json } : value;
}

/** Reverses `packed`, after JSON. Leaves other values as they are. */
export function unpacked(value: unknown): unknown {
  const json = (value as { [PACKED]?: unknown } | null)?.[PACKED];
  return typeof json === 'string' ? JSON.parse(json) : value;
}

/** The data that comes with a turn. */
export interface Turn {
  readonly permit: unknown;
  readonly remaining?: RunRemaining;
}

/** The only key of the replacement for a value that JSON would change. */
const MARK = '$wire';
/** How deep a value may nest. Its sent form has at most three levels for each level. */
const DEEPEST = 200;
const DEEPEST_READ = 1_000;
/** The meanings of a mark. */
const MEANT = new Set(['undefined', 'NaN', 'Infinity', '-Infinity']);

/**
 * A value as JSON can hold it, including numbers that JSON lacks. It is copied, so that later changes by its owner aren't sent.
 * Throws if a part can't be sent: without it, the request would be another one.
 */
function toWire(value: unknown): unknown {
  try {
    return copyOf(value, true, []);
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    const argument = error.path.reverse().join('.');
    const what = argument === '' ? `it is ${error.what}, which` : `\`${argument}\` is ${error.what}, which`;
    throw new SubAgentError('invalid_argument', `${what} can't be sent to the lead`, { argument });
  }
}

/** The part of a value that can't be sent, and its path, from the inside out. */
class Unsendable {
  readonly what: string;
  readonly path: string[] = [];

  constructor(what: string) {
    this.what = what;
  }
}

/** The arguments of a call. JSON has no undefined, which means a missing argument. */
export function argsToWire(args: readonly unknown[]): unknown[] {
  return args.map((one) => (one === undefined ? { [MARK]: 'undefined' } : toWire(one)));
}

/** The part of a value that JSON can hold. Never throws. */
export function passedOn(value: unknown): unknown {
  try {
    return copyOf(value, false, []);
  } catch {
    return undefined;
  }
}

function copyOf(value: unknown, isWhole: boolean, within: object[]): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { [MARK]: String(value) };
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return refused(describe(value), isWhole);
  if (within.includes(value)) return refused('a part of itself', isWhole);
  if (within.length >= DEEPEST) return refused('nested too deep', isWhole);
  const { toJSON } = value as { toJSON?: unknown };
  within.push(value);
  const made = typeof toJSON === 'function' ? copyOf(toJSON.call(value), isWhole, within) : partsOf(value, isWhole, within);
  within.pop();
  return made;
}

function partsOf(value: object, isWhole: boolean, within: object[]): unknown {
  const part = (name: string | number, one: () => unknown): unknown => {
    const depth = within.length;
    try {
      return copyOf(one(), isWhole, within);
    } catch (error) {
      if (error instanceof Unsendable) error.path.push(String(name));
      if (isWhole) throw error;
      within.length = depth;
      return undefined;
    }
  };
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, at) => part(at, () => value[at]) ?? null);
  const made: Record<string, unknown> = {};
  const keys = Object.keys(value);
  for (const key of keys) {
    const one = part(key, () => (value as Record<string, unknown>)[key]);
    if (one !== undefined) setOwn(made, key, one);
  }
  // An object that looks like a mark is wrapped in a list, so that it isn't read as one.
  return keys.length === 1 && keys[0] === MARK ? { [MARK]: [made] } : made;
}

function refused(what: string, isWhole: boolean): undefined {
  if (isWhole) throw new Unsendable(what);
  return undefined;
}

/** `__proto__` is a name like any other. */
function setOwn(to: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(to, key, { value, enumerable: true, writable: true, configurable: true });
  else (to as Record<string, unknown>)[key] = value;
}

/** Reverses `toWire`, after JSON. Changes the caller's value in place. Throws `invalid_result` for another value. */
export function fromWire(value: unknown): unknown {
  return read(value, 0);
}

function read(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST_READ) throw malformed(`it nests deeper than ${DEEPEST_READ} levels`);
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields);
  if (keys.length === 1 && keys[0] === MARK) {
    const [meant] = [fields[MARK]].flat();
    if (typeof meant === 'string' && MEANT.has(meant)) return meant === 'undefined' ? undefined : Number(meant);
    if (typeof meant !== 'object' || meant === null) throw malformed(`\`${MARK}\` stands for nothing that is known`);
    return readWithin(meant as Record<string, unknown>, Object.keys(meant), depth + 1);
  }
  return readWithin(fields, keys, depth + 1);
}

function readWithin(fields: Record<string, unknown>, keys: readonly string[], depth: number): unknown {
  for (const key of keys) {
    const one = fields[key];
    if (typeof one !== 'object' || one === null) continue;
    const found = read(one, depth);
    if (found !== one) setOwn(fields, key, found);
  }
  return fields;
}

function malformed(why: string): SubAgentError {
  return new SubAgentError('invalid_result', `a value that was sent can't be read: ${why}`, { place: MARK });
}

/** Converts whatever was thrown. */
export function wireError(error: unknown): CallError {
  const message = messageOf(error);
  try {
    if (!(error instanceof Error)) return { message };
    const { name, code, details } = error as { name: unknown; code?: unknown; details?: Record<string, unknown> };
    return {
      message,
      ...(typeof name === 'string' && { name }),
      ...(typeof code === 'string' && { code }),
      ...(name === 'SubAgentError' && details !== undefined && { details: passedOn(details) as Record<string, unknown> }),
    };
  } catch {
    // One of its getters threw.
    return { message };
  }
}

/** Reverses `wireError`. */
export function errorOf({ message, name, code, details }: CallError): Error {
  if (name === 'SubAgentError' && code !== undefined) return new SubAgentError(code as SubAgentErrorCode, message, details ?? {});
  const error = new Error(message);
  if (name !== undefined) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return code === undefined ? error : Object.assign(error, { code });
}

/** The error of a run's signal in a worker, and of a run that ends before a worker had it. */
export function aborted(reason: string): SubAgentError {
  return new SubAgentError('aborted', `the sub-agent had to stop: ${reason}`, { reason });
}
