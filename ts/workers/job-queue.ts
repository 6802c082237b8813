// The jobs of a lead in its queue. Owns that a run has one job, which is added again only once the old one is gone. Owns that
// removed jobs are gone in the end.

import type { Job, Queue } from 'bullmq';
import type { Run } from '../api/run.js';
import { WIRE_VERSION } from '../base/call.js';
import { isSubAgentError } from '../base/error-class.js';
import type { Backend } from './backend.js';
import { errorText, healsByItself } from './connection.js';
import type { HeldRun } from './held.js';
import { dataOf, nameOf } from './job.js';
import { readJob, readReturned, unreadable, versionOf } from './reader.js';

const RETRY_MS = 1_000;

/** How many numbers before the run's own its job may have. */
const BACK = 64;

/** A job of an earlier lead, and how often that lead had added it. */
export interface EarlierJob {
  readonly job: Job;
  readonly adds: number;
}

interface NewJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: object;
}

/** The parts of a lead that its jobs need. */
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
  /** Jobs whose end the manager has persisted. */
  readonly #toRemove = new Set<string>();

  constructor(parts: JobsParts) {
    this.#parts = parts;
  }

  add(held: HeldRun): void {
    this.#toAdd.push(held);
    if (this.#toAdd.length === 1) queueMicrotask(() => this.#addAll());
  }

  /** Adds a job again that the queue has lost, or whose end doesn't count. */
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

  /** Marks a job for the next `removeAll`. */
  removeLater(job: string): void {
    this.#toRemove.add(job);
  }

  isToBeRemoved(job: string): boolean {
    return this.#toRemove.has(job);
  }

  removeAll(queue: Queue): Promise<void> {
    return eachOf([...this.#toRemove], async (job) => {
      await queue.remove(job);
      this.#toRemove.delete(job);
    });
  }

  /** The job that an earlier lead made for the same message. A job that can't be read is replaced. */
  async find(queue: Queue, run: Run): Promise<EarlierJob | undefined> {
    for (let number = run.run - 1; number >= Math.max(1, run.run - BACK); number -= 1) {
      const name = nameOf(run, number);
      try {
        const job = await jobOf(queue, name);
        if (job === undefined) continue;
        if (isOurs(job) && (job.failedReason === undefined || job.finishedOn === undefined)) return { job, adds: readJob(job.data).adds };
      } catch (error) {
        if (!isSubAgentError(error, 'invalid_result')) throw error;
        this.#parts.backend.report(error);
      }
      this.removeLater(name);
      return undefined;
    }
    return undefined;
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
    this.#addJobs(queue, jobs, made);
  }

  /** Adds jobs together. If the database refuses one, adds them one by one, to keep the others. */
  #addJobs(queue: Queue, jobs: readonly NewJob[], all: readonly HeldRun[]): void {
    const { report } = this.#parts.backend;
    queue.addBulk([...jobs]).then(
      () => {
        for (const held of all) held.isAdded = true;
      },
      (error: unknown) => {
        if (this.#parts.isClosed()) return report(error);
        if (jobs.length > 1 && !healsByItself(error)) {
          for (const [at, held] of all.entries()) this.#addJobs(queue, [jobs[at] as NewJob], [held]);
          return;
        }
        report(error);
        for (const held of healsByItself(error) ? [] : all) this.#endUnreadable(queue, held).catch(report);
        // The jobs may have been added: BullMQ adds none twice. If a run has to stop, its job is looked up instead.
        setTimeout(() => {
          for (const held of all) {
            if (held.aborted === undefined) this.add(held);
            else held.isAdded = true;
          }
        }, RETRY_MS);
      },
    );
  }

  /**
   * Removes the job of a run and adds it again. A locked job can't be removed and would block a new one, so this retries until
   * it can.
   */
  async #replace(held: HeldRun): Promise<void> {
    const queue = this.#parts.queue();
    if (queue === undefined || held.isOver || this.#parts.isClosed()) return;
    try {
      const isGone = (await queue.remove(held.job)) === 1 || (await queue.getJob(held.job)) === undefined;
      if (isGone) return this.add(held);
    } catch (error) {
      this.#parts.backend.report(error);
      if (!healsByItself(error)) await this.#endUnreadable(queue, held).catch(this.#parts.backend.report);
    }
    setTimeout(() => this.#replace(held), RETRY_MS);
  }

  /** Ends a run if the database has something else under its job's id: it would refuse the job forever. */
  async #endUnreadable(queue: Queue, held: HeldRun): Promise<void> {
    try {
      await jobOf(queue, held.job);
    } catch (error) {
      if (!isSubAgentError(error, 'invalid_result')) throw error;
      held.fail(error);
    }
  }
}

/** A job of the queue. Rejects with `invalid_result` if the database has something else in its place. */
export async function jobOf(queue: Queue, name: string): Promise<Job | undefined> {
  try {
    return await queue.getJob(name);
  } catch (error) {
    // BullMQ parses a job's JSON at once, and Redis refuses to read anything but a job.
    if (error instanceof SyntaxError || errorText(error).startsWith('WRONGTYPE')) throw unreadable('the job', '', errorText(error));
    throw error;
  }
}

/** Whether a job is of this version, and its end counts, if it has one. An unreadable end is reported once its run is there. */
function isOurs({ data, returnvalue }: Job): boolean {
  if (versionOf(data) !== WIRE_VERSION) return false;
  try {
    return (returnvalue ?? null) === null || readReturned(returnvalue).refused !== true;
  } catch {
    return true;
  }
}

/** Calls `act` for each item, even if another one fails, and rejects with the first error; at once if the database is away. */
export async function eachOf<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  let first: { readonly error: unknown } | undefined;
  for (const one of all) {
    try {
      await act(one);
    } catch (error) {
      if (healsByItself(error)) throw error;
      first ??= { error };
    }
  }
  if (first !== undefined) throw first.error;
}

/** Whether BullMQ has failed this job, and the job has no end of its run. */
export function hasFailed({ failedReason, returnvalue }: Pick<Job, 'failedReason' | 'returnvalue'>): boolean {
  return failedReason !== undefined && (returnvalue ?? null) === null;
}
