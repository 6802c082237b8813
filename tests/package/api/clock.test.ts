// The clock that a program's tests put in place of the runtime's: managers go by it.

import { afterEach, expect, test, vi } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';

afterEach(() => {
  vi.useRealTimers();
});

const never = { spawnSubAgent: () => new Promise<never>(() => undefined), timeoutMs: 60_000, graceMs: 0 };

test('deadlines are met by the clock of a test, also where the package has read the real one before', async () => {
  const before = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
  await before.spawn({ instructions: 'x' }).wait();
  vi.useFakeTimers();
  const manager = new SubAgentManager(never);
  const handle = manager.spawn({ instructions: 'x' });
  vi.advanceTimersByTime(59_000);
  expect(handle.status).toBe('running');
  vi.advanceTimersByTime(120_000);
  expect(handle.status).toBe('timed_out');
  manager.dispose();
  vi.useRealTimers();
  // Back on the real clock, which is where it was, and not two minutes ahead.
  const { createdAt } = before.get(before.spawn({ instructions: 'y' }));
  expect(createdAt).toBeLessThanOrEqual(Math.ceil(performance.timeOrigin + performance.now()) + 60_000);
  before.dispose();
});
