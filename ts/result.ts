// What a host function returned, read once and with suspicion: any property may be missing, wrong, or run
// code that throws. Owns the reading; the core judges it.

import { describe, messageOf } from './errors.js';
import type { Checked, ValueCheck } from './schema/schema.js';

/** How a host function ended, by the core's number. */
const COMPLETED = 0;
const FAILED = 1;
const CANCELLED = 2;
const TIMED_OUT = 3;
const THREW = 4;
const INVALID = 5;

/** A reading that the host did not give. */
const MISSING = -1;

export interface Returned {
  how: number;
  output: string;
  error: string | undefined;
  cause: unknown;
  hostStatus: string | undefined;
  hostTaskId: string | undefined;
  artifacts: readonly Record<string, unknown>[] | undefined;
  artifactsJson: string | undefined;
  /** As it came; what it is once it was checked. */
  value: unknown;
  /** Set where it was checked. */
  valueJson: string | undefined;
  tokens: number;
  cost: number;
  turns: number;
  durationMs: number;
}

/** Reads a result. */
export function readResult(value: unknown): Returned {
  try {
    return read(value);
  } catch (error) {
    return invalidResult(`reading the result failed: ${messageOf(error)}`, error);
  }
}

function read(value: unknown): Returned {
  if (typeof value !== 'object' || value === null) {
    return invalidResult(`spawnSubAgent must resolve to { output, status, usage }, it resolved to ${describe(value)}`);
  }
  const { output, status, usage, taskId, artifacts, error, value: made } = value as Record<string, unknown>;
  if (typeof output !== 'string' && (output !== undefined || made === undefined))
    return invalidResult(`the result's output must be a string, got ${describe(output)}`);
  const how = status === undefined || status === 'completed' ? COMPLETED : howOf(status);
  const returned: Returned = {
    how,
    output: output === undefined ? '' : wellFormed(output),
    error: how === FAILED && typeof error === 'string' ? error : undefined,
    cause: undefined,
    hostStatus: typeof status === 'string' && status !== 'completed' ? status : undefined,
    hostTaskId: typeof taskId === 'string' && taskId !== '' ? taskId : undefined,
    artifacts: undefined,
    artifactsJson: undefined,
    value: made,
    valueJson: undefined,
    tokens: MISSING,
    cost: MISSING,
    turns: MISSING,
    durationMs: MISSING,
  };
  if (typeof usage === 'object' && usage !== null) {
    const { tokens, cost, turns, durationMs } = usage as Record<string, unknown>;
    returned.tokens = reading(tokens);
    returned.cost = reading(cost);
    returned.turns = reading(turns);
    returned.durationMs = reading(durationMs);
  }
  if (Array.isArray(artifacts) && artifacts.length > 0) {
    returned.artifactsJson = JSON.stringify(artifacts);
    returned.artifacts = artifacts as Record<string, unknown>[];
  }
  return returned;
}

/**
 * Has the value of a run that completed checked: one that is wrong makes the result invalid, one that is right is
 * kept, and stands for the output where there is none.
 */
export function checkValue(returned: Returned, check: ValueCheck, maxBytes: number): Returned | Promise<Returned> {
  if (returned.how !== COMPLETED) return returned;
  const checked = check.check(returned.value, maxBytes);
  return checked instanceof Promise ? checked.then((later) => judged(returned, later)) : judged(returned, checked);
}

function judged(returned: Returned, checked: Checked): Returned {
  if ('wrong' in checked) return { ...returned, how: INVALID, error: checked.wrong, value: undefined };
  const { value, json } = checked;
  return { ...returned, value, valueJson: json, output: returned.output || json };
}

interface WellFormed {
  isWellFormed?(): boolean;
  toWellFormed?(): string;
}

/** Half a surrogate pair has no UTF-8: the core keeps U+FFFD in its place, so whoever waits gets that too. */
export function wellFormed(text: string): string {
  const checked = text as WellFormed;
  return checked.isWellFormed?.() === false ? (checked.toWellFormed?.() ?? text) : text;
}

/** A number as it came; what is no number, or below 0, is invalid, which the core knows as NaN. */
export function reading(value: unknown): number {
  if (value === undefined || value === null) return MISSING;
  return typeof value === 'number' && value >= 0 ? value : Number.NaN;
}

function howOf(status: unknown): number {
  switch (status) {
    case 'failed':
    case 'error':
      return FAILED;
    case 'cancelled':
    case 'aborted':
      return CANCELLED;
    case 'timed_out':
    case 'timeout':
      return TIMED_OUT;
    default:
      return COMPLETED;
  }
}

export function invalidResult(message: string, cause?: unknown): Returned {
  return {
    how: INVALID,
    output: '',
    error: message,
    cause,
    hostStatus: undefined,
    hostTaskId: undefined,
    artifacts: undefined,
    artifactsJson: undefined,
    value: undefined,
    valueJson: undefined,
    tokens: MISSING,
    cost: MISSING,
    turns: MISSING,
    durationMs: MISSING,
  };
}

/** The end of a run whose host function was never called. */
export function nothing(): Returned {
  return { ...invalidResult(''), how: COMPLETED, error: undefined, tokens: 0, cost: 0, turns: 0 };
}

/** A host function that threw, or whose promise was rejected. */
export function threw(message: string, cause: unknown): Returned {
  return { ...invalidResult(message, cause), how: THREW };
}
