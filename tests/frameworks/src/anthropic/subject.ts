import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import { SubAgentManager } from 'subagents';
import { runLead } from './example.js';
import { checkFinishes } from './finishes.js';
import { callId, type Framework, PATH_SCHEMA, type Said, type Think, untilAborted } from './framework.js';
import { claudeWorker } from './worker.js';

/** The SDK against an API of our own. */
function fakeClient(think: Think): Anthropic {
  // Since 1.12 the runner sends what is new; the API keeps the thread.
  const thread: unknown[] = [];
  let names: string[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { messages, tools } = JSON.parse(String(init?.body)) as { messages: unknown[]; tools?: { name: string }[] };
    thread.push(...messages);
    names = tools?.map(({ name }) => name) ?? names;
    const said = await think({ seen: JSON.stringify(thread), tools: names, signal: init?.signal ?? undefined });
    // What the API answers in place of a message.
    if (said instanceof Response) return said;
    const { text, calls = [], tokens = 0, finish } = said;
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, args }) => ({ type: 'tool_use', id: callId(), name, input: args })),
    ];
    thread.push({ role: 'assistant', content });
    const stop = finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
    const usage = { input_tokens: tokens, output_tokens: 0 };
    const message = {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage,
    };
    return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } });
  };
  return new Anthropic({ apiKey: 'none', fetch: fetch as never, maxRetries: 0 });
}

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
          { text: 'it says 7', tokens: 150 },
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
        assert.deepEqual([result.usage.turns, result.usage.tokens, cooldowns], [2, 250, 1]);
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
