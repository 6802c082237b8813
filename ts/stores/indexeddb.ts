// The entry `subagents/store/indexeddb`: a store in a database of the browser, with the package `idb`. Owns the object
// stores, which stay readable for ever, and which page has them.

import type { IDBPDatabase, IDBPTransaction } from 'idb';
import { LONGEST_TIMER } from '../base/clock.js';
import { SubAgentError } from '../base/error-class.js';
import { checkOptions } from '../base/unknown.js';
import { damaged, failed, Loss, tooNew, wrong } from './failures.js';
import { type Alone, type Medium, QueuedStore } from './queued.js';
import { joinRecords, splitRecords } from './record.js';
import type { Store, StoreContents } from './store.js';

export type { Store, StoreContents, StoreLease } from './store.js';

/** Options of `indexedDbStore`. */
export interface IndexedDbStoreOptions {
  /**
   * `strict`: an append resolves when the disk has it; `relaxed`: when the system has it. Default: `strict`.
   *
   * `relaxed` is many times faster. Its records survive the end of the page and of the browser. A power failure may lose them.
   */
  readonly durability?: 'strict' | 'relaxed' | undefined;
  /** How long `open` waits while another page or worker has the store, in milliseconds; 0, the default, rejects at once. */
  readonly waitMs?: number | undefined;
}

/** The version of the database that is written; this one and those before it are read. */
const VERSION = 1;
const BATCHES = 'batches';
const STATE = 'state';
const SNAPSHOT = 'snapshot';
const PAGE_BATCHES = 16;

/** A batch of records, under the number of its first one. */
interface Batch {
  readonly lengths: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Snapshot {
  readonly through: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Makes a store in this origin's database with this name. */
export function indexedDbStore(name = 'subagents', options: IndexedDbStoreOptions = {}): Store {
  const { durability = 'strict', waitMs = 0 } = checkOptions('indexedDbStore', options, ['durability', 'waitMs']);
  if (typeof name !== 'string' || name === '') throw wrong('name', 'the name of a database');
  if (durability !== 'strict' && durability !== 'relaxed') throw wrong('durability', "'strict' or 'relaxed'");
  if (typeof waitMs !== 'number' || !(waitMs >= 0)) throw wrong('waitMs', 'milliseconds from 0 on');
  const said = `the store ${name} in IndexedDB`;
  return new QueuedStore(said, async () => {
    const release = await takeLock(said, `subagents ${name}`, waitMs);
    try {
      const connection = new Connection(said);
      await connection.open(name);
      const batches = new Batches(said, connection, durability, release);
      await batches.read();
      return batches;
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** Takes the browser's lock of a name, which ends with the page, however that ends. */
async function takeLock(said: string, name: string, waitMs: number): Promise<() => void> {
  if (globalThis.indexedDB === undefined) {
    const message = `${said} can't be opened: there is no IndexedDB here, which browsers have; fileStore of subagents/store/file keeps a journal on a disk`;
    throw new SubAgentError('not_ready', message, { store: said });
  }
  const { locks } = navigator;
  if (locks === undefined) throw new Error('the page has no locks: it needs https, or localhost');
  return new Promise((resolve, reject) => {
    const locked = (cause?: unknown): SubAgentError =>
      new SubAgentError('store_locked', `another page or worker has ${said}`, { store: said }, { cause });
    const held = (lock: Lock | null): Promise<void> | undefined => {
      if (lock !== null) return new Promise((release) => resolve(release));
      reject(locked());
      return undefined;
    };
    const signal = waitMs > 0 ? AbortSignal.timeout(Math.min(waitMs, LONGEST_TIMER)) : undefined;
    const request = locks.request(name, signal === undefined ? { ifAvailable: true } : { signal }, held);
    request.catch((error: unknown) => reject(signal?.aborted === true ? locked(error) : explained(said, error)));
  });
}

/** Explains an error that the browser describes in few words, or in none. */
function explained(said: string, cause: unknown): unknown {
  const why = WHY[(cause as { name?: string } | null)?.name ?? ''];
  return why === undefined ? cause : new SubAgentError('store_failed', `${said} failed: ${why}`, { store: said }, { cause });
}

const WHY: Readonly<Record<string, string>> = {
  QuotaExceededError:
    'the browser has no space left for this origin; `navigator.storage.estimate()` says how much it may have; deleting data makes space',
  SecurityError:
    'the browser refuses storage to this page, as in a frame with `sandbox`, or if its user blocks it; `memoryStore` of subagents/store/memory needs none',
  AbortError: 'the browser has undone the write: its disk has failed, or a record or snapshot has more than about 120 MB',
};

/** The connection to the database. Owns the reason for its loss: the browser only says that it is closing. */
class Connection {
  readonly #said: string;
  #database: IDBPDatabase | undefined;
  #gone: string | undefined;
  readonly #loss = new Loss();

  constructor(said: string) {
    this.#said = said;
  }

  async open(name: string): Promise<void> {
    const { openDB } = await import('idb');
    try {
      this.#database = await openDB(name, VERSION, {
        upgrade(made) {
          made.createObjectStore(BATCHES);
          made.createObjectStore(STATE);
        },
        // A later version of the package wants to open it, or the program to delete it: this one has to close.
        blocking: () => {
          this.#lose('another page deletes its database, or has opened it with a newer version of this package: open it anew');
          this.close();
        },
        terminated: () => this.#lose('the browser has closed its database, as where the data of the site is cleared: open it anew'),
      });
    } catch (error) {
      if ((error as { name?: unknown }).name === 'VersionError') throw tooNew(this.#said, VERSION + 1, VERSION);
      throw explained(this.#said, error);
    }
    const { objectStoreNames } = this.#database;
    if (objectStoreNames.contains(BATCHES) && objectStoreNames.contains(STATE)) return;
    this.close();
    const message = `${this.#said} failed: the database ${name} is another program's; give \`indexedDbStore\` a name of its own`;
    throw new SubAgentError('store_failed', message, { store: this.#said });
  }

  /**
   * Carries work out in one transaction; resolves once that is complete. A failing transaction may never answer a request, so
   * none is waited for longer than the transaction.
   */
  async transact<T>(
    stores: string[],
    mode: IDBTransactionMode,
    durability: IDBTransactionDurability,
    work: (transaction: IDBPTransaction) => Promise<T>,
  ): Promise<T> {
    try {
      const transaction = (this.#database as IDBPDatabase).transaction(stores, mode, { durability });
      const { done } = transaction;
      const [value] = await Promise.all([work(transaction), done]).catch(async (error: unknown) => {
        // Only now is it known whether it was undone.
        await done.catch(() => undefined);
        throw error;
      });
      return value;
    } catch (cause) {
      if (this.#gone === undefined) throw explained(this.#said, cause);
      throw new SubAgentError('store_failed', `${this.#said} failed: ${this.#gone}`, { store: this.#said }, { cause });
    }
  }

  /** Resolves with the error once the database is gone. */
  get lost(): Promise<unknown> {
    return this.#loss.reason;
  }

  #lose(why: string): void {
    this.#gone = why;
    this.#loss.report(failed(this.#said, why));
  }

  close(): void {
    this.#database?.close();
  }
}

class Batches implements Medium {
  contents: StoreContents = { through: 0, records: [] };
  count = 0;
  readonly #name: string;
  readonly #connection: Connection;
  readonly #durability: IDBTransactionDurability;
  readonly #release: () => void;

  constructor(name: string, connection: Connection, durability: IDBTransactionDurability, release: () => void) {
    this.#name = name;
    this.#connection = connection;
    this.#durability = durability;
    this.#release = release;
  }

  async read(): Promise<void> {
    const [found, keys, last] = await this.#read([BATCHES, STATE], async (transaction) => {
      const batches = transaction.objectStore(BATCHES);
      const [snapshot, keys] = await Promise.all([transaction.objectStore(STATE).get(SNAPSHOT), batches.getAllKeys()]);
      const last = keys.at(-1);
      return [snapshot, keys, last === undefined ? undefined : await batches.get(last)] as const;
    });
    const snapshot = this.#snapshotOf(found);
    const through = snapshot?.through ?? 0;
    for (const key of keys)
      if (!Number.isSafeInteger(key) || (key as number) < 1)
        throw damaged(this.#name, {}, 'its batches', `one has the number ${String(key)}`);
    const numbers = keys as number[];
    const first = numbers.at(-1);
    this.count = first === undefined ? through : Math.max(through, first + this.#batchOf(last, first).lengths.length - 1);
    const { lost } = this.#connection;
    this.contents = { through, records: this.#records(through, numbers), lost, ...(snapshot && { snapshot: snapshot.bytes }) };
  }

  async write(records: Uint8Array[], number: number): Promise<void> {
    const { lengths, bytes } = joinRecords(records);
    await this.#write([BATCHES], (transaction) => transaction.objectStore(BATCHES).add({ lengths, bytes } satisfies Batch, number));
  }

  async replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void> {
    let problem: unknown;
    await alone(async () => {
      try {
        await this.#write([BATCHES, STATE], async (transaction) => {
          const batches = transaction.objectStore(BATCHES);
          await transaction.objectStore(STATE).put({ through, bytes: snapshot.slice() } satisfies Snapshot, SNAPSHOT);
          const keys = (await batches.getAllKeys(IDBKeyRange.upperBound(through + 1))) as number[];
          // The last batch may continue after the snapshot, and stays; its records before that are skipped.
          const kept = keys.at(-1);
          if (kept !== undefined) await batches.delete(IDBKeyRange.upperBound(kept, true));
        });
      } catch (error) {
        // It was rolled back, and the store continues.
        problem = error;
      }
    });
    if (problem !== undefined) throw problem;
  }

  async close(): Promise<void> {
    this.#connection.close();
    this.#release();
  }

  async *#records(through: number, keys: number[]): AsyncGenerator<Uint8Array> {
    let number = through;
    for (let at = 0; at < keys.length; at += PAGE_BATCHES) {
      const page = keys.slice(at, at + PAGE_BATCHES);
      const range = IDBKeyRange.bound(page[0], page.at(-1));
      const batches = await this.#read([BATCHES], (transaction) => transaction.objectStore(BATCHES).getAll(range));
      for (const [index, found] of batches.entries()) {
        const first = page[index] as number;
        if (first > number + 1) throw this.#isDamaged(number + 1, 'it is missing');
        const { lengths, bytes } = this.#batchOf(found, first);
        for (const [place, record] of splitRecords(lengths, bytes).entries()) {
          if (first + place <= number) continue;
          number += 1;
          yield record;
        }
      }
    }
  }

  #read<T>(stores: string[], work: (transaction: IDBPTransaction) => Promise<T>): Promise<T> {
    return this.#connection.transact(stores, 'readonly', 'default', work);
  }

  #write(stores: string[], work: (transaction: IDBPTransaction) => Promise<unknown>): Promise<unknown> {
    return this.#connection.transact(stores, 'readwrite', this.#durability, work);
  }

  #batchOf(found: unknown, first: number): Batch {
    const { lengths, bytes } = (found ?? {}) as Partial<Batch>;
    const isBatch = lengths instanceof Uint32Array && bytes instanceof Uint8Array;
    if (!isBatch) throw this.#isDamaged(first, 'what stands there is no batch of records');
    if (lengths.reduce((sum, length) => sum + length, 0) !== bytes.length) throw this.#isDamaged(first, 'its batch has another length');
    return { lengths, bytes };
  }

  #snapshotOf(found: unknown): Snapshot | undefined {
    if (found === undefined) return undefined;
    const { through, bytes } = (found ?? {}) as Partial<Snapshot>;
    if (Number.isSafeInteger(through) && (through as number) >= 0 && bytes instanceof Uint8Array) return { through, bytes } as Snapshot;
    throw damaged(this.#name, {}, 'its snapshot', 'what stands there is none');
  }

  #isDamaged(record: number, reason: string): SubAgentError {
    return damaged(this.#name, { record }, `record ${record}`, reason);
  }
}
