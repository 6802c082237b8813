// What was used, as hosts, frameworks, providers and main agents say it: which names are read, and what comes of others.

import { describe, expect, test } from 'vitest';
import { createSubAgentTool, type RunReport, type SubAgentError, SubAgentManager } from '../../../dist/index.js';

type Said = { code: string; message: string; details: unknown };

function host(result: () => object, options: object = {}) {
  const errors: Said[] = [];
  const manager = new SubAgentManager({
    onError: (error) => errors.push(error as Said),
    spawnSubAgent: async () => result() as { output: string },
    ...options,
  });
  return { manager, errors };
}

/** The tokens that each provider bills, by its own names. */
const FORMS: [string, object, number][] = [
  ['ours', { inputTokens: 100, outputTokens: 20, cacheReadTokens: 60, cacheWriteTokens: 30, reasoningTokens: 15 }, 120],
  ['Anthropic', { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 }, 120],
  [
    'Anthropic, with how long its cache keeps it',
    {
      input_tokens: 10,
      output_tokens: 20,
      cache_creation_input_tokens: 90,
      cache_creation: { ephemeral_1h_input_tokens: 90 },
      service_tier: 'x',
    },
    120,
  ],
  [
    'OpenAI Responses',
    { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 20, output_tokens_details: { reasoning_tokens: 15 } },
    120,
  ],
  [
    'OpenAI Chat Completions',
    { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details: { cached_tokens: 60 } },
    120,
  ],
  ['a gateway', { prompt_tokens: 100, completion_tokens: 20, cache_read_input_tokens: 60 }, 120],
  [
    'OpenAI Agents',
    { requests: 1, inputTokens: 100, outputTokens: 20, inputTokensDetails: [{ cached_tokens: 60 }], outputTokensDetails: [] },
    120,
  ],
  [
    'Gemini',
    { promptTokenCount: 100, initialPromptTokenCount: 90, cachedContentTokenCount: 60, candidatesTokenCount: 5, thoughtsTokenCount: 15 },
    120,
  ],
  ['Gemini, with what tools brought', { promptTokenCount: 10, toolUsePromptTokenCount: 90, candidatesTokenCount: 20 }, 120],
  [
    'the AI SDK',
    {
      inputTokens: 100,
      inputTokenDetails: { cacheReadTokens: 60 },
      outputTokens: 20,
      outputTokenDetails: { reasoningTokens: 15 },
      cachedInputTokens: 60,
    },
    120,
  ],
  ['a model of the AI SDK', { inputTokens: { total: 100, noCache: 40, cacheRead: 60 }, outputTokens: { total: 20, text: 5 } }, 120],
  [
    'OpenTelemetry',
    { 'gen_ai.usage.input_tokens': 100, 'gen_ai.usage.output_tokens': 20, 'gen_ai.usage.cache_read.input_tokens': 60 },
    120,
  ],
  ['LangChain', { input_tokens: 100, output_tokens: 20, total_tokens: 120, input_token_details: { cache_read: 60 } }, 120],
  ['pi', { input: 10, output: 20, cacheRead: 60, cacheWrite: 30, totalTokens: 120 }, 120],
  ['Bedrock', { inputTokens: 10, outputTokens: 20, cacheReadInputTokens: 60, cacheWriteInputTokens: 30 }, 120],
  ['Strands with OpenAI', { inputTokens: 100, outputTokens: 20, totalTokens: 120, cacheReadInputTokens: 60 }, 120],
  ['ACP', { inputTokens: 10, outputTokens: 20, cachedReadTokens: 60, cachedWriteTokens: 30 }, 120],
  [
    'kinds that come to more than their whole, which they can not be part of',
    { inputTokens: 10, outputTokens: 5, cacheReadTokens: 90, reasoningTokens: 15 },
    120,
  ],
  ['kinds alone', { cacheReadTokens: 60, cacheWriteTokens: 40, reasoningTokens: 20 }, 120],
];

describe('the names of a usage', () => {
  test.each(FORMS)('B7 B11 what %s says is booked as it is billed, in a result and in a report', async (_, usage, tokens) => {
    const { manager, errors } = host(() => ({ output: 'done', usage }), { budget: { tokens: 1_000 } });
    const result = await manager.spawn({ instructions: 'x' }).wait();
    expect([result.usage.tokens, result.usage.invalid, result.error]).toEqual([tokens, [], undefined]);
    expect(result.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    manager.report(usage as RunReport);
    expect(manager.budget().tokens.spent).toBe(2 * tokens);
    expect(errors).toEqual([]);
    manager.dispose();
  });

  test.each([
    ['pi', { cost: { input: 0.1, total: 0.5 } }],
    ['the Claude Agent SDK', { total_cost_usd: 0.5, num_turns: 2, duration_ms: 4 }],
    ['a gateway', { cost: 0.5, cost_details: {} }],
  ])('B7 so are the dollars of %s', async (_, usage) => {
    const { manager, errors } = host(() => ({ output: 'done', usage }));
    expect((await manager.spawn({ instructions: 'x' }).wait()).usage.costUsd).toBe(0.5);
    expect(errors).toEqual([]);
    manager.dispose();
  });

  test('B7 a name that is not known books nothing, and is reported once, with what was probably meant', async () => {
    const usage = { turns: 2, costUsd: 0.5, tokns: 7, mood: 'good', cacheWrite1hToken: 5 };
    const { manager, errors } = host(() => ({ output: 'done', usage }), { budget: { tokens: 100_000 }, taskBudget: { tokens: 10_000 } });
    const handle = manager.spawn({ instructions: 'x' });
    for (let i = 0; i < 3; i += 1) {
      const result = await handle.wait();
      expect([result.status, result.error, result.usage.unknown]).toEqual(['completed', undefined, ['tokens']]);
      handle.send('again');
    }
    expect(manager.budget().tokens.spent).toBe(0);
    expect(errors.map(({ code, details }) => [code, details])).toEqual([
      ['invalid_argument', { argument: 'usage.tokns', suggestion: 'tokens' }],
      ['invalid_argument', { argument: 'usage.mood' }],
      ['invalid_argument', { argument: 'usage.cacheWrite1hToken', suggestion: 'cacheWrite1hTokens' }],
    ]);
    expect(errors[0]?.message).toBe('the `usage` of a result has no `tokns`, so it is not booked; did you mean `tokens`?');
    manager.dispose();
  });

  test('B7 no name that is not known comes before a model', async () => {
    const usage = { turns: 2, cost: 0.5, durationMs: 900, window: 10 };
    const text = await createSubAgentTool({
      spawnSubAgent: async () => ({ output: 'found it', usage, usge: 1 }),
      onError: () => undefined,
    }).execute({ instructions: 'x' });
    expect(text).toMatch(/^Sub-agent sub_\w+ completed \(2 turns, \$0\.5000, 0\.9 s\)\.\n/);
    expect(text).not.toMatch(/usage|usge|window/);
  });

  test('B7 a host that makes up a name for each result is not reported without end', async () => {
    let made = 0;
    const { manager, errors } = host(() => ({ output: 'done', usage: { [`name${made++}`]: 1 } }));
    for (let i = 0; i < 150; i += 1) await manager.spawn({ instructions: 'x' }).wait();
    expect(errors).toHaveLength(100);
    manager.dispose();
  });

  test("B7 a slip of the pen in a result is reported once; a name of the host's own is not", async () => {
    const { manager, errors } = host(() => ({
      output: 'x',
      usge: { costUsd: 5 },
      statusCode: 200,
      model: 'm',
      task_id: 'theirs',
      messages: [],
    }));
    for (let i = 0; i < 3; i += 1) expect((await manager.spawn({ instructions: 'x' }).wait()).usage.costUsd).toBe(0);
    expect(errors.map(({ details }) => details)).toEqual([
      { argument: 'usge', suggestion: 'usage' },
      { argument: 'task_id', suggestion: 'taskId' },
    ]);
    manager.dispose();
  });

  test('B7 a figure that can not be read is invalid, and costs no other one', async () => {
    const usage = {
      costUsd: 0.25,
      get input_tokens() {
        throw new Error('no');
      },
    };
    const { manager } = host(() => ({ output: 'x', usage }), { budget: { tokens: 1_000 } });
    const result = await manager.spawn({ instructions: 'x' }).wait();
    expect(result.usage).toMatchObject({ costUsd: 0.25, invalid: ['tokens'] });
    manager.dispose();
  });

  test.each([
    { inputTokens: -1 },
    { inputTokens: 5, cacheReadTokens: Number.NaN },
    { prompt_tokens_details: { cached_tokens: 'x' } },
    { inputTokens: {} },
  ])('B7 B11 a wrong kind makes the total invalid: %o', async (usage) => {
    const { manager } = host(() => ({ output: 'x', usage }), { budget: { tokens: 1_000 } });
    expect((await manager.spawn({ instructions: 'x' }).wait()).usage.invalid).toEqual(['tokens']);
    manager.dispose();
  });

  test.each([
    ['our names alone', { tokens: 7, outputTokens: -1 }, 'outputTokens'],
    ["a provider's names", { tokens: 7, prompt_tokens: 'many', turns: 1 }, 'inputTokens'],
    ['a detail', { tokens: 7, prompt_tokens_details: { cached_tokens: {} } }, 'cacheReadTokens'],
  ])('B7 a wrong kind beside valid tokens is ignored, and reported once: %s', async (_, usage, kind) => {
    const { manager, errors } = host(() => ({ output: 'x', usage }), { budget: { tokens: 1_000 } });
    for (let i = 0; i < 2; i += 1) {
      const { usage: booked, error } = await manager.spawn({ instructions: 'x' }).wait();
      expect([booked.tokens, booked.invalid, error]).toEqual([7, [], undefined]);
    }
    expect(errors.map(({ message, details }) => [message, details])).toEqual([
      [`\`${kind}\` in the \`usage\` of a result must be a number of at least 0: \`tokens\` was booked without it`, { argument: kind }],
    ]);
    manager.dispose();
  });

  test.each([
    { inputTokens: 1e300, outputTokens: 5 },
    { tokens: 7, inputTokens: 1e300, outputTokens: 5 },
    { tokens: 7, inputTokens: -5, outputTokens: 5 },
  ])('B7 B11 what a side costs that can’t be read is not known: %o', async (usage) => {
    const { manager } = host(() => ({ output: 'x', usage }), { prices: { '*': { input: 1, output: 1 } } });
    expect((await manager.spawn({ instructions: 'x' }).wait()).usage).toMatchObject({
      costUsd: 0,
      unknown: expect.arrayContaining(['costUsd']),
    });
    manager.dispose();
  });

  test('B7 so is one in a report, of a run and of a main agent', async () => {
    const { manager, errors } = host(() => ({ output: 'x' }), {
      budget: { tokens: 1_000 },
      spawnSubAgent: async (_: unknown, run: { report(report: RunReport): void }) => {
        run.report({ tokens: 7, inputTokens: Number.NaN });
        return { output: 'x' };
      },
    });
    expect((await manager.spawn({ instructions: 'x' }).wait()).usage).toMatchObject({ tokens: 7, invalid: [] });
    manager.report({ tokens: 5, reasoningTokens: -1 });
    expect(manager.budget().tokens.spent).toBe(12);
    expect(errors.map(({ details }) => details)).toEqual([{ argument: 'inputTokens' }, { argument: 'reasoningTokens' }]);
    manager.dispose();
  });

  test.each([
    ['is no object', () => ({ output: 'found it', usage: 'a lot' }), /must be \{ tokens, costUsd, turns \}, got "a lot"/],
    ['is a list', () => ({ output: 'found it', usage: [1] }), /must be \{ tokens, costUsd, turns \}, got /],
    [
      "can't be read",
      () => ({
        output: 'found it',
        get usage(): object {
          throw new Error('no meter');
        },
      }),
      /can't be read: no meter/,
    ],
  ])('B7 a usage that %s is invalid; the program learns why, and no model', async (_, result, why) => {
    const { manager, errors } = host(result, { budget: { tokens: 1_000 } });
    for (let i = 0; i < 2; i += 1) {
      const handle = manager.spawn({ instructions: 'x' });
      const { status, error, usage } = await handle.wait();
      expect([status, error, usage.invalid]).toEqual(['completed', undefined, ['tokens', 'costUsd', 'turns']]);
      expect(handle.resultText()).not.toMatch(/usage|meter|must be/);
    }
    expect(errors.map(({ code, details }) => [code, details])).toEqual([['invalid_argument', { argument: 'usage' }]]);
    expect(errors[0]?.message).toMatch(why);
    manager.dispose();
  });
});

describe('the main agent', () => {
  test('B12 what it reports is booked on its session, and counts against every cap above', async () => {
    const { manager } = host(() => ({ output: 'x', usage: { tokens: 10, costUsd: 0 } }), { budget: { costUsd: 1, tokens: 10_000 } });
    manager.report({ tokens: 5, costUsd: 0.9 });
    const session = manager.session('ada', { budget: { tokens: 3_000 } });
    session.report({ inputTokens: 1_000, outputTokens: 500 });
    session.report({ tokens: 500, costUsd: 0.1, message: 'planning' });
    expect([manager.budget().tokens.spent, manager.budget().costUsd.spent]).toEqual([2_005, 1]);
    expect(() => session.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'budget_exhausted' }));
    expect(() => manager.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'budget_exhausted' }));
    manager.dispose();
  });

  test('B12 what it reports after its session is gone is booked on the manager', async () => {
    const { manager } = host(() => ({ output: 'x' }), { budget: { tokens: 10_000 } });
    const session = manager.session('ada');
    await session.close();
    session.report({ tokens: 40 });
    expect(manager.budget().tokens.spent).toBe(40);
    manager.dispose();
  });

  test('B7 B12 a wrong amount books nothing, and is reported', async () => {
    const { manager, errors } = host(() => ({ output: 'x' }), { budget: { tokens: 10_000 } });
    manager.report({ tokens: Number.NaN, costUsd: 0.5 });
    expect([manager.budget().tokens.spent, manager.budget().costUsd.spent]).toEqual([0, 0.5]);
    expect(errors.map(({ message }) => message)).toEqual([
      '`tokens` in a report of a main agent must be a number of at least 0: nothing was booked for it',
    ]);
    const unknown = (report: object): unknown => {
      try {
        return manager.report(report as RunReport);
      } catch (error) {
        return (error as SubAgentError).message;
      }
    };
    expect(unknown({ tokns: 5, costUsd: 0.1 })).toBe('a report of a main agent has no `tokns`; did you mean `tokens`?');
    expect(manager.budget().costUsd.spent).toBe(0.5);
    manager.dispose();
  });
});
