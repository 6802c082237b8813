// The package `bullmq` over either of its backends. Owns how it is loaded and what its parts are told; nothing else
// knows which database is behind them.

import type * as BullMQ from 'bullmq';
import type { BackendFactory, Job, Queue, QueueEvents, Relay, Worker } from 'bullmq';
import { SubAgentError } from '../base/errors.js';
import { wrong } from '../stores/failures.js';
import type { WorkersConnection } from './connection.js';

const BACKENDS = ['redis', 'postgres'];
/** The largest letter: a result or a checkpoint of `maxResultBytes` has its place in it. */
const LETTER_BYTES = 16 << 20;
const INBOX_LETTERS = 1_000_000;
/** A process that is gone gets no letters any more; one whose place the database has lost has it again after a heartbeat. */
const LEASE_MS = 15_000;
const HEARTBEAT_MS = 2_500;
const CLOSE_MS = 2_000;

export class Backend {
  readonly queueName: string;
  readonly report: (error: unknown) => void;
  readonly #options: WorkersConnection;
  #loaded: Promise<typeof BullMQ> | undefined;

  constructor(options: WorkersConnection) {
    if (typeof options !== 'object' || options === null) throw wrong('options', 'an object');
    const { queue = 'subagents', connection, backend = 'redis', onError } = options;
    if (typeof queue !== 'string' || queue === '' || queue.includes(':')) throw wrong('queue', 'a text without colons');
    if (connection === undefined || connection === null) throw wrong('connection', 'what BullMQ connects with');
    if (!BACKENDS.includes(backend)) throw wrong('backend', `one of ${BACKENDS.join(', ')}`);
    if (onError !== undefined && typeof onError !== 'function') throw wrong('onError', 'a function');
    this.#options = options;
    this.queueName = queue;
    this.report = (error) => {
      try {
        onError?.(error);
      } catch {
        // It was told; what it makes of that changes nothing here.
      }
    };
  }

  load(): Promise<typeof BullMQ> {
    this.#loaded ??= import('bullmq').catch((cause: unknown) => {
      throw new SubAgentError('not_ready', `the package bullmq could not be loaded: ${(cause as Error).message}`, {}, { cause });
    });
    return this.#loaded;
  }

  async queue(): Promise<Queue> {
    const { Queue } = await this.load();
    return this.#heard(new Queue(this.queueName, this.#shared(), await this.#factory()));
  }

  async events(): Promise<QueueEvents> {
    const { QueueEvents } = await this.load();
    return this.#heard(new QueueEvents(this.queueName, this.#shared(), await this.#factory()));
  }

  async worker(process: (job: Job, token?: string) => Promise<unknown>, options: object): Promise<Worker> {
    const { Worker } = await this.load();
    return this.#heard(new Worker(this.queueName, process, { ...this.#shared(), ...options }, await this.#factory()));
  }

  /** Messages between the processes. A message may be lost, and may come late. */
  async relay(name: string): Promise<Relay> {
    const { Relay, createPostgresRelayBackend } = await this.load();
    return this.#heard(
      new Relay({
        ...this.#shared(),
        name,
        namespace: namespaceOf(this.queueName),
        maxMessageSize: LETTER_BYTES,
        inboxMaxLength: INBOX_LETTERS,
        leaseDuration: LEASE_MS,
        heartbeatInterval: HEARTBEAT_MS,
        ...(this.#options.backend === 'postgres' && { backend: createPostgresRelayBackend }),
      }),
    );
  }

  #shared(): object {
    const { connection, prefix, backend } = this.#options;
    return { connection, ...(prefix !== undefined && backend !== 'postgres' && { prefix }) };
  }

  async #factory(): Promise<BackendFactory | undefined> {
    if (this.#options.backend !== 'postgres') return undefined;
    return (await this.load()).createPostgresBackend;
  }

  #heard<T extends { on(event: 'error', listener: (error: unknown) => void): unknown }>(part: T): T {
    part.on('error', this.report);
    return part;
  }
}

/** Closes a part. One that lost its connection meanwhile may wait for an answer that never comes; it is cut off then. */
export async function closed(part: { close(): Promise<void>; disconnect?(): Promise<void> }): Promise<void> {
  if (!(await within(part.close(), CLOSE_MS))) await within(part.disconnect?.() ?? Promise.resolve(), CLOSE_MS);
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
