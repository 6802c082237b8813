// What a process finds that takes work over (J3, D8): what had begun has its slots again before anything that only waited, and
// the sub-agents of a run that goes on from its checkpoint go on with it.

import { afterEach, describe, expect, test } from 'vitest';
import { type Json, type OpenOptions, type Run, SubAgentManager } from '../../../dist/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A host function that does what its signal says. */
function untilStopped(run: Run): Promise<{ output: string }> {
  return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'stopped' })));
}

async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'>): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ maxDepth: 3, ...options, store });
  opened.push(manager);
  return manager;
}

/** A store with what was kept until now: the process is killed. */
async function killed(manager: SubAgentManager, store: WatchedStore): Promise<WatchedStore> {
  await settled();
  await manager.flush();
  return watchedStore(store.records);
}

/** The ends that a manager reports, by label: how often each came, and why. */
function endsOf(manager: SubAgentManager): string[] {
  const ends: string[] = [];
  manager.subscribe((event) => {
    if (event.type === 'run_ended') ends.push(`${manager.get(event.taskId as string).label} ${event.stopReason}`);
  });
  return ends;
}

describe('D1 J3 what held a slot has it again before anything that only waited', () => {
  /** Host functions that stay open, and in which order they were called. */
  function host(called: string[], children: Record<string, string> = {}): Pick<OpenOptions, 'spawnSubAgent'> {
    return {
      spawnSubAgent: async (_, run) => {
        called.push(run.label);
        const child = children[run.label];
        if (child !== undefined) await run.spawn({ instructions: child, label: child }).wait();
        return never;
      },
    };
  }

  test.each(['requeue', 'resume'] as const)('`%s`: also before work of a higher priority, and over two restarts', async (onHostLost) => {
    let store = watchedStore();
    const first = await open(store, { maxConcurrent: 2, ...host([]) });
    for (const label of ['one', 'two', 'three', 'four']) first.spawn({ instructions: 'x', label, background: true });
    first.spawn({ instructions: 'x', label: 'urgent', background: true, priority: 9 });
    let before = first;
    for (let restart = 0; restart < 2; restart += 1) {
      store = await killed(before, store);
      const called: string[] = [];
      before = await open(store, { maxConcurrent: 2, onHostLost, ...host(called) });
      before.spawn({ instructions: 'x', label: 'new', background: true, priority: 1_000 });
      await settled();
      expect(called).toEqual(['one', 'two']);
      expect(before.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 4 + restart });
    }
  });

  test('one that had given its slot up comes after those that held one, and before what comes new', async () => {
    const store = watchedStore();
    const first = await open(store, { maxConcurrent: 2, ...host([], { parent: 'child' }) });
    for (const label of ['parent', 'other', 'waits']) first.spawn({ instructions: 'x', label, background: true });
    await settled();
    expect(first.getConcurrencyInfo()).toMatchObject({ active: 2, parked: 1, queued: 1 });

    const called: string[] = [];
    const second = await open(await killed(first, store), { maxConcurrent: 2, onHostLost: 'resume', ...host(called) });
    await settled();
    expect(called).toEqual(['child', 'other']);
    second.spawn({ instructions: 'x', label: 'urgent', background: true, priority: 1_000 });
    second.setLimits({ maxConcurrent: 3 });
    await settled();
    expect(called[2]).toBe('parent');
    second.setLimits({ maxConcurrent: 5 });
    await settled();
    expect(called.slice(3)).toEqual(['urgent', 'waits']);
  });

  test('D8 what a drain has stopped goes on before what only waited, too', async () => {
    const store = watchedStore();
    const first = await open(store, {
      maxConcurrent: 1,
      onHostLost: 'requeue',
      spawnSubAgent: (_, run) => untilStopped(run),
    });
    for (const label of ['runs', 'waits']) first.spawn({ instructions: 'x', label, background: true });
    await settled();
    await first.drain({ timeoutMs: 0 });
    const called: string[] = [];
    await open(await killed(first, store), { maxConcurrent: 1, onHostLost: 'requeue', ...host(called) });
    await settled();
    expect(called).toEqual(['runs']);
  });
});

describe('C3 J3 the sub-agents of a run that was lost', () => {
  interface Told {
    readonly ids: string[];
  }
  const LABELS = ['foreground', 'background', 'nested', 'queued'];

  /**
   * A run that has begun work for itself and is killed: in the foreground and the background, with work below it, and
   * queued. `later` is what its host function does in the next process, where all others finish.
   */
  async function lost(options: Omit<OpenOptions, 'store'>, later: (run: Run) => Promise<{ output: string }>) {
    const store = watchedStore();
    const first = await open(store, {
      maxConcurrent: 4,
      ...options,
      spawnSubAgent: async (_, run) => {
        if (run.label === 'background') run.spawn({ instructions: 'x', label: 'nested', background: true });
        if (run.label !== 'parent') return never;
        const foreground = run.spawn({ instructions: 'x', label: 'foreground' });
        const background = run.spawn({ instructions: 'x', label: 'background', background: true });
        await settled();
        const queued = run.spawn({ instructions: 'x', label: 'queued', background: true });
        await run.checkpoint({ ids: [foreground, background, queued].map(({ taskId }) => taskId) });
        return never;
      },
    });
    const { taskId } = first.spawn({ instructions: 'x', label: 'parent', background: true });
    await settled();
    await settled();
    expect(first.getConcurrencyInfo()).toMatchObject({ active: 4, queued: 1 });
    const called: string[] = [];
    const second = await open(await killed(first, store), {
      maxConcurrent: 4,
      ...options,
      spawnSubAgent: async (_, run) => {
        called.push(run.label);
        return run.label === 'parent' ? later(run) : { output: `${run.label} is done` };
      },
    });
    const ends = endsOf(second);
    const of = (label: string) => second.list().items.find((task) => task.label === label);
    return { second, taskId, called, ends, of };
  }

  test('`resume`: all go on; it can wait for them by their ids, and each ends once', async () => {
    const { second, taskId, called, ends } = await lost({ onHostLost: 'resume' }, async (run) => {
      const { ids } = run.checkpointed as unknown as Told & Json;
      const { completed } = await run.wait(ids, { mode: 'all' });
      return { output: completed.map(({ label, status }) => `${label} ${status}`).join(', ') };
    });
    const [result] = (await second.wait([taskId])).completed;
    expect(result?.output).toBe('foreground completed, background completed, queued completed');
    while (second.getConcurrencyInfo().active > 0) await settled();
    expect(called.toSorted()).toEqual([...LABELS, 'parent'].toSorted());
    expect(ends.toSorted()).toEqual([...LABELS, 'parent'].map((label) => `${label} finished`).toSorted());
  });

  test('`resume`: ends that it does not wait for are delivered to it, or collected with its own', async () => {
    const { second, taskId, ends, of } = await lost({ onHostLost: 'resume' }, async (run) => {
      while (run.list().items.some(({ status }) => status !== 'completed')) await settled();
      const turn = await run.beforeTurn();
      return { output: turn.go ? `${turn.inject?.length} texts` : 'no turn' };
    });
    const [result] = (await second.wait([taskId])).completed;
    // The end of what worked below the one in the background went to it when that had ended.
    expect(result?.output).toBe('3 texts');
    expect(ends.filter((end) => end.endsWith('finished')).length).toBe(5);
    expect(of('foreground')?.status).toBe('completed');
    expect(second.inbox.peek().map(({ label }) => label)).toEqual([]);
  });

  test('`resume`: an end that comes before it has its slot again is kept for it', async () => {
    const store = watchedStore();
    const waits = async (run: Run) => (await run.wait(run.list().items.map(({ taskId }) => taskId))).completed;
    const first = await open(store, {
      maxConcurrent: 1,
      spawnSubAgent: async (_, run) => {
        if (run.label === 'child') return never;
        await run.spawn({ instructions: 'x', label: 'child' }).wait();
        return { output: 'never here' };
      },
    });
    const { taskId } = first.spawn({ instructions: 'x', label: 'parent' });
    const called: string[] = [];
    const second = await open(await killed(first, store), {
      maxConcurrent: 1,
      onHostLost: 'resume',
      retain: 0,
      spawnSubAgent: async (_, run) => {
        called.push(run.label);
        return { output: run.label === 'child' ? 'for my parent' : (await waits(run)).map(({ output }) => output).join() };
      },
    });
    expect((await second.wait([taskId])).completed[0]?.output).toBe('for my parent');
    expect(called).toEqual(['child', 'parent']);
  });

  test('`resume`: those of one that a drain has stopped go on in the next process', async () => {
    const store = watchedStore();
    const first = await open(store, {
      onHostLost: 'resume',
      spawnSubAgent: async (_, run) => {
        if (run.label === 'parent') run.spawn({ instructions: 'x', label: 'child' });
        return untilStopped(run);
      },
    });
    const { taskId } = first.spawn({ instructions: 'x', label: 'parent', background: true });
    await settled();
    await first.drain({ timeoutMs: 0 });
    const second = await open(await killed(first, store), {
      onHostLost: 'resume',
      spawnSubAgent: async (_, run) => {
        if (run.label === 'child') return { output: 'it went on' };
        const { completed } = await run.wait(run.list().items.map(({ taskId }) => taskId));
        return { output: completed.map(({ output, stopReason }) => `${stopReason}: ${output}`).join() };
      },
    });
    expect((await second.wait([taskId])).completed[0]?.output).toBe('finished: it went on');
  });

  test('`resume`: once the run that goes on ends badly or is cancelled, they are cancelled with it', async () => {
    const { second, taskId, ends, of } = await lost({ onHostLost: 'resume' }, untilStopped);
    await second.cancel(taskId);
    for (const label of LABELS) expect(of(label)?.status).toMatch(/^(completed|cancelled)$/);
    expect(new Set(ends).size).toBe(ends.length);
    expect(second.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 0, parked: 0 });
  });

  test.each([
    ['`requeue`: it begins again from nothing and would start them once more, so they end', { onHostLost: 'requeue' }],
    ['X5 `fail` with `retry`: the attempt has failed, so they end', { onHostLost: 'fail', retry: { max: 1, backoffMs: 1 } }],
  ] as const)('%s', async (_, options) => {
    const { second, taskId, called, of } = await lost(options, async (run) => ({ output: `from ${run.checkpointed}` }));
    const [result] = (await second.wait([taskId])).completed;
    expect(result).toMatchObject({ status: 'completed', output: 'from undefined', run: 2 });
    expect(called).toEqual(['parent']);
    for (const label of LABELS) expect(of(label)?.status).toMatch(/^(cancelled|failed)$/);
  });
});
