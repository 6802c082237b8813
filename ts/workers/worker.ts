// A worker: the process that carries runs out. Owns its attempts at jobs: each stops when its lock is lost, when the lead stops
// it, or when the process has to end.

import process from 'node:process';
import type { Job, Relay } from 'bullmq';
import { WIRE_VERSION } from '../base/call.js';
import { LONGEST_TIMER } from '../base/clock.js';
import { isSubAgentError, SubAgentError } from '../base/error-class.js';
import { checkOptions } from '../base/unknown.js';
import type { SpawnOptions, SubAgentParamsType } from '../options/generated/spawn.js';
import type { HostResult } from '../options/host-result.js';
import { wrong } from '../stores/failures.js';
import { Attempt } from './attempt.js';
import { Backend, type Parts, within } from './backend.js';
import { CONNECTION_OPTIONS, type WorkersConnection } from './connection.js';
import { DatabaseClock } from './database-clock.js';
import { Line } from './line.js';
import { Outbox } from './outbox.js';
import { Places } from './places.js';
import { eachReply, type Named, readCall, readJob, versionOf } from './reader.js';
import { sentResult } from './sent-result.js';
import { type Broadcast, type Fence, fromWire, type JobData, type Letter, type Reply, type Returned, wireError } from './wire.js';
import { type WorkerRun, workerRun } from './worker-run.js';

/** Runs a model in a worker, as `SpawnSubAgent` does in the process of the manager. */
export type WorkerSpawnSubAgent = (params: SubAgentParamsType & SpawnOptions, run: WorkerRun) => Promise<HostResult> | HostResult;

/** Options of `work`. */
export interface WorkOptions extends WorkersConnection {
  /** Runs a model. */
  readonly spawnSubAgent: WorkerSpawnSubAgent;
  /** How many runs this process carries out at once, at least 1; runs that wait don't count. @default 10 */
  readonly concurrency?: number | undefined;
  /**
   * Milliseconds without a sign of life until its runs are taken over: whole, 1,000 to 2,147,483,647.
   *
   * A process whose event loop is blocked for longer also loses its runs. @default 30,000
   */
  readonly lostAfterMs?: number | undefined;
  /** Signals at which it drains, and then ends by that signal; an empty list for none. @default ['SIGTERM', 'SIGINT'] */
  readonly drainOn?: readonly string[] | undefined;
  /** Milliseconds that such a drain waits for runs, from 0 on; `Infinity` for no limit. @default 10,000 */
  readonly drainMs?: number | undefined;
}

/** A running worker. */
export interface WorkerProcess {
  /** Resolves once it takes jobs. */
  ready(): Promise<void>;
  /**
   * Takes no new runs, and lets running ones end. Those that still run after `timeoutMs` have to stop, with the reason
   * `host_lost`, and return to the queue: another worker continues from the last checkpoint. Resolves once all is closed.
   *
   * @param options.timeoutMs milliseconds, 0 not to wait, `Infinity` for no limit. Default: `drainMs`
   */
  close(options?: { timeoutMs?: number | undefined }): Promise<void>;
}

/** How long host functions have to react to their signal after a drain's timeout. */
const STOP_MS = 2_000;
/** How long a worker keeps a job that it doesn't carry out now. */
const LEAVE_MS = 500;
/** A stall is no failure here: the lead decides the fate of a lost run. */
const ANY_STALLS = 1_000_000;

/** Makes this process a worker of a queue. */
export function work(options: WorkOptions): WorkerProcess {
  const pool = new Pool(options);
  return { ready: () => pool.ready(), close: async (given = {}) => pool.close(checkOptions('close', given, ['timeoutMs']).timeoutMs) };
}

/** The lead's data for a run that begins again: its saved value, its checkpoint, or that it begins without one. */
interface Restarted {
  readonly checkpointed?: unknown;
  readonly saved?: unknown;
  readonly isAnew?: true;
}

/** The outcome of a host function. */
type Outcome = Pick<Returned, 'result' | 'threw'>;

class Pool {
  readonly #backend: Backend;
  readonly #spawn: WorkerSpawnSubAgent;
  readonly #lostAfterMs: number;
  readonly #drainMs: number;
  readonly #attempts = new Map<string, Attempt>();
  readonly #places: Places;
  /** Jobs whose end the queue has yet to take, and since when. */
  readonly #unconfirmed = new Map<string, number>();
  readonly #started: Promise<void>;
  #isAwaited = false;
  #relay: Relay | undefined;
  #outbox: Outbox<Letter> | undefined;
  #worker: ReturnType<Parts['worker']> | undefined;
  #clock: DatabaseClock | undefined;
  #term = '0';
  #lessIsOpen: () => void = () => undefined;
  readonly #watch: ReturnType<typeof setInterval>;
  #closing: Promise<void> | undefined;
  readonly #unlisten: () => void;

  constructor(options: WorkOptions) {
    checkOptions('work', options, [...CONNECTION_OPTIONS, 'spawnSubAgent', 'concurrency', 'lostAfterMs', 'drainOn', 'drainMs']);
    this.#backend = new Backend(options);
    const { spawnSubAgent, concurrency = 10, lostAfterMs = 30_000, drainOn = ['SIGTERM', 'SIGINT'], drainMs = 10_000 } = options;
    if (typeof spawnSubAgent !== 'function') throw wrong('spawnSubAgent', 'a function');
    if (!Number.isSafeInteger(concurrency) || concurrency < 1) throw wrong('concurrency', 'a whole number from 1 on');
    // BullMQ uses it for timers, and the database as an expiry: both need whole numbers, and no larger ones.
    if (!Number.isSafeInteger(lostAfterMs) || lostAfterMs < 1_000 || lostAfterMs > LONGEST_TIMER)
      throw wrong('lostAfterMs', 'whole milliseconds from 1,000 to 2,147,483,647');
    if (typeof drainMs !== 'number' || !(drainMs >= 0)) throw wrong('drainMs', 'milliseconds of at least 0');
    this.#spawn = spawnSubAgent;
    this.#places = new Places(concurrency, {
      worker: () => (this.#isHalted ? undefined : this.#worker),
      taken: () => this.#attempts.size,
      report: this.#backend.report,
    });
    this.#lostAfterMs = lostAfterMs;
    this.#drainMs = drainMs;
    this.#unlisten = this.#listen(drainOn);
    this.#watch = setInterval(() => this.#checkLocks(), Math.min(this.#lostAfterMs / 8, LONGEST_TIMER));
    (this.#watch as { unref?(): unknown }).unref?.();
    this.#started = this.#backend.opened((parts) => this.#start(parts));
    this.#started.catch((error: unknown) => {
      if (this.#closing !== undefined) return;
      this.#backend.report(error);
      // A process that never became a worker must not exit as if it had been one.
      if (!this.#isAwaited) process.exitCode ??= 1;
    });
  }

  ready(): Promise<void> {
    this.#isAwaited = true;
    return this.#started;
  }

  async #start(parts: Parts): Promise<void> {
    const clock = new DatabaseClock({
      aheadMs: () => parts.aheadMs(worker),
      lostAfterMs: this.#lostAfterMs,
      off: (error) => this.#halt(error),
      right: () => {
        if (this.#closing !== undefined) return;
        this.#places.resize();
        worker.resume().catch(this.#backend.report);
      },
    });
    this.#clock?.close();
    this.#clock = clock;
    const worker = parts.worker((job, token) => this.#process(job, token), clock.isRight, {
      concurrency: this.#places.count,
      lockDuration: this.#lostAfterMs,
      stalledInterval: Math.ceil(this.#lostAfterMs / 2),
      maxStalledCount: ANY_STALLS,
      runRetryDelay: Math.min(1_000, this.#lostAfterMs / 4),
    });
    const relay = await parts.relay('worker', worker);
    await relay.waitUntilReady();
    this.#relay = relay;
    this.#outbox = new Outbox<Letter>(relay, this.#backend, (letter) => {
      const line = this.#attempts.get(letter.job)?.line;
      if (line?.by === letter.by) line.tooLarge(letter.requests);
    });
    await relay.subscribe(`worker.${relay.nodeId}`, ({ data }) =>
      eachReply(
        data,
        (reply) => this.#take(reply),
        (error, of) => this.#takeWrong(error, of),
      ),
    );
    await relay.subscribe('workers', ({ data }) => this.#receive(readCall(data)));
    this.#worker = worker;
    worker.on('lockRenewalFailed', (jobs: string[]) => {
      for (const job of jobs) this.#attempts.get(job)?.lose();
    });
    worker.on('locksRenewed', ({ jobIds }: { jobIds: string[] }) => {
      for (const job of jobIds) {
        const attempt = this.#attempts.get(job);
        if (attempt !== undefined) attempt.heldAt = performance.now();
      }
    });
    for (const event of ['completed', 'failed'])
      worker.on(event, (job: Job | undefined) => {
        this.#unconfirmed.delete(job?.id ?? '');
        this.#lessIsOpen();
      });
    await worker.waitUntilReady();
    await clock.check();
    if (this.#closing === undefined) worker.run().catch(this.#backend.report);
  }

  /** The clock is off, so the locks of its jobs end at a wrong time: other workers may already have them. */
  #halt(error: SubAgentError): void {
    this.#backend.report(error);
    this.#worker?.pause(true).catch(this.#backend.report);
    for (const attempt of this.#attempts.values()) attempt.lose();
  }

  /** Whether no job may begin here now. */
  get #isHalted(): boolean {
    return this.#closing !== undefined || this.#clock?.isOff === true;
  }

  /** Treats a lock that was not renewed in time as lost, without asking Redis: the process may have been frozen. */
  #checkLocks(): void {
    const oldest = performance.now() - this.#lostAfterMs;
    for (const attempt of this.#attempts.values()) {
      if (this.#isLost(attempt)) attempt.lose();
      else if (!attempt.isHandedBack && !attempt.hasReturned) this.#worker?.mind(attempt.jobId, attempt.token);
    }
    for (const [job, since] of this.#unconfirmed) if (since < oldest) this.#unconfirmed.delete(job);
  }

  #isLost({ heldAt }: Attempt): boolean {
    return heldAt < performance.now() - this.#lostAfterMs;
  }

  async #process(job: Job, token: string | undefined): Promise<Returned> {
    // BullMQ asked for it before this process began to drain, or its clock was off.
    if (this.#isHalted) return this.#handBack(job, token);
    const id = job.id as string;
    const version = versionOf(job.data);
    if (version === undefined) throw new Error(`job ${id} is no run of a sub-agent: give the manager a queue of its own`);
    if (version !== WIRE_VERSION) return this.#leave(job, token, version);
    const data = readJob(job.data);
    const before = this.#attempts.get(id);
    if (before !== undefined) {
      before.lose();
      // BullMQ and this process identify a job by its id alone, so the end of that attempt would drop the lock of this one.
      if (performance.now() - before.lostAt < this.#lostAfterMs) return this.#later(job, token);
    }
    const fence = [data.adds, job.attemptsStarted] as const;
    const line = new Line(id, fence, job.stalledCounter, this.#relay?.nodeId ?? '', (letter) => this.#post(letter));
    const attempt = new Attempt(id, token ?? '', line, this.#places.park);
    this.#attempts.set(id, attempt);
    try {
      const how = await this.#dispatch(attempt, data, fence);
      attempt.hasReturned = true;
      this.#lessIsOpen();
      const returned = await this.#over(attempt, job, token, how);
      this.#unconfirmed.set(id, performance.now());
      return this.#backend.packed(returned);
    } finally {
      line.end('the run has ended');
      attempt.isEarly = false;
      // BullMQ has yet to take this end, and then stops renewing the job's lock, even if a later attempt has it by then.
      if (attempt.isHandedBack && this.#closing === undefined) setTimeout(() => this.#forget(attempt), LEAVE_MS);
      else this.#forget(attempt);
    }
  }

  #forget(attempt: Attempt): void {
    if (this.#attempts.get(attempt.jobId) === attempt) this.#attempts.delete(attempt.jobId);
    this.#lessIsOpen();
  }

  /** Leaves a job of another form to another worker, as in a deploy. */
  async #leave(job: Job, token: string | undefined, version: number): Promise<never> {
    const message = `a lead of another version wrote job ${job.id}, in form ${version}; this worker reads form ${WIRE_VERSION} and leaves it to one of that version`;
    this.#backend.report(new SubAgentError('invalid_argument', message, { argument: 'version' }));
    return this.#later(job, token);
  }

  /** Puts a job back a little later: this may be the only worker that asks for it. */
  async #later(job: Job, token: string | undefined): Promise<never> {
    await new Promise((resolve) => setTimeout(resolve, LEAVE_MS));
    return this.#handBack(job, token);
  }

  /** Returns a job to the queue. If another worker has the lock, this is refused, and the job stays there. */
  async #handBack(job: Job, token: string | undefined): Promise<never> {
    const { WaitingError } = await import('bullmq');
    await job.moveToWait(token).catch(this.#backend.report);
    throw new WaitingError();
  }

  /** Calls the host function and returns its outcome. */
  async #dispatch(attempt: Attempt, { brief, params }: JobData, [adds, starts]: Fence): Promise<Outcome> {
    try {
      // The job has the state at its adding; a later attempt continues from the lead's present state.
      const later = starts > 1 || adds > 1 ? ((await attempt.line.call('begin', [])) as Restarted) : {};
      fromWire(params);
      const run = workerRun(brief, params, attempt, later.isAnew === true ? { ...later, checkpointed: undefined } : later);
      return { result: sentResult(await this.#spawn(params as SubAgentParamsType & SpawnOptions, run)) };
    } catch (error) {
      return { threw: wireError(error) };
    }
  }

  async #over(attempt: Attempt, job: Job, token: string | undefined, how: Outcome): Promise<Returned> {
    const { line } = attempt;
    const { by } = line;
    if (attempt.isRefused) return { by, ...line.hangUp(), refused: true };
    if (attempt.isHandedBack) return this.#handBack(job, token);
    const { reported, fault } = attempt;
    const hasReported = reported.tokens > 0 || reported.costUsd > 0 || reported.turns > 0;
    const ended = fault === undefined ? how : { threw: wireError(fault) };
    return { by, ...line.hangUp(), ...ended, ...(hasReported && { reported }) };
  }

  #post(letter: Letter): void {
    this.#outbox?.post('lead', () => letter);
  }

  /** Whether this number is of the newest known lead. */
  #isNewest(term: string): boolean {
    if (term === this.#term) return true;
    if (BigInt(term) < BigInt(this.#term)) return false;
    this.#term = term;
    return true;
  }

  #take(reply: Reply): void {
    const attempt = this.#attempts.get(reply.job);
    if (attempt?.line.by !== reply.by || !this.#isNewest(reply.term)) return;
    // This process may have been frozen. A permission from that time is for an attempt that is over.
    if (this.#isLost(attempt)) {
      attempt.lose();
      return;
    }
    attempt.isEarly = reply.isEarly === true && !attempt.hasReturned;
    attempt.line.take(reply);
    if (reply.refused !== undefined) {
      attempt.isRefused = true;
      attempt.lose();
    } else if (reply.abort !== undefined) attempt.abort(reply.abort);
  }

  /** Ends the attempt that an unreadable answer is for. */
  #takeWrong(error: unknown, { job, by }: Named): void {
    this.#backend.report(error);
    const attempt = job === undefined ? undefined : this.#attempts.get(job);
    if (attempt !== undefined && attempt.line.by === by && isSubAgentError(error, 'invalid_result')) attempt.spoil(error);
  }

  #receive({ term, abort }: Broadcast): void {
    if (!this.#isNewest(term)) return;
    if (abort !== undefined) {
      const attempt = this.#attempts.get(abort.job);
      if (abort.reason === 'host_lost' && attempt !== undefined) {
        attempt.isRefused = true;
        attempt.lose();
      } else attempt?.abort(abort.reason);
      return;
    }
    for (const { line } of this.#attempts.values()) line.resend();
  }

  #listen(signals: readonly string[]): () => void {
    let isEnding = false;
    const end = (signal: string): void => {
      const leave = (): void => {
        unlisten();
        process.kill(process.pid, signal);
      };
      // A second signal doesn't wait.
      if (isEnding) leave();
      else this.close(undefined).catch(this.#backend.report).finally(leave);
      isEnding = true;
    };
    const unlisten = (): void => {
      for (const signal of signals) process.off(signal, end);
    };
    // Not `once`: libraries end the process if they find no other listener.
    for (const signal of signals) process.on(signal, end);
    return unlisten;
  }

  close(timeoutMs: number | undefined): Promise<void> {
    this.#closing ??= this.#close(timeoutMs ?? this.#drainMs);
    return this.#closing;
  }

  /** Resolves once `test` holds, which is checked whenever something ends. */
  #until(test: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#lessIsOpen = () => {
        if (test()) resolve();
      };
      this.#lessIsOpen();
    });
  }

  async #close(timeoutMs: number): Promise<void> {
    const attempts = this.#attempts;
    const areOver = (): boolean => [...attempts.values()].every(({ hasReturned }) => hasReturned);
    try {
      this.#worker?.pause(true).catch(this.#backend.report);
      if (
        !(await within(
          this.#until(() => attempts.size === 0 && this.#unconfirmed.size === 0),
          timeoutMs,
        ))
      ) {
        for (const attempt of attempts.values()) attempt.lose();
        // Leaves behind a host function that doesn't stop: its lock ends, and another worker takes its run over.
        await within(this.#until(areOver), STOP_MS);
      }
      await this.#backend.close(!areOver());
    } finally {
      clearInterval(this.#watch);
      this.#clock?.close();
      this.#unlisten();
    }
  }
}
