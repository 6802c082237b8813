// A run's figures for texts: null if they weren't reported (R5). Owns which are known, and the usage of a sub-agent
// with its subtree.

import type { Core } from '../boundary/core.js';
import type { Key } from '../boundary/key.js';
import type { Dimension } from '../generated/names.js';
import type { TokenKinds } from '../options/host-result.js';
import type { RunUsage } from '../snapshots/types.js';
import { readTookInAll } from './generated/took-readers.js';

/** A figure is null if it is not known. */
export interface Figures {
  tokens: number | null;
  /** US dollars. */
  costUsd: number | null;
  turns: number | null;
  /** Milliseconds. */
  durationMs: number | null;
}

/** The figures of a run. If it never started, none is known. */
export function figuresOf(usage: RunUsage, started: boolean, durationMs: number | null): Figures {
  const known = (name: Dimension): number | null =>
    !started || usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
  return { tokens: known('tokens'), costUsd: known('costUsd'), turns: known('turns'), durationMs: started ? durationMs : null };
}

/** The usage of a sub-agent with its subtree. */
export interface Took {
  tokens: number | null;
  costUsd: number | null;
  /** The usage of this run itself, if that is less (R5). */
  own?: Pick<Figures, 'tokens' | 'costUsd'>;
  /** The reported tokens by kind. Nothing if none was reported, or if it is forgotten. */
  kinds: TokenKinds & { estimated?: boolean };
}

/** The usage of a sub-agent with its subtree. `figures` are those of its run number `run`. */
export function tookOf(
  runtime: Core,
  { index, generation }: Key,
  run: number,
  { tokens, costUsd }: Pick<Figures, 'tokens' | 'costUsd'>,
): Took {
  const own = { tokens, costUsd };
  const { tokens: all, costUsd: allUsd, ...known } = runtime.view((core) => core.tookInAll(index, generation, run), readTookInAll);
  const kinds = Object.fromEntries(Object.entries(known).filter(([, tokens]) => typeof tokens === 'number' || tokens));
  if (all === null && allUsd === null) return { ...own, kinds };
  return { tokens: all ?? tokens, costUsd: allUsd ?? costUsd, own, kinds };
}
