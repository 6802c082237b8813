import type { AgentTools } from 'subagents';
import { piAgent } from 'subagents/pi';
import { Agent, NAME } from './agent.js';
import { byModel, managerOf, noOp, spawn, task, together, toolsOf, type Ways } from './delegation.js';
import { fakeModel } from './fake.js';

type Caller = ReturnType<typeof fakeModel>;

function agentOf({ model, streamFn }: Caller, tools: AgentTools | [] = []): Agent {
  return new Agent({ initialState: { model, tools: [...tools] }, streamFn });
}

/** Unused models: one serves one conversation, and registers something. */
const free: Caller[] = [];
async function withModel<T>(use: (caller: Caller) => Promise<T>): Promise<T> {
  const caller = free.pop() ?? fakeModel(noOp);
  try {
    return await use(caller);
  } finally {
    free.push(caller);
  }
}

const tools = toolsOf(managerOf((params, run) => withModel(async (caller) => piAgent(() => agentOf(caller))(params, run))));

function lastText({ state }: Agent): string {
  const last = state.messages.at(-1) as { content?: { text?: string }[] } | undefined;
  return (last?.content ?? []).map(({ text }) => text ?? '').join('');
}

export const ways: Ways[] = [
  {
    name: NAME,
    own: { none: 'it has agents, but no way from one to another' },
    ours: byModel(spawn, (think) => agentOf(fakeModel(think), tools).prompt('delegate')),
    alone: together((part) =>
      withModel(async (caller) => {
        const agent = agentOf(caller);
        await agent.prompt(task(part));
        return lastText(agent);
      }),
    ),
  },
];
