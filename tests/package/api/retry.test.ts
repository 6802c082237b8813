// X5: runs that ended badly are tried again.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HostResult, type Run, type SpawnOptions, SubAgentError, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => vi.useRealTimers());

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** A manager whose host gives one answer after the other; a function is called. */
function managerOf(answers: (HostResult | Error | ((run: Run) => Promise<HostResult>))[], options: object = {}) {
  const runs: Run[] = [];
  const events: SubAgentEvent[] = [];
  const manager = new SubAgentManager({
    ...options,
    spawnSubAgent: async (_, run) => {
      runs.push(run);
      const answer = answers.shift();
      if (answer === undefined) throw new Error('asked once too often');
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(run) : answer;
    },
  });
  manager.subscribe((event) => events.push(event));
  return { manager, runs, events };
}

const done: HostResult = { output: 'done', usage: { tokens: 5 } };
const broken = (): Error => new Error('broken');
const twice: SpawnOptions = { instructions: 'x', retry: { max: 2, backoffMs: 100 } };

describe('X5 retry', () => {
  it('X5 a run that threw is tried again with the same message and the next number; who waits gets the last end', async () => {
    const { manager, runs, events } = managerOf([broken(), broken(), done]);
    const handle = manager.spawn(twice);
    const waiting = handle.wait();
    await pass(0);
    expect(handle.status).toBe('pending');
    // Each wait is spread by a quarter either way.
    await pass(74);
    expect(runs.map(({ run }) => run)).toEqual([1]);
    await pass(51);
    expect(runs.map(({ run }) => run)).toEqual([1, 2]);
    await pass(99);
    expect(runs).toHaveLength(2);
    await pass(151);
    expect(await waiting).toMatchObject({ status: 'completed', output: 'done', run: 3 });
    expect(runs.map(({ prompt }) => prompt)).toEqual(['x', 'x', 'x']);
    expect(runs.map(({ previousError }) => previousError)).toEqual([
      undefined,
      { reason: 'host_threw', error: 'broken' },
      { reason: 'host_threw', error: 'broken' },
    ]);
    const attempts = events.filter((event) => event.type === 'run_retried');
    expect(attempts).toMatchObject([
      { taskId: handle.taskId, run: 1, attempt: 1, stopReason: 'host_threw', error: 'broken' },
      { taskId: handle.taskId, run: 2, attempt: 2, stopReason: 'host_threw', error: 'broken' },
    ]);
    expect(events.filter(({ type }) => type === 'run_ended')).toHaveLength(1);
  });

  it('X5 runs that failed together are tried again apart: each wait is spread by a quarter either way', async () => {
    const { manager, runs, events } = managerOf(
      Array.from({ length: 20 }, broken).concat(Array.from({ length: 20 }, () => done) as never),
      {
        maxConcurrent: 20,
      },
    );
    const began = performance.now();
    const waiting = Array.from({ length: 20 }, () => manager.spawn({ instructions: 'x', retry: { max: 1, backoffMs: 10_000 } }).wait());
    await pass(0);
    const waits = events.flatMap((event) => (event.type === 'run_retried' ? [event.until - event.at] : []));
    expect(waits).toHaveLength(20);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(7_500);
    expect(Math.max(...waits)).toBeLessThanOrEqual(12_500);
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(1_000);
    await pass(7_499);
    expect([runs.length, performance.now() - began]).toEqual([20, 7_499]);
    await pass(5_001);
    expect((await Promise.all(waiting)).map(({ run }) => run)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  it('X5 the last attempt ends as it ends', async () => {
    const { manager } = managerOf([broken(), broken(), new Error('the last')]);
    const waiting = manager.spawn(twice).wait();
    await pass(375);
    expect(await waiting).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: 'the last', run: 3 });
  });

  it.each<[string, HostResult]>([
    ['host_failed', { output: '', status: 'failed', error: 'no' }],
    ['invalid_result', 7 as never],
  ])('X5 %s is tried again by default', async (reason, answer) => {
    const { manager, runs } = managerOf([answer, done]);
    const waiting = manager.spawn(twice).wait();
    await pass(125);
    expect((await waiting).status).toBe('completed');
    expect(runs[1]?.previousError?.reason).toBe(reason);
  });

  it('X5 `on` says after which ends; others are not tried again', async () => {
    const { manager } = managerOf([{ output: '', status: 'timeout' }, broken()]);
    const waiting = manager.spawn({ instructions: 'x', retry: { max: 5, on: ['host_timed_out'] } }).wait();
    await pass(1_250);
    expect(await waiting).toMatchObject({ run: 2, stopReason: 'host_threw' });
  });

  it('X5 a value that its schema refuses is tried again', async () => {
    const { manager } = managerOf([
      { output: 'x', value: 1 },
      { output: 'x', value: 'right' },
    ]);
    const waiting = manager.spawn({ ...twice, schema: { type: 'string' } }).wait();
    await pass(125);
    expect(await waiting).toMatchObject({ status: 'completed', value: 'right' });
  });

  it('X5 for all by the manager; a spawn may say `false`', async () => {
    const { manager } = managerOf([broken(), done, broken()], { retry: { max: 1 } });
    const first = manager.spawn({ instructions: 'x' }).wait();
    await pass(1_250);
    expect((await first).status).toBe('completed');
    const second = manager.spawn({ instructions: 'x', retry: false }).wait();
    await pass(0);
    expect((await second).stopReason).toBe('host_threw');
  });

  it('X5 by a definition', async () => {
    const { manager } = managerOf([broken(), done], { agents: { stubborn: { description: 'tries', retry: { max: 1, backoffMs: 1 } } } });
    const waiting = manager.spawn({ instructions: 'x', agent: 'stubborn' }).wait();
    await pass(1);
    expect((await waiting).status).toBe('completed');
  });

  it('X5 what an attempt used stays booked, and each has its own usage', async () => {
    const failed: HostResult = { output: '', status: 'failed', usage: { tokens: 30 } };
    const { manager } = managerOf([failed, done], { budget: { tokens: 10_000 } });
    const handle = manager.spawn(twice);
    const waiting = handle.wait();
    await pass(0);
    expect(manager.get(handle.taskId).budget.tokens.spent).toBe(30);
    await pass(125);
    expect((await waiting).usage.tokens).toBe(5);
    expect(manager.get(handle.taskId).budget.tokens.spent).toBe(35);
    expect(manager.get(handle.taskId).budget.tokens.reserved).toBe(0);
  });

  it('X5 a spent budget ends it with the error that it had', async () => {
    const failed: HostResult = { output: '', status: 'failed', error: 'no', usage: { tokens: 1_000 } };
    const { manager, runs } = managerOf([failed]);
    const waiting = manager.spawn({ ...twice, budget: { tokens: 1_000 } }).wait();
    await pass(1_000);
    expect(await waiting).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', error: 'no' });
    expect(runs).toHaveLength(1);
  });

  it('X5 B5 what is held for a run that waits for an attempt comes free again: what lacks it stays queued', async () => {
    const { manager, runs } = managerOf(
      [
        async (run) => {
          const below = run.spawn({ instructions: 'below', retry: { max: 1, backoffMs: 100 } });
          await below.wait();
          return done;
        },
        broken(),
        done,
        done,
      ],
      { maxConcurrent: 2, maxDepth: 2, budget: { tokens: 1_000 }, taskBudget: { tokens: 1_000 }, turnEstimate: 100 },
    );
    const parent = manager.spawn({ instructions: 'parent', background: true });
    const other = manager.spawn({ instructions: 'other', background: true });
    await pass(50);
    expect([parent.status, other.status]).toEqual(['running', 'pending']);
    await pass(125);
    expect(runs).toHaveLength(4);
    expect([parent.status, other.status]).toEqual(['completed', 'completed']);
  });

  it('X5 its time is that of each attempt, and `run.session` starts empty', async () => {
    const slow = async (run: Run): Promise<HostResult> => {
      expect(run.session.size).toBe(0);
      run.session.set('a', 1);
      await new Promise((resolve) => setTimeout(resolve, 900));
      throw broken();
    };
    const { manager } = managerOf([slow, slow, done]);
    const waiting = manager.spawn({ ...twice, timeoutMs: 1_000 }).wait();
    await pass(3_000);
    expect((await waiting).status).toBe('completed');
  });

  it('X5 it goes before other messages', async () => {
    const { manager, runs } = managerOf([broken(), done, done]);
    const handle = manager.spawn(twice);
    handle.send('another');
    await pass(0);
    expect(manager.get(handle.taskId).queueSize).toBe(1);
    await pass(125);
    expect(runs.map(({ prompt }) => prompt)).toEqual(['x', 'x', 'another']);
  });

  it('X5 it holds no slot while it waits for its time', async () => {
    const { manager, runs } = managerOf([broken(), done, done], { maxConcurrent: 1 });
    const first = manager.spawn(twice);
    const second = manager.spawn({ instructions: 'y' });
    const waiting = first.wait();
    expect(await second.wait()).toMatchObject({ status: 'completed' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 1 });
    expect(runs.map(({ prompt }) => prompt)).toEqual(['x', 'y']);
    await pass(125);
    expect((await waiting).run).toBe(2);
  });

  it.each<[string, (manager: SubAgentManager, id: string) => Promise<unknown>, object]>([
    ['cancel', (manager, id) => manager.cancel(id), { status: 'cancelled', stopReason: 'cancelled' }],
    ['interrupt', (manager, id) => manager.interrupt(id), { status: 'interrupted', stopReason: 'interrupted' }],
    ['close', (manager, id) => manager.close(id), { status: 'closed', stopReason: 'closed' }],
    ['drain', (manager) => manager.drain(), { status: 'cancelled', stopReason: 'drained' }],
  ])('X5 %s ends it with the last error', async (_, stop, end) => {
    const { manager, runs } = managerOf([broken()]);
    const handle = manager.spawn(twice);
    const waiting = handle.wait();
    await pass(0);
    const stopped = stop(manager, handle.taskId);
    await pass(0);
    await stopped;
    expect(await waiting).toMatchObject({ ...end, error: 'broken', started: true });
    await pass(1_000);
    expect(runs).toHaveLength(1);
  });

  it('X5 nothing is tried again that was asked to stop, or in a drain', async () => {
    const fails = (run: Run): Promise<HostResult> =>
      new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(broken())));
    const { manager, runs } = managerOf([fails, () => new Promise((_, reject) => setTimeout(() => reject(broken()), 50))]);
    const handle = manager.spawn(twice);
    await pass(0);
    manager.cancel(handle.taskId);
    await pass(1_000);
    expect(manager.get(handle.taskId)).toMatchObject({ status: 'cancelled', run: 1 });
    const last = manager.spawn(twice).wait();
    const drained = manager.drain();
    await pass(50);
    expect(await last).toMatchObject({ stopReason: 'host_threw' });
    await drained;
    expect(runs).toHaveLength(2);
  });

  it('X5 a wait for several, and a notice, report the last end only', async () => {
    const { manager } = managerOf([broken(), done, broken(), done]);
    const handle = manager.spawn(twice);
    const several = manager.wait([handle], { timeoutMs: Number.POSITIVE_INFINITY });
    await pass(125);
    expect((await several).completed).toMatchObject([{ taskId: handle.taskId, status: 'completed', run: 2 }]);
    manager.spawn({ ...twice, background: true });
    await pass(50);
    expect(manager.inbox.peek()).toEqual([]);
    await pass(75);
    expect(manager.inbox.peek()).toMatchObject([{ status: 'completed', run: 2 }]);
  });

  it('X5 a tool call follows it to the last attempt', async () => {
    const { manager } = managerOf([broken(), done], { retry: { max: 1 } });
    const text = manager.createSubAgentTool().execute({ instructions: 'x' });
    await pass(1_250);
    expect(await text).toContain('done');
  });

  it('X5 a signal cancels a later attempt too', async () => {
    const { manager } = managerOf([
      broken(),
      (run) => new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(broken()))),
    ]);
    const controller = new AbortController();
    const waiting = manager.spawn({ ...twice, signal: controller.signal }).wait();
    await pass(125);
    controller.abort();
    await pass(0);
    expect(await waiting).toMatchObject({ status: 'cancelled', run: 2 });
  });

  it('X5 an attempt takes its foreground children with it, and speaks no more', async () => {
    let child: ReturnType<Run['spawn']> | undefined;
    const parent = async (run: Run): Promise<HostResult> => {
      child = run.spawn({ instructions: 'child', retry: false });
      await Promise.resolve();
      throw broken();
    };
    const hangs = (run: Run): Promise<HostResult> =>
      new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(broken())));
    const { manager, runs } = managerOf([parent, hangs, done], { maxDepth: 2 });
    const waiting = manager.spawn(twice).wait();
    await pass(125);
    expect((await waiting).status).toBe('completed');
    expect(child?.status).toBe('cancelled');
    expect(() => runs[0]?.spawn({ instructions: 'late' })).toThrow('ended');
    expect(await runs[0]?.beforeTurn()).toMatchObject({ go: false });
  });

  it('X5 work elsewhere is started again when its report says that it failed', async () => {
    const ids = ['job-1', 'job-2'];
    const manager = new SubAgentManager({ spawnBackgroundSubAgent: async () => ({ taskId: ids.shift() as string }) });
    const handle = manager.spawn({ ...twice, background: true });
    const waiting = handle.wait();
    await pass(0);
    manager.reportSettled('job-1', { output: '', status: 'failed', error: 'no' });
    await pass(125);
    manager.reportSettled('job-2', done);
    expect(await waiting).toMatchObject({ status: 'completed', run: 2 });
  });

  it('X5 a dispose while it waits for its time rejects who waits', async () => {
    const { manager } = managerOf([broken()]);
    const waiting = manager.spawn(twice).wait();
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'disposed' });
    await pass(0);
    manager.dispose();
    await rejected;
  });

  it.each<[unknown, string]>([
    [true, '`retry` must be an object'],
    [{}, '`retry.max` must be a whole number'],
    [{ max: 0 }, '`retry.max` must be a whole number'],
    [{ max: 1, backoffMs: 0 }, '`retry.backoffMs` must be milliseconds above 0'],
    [{ max: 1, backoffMs: Number.POSITIVE_INFINITY }, '`retry.backoffMs` must be milliseconds above 0'],
    [{ max: 1, on: [] }, '`retry.on` must be a list of'],
    [{ max: 1, on: ['timeout'] }, '`retry.on[0]` must be one of'],
    [{ max: 1, times: 2 }, 'times'],
  ])('X5 %j is refused', (retry, says) => {
    const { manager } = managerOf([]);
    expect(() => manager.spawn({ instructions: 'x', retry: retry as never })).toThrow(says);
    expect(() => manager.spawn({ instructions: 'x', retry: retry as never })).toThrow(SubAgentError);
    expect(() => new SubAgentManager({ retry: retry as never })).toThrow(says);
  });
});
