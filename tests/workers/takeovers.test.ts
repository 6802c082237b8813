// A run that changes its worker or its lead: a sub-agent that a model's tool call started goes on, the call that is made again
// under its id is the same call, and what had steered the run, or answered it, is delivered again.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type BullmqWorkers, type BullmqWorkersOptions, bullmqWorkers, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { SOON_LOST, type TestWorker, TestWorkers } from '../support/workers.js';

let redis: TestRedis;
let queues = 0;

interface World {
  readonly connection: TestRedis['connection'];
  readonly queue: string;
  readonly workers: TestWorkers;
  lead(options?: Partial<OpenOptions>, given?: Partial<BullmqWorkersOptions>): Promise<{ manager: SubAgentManager; own: BullmqWorkers }>;
  worker(options?: object): Promise<TestWorker>;
}

function begin(): World {
  queues += 1;
  const workers = new TestWorkers();
  const [connection, queue] = [redis.connection, `calls-${queues}`];
  const leads: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const end of leads) await end();
    await workers.end();
  });
  return {
    workers,
    connection,
    queue,
    async lead(options, given) {
      const own = bullmqWorkers({ connection, queue, reconcileMs: 200, onError: () => undefined, ...given });
      const manager = await SubAgentManager.open({
        store: memoryStore(),
        maxDepth: 2,
        onHostLost: 'resume',
        spawnSubAgent: own.spawnSubAgent,
        ...options,
      });
      leads.push(async () => {
        await own.close();
        manager.dispose();
      });
      return { manager, own };
    },
    worker: (options = {}) => workers.start({ connection, queue, drainMs: 50, ...options }),
  };
}

/** A run whose first turn is kept, and which then has a sub-agent take eight. */
const child = [{ do: 'turns', count: 8, ms: 150 }];
const instructions = (call: object = {}): string =>
  JSON.stringify([
    { do: 'turns', count: 1 },
    { do: 'call', child, id: 'call_1', ...call },
  ]);
const isAt =
  (turn: number, task: string) =>
  ({ what, number, task: its }: { what: string; number?: number; task?: string }): boolean =>
    what === 'turn' && number === turn && its !== task;

describe.skipIf(!hasRedis)('a run that changes its worker or its lead', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  test.each([
    ['drains', 'resume', 'SIGTERM'],
    ['is killed', 'resume', 'SIGKILL'],
    ['is frozen', 'resume', 'SIGSTOP'],
    ['is killed', 'requeue', 'SIGKILL'],
  ] as const)(
    'a tool call that started a sub-agent is the same call where the worker %s (`onWorkerLost`: %s)',
    async (_, onWorkerLost, signal) => {
      const { workers, lead, worker } = begin();
      const { manager } = await lead({}, { onWorkerLost });
      const first = await worker(SOON_LOST);
      const above = manager.spawn({ instructions: instructions() });
      await workers.until(isAt(2, above.taskId));
      first.signal(signal);
      await worker(SOON_LOST);
      expect(await above.wait()).toMatchObject({ status: 'completed', run: 1, output: expect.stringContaining('to 8') });
      const all = manager.list().items;
      expect(all.map(({ status, run }) => [status, run])).toEqual([
        ['completed', 1],
        ['completed', 1],
      ]);
    },
  );

  test('a tool call is the same call where another lead takes over', async () => {
    const { workers, lead, worker } = begin();
    const store = memoryStore();
    await worker();
    const first = await lead({ store });
    const above = first.manager.spawn({ instructions: instructions(), background: true }).taskId;
    await workers.until(isAt(2, above));
    await first.own.close();
    await first.manager[Symbol.asyncDispose]();
    const { manager } = await lead({ store });
    const { completed } = await manager.wait([above], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed).toMatchObject([{ status: 'completed', output: expect.stringContaining('turns 1 to 8') }]);
    expect(manager.list().items).toHaveLength(2);
    expect(workers.lines('started')).toHaveLength(2);
  });

  test('J3 a run that waits for a slot leaves its place in a worker to one that has a slot, when both worker and lead are new', async () => {
    const { workers, lead, worker } = begin();
    const store = memoryStore();
    const first = await worker(SOON_LOST);
    const before = await lead({ store, maxConcurrent: 6 });
    const brief = instructions({ child: [{ do: 'turns', count: 6, ms: 100 }] });
    const all = Array.from({ length: 6 }, () => before.manager.spawn({ instructions: brief, background: true }).taskId);
    const below = (): Set<string> => new Set(workers.lines('turn').flatMap(({ task = '' }) => (all.includes(task) ? [] : [task])));
    while (below().size < all.length) await new Promise((resolve) => setTimeout(resolve, 10));
    first.signal('SIGKILL');
    await before.own.close();
    await before.manager[Symbol.asyncDispose]();
    // One of the twelve has the slot. The worker has one place, and may begin with any of their jobs.
    await worker({ ...SOON_LOST, concurrency: 1 });
    const { manager } = await lead({ store, maxConcurrent: 1 }, { orphanMs: 3_600_000 });
    const { completed } = await manager.wait(all, { mode: 'all', timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ status }) => status)).toEqual(all.map(() => 'completed'));
  });

  test('what steered the run is delivered again to the next attempt, where no checkpoint was saved since', async () => {
    const { workers, lead, worker } = begin();
    const { manager } = await lead();
    const first = await worker(SOON_LOST);
    // Turns that take their time, after each of which it saves a checkpoint.
    const handle = manager.spawn({ instructions: JSON.stringify([{ do: 'turns', count: 2, ms: 4_000 }]) });
    const turn = (number: number, by: string) =>
      workers.until((line) => line.what === 'turn' && line.number === number && line.worker === by);
    await turn(1, 'w1');
    handle.send('in euros', { mode: 'steer' });
    expect((await turn(2, 'w1')).inject).toEqual(['in euros']);
    first.signal('SIGKILL');
    await worker(SOON_LOST);
    expect((await turn(2, 'w2')).inject).toEqual(['in euros']);
    expect(await handle.wait()).toMatchObject({ status: 'completed', run: 1, output: 'turns 2 to 2' });
  });

  test('M1 what steers the run while its next attempt does not listen yet is not given to the one before', async () => {
    const { workers, lead, worker } = begin();
    const { manager } = await lead();
    const first = await worker(SOON_LOST);
    const handle = manager.spawn({ instructions: JSON.stringify([{ do: 'deafFirst', ms: 500 }, { do: 'hear' }]) });
    await workers.until(({ what }) => what === 'listens');
    first.signal('SIGKILL');
    await worker(SOON_LOST);
    await workers.until((line) => line.what === 'deaf' && line.worker === 'w2');
    handle.send('look left', { mode: 'steer' });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringContaining('look left') });
  });

  test('a call that waits does not hold up those behind it where another lead takes over', async () => {
    const { connection, queue, lead } = begin();
    const [hasBegun, isNext] = [new AbortController(), new AbortController()];
    const fired = ({ signal }: AbortController) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    const [begun, next] = [fired(hasBegun), fired(isNext)];
    const own = work({
      connection,
      queue,
      drainOn: [],
      async spawnSubAgent(_, run) {
        const answer = run.ask('Which?');
        await run.checkpoint({ at: 1 });
        hasBegun.abort();
        await next;
        await run.checkpoint({ at: 2 });
        return { output: JSON.stringify(await answer) };
      },
    });
    onTestFinished(() => own.close());
    const store = memoryStore();
    const first = await lead({ store });
    const { taskId } = first.manager.spawn({ instructions: 'x', background: true });
    await begun;
    await first.own.close();
    await first.manager[Symbol.asyncDispose]();
    const { manager } = await lead({ store });
    const checkpointed = new Promise<void>((resolve) => {
      manager.subscribe((event) => event.type === 'checkpoint_saved' && event.data === '{"at":2}' && resolve());
    });
    isNext.abort();
    await checkpointed;
    manager.send(taskId, 'the blue one');
    const { completed } = await manager.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed).toMatchObject([{ status: 'completed', output: expect.stringContaining('the blue one') }]);
  });

  test('what the run was answered is not asked again by the next attempt', async () => {
    const { workers, lead, worker } = begin();
    const { manager } = await lead();
    const asked: string[] = [];
    manager.subscribe((event) => void (event.type === 'question_asked' && asked.push(event.question)));
    const first = await worker(SOON_LOST);
    const handle = manager.spawn({
      instructions: JSON.stringify([
        { do: 'ask', question: 'Which?' },
        { do: 'deafFirst', ms: 2_000 },
      ]),
    });
    while (handle.snapshot().question === null) await new Promise((resolve) => setTimeout(resolve, 20));
    handle.send('the blue one');
    await workers.until(({ what }) => what === 'deaf');
    first.signal('SIGKILL');
    await worker(SOON_LOST);
    expect(await handle.wait()).toMatchObject({ status: 'completed', run: 1, output: expect.stringContaining('"answer":"the blue one"') });
    expect(asked).toEqual(['Which?']);
    expect(workers.lines('started')).toHaveLength(2);
  });

  test('each tool call is its own, whatever ids a model gives its calls, and ends with the signal of the call', async () => {
    const { connection, queue, lead } = begin();
    const asked: string[] = [];
    const own = work({
      connection,
      queue,
      drainOn: [],
      async spawnSubAgent(params, run) {
        const { instructions = '' } = params as { instructions?: string };
        if (run.depth > 1) {
          asked.push(instructions);
          if (instructions === 'stay') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
          return { output: instructions };
        }
        const tool = await run.createSubAgentTool();
        const said = [];
        for (const text of ['a', 'a', 'b']) said.push(await tool.execute({ instructions: text }, { toolCallId: 'call_0' }));
        const controller = new AbortController();
        const staying = tool.execute({ instructions: 'stay' }, { toolCallId: 'call_1', signal: controller.signal });
        while (!asked.includes('stay')) await new Promise((resolve) => setTimeout(resolve, 5));
        controller.abort();
        said.push(await staying);
        return { output: said.map((text) => /\n(\w)\n|its (caller) aborted/.exec(String(text))?.slice(1).join('')).join() };
      },
    });
    onTestFinished(() => own.close());
    const { manager } = await lead();
    expect((await manager.spawn({ instructions: 'above' }).wait()).output).toBe('a,a,b,caller');
    expect(asked).toEqual(['a', 'a', 'b', 'stay']);
    const [, ...children] = manager.list().items.map(({ taskId }) => taskId);
    await manager.wait([...children], { mode: 'all' });
    expect(children.map((id) => manager.get(id).status)).toEqual(['completed', 'completed', 'completed', 'cancelled']);
  });
});
