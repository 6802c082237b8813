// The entry `subagents/store/indexeddb`: a store in a database of the browser, with the package `idb`. Owns the object
// stores, which are read for ever, and which page has them.

import type { IDBPDatabase } from 'idb';
import { SubAgentError } from '../base/error-class.js';
import { joinRecords, splitRecords } from './batch.js';
import { damaged, tooNew, wrong } from './failures.js';
import { type Alone, type Medium, QueuedStore } from './queued.js';
import type { Store, StoreContents } from './store.js';

export type { Store, StoreContents } from './store.js';

/** Options of `indexedDbStore`. */
export interface IndexedDbStoreOptions {
  /**
   * `strict`, the default: an append resolves when the disk has it. `relaxed`: when the system has it, which is many
   * times faster; it survives the end of the page and of the browser, and may be lost with the power.
   */
  readonly durability?: 'strict' | 'relaxed';
  /** How long `open` waits while another page or worker has the store, in milliseconds; 0, the default, rejects at once. */
  readonly waitMs?: number;
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

/** A store in the database of a name, of this origin. */
export function indexedDbStore(name = 'subagents', options: IndexedDbStoreOptions = {}): Store {
  const { durability = 'strict', waitMs = 0 } = options;
  if (typeof name !== 'string' || name === '') throw wrong('name', 'the name of a database');
  if (durability !== 'strict' && durability !== 'relaxed') throw wrong('durability', "'strict' or 'relaxed'");
  if (typeof waitMs !== 'number' || !(waitMs >= 0)) throw wrong('waitMs', 'milliseconds from 0 on');
  const said = `the store ${name} in IndexedDB`;
  return new QueuedStore(said, async () => {
    const release = await takeLock(said, `subagents ${name}`, waitMs);
    try {
      const database = await openDatabase(said, name);
      const batches = new Batches(said, database, durability, release);
      await batches.read();
      return batches;
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** Takes the browser's lock of a name; it goes with the page, however that ends. */
async function takeLock(said: string, name: string, waitMs: number): Promise<() => void> {
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
    const options = waitMs > 0 ? { signal: AbortSignal.timeout(Math.min(waitMs, 2_147_483_647)) } : { ifAvailable: true };
    locks.request(name, options, held).catch((error: unknown) => reject(waitMs > 0 ? locked(error) : error));
  });
}

async function openDatabase(said: string, name: string): Promise<IDBPDatabase> {
  const { openDB } = await import('idb');
  try {
    const database = await openDB(name, VERSION, {
      upgrade(made) {
        made.createObjectStore(BATCHES);
        made.createObjectStore(STATE);
      },
      // A later version of the package wants to open it, or the program to delete it: this one has to let go.
      blocking: () => database.close(),
    });
    return database;
  } catch (error) {
    if ((error as { name?: unknown }).name === 'VersionError') throw tooNew(said, VERSION + 1, VERSION);
    throw error;
  }
}

class Batches implements Medium {
  contents: StoreContents = { through: 0, records: [] };
  count = 0;
  readonly #name: string;
  readonly #database: IDBPDatabase;
  readonly #durability: IDBTransactionDurability;
  readonly #release: () => void;

  constructor(name: string, database: IDBPDatabase, durability: IDBTransactionDurability, release: () => void) {
    this.#name = name;
    this.#database = database;
    this.#durability = durability;
    this.#release = release;
  }

  async read(): Promise<void> {
    const transaction = this.#database.transaction([BATCHES, STATE], 'readonly');
    const found = (await transaction.objectStore(STATE).get(SNAPSHOT)) as Snapshot | undefined;
    const keys = (await transaction.objectStore(BATCHES).getAllKeys()) as number[];
    const last = keys.at(-1);
    const batch = last === undefined ? undefined : ((await transaction.objectStore(BATCHES).get(last)) as Batch);
    const through = found?.through ?? 0;
    this.count = last === undefined || batch === undefined ? through : Math.max(through, last + batch.lengths.length - 1);
    this.contents = { through, records: this.#records(through, keys), ...(found && { snapshot: found.bytes }) };
  }

  async write(records: Uint8Array[], number: number): Promise<void> {
    const { lengths, bytes } = joinRecords(records);
    const transaction = this.#database.transaction([BATCHES], 'readwrite', { durability: this.#durability });
    await Promise.all([transaction.objectStore(BATCHES).add({ lengths, bytes } satisfies Batch, number), transaction.done]);
  }

  async replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void> {
    let problem: unknown;
    await alone(async () => {
      const transaction = this.#database.transaction([BATCHES, STATE], 'readwrite', { durability: this.#durability });
      const batches = transaction.objectStore(BATCHES);
      try {
        await transaction.objectStore(STATE).put({ through, bytes: snapshot.slice() } satisfies Snapshot, SNAPSHOT);
        const keys = (await batches.getAllKeys(IDBKeyRange.upperBound(through + 1))) as number[];
        // The last one may go on behind the snapshot, and is kept; what it has before that is passed over.
        const kept = keys.at(-1);
        if (kept !== undefined) await batches.delete(IDBKeyRange.upperBound(kept, true));
        await transaction.done;
      } catch (error) {
        // It was undone, and the store goes on.
        problem = error;
        await transaction.done.catch(() => undefined);
      }
    });
    if (problem !== undefined) throw problem;
  }

  async close(): Promise<void> {
    this.#database.close();
    this.#release();
  }

  async *#records(through: number, keys: number[]): AsyncGenerator<Uint8Array> {
    let number = through;
    for (let at = 0; at < keys.length; at += PAGE_BATCHES) {
      const page = keys.slice(at, at + PAGE_BATCHES);
      const range = IDBKeyRange.bound(page[0], page.at(-1));
      const batches = (await this.#database.transaction([BATCHES], 'readonly').objectStore(BATCHES).getAll(range)) as Batch[];
      for (const [index, { lengths, bytes }] of batches.entries()) {
        const first = page[index] as number;
        const reason = 'it is missing';
        if (first > number + 1) throw damaged(this.#name, { record: number + 1 }, `record ${number + 1}`, reason);
        for (const [place, record] of splitRecords(lengths, bytes).entries()) {
          if (first + place <= number) continue;
          number += 1;
          yield record;
        }
      }
    }
  }
}
