import assert from 'node:assert/strict';
import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { type Policy, type SpawnSubAgent, SubAgentManager } from 'subagents';
import { mastraAgent } from 'subagents/mastra';
import { z } from 'zod';
import { createLead, createManager } from './example.js';
import { fakeModel, NAME } from './fake.js';
import { checkFinishes } from './finishes.js';
import type { Framework, HostOptions, PlainTool, Said, Think } from './framework.js';

// The tool is taken by the types as it is.
const one: ConstructorParameters<typeof Agent>[0]['tools'] = { SubAgent: createManager(() => 'openai/none', {}).createSubAgentTool() };
void one;

const model = (think: Think) => fakeModel(think) as never;

function native({ name, description, run }: PlainTool) {
  return createTool({ id: name, description, inputSchema: z.object({ path: z.string() }), execute: (args) => run(args) });
}

/** Agents as sub-agents, with these tools beside those of the test. */
const hostOf =
  (more: ToolsInput = {}, settings: Partial<AgentConfig> = {}) =>
  ({ think, tools }: HostOptions): SpawnSubAgent =>
    mastraAgent((_, run) => {
      const own = Object.fromEntries(tools.map((plain) => [plain.name, native(plain)]));
      const agent = { id: 'worker', name: 'worker', instructions: 'Work.', model: model(think(run)), maxRetries: 0 };
      return new Agent({ ...settings, ...agent, tools: { ...own, ...more } });
    });

export const frameworks: Framework[] = [
  {
    name: NAME,
    written: ['{"instructions": "x', '[]', '{}', '', 'null', '"instructions"'],
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(model(think), { createTools: () => tools } as unknown as SubAgentManager);
      const stream = await agent.stream(prompt, { maxSteps: 20, ...(signal && { abortSignal: signal }) });
      for await (const chunk of stream.fullStream) if (String(chunk.type).startsWith('data-')) onProgress(JSON.stringify(chunk));
      return stream.text;
    },
    host: ({ think, tools, delegates }) =>
      mastraAgent((_, run) => {
        const own = Object.fromEntries(tools.map((plain) => [plain.name, native(plain)]));
        const all = delegates ? { ...own, ...run.createTools({ ask: true }) } : own;
        return new Agent({ id: 'worker', name: 'worker', instructions: 'Work.', model: model(think(run)), tools: all });
      }),
    own: {
      "the agent's own hooks": async () => {
        const received: string[] = [];
        const { read, manager, seen } = reading({
          hooks: {
            beforeToolCall: ({ toolName, input }) => {
              received.push(`before ${toolName}`);
              if ((input as { path: string }).path === 'secret.md') return { proceed: false, output: 'ITS OWN NO' };
            },
            afterToolCall: ({ toolName }) => void received.push(`after ${toolName}`),
          },
        });
        const result = await manager.spawn({ instructions: 'read' }).wait();
        assert.equal(result.output, 'DONE', result.error);
        assert.deepEqual(read, ['a.md'], 'what its own hook refuses is not called');
        assert.deepEqual(received, ['before read', 'before read', 'after read'], 'and it is not asked of what the manager refuses');
        assert.match(seen.at(-1) ?? '', /POLICY SAYS NO.*ITS OWN NO.*CONTENT<a\.md>/);
      },

      'L3 every finish reason, and what a provider sends in its place': async () => {
        const text = 'half of the answer';
        const whole = { output: text };
        const cut = { as: 'length', error: /limit of tokens/ } as const;
        const filtered = { as: 'content_filter', error: /held back/ } as const;
        const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
        await checkFinishes(hostOf(), {
          stop: { said: { text, finish: 'stop', raw: 'end_turn' }, completed: whole },
          length: { said: { text, finish: 'length', raw: 'max_tokens' }, failed: cut },
          'length, without text': { said: { finish: 'length' }, failed: cut },
          'content-filter': { said: { text, finish: 'content-filter' }, failed: filtered },
          'content-filter, without text': { said: { finish: 'content-filter' }, failed: filtered },
          // Mastra throws here, and reports the step before without a text.
          error: {
            said: { finish: 'error', raw: 'MALFORMED_FUNCTION_CALL' },
            failed: { as: 'thrown', error: /"error".*MALFORMED_FUNCTION_CALL/ },
          },
          interrupted: { said: { text, finish: 'interrupted' }, failed: broken(/broke off/) },
          other: { said: { text, finish: 'other' }, failed: broken(/did not say why/) },
          unknown: { said: { text, finish: 'unknown' }, failed: broken(/did not say why/) },
          'no text': { said: {}, failed: broken(/has no text/) },
          'an empty text': { said: { text: '' }, failed: broken(/has no text/) },
          'white space alone': { said: { text: ' \n' }, failed: broken(/has no text/) },
          'it throws': { said: () => Promise.reject(new Error('socket hang up')), failed: { as: 'thrown', error: /socket hang up/ } },
        });
        const stops = {
          id: 'guard',
          name: 'guard',
          processOutputResult: ({ abort }: { abort: (reason: string) => never }) => abort('BAD WORDS'),
        };
        await checkFinishes(hostOf({}, { outputProcessors: [stops as never] }), {
          'a processor stops it': { said: { text }, failed: broken(/a processor stopped the agent: BAD WORDS/) },
        });
      },

      'L3 a turn that ends by a tool': async () => {
        const call: Said = { text: 'I look', calls: [{ name: 'look', args: { path: 'a.md' } }] };
        const silent: Said = { ...call, text: '' };
        const given = { id: 'look', description: 'looks', inputSchema: z.object({ path: z.string() }) };
        const open = createTool(given);
        const asks = createTool({ ...given, requireApproval: true, execute: async () => 'SEEN' });
        const look = createTool({ ...given, execute: async () => 'SEEN' });
        const fails = createTool({ ...given, execute: () => Promise.reject(new Error('BLIND')) });
        await checkFinishes(hostOf({ look: open }), {
          'without execute': { said: call, failed: { as: 'incomplete', error: /calls the tool look, which nothing answers/ } },
          'without execute and without text': { said: silent, failed: { as: 'incomplete', error: /calls the tool look/ } },
        });
        const stopWhen = ({ steps }: { steps: { toolCalls: { toolName: string }[] }[] }): boolean =>
          steps.at(-1)?.toolCalls.some(({ toolName }) => toolName === 'look') ?? false;
        for (const tool of [look, fails])
          await checkFinishes(hostOf({ look: tool }, { defaultOptions: { stopWhen } as never }), {
            'it is meant to stop there': { said: call, completed: { output: 'I look' } },
            'without text': { said: silent, completed: { output: '' } },
          });
        const manager = new SubAgentManager({
          spawnSubAgent: hostOf({ look: asks })({ think: () => () => call, tools: [], delegates: false }),
        });
        const { status, error } = await manager.spawn({ instructions: 'look' }).wait();
        assert.equal(status, 'failed');
        assert.match(error ?? '', /The tool look waits for an approval/);
      },

      'a refusal of a tool that makes its own output for the model': async () => {
        const toModelOutput = (output: { lines: string[] }) => ({ type: 'text', value: output.lines.join() });
        const { read, manager, seen } = reading({}, { toModelOutput });
        const result = await manager.spawn({ instructions: 'read' }).wait();
        assert.equal(result.output, 'DONE', result.error);
        assert.deepEqual(read, ['secret.md', 'a.md']);
        assert.match(seen.at(-1) ?? '', /POLICY SAYS NO.*CONTENT<secret\.md>.*CONTENT<a\.md>/);
        assert.doesNotMatch(seen.at(-1) ?? '', /\bat .*\.(js|ts):\d/, 'no stack trace');
      },
    },
  },
];

/** A sub-agent that reads what a policy refuses, then a secret, then something plain. */
function reading(agent: Partial<ConstructorParameters<typeof Agent>[0]>, more: object = {}) {
  const read: string[] = [];
  const seen: string[] = [];
  const steps = ['forbidden.md', 'secret.md', 'a.md'].map((path): Said => ({ calls: [{ name: 'read', args: { path } }] }));
  const think: Think = (request) => {
    seen.push(request.seen);
    return steps.shift() ?? { text: 'DONE' };
  };
  const execute = async ({ path }: { path: string }) => {
    read.push(path);
    return { lines: [`CONTENT<${path}>`] };
  };
  const tools = { read: createTool({ id: 'read', description: 'reads', inputSchema: z.object({ path: z.string() }), execute, ...more }) };
  const policy: Policy = {
    beforeTool: ({ args }) =>
      (args as { path: string }).path === 'forbidden.md' ? { action: 'block', reason: 'POLICY SAYS NO' } : undefined,
  };
  const worker = new Agent({ id: 'worker', name: 'worker', instructions: 'Work.', model: model(think), tools, ...agent });
  return { read, seen, manager: new SubAgentManager({ policies: { subAgents: [policy] }, spawnSubAgent: mastraAgent(worker) }) };
}
