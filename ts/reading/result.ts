// What a host function returned, read once and with suspicion: any property may be missing, wrong, or run
// code that throws. Owns the reading; the core judges it.

import { describe, isSubAgentError, messageOf } from '../base/errors.js';
import { wellFormed } from '../base/text.js';
import type { Returned } from '../boundary/scratch.js';
import { MOST_TEXT, ownOf } from '../options/arguments.js';
import type { Checked, ValueCheck } from '../options/schema/schema.js';
import { type Artifacts, readArtifacts } from './artifacts.js';

/** How a host function ended, by the core's number. */
const COMPLETED = 0;
const FAILED = 1;
const CANCELLED = 2;
const TIMED_OUT = 3;
const THREW = 4;
const INVALID = 5;
const LOST = 6;

/** A reading that the host did not give. */
const MISSING = -1;

/** A field of a result or of its usage. Its name stands in code too: a property that is read by a varying name costs many times more. */
interface Field {
  readonly name: string;
  readonly of: (object: { readonly [name: string]: unknown }) => unknown;
}

const STATUS: Field = { name: 'status', of: (result) => result.status };
const OUTPUT: Field = { name: 'output', of: (result) => result.output };
const VALUE: Field = { name: 'value', of: (result) => result.value };
const TASK_ID: Field = { name: 'taskId', of: (result) => result.taskId };
const ERROR: Field = { name: 'error', of: (result) => result.error };
const ARTIFACTS: Field = { name: 'artifacts', of: (result) => result.artifacts };
const USAGE: Field = { name: 'usage', of: (result) => result.usage };
const COST_USD: Field = { name: 'costUsd', of: (usage) => usage.costUsd };
const COST: Field = { name: 'cost', of: (usage) => usage.cost };
const TOKENS: Field = { name: 'tokens', of: (usage) => usage.tokens };
const INPUT_TOKENS: Field = { name: 'inputTokens', of: (usage) => usage.inputTokens };
const OUTPUT_TOKENS: Field = { name: 'outputTokens', of: (usage) => usage.outputTokens };
const TURNS: Field = { name: 'turns', of: (usage) => usage.turns };
const DURATION_MS: Field = { name: 'durationMs', of: (usage) => usage.durationMs };
const THEN: Field = { name: 'then', of: (usage) => usage.then };

function readOf(object: object, { name, of }: Field): unknown {
  return ownOf(object, name, of(object as Record<string, unknown>));
}

/** Reads a result. Each field is read apart: what can't be read, or kept, is said in the error, and costs no other field. */
export function readResult(result: unknown): Returned {
  if (typeof result !== 'object' || result === null)
    return invalidResult(`spawnSubAgent must resolve to { output, status, usage }, it resolved to ${describe(result)}`);
  const fields = new Fields(result);
  const { tokens, cost, turns, durationMs } = readUsage(fields);
  const status = fields.read(STATUS);
  const said = fields.read(OUTPUT);
  const how = statusOf(status, fields);
  const output = typeof said === 'string' ? wellFormed(said) : undefined;
  // A run that failed may well have nothing to show; one that completed has its output.
  const value = madeOf(fields);
  // A run that failed may well have nothing to show; one that completed has its output, or a value in its place.
  const lacksOutput = output === undefined && (isAbsent(said) ? how === COMPLETED && value === undefined : true);
  if (lacksOutput) fields.wrong('output', 'a string', said);
  const { artifacts, artifactsJson } = artifactsOf(fields);
  const hostTaskId = hostIdOf(fields);
  const error = errorOf(fields);
  return {
    how: lacksOutput && how === COMPLETED ? INVALID : how,
    output: output ?? '',
    error: fields.told(error),
    cause: fields.cause,
    hostStatus: typeof status === 'string' && status !== 'completed' ? cut(status) : undefined,
    hostTaskId,
    artifacts,
    artifactsJson,
    value,
    valueJson: undefined,
    tokens,
    cost,
    turns,
    durationMs,
  };
}

/** Stands for a field that can't be read. */
const UNREADABLE = Symbol('unreadable');

/** The fields of what a host returned; reading one may run code that throws. */
class Fields {
  /** What the first field threw that couldn't be read. */
  cause: unknown = undefined;
  readonly #value: object;
  /** What is lost of the result, a sentence each. */
  #dropped: string[] | undefined;

  constructor(value: object) {
    this.#value = value;
  }

  read(field: Field): unknown {
    try {
      return readOf(this.#value, field);
    } catch (error) {
      if (this.#dropped === undefined) this.cause = error;
      this.drop(`the result's ${field.name} can't be read: ${messageOf(error)}`);
      return UNREADABLE;
    }
  }

  /** Says that a field is lost; of one that can't be read that has been said. */
  wrong(name: string, expected: string, got: unknown): void {
    if (got !== UNREADABLE) this.drop(`the result's ${name} must be ${expected}, got ${describe(got)}`);
  }

  drop(what: string): void {
    this.#dropped ??= [];
    this.#dropped.push(what);
  }

  /** What went wrong, and what was lost. */
  told(error: string | undefined): string | undefined {
    if (this.#dropped === undefined) return error;
    return [...(error === undefined ? [] : [error]), ...this.#dropped].join('; ');
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** What stands for the output, or beside it, where a schema asks for it. */
function madeOf(fields: Fields): unknown {
  const value = fields.read(VALUE);
  return value === UNREADABLE ? undefined : value;
}

/** The host's own id, where it gave one. */
function hostIdOf(fields: Fields): string | undefined {
  const id = fields.read(TASK_ID);
  if (isAbsent(id) || id === '') return undefined;
  if (typeof id === 'string') return cut(id);
  fields.wrong('taskId', 'a string', id);
  return undefined;
}

type ReadUsage = Pick<Returned, 'tokens' | 'cost' | 'turns' | 'durationMs'>;

/** The usage: a dimension that can't be read is invalid, and so are all where it is no object at all (B7). */
function readUsage(fields: Fields): ReadUsage {
  const usage = fields.read(USAGE);
  if (isAbsent(usage)) return { tokens: MISSING, cost: MISSING, turns: MISSING, durationMs: MISSING };
  const invalid = Number.NaN;
  if (typeof usage !== 'object' || usage === null || !isUsage(usage)) {
    fields.wrong('usage', '{ tokens, costUsd, turns }', usage);
    return { tokens: invalid, cost: invalid, turns: invalid, durationMs: MISSING };
  }
  const read = (field: Field): unknown => {
    try {
      return readOf(usage, field);
    } catch {
      return invalid;
    }
  };
  const costUsd = reading(read(COST_USD));
  const figures = {
    tokens: totalTokens(read(TOKENS), read(INPUT_TOKENS), read(OUTPUT_TOKENS)),
    cost: costUsd === MISSING ? reading(read(COST)) : costUsd,
    turns: reading(read(TURNS)),
    durationMs: reading(read(DURATION_MS)),
  };
  const { tokens, cost, turns, durationMs } = figures;
  if (tokens !== MISSING || cost !== MISSING || turns !== MISSING || durationMs !== MISSING) return figures;
  const names = namesIn(usage);
  if (names.length === 0) return figures;
  // Under other names it would be spent and never booked, and no cap would hold.
  fields.drop(`the result's usage has none of tokens, costUsd, turns; it has ${names.map(describe).join(', ')}`);
  return { tokens: invalid, cost: invalid, turns: invalid, durationMs: MISSING };
}

/** Names under which a usage has something, the first few. */
function namesIn(usage: object): string[] {
  try {
    const given = Object.entries(usage).filter(([, value]) => !isAbsent(value));
    return given.slice(0, 5).map(([name]) => name);
  } catch {
    return [];
  }
}

/** A list has no dimensions, and a promise has none yet: the host forgot to await it. */
function isUsage(usage: object): boolean {
  try {
    return !Array.isArray(usage) && typeof readOf(usage, THEN) !== 'function';
  } catch {
    return false;
  }
}

/** What went wrong, as the host says it: a text, or an error. */
function errorOf(fields: Fields): string | undefined {
  const error = fields.read(ERROR);
  if (isAbsent(error) || error === '' || error === UNREADABLE) return undefined;
  if (typeof error === 'object') fields.cause ??= error;
  return wellFormed(cut(messageOf(error)));
}

/** The artifacts that can be kept; of the others it is said that they were not. */
function artifactsOf(fields: Fields): Artifacts {
  const none = { artifacts: undefined, artifactsJson: undefined };
  const given = fields.read(ARTIFACTS);
  if (isAbsent(given) || given === UNREADABLE) return none;
  try {
    return readArtifacts('artifacts', given, (sentence) => fields.drop(sentence));
  } catch (error) {
    fields.drop(messageOf(error));
    return none;
  }
}

/** As much of a text as the core takes of any. */
function cut(text: string): string {
  return text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text;
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
  if ('wrong' in checked) {
    const error = [checked.wrong, ...(returned.error === undefined ? [] : [returned.error])].join('; ');
    return { ...returned, how: INVALID, error, value: undefined };
  }
  const { value, json } = checked;
  return { ...returned, value, valueJson: json, output: returned.output || json };
}

/** A number as it came; what is no number, or below 0, is invalid, which the core knows as NaN. */
export function reading(value: unknown): number {
  if (value === undefined || value === null) return MISSING;
  return typeof value === 'number' && value >= 0 ? value : Number.NaN;
}

/** The tokens of a report or a result: its total, else what was read and written where one of them is told. */
export function totalTokens(total: unknown, input: unknown, output: unknown): number {
  const told = reading(total);
  const [read, written] = [reading(input), reading(output)];
  if (told !== MISSING || (read === MISSING && written === MISSING)) return told;
  return (read === MISSING ? 0 : read) + (written === MISSING ? 0 : written);
}

/** How the host says that it ended; what is no word says nothing (L3). */
function statusOf(status: unknown, fields: Fields): number {
  switch (status) {
    case undefined:
    case null:
    case 'completed':
      return COMPLETED;
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
      if (typeof status !== 'string') fields.wrong('status', 'a string', status);
      // How it ended is not known.
      return status === UNREADABLE ? INVALID : COMPLETED;
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

/** A host function that threw, or whose promise was rejected; where it lost the process that carried the run out, it says so. */
export function threw(message: string, cause: unknown): Returned {
  return { ...invalidResult(message, cause), how: isSubAgentError(cause, 'worker_lost') ? LOST : THREW };
}
