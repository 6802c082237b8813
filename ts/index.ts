// What the package offers.

export { SubAgentError, type SubAgentErrorCode } from './errors.js';
export type { Listener, SubAgentEvent } from './events.js';
export { DEFAULT_BUDGET_TOKENS, DEFAULT_LIMITS, DEFAULT_TASK_TOKENS, type Limits } from './generated/limits.js';
export { PARK_REASONS, type ParkReason, STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from './generated/names.js';
export { Handle } from './handle.js';
export { SubAgentManager } from './manager.js';
export type { CompletionOptions, CreateTaskOptions, ManualTaskRef, SubAgentResult, SubAgentTask } from './manual.js';
export { SubAgentParams } from './params.js';
export { Run } from './run.js';
export { RunResult } from './run-result.js';
export type { TaskRef } from './scope.js';
export { Session, type SessionOptions } from './session.js';
export { createSubAgentTool, type StandaloneSubAgentTool, type SubAgentToolConfig } from './sub-agent-tool.js';
export {
  SUB_AGENT_TOOL_NAME,
  type SubAgentDetails,
  type SubAgentTool,
  type SubAgentToolOptions,
  type ToolCallOptions,
  type ToolContent,
  type ToolParameters,
} from './tool.js';
export type * from './types.js';
