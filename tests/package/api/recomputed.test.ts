// What usages cost in the form of each provider, against a plain recomputation with Python's `decimal`, which knows nothing of
// this package.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HostUsage, SubAgentManager } from '../../../dist/index.js';
import { dice } from '../../crash/dice.mjs';

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
    promptTokenCount: fresh + read,
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

/** Usages with cache hits from 0 to 99 %. */
function usagesOf(form: (parts: Parts) => object, seed: string): object[] {
  const { below } = dice(seed);
  return Array.from({ length: 10_000 }, (_, at) => {
    const prompt = 1 + below(200_000);
    const read = Math.floor((prompt * (at % 100)) / 100);
    const written = below(Math.floor((prompt - read) / 2) + 1);
    const hour = at % 3 === 0 ? below(prompt - read - written + 1) : 0;
    return form({
      fresh: prompt - read - written - hour,
      read,
      written,
      hour,
      text: below(9_000),
      thought: at % 2 === 0 ? below(5_000) : 0,
    });
  });
}

describe.skipIf(!hasPython)('10,000 usages of a provider', () => {
  test.each(Object.entries(FORMS))('B11 in the form of %s cost to the nano-dollar what Python says', async (name, form) => {
    const usages = usagesOf(form, name);
    const said = spawnSync('python3', [join(import.meta.dirname, '../../support/costs.py')], {
      input: JSON.stringify({ price: PRICE, usages: usages.map((usage) => [name, usage]) }),
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    expect(said.stderr).toBe('');
    const expected: number[] = JSON.parse(said.stdout);

    const manager = new SubAgentManager({
      prices: { 'model*': PRICE },
      modelId: 'model-1',
      retain: 0,
      spawnSubAgent: async ({ instructions }) => ({ output: 'x', usage: usages[Number(instructions)] as HostUsage }),
    });
    const booked: number[] = [];
    for (const at of usages.keys()) booked.push(Math.round((await manager.spawn(`${at}`).wait()).usage.costUsd * 1e9));
    expect(booked).toEqual(expected);
    expect(manager.costs().byModel).toMatchObject([{ name: 'model-1', unpriced: false }]);
    expect(Math.round(manager.costs().costUsd * 1e9)).toBe(expected.reduce((sum, nanos) => sum + nanos, 0));
  });
});
