// Host functions and managers for tests, and what a sound manager looks like.

import { expect } from 'vitest';
import {
  type HostResult,
  type Run,
  SubAgentError,
  type SubAgentErrorCode,
  SubAgentManager,
  type SubAgentManagerOptions,
  type SubAgentParamsType,
} from '../../dist/index.js';
import type { ViewBytes } from '../../ts/boundary/view-bytes.js';
import { readTaskPage } from '../../ts/reading/generated/page-readers.js';
import { readManagerCounts } from '../../ts/snapshots/generated/totals-readers.js';
import { insidesOf } from './insides.mjs';

/** The core behind a manager, as tests look into it. */
export interface Core {
  factCount(): number;
  list(top: number, listing: object, now: number): number;
  stats(now: number): number;
  /** Draws the randomness for ids; a spawn does it before it asks anything. */
  seed(now: number): boolean;
}

type View = <T>(show: (core: Core) => number, read: (from: ViewBytes) => T) => T;

/** The runtime behind a manager, as far as a test says what it looks at there. */
export function runtimeOf<Runtime>(manager: SubAgentManager): Runtime {
  return insides(manager);
}

const insides = insidesOf(SubAgentManager);

export function coreOf(manager: SubAgentManager): Core {
  return runtimeOf<{ core: Core }>(manager).core;
}

/** All that a request can change: how many facts there were, and every task as they left it. */
export function standing(manager: SubAgentManager): unknown[] {
  const runtime = runtimeOf<{ view: View }>(manager);
  const tasks = runtime.view((core) => core.list(0, {}, 0), readTaskPage);
  // The statistics by the time of the last fact, too.
  return [coreOf(manager).factCount(), runtime.view((core) => core.stats(0), readManagerCounts), tasks];
}

export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** A result as an ordinary host gives it. */
export function done(output = 'done', tokens = 10): HostResult {
  return { output, status: 'completed', usage: { tokens, turns: 1, cost: 0.001 } };
}

export type Host = (params: SubAgentParamsType, run: Run) => Promise<HostResult> | HostResult;

/** A host whose runs end when the test says so. */
export function manualHost(): { host: Host; runs: { run: Run; params: SubAgentParamsType; end: Deferred<HostResult> }[] } {
  const runs: { run: Run; params: SubAgentParamsType; end: Deferred<HostResult> }[] = [];
  const host: Host = (params, run) => {
    const end = deferred<HostResult>();
    runs.push({ run, params, end });
    return end.promise;
  };
  return { host, runs };
}

/** A manager whose host function can be exchanged. */
export function managerWith(host: Host, options: SubAgentManagerOptions = {}): { manager: SubAgentManager; use: (host: Host) => void } {
  let current = host;
  const manager = new SubAgentManager({ ...options, spawnSubAgent: (params, run) => current(params, run) });
  return {
    manager,
    use: (next) => {
      current = next;
    },
  };
}

/** The refusal that `body` throws. */
export function refusal(body: () => unknown): SubAgentError {
  try {
    body();
  } catch (error) {
    expect(error).toBeInstanceOf(SubAgentError);
    return error as SubAgentError;
  }
  throw new Error('it was not refused');
}

/** `body` is refused with this code, and nothing has changed. */
export function refusesUnchanged(manager: SubAgentManager, code: SubAgentErrorCode, body: () => unknown): SubAgentError {
  const core = coreOf(manager);
  core.seed(Date.now());
  const before = standing(manager);
  const error = refusal(body);
  expect(error.code, error.message).toBe(code);
  expect(standing(manager), 'a refused request changes nothing').toEqual(before);
  return error;
}

/** The promise rejects with this code. */
export async function rejects(promise: Promise<unknown>, code: SubAgentErrorCode): Promise<SubAgentError> {
  const error = await promise.then(
    () => new Error('it was not rejected'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(SubAgentError);
  expect((error as SubAgentError).code, (error as SubAgentError).message).toBe(code);
  return error as SubAgentError;
}

/** The statuses sum to the total. */
export function expectSums(manager: SubAgentManager): void {
  const { pending, running, idle, completed, failed, timedOut, cancelled, interrupted, closed, total } = manager.stats();
  expect(pending + running + idle + completed + failed + timedOut + cancelled + interrupted + closed).toBe(total);
}

/** Nothing is left over from what ran: no slot, no queue, no hold; and a run still works. */
export async function expectSound({ manager, use }: { manager: SubAgentManager; use: (host: Host) => void }, abandoned = 0): Promise<void> {
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 0, parked: 0, abandoned });
  expect(manager.stats()).toMatchObject({ running: 0, pending: 0, tokensReserved: 0 });
  expectSums(manager);
  const before = manager.stats();
  use(async () => done('sound'));
  expect(manager.canSpawn()).toBe(true);
  const result = await manager.spawn({ instructions: 'an ordinary task' }).wait();
  expect(result).toMatchObject({ status: 'completed', output: 'sound', stopReason: 'finished' });
  expect(manager.stats()).toMatchObject({ total: before.total + 1, completed: before.completed + 1, running: 0, tokensReserved: 0 });
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 0 });
  expectSums(manager);
}
