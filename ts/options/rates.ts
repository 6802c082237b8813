// The requests and tokens per minute that a key allows (B11). Owns the option and how it is read; the core enforces them.

import { invalid } from '../base/errors.js';
import { noOtherFields, optionsOf, prefixOf } from './arguments.js';
import { count } from './values.js';

/** The rate of a `rateLimitKey` per minute; at least one of the two. A tenth of it may come at once. */
export interface Rate {
  /** Calls of the model: whole, at least 1, or `Infinity`. A run without turns counts as one. @default Infinity */
  requestsPerMinute?: number | undefined;
  /**
   * Tokens: whole, at least 1, or `Infinity`. They count as they do against caps: see `countCacheReads`.
   *
   * A turn counts as its expected tokens until it has reported its own. @default Infinity
   */
  tokensPerMinute?: number | undefined;
}

/**
 * Rates by `rateLimitKey`; a `*` at the end of a name stands for any characters, also none. If several match, the longest
 * counts, and each key has that rate for itself. Work without a key shares one rate, which `*` matches.
 */
export type Rates = Readonly<Record<string, Rate>>;

/** A rate as the core takes it. */
export interface StagedRate extends Rate {
  key: string;
}

const FIELDS = ['requestsPerMinute', 'tokensPerMinute'] as const satisfies (keyof Rate)[];

/** Reads the option; the result has one order, whatever order the option has. */
export function readRates(name: string, value: unknown): StagedRate[] | undefined {
  if (value === undefined) return undefined;
  const rates = optionsOf(`\`${name}\``, value as Rates, "an object such as { 'openai*': { requestsPerMinute: 500 } }");
  return Object.entries(rates)
    .map(([key, rate]) => readRate(name, prefixOf(name, key), rate))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

function readRate(option: string, key: string, value: unknown): StagedRate {
  const name = `${option}.${key}`;
  const { requestsPerMinute, tokensPerMinute, ...unknown } = optionsOf(
    `\`${name}\``,
    value as Rate,
    'an object such as { requestsPerMinute: 500, tokensPerMinute: 200_000 }',
  );
  noOtherFields(name, unknown, FIELDS);
  if (requestsPerMinute === undefined && tokensPerMinute === undefined)
    throw invalid(`\`${name}\``, 'an object with `requestsPerMinute`, `tokensPerMinute` or both', value);
  return {
    key,
    requestsPerMinute: finite(count(`\`${name}.requestsPerMinute\``, requestsPerMinute)),
    tokensPerMinute: finite(count(`\`${name}.tokensPerMinute\``, tokensPerMinute)),
  };
}

function finite(count: number | undefined): number | undefined {
  return count === Number.POSITIVE_INFINITY ? undefined : count;
}
