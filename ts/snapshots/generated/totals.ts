// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { WaitingFor } from '../../generated/names.js';

/** How full a manager is. */
export interface ConcurrencyInfo {
  /** Slots taken, cancelled runs that are still returning included. */
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
  /** What work that has not begun waits for: the count for each reason, counted when this is read. */
  waitingFor: Record<WaitingFor, number>;
}

/** The spending on one model, by the agents of one definition, or by one main agent. */
export interface CostShare {
  /** The model's id, the definition's name, or the key of the main agent's session; else null. */
  name: string | null;
  /** US dollars. */
  costUsd: number;
  /** Tokens, input and output together. */
  tokens: number;
  /** Turns. */
  turns: number;
  /** Runs that have ended. */
  runs: number;
  /** All tokens that the model read, cached ones included. Null, like every kind, if not reported. */
  inputTokens: number | null;
  /** All tokens that the model wrote, reasoning included. */
  outputTokens: number | null;
  /** The part of `inputTokens` that was read from the provider's cache. */
  cacheReadTokens: number | null;
  /** The part of `inputTokens` that was written to the provider's cache. */
  cacheWriteTokens: number | null;
  /** The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more. */
  cacheWrite1hTokens: number | null;
  /** The part of `outputTokens` that the model wrote to reason. */
  reasoningTokens: number | null;
  /** Whether the host marked some of them as estimates. */
  estimated: boolean;
  /** Some of it has no price, though there are prices: it cost more than `costUsd`. */
  unpriced: boolean;
}

/**
 * The spending of a manager's agents since the beginning, with that of forgotten ones. Each list adds up to the
 * totals.
 */
export interface ManagerCosts {
  /** US dollars in all. */
  costUsd: number;
  /** Tokens in all, input and output together. */
  tokens: number;
  /** Turns in all. */
  turns: number;
  /** By model, the dearest first. */
  byModel: CostShare[];
  /** By the definition that the agents were made from, the dearest first. */
  byAgent: CostShare[];
  /** By the session of a main agent, what that has reported of itself; those of closed sessions are left out. */
  mainAgents: CostShare[];
}

/** The expected cost of a plan. An empty one costs nothing, and that is `measured`. */
export interface PlanEstimate {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars; null if a model has no price, and nothing is known of what it costs. */
  costUsd: number | null;
  /** Turns. */
  turns: number;
  /** Its basis: runs of the same agent and model, other runs, or a turn's estimate. */
  basis: 'measured' | 'similar' | 'expected';
}

/** The results of a drain. */
export interface DrainResult {
  /** Runs that ended by themselves during it. */
  ended: number;
  /** Runs that the drain cancelled, queued ones included. */
  cancelled: number;
  /** Host functions that had not returned. */
  stillRunning: number;
  /** Whether the time ran out. */
  timedOut: boolean;
}

/** The counts of a manager; the statuses sum to `total`. */
export interface ManagerCounts {
  /** All retained sub-agents, ended ones included. */
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
  /** Tokens reserved for work in flight. */
  tokensReserved: number;
  /** Tokens that are available: neither spent nor reserved; `Infinity` if nothing caps them. */
  tokensRemaining: number;
  /** US dollars spent since the beginning. */
  costSpentUsd: number;
  /** Turns taken since the beginning. */
  turnsSpent: number;
  /** How many may run at once: the limit of that name. */
  maxConcurrent: number;
  /** What work that has not begun waits for: the count for each reason. */
  waitingFor: Record<WaitingFor, number>;
  /** A sub-agent that is spawned now would start at once, and budget remains. */
  canSpawn: boolean;
}
