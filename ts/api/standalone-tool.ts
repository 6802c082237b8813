// The standalone tool: the configuration of Cortex's `createSubAgentTool`, without a manager. Owns which limits don't apply,
// because the host's `canSpawn` decides instead.

import type { Instance } from '../../pkg/subagents.js';
import { invalid, SubAgentError } from '../base/errors.js';
import { logError, notify } from '../base/log.js';
import { type Weak, weakly } from '../base/weak.js';
import { PROGRAM } from '../boundary/key.js';
import { DEFAULT_LIMITS, type Limits } from '../generated/limits.js';
import { noOtherOptions, readArgument } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import type { BackgroundStart, HostResult, SpawnGate } from '../options/host-result.js';
import type { Sometimes } from '../options/values.js';
import { figuresOf } from '../reading/figures.js';
import type { Notice } from '../snapshots/notices.js';
import { spendingOf } from '../tools/answers.js';
import { createTool, type SubAgentTool } from '../tools/tool.js';
import { type SubAgentDetails, type SubAgentToolOptions, TOOL_OPTIONS, toolOptionsOf } from '../tools/tool-options.js';
import { SubAgentManager, type SubAgentManagerOptions } from './manager.js';
import { A_HOST } from './open-runtime.js';
import type { Run } from './run.js';
import { actorOf, partsOf } from './scope.js';

/** The configuration of the tool by its host. */
export interface SubAgentToolConfig extends SubAgentToolOptions, SubAgentToolLimits {
  /**
   * Spawns a sub-agent and runs it; resolves when it is over.
   *
   * `run.signal` fires when the call is aborted: your function then has `graceMs` to resolve. If it has a second parameter of
   * its own, wrap it in an arrow: `(params) => mine(params)`.
   */
  spawnSubAgent: (params: SubAgentParamsType, run: Run) => Promise<HostResult> | HostResult;
  /**
   * Starts a sub-agent in the background; resolves at once to its id, which the model reads.
   *
   * Default: `spawnSubAgent` runs it, and the tool doesn't wait. `onDetails` gets its end, `onError` its errors, and the model
   * is promised no notice.
   */
  spawnBackgroundSubAgent?: ((params: SubAgentParamsType, run: Run) => Promise<BackgroundStart>) | undefined;
  /** Whether another sub-agent may start; `false` refuses at once. Default: it may. */
  canSpawn?: (() => boolean) | undefined;
  /** A further gate besides `canSpawn`. Default: everything is allowed. */
  checkConsumerSpawn?: ((params: SubAgentParamsType) => SpawnGate) | undefined;
  /** The numbers for the text of a refusal. Default: it names none. */
  getConcurrencyInfo?: (() => { active: number; limit: number }) | undefined;
  /** The model that sub-agents inherit. Default: unknown. */
  getModelId?: (() => string) | undefined;
  /** Called with errors that `onDetails` and other functions of the host throw, and when `maxAbandoned` is reached. */
  onError?: ((error: unknown) => void) | undefined;
}

/** Limits of a standalone tool; its answers report cuts and refusals. */
export type SubAgentToolLimits = Pick<
  Sometimes<Limits>,
  'graceMs' | 'abandonMs' | 'maxAbandoned' | 'maxResultBytes' | 'inlineBytes' | 'askTimeoutMs'
>;

/** Limits that apply as anywhere: their defaults alone bind no call of the tool. */
type HeldLimits =
  | ('maxDepth' | 'maxSpawns' | 'retain' | 'maxSessions' | 'maxLost' | 'maxMessages' | 'stallMs' | 'ageingMs' | 'staggerMs')
  | ('turnEstimate' | 'turnEstimateUsd' | 'countCacheReads' | 'wrapUpTokens' | 'approvalTimeoutMs' | 'maxCooldownMs' | 'maxCooldowns')
  | ('idempotencyTtlMs' | 'maxIdempotencyKeys' | 'leaseMs' | 'maxDeliveries' | 'maxInjected');

/** The standalone tool, with a function to report the ends of background work. */
export interface StandaloneSubAgentTool extends SubAgentTool {
  /** Takes the result of a background sub-agent, by our id or the host's own. Not enumerable. */
  reportSettled(id: string, result: HostResult): void;
}

/**
 * Makes the tool. By `canSpawn` and `checkConsumerSpawn`, the host decides how many may run, how long and for how much. A
 * background sub-agent whose end is never reported is given up after the usual `timeoutMs`. If `maxAbandoned` aborted calls
 * have not returned within `graceMs` and `abandonMs`, the tool refuses further calls, with this reason, until one of them
 * returns.
 */
export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool;
/** @internal */
export function createSubAgentTool(config: SubAgentToolConfig, Manager: typeof SubAgentManager): StandaloneSubAgentTool;
export function createSubAgentTool(config: SubAgentToolConfig, Manager = SubAgentManager): StandaloneSubAgentTool {
  const { kept, functions } = readArgument('the options of the tool', () => read(config));
  const lifted = Number.POSITIVE_INFINITY;
  const limits: Record<Exclude<keyof Limits, keyof SubAgentToolLimits | HeldLimits>, number> = {
    maxConcurrent: lifted,
    maxChildren: lifted,
    maxQueued: lifted,
    maxTasks: lifted,
    maxNotices: lifted,
    maxTurns: lifted,
    timeoutMs: lifted,
    idleTimeoutMs: lifted,
  };
  const options: SubAgentManagerOptions = {
    ...functions,
    ...limits,
    budget: { tokens: lifted },
    taskBudget: { tokens: lifted },
    // Nothing is queued here: a spawn that can't start at once is refused.
    onLimit: 'reject',
  };
  let living = begin(sharing(Manager), options, kept);
  const { tool } = living;
  // If one core fails, all managers of its instance end. The tool continues with a new instance.
  const current = (): Living => {
    if (partsOf(living.manager).isClosed) living = begin(sharing(Manager), options, kept);
    return living;
  };
  const execute = (...given: Parameters<SubAgentTool['execute']>): never => current().tool.execute(...given) as never;
  const renewed: SubAgentTool = { ...tool, execute };
  const reportSettled = (id: string, result: HostResult): void => current().manager.reportSettled(id, result);
  return Object.defineProperty(renewed, 'reportSettled', { value: reportSettled }) as StandaloneSubAgentTool;
}

/** The manager and the tool of a living core. */
interface Living {
  manager: SubAgentManager;
  tool: SubAgentTool;
}

function begin(Manager: typeof SubAgentManager, options: SubAgentManagerOptions, kept: SubAgentToolOptions): Living {
  const ends = new Ends(kept.onDetails, options.onError, () => manager);
  // Unread notices would retain every ended sub-agent.
  const onWake = ({ inbox }: Pick<SubAgentManager, 'inbox'>): void => {
    for (const notice of inbox.lease()) {
      inbox.ack(notice.deliveryId);
      ends.take(notice);
    }
  };
  const manager = new Manager({ ...options, onWake });
  // The model has no other tool to send a message with.
  const answering: SubAgentToolOptions = {
    backgroundTimeoutMs: DEFAULT_LIMITS.timeoutMs,
    canAnswer: false,
    ...kept,
    onDetails: (details, toolCallId) => ends.called(details, toolCallId),
  };
  return { manager, tool: createTool(partsOf(manager), actorOf(manager), answering, true) };
}

/** Ends of background work. The program gets each once: from the call that began it, or later from here (N6). */
class Ends {
  /** Sub-agents that still run after their calls answered. */
  readonly #running = new Set<string>();
  /** Ends that came before the call answered. */
  readonly #early = new Map<string, Notice>();
  readonly #onDetails: SubAgentToolOptions['onDetails'];
  readonly #report: (error: unknown) => void;
  readonly #manager: () => SubAgentManager;

  constructor(onDetails: SubAgentToolOptions['onDetails'], onError: SubAgentToolConfig['onError'], manager: () => SubAgentManager) {
    this.#onDetails = onDetails;
    this.#report = (error) => (onError === undefined ? logError(error) : notify(onError, logError, error));
    this.#manager = manager;
  }

  /** A call has answered. */
  called(details: SubAgentDetails, toolCallId: string | undefined): unknown {
    const { taskId, background, status } = details;
    try {
      return this.#onDetails?.(details, toolCallId);
    } finally {
      const early = this.#early.get(taskId);
      this.#early.delete(taskId);
      const goesOn = background && (status === 'running' || status === 'pending');
      if (goesOn && early === undefined) this.#running.add(taskId);
      else if (goesOn && early !== undefined) this.#reportEnd(early);
    }
  }

  /** Background work has ended. */
  take(notice: Notice): void {
    if (this.#running.delete(notice.taskId)) this.#reportEnd(notice);
    else this.#early.set(notice.taskId, notice);
  }

  #reportEnd(notice: Notice): void {
    const { taskId, run, status, stopReason, error, durationMs, usage, hostStatus, artifacts, receipts } = notice;
    notify(
      () => {
        const manager = this.#manager();
        const { hostTaskId, modelId } = manager.get(taskId);
        const runtime = partsOf(manager);
        const task = runtime.lookup.resolve(PROGRAM, taskId);
        const details: SubAgentDetails = {
          taskId,
          ...(hostTaskId !== null && { hostTaskId }),
          background: true,
          status,
          ...spendingOf(runtime, task, run, figuresOf(usage, true, durationMs)),
          ...(hostStatus !== null && { hostStatus }),
          ...(modelId !== null && { modelId }),
          ...(artifacts.length > 0 && { artifacts }),
          ...(receipts.length > 0 && { receipts }),
        };
        return this.#onDetails?.(details, undefined);
      },
      this.#report,
      undefined,
    );
    if (stopReason === 'host_threw') this.#report(new Error(`sub-agent ${taskId} in the background threw: ${error}`));
  }
}

/** The options that its manager takes unchanged. */
const PASSED_ON = [
  'spawnSubAgent',
  'spawnBackgroundSubAgent',
  'canSpawn',
  'checkConsumerSpawn',
  'getConcurrencyInfo',
  'getModelId',
  'onError',
  'graceMs',
  'abandonMs',
  'maxAbandoned',
  'maxResultBytes',
  'inlineBytes',
  'askTimeoutMs',
] as const satisfies (keyof SubAgentToolConfig)[];

function read(config: SubAgentToolConfig): { kept: SubAgentToolOptions; functions: SubAgentManagerOptions } {
  // Also a manager of another copy of the package.
  if (typeof (config as { createSubAgentTool?: unknown } | undefined)?.createSubAgentTool === 'function')
    throw new SubAgentError('invalid_argument', 'this tool has no manager: `manager.createSubAgentTool()` makes one that has', {
      argument: 'spawnSubAgent',
    });
  const { kept, others } = toolOptionsOf('the options of the tool', config, 'an object such as { spawnSubAgent }');
  const isPassedOn = ([name]: [string, unknown]): boolean => (PASSED_ON as readonly string[]).includes(name);
  const given = Object.entries(others);
  const unknown = Object.fromEntries(given.filter((entry) => !isPassedOn(entry)));
  noOtherOptions('createSubAgentTool', unknown, [...TOOL_OPTIONS, ...PASSED_ON]);
  // Without it each call would fail, and only the model would learn of it.
  if (typeof others.spawnSubAgent !== 'function') throw invalid('`spawnSubAgent`', A_HOST, others.spawnSubAgent);
  return { kept, functions: Object.fromEntries(given.filter(isPassedOn)) as SubAgentManagerOptions };
}

/** An instance of this size takes no new core: its memory never shrinks, and 4 GB is the maximum. */
const ROOMY_BYTES = 2 ** 26;

const made = new WeakMap<typeof SubAgentManager, typeof SubAgentManager>();

/** The class of managers whose cores share an instance; one for each entry of the package. */
export function sharing(Manager: typeof SubAgentManager): typeof SubAgentManager {
  const known = made.get(Manager);
  if (known !== undefined) return known;
  let shared: Weak<Instance> | undefined;
  class Sharing extends Manager {
    static override instance(): Instance {
      const before = shared?.deref();
      if (before !== undefined && !before.hasFailed && before.memory.buffer.byteLength < ROOMY_BYTES) return before;
      const instance = Manager.instance();
      shared = weakly(instance);
      return instance;
    }
  }
  made.set(Manager, Sharing);
  return Sharing;
}
