import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { type Policy, SubAgentManager } from 'subagents';
import { mastraAgent } from 'subagents/mastra';
import { z } from 'zod';
import { createLead, createManager } from './example.js';
import { fakeModel, NAME } from './fake.js';
import type { Framework, PlainTool, Said, Think } from './framework.js';

// The tool is taken by the types as it is.
const one: ConstructorParameters<typeof Agent>[0]['tools'] = { SubAgent: createManager(() => 'openai/none', {}).createSubAgentTool() };
void one;

const model = (think: Think) => fakeModel(think) as never;

function native({ name, description, run }: PlainTool) {
  return createTool({ id: name, description, inputSchema: z.object({ path: z.string() }), execute: (args) => run(args) });
}

export const frameworks: Framework[] = [
  {
    name: NAME,
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
        const heard: string[] = [];
        const { read, manager, seen } = reading({
          hooks: {
            beforeToolCall: ({ toolName, input }) => {
              heard.push(`before ${toolName}`);
              if ((input as { path: string }).path === 'secret.md') return { proceed: false, output: 'ITS OWN NO' };
            },
            afterToolCall: ({ toolName }) => void heard.push(`after ${toolName}`),
          },
        });
        const result = await manager.spawn({ instructions: 'read' }).wait();
        assert.equal(result.output, 'DONE', result.error);
        assert.deepEqual(read, ['a.md'], 'what its own hook refuses is not called');
        assert.deepEqual(heard, ['before read', 'before read', 'after read'], 'and it is not asked of what the manager refuses');
        assert.match(seen.at(-1) ?? '', /POLICY SAYS NO.*ITS OWN NO.*CONTENT<a\.md>/);
      },

      'an answer that its provider cut says so': async () => {
        const think: Think = () => ({ text: 'the first half', cut: 'length' });
        const worker = new Agent({ id: 'worker', name: 'worker', instructions: 'Work.', model: model(think) });
        const manager = new SubAgentManager({ spawnSubAgent: mastraAgent(worker) });
        const result = await manager.spawn({ instructions: 'write' }).wait();
        assert.deepEqual([result.status, result.hostStatus, result.output], ['completed', 'length', 'the first half']);
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
