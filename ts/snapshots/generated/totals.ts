// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import type { WaitingFor } from '../../generated/names.js';

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

/** Reads one. */
export function readManagerStats(from: ViewBytes): ManagerStats {
  const low = from.bits(1);
  return {
    total: from.number(),
    pending: from.number(),
    running: from.number(),
    idle: from.number(),
    completed: from.number(),
    failed: from.number(),
    timedOut: from.number(),
    cancelled: from.number(),
    interrupted: from.number(),
    closed: from.number(),
    runsEnded: from.float(),
    tokensSpent: from.float(),
    tokensHeld: from.float(),
    tokensRemaining: from.float(),
    costSpentUsd: from.float(),
    turnsSpent: from.float(),
    maxConcurrent: from.float(),
    waitingFor: from.waiting(),
    canSpawn: (low & 0x1) !== 0,
  };
}
