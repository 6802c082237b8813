// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import type { CostShare, ManagerCosts, PlanEstimate, ManagerCounts } from './totals.js';

/** Reads one. */
export function readCostShare(from: ViewBytes): CostShare {
  const low = from.bits(2);
  return {
    name: (low & 0x1) !== 0 ? from.text() : null,
    costUsd: from.float(),
    tokens: from.float(),
    turns: from.float(),
    runs: from.float(),
    inputTokens: (low & 0x2) !== 0 ? from.float() : null,
    outputTokens: (low & 0x4) !== 0 ? from.float() : null,
    cacheReadTokens: (low & 0x8) !== 0 ? from.float() : null,
    cacheWriteTokens: (low & 0x10) !== 0 ? from.float() : null,
    cacheWrite1hTokens: (low & 0x20) !== 0 ? from.float() : null,
    reasoningTokens: (low & 0x40) !== 0 ? from.float() : null,
    estimated: (low & 0x80) !== 0,
    unpriced: (low & 0x100) !== 0,
  };
}

/** Reads one. */
export function readManagerCosts(from: ViewBytes): ManagerCosts {
  const low = from.bits(1);
  return {
    costUsd: from.float(),
    tokens: from.float(),
    turns: from.float(),
    byModel: (low & 0x1) !== 0 ? from.list(() => readCostShare(from)) : [],
    byAgent: (low & 0x2) !== 0 ? from.list(() => readCostShare(from)) : [],
    mainAgents: (low & 0x4) !== 0 ? from.list(() => readCostShare(from)) : [],
  };
}

/** Reads one. */
export function readPlanEstimate(from: ViewBytes): PlanEstimate {
  const low = from.bits(1);
  return {
    tokens: from.float(),
    costUsd: (low & 0x1) !== 0 ? from.float() : null,
    turns: from.float(),
    basis: from.text() as 'measured' | 'similar' | 'expected',
  };
}

/** Reads one. */
export function readManagerCounts(from: ViewBytes): ManagerCounts {
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
    tokensReserved: from.float(),
    tokensRemaining: from.float(),
    costSpentUsd: from.float(),
    turnsSpent: from.float(),
    maxConcurrent: from.float(),
    waitingFor: from.waiting(),
    canSpawn: (low & 0x1) !== 0,
  };
}
