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
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns that it took. */
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
  /** In tokens. */
  tokens: BudgetDimension;
  /** In US dollars. */
  costUsd: BudgetDimension;
  /** In turns. */
  turns: BudgetDimension;
}

/** A sub-agent as it stands. Instants are epoch milliseconds, or null. */
export interface TaskSnapshot {
  /** The sub-agent's id: `sub_` and 32 hex digits. */
  taskId: string;
  /** The sub-agent that spawned it; null where the program or a session did. */
  parentId: string | null;
  /** A name for display: the label of its spawn, else the beginning of its text. */
  label: string;
  /** The nickname of its spawn; null where it has none. */
  nickname: string | null;
  /** Where it stands. */
  status: TaskStatus;
  /** Why it is running without a slot; null where it has one, or is not running. */
  parked: ParkReason | null;
  /** The option that raises the limit at which its last run ended, such as `maxTurns`; null where it ended at none. */
  raisedBy: string | null;
  /**
   * What it waits for where its work has not begun; null where it has, or there is none. The first that applies of
   * `abandoned` (too many host functions were given up), `host` (its last one has not returned), `held` (an interrupt
   * holds its messages until the next send), `retry`, `cooldown`, `stagger`, `budget` (others have it set aside), `slot`.
   */
  waitingFor: WaitingFor | null;
  /** A cancel of it is under way. */
  cancelRequested: boolean;
  /** Why its last run ended; null before an end. */
  stopReason: StopReason | null;
  /** It runs in the background: its end makes a notice. */
  background: boolean;
  /** It was made by `createTask`. */
  manual: boolean;
  /** How deep it stands; 1 below the main agent. */
  depth: number;
  /** The number of its last run; 0 where there was none. */
  run: number;
  /** Turns of its last run. */
  turns: number;
  /** The text of its spawn; empty where it was spawned without one. */
  instructions: string;
  /** The context that was given beside the text; empty where there was none. */
  contextHint: string;
  /** What its last run produced: a sub-agent's text, not the user's. */
  output: string;
  /** The output is what had been done when it was stopped. */
  partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  truncated: boolean;
  /** What went wrong in its last run; null where nothing did. */
  error: string | null;
  /** The host's own word for how its last run ended; null where it gave none of its own. */
  hostStatus: string | null;
  /** The host's own id of it; null where the host gave none. */
  hostTaskId: string | null;
  /** Its last run has ended, and the host function of it, or of an earlier one, has not returned. */
  hostStillRunning: boolean;
  /** What its host function returned, or `reportSettled` brought, after the end; null where nothing came. */
  lateResult: string | null;
  /** What it last said it is doing; null where it has said nothing. */
  progress: string | null;
  /** The size of its context as last reported, in tokens; null where it was not reported. */
  contextTokens: number | null;
  /** What its last run made beside its output. */
  artifacts: Record<string, unknown>[];
  /** What the `schema` of its spawn asked for, as JSON; null where there is none. */
  value: unknown;
  /** Names of the tools that it may use; null where neither its parent nor its spawn named any. */
  tools: string[] | null;
  /** The system prompt of its spawn, or of its definition; null where its profile makes one. */
  systemPrompt: string | null;
  /** The profile that makes its system prompt where none was given. */
  profile: string;
  /** The model's id; null where none is known. */
  modelId: string | null;
  /** What the program gave at its spawn; null where it gave nothing. */
  metadata: Metadata | null;
  /** The name of the definition that it was spawned from; null where there was none. */
  sourceAgentId: string | null;
  /** The rate limit that it shares with others; null where its spawn named none. */
  rateLimitKey: string | null;
  /** Tools that its definition forbids; null where it forbids none. */
  disallowedTools: string[] | null;
  /** Its last result was let go of, and `output` is empty. */
  released: boolean;
  /** How its result's text is made. */
  format: 'text' | 'json';
  /** The report of a policy that finished its last run, or was asked on its timeout; null where there is none. */
  report: string | null;
  /** Turns that each of its runs may take; `Infinity` where there is no limit. */
  maxTurns: number;
  /** How many messages wait for it. */
  queueSize: number;
  /** The question that it asks and that has no answer yet: a message to it is the answer. Null where it asks none. */
  question: string | null;
  /**
   * Messages that no run of it ever got, since they were dropped when it ended; the text of a run that never started
   * is one of them. Oldest first: all since its last run was queued, and up to 100 of before.
   */
  undelivered: string[];
  /** The beginnings of the first three messages that wait for it, 100 characters each. */
  queuedPreview: string[];
  /** The text that was given to it last, one that waits included; null where there was none. */
  lastInput: string | null;
  /** The last output of any of its runs; null where none had one. */
  lastOutput: string | null;
  /** What becomes of it when the run that spawned it ends well. */
  onParentEnd: OnParentEnd;
  /** When it was spawned. */
  createdAt: number | null;
  /** When its last run started; null before that. */
  startedAt: number | null;
  /** When its last run ended; null before that. */
  endedAt: number | null;
  /** When it last changed. */
  updatedAt: number | null;
  /** How long the last run took, in milliseconds: the host's measure where it gave one; null before its end. */
  durationMs: number | null;
  /** What the last run spent, without what its sub-agents spent; `budget` includes that. */
  usage: RunUsage;
  /** What it and its sub-agents may spend in its life, have spent, and have set aside. */
  budget: BudgetAccount;
}

/** Which tasks to list. */
export interface ListOptions {
  /** Which ones: those that fit every field that is given. Default: all. */
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
  /** One page of the list. Default: all of it. */
  page?:
    | {
        /** How many to pass over. @default 0 */
        offset?: number | undefined;
        /** How many the page has at most: 0 to 1,000. @default 100 */
        limit?: number | undefined;
      }
    | undefined;
}

/** All that match, or a page of them: parents before their children, siblings in order of age. */
export interface TaskList {
  /** The tasks, each as it stands. */
  items: TaskSnapshot[];
  /** How many match, on all pages. */
  total: number;
  /** Where the next page begins; null where these are all, or the last ones. */
  nextOffset: number | null;
}

/** Statistics; the statuses sum to `total`. */
export interface ManagerStats {
  /** All sub-agents that are kept, ended ones included. */
  total: number;
  /** Those whose run is queued. */
  pending: number;
  /** Those with an open run, parked ones included. */
  running: number;
  /** Those that have had no run yet, or were reopened. */
  idle: number;
  /** Those whose last run ended well. */
  completed: number;
  /** Those whose last run failed. */
  failed: number;
  /** Those whose last run met its deadline. */
  timedOut: number;
  /** Those that were cancelled. */
  cancelled: number;
  /** Those whose last run was interrupted. */
  interrupted: number;
  /** Those that were closed. */
  closed: number;
  /** Runs that have ended since the beginning; those that were cancelled before they began don't count. */
  runsEnded: number;
  /** Tokens spent since the beginning, those of forgotten sub-agents included. */
  tokensSpent: number;
  /** Tokens set aside for work in flight. */
  tokensHeld: number;
  /** Tokens that are available: neither spent nor held; `Infinity` where nothing caps them. */
  tokensRemaining: number;
  /** US dollars spent since the beginning. */
  costSpentUsd: number;
  /** Turns taken since the beginning. */
  turnsSpent: number;
  /** How many may run at once: the limit of that name. */
  maxConcurrent: number;
  /** What work waits for that has not begun: how many for each. */
  waitingFor: Record<WaitingFor, number>;
  /** A sub-agent that is spawned now would start at once, and budget remains. */
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
