// The active runs, by the indexes of their tasks. Owns that none is lost: until a store has its end, which is delivered then,
// the next run of its task, or another task's, may already have its index.

import type { ActiveRun } from './active-run.js';

/** A key for a run, unique in its manager. */
export function nameOf(index: number, generation: number, run: number): string {
  return `${index} ${generation} ${run}`;
}

export class RunTable {
  private readonly newest: (ActiveRun | undefined)[] = [];
  /** Runs whose index a later run has. */
  private readonly displaced = new Map<string, ActiveRun>();

  put(active: ActiveRun): void {
    const earlier = this.newest[active.index];
    if (earlier !== undefined) this.displaced.set(nameOf(earlier.index, earlier.generation, earlier.run), earlier);
    this.newest[active.index] = active;
  }

  /** The run of this number, of the task at this place. Another task may already have its index. */
  find(index: number, generation: number, run: number): ActiveRun | undefined {
    const active = this.newest[index];
    if (active?.run === run && active.generation === generation) return active;
    return this.displaced.size === 0 ? undefined : this.displaced.get(nameOf(index, generation, run));
  }

  /** The newest run of a task that is known here, until its end is delivered. */
  newestOf(index: number, generation: number): ActiveRun | undefined {
    const active = this.newest[index];
    return active?.generation === generation ? active : undefined;
  }

  /** Removes a run, and puts `next` in its place. */
  remove(active: ActiveRun, next?: ActiveRun): void {
    const { index, generation, run } = active;
    if (this.newest[index] === active) this.newest[index] = next;
    else {
      this.displaced.delete(nameOf(index, generation, run));
      if (next !== undefined) this.displaced.set(nameOf(index, generation, next.run), next);
    }
  }

  all(): ActiveRun[] {
    return [...this.newest.filter((active) => active !== undefined), ...this.displaced.values()];
  }

  clear(): void {
    this.newest.length = 0;
    this.displaced.clear();
  }
}
