// What sub-agents acquire outside of the manager (J7): when the program's `acquire` and `release` are called, and with what, also if
// they fail, and if the process is lost.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type Run, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** Options whose functions note what is called. */
function noting(): [Omit<OpenOptions, 'store'>, unknown[]] {
  const calls: unknown[] = [];
  let folders = 0;
  const options: SubAgentManagerOptions = {
    graceMs: 20,
    acquire: async ({ taskId, label }) => {
      calls.push(['acquire', label]);
      await settled();
      folders += 1;
      return { folder: folders, of: taskId };
    },
    release: async (taskId, data) => {
      calls.push(['release', data, (data as { of?: string } | undefined)?.of === taskId]);
    },
    spawnSubAgent: async ({ instructions }, run: Run) => {
      calls.push(['run', (run.acquired as { folder: number }).folder]);
      if (instructions === 'hang') await new Promise((resolve) => run.signal.addEventListener('abort', () => setTimeout(resolve, 10)));
      calls.push('returned');
      return { output: String(instructions) };
    },
  };
  return [options, calls];
}

function made(options: SubAgentManagerOptions): SubAgentManager {
  const manager = new SubAgentManager(options);
  opened.push(manager);
  return manager;
}

async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'>): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ ...options, store });
  opened.push(manager);
  return manager;
}

const folder = (number: number): unknown => ({ folder: number, of: expect.any(String) });

describe('J7 acquire and release', () => {
  test('once for a sub-agent, over its runs, until it is closed; anew once it is reopened', async () => {
    const [options, calls] = noting();
    const manager = made(options);
    const view = new View();
    view.begin(baseOf(manager));
    manager.subscribe((event) => view.add(event));
    const { taskId } = manager.spawn({ instructions: 'one', label: 'a' });
    await manager.wait([taskId]);
    manager.send(taskId, 'two');
    await manager.wait([taskId]);
    expect(calls.splice(0)).toEqual([['acquire', 'a'], ['run', 1], 'returned', ['run', 1], 'returned']);
    expect(JSON.parse(view.now.node({ taskId })?.acquired ?? '')).toEqual({ folder: 1, of: taskId });
    await manager.close(taskId);
    await settled();
    expect(view.now.node({ taskId })?.acquired).toBe(null);
    await manager.resume(taskId);
    manager.send(taskId, 'three');
    await manager.wait([taskId]);
    expect(calls.splice(0)).toEqual([['release', folder(1), true], ['acquire', 'a'], ['run', 2], 'returned']);
    await manager.close(taskId);
    manager.forget(taskId);
    await settled();
    expect(calls).toEqual([['release', folder(2), true]]);
  });

  test('after the host function has returned; by `forget` and by eviction too', async () => {
    const [options, calls] = noting();
    const manager = made({ ...options, retain: 1 });
    const { taskId } = manager.spawn({ instructions: 'hang', label: 'a' });
    await settled();
    await settled();
    await manager.close(taskId);
    await settled();
    await settled();
    expect(calls.splice(0)).toEqual([['acquire', 'a'], ['run', 1], 'returned', ['release', folder(1), true]]);
    for (const label of ['b', 'c', 'd']) await manager.spawn({ instructions: 'x', label }).wait();
    await settled();
    expect(calls.filter((call) => Array.isArray(call) && call[0] === 'release')).toEqual([
      ['release', folder(2), true],
      ['release', folder(3), true],
    ]);
  });

  test('a sub-agent that is closed while it acquires is never run, and what it has is released', async () => {
    const [options, calls] = noting();
    const manager = made(options);
    const { taskId } = manager.spawn({ instructions: 'x', label: 'a' });
    await manager.close(taskId);
    await settled();
    await settled();
    expect(calls).toEqual([
      ['acquire', 'a'],
      ['release', folder(1), true],
    ]);
  });

  test('an error ends the run with its reason, and goes to `onError`; `release` is called with nothing', async () => {
    const [options, calls] = noting();
    const errors: unknown[] = [];
    const manager = made({
      ...options,
      acquire: () => {
        throw new Error('the disk is full');
      },
      onError: (error) => errors.push(String(error)),
    });
    const task = manager.spawn({ instructions: 'x' });
    expect(await task.wait()).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: 'the disk is full' });
    await task.close();
    await settled();
    expect(calls).toEqual([['release', undefined, false]]);
    expect(errors).toEqual(['Error: the disk is full']);
  });

  test('what `release` throws goes to `onError`', async () => {
    const [options] = noting();
    const errors: unknown[] = [];
    const release = (): never => {
      throw new Error('busy');
    };
    const manager = made({ ...options, release, onError: (error) => errors.push(String(error)) });
    const task = manager.spawn({ instructions: 'x' });
    await task.wait();
    await task.close();
    await settled();
    expect(errors).toEqual(['Error: busy']);
  });

  test('for what `spawnBackgroundSubAgent` starts elsewhere, until that is settled', async () => {
    const [options, calls] = noting();
    const manager = made({
      ...options,
      spawnBackgroundSubAgent: async (_, run) => {
        calls.push(['elsewhere', (run.acquired as { folder: number }).folder]);
        return { taskId: 'job-1' };
      },
    });
    const { taskId } = manager.spawn({ instructions: 'x', label: 'a', background: true });
    await settled();
    await settled();
    manager.reportSettled('job-1', { output: 'done' });
    await manager.wait([taskId]);
    await manager.close(taskId);
    await settled();
    expect(calls).toEqual([
      ['acquire', 'a'],
      ['elsewhere', 1],
      ['release', folder(1), true],
    ]);
  });

  test('without a store, the manager releases what is left when it is disposed', async () => {
    const [options, calls] = noting();
    const manager = made(options);
    await manager.spawn({ instructions: 'x', label: 'a' }).wait();
    manager.spawn({ instructions: 'hang', label: 'b' });
    await settled();
    await settled();
    calls.length = 0;
    await manager[Symbol.asyncDispose]();
    expect(calls).toHaveLength(3);
    expect(calls).toContainEqual(['release', folder(1), true]);
    expect(calls.indexOf('returned')).toBeLessThan(
      calls.findIndex((call) => (call as unknown[])[1]?.toString() !== undefined && JSON.stringify(call).includes('"folder":2')),
    );
  });
});

describe('J7 a lost process', () => {
  test('what was acquired is taken up again, and released at the close', async () => {
    const store = watchedStore();
    const [options, calls] = noting();
    const first = await open(store, options);
    const { taskId } = first.spawn({ instructions: 'hang', label: 'a' });
    await settled();
    await settled();
    await first.flush();
    const [again, later] = noting();
    const second = await open(watchedStore(store.records), { ...again, onHostLost: 'resume' });
    await settled();
    expect([calls.length, later]).toEqual([2, [['run', 1]]]);
    await second.close(taskId);
    await settled();
    await settled();
    expect(later.slice(1)).toEqual(['returned', ['release', folder(1), true]]);
  });

  test('one that was lost while it acquired or released is asked again', async () => {
    const never = new Promise<never>(() => undefined);
    const store = watchedStore();
    const [options] = noting();
    const first = await open(store, { ...options, acquire: () => never });
    first.spawn({ instructions: 'x', label: 'a' });
    await settled();
    await first.flush();
    const [again, later] = noting();
    const next = watchedStore(store.records);
    const second = await open(next, { ...again, onHostLost: 'requeue', release: () => never });
    await settled();
    await settled();
    expect(later).toEqual([['acquire', 'a'], ['run', 1], 'returned']);
    const [task] = second.list().items;
    await second.close(task?.taskId as string);
    second.forget(task?.taskId as string);
    await settled();
    await second.flush();
    const [last, calls] = noting();
    const third = await open(watchedStore(next.records), last);
    await settled();
    expect(calls).toEqual([['release', folder(1), true]]);
    await third.flush();
  });
});
