import { Agent } from '@mastra/core/agent';
import { mastraAgent } from 'subagents/mastra';
import { byModel, forgetful, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { fakeModel, NAME } from './fake.js';
import type { Think } from './framework.js';

const model = (think: Think) => forgetful(fakeModel(think)) as never;

const worker = new Agent({ id: 'worker', name: 'worker', description: 'Works.', instructions: 'Work.', model: model(noOp) });
const lead = (think: Think) => new Agent({ id: 'lead', name: 'lead', instructions: 'Delegate.', model: model(think), agents: { worker } });
const tools = toolsOf(managerOf(mastraAgent(worker)));

export const ways: Ways[] = [
  {
    name: NAME,
    own: {
      how: '`agents` of an agent',
      burst: byModel(
        (part) => ({ name: 'agent-worker', args: { prompt: task(part) } }),
        (think) => lead(think).generate('delegate', { maxSteps: 5 }),
      ),
    },
    ours: byModel(spawn, (think) => createLead(model(think), having(tools)).generate('delegate', { maxSteps: 5 })),
    alone: together(async (part) => (await worker.generate(task(part))).text),
  },
];
