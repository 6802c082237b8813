// What is the Redis store's own: who has it when a process was frozen, and what Redis refuses. What every store has to keep to,
// over both clients, is among the programs of `npm run test:runtimes`.

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

  test('it takes no lease any more from which another has had the store, and learns it', async () => {
    const first = storeOf('idle');
    const { lost } = await first.open();
    await first.append(bytes('of the first'));
    const second = others('idle');
    expect(await opened(second, 'idle')).toEqual(['of the first']);
    await second.append(bytes('of the second'));
    await second.close();

    expect(await lost).toMatchObject({ code: 'store_locked', message: 'another process now has the store idle in Redis' });
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
    const reported: unknown[] = [];
    const manager = await SubAgentManager.open({
      store: storeOf('manager'),
      onError: (error) => reported.push(error),
      spawnSubAgent: async () => ({ output: 'done' }),
    });
    await manager.spawn({ instructions: 'one' }).wait();
    const second = others('manager', { takeOver: true });
    await second.open();
    while (reported.length === 0) await sleep(20);
    expect(reported).toEqual([
      expect.objectContaining({
        code: 'store_failed',
        message: "the store can't keep anything any longer: another process now has the store manager in Redis",
        cause: expect.objectContaining({ code: 'store_locked' }),
      }),
    ]);
    expect(() => manager.spawn({ instructions: 'two' })).toThrow(expect.objectContaining({ code: 'store_failed' }));
    await sleep(leaseMs);
    expect(reported).toHaveLength(1);
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

  test('a Redis that has lost what it had is reported, too', async () => {
    const first = storeOf('emptied');
    const { lost } = await first.open();
    await first.append(bytes('kept'));
    await other.del('{emptied}:state', '{emptied}:records', '{emptied}:lock');
    expect(await lost).toMatchObject({ code: 'store_failed', message: expect.stringContaining('has lost records') });
    await first.close();
  });
});

describe.skipIf(!hasRedis)('a compaction that Redis refuses', () => {
  /** Redis with so little room, and a store in it. */
  async function within<T>(settings: string[], work: (store: Store, client: Redis) => Promise<T>): Promise<T> {
    const redis = await startRedis(...settings);
    // As BullMQ wants it: a client that sends a command again for ever.
    const client = new Redis(redis.port, '127.0.0.1', { maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    try {
      return await work(redisStore(client, { key: 'full', retryMs: 20_000 }), client);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  }

  test.each([
    ['a value above its limit', ['--proto-max-bulk-len', '1mb'], 2 << 20, /a snapshot of 2097152 bytes, and this Redis takes .* 1048576/],
    ['more than its memory', ['--maxmemory', '24mb', '--maxmemory-policy', 'noeviction'], 30 << 20, /OOM/],
  ])('%s: it is told, and the store goes on', async (_, settings, size, said) => {
    await within(settings, async (store, client) => {
      let connections = 0;
      client.on('connect', () => {
        connections += 1;
      });
      await store.open();
      await store.append(bytes('one'));
      await expect(store.compact(new Uint8Array(size), 1)).rejects.toMatchObject({
        code: 'store_failed',
        message: expect.stringMatching(said),
      });
      await store.append(bytes('two'));
      await store.compact(bytes('small'), 1);
      await store.append(bytes('three'));
      await store.close();
      // Whatever else the program does with this client isn't disturbed.
      expect(connections).toBeLessThanOrEqual(1);
      expect(await contents(store)).toEqual(['two', 'three']);
      await store.close();
    });
  });

  test('memory that stays full for `retryMs` ends the store; its lease lasts as long as its process has it', async () => {
    await within(['--maxmemory-policy', 'noeviction'], async (_, client) => {
      // The pauses between tries double, and none is begun that would end too late: it may give up after little more than half.
      const store = redisStore(client, { key: 'full', leaseMs, retryMs: 2_500 });
      await store.open();
      await store.append(bytes('one'));
      await client.config('SET', 'maxmemory', '1');
      const begun = performance.now();
      await expect(store.append(bytes('two'))).rejects.toMatchObject({ code: 'store_failed', message: expect.stringContaining('OOM') });
      expect(performance.now() - begun).toBeGreaterThan(leaseMs);
      await expect(redisStore(client, { key: 'full', leaseMs, retryMs: 0 }).open()).rejects.toMatchObject({ code: 'store_locked' });
      await store.close();
      expect(await client.exists('{full}:lock')).toBe(0);
    });
  });

  test('a Redis that is a replica for a moment, as in a failover, takes the record after it', async () => {
    await within([], async (store, client) => {
      await store.open();
      await store.append(bytes('one'));
      await client.replicaof('127.0.0.1', '1');
      await expect(client.set('other', 'x')).rejects.toThrow(/^READONLY/);
      const appended = store.append(bytes('two'));
      await sleep(100);
      await client.replicaof('NO', 'ONE');
      await appended;
      await store.close();
      expect(await contents(store)).toEqual(['one', 'two']);
      await store.close();
    });
  });

  test('each lead goes on over a snapshot that is too large, and reports it', async () => {
    await within(['--proto-max-bulk-len', '1mb'], async (store) => {
      for (let lead = 0; lead < 3; lead += 1) {
        const reported: { code?: unknown }[] = [];
        const manager = await SubAgentManager.open({
          store,
          compactBytes: 100_000,
          onError: (error) => reported.push(error as never),
          spawnSubAgent: async () => ({ output: 'x'.repeat(200_000) }),
        });
        for (let count = 0; count < 8; count += 1) await manager.spawn({ instructions: 'one' }).wait();
        expect(manager.stats().total).toBe(8 * (lead + 1));
        await manager[Symbol.asyncDispose]();
        if (lead > 0) expect(reported[0]).toMatchObject({ code: 'store_failed', message: expect.stringContaining('a snapshot of') });
      }
    });
  });

  test('where no answer came, a compaction that arrives late undoes no later one', async () => {
    await within([], async (_, client) => {
      const real = client.callBuffer.bind(client) as (...args: unknown[]) => Promise<unknown>;
      let sendLate: (() => Promise<unknown>) | undefined;
      // The first snapshot stays on its way.
      client.callBuffer = ((...args: unknown[]) => {
        if (!args.some((arg) => String(arg) === 'early')) return real(...args);
        sendLate = () => real(...args);
        return new Promise(() => undefined);
      }) as never;
      const store = redisStore(client, { key: 'late', retryMs: 100 });
      await store.open();
      for (const each of ['one', 'two', 'three']) await store.append(bytes(each));
      await expect(store.compact(bytes('early'), 1)).rejects.toMatchObject({ code: 'store_failed' });
      await store.compact(bytes('later'), 2);
      await sendLate?.();
      await store.close();
      const { snapshot, through, records } = await store.open();
      const found: string[] = [];
      for await (const record of records) found.push(text(record));
      expect([through, text(snapshot as Uint8Array), found]).toEqual([2, 'later', ['three']]);
      await store.close();
    });
  });

  test('Redis that has lost records, or is another process’s by now, ends the store as an append does', async () => {
    await within([], async (store, client) => {
      await store.open();
      await store.append(bytes('one'));
      await client.hset('{full}:state', 'count', 0);
      await expect(store.compact(bytes('all'), 1)).rejects.toMatchObject({ code: 'store_failed' });
      await expect(store.append(bytes('two'))).rejects.toMatchObject({ code: 'store_failed' });
      await store.close();
    });
  });
});
