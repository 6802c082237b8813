// What a host function in a worker returns, throws, or asks with, where that isn't what it should be: the run ends, and the
// call answers, as they do at home. A value is never changed on its way, and none has a run wait for ever.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type BullmqWorkers, bullmqWorkers, type WorkerProcess, type WorkerRun, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';

type Did = (run: WorkerRun) => unknown;

const within: { itself?: object } = {};
within.itself = within;
const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as object;
const throws = (what: unknown) => (): never => {
  throw what;
};
const unreadable = (name: string): object =>
  Object.defineProperty({ output: 'x', usage: { tokens: 7 } }, name, { get: throws(new Error('unreadable')), enumerable: true });
const withArtifacts =
  (...artifacts: unknown[]) =>
  (): object => ({ output: 'x', usage: { tokens: 7 }, artifacts: [{ kept: 1 }, ...artifacts] });

/** What host functions do that shouldn't. */
const RETURNS: Record<string, Did> = {
  'throws a text': throws('no luck'),
  'throws null': throws(null),
  'throws an object': throws({ a: 1 }),
  'throws what throws': throws(
    new Proxy(new Error('x'), {
      get: throws(new Error('trap')),
    }),
  ),
  'throws two million letters': throws(new Error('x'.repeat(2_000_000))),
  'returns nothing': () => undefined,
  'returns null': () => null,
  'returns a number': () => 7,
  'returns a list': () => [1],
  'returns an empty object': () => ({}),
  'returns 1 MiB': () => ({ output: 'x'.repeat(1 << 20) }),
  'returns 10 MiB of two bytes each': () => ({ output: 'é'.repeat(5 << 20) }),
  'returns half a surrogate': () => ({ output: 'a\ud800b' }),
  'returns an unknown status': () => ({ output: 'x', status: 'odd' }),
  'returns an Error': () => ({ output: '', status: 'failed', error: new Error('its message') }),
  'has an output that can’t be read': () => unreadable('output'),
  'has a usage that can’t be read': () => unreadable('usage'),
  'has an error that can’t be read': () => unreadable('error'),
  'has an artifact within itself': withArtifacts(within),
  'has an artifact too deep': withArtifacts(deep),
  'has an artifact with a bigint': withArtifacts({ n: 10n }),
  'has an artifact that throws': withArtifacts({ toJSON: throws(new Error('no JSON')) }),
  'has artifacts that JSON changes': withArtifacts({ at: new Date(0) }, { map: new Map([[1, 2]]) }, { n: Number.POSITIVE_INFINITY }),
  'has artifacts with odd names': withArtifacts(JSON.parse('{"__proto__":{"a":1},"$wire":"NaN"}'), { $wire: 'NaN' }),
  'has artifacts that are none': () => ({ output: 'x', usage: { tokens: 7 }, artifacts: 5 }),
  'used NaN tokens': () => ({ output: 'x', usage: { tokens: Number.NaN, turns: 3 } }),
  'used a bigint of tokens': () => ({ output: 'x', usage: { tokens: 10n } }),
  'used infinitely many tokens': () => ({ output: 'x', usage: { tokens: Number.POSITIVE_INFINITY } }),
  'used less than no tokens': () => ({ output: 'x', usage: { tokens: -5 } }),
  'used figures of other names': () => ({ output: 'x', usage: { total: 5 } }),
  'is a proxy that throws': () => new Proxy({}, { get: throws(new Error('trap')) }),
};

/** What host functions ask with that can't be. */
const ASKS: Record<string, Did> = {
  'a checkpoint of a bigint': (run) => run.checkpoint({ n: 10n } as never),
  'a checkpoint within itself': (run) => run.checkpoint(within as never),
  'a checkpoint of NaN': (run) => run.checkpoint({ n: Number.NaN }),
  'a checkpoint of a Date': (run) => run.checkpoint({ at: new Date(0) } as never),
  'a checkpoint of a function': (run) => run.checkpoint((() => 1) as never),
  'a checkpoint of nothing': (run) => run.checkpoint(undefined as never),
  'a checkpoint that throws': (run) => run.checkpoint({ toJSON: throws(new Error('x')) } as never),
  'a checkpoint of 2 MiB': (run) => run.checkpoint('x'.repeat(2 << 20)),
  'a checkpoint of odd names': async (run) => {
    const odd = JSON.parse('{"__proto__":{"a":1},"mark":{"$wire":"NaN"},"limit":{"infinite":true}}');
    await run.checkpoint(odd);
    return JSON.stringify(run.checkpointed) === JSON.stringify(odd);
  },
  'a report of other names': (run) => run.report({ total: 5 } as never),
  'a report of nothing': (run) => run.report(null as never),
  'a report of NaN tokens': (run) => run.report({ tokens: Number.NaN }),
  'a report of a bigint': (run) => run.report({ tokens: 3n as never }),
  'a report of what was read and written': (run) => run.report({ inputTokens: 3, outputTokens: 4, todos: [{ content: 'a' }] }),
  'a report with a text that is none': (run) => run.report({ message: 5 as never }),
  'a rate limit below 0': (run) => run.reportRateLimit({ retryAfterMs: -1 }),
  'a question that is none': (run) => run.ask(5 as never),
  'an unknown option': (run) => (async () => run.spawn({ instructions: 'x', colour: 'red' } as never))(),
  'a signal that has fired': (run) => (async () => run.spawn({ instructions: 'x', signal: AbortSignal.abort() }))(),
  'a wait for all': async (run) => (await run.wait()).completed.length,
};

describe.skipIf(!hasRedis)('odd values between a worker and its lead', () => {
  let redis: TestRedis;
  let worker: WorkerProcess;
  let lead: BullmqWorkers;
  let home: SubAgentManager;
  let there: SubAgentManager;
  const given: Record<string, Did> = { ...RETURNS };

  beforeAll(async () => {
    redis = await startRedis();
    const { connection } = redis;
    for (const [name, ask] of Object.entries(ASKS)) {
      given[name] = async (run) => {
        const reported = await (async () => ask(run))().then(
          (value) => JSON.stringify(value) ?? 'well',
          (error: Error & { code?: string }) => `${error.name} ${error.code}: ${error.message}`,
        );
        return { output: reported };
      };
    }
    const host = async ({ instructions }: { instructions: string }, run: unknown): Promise<never> =>
      (await given[instructions]?.(run as WorkerRun)) as never;
    const errors: unknown[] = [];
    worker = work({ connection, drainOn: [], lostAfterMs: 30_000, spawnSubAgent: host, onError: (error) => errors.push(error) });
    lead = bullmqWorkers({ connection, onError: (error) => errors.push(error) });
    const options: Omit<OpenOptions, 'store' | 'spawnSubAgent'> = { maxDepth: 2, maxResultBytes: 1 << 20 };
    home = await SubAgentManager.open({ ...options, store: memoryStore(), spawnSubAgent: host });
    there = await SubAgentManager.open({ ...options, store: memoryStore(), spawnSubAgent: lead.spawnSubAgent });
  });
  afterAll(async () => {
    home.dispose();
    there.dispose();
    await Promise.all([lead.close(), worker.close()]);
    await redis.stop();
  });

  const endIn = async (manager: SubAgentManager, instructions: string): Promise<object> => {
    const { status, stopReason, output, error, usage, artifacts, truncated } = await manager.spawn({ instructions }).wait();
    return { status, stopReason, output, error, usage, artifacts: JSON.stringify(artifacts), truncated };
  };

  test.for([...Object.keys(RETURNS), ...Object.keys(ASKS)])('%s', async (name) => {
    expect(await endIn(there, name)).toEqual(await endIn(home, name));
  });

  test.each<[string, unknown]>([
    ['a bigint', { a: 10n }],
    ['itself', within],
    ['a function', { a: 1, f: () => 1 }],
    ['a date and no number', { at: new Date(0), n: Number.NaN }],
    ['nothing but JSON', { $wire: 'NaN', list: [1, 'two', null] }],
  ])('a `value` with %s is taken, or refused, as at home', async (name, value) => {
    given[name] = () => ({ output: 'x', value });
    const ended = async (manager: SubAgentManager): Promise<object> => {
      const result = await manager.spawn({ instructions: name, schema: { type: 'object' } }).wait();
      return { status: result.status, stopReason: result.stopReason, error: result.error, value: JSON.stringify(result.value) };
    };
    expect(await ended(there)).toEqual(await ended(home));
  });

  test('what can’t be sent is said by its place, what is too large by its size; the next call goes on', async () => {
    const refusals: string[] = [];
    given['sends too much'] = async (run) => {
      const refused = async (what: () => Promise<unknown>): Promise<void> => {
        await what().catch((error: Error & { code?: string }) => refusals.push(`${error.code}: ${error.message}`));
      };
      await refused(() => run.spawn({ instructions: 'x', schema: { '~standard': { validate: () => ({ value: 1 }) } } as never }));
      await refused(() => run.spawn({ instructions: 'x', metadata: { n: 10n } as never }));
      const wait = run.wait(undefined, { timeoutMs: 1 });
      await refused(() => run.spawn({ instructions: 'x'.repeat(17 << 20) }));
      await run.checkpoint('after');
      await wait;
      return { output: 'went on' };
    };
    expect(await endIn(there, 'sends too much')).toMatchObject({ status: 'completed', output: 'went on' });
    expect(refusals).toEqual([
      "invalid_argument: `schema.~standard.validate` is a function, which can't be sent to the lead",
      "invalid_argument: `metadata.n` is a bigint, which can't be sent to the lead",
      expect.stringContaining('invalid_argument: what `spawn` is given has more than 16 MiB'),
    ]);
  });

  test('an answer of the lead that is too large says so', async () => {
    const { connection } = redis;
    const queue = 'large';
    const spawnSubAgent = async ({ instructions }: { instructions: string }, run: WorkerRun): Promise<{ output: string }> => {
      if (instructions === 'child') return { output: 'x'.repeat(17 << 20) };
      const child = await run.spawn({ instructions: 'child' });
      const [one, other] = await Promise.allSettled([child.wait(), run.getConcurrencyInfo()]);
      return { output: `${one.status === 'rejected' && (one.reason as Error).message}, ${other.status}` };
    };
    const workers = work({ connection, queue, drainOn: [], spawnSubAgent });
    const large = bullmqWorkers({ connection, queue });
    const manager = new SubAgentManager({ maxDepth: 2, maxResultBytes: 32 << 20, spawnSubAgent: large.spawnSubAgent });
    const { output } = await manager.spawn({ instructions: 'parent' }).wait();
    expect(output).toBe('the answer of the lead has more than 16 MiB, which is too much for one letter: ask for less at once, fulfilled');
    manager.dispose();
    await Promise.all([large.close(), workers.close()]);
  });

  test('a signal that is given at a spawn cancels it, and its end says that, as at home', async () => {
    given.child = (run) => new Promise((resolve) => run.signal.addEventListener('abort', () => resolve({ output: 'stopped' })));
    given.cancels = async (run) => {
      const controller = new AbortController();
      const child = await run.spawn({ instructions: 'child', signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      const { status, stopReason } = await child.wait();
      return { output: `${status}, ${stopReason}` };
    };
    for (const place of [home, there]) expect(await endIn(place, 'cancels')).toMatchObject({ output: 'cancelled, signal_aborted' });
  });
});
