// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { StopReason } from '../../generated/names.js';

/** The limits of a run. `Infinity` if there is none. */
export interface RunLimits {
  /** Turns that the run may take. */
  maxTurns: number;
  /** Tokens that the sub-agent may spend in its life, by the least cap on its path. */
  tokens: number;
  /** US dollars that it may spend in its life, by the least cap on its path. */
  costUsd: number;
  /** Turns that it may take in its life, by the least cap on its path. */
  turns: number;
  /** Milliseconds until the run has to wrap up. */
  timeoutMs: number;
  /** Milliseconds that the run may be silent. */
  idleTimeoutMs: number;
  /** How deep sub-agents may nest; a run at this depth has none. */
  maxDepth: number;
  /** The part of 1,000 tokens read from a cache that counts against caps of tokens. */
  countCacheReads: number;
}

/** The remaining budget; `Infinity` if nothing caps it. */
export interface Remaining {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
}

/**
 * The rest for a run: the least rest of the caps on its path, minus the reservations of others. Its own reservation
 * counts as left; `turns` is at most the rest of `maxTurns`.
 */
export interface RunRemaining {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
  /** The same without its own caps: the rest of the caps above, for it and all others that share them. */
  shared: Remaining;
}

/** How the attempt before a run ended. */
export interface PreviousError {
  /** Why it ended. */
  reason: StopReason;
  /** The error; null if it is not known. */
  error: string | null;
}
