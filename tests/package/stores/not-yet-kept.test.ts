// The time from the end of a run until the store has it, in `sync`: the core has ended the run, and its end isn't delivered
// yet. What the core forgets, begins and retries meanwhile takes nothing from the callers that wait (W1, W2, L8, X6).

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenOptions, type Run, SubAgentManager } from '../../../dist/index.js';
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

/** `sync` and `batched`: what a program sees is the same. */
const both = ['sync', 'batched'] as const;

test.each(both)('X6 right after the end of a run, start() gives the next one, and none if there is none: %s', async (durability) => {
  const manager = await open({ durability });
  const job = manager.spawn(driven('pay order 1'));
  job.send('pay order 2');
  const runs: unknown[] = [];
  for (let at = 0; at < 2; at++) {
    const run = (await job.start()) as Run;
    runs.push([run.run, run.prompt]);
    job.complete(`paid ${run.run}`);
  }
  expect(runs).toEqual([
    [1, 'pay order 1'],
    [2, 'pay order 2'],
  ]);
  await expect(job.start()).rejects.toMatchObject({ code: 'wrong_status' });
  await manager.flush();
  expect(job.snapshot()).toMatchObject({ status: 'completed', output: 'paid 2', lateResult: null });
});

test.each(both)('X6 W1 right after the end of a run, send() and wait() mean the next one: %s', async (durability) => {
  const manager = await open({ durability });
  const job = manager.spawn(driven('a'));
  await job.start();
  job.complete('answer to a');
  job.send('b');
  expect(() => job.report({ tokens: 1 })).toThrow(expect.objectContaining({ code: 'wrong_status' }));
  const waiting = job.wait();
  await manager.flush();
  await job.start();
  job.complete('answer to b');
  expect(await waiting).toMatchObject({ output: 'answer to b', run: 2 });
});

test.each(both)('X5 X6 right after a run that is retried, wait() and start() mean its next attempt: %s', async (durability) => {
  const manager = await open({ durability, retry: { max: 1, backoffMs: 1 } });
  const job = manager.spawn(driven('a'));
  const [early, first] = [job.wait(), (await job.start()) as Run];
  job.fail(new Error('not yet'));
  const late = job.wait();
  await settled();
  const second = (await job.start()) as Run;
  expect([first.run, second.run]).toEqual([1, 2]);
  expect(second.previousError).toMatchObject({ error: 'not yet' });
  job.complete('made');
  for (const waiting of [early, late]) expect(await waiting).toMatchObject({ output: 'made', run: 2 });
});

test.each(both)('D7 X6 right after a bad end, `retryEnded` gives the new attempt: %s', async (durability) => {
  const manager = await open({ durability });
  const options = { ...driven('a'), idempotencyKey: 'a', retryEnded: true } as const;
  const job = manager.spawn(options);
  await job.start();
  job.fail(new Error('broken'));
  const again = manager.spawn(options);
  const waiting = again.wait();
  expect(((await again.start()) as Run).run).toBe(2);
  again.complete('made');
  expect(await waiting).toMatchObject({ status: 'completed', output: 'made', run: 2 });
});

test.each(both)('L2 X6 right after a run was stopped, its signal fires, and its result is late: %s', async (durability) => {
  const manager = await open({ durability });
  const job = manager.spawn(driven('a'));
  await job.start();
  job.complete('first');
  job.send('b');
  await job.start();
  const cancelled = job.cancel({ graceMs: 0 });
  const { signal } = job;
  job.send('c');
  await cancelled;
  expect(signal.aborted).toBe(true);
  job.complete('second');
  await manager.flush();
  expect(job.snapshot()).toMatchObject({ lateResult: 'second' });
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
