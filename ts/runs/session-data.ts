// What tasks keep over their runs: `run.session` (A2), and the checks of their results' values (R7). Owns that it goes with
// the task.

import { SubAgentError } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import type { ValueCheck } from '../options/schema/schema.js';

interface Kept {
  generation: number;
  values: Map<string, unknown>;
  check?: ValueCheck;
}

export class SessionData {
  private readonly kept = new Map<number, Kept>();
  private readonly runtime: Core;

  constructor(runtime: Core) {
    this.runtime = runtime;
  }

  /** What a task keeps for itself over its runs (A2). */
  of(slot: number, generation: number): Map<string, unknown> {
    return this.keptOf(slot, generation).values;
  }

  /** A run is tried again: what the attempt before it kept is gone. */
  empty(slot: number, generation: number): void {
    const known = this.kept.get(slot);
    if (known?.generation === generation) known.values.clear();
  }

  /** Has the values of a task's results checked. */
  check(slot: number, generation: number, check: ValueCheck): void {
    this.keptOf(slot, generation).check = check;
  }

  /** The check of the values of a task's results, if there is one. */
  checkOf(slot: number, generation: number): ValueCheck | undefined {
    if (this.kept.size === 0) return undefined;
    const known = this.kept.get(slot);
    return known?.generation === generation ? known.check : undefined;
  }

  private keptOf(slot: number, generation: number): Kept {
    const known = this.kept.get(slot);
    if (known?.generation === generation) return known;
    if (this.runtime.call((core) => core.status(slot, generation)) < 0)
      throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    // From now on the core says which tasks it forgets, so that what they kept goes with them.
    this.runtime.call((core) => core.tellForgotten());
    const kept = { generation, values: new Map<string, unknown>() };
    this.kept.set(slot, kept);
    return kept;
  }

  /** The core says that it has forgotten a task. */
  taskForgotten(slot: number, generation: number): void {
    if (this.kept.size > 0 && this.kept.get(slot)?.generation === generation) this.kept.delete(slot);
  }

  clear(): void {
    this.kept.clear();
  }
}
