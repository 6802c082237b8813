import { Agent } from '@strands-agents/sdk';
import { byModel, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';

const AT_ONCE = 50;
const model = new FakeModel(noOp);
const make = (name: string): Agent => new Agent({ name, model, printer: false });

async function work(text: string, signal?: AbortSignal): Promise<string> {
  return String(await make('worker').invoke(text, { ...(signal && { cancelSignal: signal }) })).trim();
}

/** An agent as a tool takes one call at a time: there is one for each, made for it as ours are. */
const helpers = () => Array.from({ length: AT_ONCE }, (_, part) => make(`helper_${part}`).asTool());
const tools = toolsOf(
  managerOf(async (params, run) => ({ output: await work(params.instructions, run.signal), usage: { tokens: 10, turns: 1 } })),
);

export const ways: Ways[] = [
  {
    name: 'Strands 1.19',
    own: {
      how: '`asTool`, an agent for each',
      burst: byModel(
        (part) => ({ name: `helper_${part}`, args: { input: task(part) } }),
        (think) => new Agent({ model: new FakeModel(think), tools: helpers(), printer: false }).invoke('delegate'),
      ),
    },
    ours: byModel(spawn, (think) => createLead(new FakeModel(think), having(tools)).invoke('delegate')),
    alone: together((part) => work(task(part))),
  },
];
