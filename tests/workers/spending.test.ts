// Budgets over workers: what the workers' own logs say that was spent is what the manager has booked, whatever process is lost
// amid a turn, so that a cap binds over all of them.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OpenOptions, SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { type BullmqWorkers, type BullmqWorkersOptions, bullmqWorkers } from '../../dist/workers/bullmq.js';
import { Dice } from '../support/dice.mjs';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.js';
import { amount } from '../support/share.js';
import { SOON_LOST, TestWorkers } from '../support/workers.js';

const steps = (...all: object[]): string => JSON.stringify(all);
let redis: TestRedis;
let workers: TestWorkers;
let queues = 0;
let queue = '';
const leads: { manager: SubAgentManager; lead: BullmqWorkers }[] = [];

async function lead(options: OpenOptions, ofLead: Partial<BullmqWorkersOptions> = {}): Promise<SubAgentManager> {
  const lead = bullmqWorkers({ queue, connection: redis.connection, reconcileMs: 200, onError: () => undefined, ...ofLead });
  const manager = await SubAgentManager.open({ turnEstimate: 100, wrapUpTokens: 0, spawnSubAgent: lead.spawnSubAgent, ...options });
  leads.push({ manager, lead });
  return manager;
}

async function leave(): Promise<void> {
  for (const { lead, manager } of leads.splice(0)) {
    await lead.close();
    await manager[Symbol.asyncDispose]();
  }
}

const worker = (options = {}): ReturnType<TestWorkers['start']> => workers.start({ queue, connection: redis.connection, ...options });
const spent = (): number => workers.lines('turn').reduce((sum, { tokens = 0 }) => sum + tokens, 0);

describe.skipIf(!hasRedis)('budgets over workers', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  const begin = (): void => {
    workers = new TestWorkers();
    queues += 1;
    queue = `budgets-${queues}`;
  };
  begin();
  afterEach(async () => {
    await leave();
    await workers.end();
    begin();
  });

  /** A run for each way in which a host says what it has used: by reports, by these and a total, by a total alone. */
  const each = (ms: number): string[] =>
    [undefined, 'too', 'only'].map((totals) => steps({ do: 'spend', count: 3, tokens: 100, ms, totals }));

  const allAtTurn = async (number: number): Promise<void> => {
    while (
      new Set(
        workers
          .lines('turn')
          .filter((line) => line.number === number)
          .map(({ task }) => task),
      ).size < 3
    )
      await new Promise((resolve) => setTimeout(resolve, 10));
  };

  test.each(['SIGKILL', 'SIGTERM'] as const)('a worker ends by %s amid turns: what it had begun is booked', async (signal) => {
    const first = await worker({ ...SOON_LOST, drainMs: 0 });
    const manager = await lead({ store: memoryStore(), budget: { tokens: 10_000 } });
    const handles = each(400).map((instructions) => manager.spawn({ instructions }));
    await allAtTurn(2);
    first.signal(signal);
    await first.exited;
    await worker(SOON_LOST);
    for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed' });
    expect(workers.lines('turn').length).toBeGreaterThan(9);
    expect(manager.budget().tokens).toMatchObject({ spent: spent(), reserved: 0 });
  });

  test.each([false, true])('one lead follows the other amid turns: each is booked once; a worker is lost as well: %s', async (isLost) => {
    const first = await worker(SOON_LOST);
    const options = { store: memoryStore(), onHostLost: 'resume', budget: { tokens: 10_000 } } as const;
    const before = await lead(options);
    const ids = each(800).map((instructions) => before.spawn({ instructions, background: true }).taskId);
    await allAtTurn(2);
    if (isLost) {
      first.signal('SIGKILL');
      await first.exited;
    }
    await leave();
    if (isLost) await worker(SOON_LOST);
    const after = await lead(options);
    const { completed } = await after.wait(ids, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
    if (isLost) expect(workers.lines('turn').length).toBeGreaterThan(9);
    else expect(workers.lines('turn')).toHaveLength(9);
    expect(after.budget().tokens).toMatchObject({ spent: spent(), reserved: 0 });
  });

  test('B11 kinds of tokens and models cross; of an attempt after another one its total books the rest, by kind', async () => {
    const prices = { 'opus*': { input: 15, output: 75, cacheRead: 1.5 } };
    const kinds = { inputTokens: 90, cacheReadTokens: 80, outputTokens: 10, modelId: 'opus-4' };
    const first = await worker({ ...SOON_LOST, drainMs: 0 });
    const manager = await lead({ store: memoryStore(), prices });
    const spend = (totals?: string): string => steps({ do: 'spend', count: 2, tokens: 100, ms: 400, kinds, totals });
    const handles = [undefined, 'too', 'only'].map((totals) => manager.spawn({ instructions: spend(totals) }));
    await allAtTurn(1);
    first.signal('SIGKILL');
    await first.exited;
    await worker(SOON_LOST);
    const costOf = (turns: number): number => Math.round(turns * (10 * 15e3 + 80 * 1.5e3 + 10 * 75e3)) / 1e9;
    for (const handle of handles) {
      const { status, usage } = await handle.wait();
      expect(status).toBe('completed');
      expect(usage).toMatchObject({ inputTokens: 180, outputTokens: 20, cacheReadTokens: 160, costUsd: costOf(2) });
    }
    expect(manager.costs().byModel[0]).toMatchObject({ name: 'opus-4', costUsd: costOf(6), cacheReadTokens: 480 });
  });

  test.each(['is given up', 'is cancelled'] as const)('a run that %s with its worker is booked the turn that it was at', async (how) => {
    const manager = await lead({ store: memoryStore(), budget: { tokens: 1_000 } }, { onWorkerLost: 'fail' });
    const first = await worker(SOON_LOST);
    const handle = manager.spawn({ instructions: steps({ do: 'spend', count: 2, tokens: 100, ms: 1_000 }) });
    await workers.until(({ what, number }) => what === 'turn' && number === 2);
    first.signal('SIGKILL');
    await first.exited;
    await worker(SOON_LOST);
    const ended = how === 'is cancelled' ? handle.cancel() : handle.wait();
    const status = how === 'is cancelled' ? { status: 'cancelled' } : { status: 'failed', stopReason: 'host_lost' };
    expect(await ended).toMatchObject(status);
    expect(manager.budget().tokens).toMatchObject({ spent: 200, reserved: 0 });
  });

  test('what workers are at stays set aside under the next lead, also past a budget that is less by then', async () => {
    const options = { store: memoryStore(), onHostLost: 'resume', budget: { tokens: 1_000 }, taskBudget: { tokens: 300 } } as const;
    await worker();
    const first = await lead(options);
    const spend = (count: number, ms: number): string => steps({ do: 'spend', count, tokens: 100, ms });
    const ids = [spend(3, 2_000), spend(1, 6_000)].map((instructions) => first.spawn({ instructions, background: true }).taskId);
    for (const id of ids) await workers.until(({ what, task }) => what === 'turn' && task === id);
    await leave();
    const second = await lead({ ...options, budget: { tokens: 200 } });
    const { completed } = await second.wait(ids, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ stopReason }) => stopReason).sort()).toEqual(['budget_exhausted', 'finished']);
    expect(second.budget().tokens).toMatchObject({ spent: 200, reserved: 0 });
    expect(spent()).toBe(200);
  });

  test('a run that goes on under the next lead takes no turn with what the worker of one that waits is at', async () => {
    const options = { store: memoryStore(), onHostLost: 'resume', budget: { tokens: 300 }, taskBudget: { tokens: 300 } } as const;
    await worker();
    const first = await lead(options);
    const spend = (count: number, ms: number): string => steps({ do: 'spend', count, tokens: 100, ms });
    const ids = [spend(3, 1_000), spend(1, 1_000)].map((instructions) => first.spawn({ instructions, background: true }).taskId);
    for (const id of ids) await workers.until(({ what, task }) => what === 'turn' && task === id);
    await leave();
    const second = await lead({ ...options, maxConcurrent: 1 });
    const { completed } = await second.wait(ids, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed.map(({ stopReason }) => stopReason).sort()).toEqual(['budget_exhausted', 'finished']);
    expect(second.budget().tokens).toMatchObject({ spent: 300, reserved: 0 });
    expect(spent()).toBe(300);
  });

  test('a run that doesn’t go on under the next lead is booked the turn that its worker is at', async () => {
    const options = { store: memoryStore(), onHostLost: 'resume', budget: { tokens: 1_000 }, taskBudget: { tokens: 300 } } as const;
    await worker();
    const first = await lead(options);
    const spend = (count: number, ms: number): string => steps({ do: 'spend', count, tokens: 100, ms });
    const goesOn = first.spawn({ instructions: spend(3, 2_000), background: true }).taskId;
    await workers.until(({ what, task }) => what === 'turn' && task === goesOn);
    const waits = first.spawn({ instructions: spend(1, 600_000), background: true }).taskId;
    await workers.until(({ what, task }) => what === 'turn' && task === waits);
    await leave();
    // There is a slot for the first one alone, and the second one is cancelled while it waits.
    const second = await lead({ ...options, maxConcurrent: 1 });
    expect(second.get(waits)).toMatchObject({ status: 'pending' });
    expect(second.budget(waits).tokens).toMatchObject({ spent: 0, reserved: 100 });
    await second.cancel(waits);
    expect(second.budget(waits).tokens).toMatchObject({ spent: 100, reserved: 0 });
    await second.wait([goesOn], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(second.get(goesOn)).toMatchObject({ status: 'completed' });
    expect(second.budget().tokens).toMatchObject({ spent: spent(), reserved: 0 });
  });

  test('workers and leads are lost at random: the workers never spend more than a cap allows, and all of it is booked', async () => {
    const seed = process.env.SUBAGENTS_SEED ?? String(Date.now());
    const dice = new Dice(seed);
    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    const alive = [await worker({ lostAfterMs: 1_000 }), await worker({ lostAfterMs: 1_000 })];
    // Dollars end first: what is left of the tokens is more than a turn takes for each, so that no last turn passes its share (B13).
    const cap = { tokens: 6_000, costUsd: 0.5 };
    const options = {
      store: memoryStore(),
      onHostLost: 'resume',
      budget: cap,
      taskBudget: { tokens: 420 },
      turnEstimate: 60,
      turnEstimateUsd: 0.01,
      maxConcurrent: 5,
      maxDepth: 2,
      idleTimeoutMs: Number.POSITIVE_INFINITY,
      maxLost: Number.POSITIVE_INFINITY,
    } as const;
    const first = await lead(options);
    const cost = { tokens: 60, costUsd: 0.01 };
    const sub = [undefined, [{ do: 'spend', count: 2, ...cost, ms: 100 }]];
    const ids = Array.from({ length: 16 }, () => {
      const instructions = steps({ do: 'spend', count: 1 + dice.below(7), ...cost, ms: 20 + dice.below(200), child: sub[dice.below(2)] });
      return first.spawn({ instructions, background: true }).taskId;
    });
    await first.flush();
    const harms = amount(40, 6);
    for (let harm = 0; harm < harms; harm += 1) {
      await pause(100 + dice.below(500));
      const place = dice.below(4);
      const dies = alive[place];
      if (dies === undefined) {
        await leave();
        await lead(options);
      } else if (dice.below(2) === 0) {
        // Long enough to be taken for lost, or nearly.
        dies.signal('SIGSTOP');
        await pause(500 + dice.below(1_500));
        dies.signal('SIGCONT');
      } else {
        dies.signal('SIGKILL');
        await dies.exited;
        alive[place] = await worker({ lostAfterMs: 1_000 });
      }
    }
    const manager = leads[0]?.manager as SubAgentManager;
    const left = ids.filter((id) => manager.list().items.some(({ taskId }) => taskId === id));
    await manager.wait(left, { timeoutMs: Number.POSITIVE_INFINITY });
    const { tokens, costUsd } = manager.budget();
    const turns = workers.lines('turn').length;
    process.stderr.write(`seed ${seed}: ${turns} turns of 50; ${tokens.spent} tokens booked, and $${costUsd.spent}\n`);
    expect(spent()).toBeLessThanOrEqual(cap.tokens);
    expect(turns).toBeLessThanOrEqual(50);
    expect(tokens.spent).toBeGreaterThanOrEqual(spent());
    expect(costUsd.spent).toBeGreaterThanOrEqual(turns * 0.01 - 1e-9);
    expect([tokens.reserved, costUsd.reserved]).toEqual([0, 0]);
  }, 120_000);

  test('a run is not lost for it that leads follow each other more often than `maxLost` says', async () => {
    await worker();
    const options = { store: memoryStore(), onHostLost: 'resume', maxLost: 1 } as const;
    const first = await lead(options);
    const { taskId } = first.spawn({ instructions: steps({ do: 'pause', ms: 2_000 }), background: true });
    await workers.until(({ what }) => what === 'started');
    for (let deploy = 0; deploy < 3; deploy += 1) {
      await leave();
      await lead(options);
      await leads[0]?.lead.ready();
    }
    const { completed } = (await leads[0]?.manager.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY })) ?? { completed: [] };
    expect(completed).toMatchObject([{ status: 'completed', output: 'paused' }]);
    expect(workers.lines('started')).toHaveLength(1);
  });

  test('a run that takes no turns goes on under its cap while one lead follows the other', async () => {
    await worker();
    const options = { store: memoryStore(), onHostLost: 'resume', taskBudget: { tokens: 1_000 } } as const;
    const first = await lead(options);
    const { taskId } = first.spawn({ instructions: steps({ do: 'pause', ms: 1_000 }), background: true });
    await workers.until(({ what }) => what === 'started');
    await leave();
    const second = await lead(options);
    const { completed } = await second.wait([taskId], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(completed).toMatchObject([{ status: 'completed', output: 'paused' }]);
    expect(workers.lines('started')).toHaveLength(1);
    expect(second.budget(taskId).tokens).toMatchObject({ spent: 100, reserved: 0 });
  });
});
