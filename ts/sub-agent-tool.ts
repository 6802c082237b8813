// The tool that stands alone: exactly the configuration of source 2, no manager to make. Owns the lifting
// of the limits that such a tool leaves to its host's `canSpawn`.

import { noOtherOptions, readArgument } from './arguments.js';
import { invalid } from './errors.js';
import { DEFAULT_LIMITS } from './generated/limits.js';
import { SubAgentManager } from './manager.js';
import type { BackgroundStart, HostResult, SpawnGate, SubAgentManagerOptions, SubAgentParamsType } from './options.js';
import { type SubAgentTool, type SubAgentToolOptions, toolOptionsOf } from './tool.js';

/** What the tool needs of its host. */
export interface SubAgentToolConfig extends SubAgentToolOptions {
  /** Spawns a sub-agent and runs it; resolves when it is over. */
  spawnSubAgent: (params: SubAgentParamsType) => Promise<HostResult>;
  /** Spawns one in the background; resolves to its id at once. */
  spawnBackgroundSubAgent: (params: SubAgentParamsType) => Promise<BackgroundStart>;
  /** Whether another one may start; `false` refuses at once. */
  canSpawn: () => boolean;
  /** Asked in addition to the limit. Default: allowed. */
  checkConsumerSpawn?: ((params: SubAgentParamsType) => SpawnGate) | undefined;
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
  const { kept, functions } = readArgument('the options of the tool', () => read(config));
  const lifted = Number.POSITIVE_INFINITY;
  const options: SubAgentManagerOptions = {
    ...functions,
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
  // There is no other tool to send a message with.
  const tool = manager.createSubAgentTool({ backgroundTimeoutMs: DEFAULT_LIMITS.timeoutMs, canAnswer: false, ...kept });
  const reportSettled = (id: string, result: HostResult): void => manager.reportSettled(id, result);
  return Object.defineProperty(tool, 'reportSettled', { value: reportSettled }) as StandaloneSubAgentTool;
}

function read(config: SubAgentToolConfig): { kept: SubAgentToolOptions; functions: SubAgentManagerOptions } {
  const { kept, others } = toolOptionsOf('the options of the tool', config);
  const { spawnSubAgent, spawnBackgroundSubAgent, canSpawn, checkConsumerSpawn, getConcurrencyInfo, getModelId, ...unknown } = others;
  noOtherOptions('createSubAgentTool', unknown);
  // Without it each call would fail, and the model would be told of it instead of the program.
  if (typeof spawnSubAgent !== 'function') throw invalid('`spawnSubAgent`', 'a function', spawnSubAgent);
  const functions = { spawnSubAgent, spawnBackgroundSubAgent, canSpawn, checkConsumerSpawn, getConcurrencyInfo, getModelId };
  return { kept, functions: functions as SubAgentManagerOptions };
}
