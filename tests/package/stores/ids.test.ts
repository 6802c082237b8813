// Ids and keys over all openings of a store (A7): after a tail was lost, from a copy, and from a backup, nothing that one
// opening has shown comes to mean other work.

import { expect, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../../dist/index.js';
import { type StoreImage, type WatchedStore, watchedStore } from '../../support/stores.js';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const never = new Promise<never>(() => undefined);

/** A manager, and the keys that its runs gave for a payment. */
async function opened(before: WatchedStore | StoreImage, options: Omit<OpenOptions, 'store'> = {}) {
  const store = 'append' in before ? before : watchedStore(before);
  const keys: string[] = [];
  const manager = await SubAgentManager.open({
    store,
    durability: 'batched',
    flushMs: 60_000,
    onHostLost: 'resume',
    spawnSubAgent: async (_, run) => {
      keys.push(run.idempotencyKey('pay'));
      return { output: 'paid' };
    },
    ...options,
  });
  return { store, manager, keys };
}

/** What a store had when its tail was lost, or when it was copied. */
const imageOf = (store: WatchedStore): StoreImage => store.images.at(-1) as StoreImage;

test.each(['records', 'a snapshot'])(
  'A7 after a lost tail other work has another id, another key and another delivery id; of %s',
  async (kept) => {
    const { store, manager } = await opened(watchedStore());
    const known = manager.spawn({ instructions: 'known', background: true, idempotencyKey: 'known' });
    await known.wait();
    await manager.flush();
    if (kept === 'a snapshot') await manager.compact();
    const image = imageOf(store);

    const lives = [];
    for (const instructions of ['pay 10 to Ada', 'pay 99 to Bob']) {
      const life = await opened(image);
      const { taskId } = life.manager.spawn({ instructions, background: true });
      await life.manager.wait([taskId]);
      const spawned = life.manager.spawn({ instructions, background: true });
      await settled();
      const [notice] = life.manager.inbox.lease();
      life.manager.send(known, instructions);
      await settled();
      lives.push({ ...life, shown: [taskId, spawned.taskId, notice?.deliveryId, ...life.keys] });
    }
    const [ada, bob] = lives as [(typeof lives)[0], (typeof lives)[0]];
    expect(ada.keys.length).toBe(3);
    const all = [...ada.shown, ...bob.shown];
    expect(new Set(all).size).toBe(all.length);
    expect(() => bob.manager.get(ada.shown[0] as string)).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    expect(bob.manager.inbox.ack(ada.shown[2] as string)).toBe(false);
    expect(bob.manager.inbox.ack(bob.shown[2] as string)).toBe(true);
    // Once its core is gone a handle says the same.
    const handle = bob.manager.spawn({ instructions: 'last' });
    await bob.manager[Symbol.asyncDispose]();
    expect([known.taskId, handle.taskId]).not.toContain(undefined);
    const next = await opened(imageOf(bob.store));
    expect(next.manager.get(handle.taskId).instructions).toBe('last');
    expect(next.manager.get(known.taskId).instructions).toBe('known');
  },
);

test.each(['requeue', 'resume'] as const)(
  'A7 every attempt at a message has the key of the opening that accepted it; `%s`',
  async (onHostLost) => {
    const { store, manager, keys } = await opened(watchedStore(), { onHostLost });
    const { taskId } = manager.spawn({ instructions: 'first' });
    await manager.wait([taskId]);
    await manager.flush();
    // The second opening accepts a message, and one behind that; both are kept.
    const calls: string[] = [];
    const hanging: Omit<OpenOptions, 'store'> = {
      onHostLost,
      spawnSubAgent: async (_, run) => {
        calls.push(run.idempotencyKey('pay'));
        return never;
      },
    };
    const second = await opened(imageOf(store), hanging);
    second.manager.send(taskId, 'second');
    second.manager.send(taskId, 'third');
    await second.manager.flush();
    const image = imageOf(second.store);
    // Two more attempts at the second message, whose records are lost, then one that ends it.
    await opened(image, hanging);
    await opened(image, hanging);
    const last = await opened(image, { onHostLost });
    await last.manager.wait([taskId], { until: 'idle' } as never);
    while (last.keys.length < 2) await settled();
    expect(new Set([...calls, last.keys[0]]).size).toBe(1);
    expect(calls.length).toBe(3);
    expect(new Set([keys[0], ...last.keys]).size).toBe(3);
    // The third message was accepted by the second opening, too: another attempt has its key again.
    const again = await opened(image, { onHostLost });
    while (again.keys.length < 2) await settled();
    expect(again.keys).toEqual(last.keys);
  },
);

test('A7 a spawn with a key of its own has the same keys again where its records were lost', async () => {
  const store = watchedStore();
  const { manager } = await opened(store);
  await settled();
  const empty = imageOf(store);
  expect(empty.records.length).toBe(1);
  manager.session('ann');
  await manager.flush();
  const image = imageOf(store);
  const pay = async (from: StoreImage, spawn: (manager: SubAgentManager) => { wait(): Promise<unknown> }): Promise<string> => {
    const life = await opened(from, { maxDepth: 2 });
    await spawn(life.manager).wait();
    return life.keys.at(-1) as string;
  };
  const invoice = { instructions: 'pay invoice 17', idempotencyKey: 'invoice-17' };
  const first = await pay(image, (manager) => manager.spawn(invoice));
  expect(first).toMatch(/^key_[0-9a-f]{32}:pay$/);
  expect(await pay(image, (manager) => manager.spawn(invoice))).toBe(first);
  expect(await pay(empty, (manager) => manager.spawn(invoice))).toBe(first);
  // Another key, other parameters, another parent: other work.
  const others = [
    await pay(image, (manager) => manager.spawn({ ...invoice, idempotencyKey: 'invoice-18' })),
    await pay(image, (manager) => manager.spawn({ ...invoice, instructions: 'pay invoice 18' })),
    await pay(image, (manager) => manager.session('ann').spawn(invoice)),
    await pay(watchedStore().images[0] as StoreImage, (manager) => manager.spawn(invoice)),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
  await manager[Symbol.asyncDispose]();
});
