import assert from 'node:assert/strict';
import {
  APICallError,
  customProvider,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  ToolLoopAgent,
  type ToolSet,
  tool,
} from 'ai';
import { type Policy, type SpawnSubAgent, SubAgentManager } from 'subagents';
import { toolLoopAgent } from 'subagents/ai-sdk';
import { createLead as createListener } from './background.js';
import { createLead, createManager } from './example.js';
import { fakeModel, NAME } from './fake.js';
import { checkFinishes, type Finish } from './finishes.js';
import { type Framework, type HostOptions, PATH_SCHEMA, type PlainTool, type Said } from './framework.js';

// The example is what the scenarios run; here it has to be taken by the types.
const manager: SubAgentManager = createManager(() => 'a model', {});
const lead: ToolLoopAgent<never, ToolSet> = createLead('a model', manager) as never;
const one: ToolSet = { SubAgent: manager.createSubAgentTool() };
void [lead, one];

function native({ description, run }: PlainTool) {
  return tool({ description, inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }), execute: (args) => run(args) });
}

/** Agents as sub-agents, with these tools beside those of the test. */
const hostOf =
  (more: ToolSet = {}, settings: object = {}) =>
  ({ think, tools }: HostOptions): SpawnSubAgent =>
    toolLoopAgent((_, run) => {
      const own: ToolSet = Object.fromEntries(tools.map((plain) => [plain.name, native(plain)]));
      const model = fakeModel(think(run)) as LanguageModel;
      return new ToolLoopAgent({ ...settings, model, maxRetries: 0, tools: { ...own, ...more } });
    });

export const frameworks: Framework[] = [
  {
    name: NAME,
    written: ['{"instructions": "x', '[]', '{}', '', 'null', '"instructions"'],
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(fakeModel(think) as LanguageModel, { createTools: () => tools } as unknown as SubAgentManager);
      // Preliminary results are in streams alone.
      const result = await agent.stream({ prompt, ...(signal && { abortSignal: signal }) });
      let text = '';
      for await (const part of result.fullStream) {
        if (part.type === 'text-delta') text += part.text;
        if (part.type === 'tool-result' && part.preliminary === true) onProgress(JSON.stringify(part.output));
      }
      return text;
    },
    host: ({ think, tools, delegates }) =>
      toolLoopAgent((_, run) => {
        const own: ToolSet = Object.fromEntries(tools.map((plain) => [plain.name, native(plain)]));
        return new ToolLoopAgent({
          model: fakeModel(think(run)) as LanguageModel,
          tools: delegates ? { ...own, ...run.createTools({ ask: true }) } : own,
        });
      }),
    own: {
      'a background end comes before the next call of the main model, while it works and while it is idle': async () => {
        const seen: string[] = [];
        const start: Said = { calls: [{ name: 'spawn_agent', args: { instructions: 'count', background: true } }] };
        const look: Said = { calls: [{ name: 'list_agents', args: {} }] };
        const steps: Said[] = [start, look, { text: 'first' }, { text: 'second' }, start, { text: 'third' }, { text: 'woken' }];
        const model = fakeModel((request) => {
          seen.push(request.seen);
          return steps.shift() ?? { text: 'DONE' };
        }) as LanguageModel;
        let isSlow = false;
        const read: (string | undefined)[] = [];
        let woken = (): void => undefined;
        const manager: SubAgentManager = new SubAgentManager({
          spawnSubAgent: async () => {
            if (isSlow) await new Promise((resolve) => setTimeout(resolve, 30));
            return { output: `FOUND<${isSlow ? 'late' : 'soon'}>` };
          },
          onWake: () =>
            void lead().then((text) => {
              read.push(text);
              if (text !== undefined) woken();
            }),
        });
        const lead = createListener(model, manager);
        const times = (text: string | undefined, word: string): number => text?.split(word).length ?? 0;
        assert.equal(await lead('count them'), 'first');
        assert.deepEqual(
          seen.map((text) => times(text, 'FOUND<soon>')),
          [1, 2, 2],
          'it comes with the second call, and is there in the third',
        );
        assert.equal(await lead('and now?'), 'second');
        assert.equal(times(seen[3], 'FOUND<soon>'), 2, 'it stays in the conversation, once');
        isSlow = true;
        const idle = new Promise<void>((resolve) => {
          woken = resolve;
        });
        assert.equal(await lead('count again'), 'third');
        await idle;
        assert.equal(read.at(-1), 'woken');
        assert.equal(times(seen.at(-1), 'FOUND<late>'), 2);
        assert.deepEqual(manager.inbox.peek(), [], 'all is acknowledged');
      },

      'a model that a step names is booked': async () => {
        const big = fakeModel(() => ({ text: 'BIG', tokens: 700 }));
        const known = globalThis.AI_SDK_DEFAULT_PROVIDER;
        globalThis.AI_SDK_DEFAULT_PROVIDER = customProvider({ languageModels: { big: big as never } });
        try {
          const model = fakeModel(() => ({ text: 'small', tokens: 1 })) as LanguageModel;
          const agent = new ToolLoopAgent({ model, prepareStep: () => ({ model: 'big' }) });
          const manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(agent) });
          const { output, usage } = await manager.spawn({ instructions: 'think' }).wait();
          assert.deepEqual([output, usage.tokens, usage.turns], ['BIG', 700, 1]);
          assert.equal(manager.stats().tokensSpent, 700);
        } finally {
          globalThis.AI_SDK_DEFAULT_PROVIDER = known;
        }
      },

      'a provider that limits the rate: a real error of the SDK, which tries again by itself': async () => {
        for (const maxRetries of [0, 1]) {
          let calls = 0;
          const model = fakeModel(() => {
            calls += 1;
            if (calls > 1) return { text: 'DONE', tokens: 5 };
            throw new APICallError({
              message: 'too many requests',
              url: 'http://127.0.0.1',
              requestBodyValues: {},
              statusCode: 429,
              responseHeaders: { 'retry-after-ms': '20' },
            });
          }) as LanguageModel;
          const agent = new ToolLoopAgent({ model, maxRetries });
          const manager = new SubAgentManager({ retry: { max: 1, backoffMs: 1 }, spawnSubAgent: toolLoopAgent(agent) });
          let cooldowns = 0;
          manager.subscribe((event) => {
            if (event.type === 'cooldown_set') cooldowns += 1;
          });
          const result = await manager.spawn({ instructions: 'ask' }).wait();
          assert.deepEqual([result.output, result.run, cooldowns], ['DONE', 2 - maxRetries, 1], result.error);
        }
      },

      'L3 every finish reason, and what a provider sends in its place': async () => {
        const text = 'half of the answer';
        const whole = { output: text };
        const cut = { as: 'length', error: /limit of tokens/ } as const;
        const filtered = { as: 'content_filter', error: /held back/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        const reasons: Record<string, Finish> = {
          stop: { said: { text, finish: 'stop', raw: 'end_turn' }, completed: whole },
          'stop, for a reason of the provider that is not known': { said: { text, finish: 'stop', raw: 'eos_7' }, completed: whole },
          'stop, paused': { said: { text, finish: 'stop', raw: 'pause_turn' }, failed: broken(/broke off \(pause_turn\)/) },
          length: { said: { text, finish: 'length', raw: 'max_tokens' }, failed: cut },
          'length, without text': { said: { finish: 'length' }, failed: cut },
          'content-filter': { said: { text, finish: 'content-filter', raw: 'SAFETY' }, failed: filtered },
          'content-filter, a refusal': {
            said: { text, finish: 'content-filter', raw: 'refusal' },
            failed: { as: 'refusal', error: /refused/ },
          },
          'content-filter, without text': { said: { text: '', finish: 'content-filter' }, failed: filtered },
          error: {
            said: { text, finish: 'error', raw: 'MALFORMED_FUNCTION_CALL' },
            failed: broken(/with an error \(MALFORMED_FUNCTION_CALL\)/),
          },
          'error, without text': { said: { finish: 'error' }, failed: broken(/with an error/) },
          interrupted: { said: { text, finish: 'interrupted' }, failed: broken(/broke off/) },
          other: { said: { text, finish: 'other' }, failed: broken(/did not say why/) },
          'other, as the provider says': { said: { text, finish: 'other', raw: 'OTHER' }, failed: broken(/did not say why/) },
          'other, which is a word that is known': { said: { text, finish: 'other', raw: 'eos' }, completed: whole },
          'other, which is a word that is not known': {
            said: { text, finish: 'other', raw: 'eos_7' },
            completed: { ...whole, hostStatus: 'eos_7' },
          },
          'no text': { said: {}, failed: broken(/has no text/) },
          'an empty text': { said: { text: '' }, failed: broken(/has no text/) },
          'white space alone': { said: { text: ' \n\t' }, failed: broken(/has no text/) },
          'tool-calls, without a call': { said: { finish: 'tool-calls' }, failed: broken(/has no text/) },
          'it throws': { said: () => Promise.reject(new Error('socket hang up')), failed: { as: 'thrown', error: /socket hang up/ } },
        };
        await checkFinishes(hostOf(), reasons);
      },

      'L3 a turn that ends by a tool': async () => {
        const call: Said = { text: 'I look', calls: [{ name: 'look', args: { path: 'a.md' } }] };
        const silent: Said = { ...call, text: '' };
        const stopWhen = ({ steps }: { steps: { toolCalls: { toolName: string }[] }[] }): boolean =>
          steps.at(-1)?.toolCalls.some(({ toolName }) => toolName === 'look') ?? false;
        const open = tool({ inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }) }) as never;
        const look = tool({ inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }), execute: async () => 'SEEN' });
        const unanswered = { as: 'incomplete', error: /calls the tool look, which nothing answers: give it an `execute`/ } as const;
        await checkFinishes(hostOf({ look: open }), {
          'without execute': { said: call, failed: unanswered },
          'without execute and without text': { said: silent, failed: unanswered },
          'without execute, cut': { said: { ...call, finish: 'length' }, failed: { as: 'length', error: /limit of tokens/ } },
        });
        for (const tools of [{ look: open }, { look }])
          await checkFinishes(hostOf(tools, { stopWhen: stopWhen as never }), {
            'it is meant to stop there': { said: call, completed: { output: 'I look' } },
            'without text': { said: silent, completed: { output: '' } },
          });
      },

      'L3 a turn without text that has a value, and one with a value that was cut': async () => {
        const schema = { type: 'object', properties: { pages: { type: 'integer' } }, required: ['pages'] };
        const steps: Said[] = [{ text: '{"pages":3}', finish: 'length' }, {}, { text: '{"pages":3}' }];
        const model = fakeModel(() => steps.shift() ?? {}) as LanguageModel;
        const manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(new ToolLoopAgent({ model })) });
        const ends = [];
        for (let run = 0; run < 3; run += 1) ends.push(await manager.spawn({ instructions: 'count', schema }).wait());
        assert.deepEqual(
          ends.map(({ hostStatus, value }) => [hostStatus, value]),
          [
            ['length', undefined],
            ['incomplete', undefined],
            [undefined, { pages: 3 }],
          ],
        );
      },

      'an agent with an output of its own keeps it': async () => {
        const formats: unknown[] = [];
        const model = fakeModel(({ format }) => {
          formats.push(format);
          return { text: '{"elements":["a","b"]}' };
        }) as LanguageModel;
        const agent = new ToolLoopAgent({ model, output: Output.array({ element: jsonSchema<string>({ type: 'string' }) }) });
        const manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(agent) });
        const schema = { type: 'array', items: { type: 'string' } };
        const { value, error } = await manager.spawn({ instructions: 'list', schema }).wait();
        assert.deepEqual(value, ['a', 'b'], error);
        assert.match(JSON.stringify(formats[0]), /elements/);
      },

      'a tool that waits for an approval': async () => {
        const pay = tool({
          inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }),
          needsApproval: ({ path }) => path === 'a.md',
          execute: async () => 'PAID',
        });
        const call = (path: string): Said => ({ text: 'I pay', calls: [{ name: 'pay', args: { path } }], tokens: 70 });
        const steps = [call('b.md'), call('a.md')];
        const model = fakeModel(() => steps.shift() ?? { text: 'DONE' }) as LanguageModel;
        const manager = new SubAgentManager({ spawnSubAgent: toolLoopAgent(new ToolLoopAgent({ model, tools: { pay } })) });
        const handle = manager.spawn({ instructions: 'pay' });
        const { status, error, usage } = await handle.wait();
        assert.equal(status, 'failed');
        assert.match(error ?? '', /The tool pay waits for an approval/);
        assert.equal(usage.tokens, 140);
        handle.send('leave it');
        assert.equal((await handle.wait()).output, 'DONE', 'its conversation goes on');
      },

      'a refusal in place of the result of a tool that makes its own output of it': async () => {
        const seen: string[] = [];
        const steps: Said[] = [
          { calls: [{ name: 'read', args: { path: 'a.md' } }] },
          { calls: [{ name: 'read', args: { path: 'b.md' } }] },
          { calls: [{ name: 'read', args: { path: 'c.md' } }] },
        ];
        const model = fakeModel((request) => {
          seen.push(request.seen);
          return steps.shift() ?? { text: 'DONE' };
        }) as LanguageModel;
        const read = tool({
          inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }),
          execute: async ({ path }) => ({ lines: [`CONTENT<${path}>`] }),
          toModelOutput: ({ output }) => ({ type: 'text', value: output.lines.join() }),
        });
        const policy: Policy = {
          beforeTool: ({ args }) => ((args as { path: string }).path === 'a.md' ? { action: 'block', reason: 'NOT THIS ONE' } : undefined),
          afterTool: ({ result }) => (JSON.stringify(result).includes('b.md') ? { action: 'block', reason: 'NOT TO BE SEEN' } : undefined),
        };
        const agent = new ToolLoopAgent({ model, tools: { read } });
        const manager = new SubAgentManager({ policies: { subAgents: [policy] }, spawnSubAgent: toolLoopAgent(agent) });
        const result = await manager.spawn({ instructions: 'read' }).wait();
        assert.equal(result.output, 'DONE', result.error);
        assert.match(seen.at(-1) ?? '', /NOT THIS ONE.*NOT TO BE SEEN.*CONTENT<c\.md>/);
      },
    },
  },
];
void (0 as unknown as ModelMessage);
