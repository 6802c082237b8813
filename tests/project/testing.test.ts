// What docs/guides/testing.md says of the fake time of vitest; its examples for `node:test` are run by `docs.test.ts`.

import { afterEach, expect, test, vi } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';

afterEach(() => {
  vi.useRealTimers();
});

const spawnSubAgent = () => new Promise<never>(() => {});
const started = (manager: SubAgentManager) => manager.spawn({ instructions: 'a' });

test('without a list all that counts is faked', async () => {
  vi.useFakeTimers();
  using manager = new SubAgentManager({ timeoutMs: 60_000, graceMs: 1_000, spawnSubAgent });
  const handle = started(manager);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(handle.status).toBe('running');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(handle.status).toBe('timed_out');
});

test('with a list that leaves out `performance`, time stands still', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  using manager = new SubAgentManager({ timeoutMs: 60_000, graceMs: 1_000, spawnSubAgent });
  const handle = started(manager);
  await vi.advanceTimersByTimeAsync(70_000);
  expect(handle.status).toBe('running');
  await expect(vi.runAllTimersAsync()).rejects.toThrow('10000 timers');
});

test('a date that is faked later is not reported', () => {
  using first = new SubAgentManager({ spawnSubAgent });
  started(first);
  vi.useFakeTimers({ now: Date.UTC(2040, 0, 1) });
  using second = new SubAgentManager({ spawnSubAgent });
  expect(new Date(started(second).snapshot().createdAt ?? 0).getUTCFullYear()).toBeLessThan(2040);
});

test('a manager of `open()` calls host functions once timers have been advanced', async () => {
  vi.useFakeTimers();
  let calls = 0;
  const host = async () => {
    calls += 1;
    return { output: 'done' };
  };
  await using manager = await SubAgentManager.open({ store: memoryStore(), spawnSubAgent: host });
  const end = started(manager).wait();
  for (let turn = 0; turn < 100; turn += 1) await undefined;
  expect(calls).toBe(0);
  await vi.advanceTimersByTimeAsync(0);
  expect((await end).status).toBe('completed');
});
