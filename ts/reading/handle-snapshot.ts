// The snapshot of a handle: a task as plain JSON. Owns its names and forms; changes nothing.

import type { Actor, Key } from '../boundary/key.js';
import type { TaskStatus } from '../generated/names.js';
import type { CancelReceipt } from '../snapshots/notices.js';
import type { BudgetDimension, TaskSnapshot } from '../snapshots/types.js';
import type { Reading } from './lookup.js';

/** One dimension of a budget in JSON: null if there is no cap. */
export type JsonBudgetDimension = Omit<BudgetDimension, 'cap' | 'available'> & {
  /** The cap; null if there is none. */
  cap: number | null;
  /** The available amount, including the caps above it; null if nothing caps it. */
  available: number | null;
};

/**
 * A sub-agent at one moment, safe for JSON: the fields of `TaskSnapshot`, with instants as ISO 8601 texts and null for
 * `Infinity`.
 */
export interface HandleSnapshot extends Omit<TaskSnapshot, 'createdAt' | 'startedAt' | 'endedAt' | 'updatedAt' | 'maxTurns' | 'budget'> {
  /** Its name in calls of the reader: its nickname if that is unique, else its id. */
  handleId: string;
  /** When it was spawned; ISO 8601. */
  createdAt: string | null;
  /** When its last run started; ISO 8601; null before that. */
  startedAt: string | null;
  /** When its last run ended; ISO 8601; null before that. */
  endedAt: string | null;
  /** When it last changed; ISO 8601. */
  updatedAt: string | null;
  /** Maximum turns of each run; null if there is no limit. */
  maxTurns: number | null;
  /** The cap, spending and reservations of it and its sub-agents, over all its runs. */
  budget: {
    /** In tokens. */
    tokens: JsonBudgetDimension;
    /** In US dollars. */
    costUsd: JsonBudgetDimension;
    /** In turns. */
    turns: JsonBudgetDimension;
  };
}

/** The value of `cancel`: the sub-agent after the cancel, with the receipt. */
export interface CancelledSnapshot extends HandleSnapshot, CancelReceipt {}

/** The value of `close`. */
export interface ClosedSnapshot extends CancelledSnapshot {
  /** Its status before it was closed; `closed` if it already was. */
  previousStatus: TaskStatus;
}

/** A snapshot of a task, with the name that the caller knows. */
export function handleSnapshot(runtime: Reading, actor: Actor, place: Key): HandleSnapshot {
  const view = runtime.lookup.snapshot(place.index, place.generation);
  const { tokens, costUsd, turns } = view.budget;
  return {
    ...view,
    handleId: runtime.lookup.nameOf(actor, view),
    createdAt: iso(view.createdAt),
    startedAt: iso(view.startedAt),
    endedAt: iso(view.endedAt),
    updatedAt: iso(view.updatedAt),
    maxTurns: finite(view.maxTurns),
    budget: { tokens: dimension(tokens), costUsd: dimension(costUsd), turns: dimension(turns) },
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function dimension(budget: BudgetDimension): JsonBudgetDimension {
  return { ...budget, cap: finite(budget.cap), available: finite(budget.available) };
}
