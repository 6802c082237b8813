// What steers a run belongs to its message: an attempt that begins in place of another one, by a restart, a drain or `retry`,
// gets again what that one had got and it doesn't know, and what that one missed (M1, X5, J3).

import { expect, test } from 'vitest';
import { type Run, SubAgentManager } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener();

/** What a turn of a run gets. */
async function hears(run: Run): Promise<readonly string[]> {
  const permit = await run.beforeTurn();
  return permit.go ? (permit.inject ?? []) : [];
}

/** What the next attempt gets of a run that had got one steer before its checkpoint, one after it, and has yet to get a third. */
async function afterLoss(options: Options, lose: (manager: SubAgentManager) => Promise<unknown>): Promise<readonly string[]> {
  const store = watchedStore();
  let goOn = (): void => undefined;
  const first = await open(store, {
    ...options,
    spawnSubAgent: async (_, run) => {
      const next = (): Promise<void> =>
        new Promise((resolve) => {
          goOn = resolve;
        });
      await next();
      expect(await hears(run)).toEqual(['one']);
      await run.checkpoint({ heard: 1 });
      await next();
      expect(await hears(run)).toEqual(['two']);
      await next();
      return never;
    },
  });
  const handle = first.spawn({ instructions: 'x', background: true });
  for (const text of ['one', 'two', 'three']) {
    await settled();
    handle.send(text, { mode: 'steer' });
    if (text !== 'three') goOn();
  }
  await settled();
  await lose(first);
  await first.flush();
  let received: readonly string[] = [];
  const second = await open(watchedStore(store.records), {
    ...options,
    spawnSubAgent: async (_, run) => {
      received = await hears(run);
      return { output: 'done' };
    },
  });
  const { completed } = await second.wait([handle.taskId]);
  // None of them is a message of its own as well.
  expect(completed).toMatchObject([{ status: 'completed', run: 2, queueSize: 0 }]);
  return received;
}

test.each([
  ['resume', 'crash', ['two', 'three']],
  ['resume', 'drain', ['two', 'three']],
  ['requeue', 'crash', ['one', 'two', 'three']],
  ['requeue', 'drain', ['one', 'two', 'three']],
] as const)('M1 J3 D8 after `onHostLost: %s` and a %s the run hears %o', async (onHostLost, what, received) => {
  const drain = (manager: SubAgentManager): Promise<unknown> => manager.drain({ timeoutMs: 1 });
  expect(await afterLoss({ onHostLost, graceMs: 1 }, what === 'drain' ? drain : () => settled())).toEqual(received);
});

test('M1 X5 each attempt of a `retry` gets what steered those before it, and the next message does not', async () => {
  const received: string[] = [];
  const manager = new SubAgentManager({
    retry: { max: 2, backoffMs: 1 },
    spawnSubAgent: async (_, run) => {
      await settled();
      received.push(`${run.run}: ${(await hears(run)).join()}`);
      await settled();
      if (run.run < 3) throw new Error('not yet');
      return { output: 'done' };
    },
  });
  const handle = manager.spawn({ instructions: 'x', background: true });
  handle.send('early', { mode: 'steer' });
  await manager.wait([handle], { until: 'idle' });
  handle.send('next');
  await manager.wait([handle], { until: 'idle' });
  expect(received).toEqual(['1: early', '2: early', '3: early', '4: ']);
  manager.dispose();
});

test('M1 M2 what an attempt was to get again, and is ended before it could, was delivered once and is no message of its own', async () => {
  const manager = new SubAgentManager({
    retry: { max: 1, backoffMs: 60_000 },
    spawnSubAgent: async (_, run) => {
      await settled();
      await hears(run);
      throw new Error('not yet');
    },
  });
  const handle = manager.spawn({ instructions: 'x', background: true });
  handle.send('heard', { mode: 'steer' });
  while (handle.snapshot().waitingFor !== 'retry') await settled();
  handle.send('not heard', { mode: 'steer' });
  await handle.cancel();
  expect(handle.snapshot()).toMatchObject({ status: 'cancelled', run: 2, undelivered: ['not heard'] });
  manager.dispose();
});
