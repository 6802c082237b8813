import { Agent, Runner, setTracingDisabled, type Tool } from '@openai/agents';
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

/** A main agent that ends with what its one call brings. */
function callsOnce(call: Call, tools: Tool[]): Agent {
  const think: Think = () => ({ calls: [call], tokens: 10 });
  return new Agent({ name: 'lead', model: new FakeModel(think), tools, toolUseBehavior: 'stop_on_first_tool' });
}

/** A main agent for each part, whose conversation ends with the sub-agent's words. */
const endedBy = (lead: (part: number) => Agent): Burst =>
  together(async (part) => String((await runner.run(lead(part), task(part))).finalOutput));

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
    // No agent goes on after either: what the sub-agent says is the end. By a call it has a run of its own, which a handoff saves.
    name: 'OpenAI Agents 0.20, a main agent each, the sub-agent ends it',
    own: { how: 'handoff', burst: endedBy(handsOff) },
    ours: endedBy((part) => callsOnce(spawn(part), made)),
    alone,
  },
];
