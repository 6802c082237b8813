// The tool that stands alone: exactly the configuration of source 2, no manager to make. Owns the lifting
// of the limits that such a tool leaves to its host's `canSpawn`.

import { SubAgentManager } from './manager.js';
import type { SubAgentTool, SubAgentToolOptions } from './tool.js';
import type { BackgroundStart, HostResult, SpawnGate, SubAgentManagerOptions, SubAgentParamsType } from './types.js';

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

/** Makes the tool. Its limits are the host's: `canSpawn`, `checkConsumerSpawn`. */
export function createSubAgentTool(config: SubAgentToolConfig): SubAgentTool {
  const { onDetails, ...functions } = config;
  const lifted = Number.POSITIVE_INFINITY;
  const options: SubAgentManagerOptions = {
    ...(functions as SubAgentManagerOptions),
    maxConcurrent: lifted,
    maxChildren: lifted,
    maxQueued: lifted,
    budget: { tokens: lifted },
    taskBudget: { tokens: lifted },
    timeoutMs: lifted,
    idleTimeoutMs: lifted,
    maxTurns: lifted,
  };
  return new SubAgentManager(options).createSubAgentTool(onDetails === undefined ? undefined : { onDetails });
}
