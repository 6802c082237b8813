// A run's figures as texts show them: null if they weren't reported (R5). Owns which are known, and the usage of a
// sub-agent with its subtree.

import type { Core } from '../boundary/core.js';
import type { Key } from '../boundary/key.js';
import { tokensAt } from '../boundary/tokens.js';
import type { Dimension } from '../generated/names.js';
import type { TokenKinds } from '../options/host-result.js';
import type { RunUsage } from '../snapshots/types.js';

/** Null where a figure is not known. */
export interface Figures {
  tokens: number | null;
  /** US dollars. */
  costUsd: number | null;
  turns: number | null;
  /** Milliseconds. */
  durationMs: number | null;
}

/** The figures of a run: of one that never started, none is known. */
export function figuresOf(usage: RunUsage, started: boolean, durationMs: number | null): Figures {
  const known = (name: Dimension): number | null =>
    !started || usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
  return { tokens: known('tokens'), costUsd: known('costUsd'), turns: known('turns'), durationMs: started ? durationMs : null };
}

/** The tokens of a sub-agent and of all below it by kind: those that were reported. Nothing where none was, or it is forgotten. */
export function kindsOf(runtime: Core, { index, generation }: Key, run: number): TokenKinds & { estimated?: boolean } {
  const numbers = runtime.call((core) => core.kindsInAll(index, generation, run));
  if (numbers === undefined) return {};
  return Object.fromEntries(Object.entries(tokensAt(numbers, 0)).filter(([, tokens]) => typeof tokens === 'number' || tokens === true));
}

type Spent = Pick<Figures, 'tokens' | 'costUsd'>;

/** What a sub-agent took with all below it, and what its run of this number took itself, where that is less (R5). */
export function tookOf(runtime: Core, { index, generation }: Key, run: number, { tokens, costUsd }: Spent): Spent & { own?: Spent } {
  const own = { tokens, costUsd };
  const inAll = runtime.call((core) => core.spentInAll(index, generation, run));
  // None of them reported what comes to 0.
  return inAll === undefined ? own : { tokens: inAll[0] || tokens, costUsd: inAll[1] || costUsd, own };
}
