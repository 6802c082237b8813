// What a host function gets as `params` after a restart (J2): the fields of the spawn that are JSON and the manager's own; other
// values of the program were passed through to the process that is gone, and are in no journal.

import { afterEach, expect, test } from 'vitest';
import { type OpenOptions, type SpawnOptions, SubAgentManager } from '../../../dist/index.js';
import { KEPT, OURS } from '../../support/spawn-given.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A process whose host functions never return, and what they were given. */
async function process(store: WatchedStore, options: Partial<OpenOptions> = {}): Promise<[SubAgentManager, object[]]> {
  const given: object[] = [];
  const manager = await SubAgentManager.open({
    agents: { digger: { description: 'digs', contextHint: 'of the definition' } },
    ...options,
    store,
    spawnSubAgent: async (params, run) => {
      given.push(params);
      // What a run holds that is lost is booked: a turn's worth, so that there is budget left to go on with.
      await run.beforeTurn();
      return never;
    },
  });
  opened.push(manager);
  return [manager, given];
}

const HOST_VALUE = Symbol('a value of the program');

/** A spawn of all of them, with values of the program beside them, by a process that is killed; what the next one gives its host. */
async function afterRestart(by: 'queued' | 'running', options: SpawnOptions): Promise<[object | undefined, object[]]> {
  const store = watchedStore();
  const [first, before] = await process(store, { maxConcurrent: by === 'queued' ? 1 : 2 });
  first.spawn({ instructions: 'in front' });
  const given = Object.defineProperties(options, {
    [HOST_VALUE]: { value: new Map([['a', 1]]), enumerable: true },
    connection: { value: () => 'open' },
  });
  first.spawn(given);
  await settled();
  await first.flush();
  const [, after] = await process(watchedStore(store.records), { onHostLost: 'requeue', maxConcurrent: 2 });
  await settled();
  return [before[1], after];
}

test.each(['queued', 'running'] as const)(
  'J2 the fields of a spawn that are JSON come back after a restart, others are lost: %s',
  async (by) => {
    const [before, after] = await afterRestart(by, { ...OURS, signal: new AbortController().signal, schema: { type: 'object' } });
    // The first process gets the program's own object, with all that is in it.
    if (by === 'running') expect(before).toMatchObject({ [HOST_VALUE]: new Map([['a', 1]]), signal: expect.any(AbortSignal) });
    const params = after.find((one) => 'nickname' in one);
    expect(params).toEqual(KEPT);
    expect(Reflect.ownKeys(params ?? {})).toEqual(Object.keys(params ?? {}));
  },
);

test('J2 the text comes back as `instructions`, and nothing that was not given', async () => {
  const [, after] = await afterRestart('queued', { instructions: 'find it' });
  expect(after).toContainEqual({ instructions: 'find it', maxTurns: 20, background: false });
});

test('J2 turns, tools and cost are cut to what holds by now (D6)', async () => {
  const store = watchedStore();
  const [first] = await process(store, { maxConcurrent: 1, budget: { costUsd: 2 } });
  first.spawn({ instructions: 'in front' });
  first.spawn({ instructions: 'dear', maxCost: 5 });
  await settled();
  await first.flush();
  const [, after] = await process(watchedStore(store.records), { budget: { costUsd: 2 } });
  await settled();
  expect(after[0]).toMatchObject({ instructions: 'dear', maxCost: 2 });
});
