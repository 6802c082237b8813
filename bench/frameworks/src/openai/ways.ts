import { Agent, Runner, setTracingDisabled } from '@openai/agents';
import { openaiAgent, openaiTools } from 'subagents/openai';
import { type Burst, byModel, type Call, having, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import type { Think } from './framework.js';

setTracingDisabled(true);
const runner = new Runner({ tracingDisabled: true });

const worker = new Agent({ name: 'worker', model: new FakeModel(noOp) });
const helper = worker.asTool({ toolName: 'helper', toolDescription: 'Hands a task to a helper.' });
const tools = toolsOf(managerOf(openaiAgent(runner, worker)));
const alone = together(async (part) => (await runner.run(worker, task(part))).finalOutput ?? '');

/** Made once, as `helper` is. */
const made = openaiTools(tools);

const ours = (think: Think) => runner.run(createLead(new FakeModel(think), having(tools)), 'delegate');

const oursMade = (think: Think) => runner.run(new Agent({ name: 'lead', model: new FakeModel(think), tools: made }), 'delegate');

/** A main agent whose model hands the conversation over. */
function handsOff(): Agent {
  const think: Think = () => ({ calls: [{ name: 'transfer_to_worker', args: {} }], tokens: 10 });
  return new Agent({ name: 'lead', model: new FakeModel(think), handoffs: [worker] });
}

const byTool = (think: Think) => runner.run(new Agent({ name: 'lead', model: new FakeModel(think), tools: [helper] }), 'delegate');
const callHelper = (part: number): Call => ({ name: 'helper', args: { input: task(part) } });

/** A main agent for each part, which delegates it by a call and has the last word. */
function oneEach(call: (part: number) => Call, run: (think: Think) => Promise<unknown>): Burst {
  return async (width) => {
    const came = await Promise.all(Array.from({ length: width }, (_, part) => byModel(() => call(part), run)(1)));
    return came.reduce((sum, one) => sum + one, 0);
  };
}

export const ways: Ways[] = [
  {
    name: 'OpenAI Agents 0.20',
    own: {
      how: '`asTool`',
      burst: byModel(callHelper, byTool),
    },
    ours: byModel(spawn, ours),
    alone,
  },
  {
    name: 'OpenAI Agents 0.20, a main agent each',
    own: { how: '`asTool`', burst: oneEach(callHelper, byTool) },
    ours: oneEach(spawn, oursMade),
    alone,
  },
  {
    // Not the same work: no agent goes on after the sub-agent, where by a call the main agent has one turn more, and a run of its own.
    name: 'OpenAI Agents 0.20, a main agent each',
    own: { how: 'handoff', burst: together(async (part) => (await runner.run(handsOff(), task(part))).finalOutput ?? '') },
    ours: oneEach(spawn, oursMade),
    alone,
  },
];
