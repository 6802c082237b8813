// The kinds of tokens of each framework, as `costUsd(…)` and the result's usage get them.

import { expect, test } from 'vitest';
import { toolLoopAgent } from '../../../dist/adapters/ai-sdk.js';
import { langgraphAgent } from '../../../dist/adapters/langchain.js';
import { mastraAgent } from '../../../dist/adapters/mastra.js';
import { openaiAgent } from '../../../dist/adapters/openai.js';
import { piAgent } from '../../../dist/adapters/pi.js';
import { type SpawnSubAgent, SubAgentManager } from '../../../dist/index.js';

/** A call that read 95 of its 100 tokens from the cache and wrote 3 to it. */
const BILLED = { inputTokens: 100, cacheReadTokens: 95, cacheWriteTokens: 3, outputTokens: 20, reasoningTokens: 15 };

type Call = (...args: unknown[]) => unknown;
type Costs = { costUsd: (usage: object) => number };

/** An agent of the AI SDK, as far as the adapter uses one. */
class LoopAgent {
  readonly settings: { model: unknown; prepareStep?: (step: object) => Promise<{ model?: unknown }>; said?: object };
  constructor(settings: LoopAgent['settings']) {
    this.settings = settings;
  }
  async generate({ messages, onStepFinish }: { messages: unknown[]; onStepFinish: (step: object) => void }) {
    const { model } = (await this.settings.prepareStep?.({ model: this.settings.model, messages })) ?? {};
    if (typeof model === 'object') await (model as { doGenerate(): Promise<unknown> }).doGenerate();
    onStepFinish({ text: 'done', usage: this.settings.said });
    return { text: 'done', finishReason: 'stop', steps: [], response: { messages: [] } };
  }
}

const loop = (usage: object, options: Costs, step?: object): SpawnSubAgent =>
  toolLoopAgent(
    new LoopAgent({
      model: step === undefined ? { doGenerate: async () => ({ content: [{ type: 'text', text: 'done' }], usage }) } : 'a model by name',
      ...(step && { said: step }),
    }) as never,
    options as never,
  );

class Runner {
  private readonly listeners = new Map<string, (context: object) => void>();
  readonly config: object;
  constructor(config: object) {
    this.config = config;
  }
  on(event: string, listener: (context: object) => void): void {
    this.listeners.set(event, listener);
  }
  async run(_: unknown, input: object[], { callModelInputFilter }: { callModelInputFilter: (call: object) => Promise<unknown> }) {
    const usage = {
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      inputTokensDetails: [] as object[],
      outputTokensDetails: [] as object[],
    };
    for (let call = 0; call < 2; call += 1) {
      await callModelInputFilter({ modelData: { input } });
      usage.inputTokens += 100;
      usage.outputTokens += 20;
      usage.totalTokens += 120;
      usage.inputTokensDetails.push({ cached_tokens: 95, cache_write_tokens: 3 });
      usage.outputTokensDetails.push({ reasoning_tokens: 15 });
      this.listeners.get('agent_end')?.({ usage });
    }
    return { finalOutput: 'done', history: [] };
  }
}

const openai = (options: Costs): SpawnSubAgent => {
  const agent = {
    instructions: '',
    tools: [],
    clone: () => ({ ...agent, getAllTools: async () => [], getEnabledHandoffs: async () => [] }),
  };
  return openaiAgent(new Runner({}) as never, agent as never, options as never);
};

const langchain = (message: object, options: Costs): SpawnSubAgent =>
  langgraphAgent(
    {
      invoke: async (_: unknown, { callbacks }: { callbacks: [{ handleChatModelStart: Call; handleLLMEnd: Call }] }) => {
        await callbacks[0].handleChatModelStart({}, [[]]);
        callbacks[0].handleLLMEnd({ generations: [[{ message }]] });
        return { messages: [message] };
      },
    } as never,
    options as never,
  );

const mastra = (options: Costs): SpawnSubAgent =>
  mastraAgent(
    {
      generate: async (_: unknown, { prepareStep, onStepFinish }: { prepareStep: Call; onStepFinish: Call }) => {
        await prepareStep({ messageList: { add: () => undefined }, messages: [] });
        const cache = { cachedInputTokens: 95, cacheCreationInputTokens: 3 };
        onStepFinish({ text: 'done', usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120, reasoningTokens: 15, ...cache } });
        return { text: 'done', finishReason: 'stop' };
      },
    } as never,
    options as never,
  );

const pi = (options: Costs): SpawnSubAgent =>
  piAgent(
    (() => {
      let listener = (_: object): void => undefined;
      const usage = { input: 2, output: 20, cacheRead: 95, cacheWrite: 3, cacheWrite1h: 1, reasoning: 15, totalTokens: 120 };
      const agent = {
        state: { messages: [] as object[], tools: [] },
        streamFn: async () => undefined,
        subscribe: (given: typeof listener) => {
          listener = given;
          return () => undefined;
        },
        abort: () => undefined,
        async prompt() {
          await (agent.streamFn as unknown as (model: object, context: object) => Promise<unknown>)({}, { messages: [] });
          const message = { role: 'assistant', content: 'done', usage };
          agent.state.messages.push(message);
          listener({ type: 'message_end', message });
        },
      };
      return agent;
    }) as never,
    options as never,
  );

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
  ['OpenAI Agents, each call of which is told from the sum', openai, BILLED, 2],
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
  ['Mastra', mastra, BILLED, 1],
  ['pi, which counts the cache apart', pi, { ...BILLED, cacheWrite1hTokens: 1 }, 1],
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
