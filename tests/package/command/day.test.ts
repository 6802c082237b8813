// The cap of a day where the clock is not what a timer would have it: the machine slept, or somebody set the clock.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { capDays } from '../../../command/day.js';

afterEach(() => void vi.useRealTimers());

test('the cap of a day begins anew where the clock jumps over midnight', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-day-'));
  vi.useFakeTimers({ now: new Date(2026, 0, 31, 20) });
  let spent = 1;
  const caps: unknown[] = [];
  const manager = {
    budget: () => ({ tokens: { spent }, costUsd: { spent: 0 } }),
    setLimits: ({ budget }: { budget: { tokens: number } }) => caps.push(budget.tokens),
  };
  capDays(manager as never, join(folder, 'day.json'), { tokens: 100 });
  vi.setSystemTime(new Date(2026, 1, 1, 8));
  spent = 90;
  vi.advanceTimersByTime(60_000);
  expect(caps).toEqual([101, 190]);
  rmSync(folder, { recursive: true });
});

test('the cap of a day begins anew though the first write of the day failed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-day-'));
  vi.useFakeTimers({ now: new Date(2026, 0, 31, 23, 59, 55) });
  const caps: unknown[] = [];
  const manager = {
    budget: () => ({ tokens: { spent: 1 }, costUsd: { spent: 0 } }),
    setLimits: ({ budget }: { budget: { tokens: number } }) => caps.push(budget.tokens),
  };
  capDays(manager as never, join(folder, 'day.json'), { tokens: 100 });
  rmSync(folder, { recursive: true });
  vi.advanceTimersByTime(20_000);
  mkdirSync(folder);
  vi.advanceTimersByTime(20_000);
  expect(caps).toEqual([101, 101]);
  rmSync(folder, { recursive: true });
});
