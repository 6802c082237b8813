// Reads data from another process or the queue: jobs, results, letters, answers, calls. Owns its check before use: an error
// names the place, and an unreadable item drops no other (J5).

import { describe, SubAgentError } from '../base/errors.js';
import { isObject } from '../base/json.js';
import { type Broadcast, type JobData, type Letter, type Reply, type Returned, unpacked } from './wire.js';

/** The mistake in a value; `place` is empty for the value itself. */
interface Fault {
  readonly place: string;
  readonly expected: string;
  readonly got: unknown;
}

type Check = (value: unknown) => Fault | undefined;

const is =
  (expected: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? undefined : { place: '', expected, got: value };

const anything: Check = () => undefined;
const text = is('a text', (value) => typeof value === 'string');
const flag = is('true', (value) => value === true);
const object = is('an object', isObject);
const count = is('a whole number from 0 on', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const amount = is('a number from 0 on', (value) => Number.isFinite(value) && (value as number) >= 0);
const limit = is('a number or null', (value) => value === null || typeof value === 'number');
const term = is('the number of a lead', (value) => typeof value === 'string' && /^\d{1,40}$/.test(value));
const attempt = is('the name of an attempt', (value) => typeof value === 'string' && /^.*\.\d+$/s.test(value));

/** A field that may be left out. */
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);

const within = (step: string, { place, ...rest }: Fault): Fault => ({ ...rest, place: place === '' ? step : joined(step, place) });

function joined(step: string, place: string): string {
  return place.startsWith('[') ? step + place : `${step}.${place}`;
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return { place: '', expected: 'a list', got: value };
    for (let at = 0; at < value.length; at += 1) {
      const fault = check(value[at]);
      if (fault !== undefined) return within(`[${at}]`, fault);
    }
    return undefined;
  };
}

/** An object with these fields; other fields are for a later version. */
function record(fields: Record<string, Check>): Check {
  const checks = Object.entries(fields);
  return (value) => {
    if (!isObject(value)) return { place: '', expected: 'an object', got: value };
    for (const [name, check] of checks) {
      const fault = check(value[name]);
      if (fault !== undefined) return within(name, fault);
    }
    return undefined;
  };
}

/** An object whose fields all pass this check, whatever their names. */
function all(check: Check): Check {
  return (value) => {
    if (!isObject(value)) return { place: '', expected: 'an object', got: value };
    for (const [name, one] of Object.entries(value)) {
      const fault = check(one);
      if (fault !== undefined) return within(name, fault);
    }
    return undefined;
  };
}

/** Makes these checks in order; the first fault counts. */
function both(...checks: readonly Check[]): Check {
  return (value) => {
    for (const check of checks) {
      const fault = check(value);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

const ERROR = record({ message: text, name: maybe(text), code: maybe(text), details: maybe(object) });
const REQUESTS = list(record({ seq: count, skips: maybe(count), call: text, args: list(anything) }));
const FENCE = both(
  list(count),
  is('two numbers', (value) => (value as unknown[]).length === 2),
);

const LETTER = record({ job: text, by: attempt, fence: FENCE, losses: count, from: count, requests: REQUESTS });

const REPLY = record({
  term,
  job: text,
  by: attempt,
  answers: list(record({ seq: count, error: maybe(ERROR) })),
  abort: maybe(text),
  refused: maybe(text),
  isEarly: maybe(flag),
});

const CALL = record({ term, abort: maybe(record({ job: text, reason: text })) });

const RESULT = both(
  record({ unread: maybe(all(text)), unkept: maybe(all(text)), noJson: maybe(text) }),
  // If JSON can't hold an artifact, its replacement takes its place in the list.
  (value) => {
    const { fields, unkept = {} } = value as { fields?: { artifacts?: unknown } | null; unkept?: object };
    const artifacts = fields?.artifacts;
    const isThere = (at: string): boolean => Array.isArray(artifacts) && Number(at) < artifacts.length && /^\d+$/.test(at);
    const place = Object.keys(unkept).find((at) => !isThere(at));
    return place === undefined ? undefined : { place: `unkept.${place}`, expected: 'about an artifact', got: artifacts };
  },
);

const RETURNED = both(
  record({
    by: attempt,
    from: count,
    requests: REQUESTS,
    result: maybe(RESULT),
    threw: maybe(ERROR),
    reported: maybe(record({ tokens: amount, costUsd: amount, turns: count, kinds: maybe(list(amount)) })),
    refused: maybe(flag),
  }),
  is('a result, an error or a refusal', (value) => {
    const { result, threw, refused } = value as Partial<Returned>;
    return result !== undefined || threw !== undefined || refused !== undefined;
  }),
);

const BRIEF = record({
  taskId: text,
  run: count,
  depth: count,
  label: maybe(text),
  prompt: maybe(text),
  contextHint: maybe(text),
  systemPrompt: maybe(text),
  profile: maybe(text),
  agent: maybe(text),
  disallowedTools: maybe(list(text)),
  modelId: maybe(text),
  effort: maybe(text),
  limits: all(limit),
  work: maybe(text),
});

const JOB = record({ version: count, adds: count, brief: BRIEF, params: object });

/** The error for an unusable value, which ends its run or call. */
export function unreadable(what: string, place: string, why: string): SubAgentError {
  return new SubAgentError('invalid_result', `${what} can't be read: ${why}`, { place });
}

function read<T>(what: string, check: Check, sent: unknown): T {
  const value = opened(what, sent);
  const fault = check(value);
  if (fault === undefined) return value as T;
  const { place, expected, got } = fault;
  throw unreadable(what, place, `${place === '' ? 'it' : `\`${place}\``} must be ${expected}, got ${describe(got)}`);
}

function opened(what: string, sent: unknown): unknown {
  try {
    return unpacked(sent);
  } catch (error) {
    throw unreadable(what, '', (error as Error).message);
  }
}

/** Reads how an attempt at a job ended. Throws `invalid_result`. */
export function readReturned(sent: unknown): Returned {
  return read('the result of the job', RETURNED, sent);
}

/** Reads the data of a job of this version. Throws `invalid_result`. */
export function readJob(sent: unknown): JobData {
  return read('the job', JOB, sent);
}

/** The version of a lead's job; undefined if it is no job of a lead. */
export function versionOf(sent: unknown): number | undefined {
  try {
    const { version, brief } = (unpacked(sent) ?? {}) as Partial<JobData>;
    return typeof version === 'number' && isObject(brief) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a lead's call to all workers. Throws `invalid_result`. */
export function readCall(sent: unknown): Broadcast {
  return read('the call of a lead', CALL, sent);
}

/** The owner that an unreadable item names. */
export interface Named {
  readonly job: string | undefined;
  readonly by: string | undefined;
}

/** Called with the mistake in one item of a batch. */
type Wrong = (error: unknown, of: Named) => void;

/** Takes each letter of a batch. An error in one letter, also while it is taken, affects no other. */
export function eachLetter(sent: unknown, take: (letter: Letter) => void, wrong: Wrong): void {
  each('the letter of the worker', LETTER, sent, take, wrong);
}

/** Takes each answer of a batch, as `eachLetter` takes letters. */
export function eachReply(sent: unknown, take: (reply: Reply) => void, wrong: Wrong): void {
  each('the answer of the lead', REPLY, sent, take, wrong);
}

function each<T>(what: string, check: Check, sent: unknown, take: (item: T) => void, wrong: Wrong): void {
  let items: unknown;
  try {
    items = opened(what, sent);
    if (!Array.isArray(items)) throw unreadable(what, '', `a batch must be a list, got ${describe(items)}`);
  } catch (error) {
    wrong(error, { job: undefined, by: undefined });
    return;
  }
  for (const item of items as unknown[]) {
    try {
      take(read(what, check, item));
    } catch (error) {
      const { job, by } = isObject(item) ? item : {};
      wrong(error, { job: typeof job === 'string' ? job : undefined, by: attempt(by) === undefined ? (by as string) : undefined });
    }
  }
}
