// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import { STOP_REASONS } from '../../generated/names.js';
import type { RunLimits, Remaining, RunRemaining, PreviousError } from './run.js';

/** Reads one. */
export function readRunLimits(from: ViewBytes): RunLimits {
  return {
    maxTurns: from.float(),
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
    timeoutMs: from.float(),
    idleTimeoutMs: from.float(),
    maxDepth: from.float(),
    countCacheReads: from.float(),
  };
}

/** Reads one. */
export function readRemaining(from: ViewBytes): Remaining {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
  };
}

/** Reads one. */
export function readRunRemaining(from: ViewBytes): RunRemaining {
  return {
    tokens: from.float(),
    costUsd: from.float(),
    turns: from.float(),
    shared: readRemaining(from),
  };
}

/** Reads one. */
export function readPreviousError(from: ViewBytes): PreviousError {
  const low = from.bits(1);
  return {
    reason: from.name(STOP_REASONS),
    error: (low & 0x1) !== 0 ? from.text() : null,
  };
}
