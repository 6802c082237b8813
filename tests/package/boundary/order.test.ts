// The order in which decisions are carried out: promises settle, then the user's code is called, then listeners get the
// events. Also what a call within such a call finds.

import { expect, test } from 'vitest';
import type { HostResult, Run } from '../../../dist/index.js';
import { done } from '../../support/hosts.js';
import { maker, never, settled } from '../../support/opened.js';

const open = maker();

test('a host whose policy took its time is called once the promises of that moment are settled', async () => {
  const said: string[] = [];
  const runs = new Map<string, Run>();
  let approve: (() => void) | undefined;
  let asked = 0;
  const manager = open({
    maxConcurrent: 1,
    maxDepth: 2,
    policies: {
      subAgents: [
        {
          name: 'slow',
          beforeStart: () => (asked++ === 0 ? new Promise<undefined>((resolve) => (approve = () => resolve(undefined))) : undefined),
        },
      ],
    },
    async spawnSubAgent({ instructions }, run) {
      runs.set(instructions, run);
      said.push(`called ${instructions}`);
      await Promise.resolve();
      said.push(`went on ${instructions}`);
      return never;
    },
  });
  manager.spawn({ instructions: 'slow' });
  const parent = manager.spawn({ instructions: 'parent' });
  await settled();
  approve?.();
  await settled();
  expect(manager.get(parent).status).toBe('running');
  const child = runs.get('parent')?.spawn({ instructions: 'child' });
  const cancelled = manager.spawn({ instructions: 'cancelled' });
  void cancelled.wait().then(() => said.push('told'));
  // The parent gives its slot up, which the slow one gets, in the same moment in which the other one ends.
  let isFirst = true;
  manager.subscribe(() => {
    if (!isFirst) return;
    isFirst = false;
    runs
      .get('parent')
      ?.wait([child?.taskId as string])
      .catch(() => undefined);
    void cancelled.cancel();
  });
  said.length = 0;
  manager.spawn({ instructions: 'last' });
  await settled();
  expect(said.slice(0, 3)).toEqual(['called slow', 'told', 'went on slow']);
});

test.each([
  ['that runs here', 'spawnSubAgent'],
  ['that was handed over', 'spawnBackgroundSubAgent'],
] as const)('a run %s and has no time left is told to stop once its wait is settled', async (_, host) => {
  const said: string[] = [];
  const body = async (_params: unknown, run: Run): Promise<HostResult & { taskId: string }> => {
    run.signal.addEventListener('abort', () => {
      said.push('told to stop');
      void Promise.resolve().then(() => said.push('later'));
    });
    if (host === 'spawnSubAgent') await settled(200);
    return { ...done(), taskId: 'there' };
  };
  const manager = open({ timeoutMs: 20, graceMs: 0, [host]: body });
  const handle = manager.spawn({ instructions: 'x', background: host === 'spawnBackgroundSubAgent' });
  void handle.wait().then(() => said.push('wait is over'));
  await settled(60);
  expect(said).toEqual(['told to stop', 'wait is over', 'later']);
});

test('a spawn has called its host function when it returns, unless it is made within a call of the manager', async () => {
  const called = new Set<string>();
  const found: [string, boolean][] = [];
  const look = (where: string, spawn: () => { taskId: string }): void => void found.push([where, called.has(spawn().taskId)]);
  let inner: Run | undefined;
  const manager = open({
    maxDepth: 3,
    maxConcurrent: 20,
    checkConsumerSpawn: (params) => {
      if (params.instructions === 'gate') look('a gate', () => manager.spawn({ instructions: 'x' }));
      return { allowed: true };
    },
    async spawnSubAgent({ instructions }, run) {
      called.add(run.taskId);
      if (instructions === 'host') look('the host function', () => run.spawn({ instructions: 'x' }));
      inner = run;
      await Promise.resolve();
      if (instructions === 'host') look('the host function, later', () => run.spawn({ instructions: 'x' }));
      return done();
    },
  });
  look('the program', () => manager.spawn({ instructions: 'x' }));
  look('the host function', () => manager.spawn({ instructions: 'host' }));
  await settled();
  await manager.createSubAgentTool().execute({ instructions: 'gate' });
  let isFirst = true;
  const stop = manager.subscribe(() => {
    if (isFirst) {
      isFirst = false;
      look('a listener', () => manager.spawn({ instructions: 'x' }));
    }
  });
  const handle = manager.spawn({ instructions: 'x' });
  stop();
  await handle.wait().then(() => look('what follows a wait', () => manager.spawn({ instructions: 'x' })));
  expect(inner).toBeDefined();
  // Within the outer call the decision is made at once, and carried out when that call has come so far.
  expect(Object.fromEntries(found)).toEqual({
    'the program': true,
    'the host function': true,
    'the host function, later': true,
    'a gate': true,
    'a listener': false,
    'what follows a wait': true,
  });
  expect(found.filter(([where]) => where === 'the host function')).toEqual([
    ['the host function', false],
    ['the host function', true],
  ]);
  await settled();
  expect(called.size).toBe(manager.list().total);
});

test('of runs whose host functions return together, a listener that is notified of the first end finds all of them ended', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const manager = open({
    maxConcurrent: 2,
    spawnSubAgent: async ({ instructions }) => {
      await released;
      if (instructions === 'b') throw new Error('no answer');
      return done();
    },
  });
  const handles = ['a', 'b', 'c'].map((instructions) => manager.spawn({ instructions }));
  const received: string[] = [];
  let found: string[] | undefined;
  manager.subscribe((event) => {
    const at = handles.findIndex(({ taskId }) => 'taskId' in event && taskId === event.taskId);
    received.push(`${event.type} ${'abc'[at]}`);
    found ??= handles.map((handle) => manager.get(handle).status);
  });
  release();
  await Promise.all(handles.map((handle) => handle.wait()));
  expect(received.slice(0, 3)).toEqual(['run_ended a', 'run_started c', 'run_ended b']);
  expect(found).toEqual(['completed', 'failed', 'running']);
});

test.each([0, 1, 2, 3, 4, 5])('a run that is cancelled %i microtasks after its host function could return has one end', async (later) => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const manager = open({ spawnSubAgent: () => released.then(() => done()) });
  const handle = manager.spawn({ instructions: 'x' });
  let ends = 0;
  manager.subscribe(({ type }) => void (type === 'run_ended' && ends++));
  let before: Promise<unknown> = released;
  for (let i = 0; i < later; i++) before = before.then(() => undefined);
  void before.then(() => handle.cancel());
  release();
  const { status, stopReason } = await handle.wait();
  await settled();
  expect(ends).toBe(1);
  expect(manager.get(handle)).toMatchObject({ status, stopReason });
  expect(manager.getConcurrencyInfo().active).toBe(0);
});
