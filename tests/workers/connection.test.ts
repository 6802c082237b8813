// How leads and workers reach Redis, and what becomes of them where it isn't there, refuses them, or goes for good: all is
// reported, nothing waits for ever, and a process whose lead and worker are closed ends by itself.

import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { bullmqWorkers, type WorkerProcess, work } from '../../dist/workers/bullmq.js';
import { freePort, hasRedis, startRedis, type TestRedis } from '../support/redis.js';

const spawnSubAgent = async (): Promise<{ output: string }> => ({ output: 'done' });
const endings: (() => Promise<void> | void)[] = [];

async function redisWith(...args: string[]): Promise<TestRedis> {
  const redis = await startRedis(...args);
  endings.push(() => redis.stop());
  return redis;
}

function pairOn(
  connection: unknown,
  options: { prefix?: string; onError?: (error: unknown) => void } = {},
): { manager: SubAgentManager; worker: WorkerProcess } {
  const worker = work({ connection, drainOn: [], spawnSubAgent, ...options });
  const lead = bullmqWorkers({ connection, ...options });
  const manager = new SubAgentManager({ spawnSubAgent: lead.spawnSubAgent });
  endings.push(async () => {
    manager.dispose();
    await Promise.all([lead.close(), worker.close()]);
  });
  return { manager, worker };
}

interface Ending {
  readonly child: ChildProcess;
  readonly exited: Promise<number | NodeJS.Signals | null>;
  told(): Promise<unknown>;
}

function ending(given: { connection: unknown; queue: string; isThere: boolean }): Ending {
  const program = fileURLToPath(new URL('../support/ending-child.mjs', import.meta.url));
  const child = fork(program, [JSON.stringify(given)], { silent: true });
  endings.push(() => void child.kill('SIGKILL'));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  return { child, exited, told: () => new Promise((resolve) => child.once('message', resolve)) };
}

describe.skipIf(!hasRedis)('the connection of leads and workers', () => {
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  test('`connection` may be an address; one that can’t be is refused at once', async () => {
    const { port } = await redisWith();
    const { manager } = pairOn(`redis://127.0.0.1:${port}`);
    expect((await manager.spawn({ instructions: 'x' }).wait()).output).toBe('done');
    for (const connection of ['127.0.0.1:6379', 'http://127.0.0.1', '', 6379, true, [], null])
      expect(() => bullmqWorkers({ connection })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  test('a client that gives calls up is refused at once; one that doesn’t serves, and stays open', async () => {
    const { port } = await redisWith();
    const { Redis } = (await import('ioredis')).default;
    const wrong = new Redis(port, '127.0.0.1', { lazyConnect: true });
    expect(() => work({ connection: wrong, spawnSubAgent })).toThrow('`maxRetriesPerRequest: null`');
    const right = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null });
    const { manager, worker } = pairOn(right);
    expect((await manager.spawn({ instructions: 'x' }).wait()).output).toBe('done');
    await worker.close();
    expect(await right.ping()).toBe('PONG');
    endings.unshift(() => right.disconnect());
  });

  test('a worker and a lead that begin before their Redis wait for it', async () => {
    const redis = await redisWith();
    await redis.kill();
    const { manager } = pairOn(redis.connection, { onError: () => undefined });
    const result = manager.spawn({ instructions: 'x' }).wait();
    await redis.restart();
    expect((await result).output).toBe('done');
  });

  test('a Redis that can’t serve yet is tried again', async () => {
    const redis = await redisWith('--cluster-enabled', 'yes');
    const errors: string[] = [];
    const { manager, worker } = pairOn(redis.connection, { prefix: '{one}', onError: (error) => errors.push((error as Error).message) });
    const result = manager.spawn({ instructions: 'x' }).wait();
    await vi.waitUntil(() => errors.some((message) => message.startsWith('CLUSTERDOWN')));
    const { Redis } = (await import('ioredis')).default;
    const client = new Redis(redis.port, '127.0.0.1');
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    client.disconnect();
    await worker.ready();
    expect((await result).output).toBe('done');
  });

  test('a Redis that wants a password says so: the run fails, the worker is not ready', async () => {
    const redis = await redisWith('--requirepass', 'secret');
    const { manager, worker } = pairOn(redis.connection, { onError: () => undefined });
    await expect(worker.ready()).rejects.toMatchObject({ code: 'not_ready', message: expect.stringContaining('NOAUTH') });
    expect(await manager.spawn({ instructions: 'x' }).wait()).toMatchObject({ status: 'failed', error: expect.stringContaining('NOAUTH') });
  });

  test('without `onError` the console has what goes wrong, the same once a minute', async () => {
    const port = await freePort();
    const shown = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    endings.push(() => shown.mockRestore());
    work({ connection: { port }, queue: 'quiet', drainOn: [], spawnSubAgent });
    const tells = vi.fn();
    const other = work({ connection: { port }, queue: 'loud', drainOn: [], spawnSubAgent, onError: tells });
    endings.push(() => other.close());
    await vi.waitUntil(() => tells.mock.calls.length >= 4);
    expect(shown.mock.calls).toEqual([[expect.stringMatching(/^subagents\/bullmq, queue quiet: .*ECONNREFUSED/)]]);
  });

  test('where there is no Redis, a run is cancelled at once, and the process ends', async () => {
    const { child, exited, told } = ending({ connection: { port: await freePort() }, queue: 'none', isThere: false });
    expect(await told()).toBe('working');
    child.send('close');
    expect(await told()).toEqual({ status: 'cancelled', hostStillRunning: false });
    expect(await exited).toBe(0);
  });

  test.for(['gone', 'frozen'])('a Redis that is %s for good keeps no process', async (how) => {
    const redis = await redisWith();
    const { child, exited, told } = ending({ connection: redis.connection, queue: how, isThere: true });
    expect(await told()).toBe('working');
    if (how === 'gone') await redis.kill();
    else redis.freeze();
    child.send('close');
    await told();
    expect(await exited).toBe(0);
  });

  test('a drain without runs waits for nothing where Redis is gone', async () => {
    const redis = await redisWith();
    const { worker } = pairOn(redis.connection, { onError: () => undefined });
    await worker.ready();
    await redis.kill();
    await worker.close({ timeoutMs: 600_000 });
  });

  test('a drain waits until Redis has taken the end of a run', async () => {
    const redis = await redisWith();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let calls = 0;
    const connection = redis.connection;
    const onError = (): void => undefined;
    const worker = work({
      connection,
      onError,
      drainOn: [],
      spawnSubAgent: async () => {
        calls += 1;
        await redis.kill();
        setTimeout(end);
        return { output: 'done' };
      },
    });
    const lead = bullmqWorkers({ connection, onError });
    const manager = new SubAgentManager({ spawnSubAgent: lead.spawnSubAgent });
    endings.push(async () => {
      manager.dispose();
      await lead.close();
    });
    const result = manager.spawn({ instructions: 'x' }).wait();
    await ended;
    const closed = worker.close({ timeoutMs: 600_000 });
    await redis.restart();
    await closed;
    expect((await result).output).toBe('done');
    expect(calls).toBe(1);
  });

  test('a worker that is not closed ends by its signal, though its Redis is gone', async () => {
    const redis = await redisWith();
    const { child, exited, told } = ending({ connection: redis.connection, queue: 'signal', isThere: true });
    await told();
    await redis.kill();
    child.kill('SIGTERM');
    expect(await exited).toBe('SIGTERM');
  });

  test('a process that can’t become a worker ends with 1', async () => {
    const redis = await redisWith('--requirepass', 'secret');
    const program = `import { work } from ${JSON.stringify(new URL('../../dist/workers/bullmq.js', import.meta.url).href)};
      work({ connection: { port: ${redis.port} }, spawnSubAgent: async () => ({ output: '' }) });`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining("the queue subagents can't be opened: NOAUTH")]);
  });
});
