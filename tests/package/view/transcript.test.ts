// A transcript lists each message and each output once (M2): where it came, however long it waited, and even if an earlier
// one had the same text.

import { expect, test } from 'vitest';
import { type SpawnSubAgent, SubAgentManager } from '../../../dist/index.js';
import { View } from '../../../dist/view/index.js';

function watched(spawnSubAgent: SpawnSubAgent): { manager: SubAgentManager; listed: (taskId: string) => string[] } {
  const manager = new SubAgentManager({ spawnSubAgent, maxDepth: 2 });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  const listed = (taskId: string): string[] => view.transcript({ taskId }).map(({ run, kind, text }) => `${run} ${kind} ${text}`);
  return { manager, listed };
}

test('a message with the text of an earlier one is listed too', async () => {
  const { manager, listed } = watched(async () => ({ output: 'done' }));
  const handle = manager.spawn('go');
  await handle.wait();
  for (let each = 0; each < 2; each += 1) {
    handle.send('continue');
    await handle.wait();
  }
  const runs = ['2 message continue', '2 output done', '3 message continue', '3 output done'];
  expect(listed(handle.taskId)).toEqual(['1 instructions go', '1 output done', ...runs]);
  manager.dispose();
});

test('a message that waited is listed once, where it came; so is a steering message that missed its run', async () => {
  let go: () => void = () => undefined;
  const { manager, listed } = watched(async (_, run) => {
    if (run.run > 1) return { output: 'done' };
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    await run.beforeTurn();
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return { output: 'done' };
  });
  const handle = manager.spawn('go');
  const turn = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));
  await turn();
  manager.send(handle, 'again', { mode: 'steer' });
  manager.send(handle, 'again');
  go();
  await turn();
  manager.send(handle, 'again', { mode: 'steer' });
  go();
  await turn();
  handle.send('again');
  await handle.wait();
  expect(listed(handle.taskId)).toEqual([
    '1 instructions go',
    '1 steer again',
    '1 message again',
    '1 turn 1',
    '1 steer again',
    '1 output done',
    '2 output done',
    '3 output done',
    '4 message again',
    '4 output done',
  ]);
  manager.dispose();
});

test('the output of a run that waits for its sub-agents is listed once', async () => {
  const { manager, listed } = watched(async ({ instructions }, run) => {
    if (instructions === 'lead') run.spawn({ instructions: 'below', background: true, onParentEnd: 'wait' });
    else await new Promise((resolve) => setTimeout(resolve, 5));
    return { output: `${instructions} is done` };
  });
  const handle = manager.spawn('lead');
  await handle.wait();
  expect(listed(handle.taskId)).toEqual(['1 instructions lead', '1 output lead is done']);
  manager.dispose();
});
