// How runs that ended badly are retried (X5). Owns the option and how it is read; the core decides by it.

import { invalid } from '../base/errors.js';
import { RETRY_REASONS, type RetryReason, STOP_REASONS, type StopReason } from '../generated/names.js';
import { listOf, noOtherFields, optionsOf } from './arguments.js';
import { count } from './values.js';

/** How runs that ended badly are retried, with the same message and the next number. */
export interface RetryOptions {
  /** Maximum number of further attempts after the first one. At least 1. */
  max: number;
  /**
   * Milliseconds until the first further attempt, above 0; each later one waits twice as long.
   *
   * All are spread by a quarter either way. @default 1000
   */
  backoffMs?: number | undefined;
  /** The ends after which a run is retried. @default ['host_threw', 'host_failed', 'host_lost', 'invalid_result'] */
  on?: readonly RetryReason[] | undefined;
}

/** The ends after which `retryEnded` makes a further attempt. */
export type EndedBadly = Exclude<StopReason, 'finished' | 'closed'>;

/** The option as the core takes it. */
export interface StagedRetry {
  max: number;
  backoffMs?: number;
  on?: RetryReason[];
}

const AN_OPTION = 'an object such as { max: 3 }, or false';

/** Reads the option; `false` allows no further attempt. */
export function readRetry(name: string, value: unknown): StagedRetry | undefined {
  if (value === undefined) return undefined;
  if (value === false) return { max: 0 };
  const { max, backoffMs, on, ...unknown } = optionsOf(`\`${name}\``, value as RetryOptions, AN_OPTION);
  noOtherFields(name, unknown, ['max', 'backoffMs', 'on']);
  const times = count(`\`${name}.max\``, max);
  if (times === undefined) throw invalid(`\`${name}.max\``, 'a whole number of at least 1, or Infinity', max);
  const retry: StagedRetry = { max: times };
  if (backoffMs !== undefined) {
    if (typeof backoffMs !== 'number' || !(backoffMs > 0) || !Number.isFinite(backoffMs))
      throw invalid(`\`${name}.backoffMs\``, 'milliseconds above 0', backoffMs);
    retry.backoffMs = Math.max(1, Math.round(backoffMs));
  }
  if (on !== undefined) {
    const reasons = `a list of ${RETRY_REASONS.join(', ')}`;
    retry.on = listOf(`\`${name}.on\``, reasons, on, (reason, what) => {
      if (!RETRY_REASONS.includes(reason as RetryReason)) throw invalid(what, `one of ${RETRY_REASONS.join(', ')}`, reason);
      return reason as RetryReason;
    });
    if (retry.on.length === 0) throw invalid(`\`${name}.on\``, reasons, on);
  }
  return retry;
}

/**
 * Reads `retryEnded` into reasons. For `true` the list is empty: every bad end that no caller asked for counts. Undefined if it
 * is off.
 */
export function readRetryEnded(value: unknown): EndedBadly[] | undefined {
  if (value === undefined || value === false) return undefined;
  if (value === true) return [];
  const known = STOP_REASONS.filter((reason) => reason !== 'finished' && reason !== 'closed');
  const expected = `true, or a list of ${known.join(', ')}`;
  const reasons = listOf('`retryEnded`', expected, value, (reason, what) => {
    if (!known.includes(reason as EndedBadly)) throw invalid(what, `one of ${known.join(', ')}`, reason);
    return reason as EndedBadly;
  });
  if (reasons.length === 0) throw invalid('`retryEnded`', expected, value);
  return reasons;
}
