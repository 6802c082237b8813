// What an adapter reads from an error of a provider or of a framework: when to call again (X1). The errors have the
// form that the SDKs give theirs; real ones of real packages are in tests/frameworks.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { toolLoopAgent } from '../../../dist/adapters/ai-sdk.js';
import { SubAgentManager } from '../../../dist/index.js';
import { rateLimitOf } from '../../../ts/adapters/rate-limit.js';

const NOW = Date.UTC(2026, 0, 1);
beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const failure = (fields: object, message = 'rate limited'): Error => Object.assign(new Error(message), fields);
const soon = (ms: number): string => new Date(NOW + ms).toUTCString();

describe('X1 the errors of SDKs', () => {
  const openai = failure({ status: 429, headers: new Headers({ 'Retry-After': '3' }), code: 'rate_limit_exceeded', requestID: 'r' });
  const aiSdk = failure({ name: 'AI_APICallError', statusCode: 429, responseHeaders: { 'retry-after': '7' }, isRetryable: true });
  test.each<[string, unknown, number]>([
    ['RateLimitError of OpenAI', openai, 3_000],
    [
      'RateLimitError of Anthropic',
      failure({ status: 429, headers: new Headers({ 'retry-after': '12' }), error: { type: 'error' } }),
      12_000,
    ],
    ['APICallError of the AI SDK', aiSdk, 7_000],
    [
      'RetryError of the AI SDK',
      failure({ name: 'AI_RetryError', reason: 'maxRetriesExceeded', errors: [failure({}), aiSdk], lastError: aiSdk }),
      7_000,
    ],
    [
      'what LangChain makes of an error',
      failure({ name: 'MiddlewareError', cause: Object.assign(openai, { lc_error_code: 'MODEL_RATE_LIMIT' }) }),
      3_000,
    ],
    ['an error with its response', failure({ response: { status: 429, headers: { 'RETRY-AFTER': '1.5' } } }), 1_500],
    ['a failed promise among several', new AggregateError([new Error('first'), openai]), 3_000],
    ['Google, in the body', failure({ statusCode: 429, responseBody: '{"error":{"details":[{"retryDelay":"34.5s"}]}}' }), 34_500],
    ['Google, in the message', failure({ status: 429 }, '{"error":{"code":429,"details":[{"retryDelay": "4s"}]}}'), 4_000],
    ['pi, which has the words alone', new Error('429: Rate limit reached. Please try again in 1m2.5s. Visit …'), 62_500],
    ['an overloaded provider that says for how long', failure({ status: 529, headers: { 'retry-after': '2' } }), 2_000],
  ])('%s', (_, error, retryAfterMs) => expect(rateLimitOf(error)?.retryAfterMs).toBe(retryAfterMs));
});

describe('X1 the headers', () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': '', 'retry-after': '9' }, 9_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': soon(5_000) }, 5_000],
    [{ 'retry-after': soon(-5_000) }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-reset-tokens': '20ms' }, 20],
    // Of the two limits one is used up.
    [
      {
        'x-ratelimit-remaining-requests': '4',
        'x-ratelimit-reset-requests': '1h',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1.5s',
      },
      1_500,
    ],
    [{ 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': new Date(NOW + 8_000).toISOString() }, 8_000],
    [{ 'x-ratelimit-reset': String((NOW + 4_000) / 1_000) }, 4_000],
    [{ 'x-ratelimit-reset': String(NOW + 4_500) }, 4_500],
    [{ 'ratelimit-reset': '30' }, 30_000],
    [{ 'x-request-id': '429' }, undefined],
  ])('%j', (headers, retryAfterMs) => expect(rateLimitOf(failure({ status: 429, headers }))?.retryAfterMs).toBe(retryAfterMs));
});

describe('X1 what is no rate limit, or says no time', () => {
  const wrapped = failure({ cause: undefined });
  wrapped.cause = wrapped;
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', '429, try again in 5s'],
    ['another status', failure({ status: 500, headers: { 'retry-after': '3' } }, 'try again in 3s')],
    ['an overloaded provider that says no time', failure({ status: 529 }, 'try again in 3s')],
    ['no time', failure({ status: 429 })],
    ['a number in its words', new Error('429 files were read')],
    ['an error that wraps itself', wrapped],
  ])('%s', (_, error) => expect(rateLimitOf(error)).toBeUndefined());
});

test('X1 X5 a rate limit that the framework gets over by itself holds the others back all the same', async () => {
  vi.useRealTimers();
  const limited = failure({ statusCode: 429, responseHeaders: { 'retry-after-ms': '5' } });
  let calls = 0;
  const model = {
    doGenerate: async () => {
      calls += 1;
      if (calls === 1) throw limited;
      return { content: [{ type: 'text', text: 'DONE' }], usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  /** As the SDK's agent does: it asks what the step's model is, and tries again. */
  class Agent {
    readonly settings: { prepareStep?: (step: object) => Promise<{ model: typeof model }> };
    constructor(settings: object) {
      this.settings = settings;
    }
    async generate(_: never): Promise<{ text: string }> {
      const step = await this.settings.prepareStep?.({ model, messages: [] });
      const { content } = await (step ?? { model }).model.doGenerate().catch(() => (step ?? { model }).model.doGenerate());
      return { text: content[0]?.text ?? '', steps: [], response: { messages: [] } } as { text: string };
    }
  }
  const cooldowns: string[] = [];
  using manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(new Agent({})) });
  manager.subscribe((event) => {
    if (event.type === 'cooldown_set') cooldowns.push(event.type);
  });
  const { output, run } = await manager.spawn({ instructions: 'ask' }).wait();
  expect([output, run, calls, cooldowns.length]).toEqual(['DONE', 1, 2, 1]);
});
