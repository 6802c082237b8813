// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import type { TookInAll } from './took.js';

/** Reads one. */
export function readTookInAll(from: ViewBytes): TookInAll {
  const low = from.bits(2);
  return {
    tokens: (low & 0x1) !== 0 ? from.float() : null,
    inputTokens: (low & 0x2) !== 0 ? from.float() : null,
    outputTokens: (low & 0x4) !== 0 ? from.float() : null,
    cacheReadTokens: (low & 0x8) !== 0 ? from.float() : null,
    cacheWriteTokens: (low & 0x10) !== 0 ? from.float() : null,
    cacheWrite1hTokens: (low & 0x20) !== 0 ? from.float() : null,
    reasoningTokens: (low & 0x40) !== 0 ? from.float() : null,
    estimated: (low & 0x80) !== 0,
    costUsd: (low & 0x100) !== 0 ? from.float() : null,
  };
}
