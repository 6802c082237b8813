// What only pi asks for: `execute` in its signature, each call with a context of its own, and results that its agent
// loop takes (S2.25). Owns what must be true; the subjects bring their own version of the agent.

import assert from 'node:assert/strict';
import {
  createSubAgentTool,
  type Run,
  type SpawnSubAgent,
  type SubAgentDetails,
  SubAgentManager,
  type SubAgentToolConfig,
} from 'subagents';
import { checkFinishes, type Finish } from './finishes.js';
import type { HostOptions, Said, Think } from './framework.js';

/** As much of pi's agent as is needed here. */
interface AgentLike {
  readonly state: { messages: unknown[] };
  prompt(text: string): Promise<void>;
  abort(): void;
  subscribe(listener: (event: { type: string; toolCallId?: string; partialResult?: unknown }) => void): unknown;
}

interface ToolResult {
  role: string;
  toolCallId: string;
  toolName: string;
  isError: boolean;
  content: { type: string; text: string }[];
  details: SubAgentDetails;
}

type Make = (think: Think, tools: unknown[]) => AgentLike;

/** A model that says one thing after the other. */
function scripted(...steps: Said[]): Think {
  return () => steps.shift() ?? { text: 'DONE' };
}

const call = (args: Record<string, unknown>): { name: string; args: Record<string, unknown> } => ({ name: 'SubAgent', args });

/** The results of tools in the transcript, as the loop keeps them. */
function resultsOf({ state }: AgentLike): ToolResult[] {
  return (state.messages as ToolResult[]).filter(({ role }) => role === 'toolResult');
}

const config: SubAgentToolConfig = {
  spawnSubAgent: async ({ instructions }) => ({
    taskId: `host-${instructions}`,
    output: `read ${instructions}`,
    status: 'completed',
    usage: { turns: 2, cost: 0.01, durationMs: 5 },
  }),
  spawnBackgroundSubAgent: async () => ({ taskId: 'job-7' }),
  canSpawn: () => true,
  getConcurrencyInfo: () => ({ active: 0, limit: 4 }),
  getModelId: () => 'model-1',
};

/** The reasons that only one of the versions has. */
export type PiReasons = Record<string, Finish>;

/** A run of its agents as sub-agents, whose tools have their results made by `last`. */
export type PiHost = (last?: object) => (options: HostOptions) => SpawnSubAgent;

export function piOwn(make: Make, host: PiHost, more: PiReasons = {}): Record<string, () => Promise<void>> {
  return {
    'L3 every finish reason, and what a provider sends in its place': async () => {
      const text = 'half of the answer';
      const cut = { as: 'length', error: /limit of tokens/ } as const;
      const broken = (error: RegExp) => ({ as: 'incomplete', error }) as const;
      await checkFinishes(host(), {
        stop: { said: { text, finish: 'stop' }, completed: { output: text } },
        length: { said: { text, finish: 'length' }, failed: cut },
        'length, without text': { said: { finish: 'length' }, failed: cut },
        error: { said: { text, finish: 'error' }, failed: broken(/with an error/) },
        'error, with its message': {
          said: { finish: 'error', beside: { errorMessage: 'the provider is down' } },
          failed: { as: 'thrown', error: /the provider is down/ },
        },
        'error, with its message and a text': {
          said: { text, finish: 'error', beside: { errorMessage: 'the provider is down' } },
          failed: broken(/the provider is down/),
        },
        aborted: { said: { text, finish: 'aborted' }, failed: broken(/broke off/) },
        'no text': { said: {}, failed: broken(/has no text/) },
        'white space alone': { said: { text: ' \n' }, failed: broken(/has no text/) },
        'it throws': { said: () => Promise.reject(new Error('socket hang up')), failed: { as: 'thrown', error: /socket hang up/ } },
        ...more,
      });
    },

    'L3 a turn that ends by a tool': async () => {
      const calls = [{ name: 'look', args: { path: 'a.md' } }];
      await checkFinishes(host({ terminate: true }), {
        'a tool that ends the agent': { said: { text: 'I look', calls }, completed: { output: 'I look' } },
        'without text': { said: { calls }, completed: { output: '' } },
      });
    },

    'S2.25 the tool that stands alone, in its agent loop': async () => {
      const tool = createSubAgentTool(config);
      const calls = ['a.md', 'b.md'].map((instructions) => call({ instructions }));
      const agent = make(scripted({ calls: [...calls, call({ instructions: 'c.md', background: true })] }), [tool]);
      await agent.prompt('read them');
      const results = resultsOf(agent);
      assert.equal(new Set(results.map(({ toolCallId }) => toolCallId)).size, 3);
      for (const { toolName, isError, content } of results) {
        assert.deepEqual([toolName, isError, content.length, content[0]?.type], ['SubAgent', false, 1, 'text']);
      }
      for (const name of ['a.md', 'b.md']) {
        const result = results.find(({ content }) => content[0]?.text.includes(`read ${name}`));
        const { taskId, ...details } = result?.details ?? ({} as SubAgentDetails);
        assert.equal(typeof taskId, 'string');
        const { background, status, durationMs, turns, cost, modelId } = details;
        assert.deepEqual([background, status, durationMs, turns, cost, modelId], [false, 'completed', 5, 2, 0.01, 'model-1']);
      }
      const started = results.find(({ details }) => details.background);
      assert.match(started?.content[0]?.text ?? '', /job-7/);
      assert.equal(started?.details.status, 'running');
    },

    'S2.25 each call has its own id, signal and progress': async () => {
      const signals: AbortSignal[] = [];
      const ids: (string | undefined)[] = [];
      const manager = new SubAgentManager({
        spawnSubAgent: async (params, run: Run) => {
          signals.push(run.signal);
          run.report({ message: `at ${params.instructions}` });
          if (params.instructions === 'a.md') return { output: 'A' };
          return new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason)));
        },
      });
      const tool = manager.createSubAgentTool({ onDetails: (_, toolCallId) => ids.push(toolCallId) });
      const agent = make(scripted({ calls: [call({ instructions: 'a.md' }), call({ instructions: 'b.md' })] }), [tool]);
      const received = new Map<string, string>();
      agent.subscribe(({ type, toolCallId = '', partialResult }) => {
        if (type !== 'tool_execution_update') return;
        received.set(toolCallId, `${received.get(toolCallId) ?? ''}${JSON.stringify(partialResult)}`);
      });
      const prompted = agent.prompt('read them');
      while (signals.length < 2 || ids.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [false, false],
      );
      agent.abort();
      await prompted;
      assert.equal(signals[1]?.aborted, true);
      assert.equal(signals[0]?.aborted, false, 'the one that had ended is none of it');
      assert.equal(new Set(ids).size, 2);
      const reported = [...received.values()];
      assert.equal(reported.length, 2);
      for (const name of ['a.md', 'b.md']) assert.equal(reported.filter((text) => text.includes(`at ${name}`)).length, 1);
      assert.deepEqual(
        resultsOf(agent)
          .map(({ details }) => details.status)
          .sort(),
        ['cancelled', 'completed'],
      );
      manager.dispose();
    },

    'S2.25 a refusal is a result that its model can read': async () => {
      const tool = createSubAgentTool({ ...config, canSpawn: () => false, getConcurrencyInfo: () => ({ active: 4, limit: 4 }) });
      const agent = make(scripted({ calls: [call({ instructions: 'a.md' })] }), [tool]);
      await agent.prompt('read it');
      const [result] = resultsOf(agent);
      assert.match(result?.content[0]?.text ?? '', /4 of 4/);
      assert.equal(result?.details.status, 'refused');
    },
  };
}
