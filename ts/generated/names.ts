// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What a sub-agent does, or how it ended, by number. */
export const TASK_STATUSES = [
  'pending',
  'running',
  'idle',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
  'closed',
] as const;
/** What a sub-agent does, or how it ended. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Why a run ended, by number. */
export const STOP_REASONS = [
  'finished',
  'host_failed',
  'host_threw',
  'invalid_result',
  'host_cancelled',
  'host_timed_out',
  'timeout',
  'idle_timeout',
  'max_turns',
  'budget_exhausted',
  'cancelled',
  'ancestor_cancelled',
  'parent_ended',
  'interrupted',
  'closed',
  'signal_aborted',
  'drained',
  'policy',
  'host_lost',
  'never_reported',
] as const;
/** Why a run ended. */
export type StopReason = (typeof STOP_REASONS)[number];

/** Ends that may be tried again, by number. */
export const RETRY_REASONS = [
  'host_failed',
  'host_threw',
  'invalid_result',
  'host_cancelled',
  'host_timed_out',
  'host_lost',
] as const;
/** Ends that may be tried again. */
export type RetryReason = (typeof RETRY_REASONS)[number];

/** Ends after which the next run goes on with the work. */
export type ContinuedReason = 'drained' | 'host_lost';

/** How far the delivery of a notice is, by number. */
export const DELIVERIES = [
  'pending',
  'awaited',
  'leased',
  'undelivered',
  'acked',
] as const;
/** How far the delivery of a notice is. */
export type Delivery = (typeof DELIVERIES)[number];

/** When a message is delivered, by number. */
export const MESSAGE_MODES = [
  'queue',
  'steer',
  'interrupt',
] as const;
/** When a message is delivered. */
export type MessageMode = (typeof MESSAGE_MODES)[number];

/** What became of a message, by number. */
export const MESSAGE_RECEIPTS = [
  'queued',
  'started',
  'delivered',
] as const;
/** What became of a message. */
export type Receipt = (typeof MESSAGE_RECEIPTS)[number];

/** The place in which a message waits, by number. */
export const MESSAGE_PLACES = [
  'queue',
  'steer',
  'missed',
  'interrupt',
] as const;
/** The place in which a message waits. */
export type MessagePlace = (typeof MESSAGE_PLACES)[number];

/** Why a running sub-agent holds no slot, by number. */
export const PARK_REASONS = [
  'children',
  'input',
  'approval',
  'cooldown',
  'reentry',
  'rate',
] as const;
/** Why a running sub-agent holds no slot. */
export type ParkReason = (typeof PARK_REASONS)[number];

/** What work that has not begun waits for, by number. */
export const WAITING_FOR = [
  'abandoned',
  'host',
  'held',
  'retry',
  'cooldown',
  'stagger',
  'budget',
  'slot',
  'session',
  'definition',
  'rate',
  'program',
] as const;
/** What work that has not begun waits for. */
export type WaitingFor = (typeof WAITING_FOR)[number];

/** Where a target of a wait stands, by number. */
export const TARGET_STATES = [
  'pending',
  'ended',
  'asks',
  'moved',
] as const;
/** Where a target of a wait stands. */
export type TargetState = (typeof TARGET_STATES)[number];

/** The points at which a policy is asked, by number. */
export const POLICY_POINTS = [
  'before_spawn',
  'before_start',
  'before_turn',
  'before_tool',
  'after_tool',
  'before_end',
  'on_timeout',
] as const;
/** The points at which a policy is asked. */
export type PolicyPoint = (typeof POLICY_POINTS)[number];

/** What a policy answers, unless it lets the run continue, by number. */
export const POLICY_ANSWERS = [
  'inject',
  'force_turn',
  'block',
  'finish',
] as const;
/** What a policy answers, unless it lets the run continue. */
export type PolicyAnswerName = (typeof POLICY_ANSWERS)[number];

/** What becomes of a background sub-agent when its parent's run ends well, by number. */
export const ON_PARENT_END = [
  'adopt',
  'wait',
  'cancel',
] as const;
/** What becomes of a background sub-agent when its parent's run ends well. */
export type OnParentEnd = (typeof ON_PARENT_END)[number];

/** What budgets bound, by number. */
export const DIMENSIONS = [
  'tokens',
  'costUsd',
  'turns',
] as const;
/** What budgets bound. */
export type Dimension = (typeof DIMENSIONS)[number];

/** What the event of a spawn says of what was given beside the text, by number. */
export const SPEC_FIELDS = [
  'label',
  'nickname',
  'contextHint',
  'tools',
  'systemPrompt',
  'profile',
  'modelId',
  'agent',
  'maxTurns',
  'timeoutMs',
  'idleTimeoutMs',
  'turnEstimate',
  'priority',
  'rateLimitKey',
  'disallowedTools',
  'originChannel',
  'originChatId',
  'json',
  'onParentEnd',
  'metadata',
  'retry',
  'turnEstimateUsd',
  'prices',
  'taskId',
  'driven',
  'effort',
  'mustHave',
  'maxSpawns',
] as const;
/** What the event of a spawn says of what was given beside the text. */
export type SpecField = (typeof SPEC_FIELDS)[number];

/** The channel of work that comes by none. */
export const DEFAULT_CHANNEL = 'cli';
