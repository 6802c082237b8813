// Times longer than timers take, 2^31 - 1 ms: such a timer would ring at once.

import { expect, onTestFinished, test } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { bullmqWorkers, work } from '../../dist/workers/bullmq.js';
import { hasRedis, startRedis } from '../support/redis.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.skipIf(!hasRedis).each([3_000_000_000, Number.POSITIVE_INFINITY])(
  'a worker whose drain has %d ms lets its runs end',
  async (timeoutMs) => {
    const redis = await startRedis();
    const { connection } = redis;
    const reasons: unknown[] = [];
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const worker = work({
      connection,
      drainOn: [],
      async spawnSubAgent(_, { signal }) {
        begin();
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        await pause(200);
        return { output: 'in peace' };
      },
    });
    const lead = bullmqWorkers({ connection, reconcileMs: timeoutMs });
    const manager = new SubAgentManager({ spawnSubAgent: lead.spawnSubAgent });
    onTestFinished(async () => {
      manager.dispose();
      await lead.close();
      await redis.stop();
    });
    const waiting = manager.spawn({ instructions: 'x' }).wait();
    await begun;
    await worker.close({ timeoutMs });
    expect(reasons).toEqual([]);
    expect((await waiting).output).toBe('in peace');
  },
);

test.each([Number.POSITIVE_INFINITY, 3_000_000_000, 1_500.5, 999])('a worker that is lost after %d ms is refused', (lostAfterMs) => {
  const spawnSubAgent = async (): Promise<{ output: string }> => ({ output: '' });
  expect(() => work({ connection: { port: 1 }, drainOn: [], spawnSubAgent, lostAfterMs })).toThrow(
    '`lostAfterMs` must be whole milliseconds from 1,000 to 2,147,483,647',
  );
});
