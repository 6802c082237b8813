import { Agent, Runner, tool } from '@openai/agents';
import type { SubAgentManager } from 'subagents';
import { openaiAgent, openaiTools } from 'subagents/openai';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import { type Framework, PATH_SCHEMA, type PlainTool } from './framework.js';

const runner = new Runner({ tracingDisabled: true });

function native({ name, description, run }: PlainTool) {
  const parameters = { ...PATH_SCHEMA, required: [...PATH_SCHEMA.required] };
  return tool({ name, description, parameters, strict: true, execute: (args) => run(args as { path: string }) });
}

export const frameworks: Framework[] = [
  {
    name: 'OpenAI Agents 0.20',
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const result = await runner.run(agent, prompt, { ...(signal && { signal }) });
      return result.finalOutput ?? '';
    },
    host: ({ think, tools, delegates }) =>
      openaiAgent(runner, (_, run) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...openaiTools(run.createTools())] : own;
        return new Agent({ name: 'worker', model: new FakeModel(think(run)), tools: all });
      }),
  },
];
