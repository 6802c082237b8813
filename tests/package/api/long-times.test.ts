// Times longer than timers take, 2^31 - 1 ms: such a timer would ring at once. Those of workers are in tests/workers/.

import { expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { type RedisClient, redisStore } from '../../../dist/stores/redis.js';
import { served } from '../../support/mcp.js';
import { watchedStore } from '../../support/stores.js';

const LONG_MS = 3_000_000_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each([LONG_MS, Number.POSITIVE_INFINITY])('a journal that writes after %d ms doesn’t write before', async (flushMs) => {
  const store = watchedStore();
  const manager = await SubAgentManager.open({ store, durability: 'batched', flushMs, spawnSubAgent: async () => ({ output: 'x' }) });
  await manager.spawn({ instructions: 'x' }).wait();
  await pause(30);
  // The seed of what it gives out is there before anything else is done (A7).
  expect(store.records.length).toBe(1);
  await manager.flush();
  expect(store.records.length).toBeGreaterThan(1);
  await manager[Symbol.asyncDispose]();
});

test.each([LONG_MS, Number.POSITIVE_INFINITY])('an answer of Redis that may take %d ms is waited for', async (retryMs) => {
  let asked = 0;
  const callBuffer = async (): Promise<unknown> => {
    asked += 1;
    await pause(30);
    return ['1', '0', '0', null];
  };
  const store = redisStore({ callBuffer } as RedisClient, { readOnly: true, retryMs });
  expect(await Promise.race([store.open(), pause(500)])).toMatchObject({ through: 0 });
  expect(asked).toBe(1);
});

test.each([LONG_MS, Number.POSITIVE_INFINITY])('a client of MCP that is notified every %d ms gets nothing before', async (keepAliveMs) => {
  const reported: unknown[] = [];
  const tool = {
    name: 'slow',
    description: '',
    parameters: { type: 'object' as const, properties: {}, required: [] },
    execute: () => pause(30).then(() => 'done'),
  };
  const notify = async (notification: unknown): Promise<void> => void reported.push(notification);
  await served(tool, { keepAliveMs }, { progressToken: 1, notify }).call(tool.name);
  expect(reported).toEqual([]);
});
