// The object of a manual task, whose fields tell how the task stands. Owns that each field is read anew when it is looked
// at, and keeps its last value once the task is forgotten or its manager disposed.

import type { Key } from '../boundary/key.js';
import type { Reading } from '../reading/lookup.js';
import type { TaskSnapshot } from '../snapshots/types.js';

/** A manual task. Its fields tell how it stands when they are read. */
export interface SubAgentTask {
  /** The task's id: the `taskId` that it was given, else `sub_` and 32 hex digits. */
  readonly taskId: string;
  /** The goal that was given. */
  readonly goal: string;
  /** The context that was given beside the goal; empty where there was none. */
  readonly contextHint: string;
  /** Turns that it may take. */
  readonly maxSteps: number;
  /** Tokens that were set aside for it. */
  readonly tokenBudget: number;
  /** Where it stands. */
  readonly status: TaskSnapshot['status'];
  /** What it produced; null unless it has completed. */
  readonly result: string | null;
  /** What it made beside its result. */
  readonly artifacts: readonly Record<string, unknown>[];
  /** When it was marked as running, in epoch milliseconds; null before that. */
  readonly startedAt: number | null;
  /** When it ended, in epoch milliseconds; null before that. */
  readonly completedAt: number | null;
  /** Tokens that it has used. */
  readonly tokensUsed: number;
  /** Turns that it has taken. */
  readonly stepsTaken: number;
}

/** How a task stood when that was last known. */
export class LastSeen {
  view: TaskSnapshot;
  private readonly runtime: Reading;
  private readonly place: Key;

  constructor(runtime: Reading, place: Key, view: TaskSnapshot) {
    this.runtime = runtime;
    this.place = { index: place.index, generation: place.generation };
    this.view = view;
  }

  get isKept(): boolean {
    const { index, generation } = this.place;
    return !this.runtime.isClosed && this.runtime.call((core) => core.status(index, generation)) >= 0;
  }

  /** How it stands now, where that is still known. */
  look(): TaskSnapshot {
    if (this.isKept) this.view = this.runtime.lookup.snapshot(this.place.index, this.place.generation);
    return this.view;
  }
}

const FIELDS: { readonly [K in keyof SubAgentTask]: (view: TaskSnapshot) => SubAgentTask[K] } = {
  taskId: (view) => view.taskId,
  goal: (view) => view.instructions,
  contextHint: (view) => view.contextHint,
  maxSteps: (view) => view.maxTurns,
  tokenBudget: (view) => view.budget.tokens.cap,
  status: (view) => view.status,
  result: (view) => (view.status === 'completed' ? view.output : null),
  artifacts: (view) => view.artifacts,
  startedAt: (view) => view.startedAt,
  completedAt: (view) => view.endedAt,
  tokensUsed: (view) => view.usage.tokens,
  stepsTaken: (view) => view.usage.turns,
};

/** The object of a task: fields of its own, so that it can be spread, compared and made JSON of. */
export function taskObject(seen: LastSeen): SubAgentTask {
  const task = {};
  for (const [name, read] of Object.entries(FIELDS)) Object.defineProperty(task, name, { enumerable: true, get: () => read(seen.look()) });
  // A console shows the values of the fields, not that they are getters.
  Object.defineProperty(task, Symbol.for('nodejs.util.inspect.custom'), { value: () => ({ ...task }) });
  return task as SubAgentTask;
}
