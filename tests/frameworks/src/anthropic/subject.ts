import assert from 'node:assert/strict';
import { SubAgentManager } from 'subagents';
import { runLead } from './example.js';
import { fakeClient } from './fake.js';
import { checkFinishes } from './finishes.js';
import { type Framework, PATH_SCHEMA, type Said, untilAborted } from './framework.js';
import { claudeWorker } from './worker.js';

export const frameworks: Framework[] = [
  {
    name: 'Anthropic SDK 1.12',
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const manager = { createTools: () => tools } as unknown as SubAgentManager;
      const message = await runLead(fakeClient(think), manager, prompt, signal).runUntilDone();
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
    own: {
      'a sub-agent that calls the API itself: its turns, tools, tokens, and a rate limit': async () => {
        const seen: string[] = [];
        const steps: (Said | Response)[] = [
          new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { 'retry-after': '0.02' } }),
          { text: 'I read', calls: [{ name: 'read', args: { path: 'a.md' } }], tokens: 100 },
          { text: 'it says 7', tokens: 100, cached: 50 },
        ];
        const client = fakeClient(({ seen: given }) => {
          seen.push(given);
          return (steps.shift() ?? { text: 'that is all' }) as Said;
        });
        const read = { name: 'read', input_schema: { ...PATH_SCHEMA, required: ['path'] }, run: async () => 'CONTENT<7>' };
        const manager = new SubAgentManager({
          retry: { max: 1, backoffMs: 1 },
          policies: { subAgents: [{ name: 'listens', beforeTool: ({ tool }) => void asked.push(tool) }] },
          spawnSubAgent: claudeWorker(client, 'claude', [read]),
        });
        const asked: string[] = [];
        let cooldowns = 0;
        manager.subscribe(({ type }) => {
          if (type === 'cooldown_set') cooldowns += 1;
        });
        const result = await manager.spawn({ instructions: 'read a.md' }).wait();
        assert.deepEqual([result.status, result.output, result.run], ['completed', 'it says 7', 2], result.error);
        const { turns, tokens, cacheReadTokens } = result.usage;
        assert.deepEqual([turns, tokens, cacheReadTokens, cooldowns], [2, 250, 50, 1]);
        assert.deepEqual(asked, ['read']);
        assert.match(seen[2] ?? '', /CONTENT<7>/);
      },

      'L3 every stop reason': async () => {
        const text = 'half of the answer';
        const cut = { as: 'length', error: /limit of tokens/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        const calls = [{ name: 'read', args: { path: 'a.md' } }];
        await checkFinishes(
          ({ think, tools }) =>
            (params, run) => {
              const own = tools.map(({ name, run: read }) => ({
                name,
                input_schema: { ...PATH_SCHEMA, required: ['path'] },
                run: (input: unknown) => read(input as { path: string }),
              }));
              return claudeWorker(fakeClient(think(run)), 'claude', own)(params, run);
            },
          {
            end_turn: { said: { text, finish: 'end_turn' }, completed: { output: text } },
            stop_sequence: { said: { text, finish: 'stop_sequence' }, completed: { output: text } },
            max_tokens: { said: { text, finish: 'max_tokens' }, failed: cut },
            'max_tokens in the middle of a call': { said: { text, calls, finish: 'max_tokens' }, failed: cut },
            model_context_window_exceeded: { said: { text, finish: 'model_context_window_exceeded' }, failed: cut },
            refusal: { said: { text, finish: 'refusal' }, failed: { as: 'refusal', error: /refused/ } },
            pause_turn: { said: { text, finish: 'pause_turn' }, failed: broken(/broke off/) },
            'no text': { said: {}, failed: broken(/has no text/) },
            'white space alone': { said: { text: ' \n' }, failed: broken(/has no text/) },
          },
        );
      },

      'a cancel reaches the call that is under way': async () => {
        let resolve = (): void => undefined;
        const called = new Promise<void>((yes) => {
          resolve = yes;
        });
        const client = fakeClient(({ signal }) => {
          resolve();
          return untilAborted(signal);
        });
        const manager = new SubAgentManager({ spawnSubAgent: claudeWorker(client, 'claude', []) });
        const handle = manager.spawn({ instructions: 'think' });
        await called;
        await handle.cancel();
        const { status, hostStillRunning } = await handle.wait();
        assert.deepEqual([status, hostStillRunning ?? false], ['cancelled', false]);
      },
    },
  },
];
