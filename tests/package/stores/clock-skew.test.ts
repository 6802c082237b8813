// The clock of the next process, or of the next machine, is hours behind or ahead of the one before: waits, deadlines, backoffs,
// leases and cooldowns take as long as they say, and time never runs backwards (T3).

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';

const HOURS = 3 * 3_600_000;
const real = performance.now.bind(performance);
let ahead = 0;

beforeEach(() => {
  ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Host = OpenOptions['spawnSubAgent'];
const never: Host = () => new Promise(() => undefined);
const done: Host = async () => ({ output: 'done' });

describe.each([
  ['behind', HOURS, 0],
  ['ahead', 0, HOURS],
])('a clock that is three hours %s after a restart', (_, before, after) => {
  async function opened(
    options: Partial<OpenOptions>,
    first: (manager: SubAgentManager) => Promise<unknown> | unknown,
  ): Promise<SubAgentManager> {
    const store = memoryStore();
    ahead = before;
    const manager = await SubAgentManager.open({ store, spawnSubAgent: done, ...options });
    await first(manager);
    await manager.flush();
    await manager[Symbol.asyncDispose]();
    ahead = after;
    return SubAgentManager.open({ store, onHostLost: 'resume', spawnSubAgent: never, ...options });
  }

  test('a wait ends after its time, and a run at its deadline', async () => {
    let taskId = '';
    const limits = { timeoutMs: 1_000, graceMs: 0, spawnSubAgent: never };
    const manager = await opened(limits, (first) => {
      taskId = first.spawn({ instructions: 'x', background: true }).taskId;
    });
    expect(await manager.wait([taskId], { timeoutMs: 20 })).toMatchObject({ timedOut: true, pending: [taskId] });
    const { completed } = await manager.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed).toMatchObject([{ status: 'timed_out' }]);
    await manager[Symbol.asyncDispose]();
  });

  test('a backoff, a cooldown and a lease end', async () => {
    const ids: string[] = [];
    let runs = 0;
    const host: Host = async (params, run) => {
      if (params.instructions === 'limited' && run.run === 1) run.reportRateLimit({ retryAfterMs: 40 });
      runs += 1;
      if (run.run === 1) throw new Error('the first time');
      return { output: params.instructions };
    };
    const manager = await opened({ retry: { max: 3, backoffMs: 30 }, spawnSubAgent: host, leaseMs: 40 }, async (first) => {
      ids.push(first.spawn({ instructions: 'backs off', background: true }).taskId);
      ids.push(first.spawn({ instructions: 'limited', rateLimitKey: 'provider', background: true }).taskId);
      while (runs < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    });
    const { completed } = await manager.wait(ids, { mode: 'all', timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ output }) => output).sort()).toEqual(['backs off', 'limited']);
    const handle = manager.spawn({ instructions: 'noticed', background: true, retry: { max: 2, backoffMs: 1 } });
    while (manager.inbox.peek().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const [leased] = manager.inbox.lease();
    expect(leased).toMatchObject({ taskId: handle.taskId, attempt: 1 });
    let again = manager.inbox.lease();
    while (again.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      again = manager.inbox.lease();
    }
    expect(again).toMatchObject([{ taskId: handle.taskId, attempt: 2 }]);
    await manager[Symbol.asyncDispose]();
  });

  test('instants of ends and refusals are not before those of beginnings', async () => {
    const manager = await opened({ retain: 0, spawnSubAgent: done }, (first) => first.spawn({ instructions: 'x' }).wait());
    const times: (number | null | undefined)[] = [];
    manager.subscribe(({ at }) => times.push(at));
    const ids = ['a', 'b'].map((instructions) => manager.spawn({ instructions }).taskId);
    const { completed } = await manager.wait(ids, { mode: 'all' });
    // One of the two is forgotten by now: what stands for it was made beside the core.
    for (const { startedAt, endedAt, updatedAt } of completed) times.push(startedAt, endedAt, updatedAt);
    const task = manager.spawn({ drive: 'program', instructions: 'y' });
    const [, ended] = await Promise.all([task.start().then(() => task.complete('z')), manager.wait([task])]);
    for (const { startedAt, endedAt } of ended.completed) times.push(startedAt, endedAt);
    manager.onRefused(({ at }) => times.push(at));
    expect(() => manager.spawn({ instructions: 'x', maxTurns: 0 })).toThrow();
    await expect(manager.cancel('sub_00000000000000000000000000000000')).rejects.toThrow();
    const known = times.map((at) => at as number);
    expect(Math.max(...known) - Math.min(...known)).toBeLessThan(HOURS / 2);
    await manager[Symbol.asyncDispose]();
  });

  test('events follow each other in time, over both processes and a third one', async () => {
    const store = memoryStore();
    const at: number[] = [];
    for (const shift of [before, after, after + 1_000]) {
      ahead = shift;
      const manager = await SubAgentManager.open({ store, spawnSubAgent: done });
      manager.subscribe((event) => at.push(event.at));
      await manager.spawn({ instructions: 'x' }).wait();
      await manager[Symbol.asyncDispose]();
    }
    expect(at.length).toBeGreaterThan(6);
    expect(at).toEqual([...at].sort((a, b) => a - b));
  });
});

test('within a process a clock of the system that jumps changes nothing', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: never, timeoutMs: 40, graceMs: 0 });
  const jumps = vi.spyOn(Date, 'now').mockReturnValue(0);
  expect((await manager.spawn({ instructions: 'x' }).wait()).status).toBe('timed_out');
  jumps.mockReturnValue(Number.MAX_SAFE_INTEGER);
  expect((await manager.spawn({ instructions: 'x' }).wait()).status).toBe('timed_out');
  manager.dispose();
});
