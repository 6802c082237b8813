// What usages cost in the form of each provider, against a plain recomputation with Python's `decimal`, which knows nothing of
// this package.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandState, type ProfileName, profiles } from '../../../dist/adapters/agents/index.js';
import { type HostUsage, type RunReport, type SpawnSubAgent, SubAgentManager } from '../../../dist/index.js';
import { usageIn } from '../../../ts/adapters/agents/usage.js';
import { Dice } from '../../support/dice.mjs';
import { langchain, loop, mastra, type OpenAiCall, openai, pi } from '../../support/framework-doubles.js';
import { amount } from '../../support/share.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Prices whose products have more digits than a nano-dollar. */
const PRICE = { input: 2.918_3, output: 13.7651, cacheRead: 0.271_83, cacheWrite: 3.397_871, cacheWrite1h: 5.436_6 };

interface Parts {
  fresh: number;
  read: number;
  written: number;
  hour: number;
  text: number;
  thought: number;
}

/** The documented form of each provider's usage. */
const FORMS: Record<string, (parts: Parts) => object> = {
  anthropic: ({ fresh, read, written, hour, text, thought }) => ({
    input_tokens: fresh,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written + hour,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: hour },
    output_tokens: text + thought,
    service_tier: 'standard',
  }),
  responses: ({ fresh, read, text, thought }) => ({
    input_tokens: fresh + read,
    input_tokens_details: { cached_tokens: read },
    output_tokens: text + thought,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: fresh + read + text + thought,
  }),
  chat: ({ fresh, read, text, thought }) => ({
    prompt_tokens: fresh + read,
    prompt_tokens_details: { cached_tokens: read },
    completion_tokens: text + thought,
    completion_tokens_details: { reasoning_tokens: thought },
    total_tokens: fresh + read + text + thought,
  }),
  gemini: ({ fresh, read, text, thought }) => ({
    // A part of what is fresh came from tools.
    promptTokenCount: fresh - Math.floor(fresh / 2) + read,
    toolUsePromptTokenCount: Math.floor(fresh / 2),
    cachedContentTokenCount: read,
    candidatesTokenCount: text,
    thoughtsTokenCount: thought,
    totalTokenCount: fresh + read + text + thought,
  }),
  ai_sdk: ({ fresh, read, written, text, thought }) => ({
    inputTokens: fresh + read + written,
    inputTokenDetails: { noCacheTokens: fresh, cacheReadTokens: read, cacheWriteTokens: written },
    outputTokens: text + thought,
    outputTokenDetails: { textTokens: text, reasoningTokens: thought },
    totalTokens: fresh + read + written + text + thought,
  }),
  opentelemetry: ({ fresh, read, written, text, thought }) => ({
    'gen_ai.usage.input_tokens': fresh + read + written,
    'gen_ai.usage.cache_read.input_tokens': read,
    'gen_ai.usage.cache_creation.input_tokens': written,
    'gen_ai.usage.output_tokens': text + thought,
  }),
};

/** What a command's adapter reads in such a line of its output. */
const command =
  (name: ProfileName, event: object): SpawnSubAgent =>
  async () => {
    const state: CommandState = { text: '' };
    profiles[name].command?.read(event as Record<string, unknown>, state);
    return { output: 'x', usage: { tokens: state.tokens, ...state.kinds } };
  };

/** How each framework and agent says what was used, and its adapter. */
const ADAPTERS: Record<string, [form: (parts: Parts) => object, adapter: (usage: never) => SpawnSubAgent]> = {
  ai_sdk_model: [
    ({ fresh, read, written, hour, text, thought }) => ({
      inputTokens: { total: fresh + read + written + hour, noCache: fresh, cacheRead: read, cacheWrite: written + hour },
      outputTokens: { total: text + thought, text, reasoning: thought },
      raw: { cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: hour } },
    }),
    (usage: object) => loop(usage, {}),
  ],
  ai_sdk_step: [
    ({ fresh, read, text, thought }) => ({
      inputTokens: fresh + read,
      cachedInputTokens: read,
      outputTokens: text + thought,
      reasoningTokens: thought,
      totalTokens: fresh + read + text + thought,
    }),
    (usage: object) => loop({}, {}, usage, 'model-1'),
  ],
  openai_agents: [
    ({ fresh, read, written, text, thought }) => ({
      input_tokens: fresh + read + written,
      output_tokens: text + thought,
      input_tokens_details: { cached_tokens: read, cache_write_tokens: written },
      output_tokens_details: { reasoning_tokens: thought },
    }),
    (usage: OpenAiCall) => openai([usage], {}),
  ],
  langchain: [
    ({ fresh, read, written, hour, text, thought }) => ({
      content: 'x',
      usage_metadata: {
        input_tokens: fresh + read + written + hour,
        output_tokens: text + thought,
        total_tokens: fresh + read + written + hour + text + thought,
        input_token_details: { cache_read: read, cache_creation: written + hour },
        output_token_details: { reasoning: thought },
      },
      response_metadata: { usage: { cache_creation: { ephemeral_1h_input_tokens: hour } } },
    }),
    (usage: object) => langchain(usage, {}),
  ],
  mastra: [
    ({ fresh, read, written, text, thought }) => ({
      inputTokens: fresh + read + written,
      outputTokens: text + thought,
      totalTokens: fresh + read + written + text + thought,
      reasoningTokens: thought,
      cachedInputTokens: read,
      cacheCreationInputTokens: written,
    }),
    (usage: object) => mastra(usage, {}),
  ],
  pi: [
    ({ fresh, read, written, hour, text, thought }) => ({
      input: fresh,
      output: text + thought,
      cacheRead: read,
      cacheWrite: written + hour,
      cacheWrite1h: hour,
      reasoning: thought,
      totalTokens: fresh + read + written + hour + text + thought,
    }),
    (usage: object) => pi(usage, {}),
  ],
  acp: [
    ({ fresh, read, written, text, thought }) => ({
      inputTokens: fresh,
      cachedReadTokens: read,
      cachedWriteTokens: written,
      outputTokens: text,
      thoughtTokens: thought,
      totalTokens: fresh + read + written + text + thought,
    }),
    (usage: Record<string, unknown>) => async () => ({ output: 'x', usage: usageIn({ usage }) as HostUsage }),
  ],
  codex_command: [
    ({ fresh, read, text, thought }) => ({
      input_tokens: fresh + read,
      cached_input_tokens: read,
      output_tokens: text + thought,
      reasoning_output_tokens: thought,
    }),
    (usage: object) => command('codex', { type: 'turn.completed', usage }),
  ],
  claude_command: [FORMS.anthropic as (parts: Parts) => object, (usage: object) => command('claude', { type: 'result', usage })],
  opencode_command: [
    ({ fresh, read, written, text, thought }) => ({
      input: fresh,
      cache: { read, write: written },
      output: text,
      reasoning: thought,
      total: fresh + read + written + text + thought,
    }),
    (tokens: object) => command('opencode', { type: 'step_finish', part: { tokens } }),
  ],
  gemini_command: [
    ({ fresh, read, text, thought }) => ({
      input_tokens: fresh + read,
      cached: read,
      output_tokens: text,
      total_tokens: fresh + read + text + thought,
    }),
    (stats: object) => command('gemini', { type: 'result', status: 'success', stats }),
  ],
};

/** Usages with cache hits from 0 to 99 %. */
function usagesOf(form: (parts: Parts) => object, seed: string): object[] {
  const dice = new Dice(seed);
  return Array.from({ length: amount(10_000, 500) }, (_, at) => {
    const prompt = 1 + dice.below(200_000);
    const read = Math.floor((prompt * (at % 100)) / 100);
    const written = dice.below(Math.floor((prompt - read) / 2) + 1);
    const hour = at % 3 === 0 ? dice.below(prompt - read - written + 1) : 0;
    return form({
      fresh: prompt - read - written - hour,
      read,
      written,
      hour,
      text: dice.below(9_000),
      thought: at % 2 === 0 ? dice.below(5_000) : 0,
    });
  });
}

/** What Python says of each run. */
function recomputed(form: string, runs: object[][]): number[] {
  const said = spawnSync('python3', [join(import.meta.dirname, '../../support/costs.py')], {
    input: JSON.stringify({ price: PRICE, usages: runs.map((usages) => [form, usages]) }),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(said.stderr).toBe('');
  return JSON.parse(said.stdout);
}

/** These runs, and what was booked for each. */
async function expectBooked(runs: object[][], expected: number[], spawnSubAgent: SpawnSubAgent): Promise<void> {
  const manager = new SubAgentManager({ prices: { 'model*': PRICE }, modelId: 'model-1', retain: 0, spawnSubAgent });
  const booked: number[] = [];
  for (const at of runs.keys()) booked.push(Math.round((await manager.spawn(`${at}`).wait()).usage.costUsd * 1e9));
  expect(booked).toEqual(expected);
  expect(manager.costs().byModel).toMatchObject([{ name: 'model-1', unpriced: false }]);
  expect(Math.round(manager.costs().costUsd * 1e9)).toBe(expected.reduce((sum, nanos) => sum + nanos, 0));
}

describe.skipIf(!hasPython)('10,000 usages of a provider', () => {
  test.each(Object.entries(FORMS))('B11 in the form of %s cost to the nano-dollar what Python says', async (name, form) => {
    const usages = usagesOf(form, name);
    const runs = usages.map((usage) => [usage]);
    const host: SpawnSubAgent = async ({ instructions }) => ({ output: 'x', usage: usages[Number(instructions)] as HostUsage });
    await expectBooked(runs, recomputed(name, runs), host);
  });

  test.each(Object.entries(FORMS))('B11 reported bit by bit in the form of %s cost what Python says of the run', async (name, form) => {
    const usages = usagesOf(form, name);
    const runs = Array.from({ length: usages.length / 4 }, (_, at) => usages.slice(at * 4, at * 4 + 4));
    const host: SpawnSubAgent = async ({ instructions }, run) => {
      for (const usage of runs[Number(instructions)] as RunReport[]) run.report(usage);
      return { output: 'x' };
    };
    await expectBooked(runs, recomputed(name, runs), host);
  });

  test.each(Object.entries(ADAPTERS))(
    'B11 through the adapter, as %s, cost to the nano-dollar what Python says',
    async (name, [form, of]) => {
      const runs = usagesOf(form, name).map((usage) => [usage]);
      const host: SpawnSubAgent = (params, run) => of(runs[Number(params.instructions)]?.[0] as never)(params, run);
      await expectBooked(runs, recomputed(name, runs), host);
    },
  );
});
