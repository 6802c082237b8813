import { jsonSchema, type LanguageModel, ToolLoopAgent, tool } from 'ai';
import { toolLoopAgent } from 'subagents/ai-sdk';
import { byModel, forgetful, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { fakeModel, NAME } from './fake.js';
import type { Think } from './framework.js';

const model = (think: Think): LanguageModel => fakeModel(think) as LanguageModel;

/** One for all sub-agents, in every way. */
const workerModel = forgetful(fakeModel(noOp)) as LanguageModel;
const worker = new ToolLoopAgent({ model: workerModel });
const oneWorker = () => new ToolLoopAgent({ model: workerModel });
const helper = tool({
  description: 'Hands a task to a helper.',
  inputSchema: jsonSchema<{ task: string }>({ type: 'object', properties: { task: { type: 'string' } }, required: ['task'] }),
  execute: async (args, { abortSignal }) => (await oneWorker().generate({ prompt: args.task, ...(abortSignal && { abortSignal }) })).text,
});
const tools = toolsOf(managerOf(toolLoopAgent(worker)));

export const ways: Ways[] = [
  {
    name: NAME,
    own: {
      how: 'a tool that makes an agent and runs it',
      burst: byModel(
        (part) => ({ name: 'helper', args: { task: task(part) } }),
        (think) => new ToolLoopAgent({ model: model(think), tools: { helper } }).generate({ prompt: 'delegate' }),
      ),
    },
    ours: byModel(spawn, (think) => createLead(model(think), having(tools)).generate({ prompt: 'delegate' })),
    alone: together(async (part) => (await oneWorker().generate({ prompt: task(part) })).text),
  },
];
