// Single values of options: texts, lists, counts, amounts, times, budgets. Owns the errors for wrong ones.

import { invalid } from '../base/errors.js';
import { wellFormed } from '../base/text.js';
import { DIMENSIONS } from '../generated/names.js';
import { listOf, nameOf, noOtherFields, optionsOf, textOf } from './arguments.js';

export function string(what: string, value: unknown): string | undefined {
  return value === undefined ? undefined : wellFormed(textOf(what, value));
}

export function strings(what: string, value: unknown): string[] | undefined {
  return value === undefined ? undefined : listOf(what, 'a list of strings', value, (entry, name) => wellFormed(textOf(name, entry)));
}

/** A text that serves as a name. */
export function name(what: string, value: unknown): string | undefined {
  return value === undefined ? undefined : nameOf(what, value);
}

/** A whole number of at least `least`, or `Infinity`. */
export function count(what: string, value: unknown, least = 1): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= least && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY)) return value;
  throw invalid(what, `a whole number of at least ${least}, or Infinity`, value);
}

/** An amount above 0, or `Infinity`. */
export function amount(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0) return value;
  throw invalid(what, 'a number above 0, or Infinity', value);
}

/** Milliseconds above 0, or `Infinity`; with `orZero` also 0. */
export function duration(what: string, value: unknown, orZero = false): number | undefined {
  if (value === undefined) return undefined;
  if (orZero && value === 0) return 0;
  if (typeof value === 'number' && value > 0) return Math.max(1, Math.round(value));
  throw invalid(what, `milliseconds ${orZero ? 'of at least' : 'above'} 0, or Infinity`, value);
}

export function integer(what: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw invalid(what, 'a whole number', value);
}

/** A boolean option; false if it is not given. */
export function flag(what: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw invalid(what, 'a boolean', value);
}

/** A budget, each amount above 0. */
export function readBudget(name: string, budget: unknown): Budget {
  if (budget === undefined) return {};
  const given = optionsOf(`\`${name}\``, budget as Record<string, unknown>, 'an object such as { tokens: 20_000, costUsd: 1 }');
  const { tokens, costUsd, turns, ...unknown } = given;
  noOtherFields(name, unknown, DIMENSIONS);
  const result: Budget = {};
  const [readTokens, readCost, readTurns] = [
    count(`\`${name}.tokens\``, tokens),
    amount(`\`${name}.costUsd\``, costUsd),
    count(`\`${name}.turns\``, turns),
  ];
  if (readTokens !== undefined) result.tokens = readTokens;
  if (readCost !== undefined) result.costUsd = readCost;
  if (readTurns !== undefined) result.turns = readTurns;
  return result;
}

/** Lets each field be undefined, which means absent, also under `exactOptionalPropertyTypes`. */
export type Sometimes<T> = { [K in keyof T]: T[K] | undefined };

/** A budget. An omitted amount stays as it is, which by default is no cap; `Infinity` lifts a cap. */
export interface Budget {
  /** Tokens. */
  tokens?: number | undefined;
  /** US dollars. */
  costUsd?: number | undefined;
  /** Turns: calls of a model. */
  turns?: number | undefined;
}
