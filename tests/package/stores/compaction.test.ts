// Compaction: a snapshot takes the place of the records that it stands for (J1). What it says is what they said; it is
// made by itself, or when it is asked for, and one that fails costs nothing.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type Store, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { fileStore } from '../../../dist/stores/file.js';
import { FORM } from '../../../ts/generated/form.js';
import { RECORD_HEADER_BYTES, sealRecord } from '../../../ts/stores/record.js';
import { type StoreImage, watchedStore } from '../../support/stores.js';

const folder = mkdtempSync(join(tmpdir(), 'compaction-'));
const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(store: Store, options: Partial<OpenOptions> = {}): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({
    spawnSubAgent: async ({ instructions }) => ({ output: `${instructions} is done`, usage: { tokens: 10 } }),
    ...options,
    store,
  });
  opened.push(manager);
  return manager;
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const never = new Promise<never>(() => undefined);

/** All that a user sees of a manager, but what differs by process: how many events its opening made, and its memory. */
function seen(manager: SubAgentManager): unknown {
  const { items } = manager.list();
  const { events: _, memoryBytes: __, ...stats } = manager.stats();
  return {
    items,
    stats,
    budget: manager.budget(),
    notices: manager.inbox.peek(),
  };
}

describe.each(['sync', 'batched'] as const)('a journal, %s', (durability) => {
  test('J1 a snapshot stands for the records before it, and those after it follow', async () => {
    const store = watchedStore();
    const first = await open(store, { durability, maxConcurrent: 1, budget: { tokens: 1_000 }, onHostLost: 'requeue' });
    const { taskId } = first.spawn({
      instructions: 'one',
      label: 'first',
      nickname: 'ann',
      metadata: { of: 'me' },
      idempotencyKey: 'once',
    });
    await first.wait([taskId]);
    first.spawn({ instructions: 'told', background: true });
    await settled();
    await first.compact();
    expect(store.images.at(-1)).toMatchObject({ through: expect.any(Number), records: [] });
    expect(store.records).toEqual([]);
    const stuck = first.session('ann').spawn({ instructions: 'after it', background: true });
    await first.wait([stuck.taskId]);
    await first.flush();
    expect(store.records.length).toBeGreaterThan(0);
    const before = seen(first);
    await first[Symbol.asyncDispose]();

    const second = await open(watchedStore(store.images.at(-1) as StoreImage), { durability });
    expect(seen(second)).toEqual(before);
    expect(second.get('ann').taskId).toBe(taskId);
    expect(
      second.spawn({ instructions: 'one', label: 'first', nickname: 'ann', metadata: { of: 'me' }, idempotencyKey: 'once' }).taskId,
    ).toBe(taskId);
    expect(second.session('ann').get(stuck.taskId).output).toBe('after it is done');
    expect((await second.spawn({ instructions: 'two' }).wait()).output).toBe('two is done');
  });

  test('J1 compaction happens by itself once as much is written as `compactBytes`, and as the snapshot has', async () => {
    const store = watchedStore();
    const manager = await open(store, { durability, flushMs: 1, compactBytes: 4_000, retain: 0 });
    let largest = 0;
    for (let round = 0; round < 60; round += 1) {
      await manager.spawn({ instructions: 'x'.repeat(200) }).wait();
      await manager.flush();
      largest = Math.max(
        largest,
        store.records.reduce((sum, { length }) => sum + length, 0),
      );
    }
    const compactions = store.images.filter(({ snapshot }, at) => snapshot !== store.images[at - 1]?.snapshot).length;
    expect(compactions).toBeGreaterThan(4);
    expect(largest).toBeLessThan(8_000);
    const again = await open(watchedStore(store.images.at(-1) as StoreImage), { durability });
    expect(again.stats()).toMatchObject({ total: manager.stats().total });
  });

  test('a store of the program that throws at a compaction, in place of rejecting, harms no manager', async () => {
    const store = watchedStore();
    let calls = 0;
    const compact = (): never => {
      calls += 1;
      throw new Error('no room');
    };
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const manager = await open(Object.assign(store, { compact }), { durability, flushMs: 1, compactBytes: 1, onError });
    for (const instructions of ['one', 'two', 'three']) {
      expect(await manager.spawn({ instructions }).wait()).toMatchObject({ status: 'completed' });
      await manager.flush();
    }
    await expect(manager.compact()).rejects.toThrow('no room');
    expect(calls).toBeGreaterThan(1);
    expect(errors).toContainEqual(new Error('no room'));
    expect(await manager.spawn({ instructions: 'four' }).wait()).toMatchObject({ status: 'completed' });
  });

  test('a compaction that fails is reported, and the journal goes on', async () => {
    const store = watchedStore();
    const errors: unknown[] = [];
    const manager = await open(store, { durability, flushMs: 1, compactBytes: 2_000, onError: (error) => errors.push(error) });
    store.compactFailure = new Error('no room');
    await expect(manager.compact()).rejects.toThrow('no room');
    for (let round = 0; round < 30; round += 1) await manager.spawn({ instructions: 'x'.repeat(200) }).wait();
    await manager.flush();
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(5);
    store.compactFailure = undefined;
    await manager.compact();
    expect(store.records).toEqual([]);
    expect((await manager.spawn({ instructions: 'two' }).wait()).output).toBe('two is done');
  });

  test('several ask for one compaction, also while appends are under way', async () => {
    const store = watchedStore();
    const manager = await open(store, { durability, spawnSubAgent: () => never });
    const spawned = Array.from({ length: 20 }, (_, at) => manager.spawn({ instructions: `task ${at}`, background: true }).taskId);
    await Promise.all([manager.compact(), manager.compact(), manager.flush(), manager.compact()]);
    await manager[Symbol.asyncDispose]();
    await expect(manager.compact()).rejects.toMatchObject({ code: 'disposed' });
    const image = store.images.at(-1) as StoreImage;
    expect(image.snapshot).toBeDefined();
    const again = await open(watchedStore(image), { durability, onHostLost: 'requeue' });
    expect(again.list().items.map(({ taskId }) => taskId)).toEqual(spawned);
  });
});

test('the numbers of events go on over a compaction, and a journal is read from its snapshot on', async () => {
  const store = watchedStore();
  const first = await open(store);
  const reported: SubAgentEvent[] = [];
  first.subscribe((event) => reported.push(event));
  const { taskId } = first.spawn({ instructions: 'one' });
  await first.wait([taskId]);
  await first.compact();
  const before = reported.at(-1)?.seq as number;
  await first.spawn({ instructions: 'two' }).wait();
  await first[Symbol.asyncDispose]();

  await using journal = await readJournal(store.images.at(-1) as StoreImage);
  expect(journal.snapshotSeq).toBe(before);
  expect(journal.view.get(taskId).output).toBe('one is done');
  const read: SubAgentEvent[] = [];
  for await (const { event } of journal) read.push(event);
  expect(read).toEqual(reported.filter(({ seq }) => seq > before));
});

test('without a store there is nothing to compact', async () => {
  using manager = new SubAgentManager({});
  await manager.compact();
});

test('a file is a fraction of what was written, and holds the same', async () => {
  const path = join(folder, 'agents.journal');
  const first = await open(fileStore(path), { retain: 5 });
  for (let round = 0; round < 50; round += 1) await first.spawn({ instructions: 'x'.repeat(500) }).wait();
  await first.flush();
  const { size } = statSync(path);
  await first.compact();
  expect(statSync(path).size).toBeLessThan(size / 4);
  const items = first.list().items.map(({ taskId }) => taskId);
  await first[Symbol.asyncDispose]();
  expect((await open(fileStore(path))).list().items.map(({ taskId }) => taskId)).toEqual(items);
  expect(readFileSync(path).length).toBeLessThan(size / 4);
});

describe('a snapshot that is not what was written', () => {
  const image = async (): Promise<StoreImage> => {
    const store = watchedStore();
    const manager = await open(store);
    await manager.spawn({ instructions: 'one' }).wait();
    await manager.compact();
    await manager[Symbol.asyncDispose]();
    return store.images.at(-1) as StoreImage;
  };

  test('J1 is refused at every flipped byte and every cut', async () => {
    const { snapshot = new Uint8Array(0), ...rest } = await image();
    for (let at = 0; at < snapshot.length; at += 1) {
      const flipped = snapshot.slice();
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      await expect(open(watchedStore({ ...rest, snapshot: flipped })), `byte ${at}`).rejects.toMatchObject({
        code: 'store_damaged',
        details: { record: rest.through },
      });
    }
    for (const length of [0, 1, RECORD_HEADER_BYTES, snapshot.length - 1]) {
      await expect(open(watchedStore({ ...rest, snapshot: snapshot.slice(0, length) }))).rejects.toMatchObject({ code: 'store_damaged' });
    }
    await expect(open(watchedStore({ ...rest, through: rest.through + 1, snapshot }))).rejects.toMatchObject({ code: 'store_damaged' });
  });

  test('J1 of form 1 is read, and the key of a run in it goes on as that run began', async () => {
    // Written once by `tests/support/snapshot-fixture.mjs`, and never again: what it holds has to be read for ever.
    const path = join(folder, 'form-1.journal');
    writeFileSync(path, readFileSync(join(import.meta.dirname, '../../fixtures/snapshot-v1.journal')));
    const looking = fileStore(path, { readOnly: true });
    expect((await looking.open()).snapshot?.[RECORD_HEADER_BYTES]).toBe(1);
    await looking.close();
    const keys: string[] = [];
    const manager = await open(fileStore(path), {
      onHostLost: 'resume',
      spawnSubAgent: async (_, run) => {
        keys.push(run.idempotencyKey('pay'));
        return { output: JSON.stringify(run.checkpointed) };
      },
    });
    const [ended, inFlight, queued] = manager.list().items;
    const { taskId } = inFlight as { taskId: string };
    await manager.wait([taskId]);
    expect([ended?.output, queued?.output, manager.get(taskId).output]).toEqual(['it was short', '', '{"page":2}']);
    expect(keys[0]).toBe(`${taskId}-1:pay`);
  });

  test('J1 of a newer form is refused as such, and one whose bytes mean nothing as damaged', async () => {
    const { snapshot = new Uint8Array(0), ...rest } = await image();
    const newer = snapshot.slice();
    newer[RECORD_HEADER_BYTES] = FORM + 1;
    await expect(open(watchedStore({ ...rest, snapshot: sealRecord(newer, rest.through) }))).rejects.toMatchObject({
      code: 'store_version',
      details: { version: FORM + 1, supported: FORM },
    });
    for (let cut = RECORD_HEADER_BYTES; cut < snapshot.length; cut += 7) {
      const torn = sealRecord(snapshot.slice(0, cut), rest.through);
      await expect(open(watchedStore({ ...rest, snapshot: torn })), `cut at ${cut}`).rejects.toMatchObject({ code: 'store_damaged' });
    }
  });
});
