// Mastra: its agents as sub-agents. Owns how the hooks of its agents ask for each turn and report it. Its agents take our tools
// as they are, so there is nothing to adapt the other way. Imports nothing from it at run time.

import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import type { HostResult } from '../options/host-result.js';
import { expectKnown } from './any-tool.js';
import { type Finish, finishOf, unanswered } from './finish.js';
import { agentSource } from './mistake.js';
import { type ModelUsage, ofModel, usageOf } from './model-usage.js';
import { isOwnCall, openIn, type Part } from './step-parts.js';
import { readValue } from './structured.js';
import { type AgentHostOptions, type AgentParams, HOST_OPTIONS, Turns, unapproved } from './turns.js';

interface Message {
  role: string;
  content: unknown;
}

/** The part of an agent that is used here. */
interface AgentLike {
  generate(messages: never, options?: never): Promise<unknown>;
}

interface ToolUse {
  toolName: string;
  input: unknown;
  output?: unknown;
  [name: string]: unknown;
}

/** The agent's own hooks, which a run's replace. */
interface Hooks {
  beforeToolCall?: (use: ToolUse) => unknown;
  afterToolCall?: (use: ToolUse) => unknown;
}

interface Generated {
  text: string;
  finishReason?: unknown;
  /** Its structured output. */
  object?: unknown;
  steps?: LastStep[];
  error?: unknown;
  /** A processor stopped the agent. */
  tripwire?: { reason?: string } | undefined;
  /** Of a tool that waits for an approval, or has suspended itself. */
  suspendPayload?: { toolName?: string } | undefined;
}

interface LastStep {
  text?: string;
  content?: readonly Part[];
}

interface Step {
  model: { modelId?: unknown };
  messageList: { add(messages: unknown, source: string): unknown; get: { all: { aiV5?: { model(): Message[] } } } };
  messages: unknown[];
  tools?: Record<string, unknown>;
  /** Ends the run without an error; throws. */
  abort(reason: string): never;
}

interface StepEnd {
  /** All messages of the model and its tools in this run. */
  response?: { messages?: Message[] };
  text?: string;
  usage?: {
    inputTokens?: number;
    outputTokens?: number;
    totalTokens?: number;
    cachedInputTokens?: number;
    cacheCreationInputTokens?: number;
    reasoningTokens?: number;
  };
  finishReason?: unknown;
  toolCalls?: readonly unknown[];
}

/**
 * Runs a Mastra `Agent` as a sub-agent: `spawnSubAgent: mastraAgent(agent)`.
 *
 * @param agent the agent, or a function that makes one for a run
 * @param options the cost of a call, and the text of the last turn
 */
export function mastraAgent<A extends AgentLike>(
  agent: A | ((params: AgentParams, run: Run) => A | Promise<A>),
  options: AgentHostOptions = {},
): SpawnSubAgent {
  expectKnown('mastraAgent', options, HOST_OPTIONS);
  const agentOf = agentSource('mastraAgent', 'an Agent of Mastra', 'generate', agent);
  return async (params, run) => {
    const turns = new Turns(run, options);
    return new MastraRun(turns, run, await agentOf(params, run)).conduct();
  };
}

/** One run: its agent's messages, and how its hooks ask and report. */
class MastraRun {
  private readonly turns: Turns;
  private readonly schema: Turns['schema'];
  private readonly run: Run;
  private readonly agent: AgentLike;
  private readonly own: Hooks | undefined;
  private input: Message[] = [];
  private said: Message[] = [];
  /** The model that is called. */
  private modelId: unknown;
  /** How the last turn ended, if it broke off. */
  private broken: Finish | undefined;
  /** Tools that convert their output for the model, and would fail on a refusal. */
  private readonly mapped = new Set<string>();

  constructor(turns: Turns, run: Run, agent: AgentLike) {
    this.turns = turns;
    this.schema = turns.schema;
    this.run = run;
    this.agent = agent;
    this.own = (agent as { getConfiguredToolHooks?: () => Hooks | undefined }).getConfiguredToolHooks?.();
  }

  conduct(): Promise<HostResult> {
    const { turns, agent, schema } = this;
    const settings = this.settings();
    return turns.conduct(async (prompts) => {
      this.input = [...turns.earlier<Message>(), ...prompts.map(user)];
      this.said = [];
      this.broken = undefined;
      try {
        const result = (await agent.generate(this.input as never, settings as never)) as Generated;
        if (result.error !== undefined && result.error !== null) throw result.error;
        if (result.finishReason === 'suspended') throw unapproved(`The tool ${result.suspendPayload?.toolName ?? ''}`);
        // The result's own `text` is that of all steps together.
        const { text = result.text, content = [] } = result.steps?.at(-1) ?? {};
        const value = schema === undefined ? undefined : (result.object ?? readValue(text));
        return { text, value, finish: this.broken ?? finishIn(result, content), byTool: content.some(isOwnCall) };
      } finally {
        turns.keep([...this.input, ...this.said], user);
      }
    });
  }

  /** The options of the agent's call. */
  private settings(): object {
    const { run, own, mapped, turns, schema } = this;
    return {
      abortSignal: run.signal,
      // The manager limits the turns; the default would be five steps.
      maxSteps: Number.MAX_SAFE_INTEGER,
      prepareStep: (step: Step) => this.prepareStep(step),
      onStepFinish: (end: StepEnd) => this.stepFinished(end),
      hooks: {
        beforeToolCall: async (use: ToolUse) => {
          const output = await turns.beforeTool(use.toolName, use.input);
          if (output === undefined) return own?.beforeToolCall?.(use);
          if (mapped.has(use.toolName)) throw new Error(output);
          return { proceed: false, output };
        },
        // Mastra shows the result anyway: the policies' text comes with the next turn.
        afterToolCall: async (use: ToolUse) => {
          const withheld = await turns.afterTool(use.toolName, use.output);
          if (withheld !== undefined) turns.show(withheld);
          await own?.afterToolCall?.(use);
        },
      },
      // Besides the agent's own instructions.
      ...(run.systemPrompt !== undefined && { system: run.systemPrompt }),
      // Mastra then doesn't fail if a value doesn't fit: the manager names the mistake.
      ...(schema !== undefined && { structuredOutput: { schema, errorStrategy: 'fallback', fallbackValue: undefined } }),
    };
  }

  private async prepareStep(step: Step): Promise<object> {
    const { turns, broken, input, said, mapped } = this;
    // Mastra would call the model again and again: a turn that broke off ends the run.
    if (broken !== undefined) step.abort(broken.failure?.error ?? '');
    this.modelId = step.model?.modelId;
    const at = input.length + said.length;
    const { wrapUp } = await turns.begin(at).catch((error: Error) => step.abort(error.message));
    // Texts that are added to Mastra's list stay for the next steps.
    for (const text of turns.fresh()) step.messageList.add(user(text), 'input');
    const names = Object.keys(step.tools ?? {});
    for (const [name, tool] of Object.entries(step.tools ?? {})) {
      if (typeof (tool as { toModelOutput?: unknown } | null)?.toModelOutput === 'function') mapped.add(name);
    }
    return { activeTools: names.filter((name) => turns.has(name)), ...(wrapUp && { toolChoice: 'none' }) };
  }

  private stepFinished({ text, usage, response, finishReason, toolCalls = [] }: StepEnd): void {
    const finish = finishOf(finishReason);
    this.broken = finish.failure === undefined || toolCalls.length > 0 ? undefined : finish;
    this.said = response?.messages ?? this.said;
    this.turns.end(ofModel(usedIn(usage), this.modelId), text ?? '');
  }
}

const NO_EXECUTE = 'give it an `execute`';

/** How the last turn ended. */
function finishIn({ finishReason, tripwire }: Generated, content: readonly Part[]): Finish {
  if (tripwire !== undefined) return { failure: { status: 'incomplete', error: `a processor stopped the agent: ${tripwire.reason}` } };
  const finish = finishOf(finishReason);
  const open = openIn(content);
  return finish.failure !== undefined || open === undefined ? finish : { failure: unanswered(open, NO_EXECUTE) };
}

function user(text: string): Message {
  return { role: 'user', content: text };
}

function usedIn(said: StepEnd['usage']): ModelUsage | undefined {
  if (said === undefined) return undefined;
  const { cachedInputTokens: cacheReadTokens, cacheCreationInputTokens: cacheWriteTokens, ...rest } = said;
  const { inputTokens, outputTokens, totalTokens, reasoningTokens } = rest;
  return usageOf({ inputTokens, outputTokens, totalTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens });
}

export type { ModelUsage } from './model-usage.js';
export type { AgentHostOptions, AgentParams } from './turns.js';
