// Data that tasks keep across their runs: `run.session` (A2), and the checks of their results' values (R7). Owns that
// it is dropped with the task.

import { SubAgentError } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import type { ValueCheck } from '../options/schema/schema.js';

interface TaskData {
  generation: number;
  values: Map<string, unknown>;
  check?: ValueCheck;
}

export class SessionData {
  private readonly kept = new Map<number, TaskData>();
  private readonly runtime: Core;

  constructor(runtime: Core) {
    this.runtime = runtime;
  }

  /** The data that a task keeps across its runs (A2). */
  of(index: number, generation: number): Map<string, unknown> {
    return this.keptOf(index, generation).values;
  }

  /** A run is retried: drops the data of the previous attempt. */
  empty(index: number, generation: number): void {
    const known = this.kept.get(index);
    if (known?.generation === generation) known.values.clear();
  }

  /** Has the values of a task's results checked. */
  check(index: number, generation: number, check: ValueCheck): void {
    this.keptOf(index, generation).check = check;
  }

  /** The check of the values of a task's results, if there is one. */
  checkOf(index: number, generation: number): ValueCheck | undefined {
    if (this.kept.size === 0) return undefined;
    const known = this.kept.get(index);
    return known?.generation === generation ? known.check : undefined;
  }

  private keptOf(index: number, generation: number): TaskData {
    const known = this.kept.get(index);
    if (known?.generation === generation) return known;
    if (this.runtime.call((core) => core.status(index, generation)) < 0)
      throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    // From now on the core reports forgotten tasks, so that their data is dropped with them.
    this.runtime.call((core) => core.notifyForgotten());
    const kept = { generation, values: new Map<string, unknown>() };
    this.kept.set(index, kept);
    return kept;
  }

  /** The core has forgotten a task. */
  taskForgotten(index: number, generation: number): void {
    if (this.kept.size > 0 && this.kept.get(index)?.generation === generation) this.kept.delete(index);
  }

  clear(): void {
    this.kept.clear();
  }
}
