// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** The usage of a sub-agent and all below it. */
export interface TookInAll {
  /** Tokens, if that is more than its run has; null also if none of them reported any. */
  tokens: number | null;
  /** Tokens that the model read, in all, those of its cache included; null if not reported, as with each kind. */
  inputTokens: number | null;
  /** Tokens that the model wrote, in all: those of its reasoning are among them. */
  outputTokens: number | null;
  /** Those of `inputTokens` that were read from the provider's cache. */
  cacheReadTokens: number | null;
  /** Those of `inputTokens` that were written to the provider's cache. */
  cacheWriteTokens: number | null;
  /** Those of `cacheWriteTokens` that the cache keeps for an hour, which cost more. */
  cacheWrite1hTokens: number | null;
  /** Those of `outputTokens` that the model wrote to reason. */
  reasoningTokens: number | null;
  /** Whether some of it is an estimate, as its host said. */
  estimated: boolean;
  /** US dollars, likewise. */
  costUsd: number | null;
}
