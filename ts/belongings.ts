// What tasks keep for themselves over their runs (A2): `run.session`. Owns that it goes with the task.

import { SubAgentError } from './errors.js';
import type { Runtime } from './runtime.js';

export class Belongings {
  private readonly kept = new Map<number, { generation: number; values: Map<string, unknown> }>();
  private readonly runtime: Runtime;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** What a task keeps for itself over its runs (A2). */
  of(slot: number, generation: number): Map<string, unknown> {
    const known = this.kept.get(slot);
    if (known?.generation === generation) return known.values;
    if (this.runtime.call((core) => core.status(slot, generation)) < 0)
      throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    // From now on the core says which tasks it forgets, so that what they kept goes with them.
    this.runtime.call((core) => core.tellForgotten());
    const values = new Map<string, unknown>();
    this.kept.set(slot, { generation, values });
    return values;
  }

  /** The core says that it has forgotten a task. */
  taskForgotten(slot: number, generation: number): void {
    if (this.kept.get(slot)?.generation === generation) this.kept.delete(slot);
  }

  clear(): void {
    this.kept.clear();
  }
}
