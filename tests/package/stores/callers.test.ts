// A run and the sub-agent that works for it, which a drain stops together or a process loses together: the sub-agent goes on with
// its caller where that goes on (`resume`), else it ends once, with what it had done (C3, D8, J3).

import { describe, expect, test } from 'vitest';
import type { Run } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener({ maxDepth: 2 });

/** Calls of host functions, as `prompt run`; the next process only notes them. */
const noting =
  (called: string[]) =>
  async (_: object, run: Run): Promise<never> => {
    called.push(`${run.prompt} ${run.run}`);
    return never;
  };

/** A caller that never returns, and its sub-agent, whose host function is `below`. */
async function both(options: Options, background: boolean, below: (run: Run) => Promise<{ output: string }>) {
  const store = watchedStore();
  const first = await open(store, {
    graceMs: 1,
    ...options,
    spawnSubAgent: async (_, run) => {
      if (run.depth === 2) return below(run);
      run.spawn({ instructions: 'below', background });
      return never;
    },
  });
  const { taskId } = first.spawn({ instructions: 'above', background: true });
  await settled();
  const child = first.list({ filter: { parent: taskId } }).items[0]?.taskId as string;
  return { store, first, taskId, child };
}

const half = (run: Run): Promise<never> => {
  run.report({ message: 'half way', tokens: 7 });
  return never;
};
/** Waits by a tool, for as long as a model may. */
const waiting = async (run: Run, signal?: AbortSignal): Promise<unknown> => {
  run.spawn({ instructions: 'below' });
  return run.createTools().wait_agents?.execute({}, { ...(signal && { signal }) });
};
const ends = { status: 'cancelled', stopReason: 'parent_ended', run: 1, partial: true, output: 'half way' };

describe.each([false, true])('where the caller begins anew (`requeue`), in the background: %s', (background) => {
  test('D8 C3 S4 its sub-agent ends once, and its host function counts as one that was given up', async () => {
    const { store, first, taskId, child } = await both({ onHostLost: 'requeue', abandonMs: 1 }, background, half);
    await first.drain({ timeoutMs: 1 });
    await settled();
    expect(first.get(taskId)).toMatchObject({ status: 'pending', run: 2 });
    expect(first.get(child)).toMatchObject({ ...ends, usage: { tokens: 7 }, hostStillRunning: true });
    expect(first.getConcurrencyInfo()).toMatchObject({ abandoned: 1 });
    await first[Symbol.asyncDispose]();

    const called: string[] = [];
    const second = await open(watchedStore(store.records), { spawnSubAgent: noting(called) });
    await settled();
    expect(called).toEqual(['above 2']);
    expect(second.get(child)).toMatchObject({ ...ends, hostStillRunning: false });
  });

  test('D8 C3 what its host function returns in its grace is its partial output', async () => {
    const heeds = (run: Run): Promise<{ output: string }> =>
      new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'half way' })));
    const { first, child } = await both({ onHostLost: 'requeue', graceMs: 50 }, background, heeds);
    await first.drain({ timeoutMs: 1 });
    expect(first.get(child)).toMatchObject({ ...ends, hostStillRunning: false });
  });

  test('J3 C3 so it does where their process is lost', async () => {
    const { store, first, taskId, child } = await both({}, background, half);
    await first.flush();
    const called: string[] = [];
    const second = await open(watchedStore(store.records), { onHostLost: 'requeue', spawnSubAgent: noting(called) });
    await settled();
    expect(second.get(taskId)).toMatchObject({ status: 'running', run: 2 });
    expect(second.get(child)).toMatchObject({ ...ends, usage: { tokens: 7 } });
    expect(called).toEqual(['above 2']);
  });
});

describe('where the caller goes on (`resume`)', () => {
  test('D8 J3 C3 its sub-agent goes on with it, after a drain as after a crash', async () => {
    const { store, first, taskId, child } = await both({ onHostLost: 'resume' }, false, half);
    await first.drain({ timeoutMs: 1 });
    expect([taskId, child].map((id) => first.get(id).status)).toEqual(['pending', 'pending']);
    await first[Symbol.asyncDispose]();
    const called: string[] = [];
    const next = watchedStore(store.records);
    const second = await open(next, { spawnSubAgent: noting(called) });
    await settled();
    expect(called.sort()).toEqual(['above 2', 'below 2']);
    await second.flush();
    await open(watchedStore(next.records), { onHostLost: 'resume', spawnSubAgent: noting(called) });
    await settled();
    expect(called.slice(2).sort()).toEqual(['above 3', 'below 3']);
  });

  test.each<[string, (run: Run) => void]>([
    ['a spawn', (run) => void run.spawn({ instructions: 'below', signal: run.signal })],
    [
      'a spawn, with another',
      (run) => void run.spawn({ instructions: 'below', signal: AbortSignal.any([run.signal, new AbortController().signal]) }),
    ],
    [
      'a tool',
      (run) =>
        void run
          .createSubAgentTool()
          .execute({ instructions: 'below' }, { abortSignal: run.signal })
          .catch(() => undefined),
    ],
  ])('D8 C3 so it does where the signal of the caller was given to %s', async (_, delegate) => {
    const spawnSubAgent = async (_: object, run: Run): Promise<never> => {
      if (run.depth === 1) delegate(run);
      return never;
    };
    const statuses = async (onHostLost: 'resume' | 'fail'): Promise<unknown> => {
      const first = await open(watchedStore(), { graceMs: 1, onHostLost, spawnSubAgent });
      first.spawn({ instructions: 'above', background: true });
      await settled();
      await first.drain({ timeoutMs: 1 });
      await settled();
      return first.list().items.map(({ status, label }) => [label, status]);
    };
    expect(await statuses('resume')).toEqual([
      ['above', 'pending'],
      ['below', 'pending'],
    ]);
    expect(await statuses('fail')).toEqual([
      ['above', 'cancelled'],
      ['below', 'cancelled'],
    ]);
  });

  test.each<[string, (run: Run) => Promise<unknown>]>([
    ['a handle', (run) => run.spawn({ instructions: 'below' }).wait()],
    ['several', (run) => run.wait([run.spawn({ instructions: 'below' }).taskId], { timeoutMs: 60_000 })],
    ['a tool', async (run) => run.createSubAgentTool().execute({ instructions: 'below' })],
    ['a tool that waits', (run) => waiting(run)],
    ['a tool that waits, with the signal of the run', (run) => waiting(run, run.signal)],
  ])('D8 what the caller waits for by %s doesn’t hold up the drain that leaves both', async (_, delegate) => {
    const reported: unknown[] = [];
    const spawnSubAgent = async (_: object, run: Run): Promise<{ output: string }> => {
      if (run.depth === 2) return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'half way' })));
      await delegate(run).catch(({ code, details }) => reported.push([code, details.reason]));
      return { output: 'gave up' };
    };
    const store = watchedStore();
    const first = await open(store, { graceMs: 60_000, onHostLost: 'resume', spawnSubAgent });
    first.spawn({ instructions: 'above', background: true });
    await settled();
    expect(await first.drain({ timeoutMs: 1 })).toMatchObject({ stillRunning: 0, timedOut: true });
    expect(reported).toEqual([['aborted', 'drained']]);
    expect(first.list().items.map(({ status }) => status)).toEqual(['pending', 'pending']);
    await first[Symbol.asyncDispose]();
    const called: string[] = [];
    await open(watchedStore(store.records), { spawnSubAgent: noting(called) });
    await settled();
    expect(called.sort()).toEqual(['above 2', 'below 2']);
  });

  test.each<Options>([{ maxLost: 0 }, { budget: { tokens: 7 }, turnEstimate: 1 }])(
    'J3 C3 where the caller was lost too often, or has nothing left to spend, it ends with it: %o',
    async (options) => {
      const { store, first, taskId, child } = await both({}, false, half);
      await first.flush();
      const second = await open(watchedStore(store.records), { ...options, onHostLost: 'resume', spawnSubAgent: noting([]) });
      await settled();
      expect(second.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost', run: 1 });
      expect(second.get(child)).toMatchObject(ends);
    },
  );
});

test('D8 P1 a gate that a drain leaves unanswered is asked again in the next process', async () => {
  const reported: unknown[] = [];
  const asked: string[] = [];
  const policies = {
    subAgents: [{ beforeTool: ({ run }: { run: number }) => (asked.push(`run ${run}`) === 1 ? never : undefined), beforeEnd: () => never }],
  };
  const options: Options = {
    graceMs: 60_000,
    onHostLost: 'resume',
    policies,
    spawnSubAgent: async (_, run) => {
      const calls = run.run === 1 ? [run.beforeTool('pay'), run.beforeEnd('paid')] : [run.beforeTool('pay')];
      for (const call of calls) reported.push(await call.catch(({ code, details }) => [code, details.reason]));
      return { output: '' };
    },
  };
  const store = watchedStore();
  const first = await open(store, options);
  const { taskId } = first.spawn({ instructions: 'pay', background: true });
  await settled();
  await first.drain({ timeoutMs: 1 });
  await first[Symbol.asyncDispose]();
  const second = await open(watchedStore(store.records), options);
  await second.wait([taskId]);
  expect(reported).toEqual([['aborted', 'drained'], ['aborted', 'drained'], { allowed: true }]);
  expect(asked).toEqual(['run 1', 'run 2']);
});

describe('D8 M5 a question of a run that the drain leaves to the next process', () => {
  const asked: Record<string, (run: Run) => Promise<unknown>> = {
    'by the program': (run) => run.ask('Which colour?'),
    'by a model': async (run) => run.createTools({ include: [], ask: true }).ask_parent?.execute({ question: 'Which colour?' }),
  };
  test.each(Object.entries(asked))('has no answer in this one, and is asked again in the next: %s', async (_, ask) => {
    const reported: unknown[] = [];
    const options: Options = {
      graceMs: 60_000,
      onHostLost: 'resume',
      spawnSubAgent: async (_, run) => {
        const caught = ({ code, details }: { code: string; details: { reason: string } }): number => reported.push([code, details.reason]);
        const answer = await ask(run).catch(caught);
        // Asked anew by one that doesn't heed its signal.
        if (run.run === 1) await ask(run).catch(caught);
        return { output: JSON.stringify(answer) };
      },
    };
    const store = watchedStore();
    const first = await open(store, options);
    const { taskId } = first.spawn({ instructions: 'paint', background: true });
    await settled();
    expect(await first.drain({ timeoutMs: 1 })).toMatchObject({ stillRunning: 0, timedOut: true });
    expect(reported).toEqual([
      ['aborted', 'drained'],
      ['aborted', 'drained'],
    ]);
    expect(first.get(taskId)).toMatchObject({ status: 'pending', output: '' });
    await first[Symbol.asyncDispose]();
    const second = await open(watchedStore(store.records), options);
    expect((await second.wait([taskId])).needsInput).toMatchObject([{ taskId }]);
    second.send(taskId, 'red');
    expect((await second.wait([taskId])).completed).toMatchObject([{ run: 2, output: expect.stringContaining('red') }]);
  });
});
