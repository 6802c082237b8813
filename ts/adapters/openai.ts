// OpenAI Agents: our tools for its agents, and its agents as sub-agents. Imports nothing of it at run time.

import type { SpawnSubAgent } from '../options.js';
import type { Run } from '../run.js';
import type { ToolCallOptions } from '../tools/object.js';
import { type AnyTool, type AnyTools, plainSchema, toolsOf } from './any-tool.js';
import { type AgentHostOptions, type AgentParams, joined, Turns } from './turns.js';

/** A function tool as `Agent` takes it; the same as its own `tool()` makes. */
export interface OpenAIFunctionTool {
  type: 'function';
  name: string;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the type that OpenAI Agents has there
  parameters: { type: 'object'; properties: Record<string, any>; required: string[]; additionalProperties: any };
  strict: false;
  invoke(context: unknown, input: string, details?: { signal?: AbortSignal; toolCall?: { callId: string } }): Promise<string>;
  needsApproval(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** Our tools as OpenAI Agents takes them: `new Agent({ tools: openaiTools(manager.createTools()) })`. */
export function openaiTools(tools: AnyTools): OpenAIFunctionTool[] {
  return toolsOf(tools).map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: plainSchema(tool) as OpenAIFunctionTool['parameters'],
    strict: false,
    invoke: (_, input, details) => call(tool, input, { signal: details?.signal, toolCallId: details?.toolCall?.callId }),
    needsApproval: async () => false,
    isEnabled: async () => true,
  }));
}

/** Arguments arrive as JSON; what can't be parsed goes on as it is, alone, for the tool to say so. */
function call(tool: AnyTool, input: string, options: ToolCallOptions): Promise<string> {
  let args: unknown;
  try {
    args = JSON.parse(input);
  } catch {
    return tool.execute(input);
  }
  // A text alone would be taken for the id of a call.
  return typeof args === 'string' ? tool.execute(args) : tool.execute(args, options);
}

/** As much of an agent as is needed here. */
interface AgentLike {
  readonly instructions: unknown;
  readonly tools: readonly { readonly name: string }[];
  clone(config: never): AgentLike;
}

/** As much of a runner as is needed here. */
interface RunnerLike {
  readonly config: object;
  run(agent: never, input: never, options: never): Promise<unknown>;
}

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
}
interface ContextLike {
  context: unknown;
  usage: { inputTokens: number; outputTokens: number; totalTokens: number };
}
interface ToolLike {
  name: string;
  invoke?: (context: unknown, input: string, details?: unknown) => Promise<unknown>;
}
interface Emitter {
  on(event: string, listener: (context: ContextLike) => void): void;
}
interface RunResultLike {
  finalOutput?: unknown;
  history: Item[];
}

/**
 * Runs an `Agent` as a sub-agent: `spawnSubAgent: openaiAgent(new Runner(), agent)`.
 *
 * @param runner its configuration is used: model provider, tracing, guardrails
 * @param agent the agent, or what makes one for a run
 */
export function openaiAgent<A extends AgentLike>(
  runner: RunnerLike,
  agent: A | ((params: AgentParams, run: Run) => A | Promise<A>),
  options: AgentHostOptions = {},
): SpawnSubAgent {
  return async (params, run) => {
    const turns = new Turns(run, options);
    const given = typeof agent === 'function' ? await agent(params, run) : agent;
    const tools = (given.tools as readonly ToolLike[]).filter(({ name }) => turns.has(name)).map((tool) => checked(tool, turns));
    const own = given.clone({ tools, instructions: instructionsOf(given.instructions, run.systemPrompt) } as never);
    // A runner of its own: its events are of this run alone.
    const alone = new (runner.constructor as new (config: object) => RunnerLike & Emitter)(runner.config);
    const usage = new UsageSoFar(turns);
    for (const event of ['agent_start', 'agent_tool_start', 'agent_end', 'agent_handoff'])
      alone.on(event, (context) => usage.read(context));
    let last: Item[] = [];
    const callModelInputFilter = async ({ modelData }: { modelData: { input: Item[]; instructions?: string } }) => {
      usage.flush(textOf(modelData.input));
      await turns.begin(modelData.input.length);
      last = modelData.input;
      return { ...modelData, input: turns.with(last, user) };
    };
    return turns.conduct(async (prompts) => {
      const input: Item[] = [...turns.earlier<Item>(), ...prompts.map(user)];
      try {
        const limits = { signal: run.signal, maxTurns: null, callModelInputFilter, toolNotFoundBehavior: 'return_error_to_model' };
        const result = (await alone.run(own as never, input as never, limits as never)) as RunResultLike;
        usage.flush(typeof result.finalOutput === 'string' ? result.finalOutput : '');
        turns.keep(result.history, user);
        return typeof result.finalOutput === 'string' ? result.finalOutput : JSON.stringify(result.finalOutput ?? '');
      } catch (error) {
        usage.flush('');
        turns.keep(last.length > 0 ? last : input, user);
        throw error;
      }
    });
  };
}

function user(text: string): Item {
  return { role: 'user', content: text };
}

/** Instructions are a text, or a function that gives one. */
function instructionsOf(own: unknown, given: string | undefined): unknown {
  if (typeof own === 'function' && given === undefined) return own;
  if (typeof own !== 'function') return joined(typeof own === 'string' ? own : undefined, given) ?? '';
  return async (...args: unknown[]) => joined((await own(...args)) as string, given);
}

/** A tool that is asked about before each call. */
function checked(tool: ToolLike, turns: Turns): ToolLike {
  const { invoke } = tool;
  if (invoke === undefined) return tool;
  return {
    ...tool,
    invoke: (context, input, details) => turns.use(tool.name, input, () => invoke.call(tool, context, input, details)),
  };
}

/** The runner keeps one sum of usage; what it grew by since the last look is one call of the model. */
class UsageSoFar {
  private readonly turns: Turns;
  private context: ContextLike | undefined;
  private readonly seen = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

  constructor(turns: Turns) {
    this.turns = turns;
  }

  read(context: ContextLike): void {
    this.context = context;
    this.flush('');
  }

  flush(text: string): void {
    const now = this.context?.usage;
    if (now === undefined) return;
    const totalTokens = now.totalTokens - this.seen.totalTokens;
    const used = {
      inputTokens: now.inputTokens - this.seen.inputTokens,
      outputTokens: now.outputTokens - this.seen.outputTokens,
      totalTokens,
    };
    Object.assign(this.seen, { inputTokens: now.inputTokens, outputTokens: now.outputTokens, totalTokens: now.totalTokens });
    this.turns.end(totalTokens > 0 ? used : undefined, text);
  }
}

/** What the model last said. */
function textOf(items: readonly Item[]): string {
  const said = items.findLast((item) => item.role === 'assistant');
  if (said === undefined) return '';
  if (typeof said.content === 'string') return said.content;
  if (!Array.isArray(said.content)) return '';
  return said.content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

export type { AnyTool, AnyTools } from './any-tool.js';
export type { AgentHostOptions, AgentParams, ModelUsage } from './turns.js';
