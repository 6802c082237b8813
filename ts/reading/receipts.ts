// Receipts: the actions of an agent's tool calls, as its host function returned them. Owns their form and their bounds.

import { describe } from '../base/errors.js';
import { type CommandReceipt, type FileChange, type FileReceipt, type Receipt, receiptsJson } from '../base/receipt.js';
import { wellFormed } from '../base/text.js';

/** Maximum number of retained receipts: the last ones. */
const MOST = 500;
/** Characters retained of a path or a command; an ellipsis at the end shows a cut. */
const CHARS = 1_000;
const CHANGES: readonly FileChange[] = ['add', 'update', 'delete', 'move'];

/** Retained receipts, and their JSON. */
export interface Receipts {
  receipts: readonly Receipt[] | undefined;
  receiptsJson: string | undefined;
}

/** No receipts. */
export const NO_RECEIPTS: Receipts = { receipts: undefined, receiptsJson: undefined };

/** Reads a list of them. `drop` gets a sentence about dropped ones. Passes on errors of getters. */
export function readReceipts(given: unknown, drop: (sentence: string) => void): Receipts {
  if (!Array.isArray(given)) {
    drop(`the result's receipts must be a list, got ${describe(given)}`);
    return NO_RECEIPTS;
  }
  let omitted = 0;
  for (const entry of given.slice(0, -MOST) as ({ omitted?: unknown } | null)[]) omitted += countOf(entry?.omitted) ?? 1;
  const receipts: Receipt[] = [];
  for (const entry of given.slice(-MOST)) {
    const receipt = receiptOf(entry);
    if (receipt === undefined) drop(`a receipt must be { path, kind } or { command, exitCode }, got ${describe(entry)}`);
    else if ('omitted' in receipt) omitted += receipt.omitted;
    else receipts.push(receipt);
  }
  if (omitted > 0) receipts.unshift({ omitted });
  return receipts.length === 0 ? NO_RECEIPTS : { receipts, receiptsJson: receiptsJson(receipts) };
}

function receiptOf(entry: unknown): Receipt | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { path, kind, command, exitCode = null, omitted } = entry as Partial<FileReceipt & CommandReceipt & { omitted: number }>;
  if (typeof path === 'string' && CHANGES.includes(kind as FileChange)) return { path: cut(path), kind: kind as FileChange };
  if (typeof command === 'string' && (exitCode === null || Number.isSafeInteger(exitCode))) return { command: cut(command), exitCode };
  const count = countOf(omitted);
  return count === undefined ? undefined : { omitted: count };
}

function countOf(omitted: unknown): number | undefined {
  return Number.isSafeInteger(omitted) && (omitted as number) >= 0 ? (omitted as number) : undefined;
}

function cut(text: string): string {
  return wellFormed(text.length > CHARS ? `${text.slice(0, CHARS - 1)}…` : text);
}
