// What a queue or another process sends that can't be read: it ends what it belongs to with `invalid_result` and its place, and
// the work on others goes on.

import { Queue, Relay, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { type BullmqWorkersOptions, bullmqWorkers, type WorkerSpawnSubAgent, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';

const { publish } = Relay.prototype;
const { addBulk } = Queue.prototype;
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const ended = { by: 'x.1', from: 0, requests: [], result: { fields: { output: 'forged' } } };

/** What a job may say that it ended with, and what is wrong with it. */
const RESULTS: [string, unknown, string][] = [
  ['nothing', undefined, 'it must be an object, got null'],
  ['a text', 'ok', 'it must be an object, got "ok"'],
  ['a list', [], 'it must be an object, got an empty list'],
  ['no attempt', { ...ended, by: undefined }, '`by` must be the name of an attempt, got undefined'],
  ['an attempt of another form', { ...ended, by: 'x' }, '`by` must be the name of an attempt, got "x"'],
  ['a number below 0', { ...ended, from: -1 }, '`from` must be a whole number from 0 on, got -1'],
  ['requests that are no list', { ...ended, requests: 5 }, '`requests` must be a list, got 5'],
  ['a request without arguments', { ...ended, requests: [{ seq: 0, call: 'report' }] }, '`requests[0].args` must be a list, got undefined'],
  ['a result that is null', { ...ended, result: null }, '`result` must be an object, got null'],
  ['neither a result nor an error', { ...ended, result: undefined }, 'it must be a result, an error or a refusal, got an object'],
  ['an error without a message', { ...ended, result: undefined, threw: {} }, '`threw.message` must be a text, got undefined'],
  ['reports that are null', { ...ended, reported: null }, '`reported` must be an object, got null'],
  ['a report of a text', { ...ended, reported: { tokens: '5', costUsd: 0, turns: 0 } }, '`reported.tokens` must be a number from 0 on'],
  [
    'an artifact that there isn’t',
    { ...ended, result: { fields: {}, unkept: { 7: 'lost' } } },
    '`result.unkept.7` must be about an artifact',
  ],
  ['no JSON', { $packed: '{' }, 'JSON'],
  ['a value that stands for nothing', { ...ended, result: { fields: { output: { $wire: null } } } }, '`$wire` stands for nothing'],
  ['a value without end', { $packed: JSON.stringify(ended).replace('"forged"', deep) }, 'nests deeper than 1000 levels'],
];

let redis: TestRedis;
let queues = 0;

interface World {
  readonly queue: string;
  readonly manager: SubAgentManager;
  readonly errors: Error[];
  /** A worker of BullMQ that is none of ours, and returns this. */
  returning(value: unknown): Worker;
  worker(spawnSubAgent: WorkerSpawnSubAgent): Promise<void>;
}

function begin(options: Partial<BullmqWorkersOptions> = {}): World {
  queues += 1;
  const queue = `sent-${queues}`;
  const { connection } = redis;
  const errors: Error[] = [];
  const onError = (error: unknown): number => errors.push(error as Error);
  const lead = bullmqWorkers({ connection, queue, reconcileMs: 100, onError, ...options });
  const manager = new SubAgentManager({ spawnSubAgent: lead.spawnSubAgent, maxConcurrent: 20, maxDepth: 2 });
  onTestFinished(async () => {
    await lead.close();
    manager.dispose();
  });
  return {
    queue,
    manager,
    errors,
    returning(value) {
      const worker = new Worker(queue, async () => value, { connection: { ...connection, maxRetriesPerRequest: null } });
      onTestFinished(() => worker.close());
      return worker;
    },
    async worker(spawnSubAgent) {
      const own = work({ connection, queue, drainOn: [], spawnSubAgent, onError });
      onTestFinished(() => own.close({ timeoutMs: 0 }));
      await own.ready();
    },
  };
}

/** Has what goes to a lead, or to a worker, changed on its way. */
function changed(isOf: (topic: string) => boolean, change: (items: readonly object[]) => unknown): void {
  Relay.prototype.publish = function (this: Relay, topic: string, data: unknown) {
    return publish.call(this, topic, isOf(topic) ? change(data as object[]) : data);
  };
}

describe.skipIf(!hasRedis)('what is sent and can’t be read', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  afterEach(() => {
    Relay.prototype.publish = publish;
    Queue.prototype.addBulk = addBulk;
  });

  test.each(RESULTS)('J5 the result of a job that is %s ends its run, with its place', async (_, value, why) => {
    const { manager, returning } = begin();
    returning(value);
    const { status, stopReason, error } = await manager.spawn({ instructions: 'forged' }).wait();
    expect([status, stopReason]).toEqual(['failed', 'invalid_result']);
    expect(error).toContain("can't be read");
    expect(error).toContain(why);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
  });

  test('J5 jobs that can’t be read stop the recovery of no other: a job that the queue has lost is added again', async () => {
    const { manager, queue, returning, worker } = begin();
    const away = returning('ok');
    const forged = await manager.spawn({ instructions: 'forged' }).wait();
    await away.close();
    const client = new Redis(redis.connection);
    const jobs = new Queue(queue, { connection: redis.connection });
    onTestFinished(async () => {
      client.disconnect();
      await jobs.close();
    });
    const [broken, strange, innocent] = ['broken', 'strange', 'innocent'].map((instructions) => manager.spawn({ instructions }));
    const job = (handle: typeof broken): string => `${handle?.taskId}-1`;
    while ((await jobs.getRanges(['wait'], 0, 10)).length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    await jobs.remove(job(innocent));
    await client.hset(`bull:${queue}:${job(broken)}`, 'data', '{');
    await client.del(`bull:${queue}:${job(strange)}`);
    await client.set(`bull:${queue}:${job(strange)}`, 'no job');
    const results = await Promise.all([broken, strange].map((handle) => handle?.wait()));
    await worker(async ({ instructions }) => ({ output: `did ${instructions}` }));
    expect(await innocent?.wait()).toMatchObject({ status: 'completed', output: 'did innocent' });
    for (const result of [forged, ...results]) expect(result).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
  });

  test('J5 something else in the place of a job ends its run, and no other', async () => {
    const { manager, queue, worker } = begin();
    const client = new Redis(redis.connection);
    onTestFinished(() => client.disconnect());
    Queue.prototype.addBulk = async function (this: Queue, jobs: Parameters<typeof addBulk>[0]) {
      for (const { data, opts } of jobs)
        if (JSON.stringify(data).includes('strange')) await client.set(`bull:${queue}:${(opts as { jobId: string }).jobId}`, 'no job');
      return addBulk.call(this, jobs);
    } as typeof addBulk;
    const [strange, innocent] = ['strange', 'innocent'].map((instructions) => manager.spawn({ instructions }));
    expect(await strange?.wait()).toMatchObject({ status: 'failed', stopReason: 'invalid_result' });
    await worker(async () => ({ output: 'done' }));
    expect(await innocent?.wait()).toMatchObject({ status: 'completed' });
  });

  test('J5 an event that can’t be read hides no later one: ends are found at once, whenever job states are read', async () => {
    const { manager, queue, worker, errors } = begin({ reconcileMs: 3_600_000 });
    await worker(async () => ({ output: 'done' }));
    await manager.spawn({ instructions: 'first' }).wait();
    const client = new Redis(redis.connection);
    onTestFinished(() => client.disconnect());
    await client.xadd(`bull:${queue}:events`, '*', 'event', 'completed', 'jobId', 'x', 'returnvalue', '{');
    while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    // The events are read from now on again.
    for (let number = 0; number < 3; number += 1)
      expect(await manager.spawn({ instructions: 'next' }).wait()).toMatchObject({ status: 'completed' });
  });

  test('J5 a letter that can’t be read ends its run, and takes no other letter of its batch along', async () => {
    const { manager, worker, errors } = begin();
    let go = (): void => undefined;
    const isGo = new Promise<void>((resolve) => {
      go = resolve;
    });
    await worker(async ({ instructions }, run) => {
      await isGo;
      await run.checkpoint(instructions ?? '');
      return { output: 'done' };
    });
    const [broken, innocent] = ['broken', 'innocent'].map((instructions) => manager.spawn({ instructions }));
    changed(
      (topic) => topic === 'lead',
      (letters) => [
        null,
        5,
        { job: 'of nobody' },
        ...letters.map((letter) =>
          (letter as { job: string }).job === `${broken?.taskId}-1` ? { ...letter, requests: [{ seq: 'x' }] } : letter,
        ),
      ],
    );
    go();
    const error = expect.stringContaining(
      'the letter of the worker can\'t be read: `requests[0].seq` must be a whole number from 0 on, got "x"',
    );
    expect(await broken?.wait()).toMatchObject({ status: 'failed', stopReason: 'invalid_result', error });
    expect(await innocent?.wait()).toMatchObject({ status: 'completed', output: 'done' });
    expect(errors.map(({ message }) => message)).toContain("the letter of the worker can't be read: it must be an object, got null");
  });

  test('J5 an answer that can’t be read ends the run that it is for, and takes no other answer of its batch along', async () => {
    const { manager, worker } = begin();
    const received: unknown[] = [];
    await worker(async ({ instructions }, run) => {
      // Nothing that the host function makes of it counts.
      await run.checkpoint(instructions ?? '').catch((error) => received.push(error.message));
      if (run.signal.aborted) received.push(run.signal.reason.details.reason);
      return { output: 'done' };
    });
    const broken = manager.spawn({ instructions: 'broken' });
    changed(
      (topic) => topic.startsWith('worker.'),
      (replies) => [
        null,
        ...replies.map((reply) => ((reply as { job: string }).job === `${broken.taskId}-1` ? { ...reply, answers: 5 } : reply)),
      ],
    );
    const innocent = manager.spawn({ instructions: 'innocent' });
    const error = "the answer of the lead can't be read: `answers` must be a list, got 5";
    expect(await broken.wait()).toMatchObject({ status: 'failed', stopReason: 'invalid_result', error });
    expect(await innocent.wait()).toMatchObject({ status: 'completed', output: 'done' });
    expect(received).toEqual([error, 'invalid_result']);
  });

  test('J5 a job that the database refuses keeps no other out', async () => {
    const { manager, worker } = begin();
    await worker(async ({ instructions }) => ({ output: `did ${instructions}` }));
    Queue.prototype.addBulk = function (this: Queue, jobs: Parameters<typeof addBulk>[0]) {
      const isRefused = jobs.some(({ data }) => JSON.stringify(data).includes('too much'));
      return isRefused ? Promise.reject(new Error('total size of jsonb array elements exceeds the maximum')) : addBulk.call(this, jobs);
    } as typeof addBulk;
    const [tooMuch, innocent] = ['too much', 'innocent'].map((instructions) => manager.spawn({ instructions }));
    expect(await innocent?.wait()).toMatchObject({ output: 'did innocent' });
    expect(await tooMuch?.cancel()).toMatchObject({ status: 'cancelled' });
  });
});
