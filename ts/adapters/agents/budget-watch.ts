// Stops an agent at its budget when its model calls can't be intercepted (B14). Owns the threshold: it counts booked usage and
// the agent's reports during the turn.

import type { Run } from '../../api/run.js';
import type { Booked } from './usage.js';

/** The part of a turn's initial budget that is left for an agent to finish with. */
const FINISH_WITH = 0.1;

/** The text for an agent that may continue after all. */
export const GO_ON = 'Go on.';

export class BudgetWatch {
  private readonly run: Run;
  private line = { tokens: 0, costUsd: 0 };
  private isWarned = false;
  /** The part of tokens read from a cache that counts against caps. */
  private counted = 1;

  constructor(run: Run) {
    this.run = run;
  }

  /** Notes the budget at the start of a turn. */
  begin(): void {
    const { tokens, costUsd } = this.run.remaining;
    this.counted = this.run.limits.countCacheReads / 1_000;
    this.line = { tokens: lineOf(tokens), costUsd: lineOf(costUsd) };
  }

  /** How much is left, after usage that is not booked yet; `little` once in a run. */
  look({ totalTokens = 0, cacheReadTokens = 0, costUsd: more = 0 }: Booked = {}): 'enough' | 'little' | 'none' {
    const { remaining } = this.run;
    const tokens = remaining.tokens - (totalTokens - cacheReadTokens * (1 - this.counted));
    const costUsd = remaining.costUsd - more;
    if (tokens <= 0 || costUsd <= 0) return 'none';
    if (this.isWarned || (tokens > this.line.tokens && costUsd > this.line.costUsd)) return 'enough';
    this.isWarned = true;
    return 'little';
  }

  /** The same for the sizes of contexts, unless an unknown part of them doesn't count. */
  lookAtContexts(totalTokens: number): 'enough' | 'little' | 'none' {
    return this.look(this.counted === 1 ? { totalTokens } : {});
  }
}

function lineOf(left: number): number {
  return left === Number.POSITIVE_INFINITY ? 0 : left * FINISH_WITH;
}
