// `SubAgentManager.open`: the same manager with a memory (J1). What a store kept is there again; in `sync` nothing
// follows from a decision before it is kept; a store that fails ends its manager.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type Store, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

async function open(store: Store, options: Partial<OpenOptions> = {}): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({
    spawnSubAgent: async ({ instructions }) => ({ output: `${instructions} is done`, usage: { tokens: 10 } }),
    ...options,
    store,
  });
  opened.push(manager);
  return manager;
}

/** Ends as a process does that is killed: nothing is written any more. */
function kill(manager: SubAgentManager): void {
  opened.splice(opened.indexOf(manager), 1);
  manager.dispose();
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const never = new Promise<never>(() => undefined);

describe.each(['sync', 'batched'] as const)('a store in memory, %s', (durability) => {
  test('J1 what happened is there again, under its ids', async () => {
    const store = memoryStore();
    const first = await open(store, { durability });
    const { taskId } = first.spawn({ instructions: 'one', label: 'first', nickname: 'ann', metadata: { of: 'me' } });
    expect((await first.wait([taskId])).completed.map(({ output }) => output)).toEqual(['one is done']);
    const background = first.spawn({ instructions: 'two', background: true }).taskId;
    await settled();
    const spent = first.budget().tokens.spent;
    await first[Symbol.asyncDispose]();

    const second = await open(store, { durability });
    expect(second.get(taskId)).toMatchObject({ status: 'completed', output: 'one is done', label: 'first', metadata: { of: 'me' } });
    expect(second.get('ann').taskId).toBe(taskId);
    expect(second.readResult(taskId).text).toBe('one is done');
    expect(second.budget().tokens.spent).toBe(spent);
    const notices = second.inbox.lease();
    expect(notices.map(({ taskId, output }) => [taskId, output])).toEqual([[background, 'two is done']]);
    expect(second.inbox.ack(notices[0]?.deliveryId ?? '')).toBe(true);
    await second[Symbol.asyncDispose]();

    const third = await open(store, { durability });
    expect(third.inbox.peek()).toEqual([]);
    expect(third.list().items.map(({ taskId }) => taskId)).toEqual([taskId, background]);
    expect((await third.spawn({ instructions: 'three' }).wait()).output).toBe('three is done');
  });

  test('J3 queued work goes to its host function again, in a later task than the one that got the manager', async () => {
    const store = memoryStore();
    const stuck = await open(store, { durability, maxConcurrent: 1, spawnSubAgent: () => never });
    const ids = ['stays', 'queued', 'queued, too'].map((instructions) => stuck.spawn({ instructions, background: true }).taskId);
    await stuck.flush();
    await stuck[Symbol.asyncDispose]();

    const started: string[] = [];
    const second = await open(store, {
      durability,
      spawnSubAgent: async ({ instructions }, run) => {
        started.push(`${instructions}: ${run.prompt}#${run.run}`);
        return { output: 'done' };
      },
    });
    await null;
    expect(started).toEqual([]);
    const { completed } = await second.wait(ids, { timeoutMs: 5_000 });
    expect(started).toEqual(['queued: queued#1', 'queued, too: queued, too#1']);
    expect(completed.map(({ status, stopReason }) => [status, stopReason])).toEqual([
      ['failed', 'host_lost'],
      ['completed', 'finished'],
      ['completed', 'finished'],
    ]);
  });

  test('J1 a flush that is asked for at once keeps what was decided until then, a crash in the next moment notwithstanding', async () => {
    const store = watchedStore();
    const first = await open(store, { durability, flushMs: 60_000, spawnSubAgent: () => never });
    const { taskId } = first.spawn({ instructions: 'at once' });
    await first.flush();
    const second = await open(watchedStore(store.records), { durability });
    expect(second.list().items.map((task) => task.taskId)).toEqual([taskId]);
  });

  test('a second manager is refused while the first has the store', async () => {
    const store = memoryStore();
    const first = await open(store, { durability });
    await expect(open(store, { durability })).rejects.toMatchObject({ code: 'store_locked' });
    await first[Symbol.asyncDispose]();
    await open(store, { durability });
  });

  test('events say what happened, each under its own number, also where it was opened again', async () => {
    const store = memoryStore();
    const types: string[][] = [];
    let last = 0;
    for (let round = 0; round < 3; round += 1) {
      const manager = await open(store, { durability });
      const seen: string[] = [];
      manager.subscribe(({ seq, type }) => {
        expect(seq).toBeGreaterThan(last);
        if (seen.length > 0) expect(seq).toBe(last + 1);
        last = seq;
        seen.push(type);
      });
      await manager.spawn({ instructions: `round ${round}` }).wait();
      await manager[Symbol.asyncDispose]();
      types.push(seen);
    }
    for (const seen of types) expect(seen).toEqual(expect.arrayContaining(['task_admitted', 'run_started', 'run_ended']));
  });

  test('J1 a store that fails ends its manager: what runs is asked to stop, and who waits gets the reason', async () => {
    const store = watchedStore();
    const errors: unknown[] = [];
    let signal: AbortSignal | undefined;
    const manager = await open(store, {
      durability,
      onError: (error) => errors.push(error),
      spawnSubAgent: (_, run) => {
        signal = run.signal;
        return never;
      },
    });
    const handle = manager.spawn({ instructions: 'x' });
    const waiting = handle.wait();
    await settled();
    await manager.flush();
    expect(signal?.aborted).toBe(false);
    const full = new Error('the disk is full');
    store.failure = full;
    manager.spawn({ instructions: 'y' });
    await expect(waiting).rejects.toMatchObject({ code: 'store_failed', cause: full });
    expect(signal?.aborted).toBe(true);
    expect(errors).toEqual([expect.objectContaining({ code: 'store_failed', cause: full })]);
    expect(() => manager.spawn({ instructions: 'late' })).toThrow(expect.objectContaining({ code: 'store_failed' }));
    await expect(manager.flush()).rejects.toMatchObject({ code: 'store_failed' });
    await expect(manager[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'store_failed' });
    expect(store.closed).toBe(1);
  });
});

describe('J1 sync: nothing follows from a decision before the store has kept it', () => {
  test('host functions are called, promises resolve and events are delivered after the append', async () => {
    const store = watchedStore();
    const log: string[] = [];
    let finish = (_: { output: string }): void => undefined;
    const manager = await open(store, {
      spawnSubAgent: (params, run) => {
        log.push(`called ${params.instructions}`);
        void run.beforeTurn().then(({ go }) => log.push(`turn ${go}`));
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    await settled();
    manager.subscribe(({ type }) => {
      if (/run_|turn_/.test(type)) log.push(type);
    });
    store.stopped = true;
    const handle = manager.spawn({ instructions: 'x' });
    void handle.wait().then(({ status }) => log.push(`waited ${status}`));
    expect(handle.status).toBe('running');
    await settled();
    expect(log).toEqual([]);

    store.release();
    await settled();
    // Its turn is decided, and not kept yet.
    expect(log).toEqual(['called x', 'run_started']);
    store.release();
    await settled();
    expect(log.slice(2)).toEqual(['turn_started', 'turn true']);

    finish({ output: 'x' });
    await settled();
    expect(log.slice(4)).toEqual([]);
    store.release();
    await settled();
    expect(log.slice(4)).toEqual(['run_ended', 'waited completed']);
  });

  test('what is decided in one turn is one record, and what is decided while that is on its way is the next one', async () => {
    const store = watchedStore();
    const manager = await open(store, { spawnSubAgent: () => never });
    await settled();
    const before = store.records.length;
    store.stopped = true;
    for (let at = 0; at < 100; at += 1) manager.spawn({ instructions: `${at}` });
    await settled();
    for (let at = 100; at < 200; at += 1) {
      manager.spawn({ instructions: `${at}` });
      await undefined;
    }
    store.stopped = false;
    store.release();
    await manager.flush();
    expect(store.records.length - before).toBe(2);
    expect((await open(watchedStore(store.records))).list().total).toBe(200);
  });

  test('flush resolves once all that was decided before is kept', async () => {
    const store = watchedStore();
    const manager = await open(store);
    await settled();
    store.stopped = true;
    manager.spawn({ instructions: 'x' });
    let flushed = false;
    void manager.flush().then(() => {
      flushed = true;
    });
    await settled();
    expect(flushed).toBe(false);
    store.stopped = false;
    store.release();
    await settled();
    expect(flushed).toBe(true);
  });
});

test('J1 batched: all happens at once, and goes to the store together, after `flushMs` or at a flush', async () => {
  const store = watchedStore();
  const manager = await open(store, { durability: 'batched', flushMs: 60_000 });
  await settled();
  // What ids are made with is kept from the start (A7).
  expect(store.records.length).toBe(1);
  for (let at = 0; at < 5; at += 1) expect((await manager.spawn({ instructions: `${at}` }).wait()).status).toBe('completed');
  expect(store.records.length).toBe(1);
  await manager.flush();
  expect(store.records.length).toBe(2);
  manager.spawn({ instructions: 'last' });
  await manager[Symbol.asyncDispose]();
  expect(store.records.length).toBe(3);
  const again = await open(watchedStore(store.records));
  expect(again.list().total).toBe(6);
});

describe('J1 what a store says that no manager wrote is refused, and the store is let go', () => {
  async function kept(): Promise<Uint8Array[]> {
    const store = watchedStore();
    const manager = await open(store);
    await manager.spawn({ instructions: 'x' }).wait();
    await manager.spawn({ instructions: 'y' }).wait();
    kill(manager);
    return store.records;
  }

  test('a record that is missing, doubled, damaged, or not of a manager', async () => {
    const records = await kept();
    expect(records.length).toBeGreaterThan(3);
    const flipped = records.map((record) => record.slice());
    const second = flipped[1] as Uint8Array;
    second[second.length - 1] = (second[second.length - 1] as number) ^ 1;
    for (const [given, record] of [
      [records.toSpliced(1, 1), 2],
      [records.toSpliced(1, 0, records[0] as Uint8Array), 2],
      [flipped, 2],
    ] as const) {
      const store = watchedStore(given);
      await expect(open(store)).rejects.toMatchObject({ code: 'store_damaged', details: { record } });
      expect(store.closed).toBe(1);
    }
    await open(watchedStore(records));
  });

  test('options that a manager refuses let the store go, too', async () => {
    const store = memoryStore();
    await expect(open(store, { maxConcurrent: 0 })).rejects.toMatchObject({ code: 'invalid_argument' });
    await open(store);
  });

  test.each([
    ['no store', { store: undefined }],
    ['a store that is none', { store: {} }],
    ['another durability', { store: memoryStore(), durability: 'eventual' }],
    ['a time below 0', { store: memoryStore(), flushMs: -1 }],
  ])('%s is an invalid argument', async (_, options) => {
    await expect(SubAgentManager.open(options as never)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

test('options of a class count as they do where a manager is made, and nothing else does', async () => {
  class Options {
    readonly store = memoryStore();
    get maxConcurrent(): number {
      return 1;
    }
  }
  const manager = await SubAgentManager.open(new Options());
  opened.push(manager);
  expect(manager.limits.maxConcurrent).toBe(1);
  Object.assign(Object.prototype, { durability: 'none' });
  try {
    opened.push(await SubAgentManager.open({ store: memoryStore() }));
  } finally {
    delete (Object.prototype as { durability?: unknown }).durability;
  }
  await expect(SubAgentManager.open([] as never)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a manager without a store has nothing to flush', async () => {
  const manager = new SubAgentManager();
  await manager.flush();
  await manager[Symbol.asyncDispose]();
  await expect(manager.flush()).rejects.toMatchObject({ code: 'disposed' });
});

test('J1 a store whose records can not be read is reported as one that failed, with its error, and is released', async () => {
  let closed = 0;
  const torn = (): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('the disk is gone')) }),
  });
  const store: Store = {
    open: async () => ({ through: 0, records: torn() }),
    append: async () => undefined,
    compact: async () => undefined,
    close: async () => {
      closed += 1;
    },
  };
  const refused = { name: 'SubAgentError', code: 'store_failed', message: 'the store could not be read: the disk is gone' };
  await expect(open(store)).rejects.toMatchObject(refused);
  expect(closed).toBe(1);
  const journal = await readJournal(store);
  const read = async (): Promise<void> => {
    for await (const _ of journal) expect.unreachable();
  };
  await expect(read()).rejects.toMatchObject(refused);
});

test('a store that was opened to be read is refused when a manager opens it, and let go', async () => {
  let closed = 0;

  const store: Store = {
    open: async () => ({ through: 0, records: [], later: () => [] }),
    append: async () => undefined,
    compact: async () => undefined,
    close: async () => {
      closed += 1;
    },
  };
  const refused = { code: 'invalid_argument', message: expect.stringContaining('readJournal'), details: { argument: 'store' } };
  await expect(open(store)).rejects.toMatchObject(refused);
  expect(closed).toBe(1);
});
