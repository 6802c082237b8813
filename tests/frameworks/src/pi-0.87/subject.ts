import { Agent, type AgentTool } from '@earendil-works/pi-agent-core';
import type { SpawnSubAgent, SubAgentManager } from 'subagents';
import { piAgent } from 'subagents/pi';
import type { TSchema } from 'typebox';
import { createLead, createManager } from './example.js';
import { fakeModel } from './fake.js';
import { type Framework, type HostOptions, PATH_SCHEMA, type PlainTool } from './framework.js';
import { piOwn } from './pi-own.js';

// The tool is taken by the types as it is.
const one: AgentTool[] = [createManager(() => fakeModel(() => ({})) as never, []).createSubAgentTool()];
void one;

function native({ name, description, run }: PlainTool): AgentTool {
  return {
    name,
    label: name,
    description,
    parameters: PATH_SCHEMA as unknown as TSchema,
    execute: async (_, args) => ({ content: [{ type: 'text', text: await run(args as { path: string }) }], details: {} }),
  };
}

function textOf(agent: Agent): string {
  const last = agent.state.messages.at(-1) as { content?: { text?: string }[] } | undefined;
  return (last?.content ?? []).map(({ text }) => text ?? '').join('');
}

/** Agents as sub-agents that have a tool beside those of the test: its results have what is given here, too. */
const hostOf =
  (result: object = {}) =>
  ({ think, tools }: HostOptions): SpawnSubAgent =>
    piAgent((_, run) => {
      const { model, streamFn } = fakeModel(think(run));
      const look = native({ name: 'look', description: 'looks', run: async () => 'SEEN' });
      const ending: AgentTool = { ...look, execute: async (...call) => ({ ...(await look.execute(...call)), ...result }) };
      return new Agent({ initialState: { model, tools: [...tools.map(native), ending] }, streamFn });
    });

export const frameworks: Framework[] = [
  {
    name: 'pi 0.87',
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(fakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      agent.subscribe((event) => {
        if (event.type === 'tool_execution_update') onProgress(JSON.stringify(event.partialResult));
      });
      signal?.addEventListener('abort', () => agent.abort());
      await agent.prompt(prompt);
      return textOf(agent);
    },
    host: ({ think, tools, delegates }) =>
      piAgent((_, run) => {
        const own = tools.map(native);
        const all = delegates ? [...own, ...run.createTools({ ask: true })] : own;
        const { model, streamFn } = fakeModel(think(run));
        return new Agent({ initialState: { model, tools: all }, streamFn });
      }),
    own: piOwn(
      (think, tools) => {
        const { model, streamFn } = fakeModel(think);
        return new Agent({ initialState: { model, tools: tools as AgentTool[] }, streamFn });
      },
      hostOf,
      {
        deferred: { said: { text: 'half', finish: 'deferred' }, failed: { as: 'incomplete', error: /broke off/ } },
        pending: { said: { finish: 'pending' }, failed: { as: 'thrown', error: /without a stop reason/ } },
        'a refusal': {
          said: { finish: 'error', beside: { rawStopReason: 'refusal', errorMessage: 'it is against the rules' } },
          failed: { as: 'refusal', error: /it is against the rules/ },
        },
        'a filter': {
          said: { text: 'half', finish: 'error', beside: { rawStopReason: 'SAFETY' } },
          failed: { as: 'content_filter', error: /held back.*SAFETY/ },
        },
      },
    ),
  },
];
