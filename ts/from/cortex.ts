// Cortex's `SubAgent` tool and sub-agent manager, with their names, arguments, defaults and texts, on the package's
// tool and manager. Decides nothing itself.

import type { DrivenHandle, HostResult, SubAgentParamsType } from 'subagents';
import * as own from 'subagents';

export { SUB_AGENT_TOOL_NAME, type SubAgentDetails, type SubAgentParamsType } from 'subagents';

const { properties: of, ...schema } = own.SubAgentParams;
const said = <Schema extends object>(schema: Schema, description: string): Schema => ({ ...schema, description });
const properties = {
  instructions: said(of.instructions, "What the sub-agent should do. This becomes the sub-agent's initial prompt."),
  tools: said(of.tools, "Tool names to make available. Default: inherits parent's registered tools."),
  systemPrompt: said(of.systemPrompt, "Custom system prompt. Default: inherits parent's full system prompt."),
  maxTurns: said(of.maxTurns, "Maximum LLM turns. Default: inherits parent's budget guard config."),
  maxCost: said(of.maxCost, "Maximum cost in USD. Default: inherits parent's budget guard config."),
  background: said(of.background, 'Run asynchronously. Default: false (blocks until complete).'),
};
/** The parameters of the `SubAgent` tool: plain JSON Schema. */
export const SubAgentParams = Object.freeze({ ...schema, properties });
const DESCRIPTION =
  'Spawn a sub-agent to handle a delegated task independently. Use for tasks that are complex, long-running, or can proceed in parallel with your main work.\n\nForeground mode (default): Blocks until the sub-agent completes and returns its result directly. Use for quick, focused tasks where you need the result to continue.\n\nBackground mode (background: true): Returns a task ID immediately. The sub-agent runs independently. You will be notified when it completes. Use for long-running research, analysis, or multi-step work.\n\nSub-agents are independent: they have their own conversation, do not share your context, and cannot spawn further sub-agents. Give them clear, self-contained instructions.';

/** How a sub-agent ended; `status` is `completed`, `failed`, `timed_out`, `cancelled`, or the host's own word. */
export interface SubAgentResult {
  output: string;
  status: string;
  usage: { turns: number; cost: number; durationMs: number; totalTokens?: number; contextTokens?: number };
  toolCalls?: { name: string; durationMs: number; error?: string }[];
}

/**
 * The tool's functions, called with these arguments. `spawnSubAgent` runs a sub-agent to its end; if it rejects, so does the
 * call. `spawnBackgroundSubAgent` starts one. `canSpawn` checks the limit, whose numbers `getConcurrencyInfo` returns.
 * `checkConsumerSpawn` is a further gate, with a reason for the model. `getModelId` returns the model that sub-agents inherit.
 */
export interface SubAgentToolConfig {
  spawnSubAgent: (params: SubAgentParamsType) => Promise<SubAgentResult & { taskId: string }>;
  spawnBackgroundSubAgent: (params: SubAgentParamsType) => Promise<{ taskId: string }>;
  canSpawn: () => boolean;
  checkConsumerSpawn?: () => { allowed: boolean; reason?: string };
  getConcurrencyInfo: () => { active: number; limit: number };
  getModelId: () => string;
}

/** The tool. `execute` resolves to the text for the model. */
export interface CortexSubAgentTool {
  name: string;
  description: string;
  parameters: typeof SubAgentParams;
  execute(args: unknown): Promise<string>;
}

/** Marks the arguments of a background call, which is a foreground call for the package's tool. */
const IN_BACKGROUND = Symbol('background');

/** Creates the `SubAgent` tool. A call asks `canSpawn`, then `checkConsumerSpawn`, then it spawns. */
export function createSubAgentTool(config: SubAgentToolConfig): CortexSubAgentTool {
  const outcomes = new Map<string, { text: string } | { error: unknown }>();
  const refusals: string[] = [];
  const { execute: run, parameters } = own.createSubAgentTool({
    async spawnSubAgent(params, { taskId: id }) {
      try {
        if (!(IN_BACKGROUND in params)) {
          const result = await config.spawnSubAgent(params);
          outcomes.set(id, { text: endOf(result) });
          return resultOf(result);
        }
        // The host has the sub-agent and reports its end itself: this call is over at once.
        const { [IN_BACKGROUND]: _, ...given } = params;
        const { taskId } = await config.spawnBackgroundSubAgent({ ...given, background: true });
        const text = `Sub-agent spawned in background. Task ID: ${taskId}\nYou will be notified when it completes. Continue with other work.`;
        outcomes.set(id, { text });
        return { taskId, output: '' };
      } catch (error) {
        outcomes.set(id, { error });
        throw error;
      }
    },
    canSpawn: () => config.canSpawn(),
    getConcurrencyInfo: () => config.getConcurrencyInfo(),
    getModelId: () => config.getModelId?.(),
    checkConsumerSpawn() {
      const verdict = config.checkConsumerSpawn?.() ?? { allowed: true };
      if (!verdict.allowed) refusals.push(verdict.reason ?? 'Cannot spawn sub-agent right now.');
      return verdict;
    },
    texts: {
      limitReached({ active, limit, text }) {
        refusals.push(`Cannot spawn sub-agent: ${fullOf(active, limit)}`);
        return text;
      },
    },
  });
  const execute = async (args: unknown): Promise<string> => {
    const checked = parameters['~standard'].validate(args);
    const isInBackground = 'value' in checked && checked.value.background === true;
    // With an id first, no text of a model's passes for one. A refusal is made at once: the one in the list is this call's.
    const answer = run(own.SUB_AGENT_TOOL_NAME, isInBackground ? { ...checked.value, background: false, [IN_BACKGROUND]: true } : args);
    const refusal = refusals.pop();
    const { content, details } = await answer;
    const outcome = outcomes.get(details.taskId) ?? { text: refusal ?? content.map(({ text }) => text).join('') };
    outcomes.delete(details.taskId);
    if ('error' in outcome) throw outcome.error;
    return outcome.text;
  };
  return { name: own.SUB_AGENT_TOOL_NAME, description: DESCRIPTION, parameters: SubAgentParams, execute };
}

const fullOf = (active?: number, limit?: number): string =>
  `concurrency limit reached (${active}/${limit} active). Wait for a running sub-agent to complete or cancel one to free a slot.`;

function resultOf({ output, status, usage }: SubAgentResult): HostResult {
  const { turns, cost, durationMs, totalTokens: tokens } = usage ?? {};
  return { output, status: status === 'completed' ? status : 'failed', usage: { turns, cost, durationMs, tokens } };
}

function endOf({ status, usage: { turns, cost, durationMs }, output }: SubAgentResult): string {
  const how = status === 'completed' ? 'Sub-agent completed successfully.' : `Sub-agent finished with status: ${status}`;
  return `${how} (${turns} turns, $${cost.toFixed(4)}, ${(durationMs / 1000).toFixed(1)}s)\n\n${output || 'No output was produced.'}`;
}

/** A running sub-agent, as the caller tracks it: its child agent, the promise of its end, and the tool that it called last. */
export interface TrackedSubAgent {
  taskId: string;
  agent: unknown;
  instructions: string;
  background: boolean;
  spawnedAt: number;
  completion: Promise<SubAgentResult>;
  resolve: (result: SubAgentResult) => void;
  toolCount?: number;
  lastToolName?: string | null;
  lastToolSummary?: string | null;
  lastToolStartedAt?: number | null;
}

/** Options of the manager. `maxConcurrent`: how many sub-agents may run, 0 for none. @default 4 */
export type SubAgentManagerConfig = { maxConcurrent: number };

/** Functions that the manager calls; their errors are ignored. */
export interface SubAgentLifecycleHooks {
  onSpawned?: (taskId: string, instructions: string, background: boolean) => void;
  onCompleted?: (taskId: string, result: string, status: string, usage: unknown) => void;
  onFailed?: (taskId: string, error: string) => void;
}

type AbortFn = (agent: unknown) => Promise<void>;
const ID_OF_A_CALLER = /^(?!sub_)[!-~]{1,128}$/;

/** Cortex's manager: slots and ends of sub-agents that the caller runs. Throws `invalid_argument` for a wrong limit. */
export class SubAgentManager {
  /** How many sub-agents may run. */
  readonly limit: number;
  readonly #agents = new Map<string, { entry: TrackedSubAgent; handle: DrivenHandle }>();
  #hooks: SubAgentLifecycleHooks = {};
  #made: own.SubAgentManager | undefined;

  constructor({ maxConcurrent = 4 }: Partial<SubAgentManagerConfig> = {}) {
    this.limit = maxConcurrent;
    if (maxConcurrent !== 0) this.#made = new own.SubAgentManager({ maxConcurrent });
  }

  /** The package's manager behind this one; after `destroy` a new one. Throws `invalid_argument` if the limit is 0. */
  get manager(): own.SubAgentManager {
    this.#made ??= new own.SubAgentManager({ maxConcurrent: this.limit });
    return this.#made;
  }

  /** Replaces the hooks. */
  setHooks(hooks: SubAgentLifecycleHooks): void {
    this.#hooks = hooks;
  }

  /** Whether a slot is free. */
  canSpawn(): boolean {
    return this.limit > 0 && this.manager.canSpawn();
  }

  /** The same as `canSpawn`. */
  hasCapacity(): boolean {
    return this.canSpawn();
  }

  /** How many sub-agents run. */
  get activeCount(): number {
    return this.limit > 0 ? this.manager.getConcurrencyInfo().active : 0;
  }

  /** Spawns a sub-agent that the caller runs, under the given id. Throws `concurrency_limit`, or `id_taken` if that id runs. */
  spawn(
    { instructions, background: inBackground = false }: Pick<SubAgentParamsType, 'instructions' | 'background'>,
    { taskId, childAgent, background = inBackground }: { taskId: string; childAgent?: unknown; background?: boolean },
  ): TrackedSubAgent {
    const given = { taskId, agent: childAgent, instructions, background, spawnedAt: Date.now(), toolCount: 0 };
    const entry = { ...given, lastToolName: null, lastToolSummary: null, lastToolStartedAt: null } as unknown as TrackedSubAgent;
    entry.completion = new Promise((resolve) => Object.assign(entry, { resolve }));
    if (this.track(entry)) return entry;
    throw new own.SubAgentError('concurrency_limit', fullOf(this.activeCount, this.limit));
  }

  /** Takes a sub-agent that was spawned elsewhere. Returns false if no slot is free. */
  track(entry: TrackedSubAgent): boolean {
    if (!this.canSpawn()) return false;
    const { taskId, instructions, background } = entry;
    if (this.#agents.has(taskId)) throw new own.SubAgentError('id_taken', `a running sub-agent has the id ${taskId}`, { taskId });
    const id = ID_OF_A_CALLER.test(taskId) ? { taskId } : { label: taskId };
    this.#call(() => this.manager.forget(taskId));
    const handle = this.manager.spawn({ instructions, ...id, drive: 'program' });
    handle.start().catch(() => undefined);
    this.#agents.set(taskId, { entry, handle });
    this.#call(() => this.#hooks.onSpawned?.(taskId, instructions, background));
    return true;
  }

  /** Ends a sub-agent with its result. An id that doesn't run is ignored. */
  complete(taskId: string, result: SubAgentResult): void {
    const { output, status, usage, toolCalls } = result;
    const entry = this.#end(taskId, (handle) => handle.complete(resultOf(result)));
    if (entry === undefined) return;
    entry.resolve(result);
    this.#call(() => this.#hooks.onCompleted?.(taskId, output, status, { ...usage, ...(toolCalls && { toolCalls }) }));
  }

  /** Ends a sub-agent as failed. An id that doesn't run is ignored. */
  fail(taskId: string, error: string): void {
    const entry = this.#end(taskId, (handle) => handle.fail(error));
    if (entry !== undefined) this.#failed(entry, 'failed', error);
  }

  /** Cancels a sub-agent: its slot is free at once, then `abortFn` aborts the child. Resolves to whether it was running. */
  async cancel(taskId: string, abortFn?: AbortFn, why = 'Cancelled'): Promise<boolean> {
    const entry = this.#end(taskId, (handle) => {
      handle.cancel({ graceMs: 0 }).catch(() => undefined);
      handle.fail(why);
    });
    if (entry === undefined) return false;
    await (async () => abortFn?.(entry.agent))().catch(() => undefined);
    this.#failed(entry, 'cancelled', why);
    return true;
  }

  /** Cancels every sub-agent, as the end of the parent does. */
  async cancelAll(abortFn?: AbortFn): Promise<void> {
    await Promise.all(this.getActiveTaskIds().map((taskId) => this.cancel(taskId, abortFn, 'Parent agent destroyed')));
  }

  #failed({ taskId, spawnedAt, resolve }: TrackedSubAgent, status: string, error: string): void {
    resolve({ output: '', status, usage: { turns: 0, cost: 0, durationMs: Date.now() - spawnedAt } });
    this.#call(() => this.#hooks.onFailed?.(taskId, error));
  }

  /** Ends a sub-agent. It is retained until the caller uses the id again, or `retain` evicts it: its end counts as read. */
  #end(taskId: string, end: (handle: DrivenHandle) => void): TrackedSubAgent | undefined {
    const tracked = this.#agents.get(taskId);
    if (tracked === undefined || !this.#agents.delete(taskId)) return undefined;
    end(tracked.handle);
    tracked.handle.wait().catch(() => undefined);
    return tracked.entry;
  }

  /** Finds a running sub-agent. */
  get(taskId: string): TrackedSubAgent | undefined {
    return this.#agents.get(taskId)?.entry;
  }

  /** Notes the tool that a sub-agent calls. */
  updateToolActivity(taskId: string, toolName: string, summary: string): void {
    const { entry, handle } = this.#agents.get(taskId) ?? {};
    handle?.report({ message: `${toolName}: ${summary}` });
    const last = { lastToolName: toolName, lastToolSummary: summary, lastToolStartedAt: Date.now() };
    if (entry !== undefined) Object.assign(entry, { toolCount: (entry.toolCount ?? 0) + 1, ...last });
  }

  /** The ids of the running sub-agents. */
  getActiveTaskIds(): string[] {
    return [...this.#agents.keys()];
  }

  /** The running background sub-agents, each with the promise of its end. */
  getBackgroundCompletions(): { taskId: string; completion: Promise<SubAgentResult> }[] {
    const inBackground = [...this.#agents.values()].filter(({ entry }) => entry.background);
    return inBackground.map(({ entry: { taskId, completion } }) => ({ taskId, completion }));
  }

  /** Forgets all sub-agents and hooks; the promises of running ones stay open. */
  destroy(): void {
    this.#agents.clear();
    this.#hooks = {};
    this.#made?.dispose();
    this.#made = undefined;
  }

  /** As in Cortex, a hook that fails harms nothing. */
  #call(hook: () => void): void {
    try {
      hook();
    } catch {}
  }
}
