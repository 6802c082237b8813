import { AgentTool, type BaseAgent, InMemoryRunner, LlmAgent } from '@google/adk';
import { byModel, doneIn, having, managerOf, noOp, spawn, task, toolsOf, type Ways } from './delegation.js';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';

/** Runs an agent in a session of its own, as `AgentTool` does, and gives what was said last. */
async function ask(agent: BaseAgent, text: string, abortSignal?: AbortSignal): Promise<string> {
  const runner = new InMemoryRunner({ agent, appName: 'bench' });
  const { id } = await runner.sessionService.createSession({ appName: 'bench', userId: 'user' });
  const newMessage = { role: 'user', parts: [{ text }] };
  let last = '';
  for await (const event of runner.runAsync({ userId: 'user', sessionId: id, newMessage, ...(abortSignal && { abortSignal }) }))
    last = (event.content?.parts ?? []).map((part) => part.text ?? '').join('') || last;
  return last;
}

const worker = new LlmAgent({ name: 'worker', model: new FakeModel(noOp), instruction: 'Work.' });
const tools = toolsOf(
  managerOf(async (params, run) => ({ output: await ask(worker, params.instructions, run.signal), usage: { tokens: 10, turns: 1 } })),
);

export const ways: Ways[] = [
  {
    name: 'ADK 2.0, one after the other',
    own: {
      how: '`AgentTool`',
      burst: byModel(
        (part) => ({ name: 'worker', args: { request: task(part) } }),
        (think) =>
          ask(
            new LlmAgent({
              name: 'lead',
              model: new FakeModel(think),
              instruction: 'Delegate.',
              tools: [new AgentTool({ agent: worker })],
            }),
            'delegate',
          ),
      ),
    },
    ours: byModel(spawn, (think) => ask(createLead(new FakeModel(think), having(tools)), 'delegate')),
    alone: async (width) => {
      let came = 0;
      for (let part = 0; part < width; part += 1) came += doneIn(await ask(worker, task(part)));
      return came;
    },
  },
];
