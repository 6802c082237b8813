// The line of one attempt to its lead, alone: no database is needed.

import { expect, test } from 'vitest';
import type { SpawnOptions } from '../../ts/options/generated/spawn.js';
import { Line } from '../../ts/workers/line.js';
import type { Letter } from '../../ts/workers/wire.js';
import { type WorkerHandle, workerRun } from '../../ts/workers/worker-run.js';

/** A line whose letters are answered by the test. */
function line(): { line: Line; letters: Letter[]; answer(): void } {
  const letters: Letter[] = [];
  const made = new Line('job', [1, 1], 0, 'process', (letter) => void letters.push(letter));
  const answer = (): void => {
    const answers = letters.splice(0).flatMap(({ requests }) => requests.map(({ seq }) => ({ seq, value: seq })));
    made.take({ term: '1', job: 'job', by: made.by, answers });
  };
  return { line: made, letters, answer };
}

/** A signal that counts who listens. */
function counted(): { controller: AbortController; listening(): number } {
  const controller = new AbortController();
  const listeners = new Set<unknown>();
  const { signal } = controller;
  const { addEventListener, removeEventListener } = signal;
  Object.assign(signal, {
    addEventListener(...given: Parameters<AbortSignal['addEventListener']>) {
      listeners.add(given[1]);
      addEventListener.apply(signal, given);
    },
    removeEventListener(...given: Parameters<AbortSignal['removeEventListener']>) {
      listeners.delete(given[1]);
      removeEventListener.apply(signal, given);
    },
  });
  return { controller, listening: () => listeners.size };
}

test('a call that is over lets go of its signal, which may live as long as the program', async () => {
  const { line: made, answer } = line();
  const { controller, listening } = counted();
  for (let count = 0; count < 5; count += 1) {
    const called = made.call('wait', [], controller.signal);
    expect(listening()).toBe(1);
    await Promise.resolve();
    answer();
    await called;
    expect(listening()).toBe(0);
  }
  const cut = made.call('wait', [], controller.signal);
  made.end('the run has ended');
  await expect(cut).rejects.toMatchObject({ code: 'actor_ended' });
  expect(listening()).toBe(0);
});

test('a spawn lets go of its signal when its sub-agent has ended, and when the run is over', async () => {
  const { line: made, letters, answer } = line();
  const { controller, listening } = counted();
  const run = workerRun({} as never, {}, { line: made, parked: <T>(wait: Promise<T>) => wait } as never);
  const spawned = async (options: SpawnOptions): Promise<WorkerHandle> => {
    const handle = run.spawn({ ...options, signal: controller.signal });
    await Promise.resolve();
    answer();
    return handle;
  };
  const first = await spawned({ instructions: 'x' });
  await spawned({ instructions: 'y' });
  expect(listening()).toBe(2);
  const ended = first.wait();
  await Promise.resolve();
  answer();
  await ended;
  expect(listening()).toBe(1);
  made.end('the run has ended');
  expect(listening()).toBe(0);
  controller.abort();
  expect(letters).toEqual([]);
});

test('a signal that fires gives the call up, and reports that to the lead', async () => {
  const { line: made, letters, answer } = line();
  const { controller } = counted();
  const called = made.call('wait', [], controller.signal);
  await Promise.resolve();
  controller.abort();
  await expect(called).rejects.toMatchObject({ code: 'aborted' });
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(letters.flatMap(({ requests }) => requests.map(({ call }) => call))).toEqual(['wait', 'giveUp']);
  answer();
  await expect(made.call('wait', [], controller.signal)).rejects.toMatchObject({ code: 'aborted' });
  made.end('the run has ended');
});
