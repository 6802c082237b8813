import { Agent, Runner, setTracingDisabled } from '@openai/agents';
import { openaiAgent } from 'subagents/openai';
import { byModel, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import type { Think } from './framework.js';

setTracingDisabled(true);
const runner = new Runner({ tracingDisabled: true });

const worker = new Agent({ name: 'worker', model: new FakeModel(noOp) });
const helper = worker.asTool({ toolName: 'helper', toolDescription: 'Hands a task to a helper.' });
const tools = toolsOf(managerOf(openaiAgent(runner, worker)));
const alone = together(async (part) => (await runner.run(worker, task(part))).finalOutput ?? '');

const ours = (think: Think) => runner.run(createLead(new FakeModel(think), having(tools)), 'delegate');

/** A main agent whose model hands the conversation over. */
function handsOff(): Agent {
  const think: Think = () => ({ calls: [{ name: 'transfer_to_worker', args: {} }], tokens: 10 });
  return new Agent({ name: 'lead', model: new FakeModel(think), handoffs: [worker] });
}

/** A main agent for each part, which delegates it through ours. */
async function delegateOneEach(width: number): Promise<number> {
  const came = await Promise.all(Array.from({ length: width }, (_, part) => byModel(() => spawn(part), ours)(1)));
  return came.reduce((sum, one) => sum + one, 0);
}

export const ways: Ways[] = [
  {
    name: 'OpenAI Agents 0.20',
    own: {
      how: '`asTool`',
      burst: byModel(
        (part) => ({ name: 'helper', args: { input: task(part) } }),
        (think) => runner.run(new Agent({ name: 'lead', model: new FakeModel(think), tools: [helper] }), 'delegate'),
      ),
    },
    ours: byModel(spawn, ours),
    alone,
  },
  {
    name: 'OpenAI Agents 0.20, a main agent each',
    own: { how: 'handoff', burst: together(async (part) => (await runner.run(handsOff(), task(part))).finalOutput ?? '') },
    ours: delegateOneEach,
    alone,
  },
];
