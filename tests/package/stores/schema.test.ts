// A schema is of the process that was given it: what checks the results of restored work (R7).

import { afterEach, expect, test } from 'vitest';
import { type OpenOptions, type RunResult, type SpawnOptions, SubAgentManager } from '../../../dist/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;
const asked: SpawnOptions = { instructions: 'how many?', idempotencyKey: 'once' };
const agents = { counter: { description: 'counts', schema } };

async function open(store: WatchedStore, spawnSubAgent: OpenOptions['spawnSubAgent']): Promise<SubAgentManager> {
  const options = { maxConcurrent: 1, onHostLost: 'requeue', retry: { max: 1, backoffMs: 1 } } as const;
  const manager = await SubAgentManager.open({ ...options, agents, store, spawnSubAgent });
  opened.push(manager);
  return manager;
}

/** A process that spawns and is lost, and the next one, whose host answers wrong before it answers right. */
async function restarted(options: SpawnOptions, state: 'queued' | 'in flight'): Promise<{ next: SubAgentManager; seen: unknown[] }> {
  const store = watchedStore();
  const first = await open(store, () => never);
  if (state === 'queued') first.spawn({ instructions: 'in front' });
  first.spawn(options);
  await first.flush();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const seen: unknown[] = [];
  const next = await open(watchedStore(store.records), async (_, run) => {
    if (run.prompt === 'in front') return { output: '' };
    seen.push(run.schema);
    return { output: '', value: { n: seen.length === 1 ? 'many' : 5 } };
  });
  return { next, seen };
}

const end = async (manager: SubAgentManager, label: string): Promise<object | undefined> =>
  (await manager.wait(undefined, { mode: 'all' })).completed.find((task) => task.label === label);

test.each(['queued', 'in flight'] as const)('R7 that of the definition does: %s', async (state) => {
  const { next, seen } = await restarted({ ...asked, agent: 'counter' }, state);
  expect(await end(next, 'how many?')).toMatchObject({ status: 'completed', value: { n: 5 } });
  expect(seen).toEqual([schema, schema]);
});

test.each(['queued', 'in flight'] as const)('R7 D7 that of a spawn does which is made again with its key: %s', async (state) => {
  const { next, seen } = await restarted({ ...asked, schema }, state);
  const result: RunResult = await next.spawn({ ...asked, schema }).wait();
  expect(result).toMatchObject({ status: 'completed', value: { n: 5 } });
  expect(seen).toEqual([schema, schema]);
});

test('R7 one that nobody gives again is lost, and nothing is checked', async () => {
  const { next, seen } = await restarted({ ...asked, schema }, 'in flight');
  expect(await end(next, 'how many?')).toMatchObject({ status: 'completed', value: null });
  expect(seen).toEqual([undefined]);
});

test('D7 a spawn that is made again for work that has ended, or was forgotten, gives that', async () => {
  const { next } = await restarted({ ...asked, schema }, 'in flight');
  const handle = next.spawn({ ...asked, schema });
  await handle.wait();
  expect(await next.spawn({ ...asked, schema }).wait()).toMatchObject({ status: 'completed', value: { n: 5 } });
  next.forget(handle);
  expect(() => next.spawn({ ...asked, schema })).toThrow(expect.objectContaining({ code: 'idempotency_forgotten' }));
});
