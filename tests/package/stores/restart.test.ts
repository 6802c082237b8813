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

describe('J3 a run in flight, as `onHostLost` says', () => {
  /** What a host function was told of its run. */
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
    expect(second.budget().tokens.held).toBe(0);
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

  test('a run that was told to stop ends so, whatever was wished', async () => {
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
