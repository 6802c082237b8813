import { jsonSchema, type LanguageModel, type ModelMessage, ToolLoopAgent, type ToolSet, tool } from 'ai';
import type { SubAgentManager } from 'subagents';
import { toolLoopAgent } from 'subagents/ai-sdk';
import { createLead, createManager } from './example.js';
import { fakeModel, NAME } from './fake.js';
import { type Framework, PATH_SCHEMA, type PlainTool } from './framework.js';

// The example is what the scenarios run; here it has to be taken by the types.
const manager: SubAgentManager = createManager(() => 'a model', {});
const lead: ToolLoopAgent<never, ToolSet> = createLead('a model', manager) as never;
const one: ToolSet = { SubAgent: manager.createSubAgentTool() };
void [lead, one];

function native({ description, run }: PlainTool) {
  return tool({ description, inputSchema: jsonSchema<{ path: string }>({ ...PATH_SCHEMA }), execute: (args) => run(args) });
}

export const frameworks: Framework[] = [
  {
    name: NAME,
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(fakeModel(think) as LanguageModel, { createTools: () => tools } as unknown as SubAgentManager);
      // Preliminary results are told in streams alone.
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
          tools: delegates ? { ...own, ...run.createTools() } : own,
        });
      }),
  },
];
void (0 as unknown as ModelMessage);
