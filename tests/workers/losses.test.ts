// Runs in other processes, over BullMQ and a real Redis: a worker, a lead, a job or Redis itself is lost, and each run ends
// once all the same.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../dist/index.js';
import { fileStore } from '../../dist/stores/file.js';
import { memoryStore, type Store } from '../../dist/stores/memory.js';
import { type BullmqWorkers, type BullmqWorkersOptions, bullmqWorkers } from '../../dist/workers/bullmq.js';
import { cableTo } from '../support/cable.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { SOON_LOST, TestWorkers } from '../support/workers.js';

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

describe.skipIf(!hasRedis)('losses over BullMQ', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  const begin = (): void => {
    workers = new TestWorkers();
    queues += 1;
    queue = `losses-${queues}`;
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

  test('the run of a killed worker is taken over from its last checkpoint', async () => {
    const first = await worker({ ...SOON_LOST, concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 6, ms: 50 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 4);
    first.signal('SIGKILL');
    await worker(SOON_LOST);
    const result = await handle.wait();
    expect(result).toMatchObject({ status: 'completed', output: 'turns 4 to 6', run: 1 });
    // The turn that was lost is taken twice, and booked twice.
    expect(result.usage.turns).toBe(7);
    expect(workers.lines('started').map(({ checkpointed }) => checkpointed)).toEqual([undefined, { done: 3 }]);
  });

  test('a frozen worker that comes to life again is not accepted, and its run is asked to stop', async () => {
    const first = await worker({ ...SOON_LOST, concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 5, ms: 400 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGSTOP');
    await worker(SOON_LOST);
    await workers.until(({ what, worker }) => what === 'started' && worker === 'w2');
    first.signal('SIGCONT');
    const late = await workers.until(({ what, worker }) => what === 'ended' && worker === 'w1');
    expect([late.aborted, late.output?.[0]]).toEqual([true, 'aborted host_lost']);
    // Where it was frozen a little late, its second turn is in the checkpoint.
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns [23] to 5$/) });
    expect(manager.get(handle.taskId).run).toBe(1);
  });

  test('a worker that takes its run for lost makes no end of it, though the lock is its own still', async () => {
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    const only = await worker({ ...SOON_LOST, concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 4, ms: 300 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    const lock = `bull:${queue}:${handle.taskId}-1:lock`;
    const token = (await client.get(lock)) as string;
    only.signal('SIGSTOP');
    await client.set(lock, token, 'PX', 100_000);
    await new Promise((resolve) => setTimeout(resolve, SOON_LOST.lostAfterMs + 500));
    only.signal('SIGCONT');
    // Where it was frozen a little late, its second turn is in the checkpoint.
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns [23] to 4$/) });
    expect(workers.lines('ended')[0]?.output).toEqual(['aborted host_lost']);
    client.disconnect();
  });

  test('a worker that alone has lost the network stops its run, and is not accepted when it is back', async () => {
    const cable = await cableTo(redis.port);
    const cut = await worker({ ...SOON_LOST, connection: cable.connection, concurrency: 1 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 5, ms: 300 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    cable.cut();
    await worker({ ...SOON_LOST, concurrency: 1 });
    // It is still cut off: it goes by the time that its locks live.
    const late = await workers.until(({ what, worker }) => what === 'ended' && worker === cut.name);
    expect([late.aborted, late.output?.[0]]).toEqual([true, 'aborted host_lost']);
    cable.mend();
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringMatching(/^turns [23] to 5$/), run: 1 });
    // It works again.
    for (const { child, name } of workers.all) if (name !== cut.name) child.kill('SIGKILL');
    expect(await manager.spawn({ instructions: steps({ do: 'pause', ms: 1 }) }).wait()).toMatchObject({ status: 'completed' });
    expect(workers.lines('ended').at(-1)?.worker).toBe(cut.name);
    await cable.close();
  });

  test('a worker whose lock can’t be renewed stops its run at once', async () => {
    const first = await worker({ concurrency: 1, lostAfterMs: 8_000 });
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 60, ms: 300 }), maxTurns: 100 });
    const { at } = await workers.until(({ what, number }) => what === 'turn' && number === 2);
    await worker({ ...SOON_LOST, concurrency: 1 });
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    await client.del(`bull:${queue}:${handle.taskId}-1:lock`);
    const late = await workers.until(({ what, worker }) => what === 'ended' && worker === first.name);
    expect([late.aborted, late.output?.[0]]).toEqual([true, 'aborted host_lost']);
    // Earlier than its lock would have ended.
    expect(late.at - at).toBeLessThan(7_000);
    // One of the two goes on with it.
    while (workers.lines('started').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    handle.cancel();
    await handle.wait();
    client.disconnect();
  });

  test('a worker that takes a run again that it has lost begins it when its host function has learned it', async () => {
    const only = await worker({ concurrency: 2, lostAfterMs: 3_000 });
    const manager = await lead();
    // It pays no heed to its signal while it is at the first step.
    const handle = manager.spawn({ instructions: steps({ do: 'deafFirst', ms: 6_000 }, { do: 'turns', count: 12, ms: 400 }) });
    await workers.until(({ what }) => what === 'deaf');
    only.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    only.signal('SIGCONT');
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: expect.stringContaining('turns 1 to 12'), run: 1 });
    expect(workers.lines('started')).toHaveLength(2);
  });

  test('`onWorkerLost`: `fail` ends the run, `requeue` begins it anew; a drained worker is not lost', async () => {
    for (const onWorkerLost of ['fail', 'requeue'] as const) {
      // Each has a queue of its own: what the first lead leaves behind is none of the second one's.
      queue = `${queue}-${onWorkerLost}`;
      const first = await worker({ ...SOON_LOST, concurrency: 1 });
      const manager = await lead({}, { onWorkerLost });
      const from = workers.lines('started').length;
      const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 5, ms: 100 }) });
      await workers.until(({ what, number, task }) => what === 'turn' && number === 3 && task === handle.taskId);
      first.signal('SIGKILL');
      await first.exited;
      const second = await worker({ ...SOON_LOST, concurrency: 1, drainMs: 1 });
      const result = handle.wait();
      if (onWorkerLost === 'fail') {
        expect(await result).toMatchObject({ status: 'failed', stopReason: 'host_lost', cause: { code: 'worker_lost' } });
        expect(workers.lines('started')).toHaveLength(from + 1);
        second.signal('SIGKILL');
        await second.exited;
        continue;
      }
      await workers.until(({ what, number, worker }) => what === 'turn' && number === 3 && worker === second.name);
      second.signal('SIGTERM');
      await worker({ ...SOON_LOST, concurrency: 1 });
      expect(await result).toMatchObject({ status: 'completed' });
      const begun = workers.lines('started').slice(from);
      // The killed one had reported two or three turns; the second begins without them, and the third has those of the second.
      expect(begun.map(({ checkpointed }) => checkpointed === undefined)).toEqual([true, true, false]);
    }
  });

  test('idempotency keys are the same at home and in the worker, after a takeover by a worker or a lead, and in a retry', async () => {
    const first = await worker({ ...SOON_LOST, concurrency: 1 });
    const store = memoryStore();
    const parts = ['pay', 'a b', 3] as const;
    const atHome = new Set<string>();
    const open = async (): Promise<SubAgentManager> => {
      const other = bullmqWorkers({ queue, connection: redis.connection, reconcileMs: 200 });
      const spawnSubAgent: OpenOptions['spawnSubAgent'] = (params, run) => {
        atHome.add(run.idempotencyKey(...parts));
        return other.spawnSubAgent(params, run);
      };
      const manager = await SubAgentManager.open({ store, onHostLost: 'resume', retry: { max: 1, backoffMs: 1 }, spawnSubAgent });
      leads.push({ manager, lead: other });
      return manager;
    };
    const one = await open();
    const instructions = steps({ do: 'key', parts }, { do: 'turns', count: 8, ms: 80 }, { do: 'failFirst' });
    const { taskId } = one.spawn({ instructions, background: true });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGKILL');
    await first.exited;
    await worker({ ...SOON_LOST, concurrency: 1 });
    await workers.until(({ what, number }) => what === 'turn' && number === 4);
    await leads[0]?.lead.close();
    await one[Symbol.asyncDispose]();
    leads.length = 0;
    const two = await open();
    const { completed } = await two.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    // The first run went on as the second of the next lead; the attempt after its failure is the third.
    expect(completed[0]).toMatchObject({ status: 'completed', run: 3, output: expect.stringContaining('run 3') });
    expect([...atHome]).toEqual([`${taskId}-1:pay:a%20b:3`]);
    const keys = workers.lines('key').map(({ output }) => output?.[0]);
    expect(keys).toEqual(Array(3).fill(`${taskId}-1:pay:a%20b:3`));
    // Another message is other work, accepted by the second opening of the store (A7).
    two.send(taskId, steps({ do: 'key', parts }));
    const later = await workers.until(({ what, output }) => what === 'key' && output?.[0] !== keys[0]);
    expect(later.output?.[0]).toMatch(/^sub_[0-9a-f]{32}-4:pay:a%20b:3$/);
    expect(later.output?.[0]).not.toContain(taskId);
    expect([...atHome].at(-1)).toBe(later.output?.[0]);
  });

  test('a run that kills its workers fails once it has lost `maxLosses`', async () => {
    const manager = await lead({}, { maxLosses: 1 });
    const handle = manager.spawn({ instructions: steps({ do: 'die' }) });
    for (let count = 0; count < 3; count += 1) {
      const { exited } = await worker(SOON_LOST);
      if (count < 2) expect(await exited).toBe('SIGKILL');
    }
    const result = await handle.wait();
    expect(result).toMatchObject({
      status: 'failed',
      stopReason: 'host_lost',
      error: expect.stringContaining('its worker was lost 2 times'),
      cause: { code: 'worker_lost' },
    });
    expect(workers.lines('started')).toHaveLength(2);
  });

  test('a job that failed is no end of its run: it is begun again from its checkpoint, at most `maxLosses` times', async () => {
    const { Queue } = await import('bullmq');
    const other = new Queue(queue, { connection: redis.connection });
    const manager = await lead({}, { maxLosses: 1 });
    const handle = manager.spawn({ instructions: steps({ do: 'turns', count: 9, ms: 50 }) });
    for (const last of [2, 5]) {
      const one = await worker({ ...SOON_LOST, concurrency: 1 });
      await workers.until(({ what, number }) => what === 'turn' && number === last);
      one.signal('SIGKILL');
      await one.exited;
      // As BullMQ does where it could not write how a job ended.
      const job = (await other.getJob(`${handle.taskId}-1`)) as unknown as { moveToFailed(error: Error, token: string): Promise<unknown> };
      await job.moveToFailed(new Error('the connection broke'), '0');
    }
    expect(await handle.wait()).toMatchObject({
      status: 'failed',
      stopReason: 'host_lost',
      error: "the queue doesn't have its end, the last of 2 losses: the connection broke",
      cause: { code: 'worker_lost', details: { losses: 2 } },
      run: 1,
    });
    expect(workers.lines('started').map(({ checkpointed }) => checkpointed)).toEqual([undefined, { done: 1 }]);
    // One that was asked to stop is not begun again.
    const stopped = manager.spawn({ instructions: steps({ do: 'stuck' }) });
    const one = await worker(SOON_LOST);
    await workers.until(({ what, task }) => what === 'started' && task === stopped.taskId);
    one.signal('SIGKILL');
    await one.exited;
    const cancelled = stopped.cancel();
    const job = (await other.getJob(`${stopped.taskId}-1`)) as unknown as { moveToFailed(error: Error, token: string): Promise<unknown> };
    await job.moveToFailed(new Error('the connection broke'), '0');
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    await other.close();
  });

  test('an end whose event is lost is found in the state of the job', async () => {
    await worker();
    const manager = await lead();
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    await leads[0]?.lead.ready();
    const list = (await client.client('LIST')) as string;
    const events = list.split('\n').filter((line) => /name=\S+:qe\b/.test(line));
    expect(events).toHaveLength(1);
    // Until it is connected again it gets nothing, and then it gets what comes after.
    await client.client('KILL', 'ID', events[0]?.match(/^id=(\d+)/)?.[1] as string);
    const result = await manager.spawn({ instructions: steps({ do: 'pause', ms: 1 }) }).wait();
    expect(result.status).toBe('completed');
    client.disconnect();
  });

  test('jobs that Redis has lost are added again', async () => {
    await worker();
    const manager = await lead();
    const handle = manager.spawn({ instructions: steps({ do: 'pause', ms: 300 }, { do: 'turns', count: 2 }) });
    await workers.until(({ what }) => what === 'started');
    const waiting = Array.from({ length: 5 }, () => manager.spawn({ instructions: steps({ do: 'pause', ms: 10 }) }));
    await redis.restart({ empty: true });
    expect((await handle.wait()).status).toBe('completed');
    for (const one of waiting) expect((await one.wait()).status).toBe('completed');
  });

  test('a Redis that is killed in mid-work loses nothing', async () => {
    await worker(SOON_LOST);
    await worker(SOON_LOST);
    const manager = await lead({ maxConcurrent: 20 });
    const handles = Array.from({ length: 100 }, () => manager.spawn({ instructions: steps({ do: 'turns', count: 2, ms: 20 }) }));
    for (let kill = 0; kill < 3; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await redis.restart();
    }
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed', run: 1 });
  });

  test('a drained worker ends what ends in time, and hands the rest back with its checkpoint', async () => {
    const first = await worker({ drainMs: 300 });
    const manager = await lead();
    const short = manager.spawn({ instructions: steps({ do: 'pause', ms: 100 }) });
    const long = manager.spawn({ instructions: steps({ do: 'turns', count: 12, ms: 100 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGTERM');
    await worker();
    expect(await first.exited).toBe('SIGTERM');
    expect((await short.wait()).output).toBe('paused');
    expect((await long.wait()).output).toMatch(/^turns [3-9] to 12$/);
    const starts = workers.lines('started').map(({ worker }) => worker);
    expect(starts.sort()).toEqual(['w1', 'w1', 'w2']);
  });

  test('a worker drains though another library would end the process, and a second signal ends it at once', async () => {
    const first = await worker({ besideSdk: true, drainMs: 60_000 });
    const manager = await lead();
    const short = manager.spawn({ instructions: steps({ do: 'pause', ms: 500 }) });
    await workers.until(({ what }) => what === 'started');
    first.signal('SIGTERM');
    expect((await short.wait()).output).toBe('paused');
    expect(await first.exited).toBe(null);
    expect(workers.lines('started')).toHaveLength(1);

    const second = await worker({ drainMs: 60_000 });
    manager.spawn({ instructions: steps({ do: 'pause', ms: 60_000 }) });
    await workers.until(({ what, worker }) => what === 'started' && worker === second.name);
    second.signal('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 100));
    second.signal('SIGTERM');
    expect(await second.exited).toBe('SIGTERM');
  });

  test('a lead that is followed by another one: the runs that workers have go on, and nothing is done twice', async () => {
    await worker();
    const store = memoryStore();
    const first = await lead({ store, onHostLost: 'resume', maxConcurrent: 2 });
    const instructions = steps({ do: 'turns', count: 8, ms: 60 });
    const ids = Array.from({ length: 4 }, () => first.spawn({ instructions, background: true }).taskId);
    const short = first.spawn({ instructions: steps({ do: 'pause', ms: 150 }), background: true }).taskId;
    await workers.until(({ what, number }) => what === 'turn' && number === 3);
    // As if the process were gone: nothing is sent to the workers.
    await leads[0]?.lead.close();
    await first[Symbol.asyncDispose]();
    leads.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await lead({ store, onHostLost: 'resume', maxConcurrent: 2 });
    const { completed } = await second.wait([...ids, short], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ status }) => status)).toEqual(Array(5).fill('completed'));
    expect(completed.slice(0, 4).map(({ output }) => output)).toEqual(Array(4).fill('turns 1 to 8'));
    expect(workers.lines('started')).toHaveLength(5);
    const turns = workers.lines('turn').map(({ task, number }) => `${task} ${number}`);
    expect(new Set(turns).size).toBe(turns.length);
  });

  test('what begins after a lead was closed is left to the next one, and ends at once when it is asked to stop', async () => {
    await worker();
    const store = memoryStore();
    const options = { store, onHostLost: 'resume', maxConcurrent: 1 } as const;
    const first = await lead(options);
    const begun = first.spawn({ instructions: steps({ do: 'turns', count: 4, ms: 100 }), background: true });
    const [waiting, stopped] = [1, 2].map(() => first.spawn({ instructions: steps({ do: 'turns', count: 1 }), background: true }));
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    await leads[0]?.lead.close();
    first.setLimits({ maxConcurrent: 3 });
    expect([waiting, stopped].map((handle) => handle?.status)).toEqual(['running', 'running']);
    stopped?.cancel();
    expect(await stopped?.wait()).toMatchObject({ status: 'cancelled' });
    expect(waiting?.status).toBe('running');
    await first[Symbol.asyncDispose]();
    leads.length = 0;
    const second = await lead(options);
    const { completed } = await second.wait([begun.taskId, waiting?.taskId ?? ''], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  test('a lead that is killed: the next one opens the journal, and each run ends once', async () => {
    await worker();
    await worker();
    const file = `${workers.folder}/journal`;
    const spawns = Array.from({ length: 12 }, () => steps({ do: 'turns', count: 5, ms: 60 }));
    const options = { onHostLost: 'resume', maxConcurrent: 6 } as const;
    const program = fileURLToPath(new URL('../support/lead-child.mjs', import.meta.url));
    const child = fork(program, [JSON.stringify({ store: file, queue, connection: redis.connection, spawns, ...options })]);
    const ids = await new Promise<string[]>((resolve) => child.once('message', (reported) => resolve(reported as string[])));
    await workers.until(({ what, number }) => what === 'turn' && number === 3);
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
    const second = await lead({ store: fileStore(file), ...options });
    const ends: string[] = [];
    second.subscribe((event) => {
      if (event.type === 'run_ended' && event.taskId !== null) ends.push(event.taskId);
    });
    const { completed } = await second.wait(ids, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ status, output }) => [status, output])).toEqual(ids.map(() => ['completed', 'turns 1 to 5']));
    expect(new Set(ends).size).toBe(ends.length);
    // What a worker had was not begun again.
    expect(workers.lines('started')).toHaveLength(ids.length);
  });

  test('jobs of a lead that is gone, which no journal knows, are stopped and removed', async () => {
    await worker();
    const first = await lead({ maxConcurrent: 30 });
    for (let count = 0; count < 12; count += 1) first.spawn({ instructions: steps({ do: 'stuck' }), background: true });
    // Ten are at work, two wait for a place.
    while (workers.lines('started').length < 10) await new Promise((resolve) => setTimeout(resolve, 20));
    await leads[0]?.lead.close();
    first.dispose();
    leads.length = 0;
    await lead({}, { orphanMs: 0, reconcileMs: 50 });
    await leads[0]?.lead.ready();
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    while ((await client.keys(`bull:${queue}:sub_*`)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = workers.lines('ended').map(({ output }) => output?.[0]);
    expect(new Set(ended)).toEqual(new Set(['aborted host_lost']));
    client.disconnect();
  });

  test('a lead whose store is another’s by now leaves alone the jobs that it doesn’t know', async () => {
    const inner = memoryStore();
    let isLost = false;
    const store: Store = {
      open: () => inner.open(),
      compact: (snapshot, through) => inner.compact(snapshot, through),
      close: () => inner.close(),
      append: (record) => (isLost ? Promise.reject(new Error('another process has it')) : inner.append(record)),
    };
    const errors: unknown[] = [];
    await lead({ store, onError: (error) => errors.push(error) }, { orphanMs: 0, reconcileMs: 20 });
    await leads[0]?.lead.ready();
    isLost = true;
    const { Queue } = await import('bullmq');
    const jobs = new Queue(queue, { connection: redis.connection });
    await jobs.addBulk([{ name: 'run', data: {}, opts: { jobId: 'of the next lead' } }]);
    // It closes once it knows.
    while ((await leads[0]?.lead.ready().catch(({ code }) => code)) !== 'store_failed')
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect([(await jobs.getJob('of the next lead'))?.id, errors]).toEqual([
      'of the next lead',
      [expect.objectContaining({ code: 'store_failed' })],
    ]);
    await jobs.close();
  });

  test('two leads of one queue: the later one counts, the runs of the earlier one end', async () => {
    await worker();
    const errors: unknown[] = [];
    const first = await lead({}, { onError: (error) => errors.push(error) });
    const handle = first.spawn({ instructions: steps({ do: 'stuck' }) });
    await workers.until(({ what }) => what === 'started');
    const second = await lead();
    expect((await second.spawn({ instructions: steps({ do: 'pause', ms: 1 }) }).wait()).status).toBe('completed');
    expect(await handle.wait()).toMatchObject({ status: 'failed', cause: { code: 'lead_replaced', details: { queue } } });
    expect(errors).toMatchObject([{ code: 'lead_replaced' }]);
    await expect(leads[0]?.lead.ready()).rejects.toMatchObject({ code: 'lead_replaced' });
  });

  test('a job is removed once the manager has kept its end', async () => {
    await worker();
    const manager = await lead();
    await Promise.all(Array.from({ length: 20 }, () => manager.spawn({ instructions: steps({ do: 'pause', ms: 1 }) }).wait()));
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    while ((await client.keys(`bull:${queue}:sub_*`)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await client.zcard(`bull:${queue}:completed`)).toBe(0);
    client.disconnect();
  });

  test.each(['sync', 'batched'] as const)(
    '%s: a job stays until the journal has the end of its run, also while an append hangs',
    async (durability) => {
      await worker();
      const inner = memoryStore();
      let hung: (() => void)[] | undefined;
      const store: Store = {
        open: () => inner.open(),
        compact: (snapshot, through) => inner.compact(snapshot, through),
        close: () => inner.close(),
        async append(record) {
          if (hung !== undefined) await new Promise<void>((resolve) => hung?.push(resolve));
          await inner.append(record);
        },
      };
      const manager = await lead({ store, durability }, { reconcileMs: 50 });
      const handle = manager.spawn({ instructions: steps({ do: 'pause', ms: 300 }) });
      await workers.until(({ what }) => what === 'started');
      await manager.flush();
      hung = [];
      await workers.until(({ what }) => what === 'ended');
      const { Redis } = (await import('ioredis')).default;
      const client = new Redis(redis.port, '127.0.0.1');
      const job = `bull:${queue}:${handle.taskId}-1`;
      while ((await client.hget(job, 'finishedOn')) === null) await new Promise((resolve) => setTimeout(resolve, 10));
      // The states of jobs are read ten times.
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect([await client.exists(job), hung.length]).toEqual([1, 1]);
      const all = hung;
      hung = undefined;
      for (const goOn of all) goOn();
      expect(await handle.wait()).toMatchObject({ status: 'completed' });
      while ((await client.exists(job)) === 1) await new Promise((resolve) => setTimeout(resolve, 10));
      client.disconnect();
    },
  );

  test('a job stays where its lead ends before the journal has the end: the next one finds it, and nothing is done twice', async () => {
    await worker();
    const inner = memoryStore();
    let isHung = false;
    const never = new Promise<void>(() => undefined);
    const store: Store = {
      open: () => inner.open(),
      compact: (snapshot, through) => (isHung ? never : inner.compact(snapshot, through)),
      close: () => inner.close(),
      append: (record) => (isHung ? never : inner.append(record)),
    };
    const first = await lead({ store, onHostLost: 'resume' }, { reconcileMs: 50 });
    const { taskId } = first.spawn({ instructions: steps({ do: 'pause', ms: 300 }), background: true });
    await workers.until(({ what }) => what === 'started');
    await first.flush();
    isHung = true;
    await workers.until(({ what }) => what === 'ended');
    await new Promise((resolve) => setTimeout(resolve, 300));
    // As if its process were gone: what hangs in the journal never comes.
    await leads[0]?.lead.close();
    first.dispose();
    leads.length = 0;
    await inner.close();
    const second = await lead({ store: inner, onHostLost: 'resume' });
    const { completed } = await second.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed[0]).toMatchObject({ status: 'completed', output: 'paused' });
    expect(workers.lines('started')).toHaveLength(1);
  });
});
