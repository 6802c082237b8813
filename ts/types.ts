// The shapes that users give and get. Owns types only.

import type { Limits } from './generated/limits.js';
import type { ParkReason, StopReason, TaskStatus } from './generated/names.js';

export type { TaskStatus } from './generated/names.js';

import type { Run } from './run.js';

/** A budget. What is left out keeps its default; `Infinity` lifts a cap. */
export interface Budget {
  /** Tokens. */
  tokens?: number;
  /** US dollars. */
  costUsd?: number;
  /** Turns: calls of a model. */
  turns?: number;
}

/** The parameters of the `SubAgent` tool, as a model gives them and as `spawnSubAgent` gets them. */
export interface SubAgentParamsType {
  /** The whole task. */
  instructions: string;
  /** Names of the tools it may use. Default: the parent's. */
  tools?: string[];
  /** A system prompt of its own. */
  systemPrompt?: string;
  /** Turns that it may take. @default 10 */
  maxTurns?: number;
  /** What it may cost, in US dollars. Default: no limit but the shared budget. */
  maxCost?: number;
  /** Start it and go on. @default false */
  background?: boolean;
}

/** What to spawn. The text goes by any one of `instructions`, `goal`, `message`, `task`, `taskDescription`. */
export interface SpawnOptions extends Omit<SubAgentParamsType, 'instructions'> {
  /** The whole task. Without a text the sub-agent is there and idle until it gets a message. */
  instructions?: string;
  /** The same as `instructions`. */
  goal?: string;
  /** The same as `instructions`. */
  message?: string;
  /** The same as `instructions`. */
  task?: string;
  /** The same as `instructions`. */
  taskDescription?: string;
  /** Context that goes beside the text. @default '' */
  contextHint?: string;
  /** For display; may repeat. Default: the first 30 characters of the text. */
  label?: string;
  /** What it may spend in its life. Default: the manager's `taskBudget`. */
  budget?: Budget;
  /** The same as `maxTurns`. */
  maxSteps?: number;
  /** Milliseconds until it is told to wrap up. Default: the manager's. */
  timeoutMs?: number;
  /** Milliseconds that it may be silent. Default: the manager's. */
  idleTimeoutMs?: number;
  /** Tokens held for one of its turns. Default: the manager's. */
  turnEstimate?: number;
  /** Higher goes first; each level counts as `ageingMs` of waiting. @default 0 */
  priority?: number;
  /** Cancels it when it fires. */
  signal?: AbortSignal;
}

/** What a run used. What is left out is not known; it counts as nothing and is marked. */
export interface HostUsage {
  /** Turns that it took. */
  turns?: number;
  /** US dollars. */
  cost?: number;
  /** Tokens, input and output together. */
  tokens?: number;
  /** Milliseconds. Default: as measured. */
  durationMs?: number;
}

/** What `spawnSubAgent` resolves to. */
export interface HostResult {
  /** The host's own id, kept as `hostTaskId`. */
  taskId?: string;
  /** What the sub-agent produced. */
  output: string;
  /**
   * How it ended: `failed` or `error`, `cancelled` or `aborted`, `timed_out` or `timeout` mean that; any
   * other word means that it completed, and is kept as `hostStatus`. @default 'completed'
   */
  status?: string;
  /** The run's own total, without that of its sub-agents. */
  usage?: HostUsage;
  /** What it made beside its output; JSON values. */
  artifacts?: readonly Record<string, unknown>[];
}

/**
 * Runs a model. Contract: resolves when the run is over, honours `run.signal`, asks `run.beforeTurn()`
 * before each call of the model. Whatever it does instead has a defined end, and never harms the manager.
 */
export type SpawnSubAgent = (params: SubAgentParamsType & SpawnOptions, run: Run) => Promise<HostResult> | HostResult;

/** What `spawnBackgroundSubAgent` resolves to. */
export interface BackgroundStart {
  /** The host's own id, under which `reportSettled` finds it. */
  taskId: string;
}

/** How full a manager is. */
export interface ConcurrencyInfo {
  /** Slots held, cancelled runs that are still returning included. */
  active: number;
  /** `maxConcurrent`. */
  limit: number;
  /** Runs that wait for a slot. */
  queued: number;
  /** `maxQueued`. */
  queueLimit: number;
  /** Runs that gave their slot up while they wait. */
  parked: number;
  /** Host functions that were given up and have not returned. */
  abandoned: number;
}

/** What a drain did. */
export interface DrainResult {
  /** Runs that ended by themselves meanwhile. */
  ended: number;
  /** Runs that the drain cancelled, queued ones included. */
  cancelled: number;
  /** Host functions that had not returned. */
  stillRunning: number;
  /** Whether the time ran out. */
  timedOut: boolean;
}

/** The answer of a gate. */
export interface SpawnGate {
  allowed: boolean;
  /** Shown to the model. */
  reason?: string;
}

/** Options of a manager. */
export interface SubAgentManagerOptions extends Limits {
  /** Runs a model. Not needed in the manual style. */
  spawnSubAgent?: SpawnSubAgent;
  /**
   * Starts a sub-agent somewhere else and resolves to its id; serves `background: true`. The run ends by
   * `reportSettled`, by cancel or by its deadline.
   */
  spawnBackgroundSubAgent?: (params: SubAgentParamsType & SpawnOptions) => Promise<BackgroundStart>;
  /** The host's own limit, asked first by the tool; `false` refuses at once. */
  canSpawn?: () => boolean;
  /** For the text of that refusal. */
  getConcurrencyInfo?: () => { active: number; limit: number };
  /** Asked before each spawn, synchronously. Throwing, returning a promise or lacking a boolean refuses. */
  checkConsumerSpawn?: (params: SubAgentParamsType & SpawnOptions) => SpawnGate;
  /** The model's id that sub-agents inherit. */
  getModelId?: () => string;
  /** What all sub-agents together may spend. @default 50,000 tokens, no cap on cost and turns */
  budget?: Budget;
  /** What one sub-agent may spend in its life unless its spawn says otherwise. @default 10,000 tokens */
  taskBudget?: Budget;
  /** What happens to work at the slot limit. @default 'queue' */
  onLimit?: 'queue' | 'reject';
  /** Names of the tools that the main agent has. Default: unknown, and nothing is filtered but what is always blocked. */
  tools?: readonly string[];
  /** The same as `maxTurns`. */
  maxSubAgentSteps?: number;
  /** The same as `budget.tokens`. */
  totalTokenBudget?: number;
  /** Gets what listeners throw. Default: it is reported as an uncaught error. */
  onError?: (error: unknown) => void;
}

/** What a run spent. */
export interface RunUsage {
  tokens: number;
  costUsd: number;
  turns: number;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid: what had been held was booked. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
}

/** One dimension of a budget. */
export interface BudgetDimension {
  /** The most that may be spent; `Infinity` where there is no cap. */
  cap: number;
  /** What has been spent, its sub-agents' included. */
  spent: number;
  /** What is set aside for work in flight. */
  held: number;
  /** What may still be spent, the caps above it considered. */
  available: number;
  /** How far the truth went past the cap. */
  overspent: number;
}

/** A sub-agent as it stands. Instants are epoch milliseconds, or null. */
export interface TaskSnapshot {
  taskId: string;
  /** The sub-agent that spawned it; null where the program or a session did. */
  parentId: string | null;
  label: string;
  nickname: string | null;
  status: TaskStatus;
  /** Why it is running without a slot. */
  parked: ParkReason | null;
  cancelRequested: boolean;
  stopReason: StopReason | null;
  background: boolean;
  /** Made by `createTask`. */
  manual: boolean;
  depth: number;
  /** The number of its last run; 0 where there was none. */
  run: number;
  /** Turns of the last run. */
  turns: number;
  instructions: string;
  contextHint: string;
  output: string;
  /** The output is what had been done when it was stopped. */
  partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  truncated: boolean;
  error: string | null;
  hostStatus: string | null;
  hostTaskId: string | null;
  /** Its last run has ended, and the host function of it, or of an earlier one, has not returned. */
  hostStillRunning: boolean;
  /** What its host function returned after the end. */
  lateResult: string | null;
  /** What it last said it is doing. */
  progress: string | null;
  contextTokens: number | null;
  artifacts: Record<string, unknown>[];
  tools: string[] | null;
  systemPrompt: string | null;
  profile: string | null;
  modelId: string | null;
  sourceAgentId: string | null;
  maxTurns: number;
  /** Messages that wait for the next run. */
  queueSize: number;
  createdAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  updatedAt: number | null;
  /** Of the last run: the host's measure where it gave one. */
  durationMs: number | null;
  /** Of the last run. */
  usage: RunUsage;
  budget: { tokens: BudgetDimension; costUsd: BudgetDimension; turns: BudgetDimension };
}

/** Which tasks to list. */
export interface ListOptions {
  filter?: { status?: readonly TaskStatus[] };
  /** @default the first 100 */
  page?: { offset?: number; limit?: number };
}

/** A page of a list: parents before their children, siblings in order of age. */
export interface TaskList {
  items: TaskSnapshot[];
  /** How many match, on all pages. */
  total: number;
}

/** Statistics; the statuses sum to `total`. */
export interface ManagerStats {
  total: number;
  pending: number;
  running: number;
  idle: number;
  completed: number;
  failed: number;
  timedOut: number;
  cancelled: number;
  interrupted: number;
  closed: number;
  /** Runs that have ended since the beginning. */
  runsEnded: number;
  tokensSpent: number;
  tokensHeld: number;
  /** What is available: neither spent nor held. */
  tokensRemaining: number;
  costSpentUsd: number;
  turnsSpent: number;
  maxConcurrent: number;
  canSpawn: boolean;
}

/** What a wait for several sub-agents found. */
export interface WaitResult {
  /** Those whose awaited run has ended, or that had nothing to run. */
  completed: TaskSnapshot[];
  /** Those that are still at it. */
  pending: TaskSnapshot[];
  /** Ids that are not there, or not any more. */
  unknown: string[];
  /** Whether the time ran out. */
  timedOut: boolean;
}

/** Options of a wait. */
export interface WaitOptions {
  /** Whether one end is enough. @default 'all' */
  mode?: 'all' | 'any';
  /** Milliseconds; `Infinity` for no deadline. @default 30,000 */
  timeoutMs?: number;
  /** Ends the wait, and nothing else, when it fires: the promise rejects with code `aborted`. */
  signal?: AbortSignal;
}

/** What `beforeTurn` says. */
export type TurnPermit =
  | {
      go: true;
      /** The turn's number in the run, from 1. */
      turn: number;
      /** It is the last one: ask the model to sum up. */
      wrapUp?: true;
      /** Why it is the last one. */
      reason?: StopReason;
      /** Tokens set aside for a last turn: less than usual where the budget runs out. */
      tokens?: number;
    }
  | { go: false; reason: StopReason | 'actor_ended' };

/** What a run reports while it goes on: deltas since the last report. */
export interface RunReport {
  tokens?: number;
  /** US dollars. */
  costUsd?: number;
  /** The size of the context as it stands, in tokens. */
  contextTokens?: number;
  /** What it is doing; kept as the partial output where it is stopped before it returns one. */
  message?: string;
}

/** What bounds a run. `Infinity` where there is no limit. */
export interface RunLimits {
  maxTurns: number;
  tokens: number;
  costUsd: number;
  turns: number;
  timeoutMs: number;
  idleTimeoutMs: number;
}
