// The usage of one attempt, if a run has several: its reports, and the total that its host function returns. Owns that both
// count this attempt alone, and are booked once for the run.

import type { Run } from '../api/run.js';
import { READING_MISSING } from '../generated/codes.js';
import { TOKEN_KINDS } from '../generated/tokens.js';
import { usageFigures } from '../reading/usage.js';
import type { ReportRead } from '../reading/usage-report.js';

/** An attempt's reported usage, and the turns that the lead permitted. */
export interface Reported {
  tokens: number;
  costUsd: number;
  turns: number;
  /** Tokens by kind, in the order of `ReportedTokens`; left out if none were reported. */
  kinds?: number[];
}

export const nothingReported = (): Reported => ({ tokens: 0, costUsd: 0, turns: 0 });

/** Adds a report. A wrong amount counts as zero. */
export function countReport(to: Reported, { tokens, costUsd, byKind }: Pick<ReportRead, 'tokens' | 'costUsd' | 'byKind'>): void {
  if (tokens > 0) to.tokens += tokens;
  if (costUsd > 0) to.costUsd += costUsd;
  if (byKind !== undefined) to.kinds = byKind.kinds.map((kind, at) => Math.max(0, kind) + (to.kinds?.[at] ?? 0));
}

/**
 * Reports the usage beyond this attempt's own reports, and removes it from the result: the manager has booked other attempts
 * too, and couldn't compare. Wrong figures and unknown names stay, so that the manager refuses them.
 */
export function bookRest(run: Run, result: unknown, reported: Reported): void {
  const of = (result ?? {}) as { usage?: Record<string, unknown> };
  try {
    const { usage } = of;
    if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return;
    const rest: Record<string, unknown> = {};
    const { tokens, cost, turns, durationMs, byKind, ignored } = usageFigures(Object.entries(usage), (name) => {
      rest[name] = usage[name];
    });
    const report = {
      ...(tokens >= 0 && { tokens: Math.max(0, tokens - reported.tokens) }),
      ...Object.fromEntries(
        TOKEN_KINDS.flatMap((name, at) => {
          const kind = byKind?.kinds[at] ?? READING_MISSING;
          return kind < 0 ? [] : [[name, Math.max(0, kind - (reported.kinds?.[at] ?? 0))]];
        }),
      ),
      ...(byKind?.modelId !== undefined && { modelId: byKind.modelId }),
      ...(byKind?.kinds[TOKEN_KINDS.length] === 1 && { estimated: true }),
      // The manager reports a wrong kind as ignored.
      ...Object.fromEntries(ignored.map((kind) => [kind, Number.NaN])),
      ...(cost >= 0 && { costUsd: Math.max(0, cost - reported.costUsd) }),
    };
    if (Object.keys(report).length > 0) run.report(report);
    if (Number.isNaN(tokens)) rest.tokens = tokens;
    if (Number.isNaN(cost)) rest.costUsd = cost;
    // Permitted turns are booked already.
    if (turns !== READING_MISSING && !(turns <= reported.turns)) rest.turns = turns;
    if (durationMs !== READING_MISSING) rest.durationMs = durationMs;
    if (Object.keys(rest).length === 0) delete of.usage;
    else of.usage = rest;
  } catch {
    // Unreadable usage, or the run has ended: the manager gets the result unchanged.
  }
}
