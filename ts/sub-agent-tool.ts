// The tool that stands alone: exactly the configuration of source 2, no manager to make. Owns the lifting
// of the limits that such a tool leaves to its host's `canSpawn`.

import { DEFAULT_LIMITS } from './generated/limits.js';
import { SubAgentManager } from './manager.js';
import type { BackgroundStart, HostResult, SpawnGate, SubAgentManagerOptions, SubAgentParamsType } from './options.js';
import type { SubAgentTool, SubAgentToolOptions } from './tool.js';

/** What the tool needs of its host. */
export interface SubAgentToolConfig extends SubAgentToolOptions {
  /** Spawns a sub-agent and runs it; resolves when it is over. */
  spawnSubAgent: (params: SubAgentParamsType) => Promise<HostResult>;
  /** Spawns one in the background; resolves to its id at once. */
  spawnBackgroundSubAgent: (params: SubAgentParamsType) => Promise<BackgroundStart>;
  /** Whether another one may start; `false` refuses at once. */
  canSpawn: () => boolean;
  /** Asked in addition to the limit. Default: allowed. */
  checkConsumerSpawn?: (params: SubAgentParamsType) => SpawnGate;
  /** For the text of a refusal. */
  getConcurrencyInfo: () => { active: number; limit: number };
  /** The model that sub-agents inherit. */
  getModelId: () => string;
}

/** The tool that stands alone, with the way to report what the host ran in the background. */
export interface StandaloneSubAgentTool extends SubAgentTool {
  /** Takes the result of a background sub-agent, by our id or the host's own. Not enumerable. */
  reportSettled(id: string, result: HostResult): void;
}

/**
 * Makes the tool. How many may run, how long and for how much is the host's business, by `canSpawn` and
 * `checkConsumerSpawn`. Only a background sub-agent whose end is never reported is given up after the
 * usual `timeoutMs`.
 */
export function createSubAgentTool(config: SubAgentToolConfig): StandaloneSubAgentTool;
/** @internal */
export function createSubAgentTool(config: SubAgentToolConfig, Manager: typeof SubAgentManager): StandaloneSubAgentTool;
export function createSubAgentTool(config: SubAgentToolConfig, Manager = SubAgentManager): StandaloneSubAgentTool {
  const { onDetails, canAnswer, idempotencyKey, ...functions } = config;
  const lifted = Number.POSITIVE_INFINITY;
  const options: SubAgentManagerOptions = {
    ...(functions as SubAgentManagerOptions),
    maxConcurrent: lifted,
    maxChildren: lifted,
    maxQueued: lifted,
    maxTasks: lifted,
    maxNotices: lifted,
    maxTurns: lifted,
    timeoutMs: lifted,
    idleTimeoutMs: lifted,
    budget: { tokens: lifted },
    taskBudget: { tokens: lifted },
  };
  // Its host hears of ends itself; unread notices would keep every ended sub-agent.
  const onWake = ({ inbox }: Pick<SubAgentManager, 'inbox'>): void => {
    for (const { deliveryId } of inbox.lease()) inbox.ack(deliveryId);
  };
  const manager = new Manager({ ...options, onWake });
  const tool = manager.createSubAgentTool({
    ...(onDetails && { onDetails }),
    ...(idempotencyKey && { idempotencyKey }),
    backgroundTimeoutMs: DEFAULT_LIMITS.timeoutMs,
    // There is no other tool to send a message with.
    canAnswer: canAnswer ?? false,
  });
  const reportSettled = (id: string, result: HostResult): void => manager.reportSettled(id, result);
  return Object.defineProperty(tool, 'reportSettled', { value: reportSettled }) as StandaloneSubAgentTool;
}
