// The time from the end of a run until the store has it, in `sync`: the core has ended the run, and its end isn't delivered
// yet. What the core forgets, begins and retries meanwhile takes nothing from the callers that wait (W1, W2, L8, X6).

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../../dist/index.js';
import { settled } from '../../support/opened.js';
import { heldStore, memoryStore } from '../../support/stores.js';

async function open(options: Partial<OpenOptions> = {}): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ store: memoryStore(), ...options });
  onTestFinished(() => manager.dispose());
  return manager;
}

const driven = (instructions: string) => ({ drive: 'program' as const, instructions });

test.each(['close', 'forget', 'retain'])(
  'W2 L8 a wait gets its end, even if `%s` removes it and another sub-agent has its place',
  async (by) => {
    const manager = await open(by === 'retain' ? { retain: 0 } : {});
    const ada = manager.session('ada');
    const { signal } = new AbortController();
    const handle = ada.spawn({ ...driven('a'), signal });
    await handle.start();
    const waiting = handle.wait();
    handle.complete('the answer');
    if (by === 'close') void ada.close();
    if (by === 'forget') manager.forget(handle);
    const others = ['b', 'c', 'd'].map((text) => manager.spawn(driven(text)));
    expect(await waiting).toMatchObject({ status: 'completed', output: 'the answer' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    for (const other of others) {
      await other.start();
      other.complete(other.taskId);
      expect(await other.wait()).toMatchObject({ output: other.taskId });
    }
  },
);

test('W1 a wait for several shows an end that is forgotten before it is kept', async () => {
  const manager = await open();
  const handle = manager.spawn({ ...driven('a'), label: 'first' });
  await handle.start();
  const waiting = manager.wait([handle]);
  handle.complete('x');
  manager.forget(handle);
  manager.spawn(driven('b'));
  const { completed, unknown } = await waiting;
  expect(completed).toMatchObject([{ taskId: handle.taskId, label: 'first', status: 'completed', output: 'x', run: 1 }]);
  expect(unknown).toEqual([]);
});

test('W2 L8 with `retain: 0` and a slow store, each of many gets its own end', async () => {
  const store = heldStore(memoryStore());
  const manager = await open({ store, retain: 0, spawnSubAgent: async ({ instructions }) => ({ output: instructions }) });
  const outputs: Promise<string>[] = [];
  store.held = true;
  for (let at = 0; at < 60; at++) {
    outputs.push(
      manager
        .spawn({ instructions: `${at}` })
        .wait()
        .then(({ output }) => output),
    );
    await settled(1);
    if (at % 3 === 0) store.release();
  }
  store.held = false;
  store.release();
  expect(await Promise.all(outputs)).toEqual(outputs.map((_, at) => `${at}`));
});

test('C4 L8 a signal has no listener of a sub-agent without a text, if it is forgotten and another one has its place', async () => {
  const manager = await open();
  const signals = [new AbortController().signal, new AbortController().signal] as const;
  const first = manager.spawn({ signal: signals[0] });
  manager.forget(first);
  const second = manager.spawn({ signal: signals[1] });
  await manager.flush();
  expect(signals.map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 1]);
  manager.forget(second);
  await manager.flush();
  expect(getEventListeners(signals[1], 'abort')).toEqual([]);
});
