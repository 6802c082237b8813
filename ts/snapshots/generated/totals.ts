// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { WaitingFor } from '../../generated/names.js';

/** How full a manager is. */
export interface ConcurrencyInfo {
  /** Slots taken, cancelled runs that are still returning included. */
  active: number;
  /** The limit `maxConcurrent`. */
  limit: number;
  /** Runs that wait to begin; `waitingFor` has the reasons. */
  queued: number;
  /** The limit `maxQueued`. */
  queueLimit: number;
  /** Runs that released their slot while they wait. */
  parked: number;
  /** Abandoned host functions that have not returned. */
  abandoned: number;
  /** Work that has not begun, counted by its reason to wait whenever this is read. */
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
  /** Whether the host marked some of this as an estimate. */
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
  /** By session, the usage that its main agent reported of itself; closed sessions are left out. */
  mainAgents: CostShare[];
}

/** The expected cost of a plan. An empty plan costs nothing, on the basis `measured`. */
export interface PlanEstimate {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars; null if a model has no price, and its cost isn't known from runs or estimates. */
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
  /** Sub-agents whose run is queued. */
  pending: number;
  /** Sub-agents with an open run, parked ones included. */
  running: number;
  /** Sub-agents that have had no run yet, or were reopened. */
  idle: number;
  /** Sub-agents whose last run ended well. */
  completed: number;
  /** Sub-agents whose last run failed. */
  failed: number;
  /** Sub-agents whose last run met its deadline. */
  timedOut: number;
  /** Sub-agents that were cancelled. */
  cancelled: number;
  /** Sub-agents whose last run was interrupted. */
  interrupted: number;
  /** Sub-agents that were closed. */
  closed: number;
  /** Runs that have ended since the beginning, except runs cancelled before they began. */
  runsEnded: number;
  /** Tokens spent since the beginning, by forgotten sub-agents too. */
  tokensSpent: number;
  /** Tokens reserved for work in flight. */
  tokensReserved: number;
  /** Tokens that are available: neither spent nor reserved; `Infinity` if nothing caps them. */
  tokensRemaining: number;
  /** US dollars spent since the beginning. */
  costSpentUsd: number;
  /** Turns taken since the beginning. */
  turnsSpent: number;
  /** The most runs at once: the limit of that name. */
  maxConcurrent: number;
  /** Work that has not begun, counted by its reason to wait. */
  waitingFor: Record<WaitingFor, number>;
  /** A sub-agent that is spawned now would start at once, and budget remains. */
  canSpawn: boolean;
}
