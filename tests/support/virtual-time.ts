// Virtual time. Import it before the package: the clock reads `performance` when it is loaded.

import { vi } from 'vitest';

vi.useFakeTimers();

/** Lets virtual time pass, with everything that falls due in it. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

/** Lets pending promises go on, without time passing. */
export async function flush(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await vi.advanceTimersByTimeAsync(0);
}

/** The promise, which must settle within so much virtual time: nothing hangs. */
export async function settles<T>(promise: Promise<T>, withinMs = 4 * 3_600_000): Promise<T> {
  let pending = true;
  const over = (): void => {
    pending = false;
  };
  promise.then(over, over);
  await flush();
  for (let passed = 0, step = 1_000; pending && passed < withinMs; passed += step, step *= 2) await pass(Math.min(step, withinMs - passed));
  if (pending) throw new Error(`still pending after ${withinMs} ms of virtual time`);
  return promise;
}

/** Whether a promise has settled by now. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const over = (): void => {
    pending = false;
  };
  promise.then(over, over);
  await flush();
  return pending;
}
