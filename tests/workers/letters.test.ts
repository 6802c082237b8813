// Letters between a lead and its workers that are lost, come twice, or come late: whatever is asked is carried out once and
// answered once. Here both sides are in one process, whose relay is made to do so.

import { Relay } from 'bullmq';
import { afterEach, describe, expect, test } from 'vitest';
import { SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { bullmqWorkers, type WorkerSpawnSubAgent, work } from '../../dist/workers/bullmq.js';
import { Dice } from '../support/dice.mjs';
import { hasRedis, startRedis } from '../support/redis.js';

type Publish = typeof Relay.prototype.publish;
interface Sent {
  readonly requests?: readonly { readonly call: string }[];
  readonly answers?: readonly { readonly value?: unknown }[];
}

const { publish } = Relay.prototype;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const ends: (() => unknown)[] = [];

/** What becomes of letters from now on: they get their way by calling `send`, as often and as late as they like. */
function posted(way: (letters: readonly Sent[], send: () => ReturnType<Publish>) => ReturnType<Publish>): void {
  Relay.prototype.publish = function (this: Relay, topic: string, data: unknown) {
    const send = (): ReturnType<Publish> => publish.call(this, topic, data);
    return Array.isArray(data) ? way(data as Sent[], send) : send();
  };
}

const lost = async (): ReturnType<Publish> => ({ mid: '0', nodes: 0 });

async function both(spawnSubAgent: WorkerSpawnSubAgent): Promise<SubAgentManager> {
  const redis = await startRedis();
  const { connection } = redis;
  const worker = work({ connection, spawnSubAgent, drainOn: [], lostAfterMs: 30_000 });
  const lead = bullmqWorkers({ connection, reconcileMs: 200 });
  const manager = await SubAgentManager.open({ store: memoryStore(), maxDepth: 2, spawnSubAgent: lead.spawnSubAgent });
  ends.push(async () => {
    Relay.prototype.publish = publish;
    await worker.close({ timeoutMs: 0 });
    await lead.close();
    manager.dispose();
    await redis.stop();
  });
  await worker.ready();
  await lead.ready();
  return manager;
}

describe.skipIf(!hasRedis)('letters that are lost, doubled and late', () => {
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test.each([
    ['the request', 'is lost', ({ requests = [] }: Sent) => requests.some(({ call }) => call === 'spawn'), lost],
    ['the answer', 'is lost', ({ answers = [] }: Sent) => answers.some(({ value }) => (value as { taskId?: string })?.taskId), lost],
    ['the request', 'comes twice', ({ requests = [] }: Sent) => requests.some(({ call }) => call === 'spawn'), undefined],
    [
      'the answer',
      'comes twice',
      ({ answers = [] }: Sent) => answers.some(({ value }) => (value as { taskId?: string })?.taskId),
      undefined,
    ],
  ] as const)('a spawn of which %s %s: it is spawned once, and answered once', async (_, __, isIt, how) => {
    const answers: string[] = [];
    const manager = await both(async (_, run) => {
      if (run.depth > 1) return { output: 'a child' };
      // It goes with the spawn.
      run.report({ tokens: 10 });
      await run.spawn({ instructions: 'child' }).then(({ taskId }) => answers.push(taskId));
      // The late one finds the run alive still.
      await pause(1_500);
      return { output: 'done' };
    });
    let times = 0;
    posted((letters, send) => {
      if (!letters.some(isIt)) return send();
      times += 1;
      if (times > 1) return send();
      if (how !== undefined) return how();
      return send().then((sent) => {
        setTimeout(send, 300);
        return sent;
      });
    });
    const result = await manager.spawn({ instructions: 'parent' }).wait();
    expect(result).toMatchObject({ status: 'completed', output: 'done', usage: { tokens: 10 } });
    expect(manager.list().items.map(({ taskId }) => taskId)).toEqual([result.taskId, ...answers]);
    // What was lost was sent again; what was answered wasn't.
    if (how !== undefined) expect(times).toBeGreaterThan(1);
  });

  test('one letter in six is lost, one in three comes twice: all is asked, booked and reported once', async () => {
    const dice = new Dice('11');
    const children: string[] = [];
    const manager = await both(async (_, run) => {
      if (run.depth > 1) return { output: 'a child' };
      const given: unknown[] = [];
      for (let number = 1; number <= 2; number += 1) {
        const permit = await run.beforeTurn();
        if (permit.go) given.push(...(permit.inject ?? []));
        run.report({ tokens: 10 });
        const handle = await run.spawn({ instructions: `child ${number}` });
        children.push(handle.taskId);
        await handle.wait();
        await run.checkpoint(number);
      }
      return { output: String(given.filter((text) => String(text).includes('look left')).length) };
    });
    let [drops, doubles] = [0, 0];
    posted((_, send) => {
      const what = dice.below(6);
      if (what === 0) {
        drops += 1;
        return lost();
      }
      if (what <= 2) {
        doubles += 1;
        setTimeout(() => send().catch(() => undefined), dice.below(1_500));
      }
      return send();
    });
    const handles = Array.from({ length: 5 }, () => manager.spawn({ instructions: 'parent' }));
    for (const handle of handles) handle.send('look left', { mode: 'steer' });
    for (const handle of handles) {
      const { status, output, usage } = await handle.wait();
      expect([status, output, usage.turns, usage.tokens]).toEqual(['completed', '1', 2, 20]);
    }
    expect(new Set(children).size).toBe(10);
    expect(manager.list().items).toHaveLength(15);
    expect(Math.min(drops, doubles)).toBeGreaterThan(5);
  });
});
