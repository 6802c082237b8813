// The kinds of tokens of each framework, as `costUsd(…)` and the result's usage get them.

import { expect, test } from 'vitest';
import { type SpawnSubAgent, SubAgentManager } from '../../../dist/index.js';
import { type Costs, langchain, loop, mastra, openai, pi } from '../../support/framework-doubles.js';

/** A call that read 95 of its 100 tokens from the cache and wrote 3 to it. */
const BILLED = { inputTokens: 100, cacheReadTokens: 95, cacheWriteTokens: 3, outputTokens: 20, reasoningTokens: 15 };

const OPENAI = {
  input_tokens: 100,
  output_tokens: 20,
  input_tokens_details: { cached_tokens: 95, cache_write_tokens: 3 },
  output_tokens_details: { reasoning_tokens: 15 },
};
const MASTRA = {
  inputTokens: 100,
  outputTokens: 20,
  totalTokens: 120,
  reasoningTokens: 15,
  cachedInputTokens: 95,
  cacheCreationInputTokens: 3,
};
const PI = { input: 2, output: 20, cacheRead: 95, cacheWrite: 3, cacheWrite1h: 1, reasoning: 15, totalTokens: 120 };
const side = { total: 100, noCache: 2, cacheRead: 95, cacheWrite: 3 };
const SDK = { inputTokens: 100, outputTokens: 20, totalTokens: 120, outputTokenDetails: { reasoningTokens: 15 } };
const CASES: [string, (options: Costs) => SpawnSubAgent, object, number][] = [
  ['a model of the AI SDK', (options) => loop({ inputTokens: side, outputTokens: { total: 20, reasoning: 15 } }, options), BILLED, 1],
  [
    'a model of the AI SDK by Anthropic',
    (options) =>
      loop(
        { inputTokens: side, outputTokens: { total: 20, reasoning: 15 }, raw: { cache_creation: { ephemeral_1h_input_tokens: 2 } } },
        options,
      ),
    { ...BILLED, cacheWrite1hTokens: 2 },
    1,
  ],
  [
    'a model of the AI SDK before 6',
    (options) => loop({ inputTokens: 100, outputTokens: 20, totalTokens: 120, cachedInputTokens: 95, reasoningTokens: 15 }, options),
    { inputTokens: 100, cacheReadTokens: 95, outputTokens: 20, reasoningTokens: 15 },
    1,
  ],
  [
    'a step of the AI SDK',
    (options) => loop({}, options, { ...SDK, inputTokenDetails: { cacheReadTokens: 95, cacheWriteTokens: 3 } }),
    BILLED,
    1,
  ],
  ['OpenAI Agents, each call of which is told from the sum', (options) => openai([OPENAI, OPENAI], options), BILLED, 2],
  [
    'LangChain',
    (options) =>
      langchain(
        {
          content: 'done',
          usage_metadata: {
            input_tokens: 100,
            output_tokens: 20,
            total_tokens: 120,
            input_token_details: { cache_read: 95, cache_creation: 3 },
            output_token_details: { reasoning: 15 },
          },
        },
        options,
      ),
    BILLED,
    1,
  ],
  ['Mastra', (options) => mastra(MASTRA, options), BILLED, 1],
  ['pi, which counts the cache apart', (options) => pi(PI, options), { ...BILLED, cacheWrite1hTokens: 1 }, 1],
];

test.each(CASES)('B11 the kinds of tokens of %s reach `costUsd` and the usage: %#', async (_, adapter, kinds, calls) => {
  const asked: object[] = [];
  const costUsd = (usage: object): number => {
    asked.push(usage);
    const { inputTokens = 0, cacheReadTokens = 0 } = usage as Record<string, number>;
    return (inputTokens - cacheReadTokens) * 0.01 + cacheReadTokens * 0.001;
  };
  const reported: object[] = [];
  const host = adapter({ costUsd });
  let returned: { usage?: object } = {};
  const manager = new SubAgentManager({
    spawnSubAgent: async (params, run) => {
      const { report } = run;
      run.report = (given) => {
        reported.push(given);
        report.call(run, given);
      };
      returned = (await host(params, run)) as object;
      return returned as { output: string };
    },
  });
  const { usage, status, error } = await manager.spawn({ instructions: 'x' }).wait();
  expect([status, error]).toEqual(['completed', undefined]);
  expect(asked).toHaveLength(calls);
  for (const usage of asked) expect(usage).toMatchObject(kinds);
  for (const report of reported.filter((report) => 'tokens' in report)) expect(report).toMatchObject({ ...kinds, tokens: 120 });
  expect(returned.usage).toMatchObject(Object.fromEntries(Object.entries(kinds).map(([name, amount]) => [name, amount * calls])));
  expect([usage.tokens, usage.invalid]).toEqual([120 * calls, []]);
  expect(usage.costUsd).toBeCloseTo(calls * (0.05 + 0.095));
  manager.dispose();
});

const SAID = { content: 'done', usage_metadata: { input_tokens: 100, output_tokens: 20, total_tokens: 120 } };
const MODELS: [string, SpawnSubAgent, (string | null)[]][] = [
  ['a model of the AI SDK', loop({ inputTokens: 100, outputTokens: 20 }, {}, undefined, 'large-4'), ['large-4']],
  ['a model of the AI SDK by its name', loop({}, {}, SDK, 'maker/large-4'), ['maker/large-4']],
  [
    'a model of the AI SDK that was made for the run',
    loop({ inputTokens: 100, outputTokens: 20 }, { model: (id: string) => modelOf(`maker-${id}`) } as object, undefined, 'large-4'),
    ['small'],
  ],
  [
    'agents of OpenAI Agents that hand over',
    openai([OPENAI, OPENAI], {}, [{ model: 'large-4' }, { model: { _model: 'large-5' } }]),
    ['large-4', 'large-5'],
  ],
  ['a runner of OpenAI Agents', openai([OPENAI], {}, [{ model: '' }], { model: 'large-4' }), ['large-4']],
  ['a default of OpenAI Agents', openai([OPENAI], {}, [{ model: '' }]), ['small']],
  ['LangChain', langchain(SAID, {}, { ls_model_name: 'large-4' }), ['large-4']],
  ["LangChain's provider", langchain({ ...SAID, response_metadata: { model_name: 'large-4' } }, {}), ['large-4']],
  ['Mastra', mastra(MASTRA, {}, 'large-4'), ['large-4']],
  ['pi', pi(PI, {}, 'large-4'), ['large-4']],
  ['pi without a name', pi(PI, {}), ['small']],
];

function modelOf(modelId: string): object {
  return {
    modelId,
    doGenerate: async () => ({ content: [{ type: 'text', text: 'done' }], usage: { inputTokens: 100, outputTokens: 20 } }),
  };
}

test.each(MODELS)('B11 the prices are those of the model that was called: %s', async (_, spawnSubAgent, names) => {
  const price = { input: 1_000_000, output: 0, cacheRead: 1_000_000, cacheWrite: 1_000_000 };
  const prices = { small: price, 'large-4': price, 'large-5': price, 'maker/*': price };
  const manager = new SubAgentManager({ modelId: 'small', prices, spawnSubAgent });
  const { usage } = await manager.spawn({ instructions: 'x' }).wait();
  expect(manager.costs().byModel.map(({ name, costUsd }) => [name, costUsd])).toEqual(names.map((name) => [name, 100]));
  expect([usage.costUsd, usage.unknown]).toEqual([100 * names.length, []]);
  manager.dispose();
});
