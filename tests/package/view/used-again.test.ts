// An id may be used again after `forget` (A9). A view then shows at each moment the sub-agent that had it, and looking back
// changes nothing in what it shows now.

import { expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { View } from '../../../dist/view/index.js';

test('looking back to a sub-agent whose id another one has now leaves that one as it is', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: instructions, usage: { tokens: 100 } }) });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  await manager.spawn({ instructions: 'first', taskId: 'job' }).wait();
  const seq = view.last;
  const first = view.now.task('job')?.index as number;
  manager.forget('job');
  const handle = manager.spawn({ instructions: 'second', taskId: 'job' });
  await handle.wait();
  expect(view.at(seq).task('job')?.instructions).toBe('first');
  manager.send(handle, 'more');
  await handle.wait();
  expect(view.now.task('job')).toMatchObject({ instructions: 'second', runs: 2 });
  expect(view.now.ledger().tokens.spent).toBe(300);
  expect(view.at(seq).task('job')?.instructions).toBe('first');
  const said = (ref: { taskId: string } | number): string[] => view.transcript(ref).map(({ kind, text }) => `${kind} ${text}`);
  expect(said(handle)).toEqual(['instructions second', 'output second', 'message more', 'output more']);
  expect(said(first)).toEqual(['instructions first', 'output first']);
  manager.dispose();
});

test('a view lets go of the sub-agents that had an id before', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: instructions }) });
  const view = new View({ maxEvents: 8_192 });
  manager.subscribe((event) => view.add(event));
  for (let each = 0; each < 3_000; each += 1) {
    await manager.spawn({ instructions: `${each}`, taskId: 'job' }).wait();
    if (each < 2_999) manager.forget('job');
  }
  expect(view.first).toBeGreaterThan(1);
  const { instructions } = view.at(view.last - 6).task('job') ?? {};
  expect(instructions).toBe('2998');
  expect(view.at(view.first + 100).task('job')?.instructions).not.toBe('2999');
  expect(view.now.task('job')?.instructions).toBe('2999');
  manager.dispose();
});
