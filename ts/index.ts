// What the package offers.

export { type AgentFile, parseAgentDefinition, parseAgentDefinitions } from './agent-file.js';
export type { AgentDefinition } from './agents.js';
export type { LiveLimits } from './bounds.js';
export { type BusMessage, type MessageBus, parseOrigin, startedText, toBusMessage } from './bus.js';
export { SubAgentError, type SubAgentErrorCode, type SubAgentErrorDetails } from './errors.js';
export type { Listener, SubAgentEvent } from './events.js';
export type * from './exchange.js';
export { DEFAULT_LIMITS, DEFAULT_POOL_TOKENS, DEFAULT_TASK_TOKENS, DEFAULT_TASK_TURNS, type Limits } from './generated/limits.js';
export {
  ON_PARENT_END,
  type OnParentEnd,
  PARK_REASONS,
  type ParkReason,
  POLICY_ANSWERS,
  POLICY_POINTS,
  type PolicyAnswerName,
  type PolicyPoint,
  RETRY_REASONS,
  type RetryReason,
  STOP_REASONS,
  type StopReason,
  TASK_STATUSES,
  type TaskStatus,
  WAITING_FOR,
  type WaitingFor,
} from './generated/names.js';
export { Handle } from './handle.js';
export type { CancelledSnapshot, ClosedSnapshot, HandleSnapshot, HandleWaitResult, JsonBudgetDimension } from './handle-snapshot.js';
export { Inbox, type LeaseOptions } from './inbox.js';
export type { StopOptions } from './lifecycle.js';
export type { MainReport } from './main-agent.js';
export { SubAgentManager } from './manager.js';
export type { CompletionOptions, CreateTaskOptions, ManualTaskRef, SubAgentResult, SubAgentTask } from './manual.js';
export type { Json, Metadata } from './metadata.js';
export type { CancelReceipt, ClaimedEnd, Notice, Origin } from './notices.js';
export type * from './options.js';
export type { PageOptions, ResultPage } from './pages.js';
export { SubAgentParams } from './params.js';
export { type CompletionCheckOptions, completionCheck, FORCED_TURNS } from './policies/completion-check.js';
export { ANALYTICAL_WORDS, type DelegationGuardOptions, delegationGuard, RETRIEVAL_VERBS } from './policies/delegation-guard.js';
export type * from './policies/policy.js';
export { type SafetyLimitsOptions, safetyLimits } from './policies/safety-limits.js';
export { SEARCH_BUDGET, SEARCH_TOOLS, type SearchBudgetOptions, searchBudget } from './policies/search-budget.js';
export { timeoutReport } from './policies/timeout-report.js';
export {
  HEAVY_COMMANDS,
  HEAVY_TOOLS,
  HEAVY_WORDS,
  LONG_PROMPT_WORDS,
  type WorkloadDistributorOptions,
  workloadDistributor,
} from './policies/workload-distributor.js';
export { BLOCKED_SUB_AGENT_TOOLS, type Preset, type PresetParameters, SUB_AGENT_MAX_ITERATIONS, SUB_AGENT_MAX_TOKENS } from './presets.js';
export { DEFAULT_PROFILE, type Profile } from './profiles.js';
export type { AgentReport, ReportStats } from './report.js';
export type { RetryOptions } from './retry.js';
export { Run } from './run.js';
export { RunResult } from './run-result.js';
export { JSON_SCHEMA_KEYWORDS, type JsonSchema } from './schema/json-schema.js';
export type { ResultSchema, StandardSchema, StandardSchemaIssue, StandardSchemaResult, ValueOf } from './schema/schema.js';
export type { TaskRef } from './scope.js';
export { Session, type SessionOptions } from './session.js';
export type * from './snapshots.js';
export { createSubAgentTool, type StandaloneSubAgentTool, type SubAgentToolConfig, type SubAgentToolLimits } from './sub-agent-tool.js';
export type { ReportedTodo, Todo } from './todos.js';
export {
  SUB_AGENT_TOOL_NAME,
  type SubAgentDetails,
  type SubAgentTool,
  type SubAgentToolOptions,
  type ToolParameters,
} from './tool.js';
export type { AgentTools, ToolsOptions } from './tools/create.js';
export type { AgentTool, ToolCallOptions, ToolContent, ToolProgress, ToolSchema } from './tools/object.js';
export type { OperationDetails } from './tools/operations.js';
export { OPERATIONS, type Operation, TOOL_PRESETS, type ToolPreset } from './tools/presets.js';
export type { EndedFacts, LimitFacts, RefusedFacts, StartedFacts, SubAgentTexts } from './tools/texts.js';
export type { Wake, WakeListener } from './wakes.js';
