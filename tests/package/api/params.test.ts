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
