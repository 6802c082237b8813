// What goes between a lead and its workers: the job of a run, the letters of a worker, the answers of the lead. Owns the
// shapes, their version, and which attempt at a job is the newer one.

import type { Run } from '../api/run.js';
import { SubAgentError, type SubAgentErrorCode } from '../base/errors.js';
import type { RunLimits, RunRemaining } from '../reading/exchange.js';

/** A lead and a worker of different versions refuse each other's jobs. */
export const WIRE_VERSION = 1;

/** What a run knows without asking; the worker has it from the job. */
export const TOLD = [
  'taskId',
  'run',
  'depth',
  'label',
  'prompt',
  'contextHint',
  'systemPrompt',
  'profile',
  'sourceAgentId',
  'disallowedTools',
  'tools',
  'modelId',
  'previousError',
  'checkpointed',
  'limits',
] as const satisfies (keyof Run)[];

/** A run as its job tells of it: what is undefined or empty is left out, a limit that is infinite is null. */
export type Brief = Partial<Pick<Run, Exclude<(typeof TOLD)[number], 'limits'>>> & {
  readonly limits: { readonly [K in keyof RunLimits]: number | null };
  schema?: unknown;
  /** What the run's idempotency keys begin with, where that isn't the task and this run. */
  work?: string;
};

/** The data of a job. */
export interface JobData {
  readonly version: number;
  /** How often the lead has added the job: more than once where the queue has lost it. */
  readonly adds: number;
  readonly brief: Brief;
  readonly params: object;
}

/** Which attempt at a job it is: how often it was added, and how often started. */
export type Fence = readonly [adds: number, starts: number];

export function compareFences(a: Fence, b: Fence): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** The name of an attempt: of its process, and which one it is there. */
export function attemptOf(process: string, number: number): string {
  return `${process}.${number}`;
}

/** The process of an attempt. */
export function processOf(by: string): string {
  return by.slice(0, by.lastIndexOf('.'));
}

/** A call of a run's method. */
export interface Request {
  /** Its number in the attempt, from 0; the lead begins them in this order. */
  readonly seq: number;
  readonly call: string;
  readonly args: readonly unknown[];
}

/** What an attempt at a job asks the lead. It is sent again until all of it is answered. */
export interface Letter {
  readonly job: string;
  /** The attempt; `processOf` says where the answers go. */
  readonly by: string;
  readonly fence: Fence;
  /** How often the job's worker was lost. */
  readonly losses: number;
  /** All requests below this number are answered. */
  readonly from: number;
  readonly requests: readonly Request[];
}

export interface WireError {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  readonly details?: Record<string, unknown>;
}

export interface Answer {
  readonly seq: number;
  readonly value?: unknown;
  readonly error?: WireError;
}

/** What the lead says to an attempt. */
export interface Reply {
  /** Which lead it is: a later one has a higher number. */
  readonly term: string;
  readonly job: string;
  readonly by: string;
  readonly answers: readonly Answer[];
  /** Why the attempt has to stop. */
  readonly abort?: string;
  /** Why nothing of it counts any more. */
  readonly refused?: string;
}

/** What the lead says to all workers: that it leads now, or that a job has to stop. */
export interface Call {
  readonly term: string;
  readonly abort?: { readonly job: string; readonly reason: string };
}

/** How an attempt ended: the return value of the job. */
export interface Returned {
  readonly by: string;
  readonly from: number;
  /** Requests that were not answered before its end: reports. */
  readonly requests: readonly Request[];
  readonly result?: unknown;
  readonly threw?: WireError;
  /** It was told that nothing of it counts. */
  readonly refused?: true;
}

/** What comes with a turn. */
export interface Turn {
  readonly permit: unknown;
  readonly remaining?: RunRemaining;
}

const INFINITE = { infinite: true };

/**
 * A value as JSON can hold it: without what JSON would change, but for infinity, which limits have. It is copied, so that
 * what its owner changes later isn't sent.
 */
export function toWire(value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY) return INFINITE;
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value;
  if (Array.isArray(value)) return value.map((one) => toWire(one) ?? null);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const wired = toWire((value as Record<string, unknown>)[key]);
    if (wired !== undefined) made[key] = wired;
  }
  return made;
}

/** What `toWire` made, after JSON: the value is the caller's own, and is changed in place. */
export function fromWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ((value as typeof INFINITE).infinite === true && Object.keys(value).length === 1) return Number.POSITIVE_INFINITY;
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const one = fields[key];
    if (typeof one !== 'object' || one === null) continue;
    const read = fromWire(one);
    if (read !== one) Object.defineProperty(fields, key, { value: read, enumerable: true, writable: true, configurable: true });
  }
  return value;
}

export function wireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, name } = error;
  const { code, details } = error as { code?: unknown; details?: Record<string, unknown> };
  return {
    message,
    name,
    ...(typeof code === 'string' && { code }),
    ...(name === 'SubAgentError' && details !== undefined && { details: toWire(details) as Record<string, unknown> }),
  };
}

export function errorOf({ message, name, code, details }: WireError): Error {
  if (name === 'SubAgentError' && code !== undefined) return new SubAgentError(code as SubAgentErrorCode, message, details ?? {});
  const error = new Error(message);
  if (name !== undefined) Object.defineProperty(error, 'name', { value: name, configurable: true });
  return code === undefined ? error : Object.assign(error, { code });
}

/** What the signal of a run fires with, in a worker, and what the run ends with that no worker had. */
export function aborted(reason: string): SubAgentError {
  return new SubAgentError('aborted', `the sub-agent was told to stop: ${reason}`, { reason });
}
