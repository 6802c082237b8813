// A sub-agent under a key whose caller begins again from nothing: it was stopped with the attempt before, so that the key has its
// work done by the next one (D7, X5, J3). What had ended by then is not done again.

import { expect, test } from 'vitest';
import { type Run, SubAgentManager } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener({ maxDepth: 2 });

/** Has two sub-agents work under keys, of which the second takes its time in the first attempt. */
async function delegate(run: Run, again: boolean): Promise<string> {
  const spawn = (part: string) => run.spawn({ instructions: part, idempotencyKey: run.idempotencyKey(part) });
  const quick = await spawn('quick').wait();
  const slow = spawn('slow');
  await settled(10);
  if (!again) throw new Error('not yet');
  return [quick.output, (await slow.wait()).output].join();
}

test('X5 in a `retry`', async () => {
  const begun: string[] = [];
  const manager = new SubAgentManager({
    maxDepth: 2,
    graceMs: 1,
    async spawnSubAgent({ instructions = '' }, run) {
      if (run.depth === 1) return { output: await delegate(run, run.run === 2) };
      begun.push(instructions);
      return instructions === 'slow' && begun.length < 3 ? never : { output: `${instructions} ${begun.length}` };
    },
  });
  const result = await manager.spawn({ instructions: 'x', retry: { max: 1, backoffMs: 1 } }).wait();
  expect(result).toMatchObject({ status: 'completed', output: 'quick 1,slow 3' });
  expect(begun).toEqual(['quick', 'slow', 'slow']);
  manager.dispose();
});

test('J3 after a crash, with `requeue`', async () => {
  const begun: string[] = [];
  const process = (again: boolean): Options => ({
    onHostLost: 'requeue',
    async spawnSubAgent({ instructions = '' }, run) {
      if (run.depth === 1) return again ? { output: await delegate(run, true) } : delegate(run, true).then(() => never);
      begun.push(instructions);
      return instructions === 'slow' && !again ? never : { output: instructions };
    },
  });
  const store = watchedStore();
  const first = await open(store, process(false));
  const { taskId } = first.spawn({ instructions: 'x', background: true });
  await settled(10);
  await first.flush();
  const second = await open(watchedStore(store.records), process(true));
  const { completed } = await second.wait([taskId]);
  expect(completed).toMatchObject([{ status: 'completed', output: 'quick,slow' }]);
  expect(begun).toEqual(['quick', 'slow', 'slow']);
});
