// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import type { PolicyCount, Policing } from './policing.js';

/** Reads one. */
export function readPolicyCount(from: ViewBytes): PolicyCount {
  return {
    name: from.text(),
    count: from.float(),
  };
}

/** Reads one. */
export function readPolicing(from: ViewBytes): Policing {
  const low = from.bits(1);
  return {
    turns: from.float(),
    contextTokens: (low & 0x1) !== 0 ? from.float() : null,
    openTodos: from.float(),
    todos: from.text(),
    counts: (low & 0x2) !== 0 ? from.list(() => readPolicyCount(from)) : [],
  };
}
