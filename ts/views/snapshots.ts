// What users read: tasks, lists, statistics, what a wait or a drain found; and how they ask for it. Owns types only.

import type { Metadata } from '../base/metadata.js';
import type { OnParentEnd, ParkReason, StopReason, TaskStatus, WaitingFor } from '../generated/names.js';

/** How full a manager is. */
export interface ConcurrencyInfo {
  /** Slots held, cancelled runs that are still returning included. */
  active: number;
  /** `maxConcurrent`. */
  limit: number;
  /** Runs that wait to begin; `waitingFor` says for what. */
  queued: number;
  /** `maxQueued`. */
  queueLimit: number;
  /** Runs that gave their slot up while they wait. */
  parked: number;
  /** Host functions that were given up and have not returned. */
  abandoned: number;
  /** What work waits for that has not begun: how many for each, as their snapshots say; counted when this is read. */
  waitingFor: Record<WaitingFor, number>;
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

/** A budget: what may be spent, has been spent, and is set aside. */
export interface BudgetAccount {
  tokens: BudgetDimension;
  costUsd: BudgetDimension;
  turns: BudgetDimension;
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
  /** The option that raises the limit at which its last run ended, such as `maxTurns`; null where it ended at none. */
  raisedBy: string | null;
  /**
   * What it waits for where its work has not begun; null where it has, or there is none. The first that applies of
   * `abandoned` (too many host functions were given up), `host` (its last one has not returned), `held` (an interrupt
   * holds its messages until the next send), `retry`, `cooldown`, `stagger`, `budget` (others have it set aside), `slot`.
   */
  waitingFor: WaitingFor | null;
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
  /** What its host function returned, or `reportSettled` brought, after the end. */
  lateResult: string | null;
  /** What it last said it is doing. */
  progress: string | null;
  contextTokens: number | null;
  artifacts: Record<string, unknown>[];
  /** What the `schema` of its spawn asked for, as JSON; null where there is none. */
  value: unknown;
  tools: string[] | null;
  systemPrompt: string | null;
  /** The profile that makes its system prompt where none was given. */
  profile: string;
  modelId: string | null;
  /** What the program gave at its spawn; null where it gave nothing. */
  metadata: Metadata | null;
  /** The definition that it was spawned from. */
  sourceAgentId: string | null;
  rateLimitKey: string | null;
  /** Tools that its definition forbids. */
  disallowedTools: string[] | null;
  /** Its last result was let go of: `output` is empty. */
  released: boolean;
  /** How its result's text is made. */
  format: 'text' | 'json';
  /** The report of a policy that finished its last run, or was asked on its timeout. */
  report: string | null;
  maxTurns: number;
  /** Messages that have not been delivered. */
  queueSize: number;
  /** What it asked and nobody has answered: send it a message. */
  question: string | null;
  /**
   * Messages that were dropped when it ended, oldest first: nobody ever heard them, the text of a run that never
   * started included. All since its last run was queued, and up to 100 of before.
   */
  undelivered: string[];
  /** The beginnings of the first three of them, 100 characters each. */
  queuedPreview: string[];
  /** The text that it was given last, waiting ones included; null where there was none. */
  lastInput: string | null;
  /** What a run of it produced last; null where none did. */
  lastOutput: string | null;
  onParentEnd: OnParentEnd;
  createdAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  updatedAt: number | null;
  /** Of the last run: the host's measure where it gave one. */
  durationMs: number | null;
  /** Of the last run alone, without its sub-agents'; theirs are included in `budget`. */
  usage: RunUsage;
  budget: BudgetAccount;
}

/** Which tasks to list. */
export interface ListOptions {
  filter?:
    | {
        /** With one of these statuses. */
        status?: readonly TaskStatus[] | undefined;
        /** Spawned by this sub-agent; null: by the program or a session. */
        parent?: string | { readonly taskId: string } | null | undefined;
        /** With exactly this label. */
        label?: string | undefined;
        /** In the background, or not. */
        background?: boolean | undefined;
      }
    | undefined;
  /** One page of it: from `offset` (default 0), at most `limit` (default 100, up to 1,000). @default all, in one list */
  page?: { offset?: number | undefined; limit?: number | undefined } | undefined;
}

/** All that match, or a page of them: parents before their children, siblings in order of age. */
export interface TaskList {
  items: TaskSnapshot[];
  /** How many match, on all pages. */
  total: number;
  /** Where the next page begins; null where these are all, or the last ones. */
  nextOffset: number | null;
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
  /** Runs that have ended since the beginning; those that were cancelled before they began don't count. */
  runsEnded: number;
  tokensSpent: number;
  tokensHeld: number;
  /** What is available: neither spent nor held. */
  tokensRemaining: number;
  costSpentUsd: number;
  turnsSpent: number;
  maxConcurrent: number;
  /** What work waits for that has not begun: how many for each. */
  waitingFor: Record<WaitingFor, number>;
  canSpawn: boolean;
}

/** What a wait for several sub-agents found. */
export interface WaitResult {
  /** Those whose awaited run has ended, or that had nothing to run. */
  completed: TaskSnapshot[];
  /** Those that are still at it. */
  pending: TaskSnapshot[];
  /** Ids of those that were forgotten while the wait was open. */
  unknown: string[];
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Those of `pending` that ask and go on once they are sent a message. */
  needsInput: { taskId: string; question: string }[];
  /** Those of `pending` that went on in the background, where that ended the wait. */
  movedToBackground?: string[];
}

/** Options of a wait. */
export interface WaitOptions {
  /** Whether one end is enough. @default 'all' */
  mode?: 'all' | 'any' | undefined;
  /** Until the current run of each has ended, or until it has no message left to run, too. @default 'ended' */
  until?: 'ended' | 'idle' | undefined;
  /** Milliseconds; 0 to look once, `Infinity` for no deadline. @default 30,000 */
  timeoutMs?: number | undefined;
  /** Ends the wait, and nothing else, when it fires: the promise rejects with code `aborted`. */
  signal?: AbortSignal | undefined;
}
