// A sub-agent under a key whose caller begins again from nothing: it was stopped with the attempt before, so that the key has its
// work done by the next one (D7, X5, J3). What had ended by then is not done again.

import { afterEach, expect, test } from 'vitest';
import { type Run, SubAgentManager } from '../../../dist/index.js';
import { watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** Has two sub-agents work under keys, of which the second takes its time in the first attempt. */
async function delegate(run: Run, again: boolean): Promise<string> {
  const spawn = (part: string) => run.spawn({ instructions: part, idempotencyKey: run.idempotencyKey(part) });
  const quick = await spawn('quick').wait();
  const slow = spawn('slow');
  await settled();
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
  opened.push(manager);
  const result = await manager.spawn({ instructions: 'x', retry: { max: 1, backoffMs: 1 } }).wait();
  expect(result).toMatchObject({ status: 'completed', output: 'quick 1,slow 3' });
  expect(begun).toEqual(['quick', 'slow', 'slow']);
});

test('J3 after a crash, with `requeue`', async () => {
  const begun: string[] = [];
  const open = async (store: ReturnType<typeof watchedStore>, again: boolean) => {
    const manager = await SubAgentManager.open({
      store,
      maxDepth: 2,
      onHostLost: 'requeue',
      async spawnSubAgent({ instructions = '' }, run) {
        if (run.depth === 1) return again ? { output: await delegate(run, true) } : delegate(run, true).then(() => never);
        begun.push(instructions);
        return instructions === 'slow' && !again ? never : { output: instructions };
      },
    });
    opened.push(manager);
    return manager;
  };
  const store = watchedStore();
  const first = await open(store, false);
  const { taskId } = first.spawn({ instructions: 'x', background: true });
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), true);
  const { completed } = await second.wait([taskId]);
  expect(completed).toMatchObject([{ status: 'completed', output: 'quick,slow' }]);
  expect(begun).toEqual(['quick', 'slow', 'slow']);
});
