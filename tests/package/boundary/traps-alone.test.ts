// A core that fails where nobody asked: in what goes on by itself once a promise of the host's settles. There is
// nobody to throw at, and an unhandled rejection would end the process. Each scenario fails once at every call
// inside the module (`runtimes/trap-build.mjs`).

import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HostResult, SubAgentManager, SubAgentManagerOptions } from '../../../dist/index.js';
import { trapping } from '../../runtimes/conformance/traps.js';
import { withFuse } from '../../runtimes/trap-build.mjs';
import { type Deferred, deferred, done, runtimeOf } from '../../support/hosts.js';
import { amount } from '../../support/share.js';

type Make = ReturnType<typeof trapping>;
let make: Make;
beforeAll(async () => {
  const bytes = readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url));
  make = trapping({ trapModule: await WebAssembly.compile(withFuse(bytes)) });
});

const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
});

interface Begun {
  manager: SubAgentManager;
  fuse: { value: number };
  /** The promise of the host's settles. */
  go: () => unknown;
}

/** A manager whose sub-agents nobody waits for. */
function begin(options: SubAgentManagerOptions, go: () => unknown): Begun {
  const { manager, fuse } = make({ onError: () => undefined, onWake: () => undefined, ...options });
  manager.subscribe(() => undefined);
  return { manager, fuse, go };
}

type Scenario = () => Begun | Promise<Begun>;

function returning(go: (host: Deferred<HostResult>) => unknown): Scenario {
  return () => {
    const host = deferred<HostResult>();
    const begun = begin({ maxConcurrent: 1, spawnSubAgent: () => host.promise }, () => go(host));
    begun.manager.spawn({ instructions: 'x', background: true });
    return begun;
  };
}

function startedElsewhere(go: (id: Deferred<{ taskId: string }>) => unknown, early: boolean): Scenario {
  return () => {
    const id = deferred<{ taskId: string }>();
    const begun = begin({ spawnBackgroundSubAgent: () => id.promise }, () => go(id));
    begun.manager.spawn({ instructions: 'x', background: true });
    if (early) begun.manager.reportSettled('theirs', { output: 'early' });
    return begun;
  };
}

function startAnswered(answer: unknown): Scenario {
  return () => {
    const verdict = deferred<unknown>();
    const policies = { subAgents: [{ name: 'slow', beforeStart: () => verdict.promise as never }] };
    const begun = begin({ policies, spawnSubAgent: () => done() }, () => verdict.resolve(answer));
    begun.manager.spawn({ instructions: 'x', background: true });
    return begun;
  };
}

function timeoutAnswered(answer: unknown): Scenario {
  return async () => {
    const [asked, verdict] = [deferred<void>(), deferred<unknown>()];
    const onTimeout = (): never => {
      asked.resolve();
      return verdict.promise as never;
    };
    const begun = begin(
      { timeoutMs: 1, policies: { subAgents: [{ name: 'slow', onTimeout }] }, spawnSubAgent: () => new Promise(() => undefined) },
      () => verdict.resolve(answer),
    );
    begun.manager.spawn({ instructions: 'x', background: true });
    await asked.promise;
    return begun;
  };
}

/** A run that was stopped, and whose host has not returned. */
function stopped(go: (host: Deferred<HostResult>) => unknown): Scenario {
  return async () => {
    const host = deferred<HostResult>();
    const begun = begin({ maxConcurrent: 1, graceMs: 0, spawnSubAgent: () => host.promise }, () => go(host));
    await begun.manager.spawn({ instructions: 'x', background: true }).cancel();
    begun.manager.spawn({ instructions: 'queued', background: true });
    return begun;
  };
}

function signalled(ofSession: boolean): Scenario {
  return () => {
    const controller = new AbortController();
    const { signal } = controller;
    const begun = begin({ graceMs: 0, spawnSubAgent: () => new Promise(() => undefined) }, () => controller.abort());
    if (ofSession) begun.manager.session('agent', { signal }).spawn({ instructions: 'x', background: true });
    else begun.manager.spawn({ instructions: 'x', background: true, signal });
    return begun;
  };
}

/** The alarm of a manager rings when a deadline has passed. */
function overdue(): Begun {
  const begun = begin({ timeoutMs: 1, graceMs: 0, abandonMs: 1, spawnSubAgent: () => new Promise(() => undefined) }, () => {
    for (const end = performance.now() + 3; performance.now() < end; );
    runtimeOf<{ tick(): void }>(begun.manager).tick();
  });
  begun.manager.spawn({ instructions: 'x', background: true });
  return begun;
}

test.each<[string, Scenario]>([
  ['a host function returns', returning((host) => host.resolve({ output: 'done' }))],
  ['a host function rejects', returning((host) => host.reject(new Error('no')))],
  ['a host elsewhere gives its id after the end', startedElsewhere((id) => id.resolve({ taskId: 'theirs' }), true)],
  ['a host elsewhere gives another id than what was reported', startedElsewhere((id) => id.resolve({ taskId: 'other' }), true)],
  ['a host elsewhere does not start', startedElsewhere((id) => id.reject(new Error('no')), false)],
  ['a policy lets it start', startAnswered(undefined)],
  ['a policy gives the start a text', startAnswered({ action: 'inject', text: 'so' })],
  ['a policy blocks the start', startAnswered({ action: 'block', reason: 'closed' })],
  ['a policy gives a timeout a text', timeoutAnswered({ action: 'inject', text: 'so' })],
  ['a policy ends a timeout', timeoutAnswered({ action: 'finish', report: 'so' })],
  ['a host function returns after its run was stopped', stopped((host) => host.resolve({ output: 'late' }))],
  ['a host function rejects after its run was stopped', stopped((host) => host.reject(new Error('late')))],
  ['the signal of a spawn fires', signalled(false)],
  ['the signal of a session fires', signalled(true)],
  ['a deadline passes', overdue],
])('%s', async (_, scenario) => {
  let failures = 0;
  for (let at = 1, over = false; !over; at += amount(1, 10)) {
    const { manager, fuse, go } = await scenario();
    fuse.value = at;
    go();
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    over = fuse.value > 0;
    fuse.value = 0;
    manager.dispose();
    expect(unhandled, `a failure at call ${at}`).toEqual([]);
    failures += over ? 0 : 1;
  }
  expect(failures).toBeGreaterThan(0);
});
