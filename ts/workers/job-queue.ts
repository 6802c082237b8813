// The jobs of a lead in its queue. Owns that a run has one job, that it is added anew only once none is left of it, and that
// what is removed is gone in the end.

import type { Job, Queue } from 'bullmq';
import type { Backend } from './backend.js';
import type { HeldRun } from './held.js';
import { dataOf } from './job.js';

const RETRY_MS = 1_000;

/** What the jobs of a lead need of it. */
interface JobsParts {
  readonly backend: Pick<Backend, 'packed' | 'report'>;
  /** Its queue, once it is connected. */
  queue(): Queue | undefined;
  isClosed(): boolean;
}

export class Jobs {
  readonly #parts: JobsParts;
  /** Runs whose jobs are added in the next bulk. */
  #toAdd: HeldRun[] = [];
  /** Jobs whose end the manager has kept. */
  readonly #toRemove = new Set<string>();

  constructor(parts: JobsParts) {
    this.#parts = parts;
  }

  add(held: HeldRun): void {
    this.#toAdd.push(held);
    if (this.#toAdd.length === 1) queueMicrotask(() => this.#addAll());
  }

  /** Adds a job anew that the queue has lost, or that ended without counting. */
  async addAgain(held: HeldRun): Promise<void> {
    if (!held.isAdded || held.isOver) return;
    held.isAdded = false;
    held.adds += 1;
    await this.#replace(held);
  }

  remove(job: string): void {
    this.#toRemove.add(job);
    this.#parts
      .queue()
      ?.remove(job)
      .then((removed) => {
        if (removed === 1) this.#toRemove.delete(job);
      }, this.#parts.backend.report);
  }

  /** Has a job removed with the next `removeAll`. */
  removeLater(job: string): void {
    this.#toRemove.add(job);
  }

  isToBeRemoved(job: string): boolean {
    return this.#toRemove.has(job);
  }

  async removeAll(queue: Queue): Promise<void> {
    for (const job of this.#toRemove) {
      await queue.remove(job);
      this.#toRemove.delete(job);
    }
  }

  #addAll(): void {
    const all = this.#toAdd.filter(({ isOver }) => !isOver);
    this.#toAdd = [];
    const { backend } = this.#parts;
    const queue = this.#parts.queue();
    if (queue === undefined || all.length === 0) return;
    const made: HeldRun[] = [];
    const jobs = all.flatMap((held) => {
      try {
        const data = backend.packed(dataOf(held.run, held.params, held.adds));
        made.push(held);
        return [{ name: 'run', data, opts: { jobId: held.job } }];
      } catch (error) {
        held.fail(error);
        return [];
      }
    });
    queue.addBulk(jobs).then(
      () => {
        for (const held of made) held.isAdded = true;
      },
      (error: unknown) => {
        backend.report(error);
        if (this.#parts.isClosed()) return;
        // Whether it was added is not known: a job that is there already is not added again.
        setTimeout(() => {
          for (const held of made) this.add(held);
        }, RETRY_MS);
      },
    );
  }

  /** Removes the job of a run and adds it anew. A locked job can't be removed, and would keep a new one out: this tries until it can. */
  async #replace(held: HeldRun): Promise<void> {
    const queue = this.#parts.queue();
    if (queue === undefined || held.isOver || this.#parts.isClosed()) return;
    try {
      const isGone = (await queue.remove(held.job)) === 1 || (await queue.getJob(held.job)) === undefined;
      if (isGone) return this.add(held);
    } catch (error) {
      this.#parts.backend.report(error);
    }
    setTimeout(() => this.#replace(held), RETRY_MS);
  }
}

/** Whether BullMQ has failed this job, in which no end of its run stands. */
export function hasFailed({ failedReason, returnvalue }: Pick<Job, 'failedReason' | 'returnvalue'>): boolean {
  return failedReason !== undefined && (returnvalue ?? null) === null;
}
