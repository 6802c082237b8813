// The types that users read: tasks, lists, statistics, the outcomes of waits and drains; and those of the queries.

import type { TaskStatus } from '../generated/names.js';
import type { TaskSnapshot } from './generated/task.js';
import type { ManagerCounts } from './generated/totals.js';

export type * from './generated/task.js';
export type * from './generated/totals.js';

/** Statistics of a manager; the statuses sum to `total`. */
export interface ManagerStats extends ManagerCounts {
  /** Events since the beginning: the `seq` of the last one, even without a listener. */
  events: number;
  /** Bytes of memory that the core has taken, at most 4 GiB. */
  memoryBytes: number;
}

/** Options of a list of tasks. */
export interface ListOptions {
  /** Tasks that match every given field. Default: all. */
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
        /** Number of tasks to skip. @default 0 */
        offset?: number | undefined;
        /** Maximum number of tasks on the page: 1 to 1,000. @default 100 */
        limit?: number | undefined;
      }
    | undefined;
}

/** All matching tasks, or a page of them: parents before their children, siblings in order of age. */
export interface TaskList {
  /** The current snapshots of the tasks. */
  items: TaskSnapshot[];
  /** Number of matching tasks on all pages. */
  total: number;
  /** The offset of the next page; null if these are all, or the last ones. */
  nextOffset: number | null;
}

/** The result of a wait for several sub-agents. */
export interface WaitResult {
  /** Sub-agents whose awaited run has ended, or that had nothing to run. */
  completed: TaskSnapshot[];
  /** Ids of sub-agents that still work. `wait` takes them again. */
  pending: string[];
  /** Ids of sub-agents that were forgotten during the wait. */
  unknown: string[];
  /** Whether the time ran out. */
  timedOut: boolean;
  /** Sub-agents of `pending` that ask a question, and continue once they get a message. */
  needsInput: { taskId: string; question: string }[];
  /** Ids of sub-agents of `pending` that continued in the background, if that ended the wait. */
  movedToBackground?: string[];
}

/** Options of a wait. */
export interface WaitOptions {
  /** Whether one end is enough. @default 'all' */
  mode?: 'all' | 'any' | undefined;
  /** Until the current run of each has ended, or until each also has no message left to run. @default 'ended' */
  until?: 'ended' | 'idle' | undefined;
  /** Milliseconds; 0 to check once, `Infinity` for no deadline. @default 30,000 */
  timeoutMs?: number | undefined;
  /** Ends only the wait when it fires: the promise rejects with code `aborted`. */
  signal?: AbortSignal | undefined;
}
