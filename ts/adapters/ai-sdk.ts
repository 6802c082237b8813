// The AI SDK: its agents as sub-agents. Owns how the settings of its `ToolLoopAgent` ask for each turn and report it. Its
// agents take our tools as they are. Imports nothing from it at run time.

import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import { expectKnown } from './any-tool.js';
import { finishOf, unanswered } from './finish.js';
import { agentSource, mistake } from './mistake.js';
import { type ModelUsage, ofModel, usageOf } from './model-usage.js';
import { isOwnCall, openIn, type Part } from './step-parts.js';
import { readValue } from './structured.js';
import { type AgentHostOptions, type AgentParams, HOST_OPTIONS, joined, Turns, unapproved } from './turns.js';

interface Message {
  role: string;
  content: unknown;
}

interface Settings {
  tools?: Record<string, ToolLike>;
  stopWhen?: unknown;
  instructions?: unknown;
  output?: unknown;
  prepareStep?: (step: Step) => Promise<StepSettings | undefined> | StepSettings | undefined;
  [name: string]: unknown;
}

interface ToolLike {
  execute?: (input: unknown, options: unknown) => unknown;
  toModelOutput?: (given: { output: unknown }) => unknown;
}

interface Step {
  model: unknown;
  messages: Message[];
  /** Since version 7, whose `messages` carry over the overrides of the step before. */
  initialMessages?: Message[];
  responseMessages?: Message[];
}

interface StepSettings {
  model?: unknown;
  messages?: Message[];
  toolChoice?: unknown;
}

/** The part of an agent that is used here. */
interface AgentLike {
  generate(options: never): Promise<{ readonly text: string }>;
}

/** A step with its tools' results. */
interface StepEnd {
  text?: string;
  usage?: Said;
}

/** The input or output of a call, as a model of version 6 or later reports it. */
interface Side {
  total?: number | undefined;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** A model's report on a call. */
interface Said {
  inputTokens?: number | Side | undefined;
  outputTokens?: number | Side | undefined;
  totalTokens?: number;
  /** Before version 6, and of a step until 7. */
  cachedInputTokens?: number;
  reasoningTokens?: number;
  /** Of a step, since version 6. */
  inputTokenDetails?: { cacheReadTokens?: number; cacheWriteTokens?: number };
  outputTokenDetails?: { reasoningTokens?: number };
  /** The provider's own figures; only Anthropic says how long its cache keeps written tokens. */
  raw?: { cache_creation?: { ephemeral_1h_input_tokens?: number } };
}

interface Generated {
  content: readonly { type: string; text?: string }[];
  usage?: Said;
}

const NO_EXECUTE = 'give it an `execute`, or name it in the `stopWhen` of the agent if its call is meant to end that';

const KIND = 'a ToolLoopAgent of the AI SDK 6 or 7';

/** Options of `toolLoopAgent`. */
export interface ToolLoopAgentOptions extends AgentHostOptions {
  /** Makes the model of `run.modelId`, if the run has one. Default: each agent keeps its own model. */
  model?: ((modelId: string) => unknown) | undefined;
}

/**
 * Runs a `ToolLoopAgent` as a sub-agent: `spawnSubAgent: toolLoopAgent(agent)`. Versions 6 and 7.
 *
 * @param agent the agent, or a function that makes one for a run
 * @param options the cost of a call, and the text of the last turn
 */
export function toolLoopAgent<A extends AgentLike>(
  agent: A | ((params: AgentParams, run: Run) => A | Promise<A>),
  options: ToolLoopAgentOptions = {},
): SpawnSubAgent {
  expectKnown('toolLoopAgent', options, [...HOST_OPTIONS, 'model']);
  const agentOf = agentSource('toolLoopAgent', KIND, 'generate', agent);
  return async (params, run) => {
    const turns = new Turns(run, options);
    const given = await agentOf(params, run);
    const { settings } = given as unknown as { settings?: Settings };
    if (settings === undefined)
      throw mistake(`toolLoopAgent takes ${KIND}; it got an agent without \`settings\``, { argument: 'agent', expected: KIND });
    const made = modelOf(run, options);
    const conversation = new Conversation(turns, made === undefined ? settings : { ...settings, model: made }, nameOf(made));
    const own = new (given.constructor as new (settings: Settings) => AgentLike)(conversation.settings(run));
    return turns.conduct(async (prompts) => {
      const input: Message[] = [...turns.earlier<Message>(), ...prompts.map(user)];
      try {
        const onStepFinish = (step: StepEnd): void => conversation.ended(step);
        const result = (await own.generate({ messages: input, abortSignal: run.signal, onStepFinish } as never)) as {
          text: string;
          finishReason: unknown;
          rawFinishReason?: unknown;
          output: unknown;
          steps: { response: { messages: Message[] }; content?: Part[] }[];
          response: { messages: Message[] };
          responseMessages?: Message[];
        };
        const last = result.steps.at(-1)?.content ?? [];
        const waiting = waitingIn(last);
        if (waiting !== undefined) throw unapproved(`The tool ${waiting}`);
        const open = openIn(last);
        const isLeftOpen = open !== undefined && !(await conversation.isMeantToStop(result.steps));
        // A call without an answer is not saved: providers refuse a conversation that continues after it.
        if (isLeftOpen) turns.keep(conversation.last ?? input, user);
        else turns.keep([...input, ...(result.responseMessages ?? result.response.messages)], user);
        const ended = finishOf(result.finishReason, result.rawFinishReason);
        const finish = isLeftOpen && ended.failure === undefined ? { failure: unanswered(open, NO_EXECUTE) } : ended;
        // The SDK has no output of a failed turn, and throws if it is asked for one.
        const value = finish.failure === undefined ? conversation.valueIn(result) : undefined;
        return { text: result.text, value, finish, byTool: last.some(isOwnCall) };
      } catch (error) {
        turns.keep(conversation.last ?? input, user);
        throw error;
      }
    });
  };
}

/** The model that the program makes for this run. */
function modelOf(run: Run, { model }: ToolLoopAgentOptions): unknown {
  const modelId = model && run.modelId;
  return modelId === undefined ? undefined : model?.(modelId);
}

/** A model's own name, or the name by which the SDK finds it. */
function nameOf(model: unknown): unknown {
  return typeof model === 'object' && model !== null ? (model as { modelId?: unknown }).modelId : model;
}

/** Like `Output.object` of a JSON Schema, but without its check: the manager checks the value. */
function outputOf(schema: object): object {
  return {
    name: 'object',
    responseFormat: Promise.resolve({ type: 'json', schema }),
    parseCompleteOutput: async ({ text }: { text: string }) => readValue(text),
    parsePartialOutput: async () => undefined,
    createElementStreamTransform: () => undefined,
  };
}

/** The tool that waits for an approval at a step's end: its call was neither answered nor made. */
function waitingIn(content: readonly Part[]): string | undefined {
  const request = content.find(
    ({ type, approvalId, toolCall }) =>
      type === 'tool-approval-request' &&
      !content.some((part) => part.type === 'tool-approval-response' && part.approvalId === approvalId) &&
      !content.some((part) => part.toolCallId === toolCall?.toolCallId && part.type !== 'tool-call'),
  );
  return request?.toolCall?.toolName;
}

function user(text: string): Message {
  return { role: 'user', content: text };
}

/** Joins instructions, which are a text, a message or several. */
function instructionsOf(own: unknown, given: string): unknown {
  if (own === undefined || typeof own === 'string') return joined(own, given);
  return [...(Array.isArray(own) ? own : [own]), { role: 'system', content: given }];
}

/** An agent's settings, which ask for and report every model call. */
class Conversation {
  /** All messages before the last step, without injected texts. */
  last: Message[] | undefined;
  private readonly turns: Turns;
  private readonly given: Settings;
  /** Texts that replace results: no tool's own output. */
  private readonly said = new Set<unknown>();
  /** The name of the step's model, which the SDK resolves. Its usage is known when its step is over. */
  private named: string | undefined;
  /** The model of `run.modelId`: prices use the run's name for it. */
  private readonly made: unknown;

  /** The output that the run's schema asks for; the agent's own takes precedence. */
  private readonly output: object | undefined;

  constructor(turns: Turns, given: Settings, made: unknown) {
    this.made = made;
    this.turns = turns;
    this.given = given;
    const schema = given.output === undefined ? turns.schema : undefined;
    this.output = schema && outputOf(schema);
  }

  /** The value that the run was asked for. */
  valueIn(result: { text: string; readonly output: unknown }): unknown {
    if (this.output !== undefined) return readValue(result.text);
    return this.turns.run.schema === undefined ? undefined : result.output;
  }

  /** Whether the agent's own `stopWhen` is met: its last tool call is meant as its end. */
  async isMeantToStop(steps: readonly unknown[]): Promise<boolean> {
    const { stopWhen = [] } = this.given;
    const conditions = (Array.isArray(stopWhen) ? stopWhen : [stopWhen]) as ((given: object) => unknown)[];
    for (const condition of conditions) if ((await condition({ steps })) === true) return true;
    return false;
  }

  settings(run: Run): Settings {
    const tools = Object.entries(this.given.tools ?? {}).filter(([name]) => this.turns.has(name));
    return {
      ...this.given,
      // The manager limits the turns; the default would be 20 steps.
      stopWhen: this.given.stopWhen ?? (() => false),
      ...(run.systemPrompt !== undefined && { instructions: instructionsOf(this.given.instructions, run.systemPrompt) }),
      ...(this.given.tools && { tools: Object.fromEntries(tools.map(([name, tool]) => [name, this.checked(name, tool)])) }),
      ...(this.output && { output: this.output }),
      prepareStep: (step) => this.prepare(step),
    };
  }

  private async prepare(step: Step): Promise<StepSettings> {
    const given = (await this.given.prepareStep?.(step)) ?? {};
    const { initialMessages, responseMessages } = step;
    const all = initialMessages === undefined ? step.messages : [...initialMessages, ...(responseMessages ?? [])];
    const messages = given.messages ?? all;
    this.last = messages;
    const { wrapUp } = await this.turns.begin(messages.length);
    const withInjected = this.turns.with(messages, user);
    return {
      ...given,
      model: this.reporting(given.model ?? step.model),
      ...((given.messages !== undefined || withInjected.length !== messages.length) && { messages: withInjected }),
      ...(wrapUp && { toolChoice: 'none' }),
    };
  }

  /** Reports a step of a model that has only a name. */
  ended({ text, usage }: StepEnd): void {
    if (this.named !== undefined) this.turns.end(this.used(usage, this.named), text ?? '');
  }

  private used(said: Said | undefined, model: unknown): ModelUsage | undefined {
    const name = nameOf(model);
    return name === this.made ? usedIn(said) : ofModel(usedIn(said), name);
  }

  /** Wraps the model, so that each call is reported as soon as it returns, before its tools run. */
  private reporting(model: unknown): unknown {
    this.named = typeof model === 'object' && model !== null ? undefined : String(model);
    if (this.named !== undefined) return model;
    const { turns } = this;
    const used = (said: Said | undefined): ModelUsage | undefined => this.used(said, model);
    return new Proxy(model as object, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'doGenerate') return value.bind(target);
        return async (...args: unknown[]) => {
          let generated: Generated;
          try {
            generated = (await value.apply(target, args)) as Generated;
          } catch (error) {
            // The SDK may retry by itself; other runs still wait.
            turns.failed(error);
            throw error;
          }
          turns.end(used(generated.usage), generated.content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join(''));
          return generated;
        };
      },
    });
  }

  private checked(name: string, tool: ToolLike): ToolLike {
    const { execute, toModelOutput } = tool;
    if (execute === undefined) return tool;
    const own: ToolLike = {
      ...tool,
      execute: (input, options) =>
        this.turns.use(
          name,
          input,
          () => execute.call(tool, input, options),
          (text) => {
            this.said.add(text);
            return text;
          },
        ),
    };
    // The tool's own conversion of its output would fail on the manager's text.
    if (toModelOutput !== undefined)
      own.toModelOutput = (given) =>
        this.said.has(given.output) ? { type: 'text', value: given.output } : toModelOutput.call(tool, given);
    return own;
  }
}

function usedIn(said: Said | undefined): ModelUsage | undefined {
  if (said === undefined) return undefined;
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = said;
  const input: Side = typeof inputTokens === 'object' ? inputTokens : { total: inputTokens };
  const output: Side = typeof outputTokens === 'object' ? outputTokens : { total: outputTokens };
  return usageOf({
    inputTokens: input.total,
    outputTokens: output.total,
    totalTokens: said.totalTokens,
    cacheReadTokens: input.cacheRead ?? inputTokenDetails?.cacheReadTokens ?? said.cachedInputTokens,
    cacheWriteTokens: input.cacheWrite ?? inputTokenDetails?.cacheWriteTokens,
    cacheWrite1hTokens: said.raw?.cache_creation?.ephemeral_1h_input_tokens,
    reasoningTokens: output.reasoning ?? outputTokenDetails?.reasoningTokens ?? said.reasoningTokens,
  });
}

export type { ModelUsage } from './model-usage.js';
export type { AgentHostOptions, AgentParams } from './turns.js';
