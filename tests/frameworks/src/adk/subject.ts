import assert from 'node:assert/strict';
import { FunctionTool, InMemoryRunner } from '@google/adk';
import { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { checkFinishes } from './finishes.js';
import { type Framework, PATH_SCHEMA, type Said } from './framework.js';
import { adkWorker } from './worker.js';

export const frameworks: Framework[] = [
  {
    name: 'ADK 2.0',
    sequential: true,
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const runner = new InMemoryRunner({ agent, appName: 'test' });
      const session = await runner.sessionService.createSession({ appName: 'test', userId: 'user' });
      let text = '';
      const newMessage = { role: 'user', parts: [{ text: prompt }] };
      const given = { userId: 'user', sessionId: session.id, newMessage, ...(signal && { abortSignal: signal }) };
      for await (const event of runner.runAsync(given)) text = (event.content?.parts ?? []).map((part) => part.text ?? '').join('') || text;
      return text;
    },
    own: {
      'B11 its tokens have kinds and prices': async () => {
        const prices = { fake: { input: 10, output: 100, cacheRead: 1 } };
        const said: Said = { text: 'done', tokens: 100, cached: 900 };
        const manager = new SubAgentManager({ prices, spawnSubAgent: adkWorker(new FakeModel(() => said), []) });
        const { inputTokens, cacheReadTokens, costUsd, unknown } = (await manager.spawn('work').wait()).usage;
        assert.deepEqual([inputTokens, cacheReadTokens, costUsd, unknown], [1_000, 900, 0.0019, ['turns']]);
      },

      'L3 every finish reason, and an error in its place': async () => {
        const text = 'half of the answer';
        const cut = { as: 'length', error: /limit of tokens/ } as const;
        const filtered = { as: 'content_filter', error: /held back/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        const ends = (finishReason: string): Said => ({ text, beside: { finishReason } });
        const held = ['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'];
        const wrong = ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'NO_IMAGE'];
        await checkFinishes(
          ({ think, tools }) =>
            (params, run) => {
              const own = tools.map(
                ({ name, description, run: read }) =>
                  new FunctionTool({ name, description, parameters: PATH_SCHEMA as never, execute: (input) => read(input as never) }),
              );
              return adkWorker(new FakeModel(think(run)), own)(params, run);
            },
          {
            'nothing is said': { said: { text }, completed: { output: text } },
            STOP: { said: ends('STOP'), completed: { output: text } },
            MAX_TOKENS: { said: ends('MAX_TOKENS'), failed: cut },
            OTHER: { said: ends('OTHER'), failed: broken(/did not say why/) },
            FINISH_REASON_UNSPECIFIED: { said: ends('FINISH_REASON_UNSPECIFIED'), failed: broken(/did not say why/) },
            ...Object.fromEntries(held.map((word) => [word, { said: ends(word), failed: filtered }])),
            ...Object.fromEntries(wrong.map((word) => [word, { said: ends(word), failed: broken(/with an error/) }])),
            'an error': { said: { beside: { errorCode: '500', errorMessage: 'it is down' } }, failed: broken(/it is down/) },
            'an error beside a text': {
              said: { text, beside: { errorCode: '500', errorMessage: 'it is down' } },
              failed: broken(/it is down/),
            },
            'an answer that was held back': {
              said: { beside: { errorCode: 'SAFETY', errorMessage: 'not this' } },
              failed: { as: 'content_filter', error: /not this/ },
            },
            'no text': { said: {}, failed: broken(/has no text/) },
          },
        );
      },
    },
  },
];
