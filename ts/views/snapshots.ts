// What users read: tasks, lists, statistics, what a wait or a drain found; and how they ask for it. Owns types only.

import type { TaskStatus, WaitingFor } from '../generated/names.js';
import type { TaskSnapshot } from './generated/task.js';

export type * from './generated/task.js';

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
