// With a store, events are read after they were stored. By then, what they are about may be gone, and its place used again:
// each still says the session that it is about, or that its sub-agent belongs to (J1).

import { expect, test } from 'vitest';
import { type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { watchedStore } from '../../support/stores.js';

const open = (): Promise<SubAgentManager> =>
  SubAgentManager.open({ store: watchedStore(), budget: { tokens: 10_000 }, spawnSubAgent: async () => ({ output: 'x' }) });

/** What the events of a manager say about the node that each is about. */
async function toldBy(manager: SubAgentManager, work: () => unknown): Promise<{ told: unknown[][]; view: View }> {
  await manager.flush();
  const view = new View();
  view.begin(baseOf(manager));
  const told: unknown[][] = [];
  manager.subscribe((event: SubAgentEvent) => {
    view.add(event);
    if ('sessionKey' in event) told.push([event.type, event.taskId, event.sessionKey]);
  });
  await work();
  await manager.flush();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { told, view };
}

test('events of a session that is gone before they are stored say its key', async () => {
  const manager = await open();
  const { told, view } = await toldBy(manager, () => manager.session('u', { budget: { tokens: 300 } }).close());
  expect(told.map(([type]) => type)).toEqual(expect.arrayContaining(['session_opened', 'cap_set', 'session_closed', 'session_freed']));
  for (const each of told) expect(each).toEqual([each[0], null, 'u']);
  expect(view.now.ledger().tokens.cap).toBe(10_000);
  expect(view.now.manager.status).not.toBe('closed');
  expect(view.now.sessions()).toEqual([]);
  manager.dispose();
});

test('so do those of a session that was opened before anybody listened, whose place another one has by then', async () => {
  const manager = await open();
  const before = manager.session('before');
  await manager.flush();
  const { told, view } = await toldBy(manager, () => {
    const closed = before.close();
    for (const key of ['next', 'last']) manager.session(key);
    return closed;
  });
  expect(told.filter(([type]) => /^session_/.test(type as string))).toEqual([
    ['session_closed', null, 'before'],
    ['session_freed', null, 'before'],
    ['session_opened', null, 'next'],
    ['session_opened', null, 'last'],
  ]);
  expect(view.now.sessions().map(({ sessionKey }) => sessionKey)).toEqual(['next', 'last']);
  manager.dispose();
});

test('so do those of its sub-agents', async () => {
  const manager = await open();
  const { told } = await toldBy(manager, () => {
    const session = manager.session('u');
    const { taskId } = session.spawn({ label: 'idle', taskId: 'mine' });
    expect(taskId).toBe('mine');
    return session.close();
  });
  const own = told.filter(([, taskId]) => taskId !== null);
  expect(own.length).toBeGreaterThan(1);
  for (const each of own) expect(each).toEqual([each[0], 'mine', 'u']);
  manager.dispose();
});
