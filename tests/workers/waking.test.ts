// A lead that is frozen while another one opens its store and takes the queue, with real processes: wherever it is frozen, it
// doesn't take the queue from the other one when it wakes, and ends nothing of its work, which is the other one's by then.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasRedis, startRedis } from '../support/redis.js';
import { TestWorkers } from '../support/workers.js';

interface Told {
  readonly ready: string;
  readonly outcomes: string[];
  /** What the `onError` of its manager got, and how often that of its workers got that another leads. */
  readonly told: string[];
  readonly heard: string[];
}

interface Lead {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
  readonly told: Promise<Told>;
}

describe.skipIf(!hasRedis)('a lead that wakes when another one has its store', () => {
  test.each([
    ['before it takes the queue', 'opened', 'sync'],
    ['when it asks its store', 'asks', 'sync'],
    ['when its store has answered', 'answered', 'sync'],
    ['when its store has answered', 'answered', 'batched'],
    ['when it leads', 'leads', 'sync'],
    ['when it leads', 'leads', 'batched'],
  ] as const)(
    'frozen %s (%s, `durability: %s`), it replaces nobody, and fails none of its work',
    async (_, freezes, durability) => {
      const redis = await startRedis();
      const workers = new TestWorkers();
      const leads: Lead[] = [];
      onTestFinished(async () => {
        for (const { child } of leads) child.kill('SIGKILL');
        await Promise.all(leads.map(({ exited }) => exited));
        await workers.end();
        await redis.stop();
      });
      const log = `${workers.folder}/leads`;
      const instructions = JSON.stringify([{ do: 'turns', count: 3, ms: 300 }]);
      const startLead = (given: object): Lead => {
        const options = { log, queue: 'waking', port: redis.port, durability, instructions, ...given };
        const child = fork(fileURLToPath(new URL('../support/waking-lead.mjs', import.meta.url)), [JSON.stringify(options)]);
        const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
        const reported = new Promise<Told>((resolve) => child.once('message', (message) => resolve(message as Told)));
        const lead = { child, exited, told: reported };
        leads.push(lead);
        return lead;
      };
      const said = async (line: string): Promise<void> => {
        while (!(existsSync(log) && readFileSync(log, 'utf8').split('\n').includes(line)))
          await new Promise((resolve) => setTimeout(resolve, 10));
      };
      const anotherTurn = async (): Promise<void> => {
        const before = workers.lines('turn').length;
        while (workers.lines('turn').length === before) await new Promise((resolve) => setTimeout(resolve, 10));
      };

      await workers.start({ queue: 'waking', connection: redis.connection });
      const first = startLead({ freezes });
      if (freezes === 'leads') {
        await anotherTurn();
        first.child.send('freeze');
      }
      await said('freezes');
      const second = startLead({ takeOver: true });
      await said('second leads');
      await anotherTurn();
      first.child.kill('SIGCONT');

      const woken = await first.told;
      // Two of three wait for their slot.
      expect(woken.outcomes).toEqual(['store_failed', 'store_failed', 'store_failed']);
      expect(woken.told).toEqual(['store_failed']);
      expect(woken.heard.length).toBeLessThanOrEqual(1);
      if (freezes === 'opened' || freezes === 'asks') expect(woken.ready).toBe('store_failed');
      await first.exited;
      second.child.send('more');
      expect(await second.told).toEqual({ ready: 'leads', outcomes: Array(4).fill('completed'), told: [], heard: [] });
    },
    60_000,
  );
});
