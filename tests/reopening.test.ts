// A core that fails, and a new manager that goes on from the facts recorded until then (J3). The published module
// can't open facts: this is the test build that can, with the fuse of `runtimes/trap-build.mjs` in it.

import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SubAgentManager, SubAgentManagerOptions } from '../dist/index.js';
import { trapping } from './runtimes/conformance/traps.js';
import { withFuse, withJournal } from './runtimes/trap-build.mjs';

let make: ReturnType<typeof trapping>;
beforeAll(async () => {
  const { wasm, path } = await withJournal();
  const { SubAgentManager: Base } = (await import(path)) as typeof import('../dist/index.js');
  make = trapping({ trapModule: await WebAssembly.compile(withFuse(readFileSync(wasm))) }, Base);
});

/** The facts of a manager, batch after batch. */
class Recorded {
  readonly batches: Uint8Array[] = [];
  readonly facts: Uint8Array;

  /** @param before the facts that it goes on from */
  constructor(before: Uint8Array = new Uint8Array()) {
    this.facts = before;
  }

  append(batch: Uint8Array): void {
    this.batches.push(batch);
  }

  /** All of them until now. */
  all(): Uint8Array {
    return Uint8Array.from([this.facts, ...this.batches].flatMap((bytes) => [...bytes]));
  }
}

const never = new Promise<never>(() => undefined);
const made: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of made.splice(0)) manager.dispose();
});

/** A manager whose host functions are noted by what they were to do; those that `stay` never return. */
function manager(journal: Recorded, stay: RegExp, options: SubAgentManagerOptions = {}) {
  const started: string[] = [];
  const woken: string[] = [];
  const { manager, fuse } = make(
    {
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
    },
    journal,
  );
  made.push(manager);
  return { manager, fuse, started, woken };
}

/** Lets microtasks and what follows of them happen. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a new manager opened from the facts goes on', () => {
  test('J3 where one failed that had ended, running and queued work, and notices that nobody had read', async () => {
    const journal = new Recorded();
    const first = manager(journal, /^stays/);
    const { manager: before } = first;
    // By their ids: the handles of a manager end with it.
    const spawn = (instructions: string, background = false): string => before.spawn({ instructions, background }).taskId;
    const ended = spawn('ended');
    await before.wait([ended]);
    const told = [spawn('told', true), spawn('told, too', true)];
    const ofSession = before.session('agent').spawn({ instructions: 'of a session', background: true }).taskId;
    await settled();
    const leased = before.inbox.lease({ max: 1 });
    const stays = [spawn('stays'), spawn('stays, told', true)] as const;
    await settled();
    const queued = [spawn('queued'), spawn('queued, told', true)] as const;
    before.send(stays[0], 'another message');
    const byHand = before.createTask({ goal: 'by hand', tokenBudget: 300 }).taskId;
    const notices = before.inbox.peek().map(({ deliveryId, taskId }) => ({ deliveryId, taskId }));
    const account = before.budget().tokens;
    const waiting = [before.wait([stays[0]]), before.wait([queued[0]]), before.wait(queued, { timeoutMs: 60_000 })];
    const rejected = Promise.all(waiting.map((promise) => promise.catch((error: { code: string }) => error.code)));

    first.fuse.value = 1;
    expect(() => before.stats()).toThrow(expect.objectContaining({ code: 'internal' }));
    expect(await rejected).toEqual(['internal', 'internal', 'internal']);
    expect(() => before.spawn({ instructions: 'late' })).toThrow(expect.objectContaining({ code: 'internal' }));

    const second = manager(new Recorded(journal.all()), /^nothing/);
    const { manager: after } = second;
    expect(second.started, 'no host function is called before the program has its manager').toEqual([]);
    // A session of before is found by its key.
    const session = after.session('agent');
    // What ended is there under its id; what was spent is as it was.
    expect(after.get(ended)).toMatchObject({ taskId: ended, status: 'completed', output: 'ended is done' });
    expect(after.readResult(ended).text).toBe('ended is done');
    expect(after.get(ended).budget.tokens.spent).toBe(100);
    expect(after.get(byHand)).toMatchObject({ status: 'pending', manual: true });
    // All that was held for what ran is booked; what the task by hand set aside is held still.
    expect(after.budget().tokens.spent).toBe(account.spent + account.held - 300);
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
    expect(told).toEqual(again.map(({ taskId }) => taskId));
    expect(again.map(({ deliveryId }) => after.inbox.ack(deliveryId))).toEqual([true, true]);
    // So are those of a session.
    expect(session.inbox.lease().map(({ taskId, sessionKey }) => [taskId, sessionKey])).toEqual([[ofSession, 'agent']]);
    expect(session.list().items.map(({ taskId }) => taskId)).toEqual([ofSession]);

    const fresh = after.spawn({ instructions: 'fresh' });
    expect((await fresh.wait()).output).toBe('fresh is done');
    expect(after.list().items.map(({ taskId }) => taskId)).toContain(fresh.taskId);
  });

  test('J3 again and again: what a manager records that was opened follows on what it was opened from', async () => {
    let facts: Uint8Array = new Uint8Array();
    const ids: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const journal = new Recorded(facts);
      const { manager: current, fuse } = manager(journal, /^stays/);
      const seen: number[] = [];
      current.subscribe(({ seq }) => seen.push(seq));
      ids.push(current.spawn({ instructions: `round ${round}` }).taskId);
      ids.push(current.spawn({ instructions: `stays ${round}` }).taskId);
      await settled();
      expect(seen).toEqual(seen.map((_, at) => (seen[0] ?? 0) + at));
      fuse.value = 1;
      expect(() => current.stats()).toThrow(expect.objectContaining({ code: 'internal' }));
      facts = journal.all();
    }
    const { manager: last, started } = manager(new Recorded(facts), /^stays/);
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
    const counted = manager(new Recorded(), /^nothing/);
    counted.fuse.value = far;
    await day(counted.manager);
    const calls = far - counted.fuse.value;
    expect(calls).toBeGreaterThan(1_000);
    let opened = 0;
    for (let at = 1; at < calls; at += Math.ceil(calls / 150)) {
      const journal = new Recorded();
      // It may fail before there is a manager at all.
      const first = manager(journal, /^nothing/);
      first.fuse.value = at;
      await day(first.manager);
      if (first.fuse.value > 0) continue;
      const { manager: after } = manager(new Recorded(journal.all()), /^nothing/);
      const open = (): string[] => after.list({ filter: { status: ['pending', 'running'] } }).items.map(({ taskId }) => taskId);
      if (open().length > 0) await after.wait(open(), { mode: 'all', timeoutMs: 1_000 });
      expect(open(), `a failure at call ${at} of ${calls}`).toEqual([]);
      expect(after.budget().tokens.held, `a failure at call ${at} of ${calls}`).toBe(0);
      expect((await after.spawn({ instructions: 'fresh' }).wait()).status).toBe('completed');
      for (const over of made.splice(0)) over.dispose();
      opened += 1;
    }
    expect(opened).toBeGreaterThan(100);
  });

  test('J1 facts that no manager wrote are refused with their place', async () => {
    const journal = new Recorded();
    const { manager: before } = manager(journal, /^nothing/);
    await before.spawn({ instructions: 'x' }).wait();
    const all = journal.all();
    const opening = (facts: Uint8Array) => () => manager(new Recorded(facts), /^nothing/);
    const refusal = (words: string) => expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining(words) });
    expect(opening(all.slice(0, -1))).toThrow(refusal('malformed facts at byte '));
    expect(opening(Uint8Array.of(0, 255))).toThrow(refusal('malformed facts at byte 1'));
    expect(opening(Uint8Array.from([...all, ...all]))).toThrow(refusal("can't follow those before it"));
    expect(opening(all)).not.toThrow();
  });
});
