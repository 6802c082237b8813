// What a host function gets as `params` in the runs that answer messages: the fields of the spawn, as in the first run, with the
// message in place of the text. After a restart: tests/package/stores/params.test.ts.

import { expect, test } from 'vitest';
import { type SpawnOptions, SubAgentManager } from '../../../dist/index.js';
import { KEPT, OURS } from '../../support/spawn-given.js';

/** The `params` of each run of a sub-agent that is spawned with these options and is then sent the messages. */
async function givenTo(options: SpawnOptions, ...messages: string[]): Promise<object[]> {
  const given: object[] = [];
  const manager = new SubAgentManager({
    agents: { digger: { description: 'digs', contextHint: 'of the definition' } },
    spawnSubAgent: async (params) => {
      given.push(params);
      return { output: 'done', value: {} };
    },
  });
  const handle = manager.spawn(options);
  if (options.instructions !== undefined) await handle.wait();
  for (const message of messages) {
    await handle.send(message);
    await handle.wait();
  }
  manager.dispose();
  return given;
}

test('M1 a run that answers a message gets what the spawn gave, with the message as its instructions', async () => {
  const [first, second, third] = await givenTo(OURS, 'dig on', 'and on');
  expect(first).toEqual(OURS);
  expect(second).toEqual({ ...KEPT, instructions: 'dig on' });
  expect(third).toEqual({ ...KEPT, instructions: 'and on' });
});

test('M1 so does the first run of a sub-agent that was spawned without a text', async () => {
  expect(await givenTo({ label: 'helper', modelId: 'model-1' }, 'help')).toEqual([
    { label: 'helper', modelId: 'model-1', instructions: 'help', maxTurns: 20, background: false },
  ]);
});

test('M1 it gets nothing that was of the spawn alone, nor what the spawn did not give', async () => {
  const ofTheSpawnAlone = { idempotencyKey: 'once', signal: new AbortController().signal };
  const [, second] = await givenTo({ instructions: 'dig', ...ofTheSpawnAlone }, 'on');
  expect(second).toEqual({ instructions: 'on', maxTurns: 20, background: false });
});

test('D6 a copy with other tools runs no getter, and keeps hidden fields and the prototype', async () => {
  class Wish {
    declare instructions: string;
    set tools(_: unknown) {
      throw new Error('a copy defines its fields');
    }
  }
  let reads = 0;
  const wish = Object.defineProperties(new Wish(), {
    instructions: { value: 'dig', enumerable: true, writable: true, configurable: true },
    label: {
      get: () => {
        reads += 1;
        return 'digger';
      },
      enumerable: true,
    },
    hidden: { value: 1 },
  });
  const given: object[] = [];
  const manager = new SubAgentManager({
    tools: ['spade', 'lamp'],
    spawnSubAgent: async (params) => {
      given.push(params);
      return { output: 'done' };
    },
  });
  manager.spawn(wish as never);
  // The option is read; the copy reads nothing.
  expect(reads).toBe(1);
  const [params] = given as [Wish];
  expect(params).not.toBe(wish);
  expect(Object.getPrototypeOf(params)).toBe(Wish.prototype);
  expect(Object.getOwnPropertyDescriptor(params, 'hidden')).toEqual(Object.getOwnPropertyDescriptor(wish, 'hidden'));
  expect(Object.getOwnPropertyDescriptor(params, 'label')).toEqual(Object.getOwnPropertyDescriptor(wish, 'label'));
  expect(Object.getOwnPropertyDescriptor(params, 'tools')?.value).toEqual(['spade', 'lamp']);
  manager.dispose();
});

test('D6 a copy has the fields in their order, those that were cut in their places', async () => {
  const seen: string[][] = [];
  const manager = new SubAgentManager({
    tools: ['spade', 'lamp'],
    maxTurns: 5,
    spawnSubAgent: async (params) => {
      seen.push(Object.keys(params));
      return { output: 'done' };
    },
  });
  manager.spawn({ tools: ['spade', 'axe'], instructions: 'dig', maxTurns: 9, label: 'digger' });
  const ghostly = new Proxy({ instructions: 'dig' }, { ownKeys: () => ['instructions', 'ghost'] });
  manager.spawn(ghostly);
  expect(seen).toEqual([
    ['tools', 'instructions', 'maxTurns', 'label'],
    ['instructions', 'tools'],
  ]);
  manager.dispose();
});
