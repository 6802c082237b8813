// Many short runs on four worker processes that are killed and frozen at random, over a Redis that is killed, too: each run
// ends once, no more turns are taken at once than the manager allows, and every promise of the lead settles. A share runs in
// `npm test`; `SUBAGENTS_RUNS=10000 npx vitest run tests/workers/chaos.test.ts` runs as many as it says.

import { describe, expect, onTestFinished, test } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';
import { Dice } from '../support/dice.mjs';
import { hasRedis, startRedis } from '../support/redis.js';
import { amount } from '../support/share.js';
import { mostAtOnce, type TestWorker, TestWorkers } from '../support/workers.js';

const RUNS = Number(process.env.SUBAGENTS_RUNS ?? amount(3_000, 300));
const AT_ONCE = 16;
const WORKERS = 4;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!hasRedis)('workers that are killed and frozen', () => {
  test(
    `${RUNS} runs: each ends once, limits hold over all processes, nothing hangs`,
    async () => {
      const dice = new Dice('7');
      const redis = await startRedis();
      const workers = new TestWorkers();
      const queue = 'chaos';
      const start = (): Promise<TestWorker> => workers.start({ queue, connection: redis.connection, concurrency: 20, lostAfterMs: 1_000 });
      const alive = await Promise.all(Array.from({ length: WORKERS }, start));
      const lead = bullmqWorkers({ queue, connection: redis.connection, reconcileMs: 1_000, maxLosses: 1_000 });
      const manager = await SubAgentManager.open({
        store: memoryStore(),
        durability: 'batched',
        maxConcurrent: AT_ONCE,
        maxTasks: RUNS + 1,
        retain: 10,
        idleTimeoutMs: Number.POSITIVE_INFINITY,
        spawnSubAgent: lead.spawnSubAgent,
      });
      const ends = new Map<string, number>();
      manager.subscribe((event) => {
        if (event.type === 'run_ended' && event.taskId !== null) ends.set(event.taskId, (ends.get(event.taskId) ?? 0) + 1);
      });
      const did = { kills: 0, freezes: 0, restarts: 0 };
      let isOver = false;
      const harm = async (): Promise<void> => {
        while (!isOver) {
          await pause(200 + dice.below(600));
          const place = dice.below(WORKERS);
          const worker = alive[place] as TestWorker;
          // Not left to chance alone: one in eight is a restart in any case.
          const isRestart = (did.kills + did.freezes + did.restarts) % 8 === 7;
          const what = isRestart ? 9 : dice.below(10);
          if (what < 4) {
            worker.signal('SIGKILL');
            await worker.exited;
            alive[place] = await start();
            did.kills += 1;
          } else if (what < 9) {
            worker.signal('SIGSTOP');
            await pause(300 + dice.below(3_000));
            worker.signal('SIGCONT');
            did.freezes += 1;
          } else {
            await redis.restart();
            did.restarts += 1;
          }
        }
      };
      onTestFinished(async () => {
        isOver = true;
        await lead.close();
        manager.dispose();
        await workers.end();
        await redis.stop();
      });
      const began = performance.now();
      const results = Array.from({ length: RUNS }, (_, at) => {
        const instructions = JSON.stringify([{ do: 'turns', count: 1 + (at % 3), ms: 20 + dice.below(60) }]);
        return manager.spawn({ instructions }).wait();
      });
      const harming = harm();
      const statuses = new Map<string, number>();
      for (const result of results) {
        const { status, error } = await result;
        const key = error === undefined ? status : `${status} ${error}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
      }
      const seconds = (performance.now() - began) / 1_000;
      isOver = true;
      await harming;
      for (const worker of alive) worker.signal('SIGCONT');
      const info = manager.getConcurrencyInfo();
      const lines = workers.lines();
      const most = mostAtOnce(lines);
      const taken = lines.filter(({ what }) => what === 'started').length - RUNS;
      const late = lines.filter(({ what, aborted }) => what === 'ended' && aborted === true).length;
      process.stderr.write(
        `${RUNS} runs in ${seconds.toFixed(1)} s; ${did.kills} kills, ${did.freezes} freezes, ${did.restarts} restarts of Redis; begun again ${taken} times, ${late} stopped as lost; at most ${most} turns at once of ${AT_ONCE}\n`,
      );
      expect(Object.fromEntries(statuses)).toEqual({ completed: RUNS });
      expect([ends.size, Math.max(...ends.values())]).toEqual([RUNS, 1]);
      expect(most).toBeLessThanOrEqual(AT_ONCE);
      expect(most).toBeGreaterThan(AT_ONCE / 2);
      expect(did.kills + did.freezes).toBeGreaterThan(0);
      // Fewer may be over before their Redis is killed.
      if (RUNS >= 1_000) expect(did.restarts).toBeGreaterThan(0);
      expect(info).toMatchObject({ active: 0, queued: 0, parked: 0 });
    },
    60 * 60_000,
  );
});
