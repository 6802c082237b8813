// The options that a program opens its store with decide what becomes of the work of before, from the first step on: those of
// the last process decide nothing any more (J3).

import { describe, expect, test } from 'vitest';
import type { Run } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener({ spawnSubAgent: () => never });

/** A process with these options that is killed while so many sub-agents are at work, and the next one with others. */
async function restarted(before: Options, after: Options, count = 1) {
  const store = watchedStore();
  const first = await open(store, before);
  const ids = Array.from({ length: count }, (_, at) => first.spawn({ instructions: `${at}`, background: true }).taskId);
  await settled();
  await first.flush();
  const runs: number[] = [];
  const host = (_: object, run: Run): Promise<never> => {
    runs.push(run.run);
    return never;
  };
  const second = await open(watchedStore(store.records), { spawnSubAgent: host, ...after });
  await settled();
  return { second, ids: ids as [string, ...string[]], runs };
}

describe('J3 what becomes of lost work is as the options say that the store is opened with', () => {
  test.each([
    [0, 5, { status: 'running' }],
    [5, 0, { status: 'failed', stopReason: 'host_lost' }],
  ])('`maxLost`: %s before, %s now', async (before, maxLost, expected) => {
    const { second, ids } = await restarted({ maxLost: before }, { maxLost, onHostLost: 'requeue' });
    expect(second.get(ids[0])).toMatchObject(expected);
  });

  test('`retry`: what was not tried again before is now', async () => {
    const { second, ids, runs } = await restarted({}, { retry: { max: 1, backoffMs: 1 } });
    await settled();
    expect(runs).toEqual([2]);
    expect(second.get(ids[0])).toMatchObject({ status: 'running' });
  });

  test('`retry`: what was tried again for any loss is no more', async () => {
    const before: Options = { retry: { max: 3, backoffMs: 1 } };
    const { second, ids } = await restarted(before, { retry: { max: 3, backoffMs: 1, on: ['host_threw'] } });
    expect(second.get(ids[0])).toMatchObject({ status: 'failed', stopReason: 'host_lost' });
  });

  test('`maxConcurrent`: no more of them go on at once than it allows', async () => {
    const { second, runs } = await restarted({ maxConcurrent: 3 }, { maxConcurrent: 1, onHostLost: 'requeue' }, 3);
    expect(runs).toEqual([2]);
    expect(second.getConcurrencyInfo()).toMatchObject({ active: 1, limit: 1, queued: 2 });
  });

  test('`budget`: what the lost one held is spent, and a budget that was raised pays for the next', async () => {
    const budget = (tokens: number): Options => ({ budget: { tokens }, turnEstimate: 1_000, maxConcurrent: 1 });
    const before = { ...budget(1_500) };
    const { second, ids } = await restarted(before, { ...budget(9_000), onHostLost: 'requeue' });
    expect(second.get(ids[0])).toMatchObject({ status: 'running' });
  });

  test('`maxDeliveries`: a notice that was leased when the process died is delivered as often as it may be now', async () => {
    const store = watchedStore();
    const first = await open(store, { maxDeliveries: 1, spawnSubAgent: async () => ({ output: 'done' }) });
    const { taskId } = first.spawn({ instructions: 'x', background: true });
    await settled();
    expect(first.inbox.lease()).toHaveLength(1);
    await first.flush();
    const second = await open(watchedStore(store.records), { maxDeliveries: 3 });
    expect(second.inbox.lease().map((notice) => [notice.taskId, notice.attempt])).toEqual([[taskId, 2]]);
  });

  test('`onLimit` and limits that are left out stay as the last process had them', async () => {
    const { second } = await restarted({ maxConcurrent: 2, onLimit: 'reject' }, { onHostLost: 'requeue' }, 2);
    expect(second.limits.maxConcurrent).toBe(2);
    expect(() => second.spawn({ instructions: 'one more' })).toThrow(expect.objectContaining({ code: 'concurrency_limit' }));
  });
});

test.each(['sync', 'batched'] as const)('J3 an option that is refused leaves the store as it is: `%s`', async (durability) => {
  const store = watchedStore();
  const first = await open(store, {});
  const { taskId } = first.spawn({ instructions: 'x', background: true });
  await settled();
  await first.flush();
  const next = watchedStore(store.records);
  const before = next.records.length;
  const refused = open(next, { durability, maxLost: 3, maxConcurrent: 0 });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_argument', details: { argument: 'maxConcurrent' } });
  await settled();
  expect(next.records).toHaveLength(before);
  const second = await open(next, { onHostLost: 'requeue' });
  await settled();
  expect(second.get(taskId)).toMatchObject({ status: 'running', run: 2 });
});

test('J3 B1 a session gets the budget that it is registered with before its work goes on', async () => {
  const store = watchedStore();
  const first = await open(store, { maxConcurrent: 1, turnEstimate: 1_000 });
  const session = first.session('chat', { budget: { tokens: 1_500 } });
  const { taskId } = session.spawn({ instructions: 'x', background: true });
  const queued = session.spawn({ instructions: 'y', background: true });
  await settled();
  expect([first.get(taskId).status, queued.status]).toEqual(['running', 'pending']);
  await first.flush();

  const prompts: string[] = [];
  const second = await open(watchedStore(store.records), {
    maxConcurrent: 1,
    spawnSubAgent: async (_, run) => {
      prompts.push(run.prompt);
      return { output: 'done', usage: { tokens: 1 } };
    },
  });
  second.session('chat', { budget: { tokens: 9_000 } });
  await settled();
  expect(prompts).toEqual(['y']);
  expect(second.get(queued.taskId)).toMatchObject({ status: 'completed' });
});
