import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import type { SubAgentManager } from 'subagents';
import { mastraAgent } from 'subagents/mastra';
import { z } from 'zod';
import { createLead, createManager } from './example.js';
import { fakeModel, NAME } from './fake.js';
import type { Framework, PlainTool, Think } from './framework.js';

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
        const all = delegates ? { ...own, ...run.createTools() } : own;
        return new Agent({ id: 'worker', name: 'worker', instructions: 'Work.', model: model(think(run)), tools: all });
      }),
  },
];
