import assert from 'node:assert/strict';
import { type JSONValue, tool } from '@strands-agents/sdk';
import { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { checkFinishes } from './finishes.js';
import { type Framework, PATH_SCHEMA, type Said } from './framework.js';
import { strandsWorker } from './worker.js';

export const frameworks: Framework[] = [
  {
    name: 'Strands 1.19',
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const stream = agent.stream(prompt, { ...(signal && { cancelSignal: signal }) });
      for (;;) {
        const { value, done } = await stream.next();
        if (done === true) return value.lastMessage.content.map((block) => ('text' in block ? String(block.text) : '')).join('');
        if (JSON.stringify(value).includes('toolStreamEvent')) onProgress(JSON.stringify(value));
      }
    },
    own: {
      'B11 its tokens have kinds and prices': async () => {
        const prices = { fake: { input: 10, output: 100, cacheRead: 1 } };
        const said: Said = { text: 'done', tokens: 100, cached: 900 };
        const manager = new SubAgentManager({ prices, spawnSubAgent: strandsWorker(new FakeModel(() => said), []) });
        const { inputTokens, cacheReadTokens, costUsd, unknown } = (await manager.spawn('work').wait()).usage;
        assert.deepEqual([inputTokens, cacheReadTokens, costUsd, unknown], [1_000, 900, 0.0019, ['turns']]);
      },

      'L3 every stop reason': async () => {
        const text = 'half of the answer';
        const filtered = { as: 'content_filter', error: /held back/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        await checkFinishes(
          ({ think, tools }) =>
            (params, run) => {
              const own = tools.map(({ name, description, run: read }) =>
                tool({
                  name,
                  description,
                  inputSchema: PATH_SCHEMA as never,
                  callback: (input) => read(input as never) as Promise<JSONValue>,
                }),
              );
              return strandsWorker(new FakeModel(think(run)), own)(params, run);
            },
          {
            endTurn: { said: { text, finish: 'endTurn' }, completed: { output: text } },
            stopSequence: { said: { text, finish: 'stopSequence' }, completed: { output: text } },
            contentFiltered: { said: { text, finish: 'contentFiltered' }, failed: filtered },
            guardrailIntervened: { said: { text, finish: 'guardrailIntervened' }, failed: filtered },
            // The SDK throws.
            maxTokens: { said: { finish: 'maxTokens' }, failed: { as: 'thrown', error: /token/i } },
            modelContextWindowExceeded: {
              said: { text, finish: 'modelContextWindowExceeded' },
              failed: { as: 'length', error: /limit of tokens/ },
            },
            pauseTurn: { said: { text, finish: 'pauseTurn' }, failed: broken(/broke off/) },
            refusal: { said: { text, finish: 'refusal' }, failed: { as: 'refusal', error: /refused/ } },
            'a word that is not known': { said: { text, finish: 'eos_7' }, completed: { output: text, hostStatus: 'eos_7' } },
            'no text': { said: {}, failed: broken(/has no text/) },
          },
          { keepsEarlier: false },
        );
      },
    },
  },
];
