// Doubles of each framework's agent that say what a call has used: adapters read it from them as from the framework. Owns how
// each framework says it.

import { toolLoopAgent } from '../../dist/adapters/ai-sdk.js';
import { langgraphAgent } from '../../dist/adapters/langchain.js';
import { mastraAgent } from '../../dist/adapters/mastra.js';
import { openaiAgent } from '../../dist/adapters/openai.js';
import { piAgent } from '../../dist/adapters/pi.js';
import type { SpawnSubAgent } from '../../dist/index.js';

type Call = (...args: unknown[]) => unknown;
export type Costs = { costUsd?: (usage: object) => number };

/** An agent of the AI SDK, as far as the adapter uses one. */
class LoopAgent {
  readonly settings: { model: unknown; prepareStep?: (step: object) => Promise<{ model?: unknown }>; said?: object };
  constructor(settings: LoopAgent['settings']) {
    this.settings = settings;
  }
  async generate({ messages, onStepFinish }: { messages: unknown[]; onStepFinish: (step: object) => void }) {
    const { model } = (await this.settings.prepareStep?.({ model: this.settings.model, messages })) ?? {};
    if (typeof model === 'object') await (model as { doGenerate(): Promise<unknown> }).doGenerate();
    onStepFinish({ text: 'done', usage: this.settings.said });
    return { text: 'done', finishReason: 'stop', steps: [], response: { messages: [] } };
  }
}

/** A model of the AI SDK; with `step`, a step of its agent, whose model is a name. */
export const loop = (usage: object, options: Costs, step?: object, modelId?: string): SpawnSubAgent =>
  toolLoopAgent(
    new LoopAgent({
      model:
        step === undefined
          ? { modelId, doGenerate: async () => ({ content: [{ type: 'text', text: 'done' }], usage }) }
          : (modelId ?? 'a model by name'),
      ...(step && { said: step }),
    }) as never,
    options as never,
  );

/** What one call has used, which the framework adds up. */
export interface OpenAiCall {
  input_tokens: number;
  output_tokens: number;
  input_tokens_details: object;
  output_tokens_details: object;
}

class Runner {
  private readonly listeners = new Map<string, (context: object) => void>();
  readonly config: { readonly calls: readonly OpenAiCall[]; readonly agents: readonly object[] };
  constructor(config: Runner['config']) {
    this.config = config;
  }
  on(event: string, listener: (context: object) => void): void {
    this.listeners.set(event, listener);
  }
  async run(_: unknown, input: object[], { callModelInputFilter }: { callModelInputFilter: (call: object) => Promise<unknown> }) {
    const usage = {
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      inputTokensDetails: [] as object[],
      outputTokensDetails: [] as object[],
    };
    for (const [at, call] of this.config.calls.entries()) {
      const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = call;
      await callModelInputFilter({ modelData: { input }, agent: this.config.agents[at] });
      usage.inputTokens += input_tokens;
      usage.outputTokens += output_tokens;
      usage.totalTokens += input_tokens + output_tokens;
      usage.inputTokensDetails.push(input_tokens_details);
      usage.outputTokensDetails.push(output_tokens_details);
      this.listeners.get('agent_end')?.({ usage });
    }
    return { finalOutput: 'done', history: [] };
  }
}

/** `agents` are those that make the calls: each may hand over to the next. `config` is the runner's. */
export const openai = (
  calls: readonly OpenAiCall[],
  options: Costs,
  agents: readonly object[] = [],
  config: object = {},
): SpawnSubAgent => {
  const agent = {
    instructions: '',
    tools: [],
    clone: () => ({ ...agent, getAllTools: async () => [], getEnabledHandoffs: async () => [] }),
  };
  return openaiAgent(new Runner({ ...config, calls, agents }) as never, agent as never, options as never);
};

export const langchain = (message: object, options: Costs, metadata?: object): SpawnSubAgent =>
  langgraphAgent(
    {
      invoke: async (_: unknown, { callbacks }: { callbacks: [{ handleChatModelStart: Call; handleLLMEnd: Call }] }) => {
        await callbacks[0].handleChatModelStart({}, [[]], 'call-1', undefined, {}, [], metadata);
        callbacks[0].handleLLMEnd({ generations: [[{ message }]] }, 'call-1');
        return { messages: [message] };
      },
    } as never,
    options as never,
  );

export const mastra = (usage: object, options: Costs, modelId?: string): SpawnSubAgent =>
  mastraAgent(
    {
      generate: async (_: unknown, { prepareStep, onStepFinish }: { prepareStep: Call; onStepFinish: Call }) => {
        await prepareStep({ model: { modelId }, messageList: { add: () => undefined }, messages: [] });
        onStepFinish({ text: 'done', usage });
        return { text: 'done', finishReason: 'stop' };
      },
    } as never,
    options as never,
  );

export const pi = (usage: object, options: Costs, model?: string): SpawnSubAgent =>
  piAgent(
    (() => {
      let listener = (_: object): void => undefined;
      const agent = {
        state: { messages: [] as object[], tools: [] },
        streamFn: async () => undefined,
        subscribe: (given: typeof listener) => {
          listener = given;
          return () => undefined;
        },
        abort: () => undefined,
        async prompt() {
          await (agent.streamFn as unknown as (model: object, context: object) => Promise<unknown>)({}, { messages: [] });
          const message = { role: 'assistant', content: 'done', usage, model };
          agent.state.messages.push(message);
          listener({ type: 'message_end', message });
        },
      };
      return agent;
    }) as never,
    options as never,
  );
