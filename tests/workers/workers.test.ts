// Runs in other processes, over BullMQ and a real Redis: what a run can do at home it can do in a worker.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Handle, type HostResult, type OpenOptions, type Run, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type BullmqWorkers, type BullmqWorkersOptions, bullmqWorkers, type WorkerRun, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { TestWorkers } from '../support/workers.js';

const steps = (...all: object[]): string => JSON.stringify(all);
let redis: TestRedis;
let workers: TestWorkers;
let queues = 0;
let queue = '';
const leads: { manager: SubAgentManager; lead: BullmqWorkers }[] = [];

async function lead(options: Partial<OpenOptions> = {}, given: Partial<BullmqWorkersOptions> = {}): Promise<SubAgentManager> {
  const lead = bullmqWorkers({ queue, connection: redis.connection, reconcileMs: 200, onError: () => undefined, ...given });
  const manager = await SubAgentManager.open({ store: memoryStore(), maxDepth: 3, spawnSubAgent: lead.spawnSubAgent, ...options });
  leads.push({ manager, lead });
  return manager;
}

const worker = (options = {}): ReturnType<TestWorkers['start']> => workers.start({ queue, connection: redis.connection, ...options });

describe.skipIf(!hasRedis)('workers over BullMQ', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  const begin = (): void => {
    workers = new TestWorkers();
    queues += 1;
    queue = `test-${queues}`;
  };
  begin();
  afterEach(async () => {
    for (const { lead, manager } of leads.splice(0)) {
      await lead.close();
      manager.dispose();
    }
    await workers.end();
    begin();
  });

  /** One host function, at home and in a worker of this process: what it says in both. */
  async function both(spawnSubAgent: (params: object, run: Run | WorkerRun) => Promise<HostResult>): Promise<(string | undefined)[]> {
    const at = [await lead({ spawnSubAgent: spawnSubAgent as never }), await lead()];
    const own = work({ connection: redis.connection, queue, spawnSubAgent, drainOn: [] });
    const said = [];
    for (const manager of at) said.push((await manager.spawn({ instructions: 'above' }).wait()).output);
    await own.close();
    return said;
  }

  test('a handle stands for its sub-agent in a call, and its wait takes a time', async () => {
    const reported = await both(async (_, run) => {
      if (run.prompt === 'slow') await new Promise((resolve) => setTimeout(resolve, 200));
      if (run.prompt !== 'above') return { output: run.prompt };
      const [quick, slow] = [await run.spawn({ instructions: 'quick' }), await run.spawn({ instructions: 'slow' })];
      const late = await slow.wait({ timeoutMs: 1 }).catch(({ code, message }) => `${code}: ${message}`);
      const { completed } = await run.wait([quick as Handle, slow as Handle], { mode: 'all', timeoutMs: 60_000 });
      const { label } = await run.get(quick as Handle);
      return { output: JSON.stringify([late, completed.map(({ output }) => output), label]) };
    });
    const said = ['aborted: the sub-agent had not ended after 1 ms; it continues', ['quick', 'slow'], 'quick'];
    expect(reported.map((text) => JSON.parse(text ?? ''))).toEqual([said, said]);
  });

  test('a call that nobody awaits ends no process, whatever comes of it', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      const reported = await both(async (_, run) => {
        const stopped = new Promise<HostResult>((resolve) => run.signal.addEventListener('abort', () => resolve({ output: '' })));
        if (run.prompt !== 'above') return stopped;
        const below = await run.spawn({ instructions: 'below' });
        const calls = [below.wait(), run.wait([below.taskId]), run.createTools(), run.checkpoint({ at: 1 }), run.beforeTurn()];
        return { output: `${calls.length}` };
      });
      expect(reported).toEqual(['5', '5']);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  test('a run has what it was given, and its limits, in the worker', async () => {
    await worker();
    const manager = await lead({ tools: ['read', 'write'] });
    const given = { label: 'x', contextHint: 'hint', systemPrompt: 'be brief', modelId: 'm', maxTurns: 7, tools: ['read'] };
    const result = await manager.spawn({ instructions: steps({ do: 'brief' }), ...given }).wait();
    expect(result).toMatchObject({ status: 'completed', usage: { tokens: 100 } });
    expect(JSON.parse(result.output)).toMatchObject({
      run: 1,
      label: 'x',
      depth: 1,
      prompt: steps({ do: 'brief' }),
      contextHint: 'hint',
      systemPrompt: 'be brief',
      modelId: 'm',
      tools: ['read'],
      limits: { maxTurns: 7, tokens: null },
    });
  });

  test('A9 an id of the caller is the run’s in the worker too', async () => {
    await worker();
    const manager = await lead();
    const result = await manager.spawn({ instructions: steps({ do: 'brief' }), taskId: 'order-42' }).wait();
    expect(result).toMatchObject({ taskId: 'order-42', status: 'completed' });
    expect(JSON.parse(result.output)).toMatchObject({ taskId: 'order-42' });
  });

  test('turns, reports and checkpoints reach the manager, a steer reaches the next turn', async () => {
    await worker();
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 3, ms: 100 }) });
    await workers.until(({ what }) => what === 'turn');
    handle.send('look left', { mode: 'steer' });
    const result = await handle.wait();
    expect(result).toMatchObject({ status: 'completed', output: 'turns 1 to 3', usage: { turns: 3, tokens: 100 } });
    expect(workers.lines('turn')[1]?.inject?.join()).toContain('look left');
  });

  test('M1 a run that waits for what steers it gets it at once, and nothing where it has to stop', async () => {
    await worker({ concurrency: 1 });
    const manager = await lead();
    // One that waits in the middle of its turn does not give its place away.
    const [handle, other] = ['first', 'other'].map(() => manager.spawn({ instructions: steps({ do: 'hear' }) })) as [Handle, Handle];
    await workers.until(({ what }) => what === 'listens');
    const { taskId } = handle;
    const { task } = workers.lines('listens')[0] ?? {};
    const [hears, waits] = task === taskId ? [handle, other] : [other, handle];
    expect(workers.lines('started')).toHaveLength(1);
    hears.send('look left', { mode: 'steer' });
    expect(await hears.wait()).toMatchObject({ status: 'completed', output: 'look left' });
    await workers.until((line) => line.what === 'listens' && line.task === waits.taskId);
    await waits.cancel();
    expect((await workers.until((line) => line.what === 'heard' && line.task === waits.taskId)).inject).toEqual([]);
  });

  test('policies and tools are gated by the lead', async () => {
    await worker();
    const policies = {
      subAgents: [
        {
          name: 'guard',
          beforeTool: ({ tool }: { tool: string }) => (tool === 'rm' ? ({ action: 'block', reason: 'not that' } as const) : undefined),
          beforeEnd: ({ output }: { output: string }) => (output === 'early' ? ({ action: 'inject', text: 'go on' } as const) : undefined),
        },
      ],
    };
    const manager = await lead({ policies });
    const all = steps(
      { do: 'tool', tool: 'rm' },
      { do: 'tool', tool: 'cat' },
      { do: 'end', output: 'early' },
      { do: 'end', output: 'late' },
    );
    const { output } = await manager.spawn({ instructions: all }).wait();
    expect(output).toBe('not that\n{"withheld":false}\ngo on\nlate');
  });

  test('a run asks, and the answer of the program reaches the worker', async () => {
    await worker();
    const manager = await lead();
    const { taskId } = manager.spawn({ instructions: steps({ do: 'ask', question: 'which?' }), background: true });
    const { needsInput } = await manager.wait([taskId]);
    expect(needsInput).toEqual([{ taskId, question: 'which?' }]);
    manager.send(taskId, 'the left one');
    const { completed } = await manager.wait([taskId]);
    expect(completed[0]?.output).toBe('{"answered":true,"answer":"the left one"}');
  });

  test('a worker with one place carries out a run, its child and the child of that, by calls and by tools', async () => {
    await worker({ concurrency: 1 });
    const manager = await lead({ maxConcurrent: 1 });
    const deepest = [{ do: 'turns', count: 1 }];
    for (const how of ['spawn', 'background', 'delegate']) {
      const { output, status } = await manager.spawn({ instructions: steps({ do: how, child: [{ do: 'spawn', child: deepest }] }) }).wait();
      expect([status, output]).toEqual(['completed', expect.stringContaining('child completed: turns 1 to 1')]);
    }
  });

  test('what the host function throws is the error of the run, what the lead refuses rejects in the worker', async () => {
    await worker();
    const manager = await lead();
    const thrown = await manager.spawn({ instructions: steps({ do: 'throw', message: 'no luck' }) }).wait();
    expect(thrown).toMatchObject({ status: 'failed', stopReason: 'host_threw', error: 'no luck' });
    const refused = await manager.spawn({ instructions: steps({ do: 'refused', call: 'get', args: ['sub_0'] }) }).wait();
    expect(refused.output).toBe('SubAgentError unknown_task');
  });

  test('a cancel reaches the worker, or takes the job out of the queue', async () => {
    const manager = await lead();
    const waiting = manager.spawn({ instructions: steps({ do: 'turns', count: 1 }) });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await waiting.cancel()).toMatchObject({ status: 'cancelled' });
    await worker();
    const handle = manager.spawn({ instructions: steps({ do: 'stuck' }) });
    await workers.until(({ what }) => what === 'started');
    await handle.cancel();
    expect(await handle.wait()).toMatchObject({ status: 'cancelled', output: 'aborted cancelled', partial: true });
    expect(workers.lines('started')).toHaveLength(1);
  });

  test('a worker leaves a job of another version to one that knows it; what is no run fails', async () => {
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'pause', ms: 1 }) });
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    const job = `bull:${queue}:${handle.taskId}-1`;
    const written = async (): Promise<{ version: number }> => JSON.parse((await client.hget(job, 'data')) ?? 'null') as never;
    while ((await written()) === null) await new Promise((resolve) => setTimeout(resolve, 10));
    const { version } = await written();
    await client.hset(job, 'data', JSON.stringify({ ...(await written()), version: 99 }));
    await worker({ concurrency: 1 });
    const said = await workers.until(({ what }) => what === 'error');
    expect(said.message).toMatch(/^a lead of another version wrote job .* in form 99; this worker reads form 1 and leaves it/);
    expect(handle.status).toBe('running');
    // As if a worker of that version had come.
    await client.hset(job, 'data', JSON.stringify({ ...(await written()), version }));
    expect(await handle.wait()).toMatchObject({ status: 'completed', run: 1 });
    const { Queue } = await import('bullmq');
    const other = new Queue(queue, { connection: redis.connection });
    const [stranger] = (await other.addBulk([{ name: 'stranger', data: { mine: true }, opts: {} }])) as unknown as [{ id: string }];
    let found = await other.getJob(stranger.id);
    while (found?.failedReason === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      found = await other.getJob(stranger.id);
    }
    expect(found.failedReason).toMatch(/is no run of a sub-agent: give the manager a queue of its own/);
    await other.close();
    client.disconnect();
  });

  test('what can’t be is refused at once', () => {
    const connection = redis.connection;
    const spawnSubAgent = async (): Promise<{ output: string }> => ({ output: '' });
    expect(() => bullmqWorkers({} as never)).toThrow('`connection` must be an address, options, or a client');
    expect(() => bullmqWorkers({ connection, queue: 'a:b' })).toThrow('`queue` must be a text without colons');
    expect(() => bullmqWorkers({ connection, reconcileMs: 0 })).toThrow('`reconcileMs` must be');
    expect(() => work({ connection } as never)).toThrow('`spawnSubAgent` must be a function');
    expect(() => work({ connection, spawnSubAgent, concurrency: 0 })).toThrow('`concurrency` must be');
    expect(() => work({ connection, spawnSubAgent, backend: 'mysql' as never })).toThrow('`backend` must be one of redis, postgres');
  });
});
