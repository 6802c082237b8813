// What goes on after a restart (J3): runs that were in flight, as `onHostLost` says; their checkpoints; what was armed;
// sessions, definitions and profiles that the program has to bring again.

import { afterEach, describe, expect, test } from 'vitest';
import { type Json, type OpenOptions, type Run, SubAgentManager } from '../../../dist/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'> = {}): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ spawnSubAgent: async () => ({ output: 'done' }), ...options, store });
  opened.push(manager);
  return manager;
}

/** A store with what was kept until now: the process is killed. */
async function killed(manager: SubAgentManager, store: WatchedStore): Promise<WatchedStore> {
  await manager.flush();
  return watchedStore(store.records);
}

test.each(['dispose', Symbol.asyncDispose] as const)(
  'a host function that returns once its manager is gone harms nothing in a later process either: %s',
  async (end) => {
    const store = watchedStore();
    const first = await open(store);
    await first.spawn({ instructions: 'one' }).wait();
    await first[Symbol.asyncDispose]();
    let isOver = false;
    const second = await open(store, {
      spawnSubAgent: async (_, run) => {
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        isOver = true;
        return { output: 'stopped' };
      },
    });
    const thrown: unknown[] = [];
    const note = (error: unknown): void => void thrown.push(error);
    process.on('unhandledRejection', note);
    second.spawn({ instructions: 'two' });
    await settled();
    await second[end]();
    await settled();
    process.off('unhandledRejection', note);
    expect([isOver, thrown]).toEqual([true, []]);
  },
);

describe('the key of what a tool does to the world', () => {
  const options = {
    retry: { max: 3, backoffMs: 1, on: ['host_threw', 'host_lost'] as ('host_threw' | 'host_lost')[] },
    maxConcurrent: 10,
  };

  /** Attempts at messages, and their keys; the first `hangs` of them never end, the next `throws` throw. */
  function host(keys: string[], { hangs = 0, throws = 0 } = {}): Omit<OpenOptions, 'store'> {
    let calls = 0;
    return {
      ...options,
      spawnSubAgent: async (_, run) => {
        calls += 1;
        keys.push(run.idempotencyKey('pay', 3));
        if (calls <= hangs) return never;
        if (calls <= hangs + throws) throw new Error('no luck');
        return { output: run.idempotencyKey() };
      },
    };
  }

  test.each(['fail', 'requeue', 'resume'] as const)(
    'J3 X5 it is the same in each attempt at a message, whoever makes it; `%s`, and with a snapshot between',
    async (onHostLost) => {
      const store = watchedStore();
      const keys: string[] = [];
      const first = await open(store, host(keys, { throws: 1, hangs: 0 }));
      const { taskId } = first.spawn({ instructions: 'one', background: true });
      expect((await first.wait([taskId])).completed[0]?.output).toBe(`${taskId}-1`);
      expect(keys).toEqual([`${taskId}-1:pay:3`, `${taskId}-1:pay:3`]);
      await first[Symbol.asyncDispose]();

      // A second message, whose attempts go through three processes.
      const again: string[] = [];
      const second = await open(store, { ...host(again, { hangs: 1 }), onHostLost });
      second.send(taskId, 'two');
      await settled();
      await second.flush();
      await second[Symbol.asyncDispose]();
      const third = await open(store, { ...host(again, { hangs: 1 }), onHostLost });
      while (again.length < 2) await settled();
      await third.compact();
      await third[Symbol.asyncDispose]();
      const fourth = await open(store, { ...host(again, { throws: 1 }), onHostLost });
      const { completed } = await fourth.wait([taskId]);
      // The salt of the opening that accepted the message (A7) makes it.
      const key = completed[0]?.output;
      expect(key).toMatch(/^sub_[0-9a-f]{32}-3$/);
      expect(key).not.toBe(`${taskId}-3`);
      expect(again).toEqual(Array(4).fill(`${key}:pay:3`));
    },
  );

  test.each(['requeue', 'resume'] as const)(
    'J3 `run.run` and the turn are those of an attempt, and make no key; `%s`',
    async (onHostLost) => {
      const store = watchedStore();
      const seen: { run: number; turn: number | undefined; key: string }[] = [];
      const spawnSubAgent: OpenOptions['spawnSubAgent'] = async (_, run) => {
        for (let turn = 0; turn < 2; turn += 1)
          seen.push({ run: run.run, turn: (await run.beforeTurn()).turn, key: run.idempotencyKey('pay') });
        return seen.length === 2 ? never : { output: 'done' };
      };
      const first = await open(store, { spawnSubAgent });
      const { taskId } = first.spawn({ instructions: 'one', background: true });
      while (seen.length < 2) await settled();
      const second = await open(await killed(first, store), { spawnSubAgent, onHostLost });
      await second.wait([taskId]);
      const key = `${taskId}-1:pay`;
      expect(seen).toEqual([1, 2].flatMap((run) => [1, 2].map((turn) => ({ run, turn, key }))));
    },
  );

  test('parts that differ make keys that differ', async () => {
    const keys: string[] = [];
    const manager = await open(watchedStore(), {
      spawnSubAgent: async (_, run) => {
        keys.push(run.idempotencyKey('a:b'), run.idempotencyKey('a', 'b'), run.idempotencyKey('ü/', 1), run.idempotencyKey());
        return { output: '' };
      },
    });
    const { taskId } = manager.spawn({ instructions: 'one' });
    await manager.wait([taskId]);
    expect(keys).toEqual([':a%3Ab', ':a:b', ':%C3%BC%2F:1', ''].map((rest) => `${taskId}-1${rest}`));
  });
});

describe('J3 a run in flight, as `onHostLost` says', () => {
  /** What a host function got of its run. */
  interface Seen {
    prompt: string;
    run: number;
    checkpointed: Json | undefined;
    previous: string | undefined;
  }
  const seen = (run: Run): Seen => ({
    prompt: run.prompt,
    run: run.run,
    checkpointed: run.checkpointed,
    previous: run.previousError?.reason,
  });

  /** A process that is killed in mid-work, and the next one. */
  async function lost(onHostLost: OpenOptions['onHostLost'], options: Omit<OpenOptions, 'store'> = {}) {
    const store = watchedStore();
    const first = await open(store, {
      ...options,
      budget: { tokens: 100_000 },
      spawnSubAgent: async (_, run) => {
        await run.beforeTurn();
        run.report({ tokens: 70, message: 'half way' });
        await run.checkpoint({ step: 1 });
        await run.checkpoint({ step: 2, files: ['a', 'ü'] });
        return never;
      },
    });
    const { taskId } = first.spawn({ instructions: 'long work', background: true, nickname: 'ann', label: 'x' });
    await settled();
    const runs: Seen[] = [];
    const params: object[] = [];
    const second = await open(await killed(first, store), {
      ...options,
      ...(onHostLost && { onHostLost }),
      budget: { tokens: 100_000 },
      spawnSubAgent: async (given, run) => {
        runs.push(seen(run));
        params.push(given);
        return { output: 'done', usage: { tokens: 10 } };
      },
    });
    return { second, taskId, runs, params };
  }

  test('`fail`, the default: it ends `host_lost` with what it had said, and what it held is booked', async () => {
    const { second, taskId, runs } = await lost(undefined);
    await settled();
    expect(runs).toEqual([]);
    expect(second.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost', partial: true, output: 'half way' });
    expect(second.inbox.peek().map((notice) => [notice.taskId, notice.status])).toEqual([[taskId, 'failed']]);
    expect(second.budget().tokens.reserved).toBe(0);
  });

  test('`requeue`: its message is queued again and begins anew; what was spent stays spent', async () => {
    const { second, taskId, runs, params } = await lost('requeue');
    const [result] = (await second.wait([taskId])).completed;
    expect(runs).toEqual([{ prompt: 'long work', run: 2, checkpointed: undefined, previous: 'host_lost' }]);
    expect(params).toEqual([expect.objectContaining({ instructions: 'long work', background: true, nickname: 'ann' })]);
    expect(result).toMatchObject({ status: 'completed', output: 'done' });
    expect(second.get(taskId).budget.tokens.spent).toBeGreaterThanOrEqual(80);
    expect(second.get(taskId)).toMatchObject({ nickname: 'ann', label: 'x', run: 2 });
    expect(second.inbox.peek()).toEqual([]);
  });

  test('`resume`: it goes on from its last checkpoint, which stays until that run ends, over any number of restarts', async () => {
    const stores = [watchedStore()];
    const runs: Seen[] = [];
    const process = async (spawnSubAgent: OpenOptions['spawnSubAgent']): Promise<SubAgentManager> => {
      const store = watchedStore(stores.at(-1)?.records);
      stores.push(store);
      return open(store, { onHostLost: 'resume', spawnSubAgent });
    };
    const first = await process(async (_, run) => {
      await run.checkpoint({ step: 2, files: ['a', 'ü'] });
      return never;
    });
    const { taskId } = first.spawn({ instructions: 'long work' });
    await settled();
    for (let round = 0; round < 3; round += 1) {
      await process((_, run) => {
        runs.push(seen(run));
        return never;
      });
      await settled();
    }
    const last = await process(async (_, run) => {
      runs.push(seen(run));
      return { output: 'done' };
    });
    await last.wait([taskId]);
    const from = { prompt: 'long work', checkpointed: { step: 2, files: ['a', 'ü'] }, previous: 'host_lost' };
    expect(runs).toEqual([2, 3, 4, 5].map((run) => ({ ...from, run })));
    // The next message has none.
    last.send(taskId, 'more');
    await settled();
    expect(runs[4]).toMatchObject({ prompt: 'more', checkpointed: undefined });
  });

  test('the first that came is the first again (D2), and before what the end of another one lets begin', async () => {
    const store = watchedStore();
    const first = await open(store, { spawnSubAgent: () => never });
    first.spawn({ instructions: 'one' });
    const two = first.spawn({ instructions: 'two' });
    first.spawn({ instructions: 'three' });
    first.send(two, 'and this', { mode: 'interrupt' });
    await settled();
    const called: string[] = [];
    await open(await killed(first, store), {
      onHostLost: 'requeue',
      maxConcurrent: 1,
      spawnSubAgent: async (_, run) => {
        called.push(run.prompt);
        return { output: 'done' };
      },
    });
    await settled();
    expect(called).toEqual(['one', 'three', 'and this']);
  });

  test('it takes none of the attempts that `retry` allows', async () => {
    const retry = { max: 1, backoffMs: 1 };
    const store = watchedStore();
    const first = await open(store, { retry, spawnSubAgent: () => never });
    const { taskId } = first.spawn({ instructions: 'x' });
    await settled();
    let runs = 0;
    const second = await open(await killed(first, store), {
      retry,
      onHostLost: 'requeue',
      spawnSubAgent: async () => {
        runs += 1;
        throw new Error('no');
      },
    });
    const [result] = (await second.wait([taskId])).completed;
    expect([runs, result?.stopReason]).toEqual([2, 'host_threw']);
  });

  test('a run that was asked to stop ends so, whatever was wished', async () => {
    const store = watchedStore();
    const first = await open(store, { spawnSubAgent: () => never });
    const { taskId } = first.spawn({ instructions: 'x' });
    await settled();
    void first.cancel(taskId, { graceMs: 60_000 }).catch(() => undefined);
    const second = await open(await killed(first, store), { onHostLost: 'resume' });
    await settled();
    expect(second.get(taskId)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  });
});

describe('J3 what the next process lacks', () => {
  test('the work of a session waits until it is registered again, and is named until then', async () => {
    const store = watchedStore();
    const first = await open(store, { maxConcurrent: 1, spawnSubAgent: () => never });
    const lost = first.session('ann').spawn({ instructions: 'of ann, in flight', background: true });
    const queued = first.session('ann').spawn({ instructions: 'of ann', background: true });
    const other = first.session('ben').spawn({ instructions: 'of ben', background: true });
    const own = first.spawn({ instructions: 'of the manager', background: true });
    const again = await killed(first, store);
    const prompts: string[] = [];
    const second = await open(again, {
      onHostLost: 'requeue',
      spawnSubAgent: async (_, run) => {
        prompts.push(run.prompt);
        return { output: 'done' };
      },
    });
    expect(second.restored?.missing).toEqual({ sessions: ['ann', 'ben'], agents: [], profiles: [] });
    await second.wait([own.taskId]);
    await settled();
    expect(prompts).toEqual(['of the manager']);
    expect(second.get(queued.taskId).waitingFor).toBe('session');
    expect(second.getConcurrencyInfo().waitingFor).toMatchObject({ session: 3, slot: 0 });
    expect(second.canSpawn()).toBe(true);

    const ann = second.session('ann');
    await ann.wait([lost.taskId, queued.taskId]);
    expect(prompts.slice(1).sort()).toEqual(['of ann', 'of ann, in flight']);
    expect(second.get(other.taskId)).toMatchObject({ status: 'pending', waitingFor: 'session' });
    await second.flush();

    // A third process is notified of what is left, and a session that is closed needs no registering.
    const third = await open(await killed(second, again));
    expect(third.restored?.missing.sessions).toEqual(['ben']);
    third.session('ben');
    await third.closeSession('ben');
    expect(third.getConcurrencyInfo().waitingFor.session).toBe(0);
  });

  test('the work of an agent definition, and of a profile, waits for a process that has it', async () => {
    const store = watchedStore();
    const definitions = {
      agents: { reader: { description: 'reads' }, writer: { description: 'writes' } },
      profiles: { terse: () => 'Be terse.' },
    };
    const first = await open(store, { ...definitions, maxConcurrent: 1, spawnSubAgent: () => never });
    first.spawn({ instructions: 'in flight', background: true });
    const reads = first.spawn({ instructions: 'reads', agent: 'reader', background: true });
    const writes = first.spawn({ instructions: 'writes', agent: 'writer', background: true });
    const terse = first.spawn({ instructions: 'terse', profile: 'terse', background: true });
    const plain = first.spawn({ instructions: 'plain', profile: 'minimal', background: true });
    const again = await killed(first, store);
    const second = await open(again, { agents: { writer: definitions.agents.writer } });
    expect(second.restored?.missing).toEqual({ sessions: [], agents: ['reader'], profiles: ['terse'] });
    const { completed } = await second.wait([writes.taskId, plain.taskId]);
    expect(completed.map(({ status }) => status)).toEqual(['completed', 'completed']);
    await settled();
    expect([reads.taskId, terse.taskId].map((id) => second.get(id).waitingFor)).toEqual(['definition', 'definition']);
    expect(second.getConcurrencyInfo().waitingFor.definition).toBe(2);

    const third = await open(await killed(second, again), definitions);
    expect(third.restored?.missing).toEqual({ sessions: [], agents: [], profiles: [] });
    expect((await third.wait([reads.taskId, terse.taskId])).completed.length).toBe(2);
  });

  test('a manager without a store has restored nothing, and a new store lacks nothing', async () => {
    using manager = new SubAgentManager({});
    expect(manager.restored).toBeUndefined();
    expect((await open(watchedStore())).restored).toEqual({ missing: { sessions: [], agents: [], profiles: [] }, sessions: [] });
  });
});

describe('J3 a run that ends its process every time', () => {
  /** Opens and kills processes until the run has ended, or so many times; how often it was begun. */
  async function begun(
    options: Omit<OpenOptions, 'store'>,
    spawnSubAgent: OpenOptions['spawnSubAgent'],
    most = 10,
  ): Promise<[number, SubAgentManager]> {
    let store = watchedStore();
    let runs = 0;
    let manager: SubAgentManager | undefined;
    for (let process = 0; process < most; process += 1) {
      manager = await open(store, {
        onHostLost: 'requeue',
        ...options,
        spawnSubAgent: (params, run) => {
          runs += 1;
          return spawnSubAgent?.(params, run) as never;
        },
      });
      if (process === 0) manager.spawn({ instructions: 'poison', background: true });
      await settled();
      store = await killed(manager, store);
    }
    return [runs, manager as SubAgentManager];
  }

  test('is queued again `maxLost` times in a row, then ends `host_lost`', async () => {
    const [runs, manager] = await begun({}, () => never);
    expect(runs).toBe(6);
    expect(manager.list().items).toEqual([expect.objectContaining({ status: 'failed', stopReason: 'host_lost', run: 6 })]);
    expect((await begun({ maxLost: 0 }, () => never))[0]).toBe(1);
    expect((await begun({ maxLost: Number.POSITIVE_INFINITY }, () => never))[0]).toBe(10);
  });

  test('what it waits for counts, and not the run that waits, which goes on over any number of restarts', async () => {
    const [runs, manager] = await begun({ onHostLost: 'resume', maxDepth: 2, maxLost: 2 }, async (params, run) => {
      if (params.instructions === 'ends its process') return new Promise(() => undefined);
      const { taskId } = run.spawn({ instructions: 'ends its process', background: true, idempotencyKey: 'child' });
      const { completed } = await run.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
      return { output: `its sub-agent ended ${completed[0]?.stopReason}`, status: 'completed' };
    });
    expect(runs).toBe(4 + 3);
    expect(manager.list().items).toEqual([
      expect.objectContaining({ status: 'completed', output: 'its sub-agent ended host_lost', run: 4 }),
      expect.objectContaining({ status: 'failed', stopReason: 'host_lost', run: 3 }),
    ]);
  });

  test('X5 where `retry` allows, each loss beyond `maxLost` takes one of its attempts, which begins anew', async () => {
    let store = watchedStore();
    const seen: unknown[] = [];
    const options: Omit<OpenOptions, 'store'> = {
      onHostLost: 'resume',
      maxLost: 1,
      retry: { max: 1, backoffMs: 1 },
      spawnSubAgent: async (_, run) => {
        seen.push([run.run, run.previousError?.reason, run.checkpointed]);
        if (run.run === 1) await run.checkpoint({ page: 1 });
        return never;
      },
    };
    let manager = await open(store, options);
    const { taskId } = manager.spawn({ instructions: 'x' });
    for (let number = 1; number <= 3; number += 1) {
      while (seen.length < number) await settled();
      store = await killed(manager, store);
      manager = await open(store, options);
    }
    await settled();
    expect(seen).toEqual([
      [1, undefined, undefined],
      [2, 'host_lost', { page: 1 }],
      [3, 'host_lost', undefined],
    ]);
    expect(manager.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost', run: 3 });
  });

  test('one that saved a checkpoint in between was not lost in vain', async () => {
    const [runs, manager] = await begun({ onHostLost: 'resume' }, async (_, run) => {
      await run.checkpoint(Number(run.checkpointed ?? 0) + 1);
      return never;
    });
    expect(runs).toBe(10);
    expect(manager.list().items[0]?.status).toBe('running');
  });
});

describe('checkpoints', () => {
  test('the last one is there at once; what JSON has not, or has too much of, is refused; so is one after the end', async () => {
    const codes: unknown[] = [];
    let ended: Run | undefined;
    const manager = new SubAgentManager({
      maxResultBytes: 50,
      spawnSubAgent: async (_, run) => {
        ended = run;
        codes.push(run.checkpointed);
        await run.checkpoint([1, 'two', { three: null }]);
        codes.push(run.checkpointed);
        for (const data of [undefined, Number.NaN, () => 1, new Date(), 'x'.repeat(60)])
          await run.checkpoint(data as Json).catch(({ code }) => codes.push(code));
        return { output: 'x' };
      },
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect(codes).toEqual([undefined, [1, 'two', { three: null }], ...Array(5).fill('invalid_argument')]);
    await expect(ended?.checkpoint('late')).rejects.toMatchObject({ code: 'actor_ended' });
    manager.dispose();
  });
});

test('B11 J3 what was used of a rate is used in the next process too', async () => {
  const rates = { '*': { requestsPerMinute: 1 } };
  const store = watchedStore();
  const first = await open(store, { rates });
  await first.spawn({ instructions: 'a' }).wait();
  const left = first.spawn({ instructions: 'b' });
  expect(left.snapshot().waitingFor).toBe('rate');
  const second = await open(await killed(first, store), { rates });
  expect(second.get(left.taskId)).toMatchObject({ status: 'pending', waitingFor: 'rate' });
  second.setLimits({ rates: {} });
  await settled();
  expect(second.get(left.taskId)).toMatchObject({ status: 'completed' });
});
