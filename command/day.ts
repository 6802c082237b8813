// The cap of a journal's sub-agents for each day. Owns the file next to the journal that has the usage before that day.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { SubAgentManager } from 'subagents';

/** Amounts of a cap or of usage. */
interface Amounts {
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

/** The usage before a day began. */
interface Begun {
  readonly day: string;
  readonly tokens: number;
  readonly costUsd: number;
}

/** The interval of the checks for a new day, in milliseconds. */
const LOOK_MS = 10_000;

/** Sets the cap of this day now, and that of each following day. `total`: the cap over all days. */
export function capDays(manager: SubAgentManager, path: string, daily: Amounts, total: Amounts = {}, now = () => new Date()): void {
  let begun = '';
  const begin = (at: Date): void => {
    const { tokens, costUsd } = begunOn(dayOf(at), path, manager);
    manager.setLimits({
      budget: {
        tokens: Math.min(total.tokens ?? Number.POSITIVE_INFINITY, tokens + (daily.tokens ?? Number.POSITIVE_INFINITY)),
        costUsd: Math.min(total.costUsd ?? Number.POSITIVE_INFINITY, costUsd + (daily.costUsd ?? Number.POSITIVE_INFINITY)),
      },
    });
    begun = dayOf(at);
  };
  begin(now());
  // No timer waits for midnight: if the machine sleeps or its clock is set, it would fire hours late.
  const timer = setInterval(() => {
    if (dayOf(now()) === begun) return;
    try {
      begin(now());
    } catch (error) {
      // Otherwise the file could not be written, and the next check tries again.
      if ((error as { code?: unknown }).code === 'disposed') clearInterval(timer);
    }
  }, LOOK_MS);
  timer.unref();
}

/** A day of the local time, such as 2026-01-31. */
function dayOf(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

function begunOn(day: string, path: string, manager: SubAgentManager): Begun {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as Begun;
    if (read.day === day && Number.isFinite(read.tokens) && Number.isFinite(read.costUsd)) return read;
  } catch {
    // The first day of this journal.
  }
  const { tokens, costUsd } = manager.budget();
  const begun = { day, tokens: tokens.spent, costUsd: costUsd.spent };
  writeFileSync(`${path}.new`, JSON.stringify(begun), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return begun;
}
