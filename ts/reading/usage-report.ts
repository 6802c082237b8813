// What a host function reports of its run, as it came. Owns the reading: each property is read once, and a report with
// an unknown name, a message that is no text or wrong to-dos is refused before anything of it is booked.

import { invalid } from '../base/errors.js';
import { knownOptions, optionsOf, readArgument, textOf, unknownField } from '../options/arguments.js';
import { readTodos } from '../options/todos.js';
import type { RunReport } from './exchange.js';
import { reading, totalTokens } from './returned.js';

const REPORTED = ['tokens', 'inputTokens', 'outputTokens', 'costUsd', 'contextTokens', 'message', 'todos'] satisfies (keyof RunReport)[];

/** A report, read. */
export interface ReportRead {
  readonly tokens: number;
  readonly costUsd: number;
  readonly contextTokens: number;
  readonly message: string | undefined;
  readonly todos: ReturnType<typeof readTodos> | undefined;
}

/** Reads a report. A wrong amount is read as NaN, one that wasn't given as -1. */
export function readReport(report: RunReport): ReportRead {
  return readArgument('a report', () => {
    const { tokens, inputTokens, outputTokens, costUsd, contextTokens, message, todos, ...unknown } = optionsOf('a report', report);
    const total = totalTokens(tokens, inputTokens, outputTokens);
    for (const name of Object.keys(unknown)) throw unknownField('a report', name, REPORTED);
    if (message !== undefined) textOf('`message`', message);
    return {
      tokens: total,
      costUsd: reading(costUsd),
      contextTokens: reading(contextTokens),
      message,
      todos: todos === undefined ? undefined : readTodos(todos),
    };
  });
}

/** Milliseconds from now until which a provider limits the rate. */
export function readRateLimit(limit: { retryAfterMs: number }): number {
  const { retryAfterMs } = knownOptions('reportRateLimit', limit, ['retryAfterMs'], 'a rate limit');
  if (!(typeof retryAfterMs === 'number' && retryAfterMs >= 0 && Number.isFinite(retryAfterMs)))
    throw invalid('`retryAfterMs`', 'milliseconds of at least 0', retryAfterMs);
  return retryAfterMs;
}
