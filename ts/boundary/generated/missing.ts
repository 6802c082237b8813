// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../view-bytes.js';

/** What restored work waits for, by name. */
export interface Missing {
  /** Keys of sessions: `manager.session(key)` registers one, and its work continues. */
  sessions: readonly string[];
  /** Agents that the options of `open` don't define. */
  agents: readonly string[];
  /** Profiles that the options of `open` don't define. */
  profiles: readonly string[];
}

/** Reads one. */
export function readMissing(from: ViewBytes): Missing {
  const low = from.bits(1);
  return {
    sessions: (low & 0x1) !== 0 ? from.texts() : [],
    agents: (low & 0x2) !== 0 ? from.texts() : [],
    profiles: (low & 0x4) !== 0 ? from.texts() : [],
  };
}
