// Tasks that the program drives: no host function is called (X6).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Handle,
  type OpenOptions,
  type RunReport,
  type SubAgentEvent,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { fileStore } from '../../../dist/stores/file.js';

const drive = 'program' as const;
const go = { drive, instructions: 'go' };

function managed(options: SubAgentManagerOptions = {}): SubAgentManager {
  const manager = new SubAgentManager(options);
  onTestFinished(() => manager.dispose());
  return manager;
}

const refused = (code: string, details: object = {}): unknown =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

describe('X6 a task that the program drives', () => {
  test('X6 it has a slot from start to its end, its result as any run, and no host function is called', async () => {
    let calls = 0;
    const manager = managed({ spawnSubAgent: async () => ({ output: `${++calls}` }) });
    const handle = manager.spawn(go);
    expect(manager.get(handle.taskId)).toMatchObject({ status: 'pending', waitingFor: 'program' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 1, waitingFor: { program: 1, slot: 0 } });
    const run = await handle.start();
    expect(run.prompt).toBe('go');
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, queued: 0, waitingFor: { program: 0 } });
    handle.report({ tokens: 30 });
    handle.complete({ output: 'made', usage: { tokens: 40 } });
    const result = await handle.wait();
    expect(result).toMatchObject({ status: 'completed', stopReason: 'finished', output: 'made', usage: { tokens: 40 } });
    expect(manager.getConcurrencyInfo().active).toBe(0);
    expect(calls).toBe(0);
  });

  test('X6 a manager without a host function has them; what a model may give has no `drive`', async () => {
    const manager = managed();
    const handle = manager.spawn({ ...go, background: true });
    await handle.start();
    handle.complete('made');
    expect(manager.inbox.lease().map(({ taskId, output }) => [taskId, output])).toEqual([[handle.taskId, 'made']]);
    expect(JSON.stringify(manager.createSubAgentTool().parameters)).not.toContain('drive');
    expect(() => manager.spawn({ instructions: 'go', drive: 'host' as never })).toThrow(refused('invalid_argument', { argument: 'drive' }));
  });

  test('X6 at the limit start() waits for a slot, or is refused as `onLimit` says', async () => {
    const manager = managed({ maxConcurrent: 1 });
    const [first, second] = [manager.spawn(go), manager.spawn(go)];
    // Whoever waits for the program stands in nobody's way.
    await second.start();
    let begun = false;
    const starting = first.start().then(() => {
      begun = true;
    });
    expect(manager.get(first.taskId).waitingFor).toBe('slot');
    expect(begun).toBe(false);
    second.complete('made');
    await starting;
    expect(manager.get(first.taskId).status).toBe('running');

    const strict = managed({ maxConcurrent: 1, onLimit: 'reject' });
    const [one, other] = [strict.spawn(go), strict.spawn(go)];
    await one.start();
    await expect(other.start()).rejects.toEqual(refused('concurrency_limit', { limit: 1 }));
    expect(strict.get(other.taskId).waitingFor).toBe('program');
    one.complete('made');
    await other.start();
    other.complete('made too');
    expect((await other.wait()).output).toBe('made too');
  });

  test('X6 start() again gives the same run; before it and after the end, ends and reports are refused or late', async () => {
    const manager = managed();
    const handle = manager.spawn(go);
    expect(() => handle.complete('early')).toThrow(refused('wrong_status', { status: 'pending' }));
    expect(() => handle.fail('early')).toThrow(refused('wrong_status', { status: 'pending' }));
    expect(() => handle.report({ tokens: 5 })).toThrow(refused('wrong_status', { status: 'pending', action: 'report' }));
    expect(handle.snapshot().usage.tokens).toBe(0);
    const [run, same] = await Promise.all([handle.start(), handle.start()]);
    expect(same).toBe(run);
    expect(await handle.start()).toBe(run);
    handle.complete('first');
    handle.complete({ output: 'second', usage: { tokens: 5 } });
    expect(manager.get(handle.taskId)).toMatchObject({ output: 'first', lateResult: 'second', usage: { tokens: 5 } });
    await expect(handle.start()).rejects.toEqual(refused('wrong_status', { status: 'completed' }));
  });

  test('L2 X6 the first end wins while its value is being checked; later ones are late', async () => {
    const validate = async (value: unknown): Promise<{ value: unknown }> => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { value };
    };
    const manager = managed();
    const handle = manager.spawn({ ...go, schema: { '~standard': { version: 1, vendor: 'own', validate } } });
    await handle.start();
    handle.complete({ output: 'first', value: 1, usage: { tokens: 100 } });
    handle.complete({ output: 'second', value: 2, usage: { tokens: 130 } });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'first', value: 1 });
    await expect.poll(() => manager.get(handle).lateResult).toBe('second');
    expect(manager.budget().tokens.spent).toBe(130);

    const other = manager.spawn({ ...go, schema: { '~standard': { version: 1, vendor: 'own', validate } } });
    await other.start();
    other.complete({ output: 'first', value: 1 });
    other.fail(new Error('second'));
    other.send('and now?');
    expect(await other.wait({ timeoutMs: 20 }).catch((error: Error) => error)).toBeDefined();
    expect(manager.get(other)).toMatchObject({ status: 'pending', run: 2, lateResult: 'second' });
  });

  test('X6 fail() ends it with the error; `retry` makes a further attempt that waits for start()', async () => {
    const manager = managed();
    const handle = manager.spawn({ ...go, retry: { max: 1, backoffMs: 1 } });
    await handle.start();
    const error = new Error('no network');
    handle.fail(error);
    await expect.poll(() => manager.get(handle.taskId).waitingFor).toBe('program');
    const run = await handle.start();
    expect(run.previousError).toEqual({ reason: 'host_failed', error: 'no network' });
    handle.fail(error);
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'host_failed', error: 'no network', cause: error });
  });

  test('X6 after a message its next run waits for the program; what is ended before it starts is the run before', async () => {
    const manager = managed();
    const handle = manager.spawn(go);
    await handle.start();
    handle.complete('one');
    await handle.wait();
    expect(handle.send('and now?').receipt).toBe('started');
    expect(manager.get(handle.taskId)).toMatchObject({ status: 'pending', waitingFor: 'program', run: 2 });
    handle.complete('one, late');
    expect(manager.get(handle.taskId)).toMatchObject({ status: 'pending', lateResult: 'one, late' });
    const run = await handle.start();
    expect([run.run, run.prompt]).toEqual([2, 'and now?']);
    handle.complete('two');
    expect(await handle.wait()).toMatchObject({ run: 2, output: 'two' });
  });

  test('X6 what is ended is the run that was taken up, also where others ended since that never were', async () => {
    const manager = managed();
    const handle = manager.spawn(go);
    await handle.start();
    await handle.interrupt({ graceMs: 0 });
    for (let more = 0; more < 2; more++) {
      handle.send('and now?');
      await handle.cancel();
    }
    expect(manager.get(handle.taskId)).toMatchObject({ run: 3, status: 'cancelled', hostStillRunning: true });
    expect(manager.getConcurrencyInfo().active).toBe(1);
    handle.complete('at last');
    expect(manager.get(handle.taskId)).toMatchObject({ hostStillRunning: false, lateResult: 'at last' });
    expect(manager.getConcurrencyInfo().active).toBe(0);
  });

  test('X6 S4 one that is never completed gives its slot up at `abandonMs`, and stops nothing', async () => {
    const manager = managed({ maxConcurrent: 1, maxAbandoned: 1, graceMs: 0, abandonMs: 20, budget: { tokens: 1_000 }, turnEstimate: 100 });
    const handle = manager.spawn({ ...go, budget: { tokens: 300 } });
    await handle.start();
    await handle.interrupt();
    expect(manager.get(handle.taskId)).toMatchObject({ hostStillRunning: true });
    await expect.poll(() => manager.get(handle.taskId).hostStillRunning).toBe(false);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
    expect(manager.budget().tokens).toMatchObject({ spent: 300, reserved: 0 });
    handle.complete({ output: 'late', usage: { tokens: 310 } });
    expect(manager.get(handle.taskId).lateResult).toBe('late');
    expect(manager.budget().tokens).toMatchObject({ spent: 310, reserved: 0 });
    manager.spawn(go);
    expect(manager.canSpawn()).toBe(true);
  });

  test('X6 a cancel ends what waits at once, and gives what is under way its grace', async () => {
    const manager = managed({ maxConcurrent: 1 });
    const [running, starting, waiting] = [manager.spawn(go), manager.spawn(go), manager.spawn(go)];
    await running.start();
    const start = starting.start();
    const reported = expect(start).rejects.toEqual(refused('aborted', { reason: 'cancelled' }));
    await Promise.all([starting.cancel(), waiting.cancel()]);
    await reported;
    expect(waiting.signal.aborted).toBe(true);
    const cancelled = running.cancel();
    expect(running.signal.aborted).toBe(true);
    running.complete('half of it');
    await cancelled;
    expect(await running.wait()).toMatchObject({ status: 'cancelled', partial: true, output: 'half of it' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
  });

  test('X6 only the deadlines of its spawn hold', async () => {
    const manager = managed({ timeoutMs: 1, idleTimeoutMs: 1, graceMs: 0 });
    const [free, timed] = [manager.spawn(go), manager.spawn({ ...go, timeoutMs: 1 })];
    const run = await free.start();
    expect(run.limits).toMatchObject({ timeoutMs: Infinity });
    await timed.start();
    expect(await timed.wait()).toMatchObject({ status: 'timed_out', stopReason: 'timeout' });
    expect(manager.get(free.taskId).status).toBe('running');
  });

  test('X6 it takes turns, budget and sub-agents as any run does', async () => {
    const manager = managed({
      maxDepth: 2,
      budget: { tokens: 1_000 },
      turnEstimate: 100,
      spawnSubAgent: async () => ({ output: 'below' }),
    });
    const handle = manager.spawn({ ...go, budget: { tokens: 500 } });
    const run = await handle.start();
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
    expect(manager.budget().tokens.reserved).toBe(100);
    run.report({ tokens: 60 });
    expect(await run.spawn({ instructions: 'go', budget: { tokens: 100 } }).wait()).toMatchObject({ output: 'below' });
    handle.complete({ output: 'made', usage: { tokens: 80 } });
    expect(manager.budget().tokens).toMatchObject({ spent: 80, reserved: 0 });
  });

  test('X6 a run that waits for one gives up its slot, which the program takes', async () => {
    let driven: Handle | undefined;
    const manager = managed({
      maxConcurrent: 1,
      maxDepth: 2,
      spawnSubAgent: async (_params, run) => {
        const handle = run.spawn(go);
        driven = handle;
        return { output: (await run.wait([handle.taskId])).completed.map(({ output }) => output).join() };
      },
    });
    const above = manager.spawn('go');
    await expect.poll(() => manager.getConcurrencyInfo().parked).toBe(1);
    const handle = manager.drive((driven as Handle).taskId);
    await handle.start();
    handle.complete('from below');
    expect(await above.wait()).toMatchObject({ output: 'from below' });
  });

  test('X6 its value is checked by the schema', async () => {
    const manager = managed();
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
    const handle = manager.spawn({ ...go, schema });
    await handle.start();
    handle.complete({ output: '', value: { n: 'one' } });
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    handle.send('again');
    await handle.start();
    handle.complete({ output: '', value: { n: 1 } });
    expect((await handle.wait()).value).toEqual({ n: 1 });
  });

  test('X6 a drain cancels what waits for the program, and start() rejects', async () => {
    const manager = managed({ maxConcurrent: 1 });
    const [running, waiting] = [manager.spawn(go), manager.spawn(go)];
    await running.start();
    const start = expect(waiting.start()).rejects.toEqual(refused('aborted', { reason: 'drained' }));
    const drained = manager.drain({ timeoutMs: 10_000 });
    await start;
    running.complete('made');
    expect(await drained).toMatchObject({ ended: 1, cancelled: 1, stillRunning: 0, timedOut: false });
  });

  test('X6 disposing rejects a start() that waits', async () => {
    const manager = managed({ maxConcurrent: 1 });
    const [running, waiting] = [manager.spawn(go), manager.spawn(go)];
    await running.start();
    const start = expect(waiting.start()).rejects.toEqual(expect.objectContaining({ code: 'disposed' }));
    manager.dispose();
    await start;
  });

  test('X6 none but the tasks of the program are driven', async () => {
    const manager = managed({ spawnSubAgent: async () => ({ output: 'made' }) });
    const { taskId } = manager.spawn('go');
    expect(() => manager.drive(taskId)).toThrow(refused('wrong_style'));
    expect(() => manager.drive('sub_0')).toThrow(refused('unknown_task'));
    const driven = manager.spawn(go);
    await driven.cancel();
    manager.forget(driven.taskId);
    expect(() => manager.drive(driven.taskId)).toThrow(refused('forgotten'));
    expect(() => driven.complete('late')).toThrow(refused('forgotten'));
  });

  test('X6 events and a view of them say that it waits for the program', async () => {
    const events: SubAgentEvent[] = [];
    const manager = managed();
    manager.subscribe((event) => void events.push(event));
    const handle = manager.spawn(go);
    await handle.start();
    handle.complete('made');
    await expect.poll(() => events.map(({ type }) => type)).toContain('run_ended');
    const [admitted] = events.filter((event) => event.type === 'task_admitted');
    expect(admitted).toMatchObject({ first: { waitingFor: 'program' }, spec: { driven: true } });
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['task_admitted', 'run_taken', 'run_started', 'run_ended']));
  });

  describe('in a store', () => {
    const stored = (): ((options?: Partial<OpenOptions>) => Promise<SubAgentManager>) => {
      const folder = mkdtempSync(join(tmpdir(), 'driven-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return (options) => SubAgentManager.open({ store: fileStore(join(folder, 'a.journal')), ...options });
    };

    test('X6 B11 its tokens have kinds, models and prices, also after a restart', async () => {
      const cached = { inputTokens: 1_000, cacheReadTokens: 900, outputTokens: 10 };
      const stores = stored();
      const open = (input: number) => stores({ modelId: 'mini', prices: { 'm*': { input, output: 100, cacheRead: 1 } } });
      const first = await open(10);
      const handle = first.spawn(go);
      await handle.start();
      handle.report({ ...cached, modelId: 'maxi' });
      handle.report({ input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 10 } as RunReport);
      expect(handle.snapshot()?.usage).toMatchObject({ tokens: 2_020, cacheReadTokens: 1_800, costUsd: 0.0058, unknown: ['turns'] });
      handle.complete({ output: 'made', usage: { inputTokens: 3_000, cacheReadTokens: 1_800, outputTokens: 30, reasoningTokens: 5 } });
      const used = { inputTokens: 3_000, cacheReadTokens: 1_800, outputTokens: 30, reasoningTokens: 5 };
      expect((await handle.wait()).usage).toMatchObject({ tokens: 3_030, ...used, costUsd: 0.0168 });
      await first[Symbol.asyncDispose]();

      const second = await open(20);
      const driven = second.drive(handle.taskId);
      driven.send('again');
      await driven.start();
      driven.report({ ...cached });
      driven.fail(new Error('no'));
      expect((await driven.wait()).usage).toMatchObject({ tokens: 1_010, ...cached, costUsd: 0.0039 });
      expect(second.costs().byModel).toMatchObject([
        { name: 'mini', costUsd: 0.0178, runs: 2 },
        { name: 'maxi', costUsd: 0.0029, runs: 0 },
      ]);
      await second[Symbol.asyncDispose]();
    });

    test('X6 J3 what waited, or was taken up and had no slot, waits for the next program', async () => {
      const open = stored();
      const first = await open({ maxConcurrent: 1 });
      const [running, taken, waiting] = ['running', 'taken', 'waiting'].map((taskId) => first.spawn({ ...go, taskId }));
      await running?.start();
      taken?.start().catch(() => undefined);
      expect(waiting?.status).toBe('pending');
      await first.flush();
      await first[Symbol.asyncDispose]();
      const next = await open({ maxConcurrent: 2 });
      expect(next.get('running')).toMatchObject({ status: 'failed', stopReason: 'host_lost' });
      expect(next.list().items.flatMap(({ taskId, waitingFor }) => (waitingFor === 'program' ? [taskId] : []))).toEqual([
        'taken',
        'waiting',
      ]);
      for (const id of ['taken', 'waiting']) {
        const handle = next.drive(id);
        expect((await handle.start()).prompt).toBe('go');
        handle.complete(`made ${id}`);
      }
      expect(next.get('waiting').output).toBe('made waiting');
      await next[Symbol.asyncDispose]();
    });

    test('X6 D2 J3 one whose definition is missing waits for it, however short the queue, and limits refuse nothing', async () => {
      const open = stored();
      const limits = { onLimit: 'reject', maxQueued: 1 } as const;
      const first = await open({ ...limits, agents: { reader: { description: 'Reads.', prompt: 'Read.' } } });
      const { taskId } = first.spawn({ ...go, agent: 'reader' });
      await first.flush();
      await first[Symbol.asyncDispose]();
      const second = await open(limits);
      const started = second.drive(taskId).start();
      started.catch(() => undefined);
      expect(second.get(taskId).waitingFor).toBe('definition');
      expect(await Promise.race([started, new Promise((resolve) => setTimeout(resolve, 10, 'waits'))])).toBe('waits');
      await second[Symbol.asyncDispose]();
    });

    test('X6 J3 a run in flight goes on from its checkpoint where `onHostLost` says so', async () => {
      const open = stored();
      const first = await open({ onHostLost: 'resume' });
      const run = await first.spawn({ ...go, taskId: 'order' }).start();
      await run.checkpoint({ page: 3 });
      await first.flush();
      await first[Symbol.asyncDispose]();
      const next = await open({ onHostLost: 'resume' });
      expect(next.get('order')).toMatchObject({ status: 'pending', waitingFor: 'program' });
      const handle = next.drive('order');
      expect((await handle.start()).checkpointed).toEqual({ page: 3 });
      handle.complete('made');
      expect(next.get('order').output).toBe('made');
      await next[Symbol.asyncDispose]();
    });
  });
});
