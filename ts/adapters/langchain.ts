// LangChain, LangGraph, deepagents: our tools for their agents, and their graphs as sub-agents. Owns how callbacks and
// middleware ask for each turn and report it. Imports nothing from them at run time.

import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import { type AnyTools, expectKnown, lenientSchema, toolsOf } from './any-tool.js';
import { type Finish, finishOf, unanswered } from './finish.js';
import { agentSource, expectPart } from './mistake.js';
import { type ModelUsage, ofModel, usageOf } from './model-usage.js';
import { readValue } from './structured.js';
import { type AgentHostOptions, type AgentParams, type Answer, HOST_OPTIONS, Turns, unapproved } from './turns.js';

interface ToolConfig {
  signal?: AbortSignal;
  toolCall?: { id?: string };
  toolCallId?: string;
  writer?: ((chunk: unknown) => void) | null;
}

/** The part of `tool` of `@langchain/core/tools` that is used here. */
// biome-ignore lint/suspicious/noExplicitAny: its overloads differ in the input alone
type MakeTool<T> = (run: (input: any, config: any) => Promise<string>, fields: { name: string; description: string; schema: any }) => T;

/** Converts our tools for LangChain: `createAgent({ tools: langchainTools(tool, manager.createTools()) })`. */
export function langchainTools<T>(tool: MakeTool<T>, tools: AnyTools): T[] {
  expectPart('langchainTools', 'tool', 'the function `tool` of @langchain/core/tools', tool);
  return toolsOf('langchainTools', tools).map((ours) => {
    const run = (input: unknown, config: ToolConfig | undefined): Promise<string> =>
      ours.execute(input, {
        signal: config?.signal,
        toolCallId: config?.toolCall?.id ?? config?.toolCallId,
        writer: config?.writer ?? undefined,
      });
    return tool(run, { name: ours.name, description: ours.description, schema: lenientSchema(ours) });
  });
}

interface Message {
  content?: unknown;
  /** The provider's metadata; each has its own words. */
  response_metadata?: ProviderSays;
  additional_kwargs?: ProviderSays;
  tool_calls?: readonly { name: string }[];
  /** Calls whose arguments could not be read. */
  invalid_tool_calls?: readonly { name?: string | undefined; error?: string | undefined }[];
  usage_metadata?: {
    input_tokens: number;
    output_tokens: number;
    total_tokens: number;
    input_token_details?: { cache_read?: number; cache_creation?: number };
    output_token_details?: { reasoning?: number };
  };
  getType?(): string;
}
interface Generation {
  generations: { message?: Message; text?: string }[][];
  /** Models without messages, and some others, report their usage here. */
  llmOutput?: { tokenUsage?: { promptTokens?: number; completionTokens?: number; totalTokens?: number } } | null;
}
/** The state of a graph at its end. */
interface State {
  messages: Message[];
  /** The value that `createAgent` makes for its `responseFormat`. */
  structuredResponse?: unknown;
  /** Set if the graph stopped to ask a person. */
  __interrupt__?: readonly unknown[];
}
interface ModelCall {
  messages: Message[];
  tools?: { name?: string }[];
  toolChoice?: unknown;
}

/** The part of a compiled graph that is used here. */
interface GraphLike {
  invoke(input: never, config: never): Promise<unknown>;
}

/** The parts for a graph that is made for one run. */
export interface GraphKit {
  /**
   * For `createAgent({ middleware: [...] })` and `createDeepAgent`: delivers messages in mid-run, filters tools and asks before
   * each tool call.
   *
   * Turns, usage and abort work without it, too.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the types of middleware are those of the agent that it is for
  middleware: any;
  /** Goes into `createAgent({ responseFormat })`: the run's `schema` as JSON Schema, undefined if it has none. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of a response format are those of the agent that it is for
  responseFormat: any;
}

/**
 * A host function runs in the asynchronous context of its spawn. A graph would take the signals of the surrounding graph from
 * there. Only the manager stops a run: background work outlives an abort of the main agent.
 */
const OWN_SIGNAL = { __pregel_abort_signals: undefined };

/**
 * Runs a graph, an agent of `createAgent` or a deep agent as a sub-agent:
 * `spawnSubAgent: langgraphAgent((_, run, { middleware, responseFormat }) => createAgent({ model, tools, middleware: [middleware], responseFormat }))`.
 * Its state has `messages`. A graph without `middleware` reads steering texts only at its end, and its model sees all its
 * tools.
 */
export function langgraphAgent<G extends GraphLike>(
  graph: G | ((params: AgentParams, run: Run, kit: GraphKit) => G | Promise<G>),
  options: AgentHostOptions = {},
): SpawnSubAgent {
  expectKnown('langgraphAgent', options, HOST_OPTIONS);
  const graphOf = agentSource('langgraphAgent', 'a compiled graph or an agent', 'invoke', graph);
  return async (params, run) => {
    const turns = new Turns(run, options);
    const conversation = new Conversation(turns);
    const kit = (): GraphKit => ({ middleware: conversation.middleware(), responseFormat: turns.schema });
    const made = typeof graph === 'function' ? await graphOf(params, run, kit()) : graph;
    const system: unknown[] = run.systemPrompt === undefined ? [] : [{ role: 'system', content: run.systemPrompt }];
    const config = {
      signal: run.signal,
      recursionLimit: Number.MAX_SAFE_INTEGER,
      callbacks: [conversation.callbacks()],
      configurable: OWN_SIGNAL,
    };
    return turns.conduct(async (prompts) => {
      const earlier = turns.earlier<unknown>();
      const input = [...(earlier.length > 0 ? earlier : system), ...prompts.map(human)];
      try {
        let given = input;
        for (;;) {
          const state = (await made.invoke({ messages: given } as never, config as never)) as State;
          const { messages, structuredResponse: value } = state;
          if ((state.__interrupt__?.length ?? 0) > 0) throw unapproved('The graph');
          turns.keep<unknown>(messages, human);
          const late = conversation.late.splice(0);
          // With a value, LangChain has its own finish words.
          if (late.length === 0) return value === undefined ? answerIn(messages.at(-1)) : { text: JSON.stringify(value), value };
          given = [...messages, ...late.map(human)];
        }
      } catch (error) {
        turns.keep(conversation.last.length > 0 ? conversation.last : input, human);
        const answer = run.schema === undefined ? undefined : unfit(error, conversation.said);
        if (answer !== undefined) return answer;
        throw error;
      }
    });
  };
}

/** The answer in the last message. If that is a tool's, the tool ended the graph. */
function answerIn(message: Message | undefined): Answer {
  const text = textOf(message);
  if (message?.getType?.() === 'tool') return { text, byTool: true };
  const finish = finishIn(message);
  if (finish.failure !== undefined) return { text, finish };
  const [invalid] = message?.invalid_tool_calls ?? [];
  const [open] = message?.tool_calls ?? [];
  if (open !== undefined) return { text, finish: { failure: unanswered(open.name, 'the graph ended without its result') } };
  if (invalid === undefined) return { text, finish };
  const error = `the model's last turn calls the tool ${invalid.name ?? ''} with arguments that can't be read: ${invalid.error ?? 'they are no JSON'}`;
  return { text, finish: { failure: { status: 'incomplete', error } } };
}

/** How the model's last turn ended. Each provider has its own place and words for that, and another place if it streams. */
function finishIn({ response_metadata: metadata, additional_kwargs: beside, content }: Message = {}): Finish {
  const parts = Array.isArray(content) ? (content as { type?: string }[]) : [];
  const said: ProviderSays = { ...beside, ...metadata };
  if (isRefusal(said.refusal) || parts.some(({ type }) => type === 'refusal')) return finishOf('refusal');
  const snake = said.finish_reason ?? said.stop_reason ?? said.done_reason;
  const camel = said.finishReason ?? said.stopReason ?? said.messageStop?.stopReason;
  return finishOf(snake ?? camel ?? said.status, said.incomplete_details?.reason);
}

interface ProviderSays {
  /** The model that answered; each provider has a name of its own for it. */
  model_name?: unknown;
  model?: unknown;
  refusal?: unknown;
  finish_reason?: unknown;
  stop_reason?: unknown;
  done_reason?: unknown;
  finishReason?: unknown;
  stopReason?: unknown;
  messageStop?: { stopReason?: unknown };
  status?: unknown;
  incomplete_details?: { reason?: unknown } | null;
  /** Anthropic's figures by how long its cache keeps tokens. */
  usage?: { cache_creation?: { ephemeral_1h_input_tokens?: number } | null };
}

function isRefusal(refusal: unknown): boolean {
  return typeof refusal === 'string' && refusal !== '';
}

/** The answer that LangChain found not to fit. The manager names the mistake. */
function unfit(error: unknown, text: string): Answer | undefined {
  // Its error has no name, and is wrapped if there is middleware.
  const { message } = error as { message?: unknown };
  const isUnfit = typeof message === 'string' && message.startsWith('Failed to parse structured output');
  return isUnfit ? { text, value: readValue(text) } : undefined;
}

function human(text: string): { role: 'user'; content: string } {
  return { role: 'user', content: text };
}

/** Follows every model call in the graph, its subgraphs included. */
class Conversation {
  /** The last input of the model. */
  last: unknown[] = [];
  /** Texts that arrived during the run and did not reach the model. The graph gets them at its end. */
  readonly late: string[] = [];
  /** The model's last text. */
  said = '';
  private readonly turns: Turns;
  /** Running tools, by the id of their call. */
  private readonly tools = new Map<string, string>();
  private asksForTools = false;
  /** The models of open calls, by the id of the call, as the program named them. */
  private readonly models = new Map<unknown, unknown>();
  /** How many calls the middleware has already asked for. */
  private asked = 0;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Makes callbacks, which reach every model of any graph. */
  callbacks(): object {
    const begin = async (messages: readonly unknown[]): Promise<void> => {
      if (this.asked > 0) this.asked -= 1;
      else {
        this.last = [...messages];
        const { inject } = await this.turns.begin(messages.length);
        this.late.push(...inject);
        this.turns.dropInjected();
      }
    };
    const name = ([id, , , , metadata]: unknown[]): void => {
      this.models.set(id, (metadata as { ls_model_name?: unknown } | undefined)?.ls_model_name);
    };
    return {
      name: 'subagents',
      awaitHandlers: true,
      raiseError: true,
      handleChatModelStart: (_: unknown, messages: unknown[][], ...call: unknown[]) => {
        name(call);
        return begin(messages[0] ?? []);
      },
      handleLLMStart: (_: unknown, prompts: unknown[], ...call: unknown[]) => {
        name(call);
        return begin(prompts);
      },
      // If this throws, the tool is not called, and the model reads why. Middleware asks by itself.
      handleToolStart: async (...[, input, id, , , , name]: (string | undefined)[]) => {
        if (this.asksForTools || name === undefined) return;
        const refusal = await this.turns.beforeTool(name, input);
        if (refusal !== undefined) throw new Error(refusal);
        this.tools.set(id ?? '', name);
      },
      handleToolEnd: async (output: unknown, id: string) => {
        const name = this.tools.get(id);
        if (name === undefined || this.asksForTools) return;
        this.tools.delete(id);
        const withheld = await this.turns.afterTool(name, output);
        if (withheld !== undefined) this.turns.show(withheld);
      },
      handleToolError: (_: unknown, id: string) => {
        this.tools.delete(id);
      },
      handleLLMEnd: ({ generations, llmOutput }: Generation, id: unknown) => {
        const [first] = generations[0] ?? [];
        const { model_name: said, model = said } = first?.message?.response_metadata ?? {};
        const called = this.models.get(id) ?? model;
        this.models.delete(id);
        this.said = first?.message === undefined ? (first?.text ?? '') : textOf(first.message);
        this.turns.end(ofModel(usedIn(first?.message, llmOutput), called), this.said);
      },
      handleLLMError: (error: unknown, id: unknown) => {
        this.models.delete(id);
        this.turns.failed(error);
      },
    };
  }

  /** Makes middleware of `createAgent`, which can change the model's input. */
  middleware(): object {
    const asking = (): void => {
      this.asksForTools = true;
    };
    return {
      [Symbol.for('AgentMiddleware')]: true,
      name: 'subagents',
      wrapModelCall: async (request: ModelCall, handler: (request: ModelCall) => Promise<unknown>) => {
        asking();
        const { wrapUp } = await this.turns.begin(request.messages.length);
        const messages = this.turns.with<unknown>(request.messages, human) as Message[];
        this.last = request.messages;
        const tools = (request.tools ?? []).filter(({ name }) => name === undefined || this.turns.has(name));
        this.asked += 1;
        try {
          return await handler({ ...request, messages, tools: wrapUp ? [] : tools });
        } finally {
          this.asked = 0;
        }
      },
      wrapToolCall: async (request: { toolCall: { name: string; args?: unknown } }, handler: (request: unknown) => Promise<unknown>) => {
        const { name } = request.toolCall;
        const refusal = await this.turns.beforeTool(name, request.toolCall.args);
        // The agent makes its own kind of message from a tool's result.
        const saying = (text: string): Promise<unknown> => handler({ ...request, tool: { name, invoke: async () => text } });
        if (refusal !== undefined) return saying(refusal);
        const result = await handler(request).catch((error: unknown) => {
          throw forTheModel(error, request.toolCall);
        });
        const withheld = await this.turns.afterTool(name, (result as Message).content);
        return withheld === undefined ? result : saying(withheld);
      },
    };
  }
}

/**
 * Without middleware, LangChain shows a tool's error to the model; with it, the error would end the agent. Marked as a wrong
 * call, it is shown. Interrupts, and errors that are marked already, stay unchanged.
 */
function forTheModel(error: unknown, toolCall: object): unknown {
  if (!(error instanceof Error) || '~brand' in error || (error as { is_bubble_up?: unknown }).is_bubble_up === true) return error;
  const marked = new Error(`${error}\n Please fix your mistakes.`, { cause: error });
  return Object.assign(marked, { '~brand': 'ToolInvocationError', toolCall, toolError: error });
}

function usedIn(message: Message | undefined, beside: Generation['llmOutput']): ModelUsage | undefined {
  const used = message?.usage_metadata;
  if (used !== undefined)
    return usageOf({
      inputTokens: used.input_tokens,
      outputTokens: used.output_tokens,
      totalTokens: used.total_tokens,
      cacheReadTokens: used.input_token_details?.cache_read,
      cacheWriteTokens: used.input_token_details?.cache_creation,
      cacheWrite1hTokens: message?.response_metadata?.usage?.cache_creation?.ephemeral_1h_input_tokens,
      reasoningTokens: used.output_token_details?.reasoning,
    });
  const said = beside?.tokenUsage;
  return said && usageOf({ inputTokens: said.promptTokens, outputTokens: said.completionTokens, totalTokens: said.totalTokens });
}

/** The text of a message. */
function textOf(message: Message | undefined): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { type?: string; text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

export type { AnyTool, AnyTools } from './any-tool.js';
export type { ModelUsage } from './model-usage.js';
export type { AgentHostOptions, AgentParams } from './turns.js';
