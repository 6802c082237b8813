// Sums of budgets' amounts. Owns that money is exact, in whole nano-dollars as the manager counts it: a plain sum of
// doubles would drift.

import type { EventAmounts, EventKinds } from '../generated/facts.js';
import { NO_KINDS } from '../generated/tokens.js';

export const ZERO: EventAmounts = { tokens: 0, costUsd: 0, turns: 0 };
export const UNCAPPED: EventAmounts = { tokens: Infinity, costUsd: Infinity, turns: Infinity };

/** Adds tokens kind by kind. A kind that only one side has keeps its value. */
export function plusKinds(one: EventKinds, other: EventKinds): EventKinds {
  const sum = { ...one, estimated: one.estimated || other.estimated };
  for (const kind of Object.keys(NO_KINDS) as Exclude<keyof EventKinds, 'estimated'>[]) {
    const more = other[kind];
    if (typeof more === 'number') sum[kind] = (sum[kind] ?? 0) + more;
  }
  return sum;
}

/** A record's amounts alone. */
export const amountsOf = ({ tokens, costUsd, turns }: EventAmounts): EventAmounts => ({ tokens, costUsd, turns });

/** A record's kinds alone. */
export const kindsOf = (used: EventKinds): EventKinds => plusKinds(NO_KINDS, used);

const NANO = 1e9;
const less = (one: number, other: number): number => (one === Infinity ? one : Math.max(0, one - other));
const usd = (sum: number): number => (Number.isFinite(sum) ? Math.round(sum * NANO) / NANO : sum);

/** The sum of two amounts. */
export function plus(one: EventAmounts, other: EventAmounts): EventAmounts {
  if (isZero(other)) return one;
  if (isZero(one)) return other;
  return { tokens: one.tokens + other.tokens, costUsd: usd(one.costUsd + other.costUsd), turns: one.turns + other.turns };
}

/** One amount less another, at least zero. */
export function minus(one: EventAmounts, other: EventAmounts): EventAmounts {
  if (isZero(other)) return one;
  return { tokens: less(one.tokens, other.tokens), costUsd: usd(less(one.costUsd, other.costUsd)), turns: less(one.turns, other.turns) };
}

/** The lesser of each dimension. */
export function least(one: EventAmounts, other: EventAmounts): EventAmounts {
  return {
    tokens: Math.min(one.tokens, other.tokens),
    costUsd: Math.min(one.costUsd, other.costUsd),
    turns: Math.min(one.turns, other.turns),
  };
}

export function isZero({ tokens, costUsd, turns }: EventAmounts): boolean {
  return tokens === 0 && costUsd === 0 && turns === 0;
}

export function isSame(one: EventAmounts, other: EventAmounts): boolean {
  return one.tokens === other.tokens && one.costUsd === other.costUsd && one.turns === other.turns;
}

/** A cap in an event. JSON has no `Infinity`, so exported JSON has null there. */
export function capOf({ tokens, costUsd, turns }: EventAmounts): EventAmounts {
  return { tokens: tokens ?? Infinity, costUsd: costUsd ?? Infinity, turns: turns ?? Infinity };
}
