// A cap in dollars under concurrency: what a turn costs is set aside before it, whatever the host knows of it. Rules B3, B5,
// B6, B7, B8, S4.

import { afterEach, describe, expect, test } from 'vitest';
import type { Run, RunReport, SubAgentError, SubAgentManager, SubAgentManagerOptions, SubAgentParamsType } from '../../../dist/index.js';
import { done, managerWith, refusal } from '../../support/hosts.js';
import { flush } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

type Host = (params: SubAgentParamsType, run: Run) => Promise<{ output: string }>;

function open(host: Host, options: SubAgentManagerOptions): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

interface Turns {
  /** What each costs, in dollars. */
  cost: number;
  most?: number;
  /** Something is awaited before the first one. */
  isLate?: boolean;
  estimate?: number;
}

/** A host whose turns all cost the same, and how many of them were under way at once. */
function agent({ cost, most = 3, isLate = false, estimate }: Turns): { host: Host; seen: { calls: number; peak: number } } {
  const seen = { calls: 0, now: 0, peak: 0 };
  const host: Host = async (_, run) => {
    if (isLate) await flush();
    for (let turn = 0; turn < most; turn += 1) {
      const permit = await run.beforeTurn(estimate === undefined ? undefined : { costUsd: estimate });
      if (!permit.go) break;
      seen.calls += 1;
      seen.now += 1;
      seen.peak = Math.max(seen.peak, seen.now);
      await flush();
      seen.now -= 1;
      run.report({ costUsd: cost });
      if (permit.wrapUp) break;
    }
    return { output: 'done' };
  };
  return { host, seen };
}

async function spendOn(
  count: number,
  turns: Turns,
  options: SubAgentManagerOptions,
): Promise<{ spent: number; calls: number; peak: number }> {
  const { host, seen } = agent(turns);
  const manager = open(host, { maxConcurrent: 20, ...options });
  const handles = Array.from({ length: count }, (_, i) => manager.spawn({ instructions: `${i}` }));
  for (const handle of handles) await handle.wait();
  expect(manager.budget().costUsd).toMatchObject({ reserved: 0 });
  return { spent: manager.budget().costUsd.spent, calls: seen.calls, peak: seen.peak };
}

describe('twenty at once under one dollar, whose turns cost $0.40', () => {
  const one = { budget: { costUsd: 1 } };

  test.each([false, true])(
    'B3 B6 with an estimate only the last turn goes past the cap, by what it cost more than was left (late: %s)',
    async (isLate) => {
      for (const how of [
        spendOn(20, { cost: 0.4, isLate }, { ...one, turnEstimateUsd: 0.4 }),
        spendOn(20, { cost: 0.4, isLate, estimate: 0.4 }, one),
      ])
        expect(await how).toEqual({ spent: 1.2, calls: 3, peak: 2 });
    },
  );

  test.each([false, true])('B3 without one a first turn counts as a fifth of the cap (late: %s)', async (isLate) => {
    expect(await spendOn(20, { cost: 0.4, isLate }, one)).toEqual({ spent: 2, calls: 5, peak: 5 });
  });

  test('B3 what earlier turns have cost is what the next are expected to', async () => {
    const { host } = agent({ cost: 0.4 });
    const manager = open(host, { ...one, maxConcurrent: 20, budget: { costUsd: 0.4 } });
    await manager.spawn({ instructions: 'the first' }).wait();
    manager.addBudget({ costUsd: 1 });
    const handles = Array.from({ length: 20 }, (_, i) => manager.spawn({ instructions: `${i}` }));
    for (const handle of handles) await handle.wait();
    expect(manager.budget().costUsd).toMatchObject({ cap: 1.4, spent: 1.6, reserved: 0 });
  });
});

describe('ordinary work goes on as it did', () => {
  test.each([false, true])('B3 cheap turns wait for the first reports and no longer (late: %s)', async (isLate) => {
    const seen = await spendOn(20, { cost: 0.01, isLate }, { budget: { costUsd: 1 } });
    expect(seen).toMatchObject({ spent: 0.6, calls: 60 });
    expect(seen.peak).toBeGreaterThan(5);
  });

  test('B3 under a cap that is far off nobody waits', async () => {
    expect(await spendOn(20, { cost: 0.4 }, { budget: { costUsd: 1_000 } })).toEqual({ spent: 24, calls: 60, peak: 20 });
  });

  test('B3 B7 hosts that report dollars only at the end, or never, run to their end', async () => {
    for (const usage of [{ costUsd: 0.03 }, { tokens: 600 }, undefined]) {
      const manager = open(
        async (_, run) => {
          for (let turn = 0; turn < 3; turn += 1) {
            expect(await run.beforeTurn()).toMatchObject({ go: true });
            await flush();
            if (usage?.tokens !== undefined) run.report({ tokens: 200 });
          }
          return { ...done('x'), usage };
        },
        { maxConcurrent: 20, budget: { costUsd: 1 } },
      );
      const handles = Array.from({ length: 20 }, (_, i) => manager.spawn({ instructions: `${i}` }));
      for (const handle of handles) expect(await handle.wait()).toMatchObject({ status: 'completed' });
      expect(manager.budget().costUsd).toMatchObject({ spent: usage?.costUsd === undefined ? 0 : 0.6, reserved: 0 });
    }
  });

  test('B3 B5 a dear turn takes nothing from cheap ones', async () => {
    const costs: Record<string, number> = { dear: 3, cheap: 0.25 };
    const manager = open(
      async ({ instructions }, run) => {
        if (!(await run.beforeTurn()).go) return { output: 'refused' };
        run.report({ costUsd: costs[instructions ?? ''] as number });
        return { output: 'went' };
      },
      { budget: { costUsd: 5 } },
    );
    expect(await manager.spawn({ instructions: 'dear' }).wait()).toMatchObject({ output: 'went' });
    for (let left = 8; left > 0; left -= 1) expect(await manager.spawn({ instructions: 'cheap' }).wait()).toMatchObject({ output: 'went' });
    expect(manager.budget().costUsd).toMatchObject({ spent: 5, available: 0 });
    expect(refusal(() => manager.spawn({ instructions: 'one more' }))).toMatchObject({ code: 'budget_exhausted' });
  });
});

test('B3 `turnEstimateUsd` may be given by a manager, a definition and a spawn; `setLimits` changes it', async () => {
  const held: number[] = [];
  const manager = open(
    async (_, run) => {
      await run.beforeTurn();
      held.push(manager.budget().costUsd.reserved);
      return { output: 'x' };
    },
    { budget: { costUsd: 10 }, turnEstimateUsd: 0.5, agents: { dear: { description: 'dear', turnEstimateUsd: 2 } } },
  );
  expect(manager.limits.turnEstimateUsd).toBe(0.5);
  const run = async (options: { agent?: string; turnEstimateUsd?: number } = {}): Promise<void> => {
    await manager.spawn({ instructions: 'x', ...options }).wait();
  };
  await run();
  await run({ agent: 'dear' });
  await run({ turnEstimateUsd: 0.1 });
  manager.setLimits({ turnEstimateUsd: 0.3 });
  await run();
  expect(held).toEqual([0.5, 2, 0.1, 0.3]);
  const events = new Map<string, unknown>();
  manager.subscribe((event) => event.type === 'task_admitted' && events.set('usd', event.spec?.turnEstimateUsd));
  await run({ turnEstimateUsd: 0.125 });
  expect(events.get('usd')).toBe(0.125);
  for (const turnEstimateUsd of [0, -1, Number.NaN, '1' as never]) {
    expect(refusal(() => manager.setLimits({ turnEstimateUsd }))).toMatchObject({ code: 'invalid_argument' });
    expect(refusal(() => manager.spawn({ instructions: 'x', turnEstimateUsd }))).toMatchObject({ code: 'invalid_argument' });
  }
});

test('B5 a spawn below one turn’s price is refused, and gets what is left, what it needs and which option says so', () => {
  const manager = open(async () => ({ output: '' }), { budget: { costUsd: 0.3 }, turnEstimateUsd: 0.4 });
  const error = refusal(() => manager.spawn({ instructions: 'x' }));
  expect(error).toMatchObject({
    code: 'budget_exhausted',
    details: { remaining: 0.3, needed: 0.4, unit: 'US dollars', option: 'budget.costUsd' },
  });
  expect(error.message).toBe(
    "0.3 US dollars of the manager's budget remain, one turn needs 0.4 (`turnEstimateUsd`); `budget.costUsd` or `addBudget` raises it",
  );
  expect(manager.canSpawn()).toBe(false);
});

test('B3 the host’s word for a turn may be 0, and nothing else that is no amount', async () => {
  const seen: unknown[] = [];
  const manager = open(
    async (_, run) => {
      seen.push(await run.beforeTurn({ costUsd: 0 }), manager.budget().costUsd.reserved);
      for (const costUsd of [-0.1, Number.NaN, 'much' as never])
        seen.push(await run.beforeTurn({ costUsd }).catch((error: { code: string }) => error.code));
      return { output: 'x' };
    },
    { budget: { costUsd: 1 } },
  );
  await manager.spawn({ instructions: 'x' }).wait();
  expect(seen).toEqual([{ go: true, turn: 1 }, 0, 'invalid_argument', 'invalid_argument', 'invalid_argument']);
});

test('B8 the last turn that a sub-agent’s own cap pays for is its wrap-up turn, and says what is set aside for it', async () => {
  const permits: unknown[] = [];
  const manager = open(
    async (_, run) => {
      for (;;) {
        const permit = await run.beforeTurn();
        if (!permit.go) break;
        permits.push(permit.wrapUp === true ? permit.costUsd : 'ordinary');
        run.report({ costUsd: 0.3 });
      }
      return { output: 'what I have' };
    },
    { budget: { costUsd: 100 } },
  );
  const result = await manager.spawn({ instructions: 'x', budget: { costUsd: 1 } }).wait();
  expect(result).toMatchObject({
    status: 'failed',
    stopReason: 'budget_exhausted',
    partial: true,
    raisedBy: 'budget.costUsd',
    output: 'what I have',
  });
  expect(permits).toEqual(['ordinary', 'ordinary', 'ordinary', 0.1]);
});

test('B6 amounts are kept in billionths of a dollar, so that sums are exact', async () => {
  const manager = open(
    async (_, run) => {
      for (let i = 0; i < 10; i += 1) run.report({ costUsd: 0.1 });
      run.report({ costUsd: 0.1 + 0.2 });
      run.report({ costUsd: 4e-10 });
      run.report({ costUsd: 6e-10 });
      return { output: 'x' };
    },
    { budget: { costUsd: 1.3 + 1e-9 } },
  );
  await manager.spawn({ instructions: 'x' }).wait();
  expect(manager.budget().costUsd).toEqual({ cap: 1.300000001, spent: 1.300000001, reserved: 0, available: 0, overspent: 0 });
});

test('S2 B3 a turn that a run comes back for is granted, whatever dollars are expected where none are capped', async () => {
  const runs = new Map<string, Run>();
  const returns = new Map<string, () => void>();
  const manager = open(
    (_, run) =>
      new Promise((resolve) => {
        runs.set(run.label, run);
        returns.set(run.label, () => resolve({ output: run.label }));
      }),
    { maxConcurrent: 2, maxDepth: 2, turnEstimate: 100, turnEstimateUsd: 0.05, wrapUpTokens: 40, taskBudget: { tokens: 1_000 } },
  );
  manager.spawn({ label: 'top', instructions: 'x', background: true, budget: { tokens: 400 } });
  await flush();
  runs.get('top')?.spawn({ label: 'first', instructions: 'x', background: true });
  await flush();
  const turn = runs.get('top')?.beforeTurn();
  runs.get('top')?.spawn({ label: 'second', instructions: 'x', background: true });
  await flush();
  // What `second` begins with is what the turn of `top` leaves, of which a part was kept for its last turn.
  returns.get('first')?.();
  expect(await Promise.race([turn, flush()])).toMatchObject({ go: true, turn: 1 });
});

describe('a cap in dollars of which nobody says what runs cost', () => {
  const silent: Host = async (_, run) => {
    run.report({ tokens: 500 });
    return { output: 'done' };
  };
  const reported = (options: SubAgentManagerOptions, host: Host = silent) => {
    const errors: SubAgentError[] = [];
    return { manager: open(host, { ...options, onError: (error) => errors.push(error as SubAgentError) }), errors };
  };

  test('B7 is reported to `onError` once, wherever the cap stands', async () => {
    const { manager, errors } = reported({ budget: { costUsd: 1 } });
    const first = manager.spawn('a');
    for (const handle of [first, manager.spawn('b')]) expect((await handle.wait()).usage.unknown).toContain('costUsd');
    expect(errors.map(({ code, details }) => ({ code, details }))).toEqual([{ code: 'cost_unknown', details: { taskId: first.taskId } }]);
    expect(errors[0]?.message).toMatch(/nothing says what it cost.*Report `costUsd`; or give `prices`/);
    for (const options of [{ taskBudget: { costUsd: 1 } }, {}]) {
      const other = reported(options);
      await other.manager.spawn({ instructions: 'a', ...(options.taskBudget === undefined && { maxCost: 1 }) }).wait();
      await other.manager
        .session('s', { budget: { costUsd: 2 } })
        .spawn('b')
        .wait();
      expect(other.errors.map(({ code }) => code)).toEqual(['cost_unknown']);
    }
  });

  test('B7 B11 not without such a cap, where the cost is known, where the run came to nothing, or twice for a model without a price', async () => {
    const capped = { budget: { costUsd: 1 } };
    const reporting =
      (report: RunReport): Host =>
      async (_, run) => {
        run.report(report);
        return { output: 'done' };
      };
    const prices = { m: { input: 1, output: 1 } };
    const kinds = { inputTokens: 10, outputTokens: 1 };
    const cases: [SubAgentManagerOptions, Host, string[]][] = [
      [{ budget: { tokens: 9_000 } }, silent, []],
      [capped, reporting({ tokens: 500, costUsd: 0 }), []],
      [{ ...capped, prices, modelId: 'm' }, reporting(kinds), []],
      [{ ...capped, prices, modelId: 'n' }, reporting(kinds), ['no_price']],
      // Without kinds there is no price.
      [{ ...capped, prices, modelId: 'm' }, silent, ['cost_unknown']],
      [capped, async () => Promise.reject(new Error('down')), []],
    ];
    for (const [options, host, codes] of cases) {
      const { manager, errors } = reported(options, host);
      await manager.spawn('a').wait();
      expect(errors.map(({ code }) => code)).toEqual(codes);
    }
  });
});
