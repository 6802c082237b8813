// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { StopReason } from '../../generated/names.js';

/** What may still be spent. `Infinity` where nothing caps it. */
export interface Remaining {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
}

/** How the attempt before a run ended. */
export interface PreviousError {
  /** Why it ended. */
  reason: StopReason;
  /** What went wrong; null where that is not known. */
  error: string | null;
}
