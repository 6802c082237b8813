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
  before.dispose();
});

/** A run that never ends by itself, under the timers of now. */
function startOne(manager: SubAgentManager): () => string {
  const handle = manager.spawn({ instructions: 'x' });
  return () => handle.status;
}

test('T3 a manager goes on under each install of fake timers, and under the real ones after them', async () => {
  const manager = new SubAgentManager(never);
  for (const _ of [1, 2, 3]) {
    vi.useFakeTimers();
    const status = startOne(manager);
    vi.advanceTimersByTime(59_000);
    expect(status()).toBe('running');
    vi.advanceTimersByTime(1_000_000);
    expect(status()).toBe('timed_out');
    vi.useRealTimers();
  }
  const late = manager.spawn({ instructions: 'y', timeoutMs: 10 });
  // Time never runs backwards: it is where the fake timers left it.
  expect(manager.get(late).createdAt).toBeGreaterThan(Date.now() + 150_000);
  expect((await late.wait()).status).toBe('timed_out');
  manager.dispose();
});

test('T3 a deadline that was set under earlier timers is met under the ones of now', () => {
  const manager = new SubAgentManager(never);
  const real = startOne(manager);
  vi.useFakeTimers();
  manager.spawn({ instructions: 'first' });
  vi.advanceTimersByTime(61_000);
  expect(real()).toBe('timed_out');
  const first = startOne(manager);
  vi.useRealTimers();
  vi.useFakeTimers();
  manager.spawn({ instructions: 'second' });
  vi.advanceTimersByTime(61_000);
  expect(first()).toBe('timed_out');
  manager.dispose();
});
