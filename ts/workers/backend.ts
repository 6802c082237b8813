// The package `bullmq` over either of its backends. Owns how it is loaded and what its parts are told, that they are opened
// once their database is there, and that nothing of them is left open; nothing else knows which database is behind them.

import type * as BullMQ from 'bullmq';
import type { BackendFactory, Job, Queue, QueueEvents, Relay, Worker } from 'bullmq';
import { SubAgentError } from '../base/error-class.js';
import { logError, notify } from '../base/log.js';
import { wrong } from '../stores/failures.js';
import { checkConnection, healsByItself, isRefusal, told, type WorkersConnection, withRetries } from './connection.js';

/** The largest letter: a result or a checkpoint of `maxResultBytes` has its place in it. */
const LETTER_BYTES = 16 << 20;
const INBOX_LETTERS = 1_000_000;
/** A process that is gone gets no letters any more; one whose place the database has lost has it again after a heartbeat. */
const LEASE_MS = 15_000;
const HEARTBEAT_MS = 2_500;
const CLOSE_MS = 2_000;
const RETRY_MS = 1_000;
const SHOWN_AGAIN_MS = 60_000;

export class Backend {
  readonly queueName: string;
  readonly report: (error: unknown) => void;
  readonly #options: WorkersConnection;
  readonly #shown = new Map<string, number>();
  #parts: Parts | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: WorkersConnection) {
    if (typeof options !== 'object' || options === null) throw wrong('options', 'an object');
    const { queue = 'subagents', onError = (error: unknown) => this.#show(error) } = options;
    if (typeof queue !== 'string' || queue === '' || queue.includes(':')) throw wrong('queue', 'a text without colons');
    checkConnection(options);
    if (typeof onError !== 'function') throw wrong('onError', 'a function');
    this.#options = options;
    this.queueName = queue;
    this.report = (error) => {
      // What fails because this is closed has gone wrong nowhere.
      if (this.#closing === undefined) notify(onError, () => undefined, error);
    };
  }

  /**
   * Opens parts, again and again while the database can't be reached. Rejects where that doesn't heal by itself, and with
   * `disposed` once this is closed; nothing is left open then.
   */
  async opened<T>(open: (parts: Parts) => Promise<T>): Promise<T> {
    const bullmq = await import('bullmq').catch((cause: unknown) => {
      throw new SubAgentError('not_ready', `the package bullmq could not be loaded: ${told(cause)}`, {}, { cause });
    });
    while (this.#closing === undefined) {
      const parts = new Parts(bullmq, this.queueName, this.#options, this.report);
      this.#parts = parts;
      try {
        return await Promise.race([open(parts), parts.refused]);
      } catch (cause) {
        await parts.close();
        if (this.#closing !== undefined) break;
        if (!healsByItself(cause))
          throw new SubAgentError('not_ready', `the queue ${this.queueName} can't be opened: ${told(cause)}`, {}, { cause });
        this.report(cause);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    throw new SubAgentError('disposed', 'the workers have been closed');
  }

  /** Closes what is open, or being opened. */
  close(): Promise<void> {
    this.#closing ??= this.#parts?.close() ?? Promise.resolve();
    return this.#closing;
  }

  /** A database that is away says so at each attempt to reach it: the console has it once a minute. */
  #show(error: unknown): void {
    const text = told(error);
    const now = performance.now();
    if (now < (this.#shown.get(text) ?? 0)) return;
    this.#shown.set(text, now + SHOWN_AGAIN_MS);
    logError(`subagents/bullmq, queue ${this.queueName}: ${text}`);
  }
}

interface Part {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  close(): Promise<void>;
  disconnect?(): Promise<void>;
}

/** What parts have inside: it alone ends one that waits for its database for ever. */
interface Inside {
  /** A worker's: it renews locks, and keeps the process. */
  readonly lockManager?: { close(): Promise<void> };
  /** A relay's, which has no `disconnect`. */
  readonly backend?: { readonly connection?: { disconnect?(wait: boolean): Promise<void> } };
}

/** What one attempt has opened. Closed, it opens nothing any more. */
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
  #refuse: (error: unknown) => void = () => undefined;
  #isClosed = false;
  /** The database doesn't answer, and nothing waits for it any more. */
  #isGivenUp = false;

  constructor(bullmq: typeof BullMQ, queueName: string, options: WorkersConnection, report: (error: unknown) => void) {
    this.#bullmq = bullmq;
    this.#queueName = queueName;
    this.#isPostgres = options.backend === 'postgres';
    const { prefix } = options;
    this.#shared = this.#isPostgres
      ? { connection: options.connection }
      : { connection: withRetries(options.connection, () => this.#isGivenUp), ...(prefix !== undefined && { prefix }) };
    this.#factory = this.#isPostgres ? bullmq.createPostgresBackend : undefined;
    this.#report = report;
    this.refused = new Promise((_, reject) => {
      this.#refuse = reject;
    });
    this.refused.catch(() => undefined);
  }

  queue(): Queue {
    return this.#made(() => new this.#bullmq.Queue(this.#queueName, this.#shared, this.#factory));
  }

  events(): QueueEvents {
    return this.#made(() => new this.#bullmq.QueueEvents(this.#queueName, this.#shared, this.#factory));
  }

  worker(process: (job: Job, token?: string) => Promise<unknown>, options: object): Worker {
    return this.#made(() => new this.#bullmq.Worker(this.#queueName, process, { ...this.#shared, ...options }, this.#factory));
  }

  /** Messages between the processes. A message may be lost, and may come late. */
  relay(name: string): Relay {
    const given = {
      ...this.#shared,
      name,
      namespace: namespaceOf(this.#queueName),
      maxMessageSize: LETTER_BYTES,
      inboxMaxLength: INBOX_LETTERS,
      leaseDuration: LEASE_MS,
      heartbeatInterval: HEARTBEAT_MS,
      ...(this.#isPostgres && { backend: this.#bullmq.createPostgresRelayBackend }),
    };
    return this.#made(() => new this.#bullmq.Relay(given));
  }

  #made<T extends Part>(make: () => T): T {
    if (this.#isClosed) throw new SubAgentError('disposed', 'the workers have been closed');
    const part = make();
    this.#open.push(part);
    part.on('error', (error) => {
      if (isRefusal(error)) this.#refuse(error);
      this.#report(error);
    });
    return part;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuse(new SubAgentError('disposed', 'the workers have been closed'));
    await Promise.all(this.#open.map((part) => this.#closePart(part)));
  }

  /** One whose database is away may wait for an answer that never comes; it is cut off then. */
  async #closePart(part: Part): Promise<void> {
    const closed = part.close();
    if (await within(closed, CLOSE_MS)) return;
    this.#isGivenUp = true;
    const { lockManager, backend } = part as Inside;
    const cut = [part.disconnect?.(), lockManager?.close(), backend?.connection?.disconnect?.(false)];
    await within(Promise.all(cut), CLOSE_MS);
  }
}

/** Whether a promise settles in time; what it rejects with counts as well. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
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

/** Letters, digits, `_` and `-` stay; others become their number, so that two queues never share a name. */
function namespaceOf(queue: string): string {
  const name = queue.replace(/[^A-Za-z0-9-]/g, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);
  if (name.length > 64) throw wrong('queue', 'a shorter text');
  return name;
}
