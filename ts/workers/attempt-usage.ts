// What one attempt has used, where a run has several: its reports, and the total that its host function returns. Owns
// that both figures are those of the attempt, and that together they are booked once for the run.

import type { Run } from '../api/run.js';
import type { RunReport } from '../reading/exchange.js';
import { reading, totalTokens } from '../reading/returned.js';

/** What an attempt has told by reports, and the turns that it was given. */
export interface Reported {
  tokens: number;
  costUsd: number;
  turns: number;
}

export const nothingReported = (): Reported => ({ tokens: 0, costUsd: 0, turns: 0 });

/** Counts a report; a wrong amount counts as nothing. */
export function countReport(to: Reported, { tokens, inputTokens, outputTokens, costUsd }: RunReport): void {
  const [used, cost] = [totalTokens(tokens, inputTokens, outputTokens), reading(costUsd)];
  if (used > 0) to.tokens += used;
  if (cost > 0) to.costUsd += cost;
}

/**
 * Books what the total in a result has beyond the reports of its attempt, and takes it out of the result: beside what other
 * attempts have used, or an earlier run of the same work, the manager could not compare it with what it has booked. A wrong
 * figure stays, for the manager to say so.
 */
export function bookRest(run: Run, result: unknown, reported: Reported): void {
  const of = (result ?? {}) as { usage?: Record<string, unknown> };
  try {
    const { usage } = of;
    if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return;
    const tokens = totalTokens(usage.tokens, usage.inputTokens, usage.outputTokens);
    const costUsd = reading(usage.costUsd ?? usage.cost);
    const report = {
      ...(tokens >= 0 && { tokens: Math.max(0, tokens - reported.tokens) }),
      ...(costUsd >= 0 && { costUsd: Math.max(0, costUsd - reported.costUsd) }),
    };
    if (Object.keys(report).length > 0) run.report(report);
    if (tokens >= 0) for (const name of ['tokens', 'inputTokens', 'outputTokens']) delete usage[name];
    if (costUsd >= 0) for (const name of ['costUsd', 'cost']) delete usage[name];
    // Turns that it was given are booked.
    if (Number(usage.turns) <= reported.turns) delete usage.turns;
    if (Object.keys(usage).length === 0) delete of.usage;
  } catch {
    // It can't be read, or the run has ended: the manager takes it as it is.
  }
}
