// What is the Redis store's own: who has it when a process was frozen, and what Redis refuses. What every store has to keep to, over
// both clients, is among the programs of `npm run test:runtimes`.

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Store, SubAgentManager } from '../../../dist/index.js';
import { type RedisStoreOptions, redisStore } from '../../../dist/stores/redis.js';
import { hasRedis, startRedis, type TestRedis } from '../../support/redis.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (some: Uint8Array): string => new TextDecoder().decode(some);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The shortest lease that there is. */
const leaseMs = 1_000;

async function contents(store: Store): Promise<string[]> {
  const { records } = await store.open();
  const found: string[] = [];
  for await (const record of records) found.push(text(record));
  return found;
}

describe.skipIf(!hasRedis)('a process that was frozen, and does nothing when it comes to life again', () => {
  let redis: TestRedis;
  /** What the frozen process has. */
  let frozen: Redis;
  let other: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    frozen = new Redis(redis.port, '127.0.0.1');
    other = new Redis(redis.port, '127.0.0.1');
  });
  afterAll(async () => {
    frozen.disconnect();
    other.disconnect();
    await redis.stop();
  });
  const storeOf = (key: string, options: RedisStoreOptions = {}): Store => redisStore(frozen, { key, leaseMs, ...options });
  const others = (key: string, options: RedisStoreOptions = {}): Store => redisStore(other, { key, leaseMs, ...options });

  /** What becomes of the lease while its process is frozen: it ends. Those that are renewed meanwhile are ended again. */
  async function opened(store: Store, key: string): Promise<string[]> {
    for (;;) {
      await other.del(`{${key}}:lock`);
      try {
        return await contents(store);
      } catch (error) {
        expect(error).toMatchObject({ code: 'store_locked' });
      }
    }
  }

  test('it takes no lease any more from which another has had the store, and is told so', async () => {
    const first = storeOf('idle');
    const { lost } = await first.open();
    await first.append(bytes('of the first'));
    const second = others('idle');
    expect(await opened(second, 'idle')).toEqual(['of the first']);
    await second.append(bytes('of the second'));
    await second.close();

    expect(await lost).toMatchObject({ code: 'store_locked', message: 'another process has the store idle in Redis by now' });
    await sleep(leaseMs);
    expect(await other.exists('{idle}:lock')).toBe(0);
    const third = others('idle');
    expect(await contents(third)).toEqual(['of the first', 'of the second']);
    await expect(first.append(bytes('late'))).rejects.toMatchObject({ code: 'store_locked' });
    await first.close();
    await third.append(bytes('of the third'));
    await third.close();
  });

  test('its manager ends, once, though it decides nothing', async () => {
    const told: unknown[] = [];
    const manager = await SubAgentManager.open({
      store: storeOf('manager'),
      onError: (error) => told.push(error),
      spawnSubAgent: async () => ({ output: 'done' }),
    });
    await manager.spawn({ instructions: 'one' }).wait();
    const second = others('manager', { takeOver: true });
    await second.open();
    while (told.length === 0) await sleep(20);
    expect(told).toEqual([
      expect.objectContaining({
        code: 'store_failed',
        message: 'the store can keep nothing any more: another process has the store manager in Redis by now',
        cause: expect.objectContaining({ code: 'store_locked' }),
      }),
    ]);
    expect(() => manager.spawn({ instructions: 'two' })).toThrow(expect.objectContaining({ code: 'store_failed' }));
    await sleep(leaseMs);
    expect(told).toHaveLength(1);
    await manager[Symbol.asyncDispose]().catch(() => undefined);
    await second.append(bytes('goes on'));
    await second.close();
  });

  test('where no other had the store meanwhile, it has its lease again', async () => {
    const first = storeOf('alone');
    await first.open();
    await other.del('{alone}:lock');
    while ((await other.exists('{alone}:lock')) === 0) await sleep(20);
    await first.append(bytes('goes on'));
    await expect(others('alone').open()).rejects.toMatchObject({ code: 'store_locked' });
    await first.close();
    expect(await other.exists('{alone}:lock')).toBe(0);
  });

  test('a renewal that arrives after the store was closed locks nothing', async () => {
    const first = storeOf('closed');
    await first.open();
    let sendLate: (() => unknown) | undefined;
    const real = frozen.callBuffer.bind(frozen) as (...args: unknown[]) => Promise<unknown>;
    const late = new Promise<void>((resolve) => {
      frozen.callBuffer = ((...args: unknown[]) => {
        if (!args.some((arg) => String(arg).includes("'PX'"))) return real(...args);
        sendLate = () => real(...args);
        resolve();
        return new Promise(() => undefined);
      }) as never;
    });
    await late;
    await first.close();
    await sendLate?.();
    frozen.callBuffer = real as never;
    expect(await other.exists('{closed}:lock')).toBe(0);
    const second = others('closed');
    await second.open();
    await second.close();
  });

  test('a Redis that has lost what it had is told of, too', async () => {
    const first = storeOf('emptied');
    const { lost } = await first.open();
    await first.append(bytes('kept'));
    await other.del('{emptied}:state', '{emptied}:records', '{emptied}:lock');
    expect(await lost).toMatchObject({ code: 'store_failed', message: expect.stringContaining('has lost records') });
    await first.close();
  });
});
