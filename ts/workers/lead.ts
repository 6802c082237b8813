// The lead: the process that has the manager. Owns the jobs of its runs. Each is added once, and removed once the manager has
// persisted its end. The state of the job decides that end, whatever events say.

import type { Queue, Relay } from 'bullmq';
import type { SpawnSubAgent } from '../api/host-functions.js';
import type { Run } from '../api/run.js';
import { LONGEST_TIMER } from '../base/clock.js';
import { isSubAgentError, SubAgentError } from '../base/error-class.js';
import type { HostResult } from '../options/host-result.js';
import { ledRun, type OwnsStore, outliving } from '../options/lead-marks.js';
import { Backend, type Parts } from './backend.js';
import { type HeldParts, HeldRun } from './held.js';
import { nameOf } from './job.js';
import { type EarlierJob, eachOf, hasFailed, Jobs, jobOf } from './job-queue.js';
import { type BullmqWorkersOptions, checkLeadOptions, readLeadOptions } from './lead-options.js';
import { Outbox } from './outbox.js';
import { eachLetter, type Named, readCall, readReturned } from './reader.js';
import { Term } from './term.js';
import { type Answer, aborted, type Broadcast, type Letter, processOf, type Reply } from './wire.js';

/** The workers of a queue, for the manager that leads them. */
export interface BullmqWorkers {
  /**
   * The host function of the manager: has a worker carry the run out. Pass it unchanged.
   *
   * By it, the next lead's manager knows that running work is not lost with this process. This lead checks the manager's store
   * before it takes the queue. If you wrap it in your own function, a run in flight counts as lost there, and its reservation
   * as spent.
   */
  readonly spawnSubAgent: SpawnSubAgent;
  /**
   * Takes the lead of the queue, and resolves once it has. `spawnSubAgent` does so by itself. From then on, workers ignore an
   * earlier lead. If another process now has the manager's store, takes nothing and rejects with `store_failed`.
   */
  ready(): Promise<void>;
  /**
   * Releases the queue. Runs that workers have continue there, and the next lead finds them. Runs that the manager begins later
   * also wait for that lead, until they have to stop. If the manager has no store, drain it first. Resolves once the
   * connections are closed.
   */
  close(): Promise<void>;
}

/** How many jobs one step lists, and how many it looks up. */
const PAGE = 1_000;
const LOOKED_FOR = 200;

/** Has workers in other processes carry out the runs of a manager, by BullMQ. Connects when it is first used. */
export function bullmqWorkers(options: BullmqWorkersOptions): BullmqWorkers {
  const lead = new Lead(options);
  return {
    spawnSubAgent: outliving(
      (params, run) => lead.spawn(params, run),
      (ownsStore) => lead.opened(ownsStore),
    ),
    ready: () => lead.ready(),
    close: () => lead.close(),
  };
}

interface Connected {
  readonly queue: Queue;
  readonly relay: Relay;
  readonly outbox: Outbox<Reply>;
}

class Lead implements HeldParts {
  readonly maxLosses: number;
  readonly beginsAnew: boolean;
  readonly #backend: Backend;
  readonly #reconcileMs: number;
  readonly #orphanMs: number;
  readonly #term = new Term();
  #since = 0;
  #connecting: Promise<Connected> | undefined;
  #connected: Connected | undefined;
  #closed: SubAgentError | undefined;
  /** Set if another lead has taken the queue. Resolves if the runs are still this manager's, rejects if the manager is over. */
  #replaced: Promise<void> | undefined;
  readonly #held = new Map<string, HeldRun>();
  /** The last letter about each job whose run isn't known yet. */
  readonly #early = new Map<string, Letter>();
  readonly #jobs: Jobs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticks = 0;
  /** The place at which the search for lost jobs continues. */
  #looked = 0;

  constructor(options: BullmqWorkersOptions) {
    checkLeadOptions(options);
    this.#backend = new Backend(options);
    this.#jobs = new Jobs({ backend: this.#backend, queue: () => this.#connected?.queue, isClosed: () => this.#closed !== undefined });
    const { maxLosses, beginsAnew, reconcileMs, orphanMs } = readLeadOptions(options);
    this.maxLosses = maxLosses;
    this.beginsAnew = beginsAnew;
    this.#reconcileMs = reconcileMs;
    this.#orphanMs = orphanMs;
  }

  async ready(): Promise<void> {
    await this.#connect();
  }

  /**
   * A manager has opened a store. If the lead took the queue before that, it takes it again: another lead that had the store
   * may have a higher number.
   */
  opened(ownsStore: OwnsStore): void {
    this.#term.opened(ownsStore);
    this.#connecting?.then(({ relay }) => this.#lead(relay)).catch(this.#backend.report);
  }

  #connect(): Promise<Connected> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    this.#connecting ??= this.#backend
      .opened((parts) => this.#open(parts))
      .then(
        (connected) => {
          this.#connected = connected;
          this.#tick(connected);
          return connected;
        },
        async (error: unknown) => {
          // The next run tries again.
          this.#connecting = undefined;
          // This lead may learn of the next one before the store has answered. It waits for that answer, so that its callers
          // learn that the store is lost.
          await this.#replaced;
          throw this.#closed ?? error;
        },
      );
    return this.#connecting;
  }

  async #open(parts: Parts): Promise<Connected> {
    const [queue, events] = [parts.queue(), parts.events()];
    const relay = await parts.relay('lead', queue);
    events.on('completed', ({ jobId, returnvalue }: { jobId: string; returnvalue: unknown }) => this.#ended(jobId, returnvalue));
    // The event may be about a job that was added again later, so this reads the job's state.
    events.on('failed', ({ jobId }: { jobId: string }) => this.#look(jobId).catch(this.#backend.report));
    // A part whose first connection was lost is never ready: then all are opened again.
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), relay.waitUntilReady()]);
    const outbox = new Outbox<Reply>(relay, this.#backend, ({ job, by, answers }) => {
      const held = this.#held.get(job);
      if (held?.by === by) held.tooLarge(answers);
    });
    await relay.subscribe('lead', ({ data }) =>
      eachLetter(
        data,
        (letter) => this.#take(letter),
        (error, of) => this.#takeWrong(error, of),
      ),
    );
    await relay.subscribe('workers', ({ data }) => this.#receive(readCall(data)));
    await this.#lead(relay);
    return { queue, relay, outbox };
  }

  async #lead(relay: Relay): Promise<void> {
    await this.#term.take(relay);
    this.#since = performance.now();
  }

  /** Takes another lead's message: the later lead counts. */
  #receive(call: Broadcast): void {
    if (this.#closed !== undefined || !this.#term.isReplacedBy(call)) return;
    const queue = this.#backend.queueName;
    const error = new SubAgentError('lead_replaced', `another process now leads the queue ${queue}`, { queue });
    this.#backend.report(error);
    // If the other lead has the store, this manager is over, and learns that here: no store would keep ends of its runs.
    this.#replaced = this.#term.ownsStore();
    this.#replaced.then(
      () => {
        for (const held of [...this.#held.values()]) held.fail(error);
      },
      () => undefined,
    );
    this.close(error).catch(this.#backend.report);
  }

  spawn(params: object, run: Run): Promise<HostResult> {
    const before = run.run > 1 && run.previousError?.reason === 'host_lost';
    if (this.#connected === undefined || before || this.#closed !== undefined) return this.#holdOnce(params, run, before);
    return this.#hold(params, run, undefined);
  }

  /** Holds a run once the queue is open. If the run has to stop before that, waits for nothing. */
  async #holdOnce(params: object, run: Run, before: boolean): Promise<HostResult> {
    const stopped = new Promise<never>((_, reject) => ledRun(run).whenAborted((reason) => reject(aborted(reason))));
    const job = (async () => {
      const connected = await this.#connect();
      return before ? this.#jobs.find(connected.queue, run) : undefined;
    })();
    const found = await Promise.race([job, stopped]).catch((error: unknown) => {
      if (this.#closed === undefined) throw error;
      return undefined;
    });
    if (this.#closed === undefined) return this.#hold(params, run, found);
    // The run belongs to the next lead. If it ended here, that would be persisted, and the next lead would not begin it.
    if (this.#closed.code === 'disposed') return stopped;
    await this.#replaced;
    throw this.#closed;
  }

  #hold(params: object, run: Run, found: EarlierJob | undefined): Promise<HostResult> {
    const { job, adds = 1 } = found ?? {};
    const held = new HeldRun(run, params, job?.id ?? nameOf(run, run.run), adds, this);
    this.#held.set(held.job, held);
    held.led.whenAborted((reason) => this.#abort(held, reason));
    if (job === undefined) this.#jobs.add(held);
    else {
      held.isAdded = true;
      this.#look(held.job).catch(this.#backend.report);
      const early = this.#early.get(held.job);
      this.#early.delete(held.job);
      if (early !== undefined) this.#take(early);
    }
    return held.ended;
  }

  #take(letter: Letter): void {
    if (this.#closed !== undefined) return;
    const held = this.#held.get(letter.job);
    if (held !== undefined) held.take(letter);
    else if (this.#leavesAlone()) this.#putOff(letter);
    else this.refuse(letter, 'the run is over');
  }

  /**
   * Keeps a letter whose run may wait for a slot, and reads it later. Notifies the worker, so that a run with a slot gets its
   * place there.
   */
  #putOff(letter: Letter): void {
    const { job, by } = letter;
    this.#early.set(job, letter);
    this.#send(processOf(by), () => ({ term: this.#term.number, job, by, answers: [], isEarly: true }));
  }

  /** An unreadable letter ends its run; if that isn't known, it ends nothing. */
  #takeWrong(error: unknown, { job, by }: Named): void {
    if (this.#closed !== undefined) return;
    this.#backend.report(error);
    const held = job === undefined ? undefined : this.#held.get(job);
    if (held === undefined || !isSubAgentError(error, 'invalid_result')) return;
    held.takeWrong(error, by);
    if (by !== undefined && held.isOver) this.refuse({ job: held.job, by }, "what it has sent can't be read");
  }

  #leavesAlone(): boolean {
    return performance.now() - this.#since < this.#orphanMs;
  }

  reply(held: HeldRun): void {
    const { by, to, job } = held;
    if (by === undefined) return;
    this.#send(to, () => {
      const { aborted } = held;
      // Answers are for the attempt that asked: no other attempt gets them.
      const answers = held.by === by ? held.takeAnswers() : [];
      return { term: this.#term.number, job, by, answers, ...(aborted !== undefined && { abort: aborted }) };
    });
  }

  replyApart({ by, to, job }: HeldRun, answer: Answer): void {
    if (by !== undefined) this.#send(to, () => ({ term: this.#term.number, job, by, answers: [answer] }));
  }

  refuse({ job, by }: Pick<Letter, 'job' | 'by'>, refused: string): void {
    this.#send(processOf(by), () => ({ term: this.#term.number, job, by, answers: [], refused }));
  }

  #send(to: string, reply: () => Reply): void {
    if (this.#closed === undefined) this.#connected?.outbox.post(`worker.${to}`, reply);
  }

  over(held: HeldRun): void {
    this.#held.delete(held.job);
    held.run.ended().then(
      () => this.#jobs.remove(held.job),
      // The manager is over: the next lead finds ends that it has not persisted.
      () => undefined,
    );
  }

  /** A run has to stop. If its process is lost, the job stays and the next lead continues it. */
  #abort(held: HeldRun, reason: string): void {
    if (reason === 'host_lost' || held.isOver) return;
    held.aborted = reason;
    this.#stop(held);
  }

  /** Removes the job from the queue and notifies the workers. `#reconcile` repeats this until the job is over. */
  #stop(held: HeldRun): void {
    const { queue, relay } = this.#connected ?? {};
    if (queue === undefined || relay === undefined) return;
    const { job, aborted: reason = 'cancelled' } = held;
    relay.publish('workers', { term: this.#term.number, abort: { job, reason } } satisfies Broadcast).catch(this.#backend.report);
    jobOf(queue, job)
      .then(async (found) => {
        if (held.isOver || (found === undefined && !held.isAdded)) return;
        if (found?.finishedOn !== undefined && !hasFailed(found)) this.#ended(job, found.returnvalue);
        else if (found === undefined || (await queue.remove(job)) === 1) held.failStopped(found, reason);
      })
      .catch(this.#backend.report);
  }

  #ended(job: string, value: unknown): void {
    const held = this.#held.get(job);
    if (held === undefined) return;
    try {
      const returned = readReturned(value);
      // A lead that did not know the run yet has answered the worker that its attempt doesn't count.
      if (returned.refused === true) this.#jobs.addAgain(held).catch(this.#backend.report);
      else held.takeEnd(returned);
    } catch (error) {
      held.fail(error);
    }
  }

  /**
   * BullMQ has failed the job. A run never fails its job, so the worker could not report the run's end, for example over a
   * broken connection. Its work is lost, and that counts as the loss of a worker.
   */
  async #failed(held: HeldRun, reason: string): Promise<void> {
    if (held.aborted !== undefined) this.#stop(held);
    else if (held.loses(reason)) await this.#jobs.addAgain(held);
  }

  /** Reads the state of a job. */
  async #look(job: string): Promise<void> {
    const held = this.#held.get(job);
    if (held?.isAdded !== true) return;
    const { adds } = held;
    const queue = this.#connected?.queue;
    const found = queue && (await jobOf(queue, job).catch((error: unknown) => this.#unread(held, error)));
    // A state from before it was added again says nothing about the new job.
    if (held.isOver || !held.isAdded || held.adds !== adds) return;
    if (found === undefined) await this.#jobs.addAgain(held);
    else if (found.finishedOn !== undefined) {
      if (hasFailed(found)) await this.#failed(held, found.failedReason ?? '');
      else this.#ended(job, found.returnvalue);
    }
  }

  /** Ends a run whose job can't be read: its end would never be known. */
  #unread(held: HeldRun, error: unknown): undefined {
    if (!isSubAgentError(error, 'invalid_result')) throw error;
    this.#backend.report(error);
    held.fail(error);
  }

  #tick(connected: Connected): void {
    this.#timer = setTimeout(
      () => {
        this.#reconcile(connected)
          .catch(this.#backend.report)
          .finally(() => {
            if (this.#closed === undefined) this.#tick(connected);
          });
      },
      Math.min(this.#reconcileMs, LONGEST_TIMER),
    );
    (this.#timer as { unref?(): unknown }).unref?.();
  }

  /** Checks the states of jobs, which count: events may have been lost. */
  async #reconcile({ queue }: Connected): Promise<void> {
    this.#ticks += 1;
    for (const held of [...this.#held.values()]) if (held.aborted !== undefined) this.#stop(held);
    await this.#jobs.removeAll(queue).catch(this.#backend.report);
    const strange: string[] = [];
    const looked: string[] = [];
    for (const job of await queue.getRanges(['completed', 'failed'], 0, PAGE)) {
      if (this.#held.has(job)) looked.push(job);
      else if (!this.#jobs.isToBeRemoved(job)) strange.push(job);
    }
    const held = [...this.#held.keys()];
    for (let count = 0; count < Math.min(LOOKED_FOR, held.length); count += 1) {
      this.#looked = (this.#looked + 1) % held.length;
      looked.push(held[this.#looked] as string);
    }
    await eachOf(looked, (job) => this.#look(job));
    if (this.#leavesAlone()) return;
    this.#early.clear();
    if (this.#ticks % 10 === 0) strange.push(...(await queue.getRanges(['wait', 'active', 'delayed', 'prioritized', 'paused'], 0, PAGE)));
    await this.#removeOrphans(queue, strange);
  }

  /**
   * Removes jobs that belong to no run here. A lead that was frozen doesn't know the runs of the next lead: it asks its store
   * first.
   */
  async #removeOrphans(queue: Queue, jobs: readonly string[]): Promise<void> {
    if (jobs.every((job) => this.#held.has(job))) return;
    try {
      await this.#term.ownsStore();
    } catch (error) {
      await this.close(error as SubAgentError);
      return;
    }
    await eachOf(jobs, async (job) => {
      if (!this.#held.has(job)) await this.#orphaned(queue, job);
    });
  }

  /** Removes a job without a run: its lead's journal is gone, or its run has already ended. */
  async #orphaned(queue: Queue, job: string): Promise<void> {
    if ((await queue.remove(job)) === 1) return;
    const call: Broadcast = { term: this.#term.number, abort: { job, reason: 'host_lost' } };
    await this.#connected?.relay.publish('workers', call);
  }

  async close(error: SubAgentError = new SubAgentError('disposed', 'the workers have been closed')): Promise<void> {
    if (this.#closed !== undefined) return;
    this.#closed = error;
    clearTimeout(this.#timer);
    await this.#backend.close();
  }
}
