// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { EventKinds } from './facts.js';

/** The kinds of tokens. */
export const TOKEN_KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'reasoningTokens'] as const;

/** Tokens by kind, as a host gives them. A kind that is left out is unknown. */
export interface TokenKinds {
  /** All tokens that the model read, cached ones included. Null, like every kind, if not reported. */
  inputTokens?: number | undefined;
  /** All tokens that the model wrote, reasoning included. */
  outputTokens?: number | undefined;
  /** The part of `inputTokens` that was read from the provider's cache. */
  cacheReadTokens?: number | undefined;
  /** The part of `inputTokens` that was written to the provider's cache. */
  cacheWriteTokens?: number | undefined;
  /** The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more. */
  cacheWrite1hTokens?: number | undefined;
  /** The part of `outputTokens` that the model wrote to reason. */
  reasoningTokens?: number | undefined;
}

/** What a report or a result says of its tokens beside how many there were. */
export interface ReportedTokens {
  /** -1 for a kind that it leaves out; the last number is 1 if some of it is an estimate, else 0. */
  readonly kinds: readonly [inputTokens: number, outputTokens: number, cacheReadTokens: number, cacheWriteTokens: number, cacheWrite1hTokens: number, reasoningTokens: number, estimated: number];
  /** The model, where it is named. */
  readonly modelId: string | undefined;
}

/** No kind was reported. */
export const NO_KINDS: EventKinds = /* @__PURE__ */ Object.freeze({
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
  estimated: false,
});

/** Reads the kinds, each below 0 if it was not reported, and behind them whether they are an estimate. */
export function tokensAt(numbers: Float64Array, at: number): EventKinds {
  const kind = (place: number): number | null => {
    const tokens = numbers[at + place] as number;
    return tokens < 0 ? null : tokens;
  };
  return {
    inputTokens: kind(0),
    outputTokens: kind(1),
    cacheReadTokens: kind(2),
    cacheWriteTokens: kind(3),
    cacheWrite1hTokens: kind(4),
    reasoningTokens: kind(5),
    estimated: numbers[at + 6] === 1,
  };
}
