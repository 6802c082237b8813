// What a run saves for the later runs of its sub-agent (J6): how long it stays, and what is refused.

import { afterEach, expect, test } from 'vitest';
import { type HostResult, type Json, type OpenOptions, type Run, SubAgentManager } from '../../../dist/index.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** A manager whose runs count themselves in what they save, and list what they found. */
async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'> = {}): Promise<[SubAgentManager, Json[]]> {
  const seen: Json[] = [];
  const spawnSubAgent = async (_: unknown, run: Run): Promise<HostResult> => {
    seen.push(run.saved ?? null);
    await run.save({ runs: run.run });
    if (run.prompt === 'fail' && run.previousError === undefined) return { output: '', status: 'failed', error: 'once more' };
    if (run.prompt === 'hang') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return { output: 'done' };
  };
  const manager = await SubAgentManager.open({ spawnSubAgent, ...options, store });
  opened.push(manager);
  return [manager, seen];
}

test('J6 A2 what a run saved is there in later runs, attempts and processes, and goes with a close', async () => {
  const store = watchedStore();
  const [first, seen] = await open(store, { retry: { max: 1, backoffMs: 1, on: ['host_failed'] } });
  const view = new View();
  view.begin(baseOf(first));
  first.subscribe((event) => view.add(event));
  const { taskId } = first.spawn({ instructions: 'one' });
  await first.wait([taskId]);
  for (const text of ['two', 'fail']) {
    first.send(taskId, text);
    await first.wait([taskId]);
  }
  expect(seen).toEqual([null, { runs: 1 }, { runs: 2 }, { runs: 3 }]);
  expect(view.now.node({ taskId })?.saved).toBe('{"runs":4}');
  first.send(taskId, 'hang');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await first.flush();

  const [second, later] = await open(watchedStore(store.records), { onHostLost: 'requeue', graceMs: 10 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(later).toEqual([{ runs: 5 }]);
  await second.close(taskId);
  await second.resume(taskId);
  second.send(taskId, 'six');
  await second.wait([taskId]);
  expect(later).toEqual([{ runs: 5 }, null]);
});

test('J6 what JSON has not, or has too much of, is refused and changes nothing; so is what comes after the end', async () => {
  const codes: unknown[] = [];
  let ended: Run | undefined;
  const manager = new SubAgentManager({
    spawnSubAgent: async (_, run) => {
      ended = run;
      await run.save([1, 'two', { three: null }]);
      for (const data of [undefined, Number.NaN, () => 1, new Date(), 'x'.repeat(16_384)])
        await run.save(data as Json).catch(({ code }) => codes.push(code));
      codes.push(run.saved);
      await run.save('x'.repeat(16_382));
      return { output: 'x' };
    },
  });
  opened.push(manager);
  await manager.spawn({ instructions: 'x' }).wait();
  expect(codes).toEqual([...Array(5).fill('invalid_argument'), [1, 'two', { three: null }]]);
  await expect(ended?.save('late')).rejects.toMatchObject({ code: 'actor_ended' });
});
