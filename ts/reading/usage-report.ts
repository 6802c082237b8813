// A host function's report of its run. Owns the reading: each property is read once. A report with an unknown name, a
// message that is no text or wrong to-dos is refused before anything is booked.

import { invalid } from '../base/errors.js';
import { READING_MISSING } from '../generated/codes.js';
import { type ReportedTokens, TOKEN_KINDS } from '../generated/tokens.js';
import { knownOptions, nameOf, optionsOf, readArgument, textOf, unknownField } from '../options/arguments.js';
import { readTodos } from '../options/todos.js';
import type { RateLimitFields, RateLimitReport, RunReport } from './exchange.js';
import { reading, usageFigures } from './usage.js';

const REPORTED = [
  'tokens',
  ...TOKEN_KINDS,
  'costUsd',
  'modelId',
  'estimated',
  'contextTokens',
  'message',
  'todos',
] as const satisfies (keyof RunReport)[];

/** A report, read. */
export interface ReportRead {
  readonly tokens: number;
  readonly costUsd: number;
  readonly byKind: ReportedTokens | undefined;
  /** Invalid kinds of tokens, if `tokens` is valid. */
  readonly ignored: readonly string[];
  readonly contextTokens: number;
  readonly message: string | undefined;
  readonly todos: ReturnType<typeof readTodos> | undefined;
}

/** The form of a report, for errors. */
export const REPORT_FORM = 'an object such as { tokens: 500 }';

/** Reads a report of a run or a main agent. A wrong amount is read as NaN, a missing one as -1. */
export function readReport(report: RunReport, what = 'a report'): ReportRead {
  return readArgument('a report', () => {
    const used = optionsOf('a report', report, REPORT_FORM);
    const { contextTokens, message, todos } = used;
    const { tokens, cost, turns, durationMs, byKind, ignored } = usageFigures(Object.entries(used), (name) => {
      if (name !== 'message' && name !== 'todos') throw unknownField(what, name, REPORTED);
    });
    // A run's turns are counted by `beforeTurn`, its time by the clock.
    if (turns !== READING_MISSING) throw unknownField(what, 'turns', REPORTED);
    if (durationMs !== READING_MISSING) throw unknownField(what, 'durationMs', REPORTED);
    if (used.modelId !== undefined) nameOf('`modelId`', used.modelId);
    if (used.estimated !== undefined && typeof used.estimated !== 'boolean') throw invalid('`estimated`', 'true or false', used.estimated);
    if (message !== undefined) textOf('`message`', message);
    return {
      tokens,
      costUsd: cost,
      byKind,
      ignored,
      contextTokens: reading(contextTokens),
      message,
      todos: todos === undefined ? undefined : readTodos(todos),
    };
  });
}

/** Reads a run's report of its provider's rate limit. Rounds the wait up and the remaining amounts down. */
export function readRateLimit(limit: RateLimitReport): RateLimitFields & { retryAfterMs: number } {
  const given = knownOptions(
    'reportRateLimit',
    limit as RateLimitFields,
    ['retryAfterMs', 'remainingRequests', 'remainingTokens'],
    'a rate limit',
  );
  const { retryAfterMs, remainingRequests, remainingTokens } = given;
  if (remainingRequests === undefined && remainingTokens === undefined && retryAfterMs === undefined)
    throw invalid('`retryAfterMs`', 'milliseconds of at least 0', retryAfterMs);
  const read = (what: string, value: number | undefined, as: string): number | undefined => {
    if (value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value))) return value;
    throw invalid(what, as, value);
  };
  const ms = read('`retryAfterMs`', retryAfterMs, 'milliseconds of at least 0') ?? 0;
  const left = (name: string, value: number | undefined): number | undefined => {
    const count = read(`\`${name}\``, value, 'a number of at least 0');
    return count === undefined ? undefined : Math.floor(count);
  };
  return {
    retryAfterMs: Math.ceil(ms),
    remainingRequests: left('remainingRequests', remainingRequests),
    remainingTokens: left('remainingTokens', remainingTokens),
  };
}
