// A store that another process may have by now (J4): what its manager does not do before it has asked. One store is made here,
// with a lease in the test's hands; for the file store and the one in Redis the clock jumps, as after a suspended machine.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Durability, type Store, SubAgentError, SubAgentManager } from '../../../dist/index.js';
import { fileStore } from '../../../dist/stores/file.js';
import { redisStore } from '../../../dist/stores/redis.js';
import { hasRedis, startRedis } from '../../support/redis.js';
import { watchedStore } from '../../support/stores.js';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const realNow = Date.now.bind(Date);
const durabilities = ['sync', 'batched'] as const;

/** A store with a lease that is held or not, and whose renewals wait for an answer. */
function leased() {
  const store = watchedStore();
  const { open } = store;
  const lease = { held: true, asked: 0, answer: (_error?: Error): void => undefined };
  store.open = async () => ({
    ...(await open.call(store)),
    lease: {
      isHeld: () => lease.held,
      renew: () =>
        new Promise<void>((resolve, reject) => {
          lease.asked += 1;
          lease.answer = (error) => (error === undefined ? resolve() : reject(error));
        }),
    },
  });
  return { store, lease };
}

/** A manager over a store, with a notice that waits, and what it does. */
async function opened(store: Store, durability: Durability) {
  const seen = { hosts: [] as string[], errors: [] as SubAgentError[], wakes: 0, events: 0, settled: 0 };
  const manager = await SubAgentManager.open({
    store,
    durability,
    flushMs: 60_000,
    onError: (error) => seen.errors.push(error as SubAgentError),
    onWake: () => {
      seen.wakes += 1;
    },
    spawnSubAgent: async ({ instructions }) => {
      seen.hosts.push(instructions as string);
      return { output: 'done' };
    },
  });
  manager.spawn({ instructions: 'before', background: true });
  await vi.waitFor(() => expect(seen.wakes).toBe(1));
  manager.subscribe(() => {
    seen.events += 1;
  });
  return { manager, seen };
}

describe.each(durabilities)('while its store may be another process’s, %s', (durability) => {
  test('J4 a manager calls no host, settles nothing and leases nothing; once it has asked, all goes on', async () => {
    const { store, lease } = leased();
    const { manager, seen } = await opened(store, durability);
    lease.held = false;
    const handle = manager.spawn({ instructions: 'transfer 100' });
    const ended = handle.wait();
    const looked = manager.wait([handle], { timeoutMs: 0 });
    for (const promise of [ended, looked]) void promise.then(() => (seen.settled += 1));
    expect(manager.inbox.lease()).toEqual([]);
    await settled();
    expect(lease.asked).toBe(1);
    expect(seen).toMatchObject({ hosts: ['before'], wakes: 1, events: 0, settled: 0, errors: [] });

    lease.held = true;
    lease.answer();
    expect((await ended).status).toBe('completed');
    await looked;
    await vi.waitFor(() => expect(seen.wakes).toBe(2));
    expect(seen.hosts).toEqual(['before', 'transfer 100']);
    expect(manager.inbox.lease().map(({ instructions }) => instructions)).toEqual(['before']);
    await manager[Symbol.asyncDispose]();
  });

  test('J4 where it is, the manager ends with why, and has done nothing', async () => {
    const { store, lease } = leased();
    const { manager, seen } = await opened(store, durability);
    lease.held = false;
    const ended = manager.spawn({ instructions: 'transfer 100' }).wait();
    const failure = expect(ended).rejects.toMatchObject({ code: 'store_failed', cause: { code: 'store_locked' } });
    await vi.waitFor(() => expect(lease.asked).toBe(1));
    lease.answer(new SubAgentError('store_locked', 'another process has it'));
    await failure;
    expect(seen).toMatchObject({ hosts: ['before'], wakes: 1, events: 0 });
    expect(seen.errors.map(({ code }) => code)).toEqual(['store_failed']);
    expect(() => manager.inbox.lease()).toThrow('another process has it');
  });
});

describe('after the clock has jumped', () => {
  afterEach(() => vi.restoreAllMocks());
  /** The wall clock goes on by so much, and the other one doesn't: the machine was suspended. */
  function suspend(ms: number): void {
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ms);
  }

  test('J4 a file store looks whether its lock is another’s before it calls a host', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'subagents-lease-'));
    const path = join(folder, 'journal');
    const { manager, seen } = await opened(fileStore(path), 'batched');
    suspend(31_000);
    expect((await manager.spawn({ instructions: 'still its own' }).wait()).status).toBe('completed');

    // A process on another machine took it for gone.
    const lock = JSON.parse(readFileSync(`${path}.lock`, 'utf8')) as object;
    rmSync(`${path}.lock`);
    writeFileSync(`${path}.lock`, JSON.stringify({ ...lock, nonce: 'another', place: 'another machine' }));
    suspend(62_000);
    await expect(manager.spawn({ instructions: 'transfer 100' }).wait()).rejects.toMatchObject({
      code: 'store_failed',
      cause: { code: 'store_locked' },
    });
    expect(seen.hosts).toEqual(['before', 'still its own']);
    rmSync(folder, { recursive: true });
  });

  test.skipIf(!hasRedis)('J4 a store in Redis asks whether another has opened it before it calls a host', async () => {
    const redis = await startRedis();
    const [client, other] = [new Redis(redis.port, '127.0.0.1'), new Redis(redis.port, '127.0.0.1')];
    const { manager, seen } = await opened(redisStore(client, { key: 'j4' }), 'batched');
    suspend(16_000);
    expect((await manager.spawn({ instructions: 'still its own' }).wait()).status).toBe('completed');

    const taken = redisStore(other, { key: 'j4', takeOver: true });
    await taken.open();
    suspend(32_000);
    await expect(manager.spawn({ instructions: 'transfer 100' }).wait()).rejects.toMatchObject({
      code: 'store_failed',
      cause: { code: 'store_locked' },
    });
    expect(seen.hosts).toEqual(['before', 'still its own']);
    await taken.close();
    client.disconnect();
    other.disconnect();
    await redis.stop();
  });
});
