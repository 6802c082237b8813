// The package `bullmq` over either of its backends. Owns how it is loaded and opened, that it opens once its database
// is ready, and that everything is closed; nothing else knows the database.

import type * as BullMQ from 'bullmq';
import type { BackendFactory, Job, Queue, QueueBackend, QueueEvents, Relay, Worker } from 'bullmq';
import { LONGEST_TIMER } from '../base/clock.js';
import { isSubAgentError, SubAgentError } from '../base/error-class.js';
import { logError, notify } from '../base/log.js';
import { wrong } from '../stores/failures.js';
import { checkConnection, errorText, healsByItself, isRefusal, type WorkersConnection, withRetries } from './connection.js';
import { aheadOf, withErrorListeners } from './postgres.js';
import { packed } from './wire.js';

/** The largest letter: it holds a result or a checkpoint of `maxResultBytes`. */
const LETTER_BYTES = 16 << 20;
const INBOX_LETTERS = 1_000_000;
/** How long a process that is gone still gets letters. If the database loses a process's place, a heartbeat restores it. */
const LEASE_MS = 15_000;
const HEARTBEAT_MS = 2_500;
const CLOSE_MS = 2_000;
/** How long a database may take to answer; the second, if its connection is already lost. */
const ANSWER_MS = 1_000;
const AWAY_ANSWER_MS = 100;
/** How long parts may take to close if they are cut off and wait for no answer. */
const CUT_MS = 100;
const RETRY_MS = 1_000;
/** The pause before the end of a job is written again. It is short, since nothing renews the job's lock at that time. */
const END_RETRY_MS = 200;
/** How long one request for jobs or events waits. BullMQ's timer for it keeps a process alive whose Redis is gone. */
const ASK_MS = 2_000;
const SHOWN_AGAIN_MS = 60_000;
const PASSED_ON = ['store_failed', 'disposed', 'clock_skew'];

export class Backend {
  readonly queueName: string;
  readonly report: (error: unknown) => void;
  /** Converts a value for the database; `unpacked` reverses it. */
  readonly packed: <T>(value: T) => T;
  readonly #options: WorkersConnection;
  readonly #shown = new Map<string, number>();
  #parts: Parts | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: WorkersConnection) {
    if (typeof options !== 'object' || options === null) throw wrong('options', 'an object');
    const { queue = 'subagents', onError = (error: unknown) => this.#show(error) } = options;
    if (typeof queue !== 'string' || queue === '' || queue.includes(':'))
      throw wrong('queue', 'a text without colons that is not empty; leave it out for `subagents`');
    checkConnection(options);
    if (typeof onError !== 'function') throw wrong('onError', 'a function');
    this.#options = options;
    this.queueName = queue;
    this.packed = (value) => (options.backend === 'postgres' ? (packed(value) as typeof value) : value);
    this.report = (error) => {
      // Errors that closing causes aren't reported.
      if (this.#closing === undefined) notify(onError, () => undefined, error);
    };
  }

  /**
   * Opens parts, and retries while the database can't be reached. Rejects if retrying can't help, and with `disposed` once this
   * is closed. After a rejection nothing is open.
   */
  async opened<T>(open: (parts: Parts) => Promise<T>): Promise<T> {
    const bullmq = await import('bullmq').catch((cause: unknown) => {
      throw new SubAgentError('not_ready', `the package bullmq could not be loaded: ${errorText(cause)}`, {}, { cause });
    });
    if (bullmq.Relay === undefined)
      throw new SubAgentError('not_ready', 'this version of the package bullmq has no `Relay`: install one from 6.5.1 on');
    while (this.#closing === undefined) {
      const parts = new Parts(bullmq, this.queueName, this.#options, this.report);
      this.#parts = parts;
      try {
        return await Promise.race([open(parts), parts.refused]);
      } catch (cause) {
        await parts.close(false);
        if (this.#closing !== undefined) break;
        // The queue isn't at fault: the manager has lost its store or is over, or this machine's clock is off.
        if (isSubAgentError(cause) && PASSED_ON.includes(cause.code)) throw cause;
        if (!healsByItself(cause))
          throw new SubAgentError('not_ready', `the queue ${this.queueName} can't be opened: ${errorText(cause)}`, {}, { cause });
        this.report(cause);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    throw new SubAgentError('disposed', 'the workers have been closed');
  }

  /** Closes all parts, including those still opening. `isAtWork`: jobs still run, and nothing waits for them. */
  close(isAtWork = false): Promise<void> {
    this.#closing ??= this.#parts?.close(isAtWork) ?? Promise.resolve();
    return this.#closing;
  }

  /** Whether the database answers. */
  async answers(): Promise<boolean> {
    return this.#parts?.answers() ?? false;
  }

  /** Logs an error, the same one once a minute: each attempt to reach a lost database fails. */
  #show(error: unknown): void {
    const text = errorText(error);
    const now = performance.now();
    if (now < (this.#shown.get(text) ?? 0)) return;
    this.#shown.set(text, now + SHOWN_AGAIN_MS);
    logError(`subagents/bullmq, queue ${this.queueName}: ${text}`);
  }
}

interface Part {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  close(force?: boolean): Promise<void>;
  /** A relay has none. */
  getBackend?(): QueueBackend;
  /** Only a worker has it: stops renewing locks, which would keep the process alive. */
  cut?(): Promise<void>;
}

interface Minding {
  /** Resumes renewing a job's lock, if the end of this worker's earlier attempt at the job stopped that. */
  mind(id: string, token: string): void;
}

/** The parts that one attempt has opened. Once closed, it opens no more. */
export class Parts {
  /** Rejects once the database refuses the connection for good, or this is closed. */
  readonly refused: Promise<never>;
  readonly #bullmq: typeof BullMQ;
  readonly #queueName: string;
  readonly #isPostgres: boolean;
  readonly #shared: object;
  readonly #factory: BackendFactory | undefined;
  readonly #report: (error: unknown) => void;
  readonly #open: Part[] = [];
  #relay: Relay | undefined;
  #refuse: (error: unknown) => void = () => undefined;
  /** Resolves once the events have opened all their connections. */
  #begun: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #isAway = true;
  /** The database doesn't answer, and nothing waits for it. */
  #isGivenUp = false;

  constructor(bullmq: typeof BullMQ, queueName: string, options: WorkersConnection, report: (error: unknown) => void) {
    this.#bullmq = bullmq;
    this.#queueName = queueName;
    this.#isPostgres = options.backend === 'postgres';
    const { prefix } = options;
    this.#shared = this.#isPostgres
      ? { connection: options.connection }
      : { connection: withRetries(options.connection, () => this.#isGivenUp), ...(prefix !== undefined && { prefix }) };
    this.#factory = this.#isPostgres ? withErrorListeners(bullmq.createPostgresBackend) : undefined;
    this.#report = report;
    this.refused = new Promise((_, reject) => {
      this.#refuse = reject;
    });
    this.refused.catch(() => undefined);
  }

  queue(): Queue {
    return this.#watched(this.#made(() => new this.#bullmq.Queue(this.#queueName, this.#shared, this.#factory)));
  }

  events(): QueueEvents {
    const given = { ...this.#shared, blockingTimeout: ASK_MS, autorun: false };
    const events = this.#made(() => new this.#bullmq.QueueEvents(this.#queueName, given, this.#factory));
    // In Postgres, events open a connection when they begin, even if closed before. Then nothing would close it.
    const backend = events.getBackend();
    const setName = backend.setName.bind(backend);
    backend.setName = (name) => {
      this.#begun = setName(name);
      return this.#begun;
    };
    this.#follow(events);
    return events;
  }

  /** An unreadable event ends BullMQ's loop, which begins again after that event: events only speed things up. */
  #follow(events: QueueEvents): void {
    events.run().catch((error: unknown) => {
      this.#failed(error);
      if (error instanceof SyntaxError && !this.#isClosed) this.#follow(events);
    });
  }

  /**
   * Makes a worker, which takes jobs once `run` is called.
   *
   * @param mayTakeOver whether it may look for jobs whose worker is gone
   */
  worker(process: (job: Job, token?: string) => Promise<unknown>, mayTakeOver: () => Promise<boolean>, options: object): Worker & Minding {
    const given = { ...this.#shared, ...options, drainDelay: ASK_MS / 1_000, autorun: false };
    const { Worker } = this.#bullmq;
    class Cuttable extends Worker {
      cut = (): Promise<void> => this.lockManager.close();
      override async moveStalledJobsToWait(): Promise<void> {
        if (await mayTakeOver()) await super.moveStalledJobsToWait();
      }
      mind(id: string, token: string): void {
        if (!this.lockManager.getTrackedJobIds().includes(id)) this.lockManager.trackJob(id, token, 1);
      }
    }
    const kept = (job: Job, token?: string): Promise<unknown> => process(this.#untilTaken(job), token);
    return this.#watched(this.#made(() => new Cuttable(this.#queueName, kept, given, this.#factory)));
  }

  /**
   * Retries writing a job's end until the database has it. BullMQ retries after some lost connections, and fails the job after
   * others. If the lock is gone, this throws.
   */
  #untilTaken(job: Job): Job {
    const complete = job.moveToCompleted.bind(job);
    job.moveToCompleted = async (...given) => {
      for (;;) {
        try {
          return await complete(...given);
        } catch (error) {
          if (this.#isClosed || !healsByItself(error)) throw error;
          this.#report(error);
          await new Promise((resolve) => setTimeout(resolve, END_RETRY_MS));
        }
      }
    };
    return job;
  }

  /**
   * Opens a relay for messages between processes. A message may be lost or late. In Redis it uses another part's connection:
   * only closing that ends a relay whose database never answers again.
   */
  async relay(name: string, beside: Queue | Worker): Promise<Relay> {
    const given = {
      ...this.#shared,
      ...(!this.#isPostgres && { connection: await beside.getBackend().client }),
      name,
      namespace: namespaceOf(this.#queueName),
      maxMessageSize: LETTER_BYTES,
      inboxMaxLength: INBOX_LETTERS,
      leaseDuration: LEASE_MS,
      heartbeatInterval: HEARTBEAT_MS,
      ...(this.#isPostgres && { backend: withErrorListeners(this.#bullmq.createPostgresRelayBackend) }),
    };
    const relay = this.#made(() => new this.#bullmq.Relay(given));
    this.#relay = relay;
    return relay;
  }

  /**
   * The milliseconds that this machine's clock is certainly ahead of the clock for locks; undefined in Redis, which uses its
   * own.
   */
  async aheadMs(part: Worker): Promise<number | undefined> {
    return this.#isPostgres ? aheadOf(part.getBackend()) : undefined;
  }

  #watched<T extends Queue | Worker>(part: T): T {
    const backend = part.getBackend();
    backend.on('ready', () => {
      this.#isAway = false;
    });
    backend.on('close', () => {
      this.#isAway = true;
    });
    return part;
  }

  #made<T extends Part>(make: () => T): T {
    if (this.#isClosed) throw new SubAgentError('disposed', 'the workers have been closed');
    const part = make();
    this.#open.push(part);
    part.on('error', this.#failed);
    return part;
  }

  readonly #failed = (error: unknown): void => {
    if (isRefusal(error)) this.#refuse(error);
    // Errors that closing causes aren't reported.
    if (!this.#isClosed) this.#report(error);
  };

  async answers(): Promise<boolean> {
    const asked = this.#relay?.getNodes(0, 0).then(
      () => true,
      () => false,
    );
    const late = this.#isAway ? AWAY_ANSWER_MS : ANSWER_MS;
    return asked !== undefined && (await within(asked, late)) && asked;
  }

  async close(isAtWork: boolean): Promise<void> {
    this.#isClosed = true;
    this.#refuse(new SubAgentError('disposed', 'the workers have been closed'));
    this.#isGivenUp = !(await this.answers());
    // In Postgres, also if no relay was open to ask.
    if (this.#isPostgres || !this.#isGivenUp) await within(this.#begun, CLOSE_MS);
    await Promise.all(this.#open.map((part) => this.#closePart(part, isAtWork)));
  }

  /** Closes a part, or cuts it off if its database is lost: it would wait for an answer that never comes. */
  async #closePart(part: Part, isAtWork: boolean): Promise<void> {
    const isForced = this.#isGivenUp || isAtWork;
    const backend = part.getBackend?.();
    // A worker can cut itself off; a queue and its events can't.
    const forced = this.#isGivenUp && part.cut === undefined ? backend?.close(true) : undefined;
    if (await within(Promise.all([forced, part.close(isForced)]), this.#isGivenUp ? CUT_MS : CLOSE_MS)) return;
    if (forced !== undefined) return;
    // The database was lost after it had answered.
    this.#isGivenUp = true;
    await within(Promise.all([part.cut?.(), backend?.disconnect()]), CUT_MS);
  }
}

/** Whether a promise settles in time. A rejection counts too. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, LONGEST_TIMER));
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Letters, digits and `-` stay; others become their code point, in hex between `_`, so that two queues never share a name. */
function namespaceOf(queue: string): string {
  const name = queue.replace(/[^A-Za-z0-9-]/g, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);
  if (name.length > 64) throw wrong('queue', 'a shorter text');
  return name;
}
