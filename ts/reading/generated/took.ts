// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The usage of a sub-agent and all below it. */
export interface TookInAll {
  /** Tokens, if more than its run used; null also if none of them reported any. */
  tokens: number | null;
  /** All tokens that the model read, cached ones included. Null, like every kind, if not reported. */
  inputTokens: number | null;
  /** All tokens that the model wrote, reasoning included. */
  outputTokens: number | null;
  /** The part of `inputTokens` that was read from the provider's cache. */
  cacheReadTokens: number | null;
  /** The part of `inputTokens` that was written to the provider's cache. */
  cacheWriteTokens: number | null;
  /** The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more. */
  cacheWrite1hTokens: number | null;
  /** The part of `outputTokens` that the model wrote to reason. */
  reasoningTokens: number | null;
  /** Whether the host marked some of this as an estimate. */
  estimated: boolean;
  /** US dollars, likewise. */
  costUsd: number | null;
}
