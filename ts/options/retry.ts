// How runs that ended badly are tried again (X5). Owns the option and how it is read; the core decides by it.

import { invalid } from '../base/errors.js';
import { RETRY_REASONS, type RetryReason } from '../generated/names.js';
import { listOf, noOtherFields, optionsOf } from './arguments.js';
import { count } from './values.js';

/** How runs that ended badly are tried again, with the same message and the next number. */
export interface RetryOptions {
  /** The most further attempts after the first one. At least 1. */
  max: number;
  /** Milliseconds until the first further attempt, above 0; each one after it waits twice as long. All are spread by a quarter either way. @default 1000 */
  backoffMs?: number | undefined;
  /** The ends after which a run is tried again. @default ['host_threw', 'host_failed', 'host_lost', 'invalid_result'] */
  on?: readonly RetryReason[] | undefined;
}

/** As the core takes it. */
export interface StagedRetry {
  max: number;
  backoffMs?: number;
  on?: RetryReason[];
}

/** Reads the option; `false` is no further attempt. */
export function readRetry(name: string, value: unknown): StagedRetry | undefined {
  if (value === undefined) return undefined;
  if (value === false) return { max: 0 };
  const { max, backoffMs, on, ...unknown } = optionsOf(`\`${name}\``, value as RetryOptions);
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
