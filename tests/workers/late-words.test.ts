// A lead that is frozen amid a decision while another takes over, with real processes: when it wakes it goes on with that
// decision, and what it says to a worker is refused, or isn't said, since its journal is another's by then.

import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasRedis, startRedis } from '../support/redis.js';
import { TestWorkers } from '../support/workers.js';

interface Result {
  status?: string;
  output?: string;
  code?: string;
}

describe.skipIf(!hasRedis)('the late words of a lead that was replaced', () => {
  test.each([
    ['a cancel', 'cancel', 'batched', 'cancelled'],
    ['a cancel', 'cancel', 'sync', 'cancelled'],
    ['the refusal of a turn', 'turn', 'batched', 'a late word'],
    ['the refusal of a turn', 'turn', 'sync', 'a late word'],
  ] as const)(
    '%s, decided amid a freeze (%s, `durability: %s`), is not heard by the worker',
    async (_, freezes, durability, word) => {
      const redis = await startRedis();
      const workers = new TestWorkers();
      const leads: { child: ChildProcess; exited: Promise<void>; result: Promise<Result> }[] = [];
      let watcher: Socket | undefined;
      onTestFinished(async () => {
        for (const { child } of leads) child.kill('SIGKILL');
        await Promise.all(leads.map(({ exited }) => exited));
        await workers.end();
        watcher?.destroy();
        await redis.stop();
      });
      const log = `${workers.folder}/leads`;
      const instructions = JSON.stringify([{ do: 'turns', count: 6, ms: 800 }]);
      const startLead = (given: object): (typeof leads)[number] => {
        const told = { log, queue: 'late', port: redis.port, durability, instructions, ...given };
        const child = fork(fileURLToPath(new URL('../support/frozen-lead.mjs', import.meta.url)), [JSON.stringify(told)]);
        const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
        const result = new Promise<Result>((resolve) => child.once('message', (message) => resolve(message as Result)));
        const lead = { child, exited, result };
        leads.push(lead);
        return lead;
      };
      const said = async (line: string): Promise<void> => {
        while (!(existsSync(log) && readFileSync(log, 'utf8').split('\n').includes(line)))
          await new Promise((resolve) => setTimeout(resolve, 10));
      };

      await workers.start({ queue: 'late', connection: redis.connection });
      const first = startLead({ freezes });
      await workers.until(({ what }) => what === 'turn');
      if (freezes === 'cancel') first.child.send('freeze');
      await said('freezes');
      const second = startLead({});
      await said('leads');
      // A turn that begins now was granted by the second lead.
      const before = workers.lines('turn').length;
      while (workers.lines('turn').length === before) await new Promise((resolve) => setTimeout(resolve, 10));

      // All that goes through Redis.
      let received = '';
      watcher = connect(redis.port, '127.0.0.1');
      watcher.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      watcher.write('MONITOR\r\n');
      while (!received.includes('OK')) await new Promise((resolve) => setTimeout(resolve, 1));
      first.child.kill('SIGCONT');
      await said('is awake');
      await first.exited;

      expect(await second.result).toEqual({ status: 'completed', output: 'turns 1 to 6' });
      // In `batched` it may have reported to its own program something that was never persisted.
      if (durability === 'sync') expect((await first.result).code).toMatch(/^(store_failed|lead_replaced|aborted)$/);
      expect(workers.lines('started')).toHaveLength(1);
      expect(workers.lines('ended')).toEqual([expect.objectContaining({ aborted: false })]);
      // It asks its store before it says anything (J4).
      if (freezes === 'cancel') expect(received).not.toContain(word);
    },
    60_000,
  );
});
