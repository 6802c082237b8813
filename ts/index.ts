// The entry `subagents`. Owns the list of its exports. In comments, `(B6)` names a rule of docs/rules.md.

export { DrivenHandle } from './api/driven-handle.js';
export { Handle } from './api/handle.js';
export type * from './api/host-functions.js';
export { Inbox, type LeaseOptions } from './api/inbox.js';
export type { MainAgent } from './api/main-agent.js';
export { type OpenOptions, SubAgentManager, type SubAgentManagerOptions } from './api/manager.js';
export { Run } from './api/run.js';
export type { Scope, TaskRef } from './api/scope.js';
export { Session, type SessionOptions } from './api/session.js';
export type { RestoredSession } from './api/sessions.js';
export {
  createSubAgentTool,
  type StandaloneSubAgentTool,
  type SubAgentToolConfig,
  type SubAgentToolLimits,
} from './api/standalone-tool.js';
export {
  isSubAgentError,
  SubAgentError,
  type SubAgentErrorClass,
  type SubAgentErrorCode,
  type SubAgentErrorDetails,
  type SubAgentErrorDetailsOf,
  type SubAgentErrorOf,
} from './base/errors.js';
export type { Json, JsonLike, JsonOf, Metadata } from './base/metadata.js';
export type { CommandReceipt, FileChange, FileReceipt, OmittedReceipts, Receipt, StoredMustHave } from './base/receipt.js';
export type { Listener, SubAgentEvent } from './boundary/events.js';
export type { Missing } from './boundary/generated/lookups.js';
export type { Durability } from './boundary/journal.js';
export type { Refusal, RefusalListener } from './boundary/refusals.js';
export type { StopOptions } from './commands/lifecycle.js';
export type { PlannedSpawns } from './commands/planning.js';
export { DEFAULT_LIMITS, type Limits } from './generated/limits.js';
export {
  ON_PARENT_END,
  type OnParentEnd,
  PARK_REASONS,
  type ParkReason,
  type PolicyAnswerName,
  type PolicyPoint,
  type RetryReason,
  STOP_REASONS,
  type StopReason,
  TASK_STATUSES,
  type TaskStatus,
  WAITING_FOR,
  type WaitingFor,
} from './generated/names.js';
export type { AgentDefinition } from './options/agents.js';
export type { LiveLimits } from './options/bounds.js';
export { DEFAULT_PROFILE, type SpawnOptions, type SubAgentParamsType } from './options/generated/spawn.js';
export type * from './options/host-result.js';
export type { MustHave } from './options/must-have.js';
export type { ModelPrice, Prices } from './options/prices.js';
export type { Profile } from './options/profiles.js';
export type { Rate, Rates } from './options/rates.js';
export type { RetryOptions } from './options/retry.js';
export type { JsonSchema } from './options/schema/json-schema.js';
export type { ResultSchema, StandardSchema, StandardSchemaIssue, StandardSchemaResult, ValueOf } from './options/schema/schema.js';
export type { OnHostLost, StoreOptions } from './options/store.js';
export type { ReportedTodo, Todo } from './options/todos.js';
export type { Budget, Sometimes } from './options/values.js';
export type * from './policies/policy.js';
export type * from './reading/exchange.js';
export type {
  CancelledSnapshot,
  ClosedSnapshot,
  HandleSnapshot,
  JsonBudgetDimension,
} from './reading/handle-snapshot.js';
export type { AgentReport, ReportStats } from './reading/json-report.js';
export type { PageOptions, ResultPage } from './reading/pages.js';
export type { RunResult } from './reading/run-result.js';
export type { Wake, WakeListener } from './runs/wakes.js';
export type { CancelReceipt, ClaimedEnd, Notice, Origin, SpentInAll } from './snapshots/notices.js';
export type * from './snapshots/types.js';
export type { Store, StoreContents, StoreLease } from './stores/store.js';
export type { OperationDetails } from './tools/attempt.js';
export { OPERATIONS, type Operation, SUB_AGENT_TOOL_NAME } from './tools/generated/tools.js';
export { TOOL_PRESETS, type ToolPreset } from './tools/naming.js';
export type { AgentTool, ToolCallOptions, ToolContent, ToolProgress, ToolSchema } from './tools/object.js';
export { SubAgentParams } from './tools/params-schema.js';
export type { EndedFacts, LimitFacts, RefusedFacts, StartedFacts, SubAgentTexts } from './tools/texts.js';
export type { SubAgentTool, ToolParameters } from './tools/tool.js';
export type { SubAgentDetails, SubAgentToolOptions } from './tools/tool-options.js';
export type { AgentTools, ToolsOptions } from './tools/tool-set.js';
