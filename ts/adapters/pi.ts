// pi: its agents as sub-agents, for pi-agent-core 0.73 and 0.87. Owns how the stream function and the hooks of its agents ask
// for each turn and report it. Its agents take our tools as they are, so there is nothing to adapt the other way. Imports
// nothing from it at run time.

import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import { expectKnown } from './any-tool.js';
import { type Finish, finishOf } from './finish.js';
import { agentSource, mistake } from './mistake.js';
import { type ModelUsage, ofModel, usageOf } from './model-usage.js';
import { readValue, schemaPrompt } from './structured.js';
import { type AgentHostOptions, type AgentParams, HOST_OPTIONS, joined, Turns } from './turns.js';

interface Message {
  role: string;
  content?: unknown;
  /** The model that was called. */
  model?: string;
  stopReason?: string;
  /** The provider's own word for it; since 0.87. */
  rawStopReason?: string;
  errorMessage?: string;
  usage?: {
    /** Without the tokens that a cache read or wrote. */
    input: number;
    output: number;
    cacheRead?: number;
    cacheWrite?: number;
    /** Since 0.87. */
    cacheWrite1h?: number;
    reasoning?: number;
    totalTokens?: number;
    cost?: { total: number };
  };
}

interface Context {
  messages: Message[];
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a stream are those of the framework
type StreamFunction = (model: any, context: any, options?: any) => any;

/** The part of an agent that is used here. */
interface AgentLike {
  readonly state: { messages: unknown[]; tools: readonly { readonly name: string }[]; readonly errorMessage?: string | undefined };
  prompt(text: string): Promise<void>;
  abort(): void;
  // biome-ignore lint/suspicious/noExplicitAny: the types of events are those of the framework
  subscribe(listener: (event: any) => void): () => void;
}

interface Hooks {
  streamFn?: StreamFunction;
  streamFunction?: StreamFunction;
  beforeToolCall?: (call: ToolCall, signal?: AbortSignal) => Promise<{ block?: boolean; reason?: string } | undefined>;
  afterToolCall?: (call: ToolCall, signal?: AbortSignal) => Promise<object | undefined>;
}

interface ToolCall {
  toolCall: { name: string };
  args: unknown;
  result?: { content: unknown };
}

/**
 * Runs pi agents as sub-agents: `spawnSubAgent: piAgent((params, run) => new Agent({ … }))`.
 *
 * @param make makes an agent for one run; a pi agent has one conversation
 * @param options the cost of a call, and the text of the last turn
 */
export function piAgent<A extends AgentLike>(
  make: (params: AgentParams, run: Run) => A | Promise<A>,
  options: AgentHostOptions = {},
): SpawnSubAgent {
  expectKnown('piAgent', options, HOST_OPTIONS);
  if (typeof make !== 'function') {
    const expected = 'a function that makes an agent for each run';
    throw mistake(`piAgent takes ${expected}`, { argument: 'make', expected });
  }
  const agentOf = agentSource('piAgent', 'an Agent of pi', 'prompt', make);
  return async (params, run) => {
    const turns = new Turns(run, options);
    const agent = await agentOf(params, run);
    const { state } = agent as unknown as {
      state: { messages: Message[]; tools: { name: string }[]; errorMessage?: string; systemPrompt: string };
    };
    const { schema } = turns;
    const earlier = turns.earlier<Message>();
    if (earlier.length > 0) state.messages = earlier;
    else if (run.systemPrompt !== undefined) systemPrompt(agent, run.systemPrompt);
    const tools = state.tools.filter(({ name }) => turns.has(name));
    if (tools.length < state.tools.length) state.tools = tools;
    bind(agent as unknown as Hooks, turns);
    const unsubscribe = agent.subscribe((event: { type: string; message?: Message }) => {
      const { type, message } = event;
      if (type !== 'message_end' || message?.role !== 'assistant' || turns.isRefused) return;
      const { usage } = message;
      turns.end(ofModel(usedIn(usage), message.model), textOf(message), usage?.cost?.total);
    });
    const abort = (): void => agent.abort();
    run.signal.addEventListener('abort', abort, { once: true });
    try {
      return await turns.conduct(async (prompts) => {
        // pi can ask a model for a value only in words.
        await agent.prompt([...prompts, ...(schema === undefined ? [] : [schemaPrompt(schema)])].join('\n\n'));
        const { messages, errorMessage } = agent.state as { messages: Message[]; errorMessage?: string };
        turns.keep(
          messages.filter((message) => !isRefusal(message)),
          user,
        );
        if (turns.isRefused || run.signal.aborted) return undefined;
        const last = messages.findLast(({ role }) => role === 'assistant');
        const finish = finishIn(last);
        if (errorMessage !== undefined && (finish.failure?.status ?? 'incomplete') === 'incomplete') throw new Error(errorMessage);
        const text = textOf(last);
        const byTool = messages.at(-1)?.role === 'toolResult';
        return { text, finish, byTool, ...(schema !== undefined && { value: readValue(text) }) };
      });
    } finally {
      unsubscribe();
      run.signal.removeEventListener('abort', abort);
    }
  };
}

function usedIn(said: Message['usage']): ModelUsage | undefined {
  if (said === undefined) return undefined;
  const { input, output, totalTokens, cacheRead, cacheWrite, cacheWrite1h, reasoning } = said;
  const kinds = { cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite, cacheWrite1hTokens: cacheWrite1h, reasoningTokens: reasoning };
  return usageOf({ inputTokens: input, outputTokens: output, totalTokens, ...kinds }, true);
}

/** Asks before each call of the model and of a tool. */
function bind(agent: Hooks, turns: Turns): void {
  const name = agent.streamFunction === undefined ? 'streamFn' : 'streamFunction';
  const stream = agent[name] as StreamFunction;
  agent[name] = async (model: { api: string; provider: string; id: string }, context: Context, options: unknown) => {
    try {
      const { wrapUp } = await turns.begin(context.messages.length);
      const withInjected = { ...context, messages: turns.with(context.messages, user), ...(wrapUp && 'tools' in context && { tools: [] }) };
      return await stream.call(agent, model, withInjected, options);
    } catch (error) {
      turns.failed(error);
      // A stream function must not throw: the error is its last event.
      return ended(refusal(model, error instanceof Error ? error.message : 'the call failed'));
    }
  };
  const { beforeToolCall, afterToolCall } = agent;
  agent.beforeToolCall = async (call, signal) => {
    const reason = await turns.beforeTool(call.toolCall.name, call.args);
    return reason === undefined ? beforeToolCall?.call(agent, call, signal) : { block: true, reason };
  };
  agent.afterToolCall = async (call, signal) => {
    const text = await turns.afterTool(call.toolCall.name, call.result?.content);
    return text === undefined ? afterToolCall?.call(agent, call, signal) : { content: [{ type: 'text', text }] };
  };
}

/** How a turn ended; the word for a turn that calls tools says nothing about the end. */
function finishIn({ stopReason, rawStopReason, errorMessage }: Message = { role: 'assistant' }): Finish {
  const { failure, ...finish } = finishOf(stopReason, rawStopReason);
  return failure === undefined ? finish : { failure: errorMessage === undefined ? failure : { ...failure, error: errorMessage } };
}

const REFUSED = 'subagents:refused';

function refusal(model: { api: string; provider: string; id: string }, errorMessage: string): Message & Record<string, unknown> {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: 'assistant',
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost } as Message['usage'] & object,
    stopReason: 'aborted',
    errorMessage,
    responseId: REFUSED,
    timestamp: Date.now(),
  };
}

function isRefusal(message: Message): boolean {
  return (message as { responseId?: string }).responseId === REFUSED;
}

/** A stream that has ended with `message`. */
function ended(message: Message): object {
  return {
    async *[Symbol.asyncIterator]() {
      yield { type: 'error', reason: 'aborted', error: message };
    },
    result: async () => message,
  };
}

/** Since 0.87 the prompt is the transcript's first message, which an agent without prompt and tools doesn't have. */
function systemPrompt(agent: AgentLike, text: string): void {
  const { state } = agent as unknown as { state: { systemPrompt: string; messages: Message[] } };
  const [first, ...rest] = state.messages;
  if (first?.role === 'system') state.messages = [{ ...first, content: joined(textOf(first), text) }, ...rest];
  else if (isReadOnly(state, 'systemPrompt')) state.messages = [{ ...user(text), role: 'system' }, ...state.messages];
  else state.systemPrompt = joined(state.systemPrompt, text) ?? '';
}

function isReadOnly(state: object, property: string): boolean {
  const { get, set } = Object.getOwnPropertyDescriptor(state, property) ?? {};
  return get !== undefined && set === undefined;
}

function user(text: string): Message & { timestamp: number } {
  return { role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() };
}

function textOf(message: Message | undefined): string {
  const { content } = message ?? {};
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { type?: string; text?: unknown }) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

export type { ModelUsage } from './model-usage.js';
export type { AgentHostOptions, AgentParams } from './turns.js';
