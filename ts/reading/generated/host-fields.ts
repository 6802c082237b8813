// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { HostResult, HostUsage } from '../../options/host-result.js';
import { type FieldErrors, isAmount, isThere, keepOwn, readApart, SILENT, UNREAD } from '../fields.js';

/** The fields that are read of any `HostResult`, as they came. */
export type ResultFields = Record<(typeof RESULT_NAMES)[number], unknown>;

export const RESULT_NAMES = ['usage', 'output', 'error', 'status', 'artifacts', 'value', 'receipts', 'taskId'] as const satisfies readonly (keyof HostResult)[];

/** Reads them. */
export function fieldsOfResult(given: object, errors: FieldErrors = SILENT): ResultFields {
  const from = given as ResultFields;
  const to: ResultFields = { usage: UNREAD, output: UNREAD, error: UNREAD, status: UNREAD, artifacts: UNREAD, value: UNREAD, receipts: UNREAD, taskId: UNREAD };
  try {
    to.usage = from.usage;
    to.output = from.output;
    to.error = from.error;
    to.status = from.status;
    to.artifacts = from.artifacts;
    to.value = from.value;
    to.receipts = from.receipts;
    to.taskId = from.taskId;
    // Asked here, where the engine knows the object's shape, it costs next to nothing.
    if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
  } catch (error) {
    readApart(from, to, error, errors);
  }
  keepOwn(from, to, errors);
  return to;
}

/** How many of them it has. */
export function knownInResult({ usage, output, error, status, artifacts, value, receipts, taskId }: ResultFields): number {
  return isThere(usage) + isThere(output) + isThere(error) + isThere(status) + isThere(artifacts) + isThere(value) + isThere(receipts) + isThere(taskId);
}

/** The fields that are read of any `HostUsage`, as they came. */
export type UsageFields = Record<(typeof USAGE_NAMES)[number], unknown>;

export const USAGE_NAMES = ['costUsd', 'cost', 'tokens', 'inputTokens', 'outputTokens', 'turns', 'durationMs'] as const satisfies readonly (keyof HostUsage)[];

/** Reads them. */
export function fieldsOfUsage(given: object, errors: FieldErrors = SILENT): UsageFields {
  const from = given as UsageFields;
  const to: UsageFields = { costUsd: UNREAD, cost: UNREAD, tokens: UNREAD, inputTokens: UNREAD, outputTokens: UNREAD, turns: UNREAD, durationMs: UNREAD };
  try {
    to.costUsd = from.costUsd;
    to.cost = from.cost;
    to.tokens = from.tokens;
    to.inputTokens = from.inputTokens;
    to.outputTokens = from.outputTokens;
    to.turns = from.turns;
    to.durationMs = from.durationMs;
    // Asked here, where the engine knows the object's shape, it costs next to nothing.
    if (Object.getPrototypeOf(from) === Object.prototype && !isOnPrototype(PLAIN)) return to;
  } catch (error) {
    readApart(from, to, error, errors);
  }
  keepOwn(from, to, errors);
  return to;
}

/** How many of them it has. */
export function knownInUsage({ costUsd, cost, tokens, inputTokens, outputTokens, turns, durationMs }: UsageFields): number {
  return isAmount(costUsd) + isAmount(cost) + isAmount(tokens) + isAmount(inputTokens) + isAmount(outputTokens) + isAmount(turns) + isAmount(durationMs);
}

const PLAIN = {};

/** Whether other code has left one of the names on `Object.prototype`. */
function isOnPrototype(plain: object): boolean {
  return 'usage' in plain || 'output' in plain || 'error' in plain || 'status' in plain || 'artifacts' in plain || 'value' in plain || 'receipts' in plain || 'taskId' in plain || 'costUsd' in plain || 'cost' in plain || 'tokens' in plain || 'inputTokens' in plain || 'outputTokens' in plain || 'turns' in plain || 'durationMs' in plain;
}
