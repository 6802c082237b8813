// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../view-bytes.js';
import type { Missing } from './missing.js';

/** Reads one. */
export function readMissing(from: ViewBytes): Missing {
  const low = from.bits(1);
  return {
    sessions: (low & 0x1) !== 0 ? from.texts() : [],
    agents: (low & 0x2) !== 0 ? from.texts() : [],
    profiles: (low & 0x4) !== 0 ? from.texts() : [],
  };
}
