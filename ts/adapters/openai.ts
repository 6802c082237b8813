// OpenAI Agents: our tools for its agents, and its agents as sub-agents. Owns how a tool becomes one of its function tools, and
// how its runner asks for each turn and reports it. Imports nothing from it at run time.

import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import type { ToolCallOptions } from '../tools/object.js';
import { type AnyTool, type AnyTools, expectKnown, plainSchema, toolsOf } from './any-tool.js';
import { type Finish, finishOf } from './finish.js';
import { agentSource, expectPart } from './mistake.js';
import { type Amounts, ofModel, usageOf } from './model-usage.js';
import { readValue } from './structured.js';
import { type AgentHostOptions, type AgentParams, HOST_OPTIONS, joined, Turns, unapproved } from './turns.js';

/** A function tool for `Agent`, like those that its own `tool()` makes. */
export interface OpenAIFunctionTool {
  type: 'function';
  /** The name by which the model calls it. */
  name: string;
  /** The description that the model reads. */
  description: string;
  /** Its parameters: JSON Schema. */
  parameters: {
    type: 'object';
    /** A JSON Schema for each parameter. */
    // biome-ignore lint/suspicious/noExplicitAny: the type that OpenAI Agents has there
    properties: Record<string, any>;
    /** Names of the required parameters. */
    required: string[];
    /** `true`: the tool ignores unknown arguments. */
    // biome-ignore lint/suspicious/noExplicitAny: the type that OpenAI Agents has there
    additionalProperties: any;
  };
  strict: false;
  /** Runs it, with the arguments as JSON; resolves to the text for the model. */
  invoke(context: unknown, input: string, details?: { signal?: AbortSignal; toolCall?: { callId: string } }): Promise<string>;
  /** Resolves to false: it needs no approval. */
  needsApproval(): Promise<boolean>;
  /** Resolves to true: the model may always call it. */
  isEnabled(context?: unknown, agent?: unknown): Promise<boolean>;
}

/** Converts our tools for OpenAI Agents: `new Agent({ tools: openaiTools(manager.createTools()) })`. */
export function openaiTools(tools: AnyTools): OpenAIFunctionTool[] {
  return toolsOf('openaiTools', tools).map((tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    // Part of schemas that aren't strict. Without it, the Responses API would make them strict.
    parameters: { ...plainSchema(tool), additionalProperties: true } as OpenAIFunctionTool['parameters'],
    strict: false,
    invoke: (_, input, details) => call(tool, input, { signal: details?.signal, toolCallId: details?.toolCall?.callId }),
    needsApproval: neverAsks,
    isEnabled: async (_, agent) => {
      if (agent !== undefined) approve(agent as AskedAgent);
      return true;
    },
  }));
}

/** No call of our tools needs an approval. */
async function neverAsks(): Promise<boolean> {
  return false;
}

/** An agent whose tools are asked whether they are enabled. */
interface AskedAgent {
  readonly tools?: readonly { needsApproval?: unknown }[];
  asTool?(options: { toolName: string; toolDescription: string }): { needsApproval?: unknown };
}

/**
 * Since 0.20 a call whose arguments are no JSON object waits for an approval, unless the framework itself made the function
 * that asks for one. Any tool that the framework makes has such a function, so our tools get one. The model then reads the
 * mistake in its arguments. A function that the program has set instead stays.
 */
function approve(agent: AskedAgent): void {
  const ours = agent.tools?.filter(({ needsApproval }) => needsApproval === neverAsks) ?? [];
  const made = ours.length === 0 ? undefined : agent.asTool?.({ toolName: 'none', toolDescription: 'none' });
  if (typeof made?.needsApproval !== 'function') return;
  for (const tool of ours) Reflect.set(tool, 'needsApproval', made.needsApproval);
}

/** Arguments arrive as JSON. If the text can't be parsed, the tool gets it as it is, and names the mistake. */
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

/** The part of an agent that is used here. */
interface AgentLike {
  readonly instructions: unknown;
  readonly outputType?: unknown;
  /** A model or its name; an empty name for the default. */
  readonly model?: unknown;
  readonly tools: readonly { readonly name: string }[];
  clone(config: never): AgentLike;
}

/** The part of a runner that is used here. */
interface RunnerLike {
  readonly config: object;
  run(agent: never, input: never, options: never): Promise<unknown>;
}

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  status?: string;
}
interface ModelData {
  input: Item[];
  instructions?: string;
}
/** A function that may change the input of the model. */
type InputFilter = (call: {
  modelData: ModelData;
  agent?: Pick<AgentLike, 'model'>;
  [name: string]: unknown;
}) => ModelData | Promise<ModelData>;
interface Usage {
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  /** Of each call so far. */
  inputTokensDetails?: readonly Record<string, number | undefined>[];
  outputTokensDetails?: readonly Record<string, number | undefined>[];
}
interface ContextLike {
  context: unknown;
  usage: Usage;
}
interface ToolLike {
  name: string;
  invoke?: (context: unknown, input: string, details?: unknown) => Promise<unknown>;
}
interface Emitter {
  on(event: string, listener: (context: ContextLike) => void): void;
}
interface RunResultLike {
  /** Calls of tools that wait for an approval. */
  interruptions?: readonly { rawItem?: { name?: string } }[];
  finalOutput?: unknown;
  history: Item[];
  rawResponses?: readonly ModelResponse[];
}

/** The model's output in one turn, and its provider's data about that. */
interface ModelResponse {
  output: readonly Item[];
  providerData?: Record<string, unknown> | undefined;
}

/**
 * Runs an `Agent` as a sub-agent: `spawnSubAgent: openaiAgent(new Runner(), agent)`.
 *
 * @param runner its configuration is used: model provider, tracing, guardrails
 * @param agent the agent, or a function that makes one for a run
 * @param options the cost of a call, and the text of the last turn
 */
export function openaiAgent<A extends AgentLike>(
  runner: RunnerLike,
  agent: A | ((params: AgentParams, run: Run) => A | Promise<A>),
  options: AgentHostOptions = {},
): SpawnSubAgent {
  expectKnown('openaiAgent', options, HOST_OPTIONS);
  expectPart('openaiAgent', 'runner', 'a Runner of OpenAI Agents, as in openaiAgent(new Runner(), agent)', runner, 'run');
  const agentOf = agentSource('openaiAgent', 'a Runner and an Agent of OpenAI Agents', 'clone', agent);
  return async (params, run) => {
    const turns = new Turns(run, options);
    const given = await agentOf(params, run);
    const own = new Guard(turns).of(given, { instructions: instructionsOf(given.instructions, run.systemPrompt) });
    // A runner of its own: its events are of this run alone.
    const alone = new (runner.constructor as new (config: object) => RunnerLike & Emitter)(runner.config);
    const { callModelInputFilter: ownFilter, model } = runner.config as { callModelInputFilter?: InputFilter; model?: unknown };
    const usage = new UsageSoFar(turns);
    for (const event of ['agent_start', 'agent_tool_start', 'agent_end', 'agent_handoff'])
      alone.on(event, (context) => usage.read(context));
    let last: Item[] = [];
    let hasSpoken = false;
    const callModelInputFilter: InputFilter = async (call) => {
      const { modelData } = call;
      // Ignore text of earlier runs.
      usage.flush(hasSpoken ? textOf(modelData.input) : '');
      await turns.begin(modelData.input.length);
      hasSpoken = true;
      usage.model = nameOf(call.agent?.model || model);
      last = modelData.input;
      const withInjected = { ...modelData, input: turns.with(last, user) };
      return ownFilter === undefined ? withInjected : ownFilter({ ...call, modelData: withInjected });
    };
    return turns.conduct(async (prompts) => {
      const input: Item[] = [...turns.earlier<Item>(), ...prompts.map(user)];
      last = input;
      hasSpoken = false;
      try {
        const limits = { signal: run.signal, maxTurns: null, callModelInputFilter, toolNotFoundBehavior: 'return_error_to_model' };
        const result = (await alone.run(own as never, input as never, limits as never)) as RunResultLike;
        const [waiting] = result.interruptions ?? [];
        if (waiting !== undefined) throw unapproved(`The tool ${waiting.rawItem?.name ?? ''}`);
        usage.flush(typeof result.finalOutput === 'string' ? result.finalOutput : '');
        turns.keep(result.history, user);
        const { finalOutput } = result;
        const text = typeof finalOutput === 'string' ? finalOutput : (JSON.stringify(finalOutput) ?? '');
        const last = result.rawResponses?.at(-1);
        const byTool = last?.output.some(({ type }) => type === 'function_call') ?? false;
        return { text, finish: finishIn(last), byTool, ...(run.schema !== undefined && { value: finalOutput }) };
      } catch (error) {
        usage.flush('');
        turns.keep(last, user);
        throw error;
      }
    });
  };
}

function user(text: string): Item {
  return { role: 'user', content: text };
}

/** How a turn ended: by its content, else in the words of Chat Completions, the Responses API or the AI SDK's models. */
function finishIn({ output, providerData = {} }: ModelResponse = { output: [] }): Finish {
  const message = output.findLast(({ type, role }) => type === 'message' || role === 'assistant');
  const parts = Array.isArray(message?.content) ? (message.content as { type?: string }[]) : [];
  if (parts.some(({ type }) => type === 'refusal')) return finishOf('refusal');
  const { choices, incomplete_details: details, finishReason } = providerData as ProviderData;
  const reason = choices?.[0]?.finish_reason ?? finishReason?.unified ?? finishReason ?? providerData.status;
  const finish = finishOf(reason, details?.reason ?? finishReason?.raw);
  return finish.failure === undefined && message?.status === 'incomplete' ? finishOf('incomplete') : finish;
}

interface ProviderData {
  choices?: readonly { finish_reason?: unknown }[];
  incomplete_details?: { reason?: unknown } | null;
  finishReason?: { unified?: unknown; raw?: unknown };
}

/** Joins instructions, which are a text, or a function that returns one. */
function instructionsOf(own: unknown, given: string | undefined): unknown {
  if (typeof own === 'function' && given === undefined) return own;
  if (typeof own !== 'function') return joined(typeof own === 'string' ? own : undefined, given) ?? '';
  return async (...args: unknown[]) => joined((await own(...args)) as string, given);
}

/** An agent's own answers: its tools, including those of its MCP servers, and the agents that it may hand over to. */
interface AgentQuestions {
  processFinalOutput(output: string): unknown;
  getAllTools(...context: unknown[]): Promise<ToolLike[]>;
  getEnabledHandoffs(...context: unknown[]): Promise<HandoffLike[]>;
}
interface HandoffLike {
  onInvokeHandoff(...call: unknown[]): Promise<AgentLike>;
  clone(config: object): HandoffLike;
}

/** The agents of one run. Each has only the tools that the sub-agent may have, and every call is checked. */
class Guard {
  private readonly turns: Turns;
  private readonly outputType: object | undefined;
  private readonly agents = new Map<AgentLike, AgentLike>();
  private readonly tools = new WeakMap<ToolLike, ToolLike>();

  constructor(turns: Turns) {
    this.turns = turns;
    const { schema } = turns;
    // Strict schemas are a form of OpenAI's own, unlike others; the manager checks the value.
    this.outputType = schema && { type: 'json_schema', name: 'result', strict: false, schema };
  }

  of(given: AgentLike, config: object = {}): AgentLike {
    const known = this.agents.get(given);
    if (known !== undefined) return known;
    // The agent's own output type takes precedence over the run's schema.
    const { outputType } = this;
    const isAsked = outputType !== undefined && (given.outputType ?? 'text') === 'text';
    const asked = isAsked ? { outputType } : {};
    const own = given.clone({ tools: this.allowed(given.tools), ...config, ...asked } as never) as AgentLike & AgentQuestions;
    // The runner doesn't fail for an output that is no JSON: the manager checks the value.
    if (isAsked) own.processFinalOutput = readValue;
    this.agents.set(given, own);
    this.agents.set(own, own);
    const { getAllTools, getEnabledHandoffs } = own;
    own.getAllTools = async (...context) => this.allowed(await getAllTools.apply(own, context));
    own.getEnabledHandoffs = async (...context) =>
      (await getEnabledHandoffs.apply(own, context)).map((handoff) =>
        handoff.clone({ onInvokeHandoff: async (...call: unknown[]) => this.of(await handoff.onInvokeHandoff(...call)) }),
      );
    return own;
  }

  private allowed(tools: readonly ToolLike[]): ToolLike[] {
    return tools.filter(({ name }) => this.turns.has(name)).map((tool) => this.checked(tool));
  }

  /** Wraps a tool, so that the manager is asked before each call. */
  private checked(tool: ToolLike): ToolLike {
    const known = this.tools.get(tool);
    if (known !== undefined) return known;
    const { invoke } = tool;
    if (invoke === undefined) return tool;
    const own: ToolLike = {
      ...tool,
      invoke: (context, input, details) => this.turns.use(tool.name, input, () => invoke.call(tool, context, input, details)),
    };
    this.tools.set(tool, own);
    this.tools.set(own, own);
    return own;
  }
}

/** The name of a model: the program's name for it, or that of a model of OpenAI's. */
function nameOf(model: unknown): unknown {
  return typeof model === 'object' && model !== null ? (model as { _model?: unknown })._model : model;
}

/** The runner has one sum of usage. Its increase since the last look is one call of the model. */
class UsageSoFar {
  private readonly turns: Turns;
  private context: ContextLike | undefined;
  private seen: Amounts = {};
  /** The model that is called, if its name is known. */
  model: unknown;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  read(context: ContextLike): void {
    this.context = context;
    this.flush('');
  }

  flush(text: string): void {
    const usage = this.context?.usage;
    // At most looks, nothing was used since the last one.
    if (usage === undefined || (text === '' && usage.totalTokens === (this.seen.totalTokens ?? 0))) return;
    const now = sumsOf(usage);
    const used: Amounts = {};
    for (const [name, sum] of Object.entries(now) as [keyof Amounts, number][]) used[name] = sum - (this.seen[name] ?? 0);
    this.seen = now;
    this.turns.end((used.totalTokens ?? 0) > 0 ? ofModel(used, this.model) : undefined, text);
  }
}

function sumsOf({ inputTokens, outputTokens, totalTokens, inputTokensDetails = [], outputTokensDetails = [] }: Usage): Amounts {
  const sum = (details: readonly Record<string, number | undefined>[], name: string): number | undefined => {
    const said = details.map((of) => of[name]).filter((one) => one !== undefined);
    return said.length === 0 ? undefined : said.reduce((all, one) => all + one, 0);
  };
  const used = usageOf({
    inputTokens,
    outputTokens,
    totalTokens,
    cacheReadTokens: sum(inputTokensDetails, 'cached_tokens'),
    cacheWriteTokens: sum(inputTokensDetails, 'cache_write_tokens'),
    reasoningTokens: sum(outputTokensDetails, 'reasoning_tokens'),
  });
  return used ?? {};
}

/** The model's last text. */
function textOf(items: readonly Item[]): string {
  const said = items.findLast((item) => item.role === 'assistant');
  if (said === undefined) return '';
  if (typeof said.content === 'string') return said.content;
  if (!Array.isArray(said.content)) return '';
  return said.content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

export type { AnyTool, AnyTools } from './any-tool.js';
export type { ModelUsage } from './model-usage.js';
export type { AgentHostOptions, AgentParams } from './turns.js';
