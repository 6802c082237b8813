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
  /** Of 1,000 tokens that its model reads from a cache, how many count against caps of tokens. */
  countCacheReads: number;
}

/** What may still be spent. `Infinity` if nothing caps it. */
export interface Remaining {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
}

/**
 * The rest for a run: the minimum that the caps on its path leave, less the reservations of others. Its own
 * reservation counts as left; `turns` is at most what `maxTurns` leaves it.
 */
export interface RunRemaining {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
  /** The same without its own caps: the rest of the caps above, for it and for those that share them. */
  shared: Remaining;
}

/** How the attempt before a run ended. */
export interface PreviousError {
  /** Why it ended. */
  reason: StopReason;
  /** The error; null if it is not known. */
  error: string | null;
}
