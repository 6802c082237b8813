// What is told of a run's figures: a figure that was not reported is null (R5). Owns which are known.

import type { Dimension } from '../generated/names.js';
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
