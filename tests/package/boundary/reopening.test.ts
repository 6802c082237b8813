// A core that fails, and a new manager that goes on from what the store kept until then (J3): the module, with the
// fuse of `runtimes/trap-build.mjs` in it.

import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { RECORD_HEADER_BYTES, sealRecord } from '../../../ts/stores/record.js';
import { withFuse } from '../../runtimes/trap-build.mjs';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

let trapModule: WebAssembly.Module;
beforeAll(async () => {
  trapModule = await WebAssembly.compile(withFuse(readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url))));
});

class Trapping extends SubAgentManager {
  static module(): object {
    return trapModule;
  }
}

/** Opens a manager whose core fails when its fuse has burnt. */
async function openTrapping(store: WatchedStore, options: SubAgentManagerOptions) {
  // The only place where an instance can be had: managers keep theirs to themselves.
  const { Instance } = WebAssembly;
  let fuse: { value: number } | undefined;
  WebAssembly.Instance = class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      fuse = this.exports.trapIn as unknown as { value: number };
    }
  } as typeof Instance;
  try {
    const manager = await Trapping.open({ ...options, store, durability: 'batched' });
    if (fuse === undefined) throw new Error('the test build has no fuse');
    return { manager, fuse };
  } finally {
    WebAssembly.Instance = Instance;
  }
}

const never = new Promise<never>(() => undefined);
const made: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of made.splice(0)) manager.dispose();
});

/** A manager whose host functions are noted by what they were to do; those that `stay` never return. */
async function manager(store: WatchedStore, stay: RegExp, options: SubAgentManagerOptions = {}) {
  const started: string[] = [];
  const woken: string[] = [];
  const { manager, fuse } = await openTrapping(store, {
    maxConcurrent: 2,
    budget: { tokens: 50_000 },
    taskBudget: { tokens: 2_000 },
    onWake: (of) => woken.push('key' in of ? of.key : 'manager'),
    spawnSubAgent: async (_, run) => {
      started.push(`${run.prompt}#${run.run}`);
      if (stay.test(run.prompt)) {
        await run.beforeTurn();
        run.report({ tokens: 50, message: `${run.prompt} had begun` });
        await never;
      }
      return { output: `${run.prompt} is done`, usage: { tokens: 100 } };
    },
    ...options,
  });
  made.push(manager);
  return { manager, fuse, started, woken };
}

/** A store with what a manager left in its own. */
async function leftBy(manager: SubAgentManager, store: WatchedStore): Promise<WatchedStore> {
  await manager[Symbol.asyncDispose]();
  return watchedStore(store.records);
}

/** Lets microtasks and what follows of them happen. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a new manager opened from the facts goes on', () => {
  test('J3 where one failed that had ended, running and queued work, and notices that nobody had read', async () => {
    const journal = watchedStore();
    const first = await manager(journal, /^stays/);
    const { manager: before } = first;
    // By their ids: the handles of a manager end with it.
    const spawn = (instructions: string, background = false): string => before.spawn({ instructions, background }).taskId;
    const ended = spawn('ended');
    await before.wait([ended]);
    const reported = [spawn('told', true), spawn('told, too', true)];
    const ofSession = before.session('agent').spawn({ instructions: 'of a session', background: true }).taskId;
    await settled();
    const leased = before.inbox.lease({ max: 1 });
    const stays = [spawn('stays'), spawn('stays, told', true)] as const;
    await settled();
    const queued = [spawn('queued'), spawn('queued, told', true)] as const;
    before.send(stays[0], 'another message');
    const byHand = before.spawn({ drive: 'program', instructions: 'by hand' }).taskId;
    const notices = before.inbox.peek().map(({ deliveryId, taskId }) => ({ deliveryId, taskId }));
    const account = before.budget().tokens;
    const waiting = [before.wait([stays[0]]), before.wait([queued[0]]), before.wait(queued, { timeoutMs: 60_000 })];
    const rejected = Promise.all(waiting.map((promise) => promise.catch((error: { code: string }) => error.code)));

    // What `batched` has not kept yet may be lost with the core, as with the process.
    await before.flush();

    first.fuse.value = 1;
    expect(() => before.stats()).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(await rejected).toEqual(['internal', 'internal', 'internal']);
    expect(() => before.spawn({ instructions: 'late' })).toThrow(expect.objectContaining({ code: 'internal' }));

    const second = await manager(await leftBy(before, journal), /^nothing/);
    const { manager: after } = second;
    expect(second.started, 'no host function is called before the program has its manager').toEqual([]);
    // A session of before is found by its key.
    const session = after.session('agent');
    // What ended is there under its id; what was spent is as it was.
    expect(after.get(ended)).toMatchObject({ taskId: ended, status: 'completed', output: 'ended is done' });
    expect(after.readResult(ended).text).toBe('ended is done');
    expect(after.get(ended).budget.tokens.spent).toBe(100);
    expect(after.get(byHand)).toMatchObject({ status: 'pending', waitingFor: 'program' });
    // All that was held for what ran is booked.
    expect(after.budget().tokens.spent).toBe(account.spent + account.reserved);
    const [lost, lostInBackground] = stays.map((id) => after.get(id));
    expect(lostInBackground).toMatchObject({ status: 'failed', stopReason: 'host_lost', partial: true, output: 'stays, told had begun' });
    expect(lost?.status, 'a message waited for it').toMatch(/pending|running/);

    await settled();
    expect(second.started.sort()).toEqual(['another message#2', 'queued#1', 'queued, told#1']);
    expect(second.woken, 'of what waited, and of what has ended since').toEqual(['manager', 'agent', 'manager']);
    const { completed } = await after.wait([...queued, ...stays], { timeoutMs: 1_000 });
    expect(completed.map(({ taskId, status, output }) => [taskId, status, output])).toEqual([
      [queued[0], 'completed', 'queued is done'],
      [queued[1], 'completed', 'queued, told is done'],
      [stays[0], 'completed', 'another message is done'],
      [stays[1], 'failed', 'stays, told had begun'],
    ]);

    // Notices that were there are delivered, under the ids that they had; the lease of before has returned.
    const again = after.inbox.lease();
    expect(again.map(({ deliveryId, taskId }) => ({ deliveryId, taskId }))).toEqual(notices);
    expect(again.map(({ output, attempt }) => [output, attempt])).toEqual([
      ['told is done', 2],
      ['told, too is done', 1],
    ]);
    expect(leased[0]?.deliveryId).toBe(again[0]?.deliveryId);
    expect(reported).toEqual(again.map(({ taskId }) => taskId));
    expect(again.map(({ deliveryId }) => after.inbox.ack(deliveryId))).toEqual([true, true]);
    // So are those of a session.
    expect(session.inbox.lease().map(({ taskId, sessionKey }) => [taskId, sessionKey])).toEqual([[ofSession, 'agent']]);
    expect(session.list().items.map(({ taskId }) => taskId)).toEqual([ofSession]);

    const fresh = after.spawn({ instructions: 'fresh' });
    expect((await fresh.wait()).output).toBe('fresh is done');
    expect(after.list().items.map(({ taskId }) => taskId)).toContain(fresh.taskId);
  });

  test('J3 again and again: what a manager records that was opened follows on what it was opened from', async () => {
    let store = watchedStore();
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const { manager: current, fuse } = await manager(store, /^stays/);
      const seen: number[] = [];
      current.subscribe(({ seq }) => seen.push(seq));
      ids.push(current.spawn({ instructions: `round ${round}` }).taskId);
      ids.push(current.spawn({ instructions: `stays ${round}` }).taskId);
      await settled();
      expect(seen).toEqual(seen.map((_, at) => (seen[0] ?? 0) + at));
      fuse.value = 1;
      expect(() => current.stats()).toThrow(expect.objectContaining({ code: 'internal' }));
      store = await leftBy(current, store);
    }
    const { manager: last, started } = await manager(store, /^stays/);
    await settled();
    expect(started).toEqual([]);
    expect(last.list().items.map(({ taskId, status, stopReason }) => [taskId, status, stopReason])).toEqual(
      ids.map((id, at) => (at % 2 === 0 ? [id, 'completed', 'finished'] : [id, 'failed', 'host_lost'])),
    );
    expect(last.stats().total).toBe(ids.length);
  });

  test('J3 wherever it failed: what was recorded until then opens, and all of it comes to its end', async () => {
    const day = async (of: SubAgentManager): Promise<void> => {
      const outcome = async (body: () => unknown): Promise<void> => {
        await (async () => body())().catch((error: { code?: string }) => expect(error.code).toBe('internal'));
      };
      await outcome(() => of.subscribe(() => undefined));
      await outcome(() => of.spawn({ instructions: 'one' }));
      await outcome(() => of.spawn({ instructions: 'two', background: true }));
      await outcome(() => of.session('agent').spawn({ instructions: 'three', background: true, label: 'x' }));
      await outcome(() => of.spawn({ instructions: 'four', nickname: 'ann' }).send('once more'));
      await outcome(() => of.cancel('ann', { graceMs: 0 }));
      await outcome(() => of.inbox.lease().map(({ deliveryId }) => of.inbox.ack(deliveryId)));
      await outcome(() =>
        of.wait(
          of.list().items.map(({ taskId }) => taskId),
          { timeoutMs: 1_000 },
        ),
      );
    };
    const far = 1_000_000_000;
    const counted = await manager(watchedStore(), /^nothing/);
    counted.fuse.value = far;
    await day(counted.manager);
    const calls = far - counted.fuse.value;
    expect(calls).toBeGreaterThan(1_000);
    let opened = 0;
    for (let at = 1; at < calls; at += Math.ceil(calls / 150)) {
      const journal = watchedStore();
      // It may fail before there is a manager at all.
      const first = await manager(journal, /^nothing/);
      first.fuse.value = at;
      await day(first.manager);
      if (first.fuse.value > 0) continue;
      const { manager: after } = await manager(await leftBy(first.manager, journal), /^nothing/);
      // Queued work of a session waits until the program has registered that session again.
      for (const key of after.restored?.missing.sessions ?? []) after.session(key);
      const open = (): string[] => after.list({ filter: { status: ['pending', 'running'] } }).items.map(({ taskId }) => taskId);
      if (open().length > 0) await after.wait(open(), { mode: 'all', timeoutMs: 1_000 });
      expect(open(), `a failure at call ${at} of ${calls}`).toEqual([]);
      expect(after.budget().tokens.reserved, `a failure at call ${at} of ${calls}`).toBe(0);
      expect((await after.spawn({ instructions: 'fresh' }).wait()).status).toBe('completed');
      for (const over of made.splice(0)) over.dispose();
      opened += 1;
    }
    expect(opened).toBeGreaterThan(100);
  });

  test('J1 facts that no manager wrote are refused with their place', async () => {
    const journal = watchedStore();
    const { manager: before } = await manager(journal, /^nothing/);
    await before.spawn({ instructions: 'x' }).wait();
    const [record] = (await leftBy(before, journal)).records as [Uint8Array];
    const facts = record.subarray(RECORD_HEADER_BYTES);
    const opening = (...payloads: Uint8Array[]) => {
      const sealed = payloads.map((payload, at) =>
        sealRecord(Uint8Array.from([...new Uint8Array(RECORD_HEADER_BYTES), ...payload]), at + 1),
      );
      return manager(watchedStore(sealed), /^nothing/);
    };
    const refusal = (words: string, record: number) => ({
      code: 'store_damaged',
      message: expect.stringContaining(words),
      details: { record },
    });
    await expect(opening(facts.slice(0, -1))).rejects.toMatchObject(refusal('malformed facts at byte ', 1));
    await expect(opening(facts, Uint8Array.of(0, 255))).rejects.toMatchObject(refusal('malformed facts at byte 1', 2));
    await expect(opening(facts, facts)).rejects.toMatchObject(refusal("can't follow those before it", 2));
    await opening(facts);
  });
});
