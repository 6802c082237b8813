// Notices of a session over a restart: the next process learns that the session is missing, and whoever registers it, however
// late, is woken for them (N2, N3, J3).

import { expect, test } from 'vitest';
import { opener, settled } from '../../support/opened.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const open = opener({ spawnSubAgent: async () => ({ output: 'found' }) });

/** What a process left in which a background sub-agent of a session had ended, and nobody took its notice. */
async function left(leased: boolean): Promise<WatchedStore> {
  const store = watchedStore();
  const first = await open(store);
  const session = first.session('ada');
  await first.wait([session.spawn({ instructions: 'x' })]);
  session.spawn({ instructions: 'y', background: true });
  await settled(10);
  if (leased) expect(session.inbox.lease()).toHaveLength(1);
  await first.flush();
  return watchedStore(store.records);
}

test.each([false, true])('`restored.missing` names a session for which only notices wait (leased before: %s)', async (leased) => {
  const manager = await open(await left(leased));
  expect(manager.restored?.missing).toEqual({ sessions: ['ada'], agents: [], profiles: [] });
  const woken: number[] = [];
  for (const key of manager.restored?.missing.sessions ?? []) manager.session(key, { onWake: (_, { pending }) => woken.push(pending) });
  expect(woken).toEqual([]);
  await settled(10);
  expect(woken).toEqual([1]);
});

test('a session that is registered later is woken, by its own `onWake` or the manager’s', async () => {
  const woken: string[] = [];
  const own = await open(await left(false));
  await settled(10);
  own.session('ada', { onWake: () => woken.push('own') });
  const usual = await open(await left(false), { onWake: () => woken.push('usual') });
  await settled(10);
  usual.session('ada');
  await settled(10);
  expect(woken).toEqual(['own', 'usual']);
});

test('a session whose notices were taken is missed by nobody', async () => {
  const store = watchedStore();
  const first = await open(store);
  const session = first.session('ada');
  session.spawn({ instructions: 'y', background: true });
  await settled(10);
  for (const { deliveryId } of session.inbox.lease()) session.inbox.ack(deliveryId);
  await first.flush();
  expect((await open(watchedStore(store.records))).restored?.missing.sessions).toEqual([]);
});

test.each([false, true])(
  'W5 the process ends before what an aborted call stopped: the next one says so (reads its inbox: %s)',
  async (reads) => {
    const silent = { spawnSubAgent: () => new Promise<never>(() => undefined), onHostLost: 'fail' } as const;
    const store = watchedStore();
    const first = await open(store, silent);
    if (reads) first.inbox.peek();
    const controller = new AbortController();
    first
      .createTools()
      .spawn_agent?.execute({ instructions: 'x' }, { signal: controller.signal })
      ?.catch(() => undefined);
    await settled(10);
    controller.abort();
    await settled(10);
    await first.flush();

    const second = await open(watchedStore(store.records), silent);
    expect(second.list().items).toMatchObject([{ status: 'cancelled', stopReason: 'signal_aborted' }]);
    expect(second.inbox.peek()).toMatchObject(reads ? [{ status: 'cancelled' }] : []);
    const wait = () => second.createTools().wait_agents?.execute({});
    expect(await wait()).toContain('its caller aborted');
    expect(second.inbox.peek()).toEqual([]);
    expect(await wait()).toContain('These have ended:');
  },
);
