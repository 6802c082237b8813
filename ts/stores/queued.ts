// The part that all writing stores share. It writes all waiting records at once, runs compactions at their place among them,
// and acknowledges nothing after a failure. Owns whether the store is open. A store owns its medium.

import { SubAgentError } from '../base/error-class.js';
import { expectThrough, failed } from './failures.js';
import type { Store, StoreContents } from './store.js';

/** The most bytes of a batch, except for a single record. */
export const BATCH_BYTES = 1 << 24;

/** Runs work when every append before it is durable and none after it has begun. If the work fails, the store ends for good. */
export type Alone = (work: () => Promise<void>) => Promise<void>;

/** A store's medium, taken for this process. */
export interface Medium {
  readonly contents: StoreContents;
  /** How many records there are, over the life of the store. */
  readonly count: number;
  /** Makes records durable; after a crash, perhaps only the first ones. `number` is the first record's. */
  write(records: Uint8Array[], number: number): Promise<void>;
  /** Replaces records by a snapshot, atomically. An error from outside `alone` leaves all as it was. */
  replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void>;
  close(): Promise<void>;
}

/** The medium of a store that is only read. `close` releases its source. */
export function toBeRead(name: string, contents: StoreContents, close: () => Promise<void> = async () => undefined): Medium {
  const refuse = async (): Promise<never> => {
    throw new SubAgentError('store_failed', `${name} was opened to be read`, { store: name });
  };
  return { contents, count: 0, write: refuse, replace: refuse, close };
}

interface Waiting {
  /** A record, or work that needs the medium for itself. */
  readonly what: Uint8Array | (() => Promise<void>);
  resolve(): void;
  reject(error: unknown): void;
}

type State = 'closed' | 'opening' | 'closing' | { readonly medium: Medium; readonly queue: WriteQueue };

/** A store over a medium that `take` takes and reads; `name` is its name in errors. */
export class QueuedStore implements Store {
  readonly #name: string;
  readonly #take: () => Promise<Medium>;
  #state: State = 'closed';
  #closing: Promise<void> = Promise.resolve();
  #compacting: Promise<void> = Promise.resolve();
  #through = 0;

  constructor(name: string, take: () => Promise<Medium>) {
    this.#name = name;
    this.#take = take;
  }

  async open(): Promise<StoreContents> {
    if (this.#state !== 'closed') throw new SubAgentError('store_locked', `${this.#name} is open already`, { store: this.#name });
    this.#state = 'opening';
    try {
      const medium = await this.#take();
      this.#through = medium.contents.through;
      this.#state = { medium, queue: new WriteQueue(this.#name, medium) };
      return medium.contents;
    } catch (error) {
      this.#state = 'closed';
      throw failed(this.#name, error);
    }
  }

  append(record: Uint8Array): Promise<void> {
    return typeof this.#state === 'string' ? this.#refuse() : this.#state.queue.add(record);
  }

  compact(snapshot: Uint8Array, through: number): Promise<void> {
    if (typeof this.#state === 'string') return this.#refuse();
    const { medium, queue } = this.#state;
    // All appended records, durable or not.
    const { count } = queue;
    const done = this.#compacting.then(async () => {
      if (queue.failure !== undefined) throw queue.failure;
      expectThrough(through, this.#through, count);
      try {
        await medium.replace(snapshot, through, (work) => queue.add(work));
        this.#through = through;
      } catch (error) {
        throw failed(this.#name, error);
      }
    });
    this.#compacting = done.catch(() => undefined);
    return done;
  }

  close(): Promise<void> {
    if (typeof this.#state === 'string') return this.#closing;
    const { medium, queue } = this.#state;
    this.#state = 'closing';
    this.#closing = (async () => {
      try {
        await this.#compacting;
        await queue.idle();
        await medium.close();
      } catch (error) {
        throw failed(this.#name, error);
      } finally {
        this.#state = 'closed';
      }
    })();
    return this.#closing;
  }

  #refuse(): Promise<never> {
    return Promise.reject(new SubAgentError('store_failed', `${this.#name} is not open`, { store: this.#name }));
  }
}

/** Writes records and runs work in the order of the calls, with as few writes as possible. */
class WriteQueue {
  /** How many records were added, over the life of the store. */
  count: number;
  failure: SubAgentError | undefined;
  readonly #name: string;
  readonly #medium: Medium;
  #written: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;

  constructor(name: string, medium: Medium) {
    this.#name = name;
    this.#medium = medium;
    this.#written = medium.count;
    this.count = medium.count;
  }

  add(what: Uint8Array | (() => Promise<void>)): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (typeof what !== 'function') this.count += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ what, resolve, reject });
      if (!this.#isWriting) this.#writing = this.#write();
    });
  }

  idle(): Promise<void> {
    return this.#writing;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // All records of one turn of the caller are one batch.
    await undefined;
    while (this.#waiting.length > 0) {
      const records: Uint8Array[] = [];
      const batch = this.#nextBatch(records);
      try {
        const [{ what }] = batch as [Waiting];
        if (typeof what === 'function') await what();
        else await this.#medium.write(records, this.#written + 1);
        this.#written += records.length;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // From here on every call is refused: nobody can know whether the medium has the last write.
        this.failure = failed(this.#name, error);
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(this.failure);
      }
    }
    this.#isWriting = false;
  }

  /** Removes the next waiting records, up to a size and to the next work; or one such work. */
  #nextBatch(records: Uint8Array[]): Waiting[] {
    let bytes = 0;
    for (const { what } of this.#waiting) {
      if (typeof what === 'function') break;
      bytes += what.length;
      if (records.length > 0 && bytes > BATCH_BYTES) break;
      records.push(what);
    }
    return this.#waiting.splice(0, Math.max(1, records.length));
  }
}
