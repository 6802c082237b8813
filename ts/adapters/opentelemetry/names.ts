// The names in traces and metrics. Owns the one table: the GenAI conventions of OpenTelemetry still change, so each of
// their versions is a row.

/** A version of the GenAI conventions: that of 2025, which many back ends still read, or the one after. */
export type Conventions = '1.36' | '1.41';

/** The names of the conventions. */
export interface ConventionNames {
  readonly operation: string;
  readonly agentName: string;
  /** Absent if spans within a process carry no id of the agent. */
  readonly agentId: string | undefined;
  readonly conversationId: string;
  readonly requestModel: string;
  readonly toolName: string;
  readonly toolArguments: string;
  readonly toolResult: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly cacheReadTokens: string;
  readonly cacheWriteTokens: string;
  readonly cacheWrite1hTokens: string;
  readonly reasoningTokens: string;
  /** Absent if the texts are events of their own. */
  readonly inputMessages: string | undefined;
  readonly outputMessages: string | undefined;
}

const COMMON = {
  operation: 'gen_ai.operation.name',
  agentName: 'gen_ai.agent.name',
  conversationId: 'gen_ai.conversation.id',
  requestModel: 'gen_ai.request.model',
  toolName: 'gen_ai.tool.name',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  // The conventions have no name for it.
  cacheWrite1hTokens: 'subagents.usage.cache_write_1h_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
} as const;

export const CONVENTIONS: Readonly<Record<Conventions, ConventionNames>> = {
  '1.36': { ...COMMON, agentId: 'gen_ai.agent.id', inputMessages: undefined, outputMessages: undefined },
  '1.41': { ...COMMON, agentId: undefined, inputMessages: 'gen_ai.input.messages', outputMessages: 'gen_ai.output.messages' },
};

/** Attributes of spans that the conventions have no name for. */
export const ATTRIBUTE = {
  taskId: 'subagents.task.id',
  run: 'subagents.run',
  depth: 'subagents.depth',
  background: 'subagents.background',
  status: 'subagents.status',
  stopReason: 'subagents.stop_reason',
  partial: 'subagents.partial',
  queueMs: 'subagents.queue_ms',
  tokens: 'subagents.usage.tokens',
  costUsd: 'subagents.usage.cost_usd',
  turns: 'subagents.usage.turns',
  estimated: 'subagents.usage.estimated',
  reason: 'subagents.reason',
  turn: 'subagents.turn',
  allowed: 'subagents.tool.allowed',
  input: 'subagents.input',
  output: 'subagents.output',
} as const;

/** Events of a span. */
export const EVENT = {
  queued: 'subagents.queued',
  started: 'subagents.started',
  turn: 'subagents.turn_started',
  parked: 'subagents.parked',
  unparked: 'subagents.unparked',
  stopping: 'subagents.stopping',
  retried: 'subagents.retried',
} as const;

/** Metrics. Durations are in seconds, money in US dollars. */
export const METRIC = {
  runDuration: 'subagents.run.duration',
  queueDuration: 'subagents.queue.duration',
  slotsUsed: 'subagents.slots.used',
  slotsLimit: 'subagents.slots.limit',
  runsQueued: 'subagents.runs.queued',
  runsParked: 'subagents.runs.parked',
  tokensSpent: 'subagents.budget.tokens.spent',
  tokensReserved: 'subagents.budget.tokens.reserved',
  costSpent: 'subagents.budget.cost.spent',
  inputSpent: 'subagents.tokens.input',
  outputSpent: 'subagents.tokens.output',
  cacheRead: 'subagents.tokens.cache_read',
  cacheWrite: 'subagents.tokens.cache_write',
  cacheWrite1h: 'subagents.tokens.cache_write_1h',
  reasoning: 'subagents.tokens.reasoning',
} as const;
