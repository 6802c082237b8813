// A drain where a store is (D8): running work ends, and what is queued is left to the process that opens the store next.

import { afterEach, expect, test } from 'vitest';
import { type HostResult, type OpenOptions, type Run, type SubAgentError, SubAgentManager } from '../../../dist/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'> = {}): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ spawnSubAgent: async () => ({ output: 'done' }), ...options, store });
  opened.push(manager);
  return manager;
}

/** The next process, and what it has called its host function with. */
async function next(store: WatchedStore): Promise<{ manager: SubAgentManager; prompts: string[] }> {
  const prompts: string[] = [];
  const manager = await open(watchedStore(store.records), {
    maxDepth: 2,
    spawnSubAgent: async (_, run) => {
      prompts.push(run.prompt);
      return { output: 'done' };
    },
  });
  return { manager, prompts };
}

test('D8 queued work, messages and attempts that wait are left, and go on in the next process', async () => {
  const store = watchedStore();
  let finish = (): void => undefined;
  const first = await open(store, {
    maxConcurrent: 1,
    retry: { max: 1, backoffMs: 1 },
    spawnSubAgent: async (_, run) => {
      if (run.prompt === 'fails') throw new Error('no');
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { output: `${run.prompt} is done` };
    },
  });
  const failed = first.spawn({ instructions: 'fails', background: true });
  const running = first.spawn({ instructions: 'runs', background: true });
  const queued = first.spawn({ instructions: 'queued', background: true });
  await settled();
  expect(running.status).toBe('running');
  first.send(running, 'and then this');
  const drained = first.drain();
  expect(() => first.spawn({ instructions: 'late' })).toThrow(expect.objectContaining({ code: 'draining' }));
  finish();
  expect(await drained).toEqual({ ended: 1, cancelled: 0, stillRunning: 0, timedOut: false });
  expect([failed.status, running.status, queued.status]).toEqual(['pending', 'pending', 'pending']);
  const ids = [failed, running, queued].map(({ taskId }) => taskId);
  await first[Symbol.asyncDispose]();

  const prompts: string[] = [];
  const second = await open(watchedStore(store.records), {
    spawnSubAgent: async (_, run) => {
      prompts.push(run.prompt);
      return { output: 'done' };
    },
  });
  const { completed } = await second.wait(ids);
  expect(completed.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(prompts.sort()).toEqual(['and then this', 'fails', 'queued']);
  expect((await second.spawn({ instructions: 'new' }).wait()).status).toBe('completed');
});

test('D8 what a run waits for is still started', async () => {
  const store = watchedStore();
  const first = await open(store, {
    maxConcurrent: 2,
    maxDepth: 2,
    spawnSubAgent: async (_, run) => {
      if (run.depth === 2) return { output: 'child' };
      // Queued behind `other` at first: both slots are held.
      const child = run.spawn({ instructions: 'below', background: true });
      await settled();
      await settled();
      const { completed } = await run.wait([child]);
      return { output: `with ${completed[0]?.output}` };
    },
  });
  const parents = ['one', 'two'].map((instructions) => first.spawn({ instructions }));
  const other = first.spawn({ instructions: 'other' });
  await settled();
  expect(parents.map(({ status }) => status)).toEqual(['running', 'running']);
  const outputs = Promise.all(parents.map(async (parent) => (await parent.wait()).output));
  expect(await first.drain({ timeoutMs: 60_000 })).toMatchObject({ cancelled: 0, stillRunning: 0, timedOut: false });
  expect(await outputs).toEqual(['with child', 'with child']);
  expect(other.status).toBe('pending');
});

test('D8 B5 so is what a run waits for whose host function has returned, under a budget too', async () => {
  const returns = new Map<string, () => void>();
  const first = await open(watchedStore(), {
    maxConcurrent: 2,
    maxDepth: 2,
    budget: { tokens: 10_000 },
    spawnSubAgent: async (_, run) => {
      if (run.prompt === 'top') run.spawn({ instructions: 'below', background: true, onParentEnd: 'wait' });
      if (run.depth === 1) await new Promise<void>((resolve) => returns.set(run.prompt, resolve));
      return { output: run.prompt };
    },
  });
  first.spawn({ instructions: 'other', background: true });
  await settled();
  const top = first.spawn({ instructions: 'top', background: true });
  await settled();
  const drained = first.drain({ timeoutMs: 60_000 });
  // There is a slot for `below` now, but the drain leaves it as long as `top` doesn't wait for it.
  returns.get('other')?.();
  await settled();
  expect(first.list({ filter: { parent: top } }).items).toMatchObject([{ status: 'pending' }]);
  returns.get('top')?.();
  await drained;
  expect(first.list({ filter: { parent: top } }).items).toMatchObject([{ status: 'completed', output: 'below' }]);
});

test('D8 B5 what no run waits for any more is left in that very step, though its budget is spent', async () => {
  const store = watchedStore();
  const runs = new Map<string, Run>();
  let finish = (): void => undefined;
  const spawnSubAgent = (_: unknown, run: Run): Promise<HostResult> => {
    runs.set(run.label, run);
    if (run.label !== 'lead') return never;
    return new Promise((resolve) => {
      finish = () => resolve({ output: 'done' });
    });
  };
  const first = await open(store, { spawnSubAgent, maxDepth: 2, abandonMs: 20, turnEstimate: 100, taskBudget: { tokens: 500 } });
  first.spawn({ label: 'lead', instructions: 'lead', background: true });
  await settled();
  const lead = runs.get('lead') as Run;
  const lost = lead.spawn({ label: 'lost', instructions: 'never returns' });
  const awaited = lead.spawn({ instructions: 'waits for budget', background: true, onParentEnd: 'wait' });
  const other = lead.spawn({ instructions: 'waits for budget, too', background: true });
  await settled();
  await lead.close(lost, { graceMs: 0 });
  const drained = first.drain();
  finish();
  // All that the lead may spend is booked with the host function that is given up: what it waits for ends, and it with that.
  expect(await drained).toMatchObject({ timedOut: false });
  expect(awaited.snapshot()).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted' });
  expect(other.status).toBe('pending');
});

test('D8 at its end a drain stops what still runs, and leaves what is queued all the same', async () => {
  const store = watchedStore();
  const first = await open(store, { maxConcurrent: 1, graceMs: 0, spawnSubAgent: () => never });
  const running = first.spawn({ instructions: 'runs', background: true });
  const queued = first.spawn({ instructions: 'queued', background: true });
  await settled();
  expect(await first.drain({ timeoutMs: 10 })).toMatchObject({ cancelled: 1, timedOut: true });
  expect([running.status, queued.status]).toEqual(['cancelled', 'pending']);
  const { taskId } = queued;
  await first[Symbol.asyncDispose]();
  const second = await open(watchedStore(store.records));
  expect((await second.wait([taskId])).completed[0]?.status).toBe('completed');
});

test('D8 what still runs when its time is over is stopped and left, where `onHostLost` has lost work queued again', async () => {
  const store = watchedStore();
  const reported: string[] = [];
  const first = await open(store, {
    onHostLost: 'resume',
    budget: { tokens: 100_000 },
    spawnSubAgent: (_, run) =>
      new Promise((resolve) => {
        void run.checkpoint(`${run.prompt}, half`);
        run.signal.addEventListener('abort', () => {
          reported.push(run.prompt);
          if (run.prompt === 'heeds') resolve({ output: 'stopped', usage: { tokens: 5 } });
        });
      }),
  });
  const [heeds, ignores] = ['heeds', 'ignores'].map((instructions) => first.spawn({ instructions, background: true }).taskId) as [
    string,
    string,
  ];
  const waiting = first.wait([heeds]).catch(({ code }) => code);
  await settled();
  first.setLimits({ graceMs: 20 });
  expect(await first.drain({ timeoutMs: 1 })).toMatchObject({ ended: 0, cancelled: 0, timedOut: true });
  expect(reported.sort()).toEqual(['heeds', 'ignores']);
  expect([heeds, ignores].map((id) => first.get(id).status)).toEqual(['pending', 'pending']);
  expect(first.inbox.peek()).toEqual([]);
  await first[Symbol.asyncDispose]();
  expect(await waiting).toBe('disposed');

  const from: unknown[] = [];
  const second = await open(watchedStore(store.records), {
    spawnSubAgent: async (_, run) => {
      from.push([run.run, run.checkpointed, run.previousError?.reason]);
      return { output: 'done' };
    },
  });
  const { completed } = await second.wait([heeds, ignores]);
  expect(completed.map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect(from.sort()).toEqual([
    [2, 'heeds, half', 'drained'],
    [2, 'ignores, half', 'drained'],
  ]);
});

test('D8 it is cancelled where lost work ends', async () => {
  const first = await open(watchedStore(), { spawnSubAgent: () => never, graceMs: 1 });
  const { taskId } = first.spawn({ instructions: 'x' });
  expect(await first.drain({ timeoutMs: 1 })).toMatchObject({ cancelled: 1, timedOut: true });
  expect(first.get(taskId)).toMatchObject({ status: 'cancelled', stopReason: 'drained' });
});

test('D8 L4 what was asked to wrap up ends for that, and is not begun again', async () => {
  const store = watchedStore();
  const first = await open(store, {
    onHostLost: 'requeue',
    graceMs: 5_000,
    spawnSubAgent: async (_, run) => {
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return { output: 'what there is' };
    },
  });
  const { taskId } = first.spawn({ instructions: 'x', background: true, timeoutMs: 1 });
  await settled();
  expect(await first.drain({ timeoutMs: 1 })).toMatchObject({ ended: 1, cancelled: 0, timedOut: true });
  const end = { run: 1, status: 'timed_out', stopReason: 'timeout', partial: true, output: 'what there is' };
  expect(first.get(taskId)).toMatchObject(end);
  await first[Symbol.asyncDispose]();

  const second = await open(watchedStore(store.records));
  expect((await second.wait([taskId])).completed).toMatchObject([end]);
});

test('D8 a host function that runs on though its run is left to the next process is still running', async () => {
  const first = await open(watchedStore(), {
    onHostLost: 'requeue',
    graceMs: 1,
    spawnSubAgent: async (_, run) => {
      if (run.prompt === 'deaf') return never;
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      return { output: 'heard' };
    },
  });
  const handles = ['deaf', 'hears'].map((instructions) => first.spawn({ instructions, background: true }));
  await settled();
  expect(await first.drain({ timeoutMs: 1 })).toEqual({ ended: 0, cancelled: 0, stillRunning: 1, timedOut: true });
  expect(handles.map(({ status }) => status)).toEqual(['pending', 'pending']);
});

test('D8 C3 a run whose host function has returned waits on for its sub-agent, in the next process', async () => {
  const store = watchedStore();
  const first = await open(store, {
    maxDepth: 2,
    graceMs: 1,
    onHostLost: 'requeue',
    spawnSubAgent: async (_, run) => {
      if (run.depth === 2) return never;
      run.spawn({ instructions: 'below', background: true, onParentEnd: 'wait' });
      return { output: 'above' };
    },
  });
  const { taskId } = first.spawn({ instructions: 'top', background: true });
  await settled();
  const { timedOut } = await first.drain({ timeoutMs: 1 });
  expect(timedOut).toBe(true);
  // What it left is not begun again where nothing may start any more.
  expect(first.list().items.map(({ status }) => status)).toEqual(['running', 'pending']);
  await first[Symbol.asyncDispose]();

  const called: string[] = [];
  const second = await open(watchedStore(store.records), {
    maxDepth: 2,
    onHostLost: 'requeue',
    spawnSubAgent: async (_, run) => {
      called.push(`${run.prompt} ${run.run}`);
      return { output: 'below' };
    },
  });
  const { completed } = await second.wait([taskId]);
  expect(completed).toMatchObject([{ status: 'completed', output: 'above', run: 1 }]);
  expect(called).toEqual(['below 2']);
});

test('D8 C3 what works for a run that the drain has ended ends with it, though it returns later', async () => {
  const store = watchedStore();
  const first = await open(store, {
    maxDepth: 2,
    graceMs: 1_000,
    onHostLost: 'requeue',
    spawnSubAgent: async (_, run) => {
      if (run.prompt === 'above') {
        run.spawn({ instructions: 'below' });
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        return { output: 'first' };
      }
      await new Promise((resolve) => run.signal.addEventListener('abort', () => setTimeout(resolve, 20)));
      return { output: 'later' };
    },
  });
  const above = first.spawn({ instructions: 'above', background: true });
  await settled();
  const below = first.list({ filter: { parent: above } }).items[0]?.taskId as string;
  await first.drain({ timeoutMs: 0 });
  expect([above.status, first.get(below).status]).toEqual(['pending', 'cancelled']);
  await first[Symbol.asyncDispose]();

  const { manager: second, prompts } = await next(store);
  await second.wait([above.taskId]);
  await settled();
  expect(prompts).toEqual(['above']);
});

test('D8 messages of what a drain has to stop wait for the next process with it', async () => {
  const store = watchedStore();
  const first = await open(store, { graceMs: 1, onHostLost: 'resume', spawnSubAgent: () => never });
  const { taskId } = first.spawn({ instructions: 'long work', background: true });
  await settled();
  first.send(taskId, 'and this');
  await first.drain({ timeoutMs: 1 });
  expect(first.get(taskId)).toMatchObject({ status: 'pending', queueSize: 1, undelivered: [] });
  await first[Symbol.asyncDispose]();

  const called: string[] = [];
  const second = await open(watchedStore(store.records), {
    onHostLost: 'resume',
    spawnSubAgent: async (_, run) => {
      called.push(run.prompt);
      return { output: 'done' };
    },
  });
  await second.wait([taskId], { until: 'idle' });
  expect(called).toEqual(['long work', 'and this']);
});

test('D8 J3 they stay as well where the run that they wait behind ends for good, as after a crash', async () => {
  const lives = async (drains: boolean): Promise<unknown> => {
    const store = watchedStore();
    const first = await open(store, { onHostLost: 'fail', graceMs: 0, spawnSubAgent: () => never });
    const { taskId } = first.spawn({ instructions: 'long work', background: true });
    await settled();
    first.send(taskId, 'and this');
    await first.flush();
    const records = store.records.slice();
    if (drains) await first.drain({ timeoutMs: 1 });
    await first[Symbol.asyncDispose]();

    const called: string[] = [];
    const second = await open(watchedStore(drains ? store.records : records), {
      onHostLost: 'fail',
      spawnSubAgent: async (_, run) => {
        called.push(run.prompt);
        return { output: 'done' };
      },
    });
    await second.wait([taskId], { until: 'idle' });
    return [called, second.get(taskId).undelivered, second.inbox.lease().map(({ run, stopReason }) => [run, stopReason])];
  };
  expect(await lives(true)).toEqual([['and this'], [], [[1, 'drained']]]);
  expect(await lives(false)).toEqual([['and this'], [], [[1, 'host_lost']]]);
});

test('D8 L6 so do those of what its time has stopped, also where lost work ends', async () => {
  const store = watchedStore();
  const first = await open(store, {
    graceMs: 50,
    idleTimeoutMs: 1,
    spawnSubAgent: (_, run) => {
      run.report({ tokens: 1 });
      return never;
    },
  });
  const { taskId } = first.spawn({ instructions: 'silent', background: true });
  await settled();
  first.send(taskId, 'and this');
  await first.drain({ timeoutMs: 10 });
  expect(first.get(taskId)).toMatchObject({ status: 'pending', run: 2, undelivered: [] });
  await first[Symbol.asyncDispose]();

  const called: string[] = [];
  const second = await open(watchedStore(store.records), {
    spawnSubAgent: async (_, run) => {
      called.push(run.prompt);
      return { output: 'done' };
    },
  });
  await second.wait([taskId], { until: 'idle' });
  expect(called).toEqual(['and this']);
});

test.each<[string, Omit<OpenOptions, 'store'> | undefined]>([
  ['without a store', undefined],
  ['with a store that lets it fail', { onHostLost: 'fail' }],
  ['with a store that goes on', { onHostLost: 'resume' }],
])('D8 a run at work delegates until the time is over, %s', async (_, options) => {
  let begin = (): void => undefined;
  const calls = {
    maxDepth: 2,
    // The child has the slot that its caller gives up.
    maxConcurrent: 1,
    spawnSubAgent: async ({ instructions }: { instructions: string }, run: Run): Promise<HostResult> => {
      if (run.depth === 2) return { output: instructions };
      await new Promise<void>((resolve) => (begin = resolve));
      const refused = { code: '' };
      if (options === undefined)
        try {
          run.spawn({ instructions: 'later', background: true });
        } catch (error) {
          Object.assign(refused, error);
        }
      const child = run.spawn({ instructions: 'part' });
      const outputs = [(await child.wait()).output];
      // One begins at once, the other waits behind it.
      expect([child.send('more').receipt, child.send('the rest').receipt]).toEqual(['started', 'queued']);
      await run.wait([child], { until: 'idle' });
      outputs.push(child.snapshot().output ?? '');
      return { output: `whole with ${outputs.join(', ')} ${refused.code}`.trim() };
    },
  };
  const manager = options === undefined ? new SubAgentManager(calls) : await open(watchedStore(), { ...options, ...calls });
  const whole = manager.spawn({ instructions: 'whole', background: true });
  await settled();
  const drained = manager.drain({ timeoutMs: 60_000 });
  begin();
  expect(await drained).toEqual({ ended: 4, cancelled: 0, stillRunning: 0, timedOut: false });
  const output = options === undefined ? 'whole with part, the rest draining' : 'whole with part, the rest';
  expect(whole.snapshot()).toMatchObject({ status: 'completed', output });
  manager.dispose();
});

test('D8 what a run spawns in the background meanwhile is done by the next process, and nothing once the time is over', async () => {
  const store = watchedStore();
  let begin = (): void => undefined;
  const first = await open(store, {
    maxDepth: 2,
    spawnSubAgent: async (_, run) => {
      await new Promise<void>((resolve) => (begin = resolve));
      run.spawn({ instructions: 'later', background: true });
      return { output: 'done' };
    },
  });
  const { taskId } = first.spawn({ instructions: 'lead', background: true });
  await settled();
  const drained = first.drain({ timeoutMs: 60_000 });
  begin();
  expect(await drained).toMatchObject({ ended: 1, timedOut: false });
  expect(first.list({ filter: { status: ['pending'] } }).items.map(({ instructions }) => instructions)).toEqual(['later']);
  await first[Symbol.asyncDispose]();

  const { manager: second, prompts } = await next(store);
  await second.wait([...second.list().items.map((each) => each.taskId)]);
  expect([prompts, second.get(taskId).status]).toEqual([['later'], 'completed']);

  const refused: unknown[] = [];
  const third = await open(watchedStore(), { maxDepth: 2, graceMs: 60_000, spawnSubAgent: async (_, run) => lateSpawn(run, refused) });
  third.spawn({ instructions: 'late', background: true });
  await settled();
  await third.drain({ timeoutMs: 0 });
  expect(refused).toEqual(['actor_ended']);
});

async function lateSpawn(run: Run, refused: unknown[]): Promise<HostResult> {
  await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
  try {
    run.spawn({ instructions: 'too late', background: true });
  } catch (error) {
    refused.push((error as SubAgentError).code);
  }
  return { output: 'stopped' };
}

test('D8 where a run ends for good, the queued work that it waits for ends at once', async () => {
  const manager = await open(watchedStore(), {
    onHostLost: 'fail',
    maxDepth: 2,
    maxConcurrent: 1,
    graceMs: 60_000,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'blocker') return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: '' })));
      const child = await run.spawn({ instructions: 'child' }).wait();
      return { output: `the child: ${child.stopReason}` };
    },
  });
  const lead = manager.spawn({ instructions: 'lead', background: true });
  manager.spawn({ instructions: 'blocker', background: true, priority: 5 });
  await settled();
  expect(lead.snapshot()).toMatchObject({ status: 'running', parked: 'children' });
  expect(await manager.drain({ timeoutMs: 0 })).toMatchObject({ cancelled: 2, stillRunning: 0 });
  expect(lead.snapshot()).toMatchObject({ stopReason: 'drained', output: 'the child: parent_ended' });
});
