// Tokens by kind, and what models cost: what is booked, what comes back of it, and who is notified where there is no price.

import { describe, expect, test } from 'vitest';
import {
  type HostUsage,
  type Prices,
  type RunReport,
  type SubAgentError,
  type SubAgentEvent,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { NO_KINDS } from '../../support/kinds.js';

const OPUS: Prices = { 'opus*': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75, cacheWrite1h: 30 } };

/** A manager whose host reports, and then returns a usage. */
function priced(options: SubAgentManagerOptions = {}, reports: RunReport[] = [], usage?: HostUsage) {
  const errors: SubAgentError[] = [];
  const events: SubAgentEvent[] = [];
  const manager = new SubAgentManager({
    prices: OPUS,
    modelId: 'opus-4',
    onError: (error) => errors.push(error as SubAgentError),
    spawnSubAgent: async (_, run) => {
      for (const report of reports) run.report(report);
      return { output: 'done', usage };
    },
    ...options,
  });
  manager.subscribe((event) => events.push(event));
  return { manager, errors, events, usage: async (spawn = {}) => (await manager.spawn({ instructions: 'x', ...spawn }).wait()).usage };
}

const CACHED = { inputTokens: 100_000, cacheReadTokens: 95_000, outputTokens: 500 };

const UNREADABLE = 'free' as unknown as number;

test('B7 B11 dollars that can’t be read count as left out: prices give them, of a report and of a total', async () => {
  const usage = { inputTokens: 200, outputTokens: 20 };
  const right = (await priced({}, [], usage).usage()).costUsd;
  const half = { inputTokens: 100, outputTokens: 10 };
  for (const [reports, total] of [
    [[], { ...usage, costUsd: UNREADABLE }],
    [[{ ...half, costUsd: Number.NaN }], usage],
    [[{ ...half, costUsd: -1 }, half], undefined],
  ] as const)
    expect(await priced({}, [...reports], total).usage()).toMatchObject({ costUsd: right, invalid: [] });
  // Nobody knows what it cost without a price.
  expect(await priced({ modelId: 'other' }, [], { ...usage, costUsd: UNREADABLE }).usage()).toMatchObject({
    costUsd: 0,
    invalid: ['costUsd'],
  });
});

describe('the kinds of tokens', () => {
  test('B11 of a run are in its result, its snapshot, its notice and its events; a kind that nobody reported is null', async () => {
    const { manager, events } = priced({ prices: {} }, [{ input_tokens: 10, cache_read_input_tokens: 60, output_tokens: 20 } as RunReport]);
    const kinds = { ...NO_KINDS, inputTokens: 70, outputTokens: 20, cacheReadTokens: 60 };
    const handle = manager.spawn({ instructions: 'x', background: true });
    const result = await handle.wait();
    expect(result.usage).toEqual({ tokens: 90, costUsd: 0, turns: 0, ...kinds, unknown: ['costUsd', 'turns'], invalid: [] });
    expect(manager.get(handle).usage).toEqual(result.usage);
    expect(events.filter(({ type }) => type === 'tokens_used')).toMatchObject([
      { taskId: handle.taskId, run: 1, modelId: 'opus-4', kinds },
    ]);

    manager.spawn({ instructions: 'x', background: true });
    expect((await manager.inbox.next({ timeoutMs: 5_000 }))?.usage).toEqual(result.usage);
  });

  test('B11 of a total are what was not reported before, by kind, and a later run begins anew', async () => {
    const { manager } = priced({ prices: {} }, [{ inputTokens: 10, outputTokens: 5 }], {
      inputTokens: 30,
      outputTokens: 5,
      reasoningTokens: 2,
    });
    const handle = manager.spawn({ instructions: 'x' });
    const kinds = { ...NO_KINDS, inputTokens: 30, outputTokens: 5, reasoningTokens: 2 };
    expect((await handle.wait()).usage).toMatchObject({ tokens: 35, ...kinds });
    handle.send('again');
    expect((await handle.wait()).usage).toMatchObject({ tokens: 35, ...kinds });
    expect(handle.snapshot().budget.tokens.spent).toBe(70);
  });

  test('B11 that are no amounts are left out, and so are those of a usage whose tokens are none', async () => {
    const { manager } = priced({ onError: () => undefined }, [], { tokens: 9, inputTokens: 9, cacheReadTokens: Number.NaN });
    expect((await manager.spawn('x').wait()).usage).toMatchObject({ ...NO_KINDS, tokens: 9, inputTokens: 9 });
    const { usage } = priced({}, [], { inputTokens: Number.NaN, outputTokens: 5 });
    expect(await usage()).toMatchObject({ inputTokens: null, invalid: ['tokens'] });
  });

  test('B11 are reported by the tool: in its details with those below, in its text, in the JSON report, and as pi has them', async () => {
    const errors: unknown[] = [];
    const manager = new SubAgentManager({
      maxDepth: 2,
      onError: (error) => errors.push(error),
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'lead') await run.spawn('below').wait();
        return {
          output: 'x',
          usage: { inputTokens: 100, cacheReadTokens: 60, cacheWriteTokens: 30, cacheWrite1hTokens: 10, outputTokens: 20, costUsd: 1 },
        };
      },
    });
    const reported = { inputTokens: 100, cacheReadTokens: 60, cacheWriteTokens: 30, cacheWrite1hTokens: 10, outputTokens: 20 };
    const tool = manager.createSubAgentTool();
    const alone = await tool.execute('call-1', { instructions: 'alone' });
    expect(alone.details).toMatchObject({ tokens: 120, cost: 1, ...reported });
    expect(alone.details).not.toHaveProperty('reasoningTokens');
    expect(alone.content[0]?.text).toContain('120 tokens (60 from the cache), $1.0000');
    expect(alone.usage).toMatchObject({ input: 10, output: 20, cacheRead: 60, cacheWrite: 30, cacheWrite1h: 10, totalTokens: 120 });
    expect(alone.usage).not.toHaveProperty('reasoning');

    const lead = await tool.execute('call-2', { instructions: 'lead' });
    expect(lead.details).toMatchObject({ tokens: 240, cost: 2, inputTokens: 200, cacheReadTokens: 120, own: { tokens: 120, cost: 1 } });

    const json = await manager.createSubAgentTool({ format: 'json' }).execute('call-3', { instructions: 'alone' });
    expect(JSON.parse(json.content[0]?.text ?? '').stats).toMatchObject({ tokens: 120, ...reported });
    expect(errors).toEqual([]);
  });

  test('B11 of a later run, and of what never reported any, are not shown for this one', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x', usage: { tokens: 7 } }) });
    const { details, content } = await manager.createSubAgentTool().execute('call', { instructions: 'x' });
    expect(details).not.toHaveProperty('inputTokens');
    expect(content[0]?.text).not.toContain('cache');
  });
});

describe('tokens from the cache', () => {
  test('B11 count against caps as `countCacheReads` says, and as a whole where nothing is said; their usage has all of them', async () => {
    const cached = { inputTokens: 1_000, cacheReadTokens: 800, outputTokens: 100 };
    const spent = async (options: SubAgentManagerOptions): Promise<number> => {
      const { manager, usage } = priced({ prices: {}, budget: { tokens: 10_000 }, ...options }, [cached], {
        inputTokens: 2_000,
        cacheReadTokens: 1_600,
        outputTokens: 200,
      });
      expect((await usage()).tokens).toBe(2_200);
      const { tokens } = manager.budget();
      expect(tokens.available).toBe(10_000 - tokens.spent);
      expect([manager.stats().tokensSpent, manager.costs().tokens]).toEqual([tokens.spent, tokens.spent]);
      return tokens.spent;
    };
    expect(await spent({})).toBe(2_200);
    expect(await spent({ countCacheReads: 100 })).toBe(2_200 - 1_440);
    expect(await spent({ countCacheReads: 0 })).toBe(600);
    expect(await spent({ countCacheReads: 5_000 })).toBe(2_200);
  });
  test('B11 count in all of a run, however small its reports are', async () => {
    const reports = Array.from({ length: 1_000 }, () => ({ inputTokens: 9, cacheReadTokens: 9, outputTokens: 0 }));
    const { manager, usage } = priced({ countCacheReads: 100 }, reports);
    expect((await usage()).tokens).toBe(9_000);
    expect(manager.budget().tokens.spent).toBe(900);
  });
});

describe('what was spent', () => {
  test('B11 by model and by agent adds up to the ledger, forgotten ones and what nobody named included', async () => {
    const { manager } = priced({
      prices: { ...OPUS, mini: { input: 1, output: 2 } },
      modelId: undefined,
      agents: {
        reader: { description: 'x', prompt: 'x', model: 'opus-4' },
        clerk: { description: 'x', prompt: 'x', model: 'mini' },
      },
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'two') run.report({ inputTokens: 1_000, outputTokens: 0, modelId: 'mini' });
        if (instructions === 'plain') return { output: 'x', usage: { tokens: 50, costUsd: 0.5, turns: 2 } };
        return { output: 'x', usage: { inputTokens: 1_000_000, cacheReadTokens: 500_000, outputTokens: 0 } };
      },
    });
    await manager.spawn({ instructions: 'one', agent: 'reader' }).wait();
    await manager.spawn({ instructions: 'one', agent: 'clerk' }).wait();
    const gone = manager.spawn({ instructions: 'two', agent: 'reader' });
    await gone.wait();
    manager.forget(gone);
    await manager.spawn('plain').wait();
    manager.report({ inputTokens: 3, modelId: 'mini' });

    const costs = manager.costs();
    const { tokensSpent, costSpentUsd, turnsSpent } = manager.stats();
    expect([costs.tokens, costs.costUsd, costs.turns]).toEqual([tokensSpent, costSpentUsd, turnsSpent]);
    const nanos = (usd: number): number => Math.round(usd * 1e9);
    for (const shares of [costs.byModel, costs.byAgent]) {
      for (const field of ['tokens', 'turns'] as const) expect(shares.reduce((sum, share) => sum + share[field], 0)).toBe(costs[field]);
      expect(shares.reduce((sum, { costUsd }) => sum + nanos(costUsd), 0)).toBe(nanos(costs.costUsd));
    }
    // 0.5 million fresh ones and 0.5 million from the cache; the second run reported 1,000 of its million for another model.
    const opus = 8.25 + (1_000_000 - 1_000 - 500_000) * 15e-6 + 0.75;
    expect(costs.byModel.map(({ name, costUsd }) => [name, costUsd])).toEqual([
      ['opus-4', expect.closeTo(opus, 9)],
      ['mini', 1.001003],
      [null, 0.5],
    ]);
    expect(costs.byModel[0]).toMatchObject({ inputTokens: 1_999_000, cacheReadTokens: 1_000_000, cacheWriteTokens: null, unpriced: false });
    expect(costs.byAgent.map(({ name, costUsd }) => [name, costUsd])).toEqual([
      ['reader', expect.closeTo(opus + 0.001, 9)],
      ['clerk', 1],
      [null, 0.500003],
    ]);
  });

  test('B11 a turn begun before its model is known counts for that model, also where an agent took it', async () => {
    const manager = new SubAgentManager({
      agents: { reader: { description: 'x', prompt: 'x' } },
      spawnSubAgent: async (_, run) => {
        for (const modelId of ['one', 'two', 'one']) {
          await run.beforeTurn();
          run.report({ inputTokens: 10, outputTokens: 0, modelId });
        }
        return { output: 'x' };
      },
    });
    for (const agent of [null, 'reader', 'reader']) await manager.spawn({ instructions: 'x', agent }).wait();
    const { byModel, byAgent, turns } = manager.costs();
    // A later turn counts for the model that the run used last.
    expect(byModel.map(({ name, tokens, turns }) => [name, tokens, turns])).toEqual([
      ['one', 60, 6],
      ['two', 30, 3],
    ]);
    expect(byAgent.map(({ name, turns }) => [name, turns])).toEqual([
      ['reader', 6],
      [null, 3],
    ]);
    expect(turns).toBe(9);
  });

  test('B11 `*` is the price of a model that nobody named, too', async () => {
    const spawnSubAgent = async () => ({ output: 'x', usage: { inputTokens: 1_000_000, outputTokens: 0 } });
    const manager = new SubAgentManager({ prices: { '*': { input: 2, output: 5 }, 'a*': { input: 1, output: 1 } }, spawnSubAgent });
    expect((await manager.spawn('x').wait()).usage).toMatchObject({ costUsd: 2, unknown: ['turns'] });
    expect(manager.costs().byModel).toMatchObject([{ name: null, costUsd: 2, unpriced: false }]);
  });

  test('B11 says which model has no price, and follows what the host itself says of the cost', async () => {
    const { manager, usage } = priced({ agents: { a: { description: 'x', prompt: 'x' } } }, [CACHED], { costUsd: 0.01 });
    await usage({ agent: 'a' });
    await usage({ modelId: 'other' });
    expect(manager.costs().byModel).toMatchObject([
      { name: 'opus-4', costUsd: 0.01, tokens: 100_500, unpriced: false },
      { name: 'other', costUsd: 0.01, tokens: 100_500, unpriced: true },
    ]);
    expect(manager.costs().byAgent.map(({ name, costUsd }) => [name, costUsd])).toEqual([
      ['a', 0.01],
      [null, 0.01],
    ]);
  });

  test('B11 by model is counted for the model of the run, else of the manager, also where nothing is said of kinds', async () => {
    const { manager } = priced(
      { prices: {}, agents: { a: { description: 'x', prompt: 'x', model: 'b' } } },
      [{ tokens: 5 }, { tokens: 7, modelId: 'c' }, { tokens: 1, costUsd: 1 }],
      { tokens: 20 },
    );
    await manager.spawn('x').wait();
    await manager.spawn({ instructions: 'x', agent: 'a' }).wait();
    manager.report({ tokens: 100 });
    expect(manager.costs().byModel.map(({ name, tokens, costUsd, runs }) => [name, tokens, costUsd, runs])).toEqual([
      ['opus-4', 113, 1, 1],
      ['b', 13, 1, 1],
      ['c', 14, 0, 0],
    ]);
  });

  test('B11 is known after a restart, also from a snapshot', async () => {
    const store = memoryStore();
    const open = () => SubAgentManager.open({ store, prices: OPUS, spawnSubAgent: async () => ({ output: 'x', usage: CACHED }) });
    const first = await open();
    await first.spawn({ instructions: 'x', modelId: 'opus-4' }).wait();
    await first.compact();
    await first.spawn({ instructions: 'x', modelId: 'opus-5' }).wait();
    const costs = first.costs();
    await first[Symbol.asyncDispose]();
    const second = await open();
    expect(second.costs()).toEqual(costs);
    expect(costs.byModel).toMatchObject([{ costUsd: 0.255 }, { costUsd: 0.255 }]);
    await second[Symbol.asyncDispose]();
  });
});

describe('prices', () => {
  test('B11 give the dollars where the host gives none, each kind at its own', async () => {
    const { usage, manager } = priced({}, [], { ...CACHED, cacheWriteTokens: 3_000, cacheWrite1hTokens: 1_000 });
    // 2,000 fresh, 95,000 read, 2,000 written for five minutes and 1,000 for an hour, 500 out.
    expect(await usage()).toMatchObject({ costUsd: 0.2775, unknown: ['turns'] });
    expect(manager.stats().costSpentUsd).toBe(0.2775);
  });

  test('B11 hold for reports, which cost the totals after them less those before, and for the main agent', async () => {
    const token = { inputTokens: 1 };
    const { usage, manager } = priced({ prices: { 'opus-4': { input: 0.0015, output: 1 } } }, [token, token, token]);
    // Three tokens at one and a half billionths each.
    expect((await usage()).costUsd).toBe(4e-9);
    manager.report({ inputTokens: 2, modelId: 'opus-4' });
    expect(manager.stats().costSpentUsd).toBe(7e-9);
  });

  test('B11 the total that a host gives takes the place of what they booked, more or less, and of nothing that it reported itself', async () => {
    const total = async (costUsd: number, report: RunReport = {}): Promise<number> => {
      const { usage, manager } = priced({}, [CACHED, report], { costUsd });
      const spent = (await usage()).costUsd;
      expect(manager.stats().costSpentUsd).toBe(spent);
      return spent;
    };
    expect(await total(0.01)).toBe(0.01);
    expect(await total(0.7)).toBe(0.7);
    expect(await total(0.01, { costUsd: 0.2 })).toBe(0.2);
  });

  test('B11 a total that divides what was reported anew costs what it says', async () => {
    const { manager, usage } = priced({}, [{ inputTokens: 100_000, outputTokens: 0 }], CACHED);
    expect(await usage()).toMatchObject({ tokens: 100_500, costUsd: 0.255, unknown: ['turns'] });
    expect(manager.costs()).toMatchObject({ costUsd: 0.255, byModel: [{ name: 'opus-4', costUsd: 0.255 }] });
    // What the host said itself stays.
    const said = priced({}, [{ inputTokens: 100_000, outputTokens: 0, costUsd: 1 }], CACHED);
    expect(await said.usage()).toMatchObject({ costUsd: 1 });
    // Of two models, that which the total is of.
    const two = priced(
      {},
      [
        { inputTokens: 10_000, outputTokens: 0, modelId: 'opus-5' },
        { inputTokens: 90_000, outputTokens: 0 },
      ],
      CACHED,
    );
    await two.usage();
    const byModel = two.manager.costs().byModel.map(({ name, costUsd }) => [name, costUsd]);
    expect(byModel).toEqual([
      ['opus-4', expect.closeTo((90_000 * 1.5 + 500 * 75) / 1e6, 9)],
      ['opus-5', 0.15],
    ]);
  });

  test('B11 the longest match counts, those of a definition and of a spawn go first, and a report names its own model', async () => {
    const price = (input: number) => ({ input, output: 0 });
    const { usage } = priced(
      {
        prices: { 'opus*': price(1), 'opus-4*': price(2), 'opus-4': price(3) },
        agents: { cheap: { description: 'x', prompt: 'x', prices: { 'opus-4': price(4) } } },
      },
      [],
      { inputTokens: 1_000_000 },
    );
    expect((await usage()).costUsd).toBe(3);
    expect((await usage({ modelId: 'opus-4.1' })).costUsd).toBe(2);
    expect((await usage({ modelId: 'opus-3' })).costUsd).toBe(1);
    expect((await usage({ agent: 'cheap' })).costUsd).toBe(4);
    expect((await usage({ agent: 'cheap', modelId: 'opus-3' })).costUsd).toBe(1);
    expect((await usage({ prices: { '*': price(5) } })).costUsd).toBe(5);
    const named = priced({ prices: { 'opus*': price(1), other: price(7) } }, [{ inputTokens: 1_000_000, modelId: 'other' }]);
    expect((await named.usage()).costUsd).toBe(7);
  });

  test('B11 a model without one is reported once, and what it costs is unknown', async () => {
    const { usage, errors } = priced({ modelId: 'other' }, [CACHED]);
    expect((await usage()).unknown).toEqual(['costUsd', 'turns']);
    expect((await usage()).unknown).toEqual(['costUsd', 'turns']);
    expect(errors.map(({ code, details }) => ({ code, details }))).toEqual([{ code: 'no_price', details: { modelId: 'other' } }]);
    expect(errors[0]?.message).toContain('`prices` has none for the model other');

    const nameless = priced({ modelId: undefined }, [CACHED]);
    expect((await nameless.usage()).unknown).toEqual(['costUsd', 'turns']);
    expect(nameless.errors.map(({ code, message }) => [code, message.includes('`modelId`')])).toEqual([['no_price', true]]);

    // Where the host says what it cost, nothing lacks; and without prices nobody asked for any.
    const reported = priced({ modelId: 'other' }, [], { ...CACHED, costUsd: 1 });
    expect((await reported.usage()).unknown).toEqual(['turns']);
    const none = priced({ modelId: 'other', prices: {} }, [CACHED]);
    await none.usage();
    expect([reported.errors, none.errors]).toEqual([[], []]);
  });

  test('B11 more models and agents than have rows of their own share one, and each model without a price is reported once', async () => {
    const { manager, errors, usage } = priced({ retain: 0 }, [], { inputTokens: 10, outputTokens: 0 });
    for (let at = 0; at < 1_005; at += 1) await usage({ modelId: `z${at}` });
    for (let again = 0; again < 3; again += 1) await usage({ modelId: 'z1004' });
    expect(errors).toHaveLength(1_005);
    const { tokens, byModel, byAgent } = manager.costs();
    expect(tokens).toBe(10_080);
    for (const rows of [byModel, byAgent])
      for (const figure of ['tokens', 'inputTokens'] as const) expect(rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0)).toBe(tokens);
    expect(byModel.find(({ name }) => name === null)).toMatchObject({ tokens: 80, unpriced: true });
  });

  test('B11 the cost of a run stays unknown where one of its models has no price, whatever else is priced', async () => {
    const report = { inputTokens: 5, modelId: 'other' };
    const { usage } = priced({}, [report], { inputTokens: 1_000_005, outputTokens: 0 });
    expect(await usage()).toMatchObject({ costUsd: 15, unknown: ['costUsd', 'turns'] });
    const reported = priced({}, [report], { inputTokens: 1_000_005, outputTokens: 0, costUsd: 16 });
    expect(await reported.usage()).toMatchObject({ costUsd: 16, unknown: ['turns'] });
    const { manager } = priced({
      spawnSubAgent: (_, run) => {
        run.report({ inputTokens: 1_000_000 });
        run.report(report);
        return new Promise(() => undefined);
      },
    });
    const cut = manager.spawn('x');
    await new Promise((resolve) => setTimeout(resolve, 1));
    await manager.cancel(cut, { graceMs: 1 });
    expect(manager.get(cut).usage).toMatchObject({ costUsd: 15, unknown: ['costUsd', 'turns'] });
  });

  test('B11 the total of an earlier run costs what its reports have not, by the model of each', async () => {
    const ends: ((result: { output: string; usage: HostUsage }) => void)[] = [];
    const { manager } = priced({
      graceMs: 1,
      abandonMs: 10,
      modelId: undefined,
      spawnSubAgent: async (_, run) => {
        if (run.run > 2) return { output: 'x', usage: { inputTokens: 1_000, modelId: 'opus-4' } };
        await run.beforeTurn();
        run.report({ inputTokens: 1_000, modelId: 'opus-4' });
        return new Promise((resolve) => ends.push(resolve));
      },
    });
    const view = new View();
    view.begin(baseOf(manager));
    manager.subscribe((event) => view.add(event));
    const handle = manager.spawn('one');
    for (const text of ['two', 'three']) {
      await expect.poll(() => handle.snapshot().turns).toBe(1);
      await manager.interrupt(handle);
      handle.send(text);
      await expect.poll(() => handle.snapshot().lingering.every(({ abandoned }) => abandoned)).toBe(true);
    }
    await handle.wait();
    expect(handle.snapshot().lingering.map(({ usage }) => usage.inputTokens)).toEqual([1_000, 1_000]);
    // 0.015 of these are booked; the other one says itself what it has cost.
    ends[0]?.({ output: 'late', usage: { inputTokens: 3_000, modelId: 'opus-4' } });
    ends[1]?.({ output: 'late', usage: { inputTokens: 1_000, costUsd: 0.01 } });
    await expect.poll(() => handle.snapshot().lingering).toEqual([]);
    const { costs, spent } = { costs: manager.costs(), spent: handle.snapshot().budget };
    expect([spent.tokens.spent, spent.costUsd.spent]).toEqual([5_000, 0.045 + 0.01 + 0.015]);
    expect(costs.byModel).toMatchObject([{ name: 'opus-4', costUsd: 0.07, tokens: 5_000, turns: 2, inputTokens: 5_000 }]);
    expect(view.now.costs).toEqual(costs);
  });

  test('B11 are refreshed by setLimits; what was booked stays', async () => {
    const { usage, manager } = priced({}, [], { inputTokens: 1_000_000 });
    expect((await usage()).costUsd).toBe(15);
    manager.setLimits({ prices: { opus: { input: 1, output: 1 }, 'opus-4': { input: 2, output: 1 } } });
    expect((await usage()).costUsd).toBe(2);
    expect(manager.stats().costSpentUsd).toBe(17);
  });

  test('B11 the record of what was booked has the dollars, so that a process without prices reads the same', async () => {
    const store = memoryStore();
    const open = (prices: Prices) =>
      SubAgentManager.open({ store, prices, modelId: 'opus-4', spawnSubAgent: async () => ({ output: 'x', usage: CACHED }) });
    const first = await open(OPUS);
    const { taskId } = await first.spawn('x').wait();
    const { usage, budget } = first.get(taskId);
    await first[Symbol.asyncDispose]();
    const second = await open({});
    expect(second.get(taskId)).toMatchObject({ usage, budget });
    expect(usage.costUsd).toBe(0.255);
    await second[Symbol.asyncDispose]();
  });

  test('B11 of a result that comes once more are booked, and read after a restart', async () => {
    const store = memoryStore();
    const open = () => SubAgentManager.open({ store, prices: OPUS, spawnBackgroundSubAgent: async () => ({ taskId: 'theirs' }) });
    const first = await open();
    const handle = first.spawn({ instructions: 'x', background: true, modelId: 'opus-4' });
    while (first.get(handle).hostTaskId === null) await new Promise((resolve) => setTimeout(resolve, 1));
    first.reportSettled('theirs', { output: 'x', usage: { inputTokens: 1_000 } });
    await handle.wait();
    first.reportSettled('theirs', { output: 'late', usage: { inputTokens: 3_000, outputTokens: 0 } });
    await first.flush();
    const { usage } = first.get(handle);
    expect(usage).toMatchObject({ tokens: 3_000, inputTokens: 3_000, outputTokens: 0, costUsd: 0.045 });
    await first[Symbol.asyncDispose]();
    const second = await open();
    expect(second.get(handle.taskId).usage).toEqual(usage);
    await second[Symbol.asyncDispose]();
  });

  test('B11 count against a cap in dollars', async () => {
    const { manager } = priced({ budget: { costUsd: 0.255 } }, [], CACHED);
    await manager.spawn('x').wait();
    expect(manager.canSpawn()).toBe(false);
    expect(() => manager.spawn('x')).toThrow(expect.objectContaining({ code: 'budget_exhausted' }));
  });

  test('wrong ones are refused, naming their place', () => {
    const refused = (prices: unknown): SubAgentError => {
      try {
        new SubAgentManager({ prices: prices as Prices });
      } catch (error) {
        return error as SubAgentError;
      }
      throw new Error('it was taken');
    };
    expect(refused({ opus: { input: 1 } }).message).toContain('`prices.opus.output`');
    expect(refused({ opus: { input: -1, output: 1 } }).message).toContain('`prices.opus.input`');
    expect(refused({ opus: { input: 1, output: Number.POSITIVE_INFINITY } }).message).toContain('`prices.opus.output`');
    expect(refused({ opus: { input: 1, output: 1, cached: 1 } }).message).toContain('cached');
    expect(refused({ 'o*s': { input: 1, output: 1 } }).message).toContain('`*` at its end');
    expect(refused([]).code).toBe('invalid_argument');
  });
});

describe('what a plan would cost', () => {
  const readers = () =>
    new SubAgentManager({
      maxTurns: 50,
      prices: { 'large*': { input: 10, output: 20, cacheRead: 1 }, 'small*': { input: 1, output: 2 } },
      agents: { reader: { description: 'x', prompt: 'x', model: 'large-1' }, clerk: { description: 'x', prompt: 'x' } },
      spawnSubAgent: async (_, run) => {
        for (let turn = 0; turn < 4; turn += 1) {
          await run.beforeTurn();
          run.report({ inputTokens: 900, cacheReadTokens: 400, outputTokens: 100 });
        }
        return { output: 'x' };
      },
    });

  test('B11 by what runs of the same agent and model have taken, and by the turn where turns are given', async () => {
    const manager = readers();
    for (let run = 0; run < 3; run += 1) await manager.spawn({ instructions: 'x', agent: 'reader' }).wait();
    // A turn: 500 fresh, 400 from the cache, 100 written.
    const turn = (500 * 10 + 400 * 1 + 100 * 20) / 1e6;
    expect(manager.costs()).toMatchObject({ turns: 12, byAgent: [{ name: 'reader', runs: 3, turns: 12 }] });
    expect(manager.estimate([{ agent: 'reader', count: 20 }])).toEqual({
      tokens: 80_000,
      costUsd: expect.closeTo(80 * turn, 9),
      turns: 80,
      basis: 'measured',
    });
    expect(manager.estimate([{ agent: 'reader', count: 2, turns: 10 }])).toMatchObject({ tokens: 20_000, turns: 20, basis: 'measured' });
    const spent = manager.stats();
    expect(manager.stats()).toEqual(spent);
  });

  test('B11 else by what others have taken, at the price of the model that is planned', async () => {
    const manager = readers();
    await manager.spawn({ instructions: 'x', agent: 'reader' }).wait();
    const turn = (900 * 1 + 100 * 2) / 1e6;
    expect(manager.estimate([{ agent: 'clerk', modelId: 'small-1', count: 5 }])).toEqual({
      tokens: 20_000,
      costUsd: expect.closeTo(20 * turn, 9),
      turns: 20,
      basis: 'similar',
    });
    // The least certain line counts for the whole.
    expect(manager.estimate([{ agent: 'reader' }, { agent: 'clerk', modelId: 'small-1' }])).toMatchObject({ turns: 8, basis: 'similar' });
  });

  test('B11 else by what is expected of a turn; what a model without a price costs is not known', async () => {
    const manager = readers();
    expect(manager.estimate([{ modelId: 'small-1', count: 3, turns: 2 }])).toEqual({
      tokens: 12_000,
      costUsd: 0.012,
      turns: 6,
      basis: 'expected',
    });
    expect(manager.estimate([{ modelId: 'other' }])).toEqual({ tokens: 2_000, costUsd: null, turns: 1, basis: 'expected' });
    expect(manager.estimate([{ turnEstimate: 70, turnEstimateUsd: 0.5, turns: 3 }])).toMatchObject({ tokens: 210, costUsd: 1.5 });
    expect(reported({ prices: {}, turnEstimateUsd: 0.5 }).estimate([{ turns: 3 }])).toMatchObject({ costUsd: 1.5, basis: 'expected' });
    expect(manager.estimate([])).toEqual({ tokens: 0, costUsd: 0, turns: 0, basis: 'measured' });
  });

  test('B11 a tool may say with a start what more such sub-agents would cost', async () => {
    const manager = readers();
    await manager.spawn({ instructions: 'x', agent: 'reader' }).wait();
    const { tokens, costUsd, basis } = manager.estimate([{ agent: 'reader' }]);
    const tool = manager.createSubAgentTool({
      texts: { started: ({ text }) => `${text} Each reader takes about ${tokens} tokens, $${costUsd} (${basis}).` },
    });
    const { content } = await tool.execute('call', { instructions: 'x', agent: 'reader', background: true });
    expect(content[0]?.text).toMatch(/^Subagent \[x\] started .* Each reader takes about 4000 tokens, \$0\.0296 \(measured\)\.$/);
  });

  /** A manager whose host returns the usage that its instructions are. */
  const reported = (options: SubAgentManagerOptions = {}) =>
    new SubAgentManager({
      prices: { '*': { input: 1, output: 1 } },
      modelId: 'large-1',
      onError: () => undefined,
      spawnSubAgent: async ({ instructions }) => ({ output: 'x', usage: JSON.parse(instructions) as HostUsage }),
      ...options,
    });
  const input = (inputTokens: number) => JSON.stringify({ inputTokens, outputTokens: 0 });

  test('B11 runs that are still at work count for nothing', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const manager = reported({
      maxConcurrent: 100,
      spawnSubAgent: async ({ instructions }, run) => {
        run.report({ inputTokens: 1_000, outputTokens: 0 });
        if (instructions !== 'first') await gate;
        return { output: 'x' };
      },
    });
    const first = manager.spawn('first');
    const others = Array.from({ length: 99 }, () => manager.spawn('x'));
    await first.wait();
    expect(manager.estimate([{}])).toMatchObject({ tokens: 1_000, costUsd: 0.001, basis: 'measured' });
    open();
    await Promise.all(others.map((other) => other.wait()));
    expect(manager.estimate([{ count: 5 }])).toMatchObject({ tokens: 5_000, costUsd: 0.005 });
  });

  test('B11 runs without a name are no others, and the tokens of a main agent are of no run', async () => {
    const manager = reported({ modelId: undefined, agents: { reader: { description: 'x', prompt: 'x' } } });
    for (let run = 0; run < 3; run += 1) await manager.spawn({ instructions: input(1e6), agent: 'reader' }).wait();
    await manager.spawn(input(1_000)).wait();
    manager.report({ inputTokens: 1e6, outputTokens: 0 });
    expect(manager.estimate([{}])).toMatchObject({ tokens: 1_000, costUsd: 0.001, basis: 'measured' });
    expect(manager.estimate([{ agent: 'reader' }])).toMatchObject({ tokens: 1e6, costUsd: 1, basis: 'measured' });
    const named = reported();
    await named.spawn(input(1_000)).wait();
    named.report({ inputTokens: 1e6, outputTokens: 0 });
    expect(named.estimate([{}])).toMatchObject({ tokens: 1_000, costUsd: 0.001, basis: 'measured' });
  });

  test('B11 a model without a price costs what is unknown, whatever others cost; without prices theirs are taken', async () => {
    const manager = reported({ prices: { 'large*': { input: 1, output: 1 } } });
    await manager.spawn(input(1e6)).wait();
    expect(manager.estimate([{ modelId: 'other' }])).toMatchObject({ tokens: 1e6, costUsd: null, basis: 'similar' });
    await manager.spawn({ instructions: input(1e6), modelId: 'other' }).wait();
    expect(manager.estimate([{ modelId: 'other' }])).toMatchObject({ costUsd: null, basis: 'measured' });
    expect(manager.estimate([{ modelId: 'large-1' }])).toMatchObject({ costUsd: 1, basis: 'measured' });
    const free = reported({ prices: {} });
    await free.spawn(JSON.stringify({ tokens: 10, costUsd: 2 })).wait();
    expect(free.estimate([{ modelId: 'other' }])).toMatchObject({ costUsd: 2, basis: 'similar' });
  });

  test('B11 dollars that the host said count as it said them, and so do all where prices don’t say all of them', async () => {
    const manager = reported();
    await manager.spawn(input(1e6)).wait();
    for (let run = 0; run < 9; run += 1) await manager.spawn(JSON.stringify({ tokens: 1e6, costUsd: 2 })).wait();
    expect(manager.estimate([{}])).toMatchObject({ tokens: 1e6, costUsd: 1.9, basis: 'measured' });
    const sure = reported();
    for (let run = 0; run < 2; run += 1) await sure.spawn(JSON.stringify({ inputTokens: 1_000, outputTokens: 0, costUsd: 1 })).wait();
    expect(sure.estimate([{}])).toMatchObject({ costUsd: 1, basis: 'measured' });
    // What nothing is known of is no dollars of its runs.
    await sure.spawn(JSON.stringify({ tokens: 1_000 })).wait();
    expect(sure.estimate([{}])).toMatchObject({ costUsd: 1, basis: 'measured' });
    // Prices of today count.
    const priced = reported();
    await priced.spawn(input(1_000)).wait();
    priced.setLimits({ prices: { '*': { input: 5, output: 5 } } });
    expect(priced.estimate([{}])).toMatchObject({ costUsd: 0.005, basis: 'measured' });
  });

  test('B11 a sub-agent takes all that its attempts take', async () => {
    let attempt = 0;
    const manager = reported({
      maxConcurrent: 9,
      retry: { max: 3, backoffMs: 1, on: ['host_failed'] },
      spawnSubAgent: async () => {
        attempt += 1;
        return { output: 'x', status: attempt % 2 === 1 ? 'failed' : 'completed', usage: { inputTokens: 1_000, outputTokens: 0 } };
      },
    });
    for (let run = 0; run < 3; run += 1) await manager.spawn('x').wait();
    expect(manager.costs().byModel).toMatchObject([{ runs: 6, tokens: 6_000 }]);
    expect(manager.estimate([{}])).toMatchObject({ tokens: 2_000, costUsd: 0.002, basis: 'measured' });
  });

  test('B11 a wrong plan is refused as a wrong spawn is', () => {
    const manager = readers();
    const code = (plan: unknown): unknown => {
      try {
        return manager.estimate(plan as never);
      } catch (error) {
        return (error as SubAgentError).code;
      }
    };
    for (const plan of [5, [5], [{ count: 0 }], [{ turns: Number.POSITIVE_INFINITY }], [{ agnet: 'reader' }]])
      expect(code(plan)).toBe('invalid_argument');
    expect(code([{ agent: 'nobody' }])).toBe('unknown_agent');
    expect(() => manager.estimate([{ agent: 'nobody' }])).toThrow(/^(?!.*spawn\()/);
    manager.dispose();
    expect(code([])).toBe('disposed');
  });
});
