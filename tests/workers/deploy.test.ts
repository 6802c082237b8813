// Deploys of the lead as processes: the journal is in Redis, and while workers are at random work one lead hands over to the
// next, is killed, or is frozen and comes back to life when the next one leads. Each run ends once, the limits hold over
// all workers as their own logs show, what was promised stays, and nothing comes from the lead that was replaced.

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Dice } from '../support/dice.mjs';
import { hasRedis, startRedis } from '../support/redis.js';
import { amount } from '../support/share.js';
import { mostAtOnce, type TestWorker, TestWorkers } from '../support/workers.js';

const DEPLOYS = Number(process.env.SUBAGENTS_DEPLOYS ?? amount(24, 3));
const WAYS = ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const;
const AT_ONCE = 5;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface LeadLine {
  at: number;
  life: number;
  what: 'opened' | 'told' | 'promised' | 'left' | 'over' | 'done';
  type?: string;
  seq?: number;
  taskId?: string;
  run?: number;
  key?: string;
  status?: string;
  output?: string;
  stopReason?: string;
  error?: string;
  code?: string;
  all?: { taskId: string; parentId: string | null; status: string; stopReason: string }[];
  active?: number;
  queued?: number;
  parked?: number;
}

describe.skipIf(!hasRedis)('deploys of the lead', () => {
  test(
    `${DEPLOYS} leads hand over, are killed or frozen: each run ends once, limits hold, promises stay`,
    async () => {
      const seed = process.env.SUBAGENTS_SEED ?? String(Date.now());
      const dice = new Dice(seed);
      const redis = await startRedis();
      const workers = new TestWorkers();
      const queue = 'deploys';
      const log = `${workers.folder}/leads`;
      const startWorker = (): Promise<TestWorker> =>
        workers.start({ queue, connection: redis.connection, concurrency: 6, lostAfterMs: 1_000 });
      const work = (depth: number): object[] => [
        { do: 'turns', count: 1 + dice.below(4), ms: 20 + dice.below(150) },
        ...(depth > 0 && dice.chance(0.3) ? [{ do: 'background', child: work(depth - 1) }] : []),
      ];
      const spawns = Object.fromEntries(Array.from({ length: 20 * DEPLOYS }, (_, at) => [`task ${at}`, JSON.stringify(work(1))]));
      const leads: { child: ChildProcess; exited: Promise<void>; opened: Promise<void> }[] = [];
      const startLead = (): (typeof leads)[number] => {
        const reported = { log, life: leads.length, queue, port: redis.port, spawns, maxConcurrent: AT_ONCE };
        const child = fork(fileURLToPath(new URL('../support/deploy-lead.mjs', import.meta.url)), [JSON.stringify(reported)]);
        const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
        const opened = new Promise<void>((resolve) => child.once('message', () => resolve()));
        const lead = { child, exited, opened };
        leads.push(lead);
        return lead;
      };
      onTestFinished(async () => {
        for (const { child } of leads) child.kill('SIGKILL');
        await Promise.all(leads.map(({ exited }) => exited));
        await workers.end();
        await redis.stop();
      });

      const alive = await Promise.all(Array.from({ length: 3 }, startWorker));
      let lead = startLead();
      await lead.opened;
      let lost = 0;
      for (let deploy = 0; deploy < DEPLOYS; deploy += 1) {
        await pause(300 + dice.below(900));
        const way = WAYS[deploy % WAYS.length] as (typeof WAYS)[number];
        // In a rolling deploy the next one is there before it is needed.
        const early = dice.chance(0.5) ? startLead() : undefined;
        if (early !== undefined) await pause(dice.below(300));
        lead.child.kill(way);
        if (way !== 'SIGSTOP') await lead.exited;
        if (dice.chance(0.4)) {
          // A worker dies while the lead is away.
          const place = dice.below(alive.length);
          alive[place]?.signal('SIGKILL');
          await alive[place]?.exited;
          alive[place] = await startWorker();
          lost += 1;
        }
        const next = early ?? startLead();
        await next.opened;
        if (way === 'SIGSTOP') {
          await pause(dice.below(400));
          lead.child.kill('SIGCONT');
          await lead.exited;
        }
        lead = next;
      }
      await lead.exited;

      const lines = readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LeadLine);
      const of = (what: LeadLine['what']): LeadLine[] => lines.filter((line) => line.what === what);
      const started = workers.lines('started').length;
      // Over all workers and leads: a turn that one lead granted goes on beside those that the next one grants.
      const most = mostAtOnce(workers.lines());
      const promised = of('promised');
      process.stderr.write(
        `seed ${seed}: ${Object.keys(spawns).length} tasks, ${DEPLOYS} deploys of the lead, ${lost} workers killed meanwhile; ${started} starts of host functions, ${promised.length} promises settled over ${leads.length} leads, at most ${most} turns at once of ${AT_ONCE}\n`,
      );

      // The same event of the journal is the same for every lead, so that a lead that was replaced reported nothing of its own.
      const events = new Map<number, string>();
      for (const { seq = 0, type, taskId, run, status } of of('told')) {
        const event = JSON.stringify([type, taskId, run, status]);
        expect(events.get(seq) ?? event).toBe(event);
        events.set(seq, event);
      }
      const ends = of('told').filter(({ type }) => type === 'run_ended');
      expect(new Set(ends.map(({ taskId, run }) => `${taskId} ${run}`)).size).toBe(ends.length);
      expect(new Set(ends.map(({ taskId }) => taskId)).size).toBe(ends.length);

      const outputs = new Map<string, string>();
      const isFrozen = (life: number): boolean => WAYS[life % WAYS.length] === 'SIGSTOP';
      for (const { life, key = '', status, output = '', stopReason, error } of promised) {
        // In `batched` a lead that wakes after another took over may report to its own program what is never persisted.
        if (isFrozen(life) && error?.includes('another process leads the queue')) continue;
        expect([key, status, stopReason, error]).toEqual([key, 'completed', 'finished', undefined]);
        expect(outputs.get(key) ?? output).toBe(output);
        outputs.set(key, output);
      }
      expect([...outputs.keys()].sort()).toEqual(Object.keys(spawns).sort());
      const [done] = of('done');
      // What a run in flight had started goes on with it.
      for (const { status, stopReason } of done?.all ?? []) expect([status, stopReason]).toEqual(['completed', 'finished']);
      expect(done).toMatchObject({ active: 0, queued: 0, parked: 0 });

      expect(most).toBeLessThanOrEqual(AT_ONCE);
      expect(most).toBeGreaterThan(1);
      // One that came back to life was refused by the store or learned that another leads.
      const frozen = Array.from({ length: DEPLOYS }, (_, at) => at).filter(isFrozen);
      const codes = of('over').map(({ life, code }) => [life, code]);
      expect(codes).toEqual(frozen.map((life) => [life, expect.stringMatching(/^(store_failed|store_locked|lead_replaced|disposed)$/)]));
    },
    30 * 60_000,
  );
});
