// Limits as a program meets them: what holds nobody up by default, who goes where room is short, what waits and for
// what.

import './support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import type { SubAgentManager, SubAgentManagerOptions } from '../dist/index.js';
import { deferred, done, expectSound, type Host, managerWith, rejects } from './support/hosts.js';
import { flush } from './support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function managed(body: Host, options: SubAgentManagerOptions = {}) {
  const made = managerWith(body, options);
  opened.push(made.manager);
  return made;
}

describe('slots', () => {
  test('S2 a run that came back over the limit has no turn there: it parks, and gets the next free slot', async () => {
    const turns = deferred<void>();
    let calling = 0;
    let most = 0;
    const made = managed(
      async ({ instructions }, run) => {
        if (instructions === 'lead') {
          await flush();
          await run.spawn({ instructions: 'child' }).wait();
        }
        expect((await run.beforeTurn()).go).toBe(true);
        calling += 1;
        most = Math.max(most, calling);
        await turns.promise;
        calling -= 1;
        run.report({ tokens: 10 });
        return done(instructions);
      },
      { maxConcurrent: 2, maxDepth: 2 },
    );
    const { manager } = made;
    const lead = manager.spawn({ instructions: 'lead' });
    const leads = [lead, manager.spawn({ instructions: 'lead' })];
    const workers = ['worker', 'worker'].map((instructions) => manager.spawn({ instructions, priority: 50 }));
    await flush();
    await flush();
    // The workers have the slots that the leads gave up; what the leads wait for is queued, and ends there.
    const children = manager.list({ filter: { label: 'child' } }).items;
    expect(children.map(({ status }) => status)).toEqual(['pending', 'pending']);
    for (const { taskId } of children) await manager.cancel(taskId);
    await flush();
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 2, limit: 2, parked: 2 });
    expect(manager.get(lead)).toMatchObject({ status: 'running', parked: 'reentry' });
    turns.resolve();
    for (const handle of [...leads, ...workers]) expect((await handle.wait()).status).toBe('completed');
    expect(most).toBe(2);
    await expectSound(made);
  });
});

describe('room', () => {
  test('L8 foreground work that is never awaited ends in no limit: the oldest goes', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions), { maxTasks: 5 });
    const first = manager.spawn({ instructions: 'first' });
    await flush();
    let last = first;
    for (let i = 0; i < 12; i += 1) {
      last = manager.spawn({ instructions: `${i}` });
      await flush();
    }
    expect(manager.stats()).toMatchObject({ total: 5, completed: 5 });
    await rejects(first.wait(), 'forgotten');
    expect((await last.wait()).output).toBe('11');
  });

  test('L8 a batch of 10,000 awaited in its order loses none, whatever `retain` is', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions, 1), {
      retain: 10,
      maxConcurrent: 100,
    });
    const handles = Array.from({ length: 10_000 }, (_, i) => manager.spawn({ instructions: `${i}` }));
    await flush();
    for (const [i, handle] of handles.entries()) expect((await handle.wait()).output).toBe(`${i}`);
    expect(manager.stats().total).toBe(10);
  });

  test('L8 an end that a notice tells of never goes for want of room', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions), { maxTasks: 2 });
    const told = manager.spawn({ instructions: 'told', background: true });
    await flush();
    for (let i = 0; i < 5; i += 1) {
      manager.spawn({ instructions: `${i}` });
      await flush();
    }
    expect(manager.get(told).output).toBe('told');
    const [notice] = manager.inbox.lease();
    expect(notice?.taskId).toBe(told.taskId);
  });
});
