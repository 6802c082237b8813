// The `SubAgent` tool: one object that frameworks take unchanged. Owns the order of its checks and the
// ways it is called; its words and its schema come from the core.

import type { SubAgentToolObject } from '../pkg/subagents.js';
import { optionsOf, readArgument, signalOf } from './arguments.js';
import { invalid, messageOf, SubAgentError } from './errors.js';
import { STOP_REASONS, TASK_STATUSES } from './generated/names.js';
import type { Live } from './live.js';
import type { RunResult } from './run-result.js';
import { type Actor, PROGRAM, type Runtime } from './runtime.js';
import { duration, readSpawn } from './spawn-options.js';
import { checkArguments } from './tool-arguments.js';
import type { SubAgentParamsType } from './types.js';

/** The tool's name. */
export const SUB_AGENT_TOOL_NAME = 'SubAgent';

/** What is known of a sub-agent that the tool ran. */
export interface SubAgentDetails {
  /** Empty where none was started. */
  taskId: string;
  background: boolean;
  /** Its status, or `refused`. */
  status: string;
  /** Milliseconds; null where it is not known yet. */
  durationMs: number | null;
  /** Null where the host did not report it. */
  turns: number | null;
  /** US dollars; null where the host did not report it. */
  cost: number | null;
  /** The model's id, inherited from the parent. */
  modelId?: string;
}

/** Options of the tool. */
export interface SubAgentToolOptions {
  /** Gets what is known of each sub-agent when its call ends. */
  onDetails?: (details: SubAgentDetails, toolCallId: string | undefined) => void;
  /** Milliseconds after which a background sub-agent is given up. Default: as for any other. */
  backgroundTimeoutMs?: number;
}

/** What frameworks hand to `execute` beside the arguments. */
export interface ToolCallOptions {
  signal?: AbortSignal | undefined;
  /** The same, under the name that the AI SDK and Mastra use. */
  abortSignal?: AbortSignal | undefined;
  toolCallId?: string | undefined;
}

/** What pi gets. */
export interface ToolContent {
  content: { type: 'text'; text: string }[];
  details: SubAgentDetails;
}

/** A JSON Schema that is a Standard Schema too; the `~standard` part can't be enumerated. */
export interface ToolParameters {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  readonly additionalProperties: boolean;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'subagents';
    readonly validate: (value: unknown) => { value: SubAgentParamsType } | { issues: readonly { message: string }[] };
    readonly jsonSchema: { readonly input: () => Record<string, unknown>; readonly output: () => Record<string, unknown> };
    readonly types?: { readonly input: SubAgentParamsType; readonly output: SubAgentParamsType };
  };
}

/** The tool. */
export interface SubAgentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly inputSchema: ToolParameters;
  /** Called pi's way, with the call's id first, it resolves to content and details. */
  execute(toolCallId: string, args: unknown, signal?: AbortSignal, onUpdate?: unknown): Promise<ToolContent>;
  /** Called with the arguments, it resolves to text; it never rejects for what the model did. */
  execute(args: unknown, options?: ToolCallOptions): Promise<string>;
}

/** Makes the tool for an actor; the core describes it. */
export function createTool(runtime: Runtime, actor: Actor, options: SubAgentToolOptions = {}): SubAgentTool {
  const { onDetails, backgroundTimeoutMs } = readArgument('the options of the tool', () => {
    const { onDetails, backgroundTimeoutMs } = optionsOf('the options of the tool', options);
    return { onDetails, backgroundTimeoutMs: duration('`backgroundTimeoutMs`', backgroundTimeoutMs) };
  });
  if (onDetails !== undefined && typeof onDetails !== 'function') throw invalid('`onDetails`', 'a function', onDetails);
  const tool = runtime.call((core) => core.createSubAgentTool());
  const plain = actor === PROGRAM && onDetails === undefined && backgroundTimeoutMs === undefined;
  if (plain) return tool as unknown as SubAgentTool;
  const kept: SubAgentToolOptions = { ...(onDetails && { onDetails }), ...(backgroundTimeoutMs && { backgroundTimeoutMs }) };
  return assemble(runtime, actor, kept, tool) as unknown as SubAgentTool;
}

/** The tool as the core's own export makes it: for the program. */
export function makeTool(runtime: Runtime, description: SubAgentToolObject): unknown {
  return assemble(runtime, PROGRAM, {}, description);
}

function assemble(
  runtime: Runtime,
  actor: Actor,
  options: SubAgentToolOptions,
  described: Pick<SubAgentToolObject, 'name' | 'description' | 'parameters'>,
): unknown {
  const parameters = withStandard({ ...(described.parameters as object) });
  const call = new ToolCall(runtime, actor, options);
  return {
    name: described.name,
    description: described.description,
    parameters,
    inputSchema: parameters,
    execute(...given: unknown[]): Promise<unknown> {
      if (typeof given[0] === 'string' && given.length > 1) {
        const [toolCallId, args, signal] = given as [string, unknown, AbortSignal | undefined];
        return call
          .run(args, signal, toolCallId)
          .then(({ text, details }): ToolContent => ({ content: [{ type: 'text', text }], details }));
      }
      const [args, extra] = given as [unknown, ToolCallOptions | undefined];
      return call.run(args, extra?.signal ?? extra?.abortSignal, extra?.toolCallId).then(({ text }) => text);
    },
  };
}

function withStandard(schema: object): ToolParameters {
  const plain = (): Record<string, unknown> => structuredClone(schema) as Record<string, unknown>;
  return Object.defineProperty(schema, '~standard', {
    enumerable: false,
    value: {
      version: 1,
      vendor: 'subagents',
      validate(value: unknown) {
        const checked = checkArguments(value);
        return 'params' in checked ? { value: checked.params } : { issues: checked.mistakes.map((message) => ({ message })) };
      },
      jsonSchema: { input: plain, output: plain },
    },
  }) as ToolParameters;
}

interface Answer {
  text: string;
  details: SubAgentDetails;
}

/** The calls of one tool. */
class ToolCall {
  private readonly runtime: Runtime;
  private readonly actor: Actor;
  private readonly options: SubAgentToolOptions;

  constructor(runtime: Runtime, actor: Actor, options: SubAgentToolOptions) {
    this.runtime = runtime;
    this.actor = actor;
    this.options = options;
  }

  async run(args: unknown, signal: AbortSignal | undefined, toolCallId: string | undefined): Promise<Answer> {
    this.runtime.check();
    const answer = await this.answer(
      args,
      readArgument('`signal`', () => signalOf('`signal`', signal ?? undefined)),
    );
    if (this.options.onDetails !== undefined) {
      try {
        this.options.onDetails(answer.details, toolCallId);
      } catch (error) {
        this.runtime.report(error);
      }
    }
    return answer;
  }

  /** The order of D6: arguments, the host's own limit, its gate, admission, spawn. */
  private async answer(args: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    const checked = checkArguments(args);
    if ('mistakes' in checked) return this.refused(`${checked.mistakes.join('; ')}. Correct the arguments and call again.`);
    const limit = this.hostLimit();
    if (limit !== undefined) return this.refused(limit);
    if (signal?.aborted === true) return this.refused('the call was aborted before it began.');
    const { params, checked: given } = checked;
    let live: Live;
    try {
      const { backgroundTimeoutMs: timeoutMs } = this.options;
      const request = readSpawn(given.background === true && timeoutMs !== undefined ? { ...given, timeoutMs } : given);
      request.signal = signal;
      live = this.runtime.spawn(this.actor, request, params);
    } catch (error) {
      if (error instanceof SubAgentError && error.code !== 'disposed' && error.code !== 'internal')
        return this.refused(`${error.message}.`);
      throw error;
    }
    if (given.background === true) return this.started(live);
    const result = await this.runtime.waitFor(this.actor, live, Number.POSITIVE_INFINITY);
    return this.ended(live, result as RunResult);
  }

  /** Why the host's own `canSpawn` refuses, if it does. */
  private hostLimit(): string | undefined {
    const { canSpawn, getConcurrencyInfo } = this.runtime.functions;
    if (canSpawn === undefined) return undefined;
    try {
      if (canSpawn() === true) return undefined;
      const info = getConcurrencyInfo?.();
      const full = info === undefined ? 'the limit of sub-agents is reached' : `${info.active} of ${info.limit} sub-agents are running`;
      return `${full}. Wait until one ends, or do the work yourself.`;
    } catch (error) {
      return `the host could not say whether a sub-agent may start: ${messageOf(error)}.`;
    }
  }

  private refused(why: string): Answer {
    const details = { taskId: '', background: false, status: 'refused', durationMs: null, turns: null, cost: null };
    return { text: `No sub-agent was started: ${why}`, details: this.withModel(details) };
  }

  private started(live: Live): Answer {
    const { taskId } = live;
    const text = `Subagent [${live.snapshot().label}] started (id: ${taskId}). I'll notify you when it completes.`;
    const details = { taskId, background: true, status: 'running', durationMs: null, turns: null, cost: null };
    return { text, details: this.withModel(details) };
  }

  private ended(live: Live, result: RunResult): Answer {
    const { usage, status, stopReason } = result;
    const known = (name: 'turns' | 'costUsd'): number | null =>
      usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
    const turns = known('turns');
    const cost = known('costUsd');
    const said = result.output === '' ? (result.error ?? '') : result.output;
    const length = this.runtime.write(said);
    const text = this.runtime.call((core) =>
      core.resultText(
        live.slot,
        live.generation,
        result.run,
        TASK_STATUSES.indexOf(status),
        STOP_REASONS.indexOf(stopReason),
        turns ?? -1,
        cost ?? -1,
        result.started ? result.durationMs : -1,
        length,
      ),
    );
    const details = { taskId: live.taskId, background: false, status, durationMs: result.started ? result.durationMs : null, turns, cost };
    return { text, details: this.withModel(details) };
  }

  private withModel(details: SubAgentDetails): SubAgentDetails {
    try {
      const modelId = this.runtime.functions.getModelId?.();
      return modelId === undefined ? details : { ...details, modelId };
    } catch {
      return details;
    }
  }
}
